/* The orders are permutations, the fill that is told is that of elimination, and it is small where it can be. */
#include <amd.h>
#include <colamd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

typedef struct graph {
    int n;
    bool edge[MOST][MOST];
} graph;

static void join(graph *g, int i, int j)
{
    g->edge[i][j] = g->edge[j][i] = true;
}

static void assert_permutation(const int *order, int n)
{
    bool seen[MOST] = {false};
    for (int k = 0; k < n; k++) {
        assert_in_range(order[k], 0, n - 1);
        assert_false(seen[order[k]]);
        seen[order[k]] = true;
    }
}

/* Entries below the diagonal after elimination in this order, one unknown after the other. */
static int count_fill(graph g, const int *order)
{
    bool gone[MOST] = {false};
    int entries = 0;
    for (int k = 0; k < g.n; k++) {
        const int pivot = order[k];
        gone[pivot] = true;
        for (int i = 0; i < g.n; i++) {
            if (gone[i] || !g.edge[pivot][i])
                continue;
            entries++;
            for (int j = 0; j < g.n; j++)
                if (j != i && !gone[j] && g.edge[pivot][j])
                    join(&g, i, j);
        }
    }
    return entries;
}

/* Orders, holds the answer to what elimination gives, and returns the entries. */
static int order_graph(const graph *g)
{
    int start[MOST + 1] = {0}, index[MOST * MOST], order[MOST], count = 0;
    double info[AMD_INFO];
    for (int j = 0; j < g->n; j++) {
        for (int i = 0; i < g->n; i++)
            if (g->edge[j][i] || i == j)
                index[count++] = i;
        start[j + 1] = count;
    }
    assert_int_equal(amd_order(g->n, start, index, order, NULL, info), AMD_OK);
    assert_permutation(order, g->n);
    const int entries = count_fill(*g, order);
    assert_int_equal((int)info[AMD_LNZ], entries);
    return entries;
}

static void orders_of_trees_have_no_fill(void **state)
{
    (void)state;
    graph g = {.n = MOST};
    for (int k = 1; k < MOST; k++)
        join(&g, k, (k * 7 + 3) % k);
    assert_int_equal(order_graph(&g), MOST - 1);
}

static void orders_of_stars_take_the_middle_last(void **state)
{
    (void)state;
    graph g = {.n = MOST};
    for (int k = 1; k < MOST; k++)
        join(&g, 0, k);
    assert_int_equal(order_graph(&g), MOST - 1);
}

/* In rows an 8 x 8 grid has 63 + 7 * 49 entries or so; minimum degree has fewer. */
static void orders_of_grids_save_fill(void **state)
{
    (void)state;
    graph g = {.n = MOST};
    int rows[MOST];
    for (int k = 0; k < MOST; k++) {
        rows[k] = k;
        if (k % 8 > 0)
            join(&g, k, k - 1);
        if (k >= 8)
            join(&g, k, k - 8);
    }
    assert_true(order_graph(&g) < 0.8 * count_fill(g, rows));
}

static void orders_of_random_graphs_tell_their_fill(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 50; round++) {
        graph g = {.n = 1 + round % MOST};
        for (int k = 0; k < 2 * g.n; k++) {
            seed = seed * 1664525U + 1013904223U;
            const int i = (int)(seed >> 16) % g.n, j = (int)(seed >> 8 & 0xFFFF) % g.n;
            if (i != j)
                join(&g, i, j);
        }
        (void)order_graph(&g);
    }
}

/* An arrow: in A^T A the dense row joins all columns; without it the dense column comes last. */
static void column_orders_are_permutations(void **state)
{
    (void)state;
    enum { N = 20 };
    int work[200], order[N + 1], stats[COLAMD_STATS], count = 0;
    for (int j = 0; j < N; j++) {
        order[j] = count;
        for (int i = 0; i < N; i++)
            if (i == j || j == 0)
                work[count++] = i;
    }
    order[N] = count;
    assert_true(colamd_recommended(count, N, N) <= 200);
    assert_true(colamd(N, N, 200, work, order, NULL, stats));
    assert_permutation(order, N);
    /* With one other left, both are as good. */
    assert_true(order[N - 1] == 0 || order[N - 2] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_trees_have_no_fill),
        cmocka_unit_test(orders_of_stars_take_the_middle_last),
        cmocka_unit_test(orders_of_grids_save_fill),
        cmocka_unit_test(orders_of_random_graphs_tell_their_fill),
        cmocka_unit_test(column_orders_are_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
