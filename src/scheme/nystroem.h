/* Galerkin schemes in time for a constant mass matrix and forces of position and time (theory 8): the
 * series of the accelerations is the only unknown, however many points the rule has; it is a rule for
 * forces and constraints only, the kinetic energy is integrated exactly. Positions follow
 * from it by integrating twice, so that neither matrices of stages nor second derivatives are needed;
 * the iteration contracts for steps that resolve the motion. */
#ifndef LV_SCHEME_NYSTROEM_H
#define LV_SCHEME_NYSTROEM_H

#include "scheme/scheme.h"

typedef struct lv_nystroem lv_nystroem;

/* What the scheme is made of; copied. */
typedef struct lv_galerkin {
    lv_closure closure;
    int degree;
    int points;
    const double *c, *b; /* of the rule */
    int coefficients;    /* of the multipliers */
} lv_galerkin;

lv_status lv_nystroem_create(lv_nystroem **nystroem, lv_system *system,
                             const lv_galerkin *galerkin, lv_error *err);
void lv_nystroem_free(lv_nystroem *nystroem);

/* LV_ERR_NUMERIC also where the iteration does not contract; the state is then untouched. */
lv_status lv_nystroem_step(lv_nystroem *nystroem, lv_state *state, double h, bool project,
                           lv_step_report *report, lv_error *err);

/* Numbers carried from step to step, to be kept in memory of the caller's. */
int lv_nystroem_memory_size(const lv_nystroem *nystroem);
void lv_nystroem_use_memory(lv_nystroem *nystroem, double *memory);
void lv_nystroem_forget(lv_nystroem *nystroem);

/* Of the last step, for dense output. */
lv_slopes lv_nystroem_slopes(lv_nystroem *nystroem, const lv_state *before, double h);

/* The points of the rule in the last step (lv_scheme.stages). */
void lv_nystroem_visit(lv_nystroem *nystroem, const lv_state *before, double h,
                       lv_stage_visit visit, void *user);

#endif
