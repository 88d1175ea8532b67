/* Discrete gradient in the space of invariants (theory 5): with f = F(pi_1(q), ..,
 * pi_r(q)), pi at most quadratic,
 *
 *   D f = sum_i phi_i grad pi_i(z),   z = (q0 + q1) / 2,
 *
 * where phi is a discrete gradient of F between pi(q0) and pi(q1). For quadratic pi grad
 * pi(z) . (q1 - q0) = pi(q1) - pi(q0) exactly, so that D inherits directionality from
 * phi.
 *
 * Sums are treated term by term. phi is the difference quotient for one invariant, and
 * Gonzalez' formula for several. If the invariants hardly change (relative 1e-2), or F
 * itself (1e-8), phi is the mean of grad F over the segment by the 3-point Gauss rule, as
 * long as this misses the rise of F by rounding only. For polynomials F up to degree 6 of
 * one invariant the rule is exact and always used.
 *
 * Kinetic energies and rates of constraints are functions F(alpha, eta) of invariants
 * alpha of the positions and invariants eta with velocities, and at most quadratic in
 * eta. Their units are unrelated, so that each set is varied by itself, with the other
 * one at both its ends (theory 5.4):
 *
 *   phi_alpha = (D F(., eta0) + D F(., eta1)) / 2
 *   phi_eta   = (F_eta(alpha0, eta_m) + F_eta(alpha1, eta_m)) / 2,   eta_m = (eta0 + eta1) / 2 */
#include "expr/discrete.h"

#include "base/arena.h"
#include "expr/analyse.h"
#include "expr/diff.h"
#include "expr/graph_private.h"

#include <float.h>
#include <stdlib.h>

/* ---- replacing nodes ------------------------------------------------------------------------- */

/* Begins a replacement. It visits only nodes that f needs and that the replacement does
 * not cut off, however large the graph is, since sums of n terms make n replacements. The
 * marks of each replacement have its number. */
static bool begin_replacing(lv_graph *g)
{
    const int missing = g->nodes.count - g->replaced.count;
    if (missing > 0 && !LV_RESERVE(g->replaced, missing))
        return false;
    while (g->replaced.count < g->nodes.count)
        g->replaced.data[g->replaced.count++] = (lv_replaced){0, LV_NODE_NONE};
    g->replacement++;
    return true;
}

static bool add_to_list(lv_graph *g, lv_node_list *below, lv_node i)
{
    lv_replaced *r = &g->replaced.data[i];
    if (r->mark == g->replacement)
        return true;
    *r = (lv_replaced){g->replacement, LV_NODE_NONE};
    return LV_PUSH(*below, i);
}

/* Lists f and the nodes below it that are not replaced. */
static bool list_below(lv_graph *g, lv_node_list *below, lv_node f)
{
    bool ok = add_to_list(g, below, f);
    for (int k = 0; k < below->count && ok; k++) {
        const lv_node_data *d = lv_graph_node(g, below->data[k]);
        const int arity = lv_op_arity(d->op);
        ok = (arity < 1 || add_to_list(g, below, d->a)) &&
             (arity < 2 || add_to_list(g, below, d->b)) &&
             (arity < 3 || add_to_list(g, below, d->c));
    }
    return ok;
}

