#include "fused/node_solve.h"

#include "base/memory.h"
#include "expr/analyse.h"

#include <math.h>
#include <string.h>

/* A pivot at the sample that is smaller than the terms it is computed from by this
 * factor counts as zero. */
#define LV_NODE_PIVOT 1e-4

typedef struct elimination {
    lv_arena scratch;
    /* NULL: only values are computed, and existing entries are node 0 */
    lv_graph *g;
    int n;
    lv_node *a, *b;
    const int *rank;
    const bool *self_measured;
    /* diagonal entries before unknowns of rank `level` were eliminated */
    lv_node *diagonal;
    int level;
    lv_node growth;
    lv_node_orders *orders;
    double *sizes; /* sizes of pivots, if only values are computed */
    /* value of each entry at the sample; without one, all entries are possible pivots */
    double *value;
    bool sampled;
    bool *fixed;    /* for each entry: it depends on parameters alone */
    double *before; /* largest term of each entry at the sample */
    int pivots;     /* how many there are so far */
    bool *row_done, *column_done;
    /* number of entries of each row in columns that are not done, and the other way
     * round */
    int *in_row, *in_column;
    int *row, *column; /* rows and columns of the pivots in their order */
    lv_node *inverse;  /* 1 / pivot, as the solution uses it */
    lv_node (*keep)(void *work, lv_node x, double value);
    void *work;
} elimination;

static size_t at(const elimination *e, int i, int j)
{
    return (size_t)i * (size_t)e->n + (size_t)j;
}

static bool is_there(const elimination *e, int i, int j)
{
    return e->a[at(e, i, j)] != LV_NODE_NONE;
}

/* ---- the sample -------------------------------------------------------------------- */

static int list_entries(const elimination *e, lv_node *nodes)
{
    int count = 0;
    for (size_t k = 0; k < (size_t)e->n * (size_t)e->n; k++)
        if (e->a[k] != LV_NODE_NONE)
            nodes[count++] = e->a[k];
    return count;
}

static void take_values(elimination *e, const double *values)
{
    for (size_t k = 0; k < (size_t)e->n * (size_t)e->n; k++)
        if (e->a[k] != LV_NODE_NONE)
            e->value[k] = *values++;
}

static lv_status evaluate(elimination *e, const double *const *sample, lv_error *err)
{
    const size_t entries = (size_t)e->n * (size_t)e->n;
    lv_node *nodes = lv_arena_alloc(&e->scratch, entries + 1, sizeof *nodes);
    double *values = lv_arena_alloc(&e->scratch, entries + 1, sizeof *values);
    lv_kinds *kinds =
        lv_arena_alloc(&e->scratch, (size_t)lv_graph_count(e->g) + 1, sizeof *kinds);
    if (!nodes || !values || !kinds)
        return lv_fail_memory(err);
    const int count = list_entries(e, nodes);
    e->sampled = sample != NULL;
    if (e->sampled)
        LV_TRY(lv_graph_evaluate(e->g, values, nodes, count, sample, err));
    take_values(e, values);
    lv_analyse_kinds(e->g, kinds);
    for (size_t k = 0; k < entries; k++)
        if (e->a[k] != LV_NODE_NONE)
            e->fixed[k] = (kinds[e->a[k]] & ~(LV_KIND(P) | LV_KIND(I))) == 0;
    return LV_OK;
}

/* ---- pivots ------------------------------------------------------------------------ */

static void count_entries(elimination *e)
{
    for (int i = 0; i < e->n; i++)
        for (int j = 0; j < e->n; j++)
            if (is_there(e, i, j)) {
                e->in_row[i]++;
                e->in_column[j]++;
            }
}

static int rank_of(const elimination *e, int i)
{
    return e->rank ? e->rank[i] : 0;
}

/* Unknowns of other ranks have other units, which must not decide about pivots. */
static double largest_of_row(const elimination *e, int i)
{
    double largest = 0;
    for (int j = 0; j < e->n; j++)
        if (!e->column_done[j] && rank_of(e, j) == rank_of(e, i) && is_there(e, i, j))
            largest = fmax(largest, fabs(e->value[at(e, i, j)]));
    return largest;
}

static int lowest_rank(const elimination *e)
{
    int lowest = -1;
    for (int i = 0; i < e->n; i++)
        if (!e->row_done[i] && (lowest < 0 || rank_of(e, i) < lowest))
            lowest = rank_of(e, i);
    return lowest;
}

/* Whether the entry is large enough for a pivot: relative to what its row has in unknowns
 * of its rank, and to the terms that it is computed from. */
