/* Reuse of a simulation for another member of an ensemble, which differs in numbers
 * only. */
#include "model/alike.h"
#include "run/asker.h"
#include "run/sim.h"
#include "stepper/stepper.h"

#include <math.h>
#include <string.h>

static bool asks_for_the_same(const lv_sim *sim, const lv_sim_options *options)
{
    lv_scheme_options all, effective = options->options;
    if (strcmp(sim->scheme->info.name, options->scheme) != 0 ||
        sim->dense != options->dense || !(options->step > 0) || !isfinite(options->step))
        return false;
    lv_scheme_options_drop(&effective, sim->model);
    if (lv_scheme_complete(&all, options->scheme, &effective, NULL) != LV_OK)
        return false;
    for (int k = 0; k < LV_OPTIONS; k++) {
        const double old = lv_scheme_option(&sim->options, (lv_option)k, (double)NAN);
        const double new = lv_scheme_option(&all, (lv_option)k, (double)NAN);
        if (!(old == new || (isnan(old) && isnan(new))))
            return false;
    }
    return true;
}

/* Resets everything that steps have changed. */
static void forget_steps(lv_sim *sim)
{
    sim->state.t = sim->start_time = 0;
    sim->steps = 0;
    sim->saved_t = sim->saved_h = sim->last_h = 0;
    sim->iterations = 0;
    sim->stagnated = false;
    sim->turned = (lv_turned){0};
    lv_asker_done(sim->asker);
    *sim->asker = (lv_asker){.plan = NULL};
}

static bool can_be_renewed(const lv_sim *sim)
{
    return sim->renewable && sim->own_model == sim->model && sim->scheme->stepper &&
           sim->events.count == 0 && !sim->viewer && !sim->scheme->invariant;
}

bool lv_sim_renew(lv_sim *sim, const lv_model *from, const lv_sim_options *options)
{
    if (!can_be_renewed(sim) || !lv_model_is_alike(sim->model, from) ||
        !asks_for_the_same(sim, options))
        return false;
    lv_model_take_numbers(sim->own_model, from);
    sim->h = options->step;
    forget_steps(sim);
    if (!lv_system_renew(sim->system, sim->model) ||
        lv_sim_fits(sim->scheme, sim->system, options, NULL) != LV_OK ||
        lv_sim_start(sim, options, NULL) != LV_OK)
        return false;
    if (sim->balance.power)
        lv_plan_renew(sim->balance.power);
    lv_balance_begin(&sim->balance, &sim->state);
    lv_changes_begin(&sim->changes, sim->state.t);
    if (!lv_stepper_renew(sim->scheme->stepper(sim->work)))
        return false;
    sim->kind = lv_sim_kind(sim);
    return true;
}
