/* Studies: all schemes that take a model, each with several steps, compared with a
 * reference that was checked. */
#include "study/study.h"

#include "base/clock.h"
#include "base/usage.h"
#include "model/footprint.h"
#include "model/model.h"
#include "run/run.h"
#include "run/start.h"
#include "study/ensemble.h"
#include "system/declared.h"

#include <math.h>
#include <string.h>

/* ---- progress --------------------------------------------------------------------------------------- */

static void report_progress(lv_studier *s, int ended, int failed)
{
    s->done += ended;
    s->stopped += failed;
    if (!s->request->progress || s->stop)
        return;
    const lv_sweep_progress now = {.done = s->done,
                                   .failed = s->stopped,
                                   .members = s->known,
                                   .share = s->known > 0 ? (double)s->done / s->known : 0,
                                   .seconds = lv_clock_seconds() - s->began};
    s->stop = !s->request->progress(s->request->user, &now);
}

bool lv_studier_go_on(lv_studier *s, int ended, int failed)
{
    bool goes_on;
#ifdef _OPENMP
#pragma omp critical
#endif
    {
        report_progress(s, ended, failed);
        goes_on = !s->stop;
    }
    return goes_on;
}

/* ---- the request ------------------------------------------------------------------------------ */

static lv_status check_steps(const lv_studier *s, lv_error *err)
{
    const lv_study_request *r = s->request;
    for (int k = 0; k < r->step_count; k++) {
        lv_status status = LV_OK;
        if (!(r->steps[k] > 0) || !isfinite(r->steps[k]))
            status = lv_fail(err, LV_ERR_MODEL, "the step size must be positive, not %g",
                             r->steps[k]);
        else if (r->steps[k] > s->view.until)
            status = lv_fail(err, LV_ERR_MODEL,
                             "a step of %g is larger than the time that is studied, %g",
                             r->steps[k], s->view.until);
        if (status == LV_OK)
            continue;
        lv_error_about(err, LV_ABOUT_STEP, 0);
        lv_error_hint(err, "smaller steps, or a longer time: --until %.3g",
                      10 * fabs(r->steps[k]));
        return status;
    }
    for (int k = 0; k < r->tolerance_count; k++)
        if (!(r->tolerances[k] > 0) || !isfinite(r->tolerances[k]))
            return lv_fail(err, LV_ERR_MODEL, "a tolerance must be positive, not %g",
                           r->tolerances[k]);
    return LV_OK;
}

static lv_status check_time(lv_studier *s, lv_error *err)
{
    lv_run_request run = s->request->run;
    run.sim.step = run.sim.step != 0 ? run.sim.step : 1; /* the step is found later */
    run.sample = 0;
    run.every = 1;
    LV_TRY(lv_run_request_check(&run, s->model, err));
    LV_TRY(lv_feeds_read(&s->feeds, s->model, &run, &s->arena, err));
    if (!(run.until > 0)) {
        const lv_status status =
            lv_fail(err, LV_ERR_MODEL, "a study needs some time, not a run to t = 0");
        lv_error_hint(err, "--until 10, or until = 10 in [run]");
        return status;
    }
    if (!(run.sim.step > 0) || !isfinite(run.sim.step))
        return lv_fail(err, LV_ERR_MODEL, "the step size must be positive, not %g",
                       run.sim.step);
    s->view.asked = s->view.until = run.until;
    return check_steps(s, err);
}

/* A step that resolves the motion, as `livens check` suggests it. */
static lv_status suggest_step(lv_studier *s, lv_error *err)
{
    lv_inspection *facts = NULL;
    lv_probe_info probe = {0};
    lv_status status = lv_model_inspect(&facts, s->model, err);
    if (status == LV_OK)
        status = lv_inspection_probe(facts, &probe, err);
    lv_inspection_free(facts);
    s->view.step = probe.step > 0 ? probe.step : s->view.until / 200;
    return status;
}

/* Chooses the central step, and how long the study lasts: only a part of a long run is
 * studied. */
static lv_status choose_scale(lv_studier *s, lv_error *err)
{
    enum { STEPS_LEAST = 32, FINER = 8, FINEST_LEAST = STEPS_LEAST * FINER };
    const long long size = s->system->n + s->system->constraint_count;
    s->finest = 4000000000LL / ((size + 10) * (size + 100) * (size + 100));
    s->finest = s->finest < FINEST_LEAST ? FINEST_LEAST : s->finest;
    s->view.step = s->request->run.sim.step;
    double smallest = (double)INFINITY;
    for (int k = 0; k < s->request->step_count; k++)
        smallest = fmin(smallest, s->request->steps[k]);
    if (isfinite(smallest))
        s->view.step = smallest;
    else if (!(s->view.step > 0))
        LV_TRY(suggest_step(s, err));
    s->view.step = fmin(s->view.step, s->view.until / STEPS_LEAST);
    const long long steps = s->finest / FINER;
    const double most = s->view.step * (double)steps;
    if (s->view.until > 2 * most && !s->request->whole && s->request->step_count == 0) {
        s->view.until = most;
        s->view.shortened = "a study of the whole run would take long";
    }
    const double needed = FINER * s->view.until / s->view.step;
    if (needed > 1e12)
        return lv_fail(err, LV_ERR_LIMIT, "a run to t = %g with steps of %g is too long",
                       s->view.until, s->view.step);
    s->finest = (double)s->finest > needed ? s->finest : (long long)needed;
    return LV_OK;
}

