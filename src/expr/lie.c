#include "expr/lie.h"

#include "expr/analyse.h"
#include "expr/wide_op.h"

#include <stdlib.h>
#include <string.h>

static const lv_kinds moving = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T);

/* A node that is needed; these are numbered from 0. */
typedef struct step {
    lv_op op;
    int x[2];      /* operands; the branches of a conditional */
    int condition; /* the condition of a conditional */
    int kind, index;
    double constant;
    bool moves;    /* depends on more than parameters */
    bool absorbed; /* a sum that is used only as an operand of one larger sum */
    int first_leaf, leaf_count; /* leaves of a sum that is not absorbed */
} step;

typedef struct leaf {
    int step;
    double factor; /* 1 or -1 */
} leaf;

typedef struct place {
    lv_wide value, noise; /* |rounding error| is about 2^-53 * noise */
    lv_wide by[2];        /* partial derivatives by the operands */
    bool guess;           /* the value is arbitrary, or follows from an arbitrary one */
    /* the partial derivative is arbitrary, or follows from an arbitrary value */
    bool steep[2];
    bool lossy;   /* a sum has lost a summand, in this node or below */
    bool blurred; /* a partial derivative depends on a lossy sum */
} place;

struct lv_lie {
    int count, m;
    step *steps;
    place *places;
    lv_change *changes;
    leaf *leaves;
    int *formulas;
    lv_change *terms; /* scratch for the terms of one sum */
};

/* ---- sums ------------------------------------------------------------------------------ */

lv_change lv_change_scaled(lv_change x, lv_wide factor)
{
    if (lv_wide_is_zero(x.size) || lv_wide_is_zero(factor))
        return (lv_change){.guess = false};
    return (lv_change){lv_wide_mul(x.d, factor), lv_wide_mul(x.size, lv_wide_abs(factor)),
                       x.guess, x.blurred};
}

/* Terms that cancel become zero, or a guess if they may cancel because a summand was
 * lost. */
static lv_change drop_cancelled(lv_change x)
{
    if (!lv_wide_is_below(x.d, LV_LIE_TOLERANCE, x.size))
        return x;
    if (!x.blurred || lv_wide_is_zero(x.size))
        return (lv_change){.guess = false};
    const lv_wide unknown = lv_wide_mul(lv_wide_of(LV_LIE_TOLERANCE), x.size);
    return (lv_change){unknown, unknown, true, true};
}

static int by_decreasing_size(const void *a, const void *b)
{
    const lv_change *x = a, *y = b;
    return lv_wide_compare(y->size, x->size);
}

/* Whether a guess x makes the sum with y uncertain. It does not if it is far below the
 * accuracy that proofs need, 1e-7. */
static bool leaves_open(lv_change x, lv_change y)
{
    return x.guess && !lv_wide_is_below(x.size, 1e-8, lv_wide_abs(y.d));
}

static lv_change add_changes(lv_change x, lv_change y)
{
    if (lv_wide_is_zero(x.size) || lv_wide_is_zero(y.size))
        return lv_wide_is_zero(x.size) ? y : x;
    return (lv_change){lv_wide_add(x.d, y.d), lv_wide_add(x.size, y.size),
                       leaves_open(x, y) || leaves_open(y, x), x.blurred || y.blurred};
}

lv_change lv_change_sum(lv_change *terms, int count)
{
    lv_change total = {.guess = false};
    if (count > 1)
        qsort(terms, (size_t)count, sizeof *terms, by_decreasing_size);
    for (int k = 0; k < count; k++) {
        if (lv_wide_is_below(terms[k].size, LV_LIE_TOLERANCE, total.size))
            total = drop_cancelled(total);
        total = add_changes(total, terms[k]);
    }
    return drop_cancelled(total);
}

/* ---- creation -------------------------------------------------------------------------- */

typedef struct builder {
    lv_lie *lie;
    const lv_graph *graph;
    /* number of each node among the steps; at first, whether it is needed */
    int *number;
    int *uses;
    bool *sums; /* the last user of the node is a sum */
} builder;

