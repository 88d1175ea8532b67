/* Discrete gradient in the space of invariants (theory 5): with f = F(pi_1(q), .., pi_r(q)), pi at
 * most quadratic,
 *
 *   D f = sum_i phi_i grad pi_i(z),   z = (q0 + q1) / 2,
 *
 * where phi is a discrete gradient of F between pi(q0) and pi(q1). For quadratic pi
 * grad pi(z) . (q1 - q0) = pi(q1) - pi(q0) exactly, so that D inherits directionality from phi.
 *
 * Sums are taken term by term. For one invariant phi is the quotient of differences, for several
 * Gonzalez' formula; where the invariants hardly change (relative 1e-2), or F itself (1e-8), the mean
 * of grad F over the segment by the 3-point Gauss rule, whose error there is rounding. For polynomials F up to degree 6
 * of one invariant the rule is exact and used always. */
#include "expr/discrete.h"

#include "base/arena.h"
#include "expr/analyse.h"
#include "expr/diff.h"

#include <string.h>

lv_node lv_graph_replace(lv_graph *g, lv_node f, const lv_node *from, const lv_node *to,
                         int count)
{
    lv_node *image = f < 0 ? NULL : lv_memory_zeroed((size_t)f + 1, sizeof *image);
    unsigned char *below = f < 0 ? NULL : lv_memory_zeroed((size_t)f + 1, 1);
    lv_node result = LV_NODE_NONE;
    if (f >= 0 && (!image || !below))
        lv_graph_give_up(g, LV_ERR_MEMORY);
    for (lv_node i = 0; i <= f && lv_graph_status(g) == LV_OK; i++)
        image[i] = LV_NODE_NONE;
    for (int k = 0; k < count && lv_graph_status(g) == LV_OK; k++)
        if (from[k] >= 0 && from[k] <= f)
            image[from[k]] = to[k];

    /* Only what f needs and the replacement does not cut off is built again. */
    if (lv_graph_status(g) == LV_OK && f >= 0)
        below[f] = 1;
    for (lv_node i = f; i >= 0 && lv_graph_status(g) == LV_OK; i--) {
        const lv_node_data *d = lv_graph_node(g, i);
        int arity = below[i] && image[i] < 0 ? lv_op_arity(d->op) : 0;
        const lv_node operands[3] = {d->a, d->b, d->c};
        for (int k = 0; k < arity; k++)
            below[operands[k]] = 1;
    }
    for (lv_node i = 0; i <= f && lv_graph_status(g) == LV_OK; i++) {
        if (below[i] && image[i] < 0) {
            const lv_node_data d = *lv_graph_node(g, i);
            int arity = lv_op_arity(d.op), mark = lv_graph_enter_node(g, i);
            image[i] = arity == 0
                           ? i
                           : lv_graph_op(g, d.op, image[d.a], arity > 1 ? image[d.b] : 0,
                                         arity > 2 ? image[d.c] : 0);
            lv_graph_leave(g, mark);
        }
        result = image[i];
    }
    lv_memory_free(image);
    lv_memory_free(below);
    return lv_graph_status(g) == LV_OK ? result : LV_NODE_NONE;
}

typedef struct derivation {
    lv_graph *g;
    lv_arena scratch;
    const lv_node *end, *start;
    lv_node *middle;
    lv_kinds kinds; /* of the inputs in `end` */
    int n, spare;
    lv_node *result;
    lv_error *err;
} derivation;

/* ---- small helpers in the order of evaluation ---------------------------------------------- */

static lv_node number(derivation *d, double value)
{
    return lv_graph_const(d->g, value);
}

static lv_node at_start(derivation *d, lv_node f)
{
    return lv_graph_replace(d->g, f, d->end, d->start, d->n);
}

static lv_node scaled(derivation *d, double factor, lv_node x)
{
    lv_node c = number(d, factor);
    return lv_graph_mul(d->g, c, x);
}

static lv_node *room(derivation *d, int count)
{
    lv_node *nodes = lv_arena_alloc(&d->scratch, (size_t)count + 1, sizeof *nodes);
    if (!nodes)
        lv_graph_give_up(d->g, LV_ERR_MEMORY);
    return nodes;
}

/* result += factor * gradient of `invariant` at the midpoint */
static void add_chain(derivation *d, lv_node factor, lv_node invariant)
{
    lv_node *gradient = room(d, d->n);
    if (!gradient)
        return;
    lv_diff_gradient(d->g, gradient, invariant, d->end, d->n);
    for (int k = 0; k < d->n && lv_graph_status(d->g) == LV_OK; k++) {
        lv_node middle = lv_graph_replace(d->g, gradient[k], d->end, d->middle, d->n);
        lv_node product = lv_graph_mul(d->g, factor, middle);
        d->result[k] = lv_graph_add(d->g, d->result[k], product);
    }
}

/* ---- functions of a few invariants ------------------------------------------------------------ */

/* One term: F over holes that stand for the invariants. */
typedef struct term {
    int count;
    const lv_node *invariants;
    lv_node *holes;
    lv_node *before, *after, *change; /* values of the invariants, and after - before */
    lv_node reduced;                  /* F(holes) */
    lv_node *slopes;                  /* dF / d hole */
} term;

