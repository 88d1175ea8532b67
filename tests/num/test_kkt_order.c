#include "check.h"
#include "deny.h"
#include "num/kkt_order.h"
#include "num/sparse_lu.h"
#include "saddle.h"
#include "suitesparse_memory.h"

#include <amd.h>
#include <string.h>

static int *order_of(const saddle *s)
{
    int *order = calloc((size_t)s->pattern.rows + 1, sizeof *order);
    assert_non_null(order);
    assert_int_equal(lv_kkt_order(order, &s->pattern, s->multiplier, NULL), LV_OK);
    return order;
}

static void is_permutation(const int *order, int n)
{
    bool *seen = calloc((size_t)n + 1, sizeof *seen);
    assert_non_null(seen);
    for (int k = 0; k < n; k++) {
        assert_in_range(order[k], 0, n - 1);
        assert_false(seen[order[k]]);
        seen[order[k]] = true;
    }
    free(seen);
}

/* Entries of L and U, and pivots off the diagonal, in the order given. */
static int fill_of(const saddle *s, const int *order, int *off_diagonal)
{
    const int n = s->pattern.rows;
    const lv_column_pattern a = {n, s->start, s->column}; /* the matrix is symmetric */
    lv_sparse_lu *lu;
    lv_pivots pivots;
    assert_int_equal(lv_sparse_lu_create(&lu, &a, order, 1e-3, (lv_fill){0, 0}, NULL),
                     LV_OK);
    assert_true(lv_sparse_lu_factor(lu, s->value, &pivots));
    const lv_fill fill = lv_sparse_lu_fill(lu);
    *off_diagonal = lv_sparse_lu_off_diagonal(lu);
    lv_sparse_lu_free(lu);
    return (int)(fill.lower + fill.upper) + 2 * n; /* with both diagonals */
}

/* The order that knows nothing of multipliers. */
static int *minimum_degree(const saddle *s)
{
    int *order = calloc((size_t)s->pattern.rows + 1, sizeof *order);
    assert_non_null(order);
    assert_int_equal(amd_order(s->pattern.rows, s->start, s->column, order, NULL, NULL),
                     AMD_OK);
    return order;
}

static void every_multiplier_follows_a_coordinate_of_its_row(const saddle *s,
                                                             const int *order)
{
    const int n = s->pattern.rows;
    int *place = calloc((size_t)n, sizeof *place);
    assert_non_null(place);
    for (int k = 0; k < n; k++)
        place[order[k]] = k;
    for (int i = 0; i < n; i++) {
        bool found = !s->multiplier[i];
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            found |= place[s->column[e]] < place[i];
        assert_true(found);
    }
    free(place);
}

static void kkt_order_of_a_chain_fills_linearly_on_the_diagonal(void **state)
{
    (void)state;
    static const int points[] = {1, 2, 10, 100, 1000};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        saddle s = saddle_chain(points[k]);
        int *order = order_of(&s), off_diagonal;
        is_permutation(order, s.pattern.rows);
        every_multiplier_follows_a_coordinate_of_its_row(&s, order);
        assert_true(fill_of(&s, order, &off_diagonal) < 12 * s.pattern.rows);
        assert_int_equal(off_diagonal, 0);
        free(order);
        saddle_free(&s);
    }
}

static void kkt_order_of_a_cloth_needs_less_fill_than_minimum_degree(void **state)
{
    (void)state;
    static const double waves[] = {0, 0.3};
    for (size_t k = 0; k < 2; k++) {
        saddle s = saddle_cloth(20, waves[k]);
        int *order = order_of(&s), *other = minimum_degree(&s), ours, its;
        is_permutation(order, s.pattern.rows);
        every_multiplier_follows_a_coordinate_of_its_row(&s, order);
        const int fill = fill_of(&s, order, &ours);
        assert_true(fill <= fill_of(&s, other, &its));
        assert_int_equal(ours, 0);
        free(other);
        free(order);
        saddle_free(&s);
    }
}

