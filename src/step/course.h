/* The course of a step: a normal form made ready to run on a system.
 *
 * Quantities are evaluated at sites (a position, a velocity, a time), all that are due at one time together. Every
 * phase has three lists of actions: what is done once when the phase begins, what is done in every Newton pass, and
 * what a matrix needs besides. Actions are in an order in which everything is there when it is needed. */
#ifndef LV_STEP_COURSE_H
#define LV_STEP_COURSE_H

#include "step/combine.h"
#include "step/dressing.h"
#include "step/normal.h"
#include "step/phase.h"
#include "step/power.h"
#include "system/system.h"

/* Where quantities are evaluated: fields, or -1. */
typedef struct lv_site {
    int arg[LV_ARGUMENTS];
    double at;
    int phase; /* in which all of them are known */
    double *storage[LV_QUANTITIES];
} lv_site;

typedef struct lv_evaluation {
    int site;
    lv_wanted wanted;
    lv_plan *plan;
    const lv_quantity *quantity; /* those that are wanted, */
    int quantities;              /* and how many they are */
} lv_evaluation;

/* out = factor (matrix times vector) + constant, for an atom. */
typedef struct lv_product {
    int atom, site;
    double *out;
} lv_product;

typedef enum lv_action_kind {
    LV_DO_COMBINE,
    LV_DO_EVALUATE,
    LV_DO_MULTIPLY,
    LV_DO_CALL
} lv_action_kind;

typedef struct lv_action {
    lv_action_kind kind;
    bool later;  /* what it makes is needed after its phase */
    int subject; /* field, site, atom or call */
    lv_combination combine;
    lv_evaluation evaluate;
    lv_product multiply;
} lv_action;

typedef LV_ARRAY(lv_action) lv_actions;

/* The matrix of the derivative of an equation by a column: c h^power times a matrix at a site; site -1: the constant
 * mass matrix, or none. */
typedef struct lv_block {
    int row, column; /* numbers in the list of columns */
    double c;
    int power;
    lv_matrix_of matrix;
    int site;
    bool bare; /* 1 in place of the matrix */
    lv_factors left,
        right; /* on both sides of it, on groups: numbers in the course's list */
    lv_dressing *dressing; /* of a block with factors, made along with the full matrix */
    bool second;           /* the matrix is a second derivative of the model */
    bool optional;         /* a third one, which only tangents need */
    bool cheap;            /* cheap matrices have it */
} lv_block;

typedef LV_ARRAY(lv_block) lv_blocks;

/* An unknown of a phase, or a defined field that has a column in the matrix because it is M^-1 times something. */
typedef struct lv_phase_column {
    int field;
    lv_space space;
    int size, offset; /* numbers, and where they stand among those of all columns */
    double *value;    /* of the field */
    int scale;        /* the matrix sees h^scale times the field */
    bool unknown;
    bool vector;       /* one number per coordinate, */
    bool displacement; /* on groups: how far bodies move, and no velocity */
    int pace;      /* the column of the velocity by which its corrections are measured */
    double start;  /* tangents are start times the velocity at the start for h = 0 */
    int row_power; /* its equation is multiplied by h^row_power */
    lv_combination residual;         /* unknowns: of the equation, */
    lv_combination residual_at_zero; /* in linear phases where all unknowns are 0 */
} lv_phase_column;

typedef LV_ARRAY(lv_phase_column) lv_column_list;

typedef struct lv_phase {
    lv_actions before, pass, cheap, full; /* the last two: for matrices */
    lv_actions pass_at_zero; /* linear phases: a pass where all unknowns are 0 */
    lv_column_list columns;  /* unknowns first */
    int unknowns;            /* how many of them are unknowns */
    int size, unknown_size;  /* numbers of all columns, of the unknowns */
    bool multipliers_only;   /* no unknown is a vector */
    lv_blocks blocks;
    bool linear;
    bool inexact;   /* the full matrix leaves out derivatives of calls */
    lv_asked asked; /* when the equations of all of its unknowns are */
} lv_phase;

/* Numbers of a quantity where a step ends, and where the next one begins. */
typedef struct lv_handed {
    double *from, *to;
    int count;
    bool constant; /* they depend on nothing, and are there */
} lv_handed;

/* Quantities where a step begins that are evaluated where it ends: the next step has them already. */
typedef struct lv_handover {
    int to;                        /* the site where a step begins */
    lv_evaluation from;            /* the evaluation at the end, */
    lv_wanted what;                /* these quantities of it */
    bool of_velocity, of_time;     /* some of them depend on it */
    bool same;                     /* this step begins where the last one ended */
    lv_handed part[LV_QUANTITIES]; /* what they are, */
    int parts;                     /* and how many */
    double *
        kept; /* in the stepper's memory: 1 if there is something, time, position, velocity, the quantities; NULL:
                     they are where they were evaluated, as long as the step is the last one */
} lv_handover;