static bool is_large(const elimination *e, int i, int j, double part)
{
    const double size = fabs(e->value[at(e, i, j)]);
    return !e->sampled || (size > 0 && size >= part * largest_of_row(e, i) &&
                           size >= LV_NODE_PIVOT * e->before[at(e, i, j)]);
}

/* Chooses the entry with the least fill-in; among equal ones, entries that depend on
 * parameters alone come first. Returns false if there is none. */
static bool choose(const elimination *e, bool diagonal, int *row, int *column)
{
    const double part = diagonal ? 1e-3 : 0.05;
    const int rank = lowest_rank(e);
    long least = 0;
    *row = -1;
    for (int i = 0; i < e->n; i++) {
        if (e->row_done[i] || rank_of(e, i) != rank)
            continue;
        const long others = e->in_row[i] - 1;
        for (int j = diagonal ? i : 0; j < (diagonal ? i + 1 : e->n); j++) {
            if (e->column_done[j] || rank_of(e, j) != rank || !is_there(e, i, j))
                continue;
            const long cost = 2 * others * (e->in_column[j] - 1) + !e->fixed[at(e, i, j)];
            if ((*row < 0 || cost < least) && is_large(e, i, j, part)) {
                least = cost;
                *row = i;
                *column = j;
            }
        }
    }
    return *row >= 0;
}

/* ---- elimination ------------------------------------------------------------------- */

static lv_node product(const elimination *e, lv_node a, lv_node b)
{
    return e->g ? lv_graph_mul(e->g, a, b) : 0;
}

/* a - b, where a may be LV_NODE_NONE for 0. */
static lv_node difference(const elimination *e, lv_node a, lv_node b)
{
    if (!e->g)
        return 0;
    return a == LV_NODE_NONE ? lv_graph_neg(e->g, b) : lv_graph_sub(e->g, a, b);
}

/* Entry (i, j) -= factor times entry (k, j). by: value of the factor; fixed: it depends
 * on parameters alone. */
static void subtract(elimination *e, int i, int j, int k, lv_node factor, double by,
                     bool fixed)
{
    lv_node *to = &e->a[at(e, i, j)];
    double *value = &e->value[at(e, i, j)], *before = &e->before[at(e, i, j)];
    const lv_node term = product(e, factor, e->a[at(e, k, j)]);
    const bool stays = fixed && e->fixed[at(e, k, j)];
    e->fixed[at(e, i, j)] = stays && (*to == LV_NODE_NONE || e->fixed[at(e, i, j)]);
    e->in_row[i] += *to == LV_NODE_NONE;
    e->in_column[j] += *to == LV_NODE_NONE;
    *to = difference(e, *to, term);
    *before = fmax(fmax(*before, fabs(*value)), fabs(by * e->value[at(e, k, j)]));
    *value -= by * e->value[at(e, k, j)];
}

/* A number of the factors, as the solution uses it. fixed: it depends on parameters
 * alone. */
static lv_node kept(const elimination *e, lv_node x, double value, bool fixed)
{
    return e->g && e->keep && !fixed ? e->keep(e->work, x, value) : x;
}

static void eliminate_row(elimination *e, int i, int k, int column, lv_node inverse)
{
    const lv_node factor = product(e, e->a[at(e, i, column)], inverse);
    const double by = e->value[at(e, i, column)] / e->value[at(e, k, column)];
    const bool fixed = e->fixed[at(e, i, column)] && e->fixed[at(e, k, column)];
    for (int j = 0; j < e->n; j++)
        if (!e->column_done[j] && j != column && is_there(e, k, j))
            subtract(e, i, j, k, factor, by, fixed);
    if (e->g) {
        const lv_node term = lv_graph_mul(e->g, kept(e, factor, by, fixed), e->b[k]);
        e->b[i] = lv_graph_sub(e->g, e->b[i], term);
    }
    e->a[at(e, i, column)] = LV_NODE_NONE;
    e->in_row[i]--;
}

static void add_growth(elimination *e, lv_node usual, lv_node inverse)
{
    const lv_node size =
        lv_graph_op(e->g, LV_OP_ABS, inverse, LV_NODE_NONE, LV_NODE_NONE);
    const lv_node growth = lv_graph_mul(e->g, usual, size);
    e->growth = e->growth == LV_NODE_NONE
                    ? growth
                    : lv_graph_op(e->g, LV_OP_MAX, e->growth, growth, LV_NODE_NONE);
}

/* Call before the first pivot of a rank is eliminated. */
static void note_diagonal(elimination *e, int rank)
{
    e->level = rank;
    for (int i = 0; i < e->n; i++)
        e->diagonal[i] = e->a[at(e, i, i)];
}

