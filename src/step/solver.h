/* Solves the equations of one phase of a step by Newton's method.
 *
 * A phase begins with an initial guess for its unknowns, which past steps provide (step/predictor.h). solver.c has the
 * equations as Newton's method asks for them, solver_measure.c says how large a correction is and whether the iteration
 * has ended at a solution, solver_learn.c decides which matrix is taken and when one pass is enough. */
#ifndef LV_STEP_SOLVER_H
#define LV_STEP_SOLVER_H

#include "solve/newton.h"
#include "step/frozen.h"
#include "step/matrix.h"
#include "step/predictor.h"
#include "step/state.h"

#include <stddef.h>

/* The step that is being taken, the same for all of its phases. */
typedef struct lv_step_now {
    const lv_state *from;
    double h;
    bool project;             /* a composed step ends with it */
    bool asks[LV_ASKED_WHEN]; /* which equations are asked */
    int substep;              /* its number in a composed step, from 0 on */
    int number; /* of the (composed) step in its round; 0: there was none before */
} lv_step_now;

/* Steps of a round, in which some things are done once, and of a part of it. */
enum { LV_STEP_ROUND = 64, LV_STEP_OFTEN = 8 };

/* What was learned of the matrices of a phase in a substep. */
enum {
    LV_NOTE_RATE,   /* the cheap matrix leaves RATE x of a correction x; 0: not known */
    LV_NOTE_CURVE,  /* the exact matrix leaves CURVE x^2; 0: not known */
    LV_NOTE_SIZE,   /* the step size for which both were seen */
    LV_NOTE_DOUBT,  /* for how many more steps guesses go without past steps, */
    LV_NOTE_DOUBTS, /* and for how many they will, should past steps lead astray again */
    LV_NOTES
};

/* What a solver remembers beside its substeps. */
enum {
    LV_MEMORY_RETRY,   /* for how many more steps the full matrix is taken */
    LV_MEMORY_PIVOT,   /* the best of the worst pivots of all steps; 0: not known */
    LV_MEMORY_LARGEST, /* positions, and how far they moved in a step, at most */
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
    double *
        x; /* numbers of all columns: minus residuals, then corrections; unknowns first */
    double *last, *expected;
    int substep_size;      /* numbers of the memory for a substep */
    double *memory;        /* set by the stepper: LV_MEMORY_SOLVER numbers, then notes and
                            * predictor of each substep */
    double *notes;         /* LV_NOTES numbers of this substep, before its predictor, */
    double kept[LV_NOTES]; /* what they were before the step, */
    double kept_start[LV_MEMORY_SOLVER]; /* and the start of the memory */
    lv_level level;                      /* of the matrix that is built next, */
    int since;                           /* and the pass from which on */
    bool first_squares;    /* the first matrix of the step was the derivative */
    bool probing;          /* this step shows how fast its matrix contracts */
    bool expects_nothing;  /* passes of a program began without what past steps say */
    bool solved;           /* x is a correction */
    double start_extent;   /* the largest coordinate where the step begins */
    double per_multiplier; /* size of a correction, per size of its multipliers */
} lv_solver;

/* cheap: there may be a cheap matrix. */
lv_status lv_solver_init(lv_solver *solver, lv_course *course, int phase, bool cheap,
                         lv_stepper_options options, lv_arena *arena, lv_error *err);
void lv_solver_done(lv_solver *solver);

/* Numbers that a solver remembers. */
int lv_solver_memory_size(const lv_solver *solver, int substeps);

lv_status lv_solver_run(lv_solver *solver, lv_step_report *report, lv_error *err);

/* The worst pivot of the matrix of the step that was solved, relative to the best one of all steps. Where it is far
 * smaller, constraints are close to dependent. */
double lv_solver_pivot_share(const lv_solver *solver);
#define LV_SOLVER_DEPENDENT 0.03

/* Does it find out which constraints are dependent where the step ends? */
bool lv_solver_finds_dependent(const lv_solver *solver);

/* Earlier pivots do not count any more: other constraints are left out. */
void lv_solver_restart_pivots(lv_solver *solver);

/* The parts of passes that need numbers alone (step/passes.h), for steps of several simulations at once: whether a step shows how its
 * matrix contracts; how it does, as Newton's method takes it; what a correction of this size says, n->misled being set and converge.count 0 before the first; whether
 * its guess was far off: good ones are asked now and then, since looking for a better one takes its time. */
static inline bool lv_step_probes(int number, int known, double curve)
{
    return known > 1 &&
           (number == LV_STEP_ROUND || (curve == 0 && number % LV_STEP_OFTEN == 2));
}

static inline double lv_step_curvature(bool probing, double curve)
{
    const double caution = 100;
    return (probing ? 0 : caution) * curve;
}

static inline bool lv_step_missed(int number, bool probing, int passes)
{
    return !probing && (passes > 2 || (number % LV_STEP_OFTEN == 1 && passes > 1));
}

/* Is the first pass, with corrections of this size, the last one? */
static inline bool lv_step_one_is_enough(lv_newton *n, double size)
{
    if (!lv_newton_is_enough(n, size))
        return false;
    n->first_size = size;
    n->iterations = n->converge.count = 1;
    n->converge.most = 0; /* it has not begun */
    return true;
}

lv_verdict lv_solver_verdict(lv_newton *newton, double size);

/* First corrections up to which expectations are believed, where multipliers were not, or were, expected well. */
#define LV_STEP_DOUBTFUL 1e-4
#define LV_STEP_MISLED 1e-2
#define LV_STEP_WORTHLESS 0.3 /* changes of multipliers, relative, that are too large */

/* The part of the memory that belongs to the substep. */
static inline void lv_solver_find_notes(lv_solver *w)
{
    w->notes =
        w->memory + LV_MEMORY_SOLVER + (ptrdiff_t)w->now->substep * w->substep_size;
    w->predictor.numbers = w->notes + LV_NOTES;
}

/* What the memory says of a substep becomes nothing if it cannot be. */
void lv_solver_check_memory(lv_solver *solver, int substep, double h);

/* Before a step its part of the memory is found. Afterwards a step that was taken is remembered; one that failed leaves
 * no notes. */
void lv_solver_begin_step(lv_solver *solver);
void lv_solver_remember(lv_solver *solver);
void lv_solver_restore_notes(lv_solver *solver);

/* solver_measure.c, in the form of lv_newton_equations. */
double lv_solver_measure(void *solver);
void lv_solver_note_extent(lv_solver *solver); /* before a phase is solved */
bool lv_solver_is_settled(void *solver);

/* Would it look at the equations? */
static inline bool lv_solver_asks_settled(const lv_solver *w)
{
    enum { EASY = 2 }; /* passes after which nothing is checked */
    return w->checks_solution && w->newton.iterations > EASY;
}

/* Residuals at the unknowns as they are: x is minus these, scaled. */
void lv_solver_evaluate(void *solver);

/* solver_learn.c: before a phase is solved; before a matrix is built, after the step. */
void lv_solver_begin_learning(lv_solver *solver);
void lv_solver_note_size(lv_solver *solver);
void lv_solver_choose_level(lv_solver *solver);
void lv_solver_learn(lv_solver *solver);
void lv_solver_note_history(lv_solver *solver); /* after steps of the course */

/* The rate that is known of a matrix after a step, from the one that was known before; past: steps that predictors know;
 * squares: corrections shrink with their squares. */
double lv_step_learned(const lv_newton *newton, double known, int past, bool probing,
                       bool squares);
void lv_solver_distrust(lv_solver *solver); /* what was learned promises too much */

#endif
