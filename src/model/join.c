#include "model/join.h"

#include "expr/analyse.h"
#include "expr/function.h"
#include "expr/import.h"

#include <stdlib.h>
#include <string.h>

/* ---- joints ------------------------------------------------------------------------------ */

lv_status lv_joiner_init(lv_joiner *j, const lv_model *model, lv_arena *arena,
                         const lv_kernel *const *kernels, lv_error *err)
{
    size_t n = (size_t)model->coordinate_count;
    *j = (lv_joiner){.model = model, .arena = arena, .kernels = kernels};
    j->last = lv_arena_alloc(arena, n, sizeof *j->last);
    j->slot = lv_arena_alloc(arena, n, sizeof *j->slot);
    return j->last && j->slot ? LV_OK : lv_fail_memory(err);
}

void lv_joiner_done(lv_joiner *j)
{
    LV_ARRAY_FREE(j->joints);
    LV_ARRAY_FREE(j->signatures);
    LV_ARRAY_FREE(j->parts);
    LV_ARRAY_FREE(j->places);
    LV_ARRAY_FREE(j->slots);
    LV_ARRAY_FREE(j->joins);
}

static lv_joint *current_joint(const lv_joiner *j)
{
    return &j->joints.data[j->joints.count - 1];
}

lv_status lv_joiner_begin(lv_joiner *j, lv_error *err)
{
    const lv_joint joint = {.signature = j->signatures.count,
                            .part = j->parts.count,
                            .place = j->places.count,
                            .tag = j->signatures.count};
    j->slots.count = 0;
    return LV_PUSH(j->joints, joint) ? LV_OK : lv_fail_memory(err);
}

static lv_status add_to_signature(lv_joiner *j, int number, lv_error *err)
{
    if (!LV_PUSH(j->signatures, number))
        return lv_fail_memory(err);
    current_joint(j)->signature_count++;
    return LV_OK;
}

/* Number of coordinates of the slots so far. */
static int width_of(const lv_joiner *j)
{
    const lv_slot *last = j->slots.count > 0 ? &j->slots.data[j->slots.count - 1] : NULL;
    return last ? last->first + last->length : 0;
}

/* Finds or adds the slot of the current joint at a coordinate. */
static lv_status slot_at(lv_joiner *j, const lv_slot *like, int place, lv_error *err)
{
    if (j->last[place] == j->joints.count)
        return LV_OK;
    lv_slot slot = *like;
    slot.first = width_of(j);
    slot.index = LV_NODE_NONE;
    if (slot.length > LV_MODEL_LOCAL - slot.first)
        return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(like->place),
                          "momenta depend on more than %d coordinates through this term",
                          LV_MODEL_LOCAL);
    if (!LV_PUSH(j->slots, slot) || !LV_PUSH(j->places, place))
        return lv_fail_memory(err);
    j->last[place] = j->joints.count;
    j->slot[place] = current_joint(j)->place_count++;
    return LV_OK;
}

lv_status lv_joiner_part(lv_joiner *j, int number, int instance, lv_error *err)
{
    const lv_kernel *kernel = j->kernels[number];
    const int *where = kernel->where + (size_t)instance * (size_t)kernel->slot_count;
    LV_TRY(add_to_signature(j, number, err));
    for (int s = 0; s < kernel->slot_count; s++) {
        LV_TRY(slot_at(j, &kernel->slots[s], where[s], err));
        LV_TRY(add_to_signature(j, j->slot[where[s]], err));
    }
    current_joint(j)->part_count++;
    current_joint(j)->tag = j->signatures.count;
    return LV_PUSH(j->parts, instance) ? LV_OK : lv_fail_memory(err);
}

lv_status lv_joiner_tag(lv_joiner *j, int tag, lv_error *err)
{
    return add_to_signature(j, tag, err);
}

int lv_joiner_place(const lv_joiner *j, int slot)
{
    return j->places.data[current_joint(j)->place + slot];
}

/* ---- joins ------------------------------------------------------------------------------- */

/* A joint that is being sorted into a join. */
typedef struct sorted {
    const int *signature;
    int count, joint;
    int join_order; /* the first joint of the same structure */
} sorted;

static int by_signature(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    for (int k = 0; k < x->count; k++)
        if (x->signature[k] != y->signature[k])
            return x->signature[k] < y->signature[k] ? -1 : 1;
    return (x->joint > y->joint) - (x->joint < y->joint);
}

