#include "run/monitor_private.h"

#include "num/extent.h"
#include "system/consistent.h"
#include "system/dissipation.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* kept: initial value, last value, largest deviation. jumped: change by events, which is
 * not part of the deviation. */
static void look_since(double *kept, double value, double jumped, bool first)
{
    if (first)
        kept[0] = value;
    kept[1] = value;
    kept[2] = first ? 0 : lv_monitor_larger(kept[2], fabs(value - kept[0] - jumped));
}

static void look_at(double *kept, double value, bool first)
{
    look_since(kept, value, 0, first);
}

/* Whether a difference of multiplier r is noise: in one step it changes momenta only by
 * their rounding. (For a body that moves on straight, the multipliers of the
 * accelerations are zero and the carried ones nearly zero.) Call right after
 * lv_system_accelerations. */
static bool is_noise(const lv_sim *sim, int r, double difference)
{
    const lv_system *s = sim->system;
    const lv_pattern *pattern = lv_plan_pattern(s->dynamics_plan, LV_Q_RATE_V);
    int first = pattern->start[r];
    double push = lv_extent(lv_plan_result(s->dynamics_plan, LV_Q_RATE_V) + first,
                            pattern->start[r + 1] - first);
    return fabs(difference * push * sim->h) <= 1e-10 * lv_extent(sim->state.p, s->n);
}

/* Number of steps between comparisons of carried multipliers with those of the
 * accelerations, which should stay close to each other. */
enum { CARRIED_EVERY = 10 };

static bool has_carried(const lv_sim *sim)
{
    return sim->system->has_nonholonomic && sim->scheme->nonholonomic_multipliers;
}

static void look_at_carried(lv_monitor *m)
{
    lv_sim *sim = m->sim;
    const lv_system *s = sim->system;
    if (!has_carried(sim) || sim->steps % CARRIED_EVERY != 0)
        return;
    const double *carried = sim->scheme->nonholonomic_multipliers(sim->work);
    if (!carried || lv_system_accelerations(sim->system, NULL, m->lambda, sim->state.t,
                                            sim->state.q, sim->state.v, NULL) != LV_OK)
        return;
    for (int r = 0; r < s->constraint_count - s->m; r++) {
        double lambda = m->lambda[s->m + r], difference = fabs(carried[r] - lambda);
        m->lag[1] = lv_monitor_larger(m->lag[1], fabs(lambda));
        if (!is_noise(sim, s->m + r, difference))
            m->lag[0] = lv_monitor_larger(m->lag[0], difference);
    }
}

/* ---- momenta and velocities -------------------------------------------------------- */

bool lv_monitor_is_conservative(const lv_sim *sim)
{
    const lv_system *s = sim->system;
    return s->autonomous && !s->forced && !s->has_nonholonomic &&
           (sim->events.off || !lv_model_has_jumps(s->model));
}

bool lv_monitor_has_legendre(const lv_monitor *m)
{
    const lv_system *s = m->sim->system;
    return m->sim->scheme->own_velocities && !(s->mass_constant && s->mass_regular);
}

/* Scales the difference by the largest momentum so far: momenta may pass through zero. */
static void look_at_legendre(lv_monitor *m)
{
    const lv_state *state = &m->sim->state;
    const int n = m->sim->system->n;
    double apart = 0, *size = &m->legendre[3];
    if (!lv_monitor_has_legendre(m))
        return;
    lv_system_momentum(m->sim->system, m->p, state->t, state->q, state->v);
    for (int k = 0; k < n; k++)
        apart = fmax(apart, fabs(state->p[k] - m->p[k]));
    *size = fmax(*size, fmax(lv_extent(state->p, n), lv_extent(m->p, n)));
    m->legendre[0] = apart > 0 ? apart / *size : 0;
    if (m->legendre[0] > m->legendre[1]) {
        m->legendre[1] = m->legendre[0];
        m->legendre[2] = state->t;
    }
}

/* ---- singular configurations ------------------------------------------------------- */

