/* Solves the equations of one phase of a step by Newton's method.
 *
 * A phase begins with an initial guess for its unknowns, predicted from past steps
 * (course/predictor.h). solver.c provides the equations for Newton's method
 * (lv_newton_equations), solver_measure.c computes the relative size of a correction and
 * checks whether the iteration has ended at a solution, solver_learn.c decides which
 * matrix is used and when one pass is enough. */
#ifndef LV_COURSE_SOLVER_H
#define LV_COURSE_SOLVER_H

#include "course/frozen.h"
#include "course/matrix.h"
#include "course/predictor.h"
#include "course/state.h"
#include "solve/newton.h"

#include <stddef.h>

/* The step that is being taken. All phases of a step share it. */
typedef struct lv_step_now {
    const lv_state *from;
    double h;
    bool project; /* this is the last substep of a composed step */
    /* nobody looks at the state at the end of this step, so that it need not be stored */
    bool hidden;
    bool asks[LV_ASKED_WHEN]; /* by lv_asked: whether such equations hold in this step */
    int substep;              /* its number in the composed step, from 0 on */
    /* number of the (composed) step in its round, from 1 to LV_STEP_ROUND; 0: the first
     * step of all */
    int number;
} lv_step_now;

/* The number of steps in a round. Some things are done once in a round, others once in
 * LV_STEP_OFTEN steps. */
enum { LV_STEP_ROUND = 64, LV_STEP_OFTEN = 8 };

/* Notes on the matrices of a phase in one substep of a composed step. */
enum {
    LV_NOTE_RATE,  /* an approximate matrix leaves RATE x of a correction x; 0: unknown */
    LV_NOTE_CURVE, /* the exact matrix leaves CURVE x^2; 0: unknown */
    LV_NOTE_NOISE, /* corrections of this size are rounding errors; 0: unknown */
    LV_NOTE_SIZE,  /* the step size for which all of these were measured */
    LV_NOTE_DOUBT, /* number of further steps whose guesses ignore past steps */
    LV_NOTE_DOUBTS, /* what LV_NOTE_DOUBT becomes when past steps mislead again */
    LV_NOTES
};

/* What a solver remembers for all substeps together. */
enum {
    LV_MEMORY_RETRY,   /* number of further steps that use the full matrix */
    LV_MEMORY_PIVOT,   /* largest of the worst pivots of all steps; 0: unknown */
    LV_MEMORY_LARGEST, /* largest |q| and |h v| of all steps */
    LV_MEMORY_SOLVER
};

typedef struct lv_solver {
    lv_course *course;
    lv_phase *phase;
    lv_step_matrix *matrix;
    lv_frozen *frozen;
    const lv_step_now *now;
    bool checks_solution;
    lv_newton newton;
    lv_predictor predictor;
    /* Values of all columns of the phase, unknowns first: minus the residuals, then the
     * correction. */
    double *x;
    /* `last`: the correction before, for Newton's method. `expected`: the predicted
     * unknowns; after the step, the values to be remembered. */
    double *last, *expected;
    /* A branch of solutions is followed (course/branch.h): the phase is solved from
     * `guess`, perhaps with the unknowns `given`, or not at all. */
    bool follows;
    lv_initial_guess guess;
    double *given;
    double most_astray; /* for lv_newton_continue */
    int substep_size;   /* number of values in the memory for one substep */
    /* Owned by the stepper (lv_solver_place_memory): LV_MEMORY_SOLVER numbers, then notes
     * and predictor of each substep. */
    double *memory;
    double *notes;         /* in `memory`: the LV_NOTES numbers of this substep */
    double kept[LV_NOTES]; /* the notes before the step */
    double kept_start[LV_MEMORY_SOLVER]; /* first numbers of `memory` before the step */
    lv_level level;                      /* level of the matrix that is built next */
    int since;                           /* pass in which this level came into use */
    bool first_squares;   /* the first matrix of the step was the exact derivative */
    bool probing;         /* this step measures how fast its matrix contracts */
    bool expects_nothing; /* the passes of a program began without a prediction */
    bool solved;          /* x is a correction; false: minus the residuals */
    double start_extent;  /* largest |coordinate| where the step begins */
    /* size of the last correction, over vectors in which the equations are not affine */
    double curved_size;
    /* size of the last correction divided by that of its multipliers */
    double per_multiplier;
} lv_solver;

