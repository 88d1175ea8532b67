/* Recommendations for a tolerance: the method whose steps cost least while its errors are
 * below the tolerance. The step lies between two that were run, and is run itself before
 * it is recommended. */
#include "study/study.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>

/* Errors aim at this fraction of the tolerance. */
static const double margin = 0.8;

/* A step whose error should be small enough, and the expected cost of its run. */
typedef struct offer {
    int method;
    double step, seconds;
} offer;

static bool is_good(const lv_study_run *run, double tolerance)
{
    return run->status == LV_OK && run->error <= tolerance;
}

/* Interpolates between two runs, linearly in the logarithms of errors, steps and
 * times. */
static void interpolate(offer *o, const lv_study_run *coarse, const lv_study_run *fine,
                        double error)
{
    const double x = log(coarse->error / error) / log(coarse->error / fine->error);
    const double share = x > 0 && x < 1 ? x : 1;
    o->step = coarse->step * pow(fine->step / coarse->step, share);
    o->seconds = coarse->seconds * pow(fine->seconds / coarse->seconds, share);
}

/* The largest step such that it and all smaller ones have errors below the tolerance;
 * false: there is none. */
static bool find_offer(const lv_study_entry *e, double tolerance, offer *o)
{
    int first = e->runs.count;
    while (first > 0 && is_good(&e->runs.data[first - 1], tolerance))
        first--;
    if (first == e->runs.count)
        return false;
    const lv_study_run *fine = &e->runs.data[first], *coarse = fine - 1;
    o->step = fine->step;
    o->seconds = fine->seconds;
    if (first > 0 && coarse->status == LV_OK && coarse->error < 1 && fine->error > 0 &&
        coarse->seconds > 0 && fine->seconds > 0)
        interpolate(o, coarse, fine, margin * tolerance);
    /* Large steps may cost more than smaller ones if equations are hard to solve. */
    for (int k = first; k < e->runs.count; k++)
        if (e->runs.data[k].seconds < o->seconds) {
            o->step = e->runs.data[k].step;
            o->seconds = e->runs.data[k].seconds;
        }
    return true;
}

/* The cheapest method of those that were not tried yet. */
static bool choose(const lv_studier *s, double tolerance, const bool *tried, offer *best)
{
    best->method = -1;
    for (int k = 0; k < s->entries.count; k++) {
        offer o = {.method = k};
        if (!tried[k] && find_offer(&s->entries.data[k], tolerance, &o) &&
            (best->method < 0 || o.seconds < best->seconds))
            *best = o;
    }
    return best->method >= 0;
}

/* Rounds down to three digits. */
static double round_down(double x)
{
    const double unit = pow(10, floor(log10(x)) - 2), digits = floor(x / unit + 1e-9);
    return unit < 1 ? digits / round(1 / unit) : digits * unit;
}

/* Runs an offer, with smaller steps if the error is too large. */
static lv_status confirm(lv_studier *s, const offer *o, lv_study_advice *a, lv_error *err)
{
    enum { TRIES = 5 };
    const lv_study_entry *e = &s->entries.data[o->method];
    double step = round_down(o->step);
    for (int k = 0; k < TRIES; k++) {
        lv_error why;
        const lv_status status = lv_studier_confirm(s, e, step, a, &why);
        if (status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        if (status == LV_OK && a->error <= a->tolerance) {
            a->method = o->method;
            break;
        }
        const double shrink = pow(margin * a->tolerance / a->error, 1.0 / e->view.order);
        step = round_down(step * (shrink > 0.5 && shrink < 0.95 ? shrink : 0.7));
    }
    return LV_OK;
}

/* The run with the smallest error. */
static const lv_study_run *find_best(const lv_studier *s, int *method)
{
    const lv_study_run *best = NULL;
    for (int k = 0; k < s->entries.count; k++)
        for (int i = 0; i < s->entries.data[k].runs.count; i++) {
            const lv_study_run *run = &s->entries.data[k].runs.data[i];
            if (run->status == LV_OK && (!best || run->error < best->error)) {
                best = run;
                *method = k;
            }
        }
    return best;
}

static lv_status explain(lv_studier *s, lv_study_advice *a, lv_error *err)
{
    char text[400];
    int method = 0;
    const lv_study_run *best = find_best(s, &method);
    if (a->tolerance < s->view.reference.floor)
        (void)snprintf(text, sizeof text,
                       "the reference is known to %.1g only: smaller errors cannot be "
                       "told",
                       s->view.reference.floor);
    else if (!best)
        (void)snprintf(text, sizeof text, "no run came to its end");
    else
        (void)snprintf(text, sizeof text,
                       "no run has so small an error; the smallest is %.1e, of %s with "
                       "steps of %.4g",
                       best->error, s->entries.data[method].view.label, best->step);
    a->note = lv_studier_text(s, text, err);
    return a->note ? LV_OK : LV_ERR_MEMORY;
}

static lv_status advise(lv_studier *s, bool *tried, lv_study_advice *a, lv_error *err)
{
    offer o;
    for (int k = 0; k < s->entries.count; k++)
        tried[k] = false;
    while (a->tolerance >= s->view.reference.floor && a->method < 0 && !s->stop &&
           choose(s, a->tolerance, tried, &o)) {
        tried[o.method] = true;
        LV_TRY(confirm(s, &o, a, err));
        if (!lv_studier_go_on(s, 0, 0))
            return LV_OK;
    }
    if (a->method >= 0)
        return LV_OK;
    *a = (lv_study_advice){.tolerance = a->tolerance, .method = -1};
    return explain(s, a, err);
}

/* Notes the cost of each method for each tolerance. */
static lv_status note_costs(lv_studier *s, lv_study_entry *e, lv_error *err)
{
    const int count = s->tolerance_count;
    lv_study_cost *list = lv_arena_alloc(&s->arena, (size_t)count, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        offer o = {.step = (double)NAN, .seconds = (double)NAN};
        if (s->tolerances[k] >= s->view.reference.floor)
            (void)find_offer(e, s->tolerances[k], &o);
        list[k] = (lv_study_cost){s->tolerances[k], o.step, o.seconds};
    }
    e->view.costs = list;
    e->view.cost_count = count;
    return LV_OK;
}

lv_status lv_studier_advise(lv_studier *s, lv_error *err)
{
    const int count = s->tolerance_count;
    lv_study_advice *list = lv_arena_alloc(&s->arena, (size_t)count, sizeof *list);
    bool *tried = lv_arena_alloc(&s->arena, (size_t)s->entries.count, sizeof *tried);
    if (!list || !tried)
        return lv_fail_memory(err);
    s->view.advices = list;
    for (int k = 0; k < s->entries.count; k++)
        LV_TRY(note_costs(s, &s->entries.data[k], err));
    for (int k = 0; k < count && !s->stop; k++) {
        list[k] = (lv_study_advice){.tolerance = s->tolerances[k], .method = -1};
        LV_TRY(advise(s, tried, &list[k], err));
        s->view.advice_count = s->stop ? k : k + 1;
    }
    return LV_OK;
}