static int by_order(const void *a, const void *b)
{
    const sorted *x = a, *y = b;
    if (x->join_order != y->join_order)
        return x->join_order < y->join_order ? -1 : 1;
    return (x->joint > y->joint) - (x->joint < y->joint);
}

static bool has_same_signature(const sorted *x, const sorted *y)
{
    return x->count == y->count && memcmp(x->signature, y->signature,
                                          (size_t)x->count * sizeof *x->signature) == 0;
}

/* Sorts joints of the same structure together, in the order of their first joints. */
static sorted *sort_joints(const lv_joiner *j)
{
    int count = j->joints.count;
    sorted *list = lv_arena_alloc(j->arena, (size_t)count, sizeof *list);
    if (!list)
        return NULL;
    for (int k = 0; k < count; k++) {
        const lv_joint *joint = &j->joints.data[k];
        list[k] =
            (sorted){j->signatures.data + joint->signature, joint->signature_count, k, k};
    }
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, by_signature);
    for (int k = 1; k < count; k++)
        if (has_same_signature(&list[k - 1], &list[k]))
            list[k].join_order = list[k - 1].join_order;
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, by_order);
    return list;
}

/* Finds kernels and slots of a join from the signature of one of its joints. */
static lv_status describe_parts(lv_joiner *j, lv_join *join, const lv_joint *joint,
                                lv_error *err)
{
    size_t parts = (size_t)joint->part_count;
    const int *next = j->signatures.data + joint->signature;
    lv_slot *slots = lv_arena_alloc(j->arena, (size_t)joint->place_count, sizeof *slots);
    join->part_count = joint->part_count;
    join->slot_count = joint->place_count;
    join->kernels = lv_arena_alloc(j->arena, parts, sizeof *join->kernels);
    join->coordinates = lv_arena_alloc(j->arena, parts, sizeof *join->coordinates);
    join->indices_of = lv_arena_alloc(j->arena, parts, sizeof *join->indices_of);
    if (!slots || !join->kernels || !join->coordinates || !join->indices_of)
        return lv_fail_memory(err);
    join->slots = slots;
    for (int p = 0, known = 0; p < join->part_count; p++) {
        const lv_kernel *kernel = j->kernels[*next++];
        int local = kernel->layout.size[LV_INPUT_Q];
        int *to = lv_arena_alloc(j->arena, (size_t)local, sizeof *to);
        if (!to)
            return lv_fail_memory(err);
        join->kernels[p] = kernel;
        join->coordinates[p] = to;
        for (int s = 0; s < kernel->slot_count; s++, next++) {
            const lv_slot *slot = &kernel->slots[s];
            if (*next == known) {
                slots[known] = *slot;
                slots[known].index = LV_NODE_NONE;
                slots[known++].first = join->width;
                join->width += slot->length;
            }
            for (int k = 0; k < slot->length; k++)
                to[slot->first + k] = slots[*next].first + k;
        }
    }
    join->tags = j->signatures.data + joint->tag;
    return LV_OK;
}

static lv_status place_instances(const lv_joiner *j, lv_join *join, const sorted *list,
                                 lv_error *err)
{
    size_t count = (size_t)join->instance_count, slots = (size_t)join->slot_count;
    int *joints = lv_arena_alloc(j->arena, count, sizeof *joints);
    int *where = lv_arena_alloc(j->arena, count * slots, sizeof *where);
    if (!joints || !where)
        return lv_fail_memory(err);
    join->joints = joints;
    join->where = where;
    for (size_t k = 0; k < count; k++) {
        const lv_joint *joint = &j->joints.data[list[k].joint];
        joints[k] = list[k].joint;
        if (slots > 0)
            memcpy(where + k * slots, j->places.data + joint->place,
                   slots * sizeof *where);
    }
    return LV_OK;
}

/* Index k of part p in instance i. */
static double index_of(const lv_joiner *j, const lv_join *join, int p, int k, int i)
{
    const lv_kernel *kernel = join->kernels[p];
    int instance = j->parts.data[j->joints.data[join->joints[i]].part + p];
    return kernel->indices[(size_t)instance * (size_t)kernel->index_count + (size_t)k];
}

/* Whether index k of part p has the name of index `other` and, in all instances, its
 * value. */