/* Adds the growth of pivot (i, j). Pivots that depend on parameters alone never change.
 * Returns false if memory is short. */
static bool note_growth(elimination *e, int i, int j, lv_node inverse)
{
    const double own = fabs(e->value[at(e, i, j)]);
    if (e->fixed[at(e, i, j)])
        return true;
    if (e->self_measured && e->self_measured[i] && i == j) {
        if (e->g)
            add_growth(
                e,
                lv_graph_op(e->g, LV_OP_ABS, e->diagonal[i], LV_NODE_NONE, LV_NODE_NONE),
                inverse);
        return true;
    }
    if (!e->g) {
        *e->sizes++ = own;
        return true;
    }
    add_growth(e, lv_graph_input(e->g, LV_INPUT_Y, e->orders->sizes.count), inverse);
    return LV_PUSH(e->orders->sizes, own);
}

static lv_node invert(const elimination *e, lv_node pivot)
{
    const lv_node one = e->g ? lv_graph_const(e->g, 1) : 0;
    return e->g ? lv_graph_div(e->g, one, pivot) : 0;
}

static lv_status eliminate(elimination *e, lv_error *err)
{
    const int step = e->pivots++;
    int i, j;
    if (!choose(e, true, &i, &j) && !choose(e, false, &i, &j))
        return lv_fail(err, LV_ERR_NUMERIC, "the matrix is singular");
    const lv_node inverse = invert(e, e->a[at(e, i, j)]);
    if (step == 0 || rank_of(e, i) != e->level)
        note_diagonal(e, rank_of(e, i));
    e->row[step] = i;
    e->column[step] = j;
    e->inverse[step] = kept(e, inverse, 1 / e->value[at(e, i, j)], e->fixed[at(e, i, j)]);
    e->row_done[i] = true;
    for (int k = 0; k < e->n; k++)
        e->in_column[k] -= is_there(e, i, k);
    if (!note_growth(e, i, j, e->inverse[step]))
        return lv_fail_memory(err);
    for (int r = 0; r < e->n; r++)
        if (!e->row_done[r] && is_there(e, r, j))
            eliminate_row(e, r, i, j, inverse);
    e->column_done[j] = true;
    return LV_OK;
}

/* Back substitution, from the last pivot to the first one. x has the unknowns that were
 * not eliminated; column[] lists them behind the others. */
static void substitute(elimination *e, lv_node *x)
{
    for (int step = e->pivots - 1; step >= 0; step--) {
        const int i = e->row[step], pivot = e->column[step];
        lv_node sum = e->b[i];
        for (int later = step + 1; later < e->n; later++) {
            const int j = e->column[later];
            if (!is_there(e, i, j))
                continue;
            const lv_node entry =
                kept(e, e->a[at(e, i, j)], e->value[at(e, i, j)], e->fixed[at(e, i, j)]);
            const lv_node term = lv_graph_mul(e->g, entry, x[j]);
            sum = lv_graph_sub(e->g, sum, term);
        }
        x[pivot] = lv_graph_mul(e->g, sum, e->inverse[step]);
    }
}

/* ---- all of it --------------------------------------------------------------------- */

static bool make_room(elimination *e)
{
    const size_t n = (size_t)e->n + 1, entries = n * n;
    e->value = lv_arena_alloc(&e->scratch, entries, sizeof *e->value);
    e->fixed = lv_arena_alloc(&e->scratch, entries, sizeof *e->fixed);
    e->before = lv_arena_alloc(&e->scratch, entries, sizeof *e->before);
    e->row_done = lv_arena_alloc(&e->scratch, n, sizeof *e->row_done);
    e->column_done = lv_arena_alloc(&e->scratch, n, sizeof *e->column_done);
    e->row = lv_arena_alloc(&e->scratch, n, sizeof *e->row);
    e->column = lv_arena_alloc(&e->scratch, n, sizeof *e->column);
    e->in_row = lv_arena_alloc(&e->scratch, n, sizeof *e->in_row);
    e->in_column = lv_arena_alloc(&e->scratch, n, sizeof *e->in_column);
    e->inverse = lv_arena_alloc(&e->scratch, n, sizeof *e->inverse);
    e->diagonal = lv_arena_alloc(&e->scratch, n, sizeof *e->diagonal);
    return e->value && e->fixed && e->before && e->row_done && e->column_done && e->row &&
           e->column && e->in_row && e->in_column && e->inverse && e->diagonal;
}

