/* The course of a step: a normal form, ready to run on a system.
 *
 * Quantities are evaluated at sites (a position, a velocity, a time); all quantities that
 * are needed at a site at the same time are evaluated together. Every phase has lists of
 * actions: those that run once when the phase begins, those of every Newton pass, and
 * those that matrices need in addition. Every action comes after the actions whose
 * results it uses. */
#ifndef LV_COURSE_COURSE_H
#define LV_COURSE_COURSE_H

#include "course/combine.h"
#include "course/dressing.h"
#include "num/columns.h"
#include "step/normal.h"
#include "step/phase.h"
#include "step/power.h"
#include "system/system.h"

/* A point at which quantities are evaluated. */
typedef struct lv_site {
    int arg[LV_ARGUMENTS]; /* the fields that are its arguments; -1: none */
    double at;             /* its time is t + at h */
    int phase;             /* the phase in which all arguments are known */
    /* results by quantity; NULL: not evaluated here */
    double *storage[LV_QUANTITIES];
} lv_site;

typedef struct lv_evaluation {
    int site;
    lv_wanted wanted;            /* set of quantities */
    lv_plan *plan;               /* owned by lv_course.plans */
    const lv_quantity *quantity; /* the wanted quantities, in the course's arena */
    int quantities;              /* number of wanted quantities */
} lv_evaluation;

/* The value of an atom that is a product: out = matrix times vector + constant, or the
 * result of a group operator. The factor of the operator is in the combinations that use
 * the product. site is -1 for the constant mass matrix and for group operators. */
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
    bool later;  /* later phases need its result: lv_course_rerun repeats it */
    int subject; /* by kind: field (-1 - field for a part of its sum), site, atom, call */
    lv_combination combine;
    lv_evaluation evaluate;
    lv_product multiply;
} lv_action;

typedef LV_ARRAY(lv_action) lv_actions;

/* A block of the Newton matrix, the derivative of an equation by a column: c h^power
 * times a matrix at a site. site is -1 if the matrix is the constant mass matrix or
 * `bare`. */
typedef struct lv_block {
    int row, column; /* indices in lv_phase.columns */
    double c;
    int power;
    lv_matrix_of matrix;
    int site;
    bool bare; /* the identity takes the place of the matrix */
    /* On groups: the factors on either side of the matrix, as indices in
     * lv_course.factors. */
    lv_factors left, right;
    /* The product with the factors, owned by the step matrix (course/matrix.h). NULL if the
     * block has none. */
    lv_dressing *dressing;
    bool second;   /* the matrix is a second derivative of the model */
    bool optional; /* it is a third derivative, which only tangents need */
    bool cheap;    /* cheap matrices contain the block */
} lv_block;

typedef LV_ARRAY(lv_block) lv_blocks;

/* A column of the Newton matrix of a phase, with a row of equations: an unknown, or a
 * defined field that has a column because its definition contains M^-1. */
typedef struct lv_phase_column {
    int field;
    lv_space space;
    /* number of values, and where they begin in a vector of all columns */
    int size, offset;
    double *value; /* the values of the field */
    int scale;     /* the unknown of the matrix is h^scale times the field */
    bool unknown;
    bool vector;       /* a point, velocity or momentum; false: multipliers */
    bool displacement; /* on groups: a displacement of bodies, not a velocity */
    bool curved;       /* the equations of the phase are not affine in it (lv_phases) */
    int pace; /* index of the column whose velocity its corrections are measured by */
    /* tangents: for h = 0 the field is `start` times the velocity where the step
     * begins */
    double start;
    int row_power;           /* its equation is multiplied by h^row_power */
    lv_combination residual; /* unknowns only: the residual of the equation */
    /* linear phases: the residual where all unknowns are 0 */
    lv_combination residual_at_zero;
} lv_phase_column;

typedef LV_ARRAY(lv_phase_column) lv_column_list;

typedef struct lv_phase {
    /* What runs once when the phase begins, in every Newton pass, for any matrix, and in
     * addition for the full matrix. */
    lv_actions before, pass, cheap, full;
    /* linear phases: `pass` without what is 0 where all unknowns are 0 */
    lv_actions pass_at_zero;
    lv_column_list columns; /* unknowns first */
    int unknowns;           /* number of columns that are unknowns */
    int size, unknown_size; /* number of values of all columns, and of the unknowns */
    bool multipliers_only;  /* all unknowns are multipliers */
    lv_blocks blocks;
    bool linear;
    bool inexact;   /* the full matrix lacks derivatives of called functions */
    lv_asked asked; /* in which steps the equations of its multipliers hold */
} lv_phase;

/* One quantity that is copied from the end of a step to the start of the next one. */
typedef struct lv_handed {
    double *from, *to;
    int count;
    bool constant; /* it depends on nothing, so that `to` has its values already */
} lv_handed;

/* Quantities that are needed at the site where a step begins and that the last step has
 * evaluated at its end, so that the next step need not evaluate them. */
typedef struct lv_handover {
    int to;             /* the site where a step begins */
    lv_evaluation from; /* the evaluation at the end of the step */
    lv_wanted what;     /* the set of quantities that are handed over */
    /* whether some of them depend on velocities, or on time or inputs */
    bool of_velocity, of_time;
    bool same;                     /* the current step begins where the last one ended */
    lv_handed part[LV_QUANTITIES]; /* one entry for each of these quantities */
    int parts;                     /* number of entries of `part` */
    /* A copy in the stepper's memory: 1 if it is valid, time, position, velocity, the
     * quantities. NULL: there is no copy, and the quantities are in the storage of the
     * site `from` as long as lv_course.finished is set. */
    double *kept;
} lv_handover;

