#include "run/monitor.h"

#include <math.h>

lv_status lv_monitor_init(lv_monitor *m, lv_sim *sim, lv_arena *arena, lv_error *err)
{
    *m = (lv_monitor){.sim = sim, .maps = lv_system_map_count(sim->system)};
    const int own = sim->scheme->invariant ? 3 : 0;
    m->count = 7 + own + 3 * m->maps;
    m->numbers =
        lv_arena_alloc(arena, (size_t)m->count + (size_t)m->maps, sizeof *m->numbers);
    if (!m->numbers)
        return lv_fail_memory(err);
    m->energy = m->numbers;
    m->residual = m->numbers + 3;
    m->newton = m->numbers + 5;
    m->invariant = own > 0 ? m->numbers + 7 : NULL;
    m->momentum = m->numbers + 7 + own;
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

void lv_monitor_look(lv_monitor *m, bool first)
{
    const lv_state *state = &m->sim->state;
    lv_system_watch(m->sim->system, &m->now, state->t, state->q, state->v, state->p);
    look_at(m->energy, m->now.energy, first);
    m->residual[0] = fmax(m->residual[0], m->now.position);
    m->residual[1] = fmax(m->residual[1], m->now.velocity);
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
