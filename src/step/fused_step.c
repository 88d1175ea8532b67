#include "step/fused_step.h"

/* Is it a phase that has to be solved in passes? */
static bool has_passes(const lv_solver *w)
{
    return !w->phase->linear &&
           (w->now->asks[w->phase->asked] || !w->phase->multipliers_only);
}

/* After more passes than usual: are the equations solved, or do they only seem to be? */
static bool is_settled(lv_solver *solvers, int count)
{
    bool settled = true, replayed = false;
    for (int k = 0; k < count && settled; k++) {
        lv_solver *w = &solvers[k];
        if (!has_passes(w) || !lv_solver_asks_settled(w))
            continue;
        if (!replayed)
            lv_course_replay(w->course);
        replayed = true;
        settled = lv_solver_is_settled(w);
    }
    return settled;
}

/* One pass in all phases; they have converged when each of them has. */
static lv_verdict make_pass(lv_fused *fused, lv_solver *solvers, int count,
                            const lv_step_now *now)
{
    lv_verdict verdict = LV_CONVERGED;
    if (!(lv_fused_run(fused, now->from->t, now->h) <= LV_FUSED_GROWTH))
        return LV_DIVERGED;
    for (int k = 0; k < count && verdict != LV_DIVERGED; k++) {
        const lv_verdict found =
            has_passes(&solvers[k]) ? lv_solver_judge(&solvers[k]) : LV_CONVERGED;
        verdict = found == LV_CONVERGED ? verdict : found;
    }
    return verdict;
}

bool lv_fused_step(lv_fused *fused, lv_solver *solvers, const lv_step_now *now,
                   lv_step_report *report)
{
    const int count = lv_fused_phases(fused);
    lv_verdict verdict = LV_GO_ON;
    for (int k = 0; k < count; k++)
        if (has_passes(&solvers[k]))
            lv_solver_begin_passes(&solvers[k]);
    while (verdict == LV_GO_ON)
        verdict = make_pass(fused, solvers, count, now);
    const bool done = verdict == LV_CONVERGED && is_settled(solvers, count);
    for (int k = 0; k < count; k++) {
        if (!done)
            lv_solver_restore_notes(&solvers[k]);
        else if (has_passes(&solvers[k]))
            report->iterations += solvers[k].newton.iterations;
    }
    return done;
}