static bool is_sum(lv_op op)
{
    return op == LV_OP_ADD || op == LV_OP_SUB || op == LV_OP_NEG;
}

static int count_needed(builder *b, const lv_node *f, int m)
{
    int count = 0;
    lv_node last = -1;
    for (int k = 0; k < m; k++) {
        b->number[f[k]] = 1;
        /* a formula counts as used more than once, so that it is not absorbed */
        b->uses[f[k]] = 2;
        last = f[k] > last ? f[k] : last;
    }
    for (lv_node i = last; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(b->graph, i);
        const lv_node operands[] = {d->a, d->b, d->c};
        const int arity = b->number[i] ? lv_op_arity(d->op) : 0;
        count += b->number[i];
        for (int k = 0; k < arity; k++) {
            b->number[operands[k]] = 1;
            b->uses[operands[k]]++;
            b->sums[operands[k]] = is_sum(d->op);
        }
    }
    return count;
}

static step step_of(const builder *b, lv_node i, lv_kinds kinds)
{
    const lv_node_data *d = lv_graph_node(b->graph, i);
    const int arity = lv_op_arity(d->op);
    step s = {.op = d->op, .constant = d->value, .moves = (kinds & moving) != 0};
    if (d->op == LV_OP_INPUT) {
        s.kind = d->a;
        s.index = d->b;
    } else if (d->op == LV_OP_SELECT) {
        s.condition = b->number[d->a];
        s.x[0] = b->number[d->b];
        s.x[1] = b->number[d->c];
    } else if (arity > 0) {
        s.x[0] = b->number[d->a];
        s.x[1] = arity > 1 ? b->number[d->b] : s.x[0];
    }
    s.absorbed = is_sum(d->op) && b->uses[i] == 1 && b->sums[i];
    return s;
}

/* Every operand of a sum that is not absorbed is a leaf of the outermost sum that
 * contains it. Leaves are first counted and then written; those of the largest node
 * numbers come first. */
static void find_leaves(builder *b, int *root, double *factor, bool write)
{
    lv_lie *lie = b->lie;
    for (int i = lie->count - 1; i >= 0; i--) {
        const step *s = &lie->steps[i];
        const int outermost = s->absorbed ? root[i] : i;
        const double own = s->absorbed ? factor[i] : 1;
        for (int k = 0; is_sum(s->op) && k < lv_op_arity(s->op); k++) {
            const bool minus = s->op == LV_OP_NEG || (s->op == LV_OP_SUB && k == 1);
            const int x = s->x[k];
            step *to = &lie->steps[outermost];
            if (lie->steps[x].absorbed) {
                root[x] = outermost;
                factor[x] = minus ? -own : own;
                continue;
            }
            if (write)
                lie->leaves[to->first_leaf + to->leaf_count] =
                    (leaf){x, minus ? -own : own};
            to->leaf_count++;
        }
    }
}

static lv_status make_leaves(builder *b, lv_error *err)
{
    lv_lie *lie = b->lie;
    const size_t count = (size_t)lie->count;
    int *root = lv_memory_zeroed(count, sizeof *root), most = 1, leaves = 0;
    double *factor = lv_memory_zeroed(count, sizeof *factor);
    if (root && factor) {
        find_leaves(b, root, factor, false);
        for (int i = 0; i < lie->count; i++) {
            step *s = &lie->steps[i];
            s->first_leaf = leaves;
            leaves += s->leaf_count;
            most = s->leaf_count > most ? s->leaf_count : most;
            s->leaf_count = 0;
        }
        lie->leaves = lv_memory_zeroed((size_t)leaves + 1, sizeof *lie->leaves);
        lie->terms = lv_memory_zeroed((size_t)most, sizeof *lie->terms);
        if (lie->leaves && lie->terms)
            find_leaves(b, root, factor, true);
    }
    lv_memory_free(root);
    lv_memory_free(factor);
    return lie->leaves && lie->terms ? LV_OK : lv_fail_memory(err);
}