/* Keeps a number of constraints, and the first of them behind it. */
static void note_near(double *parts, const lv_near *near)
{
    parts[0] = near->count;
    for (int k = 0; k < LV_NEAR_SHOWN; k++)
        parts[1 + k] = near->rows[k];
}

static void note_lost(double *lost, const lv_near *near, double t)
{
    if (lost[LV_LOST_COUNT]++ > 0)
        return;
    lost[LV_LOST_TIME] = t;
    note_near(lost + LV_LOST_PARTS, near);
}

lv_status lv_monitor_multipliers(lv_monitor *m, double *lambda, double *lost,
                                 const lv_state *at, lv_error *err)
{
    lv_near near = {0};
    int count = 0;
    LV_TRY(lv_system_multipliers(m->sim->system, lambda, &count, &near, at->t, at->q,
                                 at->v, err));
    *lost = count;
    if (count > 0)
        note_lost(m->lost, &near, at->t);
    return LV_OK;
}

static void look_at_stagnation(lv_monitor *m)
{
    const lv_state *x = &m->sim->state;
    if (!m->sim->stagnated)
        return;
    const lv_near near = lv_system_nearest(m->sim->system, x->t, x->q, x->v);
    note_lost(m->lost + LV_LOST_NUMBERS, &near, x->t);
}

static void look_at_turns(lv_monitor *m)
{
    const lv_turned *now = &m->sim->turned;
    if (!(now->angle > m->turned[LV_TURNED_ANGLE]))
        return;
    m->turned[LV_TURNED_ANGLE] = now->angle;
    m->turned[LV_TURNED_DOUBTFUL] = now->doubtful;
    m->turned[LV_TURNED_ADVICE] = now->advice;
    m->turned[LV_TURNED_COORDINATE] = now->coordinate;
    m->turned[LV_TURNED_TIME] = m->sim->state.t;
}

/* ---- what is claimed to be exact --------------------------------------------------- */

/* Whether limits are computed again: at the start, then ever more rarely, after 1, 4, 16,
 * ... steps, since the motion may have become smaller. */
static bool is_due(const lv_monitor *m)
{
    const long long steps = m->sim->steps, powers_of_4 = 0x5555555555555555;
    return (steps & (steps - 1)) == 0 && (steps & powers_of_4) == steps;
}

long long lv_monitor_next_alone(const lv_monitor *m)
{
    const long long steps = m->sim->steps;
    return has_carried(m->sim) ? steps - steps % CARRIED_EVERY + CARRIED_EVERY
                               : LLONG_MAX;
}

long long lv_monitor_next_due(const lv_monitor *m)
{
    const long long steps = m->sim->steps;
    long long next = 1;
    while (next <= steps)
        next *= 4;
    const long long carried = lv_monitor_next_alone(m),
                    mark = steps + 1 +
                           (long long)(m->growth[LV_GROWTH_MARK] -
                                       m->growth[LV_GROWTH_STEPS]);
    next = carried < next ? carried : next;
    return mark < next ? mark : next;
}

static double smallest_of(const double *x, int count)
{
    double smallest = count > 0 ? x[0] : 0;
    for (int k = 1; k < count; k++)
        smallest = x[k] < smallest ? x[k] : smallest;
    return smallest;
}

const double lv_level_shares[LV_LEVELS] = {1e-3, 1e-2, 1e-2};

int lv_monitor_level(const lv_monitor *m, int level, int *first)
{
    const lv_system *s = m->sim->system;
    *first = level == LV_LEVEL_NONHOLONOMIC ? s->m : 0;
    return level == LV_LEVEL_NONHOLONOMIC ? s->constraint_count - s->m : s->m;
}

static double *limits_of(const lv_monitor *m, int level)
{
    return level == LV_LEVEL_POSITION ? m->limits : m->rate_limits;
}

const double *lv_monitor_stray(const lv_monitor *m, int level)
{
    return limits_of(m, level) ? m->stray + (ptrdiff_t)(level * LV_STRAY_NUMBERS) : NULL;
}