/* `cheap`: a cheap matrix is made, too, if the phase allows it. The caller then sets
 * `frozen` and `now`, and the memory. */
lv_status lv_solver_init(lv_solver *solver, lv_course *course, int phase, bool cheap,
                         lv_stepper_options options, lv_arena *arena, lv_error *err);
void lv_solver_done(lv_solver *solver);

/* The number of values that a solver remembers, for so many substeps. */
int lv_solver_memory_size(const lv_solver *solver, int substeps);

/* Sets `memory`. Returns the end of it. */
double *lv_solver_place_memory(lv_solver *solver, double *memory, int substeps);

/* Solves the phase, and computes what later phases need. */
lv_status lv_solver_run(lv_solver *solver, lv_step_report *report, lv_error *err);

/* The worst pivot of the last matrix, relative to the largest worst pivot of all steps.
 * Below LV_SOLVER_DEPENDENT constraints are close to dependent. */
double lv_solver_pivot_share(const lv_solver *solver);
#define LV_SOLVER_DEPENDENT 0.03

/* Whether the solver finds out which constraints are dependent where the step ends. */
bool lv_solver_finds_dependent(const lv_solver *solver);

/* Forgets earlier pivots. Call when other constraints are left out. */
void lv_solver_restart_pivots(lv_solver *solver);

/* The following functions decide about passes from numbers alone. Programs of steps use
 * them, too, also for several simulations at once (fused/passes.h, stepper/lanes.h).
 *
 * Whether a step measures the contraction of its matrix. `number`: that of lv_step_now;
 * `known`: number of past steps that the predictor has; `curve`: what is known already, 0
 * if nothing. */
static inline bool lv_step_probes(int number, int known, double curve)
{
    return known > 1 &&
           (number == LV_STEP_ROUND || (curve == 0 && number % LV_STEP_OFTEN == 2));
}

/* lv_newton.curvature, from what is known: cautiously, since a step may contract worse. A
 * step that measures does not rely on it. */
static inline double lv_step_curvature(bool probing, double curve)
{
    const double caution = 100;
    return (probing ? 0 : caution) * curve;
}

/* lv_newton.contraction of an approximate matrix, from the rate that is known. The
 * measured rate may not be the worst one, so it is multiplied by a factor. */
static inline double lv_step_contraction(bool probing, double rate)
{
    const double caution = 8, assumed = 0.1;
    return !probing && rate > 0 ? caution * rate : assumed;
}

/* Whether the prediction was so far off that the predictor chooses again how to
 * extrapolate. If few passes were enough this is done now and then only, because it takes
 * time. */
static inline bool lv_step_missed(int number, bool probing, int passes)
{
    return !probing && (passes > 2 || (number % LV_STEP_OFTEN == 1 && passes > 1));
}

/* The same for steps by a program, for which a pass takes less time than choosing a
 * prediction; large steps need several passes with any prediction. `known`: number of
 * past steps that the predictor has; while it grows, better predictions become possible.
 * `size`: size of the first correction; `size_then`: its size when the prediction was
 * chosen. Once in a round it is chosen again if there was more than one pass. */
static inline bool lv_step_program_missed(int number, int known, bool probing, int passes,
                                          double size, double size_then)
{
    const double more = 10;
    if (probing || passes < 2)
        return false;
    const bool worse = known < LV_PREDICTOR_DEPTH || !(size <= more * size_then);
    return number == 1 || (worse && (passes > 2 || number % LV_STEP_OFTEN == 1));
}

/* Whether the first pass, with a correction of this size, is also the last one. If so, n
 * records it. */
