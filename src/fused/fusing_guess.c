/* Initial guesses of a program, and the sizes of its corrections. */
#include "course/solver.h"
#include "fused/fusing_private.h"
#include "fused/node_measure.h"

/* The velocity at the start of the step. */
static const lv_node *start_velocity(lv_fusing *f)
{
    const int v = lv_form_find(&f->c->form, "v", 0);
    f->unsupported = f->unsupported || v < 0 || !f->c->value[v];
    return f->unsupported ? NULL : nodes_of(f, f->c->value[v]);
}

/* The initial guess of a tangent vector w is the input e in w = start v + h e, where v
 * is the velocity at the start. The initial guess of a multiplier is the multiplier
 * itself. */
void lv_fusing_guess(lv_fusing *f, const lv_phase_column *column, lv_node *value)
{
    const lv_node *v = start_velocity(f), start = lv_graph_const(f->graph, column->start);
    for (int i = 0; i < column->size; i++) {
        const lv_node expected = next_input(f, 0);
        value[i] = expected;
        if (!column->vector || !v)
            continue;
        const lv_node slow = lv_graph_mul(f->graph, start, v[i]),
                      fast = lv_graph_mul(f->graph, f->h, expected);
        value[i] = lv_graph_add(f->graph, slow, fast);
    }
}

/* The inverse of lv_fusing_guess: which inputs would have given these unknowns. */
void lv_fusing_find(lv_fusing *f, const lv_phase *p, lv_shadowed_guess *guess)
{
    lv_node *to = lv_arena_alloc(&f->arena, (size_t)guess->count + 1, sizeof *to);
    const lv_node *v = start_velocity(f), per_step = weight(f, 1, -1);
    f->failed = f->failed || !to;
    guess->found = to;
    for (int k = 0; k < p->unknowns && !is_broken(f); k++) {
        const lv_phase_column *column = &p->columns.data[k];
        const lv_node *value = column->size > 0 ? nodes_of(f, column->value) : NULL,
                      start = lv_graph_const(f->graph, column->start);
        for (int i = 0; i < column->size && !f->unsupported; i++) {
            *to = value[i];
            if (column->vector) {
                const lv_node slow = lv_graph_mul(f->graph, start, v[i]),
                              change = lv_graph_sub(f->graph, value[i], slow);
                *to = lv_graph_mul(f->graph, per_step, change);
            }
            to++;
        }
    }
}

/* ---- sizes of corrections, as in course/solver_measure.c
 * ------------------------------- */

/* The correction of positions if all unknowns are multipliers: relative to a tenth of
 * the largest coordinate. */
static lv_node measure_alone(lv_fusing *f, const lv_node *update, const lv_node *value,
                             const lv_node *q, int count)
{
    lv_graph *g = f->graph;
    const lv_node change = lv_node_extent(g, update, count),
                  here = lv_node_extent(g, value, count),
                  before = lv_node_extent(g, q, count),
                  size = lv_node_larger(g, here, before);
    return lv_node_relative(g, change, lv_graph_mul(g, lv_graph_const(g, 0.1), size));
}

static lv_node measure_column(lv_fusing *f, const lv_phase *p,
                              const lv_phase_column *column, const lv_node *update)
{
    const bool point = column->space == LV_SPACE_POINT;
    const double *own = point ? column->value : p->columns.data[column->pace].value;
    const lv_node *q = value_of(f, lv_form_find(&f->c->form, "q", 0)),
                  *v = start_velocity(f), *value = nodes_of(f, own);
    if (is_broken(f) || !q)
        return lv_graph_const(f->graph, 0);
    if (point && p->multipliers_only)
        return measure_alone(f, update, value, q, column->size);
    return lv_node_relative_size(f->graph, f->c->system, update, point ? value : q,
                                 point ? v : value, f->h);
}

/* Above 0 if the corrections of multipliers exceed the fraction LV_STEP_WORTHLESS of the
 * multipliers. */
static lv_node find_excess(lv_fusing *f, const lv_phase_column *column,
                           const lv_node *update)
{
    lv_graph *g = f->graph;
    const lv_node scale = weight(f, LV_STEP_WORTHLESS, column->scale),
                  change = lv_node_extent(g, update, column->size),
                  size = lv_node_extent(g, nodes_of(f, column->value), column->size),
                  bound = lv_graph_mul(
                      g, lv_graph_op(g, LV_OP_ABS, scale, LV_NODE_NONE, LV_NODE_NONE),
                      size);
    return lv_graph_sub(g, change, bound);
}

void lv_fusing_measure(lv_fusing *f, const lv_phase *p, const lv_node *x,
                       lv_shadowed_guess *guess)
{
    guess->size = lv_graph_const(f->graph, 0);
    guess->excess = lv_graph_const(f->graph, -1);
    for (int k = 0; k < p->columns.count && !is_broken(f); k++) {
        const lv_phase_column *column = &p->columns.data[k];
        const lv_node *update = x + column->offset;
        if (column->size == 0 || is_left_out(f, p, column))
            continue;
        if (column->vector)
            guess->size = lv_node_larger(f->graph, guess->size,
                                         measure_column(f, p, column, update));
        else if (column->unknown)
            guess->excess =
                lv_node_larger(f->graph, guess->excess, find_excess(f, column, update));
    }
}
