/* The inner structure of a stepper, for its own files and stepper/lanes.h. */
#ifndef LV_STEPPER_STEPPER_PRIVATE_H
#define LV_STEPPER_STEPPER_PRIVATE_H

#include "course/branch.h"
#include "course/ending.h"
#include "course/limit.h"
#include "fused/fused_step.h"
#include "stepper/stepper.h"
#include "stepper/tangent.h"

/* Positions in the memory: number of (composed) steps in this round, number of substeps
 * of the present step, the step size to which carried fields belong (0: to any), then
 * carried fields. */
enum { LV_MEMORY_STEPS, LV_MEMORY_SUBSTEPS, LV_MEMORY_SIZE, LV_MEMORY_CARRIED };

/* Positions where steps end: of the step that was found otherwise, and of the newest points
 * of the branch. */
typedef enum lv_followed_end {
    LV_END_FOUND,
    LV_END_NEWER,
    LV_END_OLDER,
    LV_FOLLOWED_ENDS
} lv_followed_end;

struct lv_stepper {
    lv_system *system;
    lv_course *course;
    lv_arena arena;
    lv_solver *solvers; /* solvers[k] is that of phase k + 1 */
    /* evaluates holonomic constraints and their gradients; NULL: there are none */
    lv_plan *constraints;
    lv_frozen frozen;
    lv_ending ending;
    lv_carried_field *carried;
    int carried_count;
    int substeps;   /* largest number of substeps of a composed step */
    bool hides;     /* lv_stepper_hide_substeps was called */
    bool restarts;  /* lv_stepper_restart_multipliers was called */
    bool remembers; /* lv_stepper_options.remembers */
    lv_limit limit; /* limits how far bodies turn in a step */
    /* storage for a position, velocities and momenta of bodies on groups */
    double *place;
    double *memory;
    int memory_size;
    /* the numbers of the next step (lv_step_now), which the memory has, too */
    int next_number, next_substep;
    bool viewed; /* others may have changed the memory since the last step */
    /* if bodies move on groups: the state in the memory, with spatial momenta */
    lv_state inside;
    lv_step_now now;     /* the current step, or the last one */
    lv_tangent *tangent; /* NULL until lv_stepper_tangent is called */
    lv_program_steps programs;
    /* branches of the phases, and where steps on them end (stepper_follow.c); NULL until a
     * step was followed */
    lv_branch *branches;
    double *ends[LV_FOLLOWED_ENDS];
    bool by_program; /* the last step was taken by a program */
    bool replayed;   /* and the course has evaluated its quantities afterwards */
};

/* Call after an accepted step: remembers which rows were left out. The next step chooses
 * again if their residuals are more than rounding, or if the pivots without these rows
 * have become small since they were chosen. */
void lv_stepper_remember_choice(lv_stepper *stepper);

/* Whether the first phases of the step, which the course has taken, found small pivots:
 * constraints are close to dependent. */
bool lv_stepper_has_small_pivots(const lv_stepper *stepper, int phases);

/* If bodies move on groups: sets `inside` from the state of the caller. Between steps
 * `inside` is kept, so that nothing is rounded twice; it is set anew at the first step
 * and if the positions differ, as in a composed step that is taken once more. */
void lv_stepper_take_in(lv_stepper *stepper, const lv_state *state);

/* Sets the positions of the caller's state, by which lv_stepper_take_in recognises it,
 * after a substep that nobody looks at. */
void lv_stepper_put_position(const lv_stepper *stepper, lv_state *state);

/* Sets the state of the caller from positions and velocities of `inside`. Its momenta
 * are those of its coordinates. */
void lv_stepper_put_out(const lv_stepper *stepper, lv_state *state, double t,
                        const double *q, const double *v);

/* Takes a step by the course, which must have begun it. On failure all notes are those
 * before the step. */
lv_status lv_stepper_run_course(lv_stepper *stepper, const lv_state *state,
                                lv_step_report *report, lv_error *err);
void lv_stepper_restore_notes(lv_stepper *stepper);

/* Solves all phases of the step `now`; computes the new values of carried fields; the same
 * with a check whether these can be accepted. */
lv_status lv_stepper_run_phases(lv_stepper *stepper, const lv_state *state,
                                lv_step_report *report, lv_error *err);
void lv_stepper_assign(lv_stepper *stepper);
lv_status lv_stepper_end_course(lv_stepper *stepper, lv_error *err);

/* Judges whether a step whose phases were solved with the status `found` ended where the
 * motion leads. If that is doubtful, or the step failed, finds the solution that belongs to
 * the motion. Fails if there is none. */
lv_status lv_stepper_judge(lv_stepper *stepper, const lv_state *state, lv_status found,
                           lv_step_report *report, lv_error *err);

#endif