static bool same_index(const lv_joiner *j, const lv_join *join, int p, int k, int other,
                       const int (*from)[2])
{
    if (strcmp(join->kernels[p]->index_names[k], join->index_names[other]) != 0)
        return false;
    for (int i = 0; i < join->instance_count; i++)
        if (index_of(j, join, p, k, i) !=
            index_of(j, join, from[other][0], from[other][1], i))
            return false;
    return true;
}

/* Collects the indices of all parts; indices that are always equal are listed once. */
static lv_status place_indices(const lv_joiner *j, lv_join *join, lv_error *err)
{
    size_t most = 0, count = (size_t)join->instance_count;
    for (int p = 0; p < join->part_count; p++)
        most += (size_t)join->kernels[p]->index_count;
    int(*from)[2] = lv_arena_alloc(j->arena, most, sizeof *from);
    join->index_names = lv_arena_alloc(j->arena, most, sizeof *join->index_names);
    if (!from || !join->index_names)
        return lv_fail_memory(err);
    for (int p = 0; p < join->part_count; p++) {
        const lv_kernel *kernel = join->kernels[p];
        int *to = lv_arena_alloc(j->arena, (size_t)kernel->index_count, sizeof *to);
        if (!to)
            return lv_fail_memory(err);
        join->indices_of[p] = to;
        for (int k = 0; k < kernel->index_count; k++) {
            int other = 0;
            while (other < join->index_count &&
                   !same_index(j, join, p, k, other, (const int(*)[2])from))
                other++;
            to[k] = other;
            if (other < join->index_count)
                continue;
            from[other][0] = p;
            from[other][1] = k;
            join->index_names[join->index_count++] = kernel->index_names[k];
        }
    }
    double *values =
        lv_arena_alloc(j->arena, count * (size_t)join->index_count, sizeof *values);
    if (!values)
        return lv_fail_memory(err);
    join->indices = values;
    for (int i = 0; i < join->instance_count; i++)
        for (int k = 0; k < join->index_count; k++)
            *values++ = index_of(j, join, from[k][0], from[k][1], i);
    return LV_OK;
}

