/* Motions that are watched node by node: what most figures are made of.
 *
 *     lv_race race;
 *     static const char *const schemes[] = {"vi-s", "em", NULL};
 *     LV_TRY(lv_race_begin(&race, bench, &(lv_start){"pendulum3d", .step = 0.05}, schemes, err));
 *     status = lv_race_run(&race, 200, columns, count, tracks, err);
 *     lv_race_end(&race);
 *
 * Several schemes move one model from one start, side by side. A scheme stands with its options in one
 * text, "ansatz degree=2 points=3". Columns say what is read at every node;
 * they become the figure's CSV, and a track keeps the extremes of each. */
#ifndef LV_STUDY_REPRODUCE_MOTION_H
#define LV_STUDY_REPRODUCE_MOTION_H

#include "run/sim.h"
#include "study/reproduce.h"

enum { LV_START_SETTINGS = 2 };

typedef struct lv_start {
    const char *model;                      /* shipped */
    const char *text;                       /* of a model that is not, of that name */
    lv_setting settings[LV_START_SETTINGS]; /* of parameters, from the first on */
    const double *velocity; /* instead of the model's; NULL: the model's */
    double step;
    bool dense; /* the polynomials of the last step are kept */
} lv_start;

typedef struct lv_motion {
    lv_model *model;
    lv_sim *sim;
    const double *q, *v, *p;
    int n, m;
    double time;
    lv_watch watch; /* energies and largest residuals at the node */
    lv_arena arena;
    double *before;         /* q at the node before */
    double *lambda, *gamma; /* the scheme's own of the last step, signs as in the paper:
                             * the constraint force is -G^T lambda */
    double *scratch;        /* 2 n */
    long long iterations;   /* of all steps */
} lv_motion;

lv_status lv_motion_begin(lv_motion *motion, const lv_start *start, const char *scheme,
                          lv_error *err);
void lv_motion_end(lv_motion *motion);
lv_status lv_motion_step(lv_motion *motion, lv_error *err);
lv_status lv_motion_steps(lv_motion *motion, long count, lv_error *err);

/* From beginning to end: where the steps lead to, in q and p, either of which may be NULL. */
lv_status lv_motion_reach(const lv_start *start, const char *scheme, long steps,
                          double *q, double *p, lv_error *err);

/* ---- readings ---------------------------------------------------------------------------------- */

typedef double lv_reading(lv_motion *motion, int k);

lv_reading lv_read_q, lv_read_p, lv_read_lambda, lv_read_gamma;
lv_reading lv_read_kinetic, lv_read_potential;
lv_reading lv_read_energy;   /* p . v - L */
lv_reading lv_read_total;    /* T + V */
lv_reading lv_read_angular;  /* component k of sum q x p, coordinates in threes */
lv_reading lv_read_legendre; /* largest |p - L_v(q, v)| */

/* Constraint k, of all the largest where k is -1. */
lv_reading lv_read_position; /* g */
lv_reading
    lv_read_hidden; /* G v at the node; v = M^-1 p in all schemes that use it here */

/* G(q1) times the velocity (q1 - q0) / h - M^-1 G(q1)^T gamma that VI-B has within its step. */
lv_reading lv_read_inner;

/* ---- races ---------------------------------------------------------------------------------------- */

typedef struct lv_column {
    const char *name;
    int motion; /* number of the scheme */
    lv_reading *read;
    int index;
    bool increment; /* the change since the node before */
} lv_column;

/* What a column went through. */
typedef struct lv_track {
    double first, last, least, most;
    double size;   /* largest |value| */
    double drift;  /* slope of the straight line through all values that fits best */
    double zigzag; /* mean of |fourth difference| / 16: the amplitude of an alternation */
} lv_track;

enum { LV_RACE_MOST = 6 };

typedef struct lv_race {
    lv_bench *bench;
    int count;
    lv_motion motions[LV_RACE_MOST];
    bool skip_start; /* readings begin after the first step */
    bool silent;     /* nothing goes to the CSV */
} lv_race;

lv_status lv_race_begin(lv_race *race, lv_bench *bench, const lv_start *start,
                        const char *const *schemes, lv_error *err);
void lv_race_end(lv_race *race);

/* tracks may be NULL. */
lv_status lv_race_run(lv_race *race, int steps, const lv_column *columns, int count,
                      lv_track *tracks, lv_error *err);

/* All of the above in one call. */
typedef struct lv_course {
    lv_start start;
    const char *const *schemes; /* ends with NULL */
    int steps;
    const lv_column *columns;
    int column_count;
    bool skip_start, silent;
} lv_course;

lv_status lv_race_course(lv_bench *bench, const lv_course *course, lv_track *tracks,
                         lv_error *err);

/* ---- convergence ---------------------------------------------------------------------------------- */

/* The error of a motion at its end. */
typedef double lv_error_of(lv_motion *motion, const double *reference);

enum { LV_SLOPE_STEPS = 4 };

typedef struct lv_refinement {
    lv_start
        start; /* its step is the coarsest; the others are half, a quarter, an eighth of it */
    double until;
    const char *const *schemes; /* ends with NULL */
    const char *const *names;   /* of the columns: "h", then one per scheme */
    lv_error_of *error;
    const double *reference; /* for the error */
    bool silent;             /* nothing goes to the CSV */
} lv_refinement;

/* orders[k]: the slope of the error of scheme k over the step size, both as logarithms. */
lv_status lv_refine(lv_bench *bench, const lv_refinement *refinement, double *orders,
                    lv_error *err);

/* The slope of the straight line through points that fits best. */
double lv_slope(const double *x, const double *y, int count);

/* |a - b| / |b| */
double lv_relative_distance(const double *a, const double *b, int n);

/* max |a - b| */
double lv_largest_difference(const double *a, const double *b, int n);

#endif