static inline bool lv_step_one_is_enough(lv_newton *n, double size)
{
    if (!lv_newton_is_enough(n, size))
        return false;
    n->first_size = size;
    n->iterations = n->converge.count = 1;
    n->converge.most = 0; /* lv_newton_begin has not been called */
    return true;
}

/* Judges a pass by the relative size of its correction. Before the first pass of a step,
 * n->misled must be set and n->converge.count be 0. */
lv_verdict lv_solver_verdict(lv_newton *newton, double size);

/* A prediction is trusted if the first correction, of unknowns in which the equations are
 * not affine, is at most LV_STEP_MISLED, or at most
 * LV_STEP_DOUBTFUL if it changes multipliers by more than LV_STEP_WORTHLESS of their
 * size. */
#define LV_STEP_DOUBTFUL 1e-4
#define LV_STEP_MISLED 1e-2
#define LV_STEP_WORTHLESS 0.3

/* Finds the part of the memory that belongs to the current substep. */
static inline void lv_solver_find_notes(lv_solver *w)
{
    w->notes =
        w->memory + LV_MEMORY_SOLVER + (ptrdiff_t)w->now->substep * w->substep_size;
    w->predictor.numbers = w->notes + LV_NOTES;
    w->predictor.substep = w->now->substep;
}

/* Clears the predictor of a substep if its numbers are not valid. h: size of the next
 * step. */
void lv_solver_check_memory(lv_solver *solver, int substep, double h);

/* Sorts the past values of all substeps: equal solvers then have equal memories. */
void lv_solver_sort_memory(const lv_solver *solver, int substeps);

/* Forgets the past values of all substeps. */
void lv_solver_forget_past(lv_solver *solver, int substeps);

/* lv_solver_begin_step finds the memory of the substep and copies its notes. After the
 * step, lv_solver_remember stores what an accepted step has found;
 * lv_solver_restore_notes restores the notes if the step has failed. */
void lv_solver_begin_step(lv_solver *solver);
void lv_solver_remember(lv_solver *solver);
void lv_solver_restore_notes(lv_solver *solver);

/* In solver_measure.c; `solver` is an lv_solver, as lv_newton_equations requires. Call
 * lv_solver_note_extent before a phase is solved. */
double lv_solver_measure(void *solver);
double lv_solver_curved_size(void *solver);
void lv_solver_note_extent(lv_solver *solver);
bool lv_solver_is_settled(void *solver);

/* Whether lv_solver_is_settled would evaluate the equations. */
static inline bool lv_solver_asks_settled(const lv_solver *w)
{
    enum { EASY = 2 }; /* after at most this many passes nothing is checked */
    return w->checks_solution && w->newton.iterations > EASY;
}

/* Evaluates the residuals at the current unknowns: x becomes minus the scaled
 * residuals. */
void lv_solver_evaluate(void *solver);

/* In solver_learn.c. lv_solver_begin_learning is called before a phase is solved,
 * lv_solver_choose_level before a matrix is built, lv_solver_learn after a step, and
 * lv_solver_note_history and lv_solver_learn_noise (the size of rounding errors in
 * LV_NOTE_NOISE) after a step that lv_solver_run has solved. lv_solver_note_size
 * clears the rates if the step size has changed. */
void lv_solver_begin_learning(lv_solver *solver);
void lv_solver_note_size(lv_solver *solver);
void lv_solver_choose_level(lv_solver *solver);
void lv_solver_learn(lv_solver *solver, double noise);
void lv_solver_learn_noise(lv_solver *solver);
void lv_solver_note_history(lv_solver *solver);

/* The contraction rate of a matrix that is known after a step. `known`: the rate known
 * before; `past`: number of past steps that the predictor has; `squares`: errors are
 * proportional to the square of the correction; `noise`: size of rounding errors, 0:
 * unknown. */
double lv_step_learned(const lv_newton *newton, double known, int past, bool probing,
                       bool squares, double noise);

/* Forgets all rates, because they proved too small. */
void lv_solver_distrust(lv_solver *solver);

#endif
