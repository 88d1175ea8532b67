/* Inputs of a simulation: their current values, and the change of the state when one of
 * them changes.
 *
 * A change between steps is the limit of a quick change: positions stay, and so do
 * momenta, except for impulses of constraints. Velocities follow if the kinetic energy
 * depends on the input. If constraints on velocities depend on it, their impulse moves
 * the velocities onto them, M (v1 - v0) = G^T z. Positions cannot jump: an input that
 * would violate a holonomic constraint is refused. The change of energy counts as the
 * work of the input. */
#include "run/sim.h"

#include "base/text.h"
#include "base/usage.h"
#include "model/external.h"
#include "run/gap.h"
#include "stepper/stepper.h"
#include "system/agreement.h"
#include "system/consistent.h"

#include <math.h>
#include <string.h>

/* ---- questions -------------------------------------------------------------------------------------- */

bool lv_model_input_describe(const lv_model *model, int k, lv_input_info *info)
{
    if (!model || !info || k < 0 || k >= model->inputs.count)
        return false;
    const lv_model_input *input = &model->inputs.data[k];
    *info = (lv_input_info){.name = input->item->name,
                            .length = input->length,
                            .first = input->first,
                            .values = model->input_values + input->first};
    return true;
}

int lv_model_input_count(const lv_model *model)
{
    return model ? model->input_count : 0;
}

const double *lv_sim_inputs(const lv_sim *sim)
{
    return sim ? sim->system->inputs : NULL;
}

const double *lv_sim_input(const lv_sim *sim, const char *name)
{
    const int k = sim && name ? lv_model_find_input(sim->model, name) : -1;
    return k < 0 ? NULL : sim->system->inputs + sim->model->inputs.data[k].first;
}

/* ---- changes ---------------------------------------------------------------------------------------- */

static int count_of(const lv_model_input *input)
{
    return input->length > 0 ? input->length : 1;
}

static bool is_on(const lv_model_input *input, lv_role role)
{
    return input->roles >> (unsigned)role & 1;
}

static bool changes_momenta(const lv_sim *sim, const lv_model_input *input)
{
    const bool energies =
        is_on(input, LV_ROLE_KINETIC) || is_on(input, LV_ROLE_LAGRANGIAN);
    return energies && (lv_plan_depends(sim->system->legendre, LV_Q_MOMENTUM) &
                        1U << LV_INPUT_T) != 0;
}

static lv_status refuse_jump(lv_sim *sim, const lv_model_input *input, int row,
                             double residual, lv_error *err)
{
    char text[400];
    const lv_status status = lv_fail(
        err, LV_ERR_USAGE,
        "input '%s' cannot change so: the state would violate %s by %.3g",
        input->item->name, lv_gap_owner(sim->system, row, text, sizeof text), residual);
    lv_error_because(err, LV_WHY_CONTRADICTION);
    lv_system_blame_row(sim->system, row, err);
    lv_error_hint(err, "positions cannot jump; constrain the velocity instead, as with "
                       "nonholonomic = \"x' - u\", or let the constraint depend on t");
    return status;
}

/* Adapts positions, velocities and momenta to the new value of the input. */
static lv_status adapt_state(lv_sim *sim, const lv_model_input *input, lv_error *err)
{
    lv_system *s = sim->system;
    lv_state *x = &sim->state;
    const bool momenta = changes_momenta(sim, input);
    const bool rates =
        is_on(input, LV_ROLE_HOLONOMIC) || is_on(input, LV_ROLE_NONHOLONOMIC);
    double residual = 0;
    if (is_on(input, LV_ROLE_HOLONOMIC)) {
        const int row = lv_system_violated_position(s, x->t, x->q, &residual);
        if (row >= 0)
            return refuse_jump(sim, input, row, residual, err);
    }
    if (momenta)
        LV_TRY(lv_system_velocity(s, x->v, x->t, x->q, x->p, err));
    if ((!momenta && !rates) || s->constraint_count == 0)
        return LV_OK;
    if (lv_system_violated_velocity(s, x->t, x->q, x->v, &residual) < 0)
        return LV_OK;
    LV_TRY(lv_system_project_velocity(s, x->v, x->t, x->q, err));
    lv_system_momentum(s, x->p, x->t, x->q, x->v);
    return LV_OK;
}

static void put_back(lv_sim *sim, const lv_model_input *input)
{
    const size_t n = (size_t)sim->system->n, count = (size_t)count_of(input);
    const double *old = sim->old_input;
    memcpy(sim->system->inputs + input->first, old, count * sizeof *old);
    memcpy(sim->state.v, old + count, n * sizeof *old);
    memcpy(sim->state.p, old + count + n, n * sizeof *old);
}

/* Drops everything that was computed with the old values. */
static void drop_old_values(lv_sim *sim, const lv_model_input *input)
{
    sim->last_h = sim->saved_h = 0;
    if (!lv_input_moves(input))
        return;
    if (sim->scheme->stepper)
        lv_stepper_change_inputs(sim->scheme->stepper(sim->work));
    else
        sim->scheme->forget(sim->work);
}

