/* Multipliers as far as they are determined, and constraints that are nearly dependent.
 *
 * The gradients G, with rows and coordinates in units of their own (D^-1/2 G M^-1/2, D
 * the diagonal of G M^-1 G^T here, but no less than a tenth of that at the start of the
 * model: a gradient may vanish as a whole), have a smallest singular value s, with u on
 * the side of the constraints and x on that of the coordinates. Positions are known to
 * rounding of the constraints over s along x, velocities that are tangent there to the
 * change of G along it over s once more, and the part of the multipliers along u to the
 * change of both over s^2: about rounding / s^4. Near a singular configuration this is
 * everything. What it is at a state is measured: the state is moved along x by as much as
 * its constraints cannot tell, and the multipliers are computed again (theory 1.4). */
#ifndef LV_SYSTEM_DETERMINED_H
#define LV_SYSTEM_DETERMINED_H

#include "system/system.h"

lv_status lv_determined_create(lv_determined **determined, const lv_system *system,
                               lv_error *err);
void lv_determined_free(lv_determined *determined);

/* Numbers of the model have changed (model/alike.h). */
void lv_determined_renew(lv_determined *determined, const lv_system *system);

/* Holonomic constraints whose gradients are so much smaller than at the start of the
 * model that rounding decides their directions. Masses are those at the start. A single
 * entry that is large enough shows that a gradient does not vanish: each row has a
 * witness, the largest entry when its row was last looked at as a whole, and all rows are
 * looked at again only where a witness has become small. */
typedef struct lv_witness {
    double enough; /* what |entry| has to exceed */
    int entry;
} lv_witness;

typedef struct lv_vanishing {
    const lv_determined *determined;
    const lv_pattern *g; /* of the gradients */
    int rows;
    lv_witness *witness; /* of each row */
} lv_vanishing;

/* Which rows vanish at a point: all false where the count is 0. */
typedef struct lv_gone {
    bool *rows;
    int count;
} lv_gone;

lv_status lv_vanishing_init(lv_vanishing *vanishing, const lv_system *system,
                            const lv_pattern *g, lv_arena *arena, lv_error *err);

/* No row has a witness any more. */
void lv_vanishing_renew(lv_vanishing *vanishing);

/* Finds these constraints, at the cost of one comparison per row as long as all witnesses
 * are large enough. */
void lv_vanishing_find(lv_vanishing *vanishing, const double *gradients, lv_gone *gone);

/* Constraints that nearly depend on each other: those with the largest parts of u, the
 * first ones of them listed. */
enum { LV_NEAR_SHOWN = 3 };
typedef struct lv_near {
    double value;  /* s; 1 without constraints, 0 where some are dependent, */
    int redundant; /* and how many these are */
    int count;     /* how many take part, */
    int rows[LV_NEAR_SHOWN];
} lv_near;

/* The multipliers of lv_system_accelerations. `lost`: how many combinations of them
 * rounding decides although it usually does not; these are 0, the multipliers being those
 * of least norm without them. near: which constraints take part; set where something is
 * lost. */
lv_status lv_system_multipliers(lv_system *system, double *lambda, int *lost,
                                lv_near *near, double t, const double *q, const double *v,
                                lv_error *err);

/* The constraints that come closest to being dependent at a point, or are. */
lv_near lv_system_nearest(lv_system *system, double t, const double *q, const double *v);

/* How much each constraint takes part in what lv_system_nearest found last: 1 for the
 * most. */
const double *lv_system_nearest_parts(const lv_system *system);

/* "constraints 'a', 'b' and 5 others are nearly dependent", or "the gradient of
 * constraint 'a' nearly vanishes" */
const char *lv_near_says(const lv_near *near, const lv_system *system, char *text,
                         size_t size);

#endif
