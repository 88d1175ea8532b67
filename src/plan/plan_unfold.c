#include "plan/plan_unfold.h"

#include "expr/import.h"
#include "plan/plan_private.h"

#include <string.h>

/* One instance of a part, with arrays for the nodes of its inputs and outputs. */
typedef struct instance {
    const lv_plan *plan;
    const lv_plan_part *part;
    lv_unfolding *u;
    const lv_point_nodes *point;
    int block, lane, number;
    lv_node *input[LV_INPUT_KINDS];
    lv_node *image;
} instance;

/* ---- what is known before ---------------------------------------------------------- */

bool lv_plan_unfolds(const lv_plan *plan)
{
    const lv_kinds others = LV_KIND(A) | LV_KIND(E) | LV_KIND(M);
    for (int k = 0; k < plan->varying.count; k++)
        if (plan->varying.data[k].kinds & others)
            return false;
    return true;
}

long lv_plan_operations(const lv_plan *plan)
{
    long count = 0;
    for (int k = 0; k < plan->varying.count; k++)
        count += (long)plan->varying.data[k].program->operations *
                 plan->varying.data[k].kernel->instance_count;
    return count;
}

/* ---- inputs of an instance --------------------------------------------------------- */

/* The k-th index of a lane in a table. */
static int table_at(const lv_table *t, const instance *x, int k)
{
    const size_t begin = (size_t)x->block * (size_t)t->size;
    return t->index[begin + (size_t)(k * x->part->lanes + x->lane)];
}

static void gather(lv_node *to, const lv_node *from, const lv_table *t, const instance *x)
{
    for (int k = 0; from && k < x->part->local; k++)
        to[k] = from[table_at(t, x, k)];
}

static void gather_rows(lv_node *to, const instance *x)
{
    const int m = x->part->kernel->row_count;
    for (int r = 0; x->point->y && r < m; r++)
        to[r] = x->point->y[x->part->first_rate + x->number * m + r];
}

/* Is this number of the instance an input of the program? */
static bool is_chosen(const lv_program *p, int number)
{
    for (int k = 0; k < p->input_size[LV_INPUT_I]; k++)
        if ((p->chosen[LV_INPUT_I] ? p->chosen[LV_INPUT_I][k] : k) == number)
            return true;
    return false;
}

static int find_number(lv_unfolding *u, lv_number_of number)
{
    for (int k = 0; k < u->numbers.count; k++)
        if (memcmp(&u->numbers.data[k], &number, sizeof number) == 0)
            return k;
    return LV_PUSH(u->numbers, number) ? u->numbers.count - 1 : -1;
}

static bool gather_numbers(lv_node *to, const instance *x)
{
    const lv_kernel *kernel = x->part->kernel;
    const int count = kernel->layout.size[LV_INPUT_I];
    for (int k = 0; k < count; k++) {
        if (!is_chosen(x->part->program, k))
            continue;
        const lv_number_of number = {(int)(kernel - x->plan->model->kernels.data),
                                     x->number, k};
        const int place = find_number(x->u, number);
        if (place < 0)
            return false;
        to[k] = lv_graph_input(x->u->graph, LV_INPUT_I, x->u->first_number + place);
    }
    return true;
}

/* Inputs R keep their numbers in the model's list of references. */
static void gather_references(lv_node *to, const instance *x)
{
    const int count = x->part->program->input_size[LV_INPUT_R];
    if (count == 0)
        return;
    x->u->turns = true;
    const ptrdiff_t first = x->part->references - x->plan->model->references;
    for (int k = 0; k < count; k++)
        to[k] =
            lv_graph_input(x->u->graph, LV_INPUT_R, (int)first + x->number * count + k);
}