typedef struct lv_course {
    lv_system *system;
    lv_form form;
    lv_step_facts facts;
    lv_phases phases;
    lv_arena arena;
    int sizes[LV_SPACES];
    double **value;   /* of every field that is ever looked at */
    double **product; /* of every atom that is a product */
    LV_ARRAY(lv_site) sites;
    int *site_of;                  /* of every atom; -1: it needs none */
    lv_turning turning;            /* bodies that move on groups; none: motion is NULL */
    LV_ARRAY(lv_factor) factors;   /* derivatives of operators of groups */
    LV_ARRAY(lv_evaluation) plans; /* one for every set of quantities */
    const lv_pattern *pattern[LV_QUANTITIES];
    lv_pattern holonomic
        [LV_QUANTITIES]; /* the first rows of those that have rows for both kinds of constraints, */
    lv_pattern rolling[LV_QUANTITIES]; /* and the last ones */
    const lv_pattern *mass_pattern;
    double *mass_values; /* where the mass matrix is constant */
    lv_mass *mass;
    double *work;                /* n numbers */
    double *multipliers;         /* one per constraint of either kind */
    lv_phase *phase;             /* of the step, from 1 on, and places besides */
    lv_combination *assignments; /* of every assignment of the form */
    LV_ARRAY(lv_handover) handovers;
    bool finished; /* values of the last step, which began at t, are those of its end */
    long evaluations[LV_QUANTITIES]; /* since the course was made, for tests */
    double h, t;
} lv_course;

/* Behind the phases: the end of the step, what is shown of it, and what comes before the first one. */
#define LV_PLACE_END(c) ((c)->phases.count + 1)
#define LV_PLACE_SHOWN(c) ((c)->phases.count + 2)
#define LV_PLACE_FIRST(c) ((c)->phases.count + 3)
#define LV_PLACES(c) ((c)->phases.count + 4)

/* How many numbers a field of each space has. */
void lv_course_sizes(int sizes[LV_SPACES], const lv_system *system);

/* Takes the form. reduce: velocities become definitions where the mass matrix is constant. Free with lv_course_free also
 * after a failure. */
lv_status lv_course_create(lv_course **course, lv_system *system, lv_form *form,
                           bool reduce, lv_error *err);
void lv_course_free(lv_course *course);

/* Numbers of the model have changed (model/alike.h), and the system has been renewed: the course is as it would have been
 * created for them. */
void lv_course_renew(lv_course *course);

/* A step of size h begins at t with the carried fields as they are. What the last step has evaluated at the same point
 * is taken over if it is finished. */
void lv_course_begin(lv_course *course, double t, double h);

/* Handovers may be kept in a memory that is saved along with the state, for steps whose evaluations no plan repeats to
 * the last bit: how many numbers they are, where they are, and to keep them after a step; start: those with which it
 * began. */
int lv_course_kept_size(const lv_course *course);
void lv_course_place_kept(lv_course *course, double *memory);
void lv_course_keep(lv_course *course, bool start);

/* Does a step take something over from the one before that depends on time or inputs? Inputs have changed: it does not. */
bool lv_course_hands_over_inputs(const lv_course *course);
void lv_course_change_inputs(lv_course *course);

/* For steps that a program makes (step/fused.h): where the step is, nothing being evaluated; and, after it, all that the
 * course would have evaluated. */
void lv_course_place(lv_course *course, double t, double h);
void lv_course_replay(lv_course *course);

/* The numbers of a quantity. */
int lv_course_quantity_size(const lv_course *course, lv_quantity quantity);

void lv_course_run(lv_course *course, const lv_actions *actions);

/* After a phase is solved: what later phases need. */
void lv_course_rerun(lv_course *course, const lv_actions *actions);
void lv_combine(lv_course *course, const lv_combination *combination);

/* For what is derived of a step later: a plan for an evaluation at one of the sites, and room for its results; then
 * the evaluation itself, any number of times. */
lv_status lv_course_prepare(lv_course *course, lv_evaluation *evaluation, lv_error *err);
void lv_course_evaluate(lv_course *course, const lv_evaluation *evaluation);

/* Evaluates a derivative of an operator of groups. */
void lv_course_factor(lv_course *course, int factor);

/* Pattern and values of a matrix at a site. */
const lv_pattern *lv_course_pattern(const lv_course *course, lv_matrix_of matrix);
const double *lv_course_values(const lv_course *course, lv_matrix_of matrix, int site);

/* A formula without a finite value at one of the sites that have finite arguments: LV_ERR_DOMAIN with its place. */
lv_status lv_course_diagnose(lv_course *course, lv_error *err);

/* The value of a field of this name and index, if the step looks at it; NULL otherwise. */
double *lv_course_value(const lv_course *course, const char *name, int index);

#endif
