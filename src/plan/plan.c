/* Creates plans: compiles the parts of each kernel and provides their results to
 * callers. */
#include "plan/plan.h"

#include "model/moving.h"
#include "model/turns.h"
#include "plan/plan_private.h"

#include <assert.h>
#include <string.h>

lv_shape_of lv_quantity_shape(lv_quantity quantity)
{
    assert((int)quantity >= 0 && quantity < LV_QUANTITIES);
    static const lv_shape_of shapes[LV_QUANTITIES] = {
#define LV_X(name, shape, meaning) shape,
        LV_QUANTITY_LIST(LV_X)
#undef LV_X
    };
    return shapes[quantity];
}

/* ---- parts ------------------------------------------------------------------------- */

/* Fills the table of coordinate numbers, in the order in which blocks are gathered. */
static bool global_table(lv_plan_part *p, lv_arena *arena)
{
    const lv_kernel *k = p->kernel;
    if (!lv_plan_table_init(&p->global, arena, p->blocks, p->local * p->lanes))
        return false;
    for (int block = 0; block < p->blocks; block++)
        for (int l = 0; l < p->lanes; l++) {
            size_t instance = (size_t)lv_plan_instance(p, block, l);
            const int *where = k->where + instance * (size_t)k->slot_count;
            int *to = p->global.index + (size_t)block * (size_t)p->global.size + l;
            for (int s = 0; s < k->slot_count; s++)
                for (int j = 0; j < k->slots[s].length; j++)
                    to[(size_t)(k->slots[s].first + j) * (size_t)p->lanes] = where[s] + j;
        }
    return true;
}

/* Fills the table of velocity numbers. Velocities that a body on a group does not have
 * are never read by its programs; they get any valid number. */
static bool tangent_table(lv_plan_part *p, const lv_motion *motion, lv_arena *arena)
{
    const size_t size = (size_t)p->blocks * (size_t)p->global.size;
    p->tangent = p->global;
    if (!motion)
        return true;
    if (!lv_plan_table_init(&p->tangent, arena, p->blocks, p->global.size))
        return false;
    for (size_t k = 0; k < size; k++) {
        const int tangent = motion->tangent[p->global.index[k]];
        p->tangent.index[k] = tangent < 0 ? 0 : tangent;
    }
    return true;
}

/* Scalars and lists are sums over all instances of a kernel: each lane gets a partial
 * sum. Shown quantities have a number per instance instead of a sum. */
static bool make_sums(lv_scatter *s, lv_arena *arena)
{
    const lv_shape_of shape = lv_quantity_shape(s->quantity);
    if ((shape != LV_SHAPE_SCALAR && shape != LV_SHAPE_LIST) || s->quantity == LV_Q_SHOWN)
        return true;
    s->sums = lv_arena_alloc(arena, (size_t)s->count * LV_LANES, sizeof *s->sums);
    return s->sums != NULL;
}

/* Groups consecutive contributions of the same quantity. */
static lv_status make_scatters(lv_plan *plan, lv_plan_part *p,
                               const lv_contribution *list, int count, lv_error *err)
{
    int *a = lv_arena_alloc(&plan->arena, 2 * (size_t)count, sizeof *a);
    int *b = a ? a + count : NULL;
    p->scatters = lv_arena_alloc(&plan->arena, LV_QUANTITIES, sizeof *p->scatters);
    if (!a || !p->scatters)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        a[k] = list[k].a;
        b[k] = list[k].b;
        if (k == 0 || list[k].quantity != list[k - 1].quantity)
            p->scatters[p->scatter_count++] = (lv_scatter){
                .quantity = list[k].quantity, .first = k, .a = a + k, .b = b + k};
        p->scatters[p->scatter_count - 1].count++;
    }
    for (int k = 0; p->lanes > 1 && k < p->scatter_count; k++)
        if (!make_sums(&p->scatters[k], &plan->arena))
            return lv_fail_memory(err);
    return LV_OK;
}

/* Do the nodes need velocities at the start of a pair? */
static lv_status find_paired(lv_plan_part *p, const lv_node *nodes, int count,
                             lv_error *err)
{
    lv_node_list inputs = {0};
    lv_status status =
        lv_analyse_inputs(p->graph, &inputs, nodes, count, LV_INPUT_W, err);
    if (status == LV_OK && inputs.count > 0)
        p->paired = lv_graph_node(p->graph, inputs.data[inputs.count - 1])->b >= p->local;
    LV_ARRAY_FREE(inputs);
    return status;
}

