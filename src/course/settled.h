/* Checks whether an iteration in a step of an energy-momentum or variational scheme has
 * ended at a solution.
 *
 * A large step can also end where the gradient of a constraint between its ends vanishes,
 * as when a rod turns by half a turn: its multiplier diverges while q1 converges. Two
 * signs reveal that: the momentum balance is not satisfied, or the constraint times its
 * multiplier is still large. */
#ifndef LV_COURSE_SETTLED_H
#define LV_COURSE_SETTLED_H

#include "num/extent.h"

#include <math.h>
#include <stdbool.h>

typedef struct lv_settling {
    double momentum; /* size of the momenta times the step */
    double force;    /* size of the forces times the square of the step */
    double moved;    /* size of q1 - q0 */
    double size;     /* size of q1 */
} lv_settling;

/* Is the momentum balance satisfied, up to rounding of q1? `residual` has n numbers. */
static inline bool lv_settled_balance(const lv_settling *s, const double *residual, int n)
{
    double limit = 1e-7 * (s->momentum + s->force);
    if (s->moved == 0)
        return true;
    return lv_extent(residual, n) <= limit + 1e-10 * s->momentum * s->size / s->moved;
}

/* Are the products of multipliers and constraints small? They are the energy error of the
 * step times the square of the step size. At rest they are forces times the rounding of
 * q1. */
static inline bool lv_settled_work(const lv_settling *s, const double *multiplier,
                                   const double *g, int m)
{
    const double limit =
        1e-9 * s->momentum * s->moved + 1e-12 * (s->momentum + s->force) * s->size;
    for (int r = 0; r < m; r++)
        if (!(fabs(multiplier[r] * g[r]) <= limit) && s->moved > 0)
            return false;
    return true;
}

#endif
