/* A body while it is expanded: body.c declares it, body_draw.c draws it. */
#ifndef LV_PART_BODY_PRIVATE_H
#define LV_PART_BODY_PRIVATE_H

#include "part/body.h"

/* The holes that templates of a body use. E_jk come last, so that templates of E may use all others. */
enum {
    SELF,
    POSITION,
    ROTATION, /* up to LV_TURNS_MOST of them: r1, r2, ... */
    LV_TURNS_MOST = 8,
    QUATERNION = ROTATION + LV_TURNS_MOST,
    F1,
    F2,
    F3,
    OMEGA,
    SPIN,
    PIVOT,
    ANGLE,
    GRAVITY,
    MASS,
    INERTIA,
    EULER,
    END = EULER + 6
};

typedef struct body {
    lv_expansion *x;
    const lv_item *part;
    const lv_entry *family;
    bool is_planar, has_pivot, is_heavy, has_products; /* of inertia */
    lv_hole holes[END + 1];
} body;

static inline bool has(const body *b, const char *key)
{
    return lv_item_entry(b->part, key) != NULL;
}

/* The picture of the body: its shape, or what its inertia is like. */
lv_status lv_body_draw(body *b, lv_error *err);

#endif