static lv_status build_steps(builder *b, const lv_kinds *kinds, const lv_node *f, int m,
                             lv_error *err)
{
    lv_lie *lie = b->lie;
    const size_t count = (size_t)count_needed(b, f, m) + 1;
    lie->m = m;
    lie->steps = lv_memory_zeroed(count, sizeof *lie->steps);
    lie->places = lv_memory_zeroed(count, sizeof *lie->places);
    lie->changes = lv_memory_zeroed(count, sizeof *lie->changes);
    lie->formulas = lv_memory_zeroed((size_t)m + 1, sizeof *lie->formulas);
    if (!lie->steps || !lie->places || !lie->changes || !lie->formulas)
        return lv_fail_memory(err);
    for (lv_node i = 0; i < lv_graph_count(b->graph); i++) {
        if (!b->number[i])
            continue;
        lie->steps[lie->count] = step_of(b, i, kinds[i]);
        b->number[i] = lie->count++;
    }
    for (int k = 0; k < m; k++)
        lie->formulas[k] = b->number[f[k]];
    return make_leaves(b, err);
}

lv_status lv_lie_create(lv_lie **result, const lv_graph *graph, const lv_node *f, int m,
                        lv_error *err)
{
    const size_t count = (size_t)lv_graph_count(graph) + 1;
    builder b = {.graph = graph, .lie = lv_memory_zeroed(1, sizeof *b.lie)};
    lv_kinds *kinds = lv_memory_zeroed(count, sizeof *kinds);
    b.number = lv_memory_zeroed(count, sizeof *b.number);
    b.uses = lv_memory_zeroed(count, sizeof *b.uses);
    b.sums = lv_memory_zeroed(count, sizeof *b.sums);
    lv_status status = LV_ERR_MEMORY;
    if (b.lie && kinds && b.number && b.uses && b.sums) {
        lv_analyse_kinds(graph, kinds);
        status = build_steps(&b, kinds, f, m, err);
    } else {
        status = lv_fail_memory(err);
    }
    lv_memory_free(kinds);
    lv_memory_free(b.number);
    lv_memory_free(b.uses);
    lv_memory_free(b.sums);
    if (status != LV_OK) {
        lv_lie_free(b.lie);
        b.lie = NULL;
    }
    *result = b.lie;
    return status;
}

void lv_lie_free(lv_lie *lie)
{
    if (!lie)
        return;
    lv_memory_free(lie->steps);
    lv_memory_free(lie->places);
    lv_memory_free(lie->changes);
    lv_memory_free(lie->leaves);
    lv_memory_free(lie->formulas);
    lv_memory_free(lie->terms);
    lv_memory_free(lie);
}

/* ---- one node ---------------------------------------------------------------------------- */

/* Whether a summand is too small to affect the sum. cosh and sinh are sums as well. */
static bool loses(lv_op op, lv_wide a, lv_wide b)
{
    const double least = 10 * LV_LIE_TOLERANCE;
    if (op == LV_OP_COSH || op == LV_OP_SINH)
        return a.e > 0 || (a.e == 0 && exp(-2 * fabs(a.m)) < least);
    if ((op != LV_OP_ADD && op != LV_OP_SUB) || lv_wide_is_zero(a) || lv_wide_is_zero(b))
        return false;
    return lv_wide_is_below(a, least, lv_wide_abs(b)) ||
           lv_wide_is_below(b, least, lv_wide_abs(a));
}

/* Whether the derivative of an operation by operand k follows from an arbitrary value.
 * Products are linear in each of their factors: a constraint that vanishes may be divided
 * by a number. */
static bool is_steep(const step *s, const place *a, const place *b, bool guess, int k)
{
    switch ((int)s->op) {
    case LV_OP_ADD:
    case LV_OP_SUB:
    case LV_OP_NEG:
        return false;
    case LV_OP_MUL:
        return k == 0 ? b->guess : a->guess;
    case LV_OP_DIV:
        return b->guess || (k == 1 && (a->guess || guess));
    case LV_OP_SIN:
    case LV_OP_TAN:
    case LV_OP_ASIN:
    case LV_OP_ATAN:
    case LV_OP_SINH:
    case LV_OP_TANH:
    case LV_OP_EXP: /* their derivative is 1 near 0 */
        return a->guess && !lv_wide_is_below(a->value, 1e-8, lv_wide_of(1));
    default:
        return a->guess || b->guess || guess;
    }
}

