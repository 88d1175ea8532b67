/* Takes steps that a text describes (step/read.h): one mechanism for all schemes.
 *
 * A step goes through its phases. Each begins with what past steps let expect of its
 * unknowns, and is solved by Newton's method with the matrices of step/matrix.h: the
 * cheap one first, the full one where the cheap one is seen to contract slowly. At the
 * end of the step carried fields are assigned. */
#ifndef LV_STEP_STEPPER_H
#define LV_STEP_STEPPER_H

#include "step/read.h"
#include "step/state.h"

typedef struct lv_stepper lv_stepper;

/* text and table as in lv_form_read. */
lv_status lv_stepper_create(lv_stepper **stepper, lv_system *system, const char *text,
                            const lv_step_table *table, lv_stepper_options options,
                            lv_error *err);
void lv_stepper_free(lv_stepper *stepper);

/* Numbers of the model have changed (model/alike.h), and the system has been renewed: the
 * stepper is as it would have been created for them. false: it would have been another
 * one, or that cannot be told. */
bool lv_stepper_renew(lv_stepper *stepper);

/* Steps come in groups, at most `substeps` in each, as in compositions; the last one of a
 * group is told to project. What is remembered of a step is then for the same substep of
 * the next group. Before the first step only. */
lv_status lv_stepper_compose(lv_stepper *stepper, int substeps, lv_error *err);

/* From now on every step begins with the multipliers of nonholonomic constraints that
 * belong to the accelerations there, not with those that the step before ended with. */
void lv_stepper_restart_multipliers(lv_stepper *stepper);

/* One step of size h; on failure the state is untouched. project: equations marked `once`
 * are asked. */
lv_status lv_stepper_step(lv_stepper *stepper, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err);

/* The state where x, by the chart or by free motion, takes the position with which the
 * last step began, with these spatial momenta; bodies move on groups. t of the state is
 * given, and its other numbers are found, in coordinates. */
lv_status lv_stepper_place(lv_stepper *stepper, const double *x, const double *momenta,
                           lv_state *state, lv_error *err);

/* The derivative of the last step as a map (q, p) -> (q, p): 2 n x 2 n numbers by rows,
 * what is carried besides being held; of bodies on groups in the coordinates of callers
 * (step/embedding.h). LV_ERR_USAGE if there was no step, LV_ERR_MODEL if velocities are
 * carried that do not follow from momenta. The first call takes memory. */
lv_status lv_stepper_tangent(lv_stepper *stepper, double *matrix, lv_error *err);

lv_memory_view lv_stepper_memory(lv_stepper *stepper);
void lv_stepper_forget(lv_stepper *stepper);

/* Inputs of the model have changed. What past steps let expect is kept. */
void lv_stepper_change_inputs(lv_stepper *stepper);

/* Evaluates the fields that the text shows, for the step that was the last one. */
void lv_stepper_show(lv_stepper *stepper);

/* The value of a field in the last step: of an unknown, an argument of an operator, or
 * one that is shown; NULL: there is none. Carried fields have the values with which the
 * step began. */
const double *lv_stepper_value(lv_stepper *stepper, const char *name, int index);

/* A carried field that is not part of the state; NULL: the system has none of this kind,
 * or before the first step. */
double *lv_stepper_carried(lv_stepper *stepper, const char *name);

/* Multipliers of holonomic constraints as steps have them become those of least norm with
 * the same forces at this state: where constraints depend on others, steps keep some of
 * them at zero. */
void lv_stepper_release(lv_stepper *stepper, const lv_state *at, double *multipliers);

/* For tests, which compare all ways to take a step: the one that steppers take from now
 * on, in the whole process. */
typedef enum lv_step_way {
    LV_WAY_USUAL,
    LV_WAY_COURSE,    /* by the course, never by a program */
    LV_WAY_FULL,      /* and with full matrices */
    LV_WAY_UNREDUCED, /* and velocities stay unknowns where the mass matrix is constant */
    LV_WAYS
} lv_step_way;
void lv_stepper_force(lv_step_way way);

/* For tests: phases, unknown numbers in each, evaluations of a quantity in a step with
 * one pass in each phase. */
int lv_stepper_phases(const lv_stepper *stepper);
int lv_stepper_unknowns(const lv_stepper *stepper, int phase);
struct lv_course *lv_stepper_course(lv_stepper *stepper);

/* For tests: was the last step made by a program (step/fused.h)? Not known any more once
 * something of it was shown. */
bool lv_stepper_by_program(const lv_stepper *stepper);

#endif
