#include "system/maps.h"

#include "expr/analyse.h"
#include "expr/diff.h"
#include "system/kernel_samples.h"

#include <assert.h>
#include <string.h>

/* ---- terms ------------------------------------------------------------------------- */

static bool add_shift(lv_maps *maps, double factor, int p)
{
    const lv_map_term term = {factor, p, 0};
    return factor == 0 || LV_PUSH(maps->shifts, term);
}

static bool add_turn(lv_maps *maps, double factor, int p, int q)
{
    const lv_map_term term = {factor, p, q};
    return factor == 0 || LV_PUSH(maps->turns, term);
}

static void end_map(lv_maps *maps)
{
    maps->end[maps->count].shifts = maps->shifts.count;
    maps->end[maps->count].turns = maps->turns.count;
    maps->count++;
}

/* ---- declared symmetries ----------------------------------------------------------- */

/* A generator: its rows at q = 0, then the derivatives of each row by the local
 * coordinates. */
typedef struct generator {
    lv_maps *maps;
    lv_graph *graph;
    const lv_kernel *kernel;
    int rows, local;
    lv_node *nodes;
} generator;

/* Generators with more derivatives than this are left to the plan. */
enum { MOST_DERIVATIVES = 10000 };

/* Differentiates the rows. They are affine in q if b and A depend on parameters and
 * instance numbers only. */
static lv_status differentiate(generator *g, bool *affine, lv_error *err)
{
    const lv_kinds fixed = LV_KIND(P) | LV_KIND(I);
    const lv_node *rows = g->kernel->rows;
    lv_node *local = g->nodes + (size_t)g->rows * (size_t)(1 + g->local);
    lv_kinds kinds = 0;
    for (int k = 0; k < g->local; k++)
        local[k] = lv_graph_input(g->graph, LV_INPUT_Q, k);
    for (int r = 0; r < g->rows; r++)
        g->nodes[r] = lv_analyse_at_zero(g->graph, rows[r], LV_KIND(Q));
    LV_TRY(lv_graph_check(g->graph, err));
    lv_diff_jacobian(g->graph, g->nodes + g->rows, rows, g->rows, local, g->local);
    LV_TRY(lv_graph_check(g->graph, err));
    LV_TRY(lv_analyse_reach(g->graph, &kinds, g->nodes, g->rows * (1 + g->local), err));
    *affine = (kinds & ~fixed) == 0;
    g->maps->of_numbers = g->maps->of_numbers || (kinds & fixed) != 0;
    return LV_OK;
}

/* The number of a local coordinate in the model. */
static int global_of(const lv_kernel *k, int instance, int local)
{
    int s = 0;
    while (local >= k->slots[s].first + k->slots[s].length)
        s++;
    return k->where[(size_t)instance * (size_t)k->slot_count + (size_t)s] + local -
           k->slots[s].first;
}

static lv_status visit(void *user, const lv_kernel *kernel, int instance,
                       const double *values, lv_error *err)
{
    const generator *g = user;
    bool ok = true;
    for (int r = 0; ok && r < g->rows; r++) {
        const double *gradient = values + g->rows + (ptrdiff_t)r * g->local;
        const int target = lv_graph_node(g->graph, kernel->targets[r])->b;
        const int p = global_of(kernel, instance, target);
        ok = add_shift(g->maps, values[r], p);
        for (int k = 0; ok && k < g->local; k++)
            ok = gradient[k] == 0 ||
                 add_turn(g->maps, gradient[k], p, global_of(kernel, instance, k));
    }
    return ok ? LV_OK : lv_fail_memory(err);
}

/* Evaluates b and A. If a number is not finite the map is left to the plan, which
 * evaluates it at a node. */
static lv_status evaluate(generator *g, const lv_model *m, bool *affine, lv_error *err)
{
    lv_kernel_samples samples = {0};
    lv_status status = lv_kernel_samples_init(&samples, m, g->kernel, g->graph, g->nodes,
                                              g->rows * (1 + g->local), err);
    if (status == LV_OK)
        status =
            lv_kernel_samples_run(&samples, m->start_q, m->start_v, 0, visit, g, err);
    lv_kernel_samples_done(&samples);
    if (status != LV_ERR_DOMAIN)
        return status;
    lv_error_clear(err);
    *affine = false;
    return LV_OK;
}

static lv_status add_declared(lv_maps *maps, const lv_model *m, const lv_kernel *kernel,
                              bool *affine, lv_error *err)
{
    generator g = {.maps = maps,
                   .kernel = kernel,
                   .rows = kernel->row_count,
                   .local = kernel->layout.size[LV_INPUT_Q]};
    const size_t size = (size_t)g.rows * (size_t)(1 + g.local) + (size_t)g.local;
    *affine = size <= MOST_DERIVATIVES;
    if (!*affine)
        return LV_OK;
    g.graph = lv_graph_copy(kernel->graph);
    g.nodes = lv_memory_zeroed(size + 1, sizeof *g.nodes);
    lv_status status =
        g.graph && g.nodes ? differentiate(&g, affine, err) : lv_fail_memory(err);
    if (status == LV_OK && *affine)
        status = evaluate(&g, m, affine, err);
    lv_graph_free(g.graph);
    lv_memory_free(g.nodes);
    return status;
}