static bool term_init(derivation *d, term *t, lv_node f, const lv_node_list *invariants)
{
    t->count = invariants->count;
    t->invariants = invariants->data;
    t->holes = room(d, 5 * t->count);
    if (!t->holes)
        return false;
    t->before = t->holes + t->count;
    t->after = t->before + t->count;
    t->change = t->after + t->count;
    t->slopes = t->change + t->count;
    for (int i = 0; i < t->count; i++) {
        t->holes[i] = lv_graph_input(d->g, LV_INPUT_W, d->spare + i);
        t->after[i] = t->invariants[i];
        t->before[i] = at_start(d, t->invariants[i]);
        t->change[i] = lv_graph_sub(d->g, t->after[i], t->before[i]);
    }
    t->reduced = lv_graph_replace(d->g, f, t->invariants, t->holes, t->count);
    if (lv_graph_status(d->g) == LV_OK)
        lv_diff_gradient(d->g, t->slopes, t->reduced, t->holes, t->count);
    return lv_graph_status(d->g) == LV_OK;
}

/* A function of the holes with values put in. */
static lv_node filled(derivation *d, const term *t, lv_node f, const lv_node *values)
{
    return lv_graph_replace(d->g, f, t->holes, values, t->count);
}

/* Invariants at the fraction x of the way. */
static lv_node *on_the_way(derivation *d, const term *t, double x)
{
    lv_node *values = room(d, t->count);
    for (int i = 0; values && i < t->count; i++) {
        lv_node part = scaled(d, x, t->change[i]);
        values[i] = lv_graph_add(d->g, t->before[i], part);
    }
    return values;
}

