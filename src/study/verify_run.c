/* What a run keeps: energy or its balance with work, momentum maps, constraints. */
#include "study/verify.h"

#include "base/clock.h"
#include "run/verdict.h"
#include "study/drift.h"
#include "system/consistent.h"
#include "system/declared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Residuals of some constraints: of that which was furthest from zero, relative to its limit. */
typedef struct level {
    int first, count; /* rows */
    double part;      /* of the limits for starts, which is what counts here */
    double *limits;
    double residual, limit, time;
    int row; /* -1: nobody has looked */
} level;

enum { POSITION, VELOCITY, NONHOLONOMIC, LEVELS };

/* The run that is watched. */
typedef struct watching {
    lv_monitor monitor;
    double *error;   /* of the energy at every node, divided by its size in the end */
    double *kinetic; /* energy at every node: how often the motion oscillates */
    double *v;       /* velocities of the momenta, where a scheme has its own */
    level levels[LEVELS];
    double seconds;
} watching;

/* Rounding in a step and at all, relative to the terms that are added. */
static double rounding(const lv_verifier *v)
{
    return 1e-12 + 2e-15 * (double)v->watched;
}

/* ---- the run ----------------------------------------------------------------------------------------- */

static lv_status make_room(watching *w, lv_verifier *v, lv_error *err)
{
    const lv_system *s = v->sim->system;
    const size_t n = (size_t)s->n, rates = (size_t)s->rates;
    LV_TRY(lv_monitor_init(&w->monitor, v->sim, &v->arena, err));
    w->error = lv_arena_alloc(&v->arena, (size_t)lv_verifier_most_steps(v) + 1,
                              sizeof *w->error);
    w->kinetic = lv_arena_alloc(&v->arena, (size_t)lv_verifier_most_steps(v) + 1,
                                sizeof *w->kinetic);
    w->v = lv_arena_alloc(&v->arena, n + 1, sizeof *w->v);
    double *limits = lv_arena_alloc(&v->arena, 2 * rates + 1, sizeof *limits);
    if (!w->error || !w->kinetic || !w->v || !limits)
        return lv_fail_memory(err);
    const level levels[LEVELS] = {
        {0, s->m, 1e-3, limits, .row = -1},
        {0, s->m, 1e-2, limits + rates, .row = -1},
        {s->m, s->rates - s->m, 1e-3, limits + rates, .row = -1}};
    memcpy(w->levels, levels, sizeof levels);
    return LV_OK;
}

/* Where all that a constraint adds up is zero, so is its limit: rounding is that of the others then. */
static void raise_limits(const level *l)
{
    double largest = 0;
    for (int r = l->first; r < l->first + l->count; r++)
        largest = fmax(largest, l->limits[r]);
    for (int r = l->first; r < l->first + l->count; r++)
        l->limits[r] = fmax(l->limits[r], 1e-3 * largest);
}

/* Is any residual further from zero, relative to its limit, than those before? Limits are those of an earlier state. */
static bool is_notable(const level *l, const double *residuals)
{
    const double most = l->row < 0 ? 0 : l->residual / l->limit;
    for (int r = l->first; r < l->first + l->count; r++)
        if (!(fabs(residuals[r]) <= fmax(most, 0.1) * l->part * l->limits[r]))
            return true;
    return false;
}

static void note_worst(level *l, const double *residuals, double t)
{
    for (int r = l->first; r < l->first + l->count; r++) {
        const double residual = fabs(residuals[r]), limit = l->part * l->limits[r];
        if (l->row >= 0 && residual * l->limit <= l->residual * limit)
            continue;
        l->row = r;
        l->residual = residual;
        l->limit = limit;
        l->time = t;
    }
}

/* Rates are those of the velocities that belong to the momenta, where the scheme claims to keep them. Limits cost as
 * much as a step: they are found ever more rarely, and where a residual is notable. */