static void forget_all(lv_maps *maps)
{
    maps->shifts.count = maps->turns.count = maps->count = 0;
}

static lv_status add_all_declared(lv_maps *maps, const lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->kernels.count; k++) {
        bool affine = true;
        if (m->kernels.data[k].role != LV_ROLE_SYMMETRY)
            continue;
        LV_TRY(add_declared(maps, m, &m->kernels.data[k], &affine, err));
        if (!affine) {
            forget_all(maps);
            return LV_OK;
        }
        end_map(maps);
    }
    return LV_OK;
}

/* ---- found symmetries -------------------------------------------------------------- */

static bool add_vector(lv_maps *maps, const lv_symmetry *s, int i)
{
    if (s->b < 0)
        return add_shift(maps, 1, i + s->a);
    return add_turn(maps, 1, i + s->b, i + s->a) &&
           add_turn(maps, -1, i + s->a, i + s->b);
}

static bool add_found(lv_maps *maps, const lv_symmetry *s, const lv_model *m)
{
    bool ok = true;
    if (s->group >= 0)
        return add_shift(maps, 1, m->groups.data[s->group].first);
    for (int k = 0; ok && k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const lv_moves how = lv_symmetry_moves(s, group);
        const int width = lv_group_width(group),
                  end = group->first + group->count * width;
        for (int i = group->first; ok && how != LV_MOVES_NOT && i < end; i += width)
            ok = how == LV_MOVES_SHIFT ? add_shift(maps, 1, i) : add_vector(maps, s, i);
    }
    return ok;
}

lv_status lv_maps_init(lv_maps *maps, const lv_model *m, const lv_symmetries *found,
                       lv_error *err)
{
    size_t most = (size_t)found->count + 1;
    *maps = (lv_maps){0};
    for (int k = 0; k < m->kernels.count; k++)
        most += m->kernels.data[k].role == LV_ROLE_SYMMETRY;
    maps->end = lv_memory_zeroed(most, sizeof *maps->end);
    if (!maps->end)
        return lv_fail_memory(err);
    LV_TRY(add_all_declared(maps, m, err));
    for (int k = 0; k < found->count; k++) {
        if (!add_found(maps, &found->list[k], m))
            return lv_fail_memory(err);
        end_map(maps);
    }
    return LV_OK;
}

void lv_maps_done(lv_maps *maps)
{
    LV_ARRAY_FREE(maps->shifts);
    LV_ARRAY_FREE(maps->turns);
    lv_memory_free(maps->end);
    *maps = (lv_maps){0};
}

static bool are_same(const lv_map_terms *a, const lv_map_terms *b)
{
    bool same = a->count == b->count;
    for (int k = 0; same && k < a->count; k++)
        same = a->data[k].p == b->data[k].p && a->data[k].q == b->data[k].q &&
               memcmp(&a->data[k].factor, &b->data[k].factor, sizeof(double)) == 0;
    return same;
}

bool lv_maps_agree(const lv_maps *maps, const lv_model *m, const lv_symmetries *found)
{
    lv_maps now;
    if (!maps->of_numbers)
        return true;
    const bool same = lv_maps_init(&now, m, found, NULL) == LV_OK &&
                      now.count == maps->count && are_same(&now.shifts, &maps->shifts) &&
                      are_same(&now.turns, &maps->turns);
    lv_maps_done(&now);
    return same;
}

/* ---- evaluation -------------------------------------------------------------------- */

/* Four independent partial sums, which the processor can add at the same time. */
static double sum_shifts(const lv_map_term *terms, int count, const double *p)
{
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= count; k += 4)
        for (int l = 0; l < 4; l++)
            sum[l] += terms[k + l].factor * p[terms[k + l].p];
    for (; k < count; k++)
        sum[0] += terms[k].factor * p[terms[k].p];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double sum_turns(const lv_map_term *terms, int count, const double *q,
                        const double *p)
{
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= count; k += 4)
        for (int l = 0; l < 4; l++)
            sum[l] += terms[k + l].factor * (p[terms[k + l].p] * q[terms[k + l].q]);
    for (; k < count; k++)
        sum[0] += terms[k].factor * (p[terms[k].p] * q[terms[k].q]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void lv_maps_evaluate(const lv_maps *maps, double *values, const double *q,
                      const double *p)
{
    int i = 0, j = 0;
    for (int k = 0; k < maps->count; k++) {
        const int shifts = maps->end[k].shifts, turns = maps->end[k].turns;
        values[k] = shifts > i ? sum_shifts(maps->shifts.data + i, shifts - i, p) : 0;
        if (turns > j)
            values[k] += sum_turns(maps->turns.data + j, turns - j, q, p);
        i = shifts;
        j = turns;
    }
}
