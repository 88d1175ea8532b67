/* One run of a study: its error, what it keeps, and the cost of its steps. */
#include "study/study.h"

#include "base/clock.h"
#include "run/monitor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* LOOKS: how often the monitor looks from one mark to the next. REPEATS: how often a
 * short run is timed again, without the monitor, for about timing_seconds. */
enum { LOOKS = 50, REPEATS = 5 };
static const double timing_seconds = 0.003;

lv_status lv_studier_sim(const lv_studier *s, lv_sim **sim, const char *scheme,
                         const lv_scheme_options *given, double step, lv_error *err)
{
    const lv_sim_options options = {
        .scheme = scheme, .options = *given, .step = step, .initial = s->options.initial};
    LV_TRY(lv_sim_create(sim, s->model, &options, err));
    (*sim)->events.endless = true;
    return LV_OK;
}

typedef struct runner {
    lv_studier *s;
    lv_study_task *task;
    lv_sim *sim;
    lv_arena arena;
    lv_monitor monitor;
    lv_feeds feeds;
    double *states; /* at the marks */
    double *start;  /* numbers of the simulation at the start */
    long long looks;
} runner;

static lv_status runner_prepare(runner *r, lv_error *err)
{
    const lv_studier *s = r->s;
    LV_TRY(lv_feeds_copy(&r->feeds, &s->feeds, &r->arena, err));
    LV_TRY(lv_feeds_apply(&r->feeds, r->sim, r->sim->h, err));
    LV_TRY(lv_monitor_init(&r->monitor, r->sim, &r->arena, err));
    r->states = lv_arena_alloc(&r->arena, lv_marks_numbers(&s->marks), sizeof *r->states);
    r->start =
        lv_arena_alloc(&r->arena, (size_t)lv_sim_number_count(r->sim), sizeof *r->start);
    if (!r->states || !r->start)
        return lv_fail_memory(err);
    lv_sim_write_numbers(r->sim, r->start);
    lv_monitor_look(&r->monitor, true);
    return LV_OK;
}

static lv_status take_steps(runner *r, long long steps, lv_error *err)
{
    const double began = lv_clock_thread_seconds();
    lv_status status = LV_OK;
    for (long long k = 0; k < steps && status == LV_OK; k++) {
        status = lv_feeds_apply(&r->feeds, r->sim, r->sim->h, err);
        if (status == LV_OK)
            status = lv_sim_step(r->sim, err);
    }
    r->task->run.seconds += lv_clock_thread_seconds() - began;
    return status;
}

/* Steps from one mark to the next. */
static lv_status take_part(runner *r, lv_error *err)
{
    const long long part = r->task->part, chunk = (part + LOOKS - 1) / LOOKS;
    for (long long done = 0; done < part && !r->task->dropped; done += chunk) {
        LV_TRY(take_steps(r, part - done < chunk ? part - done : chunk, err));
        lv_monitor_look(&r->monitor, false);
        r->looks++;
        r->task->dropped = !lv_studier_go_on(r->s, 0, 0);
    }
    return LV_OK;
}

static lv_status run_to_end(runner *r, lv_error *err)
{
    const size_t n = (size_t)r->s->marks.n;
    double *at = r->states;
    for (int mark = 0; mark < r->s->marks.count; mark++, at += 2 * n) {
        LV_TRY(take_part(r, err));
        memcpy(at, r->sim->state.q, n * sizeof *at);
        memcpy(at + n, r->sim->state.p, n * sizeof *at);
    }
    return LV_OK;
}

/* Repeats short runs and keeps the smallest time. */
static void time_again(runner *r)
{
    lv_study_run *run = &r->task->run;
    double best = run->seconds, spent = best;
    for (int k = 0; k < REPEATS && spent < timing_seconds; k++) {
        run->seconds = 0;
        lv_sim_read_numbers(r->sim, r->start);
        if (take_steps(r, run->steps, NULL) != LV_OK)
            break;
        best = fmin(best, run->seconds);
        spent += run->seconds;
    }
    run->seconds = best;
}

/* The largest deviation of the momentum maps that the motion keeps. */
static double momentum_of(const runner *r)
{
    const lv_monitor *m = &r->monitor;
    const double size = m->levers[0] > 0 ? m->levers[0] : 1;
    double worst = (double)NAN;
    for (int k = 0; k < m->maps; k++)
        if (r->s->kept[k])
            worst = fmax(worst, m->momentum[3 * (ptrdiff_t)k + 2] / size);
    return worst;
}

