#include "run/sim.h"
#include "model/footprint.h"

#include "base/memory.h"
#include "base/usage.h"
#include "run/advice.h"
#include "run/asker.h"
#include "run/start.h"
#include "scheme/indicator.h"
#include "step/stepper.h"
#include "system/agreement.h"
#include "system/determined.h"
#include "system/inspect.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

lv_sim_options lv_sim_options_default(const lv_model *model)
{
    const lv_run_options *run = lv_model_run_options(model);
    return (lv_sim_options){.scheme = run->scheme ? run->scheme : "lobatto",
                            .options = run->options,
                            .step = run->step,
                            .initial =
                                run->project ? LV_INITIAL_PROJECT : LV_INITIAL_CHECK};
}

/* ---- creation ------------------------------------------------------------------------------------ */

static lv_status check_step(double step, lv_error *err)
{
    if (step > 0 && isfinite(step))
        return LV_OK;
    lv_status status =
        step == 0
            ? lv_fail(err, LV_ERR_MODEL, "no step size is given")
            : lv_fail(err, LV_ERR_MODEL, "the step size must be positive, not %g", step);
    lv_error_about(err, LV_ABOUT_STEP, 0);
    lv_error_name(err, "step");
    lv_error_hint(err, "--step 0.01, or step = 0.01 in [run]");
    return status;
}

static lv_status compose(lv_sim *sim, const lv_scheme_options *options, lv_error *err)
{
    lv_claims claims = {0};
    const int wanted = (int)lv_scheme_option(options, LV_OPTION_COMPOSE, 0);
    sim->scheme->claims(sim->scheme, &claims, options);
    sim->order = claims.order;
    sim->weights[0] = 1;
    sim->weight_count = 1;
    if (wanted <= claims.order)
        return LV_OK;
    sim->order = wanted;
    return lv_compose(sim->weights, &sim->weight_count, claims.order, wanted, err);
}

/* The start of the model, or the state of another simulation. */
static lv_status sim_start(lv_sim *sim, const lv_sim_options *options, const lv_sim *from,
                           lv_error *err)
{
    lv_state *x = &sim->state;
    if (from)
        return lv_sim_take_over(sim, from, err);
    LV_TRY(lv_start_make(sim->system, options->initial, x->q, x->v, sim->saved, err));
    lv_system_start_turns(sim->system, 0, x->q, x->v);
    lv_system_momentum(sim->system, x->p, 0, x->q, x->v);
    return lv_start_compare(&sim->start_change, sim->system, options->initial, x->q, x->v,
                            err);
}

static lv_status sim_fill(lv_sim *sim, const lv_sim_options *options, const lv_sim *from,
                          lv_error *err)
{
    size_t n = (size_t)sim->model->coordinate_count;
    lv_scheme_options effective = options->options;
    LV_TRY(check_step(options->step, err));
    LV_TRY(lv_sim_choose(&sim->scheme, sim->model, options, err));
    LV_TRY(lv_scheme_complete(&sim->options, options->scheme, &options->options, err));
    LV_TRY(lv_system_create(&sim->system, sim->model, err));
    LV_TRY(lv_sim_fits(sim->scheme, sim->system, options, err));
    lv_scheme_options_drop(&sim->options, sim->system);
    lv_scheme_options_drop(&effective, sim->system);
    double *room = lv_arena_alloc(&sim->arena, 6 * n + (size_t)lv_indicator_room((int)n),
                                  sizeof *room);
    double *home = lv_arena_alloc(&sim->home, 3 * n + 1, sizeof *home);
    if (!room || !home)
        return lv_fail_memory(err);
    sim->old_input = lv_arena_alloc(
        &sim->arena, (size_t)sim->model->input_count + 2 * n + 1, sizeof *room);
    sim->asker = lv_arena_alloc(&sim->arena, 1, sizeof *sim->asker);
    if (!sim->old_input || !sim->asker)
        return lv_fail_memory(err);
    sim->state = (lv_state){0, home, home + n, home + 2 * n};
    sim->saved = room;
    sim->before = (lv_state){0, room + 3 * n, room + 4 * n, room + 5 * n};
    sim->sample = room + 6 * n;
    sim->h = options->step;
    LV_TRY(sim_start(sim, options, from, err));
    LV_TRY(compose(sim, &effective, err));
    sim->dense = options->dense;
    if (sim->dense)
        LV_TRY(lv_scheme_dense(sim->scheme, &effective, err));
    LV_TRY(lv_system_watch_often(sim->system, err));
    LV_TRY(lv_balance_init(&sim->balance, sim->system, &sim->arena, err));
    lv_balance_begin(&sim->balance, &sim->state);
    LV_TRY(sim->scheme->create(sim->scheme, &sim->work, sim->system, &effective, err));
    if (sim->weight_count > 1 && sim->scheme->stepper)
        LV_TRY(
            lv_stepper_compose(sim->scheme->stepper(sim->work), sim->weight_count, err));
    LV_TRY(lv_events_init(sim, err));
    sim->kind = lv_sim_kind(sim);
    return LV_OK;
}

