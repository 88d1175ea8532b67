#include "step/node_solve.h"

#include "base/memory.h"
#include "expr/analyse.h"

#include <math.h>

/* Pivots of the sample that are smaller than their terms by this factor are as good as singular. */
#define LV_NODE_PIVOT 1e-4

typedef struct elimination {
    lv_node_system *s;
    lv_graph *g;
    int n;
    double *value;  /* of each entry at the sample */
    bool *fixed;    /* does the entry depend on parameters alone? */
    double *before; /* the largest term of each entry there */
    bool *row_done, *column_done;
    int *row, *column; /* pivots in their order */
    lv_node *inverse;  /* 1 / pivot */
} elimination;

static size_t at(const elimination *e, int i, int j)
{
    return (size_t)i * (size_t)e->n + (size_t)j;
}

static bool is_there(const elimination *e, int i, int j)
{
    return e->s->a[at(e, i, j)] != LV_NODE_NONE;
}

/* ---- the sample ------------------------------------------------------------------------------------------- */

static lv_status evaluate(elimination *e, lv_error *err)
{
    const size_t entries = (size_t)e->n * (size_t)e->n;
    lv_arena scratch = {0};
    lv_node *nodes = lv_arena_alloc(&scratch, entries + 1, sizeof *nodes);
    double *values = lv_arena_alloc(&scratch, entries + 1, sizeof *values);
    lv_kinds *kinds =
        lv_arena_alloc(&scratch, (size_t)lv_graph_count(e->g) + 1, sizeof *kinds);
    int count = 0;
    lv_status status = nodes && values && kinds ? LV_OK : lv_fail_memory(err);
    for (size_t k = 0; status == LV_OK && k < entries; k++)
        if (e->s->a[k] != LV_NODE_NONE)
            nodes[count++] = e->s->a[k];
    if (status == LV_OK)
        status = lv_graph_evaluate(e->g, values, nodes, count, e->s->sample, err);
    if (status == LV_OK)
        lv_analyse_kinds(e->g, kinds);
    count = 0;
    for (size_t k = 0; status == LV_OK && k < entries; k++)
        if (e->s->a[k] != LV_NODE_NONE) {
            e->fixed[k] = (kinds[e->s->a[k]] & ~(LV_KIND(P) | LV_KIND(I))) == 0;
            e->value[k] = values[count++];
        }
    lv_arena_done(&scratch);
    return status;
}

/* ---- pivots ----------------------------------------------------------------------------------------------- */

static int entries_of_row(const elimination *e, int i)
{
    int count = 0;
    for (int j = 0; j < e->n; j++)
        count += !e->column_done[j] && is_there(e, i, j);
    return count;
}

static int entries_of_column(const elimination *e, int j)
{
    int count = 0;
    for (int i = 0; i < e->n; i++)
        count += !e->row_done[i] && is_there(e, i, j);
    return count;
}

static double largest_of_row(const elimination *e, int i)
{
    double largest = 0;
    for (int j = 0; j < e->n; j++)
        if (!e->column_done[j] && is_there(e, i, j))
            largest = fmax(largest, fabs(e->value[at(e, i, j)]));
    return largest;
}

static int rank_of(const elimination *e, int i)
{
    return e->s->rank ? e->s->rank[i] : 0;
}

static int lowest_rank(const elimination *e)
{
    int lowest = -1;
    for (int i = 0; i < e->n; i++)
        if (!e->row_done[i] && (lowest < 0 || rank_of(e, i) < lowest))
            lowest = rank_of(e, i);
    return lowest;
}

/* Is the entry large enough in its row, relative to what was there before anything was eliminated? */
static bool is_large(const elimination *e, int i, int j, double part)
{
    const double size = fabs(e->value[at(e, i, j)]);
    return size > 0 && size >= part * largest_of_row(e, i) &&
           size >= LV_NODE_PIVOT * e->before[at(e, i, j)];
}

/* The entry that makes the least fill; those that never change come first. */
static bool choose(const elimination *e, bool diagonal, int *row, int *column)
{
    const double part = diagonal ? 1e-3 : 0.05;
    const int rank = lowest_rank(e);
    long least = 0;
    *row = -1;
    for (int i = 0; i < e->n; i++) {
        if (e->row_done[i] || rank_of(e, i) != rank)
            continue;
        const long others = entries_of_row(e, i) - 1;
        for (int j = diagonal ? i : 0; j < (diagonal ? i + 1 : e->n); j++) {
            if (e->column_done[j] || rank_of(e, j) != rank || !is_there(e, i, j) ||
                !is_large(e, i, j, part))
                continue;
            const long cost =
                2 * others * (entries_of_column(e, j) - 1) + !e->fixed[at(e, i, j)];
            if (*row < 0 || cost < least) {
                least = cost;
                *row = i;
                *column = j;
            }
        }
    }
    return *row >= 0;
}

/* ---- elimination ------------------------------------------------------------------------------------------- */

