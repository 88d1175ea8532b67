/* The power of a kernel: what it adds to the rate of the energy E = v . L_v - L along the
 * motion (theory 1.6),
 *
 *   dE/dt = f . v - L_t - mu . g_t + lambda . (Phi_v v - Phi),
 *
 * mu and lambda being the multipliers. Constraints that do not depend on time, and
 * nonholonomic ones that are linear in the velocities, contribute nothing. Of an affine
 * one, A v + b, Phi_v v - Phi is -b. */
#include "expr/diff.h"
#include "plan/plan_private.h"

static lv_node force_power(lv_graph *g, const lv_kernel *kernel)
{
    lv_node sum = lv_graph_const(g, 0);
    for (int r = 0; r < kernel->row_count; r++) {
        int local = lv_graph_node(g, kernel->targets[r])->b;
        lv_node v = lv_graph_input(g, LV_INPUT_V, local);
        lv_node product = lv_graph_mul(g, kernel->rows[r], v);
        sum = lv_graph_add(g, sum, product);
    }
    return sum;
}

/* sum_r y_r rates[r] */
static lv_node reaction_power(lv_graph *g, const lv_kernel *kernel, const lv_node *rates)
{
    lv_node sum = lv_graph_const(g, 0);
    for (int r = 0; r < kernel->row_count; r++) {
        lv_node y = lv_graph_input(g, LV_INPUT_Y, r);
        lv_node product = lv_graph_mul(g, y, rates[r]);
        sum = lv_graph_add(g, sum, product);
    }
    return sum;
}

/* Minus the partial derivative of the rows by time. */
static void time_losses(lv_graph *g, const lv_kernel *kernel, lv_node *losses)
{
    lv_node t = lv_graph_input(g, LV_INPUT_T, 0), minus = lv_graph_const(g, -1);
    lv_diff_forward(g, losses, kernel->rows, kernel->row_count, &t, &minus, 1);
}

/* Phi_v v - Phi */
static lv_status affine_parts(lv_graph *g, const lv_kernel *kernel, lv_node *parts,
                              lv_arena *scratch, lv_error *err)
{
    const int n = kernel->layout.size[LV_INPUT_V], m = kernel->row_count;
    const size_t nodes = (size_t)lv_graph_count(g);
    unsigned char *degrees = lv_arena_alloc(scratch, nodes, sizeof *degrees);
    lv_node *v = lv_arena_alloc(scratch, (size_t)n + 1, sizeof *v);
    if (!degrees || !v)
        return lv_fail_memory(err);
    lv_analyse_degrees(g, degrees, LV_KIND(V));
    for (int k = 0; k < n; k++)
        v[k] = lv_graph_input(g, LV_INPUT_V, k);
    for (int r = 0; r < m; r++) {
        const lv_node row = kernel->rows[r];
        lv_node rest;
        if (degrees[row] <= 1) {
            rest = lv_analyse_at_zero(g, row, LV_KIND(V));
        } else {
            lv_diff_forward(g, &parts[r], &row, 1, v, v, n);
            rest = lv_graph_sub(g, row, parts[r]);
        }
        parts[r] = lv_graph_neg(g, rest);
    }
    return lv_graph_check(g, err);
}

static lv_status power_of(lv_graph *g, const lv_kernel *kernel, lv_node *power,
                          lv_arena *scratch, lv_error *err)
{
    lv_node *rates =
        lv_arena_alloc(scratch, (size_t)kernel->row_count + 1, sizeof *rates);
    if (!rates)
        return lv_fail_memory(err);
    *power = lv_graph_const(g, 0);
    switch ((int)kernel->role) {
    case LV_ROLE_FORCE:
        *power = force_power(g, kernel);
        break;
    case LV_ROLE_KINETIC:
    case LV_ROLE_LAGRANGIAN:
        time_losses(g, kernel, power);
        break;
    case LV_ROLE_POTENTIAL:
        time_losses(g, kernel, rates);
        *power = lv_graph_neg(g, rates[0]);
        break;
    case LV_ROLE_HOLONOMIC:
        time_losses(g, kernel, rates);
        *power = reaction_power(g, kernel, rates);
        break;
    case LV_ROLE_NONHOLONOMIC:
        LV_TRY(affine_parts(g, kernel, rates, scratch, err));
        *power = reaction_power(g, kernel, rates);
        break;
    default:
        break;
    }
    return lv_graph_check(g, err);
}

lv_status lv_plan_power(lv_contribution_list *list, lv_graph *g, const lv_kernel *kernel,
                        lv_quantity quantity, lv_error *err)
{
    lv_arena scratch = {0};
    lv_contribution c = {.quantity = quantity};
    if (quantity != LV_Q_POWER)
        return LV_OK;
    lv_status status = power_of(g, kernel, &c.node, &scratch, err);
    lv_arena_done(&scratch);
    LV_TRY(status);
    if (lv_graph_is_const(g, c.node, 0))
        return LV_OK;
    return LV_PUSH(*list, c) ? LV_OK : lv_fail_memory(err);
}