static void place_slopes(const lv_lie *lie, const step *s, place *p)
{
    const place *a = &lie->places[s->x[0]], *b = &lie->places[s->x[1]];
    lv_wide_slopes(s->op, p->by, a->value, b->value, p->value);
    for (int k = 0; k < 2; k++) {
        p->steep[k] = is_steep(s, a, b, p->guess, k);
        if (!lie->steps[s->x[k]].moves)
            p->by[k] = lv_wide_of(0);
    }
    p->lossy = a->lossy || b->lossy || loses(s->op, a->value, b->value);
    p->blurred = !is_sum(s->op) && p->lossy;
}

/* The bound of a function that is bounded, else 0 */
static double limit_of(lv_op op)
{
    switch ((int)op) {
    case LV_OP_SIN:
    case LV_OP_COS:
    case LV_OP_TANH:
        return 1;
    case LV_OP_ATAN:
    case LV_OP_ATAN2:
        return 4;
    default:
        return 0;
    }
}

/* Sum of |by| times the noise of the operands, but at least the value itself */
static lv_wide noise_of(const lv_lie *lie, const step *s, const place *p)
{
    lv_wide sum = lv_wide_of(0);
    const double limit = limit_of(s->op);
    for (int k = 0; k < lv_op_arity(s->op) && k < 2; k++) {
        const lv_wide noise = lie->places[s->x[k]].noise, by = lv_wide_abs(p->by[k]);
        if (!lv_wide_is_zero(by) && !lv_wide_is_zero(noise))
            sum = lv_wide_add(sum, lv_wide_mul(by, noise));
    }
    if (is_sum(s->op)) /* also for operands that do not move */
        sum = lv_op_arity(s->op) == 1
                  ? lie->places[s->x[0]].noise
                  : lv_wide_add(lie->places[s->x[0]].noise, lie->places[s->x[1]].noise);
    if (limit > 0 && lv_wide_compare(sum, lv_wide_of(limit)) > 0)
        sum = lv_wide_of(limit);
    return lv_wide_compare(sum, lv_wide_abs(p->value)) > 0 ? sum : lv_wide_abs(p->value);
}

/* A number in [0.5, 1), different for every node and salt. */
static double arbitrary(int at, int salt)
{
    double whole;
    return 0.5 +
           0.5 * modf((at + 1) * 0.6180339887498949 + salt * 0.4142135623730951, &whole);
}

static void place_node(lv_lie *lie, int at, int salt)
{
    const step *s = &lie->steps[at];
    place *p = &lie->places[at];
    const place *a = &lie->places[s->x[0]], *b = &lie->places[s->x[1]];
    const bool finite = lv_wide_is_finite(a->value) && lv_wide_is_finite(b->value);
    p->value = finite ? lv_wide_value(s->op, a->value, b->value) : lv_wide_of(NAN);
    p->guess = a->guess || b->guess;
    p->noise = lv_wide_abs(p->value);
    if (!s->moves || !lv_wide_is_finite(p->value))
        return;
    place_slopes(lie, s, p);
    p->noise = noise_of(lie, s, p);
    if (lv_wide_is_zero(p->noise) ||
        !lv_wide_is_below(p->value, LV_LIE_TOLERANCE, p->noise))
        return;
    p->value = lv_wide_mul(lv_wide_of(LV_LIE_TOLERANCE * arbitrary(at, salt)), p->noise);
    p->noise = p->value;
    p->guess = true;
    place_slopes(lie, s, p);
}

