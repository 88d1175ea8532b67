/* Newton's method for the equations of a step.
 *
 * A scheme says how its unknowns begin, how residuals and matrix are evaluated, and how a correction
 * is applied and measured. The frame has the rest: when the matrix is built again, steps that are
 * shortened while corrections grow, other beginnings where the usual one leads nowhere, and the
 * message when none does.
 *
 * Unknowns should be scaled so that the matrix keeps its size as the step of time shrinks. Near the
 * solution corrections are always taken whole. */
#ifndef LV_SOLVE_NEWTON_H
#define LV_SOLVE_NEWTON_H

#include "base/status.h"
#include "solve/converge.h"

#include <stdbool.h>

/* Where an iteration begins: positions at q0 + reach h v0; plain: without what past steps let
 * expect, multipliers 0; cautious: with the values of the last step, which are not continued. */
typedef struct lv_beginning {
    double reach;
    bool plain, cautious;
} lv_beginning;

typedef struct lv_newton_equations {
    void (*begin)(void *work, lv_beginning beginning);

    /* Evaluates at the unknowns; `update` is then minus the residuals. */
    void (*evaluate)(void *work);

    /* Builds and factors a matrix at the point evaluated last; false: singular. A scheme may begin with
     * a cheap one, and should do better when that is slow (converge.rate). */
    bool (*build)(void *work);

    /* update = (matrix)^-1 update */
    void (*solve)(void *work);

    /* The relative size of the correction in `update`, in all that enters the next state. */
    double (*measure)(void *work);

    /* unknowns += fraction * update */
    void (*move)(void *work, double fraction);

    /* The iteration stands still: the last correction was of size converge.size. false if the equations
     * are not satisfied there. NULL: they are. */
    bool (*settled)(void *work);
} lv_newton_equations;

typedef struct lv_newton {
    const lv_newton_equations *equations;
    void *work;     /* handed to all of them */
    int size;       /* unknowns */
    double *update; /* size numbers, borrowed: minus residuals, then the correction */
    double *last;   /* size numbers, borrowed: the correction before */
    double slow;    /* contraction above which the matrix is built again */
    double close; /* first correction up to which the first matrix will do; 0: as below */
    double
        contraction; /* that is known of a matrix just built: a part of a correction is left, */
    double
        curvature; /* or as much of its square; both 0: nothing is known, but that it is below `slow` */
    bool linear; /* as in lv_converge: for unknowns whose errors are carried on */
    bool
        rough; /* the matrix is rough: errors contract differently, the worst may not show; and
                * corrections beyond LV_NEWTON_NEAR may lead to another solution */
    bool
        adds_up; /* what is left adds up from step to step: contractions below `slow` do not count */
    double
        misled; /* a first correction beyond it says that what past steps let expect is worthless; 0: it never is */
    int beginnings; /* how many may be tried; 0: all there are */
    bool remembers; /* a cautious one is tried, too, after the usual one */
    bool
        aim; /* of several solutions, that which whole corrections lead to: try these first */
    bool whole; /* corrections are taken whole, for lv_newton_iterate */

    /* While an attempt is retraced; otherwise NULL. */
    lv_status (*ask)(void *work, lv_error *err);
    lv_error *answer;
    lv_status answered;

    /* Results. */
    lv_converge converge; /* of the last attempt */
    int iterations;       /* of all attempts */
    bool singular;        /* the last attempt ended with a singular matrix */
    double first_size;    /* of its first correction */
    double first_rate;    /* contraction from its first pass to the second */
    int built;            /* how often the matrix was built in it */
    bool far;             /* it began too far off for a rough matrix, and once more */
    bool worthless; /* it began with expectations that the first correction overthrew */
    bool lost;      /* an attempt met numbers that are not finite, or a singular matrix */
    lv_converge shown; /* of the first attempt that is not lost, or of the first one */
    bool shown_singular;
    int shown_number; /* of its beginning */
    bool stagnated;   /* corrections ended as amplified rounding, of size converge.size */
} lv_newton;

/* The k-th beginning to be tried: the usual one, the same without multipliers, then other places on the
 * line, first the likely ones, then anywhere from -1 to 2, with and without. Large
 * systems, whose passes take their time, have fewer. */
enum { LV_BEGINNINGS = 64, LV_BEGINNINGS_LARGE = 12 };
lv_beginning lv_newton_beginning(int k);

/* Corrections larger than this, relative, may be shortened; smaller ones are taken whole. */
#define LV_NEWTON_NEAR 1e-3

/* Up to here a first correction tells that the matrix at the beginning will do. */
#define LV_NEWTON_CLOSE 1e-5

/* Corrections below it may be rounding, so that they say nothing of the matrix; below the other they are if
 * they hardly shrink. */
#define LV_NEWTON_ROUNDING 2e-12
#define LV_NEWTON_STILL 1e-13

/* Solves the equations from one beginning after the other. false: none of them led to a solution. */
bool lv_newton_solve(lv_newton *newton);

/* The iteration from one beginning. */
lv_verdict lv_newton_iterate(lv_newton *newton, lv_beginning beginning);

/* After a failure: asks where the last attempt ended, then goes the way of the first one once more, and that of the
 * one which is shown, and asks after every evaluation. The first answer that is not LV_OK ends it. */
lv_status lv_newton_retrace(lv_newton *newton,
                            lv_status (*ask)(void *work, lv_error *err), lv_error *err);

#endif
