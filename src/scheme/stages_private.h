/* Inside the stage equations; shared by stages.c (unknowns and iteration), stages_equations.c (what is
 * solved) and stages_rolling.c (what nonholonomic constraints add). */
#ifndef LV_SCHEME_STAGES_PRIVATE_H
#define LV_SCHEME_STAGES_PRIVATE_H

#include "scheme/stages.h"
#include "solve/newton.h"
#include "step/held.h"
#include "system/assembly.h"
#include "system/sparse.h"

/* A matrix quantity at the stages. */
typedef struct lv_piece {
    lv_quantity quantity;
    const lv_pattern *pattern;
    double *values; /* [stage][entry] */
    int block;      /* number of block (0, 0) of r by u; (i, l) is s * i + l further */
} lv_piece;

enum {
    LV_PIECE_MASS,
    LV_PIECE_COUPLING,
    LV_PIECE_FORCE_Q,
    LV_PIECE_FORCE_V,
    LV_PIECE_CURVATURE,
    LV_PIECE_CURVATURE_V,
    LV_PIECES
};

typedef struct lv_rolling lv_rolling;

struct lv_stages {
    lv_system *system;
    const lv_tableau *tableau;
    const lv_multipliers *space;
    lv_arena arena;
    lv_plan *residual; /* momentum, force, constraint, Jacobian; Phi_v if there is Phi */
    lv_plan *derivative; /* the matrices */
    lv_assembly *matrix;
    lv_piece pieces[LV_PIECES];
    const lv_pattern *g;
    int column_block; /* forces of the multipliers: first of [i][c] */
    int row_block;    /* tests: first of [e][l] */
    int n, m, s, k;   /* k: vectors of multipliers */
    int per_q;        /* unknowns of a coordinate */
    int size;         /* of the system */
    double *u, *y;    /* unknowns: [stage][n], [vector][m] */
    double *q;        /* stage positions; behind them the end and the start of the step */
    double *gap, *jac;             /* constraints and Jacobians, likewise */
    double *momentum, *force, *mu; /* [stage] */
    double *rhs, *multiplier, *kick, *p, *v, *work;
    double *memory; /* carried: whether valid, last h, u, y; then what rolling carries */
    double *predictor; /* of velocities, s x s */
    double *forecast;  /* of multipliers, k x k */
    double predictor_theta;
    double *slopes; /* for dense output */
    double *start;  /* momentum at the start of the last step, with the impulse */
    double *lambda; /* multipliers of the last step as a series: [term][m] */
    lv_newton newton;
    double *last, *guess; /* for it: the last correction; where it begins: u, y */
    const lv_state *from; /* of the step that is being made */
    double h;
    lv_held held;        /* without nonholonomic constraints */
    lv_rolling *rolling; /* NULL without nonholonomic constraints */
};

enum { LV_STAGES_CARRIED = 2 };

/* Row `i` of a block of rows. */
static inline double *lv_row(double *block, int i, int width)
{
    return block + (size_t)i * (size_t)width;
}

/* Numbers of unknowns, coordinate or constraint first, so that chains stay narrow. */
static inline int lv_unknown_u(const lv_stages *w, int stage, int i)
{
    return i * w->per_q + stage;
}

static inline int lv_unknown_y(const lv_stages *w, int c, int r)
{
    return w->n * w->per_q + r * w->k + c;
}

static inline lv_range_of lv_range_u(const lv_stages *w, int stage)
{
    return (lv_range_of){stage, w->per_q};
}

static inline lv_range_of lv_range_y(const lv_stages *w, int c)
{
    return (lv_range_of){w->n * w->per_q + c, w->k};
}

static inline double lv_stage_time(const lv_stages *w, double t, double h, int i)
{
    return t + w->tableau->c[i] * h;
}

/* ---- stages_equations.c ---------------------------------------------------------------------- */

lv_status lv_stages_declare(lv_stages *w, lv_error *err);

/* Constraint gradients at the start of the step, for an impulse. */
void lv_stages_begin(lv_stages *w, const lv_state *state);

/* Which multipliers are held in this step. */
void lv_stages_hold(lv_stages *w, const lv_state *state);

/* Positions, then momenta, forces, constraints, Jacobians of all stages. */
void lv_stages_evaluate(lv_stages *w, const lv_state *state, double h);

/* rhs = -(residuals) */
void lv_stages_residuals(lv_stages *w, const lv_state *state, double h);
bool lv_stages_build(lv_stages *w, const lv_state *state, double h);

/* The velocity of a stage, in w->v. */
const double *lv_stage_velocity(lv_stages *w, int i, double h);

/* Multipliers of all constraints at a stage, in w->multiplier. */
const double *lv_stage_multipliers(lv_stages *w, int i, double h);

/* Adds c times a piece at stage j to a block of its pattern. */
void lv_stages_add(lv_stages *w, int piece, int block, int j, double c);

/* ---- stages_rolling.c ------------------------------------------------------------------------ */

/* Velocities x_i that belong to the momenta p_i, i = 2..s, and multipliers Lambda_2 .. Lambda_s:
 * unknowns per coordinate and in all. */
int lv_rolling_per_q(const lv_stages *w);
int lv_rolling_size(const lv_stages *w);
int lv_rolling_memory(const lv_stages *w);

lv_status lv_rolling_create(lv_rolling **rolling, lv_stages *w, lv_error *err);
void lv_rolling_free(lv_rolling *rolling);

int lv_rolling_blocks(const lv_stages *w);
void lv_rolling_declare(lv_stages *w);

/* After the residual plan ran at a stage: takes Phi_v there and adds its force. */
void lv_rolling_push(lv_stages *w, int stage, double h);
void lv_rolling_evaluate(lv_stages *w, const lv_state *state, double h);
void lv_rolling_residuals(lv_stages *w, const lv_state *state, double h);
void lv_rolling_build(lv_stages *w, const lv_state *state, double h);

void lv_rolling_multipliers(const lv_stages *w, int stage, double h, double *to);

/* Guesses: from accelerations and multipliers at the start; from the last step. */
void lv_rolling_predict_first(lv_stages *w, const lv_state *state, double h,
                              const double *a, const double *lambda);
void lv_rolling_predict_next(lv_stages *w, const lv_state *state, double h);
void lv_rolling_remember(lv_stages *w);
void lv_rolling_keep_guess(lv_stages *w);

/* Iteration, as in lv_newton_equations; the unknowns begin as guessed. */
void lv_rolling_begin(lv_stages *w);
double lv_rolling_measure(lv_stages *w);
void lv_rolling_move(lv_stages *w, double fraction);

/* The velocity at the end, in w->v. */
void lv_rolling_velocity(lv_stages *w, double h);
const double *lv_rolling_carried(const lv_stages *w);
lv_status lv_rolling_diagnose(lv_stages *w, const lv_state *state, double h,
                              lv_error *err);

#endif
