/* Plans: quantities of a system that are evaluated together, compiled.
 *
 * Every quantity is a sum over all instances of all kernels that contribute to it. A plan
 * is created for a set of quantities. For each kernel it has one program that computes
 * them all, sharing common subexpressions, and maps that say where the results go. What
 * depends on parameters only is computed once; each evaluation adds the rest.
 *
 * L is the Lagrangian (kinetic minus potential plus lagrangian terms), f the forces, g
 * the holonomic constraints, Phi(q, v, t) the nonholonomic ones. Rates are the
 * constraints on velocities: G v + g_t for the holonomic constraints, which come first,
 * then Phi. A bar | v means that velocities are held constant in a time derivative.
 *
 * Quantities of a pair belong to a step from (q0, v0) to (q1, v1), dq = q1 - q0. They
 * take q1 as q and q0 as w. T is the part of L that is quadratic in the velocities, -V
 * the part without velocities; D1 T, D2 T are the discrete gradients of T in q and in v,
 * which take the mean velocity vm = (v0 + v1) / 2 as v and v0 as x; callers may multiply
 * both velocities by the step. PAIR_RATE_Q, PAIR_RATE_V and their derivatives take v1 as
 * v and v0 as x.
 *
 * Discrete gradients do not change when the ends of the pair are exchanged. So
 * derivatives in q0 are those in q1 of the exchanged pair. Derivatives in v0 with v1
 * constant are those in v1 of the exchanged pair, and a derivative in v1 is half of one
 * in vm. */
#ifndef LV_PLAN_PLAN_H
#define LV_PLAN_PLAN_H

#include "model/model.h"
#include "num/pattern.h"

#include <stdint.h>

typedef enum lv_shape_of {
    LV_SHAPE_SCALAR, /* a sum */
    /* Numbers listed kernel by kernel: one per kernel, per row, or per row of each
     * instance */
    LV_SHAPE_LIST,
    LV_SHAPE_VECTOR,     /* one number per coordinate */
    LV_SHAPE_ROWS,       /* one number per holonomic constraint */
    LV_SHAPE_RATES,      /* one number per constraint of either kind */
    LV_SHAPE_SQUARE,     /* coordinates x coordinates, sparse */
    LV_SHAPE_HOLONOMIC,  /* holonomic constraints x coordinates, sparse */
    LV_SHAPE_CONSTRAINTS /* constraints of either kind x coordinates, sparse */
} lv_shape_of;

/* X(name, shape, meaning) */
#define LV_QUANTITY_LIST(X)                                                              \
    X(KINETIC, LV_SHAPE_SCALAR, "sum of the kinetic terms")                              \
    X(POTENTIAL, LV_SHAPE_SCALAR, "sum of the potential terms")                          \
    X(LAGRANGIAN, LV_SHAPE_SCALAR, "L")                                                  \
    X(MOMENTUM, LV_SHAPE_VECTOR, "p = L_v")                                              \
    X(FORCE, LV_SHAPE_VECTOR, "W = L_q + f")                                             \
    X(MOMENTUM_RATE, LV_SHAPE_VECTOR, "d/dt L_v | v")                                    \
    X(MASS, LV_SHAPE_SQUARE, "L_vv")                                                     \
    X(MOMENTUM_Q, LV_SHAPE_SQUARE, "L_vq")                                               \
    X(FORCE_Q, LV_SHAPE_SQUARE, "W_q")                                                   \
    X(FORCE_V, LV_SHAPE_SQUARE, "W_v")                                                   \
    X(CONSTRAINT, LV_SHAPE_ROWS, "g")                                                    \
    X(CONSTRAINT_T, LV_SHAPE_ROWS, "g_t")                                                \
    X(JACOBIAN, LV_SHAPE_HOLONOMIC, "G = g_q")                                           \
    X(RATE, LV_SHAPE_RATES, "G v + g_t, Phi")                                            \
    X(RATE_CURVE, LV_SHAPE_RATES, "d/dt of the rates | v")                               \
    X(RATE_V, LV_SHAPE_CONSTRAINTS, "G, Phi_v")                                          \
    X(RATE_Q, LV_SHAPE_CONSTRAINTS,                                                      \
      "derivatives of the rates in q: how G turns along the motion")                     \
    X(CURVATURE, LV_SHAPE_SQUARE, "derivative in q of (G, Phi_v)^T y")                   \
    X(CURVATURE_V, LV_SHAPE_SQUARE, "its derivative in v")                               \
    X(RATE_CURVATURE, LV_SHAPE_SQUARE,                                                   \
      "derivative in q of RATE_Q^T y, holonomic constraints only")                       \
    X(INERTIA_CURVATURE, LV_SHAPE_SQUARE, "derivative in q of MOMENTUM_Q^T w")           \
    X(APPLIED, LV_SHAPE_VECTOR, "f")                                                     \
    X(APPLIED_Q, LV_SHAPE_SQUARE, "f_q")                                                 \
    X(APPLIED_V, LV_SHAPE_SQUARE, "f_v")                                                 \
    X(PAIR_MOMENTUM, LV_SHAPE_VECTOR, "2 D2 T")                                          \
    X(PAIR_KINETIC, LV_SHAPE_VECTOR, "D1 T")                                             \
    X(PAIR_MOMENTUM_Q, LV_SHAPE_SQUARE, "derivative of 2 D2 T in q1")                    \
    X(PAIR_MOMENTUM_V, LV_SHAPE_SQUARE, "derivative of 2 D2 T in vm, v0 being held")     \
    X(PAIR_KINETIC_Q, LV_SHAPE_SQUARE, "derivative of D1 T in q1")                       \
    X(PAIR_KINETIC_V, LV_SHAPE_SQUARE, "derivative of D1 T in vm, v0 being held")        \
    X(PAIR_FORCE, LV_SHAPE_VECTOR, "minus the discrete gradient of V")                   \
    X(PAIR_FORCE_Q, LV_SHAPE_SQUARE, "its derivative in q1")                             \
    X(PAIR_JACOBIAN, LV_SHAPE_HOLONOMIC, "discrete gradients of g")                      \
    X(PAIR_CURVATURE, LV_SHAPE_SQUARE, "derivative in q1 of the sum of y_k times those") \
    X(PAIR_RATE_Q, LV_SHAPE_HOLONOMIC, "discrete gradients of G v + g_t in q")           \
    X(PAIR_RATE_V, LV_SHAPE_HOLONOMIC, "and in v, both along (q0, v0) -> (q1, v1)")      \
    X(PAIR_RATE_QQ, LV_SHAPE_SQUARE, "derivative in q1 of PAIR_RATE_Q^T y")              \
    X(PAIR_RATE_QV, LV_SHAPE_SQUARE, "its derivative in v1")                             \
    X(PAIR_RATE_VQ, LV_SHAPE_SQUARE,                                                     \
      "derivative in q1 of PAIR_RATE_V^T y; in v1 it is 0")                              \
    X(MOMENTUM_MAP, LV_SHAPE_LIST, "w . xi of every symmetry, w being the momentum")     \
    X(OUTPUT, LV_SHAPE_LIST, "the user's outputs")                                       \
    X(EVENT, LV_SHAPE_LIST, "of every event when, its rate, what it sets")               \
    X(POWER, LV_SHAPE_LIST,                                                              \
      "what each kernel adds to dE/dt, y being the multipliers of the constraints")      \
    X(SHOWN, LV_SHAPE_LIST,                                                              \
      "what is shown of bodies, joints, ... (model/shown.h), or what is drawn "          \
      "(model/view.h)")

