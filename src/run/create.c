/* Creates and frees simulations. */
#include "run/sim.h"

#include "base/memory.h"
#include "base/usage.h"
#include "model/footprint.h"
#include "run/asker.h"
#include "run/events.h"
#include "run/start.h"
#include "scheme/indicator.h"
#include "stepper/stepper.h"

#include <math.h>

lv_sim_options lv_sim_options_default(const lv_model *model)
{
    const lv_run_options *run = lv_model_run_options(model);
    return (lv_sim_options){.scheme = run->scheme ? run->scheme : "lobatto",
                            .options = run->options,
                            .step = run->step,
                            .initial =
                                run->project ? LV_INITIAL_PROJECT : LV_INITIAL_CHECK};
}

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

lv_status lv_sim_start(lv_sim *sim, const lv_sim_options *options, lv_error *err)
{
    lv_state *x = &sim->state;
    LV_TRY(lv_start_make(sim->system, options->initial, x->q, x->v, sim->saved, err));
    lv_system_start_turns(sim->system, 0, x->q, x->v);
    lv_system_momentum(sim->system, x->p, 0, x->q, x->v);
    return lv_start_compare(&sim->start_change, sim->system, options->initial, x->q, x->v,
                            err);
}

/* Tells the stepper that steps are composed. Nobody looks between their substeps, except
 * dense output and the work of steps. */
static lv_status announce_substeps(lv_sim *sim, lv_error *err)
{
    if (sim->weight_count == 1 || !sim->scheme->stepper)
        return LV_OK;
    lv_stepper *stepper = sim->scheme->stepper(sim->work);
    if (!sim->dense && sim->balance.count == 0)
        lv_stepper_hide_substeps(stepper);
    return lv_stepper_compose(stepper, sim->weight_count, err);
}

static lv_status find_axes(lv_sim *sim, const lv_scheme_options *options, lv_error *err)
{
    lv_claims claims = {0};
    sim->scheme->claims(sim->scheme, &claims, options);
    return lv_body_axes_init(&sim->axes, sim->model, claims.order, &sim->arena, err);
}

static lv_status sim_fill(lv_sim *sim, const lv_sim_options *options, const lv_sim *from,
                          lv_error *err)
{
    size_t n = (size_t)sim->model->coordinate_count;
    lv_scheme_options effective = options->options;
    LV_TRY(check_step(options->step, err));
    LV_TRY(lv_sim_choose(&sim->scheme, sim->model, options, err));
    lv_scheme_options_drop(&effective, sim->model);
    LV_TRY(lv_scheme_complete(&sim->options, options->scheme, &effective, err));
    LV_TRY((sim->renewable ? lv_system_create_renewable
                           : lv_system_create)(&sim->system, sim->model, err));
    LV_TRY(lv_sim_fits(sim->scheme, sim->system, options, err));
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
    LV_TRY(lv_changes_init(&sim->changes, sim->model, &sim->arena, err));
    LV_TRY(from ? lv_sim_take_over(sim, from, err) : lv_sim_start(sim, options, err));
    LV_TRY(compose(sim, &effective, err));
    sim->dense = options->dense;
    if (sim->dense)
        LV_TRY(lv_scheme_dense(sim->scheme, &effective, err));
    LV_TRY(lv_system_watch_often(sim->system, err));
    LV_TRY(lv_balance_init(&sim->balance, sim->system, &sim->arena, err));
    lv_balance_begin(&sim->balance, &sim->state);
    LV_TRY(sim->scheme->create(sim->scheme, &sim->work, sim->system, &effective, err));
    LV_TRY(announce_substeps(sim, err));
    LV_TRY(find_axes(sim, &effective, err));
    LV_TRY(lv_events_init(sim, err));
    sim->kind = lv_sim_kind(sim);
    return LV_OK;
}

static lv_status create(lv_sim **result, const lv_model *model,
                        const lv_sim_options *options, const lv_sim *from, bool renewable,
                        lv_error *err)
{
    *result = NULL;
    lv_sim *sim = lv_memory_zeroed(1, sizeof *sim);
    if (!sim)
        return lv_fail_memory(err);
    sim->model = model;
    sim->renewable = renewable;
    lv_status status = lv_model_settle(model, sim_fill(sim, options, from, err), err);
    if (status == LV_OK)
        *result = sim;
    else
        lv_sim_free(sim);
    return status;
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
    return create(result, model, options, from, false, err);
}

lv_status lv_sim_create_renewable(lv_sim **result, const lv_model *model,
                                  const lv_sim_options *options, lv_error *err)
{
    lv_error_clear(err);
    return create(result, model, options, NULL, true, err);
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
    lv_plan_free(sim->outputs);
    lv_balance_done(&sim->balance);
    lv_events_done(&sim->events);
    lv_system_free(sim->system);
    lv_arena_done(&sim->arena);
    lv_arena_done(&sim->home);
    lv_model_free(sim->own_model);
    lv_memory_free(sim);
}
