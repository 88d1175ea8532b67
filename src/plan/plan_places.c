/* Decides where the results of a plan are stored: sizes and patterns of quantities, and
 * the index of every number that a part computes. */
#include "num/sparse.h"
#include "plan/plan_private.h"

#include <string.h>

static bool is_matrix(lv_quantity quantity)
{
    lv_shape_of shape = lv_quantity_shape(quantity);
    return shape == LV_SHAPE_SQUARE || shape == LV_SHAPE_HOLONOMIC ||
           shape == LV_SHAPE_CONSTRAINTS;
}

/* ---- tables of indices ------------------------------------------------------------- */

bool lv_plan_table_init(lv_table *t, lv_arena *arena, int blocks, int size)
{
    *t = (lv_table){.size = size};
    t->index = lv_arena_alloc(arena, (size_t)size * (size_t)blocks, sizeof *t->index);
    return t->index != NULL;
}

/* The index of a slot for an instance. */
static int index_of(const lv_table *t, int lanes, int slot, int instance)
{
    const int *block = t->index + (ptrdiff_t)(instance / lanes) * t->size;
    return block[slot * lanes + instance % lanes];
}

static bool follows(const lv_table *t, int lanes, int slot, lv_walk walk, int instances)
{
    for (int i = 0; i < instances; i++)
        if (index_of(t, lanes, slot, i) != walk.first + (ptrdiff_t)i * walk.stride)
            return false;
    return true;
}

lv_status lv_plan_table_find_walk(lv_table *t, const lv_plan_part *p, lv_arena *arena,
                                  lv_error *err)
{
    const int slots = t->size / p->lanes, instances = p->kernel->instance_count;
    if (p->lanes == 1 || instances < p->lanes)
        return LV_OK;
    lv_walk *walk = lv_arena_alloc(arena, (size_t)slots + 1, sizeof *walk);
    if (!walk)
        return lv_fail_memory(err);
    bool all = true;
    for (int k = 0; k < slots && all; k++) {
        const int first = index_of(t, p->lanes, k, 0);
        walk[k] = (lv_walk){first, index_of(t, p->lanes, k, 1) - first};
        all = follows(t, p->lanes, k, walk[k], instances);
    }
    t->walk = all ? walk : NULL;
    t->stride = all && slots > 0 ? walk[0].stride : 0;
    for (int k = 1; k < slots; k++)
        t->stride = walk[k].stride == t->stride ? t->stride : 0;
    return LV_OK;
}

/* ---- places ------------------------------------------------------------------------ */

/* The row of a matrix, or the index in a list, that output k of a scatter belongs to. */
static int place_of(const lv_plan_part *p, const lv_scatter *s, int k, int block,
                    int lane)
{
    const int *tangent = p->tangent.index + (size_t)block * (size_t)p->tangent.size;
    switch (lv_quantity_shape(s->quantity)) {
    case LV_SHAPE_VECTOR:
    case LV_SHAPE_SQUARE:
        return tangent[s->a[k] * p->lanes + lane];
    case LV_SHAPE_ROWS:
    case LV_SHAPE_HOLONOMIC:
        return p->kernel->first_row +
               lv_plan_instance(p, block, lane) * p->kernel->row_count + s->a[k];
    case LV_SHAPE_RATES:
    case LV_SHAPE_CONSTRAINTS:
        return p->first_rate + lv_plan_instance(p, block, lane) * p->kernel->row_count +
               s->a[k];
    case LV_SHAPE_SCALAR:
    case LV_SHAPE_LIST:
        break;
    }
    const int instance =
        lv_role_is_result(p->kernel->role) ? lv_plan_instance(p, block, lane) : 0;
    return s->list + instance * p->kernel->row_count + s->a[k];
}

/* The matrix entries of a scatter, in the order of its table. */
static bool list_entries(const lv_plan_part *p, const lv_scatter *s,
                         lv_entry_list *entries)
{
    for (int block = 0; block < p->blocks; block++) {
        const int *tangent = p->tangent.index + (size_t)block * (size_t)p->tangent.size;
        for (int k = 0; k < s->count; k++)
            for (int l = 0; l < p->lanes; l++) {
                lv_entry_place e = {place_of(p, s, k, block, l),
                                    tangent[s->b[k] * p->lanes + l]};
                if (!LV_PUSH(*entries, e))
                    return false;
            }
    }
    return true;
}

