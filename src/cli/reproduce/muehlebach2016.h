/* Chapters of the paper, by its sections. */
#ifndef CLI_REPRODUCE_MUEHLEBACH2016_H
#define CLI_REPRODUCE_MUEHLEBACH2016_H

#include "cli/reproduce/motion.h"

extern const cli_chapter cli_muehlebach2016_properties; /* 2 to 5 */
extern const cli_chapter cli_muehlebach2016_polar;      /* 6.1, 6.2 */
extern const cli_chapter cli_muehlebach2016_cartesian;  /* 6.3 */

/* 50 steps of 0.3 s, sampled at 30 times in each, beginning with its start. */
enum {
    CLI_SWING_STEPS = 50,
    CLI_SWING_SAMPLES = 30,
    CLI_SWING_POINTS = CLI_SWING_STEPS * CLI_SWING_SAMPLES,
    CLI_SWING_MOST = 2 /* most coordinates */
};

/* States and multiplier at these times. Inside of steps they are those of the raw
 * polynomials, with right limits at the nodes. */
typedef struct cli_swing {
    int n;
    double q[CLI_SWING_POINTS][CLI_SWING_MOST], p[CLI_SWING_POINTS][CLI_SWING_MOST];
    double lambda[CLI_SWING_POINTS]; /* NaN if the scheme has no polynomial for it */
    double nodes_q[CLI_SWING_STEPS + 1][CLI_SWING_MOST];
    double nodes_p[CLI_SWING_STEPS + 1][CLI_SWING_MOST];
    double energy[CLI_SWING_STEPS + 1]; /* at the nodes */
    double gap;                         /* largest |g| at the nodes */
} cli_swing;

/* Computes a swing by a scheme in steps of 0.3 s or, if the scheme is NULL, exactly: by
 * Lobatto in steps of 0.01 s, with multipliers from the accelerations. It is large, and
 * lives in the bench's pool. */
lv_status cli_swing_make(cli_swing **swing, cli_bench *bench, const char *model,
                         const char *scheme, lv_error *err);

/* Runs 6000 steps of 0.3 s. */
lv_status cli_swing_race(cli_bench *bench, const char *model, const char *const *schemes,
                         const cli_column *columns, int count, cli_track *tracks,
                         lv_error *err);

/* The Cartesian pendulum by Newton's method for all unknowns at once. *most: the largest
 * number of iterations of a step from a guess without history, to relative changes of
 * 1e-13; q: the position after all steps. */
lv_status cli_swing_newton(int *most, double *q, lv_error *err);

/* Root mean squares over all times of |q - exact q|, |p - exact p|, |lambda - exact
 * lambda|. */
void cli_swing_errors(const cli_swing *swing, const cli_swing *exact, double *q,
                      double *p, double *lambda);

#endif