static lv_status change_input(lv_sim *sim, int number, const double *values,
                              lv_error *err)
{
    const lv_model_input *input = &sim->model->inputs.data[number];
    const size_t n = (size_t)sim->system->n, count = (size_t)count_of(input);
    double *now = sim->system->inputs + input->first, *old = sim->old_input;
    if (memcmp(now, values, count * sizeof *now) == 0)
        return LV_OK;
    const bool works = lv_input_does_work(input) && sim->balance.count > 0;
    const double before = works ? lv_sim_energies(sim).total : 0;
    memcpy(old, now, count * sizeof *now);
    memcpy(old + count, sim->state.v, n * sizeof *old);
    memcpy(old + count + n, sim->state.p, n * sizeof *old);
    memcpy(now, values, count * sizeof *now);
    const lv_status status = adapt_state(sim, input, err);
    if (status != LV_OK) {
        put_back(sim, input);
        return status;
    }
    lv_balance_change_input(&sim->balance, number,
                            works ? lv_sim_energies(sim).total - before : 0);
    lv_changes_note_input(&sim->changes, number, sim->state.t);
    drop_old_values(sim, input);
    return LV_OK;
}

/* ---- for callers ------------------------------------------------------------------------------------ */

lv_status lv_sim_unknown_input(const lv_model *m, const char *name, lv_error *err)
{
    lv_nearest nearest;
    lv_listing all = {0};
    lv_nearest_start(&nearest, name);
    for (int k = 0; k < m->inputs.count; k++) {
        lv_nearest_offer(&nearest, m->inputs.data[k].item->name);
        lv_listing_add(&all, m->inputs.data[k].item->name);
    }
    const lv_status status =
        lv_fail(err, LV_ERR_USAGE, "the model has no input '%s'", name);
    if (lv_nearest_result(&nearest))
        lv_error_hint(err, "did you mean '%s'?", lv_nearest_result(&nearest));
    else if (all.count > 0)
        lv_error_hint(err, "the inputs are %s", lv_listing_text(&all));
    else
        lv_error_hint(err, "inputs are declared in [inputs]: %s = 0", name);
    return status;
}

static lv_status check_values(const lv_model *m, const double *values, int first,
                              int count, lv_error *err)
{
    for (int k = 0; k < m->inputs.count; k++) {
        const lv_model_input *input = &m->inputs.data[k];
        for (int j = 0; j < count_of(input); j++) {
            const int at = input->first + j - first;
            if (at >= 0 && at < count && !isfinite(values[at]))
                return lv_fail(err, LV_ERR_USAGE, "the new value of input '%s' is %s",
                               input->item->name,
                               isnan(values[at]) ? "not a number" : "not finite");
        }
    }
    return LV_OK;
}

lv_status lv_sim_set_input(lv_sim *sim, const char *name, const double *values, int count,
                           lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, name);
    LV_NEED(err, values);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const lv_model *m = sim->model;
    const int number = lv_model_find_input(m, name);
    if (number < 0)
        return lv_sim_unknown_input(m, name, err);
    const lv_model_input *input = &m->inputs.data[number];
    if (count != count_of(input))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_set_input: count is %d, but input '%s' has %d number%s",
                       count, name, count_of(input), count_of(input) == 1 ? "" : "s");
    LV_TRY(check_values(m, values, input->first, count, err));
    return change_input(sim, number, values, err);
}

lv_status lv_sim_set_inputs(lv_sim *sim, const double *values, int count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, values);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const lv_model *m = sim->model;
    if (count != m->input_count)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_set_inputs: count is %d, but the inputs of the model have "
                       "%d numbers",
                       count, m->input_count);
    LV_TRY(check_values(m, values, 0, count, err));
    for (int k = 0; k < m->inputs.count; k++)
        LV_TRY(change_input(sim, k, values + m->inputs.data[k].first, err));
    return LV_OK;
}

/* ---- external forces ---------------------------------------------------------------------------------- */

const double *lv_sim_force(const lv_sim *sim)
{
    const int number = sim ? lv_external_input(sim->model) : -1;
    return number < 0 ? NULL
                      : sim->system->inputs + sim->model->inputs.data[number].first;
}

lv_status lv_sim_set_force(lv_sim *sim, const double *force, int count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, force);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const int number = lv_external_input(sim->model);
    if (number < 0) {
        const lv_status status =
            lv_fail(err, LV_ERR_USAGE, "the model takes no external forces");
        lv_error_hint(err, "lv_model_with_forces makes a model that does");
        return status;
    }
    const lv_model_input *input = &sim->model->inputs.data[number];
    if (count != input->length)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_set_force: count is %d, but external forces of the model "
                       "have %d number%s",
                       count, input->length, input->length == 1 ? "" : "s");
    LV_TRY(check_values(sim->model, force, input->first, count, err));
    return change_input(sim, number, force, err);
}
