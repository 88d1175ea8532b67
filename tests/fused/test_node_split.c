/* Systems of formulas of two points that a spring and a rod join: rewritten ones have the
 * same solutions. */
#include "../support/check.h"

#include "fused/node_solve.h"
#include "fused/node_split.h"

#include <math.h>
#include <string.h>

enum { POINTS = 2, SPACE = 3, VECTORS = POINTS * SPACE, N = VECTORS + 1 };

static const double here[VECTORS] = {0.3, -0.2, 0.7, 1.1, 0.4, -0.5};
static const double elsewhere[VECTORS] = {-0.8, 0.9, 0.1, 0.2, -1.3, 0.6};

typedef struct pair_system {
    lv_graph *g;
    lv_node a[N * N], b[N];
    int rank[N];
    lv_node_orders orders;
    lv_node_system s;
} pair_system;

static lv_node difference(lv_graph *g, int k)
{
    const lv_node p = lv_graph_input(g, LV_INPUT_Q, k),
                  q = lv_graph_input(g, LV_INPUT_Q, SPACE + k);
    return lv_graph_sub(g, q, p);
}

/* 1/2 |d|^2 + 2/5 d_i^2 on the diagonal of a block: the same product occurs twice. */
static lv_node block_entry(lv_graph *g, int i, int j)
{
    const lv_node di = difference(g, i), dj = difference(g, j);
    const lv_node product = lv_graph_mul(g, di, dj), c = lv_graph_const(g, 0.4);
    lv_node entry = lv_graph_mul(g, c, product);
    for (int k = 0; k < SPACE && i == j; k++) {
        const lv_node square = lv_graph_square(g, difference(g, k)),
                      half = lv_graph_const(g, 0.5), term = lv_graph_mul(g, half, square);
        entry = lv_graph_add(g, entry, term);
    }
    return entry;
}

static void fill(pair_system *x)
{
    lv_graph *g = x->g;
    for (int i = 0; i < VECTORS; i++) {
        const lv_node d = difference(g, i % SPACE), minus = lv_graph_neg(g, d);
        for (int j = 0; j < VECTORS; j++) {
            const lv_node entry = block_entry(g, i % SPACE, j % SPACE);
            const bool same = i / SPACE == j / SPACE;
            lv_node *to = &x->a[i * N + j];
            *to = same ? entry : lv_graph_neg(g, entry);
            if (i == j)
                *to = lv_graph_add(g, *to, lv_graph_const(g, 2 + i / SPACE));
        }
        x->a[i * N + VECTORS] = i < SPACE ? minus : d;
        x->a[VECTORS * N + i] = i < SPACE ? minus : d;
        x->b[i] = lv_graph_input(g, LV_INPUT_Q, (i * 5) % VECTORS);
        x->rank[i] = 1;
    }
    x->a[N * N - 1] = LV_NODE_NONE;
    x->b[VECTORS] = lv_graph_const(g, 0.3);
    x->rank[VECTORS] = 2;
}

static void begin(pair_system *x)
{
    static const double *const sample[LV_INPUT_KINDS] = {[LV_INPUT_Q] = here};
    memset(x, 0, sizeof *x);
    x->g = lv_graph_create(0);
    assert_non_null(x->g);
    fill(x);
    x->s = (lv_node_system){.graph = x->g,
                            .n = N,
                            .a = x->a,
                            .b = x->b,
                            .rank = x->rank,
                            .sample = sample,
                            .growth = LV_NODE_NONE,
                            .orders = &x->orders};
}

static void end(pair_system *x)
{
    lv_node_orders_done(&x->orders);
    lv_graph_free(x->g);
}

static void values_of(const pair_system *x, const lv_node *nodes, int count,
                      const double *q, double *values)
{
    const double *const inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    lv_error err;
    for (int k = 0; k < count; k++) {
        values[k] = 0;
        if (nodes[k] != LV_NODE_NONE)
            assert_int_equal(
                lv_graph_evaluate(x->g, &values[k], &nodes[k], 1, inputs, &err), LV_OK);
    }
}

