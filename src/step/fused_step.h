/* Steps taken by programs (step/fused.h): initial guesses, Newton passes, and the
 * decision whether these have converged.
 *
 * From step to step all numbers except the state stay in the workspace of a program.
 * They are copied to the course and to the memory of the stepper on request, or when the
 * course must take a step. */
#ifndef LV_STEP_FUSED_STEP_H
#define LV_STEP_FUSED_STEP_H

#include "step/carried.h"
#include "step/fused.h"
#include "step/solver.h"

/* Numbers that one step passes to the next: `count` slots, starting at `from` at the end
 * of a step and at `to` at the start of the next one. */
typedef struct lv_program_link {
    /* offset in lv_state of the pointer to them, if they are part of the state */
    size_t in_state;
    int from, to, count;
} lv_program_link;

typedef LV_ARRAY(lv_program_link) lv_program_links;

typedef struct lv_program_way {
    lv_fused *fused;
    /* from the end of a step to the start of the next one, in this workspace */
    lv_program_links inside;
    /* the same for numbers that never change and that no step reads */
    lv_program_links fixed;
    /* from the end of a step of the other way, in its workspace, to the start of one of
     * this way; complete if `crosses` */
    lv_program_links across;
    bool crosses;
    lv_program_links outside; /* from the end of a step to the state */
    /* how many numbers each of q, v and p has, if they follow each other at the end of a
     * step in the workspace; 0: they do not */
    int row;
    lv_program_links before; /* from the state to the start of a step */
    /* ends of these fields that handed-over quantities depend on; NULL: nothing does */
    const lv_fused_range *q, *v;
    bool of_time; /* handed-over quantities depend on the time */
    /* an end overlaps with an input: no step can continue in this workspace */
    bool stuck;
    bool went_on; /* the step in the workspace continued an earlier one */
    /* the last step took one pass in every phase, so the next one is expected to as
     * well */
    bool easy;
} lv_program_way;

typedef struct lv_program_steps {
    lv_course *course;
    /* solvers[k] is that of phase k + 1. Borrowed, like the course and the carried
     * fields */
    lv_solver *solvers;
    const lv_carried_field *carried;
    int carried_count;
    /* number of substeps of a composed step; 1: steps are not composed */
    int substeps;
    /* [0]: substeps of a composed step except the last one; [1]: steps that project
     * (lv_step_now). Both may be the same; NULL: no program takes such steps */
    lv_program_way *way[2];
    /* the way whose workspace has the last step; NULL: it is in the memory and the
     * course */
    lv_program_way *last;
} lv_program_steps;

/* Makes the program for steps that project, or do not, if there can be one. The members
 * up to `substeps` must be set. */
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

/* Both solve a step. Go on: it continues the last step, whose numbers are in a
 * workspace. Begin: it starts from the carried fields and evaluations in the course, and
 * never returns LV_PROGRAM_ELSEWHERE. */
lv_program_end lv_program_steps_go_on(lv_program_steps *steps, const lv_step_now *now);
lv_program_end lv_program_steps_begin(lv_program_steps *steps, const lv_step_now *now);

/* After a solved step, either accept it (the state becomes that of its end, and the
 * solvers learn from it) or refuse it (everything is as before the step). Before that,
 * deliver copies all values of the step, or those of one field, to the course. */
void lv_program_steps_accept(lv_program_steps *steps, const lv_state *state,
                             lv_step_report *report);
void lv_program_steps_refuse(lv_program_steps *steps);
void lv_program_steps_deliver(const lv_program_steps *steps);
void lv_program_steps_deliver_some(const lv_program_steps *steps, const double *numbers);

/* Copies the last step to the course and to the memory of the stepper; no workspace has
 * it afterwards. */
void lv_program_steps_settle(lv_program_steps *steps);

#endif
