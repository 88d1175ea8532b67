/* A joint during reading and expansion: joint_read.c reads the keys, joint.c writes the
 * rows. */
#ifndef LV_PART_JOINT_PRIVATE_H
#define LV_PART_JOINT_PRIVATE_H

#include "part/joint.h"

/* Rows and properties of joint types. In the plane a point has two rows and directions
 * are angles. */
enum {
    ROWS_POINT = 1, /* the points coincide, p_a = p_b */
    ROWS_AXIS = 2,  /* the axes stay parallel: two rows */
    ROWS_FRAME = 4, /* nothing rotates: three rows, in the plane one */
    ROWS_LINE =
        8, /* p_b stays on the line along the axis of a: two rows, in the plane one */
    ROWS_PLANE = 16, /* p_b stays in the plane normal to the axis of a */
    ROWS_CROSS = 32, /* axis of a and second axis of b stay perpendicular */
    HAS_ANGLE = 64,
    HAS_SHIFT = 128,
    NEEDS_AXIS = 256,
    IN_PLANE = 512,     /* the type exists in the plane */
    TAKES_POINTS = 1024 /* the second end may be a particle */
};

/* The words of `type` with their meanings. */
extern const lv_word lv_joint_words[];

typedef struct joint_type {
    const char *word;
    unsigned flags;
    const char *does;
} joint_type;

/* The holes of the templates of a joint. */
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
    OWN, /* the following ones are derived from those above */
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

/* Reads type, ends and keys, and fails if they do not fit together. */
lv_status lv_joint_read(joint *j, lv_error *err);

static inline bool has(const joint *j, const char *key)
{
    return lv_item_entry(j->part, key) != NULL;
}

#endif
