/* A motion of the coordinates with the generator xi(q) = A q + b, which may be a symmetry
 * (symmetries.h), and its momentum p . xi. */
#ifndef LV_SYSTEM_SYMMETRY_H
#define LV_SYSTEM_SYMMETRY_H

#include "model/model.h"

typedef struct lv_symmetry {
    const char *name;
    /* Group of the only coordinate that moves; -1: all vectors of `length` move */
    int group;
    int length;
    int a, b; /* translation along component a (b is -1), or rotation from a towards b */
} lv_symmetry;

/* How a symmetry moves the coordinates of a group: not at all, as vectors, or by a
 * shift. */
typedef enum lv_moves { LV_MOVES_NOT, LV_MOVES_VECTOR, LV_MOVES_SHIFT } lv_moves;

lv_moves lv_symmetry_moves(const lv_symmetry *symmetry, const lv_group *group);

/* p . xi(q) */
double lv_symmetry_momentum(const lv_symmetry *symmetry, const lv_model *model,
                            const double *q, const double *p);

/* How the symmetry moves a state: dq = xi(q) = A q + b, dp = -A^T p. */
void lv_symmetry_motion(const lv_symmetry *symmetry, const lv_model *model,
                        const double *q, const double *p, double *dq, double *dp);

#endif