/* Links first, the one to the ground last: only a chain of exchanges matches them all. */
static void kkt_order_exchanges_matches_where_it_must(void **state)
{
    (void)state;
    enum { N = 50 };
    /* Unknown i < N is a coordinate; multiplier N + i has coordinates i and i + 1, the last
     * one only coordinate 0. */
    int start[2 * N + 1] = {0}, column[8 * N], count = 0;
    bool multiplier[2 * N];
    for (int i = 0; i < 2 * N; i++) {
        multiplier[i] = i >= N;
        for (int j = 0; j < 2 * N; j++) {
            const int c = i < N ? i : j, m = i < N ? j - N : i - N;
            bool there = i < N && i == j;
            if ((i < N) != (j < N))
                there = m == N - 1 ? c == 0 : (c == m || c == m + 1);
            if (there)
                column[count++] = j;
        }
        start[i + 1] = count;
    }
    const lv_pattern pattern = {2 * N, 2 * N, start, column};
    int order[2 * N];
    assert_int_equal(lv_kkt_order(order, &pattern, multiplier, NULL), LV_OK);
    is_permutation(order, 2 * N);
    /* A perfect match: coordinates and multipliers alternate. */
    for (int k = 0; k < 2 * N; k += 2) {
        const int c = order[k], r = order[k + 1] - N;
        assert_true(c < N && r >= 0);
        assert_true(r == N - 1 ? c == 0 : (c == r || c == r + 1));
    }
}

static void kkt_order_survives_redundant_and_empty_rows(void **state)
{
    (void)state;
    /* One coordinate, three multipliers, of which one has no entry at all. */
    static const int start[] = {0, 3, 4, 5, 5}, column[] = {0, 1, 2, 0, 0};
    static const bool multiplier[] = {false, true, true, true};
    const lv_pattern pattern = {4, 4, start, column};
    int order[4];
    assert_int_equal(lv_kkt_order(order, &pattern, multiplier, NULL), LV_OK);
    is_permutation(order, 4);
    static const int nothing[] = {0};
    const lv_pattern empty = {0, 0, nothing, NULL};
    assert_int_equal(lv_kkt_order(order, &empty, multiplier, NULL), LV_OK);
}

/* One constraint on all coordinates of a net of springs must not undo its order. */
static void kkt_order_is_not_spoilt_by_a_constraint_on_everything(void **state)
{
    (void)state;
    enum { SIDE = 20, N = SIDE * SIDE, STRIDE = 173 };
    saddle_list list = {calloc(12 * N, sizeof(saddle_entry)), 0};
    assert_non_null(list.data);
    for (int i = 0; i < N; i++) {
        /* Numbered so that neighbours are far apart. */
        const int a = i * STRIDE % N, right = (i + 1) * STRIDE % N;
        const int below = (i + SIDE) * STRIDE % N;
        saddle_put(&list, a, a, 5);
        saddle_put(&list, a, N, 1);
        saddle_put(&list, N, a, 1);
        if (i % SIDE < SIDE - 1) {
            saddle_put(&list, a, right, -1);
            saddle_put(&list, right, a, -1);
        }
        if (i + SIDE < N) {
            saddle_put(&list, a, below, -1);
            saddle_put(&list, below, a, -1);
        }
    }
    saddle s = saddle_compress(&list, N + 1, N);
    int *order = order_of(&s), off_diagonal;
    is_permutation(order, N + 1);
    const int fill = fill_of(&s, order, &off_diagonal);
    if (fill > 12000)
        fail_msg("%d entries", fill);
    free(order);
    saddle_free(&s);
}

static lv_status order_a_chain(void *user, lv_error *err)
{
    saddle *s = user;
    int order[80];
    return lv_kkt_order(order, &s->pattern, s->multiplier, err);
}

static void kkt_order_survives_denied_memory(void **state)
{
    (void)state;
    saddle s = saddle_chain(20);
    suitesparse_redirect(true);
    lv_deny_sweep(order_a_chain, &s);
    suitesparse_redirect(false);
    saddle_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(kkt_order_of_a_chain_fills_linearly_on_the_diagonal),
        RUN(kkt_order_of_a_cloth_needs_less_fill_than_minimum_degree),
        RUN(kkt_order_exchanges_matches_where_it_must),
        RUN(kkt_order_survives_redundant_and_empty_rows),
        RUN(kkt_order_is_not_spoilt_by_a_constraint_on_everything),
        RUN(kkt_order_survives_denied_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
