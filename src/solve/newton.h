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

#include <stdbool.h>

/* When is an iteration done? Fed with the relative size of each update. */
typedef enum lv_verdict {
    LV_GO_ON,
    LV_CONVERGED,
    LV_SLOW,    /* contracts, but too slowly for the current matrix */
    LV_DIVERGED /* grows, is not finite, or the iterations are used up */
} lv_verdict;

typedef struct lv_converge {
    double tolerance;
    int most; /* iterations */
    int count;
    double size;     /* of the last update */
    double smallest; /* so far */
    double rate;     /* last contraction, 1 before there is one */
    bool linear; /* contracts ever alike, not ever faster: to be set after the start */
    double mark; /* smallest update when that was last halved, */
    int idle;    /* and how many updates ago this was */
} lv_converge;

void lv_converge_start(lv_converge *c, double tolerance, int most);

/* Converged when what is still to come is below the tolerance (the next update is about
 * rate * size, with the worse of the last two rates if the iteration is linear), or when updates have
 * stopped shrinking, or the iterations are used up, at the level of rounding. */
lv_verdict lv_converge_test(lv_converge *c, double size);

/* Why an iteration that did not converge ended: it diverged, or stalled. */
lv_reason lv_converge_reason(const lv_converge *c);

/* Updates are small and no longer shrink, although they are larger than the usual level of rounding. Near a
 * singular matrix this is what rounding of the residuals looks like: it is amplified by the inverse. The
 * caller has to verify that the residuals are indeed rounding; the iteration is then as good as it gets. */
bool lv_converge_stagnates(const lv_converge *c);

/* Where an iteration begins: positions at q0 + extrapolation h v0; no_history: without the predictor,
 * multipliers 0; last_values: with the values of the last step, not continued. */
typedef struct lv_initial_guess {
    double extrapolation;
    bool no_history, last_values;
} lv_initial_guess;

typedef struct lv_newton_equations {
    void (*begin)(void *work, lv_initial_guess guess);

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
    double slow;    /* contraction rate above which the matrix is built again */

    /* The first correction up to which the first matrix is used again. 0: LV_NEWTON_CLOSE. */
    double matrix_suffices;

    /* Known of a matrix that was just built: this part of a correction is left, or this multiple of its square. Both 0:
     * only that it is below `slow`. */
    double contraction, curvature;
    bool linear; /* as in lv_converge: for unknowns whose errors are carried on */

    /* The matrix is approximate: the measured rate may miss the slowest error component, and corrections beyond
     * LV_NEWTON_NEAR may lead to another solution. */
    bool approximate;

    /* Errors that are left add up from step to step: contraction rates below `slow` do not count. */
    bool adds_up;

    /* A first correction beyond this size says that the predictor was wrong. 0: never. */
    double misled;
    int beginnings;      /* number of initial guesses that may be tried; 0: all */
    bool remembers;      /* after the usual guess, also try the values of the last step */
    bool doubts_history; /* the guess without history comes first */
    bool
        full_steps_first; /* of several solutions, take the one that full steps lead to */
    bool whole;           /* corrections are taken whole, for lv_newton_iterate */

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
    bool without_history; /* the last attempt began without any */
    bool lost; /* an attempt met numbers that are not finite, or a singular matrix */
    lv_converge shown; /* of the first attempt that is not lost, or of the first one */
    bool shown_singular;
    int shown_number; /* of its beginning */
    bool stagnated;   /* corrections ended as amplified rounding, of size converge.size */
} lv_newton;

/* The k-th beginning to be tried: the usual one, the same without multipliers, then other places on the
 * line, first the likely ones, then anywhere from -1 to 2, with and without. Large
 * systems, whose passes take their time, have fewer. */
enum { LV_INITIAL_GUESSES = 64, LV_INITIAL_GUESSES_LARGE = 12 };
lv_initial_guess lv_newton_initial_guess(int k);

/* Corrections larger than this, relative, may be shortened; smaller ones are taken whole. */
#define LV_NEWTON_NEAR 1e-3

/* Up to here a first correction tells that the matrix at the beginning will do. */
#define LV_NEWTON_CLOSE 1e-5

/* Corrections below it may be rounding, so that they say nothing of the matrix; below the other they are if
 * they hardly shrink. */
#define LV_NEWTON_ROUNDING 2e-12
#define LV_NEWTON_STILL 1e-13

/* Relative corrections below it are rounding. */
#define LV_NEWTON_TOLERANCE 2e-16

/* What a matrix that was just built leaves of a correction of this size; a larger part would have been noticed. */
static inline double lv_newton_left(double contraction, double curvature, double slow,
                                    double size)
{
    const double square = curvature * size,
                 known = square > contraction ? square : contraction;
    return size * (known > 0 ? known : slow);
}

/* A single pass is enough if a second one would find nothing but rounding. */
static inline bool lv_newton_is_enough(const lv_newton *n, double size)
{
    return size <= LV_NEWTON_TOLERANCE ||
           lv_newton_left(n->contraction, n->curvature, n->slow, size) <=
               LV_NEWTON_TOLERANCE;
}

/* Solves the equations from one beginning after the other. false: none of them led to a solution. */
bool lv_newton_solve(lv_newton *newton);

/* The iteration from one guess. */
lv_verdict lv_newton_iterate(lv_newton *newton, lv_initial_guess guess);

/* For callers that make passes by themselves: before the first one, and after each one, with the relative size of its
 * correction. */
void lv_newton_begin(lv_newton *newton);
lv_verdict lv_newton_judge(lv_newton *newton, double size);

/* After a failure: asks where the last attempt ended, then goes the way of the first one once more, and that of the
 * one which is shown, and asks after every evaluation. The first answer that is not LV_OK ends it. */
lv_status lv_newton_retrace(lv_newton *newton,
                            lv_status (*ask)(void *work, lv_error *err), lv_error *err);

#endif