static void note_structure(const runner *r)
{
    const lv_monitor *m = &r->monitor;
    const lv_system *system = r->sim->system;
    lv_study_run *run = &r->task->run;
    const double size = m->growth[LV_GROWTH_LARGEST];
    run->energy = (m->balance ? m->balance[2] : m->energy[2]) / (size > 0 ? size : 1);
    run->momentum = momentum_of(r);
    run->position = system->m > 0 ? m->residual[0] : (double)NAN;
    run->velocity =
        system->constraint_count > 0 ? fmax(m->residual[1], m->residual[2]) : (double)NAN;
    run->iterations = r->looks > 0 ? m->newton[0] / (double)r->looks : (double)NAN;
}

static void note_error(const runner *r)
{
    const lv_studier *s = r->s;
    lv_study_run *run = &r->task->run;
    const lv_distance d = lv_marks_compare(&s->marks, r->states, s->reference);
    run->error_position = d.q;
    run->error_momentum = d.p;
    run->error_end = d.end;
    run->error = isnan(d.q) || isnan(d.p) ? (double)NAN : fmax(d.q, d.p);
    run->below_floor = run->error <= s->view.reference.floor;
    if (!isfinite(run->error)) {
        run->status = LV_ERR_NUMERIC;
        (void)snprintf(r->task->message, sizeof r->task->message,
                       "numbers are no longer finite");
    }
}

static void note_failure(runner *r, lv_status status, const lv_error *why)
{
    r->task->run.status = status;
    (void)snprintf(r->task->message, sizeof r->task->message, "%.*s",
                   LV_STUDY_MESSAGE - 1, why->text);
    if (status == LV_ERR_MEMORY)
        r->task->status = status;
}

void lv_studier_run(lv_studier *s, lv_study_task *task)
{
    const lv_study_entry *e = &s->entries.data[task->method];
    const double nan = (double)NAN;
    runner r = {.s = s, .task = task};
    lv_error why;
    const long long steps = task->part * s->marks.count;
    task->run = (lv_study_run){.step = s->marks.span / (double)steps,
                               .steps = steps,
                               .error = nan,
                               .error_position = nan,
                               .error_momentum = nan,
                               .error_end = nan,
                               .iterations = nan,
                               .energy = nan,
                               .momentum = nan,
                               .position = nan,
                               .velocity = nan};
    lv_status status =
        lv_studier_sim(s, &r.sim, e->view.scheme, &e->given, task->run.step, &why);
    if (status == LV_OK)
        status = runner_prepare(&r, &why);
    if (status == LV_OK)
        status = run_to_end(&r, &why);
    if (r.sim)
        task->run.time = r.sim->state.t;
    if (status != LV_OK)
        note_failure(&r, status, &why);
    else if (!task->dropped) {
        note_structure(&r);
        note_error(&r);
        time_again(&r);
    }
    lv_sim_free(r.sim);
    lv_arena_done(&r.arena);
}

/* Advances to a time like a run: with steps of its own size, the last one shortened. */
static lv_status advance(lv_sim *sim, lv_feeds *feeds, double until, lv_error *err)
{
    double last = 0;
    if (feeds->count == 0)
        return lv_sim_advance(sim, until, err);
    for (long long left = lv_sim_plan_steps(0, until, sim->h, &last); left > 0; left--) {
        const double h = left == 1 ? last : sim->h;
        LV_TRY(lv_feeds_apply(feeds, sim, h, err));
        LV_TRY(h == sim->h ? lv_sim_step(sim, err) : lv_sim_advance(sim, until, err));
    }
    return LV_OK;
}

lv_status lv_studier_confirm(lv_studier *s, const lv_study_entry *e, double step,
                             lv_study_advice *advice, lv_error *err)
{
    const size_t n = (size_t)s->marks.n;
    const lv_marks end = {
        s->marks.n, 1, s->marks.span, {s->marks.size[0], s->marks.size[1]}};
    const double *reference =
        s->reference + lv_marks_numbers(&s->marks) - lv_marks_numbers(&end);
    double last;
    lv_sim *sim = NULL;
    double *state = lv_memory_zeroed(2 * n + 1, sizeof *state);
    lv_status status = state
                           ? lv_studier_sim(s, &sim, e->view.scheme, &e->given, step, err)
                           : lv_fail_memory(err);
    advice->step = step;
    advice->steps = lv_sim_plan_steps(0, s->marks.span, step, &last);
    advice->error = (double)NAN;
    if (status == LV_OK) {
        const double began = lv_clock_thread_seconds();
        status = advance(sim, &s->feeds, s->marks.span, err);
        advice->seconds = lv_clock_thread_seconds() - began;
    }
    if (status == LV_OK) {
        memcpy(state, sim->state.q, n * sizeof *state);
        memcpy(state + n, sim->state.p, n * sizeof *state);
        advice->error = lv_marks_distance(&end, state, reference);
    }
    lv_sim_free(sim);
    lv_memory_free(state);
    return status;
}