/* Copies the entries before the elimination; keep_order adds the pivots. */
static lv_status keep_entries(const elimination *e, lv_node_order *order, lv_error *err)
{
    lv_arena *arena = &e->orders->arena;
    const size_t n = (size_t)e->n, entries = n * n;
    *order = (lv_node_order){
        .n = e->n,
        .a = lv_arena_copy(arena, e->a, entries, sizeof *e->a),
        .sizes = e->orders->sizes.count,
        .fixed = lv_arena_copy(arena, e->fixed, entries, sizeof *e->fixed)};
    for (size_t k = 0; k < entries; k++)
        order->entries += e->a[k] != LV_NODE_NONE;
    if (e->rank)
        order->rank = lv_arena_copy(arena, e->rank, n, sizeof *e->rank);
    if (e->self_measured)
        order->self_measured =
            lv_arena_copy(arena, e->self_measured, n, sizeof *e->self_measured);
    return order->a && order->fixed && (order->rank || !e->rank) &&
                   (order->self_measured || !e->self_measured)
               ? LV_OK
               : lv_fail_memory(err);
}

static lv_status keep_order(const elimination *e, lv_node_order *order, lv_error *err)
{
    const size_t n = (size_t)e->pivots;
    order->pivots = e->pivots;
    order->sizes = e->orders->sizes.count - order->sizes;
    order->row = lv_arena_copy(&e->orders->arena, e->row, n, sizeof *e->row);
    order->column = lv_arena_copy(&e->orders->arena, e->column, n, sizeof *e->column);
    return order->row && order->column && LV_PUSH(e->orders->list, *order)
               ? LV_OK
               : lv_fail_memory(err);
}

/* Eliminates the unknowns up to a rank; negative: all of them. */
static lv_status eliminate_all(elimination *e, const double *const *sample, int last_rank,
                               lv_error *err)
{
    lv_node_order order = {0};
    if (!make_room(e))
        return lv_fail_memory(err);
    LV_TRY(evaluate(e, sample, err));
    if (e->orders->kept)
        LV_TRY(keep_entries(e, &order, err));
    count_entries(e);
    while (e->pivots < e->n && (last_rank < 0 || lowest_rank(e) <= last_rank))
        LV_TRY(eliminate(e, err));
    return e->orders->kept ? keep_order(e, &order, err) : LV_OK;
}

static elimination elimination_of(const lv_node_system *s)
{
    return (elimination){.g = s->graph,
                         .n = s->n,
                         .a = s->a,
                         .b = s->b,
                         .rank = s->rank,
                         .self_measured = s->self_measured,
                         .growth = s->growth,
                         .orders = s->orders,
                         .keep = s->keep,
                         .work = s->work};
}

/* Solves a system as it is. */
static lv_status solve_plainly(lv_node_system *s, lv_error *err)
{
    elimination e = elimination_of(s);
    lv_node *x = lv_arena_alloc(&e.scratch, (size_t)e.n + 1, sizeof *x);
    lv_status status = x ? eliminate_all(&e, s->sample, -1, err) : lv_fail_memory(err);
    if (status == LV_OK) {
        substitute(&e, x);
        memcpy(s->b, x, (size_t)e.n * sizeof *x);
    }
    s->growth = e.growth;
    lv_arena_done(&e.scratch);
    return status == LV_OK ? lv_graph_check(s->graph, err) : status;
}

/* ---- forms ------------------------------------------------------------------------- */

/* Solves a system of vectors and multipliers in a form with more unknowns. *more: how
 * many. */
static lv_status solve_rewritten(lv_node_system *s, lv_node_form form, int *more,
                                 lv_error *err)
{
    lv_arena arena = {0};
    lv_node_system x = *s;
    lv_status status = lv_node_rewrite(&x, form, &arena, err);
    *more = x.n - s->n;
    if (status == LV_OK)
        status = solve_plainly(&x, err);
    if (status == LV_OK)
        memcpy(s->b, x.b, (size_t)s->n * sizeof *x.b);
    s->growth = x.growth;
    lv_arena_done(&arena);
    return status;
}

/* ---- defined unknowns -------------------------------------------------------------- */

/* The unknowns that an elimination has left, as a system of their own. unknown: which they
 * are, and so are their equations, since pivots stay in their rank. */