/* Entry (i, j) -= factor times entry (k, j). */
static void subtract(elimination *e, int i, int j, int k, lv_node factor, double by,
                     bool fixed)
{
    lv_node *to = &e->s->a[at(e, i, j)];
    double *value = &e->value[at(e, i, j)], *before = &e->before[at(e, i, j)];
    const lv_node term = lv_graph_mul(e->g, factor, e->s->a[at(e, k, j)]);
    const bool stays = fixed && e->fixed[at(e, k, j)];
    e->fixed[at(e, i, j)] = stays && (*to == LV_NODE_NONE || e->fixed[at(e, i, j)]);
    *to = *to == LV_NODE_NONE ? lv_graph_neg(e->g, term) : lv_graph_sub(e->g, *to, term);
    *before = fmax(fmax(*before, fabs(*value)), fabs(by * e->value[at(e, k, j)]));
    *value -= by * e->value[at(e, k, j)];
}

static void eliminate_row(elimination *e, int i, int k, int column, lv_node inverse)
{
    const lv_node factor = lv_graph_mul(e->g, e->s->a[at(e, i, column)], inverse);
    const double by = e->value[at(e, i, column)] / e->value[at(e, k, column)];
    const bool fixed = e->fixed[at(e, i, column)] && e->fixed[at(e, k, column)];
    for (int j = 0; j < e->n; j++)
        if (!e->column_done[j] && j != column && is_there(e, k, j))
            subtract(e, i, j, k, factor, by, fixed);
    const lv_node term = lv_graph_mul(e->g, factor, e->s->b[k]);
    e->s->b[i] = lv_graph_sub(e->g, e->s->b[i], term);
    e->s->a[at(e, i, column)] = LV_NODE_NONE;
}

/* Pivots of parameters alone are as good as they were when the system was created. */
static void note_growth(elimination *e, int i, int j, lv_node inverse)
{
    if (e->fixed[at(e, i, j)])
        return;
    const lv_node size =
        lv_graph_op(e->g, LV_OP_ABS, inverse, LV_NODE_NONE, LV_NODE_NONE);
    const lv_node usual = lv_graph_const(e->g, fabs(e->value[at(e, i, j)]));
    const lv_node growth = lv_graph_mul(e->g, usual, size);
    e->s->growth = e->s->growth == LV_NODE_NONE
                       ? growth
                       : lv_graph_op(e->g, LV_OP_MAX, e->s->growth, growth, LV_NODE_NONE);
}

static bool eliminate(elimination *e, int step)
{
    int i, j;
    if (!choose(e, true, &i, &j) && !choose(e, false, &i, &j))
        return false;
    const lv_node one = lv_graph_const(e->g, 1);
    const lv_node inverse = lv_graph_div(e->g, one, e->s->a[at(e, i, j)]);
    e->row[step] = i;
    e->column[step] = j;
    e->inverse[step] = inverse;
    e->row_done[i] = true;
    note_growth(e, i, j, inverse);
    for (int r = 0; r < e->n; r++)
        if (!e->row_done[r] && is_there(e, r, j))
            eliminate_row(e, r, i, j, inverse);
    e->column_done[j] = true;
    return true;
}

/* The solution, from the last pivot to the first one. */
static void substitute(elimination *e, lv_node *x)
{
    for (int step = e->n - 1; step >= 0; step--) {
        const int i = e->row[step], pivot = e->column[step];
        lv_node sum = e->s->b[i];
        for (int later = step + 1; later < e->n; later++) {
            const int j = e->column[later];
            if (!is_there(e, i, j))
                continue;
            const lv_node term = lv_graph_mul(e->g, e->s->a[at(e, i, j)], x[j]);
            sum = lv_graph_sub(e->g, sum, term);
        }
        x[pivot] = lv_graph_mul(e->g, sum, e->inverse[step]);
    }
}

static lv_status solve(elimination *e, lv_node *x, lv_error *err)
{
    LV_TRY(evaluate(e, err));
    for (int step = 0; step < e->n; step++)
        if (!eliminate(e, step))
            return lv_fail(err, LV_ERR_NUMERIC, "the matrix is singular");
    substitute(e, x);
    for (int k = 0; k < e->n; k++)
        e->s->b[k] = x[k];
    return lv_graph_check(e->g, err);
}

lv_status lv_node_solve(lv_node_system *s, lv_error *err)
{
    lv_arena scratch = {0};
    const size_t n = (size_t)s->n + 1, entries = n * n;
    elimination e = {.s = s,
                     .g = s->graph,
                     .n = s->n,
                     .value = lv_arena_alloc(&scratch, entries, sizeof *e.value),
                     .fixed = lv_arena_alloc(&scratch, entries, sizeof *e.fixed),
                     .before = lv_arena_alloc(&scratch, entries, sizeof *e.before),
                     .row_done = lv_arena_alloc(&scratch, n, sizeof *e.row_done),
                     .column_done = lv_arena_alloc(&scratch, n, sizeof *e.column_done),
                     .row = lv_arena_alloc(&scratch, n, sizeof *e.row),
                     .column = lv_arena_alloc(&scratch, n, sizeof *e.column),
                     .inverse = lv_arena_alloc(&scratch, n, sizeof *e.inverse)};
    lv_node *x = lv_arena_alloc(&scratch, n, sizeof *x);
    lv_status status = e.value && e.fixed && e.before && e.row_done && e.column_done &&
                               e.row && e.column && e.inverse && x
                           ? LV_OK
                           : lv_fail_memory(err);
    if (status == LV_OK)
        status = solve(&e, x, err);
    lv_arena_done(&scratch);
    return status;
}
