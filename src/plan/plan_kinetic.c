/* Discrete gradients of the kinetic energy (theory 5.6), along (q0, v0) -> (q1, v1).
 *
 * Positions and velocities are discretised together: q . v is an invariant of rotations
 * as q . q and v . v are, so that a mass matrix that turns with the system does not
 * disturb its angular momentum. */
#include "expr/diff.h"
#include "expr/discrete.h"
#include "plan/plan_private.h"

/* Nodes for coordinates, then velocities: the inputs, their values at the start, at the
 * end and between; D1 T, then D2 T. The mean velocity is an input, so that for a
 * quadratic T the discrete gradient D2 T is the gradient there, to the last bit. */
typedef struct motion {
    lv_graph *g;
    int local;
    lv_node *at, *before, *after, *middle, *gradient;
    lv_node *matrix; /* local x local */
} motion;

static void name_inputs(const motion *m)
{
    lv_graph *g = m->g;
    const int n = m->local;
    for (int k = 0; k < n; k++) {
        m->at[k] = m->after[k] = lv_graph_input(g, LV_INPUT_Q, k);
        m->at[n + k] = m->middle[n + k] = lv_graph_input(g, LV_INPUT_V, k);
        m->before[k] = lv_graph_input(g, LV_INPUT_W, k);
        m->before[n + k] = lv_graph_input(g, LV_INPUT_W, n + k);
        lv_node two = lv_graph_const(g, 2);
        lv_node twice = lv_graph_mul(g, two, m->middle[n + k]);
        m->after[n + k] = lv_graph_sub(g, twice, m->before[n + k]);
    }
    lv_discrete_middle(g, m->middle, m->before, m->after, n);
}

static lv_status push(lv_contribution_list *list, const lv_graph *g, lv_contribution c,
                      lv_error *err)
{
    if (!lv_graph_is_const(g, c.node, 0) && !LV_PUSH(*list, c))
        return lv_fail_memory(err);
    return LV_OK;
}

/* 2 D2 T */
static void double_momentum(const motion *m)
{
    lv_node two = lv_graph_const(m->g, 2);
    for (int k = m->local; k < 2 * m->local; k++)
        m->gradient[k] = lv_graph_mul(m->g, two, m->gradient[k]);
}

static lv_status put_vector(const motion *m, lv_contribution_list *list,
                            const lv_node *nodes, lv_quantity quantity, lv_error *err)
{
    for (int k = 0; k < m->local; k++)
        LV_TRY(push(list, m->g, (lv_contribution){nodes[k], quantity, k, 0}, err));
    return LV_OK;
}

/* The derivatives of the nodes in q1, or in the mean velocity. */
static lv_status put_jacobian(const motion *m, lv_contribution_list *list,
                              const lv_node *nodes, const lv_node *by,
                              lv_quantity quantity, lv_error *err)
{
    const int n = m->local;
    lv_diff_jacobian(m->g, m->matrix, nodes, n, by, n);
    LV_TRY(lv_graph_check(m->g, err));
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            lv_contribution entry = {m->matrix[r * n + c], quantity, r, c};
            LV_TRY(push(list, m->g, entry, err));
        }
    return LV_OK;
}

static lv_status put(const motion *m, lv_contribution_list *list, lv_quantity quantity,
                     lv_error *err)
{
    const lv_node *kinetic = m->gradient, *momentum = m->gradient + m->local;
    const lv_node *q = m->at, *v = m->at + m->local;
    switch ((int)quantity) {
    case LV_Q_PAIR_MOMENTUM:
        return put_vector(m, list, momentum, quantity, err);
    case LV_Q_PAIR_MOMENTUM_Q:
        return put_jacobian(m, list, momentum, q, quantity, err);
    case LV_Q_PAIR_MOMENTUM_V:
        return put_jacobian(m, list, momentum, v, quantity, err);
    case LV_Q_PAIR_KINETIC:
        return put_vector(m, list, kinetic, quantity, err);
    case LV_Q_PAIR_KINETIC_Q:
        return put_jacobian(m, list, kinetic, q, quantity, err);
    case LV_Q_PAIR_KINETIC_V:
        return put_jacobian(m, list, kinetic, v, quantity, err);
    default:
        return LV_OK;
    }
}

static lv_status derive(const motion *m, lv_contribution_list *list, lv_node kinetic,
                        lv_quantity quantity, lv_error *err)
{
    const int n = m->local;
    const lv_way way = {2 * n, m->at, m->before, m->after, m->middle};
    name_inputs(m);
    LV_TRY(lv_graph_check(m->g, err));
    LV_TRY(lv_discrete_gradient(m->g, m->gradient, kinetic, &way, 2 * n, err));
    double_momentum(m);
    LV_TRY(lv_graph_check(m->g, err));
    return put(m, list, quantity, err);
}

lv_status lv_plan_kinetic(lv_contribution_list *list, lv_graph *g, lv_node kinetic,
                          int local, lv_quantity quantity, lv_error *err)
{
    lv_arena scratch = {0};
    const size_t n = (size_t)local;
    lv_node *room = lv_arena_alloc(&scratch, (10 + n) * n + 1, sizeof *room);
    lv_status status = room ? LV_OK : lv_fail_memory(err);
    const motion m = {g,
                      local,
                      room,
                      room + 2 * n,
                      room + 4 * n,
                      room + 6 * n,
                      room + 8 * n,
                      room + 10 * n};
    if (status == LV_OK)
        status = derive(&m, list, kinetic, quantity, err);
    lv_arena_done(&scratch);
    return status;
}
