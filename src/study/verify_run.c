/* What a run keeps: energy or its balance with work, momentum maps, constraints. */
#include "study/verify.h"

#include "base/clock.h"
#include "run/verdict.h"
#include "study/drift.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The run that is watched. */
typedef struct watching {
    lv_monitor monitor;
    /* error of the energy at every node; divided by the size of the energy at the end */
    double *error;
    /* kinetic energy at every node, which shows how often the motion oscillates */
    double *kinetic;
    double seconds;
} watching;

static double rounding(const lv_verifier *v)
{
    return lv_finding_rounding(v->watched);
}

/* ---- the run ----------------------------------------------------------------------------------------- */

static lv_status watching_make_room(watching *w, lv_verifier *v, lv_error *err)
{
    const size_t nodes = (size_t)lv_verifier_most_steps(v) + 1;
    LV_TRY(lv_monitor_init_thorough(&w->monitor, v->sim, &v->arena, err));
    w->error = lv_arena_alloc(&v->arena, nodes, sizeof *w->error);
    w->kinetic = lv_arena_alloc(&v->arena, nodes, sizeof *w->kinetic);
    return w->error && w->kinetic ? LV_OK : lv_fail_memory(err);
}

static lv_status watch(watching *w, lv_verifier *v, lv_error *err)
{
    const double began = lv_clock_seconds();
    lv_monitor_look(&w->monitor, true);
    const double first = w->monitor.now.energy;
    for (long long k = 0; k < v->watched; k++) {
        LV_TRY(lv_verifier_take(v->sim, &v->feeds, 1, err));
        lv_monitor_look(&w->monitor, false);
        if (!isfinite(w->monitor.now.energy))
            return lv_verdict_not_finite(&w->monitor, err);
        w->error[k] = w->monitor.now.energy - first;
        w->kinetic[k] = w->monitor.now.kinetic;
        w->seconds = lv_clock_seconds() - began;
        if (w->seconds > 2 && k >= 19)
            v->watched = k + 1;
    }
    v->view.steps = v->watched;
    v->view.time = v->sim->state.t;
    v->seconds_per_step = v->watched > 0 ? w->seconds / (double)v->watched : 0;
    return LV_OK;
}

/* Continues beyond the end of a run that is too short to show a drift; returns the total
 * number of steps. */
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
        if (lv_verifier_take(v->sim, &v->feeds, 1, NULL) != LV_OK)
            break;
        lv_system_watch(v->sim->system, &now, x->t, x->q, x->v, x->p);
        /* The run has not shown a motion that escapes. */
        if (!isfinite(now.energy) || now.size > 4 * lv_finding_energy_size(&w->monitor))
            break;
        w->error[count] = now.energy - first;
        w->kinetic[count] = now.kinetic;
    }
    return count;
}

/* ---- energy ------------------------------------------------------------------------------------------ */

/* Crossings of the line that are needed to tell a drift from oscillations: of the error,
 * or of the kinetic energy. */
enum { TURNS_LEAST = 8, MOTION_TURNS_LEAST = 40 };

/* Whether the slope of the line is certain and causes most of the error. */
static bool is_drifting(const lv_drift *d, double time)
{
    const double change = fabs(d->rate) * time, unsure = d->interval * time;
    return change > 0.5 * d->largest && change > (d->growth > 1.5 ? 1 : 4) * unsure;
}

/* Judges an error that should be bounded, by the change of the line over the whole time
 * and its uncertainty. moved: the motion has oscillated often. */
static void judge_bounded(lv_verifier *v, lv_finding f, const lv_drift *d, bool moved,
                          double time)
{
    const double change = fabs(d->rate) * time;
    const bool drifts = is_drifting(d, time);
    char later[60] = "";
    if (d->largest <= rounding(v)) {
        f.verdict = LV_FINDING_KEPT;
        lv_findings_add(&v->findings, f, "the error is rounding");
        return;
    }
    if (!(d->largest < 0.25) && !drifts) {
        f.verdict = LV_FINDING_OPEN;
        lv_findings_add(&v->findings, f,
                        "as much energy comes and goes as there is: the step is too "
                        "large, or the motion ran into a singularity");
        return;
    }
    if (isnan(d->rate) || (d->turns < TURNS_LEAST && !(drifts && moved))) {
        f.verdict = LV_FINDING_OPEN;
        lv_findings_add(&v->findings, f,
                        "%.6g is too short a time to tell a drift from an oscillation",
                        time);
        return;
    }
    if (time > v->view.time * (1 + 1e-9))
        (void)snprintf(later, sizeof later, ", which was continued to t = %.6g", time);
    f.verdict = drifts ? LV_FINDING_BROKEN : LV_FINDING_KEPT;
    lv_findings_add(&v->findings, f,
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
    const double size = lv_finding_energy_size(&w->monitor);
    long long count = v->watched;
    lv_drift d = find_drift(v, w, count, size);
    lv_finding f = lv_finding_of_energy(&w->monitor, v->watched);
    /* A drift must last: an oscillation slower than the run looks like a drift. */
    if (f.verdict == LV_FINDING_OPEN && d.largest > rounding(v) &&
        (d.turns < TURNS_LEAST || is_drifting(&d, v->view.time))) {
        count = go_on(w, v);
        d = find_drift(v, w, count, size);
        f.measured = d.largest;
    }
    v->view.drift = (lv_energy_drift){d.largest, d.rate, d.interval};
    if (!f.promise) {
        lv_findings_add(&v->findings, f, "drift (%.1e +- %.0e) per time", d.rate,
                        d.interval);
    } else if (f.verdict != LV_FINDING_OPEN) {
        lv_findings_add(&v->findings, f, "%s",
                        lv_monitor_has_legendre(&w->monitor)
                            ? "p.v - T + V, relative to its terms"
                            : "relative to its terms");
    } else {
        const lv_drift motion = lv_drift_of(w->kinetic, (int)count, v->view.step);
        judge_bounded(v, f, &d, motion.turns >= MOTION_TURNS_LEAST,
                      (double)count * v->view.step);
    }
}

/* Warnings about the start of the run. */
static lv_status note_start(lv_verifier *v, lv_error *err)
{
    LV_TRY(lv_notes_options(&v->notes, v->sim, &v->options.options, err));
    LV_TRY(lv_notes_redundancy(&v->notes, v->sim, err));
    LV_TRY(lv_notes_nearly(&v->notes, v->sim, err));
    LV_TRY(lv_notes_events(&v->notes, v->sim, err));
    return lv_notes_momenta(&v->notes, v->sim, &v->options.options, err);
}

lv_status lv_verify_run(lv_verifier *v, lv_error *err)
{
    watching w = {0};
    LV_TRY(watching_make_room(&w, v, err));
    LV_TRY(note_start(v, err));
    LV_TRY(watch(&w, v, err));
    LV_TRY(lv_notes_monitor(&v->notes, &w.monitor, v->watched, err));
    LV_TRY(lv_findings_of_monitor(&v->findings, &w.monitor, v->watched, err));
    /* Inputs that change do work. */
    if (!w.monitor.balance || (lv_monitor_is_conservative(v->sim) && v->feeds.count == 0))
        verify_energy(v, &w);
    v->view.warnings = v->notes.texts;
    v->view.warning_count = v->notes.count;
    return LV_OK;
}