typedef enum lv_quantity {
#define LV_X(name, shape, meaning) LV_Q_##name,
    LV_QUANTITY_LIST(LV_X)
#undef LV_X
        LV_QUANTITIES
} lv_quantity;

typedef uint64_t lv_wanted; /* a set of quantities */

_Static_assert(LV_QUANTITIES <= 64, "a set of quantities has 64 bits");

#define LV_WANT(name) ((lv_wanted)1 << (unsigned)LV_Q_##name)

lv_shape_of lv_quantity_shape(lv_quantity quantity);

/* The point of evaluation. Members that no wanted quantity needs may be NULL. */
typedef struct lv_point {
    const double *q, *v;
    double t;
    const double *y; /* multipliers, one per constraint, holonomic ones first */
    const double *w; /* directions, one per coordinate; for outputs: momenta */
    const double *x; /* velocities at the start of a pair, one per coordinate */
    const double *a; /* accelerations, one per coordinate */
    const double *e; /* total, kinetic, potential energy */
} lv_point;

typedef struct lv_plan lv_plan;

/* The number of matrix entries that a plan of these quantities would have, over all
 * instances, and the kernel with the most of them (NULL if there are none). The time this
 * takes does not depend on the number of instances, since formulas are only
 * differentiated. */
typedef struct lv_plan_numbers {
    double of_constraints, of_others, most;
    const lv_kernel *largest;
} lv_plan_numbers;
lv_status lv_plan_count(lv_plan_numbers *numbers, const lv_model *model, lv_wanted wanted,
                        lv_error *err);

/* Compiles for the model's own parameter values. Free with lv_plan_free. */
lv_status lv_plan_create(lv_plan **plan, const lv_model *model, lv_wanted wanted,
                         lv_error *err);
void lv_plan_free(lv_plan *plan);

/* Recomputes what depends on numbers of the model alone if these have changed since it
 * was computed last (lv_model.edition). */
void lv_plan_renew(lv_plan *plan);

/* Evaluates all quantities of the plan; allocates nothing. The results are valid until
 * the next evaluation. */
void lv_plan_run(lv_plan *plan, const lv_point *point);

/* The numbers of a quantity (values of the pattern for matrices), in the plan's
 * storage. */
const double *lv_plan_result(const lv_plan *plan, lv_quantity quantity);

/* Writes the results of a quantity to `target` from the next evaluation on; NULL restores
 * the plan's own storage. lv_plan_base must have filled the target once: entries that do
 * not depend on the point may not be written again. For callers that keep the results of
 * several points. */
void lv_plan_redirect(lv_plan *plan, lv_quantity quantity, double *target);

/* Fills `target` with the part of the quantity that does not depend on the point. */
void lv_plan_base(const lv_plan *plan, lv_quantity quantity, double *target);

/* The pattern of a matrix quantity; empty where nothing contributes. */
const lv_pattern *lv_plan_pattern(const lv_plan *plan, lv_quantity quantity);

/* Does a kernel of the model contribute to the quantity? */
bool lv_plan_uses(const lv_plan *plan, lv_quantity quantity, const lv_kernel *kernel);

/* The kinds of inputs (see LV_KIND) that the quantity depends on; 0 if it does not depend
 * on the point. */
unsigned lv_plan_depends(const lv_plan *plan, lv_quantity quantity);

/* Explains a result that is not finite: LV_ERR_DOMAIN with place and instance, or LV_OK
 * if all results are finite at this point. */
lv_status lv_plan_diagnose(lv_plan *plan, const lv_point *point, lv_error *err);

/* The same for what one kernel contributes. */
lv_status lv_plan_diagnose_kernel(lv_plan *plan, const lv_kernel *kernel,
                                  const lv_point *point, lv_error *err);

#endif
