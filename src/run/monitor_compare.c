/* Looks that only compare with what was seen before. One program makes them, and does so
 * for eight consecutive steps at once if nobody needs the numbers of the monitor at every
 * step. If something is unusual at one of these steps, they are examined again one by one,
 * and a step at which it is gets a close look at its own state. All of this gives the same
 * numbers as a close look at every step. */
#include "base/arena.h"
#include "run/monitor_private.h"
#include "system/watch_lanes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Whether a look at most steps only compares with what was seen before. */
static bool only_compares(const lv_monitor *m)
{
    return !m->thorough && !m->balance && !m->invariant && !m->feeding &&
           !lv_monitor_has_legendre(m);
}

lv_status lv_monitor_hasten(lv_monitor *m, lv_error *err)
{
    if (!only_compares(m) || m->jumped)
        return LV_OK;
    LV_TRY(lv_system_compare_often(m->sim->system, err));
    m->comparer = m->sim->system->comparer;
    return LV_OK;
}

/* Call after a close look: gives the program the largest values so far and the bounds. */
static void prepare_comparer(lv_monitor *m)
{
    double *given = lv_watch_program_given(m->comparer),
           *seen = lv_watch_program_seen(m->comparer);
    given[LV_GIVEN_ENERGY] = m->energy[0];
    given[LV_GIVEN_LEAP] = lv_monitor_leapt(m);
    given[LV_GIVEN_SIZE] = lv_monitor_outgrown(m);
    given[LV_GIVEN_POSITION] = lv_monitor_bound(m, LV_LEVEL_POSITION);
    given[LV_GIVEN_VELOCITY] = lv_monitor_bound(m, LV_LEVEL_VELOCITY);
    given[LV_GIVEN_ROLLING] = lv_monitor_bound(m, LV_LEVEL_NONHOLONOMIC);
    seen[LV_SEEN_ENERGY] = m->energy[2];
    seen[LV_SEEN_SIZE] = m->growth[LV_GROWTH_LARGEST];
    seen[LV_SEEN_POSITION] = m->residual[0];
    seen[LV_SEEN_VELOCITY] = m->residual[1];
    seen[LV_SEEN_ROLLING] = m->residual[2];
    seen[LV_SEEN_LEVER] = m->levers[0];
    for (ptrdiff_t k = 0; k < m->maps; k++) {
        given[LV_GIVEN_SCALARS + k] = m->momentum[3 * k];
        seen[LV_SEEN_SCALARS + k] = m->momentum[3 * k + 2];
    }
    m->until = lv_monitor_next_due(m);
    if (m->waiting.lanes)
        lv_watch_lanes_spread(m->waiting.lanes, m->comparer);
}

/* Completes the numbers with what the program has seen. */
static void take_seen(lv_monitor *m)
{
    if (!m->ahead)
        return;
    const double *seen = lv_watch_program_seen(m->comparer);
    double *maps = m->numbers + m->count;
    if (m->waiting.ahead)
        lv_watch_lanes_gather(m->waiting.lanes, m->comparer);
    m->ahead = m->waiting.ahead = false;
    lv_watch_program_show(m->comparer, &m->now);
    m->energy[1] = m->now.energy;
    m->energy[2] = seen[LV_SEEN_ENERGY];
    m->growth[LV_GROWTH_LARGEST] = seen[LV_SEEN_SIZE];
    m->residual[0] = seen[LV_SEEN_POSITION];
    m->residual[1] = seen[LV_SEEN_VELOCITY];
    m->residual[2] = seen[LV_SEEN_ROLLING];
    m->levers[0] = seen[LV_SEEN_LEVER];
    for (int k = 0; k < m->maps; k++) {
        maps[k] = m->momentum[3 * k + 1] = m->now.maps[k];
        m->momentum[3 * k + 2] = seen[LV_SEEN_SCALARS + k];
    }
}

static void look_closely(lv_monitor *m, bool first)
{
    take_seen(m);
    lv_monitor_look_closely(m, first);
    if (m->comparer)
        prepare_comparer(m);
}

/* Adds steps at which the program found nothing unusual. */
static void count_steps(lv_monitor *m, long long steps, long long passes, int most)
{
    m->ahead = true;
    m->growth[LV_GROWTH_STEPS] += (double)steps;
    m->newton[0] += (double)passes;
    m->newton[1] = lv_monitor_larger(m->newton[1], most);
}

/* Lets the program compare a state. It has to know first what lanes have seen, since its
 * results are then newer than theirs. */
static bool is_usual(lv_monitor *m, double t, const double *q, const double *v,
                     const double *p)
{
    if (m->waiting.ahead)
        take_seen(m);
    return lv_watch_program_compare(m->comparer, t, q, v, p);
}

/* Whether comparisons are enough at this step, unless they find something unusual. */
static bool needs_comparison(const lv_monitor *m)
{
    const lv_sim *sim = m->sim;
    return m->comparer && sim->steps > 0 && sim->steps < m->until && !sim->stagnated &&
           m->growth[LV_GROWTH_STEPS] + m->waiting.count < m->growth[LV_GROWTH_MARK] &&
           !(sim->turned.angle > m->turned[LV_TURNED_ANGLE]);
}

/* ---- steps that wait ----------------------------------------------------------------- */

enum { LEAST_STEPS = 4096 }; /* shorter runs do not make up for the creation of lanes */

