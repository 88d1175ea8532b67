/* A whole step as one program: what a course does, unrolled into one graph of formulas and compiled.
 *
 * The program makes one Newton pass in every phase of a step, one phase after the other, and then all that follows to the
 * end of the step. Phases depend on earlier ones only, so passes of all of them together converge as those of each do.
 * It begins with what past steps let expect of the unknowns and says how large its corrections were. All numbers are in
 * its workspace, where they stay from step to step; the course gets them when somebody asks. It leaves constraints out
 * that it is told to (step/frozen.h), but does not find dependent ones, and it knows no domains of formulas: whoever runs
 * it looks at the growth and at the sizes, and takes the step by the course where something is wrong. */
#ifndef LV_STEP_FUSED_H
#define LV_STEP_FUSED_H

#include "expr/code.h"
#include "num/copy.h"
#include "step/course.h"
#include "step/frozen.h"
#include "system/plan_unfold.h"

/* Numbers of a workspace. */
typedef struct lv_fused_range {
    double *numbers; /* where the course has them; NULL: nowhere */
    int at;          /* the number of the first one among inputs Q, or among outputs */
    int count, first;
    const int *
        slots; /* where these are not in a row from `first` on, which they mostly are; else NULL */
    const bool *fixed; /* inputs that the program does not read; NULL: none */
    bool given;        /* inputs that are not the course's, which never gets them back */
} lv_fused_range;

/* A phase that is solved in passes: slots. */
typedef struct lv_fused_pass {
    int phase;            /* from 0 on */
    int guess;            /* the first of what is expected, as predictors have it, */
    lv_fused_range found; /* and what should have been */
    int size;             /* of the corrections, relative */
    int excess; /* above 0: multipliers were corrected by a large part of them */
} lv_fused_pass;

typedef struct lv_fused {
    lv_course *c;
    lv_arena arena;
    lv_program *program;
    lv_code *code; /* NULL: the program is interpreted */
    double *workspace;
    double *numbers;      /* inputs I: the step size, then numbers of instances: */
    lv_number_of *number; /* which ones, */
    int number_count;     /* and how many */
    double *sizes;        /* inputs Y: of pivots at the sample (step/node_solve.h), */
    int size_count;       /* so many */
    struct lv_sampled *sampled; /* how formulas were sampled; NULL: that is not kept */
    lv_fused_range *inputs;     /* carried fields, what the step before has handed over */
    lv_fused_range *outputs;
    int input_count, output_count;
    lv_fused_pass *passes;
    int pass_count;
    int growth; /* slot: how much smaller pivots are (step/node_solve.h) */
    int left_over; /* slot: above 0 if constraints that are left out do not hold; -1: none ever are */
    int checked, behind; /* slots of results that have to be finite */
    double t, h;         /* of the step in the workspace */
    bool ready;          /* for this h */
    bool
        takes_time; /* or inputs of the model, or references of angles: what steps do not change */
    double *known;   /* what the workspace needs for sizes of steps, a row for each, */
    int known_count; /* and how many there are */
} lv_fused;

/* project: equations marked `once` are asked. *fused stays NULL where a step is no program: there are calls, or too many
 * operations. */
lv_status lv_fused_create(lv_fused **fused, lv_course *course, bool project,
                          const lv_rows_left_out *left_out, lv_error *err);
void lv_fused_free(lv_fused *fused);

/* Would there be a program whatever the numbers of the model are, but for linear systems that are singular? */
bool lv_fused_is_possible(const lv_course *course);

/* Numbers of the model have changed (model/alike.h), and the course has been renewed: is this the program that would be
 * made for them, once it has their numbers? For systems that are renewable. */
bool lv_fused_renew(lv_fused *fused);

/* The range of these numbers of the course; NULL: they are none. */
const lv_fused_range *lv_fused_input_range(const lv_fused *fused, const double *numbers);
const lv_fused_range *lv_fused_output_range(const lv_fused *fused, const double *numbers);

/* One pass. Returns the growth of the pivots; not finite if a result is not. */
double lv_fused_run(lv_fused *fused, double t, double h);

/* After the last pass: do constraints that are left out hold? */
static inline bool lv_fused_is_whole(const lv_fused *f)
{
    return f->left_over < 0 || f->workspace[f->left_over] <= 0;
}

/* Inputs from the course; all inputs to the course, and, if the step is complete, outputs, too. */
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

/* For steps of several simulations at once (step/lanes.h): the program, its inputs P and I (a step of size h), and where
 * numbers of the course stand among its inputs Q, or its outputs; -1: nowhere. */
const lv_program *lv_fused_program(const lv_fused *fused);
const double *lv_fused_parameters(const lv_fused *fused);
const double *lv_fused_numbers(lv_fused *fused, double h);
const double *lv_fused_sizes(const lv_fused *fused); /* and its inputs Y */
int lv_fused_input(const lv_fused *fused, const double *numbers);
int lv_fused_output(const lv_fused *fused, const double *numbers);

/* Pivots may be smaller than usual by this factor; beyond it they are a matter for solvers, which know singular
 * configurations. */
#define LV_FUSED_GROWTH 1e4

#endif