static lv_status studier_prepare(lv_studier *s, lv_error *err)
{
    const size_t n = (size_t)s->model->coordinate_count;
    LV_TRY(lv_system_create(&s->system, s->model, err));
    double *room = lv_arena_alloc(&s->arena, 5 * n, sizeof *room);
    const int maps = lv_system_map_count(s->system);
    s->kept = lv_arena_alloc(&s->arena, (size_t)maps + 1, sizeof *s->kept);
    if (!room || !s->kept)
        return lv_fail_memory(err);
    s->start = (lv_state){0, room, room + n, room + 2 * n};
    LV_TRY(lv_start_make(s->system, s->options.initial, s->start.q, s->start.v,
                         room + 3 * n, err));
    lv_system_start_turns(s->system, 0, s->start.q, s->start.v);
    lv_system_momentum(s->system, s->start.p, 0, s->start.q, s->start.v);
    LV_TRY(lv_declared_judge(s->system, err));
    for (int k = 0; k < maps; k++)
        s->kept[k] = !s->system->has_nonholonomic &&
                     !(k < s->system->declared && s->system->spoilt[k]);
    s->marks = (lv_marks){.n = (int)n, .count = LV_STUDY_MARKS};
    return LV_OK;
}

/* ---- the study -------------------------------------------------------------------------------- */

static lv_status carry_out(lv_studier *s, lv_error *err)
{
    LV_TRY(check_time(s, err));
    LV_TRY(studier_prepare(s, err));
    LV_TRY(lv_studier_list(s, err));
    LV_TRY(choose_scale(s, err));
    LV_TRY(lv_studier_refer(s, err));
    if (s->stop)
        return LV_OK;
    LV_TRY(lv_studier_climb(s, err));
    return lv_studier_advise(s, err);
}

/* Prepares the lists that the caller sees. */
static lv_status arrange(lv_studier *s, lv_error *err)
{
    const int count = s->entries.count;
    lv_study_method *list = lv_arena_alloc(&s->arena, (size_t)count + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        lv_study_entry *e = &s->entries.data[k];
        e->view.run_count = e->runs.count;
        e->view.runs = lv_arena_copy(&s->arena, e->runs.data, (size_t)e->runs.count,
                                     sizeof *e->runs.data);
        if (e->runs.count > 0 && !e->view.runs)
            return lv_fail_memory(err);
        list[k] = e->view;
    }
    s->view.methods = list;
    s->view.method_count = count;
    s->view.refusals = lv_arena_copy(&s->arena, s->refusals.data,
                                     (size_t)s->refusals.count, sizeof *s->refusals.data);
    s->view.refusal_count = s->refusals.count;
    s->view.interrupted = s->stop;
    return s->refusals.count == 0 || s->view.refusals ? LV_OK : lv_fail_memory(err);
}

static void drop_work(lv_studier *s)
{
    for (int k = 0; k < s->entries.count; k++)
        LV_ARRAY_FREE(s->entries.data[k].runs);
    LV_ARRAY_FREE(s->entries);
    LV_ARRAY_FREE(s->refusals);
    LV_ARRAY_FREE(s->tasks);
    lv_system_free(s->system);
    s->system = NULL;
}

lv_study_request lv_study_request_default(const lv_model *model)
{
    return (lv_study_request){.run = lv_run_request_default(model)};
}

static lv_status check_request(const lv_study_request *r, lv_error *err)
{
    static const char function[] = "lv_study_make";
    LV_TRY(lv_need_count(err, function, "request->choice_count", r->choice_count));
    LV_TRY(lv_need_count(err, function, "request->step_count", r->step_count));
    LV_TRY(lv_need_count(err, function, "request->tolerance_count", r->tolerance_count));
    LV_TRY(lv_need_count(err, function, "request->threads", r->threads));
    if (r->choice_count > 0 && !r->choices)
        return lv_fail_null(err, function, "request->choices");
    if (r->step_count > 0 && !r->steps)
        return lv_fail_null(err, function, "request->steps");
    if (r->tolerance_count > 0 && !r->tolerances)
        return lv_fail_null(err, function, "request->tolerances");
    for (int k = 0; k < r->choice_count; k++)
        if (!r->choices[k].scheme)
            return lv_fail_null(err, function, "a scheme in request->choices");
    return lv_need_enumerator(err, function, "request->run.sim.initial",
                              (int)r->run.sim.initial, LV_INITIAL_PROJECT + 1);
}

lv_status lv_study_make(lv_study **study, const lv_model *model,
                        const lv_study_request *request, lv_error *err)
{
    static const double usual[] = {1e-3, 1e-6, 1e-9};
    lv_error_clear(err);
    LV_NEED(err, study);
    *study = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED_ROOM(err, request);
    LV_TRY(check_request(request, err));
    lv_studier *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    s->model = model;
    s->request = request;
    s->options = request->run.sim;
    s->began = lv_clock_seconds();
    s->tolerances = request->tolerance_count > 0 ? request->tolerances : usual;
    s->tolerance_count = request->tolerance_count > 0 ? request->tolerance_count : 3;
    s->view.threads = lv_sweep_team(request->threads);
    lv_status status = carry_out(s, err);
    if (status == LV_OK)
        status = arrange(s, err);
    drop_work(s);
    s->view.seconds = lv_clock_seconds() - s->began;
    if (status == LV_OK)
        *study = &s->view;
    else
        lv_study_free(&s->view);
    return lv_model_settle(model, status, err);
}

void lv_study_free(lv_study *study)
{
    lv_studier *s = (lv_studier *)study;
    if (!s)
        return;
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}