static int by_number(const void *a, const void *b)
{
    const lv_node *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static lv_node image_of(const lv_graph *g, lv_node i)
{
    return g->replaced.data[i].image;
}

/* Builds the nodes again. Operands have smaller numbers than results, so in the order of
 * the numbers all operands are built first. */
static void build_again(lv_graph *g, lv_node_list *below)
{
    if (below->count > 1)
        qsort(below->data, (size_t)below->count, sizeof *below->data, by_number);
    for (int k = 0; k < below->count && lv_graph_status(g) == LV_OK; k++) {
        const lv_node i = below->data[k];
        const lv_node_data d = *lv_graph_node(g, i);
        const int arity = lv_op_arity(d.op), mark = lv_graph_enter_node(g, i);
        const lv_node image = arity == 0 ? i
                                         : lv_graph_op(g, d.op, image_of(g, d.a),
                                                       arity > 1 ? image_of(g, d.b) : 0,
                                                       arity > 2 ? image_of(g, d.c) : 0);
        lv_graph_leave(g, mark);
        g->replaced.data[i].image = image;
    }
}

/* Nodes that several formulas share are built once. */
void lv_graph_replace_all(lv_graph *g, lv_node *results, const lv_node *f, int m,
                          const lv_node *from, const lv_node *to, int count)
{
    lv_node_list below = {0};
    bool ok = lv_graph_status(g) == LV_OK && begin_replacing(g);
    for (int k = 0; k < count && ok; k++)
        if (from[k] >= 0 && to[k] >= 0)
            g->replaced.data[from[k]] = (lv_replaced){g->replacement, to[k]};
    for (int k = 0; k < m && ok; k++) {
        below.count = 0;
        ok = f[k] >= 0 && list_below(g, &below, f[k]);
        if (ok)
            build_again(g, &below);
        ok = ok && lv_graph_status(g) == LV_OK;
        results[k] = ok ? image_of(g, f[k]) : LV_NODE_NONE;
    }
    if (!ok && lv_graph_status(g) == LV_OK)
        lv_graph_give_up(g, LV_ERR_MEMORY);
    for (int k = 0; k < m && !ok; k++)
        results[k] = LV_NODE_NONE;
    LV_ARRAY_FREE(below);
}

lv_node lv_graph_replace(lv_graph *g, lv_node f, const lv_node *from, const lv_node *to,
                         int count)
{
    lv_node result = LV_NODE_NONE;
    if (f >= 0)
        lv_graph_replace_all(g, &result, &f, 1, from, to, count);
    return result;
}

typedef struct derivation {
    lv_graph *g;
    lv_arena scratch;
    const lv_way *way;
    lv_kinds kinds; /* kinds of the inputs of the segment */
    int spare;
    lv_node *result;
    lv_error *err;
} derivation;

/* ---- helpers that fix the order of evaluation -------------------------------------- */

static lv_node number(derivation *d, double value)
{
    return lv_graph_const(d->g, value);
}

/* Replaces the inputs of the segment in f by other nodes. */
static lv_node with_inputs(derivation *d, lv_node f, const lv_node *to)
{
    return lv_graph_replace(d->g, f, d->way->at, to, d->way->n);
}

static lv_node scaled(derivation *d, double factor, lv_node x)
{
    lv_node c = number(d, factor);
    return lv_graph_mul(d->g, c, x);
}

static lv_node *alloc_nodes(derivation *d, int count)
{
    lv_node *nodes = lv_arena_alloc(&d->scratch, (size_t)count + 1, sizeof *nodes);
    if (!nodes)
        lv_graph_give_up(d->g, LV_ERR_MEMORY);
    return nodes;
}

/* result += factor * gradient of `invariant` at the midpoint */
static void add_chain(derivation *d, lv_node factor, lv_node invariant)
{
    const int n = d->way->n;
    lv_node *gradient = alloc_nodes(d, n);
    if (!gradient)
        return;
    lv_diff_gradient(d->g, gradient, invariant, d->way->at, n);
    for (int k = 0; k < n && lv_graph_status(d->g) == LV_OK; k++) {
        if (lv_graph_is_const(d->g, gradient[k], 0))
            continue;
        lv_node middle = with_inputs(d, gradient[k], d->way->middle);
        lv_node product = lv_graph_mul(d->g, factor, middle);
        d->result[k] = lv_graph_add(d->g, d->result[k], product);
    }
}

/* ---- functions of a few invariants ------------------------------------------------------------ */

/* One term of f: a function F of placeholders ("holes") for the invariants, those of
 * positions first. */
typedef struct term {
    int count;
    const lv_node *invariants;
    lv_node *holes;
    lv_node *before, *after, *change; /* values of the invariants, and after - before */
    lv_node reduced;                  /* F(holes) */
    lv_node *slopes;                  /* dF / d hole */
} term;

static bool term_room(derivation *d, term *t, int count)
{
    t->count = count;
    t->holes = alloc_nodes(d, 5 * count);
    if (!t->holes)
        return false;
    t->before = t->holes + count;
    t->after = t->before + count;
    t->change = t->after + count;
    t->slopes = t->change + count;
    return true;
}

/* The holes of invariants with velocities are inputs M, so that an analysis of degrees
 * can distinguish them. */
static bool term_init(derivation *d, term *t, lv_node f, const lv_node_list *invariants,
                      int positions)
{
    if (!term_room(d, t, invariants->count))
        return false;
    t->invariants = invariants->data;
    for (int i = 0; i < t->count; i++) {
        t->holes[i] = i < positions ? lv_graph_input(d->g, LV_INPUT_W, d->spare + i)
                                    : lv_graph_input(d->g, LV_INPUT_M, i - positions);
        t->after[i] = with_inputs(d, t->invariants[i], d->way->after);
        t->before[i] = with_inputs(d, t->invariants[i], d->way->before);
        t->change[i] = lv_graph_sub(d->g, t->after[i], t->before[i]);
    }
    t->reduced = lv_graph_replace(d->g, f, t->invariants, t->holes, t->count);
    if (lv_graph_status(d->g) == LV_OK)
        lv_diff_gradient(d->g, t->slopes, t->reduced, t->holes, t->count);
    return lv_graph_status(d->g) == LV_OK;
}

/* A function of the holes with values in their place. */
static lv_node with_holes_filled(derivation *d, const term *t, lv_node f,
                                 const lv_node *values)
{
    return lv_graph_replace(d->g, f, t->holes, values, t->count);
}

/* The invariants at the fraction x of the segment, interpolated linearly. */
static lv_node *on_the_way(derivation *d, const term *t, double x)
{
    lv_node *values = alloc_nodes(d, t->count);
    for (int i = 0; values && i < t->count; i++) {
        lv_node part = scaled(d, x, t->change[i]);
        values[i] = lv_graph_add(d->g, t->before[i], part);
    }
    return values;
}

enum { GAUSS = 3 }; /* number of points of the rule */

/* dF / d hole i at point k of the segment: slopes[k * count + i] */
static lv_node *slopes_on_the_way(derivation *d, const term *t)
{
    static const double x[GAUSS] = {0.11270166537925831, 0.5, 0.88729833462074169};
    lv_node *slopes = alloc_nodes(d, GAUSS * t->count);
    for (int k = 0; k < GAUSS && slopes; k++) {
        const lv_node *values = on_the_way(d, t, x[k]);
        if (!values)
            return NULL;
        lv_graph_replace_all(d->g, slopes + (ptrdiff_t)k * t->count, t->slopes, t->count,
                             t->holes, values, t->count);
    }
    return slopes;
}

/* The mean of slope i by Gauss' rule, or of its absolute value if `size`. */
static lv_node mean_of(derivation *d, const term *t, const lv_node *slopes, int i,
                       bool size)
{
    static const double w[GAUSS] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    lv_node sum = number(d, 0);
    for (int k = 0; k < GAUSS; k++) {
        lv_node slope = slopes[k * t->count + i];
        if (size)
            slope = lv_graph_op(d->g, LV_OP_ABS, slope, 0, 0);
        lv_node part = scaled(d, w[k], slope);
        sum = lv_graph_add(d->g, sum, part);
    }
    return sum;
}

/* The larger absolute value of an invariant at the two ends. */
static lv_node size_of(derivation *d, const term *t, int i)
{
    lv_node a = lv_graph_op(d->g, LV_OP_ABS, t->before[i], 0, 0);
    lv_node b = lv_graph_op(d->g, LV_OP_ABS, t->after[i], 0, 0);
    return lv_graph_op(d->g, LV_OP_MAX, a, b, 0);
}

/* 1 if any invariant changes by more than a hundredth of itself and F changes by more
 * than rounding, else 0. The second condition is for small motions about a point where an
 * invariant is 0: there the invariant changes much relative to itself and F hardly, so
 * the quotient would be noise. */
static lv_node changes_much(derivation *d, const term *t, lv_node before, lv_node after)
{
    lv_node any = number(d, 0);
    for (int i = 0; i < t->count; i++) {
        lv_node change = lv_graph_op(d->g, LV_OP_ABS, t->change[i], 0, 0);
        lv_node limit = scaled(d, 1e-2, size_of(d, t, i));
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

/* 1 if the defect, by which the slopes miss the rise of F, is more than the rounding of F
 * and of the invariants, else 0. The size of the change of an invariant is no measure of
 * its rounding: an angle may contain any number of turns. */
static lv_node is_seen(derivation *d, const term *t, const lv_node *between,
                       lv_node defect, lv_node before, lv_node after)
{
    const double rounding = 8 * DBL_EPSILON;
    defect = lv_graph_op(d->g, LV_OP_ABS, defect, 0, 0);
    before = lv_graph_op(d->g, LV_OP_ABS, before, 0, 0);
    after = lv_graph_op(d->g, LV_OP_ABS, after, 0, 0);
    lv_node size = lv_graph_add(d->g, before, after);
    for (int i = 0; i < t->count; i++) {
        lv_node slope = mean_of(d, t, between, i, true);
        lv_node share = lv_graph_mul(d->g, slope, size_of(d, t, i));
        size = lv_graph_add(d->g, size, share);
    }
    lv_node limit = scaled(d, rounding, size);
    return lv_graph_op(d->g, LV_OP_LESS, limit, defect, 0);
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

static void one_invariant(derivation *d, const term *t, lv_node *phi)
{
    const lv_node *between = slopes_on_the_way(d, t);
    if (!between)
        return;
    phi[0] = mean_of(d, t, between, 0, false);
    if (reduced_degree(d, t) <= 6 || lv_graph_status(d->g) != LV_OK)
        return;
    lv_node after = with_holes_filled(d, t, t->reduced, t->after);
    lv_node before = with_holes_filled(d, t, t->reduced, t->before);
    lv_node rise = lv_graph_sub(d->g, after, before);
    lv_node quotient = lv_graph_div(d->g, rise, t->change[0]);
    lv_node along = lv_graph_mul(d->g, phi[0], t->change[0]);
    lv_node defect = lv_graph_sub(d->g, rise, along);
    lv_node much = changes_much(d, t, before, after);
    lv_node seen = is_seen(d, t, between, defect, before, after);
    much = lv_graph_op(d->g, LV_OP_MAX, much, seen, 0);
    phi[0] = lv_graph_select(d->g, much, quotient, phi[0]);
}

/* Computes the defect, the rise of F minus slopes times change, and returns it divided by
 * the squared length of the change: the correction along the change. */
static lv_node leftover(derivation *d, const term *t, lv_node rise, const lv_node *slopes,
                        lv_node *defect)
{
    lv_node length = number(d, 0);
    *defect = rise;
    for (int i = 0; i < t->count; i++) {
        lv_node along = lv_graph_mul(d->g, slopes[i], t->change[i]);
        lv_node square = lv_graph_square(d->g, t->change[i]);
        *defect = lv_graph_sub(d->g, *defect, along);
        length = lv_graph_add(d->g, length, square);
    }
    return lv_graph_div(d->g, *defect, length);
}

/* Gonzalez' formula: slopes at the mean, corrected along the change. If little changes,
 * means of the slopes, corrected only if the defect is more than rounding. */
static void several_invariants(derivation *d, const term *t, lv_node *phi)
{
    const lv_node *mean = on_the_way(d, t, 0.5);
    lv_node *slopes = alloc_nodes(d, 2 * t->count), defect = LV_NODE_NONE;
    if (!mean || !slopes)
        return;
    const int degree = reduced_degree(d, t);
    lv_node *means = slopes + t->count;
    lv_graph_replace_all(d->g, slopes, t->slopes, t->count, t->holes, mean, t->count);
    for (int i = 0; i < t->count; i++)
        phi[i] = slopes[i]; /* exact for quadratic F */
    if (degree <= 2 || lv_graph_status(d->g) != LV_OK)
        return;
    const lv_node *between = slopes_on_the_way(d, t);
    for (int i = 0; i < t->count && between; i++)
        means[i] = mean_of(d, t, between, i, false);
    if (lv_graph_status(d->g) != LV_OK)
        return;
    lv_node after = with_holes_filled(d, t, t->reduced, t->after);
    lv_node before = with_holes_filled(d, t, t->reduced, t->before);
    lv_node rise = lv_graph_sub(d->g, after, before);
    lv_node by_slopes = leftover(d, t, rise, slopes, &defect);
    lv_node by_means = leftover(d, t, rise, means, &defect);
    lv_node much = changes_much(d, t, before, after);
    lv_node seen = is_seen(d, t, between, defect, before, after);
    by_means = lv_graph_select(d->g, seen, by_means, number(d, 0));
    for (int i = 0; i < t->count && lv_graph_status(d->g) == LV_OK; i++) {
        lv_node far = lv_graph_mul(d->g, by_slopes, t->change[i]);
        lv_node near = lv_graph_mul(d->g, by_means, t->change[i]);
        far = lv_graph_add(d->g, slopes[i], far);
        near = lv_graph_add(d->g, means[i], near);
        phi[i] = lv_graph_select(d->g, much, far, near);
    }
}

static void slopes_between(derivation *d, const term *t, lv_node *phi)
{
    if (t->count == 1)
        one_invariant(d, t, phi);
    else if (t->count > 1)
        several_invariants(d, t, phi);
}

/* ---- with velocities ---------------------------------------------------------------------------- */

static lv_node mean(derivation *d, lv_node a, lv_node b)
{
    lv_node sum = lv_graph_add(d->g, a, b);
    return scaled(d, 0.5, sum);
}

/* phi of the invariants of positions, averaged over those with velocities at both
 * ends. */
static void by_positions(derivation *d, const term *t, int positions, lv_node *phi)
{
    term held = *t;
    const int rest = t->count - positions;
    held.count = positions;
    lv_node *ends = alloc_nodes(d, 2 * positions);
    slopes_between(d, &held, phi);
    if (rest == 0 || !ends || lv_graph_status(d->g) != LV_OK)
        return;
    lv_graph_replace_all(d->g, ends, phi, positions, t->holes + positions,
                         t->before + positions, rest);
    lv_graph_replace_all(d->g, ends + positions, phi, positions, t->holes + positions,
                         t->after + positions, rest);
    for (int i = 0; i < positions; i++)
        phi[i] = mean(d, ends[i], ends[positions + i]);
}

/* phi of the invariants with velocities: F is quadratic in them, so its slope at the mean
 * is exact. */
static void by_velocities(derivation *d, const term *t, int positions, lv_node *phi)
{
    const int rest = t->count - positions;
    lv_node *first = alloc_nodes(d, 4 * t->count);
    if (!first || rest == 0)
        return;
    lv_node *last = first + t->count, *before = last + t->count;
    lv_node *after = before + t->count;
    for (int i = 0; i < t->count; i++) {
        first[i] = i < positions ? t->before[i] : mean(d, t->before[i], t->after[i]);
        last[i] = i < positions ? t->after[i] : first[i];
    }
    lv_graph_replace_all(d->g, before, t->slopes + positions, rest, t->holes, first,
                         t->count);
    lv_graph_replace_all(d->g, after, t->slopes + positions, rest, t->holes, last,
                         t->count);
    for (int i = 0; i < rest; i++)
        phi[positions + i] = mean(d, before[i], after[i]);
}

/* ---- sums term by term ---------------------------------------------------------------------------- */

/* Sorts the invariants that contain no velocities to the front; returns how many they
 * are. */
static int positions_first(lv_node_list *invariants, const unsigned char *in_velocities)
{
    int positions = 0;
    for (int i = 0; i < invariants->count; i++) {
        lv_node node = invariants->data[i];
        if (in_velocities[node] > 0)
            continue;
        for (int k = i; k > positions; k--)
            invariants->data[k] = invariants->data[k - 1];
        invariants->data[positions++] = node;
    }
    return positions;
}

static void add_function(derivation *d, lv_node f, const lv_node_list *invariants,
                         int positions)
{
    term t = {0};
    lv_node *phi = alloc_nodes(d, invariants->count);
    if (!phi || !term_init(d, &t, f, invariants, positions))
        return;
    by_positions(d, &t, positions, phi);
    by_velocities(d, &t, positions, phi);
    for (int i = 0; i < t.count && lv_graph_status(d->g) == LV_OK; i++)
        add_chain(d, phi[i], t.invariants[i]);
}

static lv_status add_term(derivation *d, lv_node f, double factor)
{
    const size_t count = (size_t)lv_graph_count(d->g);
    unsigned char *degrees = lv_arena_alloc(&d->scratch, 2 * count, 1);
    lv_node_list invariants = {0};
    if (!degrees)
        return lv_fail_memory(d->err);
    unsigned char *in_velocities = degrees + count;
    lv_analyse_degrees(d->g, degrees, d->kinds);
    lv_analyse_degrees(d->g, in_velocities, d->kinds & LV_KIND(V));
    lv_node whole = scaled(d, factor, f);
    if (degrees[f] == 0)
        return LV_OK;
    if (degrees[f] <= 2) {
        add_chain(d, number(d, 1), whole);
        return lv_graph_check(d->g, d->err);
    }
    lv_status status = lv_analyse_frontier(d->g, &invariants, f, degrees, d->err);
    if (status == LV_OK)
        add_function(d, whole, &invariants, positions_first(&invariants, in_velocities));
    LV_ARRAY_FREE(invariants);
    return status == LV_OK ? lv_graph_check(d->g, d->err) : status;
}

/* Whether a node is a sum, a difference, a negative or a constant multiple: the factors
 * with which its operands are in it. */
static bool is_sum(const lv_graph *g, const lv_node_data *n, double factor[2])
{
    const bool constant = n->op == LV_OP_MUL && lv_graph_node(g, n->a)->op == LV_OP_CONST;
    factor[0] = constant ? 0 : n->op == LV_OP_NEG ? -1 : 1;
    factor[1] = constant ? lv_graph_node(g, n->a)->value : n->op == LV_OP_SUB ? -1 : 1;
    return constant || n->op == LV_OP_NEG || n->op == LV_OP_ADD || n->op == LV_OP_SUB;
}

/* factor[i] = the factor with which node i is in f, for all that f is a sum of. Operands
 * come before results, so that every node is visited once, however often it occurs. */
static void find_factors(const lv_graph *g, lv_node f, double *factor)
{
    factor[f] = 1;
    for (lv_node i = f; i >= 0; i--) {
        double by[2];
        const lv_node_data *n = lv_graph_node(g, i);
        if (factor[i] == 0 || !is_sum(g, n, by))
            continue;
        if (by[0] != 0)
            factor[n->a] += by[0] * factor[i];
        if (n->op != LV_OP_NEG)
            factor[n->b] += by[1] * factor[i];
    }
}

/* Splits f at sums, differences, signs and constant factors, and adds the terms, each of
 * them once. */
static lv_status add_sum(derivation *d, lv_node f)
{
    const size_t count = (size_t)f + 1;
    double *factor = lv_arena_alloc(&d->scratch, count, sizeof *factor);
    bool *seen = lv_arena_alloc(&d->scratch, count, sizeof *seen);
    lv_node_list left = {0};
    if (!factor || !seen || !LV_PUSH(left, f))
        return lv_fail_memory(d->err);
    find_factors(d->g, f, factor);
    lv_status status = LV_OK;
    while (status == LV_OK && left.count > 0) {
        const lv_node i = left.data[--left.count];
        const lv_node_data n = *lv_graph_node(d->g, i);
        double by[2];
        if (seen[i] || factor[i] == 0)
            continue;
        seen[i] = true;
        if (!is_sum(d->g, &n, by))
            status = add_term(d, i, factor[i]);
        else if ((n.op != LV_OP_NEG && !LV_PUSH(left, n.b)) ||
                 (by[0] != 0 && !LV_PUSH(left, n.a)))
            status = lv_fail_memory(d->err);
    }
    LV_ARRAY_FREE(left);
    return status;
}

void lv_discrete_middle(lv_graph *g, lv_node *middle, const lv_node *before,
                        const lv_node *after, int n)
{
    for (int k = 0; k < n; k++) {
        lv_node sum = lv_graph_add(g, after[k], before[k]);
        lv_node half = lv_graph_const(g, 0.5);
        middle[k] = lv_graph_mul(g, half, sum);
    }
}

lv_status lv_discrete_gradient(lv_graph *g, lv_node *result, lv_node f, const lv_way *way,
                               int spare, lv_error *err)
{
    derivation d = {.g = g, .way = way, .spare = spare, .result = result, .err = err};
    lv_status status = lv_graph_check(g, err);
    for (int k = 0; k < way->n && status == LV_OK; k++) {
        d.kinds |= 1U << (unsigned)lv_graph_node(g, way->at[k])->a;
        result[k] = number(&d, 0);
    }
    if (status == LV_OK)
        status = add_sum(&d, f);
    lv_arena_done(&d.scratch);
    return status;
}
