/* The numbers of an instance: its indices, and the data of a part. */
#include "expr/analyse.h"
#include "expr/domain.h"
#include "model/revalue.h"

#include <math.h>
#include <string.h>

/* Whether the value is a picked component, which is one of the data already. */
static bool is_datum(const lv_draft *d, const lv_value *value)
{
    const lv_node_data *node = lv_graph_node(d->e.graph, value->items[0]);
    return value->length == 0 && node->op == LV_OP_INPUT && node->a == LV_INPUT_I &&
           node->b >= d->kernel.index_count;
}

/* Turns the value of a hole into data if it depends on parameters and indices only, with
 * all its components. */
static lv_status make_data(void *user, lv_elaboration *e, lv_value *value, lv_error *err)
{
    const lv_scope *scope = user;
    lv_draft *d = scope->user;
    const lv_value formula = *value;
    lv_kinds kinds = 0;
    LV_TRY(
        lv_analyse_reach(e->graph, &kinds, formula.items, lv_value_count(&formula), err));
    if (kinds & ~(LV_KIND(P) | LV_KIND(I)))
        return LV_OK;
    if (is_datum(d, &formula))
        return LV_OK;
    lv_node *items = lv_value_room(e, value, formula.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++) {
        items[k] =
            lv_graph_input(e->graph, LV_INPUT_I, d->kernel.index_count + d->data.count);
        if (!LV_PUSH(d->data, formula.items[k]))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

void lv_draft_settle(lv_draft *d)
{
    d->e.settle = make_data;
}

static lv_status not_finite(const lv_draft *d, int instance)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    char buffer[200];
    inputs[LV_INPUT_P] = d->model->parameter_values.data;
    inputs[LV_INPUT_I] = d->numbers;
    lv_status status =
        lv_domain_diagnose(d->e.graph, d->data.data, d->data.count, inputs, d->err);
    if (status == LV_ERR_DOMAIN && d->kernel.index_count > 0)
        lv_error_note(d->err, "for %s", lv_draft_indices_text(d, instance, buffer));
    return status;
}

static lv_status keep_data(void *user, const lv_draft *d, int instance,
                           const double *values)
{
    double *row = (double *)user + (size_t)instance * (size_t)d->data.count;
    for (int k = 0; k < d->data.count; k++) {
        if (!isfinite(values[k]))
            return not_finite(d, instance);
        row[k] = values[k];
    }
    return LV_OK;
}

/* Whether all instances have the data of the first. */
static bool is_shared(const double *data, int instances, int count)
{
    size_t row = (size_t)count * sizeof *data;
    for (int k = 1; k < instances; k++)
        if (memcmp(data, data + (size_t)k * (size_t)count, row) != 0)
            return false;
    return true;
}

lv_status lv_draft_data(lv_draft *d)
{
    lv_kernel *kernel = &d->kernel;
    int count = d->data.count, instances = kernel->instance_count;
    kernel->data_count = count;
    if (count == 0 || instances == 0)
        return LV_OK;
    double *data =
        lv_arena_alloc(&d->scratch, (size_t)instances * (size_t)count, sizeof *data);
    if (!data)
        return lv_fail_memory(d->err);
    LV_TRY(lv_draft_evaluate(d, d->data.data, count, keep_data, data));
    bool shared = is_shared(data, instances, count);
    kernel->data_stride = shared ? 0 : count;
    kernel->data = lv_arena_copy(
        d->arena, data, (size_t)(shared ? 1 : instances) * (size_t)count, sizeof *data);
    if (!kernel->data)
        return lv_fail_memory(d->err);
    lv_evaluations_store_data(d->model, kernel->data, kernel->data_stride);
    return LV_OK;
}

bool lv_kernel_is_uniform(const lv_kernel *k, const lv_program *p)
{
    for (int j = 0; j < p->input_size[LV_INPUT_I]; j++)
        if (p->chosen[LV_INPUT_I][j] < k->index_count || k->data_stride > 0)
            return k->instance_count <= 1;
    return true;
}

void lv_kernel_numbers(const lv_kernel *k, double *to, int instance)
{
    const size_t at = (size_t)instance;
    for (int j = 0; j < k->index_count; j++)
        to[j] = k->indices[at * (size_t)k->index_count + (size_t)j];
    for (int j = 0; j < k->data_count; j++)
        to[k->index_count + j] = k->data[at * (size_t)k->data_stride + (size_t)j];
}

double lv_kernel_number(const lv_kernel *k, int instance, int number)
{
    const size_t at = (size_t)instance;
    const int datum = number - k->index_count;
    return datum < 0 ? k->indices[at * (size_t)k->index_count + (size_t)number]
                     : k->data[at * (size_t)k->data_stride + (size_t)datum];
}

void lv_kernel_put(const lv_kernel *k, const lv_program *p, int instance, double *w,
                   int lanes, int lane)
{
    double *to = w + (size_t)p->input[LV_INPUT_I] * (size_t)lanes + lane;
    for (int j = 0; j < p->input_size[LV_INPUT_I]; j++, to += lanes)
        *to = lv_kernel_number(k, instance, p->chosen[LV_INPUT_I][j]);
}
