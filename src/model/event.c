#include "model/event.h"
#include "model/draft.h"

#include "expr/analyse.h"
#include "expr/diff.h"

#include <string.h>

bool lv_event_jumps(const lv_event *event)
{
    return event->restitution >= 0 || event->velocity >= 0;
}

bool lv_event_acts(const lv_event *event)
{
    return lv_event_jumps(event) || event->input >= 0;
}

bool lv_model_has_jumps(const lv_model *m)
{
    for (int k = 0; k < m->events.count; k++)
        if (lv_event_jumps(&m->events.data[k]))
            return true;
    return false;
}

/* ---- formulas ------------------------------------------------------------------------------------ */

static bool is_key(const lv_kernel *kernel, const char *key)
{
    return kernel->entry == lv_item_entry(kernel->item, key);
}

static lv_status fail_at_entry(lv_draft *d, const char *text, const char *hint)
{
    const lv_status status =
        lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(d->kernel.entry->place), "%s", text);
    lv_error_hint(d->err, "%s", hint);
    return status;
}

/* Fails if the formula uses multipliers or energies: these are results of a run, which
 * are not known when an event is located. */
static lv_status refuse_results(lv_draft *d)
{
    lv_kinds reach = 0;
    LV_TRY(lv_analyse_reach(d->e.graph, &reach, d->kernel.rows, d->kernel.row_count,
                            d->err));
    return reach & (LV_KIND(Y) | LV_KIND(E))
               ? fail_at_entry(d, "an event contains multipliers or energies",
                               "its formulas may use coordinates, velocities, "
                               "accelerations, momenta, inputs and t")
               : LV_OK;
}

/* Fails unless the formula depends on coordinates, velocities and time only, since an
 * event is located with its rate as well. */
static lv_status check_inputs(lv_draft *d)
{
    const lv_kinds refused =
        LV_KIND(A) | LV_KIND(Y) | LV_KIND(W) | LV_KIND(E) | LV_KIND(M);
    lv_kinds reach = 0;
    LV_TRY(lv_analyse_reach(d->e.graph, &reach, d->kernel.rows, 1, d->err));
    if (reach & refused)
        return fail_at_entry(d, "'when' contains results of the motion",
                             "an event is a formula of coordinates, velocities and t");
    return reach & LV_KIND(V) && lv_item_entry(d->kernel.item, "restitution")
               ? fail_at_entry(d,
                               "'when' contains velocities, and has no normal for an "
                               "impact",
                               "'restitution' needs a formula of coordinates and t; set "
                               "velocities with 'on' and 'velocity'")
               : LV_OK;
}

static lv_status add_rate(lv_draft *d)
{
    lv_node *rows = lv_arena_alloc(&d->model->arena, 2, sizeof *rows);
    if (!rows)
        return lv_fail_memory(d->err);
    LV_TRY(check_inputs(d));
    rows[0] = d->kernel.rows[0];
    lv_diff_motion(d->e.graph, &rows[1], &rows[0], 1);
    LV_TRY(lv_graph_check(d->e.graph, d->err));
    if (lv_graph_is_const(d->e.graph, rows[1], 0))
        return fail_at_entry(d, "'when' does not change with the motion",
                             "the event happens when the formula passes through zero");
    d->kernel.rows = rows;
    d->kernel.row_count = 2;
    return LV_OK;
}

/* Fails unless the value has as many components as the input. */
static lv_status check_length(lv_draft *d)
{
    const lv_entry *entry = lv_item_entry(d->kernel.item, "input");
    const int number = lv_model_find_input(d->model, entry->text);
    if (number < 0) {
        const lv_status status = lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(entry->place),
                                            "the model has no input '%s'", entry->text);
        lv_error_hint(d->err, "declare it in [inputs]: %s = 0", entry->text);
        return status;
    }
    const int length = d->model->inputs.data[number].length;
    if ((d->kernel.is_vector ? d->kernel.row_count : 0) == length)
        return LV_OK;
    return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(d->kernel.entry->place),
                      "input '%s' has %d component%s, this has %d", entry->text,
                      length > 0 ? length : 1, length > 1 ? "s" : "",
                      d->kernel.row_count);
}

