/* Discrete gradients of the hidden constraint G v + g_t (theory 6.4), along (q0, v0) -> (q1, v1).
 *
 * Positions and velocities are discretised together, in the space of the nodes that are at most
 * quadratic in both: for a function of distances these are distances and their rates, which turn
 * and shift with the whole, so that momenta are kept. */
#include "expr/diff.h"
#include "expr/discrete.h"
#include "system/plan_private.h"

/* The inputs: coordinates, then velocities; at the end of the pair, at its start and between. */
typedef struct pair_of_states {
    int local;
    lv_node *end, *start, *middle;
} pair_of_states;

static void name_inputs(lv_graph *g, const pair_of_states *p)
{
    for (int k = 0; k < p->local; k++) {
        p->end[k] = lv_graph_input(g, LV_INPUT_Q, k);
        p->end[p->local + k] = lv_graph_input(g, LV_INPUT_V, k);
        p->start[k] = lv_graph_input(g, LV_INPUT_W, k);
        p->start[p->local + k] = lv_graph_input(g, LV_INPUT_W, p->local + k);
    }
    lv_discrete_middle(g, p->middle, p->start, p->end, 2 * p->local);
}

/* The discrete gradients of one rate, by q or by v. */
static lv_status put_row(lv_contribution_list *list, lv_graph *g, lv_quantity quantity,
                         int row, const pair_of_states *p, lv_node rate, lv_node *room,
                         lv_error *err)
{
    const int first = quantity == LV_Q_PAIR_RATE_V ? p->local : 0;
    const lv_way way = {2 * p->local, p->end, p->start, p->end, p->middle};
    LV_TRY(lv_discrete_gradient(g, room, rate, &way, 2 * p->local, err));
    for (int k = 0; k < p->local; k++) {
        lv_contribution c = {room[first + k], quantity, row, k};
        if (!lv_graph_is_const(g, c.node, 0) && !LV_PUSH(*list, c))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

lv_status lv_plan_hidden(lv_contribution_list *list, lv_graph *g, const lv_kernel *kernel,
                         lv_quantity quantity, lv_error *err)
{
    lv_arena scratch = {0};
    const int local = kernel->layout.size[LV_INPUT_Q], m = kernel->row_count;
    const size_t both = 2 * (size_t)local;
    if (quantity != LV_Q_PAIR_RATE_Q && quantity != LV_Q_PAIR_RATE_V)
        return LV_OK;
    lv_node *nodes = lv_arena_alloc(&scratch, 4 * both + (size_t)m + 1, sizeof *nodes);
    lv_status status = nodes ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK) {
        const pair_of_states p = {local, nodes, nodes + both, nodes + 2 * both};
        lv_node *room = nodes + 3 * both, *rates = nodes + 4 * both;
        name_inputs(g, &p);
        lv_diff_time(g, rates, kernel->rows, m);
        status = lv_graph_check(g, err);
        for (int r = 0; r < m && status == LV_OK; r++)
            status = put_row(list, g, quantity, r, &p, rates[r], room, err);
    }
    lv_arena_done(&scratch);
    return status;
}
