/* Newton's method for the equations of a step.
 *
 * A scheme provides functions that set the initial guess, evaluate residuals and matrix,
 * and apply and measure a correction (lv_newton_equations). This module does the rest: it
 * decides when the matrix is built again, shortens corrections while they grow, tries
 * other initial guesses if the usual one fails, and keeps what the message needs if all
 * of them fail.
 *
 * Unknowns should be scaled so that the matrix keeps its size as the time step shrinks.
 * Near the solution corrections are always applied in full. */
#ifndef LV_SOLVE_NEWTON_H
#define LV_SOLVE_NEWTON_H

#include "base/status.h"

#include <stdbool.h>

/* The state of an iteration, judged by the relative sizes of its corrections
 * ("updates"). */
typedef enum lv_verdict {
    LV_GO_ON,
    LV_CONVERGED,
    LV_SLOW,    /* contracts, but too slowly for the current matrix */
    LV_DIVERGED /* grows, is not finite, or has used up its passes */
} lv_verdict;

typedef struct lv_converge {
    double tolerance;
    int most; /* number of passes */
    int count;
    double size;     /* relative size of the last update */
    double smallest; /* smallest update so far */
    double rate;     /* last contraction rate; 1 before there is one */
    double mark;     /* size of the smallest update when it was last halved */
    int idle;        /* number of updates since then */
} lv_converge;

void lv_converge_start(lv_converge *c, double tolerance, int most);

/* The next update is about rate * size. The iteration has converged when the sum of all
 * further updates is below the tolerance, or when updates at the level of rounding have
 * stopped shrinking or the passes are used up. */
lv_verdict lv_converge_test(lv_converge *c, double size);

/* Why an iteration did not converge: it diverged or it stalled. */
lv_reason lv_converge_reason(const lv_converge *c);

/* Whether updates are small and no longer shrink, although they are larger than the usual
 * level of rounding. Near a singular matrix the rounding of residuals looks like this,
 * because the inverse amplifies it. The caller must verify that the residuals are indeed
 * rounding errors; the iteration then cannot get better. */
bool lv_converge_stagnates(const lv_converge *c);

/* The initial guess of an iteration: positions at q0 + extrapolation h v0. no_history:
 * without the predictor, with multipliers 0. last_values: with the values of the last
 * step, not extrapolated. given: with the values that the caller has prepared. */
typedef struct lv_initial_guess {
    double extrapolation;
    bool no_history, last_values, given;
} lv_initial_guess;

typedef struct lv_newton_equations {
    void (*begin)(void *work, lv_initial_guess guess);

    /* Evaluates the equations at the unknowns; `update` becomes minus the residuals. */
    void (*evaluate)(void *work);

    /* Builds and factors a matrix at the point that was evaluated last; false: it is
     * singular. A scheme may begin with a cheap matrix, and should build a better one if
     * converge.rate is slow. */
    bool (*build)(void *work);

    /* update = (matrix)^-1 update */
    void (*solve)(void *work);

    /* The relative size of the correction in `update`, over everything that enters the
     * next state. After `evaluate` without `solve`, `update` may be any change of the
     * unknowns. */
    double (*measure)(void *work);

    /* unknowns += fraction * update */
    void (*move)(void *work, double fraction);

    /* Called after convergence, when the last correction had the size converge.size.
     * Returns false if the equations are not satisfied there. NULL: convergence is
     * enough. */
    bool (*settled)(void *work);

    /* The size of the correction that was measured last, over the unknowns in which the
     * equations are not affine. What enters them only as a factor, such as the velocity
     * at the end of a step, takes the value that belongs to the other unknowns once these
     * are found, however far off it was: its corrections may grow while the iteration
     * converges, and say little about the initial guess. NULL: the size is that of
     * measure. */
    double (*curved_size)(void *work);
} lv_newton_equations;

