/* A joint while it is read and expanded: joint_read.c knows the keys, joint.c the rows. */
#ifndef LV_PART_JOINT_PRIVATE_H
#define LV_PART_JOINT_PRIVATE_H

#include "part/joint.h"

/* What joints are made of. In the plane points have two rows, directions are angles. */
enum {
    ROWS_POINT = 1, /* p_a = p_b */
    ROWS_AXIS = 2,  /* the axes stay parallel: two rows */
    ROWS_FRAME = 4, /* nothing turns: three rows, in the plane one */
    ROWS_LINE =
        8, /* p_b stays on the line along the axis of a: two rows, in the plane one */
    ROWS_PLANE = 16, /* p_b stays in the plane normal to the axis of a */
    ROWS_CROSS = 32, /* axis of a and second axis of b stay perpendicular */
    HAS_ANGLE = 64,
    HAS_SHIFT = 128,
    NEEDS_AXIS = 256,
    IN_PLANE = 512,     /* there is such a joint in the plane */
    TAKES_POINTS = 1024 /* the second end may be a particle */
};

/* The words of `type`, for readers. */
extern const lv_word lv_joint_words[];

typedef struct joint_type {
    const char *word;
    unsigned flags;
    const char *does;
} joint_type;

/* The formulas that the templates of a joint use. */
enum {
    A,
    B,
    AT,
    POINT_A,
    POINT_B,
    AXIS,
    AXIS_A,
    AXIS_B,
    AXIS2,
    OWN, /* what is made of these */
    SA = OWN,
    SB,
    PA,
    PB,
    U,
    UA,
    UB,
    N1,
    N1A,
    N2A,
    N1B,
    N2B,
    U2B,
    END
};

typedef struct joint {
    lv_expansion *x;
    const lv_item *part;
    const joint_type *type;
    const lv_entry *family;
    lv_end ends[2];
    bool is_planar;
    lv_hole holes[END + 1];
} joint;

/* The type of that name; NULL: there is none. */
const joint_type *lv_joint_type_find(const char *word);

/* Reads type, ends and keys, and says what does not fit. */
lv_status lv_joint_read(joint *j, lv_error *err);

static inline bool has(const joint *j, const char *key)
{
    return lv_item_entry(j->part, key) != NULL;
}

#endif
