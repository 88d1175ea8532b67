/* Discrete gradients of the hidden constraint G v + g_t (theory 6.4), along (q0, v0) ->
 * (q1, v1).
 *
 * Positions and velocities are discretised together, in the space of the nodes that are
 * at most quadratic in both. For a function of distances these are distances and their
 * rates, which are invariant under rotation and translation of the whole, so that momenta
 * are kept. The rates are linear in the velocities. Hence their discrete gradients in v
 * do not contain velocities, and have no derivative in v1. */
#include "expr/diff.h"
#include "expr/discrete.h"
#include "plan/plan_private.h"

/* Input nodes, coordinates then velocities: at the end of the pair, at its start and
 * between. */
typedef struct pair_of_states {
    lv_graph *g;
    int local;
    lv_node *end, *start, *middle;
    /* Discrete gradient of one rate, by coordinates and by velocities */
    lv_node *gradient;
} pair_of_states;

/* How a quantity is made of the discrete gradients in q or in v: it is these themselves,
 * or the derivative in q1 or v1 of their sum times y. */
typedef struct demand {
    lv_quantity quantity;
    lv_input in;
    bool differentiated;
    lv_input by;
} demand;

static const demand demands[] = {
    {LV_Q_PAIR_RATE_Q, LV_INPUT_Q, false, LV_INPUT_Q},
    {LV_Q_PAIR_RATE_V, LV_INPUT_V, false, LV_INPUT_Q},
    {LV_Q_PAIR_RATE_QQ, LV_INPUT_Q, true, LV_INPUT_Q},
    {LV_Q_PAIR_RATE_QV, LV_INPUT_Q, true, LV_INPUT_V},
    {LV_Q_PAIR_RATE_VQ, LV_INPUT_V, true, LV_INPUT_Q},
};

static const demand *demand_of(lv_quantity quantity)
{
    for (size_t k = 0; k < sizeof demands / sizeof *demands; k++)
        if (demands[k].quantity == quantity)
            return &demands[k];
    return NULL;
}

static void name_inputs(const pair_of_states *p)
{
    for (int k = 0; k < p->local; k++) {
        p->end[k] = lv_graph_input(p->g, LV_INPUT_Q, k);
        p->end[p->local + k] = lv_graph_input(p->g, LV_INPUT_V, k);
        p->start[k] = lv_graph_input(p->g, LV_INPUT_W, k);
        p->start[p->local + k] = lv_graph_input(p->g, LV_INPUT_W, p->local + k);
    }
    lv_discrete_middle(p->g, p->middle, p->start, p->end, 2 * p->local);
}

/* The half of `both` (inputs, or components of the gradient) that belongs to a kind of
 * input. */
static lv_node *half(const pair_of_states *p, lv_node *both, lv_input kind)
{
    return kind == LV_INPUT_V ? both + p->local : both;
}

static lv_status find_gradient(const pair_of_states *p, lv_node rate, lv_error *err)
{
    const lv_way way = {2 * p->local, p->end, p->start, p->end, p->middle};
    return lv_discrete_gradient(p->g, p->gradient, rate, &way, 2 * p->local, err);
}

static lv_status put_row(lv_contribution_list *list, const pair_of_states *p,
                         const lv_node *nodes, lv_quantity quantity, int row,
                         lv_error *err)
{
    for (int k = 0; k < p->local; k++) {
        lv_contribution c = {nodes[k], quantity, row, k};
        if (!lv_graph_is_const(p->g, c.node, 0) && !LV_PUSH(*list, c))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status put_gradients(lv_contribution_list *list, const pair_of_states *p,
                               const demand *d, const lv_node *rates, int m,
                               lv_error *err)
{
    for (int r = 0; r < m; r++) {
        LV_TRY(find_gradient(p, rates[r], err));
        LV_TRY(put_row(list, p, half(p, p->gradient, d->in), d->quantity, r, err));
    }
    return LV_OK;
}

/* Adds the discrete gradients times their multipliers. This is not the discrete gradient
 * of the sum: multipliers are not discretised. */
static lv_status add_gradients(const pair_of_states *p, const demand *d,
                               const lv_node *rates, int m, lv_node *sum, lv_error *err)
{
    for (int k = 0; k < p->local; k++)
        sum[k] = lv_graph_const(p->g, 0);
    for (int r = 0; r < m; r++) {
        LV_TRY(find_gradient(p, rates[r], err));
        lv_node y = lv_graph_input(p->g, LV_INPUT_Y, r);
        for (int k = 0; k < p->local; k++) {
            lv_node product = lv_graph_mul(p->g, y, half(p, p->gradient, d->in)[k]);
            sum[k] = lv_graph_add(p->g, sum[k], product);
        }
    }
    return lv_graph_check(p->g, err);
}

static lv_status put_derivative(lv_contribution_list *list, const pair_of_states *p,
                                const demand *d, const lv_node *rates, int m,
                                lv_arena *scratch, lv_error *err)
{
    const size_t n = (size_t)p->local;
    lv_node *sum = lv_arena_alloc(scratch, (1 + n) * n + 1, sizeof *sum);
    if (!sum)
        return lv_fail_memory(err);
    lv_node *matrix = sum + n;
    LV_TRY(add_gradients(p, d, rates, m, sum, err));
    lv_diff_jacobian(p->g, matrix, sum, p->local, half(p, p->end, d->by), p->local);
    LV_TRY(lv_graph_check(p->g, err));
    for (int r = 0; r < p->local; r++)
        LV_TRY(put_row(list, p, matrix + (size_t)r * n, d->quantity, r, err));
    return LV_OK;
}

static lv_status derive(lv_contribution_list *list, lv_graph *g, const lv_kernel *kernel,
                        const demand *d, lv_arena *scratch, lv_error *err)
{
    const int local = kernel->layout.size[LV_INPUT_Q], m = kernel->row_count;
    const size_t both = 2 * (size_t)local;
    lv_node *nodes = lv_arena_alloc(scratch, 4 * both + (size_t)m + 1, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(err);
    const pair_of_states p = {
        g, local, nodes, nodes + both, nodes + 2 * both, nodes + 3 * both};
    lv_node *rates = nodes + 4 * both;
    name_inputs(&p);
    lv_diff_time(g, rates, kernel->rows, m);
    LV_TRY(lv_graph_check(g, err));
    return d->differentiated ? put_derivative(list, &p, d, rates, m, scratch, err)
                             : put_gradients(list, &p, d, rates, m, err);
}

lv_status lv_plan_hidden(lv_contribution_list *list, lv_graph *g, const lv_kernel *kernel,
                         lv_quantity quantity, lv_error *err)
{
    lv_arena scratch = {0};
    const demand *d = demand_of(quantity);
    if (!d)
        return LV_OK;
    lv_status status = derive(list, g, kernel, d, &scratch, err);
    lv_arena_done(&scratch);
    return status;
}
