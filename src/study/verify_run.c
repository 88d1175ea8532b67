/* What a run keeps: energy or its balance with work, momentum maps, constraints. */
#include "study/verify.h"

#include "base/clock.h"
#include "run/verdict.h"
#include "study/drift.h"
#include "system/consistent.h"
#include "system/declared.h"

#include <math.h>
#include <string.h>

/* The run that is watched. */
typedef struct watching {
    lv_monitor monitor;
    double *error;  /* of the energy at every node, divided by its size in the end */
    double *v;      /* velocities of the momenta, where a scheme has its own */
    double *limits; /* of the rates */
    double rate;    /* largest rate that is claimed, of velocities of the momenta; */
    double beyond;  /* and to its limit */
    double limit;   /* the largest one */
    double rolling; /* largest residual of a nonholonomic constraint, to its limit */
    double seconds;
} watching;

/* Rounding in a step and at all, relative to the terms that are added. */
static double rounding(const lv_verifier *v)
{
    return 1e-11 + 1e-14 * (double)v->watched;
}

/* ---- the run ----------------------------------------------------------------------------------------- */

static lv_status make_room(watching *w, lv_verifier *v, lv_error *err)
{
    const size_t n = (size_t)v->sim->system->n, rates = (size_t)v->sim->system->rates;
    LV_TRY(lv_monitor_init(&w->monitor, v->sim, &v->arena, err));
    w->error = lv_arena_alloc(&v->arena, (size_t)v->watched + 1, sizeof *w->error);
    w->v = lv_arena_alloc(&v->arena, n + 1, sizeof *w->v);
    w->limits = lv_arena_alloc(&v->arena, rates + 1, sizeof *w->limits);
    return w->error && w->v && w->limits ? LV_OK : lv_fail_memory(err);
}

/* Rates are claimed of the velocities that belong to the momenta. Limits cost as much as a step. */
static lv_status look_at_rates(watching *w, lv_verifier *v, long long step, lv_error *err)
{
    lv_system *s = v->sim->system;
    const lv_state *x = &v->sim->state;
    if (s->rates == 0 || v->claims.velocity != LV_KEPT_EXACT)
        return LV_OK;
    memcpy(w->v, x->v, (size_t)s->n * sizeof *w->v);
    if (lv_monitor_has_legendre(&w->monitor))
        LV_TRY(lv_system_velocity(s, w->v, x->t, x->q, x->p, err));
    const lv_point point = {.q = x->q, .v = w->v, .t = x->t};
    lv_plan_run(s->watch, &point);
    const double *rate = lv_plan_result(s->watch, LV_Q_RATE);
    bool due = (step & (step - 1)) == 0;
    for (int r = 0; r < s->rates && !due; r++)
        due = !(fabs(rate[r]) <= w->limits[r]);
    if (due)
        lv_system_velocity_limits(s, x->t, x->q, w->v, v->view.step, w->limits);
    for (int r = 0; r < s->rates; r++) {
        const double beyond = fabs(rate[r]) / w->limits[r];
        double *most = r < s->m ? &w->beyond : &w->rolling;
        *most = *most >= beyond ? *most : beyond;
        if (r < s->m) {
            w->rate = fmax(w->rate, fabs(rate[r]));
            w->limit = fmax(w->limit, w->limits[r]);
        }
    }
    return LV_OK;
}

static lv_status watch(watching *w, lv_verifier *v, lv_error *err)
{
    const double began = lv_clock_seconds();
    lv_monitor_look(&w->monitor, true);
    const double first = w->monitor.now.energy;
    LV_TRY(look_at_rates(w, v, 0, err));
    for (long long k = 0; k < v->watched; k++) {
        LV_TRY(lv_sim_step(v->sim, err));
        lv_monitor_look(&w->monitor, false);
        if (!isfinite(w->monitor.now.energy))
            return lv_verdict_not_finite(&w->monitor, err);
        w->error[k] = w->monitor.now.energy - first;
        LV_TRY(look_at_rates(w, v, k + 1, err));
        /* Models whose steps take long are watched for two seconds, twenty steps at least. */
        w->seconds = lv_clock_seconds() - began;
        if (w->seconds > 2 && k >= 19)
            v->watched = k + 1;
    }
    v->view.steps = v->watched;
    v->view.time = v->sim->state.t;
    v->seconds_per_step =
        v->watched > 0 ? w->seconds / (double)v->watched : 0;
    return LV_OK;
}

/* ---- energy ------------------------------------------------------------------------------------------ */

static double size_of(const watching *w)
{
    const double size = w->monitor.growth[LV_GROWTH_LARGEST];
    return size > 0 ? size : 1;
}

