/* The system of a simulation at any state: momenta, velocities, energies, constraints and their forces. */
#include "base/usage.h"
#include "num/sparse.h"
#include "run/sim.h"

#include <string.h>

int lv_sim_holonomic_count(const lv_sim *sim)
{
    return sim ? sim->system->m : 0;
}

lv_status lv_sim_momentum_at(const lv_sim *sim, double *p, double t, const double *q,
                             const double *v, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, p);
    LV_NEED(err, q);
    LV_NEED(err, v);
    lv_system_momentum(sim->system, p, t, q, v);
    return LV_OK;
}

lv_status lv_sim_velocity_at(const lv_sim *sim, double *v, double t, const double *q,
                             const double *p, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, v);
    LV_NEED(err, q);
    LV_NEED(err, p);
    if (v == p)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_velocity_at: v and p must not be the same array");
    return lv_system_velocity(sim->system, v, t, q, p, err);
}

lv_status lv_sim_energies_at(const lv_sim *sim, lv_energies *energies, double t,
                             const double *q, const double *v, const double *p,
                             lv_error *err)
{
    lv_watch w;
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, energies);
    LV_NEED(err, q);
    LV_NEED(err, v);
    LV_NEED(err, p);
    lv_system_watch(sim->system, &w, t, q, v, p);
    *energies = (lv_energies){w.kinetic, w.potential, w.energy};
    return LV_OK;
}

lv_status lv_sim_constraints_at(const lv_sim *sim, double *position, double *velocity,
                                double t, const double *q, const double *v, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, q);
    LV_NEED(err, v);
    const lv_system *s = sim->system;
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(s->monitor_plan, &point);
    if (position)
        memcpy(position, lv_plan_result(s->monitor_plan, LV_Q_CONSTRAINT),
               (size_t)s->m * sizeof *position);
    if (velocity)
        memcpy(velocity, lv_plan_result(s->monitor_plan, LV_Q_RATE),
               (size_t)s->constraint_count * sizeof *velocity);
    return LV_OK;
}

lv_status lv_sim_constraint_force_at(const lv_sim *sim, double *force, double t,
                                     const double *q, const double *v,
                                     const double *lambda, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, force);
    LV_NEED(err, q);
    LV_NEED(err, v);
    LV_NEED(err, lambda);
    const lv_system *s = sim->system;
    const lv_point point = {.q = q, .v = v, .t = t};
    memset(force, 0, (size_t)s->n * sizeof *force);
    if (s->constraint_count == 0)
        return LV_OK;
    lv_plan_run(s->velocity_plan, &point);
    lv_sparse_multiply_transposed(lv_plan_pattern(s->velocity_plan, LV_Q_RATE_V),
                                  lv_plan_result(s->velocity_plan, LV_Q_RATE_V), 1,
                                  lambda, force);
    return LV_OK;
}

bool lv_sim_step_multipliers(const lv_sim *sim, double *lambda, double *gamma)
{
    if (!sim || !lambda || !gamma || !sim->scheme->multipliers)
        return false;
    memset(gamma, 0, (size_t)sim->system->constraint_count * sizeof *gamma);
    sim->scheme->multipliers(sim->work, &sim->state, lambda, gamma);
    return true;
}

const double *lv_sim_carried_multipliers(const lv_sim *sim)
{
    return sim && sim->scheme->nonholonomic_multipliers
               ? sim->scheme->nonholonomic_multipliers(sim->work)
               : NULL;
}

void lv_sim_forget(lv_sim *sim)
{
    if (sim)
        sim->scheme->forget(sim->work);
}