static lv_status part_compile(lv_plan *plan, lv_plan_part *p, const lv_contribution *list,
                              int count, lv_error *err)
{
    lv_node *nodes = lv_memory_zeroed((size_t)count, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        nodes[k] = list[k].node;
    lv_layout layout = p->kernel->layout;
    lv_status status = find_paired(p, nodes, count, err);
    if (!lv_role_is_result(p->kernel->role)) {
        layout.size[LV_INPUT_Y] = p->kernel->row_count;
        layout.size[LV_INPUT_W] = (p->paired ? 2 : 1) * p->local;
    }
    if (status == LV_OK)
        status = lv_program_compile(&p->program, p->graph, nodes, count, &layout, err);
    lv_memory_free(nodes);
    LV_TRY(status);

    size_t lanes = (size_t)p->lanes;
    p->workspace = lv_arena_alloc(&plan->arena, (size_t)p->program->slots * lanes,
                                  sizeof *p->workspace);
    if (p->program->carried_count > 0)
        p->carried_blocks = lv_kernel_is_uniform(p->kernel, p->program) ? 1 : p->blocks;
    p->carried = lv_arena_alloc(&plan->arena,
                                (size_t)p->program->carried_count * lanes *
                                    (size_t)p->carried_blocks,
                                sizeof *p->carried);
    bool ok = p->workspace && p->carried && global_table(p, &plan->arena) &&
              tangent_table(p, plan->model->motion, &plan->arena);
    return ok ? LV_OK : lv_fail_memory(err);
}

/* Fewer instances than this are evaluated one by one. */
enum { FEW = 3 };

static lv_status part_init(lv_plan *plan, lv_plan_part *p, const lv_kernel *kernel,
                           const lv_graph *graph, const lv_contribution *list, int count,
                           unsigned kinds, lv_error *err)
{
    *p = (lv_plan_part){.kernel = kernel,
                        .lanes = kernel->instance_count < FEW ? 1 : LV_LANES,
                        .local = kernel->layout.size[LV_INPUT_Q],
                        .kinds = kinds,
                        .first_rate = kernel->first_row,
                        .references = lv_turns_of(plan->model, kernel, 0),
                        .inputs = plan->model->input_values,
                        .graph = graph};
    if (kernel->role == LV_ROLE_NONHOLONOMIC)
        p->first_rate += plan->model->row_count[LV_ROLE_HOLONOMIC];
    p->blocks = (kernel->instance_count + p->lanes - 1) / p->lanes;
    LV_TRY(make_scatters(plan, p, list, count, err));
    return part_compile(plan, p, list, count, err);
}

static void part_done(lv_plan_part *p)
{
    lv_program_free(p->program);
}

/* Splits contributions into those that depend on the point and those that do not; both
 * keep their order. Returns the number that do not, which come first. */
static int split(lv_contribution *list, lv_contribution *spare, int count,
                 const lv_kinds *kinds)
{
    const lv_kinds fixed = LV_KIND(P) | LV_KIND(I);
    int still = 0, moving = 0;
    for (int k = 0; k < count; k++) {
        if (kinds[list[k].node] & ~fixed)
            spare[moving++] = list[k];
        else
            list[still++] = list[k];
    }
    for (int k = 0; k < moving; k++)
        list[still + k] = spare[k];
    return still;
}

/* Remembers what quantities depend on; returns the kinds that the contributions need. */
static unsigned note_kinds(lv_plan *plan, const lv_contribution *list, int count,
                           const lv_kinds *kinds)
{
    unsigned all = 0;
    for (int k = 0; k < count; k++) {
        plan->depends[list[k].quantity] |= kinds[list[k].node];
        all |= kinds[list[k].node];
    }
    return all;
}

static lv_status add_parts(lv_plan *plan, const lv_kernel *kernel, const lv_graph *graph,
                           lv_contribution *list, int count, lv_error *err)
{
    size_t nodes = (size_t)lv_graph_count(graph);
    lv_kinds *kinds = lv_memory_zeroed(nodes, sizeof *kinds);
    lv_contribution *spare = lv_memory_zeroed((size_t)count, sizeof *spare);
    bool room =
        kinds && spare && LV_RESERVE(plan->constant, 1) && LV_RESERVE(plan->varying, 1);
    lv_status status = room ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK) {
        lv_analyse_kinds(graph, kinds);
        int still = split(list, spare, count, kinds);
        if (still > 0)
            status = part_init(plan, &plan->constant.data[plan->constant.count++], kernel,
                               graph, list, still, 0, err);
        unsigned used = note_kinds(plan, list + still, count - still, kinds);
        if (status == LV_OK && count > still)
            status = part_init(plan, &plan->varying.data[plan->varying.count++], kernel,
                               graph, list + still, count - still, used, err);
    }
    lv_memory_free(kinds);
    lv_memory_free(spare);
    return status;
}

