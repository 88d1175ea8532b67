#include "model/alike.h"

#include "expr/function.h"
#include "num/copy.h"

#include <string.h>

static bool is_same(const void *a, const void *b, size_t count, size_t size)
{
    return count == 0 || memcmp(a, b, count * size) == 0;
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

static bool has_same_slots(const lv_kernel *a, const lv_kernel *b)
{
    const size_t places = (size_t)a->slot_count * (size_t)a->instance_count;
    bool same = is_same(a->where, b->where, places, sizeof *a->where);
    for (int k = 0; same && k < a->slot_count; k++)
        same = a->slots[k].group == b->slots[k].group &&
               a->slots[k].first == b->slots[k].first &&
               a->slots[k].length == b->slots[k].length;
    return same;
}

static bool has_same_multipliers(const lv_kernel *a, const lv_kernel *b)
{
    const size_t rows = (size_t)a->multiplier_count * (size_t)a->instance_count;
    bool same =
        a->multiplier_count == b->multiplier_count &&
        is_same(a->multiplier_rows, b->multiplier_rows, rows, sizeof *a->multiplier_rows);
    for (int k = 0; same && k < a->multiplier_count; k++)
        same = a->multipliers[k].first == b->multipliers[k].first &&
               a->multipliers[k].length == b->multipliers[k].length;
    return same;
}

static bool has_same_sizes(const lv_kernel *a, const lv_kernel *b)
{
    return a->role == b->role && a->row_count == b->row_count &&
           a->first_row == b->first_row && a->slot_count == b->slot_count &&
           a->instance_count == b->instance_count && a->index_count == b->index_count &&
           a->data_count == b->data_count && a->data_stride == b->data_stride &&
           a->turn_count == b->turn_count && a->first_turn == b->first_turn &&
           a->frame_count == b->frame_count &&
           memcmp(&a->layout, &b->layout, sizeof a->layout) == 0;
}

static bool is_same_kernel(const lv_kernel *a, const lv_kernel *b)
{
    if (!has_same_sizes(a, b) || !has_same_slots(a, b) || !has_same_multipliers(a, b) ||
        !a->targets != !b->targets)
        return false;
    const size_t rows = (size_t)a->row_count,
                 indices = (size_t)a->index_count * (size_t)a->instance_count;
    return is_same(a->rows, b->rows, rows, sizeof *a->rows) &&
           (!a->targets || is_same(a->targets, b->targets, rows, sizeof *a->targets)) &&
           is_same(a->indices, b->indices, indices, sizeof *a->indices) &&
           is_same(a->turns, b->turns, 2 * (size_t)a->turn_count, sizeof *a->turns) &&
           is_same(a->frames, b->frames, (size_t)a->frame_count, sizeof *a->frames) &&
           lv_graph_is_same(a->graph, b->graph);
}

/* ---- the model ------------------------------------------------------------------------------------------ */

static bool has_same_text(const lv_model *a, const lv_model *b)
{
    return a->source.size == b->source.size &&
           strcmp(a->source.name, b->source.name) == 0 &&
           is_same(a->source.text, b->source.text, a->source.size, 1);
}

static bool has_same_names(const lv_model *a, const lv_model *b)
{
    bool same = a->parameters.count == b->parameters.count &&
                a->parameter_values.count == b->parameter_values.count &&
                a->groups.count == b->groups.count &&
                a->coordinate_count == b->coordinate_count &&
                a->inputs.count == b->inputs.count && a->input_count == b->input_count &&
                a->definitions.count == b->definitions.count;
    for (int k = 0; same && k < a->parameters.count; k++)
        same = a->parameters.data[k].length == b->parameters.data[k].length &&
               a->parameters.data[k].first == b->parameters.data[k].first;
    for (int k = 0; same && k < a->groups.count; k++)
        same = a->groups.data[k].length == b->groups.data[k].length &&
               a->groups.data[k].count == b->groups.data[k].count &&
               a->groups.data[k].first == b->groups.data[k].first;
    return same;
}

static bool shows_the_same(const lv_model *a, const lv_model *b)
{
    return a->visible_coordinate_count == b->visible_coordinate_count &&
           a->visible_row_count == b->visible_row_count &&
           !a->visible_coordinates == !b->visible_coordinates &&
           !a->visible_rows == !b->visible_rows;
}

bool lv_model_is_alike(const lv_model *a, const lv_model *b)
{
    bool same = has_same_text(a, b) && has_same_names(a, b) && shows_the_same(a, b) &&
                a->events.count == 0 && b->events.count == 0 && !a->motion &&
                !b->motion && a->turn_count == b->turn_count &&
                a->kernels.count == b->kernels.count &&
                memcmp(a->row_count, b->row_count, sizeof a->row_count) == 0;
    for (int k = 0; same && k < a->kernels.count; k++)
        same = is_same_kernel(&a->kernels.data[k], &b->kernels.data[k]);
    return same;
}

/* ---- numbers -------------------------------------------------------------------------------------------- */

static void mark_parameters(bool *used, const lv_graph *g)
{
    for (int k = 0; k < lv_graph_count(g); k++)
        if (lv_graph_is_input(g, k, LV_INPUT_P))
            used[lv_graph_node(g, k)->b] = true;
}

/* Lists which parameters kernels use; if memory is short, they use all of them. */
static void find_used(lv_model *m)
{
    const size_t count = (size_t)m->parameter_values.count + 1;
    if (!m->in_kernels)
        m->in_kernels = lv_arena_alloc(&m->arena, count, sizeof *m->in_kernels);
    for (int k = 0; m->in_kernels && k < m->kernels.count; k++)
        mark_parameters(m->in_kernels, m->kernels.data[k].graph);
}

/* Copies numbers; returns whether one of them is another one. */
static bool take(double *to, const double *from, int count)
{
    const bool same = is_same(to, from, (size_t)count, sizeof *to);
    if (!same)
        lv_copy(to, from, count);
    return !same;
}

static bool take_parameters(lv_model *to, const lv_model *from)
{
    bool changed = false;
    if (!to->in_kernels)
        find_used(to);
    for (int k = 0; k < to->parameter_values.count; k++)
        if (take(&to->parameter_values.data[k], &from->parameter_values.data[k], 1))
            changed = changed || !to->in_kernels || to->in_kernels[k];
    return changed;
}

static bool take_data(lv_kernel *to, const lv_kernel *from)
{
    const int rows = to->data_stride > 0 ? to->instance_count : 1;
    bool changed = false;
    for (int k = 0; to->data && k < rows; k++) {
        const ptrdiff_t row = (ptrdiff_t)k * to->data_count;
        changed |= take(to->data + row, from->data + row, to->data_count);
    }
    return changed;
}

/* The name of the scheme stays, since it lives in the arena of its own model. */
static void take_run(lv_model *to, const lv_model *from)
{
    const char *scheme = to->run.scheme;
    to->run = from->run;
    to->run.scheme = scheme;
}

void lv_model_take_numbers(lv_model *to, const lv_model *from)
{
    const int n = to->coordinate_count;
    bool changed = take_parameters(to, from);
    changed |= take(to->input_values, from->input_values, to->input_count);
    if (to->references)
        changed |=
            take(to->references, from->references, LV_TURN_NUMBERS * to->turn_count);
    for (int k = 0; k < to->kernels.count; k++)
        changed |= take_data(&to->kernels.data[k], &from->kernels.data[k]);
    to->edition += changed;
    lv_copy(to->start_q, from->start_q, n);
    lv_copy(to->start_v, from->start_v, n);
    take_run(to, from);
}
