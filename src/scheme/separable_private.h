/* Inside the stage equations of separable systems; shared by separable_create.c, separable.c (any
 * number of stages), rattle.c (two) and separable_slopes.c (dense output). */
#ifndef LV_SCHEME_SEPARABLE_PRIVATE_H
#define LV_SCHEME_SEPARABLE_PRIVATE_H

#include "scheme/separable.h"
#include "solve/converge.h"
#include "step/held.h"
#include "step/history.h"
#include "system/assembly.h"
#include "system/determined.h"

/* What is known at a stage. */
typedef struct lv_stage {
    double *q;     /* n */
    double *a;     /* M^-1 F, n */
    double *y;     /* scaled multipliers, m */
    double *g;     /* residual, m */
    double *jac;   /* values of G */
    double *weigh; /* values of G M^-1; jac itself for point masses (lv_schur_fix_mass) */
    lv_gone gone;  /* constraints whose gradients vanish */
} lv_stage;

struct lv_separable {
    lv_system *system;
    const lv_tableau *tableau;
    lv_arena arena;
    lv_plan *force, *constraint;
    lv_schur *schur;           /* its own: the mass is constant */
    const lv_columns *columns; /* of G M^-1; NULL without constraints */
    lv_assembly *matrix;       /* of y_1 .. y_{s-1} */
    lv_linear *linear;         /* its own */
    lv_linear *tangency;       /* of mu_s */
    lv_held held;
    lv_vanishing vanishing;
    bool *lines; /* of its matrix, that are left out */
    int n, m, s, jac_size, weigh_size;
    bool rattle; /* steps are those of rattle.c */
    lv_stage *stages;
    double *push, *trial, *update, *rhs, *v;
    double *slopes;     /* velocities and forces of the stages, for dense output */
    lv_history history; /* of the multipliers of stage 1 */
    bool known;         /* stage 1 holds force and Jacobian of the current state */
    bool rheonomic;
    bool steady;    /* forces are the same everywhere */
    bool stagnated; /* corrections of the last step ended as amplified rounding */
};

#define LV_SEPARABLE_TOLERANCE 2e-16
enum { LV_SEPARABLE_MOST = 60 };

/* Did the multipliers of past steps mislead? After a singular configuration they do, and what would be found
 * from there might be another solution: the step is then begun anew without them. They are worth something if
 * the first correction is small against the displacement that multipliers make, and small at all (relative).
 * Small corrections lead nowhere else, and are not doubted. */
#define LV_SEPARABLE_WORTHLESS 0.3
#define LV_SEPARABLE_MISLED 1e-2
static inline bool lv_separable_doubts(const lv_converge *c)
{
    return c->count == 1 && c->size > 1e-4;
}

/* Evaluation at a point q: force; residual and Jacobian; the Jacobian weighted. */
void lv_separable_force(lv_separable *w, lv_stage *stage, const double *q, double t);
void lv_separable_constraint(lv_separable *w, lv_stage *stage, const double *q, double t);
void lv_separable_weigh(lv_separable *w, lv_stage *stage);

/* x += c M^-1 (F + G^T mu) of a stage */
void lv_separable_accelerate(const lv_separable *w, double *x, double c, double h,
                             const lv_stage *stage);

/* Leaves lines out of the matrix of y_1 .. y_{s-1}: those that are held, and those of constraints whose gradients vanish
 * at the stage of the unknown or of the equation. Rounding would decide what they do. */
void lv_separable_leave_out(lv_separable *w);

/* All three at the last stage. */
void lv_separable_arrive(lv_separable *w, double t);

/* lv_converge_test; near a singular matrix corrections may end as amplified rounding: the iteration is then done
 * if the constraints hold to rounding at all stages where they were evaluated last. */
lv_verdict lv_separable_test(lv_separable *w, lv_converge *c, double size);

/* Why the iteration came to nothing. */
lv_status lv_separable_stuck(lv_separable *w, const lv_state *state, double h,
                             const lv_converge *c, lv_error *err);

/* Two stages: the expected position of the second; returns the largest coordinate, with how far
 * it moves. */
double lv_rattle_place(lv_separable *w, const lv_state *state, double h, bool cautious);

/* What an iteration has reached after some passes, once more. */
void lv_rattle_retrace(lv_separable *w, const lv_state *state, double h, bool cautious,
                       int passes);

/* From the state to the last stage's q and to v, which is not made tangent yet; two stages. */
lv_status lv_rattle_step(lv_separable *w, const lv_state *state, double h,
                         lv_step_report *report, lv_error *err);

#endif