static lv_status look(watching *w, lv_verifier *v, long long step, lv_error *err)
{
    lv_system *s = v->sim->system;
    const lv_state *x = &v->sim->state;
    if (s->rates == 0)
        return LV_OK;
    memcpy(w->v, x->v, (size_t)s->n * sizeof *w->v);
    if (lv_monitor_has_legendre(&w->monitor) && v->claims.velocity == LV_KEPT_EXACT)
        LV_TRY(lv_system_velocity(s, w->v, x->t, x->q, x->p, err));
    const lv_point point = {.q = x->q, .v = w->v, .t = x->t};
    lv_plan_run(s->watch, &point);
    bool due = (step & (step - 1)) == 0;
    for (int k = 0; k < LEVELS && !due; k++)
        due = is_notable(
            &w->levels[k],
            lv_plan_result(s->watch, k == POSITION ? LV_Q_CONSTRAINT : LV_Q_RATE));
    if (due) {
        lv_system_position_limits(s, x->t, x->q, w->levels[POSITION].limits);
        lv_system_velocity_limits(s, x->t, x->q, w->v, v->view.step,
                                  w->levels[VELOCITY].limits);
        for (int k = 0; k < LEVELS; k++)
            raise_limits(&w->levels[k]);
        lv_plan_run(s->watch, &point);
    }
    for (int k = 0; k < LEVELS; k++)
        note_worst(&w->levels[k],
                   lv_plan_result(s->watch, k == POSITION ? LV_Q_CONSTRAINT : LV_Q_RATE),
                   x->t);
    return LV_OK;
}

static lv_status watch(watching *w, lv_verifier *v, lv_error *err)
{
    const double began = lv_clock_seconds();
    lv_monitor_look(&w->monitor, true);
    const double first = w->monitor.now.energy;
    LV_TRY(look(w, v, 0, err));
    for (long long k = 0; k < v->watched; k++) {
        LV_TRY(lv_sim_step(v->sim, err));
        lv_monitor_look(&w->monitor, false);
        if (!isfinite(w->monitor.now.energy))
            return lv_verdict_not_finite(&w->monitor, err);
        w->error[k] = w->monitor.now.energy - first;
        w->kinetic[k] = w->monitor.now.kinetic;
        LV_TRY(look(w, v, k + 1, err));
        w->seconds = lv_clock_seconds() - began;
        if (w->seconds > 2 && k >= 19)
            v->watched = k + 1;
    }
    v->view.steps = v->watched;
    v->view.time = v->sim->state.t;
    v->seconds_per_step = v->watched > 0 ? w->seconds / (double)v->watched : 0;
    return LV_OK;
}

static double size_of(const watching *w)
{
    const double size = w->monitor.growth[LV_GROWTH_LARGEST];
    return size > 0 ? size : 1;
}

/* Goes on beyond the end of the run, where that is too short to show a drift; returns how many steps there are then. */
static long long go_on(watching *w, lv_verifier *v)
{
    const double began = lv_clock_seconds(), first = w->monitor.energy[0];
    const lv_state *x = &v->sim->state;
    const long long longer = v->watched < 100 ? 2000 : 20 * v->watched,
                    limit = lv_verifier_most_steps(v),
                    most = longer < limit ? longer : limit;
    long long count = v->watched;
    lv_watch now;
    for (; count < most && lv_clock_seconds() - began < 2; count++) {
        if (lv_sim_step(v->sim, NULL) != LV_OK)
            break;
        lv_system_watch(v->sim->system, &now, x->t, x->q, x->v, x->p);
        /* A motion that escapes is none that the run has shown. */
        if (!isfinite(now.energy) || now.size > 4 * size_of(w))
            break;
        w->error[count] = now.energy - first;
        w->kinetic[count] = now.kinetic;
    }
    return count;
}

/* ---- energy ------------------------------------------------------------------------------------------ */

/* Oscillations that have to be seen before a drift can be told from them, crossings of the line: of the error, or many of
 * the motion. */
enum { TURNS_LEAST = 8, MOTION_TURNS_LEAST = 40 };

/* The line is sure, and makes up for most of the error. */
static bool is_drifting(const lv_drift *d, double time)
{
    const double change = fabs(d->rate) * time, unsure = d->interval * time;
    return change > 0.5 * d->largest && change > (d->growth > 1.5 ? 1 : 4) * unsure;
}

/* A line through the error: over the whole time, how much it makes, and how sure that is. `moved`: the motion has
 * oscillated often. */