lv_status lv_monitor_look_in_lanes(lv_monitor *m, long long steps, lv_arena *arena,
                                   lv_error *err)
{
    lv_waiting_steps *w = &m->waiting;
    const size_t n = (size_t)m->sim->system->n;
    if (!m->comparer || steps < LEAST_STEPS)
        return LV_OK;
    w->state = lv_arena_alloc(arena, 3 * n + 1, sizeof *w->state);
    if (!w->state)
        return lv_fail_memory(err);
    LV_TRY(lv_system_compare_in_lanes(m->sim->system, err));
    w->lanes = m->sim->system->compare_lanes;
    for (int lane = 0; w->lanes && lane < LV_LANES; lane++)
        lv_watch_lanes_enter(w->lanes, lane, m->comparer);
    return LV_OK;
}

/* Exchanges the state of the simulation, whose q, v and p are one behind the other, with
 * the stored one. */
static void exchange_states(lv_monitor *m, double *t)
{
    lv_state *x = &m->sim->state;
    const double t_now = x->t;
    for (int k = 0; k < 3 * m->sim->system->n; k++) {
        const double now = x->q[k];
        x->q[k] = m->waiting.state[k];
        m->waiting.state[k] = now;
    }
    x->t = *t;
    *t = t_now;
}

/* A close look at a step of the past, whose state is stored. If the energy is not finite
 * there the simulation stays in this state, and false is returned. */
static bool look_back(lv_monitor *m, double t, long long steps, int passes)
{
    lv_sim *sim = m->sim;
    const long long steps_now = sim->steps;
    const int passes_now = sim->iterations;
    const bool stagnated = sim->stagnated;
    const lv_turned turned = sim->turned;
    sim->steps = steps;
    sim->iterations = passes;
    sim->stagnated = false;
    sim->turned = (lv_turned){0};
    exchange_states(m, &t);
    look_closely(m, false);
    if (!isfinite(m->now.energy))
        return false;
    exchange_states(m, &t);
    sim->turned = turned;
    sim->stagnated = stagnated;
    sim->iterations = passes_now;
    sim->steps = steps_now;
    return true;
}

static bool examine_one_by_one(lv_monitor *m, int count)
{
    lv_waiting_steps *w = &m->waiting;
    const int n = m->sim->system->n;
    double *const q = w->state, *const v = q + n, *const p = v + n;
    for (int k = 0; k < count; k++) {
        const double t = lv_watch_lanes_get(w->lanes, k, q);
        if (is_usual(m, t, q, v, p)) {
            count_steps(m, 1, w->passes[k], w->passes[k]);
        } else if (!look_back(m, t, w->steps[k], w->passes[k])) {
            m->overshot = count - 1 - k;
            return false;
        }
    }
    return true;
}

/* Examines all steps that wait. false: the energy is not finite at one of them, and the
 * simulation is back there. */
static bool examine_waiting(lv_monitor *m)
{
    lv_waiting_steps *w = &m->waiting;
    const int count = w->count;
    long long passes = 0;
    int most = 0;
    w->count = 0;
    if (count < LV_LANES || !lv_watch_lanes_compare_put(w->lanes))
        return examine_one_by_one(m, count);
    w->ahead = true;
    for (int k = 0; k < count; k++) {
        passes += w->passes[k];
        most = w->passes[k] > most ? w->passes[k] : most;
    }
    count_steps(m, count, passes, most);
    return true;
}

/* ---- looks ----------------------------------------------------------------------------- */

void lv_monitor_settle(lv_monitor *m)
{
    if (m->waiting.count > 0)
        (void)examine_waiting(m);
    take_seen(m);
}

void lv_monitor_look(lv_monitor *m, bool first)
{
    const lv_state *x = &m->sim->state;
    if (m->waiting.count > 0 && !examine_waiting(m)) {
        m->overshot++; /* the step that is to be examined */
        return;
    }
    if (!first && needs_comparison(m) && is_usual(m, x->t, x->q, x->v, x->p))
        count_steps(m, 1, m->sim->iterations, m->sim->iterations);
    else
        look_closely(m, first);
}

void lv_monitor_look_later(lv_monitor *m)
{
    lv_waiting_steps *w = &m->waiting;
    const lv_state *x = &m->sim->state;
    if (!w->lanes || !needs_comparison(m)) {
        lv_monitor_look(m, false);
        return;
    }
    lv_watch_lanes_put(w->lanes, w->count, x->t, x->q);
    w->passes[w->count] = m->sim->iterations;
    w->steps[w->count++] = m->sim->steps;
    if (w->count == LV_LANES)
        (void)examine_waiting(m);
}

void lv_monitor_follow(lv_monitor *m, long long steps, long long passes, int most)
{
    if (steps > 0)
        count_steps(m, steps, passes, most);
}

void lv_monitor_jump(lv_monitor *m)
{
    const lv_state *state = &m->sim->state;
    double *maps = m->numbers + m->count;
    lv_monitor_settle(m);
    for (int k = 0; m->jumped && k < m->maps; k++)
        m->jumped[k] -= maps[k];
    lv_system_watch(m->sim->system, &m->now, state->t, state->q, state->v, state->p);
    for (int k = 0; k < m->maps; k++)
        maps[k] = m->now.maps[k];
    for (int k = 0; m->jumped && k < m->maps; k++)
        m->jumped[k] += maps[k];
}
