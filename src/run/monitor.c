#include "run/monitor.h"

#include "num/extent.h"

#include <math.h>

lv_status lv_monitor_init(lv_monitor *m, lv_sim *sim, lv_arena *arena, lv_error *err)
{
    *m = (lv_monitor){.sim = sim, .maps = lv_system_map_count(sim->system)};
    const int own = sim->scheme->invariant ? 3 : 0;
    m->count = 10 + own + 3 * m->maps;
    m->numbers =
        lv_arena_alloc(arena, (size_t)m->count + (size_t)m->maps, sizeof *m->numbers);
    m->lambda = lv_arena_alloc(arena, (size_t)sim->system->rates + 1, sizeof *m->lambda);
    if (!m->numbers || !m->lambda)
        return lv_fail_memory(err);
    m->energy = m->numbers;
    m->residual = m->numbers + 3;
    m->lag = m->numbers + 6;
    m->newton = m->numbers + 8;
    m->invariant = own > 0 ? m->numbers + 10 : NULL;
    m->momentum = m->numbers + 10 + own;
    return LV_OK;
}

/* kept: initial, final, largest deviation */
static void look_at(double *kept, double value, bool first)
{
    if (first)
        kept[0] = value;
    kept[1] = value;
    kept[2] = first ? 0 : fmax(kept[2], fabs(value - kept[0]));
}

/* A difference of multiplier r that changes momenta in a step by their rounding only says nothing: the
 * multipliers of a body that moves on straight are zero, those that are carried are nearly. Right after
 * lv_system_accelerations. */
static bool is_noise(const lv_sim *sim, int r, double difference)
{
    const lv_system *s = sim->system;
    const lv_pattern *pattern = lv_plan_pattern(s->node, LV_Q_RATE_V);
    int first = pattern->start[r];
    double push = lv_extent(lv_plan_result(s->node, LV_Q_RATE_V) + first,
                            pattern->start[r + 1] - first);
    return fabs(difference * push * sim->h) <= 1e-10 * lv_extent(sim->state.p, s->n);
}

/* Multipliers that are carried from step to step should stay near those of the accelerations; a
 * look now and then is enough. */
static void look_at_carried(lv_monitor *m)
{
    enum { EVERY = 10 };
    lv_sim *sim = m->sim;
    const lv_system *s = sim->system;
    if (!s->has_nonholonomic || !sim->scheme->carried || sim->steps % EVERY != 0)
        return;
    const double *carried = sim->scheme->carried(sim->work);
    if (!carried || lv_system_accelerations(sim->system, NULL, m->lambda, sim->state.t,
                                            sim->state.q, sim->state.v, NULL) != LV_OK)
        return;
    for (int r = 0; r < s->rates - s->m; r++) {
        double lambda = m->lambda[s->m + r], difference = fabs(carried[r] - lambda);
        m->lag[1] = fmax(m->lag[1], fabs(lambda));
        if (!is_noise(sim, s->m + r, difference))
            m->lag[0] = fmax(m->lag[0], difference);
    }
}

void lv_monitor_look(lv_monitor *m, bool first)
{
    const lv_state *state = &m->sim->state;
    lv_system_watch(m->sim->system, &m->now, state->t, state->q, state->v, state->p);
    look_at(m->energy, m->now.energy, first);
    m->residual[0] = fmax(m->residual[0], m->now.position);
    m->residual[1] = fmax(m->residual[1], m->now.velocity);
    m->residual[2] = fmax(m->residual[2], m->now.rolling);
    look_at_carried(m);
    if (!first) {
        m->newton[0] += m->sim->iterations;
        m->newton[1] = fmax(m->newton[1], m->sim->iterations);
    }
    /* It belongs to one step size: a last step that is shortened keeps another one. */
    if (m->invariant && m->sim->start_time == 0)
        look_at(m->invariant, m->sim->scheme->invariant(m->sim->work, state, m->sim->h),
                first);
    double *maps = m->numbers + m->count;
    if (m->maps > 0)
        lv_system_momentum_maps(m->sim->system, maps, state->t, state->q, state->p);
    for (int k = 0; k < m->maps; k++)
        look_at(&m->momentum[(size_t)k * 3], maps[k], first);
}
