/* The numbers of a monitor: where each of them is, and whether those of a file are sound. */
#include "run/monitor.h"
#include "run/outputs.h"
#include "system/dissipation.h"

#include <limits.h>
#include <stddef.h>

/* Points the members of lv_monitor into `numbers`, in their order. Returns how many
 * numbers there are. */
static int divide(lv_monitor *m, double *numbers)
{
    const lv_system *s = m->sim->system;
    const int own = m->sim->scheme->invariant ? 3 : 0, maps = 3 * m->maps;
    const bool place = m->claims.position == LV_KEPT_EXACT;
    const bool rates = m->claims.velocity == LV_KEPT_EXACT &&
                       (m->thorough || !lv_monitor_has_legendre(m));
    const struct {
        double **part;
        int count;
    } parts[] = {
        {&m->energy, 3},
        {&m->balance, m->sim->balance.count > 0 ? 3 : 0},
        {&m->residual, 3},
        {&m->lag, 2},
        {&m->newton, 2},
        {&m->legendre, 4},
        {&m->stray, LV_LEVELS * LV_STRAY_NUMBERS},
        {&m->limits, place ? s->m : 0},
        {&m->rate_limits, rates ? s->constraint_count : 0},
        {&m->growth, LV_GROWTH_NUMBERS},
        {&m->rates, LV_GROWTH_NUMBERS},
        {&m->leap, LV_LEAP_NUMBERS},
        {&m->lost, 2 * LV_LOST_NUMBERS},
        {&m->turned, LV_TURNED_NUMBERS},
        {&m->outputs, lv_outputs_count(m->sim->model)},
        {&m->feeding, LV_FEEDING_NUMBERS * lv_dissipations_count(s->dissipations)},
        {&m->levers, 1},
        {&m->invariant, own},
        {&m->momentum, maps},
        {&m->jumped, lv_model_has_jumps(s->model) ? m->maps : 0}};
    int at = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; at += parts[k++].count)
        *parts[k].part = numbers && parts[k].count > 0 ? numbers + at : NULL;
    return at;
}

static lv_status init(lv_monitor *m, lv_sim *sim, lv_arena *arena, bool thorough,
                      lv_error *err)
{
    *m = (lv_monitor){
        .sim = sim, .maps = lv_system_map_count(sim->system), .thorough = thorough};
    sim->scheme->claims(sim->scheme, &m->claims, &sim->options);
    if (!sim->system->dissipations)
        LV_TRY(lv_dissipations_create(&sim->system->dissipations, sim->model, err));
    m->count = divide(m, NULL);
    m->numbers =
        lv_arena_alloc(arena, (size_t)m->count + (size_t)m->maps, sizeof *m->numbers);
    m->lambda = lv_arena_alloc(arena, (size_t)sim->system->constraint_count + 1,
                               sizeof *m->lambda);
    m->p = lv_arena_alloc(arena, (size_t)sim->system->n + 1, sizeof *m->p);
    if (!m->numbers || !m->lambda || !m->p)
        return lv_fail_memory(err);
    divide(m, m->numbers);
    return LV_OK;
}

lv_status lv_monitor_init(lv_monitor *m, lv_sim *sim, lv_arena *arena, lv_error *err)
{
    return init(m, sim, arena, false, err);
}

lv_status lv_monitor_init_thorough(lv_monitor *m, lv_sim *sim, lv_arena *arena,
                                   lv_error *err)
{
    return init(m, sim, arena, true, err);
}

/* ---- from a file ------------------------------------------------------------------- */

static bool is_within(double x, double most)
{
    return x >= 0 && x <= most;
}

/* A number of constraints, and the first of them; rows are 0 where there are fewer. */
static bool are_parts_sound(const double *parts, int rows)
{
    bool sound = is_within(parts[0], rows);
    for (int k = 0; k < LV_NEAR_SHOWN; k++)
        sound = sound && is_within(parts[1 + k], rows > 0 ? rows - 1 : 0);
    return sound;
}

static bool is_lost_sound(const double *lost, int rows)
{
    return lost[LV_LOST_COUNT] == 0 ||
           (is_within(lost[LV_LOST_COUNT], (double)LV_SIM_STEPS) &&
            are_parts_sound(lost + LV_LOST_PARTS, rows));
}

bool lv_monitor_is_sound(const lv_monitor *m)
{
    const int rows = m->sim->system->constraint_count;
    for (int k = 0; k < LV_LEVELS; k++) {
        const double *stray = m->stray + (ptrdiff_t)(k * LV_STRAY_NUMBERS);
        if (stray[LV_STRAY_RESIDUAL] > 0 && !is_within(stray[LV_STRAY_ROW], rows - 1))
            return false;
    }
    const double most = 4.0 * (double)LV_SIM_STEPS;
    return is_within(m->newton[1], INT_MAX) &&
           is_within(m->growth[LV_GROWTH_STEPS], most) &&
           is_within(m->growth[LV_GROWTH_MARK], most) &&
           is_within(m->turned[LV_TURNED_COORDINATE],
                     m->sim->model->coordinate_count - 1) &&
           are_parts_sound(m->leap + LV_LEAP_PARTS, rows) &&
           is_lost_sound(m->lost, rows) && is_lost_sound(m->lost + LV_LOST_NUMBERS, rows);
}