/* Fills the indices of a scatter's results in a quantity that is no matrix. */
static void list_places(const lv_plan_part *p, lv_scatter *s)
{
    int *to = s->to.index;
    for (int block = 0; block < p->blocks; block++)
        for (int k = 0; k < s->count; k++)
            for (int l = 0; l < p->lanes; l++)
                *to++ = place_of(p, s, k, block, l);
}

/* A scatter and the part it belongs to. */
typedef struct belonging {
    lv_plan_part *part;
    lv_scatter *scatter;
} belonging;

typedef LV_ARRAY(belonging) belonging_list;

/* All scatters of a quantity, constant parts first. */
static bool collect(lv_plan *plan, lv_quantity quantity, belonging_list *all)
{
    lv_plan_part *parts[2] = {plan->constant.data, plan->varying.data};
    int counts[2] = {plan->constant.count, plan->varying.count};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < counts[side]; k++)
            for (int j = 0; j < parts[side][k].scatter_count; j++) {
                belonging b = {&parts[side][k], &parts[side][k].scatters[j]};
                if (b.scatter->quantity == quantity && !LV_PUSH(*all, b))
                    return false;
            }
    return true;
}

/* The number of rows of a matrix, or of numbers of a quantity with rows. */
static int row_count(const lv_plan *plan, lv_quantity quantity)
{
    const int *rows = plan->model->row_count;
    lv_shape_of shape = lv_quantity_shape(quantity);
    if (shape == LV_SHAPE_ROWS || shape == LV_SHAPE_HOLONOMIC)
        return rows[LV_ROLE_HOLONOMIC];
    if (shape == LV_SHAPE_RATES || shape == LV_SHAPE_CONSTRAINTS)
        return rows[LV_ROLE_HOLONOMIC] + rows[LV_ROLE_NONHOLONOMIC];
    return lv_model_tangents(plan->model);
}

/* Builds the pattern of a matrix, and the indices of all its entries. */
static lv_status build_pattern(lv_plan *plan, lv_quantity quantity,
                               const belonging_list *all, lv_error *err)
{
    lv_entry_list entries = {0};
    int n = lv_model_tangents(plan->model);
    bool ok = true;
    for (int k = 0; ok && k < all->count; k++)
        ok = list_entries(all->data[k].part, all->data[k].scatter, &entries);
    int *slot = ok ? lv_memory_zeroed((size_t)entries.count + 1, sizeof *slot) : NULL;
    lv_status status = slot ? lv_pattern_build(&plan->pattern[quantity], slot,
                                               &plan->arena, entries.data, entries.count,
                                               row_count(plan, quantity), n, err)
                            : lv_fail_memory(err);
    const int *from = slot;
    for (int k = 0; status == LV_OK && k < all->count; k++) {
        lv_table *to = &all->data[k].scatter->to;
        size_t count = (size_t)to->size * (size_t)all->data[k].part->blocks;
        memcpy(to->index, from, count * sizeof *from);
        from += count;
    }
    if (status == LV_OK)
        plan->size[quantity] = lv_pattern_entries(&plan->pattern[quantity]);
    lv_memory_free(slot);
    LV_ARRAY_FREE(entries);
    return status;
}

/* Fills the indices of the results of all parts. */
static lv_status place_results(lv_plan *plan, lv_quantity quantity, lv_error *err)
{
    belonging_list all = {0};
    bool ok = collect(plan, quantity, &all);
    for (int k = 0; ok && k < all.count; k++)
        ok = lv_plan_table_init(&all.data[k].scatter->to, &plan->arena,
                                all.data[k].part->blocks,
                                all.data[k].scatter->count * all.data[k].part->lanes);
    lv_status status = ok ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK && is_matrix(quantity))
        status = build_pattern(plan, quantity, &all, err);
    for (int k = 0; status == LV_OK && !is_matrix(quantity) && k < all.count; k++)
        list_places(all.data[k].part, all.data[k].scatter);
    LV_ARRAY_FREE(all);
    return status;
}

/* How many numbers a kernel has in a list. */
static int list_length(lv_quantity quantity, const lv_kernel *kernel)
{
    if (quantity == LV_Q_OUTPUT)
        return kernel->role == LV_ROLE_OUTPUT ? kernel->row_count : 0;
    if (quantity == LV_Q_EVENT)
        return kernel->role == LV_ROLE_EVENT ? kernel->row_count : 0;
    if (quantity == LV_Q_SHOWN)
        return kernel->role == LV_ROLE_SHOWN || kernel->role == LV_ROLE_VIEW
                   ? kernel->row_count * kernel->instance_count
                   : 0;
    if (quantity == LV_Q_MOMENTUM_MAP)
        return kernel->role == LV_ROLE_SYMMETRY;
    return 1;
}

