/* Chooses the form in which a linear system of formulas is solved. */
#include "fused/node_solve.h"

#include "expr/analyse.h"

#include <limits.h>

/* The number of operations that a solution takes beyond those of its system. */
static lv_status count_operations(const lv_node_system *s, int nodes, int *count,
                                  lv_error *err)
{
    lv_arena scratch = {0};
    const int all = lv_graph_count(s->graph);
    bool *needed = lv_arena_alloc(&scratch, (size_t)all + 1, sizeof *needed);
    lv_kinds *kinds = lv_arena_alloc(&scratch, (size_t)all + 1, sizeof *kinds);
    const lv_status status = needed && kinds ? LV_OK : lv_fail_memory(err);
    *count = 0;
    if (status == LV_OK) {
        lv_analyse_kinds(s->graph, kinds);
        for (int k = 0; k < s->n; k++)
            needed[s->b[k]] = true;
        for (lv_node i = all - 1; i >= nodes; i--) {
            const lv_node_data *d = lv_graph_node(s->graph, i);
            const int arity = needed[i] ? lv_op_arity(d->op) : 0;
            const lv_node operand[3] = {d->a, d->b, d->c};
            for (int k = 0; k < arity; k++)
                needed[operand[k]] = true;
            *count += arity > 0 && (kinds[i] & ~(LV_KIND(P) | LV_KIND(I))) != 0;
        }
    }
    lv_arena_done(&scratch);
    return status;
}

/* How many operations a form of a system takes, which is solved in a copy of the graph,
 * without a sample: the choice of the form depends on formulas alone. *count is INT_MAX
 * if the form adds no unknowns, or if its system is singular. */
static lv_status try_form(const lv_node_system *s, lv_node_form form, int *count,
                          lv_error *err)
{
    lv_arena scratch = {0};
    lv_node_orders orders = {0};
    lv_node_system x = *s;
    int more = 0;
    x.graph = lv_graph_copy(s->graph);
    x.orders = &orders;
    x.sample = NULL;
    x.a = lv_arena_copy(&scratch, s->a, (size_t)s->n * (size_t)s->n, sizeof *s->a);
    x.b = lv_arena_copy(&scratch, s->b, (size_t)s->n, sizeof *s->b);
    lv_status status = x.graph && x.a && x.b ? lv_node_solve_as(&x, form, &more, err)
                                             : lv_fail_memory(err);
    *count = INT_MAX;
    if (status == LV_OK && (more > 0 || form == LV_NODE_PLAIN))
        status = count_operations(&x, lv_graph_count(s->graph), count, err);
    lv_node_orders_done(&orders);
    lv_graph_free(x.graph);
    lv_arena_done(&scratch);
    return status == LV_ERR_MEMORY ? status : LV_OK;
}

/* Solves a system in the form that takes the fewest operations. Forms with more unknowns
 * round more often, so they must save a tenth. Matrices that are kept leave out what other
 * forms would save. */
lv_status lv_node_solve(lv_node_system *s, lv_error *err)
{
    int count[LV_NODE_FORMS] = {INT_MAX, INT_MAX, INT_MAX}, more;
    lv_node_form best = LV_NODE_PLAIN;
    if (!s->rank || s->keep)
        return lv_node_solve_as(s, best, &more, err);
    LV_TRY(try_form(s, LV_NODE_PAIRS, &count[LV_NODE_PAIRS], err));
    if (count[LV_NODE_PAIRS] < INT_MAX) {
        LV_TRY(try_form(s, LV_NODE_TERMS, &count[LV_NODE_TERMS], err));
        LV_TRY(try_form(s, LV_NODE_PLAIN, &count[LV_NODE_PLAIN], err));
    }
    double least = 0.9 * count[LV_NODE_PLAIN];
    for (int form = LV_NODE_TERMS; form < LV_NODE_FORMS; form++)
        if (count[form] <= least) {
            best = (lv_node_form)form;
            least = count[form];
        }
    return lv_node_solve_as(s, best, &more, err);
}
