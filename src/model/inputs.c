/* Inputs: numbers and vectors that may change between steps. In formulas they are inputs
 * T after the time, so that terms that depend on them are evaluated like terms that
 * depend on time, and changing them requires no new system. Within a step they are
 * constant: time derivatives treat them as constants. */
#include "expr/analyse.h"
#include "expr/domain.h"
#include "model/revalue.h"

#include <math.h>
#include <string.h>

/* ---- initial values ---------------------------------------------------------------- */

typedef LV_ARRAY(double) numbers;

static lv_status append_values(lv_model *m, numbers *all, lv_graph *graph, const lv_value *value,
                        lv_error *err)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    const int count = lv_value_count(value);
    inputs[LV_INPUT_P] = m->parameter_values.data;
    LV_TRY(lv_domain_diagnose(graph, value->items, count, inputs, err));
    LV_TRY(lv_evaluations_add_formula(m, graph, value->items, count, err));
    if (!LV_RESERVE(*all, count))
        return lv_fail_memory(err);
    LV_TRY(lv_graph_evaluate(graph, all->data + all->count, value->items, count, inputs,
                             err));
    all->count += count;
    return LV_OK;
}

static lv_status evaluate_input(lv_model *m, numbers *all, lv_model_input *input,
                                lv_error *err)
{
    lv_arena scratch = {0};
    lv_elaboration e = {.graph = lv_graph_create(0),
                        .arena = &scratch,
                        .timeless = "the value of an input"};
    lv_scope scope = {.where = "values of inputs", .hint = "declare it in [parameters]"};
    lv_value value = {0, NULL};
    lv_scope_init(&scope, m, &e);
    lv_status status =
        e.graph ? lv_scope_entry(&scope, &value, lv_item_entry(input->item, "value"), err)
                : lv_fail_memory(err);
    if (status == LV_OK) {
        input->length = value.length;
        input->first = all->count;
        status = append_values(m, all, e.graph, &value, err);
    }
    lv_graph_free(e.graph);
    lv_arena_done(&scratch);
    return status;
}

lv_status lv_model_evaluate_inputs(lv_model *m, lv_error *err)
{
    numbers all = {0};
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && k < m->inputs.count; k++)
        status = evaluate_input(m, &all, &m->inputs.data[k], err);
    if (status == LV_OK) {
        m->input_count = all.count;
        m->input_values =
            lv_arena_copy(&m->arena, all.data, (size_t)all.count, sizeof *all.data);
        status = m->input_values ? LV_OK : lv_fail_memory(err);
    }
    LV_ARRAY_FREE(all);
    return status;
}

/* ---- in formulas ---------------------------------------------------------------------------- */

lv_status lv_scope_input(lv_scope *scope, lv_value *value, int number,
                         const lv_syntax *name, lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    const lv_model *m = scope->model;
    const lv_model_input *input = &m->inputs.data[number];
    if (e->timeless)
        return lv_elaborate_fail(e, name, err,
                                 "'%s' is an input, which may change; %s cannot depend "
                                 "on it",
                                 input->item->name, e->timeless);
    lv_node *items = lv_value_room(e, value, input->length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = e->at_start
                       ? lv_graph_const(e->graph, m->input_values[input->first + k])
                       : lv_graph_input(e->graph, LV_INPUT_T, 1 + input->first + k);
    return LV_OK;
}

int lv_model_find_input(const lv_model *m, const char *text)
{
    const lv_name *name = lv_names_find(&m->names, text, (int)strlen(text));
    return name && name->kind == LV_NAME_INPUT ? name->index : -1;
}

/* The input that the value of this number belongs to. */
static lv_model_input *input_of_value(lv_model *m, int number)
{
    int k = m->inputs.count - 1;
    while (k > 0 && m->inputs.data[k].first > number)
        k--;
    return &m->inputs.data[k];
}

lv_status lv_model_trace_inputs(lv_model *m, lv_error *err)
{
    lv_node_list found = {0};
    lv_status status = LV_OK;
    for (int k = 0; k < m->kernels.count && m->input_count > 0 && status == LV_OK; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        found.count = 0;
        status = lv_analyse_inputs(kernel->graph, &found, kernel->rows, kernel->row_count,
                                   LV_INPUT_T, err);
        for (int j = 0; j < found.count; j++) {
            const int number = lv_graph_node(kernel->graph, found.data[j])->b;
            if (number > 0)
                input_of_value(m, number - 1)->roles |= 1U << (unsigned)kernel->role;
        }
    }
    LV_ARRAY_FREE(found);
    return status;
}

bool lv_input_does_work(const lv_model_input *input)
{
    const unsigned roles = 1U << LV_ROLE_KINETIC | 1U << LV_ROLE_POTENTIAL |
                           1U << LV_ROLE_LAGRANGIAN | 1U << LV_ROLE_HOLONOMIC |
                           1U << LV_ROLE_NONHOLONOMIC;
    return (input->roles & roles) != 0;
}

bool lv_input_moves(const lv_model_input *input)
{
    return lv_input_does_work(input) || (input->roles & 1U << LV_ROLE_FORCE) != 0;
}

/* ---- in programs ---------------------------------------------------------------------------- */

void lv_model_put_time(const lv_model *m, const lv_program *p, double t,
                       double *workspace, int lanes, int lane)
{
    double *to = workspace + (ptrdiff_t)p->input[LV_INPUT_T] * lanes + lane;
    const int count = p->input_size[LV_INPUT_T];
    if (count > 0)
        to[0] = t;
    for (int k = 1; k < count; k++)
        to[(ptrdiff_t)k * lanes] = m->input_values[k - 1];
}

void lv_model_vary_inputs(const lv_model *m, double t, double *times)
{
    times[0] = t;
    for (int k = 0; k < m->input_count; k++) {
        const double x = m->input_values[k];
        times[1 + k] = x + 0.1 * (1 + fabs(x)) * sin(1 + 0.7 * k + t);
    }
}
