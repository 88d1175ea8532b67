/* Takes the steps that a text describes (step/read.h): one mechanism for all schemes.
 *
 * A step solves its phases in order. Each phase begins with an initial guess from past
 * steps and is solved by Newton's method with the matrices of course/matrix.h: first the
 * cheap one, then the full one if the cheap one converges slowly. At the end of the step
 * carried fields are assigned. */
#ifndef LV_STEPPER_STEPPER_H
#define LV_STEPPER_STEPPER_H

#include "course/state.h"
#include "step/read.h"

typedef struct lv_stepper lv_stepper;

/* `text` and `table` are those of lv_form_read. */
lv_status lv_stepper_create(lv_stepper **stepper, lv_system *system, const char *text,
                            const lv_step_table *table, lv_stepper_options options,
                            lv_error *err);
void lv_stepper_free(lv_stepper *stepper);

/* Call after numbers of the model have changed (model/alike.h) and the system has been
 * renewed: makes the stepper equal to one created for the present numbers. Returns false
 * if such a stepper would differ in structure, or if that cannot be decided. */
bool lv_stepper_renew(lv_stepper *stepper);

/* Announces composed steps: groups of at most `substeps` steps, of which the last one is
 * called with `project`. Predictions for a substep then come from the same substep of
 * earlier groups. Only before the first step. */
lv_status lv_stepper_compose(lv_stepper *stepper, int substeps, lv_error *err);

/* The caller promises that nobody reads or changes q, v and p of the state between the
 * substeps of a composed step; they need not be up to date there. If a substep fails the
 * caller restores the state and calls lv_stepper_forget. */
void lv_stepper_hide_substeps(lv_stepper *stepper);

/* From now on every step begins with the multipliers of nonholonomic constraints that
 * follow from the accelerations at its start, not with those at the end of the step
 * before. */
void lv_stepper_restart_multipliers(lv_stepper *stepper);

/* Takes one step of size h; on failure the state is unchanged. `project`: equations
 * marked `once` hold in this step. */
lv_status lv_stepper_step(lv_stepper *stepper, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err);

/* For bodies on groups: the state with these spatial momenta at the position that x leads
 * to from the start of the last step, by the chart or by free rotation. state->t is
 * given; q, v and p of the state are set, in coordinates. */
lv_status lv_stepper_place(lv_stepper *stepper, const double *x, const double *momenta,
                           lv_state *state, lv_error *err);

/* The derivative of the last step as a map (q, p) -> (q, p): 2 n x 2 n numbers by rows,
 * with all other carried fields constant; for bodies on groups in the coordinates of
 * callers (stepper/embedding.h). Returns LV_ERR_USAGE if there was no step, LV_ERR_MODEL if
 * velocities are carried that do not follow from momenta. The first call allocates
 * memory. */
lv_status lv_stepper_tangent(lv_stepper *stepper, double *matrix, lv_error *err);

lv_memory_view lv_stepper_memory(lv_stepper *stepper);
void lv_stepper_forget(lv_stepper *stepper);

/* For steppers that remember past steps (lv_stepper_options.remembers): whether the next
 * step, of size h, goes on from them. Otherwise the caller begins anew with steps of this
 * size: lv_stepper_start forgets past steps, and lv_stepper_set_carried then sets fields
 * that the text carries besides the state. */
bool lv_stepper_continues(const lv_stepper *stepper, double h);
void lv_stepper_start(lv_stepper *stepper, double h);
void lv_stepper_set_carried(lv_stepper *stepper, const char *name, int index,
                            const double *numbers);

/* Whether the multipliers of the last step have nothing to do with those before it:
 * constraints were nearly dependent, so that multipliers may be of any size in
 * combinations that hardly exert a force, or other constraints were left out. */
bool lv_stepper_multipliers_jump(const lv_stepper *stepper);

/* Sets all carried fields of this name to 0. Unknowns may mean something else then: the
 * next step begins without a prediction. */
void lv_stepper_clear_carried(lv_stepper *stepper, const char *name);

/* Call after inputs have changed on which the motion depends. Predictions from past steps
 * are kept, unless the stepper remembers these steps (lv_stepper_options.remembers). */
void lv_stepper_change_inputs(lv_stepper *stepper);

/* Evaluates the fields that the text shows, for the last step. */
void lv_stepper_show(lv_stepper *stepper);

/* The value of a field in the last step: of an unknown, an argument of an operator, or a
 * shown field; NULL: there is none. Carried fields have their values at the start of the
 * step. */
const double *lv_stepper_value(lv_stepper *stepper, const char *name, int index);

/* The value of a carried field that is not part of the state; NULL if the system has no
 * such field, or before the first step. */
double *lv_stepper_carried(lv_stepper *stepper, const char *name);

/* Replaces multipliers of holonomic constraints, as steps compute them, by those of least
 * norm with the same forces at this state: where constraints depend on others, steps keep
 * some multipliers at zero. */
void lv_stepper_release(lv_stepper *stepper, const lv_state *at, double *multipliers);

/* For tests, which compare all ways to take a step: sets the way of all steppers from now
 * on, in the whole process. */
typedef enum lv_step_way {
    LV_WAY_USUAL,
    LV_WAY_COURSE, /* by actions of the course, never by a program */
    LV_WAY_FULL,   /* the same, with full matrices */
    /* The same, and velocities stay unknowns even if the mass matrix is constant */
    LV_WAY_UNREDUCED,
    LV_WAYS
} lv_step_way;
void lv_stepper_force(lv_step_way way);

/* For tests: the number of phases, the number of unknowns in one, and the course, which
 * counts evaluations. */
int lv_stepper_phases(const lv_stepper *stepper);
int lv_stepper_unknowns(const lv_stepper *stepper, int phase);
struct lv_course *lv_stepper_course(lv_stepper *stepper);

/* For tests: was the last step made by a program (fused/fused.h)? Not meaningful once
 * fields of it were shown. */
bool lv_stepper_by_program(const lv_stepper *stepper);

#endif