/* A constraint all of whose terms are zero has the limit zero; it gets a small part of
 * the largest limit of its level instead. */
static void complete_limits(lv_monitor *m, int level)
{
    double *limits = limits_of(m, level), largest = 0;
    int first = 0;
    const int count = lv_monitor_level(m, level, &first);
    for (int r = first; r < first + count; r++)
        largest = lv_monitor_larger(largest, limits[r]);
    for (int r = first; r < first + count; r++)
        limits[r] = limits[r] > 0 ? limits[r] : 1e-3 * largest;
    m->least_limit[level] = smallest_of(limits + first, count);
}

/* Computes the limits of a level at the present state; those of both kinds of rates are
 * computed together. */
static void find_limits(lv_monitor *m, int level, const double *v)
{
    lv_system *s = m->sim->system;
    const lv_state *x = &m->sim->state;
    double *limits = limits_of(m, level);
    if (level == LV_LEVEL_POSITION) {
        lv_system_position_limits(s, x->t, x->q, lv_level_shares[level], limits);
        complete_limits(m, level);
        return;
    }
    lv_system_velocity_limits(s, x->t, x->q, v, m->sim->h, lv_level_shares[level],
                              limits);
    complete_limits(m, LV_LEVEL_VELOCITY);
    complete_limits(m, LV_LEVEL_NONHOLONOMIC);
}

void lv_monitor_restored(lv_monitor *m)
{
    for (int level = 0; level < LV_LEVELS; level++) {
        int first = 0;
        const int count = lv_monitor_level(m, level, &first);
        if (limits_of(m, level))
            m->least_limit[level] = smallest_of(limits_of(m, level) + first, count);
    }
}

/* The largest ratio of a residual of this level to its limit so far; 0: none was
 * examined. */
static double furthest_before(const lv_monitor *m, int level)
{
    const double *stray = m->stray + (ptrdiff_t)(level * LV_STRAY_NUMBERS);
    return stray[LV_STRAY_RESIDUAL] > 0 ? stray[LV_STRAY_RESIDUAL] / stray[LV_STRAY_LIMIT]
                                        : 0;
}

/* The fraction of a limit from which on a residual is examined. */
static double notable_part(const lv_monitor *m, double before)
{
    return lv_monitor_larger(before, m->thorough ? 0 : 0.1);
}

double lv_monitor_bound(const lv_monitor *m, int level)
{
    const double before = furthest_before(m, level);
    int first = 0;
    if (!limits_of(m, level) || lv_monitor_level(m, level, &first) == 0 ||
        !isfinite(before))
        return HUGE_VAL;
    return m->least_limit[level] * notable_part(m, before);
}

/* Examines the residuals of a level. Limits cost as much as a step. So, except at steps
 * that are due, they are computed again only if a residual, relative to the limits of an
 * earlier state, is larger than any before and large enough to matter. No row needs a
 * comparison if the largest residual is that small relative to the smallest limit. */
static void look_at_level(lv_monitor *m, int level, const double *residuals,
                          double largest, const double *v)
{
    double *stray = m->stray + (ptrdiff_t)(level * LV_STRAY_NUMBERS);
    const double *limits = limits_of(m, level);
    int first = 0;
    const int count = lv_monitor_level(m, level, &first);
    const double before = furthest_before(m, level), notable = notable_part(m, before);
    if (count == 0 || !isfinite(before) ||
        (!is_due(m) &&
         (largest <= m->least_limit[level] * notable ||
          lv_system_furthest(residuals + first, limits + first, count, notable) < 0)))
        return;
    find_limits(m, level, v);
    const int row = lv_system_furthest(residuals + first, limits + first, count, before);
    if (row < 0)
        return;
    stray[LV_STRAY_RESIDUAL] = fabs(residuals[first + row]);
    stray[LV_STRAY_LIMIT] = limits[first + row];
    stray[LV_STRAY_ROW] = first + row;
    stray[LV_STRAY_TIME] = m->sim->state.t;
}

