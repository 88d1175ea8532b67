/* A body during its expansion: body.c declares it, body_draw.c draws it. */
#ifndef LV_PART_BODY_PRIVATE_H
#define LV_PART_BODY_PRIVATE_H

#include "part/body.h"

/* The holes of the templates of a body. E_jk come last, so that their templates may use
 * all others. */
enum {
    SELF,
    POSITION,
    ROTATION, /* up to LV_TURNS_MOST holes: r1, r2, ... */
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
    bool is_planar, has_pivot, is_heavy, has_products; /* has_products: of inertia */
    lv_hole holes[END + 1];
} body;

static inline bool has(const body *b, const char *key)
{
    return lv_item_entry(b->part, key) != NULL;
}

/* Draws the body: its shape, or a shape of the same inertia. */
lv_status lv_body_draw(body *b, lv_error *err);

#endif
