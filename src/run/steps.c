/* Steps of a simulation as callers ask for them: with events and counting, and with
 * explanations of failures. */
#include "run/sim.h"

#include "base/usage.h"
#include "run/advice.h"
#include "run/events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds step, time and a hint to the error of a failed step of size h. */
static lv_status explain(const lv_sim *sim, double h, lv_status status, lv_error *err)
{
    if (err && status != LV_ERR_MEMORY) {
        lv_advise_step(sim, err);
        char text[sizeof err->text];
        snprintf(text, sizeof text, "stopped at step %lld, t = %.6g (step %g): %.600s",
                 sim->steps + 1, sim->state.t, h, err->text);
        memcpy(err->text, text, sizeof text);
    }
    return status;
}

lv_status lv_sim_step(lv_sim *sim, lv_error *err)
{
    LV_NEED(err, sim);
    const double end = sim->start_time + (double)(sim->steps + 1) * sim->h;
    lv_status status = sim->events.count == 0 ? lv_sim_step_by(sim, sim->h, err)
                                              : lv_events_step(sim, sim->h, end, err);
    if (status != LV_OK)
        return explain(sim, sim->h, status, err);
    if (lv_events_stopped(&sim->events) >= 0)
        return LV_OK;
    sim->steps++;
    sim->state.t = end;
    return LV_OK;
}

lv_status lv_sim_step_many(lv_sim *sim, long long count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    if (count < 0)
        return lv_fail(err, LV_ERR_USAGE, "lv_sim_step_many: count is negative");
    for (long long k = 0; k < count; k++) {
        LV_TRY(lv_sim_step(sim, err));
        if (lv_events_stopped(&sim->events) >= 0)
            return LV_OK;
    }
    return LV_OK;
}

/* Fails if `until` lies in the past by more than the rounding of start_time + steps *
 * h. */
static lv_status check_end(const lv_sim *sim, double until, lv_error *err)
{
    const double now = sim->state.t, slack = 1e-9 * sim->h + 4 * DBL_EPSILON * fabs(now);
    LV_TRY(lv_need_finite(err, "lv_sim_advance", "until", until));
    if (until < now - slack)
        return lv_fail(
            err, LV_ERR_USAGE,
            "lv_sim_advance: t = %.17g lies in the past; the simulation stands "
            "at t = %.17g",
            until, now);
    return LV_OK;
}

lv_status lv_sim_advance(lv_sim *sim, double until, lv_error *err)
{
    double last = 0;
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_TRY(check_end(sim, until, err));
    long long count = lv_sim_plan_steps(sim->state.t, until, sim->h, &last);
    if (count >= LV_SIM_STEPS)
        return lv_fail(err, LV_ERR_LIMIT,
                       "lv_sim_advance: t = %g is more than %g steps away", until,
                       (double)LV_SIM_STEPS);
    if (count > 1)
        LV_TRY(lv_sim_step_many(sim, count - 1, err));
    if (count == 0 || lv_events_stopped(&sim->events) >= 0)
        return LV_OK;
    if (last == sim->h)
        return lv_sim_step(sim, err);

    /* A step of another size restarts the count of steps. */
    lv_status status = lv_events_step(sim, last, until, err);
    if (status != LV_OK)
        return explain(sim, last, status, err);
    if (lv_events_stopped(&sim->events) >= 0)
        return LV_OK;
    sim->start_time = sim->state.t = until;
    sim->steps = 0;
    return LV_OK;
}
