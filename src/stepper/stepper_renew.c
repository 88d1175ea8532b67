/* Reuse of a stepper after numbers of its model have changed. */
#include "stepper/stepper_private.h"

#include <string.h>

/* Returns false also if there is no program because a linear system was singular at the
 * sample: with other numbers it may not be. */
static bool renew_programs(lv_program_steps *p)
{
    lv_program_steps_forget(p);
    if (!p->way[1] && lv_fused_is_possible(p->course))
        return false;
    for (int k = 0; k < 2; k++)
        if (p->way[k] && (k == 0 || p->way[0] != p->way[1]) &&
            !lv_fused_renew(p->way[k]->fused))
            return false;
    return true;
}

static bool renew_solver(lv_solver *w)
{
    w->solved = w->probing = w->expects_nothing = w->first_squares = false;
    w->newton.iterations = 0;
    return lv_step_matrix_renew(w->matrix);
}

bool lv_stepper_renew(lv_stepper *s)
{
    lv_course *c = s->course;
    if (s->tangent || s->system->still || c->form.calls.count > 0)
        return false;
    lv_stepper_forget(s);
    s->now = (lv_step_now){0};
    s->by_program = s->replayed = false;
    if (s->constraints)
        lv_plan_renew(s->constraints);
    lv_course_renew(c);
    for (int k = 0; k < c->phases.count; k++)
        if (!renew_solver(&s->solvers[k]))
            return false;
    return lv_frozen_expect_same(&s->frozen) && renew_programs(&s->programs);
}