lv_status lv_joiner_finish(lv_joiner *j, lv_error *err)
{
    const sorted *list = sort_joints(j);
    if (!list)
        return lv_fail_memory(err);
    for (int first = 0, next = 0; first < j->joints.count; first = next) {
        lv_join join = {0};
        while (next < j->joints.count && list[next].join_order == list[first].join_order)
            next++;
        join.instance_count = next - first;
        LV_TRY(describe_parts(j, &join, &j->joints.data[list[first].joint], err));
        LV_TRY(place_instances(j, &join, list + first, err));
        LV_TRY(place_indices(j, &join, err));
        if (!LV_PUSH(j->joins, join))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

/* ---- one kernel alone ---------------------------------------------------------------------- */

static int *identity(lv_arena *arena, int count)
{
    int *list = lv_arena_alloc(arena, (size_t)count, sizeof *list);
    for (int k = 0; list && k < count; k++)
        list[k] = k;
    return list;
}

lv_status lv_join_alone(lv_join *join, lv_arena *arena, const lv_kernel *kernel,
                        const unsigned char *keep, lv_error *err)
{
    size_t count = 0, slots = (size_t)kernel->slot_count;
    size_t indices = (size_t)kernel->index_count;
    for (int k = 0; k < kernel->instance_count; k++)
        count += keep[k];
    int *where = lv_arena_alloc(arena, count * slots, sizeof *where);
    double *values = lv_arena_alloc(arena, count * indices, sizeof *values);
    *join = (lv_join){.part_count = 1,
                      .slot_count = kernel->slot_count,
                      .slots = kernel->slots,
                      .width = kernel->layout.size[LV_INPUT_Q],
                      .instance_count = (int)count,
                      .where = where,
                      .index_count = kernel->index_count,
                      .indices = values};
    join->kernels = lv_arena_alloc(arena, 1, sizeof *join->kernels);
    join->coordinates = lv_arena_alloc(arena, 1, sizeof *join->coordinates);
    join->indices_of = lv_arena_alloc(arena, 1, sizeof *join->indices_of);
    join->index_names = lv_arena_alloc(arena, indices, sizeof *join->index_names);
    if (!where || !values || !join->kernels || !join->coordinates || !join->indices_of ||
        !join->index_names)
        return lv_fail_memory(err);
    join->kernels[0] = kernel;
    join->coordinates[0] = identity(arena, join->width);
    join->indices_of[0] = identity(arena, kernel->index_count);
    for (size_t k = 0; k < indices; k++)
        join->index_names[k] = kernel->index_names[k];
    for (size_t k = 0; k < (size_t)kernel->instance_count; k++) {
        if (!keep[k])
            continue;
        for (size_t s = 0; s < slots; s++)
            *where++ = kernel->where[k * slots + s];
        for (size_t i = 0; i < indices; i++)
            *values++ = kernel->indices[k * indices + i];
    }
    return join->coordinates[0] && join->indices_of[0] ? LV_OK : lv_fail_memory(err);
}

/* ---- kernels ------------------------------------------------------------------------------ */

/* Inputs of a kind under new numbers. */
static const lv_node *renumbered(lv_graph *graph, lv_arena *arena, lv_input kind,
                                 const int *to, int count)
{
    lv_node *nodes = lv_arena_alloc(arena, (size_t)count, sizeof *nodes);
    for (int k = 0; nodes && k < count; k++)
        nodes[k] = to[k] < 0 ? LV_NODE_NONE : lv_graph_input(graph, kind, to[k]);
    return nodes;
}

/* Renumbers accelerations and momenta, which outputs may contain; false if there is no
 * memory. */
static bool renumber_results(const lv_node *inputs[LV_INPUT_KINDS],
                             const lv_kernel *kernel, lv_graph *graph, lv_arena *arena,
                             const int *to, int count)
{
    if (kernel->layout.size[LV_INPUT_A] == 0)
        return true;
    inputs[LV_INPUT_A] = renumbered(graph, arena, LV_INPUT_A, to, count);
    inputs[LV_INPUT_W] = renumbered(graph, arena, LV_INPUT_W, to, count);
    return inputs[LV_INPUT_A] && inputs[LV_INPUT_W];
}

/* The number of angles that count turns in the parts before this one. */
static int turns_before(const lv_join *join, int part)
{
    int count = 0;
    for (int p = 0; p < part; p++)
        count += join->kernels[p]->turn_count;
    return count;
}

/* The references of a part among those of the join. */
static const lv_node *shifted_references(lv_graph *graph, lv_arena *arena,
                                         const lv_join *join, int part)
{
    const int count = LV_TURN_NUMBERS * join->kernels[part]->turn_count;
    const int first = LV_TURN_NUMBERS * turns_before(join, part);
    lv_node *nodes = lv_arena_alloc(arena, (size_t)count, sizeof *nodes);
    for (int k = 0; nodes && k < count; k++)
        nodes[k] = lv_graph_input(graph, LV_INPUT_R, first + k);
    return nodes;
}

lv_status lv_join_import(const lv_join *join, lv_arena *arena, int part, lv_graph *graph,
                         lv_node *images, const lv_node *nodes, int count,
                         const lv_node *inputs[LV_INPUT_KINDS], lv_error *err)
{
    const lv_kernel *kernel = join->kernels[part];
    const int *to = join->coordinates[part];
    int local = kernel->layout.size[LV_INPUT_Q];
    inputs[LV_INPUT_Q] = renumbered(graph, arena, LV_INPUT_Q, to, local);
    inputs[LV_INPUT_V] = renumbered(graph, arena, LV_INPUT_V, to, local);
    inputs[LV_INPUT_I] =
        renumbered(graph, arena, LV_INPUT_I, join->indices_of[part], kernel->index_count);
    inputs[LV_INPUT_R] = shifted_references(graph, arena, join, part);
    if (!inputs[LV_INPUT_Q] || !inputs[LV_INPUT_V] || !inputs[LV_INPUT_I] ||
        !inputs[LV_INPUT_R] || !renumber_results(inputs, kernel, graph, arena, to, local))
        return lv_fail_memory(err);
    lv_graph_import(graph, images, kernel->graph, nodes, count, inputs);
    return lv_graph_check(graph, err);
}

/* Marks the coordinates below the nodes; `to` maps them to those of the join, NULL: they
 * are the same. */
static lv_status mark_used(unsigned char *used, const lv_graph *graph,
                           const lv_node *nodes, int count, const int *to, lv_error *err)
{
    static const lv_input kinds[] = {LV_INPUT_Q, LV_INPUT_V, LV_INPUT_A, LV_INPUT_W};
    lv_node_list found = {0};
    lv_status status = LV_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status == LV_OK; k++)
        status = lv_analyse_inputs(graph, &found, nodes, count, kinds[k], err);
    for (int k = 0; k < found.count; k++) {
        const int at = lv_graph_node(graph, found.data[k])->b;
        used[to ? to[at] : at] = 1;
    }
    LV_ARRAY_FREE(found);
    return status;
}

/* Keeps the slots with marked coordinates under new numbers; to[k] is the new number of
 * coordinate k, or -1. */
static lv_status keep_slots(lv_kernel *kernel, lv_arena *arena, const lv_join *join,
                            const unsigned char *used, int *to, lv_error *err)
{
    lv_slot *slots = lv_arena_alloc(arena, (size_t)join->slot_count, sizeof *slots);
    int *kept = lv_arena_alloc(arena, (size_t)join->slot_count, sizeof *kept);
    int width = 0, count = 0, size = 0;
    if (!slots || !kept)
        return lv_fail_memory(err);
    for (int s = 0; s < join->slot_count; s++) {
        const lv_slot *slot = &join->slots[s];
        bool any = false;
        for (int k = 0; k < slot->length; k++)
            any |= used[slot->first + k];
        for (int k = 0; k < slot->length; k++)
            to[slot->first + k] = any ? width + k : -1;
        if (!any)
            continue;
        kept[count] = s;
        slots[count] = *slot;
        slots[count++].first = width;
        width += slot->length;
    }
    if (!lv_int_mul(count, join->instance_count, &size) || size > LV_MODEL_PLACES)
        return lv_fail_at(
            err, LV_ERR_LIMIT, LV_AT(slots[0].place),
            "momenta make the model have more than %d coordinates, counted in "
            "every instance",
            LV_MODEL_PLACES);
    int *where = lv_arena_alloc(arena, (size_t)size, sizeof *where);
    if (!where)
        return lv_fail_memory(err);
    kernel->slot_count = count;
    kernel->slots = slots;
    kernel->where = where;
    kernel->layout.size[LV_INPUT_Q] = kernel->layout.size[LV_INPUT_V] = width;
    if (kernel->layout.size[LV_INPUT_A] > 0)
        kernel->layout.size[LV_INPUT_A] = kernel->layout.size[LV_INPUT_W] = width;
    for (int i = 0; i < join->instance_count; i++)
        for (int s = 0; s < count; s++)
            *where++ =
                join->where[(size_t)i * (size_t)join->slot_count + (size_t)kept[s]];
    return LV_OK;
}

/* Imports rows and targets into the kernel's own graph. */
static lv_status move_rows(lv_kernel *kernel, lv_arena *arena, const lv_graph *graph,
                           const lv_node *rows, const lv_node *targets, const int *to,
                           int width, lv_error *err)
{
    size_t count = (size_t)kernel->row_count;
    const lv_node *inputs[LV_INPUT_KINDS] = {NULL};
    lv_node *images = lv_arena_alloc(arena, 2 * count, sizeof *images);
    kernel->graph = lv_graph_create(0);
    if (!images || !kernel->graph)
        return lv_fail_memory(err);
    inputs[LV_INPUT_Q] = renumbered(kernel->graph, arena, LV_INPUT_Q, to, width);
    inputs[LV_INPUT_V] = renumbered(kernel->graph, arena, LV_INPUT_V, to, width);
    if (!inputs[LV_INPUT_Q] || !inputs[LV_INPUT_V] ||
        !renumber_results(inputs, kernel, kernel->graph, arena, to, width))
        return lv_fail_memory(err);
    lv_graph_import(kernel->graph, images, graph, rows, kernel->row_count, inputs);
    if (targets)
        lv_graph_import(kernel->graph, images + count, graph, targets, kernel->row_count,
                        inputs);
    kernel->rows = images;
    kernel->targets = targets ? images + count : NULL;
    return lv_graph_check(kernel->graph, err);
}

/* If the rows contain a reference, keeps the angles of all parts under their numbers. */
static lv_status count_turns(lv_kernel *kernel, unsigned char *used, const lv_join *join,
                             const lv_graph *graph, const lv_node *rows, int row_count,
                             lv_error *err)
{
    lv_kinds kinds = 0;
    LV_TRY(lv_analyse_reach(graph, &kinds, rows, row_count, err));
    if (!(kinds & LV_KIND(R)))
        return LV_OK;
    kernel->turn_count = turns_before(join, join->part_count);
    for (int p = 0; p < join->part_count; p++) {
        const lv_kernel *part = join->kernels[p];
        LV_TRY(mark_used(used, part->graph, part->turns, 2 * part->turn_count,
                         join->coordinates[p], err));
    }
    return LV_OK;
}

/* Imports the points of these angles into the kernel's own graph; to[k] is the new number
 * of coordinate k of the join. */
static lv_status move_turns(lv_kernel *kernel, lv_arena *arena, const lv_join *join,
                            const int *to, lv_error *err)
{
    lv_node *turns = lv_arena_alloc(arena, 2 * (size_t)kernel->turn_count, sizeof *turns);
    if (!turns)
        return lv_fail_memory(err);
    kernel->turns = turns;
    for (int p = 0; p < join->part_count && kernel->turn_count > 0; p++) {
        const lv_kernel *part = join->kernels[p];
        const int local = part->layout.size[LV_INPUT_Q];
        const lv_node *inputs[LV_INPUT_KINDS] = {NULL};
        int *own = lv_arena_alloc(arena, (size_t)local, sizeof *own);
        if (!own)
            return lv_fail_memory(err);
        for (int k = 0; k < local; k++)
            own[k] = to[join->coordinates[p][k]];
        inputs[LV_INPUT_Q] = renumbered(kernel->graph, arena, LV_INPUT_Q, own, local);
        inputs[LV_INPUT_V] = renumbered(kernel->graph, arena, LV_INPUT_V, own, local);
        inputs[LV_INPUT_I] = renumbered(kernel->graph, arena, LV_INPUT_I,
                                        join->indices_of[p], part->index_count);
        inputs[LV_INPUT_R] = shifted_references(kernel->graph, arena, join, p);
        if (!inputs[LV_INPUT_Q] || !inputs[LV_INPUT_V] || !inputs[LV_INPUT_I] ||
            !inputs[LV_INPUT_R])
            return lv_fail_memory(err);
        lv_graph_import(kernel->graph, turns + (ptrdiff_t)(2 * turns_before(join, p)),
                        part->graph, part->turns, 2 * part->turn_count, inputs);
    }
    return lv_graph_check(kernel->graph, err);
}

lv_status lv_join_kernel(lv_kernel *kernel, lv_arena *arena, const lv_join *join,
                         const lv_graph *graph, const lv_node *rows,
                         const lv_node *targets, int row_count, lv_error *err)
{
    size_t width = (size_t)join->width, indices = (size_t)join->index_count;
    unsigned char *used = lv_arena_alloc(arena, width, 1);
    int *to = lv_arena_alloc(arena, width, sizeof *to);
    if (!used || !to)
        return lv_fail_memory(err);
    LV_TRY(mark_used(used, graph, rows, row_count, NULL, err));
    if (targets)
        LV_TRY(mark_used(used, graph, targets, row_count, NULL, err));
    LV_TRY(count_turns(kernel, used, join, graph, rows, row_count, err));
    kernel->layout = join->kernels[0]->layout;
    kernel->layout.size[LV_INPUT_R] = LV_TURN_NUMBERS * kernel->turn_count;
    kernel->layout.size[LV_INPUT_M] = 0;
    kernel->layout.size[LV_INPUT_I] = join->index_count;
    kernel->row_count = row_count;
    kernel->instance_count = join->instance_count;
    kernel->index_count = join->index_count;
    LV_TRY(keep_slots(kernel, arena, join, used, to, err));
    kernel->index_names =
        lv_arena_copy(arena, join->index_names, indices, sizeof *join->index_names);
    kernel->indices =
        lv_arena_copy(arena, join->indices, indices * (size_t)join->instance_count,
                      sizeof *join->indices);
    if (!kernel->index_names || !kernel->indices)
        return lv_fail_memory(err);
    LV_TRY(move_rows(kernel, arena, graph, rows, targets, to, join->width, err));
    return move_turns(kernel, arena, join, to, err);
}