static lv_status add_kernel(lv_plan *plan, const lv_kernel *kernel, lv_error *err)
{
    lv_contribution_list list = {0};
    if (kernel->instance_count == 0)
        return LV_OK;
    lv_graph *graph = lv_graph_copy(kernel->graph);
    lv_status status =
        graph ? lv_plan_contributions(&list, graph, kernel, plan->wanted, err)
              : lv_fail_memory(err);
    if (status == LV_OK && list.count > 0 && !LV_PUSH(plan->graphs, graph)) {
        status = lv_fail_memory(err);
    } else if (status == LV_OK && list.count > 0) {
        const lv_graph *kept = graph;
        graph = NULL; /* now the plan's */
        status = add_parts(plan, kernel, kept, list.data, list.count, err);
    }
    LV_ARRAY_FREE(list);
    lv_graph_free(graph);
    return status;
}

/* ---- its size ---------------------------------------------------------------------- */

static lv_status count_kernel(const lv_kernel *kernel, lv_wanted wanted, double *numbers,
                              lv_error *err)
{
    lv_contribution_list list = {0};
    lv_graph *graph = lv_graph_copy(kernel->graph);
    lv_status status = graph ? lv_plan_contributions(&list, graph, kernel, wanted, err)
                             : lv_fail_memory(err);
    *numbers = 0;
    for (int k = 0; k < list.count; k++)
        if (lv_quantity_shape(list.data[k].quantity) >= LV_SHAPE_SQUARE)
            *numbers += kernel->instance_count;
    LV_ARRAY_FREE(list);
    lv_graph_free(graph);
    return status;
}

lv_status lv_plan_count(lv_plan_numbers *numbers, const lv_model *model, lv_wanted wanted,
                        lv_error *err)
{
    *numbers = (lv_plan_numbers){0};
    for (int k = 0; k < model->kernels.count; k++) {
        const lv_kernel *kernel = &model->kernels.data[k];
        double own = 0;
        if (kernel->instance_count > 0)
            LV_TRY(count_kernel(kernel, wanted, &own, err));
        if (kernel->role == LV_ROLE_HOLONOMIC || kernel->role == LV_ROLE_NONHOLONOMIC)
            numbers->of_constraints += own;
        else
            numbers->of_others += own;
        if (own > numbers->most)
            numbers->largest = kernel;
        numbers->most = own > numbers->most ? own : numbers->most;
    }
    return LV_OK;
}

/* ---- the whole plan ---------------------------------------------------------------- */

/* Makes machine code of the programs that are evaluated repeatedly. Without memory for it
 * the programs are interpreted. */
static void make_code(lv_plan *plan)
{
    size_t count = (size_t)plan->varying.count;
    lv_program **programs = lv_memory_zeroed(count, sizeof *programs);
    int *lanes = lv_memory_zeroed(count, sizeof *lanes);
    for (size_t k = 0; programs && lanes && k < count; k++) {
        programs[k] = plan->varying.data[k].program;
        lanes[k] = plan->varying.data[k].lanes;
    }
    if (programs && lanes)
        plan->code = lv_code_attach(programs, lanes, plan->varying.count);
    lv_memory_free(programs);
    lv_memory_free(lanes);
}

static lv_status find_walks(lv_plan *plan, lv_error *err)
{
    for (int k = 0; k < plan->varying.count; k++) {
        lv_plan_part *p = &plan->varying.data[k];
        LV_TRY(lv_plan_table_find_walk(&p->global, p, &plan->arena, err));
        LV_TRY(lv_plan_table_find_walk(&p->tangent, p, &plan->arena, err));
        for (int j = 0; j < p->scatter_count; j++)
            LV_TRY(lv_plan_table_find_walk(&p->scatters[j].to, p, &plan->arena, err));
    }
    return LV_OK;
}

