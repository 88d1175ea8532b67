/* A whole step as one program: the actions of a course (course/course.h), written as one
 * graph of formulas and compiled.
 *
 * The program makes one Newton pass in every phase, one phase after the other, and then
 * computes everything up to the end of the step. A phase depends only on earlier ones,
 * so these joint passes converge like the passes of each phase alone. The machine code
 * also exists in parts (fused/fused_parts.h), so that a further pass does not repeat the
 * rest of the step.
 *
 * The program takes the initial guess of the unknowns as an input and returns the sizes
 * of its corrections. All its numbers are in a workspace, where they stay from step to
 * step; they are copied to the course only on request. The program leaves out the
 * constraints that it is told to (course/frozen.h), but it does not detect dependent ones
 * and does not check the domains of formulas. The caller checks the growth of the pivots
 * and the sizes of the corrections, and takes the step by the course if something is
 * wrong. */
#ifndef LV_FUSED_FUSED_H
#define LV_FUSED_FUSED_H

#include "course/course.h"
#include "course/frozen.h"
#include "expr/code.h"
#include "fused/fused_parts.h"
#include "num/copy.h"
#include "plan/plan_unfold.h"

/* A range of numbers in the workspace: a field or a quantity. */
typedef struct lv_fused_range {
    /* the same numbers in the course; NULL: it does not have them */
    double *numbers;
    int at; /* number of the first one among the inputs Q, or among the outputs */
    int count, first; /* how many numbers there are; slot of the first one */
    /* slot of each number; NULL (the usual case): the slots are `first`, `first` + 1,
     * ... */
    const int *slots;
    /* for each number: it depends on parameters alone, so that the program does not read
     * it and the course has it already; NULL: none does */
    const bool *fixed;
    /* rows that are left out (lv_rows_left_out.taken), never copied back */
    bool given;
} lv_fused_range;

/* Slots of a phase that is solved by Newton passes. */
typedef struct lv_fused_pass {
    int phase; /* number of the phase, from 0 */
    /* first slot of the initial guess, in the form of course/predictor.h */
    int guess;
    lv_fused_range found; /* the same unknowns after the pass */
    int size;             /* slot: relative size of the corrections */
    /* slot: above 0 if the corrections of the multipliers are large relative to the
     * multipliers */
    int excess;
} lv_fused_pass;

typedef struct lv_fused {
    lv_course *c;
    lv_arena arena;
    lv_program *program;
    lv_fused_parts parts;
    lv_code *code; /* machine code of all parts; NULL: the program is interpreted */
    lv_code_function run[LV_FUSED_PARTS]; /* entry of each part, if there is code */
    double *workspace;                    /* one number per slot of the program */
    /* inputs I: the step size, then numbers of instances of the model */
    double *numbers;
    /* which number of the model each of these is; number_count of them */
    lv_number_of *number;
    int number_count;
    /* inputs Y: sizes of the pivots at the sample (fused/node_solve.h); size_count of
     * them */
    double *sizes;
    int size_count;
    /* the sample of the formulas, for lv_fused_renew; NULL: it was not kept */
    struct lv_sampled *sampled;
    /* carried fields, rows left out, and quantities that the step before hands over */
    lv_fused_range *inputs;
    lv_fused_range *outputs;
    int input_count, output_count;
    lv_fused_pass *passes;
    int pass_count;
    /* Passes have approximate matrices, which are kept from pass to pass. */
    bool keeps;
    /* The factors of kept matrices (lv_fusing.keeps), and the first slot of the inputs
     * that passes read them from; count 0: every pass has its own matrix. */
    lv_fused_range factors;
    int kept;
    int growth; /* slot: growth of all pivots (fused/node_solve.h) */
    /* slot: growth of the pivots up to the last phase with passes */
    int growth_passes;
    int sum; /* slot: not finite if a result that the next step needs is not */
    /* slot: above 0 if constraints that are left out do not hold; -1: the program leaves
     * out none */
    int left_over;
    double t, h; /* time at the start and size of the step in the workspace */
    bool ready;  /* the workspace has the numbers that depend on h */
    /* the program reads the time, inputs of the model or references of angles */
    bool takes_time;
    /* for the step sizes of the substeps of a composed step: rows of the size and the
     * numbers of the workspace that depend on it */
    double *known;
} lv_fused;

