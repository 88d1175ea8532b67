/* Inside a stepper, for steps of several at once (step/lanes.h). */
#ifndef LV_STEP_STEPPER_PRIVATE_H
#define LV_STEP_STEPPER_PRIVATE_H

#include "step/ending.h"
#include "step/fused_step.h"
#include "step/limit.h"
#include "step/stepper.h"
#include "step/tangent.h"

/* Places in the memory: composed steps of this round, substeps of this step, then carried fields. */
enum { LV_MEMORY_STEPS, LV_MEMORY_SUBSTEPS, LV_MEMORY_CARRIED };

struct lv_stepper {
    lv_system *system;
    lv_course *course;
    lv_arena arena;
    lv_solver *solvers;   /* of phases 1 .. */
    lv_plan *constraints; /* holonomic ones with their gradients; NULL: there are none */
    lv_frozen frozen;
    lv_ending ending;
    lv_carried_field *carried;
    int carried_count;
    int substeps;   /* of a composed step, at most */
    bool restarts;  /* every step begins with the multipliers of the motion */
    lv_limit limit; /* on how far bodies turn in a step */
    double *place;  /* room for a position, velocities and momenta, of bodies on groups */
    double *memory;
    int memory_size;
    lv_state
        inside; /* bodies move on groups: the state as the memory has it, spatial momenta in it */
    lv_step_now now;     /* the step that is taken, or was the last one */
    lv_tangent *tangent; /* NULL until it is asked for */
    lv_program_steps programs;
    bool by_program; /* the last step was made by one of them, */
    bool replayed;   /* and the course has evaluated what it would have */
};

/* A step was accepted. Are other rows to be left out in the next one? What was left out is more than rounding, or
 * constraints are nearly dependent without these rows, measured by pivots since they were chosen. */
void lv_stepper_remember_choice(lv_stepper *stepper);

/* Bodies move on groups: the state as it is inside. Between steps it stays what it was, so that nothing is rounded twice;
 * but a composed step that is taken once more begins elsewhere. */
void lv_stepper_take_in(lv_stepper *stepper, const lv_state *state);

/* The state that callers have, from positions and velocities inside. Its momenta are those of its coordinates. */
void lv_stepper_put_out(const lv_stepper *stepper, lv_state *state, double t,
                        const double *q, const double *v);

#endif