static void judge_bounded(lv_verifier *v, lv_finding f, const lv_drift *d, bool moved,
                          double time)
{
    const double change = fabs(d->rate) * time;
    const bool drifts = is_drifting(d, time);
    char later[60] = "";
    if (d->largest <= rounding(v)) {
        f.verdict = LV_FINDING_KEPT;
        lv_verifier_add(v, f, "the error is rounding");
        return;
    }
    if (!(d->largest < 0.25) && !drifts) {
        f.verdict = LV_FINDING_OPEN;
        lv_verifier_add(v, f,
                        "as much energy comes and goes as there is: the step is too "
                        "large, or the motion ran into a singularity");
        return;
    }
    if (isnan(d->rate) || (d->turns < TURNS_LEAST && !(drifts && moved))) {
        f.verdict = LV_FINDING_OPEN;
        lv_verifier_add(
            v, f, "%.6g is too short a time to tell a drift from an oscillation", time);
        return;
    }
    if (time > v->view.time * (1 + 1e-9))
        (void)snprintf(later, sizeof later, ", which was continued to t = %.6g", time);
    f.verdict = drifts ? LV_FINDING_BROKEN : LV_FINDING_KEPT;
    lv_verifier_add(v, f,
                    "drift (%.1e +- %.0e) per time, %.1g of the error over the run%s",
                    d->rate, d->interval, change / d->largest, later);
}

static lv_drift find_drift(lv_verifier *v, const watching *w, long long count,
                           double size)
{
    for (long long k = 0; k < count; k++)
        w->error[k] /= size;
    const lv_drift d = lv_drift_of(w->error, (int)count, v->view.step);
    for (long long k = 0; k < count; k++)
        w->error[k] *= size;
    return d;
}

static void verify_energy(lv_verifier *v, watching *w)
{
    const double size = size_of(w);
    long long count = v->watched;
    lv_drift d = find_drift(v, w, count, size);
    const bool promised =
        lv_verdict_is_conservative(v->sim->system) && v->claims.energy != LV_KEPT_NOT;
    lv_finding f = {.property = LV_PROPERTY_ENERGY,
                    .measured = d.largest,
                    .noise = (double)NAN,
                    .bound = (double)NAN};
    /* A drift has to last: what is slower than the run looks like one. */
    if (promised && v->claims.energy == LV_KEPT_BOUNDED && d.largest > rounding(v) &&
        (d.turns < TURNS_LEAST || is_drifting(&d, v->view.time))) {
        count = go_on(w, v);
        d = find_drift(v, w, count, size);
        f.measured = d.largest;
    }
    v->view.drift = (lv_energy_drift){d.largest, d.rate, d.interval};
    if (!promised) {
        f.verdict = LV_FINDING_MEASURED;
        lv_verifier_add(v, f, "drift (%.1e +- %.0e) per time", d.rate, d.interval);
    } else if (v->claims.energy == LV_KEPT_EXACT) {
        f.promise = "to rounding";
        f.bound = rounding(v);
        f.verdict = lv_verifier_judge(&f);
        lv_verifier_add(v, f, "%s",
                        lv_monitor_has_legendre(&w->monitor)
                            ? "p.v - T + V, relative to its terms"
                            : "relative to its terms");
    } else {
        f.promise = "bounded";
        const lv_drift motion = lv_drift_of(w->kinetic, (int)count, v->view.step);
        judge_bounded(v, f, &d, motion.turns >= MOTION_TURNS_LEAST,
                      (double)count * v->view.step);
    }
}

static void verify_balance(lv_verifier *v, const watching *w)
{
    const lv_finding f = {.property = LV_PROPERTY_BALANCE,
                          .measured = w->monitor.balance[2] / size_of(w),
                          .noise = (double)NAN,
                          .bound = (double)NAN,
                          .verdict = LV_FINDING_MEASURED};
    lv_verifier_add(v, f, "energy less work, an error of the order of the scheme");
}

