/* Questions that callers ask about a simulation: its state, multipliers, energies, work
 * and residuals. */
#include "run/sim.h"

#include "base/usage.h"
#include "run/events.h"
#include "stepper/stepper.h"
#include "system/agreement.h"
#include "system/determined.h"

#include <math.h>
#include <string.h>

double lv_sim_time(const lv_sim *sim)
{
    return sim ? sim->state.t : (double)NAN;
}

long long lv_sim_steps(const lv_sim *sim)
{
    return sim ? sim->steps : 0;
}

const double *lv_sim_position(const lv_sim *sim)
{
    return sim ? sim->state.q : NULL;
}

const double *lv_sim_velocity(const lv_sim *sim)
{
    return sim ? sim->state.v : NULL;
}

const double *lv_sim_momentum(const lv_sim *sim)
{
    return sim ? sim->state.p : NULL;
}

lv_status lv_sim_set_state(lv_sim *sim, double t, const double *q, const double *v,
                           lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, q);
    LV_NEED(err, v);
    LV_TRY(lv_need_finite(err, __func__, "t", t));
    const size_t bytes = (size_t)sim->system->n * sizeof *q;
    for (int i = 0; i < sim->system->n; i++)
        if (!isfinite(q[i]) || !isfinite(v[i]))
            return lv_fail(err, LV_ERR_USAGE,
                           "coordinate %d of the new state is not finite", i);
    memcpy(sim->state.q, q, bytes);
    memcpy(sim->state.v, v, bytes);
    sim->state.t = sim->start_time = t;
    sim->steps = 0;
    sim->last_h = sim->saved_h = 0;
    lv_system_start_turns(sim->system, t, q, v);
    lv_system_momentum(sim->system, sim->state.p, t, q, v);
    lv_balance_begin(&sim->balance, &sim->state);
    lv_changes_begin(&sim->changes, t);
    sim->scheme->forget(sim->work);
    return lv_events_begin(sim, err);
}

double lv_sim_step_size(const lv_sim *sim)
{
    return sim ? sim->h : (double)NAN;
}

lv_status lv_sim_set_step(lv_sim *sim, double step, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_TRY(lv_need_finite(err, __func__, "step", step));
    if (!(step > 0))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_set_step: the step size must be positive, not %g", step);
    if (step == sim->h)
        return LV_OK;
    sim->h = step;
    lv_changes_note_step(&sim->changes, sim->state.t);
    sim->start_time = sim->state.t;
    sim->steps = 0;
    return LV_OK;
}

int lv_sim_change_count(const lv_sim *sim)
{
    return sim ? lv_changes_count(&sim->changes) : 0;
}

lv_status lv_sim_change(const lv_sim *sim, int k, lv_change_info *info, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, info);
    const int count = lv_sim_change_count(sim);
    if (k < 0 || k >= count)
        return lv_fail(err, LV_ERR_USAGE, "lv_sim_change: there is no change %d of %d", k,
                       count);
    *info = lv_changes_describe(&sim->changes, k);
    return LV_OK;
}

int lv_sim_constraint_count(const lv_sim *sim)
{
    return sim ? sim->system->constraint_count : 0;
}

lv_status lv_sim_multipliers(const lv_sim *sim, double *lambda, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, lambda);
    int lost;
    lv_near near;
    return lv_system_multipliers(sim->system, lambda, &lost, &near, sim->state.t,
                                 sim->state.q, sim->state.v, err);
}

lv_energies lv_sim_energies(const lv_sim *sim)
{
    lv_watch w;
    if (!sim)
        return (lv_energies){(double)NAN, (double)NAN, (double)NAN};
    lv_system_watch(sim->system, &w, sim->state.t, sim->state.q, sim->state.v,
                    sim->state.p);
    return (lv_energies){w.kinetic, w.potential, w.energy};
}

int lv_sim_work_count(const lv_sim *sim)
{
    return sim ? sim->balance.count : 0;
}

const char *lv_sim_work_name(const lv_sim *sim, int k)
{
    return sim && k >= 0 && k < sim->balance.count ? sim->balance.names[k] : NULL;
}

const double *lv_sim_work(const lv_sim *sim)
{
    return sim ? sim->balance.work : NULL;
}

double lv_sim_balance(const lv_sim *sim)
{
    if (!sim)
        return (double)NAN;
    if (sim->balance.count == 0)
        return 0;
    return lv_balance_rest(&sim->balance, lv_sim_energies(sim).total, sim->balance.work);
}

void lv_sim_residuals(const lv_sim *sim, double *position, double *velocity)
{
    lv_watch w = {
        .position = (double)NAN, .velocity = (double)NAN, .rolling = (double)NAN};
    if (sim)
        lv_system_watch(sim->system, &w, sim->state.t, sim->state.q, sim->state.v,
                        sim->state.p);
    if (position)
        *position = w.position;
    if (velocity)
        *velocity = fmax(w.velocity, w.rolling);
}

int lv_sim_iterations(const lv_sim *sim)
{
    return sim ? sim->iterations : 0;
}

lv_start_change lv_sim_start_change(const lv_sim *sim)
{
    const lv_start_change none = {.position_coordinate = -1, .velocity_coordinate = -1};
    return sim ? sim->start_change : none;
}
