#include "fused/sampled.h"

#include "base/memory.h"
#include "expr/function.h"
#include "num/copy.h"

#include <string.h>

void lv_course_sample(lv_course *c)
{
    const double h = 1e-3;
    const lv_model *model = c->system->model;
    const int n = c->system->n, q = lv_form_find(&c->form, "q", 0),
              v = lv_form_find(&c->form, "v", 0), p = lv_form_find(&c->form, "p", 0);
    const size_t bytes = (size_t)n * sizeof(double),
                 points = (size_t)(c->turning.motion ? c->turning.coordinates : n);
    if (q >= 0 && c->value[q])
        memcpy(c->value[q], model->start_q, points * sizeof(double));
    if (q >= 0 && c->value[q] && c->turning.motion)
        lv_turning_complete(&c->turning, c->value[q]);
    if (v >= 0 && c->value[v])
        memcpy(c->value[v], model->start_v, bytes);
    if (p >= 0 && c->value[p])
        lv_system_momentum(c->system, c->value[p], 0, c->value[q], model->start_v);
    if (p >= 0 && c->value[p] && c->turning.motion) {
        memcpy(c->work, c->value[p], bytes);
        lv_turn_arguments x = {[LV_ARG_Q] = c->value[q], [LV_ARG_W] = c->work};
        lv_turning_apply(&c->turning, LV_TURN_SPACE, c->value[p], x);
    }
    for (int k = 1; k <= c->phases.count; k++)
        for (int j = 0; j < c->phase[k].unknowns; j++) {
            const lv_phase_column *column = &c->phase[k].columns.data[j];
            for (int i = 0; i < column->size; i++)
                column->value[i] = column->vector ? column->start * model->start_v[i] : 0;
        }
    lv_course_begin(c, 0, h);
}

/* ---- the orders -------------------------------------------------------------------- */

struct lv_sampled {
    const lv_course *c;
    LV_ARRAY(lv_shadowed) inputs;
    lv_graph *graph;
    lv_node_orders orders;
    lv_layout layout;
    /* Computes the entries of all linear systems; NULL: not needed so far */
    lv_program *program;
    double *workspace, *values;
    /* values for which all orders were the same last time; known: there was such a time */
    double *last;
    bool known;
    double *q; /* inputs Q */
    double *t; /* inputs T */
};

lv_status lv_sampled_create(lv_sampled **result, lv_fusing *made, lv_error *err)
{
    lv_sampled *x = *result = lv_memory_zeroed(1, sizeof *x);
    const lv_model *model = made->c->system->model;
    if (!x)
        return lv_fail_memory(err);
    x->c = made->c;
    x->graph = made->graph;
    x->orders = made->orders;
    made->graph = NULL;
    made->orders = (lv_node_orders){.kept = true};
    x->layout.size[LV_INPUT_Q] = made->input_count;
    x->layout.size[LV_INPUT_T] = 1 + model->input_count;
    x->layout.size[LV_INPUT_R] = LV_TURN_NUMBERS * model->turn_count;
    x->layout.size[LV_INPUT_P] = model->parameter_values.count;
    x->layout.size[LV_INPUT_I] = 1 + made->unfolding.numbers.count;
    for (int k = 0; k < made->inputs.count; k++)
        if (!LV_PUSH(x->inputs, made->inputs.data[k]))
            return lv_fail_memory(err);
    return LV_OK;
}

void lv_sampled_free(lv_sampled *x)
{
    if (!x)
        return;
    lv_program_free(x->program);
    lv_memory_free(x->workspace);
    lv_memory_free(x->values);
    lv_memory_free(x->last);
    lv_memory_free(x->q);
    lv_memory_free(x->t);
    LV_ARRAY_FREE(x->inputs);
    lv_node_orders_done(&x->orders);
    lv_graph_free(x->graph);
    lv_memory_free(x);
}

static int list_entries(const lv_sampled *x, lv_node *nodes)
{
    int count = 0;
    for (int k = 0; k < x->orders.list.count; k++) {
        const lv_node_order *order = &x->orders.list.data[k];
        for (ptrdiff_t i = 0; i < (ptrdiff_t)order->n * order->n; i++)
            if (order->a[i] != LV_NODE_NONE) {
                if (nodes)
                    nodes[count] = order->a[i];
                count++;
            }
    }
    return count;
}

static bool compile(lv_sampled *x)
{
    const int count = list_entries(x, NULL);
    lv_node *nodes = lv_memory_zeroed((size_t)count + 1, sizeof *nodes);
    if (!nodes)
        return false;
    (void)list_entries(x, nodes);
    const bool made = lv_program_compile(&x->program, x->graph, nodes, count, &x->layout,
                                         NULL) == LV_OK;
    lv_memory_free(nodes);
    if (!made)
        return false;
    x->workspace = lv_memory_zeroed((size_t)x->program->slots + 1, sizeof(double));
    x->values = lv_memory_zeroed((size_t)count + 1, sizeof(double));
    x->last = lv_memory_zeroed((size_t)count + 1, sizeof(double));
    x->q = lv_memory_zeroed((size_t)x->layout.size[LV_INPUT_Q] + 1, sizeof(double));
    x->t = lv_memory_zeroed((size_t)x->layout.size[LV_INPUT_T] + 1, sizeof(double));
    return x->workspace && x->values && x->last && x->q && x->t;
}

static void put(lv_sampled *x, lv_input kind, const double *numbers)
{
    lv_program_put(x->program, kind, numbers, x->workspace, 1, 0);
}

/* Evaluates the entries. The initial guesses of the unknowns are 0 here. */
static void evaluate(lv_sampled *x, const double *numbers)
{
    const lv_model *model = x->c->system->model;
    for (int k = 0; k < x->inputs.count; k++)
        lv_copy(x->q + x->inputs.data[k].first, x->inputs.data[k].numbers,
                x->inputs.data[k].count);
    x->t[0] = x->c->t;
    lv_copy(x->t + 1, model->input_values, model->input_count);
    lv_program_load(x->program, x->workspace, 1);
    put(x, LV_INPUT_Q, x->q);
    put(x, LV_INPUT_T, x->t);
    put(x, LV_INPUT_P, model->parameter_values.data);
    put(x, LV_INPUT_I, numbers);
    if (x->program->input_size[LV_INPUT_R] > 0)
        put(x, LV_INPUT_R, model->references);
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        lv_program_run(x->program, (lv_segment)segment, x->workspace, 1);
    for (int k = 0; k < x->program->output_count; k++)
        x->values[k] = x->workspace[x->program->output[k]];
}

/* Whether an order is the same for these values, and then the sizes of its pivots. If the
 * values are those of the last time, so are the sizes. */
static bool agrees(const lv_sampled *x, const lv_node_order *order, int first,
                   double *sizes)
{
    const double *values = x->values + first;
    const size_t bytes = (size_t)order->entries * sizeof *values;
    return (x->known && memcmp(values, x->last + first, bytes) == 0) ||
           lv_node_order_holds(order, values, sizes);
}

bool lv_sampled_agrees(lv_sampled *x, const double *numbers, double *sizes)
{
    if (!x->program && !compile(x))
        return false;
    evaluate(x, numbers);
    for (int k = 0, first = 0; k < x->orders.list.count; k++) {
        const lv_node_order *order = &x->orders.list.data[k];
        if (!agrees(x, order, first, sizes)) {
            x->known = false; /* some sizes may be those of other values */
            return false;
        }
        first += order->entries;
        sizes += order->sizes;
    }
    lv_copy(x->last, x->values, x->program->output_count);
    x->known = true;
    return true;
}