typedef struct lv_course {
    lv_system *system;
    lv_form form;
    lv_step_facts facts;
    lv_phases phases;
    lv_arena arena;
    int sizes[LV_SPACES];
    double **value;   /* by field: its values; NULL: the step does not use them */
    double **product; /* by atom: its values if it is a product, else NULL */
    LV_ARRAY(lv_site) sites;
    int *site_of; /* by atom: the site of its value; -1: it needs none */
    /* bodies that move on groups; `motion` is NULL if there are none */
    lv_turning turning;
    LV_ARRAY(lv_factor) factors; /* derivatives of group operators */
    /* one for each set of quantities; they own the plans */
    LV_ARRAY(lv_evaluation) plans;
    const lv_pattern *pattern[LV_QUANTITIES];
    /* the same by columns, for products with transposed matrices; NULL: there are none */
    const lv_columns *columns[LV_QUANTITIES];
    /* For quantities with rows for both kinds of constraints: the pattern of the rows of
     * holonomic constraints, which come first, and of nonholonomic ones. */
    lv_pattern holonomic[LV_QUANTITIES];
    lv_pattern rolling[LV_QUANTITIES];
    const lv_pattern *mass_pattern;
    /* values of the constant mass matrix; NULL: it is not constant */
    double *mass_values;
    lv_mass *mass;       /* factors of M, owned by the system; NULL: it is not constant */
    double *work;        /* work space of n numbers */
    double *multipliers; /* work space: one number per constraint of either kind */
    lv_phase *phase;     /* LV_PLACES entries: phases from 1 on, then the LV_PLACE_... */
    lv_combination *assignments; /* by assignment of the form: its right side */
    LV_ARRAY(lv_handover) handovers;
    /* the last step, which began at t, is complete: values are those of its end */
    bool finished;
    long evaluations[LV_QUANTITIES]; /* by quantity: number of evaluations, for tests */
    double h, t; /* size and start time of the current step, or of the last one */
} lv_course;

/* Entries of lv_course.phase after the phases: the assignments at the end of a step, the
 * fields that are shown after it, and the assignments before the first step. */
#define LV_PLACE_END(c) ((c)->phases.count + 1)
#define LV_PLACE_SHOWN(c) ((c)->phases.count + 2)
#define LV_PLACE_FIRST(c) ((c)->phases.count + 3)
#define LV_PLACES(c) ((c)->phases.count + 4)

/* Sets sizes[s] to the number of values of a field in space s. */
void lv_course_sizes(int sizes[LV_SPACES], const lv_system *system);

/* Takes ownership of the form. `reduce`: velocities become definitions if the mass matrix
 * is constant and can be solved with. Call lv_course_free also after a failure. */
lv_status lv_course_create(lv_course **course, lv_system *system, lv_form *form,
                           bool reduce, lv_error *err);
void lv_course_free(lv_course *course);

/* Call after numbers of the model have changed (model/alike.h) and the system has been
 * renewed: makes the course equal to one created for the present numbers. */
void lv_course_renew(lv_course *course);

/* Begins a step of size h at t from the current values of the carried fields. Quantities
 * that are handed over (lv_handover) are copied if the last step is complete and has
 * ended at this point, otherwise they are evaluated. */
void lv_course_begin(lv_course *course, double t, double h);

/* Handovers may be kept in a memory that is saved along with the state, for steps whose
 * evaluations no plan can repeat to the last bit. These functions return the number of
 * values, set where they are stored, and store them after a step. `start`: stores those
 * with which the step began instead of those with which it ended. */
int lv_course_kept_size(const lv_course *course);
void lv_course_place_kept(lv_course *course, double *memory);
void lv_course_keep(lv_course *course, bool start);

/* Whether a step takes quantities from the last one that depend on time or inputs. Call
 * lv_course_change_inputs when inputs have changed: the next step then evaluates them
 * again. */
bool lv_course_hands_over_inputs(const lv_course *course);
void lv_course_change_inputs(lv_course *course);

/* For steps that a program makes (fused/fused.h): lv_course_place sets time and step size
 * without evaluating anything; lv_course_replay, called after the step, evaluates
 * everything that the course would have evaluated in it. */
void lv_course_place(lv_course *course, double t, double h);
void lv_course_replay(lv_course *course);

/* The number of values of a quantity. */
int lv_course_quantity_size(const lv_course *course, lv_quantity quantity);

void lv_course_run(lv_course *course, const lv_actions *actions);

/* Repeats the actions whose results later phases need, after a phase is solved. */
void lv_course_rerun(lv_course *course, const lv_actions *actions);
void lv_combine(lv_course *course, const lv_combination *combination);

/* For callers that need quantities at the sites of a step later: lv_course_prepare finds
 * a plan for the evaluation and takes memory for its results; lv_course_evaluate may then
 * be called any number of times. */
lv_status lv_course_prepare(lv_course *course, lv_evaluation *evaluation, lv_error *err);
void lv_course_evaluate(lv_course *course, const lv_evaluation *evaluation);

/* Evaluates a derivative of a group operator, given by its index in lv_course.factors. */
void lv_course_factor(lv_course *course, int factor);

/* Pattern and values of a matrix at a site. Site -1 is the constant mass matrix. */
const lv_pattern *lv_course_pattern(const lv_course *course, lv_matrix_of matrix);
const double *lv_course_values(const lv_course *course, lv_matrix_of matrix, int site);

/* Looks for a formula that has no finite value at a site whose arguments are finite.
 * Returns LV_ERR_DOMAIN with its place, or LV_OK if there is none. */
lv_status lv_course_diagnose(lv_course *course, lv_error *err);

/* The values of the field with this name and index; NULL if the step does not use it. */
double *lv_course_value(const lv_course *course, const char *name, int index);

#endif