/* Examines rates of constraints. Schemes claim them for the velocities of the momenta;
 * if a scheme has velocities of its own, those of the momenta are computed first. */
static void look_at_rates(lv_monitor *m)
{
    lv_system *s = m->sim->system;
    const lv_state *x = &m->sim->state;
    if (!m->rate_limits)
        return;
    if (!lv_monitor_has_legendre(m)) {
        look_at_level(m, LV_LEVEL_VELOCITY, m->now.rates, m->now.velocity, x->v);
        look_at_level(m, LV_LEVEL_NONHOLONOMIC, m->now.rates, m->now.rolling, x->v);
        return;
    }
    memcpy(m->p, x->v, (size_t)s->n * sizeof *m->p);
    if (lv_system_velocity(s, m->p, x->t, x->q, x->p, NULL) != LV_OK)
        return;
    const lv_point point = {.q = x->q, .v = m->p, .t = x->t};
    lv_plan_run(s->monitor_plan, &point);
    const double *rates = lv_plan_result(s->monitor_plan, LV_Q_RATE);
    look_at_level(m, LV_LEVEL_VELOCITY, rates, HUGE_VAL, m->p);
    look_at_level(m, LV_LEVEL_NONHOLONOMIC, rates, HUGE_VAL, m->p);
}

/* Examines residuals of constraints that the scheme claims to keep. */
static void look_at_strays(lv_monitor *m)
{
    if (m->limits)
        look_at_level(m, LV_LEVEL_POSITION, m->now.constraints, m->now.position, NULL);
    look_at_rates(m);
}

/* ---- runaways ---------------------------------------------------------------------- */

/* Notes the growth of a size (LV_GROWTH_...). Marks are at 1, 2, 4, ... times `earliest`
 * steps. A size is compared with the largest one up to the mark before the last, at a
 * quarter to a half of the time so far. */
static void look_at_growth(double *g, double size, double t, double limit, int earliest)
{
    if (g[LV_GROWTH_MARK] == 0)
        g[LV_GROWTH_MARK] = earliest;
    if (isfinite(size))
        g[LV_GROWTH_LARGEST] = lv_monitor_larger(g[LV_GROWTH_LARGEST], size);
    if (g[LV_GROWTH_FROM] == 0 && g[LV_GROWTH_BEFORE] > 0 &&
        size > limit * g[LV_GROWTH_BEFORE]) {
        g[LV_GROWTH_FROM] = g[LV_GROWTH_BEFORE];
        g[LV_GROWTH_FROM_TIME] = g[LV_GROWTH_BEFORE_TIME];
        g[LV_GROWTH_TIME] = t;
    }
    if (g[LV_GROWTH_STEPS]++ < g[LV_GROWTH_MARK])
        return;
    g[LV_GROWTH_MARK] *= 2;
    g[LV_GROWTH_BEFORE] = g[LV_GROWTH_LAST];
    g[LV_GROWTH_BEFORE_TIME] = g[LV_GROWTH_LAST_TIME];
    g[LV_GROWTH_LAST] = g[LV_GROWTH_LARGEST];
    g[LV_GROWTH_LAST_TIME] = t;
}

double lv_monitor_outgrown(const lv_monitor *m)
{
    const double *g = m->growth;
    return g[LV_GROWTH_FROM] == 0 && g[LV_GROWTH_BEFORE] > 0
               ? LV_GROWTH_LIMIT * g[LV_GROWTH_BEFORE]
               : HUGE_VAL;
}

/* Examines the growth of energies and, if velocities are the scheme's own and dg/dt = 0
 * is not claimed, of rates. The first mark of the rates is late, so that motions that
 * begin slowly are under way by then. */
static void look_at_runaways(lv_monitor *m)
{
    const double t = m->sim->state.t;
    look_at_growth(m->growth, m->now.size, t, LV_GROWTH_LIMIT, 8);
    if (lv_monitor_has_legendre(m) && m->claims.velocity != LV_KEPT_EXACT)
        look_at_growth(m->rates, m->now.velocity, t, LV_RATES_LIMIT, 512);
}

