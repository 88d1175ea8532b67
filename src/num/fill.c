/* Row k of the Cholesky factor of a symmetric matrix has its entries at the nodes on the
 * paths from each neighbour i < k up the elimination tree to k (Liu 1990). The tree is
 * built along the way: a root that a path meets gets k as its parent.
 *
 * For A^T A, which is not formed, the columns that share a row are neighbours of each
 * other, and so lie on one path. It is enough to go from the first of them. */
#include "num/fill.h"

#include "base/arena.h"
#include "num/adjacency.h"

#include <limits.h>
#include <stdbool.h>

enum { NONE = -1 };

typedef struct tree {
    int n;
    int *parent;
    int *mark; /* the last step at which a walk visited the node */
} tree;

static bool plant(tree *t, lv_arena *arena, int n)
{
    t->n = n;
    t->parent = lv_arena_alloc(arena, (size_t)n, sizeof(int));
    t->mark = lv_arena_alloc(arena, (size_t)n, sizeof(int));
    for (int k = 0; k < n && t->parent && t->mark; k++)
        t->parent[k] = t->mark[k] = NONE;
    return t->parent && t->mark;
}

/* Walks from node i up to k; returns the number of nodes below k that no walk has visited
 * at this step. */
static int walk(tree *t, int i, int k)
{
    int met = 0;
    t->mark[k] = k;
    for (; t->mark[i] != k; i = t->parent[i]) {
        t->mark[i] = k;
        met++;
        if (t->parent[i] == NONE)
            t->parent[i] = k;
    }
    return met;
}

static lv_status count_on_diagonal(lv_fill *fill, lv_arena *arena,
                                   const lv_column_pattern *a, const int *order,
                                   lv_error *err)
{
    const lv_pattern pattern = {a->n, a->n, a->start, a->row,
                                false}; /* the pattern of A^T, which has the same graph */
    lv_adjacency graph;
    tree t;
    LV_TRY(lv_adjacency_build(&graph, arena, &pattern, err));
    int *place = lv_arena_alloc(arena, (size_t)a->n, sizeof *place);
    if (!place || !plant(&t, arena, a->n))
        return lv_fail_memory(err);
    for (int k = 0; k < a->n; k++)
        place[order[k]] = k;
    for (int k = 0; k < a->n && fill->upper <= INT_MAX; k++)
        for (int e = graph.start[order[k]]; e < graph.start[order[k] + 1]; e++)
            if (place[graph.neighbour[e]] < k)
                fill->upper += walk(&t, place[graph.neighbour[e]], k);
    fill->lower = fill->upper;
    return LV_OK;
}

/* Bounds the entries of L: at each step they are the candidate rows except the pivot.
 * Candidates are the rows that begin there (`waiting` has their number on entry) and
 * those left by its children. */
static long long count_lower(const tree *t, int *waiting)
{
    long long lower = 0;
    for (int k = 0; k < t->n; k++) {
        const int left = waiting[k] > 0 ? waiting[k] - 1 : 0;
        lower += left;
        if (t->parent[k] != NONE)
            waiting[t->parent[k]] += left;
    }
    return lower;
}

static lv_status count_bound(lv_fill *fill, lv_arena *arena, const lv_column_pattern *a,
                             const int *order, long long most, lv_error *err)
{
    const size_t n = (size_t)a->n;
    tree t;
    int *first =
        lv_arena_alloc(arena, n, sizeof *first); /* step of a row's first column */
    int *waiting = lv_arena_alloc(arena, n, sizeof *waiting);
    if (!first || !waiting || !plant(&t, arena, a->n))
        return lv_fail_memory(err);
    for (int i = 0; i < a->n; i++)
        first[i] = NONE;
    for (int k = 0; k < a->n && fill->upper <= most; k++)
        for (int e = a->start[order[k]]; e < a->start[order[k] + 1]; e++) {
            const int row = a->row[e];
            if (first[row] == NONE) {
                first[row] = k;
                waiting[k]++;
            } else {
                fill->upper += walk(&t, first[row], k);
            }
        }
    if (fill->upper > most)
        *fill = (lv_fill){most, most};
    else
        fill->lower = count_lower(&t, waiting);
    return LV_OK;
}

lv_status lv_fill_on_diagonal(lv_fill *fill, const lv_column_pattern *a, const int *order,
                              lv_error *err)
{
    lv_arena arena = {0};
    *fill = (lv_fill){0, 0};
    const lv_status status = count_on_diagonal(fill, &arena, a, order, err);
    lv_arena_done(&arena);
    return status;
}

lv_status lv_fill_bound(lv_fill *fill, const lv_column_pattern *a, const int *order,
                        long long most, lv_error *err)
{
    lv_arena arena = {0};
    *fill = (lv_fill){0, 0};
    const lv_status status = count_bound(fill, &arena, a, order, most, err);
    lv_arena_done(&arena);
    return status;
}
