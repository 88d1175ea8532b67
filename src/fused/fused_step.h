/* Steps taken by programs (fused/fused.h): initial guesses, Newton passes, and the
 * decision whether these have converged.
 *
 * From step to step all numbers except the state stay in the workspace of a program.
 * They are copied to the course and to the memory of the stepper on request, or when the
 * course must take a step. */
#ifndef LV_FUSED_FUSED_STEP_H
#define LV_FUSED_FUSED_STEP_H

#include "course/carried.h"
#include "fused/steady.h"

typedef struct lv_program_steps {
    lv_course *course;
    /* solvers[k] is that of phase k + 1. Borrowed, like the course and the carried
     * fields */
    lv_solver *solvers;
    const lv_carried_field *carried;
    int carried_count;
    /* number of substeps of a composed step; 1: steps are not composed */
    int substeps;
    /* the caller looks at a solved step before it accepts the step or refuses it */
    bool waits;
    bool repeats; /* steps may be steady (fused/steady.h) */
    /* [0]: substeps of a composed step except the last one; [1]: steps that project
     * (lv_step_now). Both may be the same; NULL: no program takes such steps */
    lv_program_way *way[2];
    /* the way whose workspace has the last step; NULL: it is in the memory and the
     * course */
    lv_program_way *last;
    /* the state, if it still is that of an earlier step than the one in the workspace
     * (lv_step_now.hidden); NULL: it is that of its end */
    const lv_state *behind;
    lv_steady steady;
} lv_program_steps;

/* Makes the program for steps that project, or do not, if there can be one. The members
 * up to `repeats` must be set. */
lv_status lv_program_steps_make(lv_program_steps *steps, bool project,
                                const lv_rows_left_out *left_out, lv_error *err);
void lv_program_steps_done(lv_program_steps *steps);

/* The result of a step that a program has tried. */
typedef enum lv_program_end {
    LV_PROGRAM_SOLVED,
    /* no workspace has a step that ended where this one begins */
    LV_PROGRAM_ELSEWHERE,
    LV_PROGRAM_FAILED /* the course must take the step, from the same state */
} lv_program_end;

/* Both solve a step and accept it, unless the caller wants to do that. Go on: it
 * continues the last step, whose numbers are in a workspace. Begin: it starts from the
 * carried fields and evaluations in the course, and never returns
 * LV_PROGRAM_ELSEWHERE. */
lv_program_end lv_program_steps_go_on(lv_program_steps *steps, const lv_step_now *now,
                                      const lv_state *state, lv_step_report *report);
lv_program_end lv_program_steps_begin(lv_program_steps *steps, const lv_step_now *now,
                                      const lv_state *state, lv_step_report *report);

/* After a solved step of a caller that waits: accept it (the state becomes that of its
 * end, and the solvers learn from it) or refuse it (everything is as before the step).
 * Before that, deliver copies all values of the step, or those of one field, to the
 * course. */
void lv_program_steps_accept(lv_program_steps *steps, const lv_step_now *now,
                             const lv_state *state, lv_step_report *report);
void lv_program_steps_refuse(lv_program_steps *steps);
void lv_program_steps_deliver(const lv_program_steps *steps);
void lv_program_steps_deliver_some(const lv_program_steps *steps, const double *numbers);

/* Copies the last step to the course and to the memory of the stepper; no workspace has
 * it afterwards. Forget: no workspace has it, without copies. */
void lv_program_steps_settle(lv_program_steps *steps);
void lv_program_steps_forget(lv_program_steps *steps);

#endif