lv_status lv_sim_create(lv_sim **result, const lv_model *model,
                        const lv_sim_options *options, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED_AS(err, result, "sim");
    *result = NULL;
    LV_NEED(err, model);
    LV_NEED(err, options);
    LV_NEED_ROOM(err, options);
    LV_NEED(err, options->scheme);
    LV_TRY(lv_need_enumerator(err, __func__, "options->initial", (int)options->initial,
                              LV_INITIAL_PROJECT + 1));
    return lv_sim_create_from(result, model, options, NULL, err);
}

lv_status lv_sim_create_from(lv_sim **result, const lv_model *model,
                             const lv_sim_options *options, const lv_sim *from,
                             lv_error *err)
{
    *result = NULL;
    lv_sim *sim = lv_memory_zeroed(1, sizeof *sim);
    if (!sim)
        return lv_fail_memory(err);
    sim->model = model;
    lv_status status = lv_model_settle(model, sim_fill(sim, options, from, err), err);
    if (status == LV_OK)
        *result = sim;
    else
        lv_sim_free(sim);
    return status;
}

void lv_sim_free(lv_sim *sim)
{
    if (!sim)
        return;
    if (sim->scheme)
        sim->scheme->free(sim->work);
    if (sim->asker)
        lv_asker_done(sim->asker);
    lv_viewer_free(sim->viewer);
    lv_balance_done(&sim->balance);
    lv_events_done(&sim->events);
    lv_system_free(sim->system);
    lv_arena_done(&sim->arena);
    lv_arena_done(&sim->home);
    lv_model_free(sim->own_model);
    lv_memory_free(sim);
}

static lv_status kept_momenta(const lv_scheme *scheme, lv_system *system,
                              const lv_scheme_options *options, bool *kept, int count,
                              lv_error *err)
{
    const int maps = lv_system_map_count(system);
    bool *all = lv_memory_zeroed((size_t)maps + 1, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    lv_status status = lv_scheme_keeps(scheme, system, options, all, err);
    for (int k = 0; k < count && k < maps; k++)
        kept[k] = all[k];
    lv_memory_free(all);
    return status;
}

/* Whether a scheme takes the system, and what it keeps. Missing memory is no reason to refuse it. */
static lv_status survey_scheme(const lv_scheme *scheme, lv_system *system, bool *fits,
                               bool *kept, int maps, lv_error *err)
{
    const lv_scheme_options none = {0};
    lv_status status = lv_scheme_fits(scheme, system, &none, NULL);
    *fits = status == LV_OK;
    if (status == LV_ERR_MEMORY)
        return lv_fail_memory(err);
    return *fits && maps > 0 ? kept_momenta(scheme, system, &none, kept, maps, err)
                             : LV_OK;
}

static lv_status survey(lv_system *system, bool *fits, int count, bool *kept, int maps,
                        lv_error *err)
{
    lv_status status = LV_OK;
    for (ptrdiff_t k = 0; k < (ptrdiff_t)count * maps; k++)
        kept[k] = true;
    for (int k = 0; k < count && lv_scheme_table[k] && status == LV_OK; k++)
        status = survey_scheme(lv_scheme_table[k], system, &fits[k],
                               kept ? kept + (ptrdiff_t)k * maps : NULL, maps, err);
    return status;
}

lv_status lv_model_survey_schemes(const lv_model *model, bool *fits, int count,
                                  bool *kept, int maps, lv_error *err)
{
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    LV_TRY(lv_need_count(err, __func__, "maps", maps));
    if (maps > 0)
        LV_NEED(err, kept);
    lv_status status = lv_system_create(&system, model, err);
    if (status == LV_OK)
        status = survey(system, fits, count, kept, maps, err);
    lv_system_free(system);
    return lv_model_settle(model, status, err);
}

lv_status lv_inspection_survey_schemes(lv_inspection *inspection, bool *fits, int count,
                                       bool *kept, lv_error *err)
{
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, inspection);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const int maps = inspection->momentum_count;
    if (maps > 0)
        LV_NEED(err, kept);
    lv_status status = lv_inspection_system(inspection, &system, err);
    if (status == LV_OK)
        status = survey(system, fits, count, kept, maps, err);
    return lv_model_settle(lv_inspection_model(inspection), status, err);
}