/* A conditional takes the value of its taken branch; the other one may have no value. */
static void place_choice(lv_lie *lie, const step *s, place *p)
{
    const place *condition = &lie->places[s->condition];
    const int taken = condition->value.m != 0 ? 0 : 1;
    const place *branch = &lie->places[s->x[taken]];
    *p = (place){.value = branch->value,
                 .noise = branch->noise,
                 .guess = branch->guess,
                 .lossy = branch->lossy};
    p->by[taken] = lv_wide_of(1);
    if (!lv_wide_is_finite(condition->value))
        p->value = condition->value;
}

static void place_input(const step *s, place *p, const double *const *inputs)
{
    const bool is_input = s->op == LV_OP_INPUT;
    p->value = lv_wide_of(is_input ? inputs[s->kind][s->index] : s->constant);
    p->noise = lv_wide_abs(p->value);
}

bool lv_lie_place(lv_lie *lie, const double *const inputs[LV_INPUT_KINDS], int salt)
{
    for (int i = 0; i < lie->count; i++) {
        const step *s = &lie->steps[i];
        if (lv_op_arity(s->op) == 0)
            place_input(s, &lie->places[i], inputs);
        else if (s->op == LV_OP_SELECT)
            place_choice(lie, s, &lie->places[i]);
        else
            place_node(lie, i, salt);
    }
    for (int k = 0; k < lie->m; k++)
        if (!lv_wide_is_finite(lie->places[lie->formulas[k]].value))
            return false;
    return true;
}

/* ---- changes ----------------------------------------------------------------------------- */

static lv_change change_of_sum(lv_lie *lie, const step *s)
{
    int count = 0;
    for (int k = s->first_leaf; k < s->first_leaf + s->leaf_count; k++) {
        lv_change term = lie->changes[lie->leaves[k].step];
        if (lv_wide_is_zero(term.size))
            continue;
        term.d.m *= lie->leaves[k].factor;
        lie->terms[count++] = term;
    }
    return count == 1 ? lie->terms[0] : lv_change_sum(lie->terms, count);
}

static lv_change change_of_node(const lv_lie *lie, const step *s, const place *p)
{
    const int arity = lv_op_arity(s->op) > 1 ? 2 : 1;
    lv_change total = {.guess = false};
    for (int k = 0; k < arity; k++) {
        lv_change term = lv_change_scaled(lie->changes[s->x[k]], p->by[k]);
        term.guess = term.guess || (p->steep[k] && !lv_wide_is_zero(term.size));
        term.blurred = term.blurred || p->blurred;
        total = add_changes(total, term);
    }
    return drop_cancelled(total);
}

static lv_change change_of_input(const step *s, const lv_change *dq, const lv_change *dv,
                                 double dt)
{
    if (s->op == LV_OP_INPUT && s->kind == LV_INPUT_T && s->index == 0)
        return lv_change_of(dt);
    if (s->op == LV_OP_INPUT && s->kind == LV_INPUT_Q && dq)
        return dq[s->index];
    if (s->op == LV_OP_INPUT && s->kind == LV_INPUT_V && dv)
        return dv[s->index];
    return (lv_change){.guess = false};
}

void lv_lie_move(lv_lie *lie, const lv_change *dq, const lv_change *dv, double dt)
{
    for (int i = 0; i < lie->count; i++) {
        const step *s = &lie->steps[i];
        if (lv_op_arity(s->op) == 0)
            lie->changes[i] = change_of_input(s, dq, dv, dt);
        else if (!s->moves)
            lie->changes[i] = (lv_change){.guess = false};
        else if (is_sum(s->op) && !s->absorbed)
            lie->changes[i] = change_of_sum(lie, s);
        else if (!s->absorbed)
            lie->changes[i] = change_of_node(lie, s, &lie->places[i]);
    }
}

lv_change lv_lie_value(const lv_lie *lie, int k)
{
    const place *p = &lie->places[lie->formulas[k]];
    return (lv_change){p->value, p->noise, p->guess, false};
}

lv_change lv_lie_change(const lv_lie *lie, int k)
{
    return lie->changes[lie->formulas[k]];
}
