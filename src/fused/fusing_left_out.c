/* Checks whether the constraints that a program leaves out, since they depend on others,
 * hold at the end of the step:
 *
 *     |g| <= e |q| sum |G|,  |G v + g_t| <= e (|v| + sqrt(|a| |q|)) sum |G|,
 *     e = LV_RESIDUAL_LIMIT LV_ENDING_ROUNDING,
 *
 * as course/ending.c does for steps of the course. |q|, |v| and |a| are the largest
 * coordinate, velocity, and change of a velocity per time. */
#include "course/ending.h"
#include "fused/fusing_private.h"
#include "fused/node_measure.h"
#include "num/sparse.h"
#include "system/agreement.h"

typedef struct check {
    lv_fusing *f;
    const lv_pattern *pattern;
    const lv_node *gradients;
    /* largest excess of a residual over its limit; LV_NODE_NONE: none so far */
    lv_node excess;
} check;

/* The sum of |G| over a row. */
static lv_node gradient_size(const check *x, int row)
{
    lv_graph *g = x->f->graph;
    lv_node sum = lv_graph_const(g, 0);
    for (int e = x->pattern->start[row]; e < x->pattern->start[row + 1]; e++) {
        const lv_node size =
            lv_graph_op(g, LV_OP_ABS, x->gradients[e], LV_NODE_NONE, LV_NODE_NONE);
        sum = lv_graph_add(g, sum, size);
    }
    return sum;
}

/* Compares the residuals of rows that are left out, of constraints or of their rates,
 * with their limits. size: that of positions or of velocities. */
static void compare(check *x, const lv_node *residuals, lv_node size)
{
    lv_graph *g = x->f->graph;
    const lv_node *taken = nodes_of(x->f, x->f->left_out->taken);
    const lv_node part = lv_graph_const(g, LV_RESIDUAL_LIMIT * LV_ENDING_ROUNDING),
                  whole = lv_graph_mul(g, part, size), one = lv_graph_const(g, 1);
    for (int r = 0; r < x->pattern->rows; r++) {
        const lv_node limit = lv_graph_mul(g, whole, gradient_size(x, r)),
                      found = lv_graph_op(g, LV_OP_ABS, residuals[r], LV_NODE_NONE,
                                          LV_NODE_NONE),
                      counts = lv_graph_sub(g, one, taken[r]),
                      counted = lv_graph_mul(g, counts, found),
                      excess = lv_graph_sub(g, counted, limit);
        x->excess =
            x->excess == LV_NODE_NONE ? excess : lv_node_larger(g, x->excess, excess);
    }
}

/* rates = G v + g_t; on entry the array contains g_t. */
static void add_motion(const check *x, lv_node *rates, const lv_node *v)
{
    lv_graph *g = x->f->graph;
    for (int r = 0; r < x->pattern->rows; r++)
        for (int e = x->pattern->start[r]; e < x->pattern->start[r + 1]; e++) {
            const lv_node term =
                lv_graph_mul(g, x->gradients[e], v[x->pattern->column[e]]);
            rates[r] = lv_graph_add(g, rates[r], term);
        }
}

/* |v| + sqrt(|a| |q|) */
static lv_node speed(lv_fusing *f, const lv_node *v, lv_node extent)
{
    lv_graph *g = f->graph;
    const lv_node *before = value_of(f, lv_form_find(&f->c->form, "v", 0));
    lv_node change = lv_graph_const(g, 0);
    for (int i = 0; before && i < f->c->system->n; i++) {
        const lv_node one = lv_graph_sub(g, v[i], before[i]),
                      size = lv_graph_op(g, LV_OP_ABS, one, LV_NODE_NONE, LV_NODE_NONE);
        change = i > 0 ? lv_node_larger(g, change, size) : size;
    }
    const lv_node step = lv_graph_op(g, LV_OP_ABS, f->h, LV_NODE_NONE, LV_NODE_NONE),
                  rate = lv_graph_div(g, change, step),
                  square = lv_graph_mul(g, rate, extent),
                  more = lv_graph_op(g, LV_OP_SQRT, square, LV_NODE_NONE, LV_NODE_NONE);
    return lv_graph_add(g, lv_node_extent(g, v, f->c->system->n), more);
}

static void compare_all(lv_fusing *f, const lv_plan *plan, lv_node *const *result)
{
    const lv_node *q = nodes_of(f, f->left_out->q),
                  *v = f->left_out->v ? nodes_of(f, f->left_out->v) : NULL;
    const lv_node later = weight(f, 1, 1);
    const lv_point_nodes end = {.q = q, .v = v, .t = lv_graph_add(f->graph, f->t, later)};
    check x = {.f = f,
               .pattern = lv_plan_pattern(plan, LV_Q_JACOBIAN),
               .gradients = result[LV_Q_JACOBIAN],
               .excess = LV_NODE_NONE};
    if (!is_broken(f))
        lv_fusing_unfold(f, plan, &end, result);
    if (is_broken(f))
        return;
    const lv_node extent = lv_node_extent(f->graph, q, f->c->system->n);
    compare(&x, result[LV_Q_CONSTRAINT], extent);
    if (v) {
        add_motion(&x, result[LV_Q_CONSTRAINT_T], v);
        compare(&x, result[LV_Q_CONSTRAINT_T], speed(f, v, extent));
    }
    f->left_over = x.excess;
}

static lv_node *make_room(lv_fusing *f, int count)
{
    lv_node *nodes = lv_arena_alloc(&f->arena, (size_t)count + 1, sizeof *nodes);
    f->failed = f->failed || !nodes;
    return nodes;
}

void lv_fusing_check_left_out(lv_fusing *f)
{
    const int m = f->c->system->m;
    lv_node *result[LV_QUANTITIES] = {NULL};
    lv_plan *plan = NULL;
    if (!f->left_out->taken || is_broken(f))
        return;
    const lv_status status = lv_plan_create(
        &plan, f->c->system->model,
        LV_WANT(CONSTRAINT) | LV_WANT(CONSTRAINT_T) | LV_WANT(JACOBIAN), f->err);
    f->failed = status == LV_ERR_MEMORY;
    f->unsupported = status != LV_OK;
    if (status == LV_OK) {
        result[LV_Q_CONSTRAINT] = make_room(f, m);
        result[LV_Q_CONSTRAINT_T] = make_room(f, m);
        result[LV_Q_JACOBIAN] =
            make_room(f, lv_pattern_entries(lv_plan_pattern(plan, LV_Q_JACOBIAN)));
    }
    if (!is_broken(f))
        compare_all(f, plan, result);
    lv_plan_free(plan);
}