static bool all_have_effect(const lv_system *system, const lv_scheme_options *options)
{
    for (int k = 0; k < LV_OPTIONS; k++)
        if (lv_option_without_effect((lv_option)k, system, options))
            return false;
    return true;
}

static lv_status find_fitting(const lv_system *system, const lv_scheme_options *options,
                              bool *fits, int count, lv_error *err)
{
    const bool any = all_have_effect(system, options);
    for (int k = 0; k < count && lv_scheme_table[k]; k++) {
        const lv_scheme *scheme = NULL;
        lv_status status =
            lv_scheme_choose(&scheme, lv_scheme_table[k]->info.name, options, NULL);
        if (status == LV_OK && any)
            status = lv_scheme_fits(scheme, system, options, NULL);
        if (status == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        fits[k] = any && status == LV_OK;
    }
    return LV_OK;
}

lv_status lv_inspection_fitting_schemes(lv_inspection *inspection,
                                        const lv_scheme_options *options, bool *fits,
                                        int count, lv_error *err)
{
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, inspection);
    LV_NEED(err, options);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    lv_status status = lv_inspection_system(inspection, &system, err);
    if (status == LV_OK)
        status = find_fitting(system, options, fits, count, err);
    return lv_model_settle(lv_inspection_model(inspection), status, err);
}

lv_status lv_model_fitting_schemes(const lv_model *model, bool *fits, int count,
                                   lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED(err, fits);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    return lv_model_survey_schemes(model, fits, count, NULL, 0, err);
}