static double largest_residual(const pair_system *x, const lv_node *a, const lv_node *b,
                               const double *q)
{
    double matrix[N * N], right[N], solution[N], worst = 0;
    values_of(x, a, N * N, q, matrix);
    values_of(x, b, N, q, right);
    values_of(x, x->b, N, q, solution);
    for (int i = 0; i < N; i++) {
        double sum = -right[i];
        for (int j = 0; j < N; j++)
            sum += matrix[i * N + j] * solution[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void solutions_are_those_of_the_system(void **state)
{
    (void)state;
    pair_system x;
    lv_node a[N * N], b[N];
    lv_error err;
    begin(&x);
    memcpy(a, x.a, sizeof a);
    memcpy(b, x.b, sizeof b);
    assert_int_equal(lv_node_solve(&x.s, &err), LV_OK);
    assert_true(largest_residual(&x, a, b, here) < 1e-14);
    assert_true(largest_residual(&x, a, b, elsewhere) < 1e-14);
    end(&x);
}

/* One number of the spring; for each direction a force and a difference. */
static void terms_and_pairs_become_unknowns(void **state)
{
    (void)state;
    static const int unknowns[LV_NODE_FORMS] = {N, N + 1, N + 1 + 2 * SPACE};
    for (int form = 0; form < LV_NODE_FORMS; form++) {
        pair_system x;
        lv_arena arena = {0};
        lv_error err;
        begin(&x);
        for (int k = 0; k < N; k++)
            x.rank[k]--;
        assert_int_equal(lv_node_rewrite(&x.s, (lv_node_form)form, &arena, &err), LV_OK);
        assert_int_equal(x.s.n, unknowns[form]);
        lv_arena_done(&arena);
        end(&x);
    }
}

/* ---- other matrices ---------------------------------------------------------------- */

enum { MOST = 8 };

static const double numbers[] = {0.3,  -0.2, 0.7, 1.1, 0.4, -0.5, -0.8, 0.9, 0.1,
                                 -1.3, 0.6,  0.8, 0.2, 1.4, -0.9, 0.5,  1.2, -0.6};

static void add_product(lv_graph *g, lv_node *to, int u, int w)
{
    const lv_node a = lv_graph_input(g, LV_INPUT_Q, u),
                  b = lv_graph_input(g, LV_INPUT_Q, w), term = lv_graph_mul(g, a, b);
    *to = *to == LV_NODE_NONE ? term : lv_graph_add(g, *to, term);
}

/* A system of n unknowns with numbers on its diagonal for vectors; the last one may be a
 * multiplier. */
static lv_node_system begin_other(lv_node *a, lv_node *b, int *rank, int n,
                                  bool multiplier)
{
    lv_graph *g = lv_graph_create(0);
    assert_non_null(g);
    for (int k = 0; k < n * n; k++)
        a[k] = LV_NODE_NONE;
    for (int i = 0; i < n; i++) {
        rank[i] = multiplier && i == n - 1;
        b[i] = lv_graph_const(g, 1);
        if (!rank[i])
            a[i * n + i] = lv_graph_const(g, 3 + i);
    }
    return (lv_node_system){
        .graph = g, .n = n, .a = a, .b = b, .rank = rank, .growth = LV_NODE_NONE};
}

/* Rewrites a system. New unknowns have 1 on the diagonal: without them the old matrix has to come out. */
static void assert_same_matrix(lv_node_system *s, lv_node_form form)
{
    static const double *const inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = numbers};
    const int n = s->n;
    double old[MOST * MOST] = {0}, now[30 * 30] = {0};
    lv_arena arena = {0};
    lv_error err;
    for (int k = 0; k < n * n; k++)
        if (s->a[k] != LV_NODE_NONE)
            assert_int_equal(
                lv_graph_evaluate(s->graph, &old[k], &s->a[k], 1, inputs, &err), LV_OK);
    assert_int_equal(lv_node_rewrite(s, form, &arena, &err), LV_OK);
    assert_in_range(s->n, n + 1, 30);
    for (int k = 0; k < s->n * s->n; k++)
        if (s->a[k] != LV_NODE_NONE)
            assert_int_equal(
                lv_graph_evaluate(s->graph, &now[k], &s->a[k], 1, inputs, &err), LV_OK);
    for (int k = s->n - 1; k >= n; k--)
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
                now[i * s->n + j] -= now[i * s->n + k] * now[k * s->n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_close(now[i * s->n + j], old[i * n + j], 1e-15);
    lv_arena_done(&arena);
    lv_graph_free(s->graph);
}

/* A multiplier may act on several vectors with the same entry, as a rod between a + b and c does. */
static void each_vector_has_one_partner(void **state)
{
    (void)state;
    static const int signs[][4] = {
        {1, -1, 0, 0}, {1, 1, -1, 0}, {1, -1, -1, 0}, {1, -1, 1, -1}, {1, 1, -1, -1}};
    enum { CASES = sizeof signs / sizeof *signs, SIZE = 5 };
    for (int k = 0; k < CASES; k++) {
        lv_node a[SIZE * SIZE], b[SIZE];
        int rank[SIZE];
        lv_node_system s = begin_other(a, b, rank, SIZE, true);
        const lv_node d = lv_graph_input(s.graph, LV_INPUT_Q, 0);
        for (int i = 0; i < SIZE - 1; i++)
            if (signs[k][i] != 0)
                a[i * SIZE + SIZE - 1] = a[(SIZE - 1) * SIZE + i] =
                    signs[k][i] > 0 ? d : lv_graph_neg(s.graph, d);
        assert_same_matrix(&s, LV_NODE_PAIRS);
    }
}

/* The second set of terms has a term that keeps the first set from being found until it is taken. */
static void sets_of_terms_may_cross(void **state)
{
    (void)state;
    enum { SIZE = 7 };
    static const int rows[2][3] = {{0, 1, 2}, {0, 3, 6}},
                     columns[2][3] = {{0, 4, 5}, {1, 2, 3}},
                     u[2][3] = {{0, 1, 2}, {6, 9, 10}}, w[2][3] = {{3, 4, 5}, {0, 7, 8}};
    lv_node a[SIZE * SIZE], b[SIZE];
    int rank[SIZE];
    lv_node_system s = begin_other(a, b, rank, SIZE, false);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                add_product(s.graph, &a[rows[k][i] * SIZE + columns[k][j]], u[k][i],
                            w[k][j]);
    assert_same_matrix(&s, LV_NODE_TERMS);
}

/* Entries of multipliers have other units than those of vectors. */
static void units_of_multipliers_decide_nothing(void **state)
{
    (void)state;
    static const double *const inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = numbers};
    lv_node a[9], b[3];
    int rank[3];
    lv_error err;
    lv_node_orders orders = {0};
    lv_node_system s = begin_other(a, b, rank, 3, true);
    const lv_node d = lv_graph_input(s.graph, LV_INPUT_Q, 0);
    for (int i = 0; i < 2; i++) {
        a[4 * i] = lv_graph_mul(s.graph, lv_graph_const(s.graph, 1e-6), d);
        a[3 * i + 2] = a[6 + i] = d;
        rank[i] = 1;
    }
    rank[2] = 2;
    s.sample = inputs;
    s.orders = &orders;
    assert_int_equal(lv_node_solve(&s, &err), LV_OK);
    lv_node_orders_done(&orders);
    lv_graph_free(s.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_system),
        cmocka_unit_test(terms_and_pairs_become_unknowns),
        cmocka_unit_test(each_vector_has_one_partner),
        cmocka_unit_test(sets_of_terms_may_cross),
        cmocka_unit_test(units_of_multipliers_decide_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