static void verify_invariant(lv_verifier *v, const watching *w)
{
    const double *own = w->monitor.invariant;
    if (!own)
        return;
    lv_finding f = {.property = LV_PROPERTY_INVARIANT,
                    .name = v->sim->scheme->invariant_name,
                    .promise = "to rounding",
                    .measured = own[2] / fmax(fabs(own[0]), size_of(w)),
                    .noise = (double)NAN,
                    .bound = rounding(v)};
    f.verdict = lv_verifier_judge(&f);
    lv_verifier_add(v, f, "relative to its size");
}

/* ---- momentum maps ------------------------------------------------------------------------------------- */

/* Whether a map should be kept; if not, why. */
static const char *why_not(const lv_verifier *v, int map, const bool *kept)
{
    const lv_system *s = v->sim->system;
    if (map < s->declared && s->spoilt[map])
        return s->spoilt[map];
    if (s->has_nonholonomic)
        return "nonholonomic constraints may change it";
    if (!kept[map])
        return "the formulas do not show the symmetry to the scheme";
    return NULL;
}

static lv_status verify_momenta(lv_verifier *v, const watching *w, lv_error *err)
{
    lv_system *s = v->sim->system;
    const int maps = w->monitor.maps;
    const double size = w->monitor.levers[0] > 0 ? w->monitor.levers[0] : 1;
    bool *kept = lv_arena_alloc(&v->arena, (size_t)maps + 1, sizeof *kept);
    if (!kept)
        return lv_fail_memory(err);
    LV_TRY(lv_declared_judge(s, err));
    LV_TRY(lv_scheme_keeps(v->sim->scheme, s, &v->sim->options, kept, err));
    for (int k = 0; k < maps; k++) {
        const char *why = why_not(v, k, kept);
        lv_finding f = {.property = LV_PROPERTY_MOMENTUM,
                        .name = lv_system_map_name(s, k),
                        .promise = why ? NULL : "to rounding",
                        .measured = w->monitor.momentum[3 * (ptrdiff_t)k + 2] / size,
                        .noise = (double)NAN,
                        .bound = why ? (double)NAN : rounding(v)};
        f.verdict = lv_verifier_judge(&f);
        f.name = lv_arena_text(&v->arena, f.name, strlen(f.name));
        v->failed = v->failed || !f.name;
        lv_verifier_add(v, f, "%s", why ? why : "relative to sums of |q| |p|");
    }
    return LV_OK;
}

/* ---- constraints --------------------------------------------------------------------------------------- */

static void verify_level(lv_verifier *v, const watching *w, int number,
                         lv_property property)
{
    static const char *const what[] = {"|g|", "|dg/dt|", "|Phi|"};
    const level *l = &w->levels[number];
    const bool promised =
        (number == POSITION ? v->claims.position : v->claims.velocity) == LV_KEPT_EXACT;
    const bool own = number != POSITION && lv_monitor_has_legendre(&w->monitor);
    char name[160];
    if (l->count == 0)
        return;
    lv_finding f = {.property = property,
                    .promise = promised ? "to rounding" : NULL,
                    .measured = promised ? l->residual : w->monitor.residual[number],
                    .noise = (double)NAN,
                    .bound = promised ? l->limit : (double)NAN};
    f.verdict = lv_verifier_judge(&f);
    if (f.verdict == LV_FINDING_BROKEN)
        lv_verifier_add(v, f, "%s of constraint '%s' at t = %.6g", what[number],
                        lv_system_row_name(v->sim->system, l->row, name, sizeof name),
                        l->time);
    else
        lv_verifier_add(v, f, "largest %s%s", what[number],
                        promised && own ? " of the velocities of the momenta" : "");
}

lv_status lv_verify_run(lv_verifier *v, lv_error *err)
{
    watching w = {0};
    LV_TRY(make_room(&w, v, err));
    LV_TRY(watch(&w, v, err));
    verify_invariant(v, &w);
    LV_TRY(verify_momenta(v, &w, err));
    verify_level(v, &w, POSITION, LV_PROPERTY_POSITION);
    verify_level(v, &w, VELOCITY, LV_PROPERTY_VELOCITY);
    verify_level(v, &w, NONHOLONOMIC, LV_PROPERTY_NONHOLONOMIC);
    if (w.monitor.balance)
        verify_balance(v, &w);
    else
        verify_energy(v, &w);
    return LV_OK;
}