lv_status lv_draft_event(lv_draft *d)
{
    if (!is_key(&d->kernel, "when"))
        LV_TRY(refuse_results(d));
    if (is_key(&d->kernel, "value"))
        return check_length(d);
    if (is_key(&d->kernel, "velocity"))
        return lv_draft_targets(d);
    if (d->kernel.is_vector)
        return fail_at_entry(d, "this must be a scalar", "make it an event each");
    return is_key(&d->kernel, "when") ? add_rate(d) : LV_OK;
}

/* ---- keys ------------------------------------------------------------------------------------------ */

lv_status lv_event_check(const lv_item *item, lv_error *err)
{
    char buffer[160];
    const bool on = lv_item_entry(item, "on"), set = lv_item_entry(item, "velocity");
    if (set && lv_item_entry(item, "restitution"))
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                          "%s has both 'velocity' and 'restitution'; either says what "
                          "the velocities are afterwards",
                          lv_item_describe(item, buffer));
    if (on != set)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place), "%s lacks the key '%s'",
                          lv_item_describe(item, buffer), on ? "velocity" : "on");
    if (!lv_item_entry(item, "input") != !lv_item_entry(item, "value"))
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place), "%s lacks the key '%s'",
                          lv_item_describe(item, buffer),
                          lv_item_entry(item, "input") ? "value" : "input");
    if (lv_item_entry(item, "after") && !lv_item_entry(item, "stop"))
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                          "%s has 'after', which says when to stop, without 'stop'",
                          lv_item_describe(item, buffer));
    return LV_OK;
}

static bool is_true(const lv_item *item, const char *key)
{
    const lv_entry *entry = lv_item_entry(item, key);
    return entry && entry->is_true;
}

static lv_status read_direction(lv_event *event, lv_error *err)
{
    static const char *const words[] = {"falling", "both", "rising"};
    const lv_entry *entry = lv_item_entry(event->item, "direction");
    for (int k = 0; entry && k < 3; k++)
        if (strcmp(entry->text, words[k]) == 0) {
            event->direction = k - 1;
            return LV_OK;
        }
    return entry ? lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                              "'direction' is \"rising\", \"falling\" or \"both\", not "
                              "\"%s\"",
                              entry->text)
                 : LV_OK;
}

static lv_status read_keys(lv_model *m, lv_event *event, lv_error *err)
{
    double after = 1;
    LV_TRY(read_direction(event, err));
    if (lv_item_entry(event->item, "after"))
        LV_TRY(lv_model_evaluate_key(m, &after, event->item, "after", false, err));
    event->stops = is_true(event->item, "stop") ? (long long)after : 0;
    event->record = is_true(event->item, "record");
    return LV_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static lv_status list_coordinates(lv_model *m, lv_event *event, const lv_kernel *kernel,
                                  lv_error *err)
{
    int *coordinates =
        lv_arena_alloc(&m->arena, (size_t)kernel->row_count + 1, sizeof *coordinates);
    if (!coordinates)
        return lv_fail_memory(err);
    for (int r = 0; r < kernel->row_count; r++)
        coordinates[r] = lv_kernel_global(
            kernel, 0, lv_graph_node(kernel->graph, kernel->targets[r])->b);
    event->coordinates = coordinates;
    event->velocity_count = kernel->row_count;
    return LV_OK;
}

static lv_status place_rows(lv_model *m, lv_event *event, lv_error *err)
{
    int row = 0;
    const lv_entry *input = lv_item_entry(event->item, "input");
    event->restitution = event->velocity = -1;
    event->input = input ? lv_model_find_input(m, input->text) : -1;
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->role != LV_ROLE_EVENT)
            continue;
        if (kernel->item == event->item) {
            if (is_key(kernel, "when"))
                event->when = row;
            else if (is_key(kernel, "restitution"))
                event->restitution = row;
            else if (is_key(kernel, "value"))
                event->value = row;
            else {
                event->velocity = row;
                LV_TRY(list_coordinates(m, event, kernel, err));
            }
        }
        row += kernel->row_count;
    }
    return LV_OK;
}

lv_status lv_model_read_events(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->declarations.items.count; k++) {
        lv_event event = {.item = &m->declarations.items.data[k]};
        if (event.item->section != LV_SECTION_EVENTS)
            continue;
        LV_TRY(read_keys(m, &event, err));
        LV_TRY(place_rows(m, &event, err));
        if (!LV_PUSH(m->events, event))
            return lv_fail_memory(err);
    }
    return LV_OK;
}