typedef struct lv_newton {
    const lv_newton_equations *equations;
    void *work; /* passed to all functions */
    int size;   /* number of unknowns */
    /* `size` numbers of the caller: minus the residuals, then the correction */
    double *update;
    double *last; /* `size` numbers of the caller: the correction before */
    double slow;  /* contraction rate above which the matrix is built again */

    /* How many passes take as long as building a matrix. Where that is many, an old matrix
     * is kept as long as the passes that a new one would save take less. 0: not known,
     * then `slow` alone decides. */
    double build_passes;

    /* The first matrix is used for the second pass if the first correction is at most
     * this large, or LV_NEWTON_CLOSE. */
    double matrix_suffices;

    /* What is known about a matrix that was just built: a correction of size s leaves an
     * error of contraction * s or curvature * s^2, whichever is larger. Both 0: only that
     * the contraction is below `slow`. */
    double contraction, curvature;

    /* Corrections of this size are rounding errors, as earlier steps have measured; 0:
     * unknown. measures_rounding: an additional evaluation after convergence measures
     * their size. */
    double noise;
    bool measures_rounding;

    /* The matrix is approximate: the measured rate may miss the slowest error component,
     * and corrections beyond LV_NEWTON_NEAR may lead to another solution. */
    bool approximate;

    /* Remaining errors accumulate from step to step, so that convergence is judged by
     * lv_newton_left, not by the measured rate. */
    bool adds_up;

    /* A first correction whose curved_size is larger means that the predictor was wrong,
     * and ends an attempt that uses it. 0: no limit. */
    double misled;
    int beginnings;      /* number of initial guesses that may be tried; 0: all */
    bool remembers;      /* after the usual guess, also try the values of the last step */
    bool doubts_history; /* the guess without history comes first */
    bool
        full_steps_first; /* of several solutions, take the one that full steps lead to */
    bool whole;           /* lv_newton_iterate applies all corrections in full */
    bool careful;         /* corrections have to shrink to LV_NEWTON_STEADY */
    /* an attempt ends when `astray` becomes larger than this; 0: no limit */
    double most_astray;

    /* Set while lv_newton_retrace repeats an attempt, otherwise NULL: called after every
     * evaluation. */
    lv_status (*ask)(void *work, lv_error *err);
    lv_error *answer;
    lv_status answered;

    /* Results. */
    lv_converge converge; /* of the last attempt */
    int iterations;       /* passes of all attempts */
    bool singular;        /* the last attempt ended with a singular matrix */
    double curved_size;   /* curved_size of the last correction that was applied */
    double built_size;    /* size of the first correction by the present matrix */
    double first_size;    /* size of its first correction */
    double first_rate;    /* contraction rate from its first pass to the second */
    double rounding;      /* size of a correction at the solution; 0: not measured */
    int built;            /* number of matrices that were built in it */
    bool fresh; /* the last correction is that of a matrix that was just built */
    /* its guess was too far off for an approximate matrix, so that it began again */
    bool far;
    bool worthless; /* it was ended because its first correction exceeded `misled` */
    bool without_history; /* the last attempt began with a guess without history */
    /* the largest correction that may have led to another solution */
    double astray;
    bool stagnated; /* corrections ended as amplified rounding of size converge.size */
    bool lost;      /* an attempt met values that are not finite, or a singular matrix */
    /* of the attempt for the message, the first that is not lost, or the first one: was
     * its matrix singular; the number of its initial guess, -1: the usual one with full
     * steps */
    bool shown_singular;
    int shown_number;
    lv_converge shown;
} lv_newton;

/* The k-th initial guess: the usual one, then the same without history, then other
 * extrapolations, the likely ones first and later any from -1 to 2, with and without
 * history. Large systems, whose passes take long, try fewer guesses. */
enum { LV_INITIAL_GUESSES = 64, LV_INITIAL_GUESSES_LARGE = 12 };
lv_initial_guess lv_newton_initial_guess(int k);

/* Larger corrections, relative to the unknowns, may be shortened; smaller ones are
 * applied in full. */
#define LV_NEWTON_NEAR 1e-3

/* The matrix at the initial guess suffices if the first correction is at most this
 * large. */
#define LV_NEWTON_CLOSE 1e-5

/* Corrections below LV_NEWTON_ROUNDING may be rounding errors and tell nothing about the
 * matrix. Corrections below LV_NEWTON_STILL are rounding errors if they hardly shrink. */
#define LV_NEWTON_ROUNDING 2e-12
#define LV_NEWTON_STILL 1e-13

/* Smaller relative corrections are rounding errors. */
#define LV_NEWTON_TOLERANCE 2e-16

/* Upper bound on the error that a matrix which was just built leaves of a correction of
 * this size. */
static inline double lv_newton_left(double contraction, double curvature, double slow,
                                    double size)
{
    const double square = curvature * size,
                 known = square > contraction ? square : contraction;
    return size * (known > 0 ? known : slow);
}

/* Whether a single pass is enough, because a second one would find nothing but rounding
 * errors. */
static inline bool lv_newton_is_enough(const lv_newton *n, double size)
{
    return size <= LV_NEWTON_TOLERANCE ||
           lv_newton_left(n->contraction, n->curvature, n->slow, size) <=
               LV_NEWTON_TOLERANCE;
}

/* Where every correction is at most half of the one before, the initial guess lies within
 * a ball around the solution in which there is no other one: a correction s is followed
 * by one of w s^2/2, and the ball has the radius 2/w (the theorem of Newton and Mysovskikh;
 * Deuflhard 2004). The largest correction of which that is not true, lv_newton.astray, may
 * have led to another solution. LV_NEWTON_STEADY is asked for where guesses can be made as
 * close as one likes. Corrections below LV_NEWTON_NOISE lead nowhere. */
#define LV_NEWTON_CERTAIN 0.5
#define LV_NEWTON_STEADY 0.25
#define LV_NEWTON_NOISE 1e-9

/* Solves the equations, trying one initial guess after the other. false: none of them led
 * to a solution. */
bool lv_newton_solve(lv_newton *newton);

/* Iterates from one initial guess. */
lv_verdict lv_newton_iterate(lv_newton *newton, lv_initial_guess guess);

/* Iterates from one initial guess with full corrections. Returns false if that does not
 * lead to a solution, or if a correction larger than `most` was not followed by one of
 * LV_NEWTON_CERTAIN of it, or LV_NEWTON_STEADY if the guess is given. */
bool lv_newton_continue(lv_newton *newton, lv_initial_guess guess, double most);

/* For callers that run passes themselves: lv_newton_begin before the first pass,
 * lv_newton_judge after each one with the relative size of its correction, and that of the
 * unknowns in which the equations are not affine (lv_newton_equations.curved_size). */
void lv_newton_begin(lv_newton *newton);
lv_verdict lv_newton_judge(lv_newton *newton, double size, double curved);

/* After a failure: calls `ask` where the last attempt ended, then repeats the first
 * attempt and the one that the message describes, with a call of `ask` after every
 * evaluation. The first result that is not LV_OK ends it and is returned. */
lv_status lv_newton_retrace(lv_newton *newton,
                            lv_status (*ask)(void *work, lv_error *err), lv_error *err);

#endif
