#include "run/impact.h"

#include "run/sim.h"

#include <math.h>
#include <string.h>

/* The rate of the event's formula at the velocities v. */
static double rate_with(lv_sim *sim, const lv_event *event, const double *v)
{
    const lv_point point = {.q = sim->state.q,
                            .v = v,
                            .t = sim->state.t,
                            .w = sim->state.p,
                            .a = sim->events.a};
    lv_plan_run(sim->events.plan, &point);
    return lv_plan_result(sim->events.plan, LV_Q_EVENT)[event->when + 1];
}

/* The gradient of the formula, from its rate, which is linear in the velocities. v:
 * scratch, n numbers. */
static void gradient_of(lv_sim *sim, const lv_event *event, double *gradient, double *v)
{
    const int n = sim->system->n;
    memset(v, 0, (size_t)n * sizeof *v);
    const double still = rate_with(sim, event, v);
    for (int i = 0; i < n; i++) {
        v[i] = 1;
        gradient[i] = rate_with(sim, event, v) - still;
        v[i] = 0;
    }
}

/* Applies an impulse along the gradient, with the impulses of the constraints. Its
 * strength follows from the restitution. */
static lv_status collide(lv_sim *sim, const lv_event *event, const double *values,
                         double *v, lv_error *err)
{
    const lv_state *x = &sim->state;
    const int n = sim->system->n;
    double *gradient = v + n, *pushed = gradient + n, *p = pushed + n;
    const double e = values[event->restitution], rate = values[event->when + 1];
    if (!(e > 0 && isfinite(e))) {
        const lv_place place = lv_item_entry(event->item, "restitution")->place;
        return lv_fail_at(err, LV_ERR_DOMAIN, LV_AT(place),
                          "the restitution of event '%s' is %g at t = %.6g; it must be "
                          "positive: contacts that last are no events",
                          event->item->name, e, x->t);
    }
    gradient_of(sim, event, gradient, pushed);
    for (int i = 0; i < n; i++)
        p[i] = x->p[i] + gradient[i];
    memcpy(pushed, x->v, (size_t)n * sizeof *pushed);
    LV_TRY(lv_system_velocity(sim->system, pushed, x->t, x->q, p, err));
    LV_TRY(lv_system_project_velocity(sim->system, pushed, x->t, x->q, err));
    const double gain = rate_with(sim, event, pushed) - rate;
    if (!(fabs(gain) > 0) || !isfinite(gain))
        return lv_fail_at(err, LV_ERR_NUMERIC, LV_AT(event->item->place),
                          "event '%s' at t = %.6g: no impulse changes the rate of "
                          "'when'",
                          event->item->name, x->t);
    const double strength = -(1 + e) * rate / gain;
    for (int i = 0; i < n; i++)
        v[i] = x->v[i] + strength * (pushed[i] - x->v[i]);
    return LV_OK;
}

static lv_status set_velocities(lv_sim *sim, const lv_event *event, const double *values,
                                double *v, lv_error *err)
{
    const lv_state *x = &sim->state;
    memcpy(v, x->v, (size_t)sim->system->n * sizeof *v);
    for (int r = 0; r < event->velocity_count; r++) {
        const double value = values[event->velocity + r];
        if (!isfinite(value)) {
            const lv_place place = lv_item_entry(event->item, "velocity")->place;
            return lv_fail_at(err, LV_ERR_DOMAIN, LV_AT(place),
                              "a velocity that event '%s' sets at t = %.6g is not finite",
                              event->item->name, x->t);
        }
        v[event->coordinates[r]] = value;
    }
    return lv_system_project_velocity(sim->system, v, x->t, x->q, err);
}

static double energy_of(const lv_sim *sim)
{
    const lv_state *x = &sim->state;
    lv_watch watch;
    lv_system_watch(sim->system, &watch, x->t, x->q, x->v, x->p);
    return watch.energy;
}

lv_status lv_impact(lv_sim *sim, const lv_event *event, const double *values,
                    lv_error *err)
{
    lv_state *x = &sim->state;
    double *v = sim->events.room;
    const double before = energy_of(sim);
    LV_TRY(
        (event->restitution >= 0 ? collide : set_velocities)(sim, event, values, v, err));
    memcpy(x->v, v, (size_t)sim->system->n * sizeof *v);
    lv_system_momentum(sim->system, x->p, x->t, x->q, x->v);
    lv_balance_jump(&sim->balance, event->item->name, energy_of(sim) - before);
    sim->scheme->forget(sim->work);
    sim->last_h = sim->saved_h = 0;
    return LV_OK;
}
