/* Motions that are observed node by node; most figures consist of them.
 *
 *     cli_race race;
 *     static const char *const schemes[] = {"vi-s", "em", NULL};
 *     CLI_TRY(cli_race_begin(&race, bench, &(cli_start){"pendulum3d", .step = 0.05}, schemes, err));
 *     status = cli_race_run(&race, 200, columns, count, tracks, err);
 *     cli_race_end(&race);
 *
 * Several schemes move one model from one start, in parallel. A scheme and its options
 * are one text, "ansatz degree=2 points=3". Columns say what is read at every node; they
 * become the figure's CSV file, and a track keeps the extremes of each. */
#ifndef CLI_REPRODUCE_MOTION_H
#define CLI_REPRODUCE_MOTION_H

#include "cli/reproduce/bench.h"

enum { CLI_START_SETTINGS = 2 };

typedef struct cli_start {
    const char *model; /* name of a shipped model */
    const char *text;  /* text of a model that is not shipped; NULL: a shipped one */
    lv_setting settings[CLI_START_SETTINGS]; /* of parameters, from the first on */
    const double *velocity; /* replaces the velocity of the model; NULL: keeps it */
    double step;
    bool dense; /* keep the polynomials of the last step */
} cli_start;

typedef struct cli_motion {
    lv_model *model;
    lv_sim *sim;
    const double *q, *v, *p;
    int n, m;
    double step, time;
    lv_energies energies; /* at the current node */
    double *g, *rate;     /* constraints and their rates at the node */
    double *room;         /* memory of all arrays */
    double *before;       /* q at the node before */
    /* the scheme's own multipliers of the last step, with the sign of the paper: the
     * constraint force is -G^T lambda */
    double *lambda, *gamma;
    double *scratch;      /* scratch, 3 n */
    long long iterations; /* total of all steps */
} cli_motion;

lv_status cli_motion_begin(cli_motion *motion, const cli_start *start, const char *scheme,
                           lv_error *err);
void cli_motion_end(cli_motion *motion);
lv_status cli_motion_step(cli_motion *motion, lv_error *err);
lv_status cli_motion_steps(cli_motion *motion, long count, lv_error *err);

/* Takes so many steps from the start; q and p at the end may be NULL. */
lv_status cli_motion_reach(const cli_start *start, const char *scheme, long steps,
                           double *q, double *p, lv_error *err);

/* ---- readings ---------------------------------------------------------------------------------- */

typedef double cli_reading(cli_motion *motion, int k);

cli_reading cli_read_q, cli_read_p, cli_read_lambda, cli_read_gamma;
cli_reading cli_read_kinetic, cli_read_potential;
cli_reading cli_read_energy;   /* p . v - L */
cli_reading cli_read_total;    /* T + V */
cli_reading cli_read_angular;  /* component k of sum q x p, coordinates in threes */
cli_reading cli_read_legendre; /* largest |p - L_v(q, v)| */

/* Constraint k; the largest of all if k is -1. */
cli_reading cli_read_position; /* g */
cli_reading
    cli_read_hidden; /* G v at the node; v = M^-1 p in all schemes that use it here */

/* G(q1) times the velocity (q1 - q0) / h - M^-1 G(q1)^T gamma that VI-B uses inside of
 * its step. */
cli_reading cli_read_inner;

/* ---- races ---------------------------------------------------------------------------------------- */

typedef struct cli_column {
    const char *name;
    int motion; /* index of the scheme */
    cli_reading *read;
    int index;
    bool increment; /* read the change since the node before */
} cli_column;

/* Statistics of a column over all nodes. */
typedef struct cli_track {
    double first, last, least, most;
    double size;   /* largest |value| */
    double drift;  /* slope of the best-fitting straight line */
    double zigzag; /* mean of |fourth difference| / 16, the amplitude of an alternation */
} cli_track;

enum { CLI_RACE_MOST = 6 };

typedef struct cli_race {
    cli_bench *bench;
    int count;
    cli_motion motions[CLI_RACE_MOST];
    bool skip_start; /* readings begin after the first step */
    bool silent;     /* nothing is written to the CSV file */
} cli_race;

lv_status cli_race_begin(cli_race *race, cli_bench *bench, const cli_start *start,
                         const char *const *schemes, lv_error *err);
void cli_race_end(cli_race *race);

/* tracks may be NULL. */
lv_status cli_race_run(cli_race *race, int steps, const cli_column *columns, int count,
                       cli_track *tracks, lv_error *err);

/* Begins, runs and ends a race in one call. */
typedef struct cli_course {
    cli_start start;
    const char *const *schemes; /* ends with NULL */
    int steps;
    const cli_column *columns;
    int column_count;
    bool skip_start, silent;
} cli_course;

lv_status cli_race_course(cli_bench *bench, const cli_course *course, cli_track *tracks,
                          lv_error *err);

/* ---- convergence ---------------------------------------------------------------------------------- */

/* The error of a motion at its end. */
typedef double cli_error_of(cli_motion *motion, const double *reference);

enum { CLI_SLOPE_STEPS = 4 };

typedef struct cli_refinement {
    /* with the coarsest step; the others are a half, a quarter and an eighth of it */
    cli_start start;
    double until;
    const char *const *schemes; /* ends with NULL */
    const char *const *names;   /* names of the columns: "h", then one per scheme */
    cli_error_of *error;
    const double *reference; /* passed to the error function */
    bool silent;             /* nothing is written to the CSV file */
} cli_refinement;

/* orders[k]: the slope of the logarithm of the error of scheme k over that of the step
 * size. */
lv_status cli_refine(cli_bench *bench, const cli_refinement *refinement, double *orders,
                     lv_error *err);

/* The slope of the best-fitting straight line through points. */
double cli_slope(const double *x, const double *y, int count);

/* |a - b| / |b| */
double cli_relative_distance(const double *a, const double *b, int n);

/* max |a - b| */
double cli_largest_difference(const double *a, const double *b, int n);

#endif
