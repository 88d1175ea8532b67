/* Steps by the course: all phases are solved in order, from initial guesses that past steps
 * suggest, then carried fields are assigned. */
#include "stepper/stepper_private.h"

#include <math.h>

/* Whether equations of the first phases were left out because they depend on others. */
static bool is_redundant(const lv_stepper *s, int phases)
{
    bool redundant = s->frozen.count > 0;
    for (int k = 0; k < phases && !redundant; k++)
        redundant = s->now.asks[s->course->phase[k + 1].asked] &&
                    lv_step_matrix_redundant(s->solvers[k].matrix) > 0;
    return redundant;
}

/* Whether multipliers change much from one step to the next. */
static bool do_multipliers_jump(const lv_stepper *s)
{
    const double much = 0.3;
    const lv_course *c = s->course;
    const double *now = lv_course_value(c, "lambda", 0),
                 *before = lv_course_value(c, "last_lambda", 0);
    double change = 0, size = 0;
    for (int r = 0; now && before && r < s->system->m && s->now.number > 0; r++) {
        change = fmax(change, fabs(now[r] - before[r]));
        size = fmax(size, fmax(fabs(now[r]), fabs(before[r])));
    }
    return change > much * size;
}

/* Whether constraints are dependent in this step, or so nearly dependent that the
 * remaining error of the iteration shows in their multipliers. */
static bool are_dependent(const lv_stepper *s, int phases)
{
    return is_redundant(s, phases) ||
           (lv_stepper_has_small_pivots(s, phases) && do_multipliers_jump(s));
}

void lv_stepper_assign(lv_stepper *s)
{
    lv_course *c = s->course;
    lv_course_run(c, &c->phase[LV_PLACE_END(c)].before);
    for (int k = 0; k < c->form.assignments.count; k++)
        if (!c->form.assignments.data[k].first)
            lv_combine(c, &c->assignments[k]);
}

lv_status lv_stepper_run_phases(lv_stepper *s, const lv_state *state,
                                lv_step_report *report, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; k < s->course->phases.count && status == LV_OK; k++) {
        if (s->course->phase[k + 1].asked == LV_ASKED_DEPENDENT)
            s->now.asks[LV_ASKED_DEPENDENT] = are_dependent(s, k);
        status = lv_solver_run(&s->solvers[k], report, err);
    }
    return status == LV_OK ? LV_OK
                           : lv_limit_explain(&s->limit, state, s->now.h, status, err);
}

void lv_stepper_restore_notes(lv_stepper *s)
{
    for (int k = 0; k < s->course->phases.count; k++)
        lv_solver_restore_notes(&s->solvers[k]);
}

static void begin_notes(lv_stepper *s)
{
    for (int k = 0; k < s->course->phases.count; k++) {
        lv_solver_begin_step(&s->solvers[k]);
        /* With a new choice the multipliers differ from those of the steps before. */
        if (s->frozen.fresh && s->frozen.count > 0)
            lv_solver_distrust(&s->solvers[k]);
    }
}

lv_status lv_stepper_end_course(lv_stepper *s, lv_error *err)
{
    lv_stepper_assign(s);
    return lv_ending_check(&s->ending, &s->now, is_redundant(s, s->course->phases.count),
                           err);
}

lv_status lv_stepper_run_course(lv_stepper *s, const lv_state *state,
                                lv_step_report *report, lv_error *err)
{
    begin_notes(s);
    lv_status status = lv_stepper_run_phases(s, state, report, err);
    if (status == LV_OK)
        status = lv_stepper_end_course(s, err);
    status = lv_stepper_judge(s, state, status, report, err);
    if (status != LV_OK)
        lv_stepper_restore_notes(s);
    return status;
}
