/* Parameters of a running simulation. A model is created for values of its parameters. A
 * change creates the model and its system again, which takes as long as lv_model_read and
 * lv_sim_create, and the motion continues from the same state. As for inputs, positions
 * and momenta stay, velocities follow, and positions cannot jump. */
#include "run/sim.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"
#include "run/gap.h"
#include "system/consistent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the state -------------------------------------------------------------------------------------- */

static void copy(double *to, const double *from, size_t count)
{
    if (count > 0)
        memcpy(to, from, count * sizeof *to);
}

/* Whether the same velocities have the same momenta in both systems. `room`: 2 n
 * numbers. */
static bool same_momenta(const lv_sim *sim, const lv_sim *from, double *room)
{
    const lv_state *x = &from->state;
    const int n = sim->system->n;
    lv_system_momentum(from->system, room, x->t, x->q, x->v);
    lv_system_momentum(sim->system, room + n, x->t, x->q, x->v);
    return memcmp(room, room + n, (size_t)n * sizeof *room) == 0;
}

static lv_status refuse_jump(const lv_sim *sim, int row, double residual, lv_error *err)
{
    char text[400];
    const lv_status status =
        lv_fail(err, LV_ERR_USAGE,
                "the state would violate %s by %.3g with this value of the parameter",
                lv_gap_owner(sim->system, row, text, sizeof text), residual);
    lv_error_because(err, LV_WHY_CONTRADICTION);
    lv_system_blame_row(sim->system, row, err);
    lv_error_hint(err, "positions cannot jump; begin a new simulation with it");
    return status;
}

lv_status lv_sim_take_over(lv_sim *sim, const lv_sim *from, lv_error *err)
{
    lv_system *s = sim->system;
    lv_state *x = &sim->state;
    const size_t n = (size_t)s->n;
    double residual = 0;
    copy(s->inputs, from->system->inputs, (size_t)sim->model->input_count);
    copy(s->references, from->system->references,
         (size_t)lv_system_reference_count(from->system));
    copy(x->q, from->state.q, n);
    copy(x->v, from->state.v, n);
    copy(x->p, from->state.p, n);
    copy(sim->changes.numbers, from->changes.numbers, (size_t)sim->changes.number_count);
    x->t = from->state.t;
    sim->start_time = from->start_time;
    sim->steps = from->steps;
    sim->start_change = from->start_change;
    const int row = lv_system_violated_position(s, x->t, x->q, &residual);
    if (row >= 0)
        return refuse_jump(sim, row, residual, err);
    if (!same_momenta(sim, from, sim->saved))
        LV_TRY(lv_system_velocity(s, x->v, x->t, x->q, x->p, err));
    if (s->constraint_count == 0 ||
        lv_system_violated_velocity(s, x->t, x->q, x->v, &residual) < 0)
        return LV_OK;
    LV_TRY(lv_system_project_velocity(s, x->v, x->t, x->q, err));
    lv_system_momentum(s, x->p, x->t, x->q, x->v);
    return LV_OK;
}

/* ---- the model -------------------------------------------------------------------------------------- */

/* "2.5" or "[1, 2]" with all digits; NULL: memory is short. */
static const char *value_text(lv_arena *arena, const double *values, int length)
{
    char number[LV_NUMBER_SIZE];
    lv_text text = {0};
    for (int k = 0; k < (length > 0 ? length : 1); k++)
        lv_text_append(&text, "%s%s",
                       k > 0        ? ", "
                       : length > 0 ? "["
                                    : "",
                       lv_number_format(values[k], number));
    lv_text_append(&text, "%s", length > 0 ? "]" : "");
    const char *result =
        text.failed ? NULL : lv_arena_text(arena, text.data, (size_t)text.count);
    lv_text_done(&text);
    return result;
}

/* Replaces the simulation by the new one, but leaves its state at the same addresses. */
static void replace_simulation(lv_sim *sim, lv_sim *new)
{
    const lv_sim old = *sim;
    copy(old.state.q, new->state.q, 3 * (size_t) new->system->n);
    *sim = *new;
    sim->home = old.home;
    sim->state.q = old.state.q;
    sim->state.v = old.state.v;
    sim->state.p = old.state.p;
    const lv_arena spare = new->home;
    *new = old;
    new->home = spare;
}

static lv_status change_parameter(lv_sim *sim, const lv_setting *setting, lv_error *err)
{
    const lv_sim_options options = {.scheme = sim->scheme->info.name,
                                    .options = sim->options,
                                    .step = sim->h,
                                    .dense = sim->dense};
    lv_model *model = NULL;
    lv_sim *new = NULL;
    LV_TRY(lv_model_read_again(&model, sim->model, setting, err));
    const lv_status status = lv_sim_create_from(&new, model, &options, sim, err);
    if (status != LV_OK) {
        lv_model_free(model);
        return status;
    }
    new->own_model = model;
    replace_simulation(sim, new);
    lv_sim_free(new);
    return LV_OK;
}

/* ---- for callers ------------------------------------------------------------------------------------ */

static const lv_parameter *find_parameter(const lv_model *m, const char *name)
{
    const lv_name *found = lv_names_find(&m->names, name, (int)strlen(name));
    return found && found->kind == LV_NAME_PARAMETER ? &m->parameters.data[found->index]
                                                     : NULL;
}

static lv_status check(const lv_sim *sim, const lv_parameter *p, const char *name,
                       const double *values, int count, lv_error *err)
{
    lv_status status = LV_OK;
    if (!p) {
        status = lv_fail(err, LV_ERR_USAGE, "the model has no parameter '%s'", name);
        lv_declarations_hint_parameter(&sim->model->declarations, name, err);
        return status;
    }
    if (p->structural) {
        status =
            lv_fail(err, LV_ERR_USAGE,
                    "sizes depend on '%s': it is fixed once the model is read", name);
        lv_error_hint(err, "read the model again with another value");
        return status;
    }
    if (sim->is_run)
        return lv_fail(err, LV_ERR_USAGE,
                       "parameters do not change in a run; make '%s' an input", name);
    const int right = p->length > 0 ? p->length : 1;
    if (count != right)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_set_parameter: count is %d, but parameter '%s' has %d "
                       "number%s",
                       count, name, right, right == 1 ? "" : "s");
    for (int k = 0; k < count; k++)
        LV_TRY(lv_need_finite(err, "lv_sim_set_parameter", "values", values[k]));
    return LV_OK;
}

const double *lv_sim_parameter(const lv_sim *sim, const char *name)
{
    const lv_parameter *p = sim && name ? find_parameter(sim->model, name) : NULL;
    return p ? sim->model->parameter_values.data + p->first : NULL;
}

lv_status lv_sim_set_parameter(lv_sim *sim, const char *name, const double *values,
                               int count, lv_error *err)
{
    lv_arena arena = {0};
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, name);
    LV_NEED(err, values);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const lv_parameter *p = find_parameter(sim->model, name);
    LV_TRY(check(sim, p, name, values, count, err));
    const double *now = sim->model->parameter_values.data + p->first;
    if (memcmp(now, values, (size_t)count * sizeof *now) == 0)
        return LV_OK;
    const lv_setting setting = {name, value_text(&arena, values, p->length)};
    const int number = (int)(p - sim->model->parameters.data);
    const lv_status status =
        setting.value ? change_parameter(sim, &setting, err) : lv_fail_memory(err);
    if (status == LV_OK)
        lv_changes_note_parameter(&sim->changes, number, sim->state.t);
    lv_arena_done(&arena);
    return status;
}