static lv_status make_rest(const elimination *e, const lv_node_system *s,
                           lv_node_system *rest, int *unknown, lv_arena *arena,
                           lv_error *err)
{
    const int n = e->n - e->pivots;
    const size_t size = (size_t)n + 1;
    lv_node *a = lv_arena_alloc(arena, size * size, sizeof *a);
    lv_node *b = lv_arena_alloc(arena, size, sizeof *b);
    int *rank = lv_arena_alloc(arena, size, sizeof *rank);
    bool *self = lv_arena_alloc(arena, size, sizeof *self);
    if (!a || !b || !rank || !self)
        return lv_fail_memory(err);
    for (int i = 0, count = 0; i < e->n; i++)
        if (!e->column_done[i])
            unknown[count++] = i;
    for (int i = 0; i < n; i++) {
        b[i] = e->b[unknown[i]];
        rank[i] = e->rank[unknown[i]] - 1;
        self[i] = e->self_measured && e->self_measured[unknown[i]];
        for (int j = 0; j < n; j++)
            a[(ptrdiff_t)i * n + j] = e->a[at(e, unknown[i], unknown[j])];
    }
    *rest = *s;
    rest->n = n;
    rest->a = a;
    rest->b = b;
    rest->rank = rank;
    rest->self_measured = e->self_measured ? self : NULL;
    rest->growth = e->growth;
    return LV_OK;
}

/* Eliminates the defined unknowns, of rank 0, and solves for the others in a form with
 * more unknowns. */
static lv_status solve_rest(elimination *e, lv_node_system *s, lv_node_form form,
                            int *more, lv_error *err)
{
    lv_node_system rest = {.n = 0};
    const size_t size = (size_t)e->n + 1;
    lv_node *x = lv_arena_alloc(&e->scratch, size, sizeof *x);
    int *unknown = lv_arena_alloc(&e->scratch, size, sizeof *unknown);
    if (!x || !unknown)
        return lv_fail_memory(err);
    LV_TRY(eliminate_all(e, s->sample, 0, err));
    LV_TRY(make_rest(e, s, &rest, unknown, &e->scratch, err));
    LV_TRY(solve_rewritten(&rest, form, more, err));
    s->growth = rest.growth;
    for (int k = 0; k < rest.n; k++) {
        e->column[e->pivots + k] = unknown[k];
        x[unknown[k]] = rest.b[k];
    }
    substitute(e, x);
    memcpy(s->b, x, (size_t)e->n * sizeof *x);
    return lv_graph_check(s->graph, err);
}

/* ---- any form ---------------------------------------------------------------------- */

/* Solves a system as it is; defined unknowns and other vectors have the same rank. */
static lv_status solve_in_one(elimination *e, lv_node_system *s, lv_error *err)
{
    lv_node_system x = *s;
    int *rank = lv_arena_copy(&e->scratch, s->rank, (size_t)s->n, sizeof *rank);
    if (!rank)
        return lv_fail_memory(err);
    for (int k = 0; k < s->n; k++)
        rank[k] = rank[k] > 0 ? rank[k] - 1 : 0;
    x.rank = rank;
    LV_TRY(solve_plainly(&x, err));
    s->growth = x.growth;
    return LV_OK;
}

lv_status lv_node_solve_as(lv_node_system *s, lv_node_form form, int *more, lv_error *err)
{
    *more = 0;
    if (!s->rank)
        return solve_plainly(s, err);
    elimination e = elimination_of(s);
    const lv_status status = form == LV_NODE_PLAIN ? solve_in_one(&e, s, err)
                                                   : solve_rest(&e, s, form, more, err);
    lv_arena_done(&e.scratch);
    return status;
}

void lv_node_orders_done(lv_node_orders *orders)
{
    LV_ARRAY_FREE(orders->list);
    LV_ARRAY_FREE(orders->sizes);
    lv_arena_done(&orders->arena);
}

/* ---- the same for other numbers ---------------------------------------------------- */

static bool holds(elimination *e, const lv_node_order *order, const double *values)
{
    const size_t entries = (size_t)e->n * (size_t)e->n;
    e->a = lv_arena_copy(&e->scratch, order->a, entries, sizeof *e->a);
    if (!e->a || !make_room(e))
        return false;
    memcpy(e->fixed, order->fixed, entries * sizeof *e->fixed);
    e->sampled = true;
    take_values(e, values);
    count_entries(e);
    for (int step = 0; step < order->pivots; step++)
        if (eliminate(e, NULL) != LV_OK || e->row[step] != order->row[step] ||
            e->column[step] != order->column[step])
            return false;
    return true;
}

bool lv_node_order_holds(const lv_node_order *order, const double *values, double *sizes)
{
    elimination e = {.n = order->n,
                     .rank = order->rank,
                     .self_measured = order->self_measured,
                     .sizes = sizes};
    const bool same = holds(&e, order, values);
    lv_arena_done(&e.scratch);
    return same;
}