static bool gather_inputs(instance *x)
{
    const lv_plan_part *p = x->part;
    const lv_point_nodes *at = x->point;
    gather(x->input[LV_INPUT_Q], at->q, &p->global, x);
    gather(x->input[LV_INPUT_V], at->v, &p->tangent, x);
    gather(x->input[LV_INPUT_W], at->w, &p->tangent, x);
    if (p->paired)
        gather(x->input[LV_INPUT_W] + p->local, at->x, &p->tangent, x);
    gather_rows(x->input[LV_INPUT_Y], x);
    gather_references(x->input[LV_INPUT_R], x);
    x->input[LV_INPUT_T][0] = at->t;
    for (int k = 1; k < p->kernel->layout.size[LV_INPUT_T]; k++)
        x->input[LV_INPUT_T][k] = lv_graph_input(x->u->graph, LV_INPUT_T, k);
    return gather_numbers(x->input[LV_INPUT_I], x);
}

/* ---- results of an instance -------------------------------------------------------- */

static void add_results(const instance *x, lv_node *const result[LV_QUANTITIES])
{
    for (int s = 0; s < x->part->scatter_count; s++) {
        const lv_scatter *scatter = &x->part->scatters[s];
        lv_node *to = result[scatter->quantity];
        for (int k = 0; to && k < scatter->count; k++) {
            lv_node *sum = &to[table_at(&scatter->to, x, k)];
            *sum = lv_graph_add(x->u->graph, *sum, x->image[scatter->first + k]);
        }
    }
}

static bool unfold_instance(instance *x, lv_node *const result[LV_QUANTITIES])
{
    const lv_program *p = x->part->program;
    const lv_node *inputs[LV_INPUT_KINDS] = {NULL};
    if (!gather_inputs(x))
        return false;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        inputs[kind] = kind == LV_INPUT_P ? NULL : x->input[kind];
    lv_graph_import(x->u->graph, x->image, x->part->graph, p->nodes, p->output_count,
                    inputs);
    add_results(x, result);
    return true;
}

/* ---- parts ------------------------------------------------------------------------- */

/* Allocates the input nodes of an instance; those that are not gathered are never
 * used. */
static bool allocate_nodes(instance *x, lv_arena *arena)
{
    const lv_plan_part *p = x->part;
    const lv_layout *layout = &p->kernel->layout;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        const size_t count = (size_t)layout->size[kind] + 2 * (size_t)p->local +
                             (size_t)p->kernel->row_count + 1;
        x->input[kind] = lv_arena_alloc(arena, count, sizeof **x->input);
        if (!x->input[kind])
            return false;
        for (size_t k = 0; k < count; k++)
            x->input[kind][k] = LV_NODE_NONE;
    }
    x->image =
        lv_arena_alloc(arena, (size_t)p->program->output_count + 1, sizeof *x->image);
    return x->image != NULL;
}

static bool unfold_part(instance x, lv_node *const result[LV_QUANTITIES])
{
    lv_arena arena = {0};
    bool good = allocate_nodes(&x, &arena);
    for (int i = 0; good && i < x.part->kernel->instance_count; i++) {
        x.number = i;
        x.block = i / x.part->lanes;
        x.lane = i % x.part->lanes;
        good = unfold_instance(&x, result);
    }
    lv_arena_done(&arena);
    return good;
}

lv_status lv_plan_unfold(const lv_plan *plan, lv_unfolding *u,
                         const lv_point_nodes *point,
                         lv_node *const result[LV_QUANTITIES], lv_error *err)
{
    bool good = true;
    for (int q = 0; q < LV_QUANTITIES; q++)
        for (int k = 0; result[q] && k < plan->size[q]; k++)
            result[q][k] = lv_graph_const(u->graph, 0);
    for (int side = 0; side < 2 && good; side++) {
        const lv_plan_part *parts = side ? plan->varying.data : plan->constant.data;
        const int count = side ? plan->varying.count : plan->constant.count;
        for (int k = 0; k < count && good; k++)
            good = unfold_part(
                (instance){.plan = plan, .part = &parts[k], .u = u, .point = point},
                result);
    }
    return good ? lv_graph_check(u->graph, err) : lv_fail_memory(err);
}

double lv_number_value(const lv_model *model, const lv_number_of *number)
{
    return lv_kernel_number(&model->kernels.data[number->kernel], number->instance,
                            number->number);
}
