/* Decides whether the multipliers of dependent constraints that were frozen in a step
 * stay frozen in the next one. */
#include "stepper/stepper_private.h"

/* The smallest number of dependent constraints found by the phases that examine the end
 * of the step. */
static int count_dependent_at_end(const lv_stepper *s)
{
    int fewest = s->system->m;
    for (int k = 0; k < s->course->phases.count; k++) {
        const lv_phase *phase = s->solvers[k].phase;
        const int count = lv_step_matrix_redundant(s->solvers[k].matrix);
        if (phase->linear && s->now.asks[phase->asked] && count < fewest &&
            lv_solver_finds_dependent(&s->solvers[k]))
            fewest = count;
    }
    return fewest;
}

bool lv_stepper_has_small_pivots(const lv_stepper *s, int phases)
{
    bool small = false;
    for (int k = 0; k < phases; k++)
        small |= lv_solver_pivot_share(&s->solvers[k]) < LV_SOLVER_DEPENDENT;
    return small;
}

void lv_stepper_remember_choice(lv_stepper *s)
{
    const double smaller = 0.1;
    bool doubtful = s->ending.doubtful;
    for (int k = 0; s->frozen.count > 0 && k < s->course->phases.count; k++)
        if (s->frozen.fresh)
            lv_solver_restart_pivots(&s->solvers[k]);
        else
            doubtful |= lv_solver_pivot_share(&s->solvers[k]) < smaller;
    lv_frozen_remember(&s->frozen, doubtful, count_dependent_at_end(s));
}
