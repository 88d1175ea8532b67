/* Multipliers as far as they are determined, and constraints that are nearly dependent.
 *
 * The scaled gradients are D^-1/2 G M^-1/2, where D is the diagonal of G M^-1 G^T, but at
 * least a tenth of its value at the start of the model, since a gradient may vanish as a
 * whole. Let s be their smallest singular value, u its vector on the side of the
 * constraints and x that on the side of the coordinates. Along x, positions are known up
 * to the rounding of the constraints divided by s. Tangent velocities are known up to the
 * resulting change of G divided by s, and the part of the multipliers along u up to the
 * change of both divided by s^2: about rounding / s^4. Near a singular configuration that
 * leaves no digits. The error at a state is measured: the state is moved along x by as
 * much as its constraints cannot resolve, and the multipliers are computed again (theory
 * 1.4). */
#ifndef LV_SYSTEM_DETERMINED_H
#define LV_SYSTEM_DETERMINED_H

#include "system/system.h"

lv_status lv_determined_create(lv_determined **determined, const lv_system *system,
                               lv_error *err);
void lv_determined_free(lv_determined *determined);

/* Recomputes everything that depends on numbers of the model, which have changed
 * (model/alike.h). */
void lv_determined_renew(lv_determined *determined, const lv_system *system);

/* Finds holonomic constraints whose gradients are so much smaller than at the start of
 * the model that rounding decides their directions. Masses are those at the start. A
 * single large entry shows that a gradient does not vanish: each row has a witness, its
 * largest entry when the row was last examined as a whole, and rows are examined again
 * only if a witness has become small. */
typedef struct lv_witness {
    double enough; /* |entry| above this shows that the gradient does not vanish */
    int entry;
} lv_witness;

typedef struct lv_vanishing {
    const lv_determined *determined;
    const lv_pattern *g; /* pattern of the gradients */
    int rows;
    lv_witness *witness; /* one per row */
} lv_vanishing;

/* The rows whose gradients vanish at a point; all flags are false if count is 0. */
typedef struct lv_gone {
    bool *rows;
    int count;
} lv_gone;

lv_status lv_vanishing_init(lv_vanishing *vanishing, const lv_system *system,
                            const lv_pattern *g, lv_arena *arena, lv_error *err);

/* Discards all witnesses. */
void lv_vanishing_renew(lv_vanishing *vanishing);

/* Finds the vanishing rows. This costs one comparison per row as long as all witnesses
 * are large. */
void lv_vanishing_find(lv_vanishing *vanishing, const double *gradients, lv_gone *gone);

/* Constraints that are nearly dependent: those with the largest components of u. */
enum { LV_NEAR_SHOWN = 3 };
typedef struct lv_near {
    double value;  /* s; 1 without constraints, 0 if some are dependent */
    int redundant; /* number of dependent constraints */
    int count; /* number of constraints that take part; `rows` has the first of them */
    int rows[LV_NEAR_SHOWN];
} lv_near;

/* The multipliers of lv_system_accelerations. *lost is the number of combinations of
 * multipliers that are decided by rounding here although usually they are not. These
 * combinations are set to 0: the multipliers are those of least norm without them. *near
 * tells which constraints take part; it is set only if something is lost. */
lv_status lv_system_multipliers(lv_system *system, double *lambda, int *lost,
                                lv_near *near, double t, const double *q, const double *v,
                                lv_error *err);

/* The constraints that are dependent at a point, or closest to being so. */
lv_near lv_system_nearest(lv_system *system, double t, const double *q, const double *v);

/* By constraint, how much it takes part in the last result of lv_system_nearest: 1 for
 * the largest part. */
const double *lv_system_nearest_parts(const lv_system *system);

/* "constraints 'a', 'b' and 5 others are nearly dependent", or "the gradient of
 * constraint 'a' nearly vanishes" */
const char *lv_near_says(const lv_near *near, const lv_system *system, char *text,
                         size_t size);

#endif