/* A line through the error: over the whole time, how much it makes, and how sure that is. */
static void judge_bounded(lv_verifier *v, lv_finding f, const lv_drift *d)
{
    const double time = v->view.time, change = fabs(d->rate) * time,
                 unsure = d->interval * time;
    const bool drifts =
        change > unsure && change > 0.5 * d->largest && d->growth > 1.5;
    /* Rounding adds up; of little there is nothing to judge. */
    if (d->largest <= rounding(v)) {
        f.verdict = LV_FINDING_KEPT;
        lv_verifier_add(v, f, "the error is rounding");
        return;
    }
    if (isnan(d->rate) || d->turns < 8) {
        f.verdict = d->largest < 0.25 ? LV_FINDING_OPEN : LV_FINDING_BROKEN;
        lv_verifier_add(v, f, "the run is too short to tell a drift from an oscillation");
        return;
    }
    f.verdict = drifts ? LV_FINDING_BROKEN : LV_FINDING_KEPT;
    lv_verifier_add(v, f, "drift (%.1e +- %.0e) per time, %.1g of the error over the run",
                    d->rate, d->interval, change / d->largest);
}

static void verify_energy(lv_verifier *v, const watching *w)
{
    const double size = size_of(w);
    for (long long k = 0; k < v->watched; k++)
        w->error[k] /= size;
    const lv_drift d = lv_drift_of(w->error, (int)v->watched, v->view.step);
    v->view.drift = (lv_energy_drift){d.largest, d.rate, d.interval};
    lv_finding f = {.property = LV_PROPERTY_ENERGY,
                    .measured = d.largest,
                    .noise = (double)NAN,
                    .bound = (double)NAN};
    if (!lv_verifier_is_conservative(v) || v->claims.energy == LV_KEPT_NOT) {
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
        judge_bounded(v, f, &d);
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

static double largest_of(const double *x, int count)
{
    double largest = 0;
    for (int k = 0; x && k < count; k++)
        largest = fmax(largest, x[k]);
    return largest;
}

static void verify_position(lv_verifier *v, const watching *w)
{
    lv_system *s = v->sim->system;
    const lv_monitor *m = &w->monitor;
    const bool promised = v->claims.position == LV_KEPT_EXACT;
    char name[160];
    lv_finding f = {.property = LV_PROPERTY_POSITION,
                    .promise = promised ? "to rounding" : NULL,
                    .measured = m->residual[0],
                    .noise = (double)NAN,
                    .bound = promised ? largest_of(m->limits, s->m) : (double)NAN,
                    .verdict = promised ? LV_FINDING_KEPT : LV_FINDING_MEASURED};
    if (!promised || !(m->stray[LV_STRAY_RESIDUAL] > 0)) {
        lv_verifier_add(v, f, "largest |g|");
        return;
    }
    f.measured = m->stray[LV_STRAY_RESIDUAL];
    f.bound = m->stray[LV_STRAY_LIMIT];
    f.verdict = LV_FINDING_BROKEN;
    lv_verifier_add(v, f, "constraint '%s' at t = %.6g",
                    lv_system_row_name(s, (int)m->stray[LV_STRAY_ROW], name, sizeof name),
                    m->stray[LV_STRAY_TIME]);
}

static void verify_velocity(lv_verifier *v, const watching *w)
{
    const bool promised = v->claims.velocity == LV_KEPT_EXACT;
    const bool own = lv_monitor_has_legendre(&w->monitor);
    lv_finding f = {.property = LV_PROPERTY_VELOCITY,
                    .promise = promised ? "to rounding" : NULL,
                    .measured = promised ? w->rate : w->monitor.residual[1],
                    .noise = (double)NAN,
                    .bound = promised ? w->limit : (double)NAN,
                    .verdict = LV_FINDING_MEASURED};
    if (promised)
        f.verdict = w->beyond <= 1 ? LV_FINDING_KEPT : LV_FINDING_BROKEN;
    lv_verifier_add(v, f, "largest |dg/dt|%s",
                    promised && own ? " of the velocities of the momenta" : "");
}

static void verify_nonholonomic(lv_verifier *v, const watching *w)
{
    const bool promised = v->claims.velocity == LV_KEPT_EXACT;
    lv_finding f = {.property = LV_PROPERTY_NONHOLONOMIC,
                    .promise = promised ? "to rounding" : NULL,
                    .measured = w->monitor.residual[2],
                    .noise = (double)NAN,
                    .bound = (double)NAN,
                    .verdict = LV_FINDING_MEASURED};
    const lv_system *s = v->sim->system;
    if (promised) {
        f.bound = largest_of(w->limits + s->m, s->rates - s->m);
        f.verdict = w->rolling <= 1 ? LV_FINDING_KEPT : LV_FINDING_BROKEN;
    }
    lv_verifier_add(v, f, "largest |Phi|");
}

lv_status lv_verify_run(lv_verifier *v, lv_error *err)
{
    watching w = {0};
    const lv_system *s = v->sim->system;
    LV_TRY(make_room(&w, v, err));
    LV_TRY(watch(&w, v, err));
    if (w.monitor.balance)
        verify_balance(v, &w);
    else
        verify_energy(v, &w);
    verify_invariant(v, &w);
    LV_TRY(verify_momenta(v, &w, err));
    if (s->m > 0) {
        verify_position(v, &w);
        verify_velocity(v, &w);
    }
    if (s->rates > s->m)
        verify_nonholonomic(v, &w);
    return LV_OK;
}