/* Creates the program. project: equations marked `once` hold. *fused is NULL if the step
 * cannot be a program, for instance because it has calls, too many operations, or a
 * linear system that is singular at the sample. */
lv_status lv_fused_create(lv_fused **fused, lv_course *course, bool project,
                          const lv_rows_left_out *left_out, lv_error *err);
void lv_fused_free(lv_fused *fused);

/* Whether there is a program for all numbers of the model, apart from linear systems
 * that are singular. */
bool lv_fused_is_possible(const lv_course *course);

/* Call after numbers of the model have changed (model/alike.h) and the course has been
 * renewed; only for renewable systems. Gives the program the new numbers. Returns false
 * if a program created for them could be a different one. */
bool lv_fused_renew(lv_fused *fused);

/* The range with these numbers of the course; NULL: they are not among the inputs
 * (outputs). */
const lv_fused_range *lv_fused_input_range(const lv_fused *fused, const double *numbers);
const lv_fused_range *lv_fused_output_range(const lv_fused *fused, const double *numbers);

/* Put the numbers that depend on the step size, or on the time, into the workspace.
 * substep: number of the step in a composed step. */
void lv_fused_refresh(lv_fused *fused, double h, int substep);
void lv_fused_put_time(const lv_fused *fused, double t);

/* Call before a step of size h from time t. */
static inline void lv_fused_begin(lv_fused *f, double t, double h, int substep)
{
    if (!f->ready || h != f->h)
        lv_fused_refresh(f, h, substep);
    f->t = t;
    if (f->takes_time)
        lv_fused_put_time(f, t);
}

/* Runs a part of the step. The interpreter has no parts: it runs the whole step for
 * every pass, and nothing for the rest. */
static inline void lv_fused_run(const lv_fused *f, lv_fused_part part)
{
    if (f->code)
        f->run[part](f->workspace);
    else if (part != LV_RUN_REST)
        lv_program_run(f->program, LV_SEGMENT_MAIN, f->workspace, 1);
}

/* Largest growth of the pivots that is accepted. Steps beyond it are taken by the
 * course, whose solvers can handle singular configurations. */
#define LV_FUSED_GROWTH 1e4

/* After all parts of the step: are its pivots large enough and its results finite? */
static inline bool lv_fused_is_regular(const lv_fused *f)
{
    return f->workspace[f->growth] + 0 * f->workspace[f->sum] <= LV_FUSED_GROWTH;
}

/* After the last pass: do the constraints hold that were left out? */
static inline bool lv_fused_is_whole(const lv_fused *f)
{
    return f->left_over < 0 || f->workspace[f->left_over] <= 0;
}

/* Load copies the inputs from the course. Deliver copies them back, and also the outputs
 * if the step is complete. */
void lv_fused_load(lv_fused *fused);
void lv_fused_deliver(const lv_fused *fused, bool complete);

static inline void lv_fused_take(const lv_fused *f, const lv_fused_range *r, double *to)
{
    if (r->slots)
        for (int i = 0; i < r->count; i++)
            to[i] = f->workspace[r->slots[i]];
    else
        lv_copy(to, f->workspace + r->first, r->count);
}

/* For steps of several simulations at once (stepper/lanes.h): the program; its inputs P, I
 * (for a step of size h) and Y; the position of numbers of the course among the inputs Q
 * or the outputs (-1: they are not there). */
const lv_program *lv_fused_program(const lv_fused *fused);
const double *lv_fused_parameters(const lv_fused *fused);
const double *lv_fused_numbers(lv_fused *fused, double h);
const double *lv_fused_sizes(const lv_fused *fused);
int lv_fused_input(const lv_fused *fused, const double *numbers);
int lv_fused_output(const lv_fused *fused, const double *numbers);

#endif