/* Mean of dF / d hole i over the segment by Gauss' rule. */
static lv_node mean_slope(derivation *d, const term *t, int i)
{
    static const double x[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double w[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    lv_node sum = number(d, 0);
    for (int k = 0; k < 3; k++) {
        const lv_node *values = on_the_way(d, t, x[k]);
        if (!values)
            return LV_NODE_NONE;
        lv_node slope = filled(d, t, t->slopes[i], values);
        lv_node part = scaled(d, w[k], slope);
        sum = lv_graph_add(d->g, sum, part);
    }
    return sum;
}

/* Does any invariant change by more than a hundredth of itself, and does F change beyond rounding?
 * 1 or 0. Without the latter small motions about a point where an invariant is 0 would see noise:
 * the invariant changes much there, F hardly. */
static lv_node changes_much(derivation *d, const term *t, lv_node before, lv_node after)
{
    lv_node any = number(d, 0);
    for (int i = 0; i < t->count; i++) {
        lv_node change = lv_graph_op(d->g, LV_OP_ABS, t->change[i], 0, 0);
        lv_node a = lv_graph_op(d->g, LV_OP_ABS, t->before[i], 0, 0);
        lv_node b = lv_graph_op(d->g, LV_OP_ABS, t->after[i], 0, 0);
        lv_node size = lv_graph_op(d->g, LV_OP_MAX, a, b, 0);
        lv_node limit = scaled(d, 1e-2, size);
        lv_node much = lv_graph_op(d->g, LV_OP_LESS, limit, change, 0);
        any = lv_graph_op(d->g, LV_OP_MAX, any, much, 0);
    }
    lv_node rise = lv_graph_sub(d->g, after, before);
    rise = lv_graph_op(d->g, LV_OP_ABS, rise, 0, 0);
    before = lv_graph_op(d->g, LV_OP_ABS, before, 0, 0);
    after = lv_graph_op(d->g, LV_OP_ABS, after, 0, 0);
    lv_node size = lv_graph_op(d->g, LV_OP_MAX, before, after, 0);
    lv_node limit = scaled(d, 1e-8, size);
    lv_node visible = lv_graph_op(d->g, LV_OP_LESS, limit, rise, 0);
    return lv_graph_op(d->g, LV_OP_MIN, any, visible, 0);
}

/* Degree of F in the holes. */
static int reduced_degree(derivation *d, const term *t)
{
    unsigned char *degrees = lv_arena_alloc(&d->scratch, (size_t)lv_graph_count(d->g), 1);
    if (!degrees) {
        lv_graph_give_up(d->g, LV_ERR_MEMORY);
        return LV_DEGREE_NONE;
    }
    lv_analyse_degrees(d->g, degrees, LV_KIND(W));
    return degrees[t->reduced];
}

static void one_invariant(derivation *d, const term *t)
{
    lv_node phi = mean_slope(d, t, 0);
    if (reduced_degree(d, t) > 6 && lv_graph_status(d->g) == LV_OK) {
        lv_node after = filled(d, t, t->reduced, t->after);
        lv_node before = filled(d, t, t->reduced, t->before);
        lv_node rise = lv_graph_sub(d->g, after, before);
        lv_node quotient = lv_graph_div(d->g, rise, t->change[0]);
        lv_node much = changes_much(d, t, before, after);
        phi = lv_graph_select(d->g, much, quotient, phi);
    }
    add_chain(d, phi, t->invariants[0]);
}

/* Gonzalez: slopes at the mean, corrected along the change. */
static void several_invariants(derivation *d, const term *t)
{
    const lv_node *mean = on_the_way(d, t, 0.5);
    lv_node *slopes = room(d, t->count);
    if (!mean || !slopes)
        return;
    int degree = reduced_degree(d, t);
    lv_node defect = number(d, 0), length = number(d, 0);
    for (int i = 0; i < t->count; i++) {
        slopes[i] = filled(d, t, t->slopes[i], mean);
        lv_node along = lv_graph_mul(d->g, slopes[i], t->change[i]);
        defect = lv_graph_sub(d->g, defect, along);
        lv_node square = lv_graph_square(d->g, t->change[i]);
        length = lv_graph_add(d->g, length, square);
    }
    lv_node after = filled(d, t, t->reduced, t->after);
    lv_node before = filled(d, t, t->reduced, t->before);
    lv_node rise = lv_graph_sub(d->g, after, before);
    defect = lv_graph_add(d->g, rise, defect);
    lv_node ratio = lv_graph_div(d->g, defect, length);
    lv_node much = changes_much(d, t, before, after);
    for (int i = 0; i < t->count && lv_graph_status(d->g) == LV_OK; i++) {
        lv_node phi = slopes[i]; /* exact for quadratic F */
        if (degree > 2) {
            lv_node correction = lv_graph_mul(d->g, ratio, t->change[i]);
            lv_node far = lv_graph_add(d->g, slopes[i], correction);
            lv_node near = mean_slope(d, t, i);
            phi = lv_graph_select(d->g, much, far, near);
        }
        add_chain(d, phi, t->invariants[i]);
    }
}

/* ---- sums term by term ---------------------------------------------------------------------------- */

static lv_status add_term(derivation *d, lv_node f, double factor)
{
    unsigned char *degrees = lv_arena_alloc(&d->scratch, (size_t)lv_graph_count(d->g), 1);
    lv_node_list invariants = {0};
    term t = {0};
    if (!degrees)
        return lv_fail_memory(d->err);
    lv_analyse_degrees(d->g, degrees, d->kinds);
    lv_node whole = scaled(d, factor, f);
    if (degrees[f] == 0)
        return LV_OK;
    if (degrees[f] <= 2) {
        add_chain(d, number(d, 1), whole);
        return lv_graph_check(d->g, d->err);
    }
    lv_status status = lv_analyse_frontier(d->g, &invariants, f, degrees, d->err);
    if (status == LV_OK && term_init(d, &t, whole, &invariants)) {
        if (t.count == 1)
            one_invariant(d, &t);
        else
            several_invariants(d, &t);
    }
    LV_ARRAY_FREE(invariants);
    return status == LV_OK ? lv_graph_check(d->g, d->err) : status;
}

typedef struct summand {
    lv_node f;
    double factor;
} summand;

/* Goes through sums, differences, signs and constant factors. */
static lv_status add_sum(derivation *d, lv_node f)
{
    LV_ARRAY(summand) left = {0};
    lv_status status = LV_PUSH(left, ((summand){f, 1})) ? LV_OK : lv_fail_memory(d->err);
    while (status == LV_OK && left.count > 0) {
        summand s = left.data[--left.count];
        const lv_node_data n = *lv_graph_node(d->g, s.f);
        bool ok = true,
             constant = n.op == LV_OP_MUL && lv_graph_node(d->g, n.a)->op == LV_OP_CONST;
        if (n.op == LV_OP_ADD || n.op == LV_OP_SUB)
            ok = LV_PUSH(left,
                         ((summand){n.b, n.op == LV_OP_ADD ? s.factor : -s.factor})) &&
                 LV_PUSH(left, ((summand){n.a, s.factor}));
        else if (n.op == LV_OP_NEG)
            ok = LV_PUSH(left, ((summand){n.a, -s.factor}));
        else if (constant)
            ok = LV_PUSH(left,
                         ((summand){n.b, s.factor * lv_graph_node(d->g, n.a)->value}));
        else
            status = add_term(d, s.f, s.factor);
        if (!ok)
            status = lv_fail_memory(d->err);
    }
    LV_ARRAY_FREE(left);
    return status;
}

lv_status lv_discrete_gradient(lv_graph *g, lv_node *result, lv_node f,
                               const lv_node *end, const lv_node *start, int n, int spare,
                               lv_error *err)
{
    derivation d = {.g = g,
                    .end = end,
                    .start = start,
                    .n = n,
                    .spare = spare,
                    .result = result,
                    .err = err};
    d.middle = room(&d, n);
    for (int k = 0; k < n; k++) {
        lv_node sum = lv_graph_add(g, end[k], start[k]);
        if (end[k] >= 0)
            d.kinds |= 1U << (unsigned)lv_graph_node(g, end[k])->a;
        if (d.middle)
            d.middle[k] = scaled(&d, 0.5, sum);
        result[k] = number(&d, 0);
    }
    lv_status status = lv_graph_check(g, err);
    if (status == LV_OK)
        status = add_sum(&d, f);
    lv_arena_done(&d.scratch);
    return status;
}