/* ---- leaps ------------------------------------------------------------------------- */

double lv_monitor_leapt(const lv_monitor *m)
{
    enum { EARLIEST = 64 }; /* steps until then show how the energy oscillates */
    const double times = 10, part = 0.01;
    if (m->sim->steps < EARLIEST || m->leap[LV_LEAP_AFTER] > 0 ||
        m->growth[LV_GROWTH_FROM] > 0 || m->claims.energy == LV_KEPT_NOT ||
        !lv_monitor_is_conservative(m->sim))
        return HUGE_VAL;
    return lv_monitor_larger(times * m->energy[2], part * m->growth[LV_GROWTH_LARGEST]);
}

/* Notes that the deviation of the energy, `before` until now, is beyond what was no leap.
 * Near dependent constraints a step may lead to another motion. */
static void look_at_leap(lv_monitor *m, double before, double most)
{
    const double close = 0.05;
    const lv_state *x = &m->sim->state;
    if (!(m->energy[2] > most) || !isfinite(m->energy[2]))
        return;
    lv_near near = lv_system_nearest(m->sim->system, x->t, x->q, x->v);
    if (!(near.value < close))
        near = (lv_near){0};
    m->leap[LV_LEAP_BEFORE] = before;
    m->leap[LV_LEAP_AFTER] = m->energy[2];
    m->leap[LV_LEAP_TIME] = x->t;
    note_near(m->leap + LV_LEAP_PARTS, &near);
}

/* ---- dissipations ------------------------------------------------------------------ */

static void look_at_dissipations(lv_monitor *m)
{
    const lv_state *x = &m->sim->state;
    lv_dissipations *d = m->sim->system->dissipations;
    double *own = m->feeding;
    for (int k = 0; k < lv_dissipations_count(d); k++, own += LV_FEEDING_NUMBERS)
        if (lv_dissipations_feeds(d, k, x->t, x->q, x->v) && own[LV_FEEDING_COUNT]++ == 0)
            own[LV_FEEDING_TIME] = x->t;
}

void lv_monitor_look_closely(lv_monitor *m, bool first)
{
    const lv_state *state = &m->sim->state;
    const double before = m->energy[2], most = lv_monitor_leapt(m);
    lv_system_watch(m->sim->system, &m->now, state->t, state->q, state->v, state->p);
    look_at(m->energy, m->now.energy, first);
    if (!first)
        look_at_leap(m, before, most);
    if (m->balance)
        look_at(m->balance,
                lv_balance_rest(&m->sim->balance, m->now.energy, m->sim->balance.work),
                first);
    m->residual[0] = lv_monitor_larger(m->residual[0], m->now.position);
    m->residual[1] = lv_monitor_larger(m->residual[1], m->now.velocity);
    m->residual[2] = lv_monitor_larger(m->residual[2], m->now.rolling);
    look_at_carried(m);
    look_at_legendre(m);
    m->levers[0] = lv_monitor_larger(m->levers[0], m->now.lever);
    look_at_runaways(m);
    look_at_strays(m);
    look_at_dissipations(m);
    if (!first) {
        look_at_stagnation(m);
        look_at_turns(m);
        m->newton[0] += m->sim->iterations;
        m->newton[1] = lv_monitor_larger(m->newton[1], m->sim->iterations);
    }
    /* The invariant depends on the step size, so a shortened last step is not
     * examined. */
    if (m->invariant && m->sim->start_time == 0)
        look_at(m->invariant, m->sim->scheme->invariant(m->sim->work, state, m->sim->h),
                first);
    double *maps = m->numbers + m->count;
    for (int k = 0; k < m->maps; k++) {
        maps[k] = m->now.maps[k];
        look_since(&m->momentum[(size_t)k * 3], maps[k], m->jumped ? m->jumped[k] : 0,
                   first);
    }
}