lv_status lv_model_kept_momenta(const lv_model *model, const char *name,
                                const lv_scheme_options *options, bool *kept, int count,
                                lv_error *err)
{
    const lv_scheme_options none = {0};
    const lv_scheme *scheme = NULL;
    lv_system *system = NULL;
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED_AS(err, name, "scheme");
    LV_NEED(err, kept);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    options = options ? options : &none;
    LV_TRY(lv_scheme_choose(&scheme, name, options, err));
    if (!scheme->keeps) { /* whatever the system */
        lv_claims claims = {0};
        scheme->claims(scheme, &claims, options);
        for (int k = 0; k < count; k++)
            kept[k] = claims.momentum == LV_KEPT_EXACT;
        return LV_OK;
    }
    lv_status status = lv_system_create(&system, model, err);
    if (status == LV_OK)
        status = lv_scheme_fits(scheme, system, options, err);
    if (status == LV_OK)
        status = kept_momenta(scheme, system, options, kept, count, err);
    lv_system_free(system);
    return lv_model_settle(model, status, err);
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static void keep(lv_sim *sim)
{
    size_t bytes = 3 * (size_t)sim->system->n * sizeof *sim->saved;
    memcpy(sim->saved, sim->state.q, bytes); /* q, v, p lie side by side */
}

static void restore(lv_sim *sim, double t)
{
    size_t bytes = 3 * (size_t)sim->system->n * sizeof *sim->saved;
    memcpy(sim->state.q, sim->saved, bytes);
    sim->state.t = t;
    lv_balance_restore(&sim->balance);
    sim->scheme->forget(sim->work);
}

/* For dense output, and for the work of a step. */
static void keep_start(lv_sim *sim)
{
    size_t bytes = 3 * (size_t)sim->system->n * sizeof *sim->saved;
    if (!sim->dense && sim->balance.count == 0)
        return;
    memcpy(sim->before.q, sim->state.q, bytes); /* q, v, p lie side by side */
    sim->before.t = sim->state.t;
}

/* A composed step: substeps of weighted sizes, velocities made consistent at the end only. */
static lv_status composed(lv_sim *sim, double h, lv_error *err)
{
    double t = sim->state.t, offset = 0;
    keep(sim);
    sim->saved_t = t;
    sim->saved_h = 0;
    for (int k = 0; k < sim->weight_count; k++) {
        lv_step_report report = {0};
        bool last = k == sim->weight_count - 1;
        keep_start(sim);
        lv_status status = sim->scheme->step(sim->work, &sim->state, sim->weights[k] * h,
                                             last, &report, err);
        if (status != LV_OK) {
            restore(sim, t);
            return status;
        }
        lv_balance_step(&sim->balance, sim->scheme, sim->work, &sim->before, &sim->state,
                        sim->weights[k] * h);
        sim->iterations += report.iterations;
        sim->stagnated |= report.stagnated;
        if (report.turned.angle >= sim->turned.angle)
            sim->turned = report.turned;
        offset += sim->weights[k];
        sim->state.t = t + offset * h;
    }
    sim->saved_h = h;
    return LV_OK;
}

static lv_status single(lv_sim *sim, double h, lv_error *err)
{
    lv_step_report report = {0};
    keep_start(sim);
    lv_status status = sim->scheme->step(sim->work, &sim->state, h, true, &report, err);
    sim->iterations = report.iterations;
    sim->stagnated = report.stagnated;
    sim->turned = report.turned;
    sim->last_h = status == LV_OK ? h : 0;
    if (status == LV_OK)
        lv_balance_step(&sim->balance, sim->scheme, sim->work, &sim->before, &sim->state,
                        h);
    return status;
}

/* A step that fails may have met a configuration in which constraints depend on each other: at its start, in the middle
 * or at its end, as velocities tell them. Constraints that are dependent from the start are another matter. */
static void blame_singular(lv_sim *sim, double h, lv_error *err)
{
    static const char *const where[] = {"start", "middle", "end"};
    const double close = 1e-2, changes = 0.3;
    const lv_state *x = &sim->state;
    lv_near near[3];
    int least = 0, most = 0;
    char says[500];
    if (lv_system_nearest(sim->system, 0, sim->model->start_q, sim->model->start_v)
            .redundant > 0)
        return;
    for (int k = 0; k < 3; k++) {
        const double part = 0.5 * k * h;
        for (int i = 0; i < sim->system->n; i++)
            sim->saved[i] = x->q[i] + part * x->v[i];
        near[k] = lv_system_nearest(sim->system, x->t + part, sim->saved, x->v);
        least = near[k].value < near[least].value ? k : least;
        most = near[k].value > near[most].value ? k : most;
    }
    if (!(near[least].value < close) || !(near[least].value < changes * near[most].value))
        return;
    (void)lv_fail(
        err, LV_ERR_NUMERIC, "a singular configuration: %s at the %s of the step",
        lv_near_says(&near[least], sim->system, says, sizeof says), where[least]);
    lv_system_blame_row(sim->system, near[least].rows[0], err);
    lv_error_because(err, LV_WHY_SINGULAR);
    lv_error_note(err,
                  "the smallest singular value of their gradients is %.1e there, "
                  "relative, and %.1e at the %s",
                  near[least].value, near[most].value, where[most]);
    lv_error_hint(err, "a different step size avoids it");
}

lv_status lv_sim_step_by(lv_sim *sim, double h, lv_error *err)
{
    assert(isfinite(h) && h != 0);
    sim->iterations = 0;
    sim->stagnated = false;
    sim->turned = (lv_turned){0};
    lv_system_follow_turns(sim->system, sim->state.t, sim->state.q, sim->state.v);
    lv_balance_keep(&sim->balance);
    lv_status status = (sim->weight_count > 1 ? composed : single)(sim, h, err);
    if (status == LV_ERR_NUMERIC) { /* are there equations that cannot be solved? */
        lv_error why;
        if (lv_system_contradiction(sim->system, sim->state.t + h, sim->state.q, &why) !=
                LV_OK &&
            err)
            *err = why;
        if (err)
            blame_singular(sim, h, err);
    }
    return status;
}

/* Says when a step of size h failed. */
static lv_status explain(const lv_sim *sim, double h, lv_status status, lv_error *err)
{
    if (err && status != LV_ERR_MEMORY) {
        lv_advise_step(sim, err);
        char text[sizeof err->text];
        snprintf(text, sizeof text, "stopped at step %lld, t = %.6g (step %g): %.600s",
                 sim->steps + 1, sim->state.t, h, err->text);
        memcpy(err->text, text, sizeof text);
    }
    return status;
}

lv_status lv_sim_step(lv_sim *sim, lv_error *err)
{
    LV_NEED(err, sim);
    lv_status status = lv_events_step(
        sim, sim->h, sim->start_time + (double)(sim->steps + 1) * sim->h, err);
    if (status != LV_OK)
        return explain(sim, sim->h, status, err);
    if (lv_events_stopped(&sim->events) >= 0)
        return LV_OK;
    sim->steps++;
    sim->state.t = sim->start_time + (double)sim->steps * sim->h;
    return LV_OK;
}

lv_status lv_sim_step_many(lv_sim *sim, long long count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    if (count < 0)
        return lv_fail(err, LV_ERR_USAGE, "lv_sim_step_many: count is negative");
    for (long long k = 0; k < count; k++) {
        LV_TRY(lv_sim_step(sim, err));
        if (lv_events_stopped(&sim->events) >= 0)
            return LV_OK;
    }
    return LV_OK;
}

long long lv_sim_plan_steps(double t, double until, double h, double *last)
{
    assert(h > 0);
    double exact = (until - t) / h, whole = floor(exact + 1e-9);
    *last = h;
    if (!(exact > 0))
        return 0;
    if (exact > (double)LV_SIM_STEPS)
        return LV_SIM_STEPS;
    if (exact - whole <= 1e-9)
        return (long long)whole;
    *last = until - (t + whole * h);
    return (long long)whole + 1;
}

/* Rounding of a time, as of start_time + steps * h, is no past. */
static lv_status check_end(const lv_sim *sim, double until, lv_error *err)
{
    const double now = sim->state.t, slack = 1e-9 * sim->h + 4 * DBL_EPSILON * fabs(now);
    LV_TRY(lv_need_finite(err, "lv_sim_advance", "until", until));
    if (until < now - slack)
        return lv_fail(
            err, LV_ERR_USAGE,
            "lv_sim_advance: t = %.17g lies in the past; the simulation stands "
            "at t = %.17g",
            until, now);
    return LV_OK;
}

lv_status lv_sim_advance(lv_sim *sim, double until, lv_error *err)
{
    double last = 0;
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_TRY(check_end(sim, until, err));
    long long count = lv_sim_plan_steps(sim->state.t, until, sim->h, &last);
    if (count >= LV_SIM_STEPS)
        return lv_fail(err, LV_ERR_LIMIT,
                       "lv_sim_advance: t = %g is more than %g steps away", until,
                       (double)LV_SIM_STEPS);
    if (count > 1)
        LV_TRY(lv_sim_step_many(sim, count - 1, err));
    if (count == 0 || lv_events_stopped(&sim->events) >= 0)
        return LV_OK;
    if (last == sim->h)
        return lv_sim_step(sim, err);

    /* A step of another size begins a new count. */
    lv_status status = lv_events_step(sim, last, until, err);
    if (status != LV_OK)
        return explain(sim, last, status, err);
    if (lv_events_stopped(&sim->events) >= 0)
        return LV_OK;
    sim->start_time = sim->state.t = until;
    sim->steps = 0;
    return LV_OK;
}