static void number_list(lv_plan *plan, lv_quantity quantity)
{
    int next = 0;
    for (int k = 0; k < plan->model->kernels.count; k++) {
        const lv_kernel *kernel = &plan->model->kernels.data[k];
        const int length = list_length(quantity, kernel);
        for (int side = 0; side < 2 && length > 0; side++) {
            lv_plan_part *parts = side ? plan->varying.data : plan->constant.data;
            int count = side ? plan->varying.count : plan->constant.count;
            for (int j = 0; j < count; j++)
                if (parts[j].kernel == kernel)
                    for (int i = 0; i < parts[j].scatter_count; i++)
                        if (parts[j].scatters[i].quantity == quantity)
                            parts[j].scatters[i].list = next;
        }
        next += length;
    }
    plan->size[quantity] = next;
}

static lv_status plan_make_room(lv_plan *plan, lv_quantity quantity, lv_error *err)
{
    switch (lv_quantity_shape(quantity)) {
    case LV_SHAPE_SCALAR:
        plan->size[quantity] = 1;
        break;
    case LV_SHAPE_LIST:
        number_list(plan, quantity);
        break;
    case LV_SHAPE_VECTOR:
    case LV_SHAPE_ROWS:
    case LV_SHAPE_RATES:
        plan->size[quantity] = row_count(plan, quantity);
        break;
    case LV_SHAPE_SQUARE: /* known once the pattern is built */
    case LV_SHAPE_HOLONOMIC:
    case LV_SHAPE_CONSTRAINTS:
        break;
    }
    LV_TRY(place_results(plan, quantity, err));
    size_t size = (size_t)plan->size[quantity];
    plan->own[quantity] = lv_arena_alloc(&plan->arena, size, sizeof(double));
    plan->base[quantity] = plan->depends[quantity]
                               ? lv_arena_alloc(&plan->arena, size, sizeof(double))
                               : plan->own[quantity];
    plan->result[quantity] = plan->own[quantity];
    return plan->own[quantity] && plan->base[quantity] ? LV_OK : lv_fail_memory(err);
}

/* Counts the contributions to every number of a matrix or of rows. */
static void count_writes(const lv_plan_part *parts, int count, lv_quantity quantity,
                         int *writes)
{
    for (int k = 0; k < count; k++)
        for (int j = 0; j < parts[k].scatter_count; j++) {
            const lv_plan_part *p = &parts[k];
            const lv_scatter *s = &p->scatters[j];
            if (s->quantity != quantity)
                continue;
            for (int i = 0; i < p->kernel->instance_count; i++)
                for (int e = 0; e < s->count; e++) {
                    int block = i / p->lanes, lane = i % p->lanes;
                    writes[s->to.index[(block * s->count + e) * p->lanes + lane]]++;
                }
        }
}

static void mark_once(lv_plan *plan, lv_quantity quantity)
{
    plan->once[quantity] = true;
    for (int k = 0; k < plan->varying.count; k++)
        for (int j = 0; j < plan->varying.data[k].scatter_count; j++)
            if (plan->varying.data[k].scatters[j].quantity == quantity)
                plan->varying.data[k].scatters[j].once = true;
}

/* Decides whether varying contributions may be stored instead of added. */
static lv_status find_once(lv_plan *plan, lv_quantity quantity, lv_error *err)
{
    lv_shape_of shape = lv_quantity_shape(quantity);
    if (!plan->depends[quantity] ||
        (shape != LV_SHAPE_ROWS && shape != LV_SHAPE_RATES && !is_matrix(quantity)))
        return LV_OK;
    int *varying =
        lv_memory_zeroed(2 * (size_t)plan->size[quantity] + 1, sizeof *varying);
    int *constant = varying + plan->size[quantity];
    if (!varying)
        return lv_fail_memory(err);
    count_writes(plan->varying.data, plan->varying.count, quantity, varying);
    count_writes(plan->constant.data, plan->constant.count, quantity, constant);
    bool once = true;
    for (int k = 0; k < plan->size[quantity]; k++)
        once = once && varying[k] <= 1 && (varying[k] == 0 || constant[k] == 0);
    if (once)
        mark_once(plan, quantity);
    lv_memory_free(varying);
    return LV_OK;
}

lv_status lv_plan_place(lv_plan *plan, lv_quantity quantity, lv_error *err)
{
    LV_TRY(plan_make_room(plan, quantity, err));
    return find_once(plan, quantity, err);
}