/* Computes what depends on numbers of the model alone. */
static void compute_base(lv_plan *plan)
{
    const lv_point nowhere = {0};
    const double *parameters = plan->model->parameter_values.data;
    for (int k = 0; k < plan->varying.count; k++)
        lv_plan_part_refresh(&plan->varying.data[k], parameters);
    for (int q = 0; q < LV_QUANTITIES; q++)
        if (plan->base[q] && plan->size[q] > 0)
            memset(plan->base[q], 0, (size_t)plan->size[q] * sizeof(double));
    for (int k = 0; k < plan->constant.count; k++) {
        lv_plan_part_refresh(&plan->constant.data[k], parameters);
        lv_plan_part_run(&plan->constant.data[k], &nowhere, plan->base);
    }
    for (int q = 0; q < LV_QUANTITIES; q++)
        if (plan->once[q])
            lv_plan_base(plan, (lv_quantity)q, plan->own[q]);
    plan->edition = plan->model->edition;
}

static lv_status plan_fill(lv_plan *plan, lv_error *err)
{
    for (int k = 0; k < plan->model->kernels.count; k++)
        LV_TRY(add_kernel(plan, &plan->model->kernels.data[k], err));
    if (plan->varying.count > 0)
        make_code(plan);
    for (int q = 0; q < LV_QUANTITIES; q++)
        if ((plan->wanted >> q) & 1)
            LV_TRY(lv_plan_place(plan, (lv_quantity)q, err));
    LV_TRY(find_walks(plan, err));
    for (int q = 0; q < LV_QUANTITIES; q++)
        if (!plan->once[q] && plan->depends[q])
            plan->reset[plan->reset_count++] = (lv_quantity)q;
    compute_base(plan);
    return LV_OK;
}

void lv_plan_renew(lv_plan *plan)
{
    if (plan->edition != plan->model->edition)
        compute_base(plan);
}

lv_status lv_plan_create(lv_plan **result, const lv_model *model, lv_wanted wanted,
                         lv_error *err)
{
    *result = NULL;
    lv_plan *plan = lv_memory_zeroed(1, sizeof *plan);
    if (!plan)
        return lv_fail_memory(err);
    plan->model = model;
    plan->wanted = wanted;
    lv_status status = plan_fill(plan, err);
    if (status == LV_OK)
        *result = plan;
    else
        lv_plan_free(plan);
    return status;
}

void lv_plan_free(lv_plan *plan)
{
    if (!plan)
        return;
    for (int k = 0; k < plan->constant.count; k++)
        part_done(&plan->constant.data[k]);
    for (int k = 0; k < plan->varying.count; k++)
        part_done(&plan->varying.data[k]);
    for (int k = 0; k < plan->graphs.count; k++)
        lv_graph_free(plan->graphs.data[k]);
    LV_ARRAY_FREE(plan->constant);
    LV_ARRAY_FREE(plan->varying);
    LV_ARRAY_FREE(plan->graphs);
    lv_code_free(plan->code);
    lv_arena_done(&plan->arena);
    lv_memory_free(plan);
}

const double *lv_plan_result(const lv_plan *plan, lv_quantity quantity)
{
    assert((int)quantity >= 0 && quantity < LV_QUANTITIES);
    return plan->result[quantity];
}

void lv_plan_redirect(lv_plan *plan, lv_quantity quantity, double *target)
{
    assert((int)quantity >= 0 && quantity < LV_QUANTITIES);
    assert(plan->result[quantity] || plan->size[quantity] == 0);
    plan->result[quantity] = target ? target : plan->own[quantity];
}

void lv_plan_base(const lv_plan *plan, lv_quantity quantity, double *target)
{
    if (plan->size[quantity] > 0)
        memcpy(target, plan->base[quantity],
               (size_t)plan->size[quantity] * sizeof *target);
}

const lv_pattern *lv_plan_pattern(const lv_plan *plan, lv_quantity quantity)
{
    assert((int)quantity >= 0 && quantity < LV_QUANTITIES);
    return &plan->pattern[quantity];
}

bool lv_plan_uses(const lv_plan *plan, lv_quantity quantity, const lv_kernel *kernel)
{
    for (int side = 0; side < 2; side++) {
        const lv_plan_part *parts = side ? plan->varying.data : plan->constant.data;
        const int count = side ? plan->varying.count : plan->constant.count;
        for (int k = 0; k < count; k++)
            for (int j = 0; j < parts[k].scatter_count; j++)
                if (parts[k].kernel == kernel &&
                    parts[k].scatters[j].quantity == quantity)
                    return true;
    }
    return false;
}

unsigned lv_plan_depends(const lv_plan *plan, lv_quantity quantity)
{
    return plan->depends[quantity];
}
