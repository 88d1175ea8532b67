/* Steps that are made by programs (step/fused.h): initial guesses, passes, and whether they end at a solution.
 *
 * From step to step all numbers stay in the workspace of a program, but for those of the state. The course and the memory
 * of the stepper get them when somebody asks, or when the course is to take a step. */
#ifndef LV_STEP_FUSED_STEP_H
#define LV_STEP_FUSED_STEP_H

#include "step/carried.h"
#include "step/fused.h"
#include "step/solver.h"

/* What is carried on from one step to the next, in slots: from is where a step leaves it, to is where the next one
 * expects it. */
typedef struct lv_program_link {
    size_t
        in_state; /* where lv_state has the pointer to it, if it is part of the state */
    int from, to, count;
} lv_program_link;

typedef LV_ARRAY(lv_program_link) lv_program_links;

typedef struct lv_program_way {
    lv_fused *fused;
    lv_program_links inside;  /* from where a step ends to where the next one begins, */
    lv_program_links fixed;   /* what of that never changes, and no step reads; */
    lv_program_links outside; /* what becomes part of the state, */
    int row; /* numbers of each part of the state, where all are in one row; 0: they are not */
    lv_program_links before;     /* and what of the state a step begins with */
    const lv_fused_range *q, *v; /* where a step ends; NULL: nobody asks */
    bool of_time;                /* evaluations that are handed over depend on the time */
    bool stuck;                  /* no step can go on from the one before */
    bool went_on;                /* the step in the workspace has gone on from another */
} lv_program_way;

typedef struct lv_program_steps {
    lv_course *course;
    lv_solver *solvers; /* of all phases */
    const lv_carried_field *carried;
    int carried_count;
    int substeps; /* of a composed step */
    lv_program_way *way
        [2]; /* inside of a composed step, at its end, which may be the same; NULL: no program makes such a step */
    lv_program_way
        *last; /* whose workspace has the step before; NULL: memory and course have it */
} lv_program_steps;

/* Makes the program for steps that project or do not, if there can be one. Course, solvers and carried fields are there. */
lv_status lv_program_steps_make(lv_program_steps *steps, bool project,
                                const lv_rows_left_out *left_out, lv_error *err);
void lv_program_steps_done(lv_program_steps *steps);

/* How a step ended that was to be solved by a program. */
typedef enum lv_program_end {
    LV_PROGRAM_SOLVED,
    LV_PROGRAM_ELSEWHERE, /* the workspace has no step that ended where this one begins */
    LV_PROGRAM_FAILED     /* the course has to take it, from the same beginning */
} lv_program_end;

/* Solves the step from where the workspace is; or, then never with the second end, with the carried fields and evaluations
 * at the start that the course has. */
lv_program_end lv_program_steps_go_on(lv_program_steps *steps, const lv_step_now *now);
lv_program_end lv_program_steps_begin(lv_program_steps *steps, const lv_step_now *now);

/* After a step that is solved: the state is what it makes of it, and the solvers learn from it as if they had solved it; or
 * it is given up, and all is as it was. In between the course may have its values, all or a field. */
void lv_program_steps_accept(lv_program_steps *steps, const lv_state *state,
                             lv_step_report *report);
void lv_program_steps_refuse(lv_program_steps *steps);
void lv_program_steps_deliver(const lv_program_steps *steps);
void lv_program_steps_deliver_some(const lv_program_steps *steps, const double *numbers);

/* Course and memory have the last step from now on. */
void lv_program_steps_settle(lv_program_steps *steps);

#endif
