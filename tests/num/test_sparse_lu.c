/* Sparse LU against exact elimination, and what it reserves against what it needs. */
#include "num/sparse_lu.h"

#include "deny.h"
#include "linear_cases.h"
#include "num/fill.h"
#include "requests.h"
#include "saddle.h"

#include <float.h>

/* The transposed pattern of a matrix: its compressed columns, and its values there. */
typedef struct columns {
    int start[MOST + 1], row[MOST * MOST];
    double value[MOST * MOST];
    lv_column_pattern pattern;
} columns;

static columns sample_columns;

static const lv_column_pattern *take_columns(void)
{
    columns *c = &sample_columns;
    const int n = sample.pattern.rows;
    int count = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            for (int e = sample.start[i]; e < sample.start[i + 1]; e++)
                if (sample.column[e] == j) {
                    c->row[count] = i;
                    c->value[count++] = sample.value[e];
                }
        c->start[j + 1] = count;
    }
    c->pattern = (lv_column_pattern){n, c->start, c->row};
    return &c->pattern;
}

static const lv_fill no_room = {0, 0};
static const long long EVERYTHING = 1LL << 40;

static lv_fill bound_of(const lv_column_pattern *a, const int *order)
{
    lv_fill bound;
    assert_int_equal(lv_fill_bound(&bound, a, order, EVERYTHING, NULL), LV_OK);
    return bound;
}

static lv_sparse_lu *make_lu(const lv_column_pattern *a, const int *order,
                             double tolerance, lv_fill room)
{
    lv_sparse_lu *lu;
    lv_error err;
    if (lv_sparse_lu_create(&lu, a, order, tolerance, room, &err) != LV_OK)
        fail_msg("%s", err.text);
    return lu;
}

/* ---- a matrix [M, G^T; G, 0] at random, multipliers anywhere ------------------------ */

static void random_saddle(uint64_t *seed, int n, int multipliers)
{
    int name[MOST];
    lv_random_order(seed, name, n);
    memset(sample.dense, 0, sizeof sample.dense);
    const int coordinates = n - multipliers;
    for (int i = 0; i < coordinates; i++)
        sample.dense[name[i] * n + name[i]] = lv_random_between(seed, 1, 2);
    for (int m = 0; m < multipliers; m++)
        for (int e = 0; e < 4; e++) {
            const int i = e == 0 ? m : lv_random_below(seed, coordinates);
            const double g = lv_random_between(seed, 0.2, 1) * (e % 2 ? 1 : -1);
            const int a = name[i], b = name[coordinates + m];
            sample.dense[a * n + b] = sample.dense[b * n + a] = g;
        }
    take_pattern(n);
}

/* ---- solutions ---------------------------------------------------------------------- */

static void check_against_exact(lv_sparse_lu *lu, double tolerance)
{
    const int n = sample.pattern.rows;
    double b[MOST], x[MOST];
    long double exact[MOST];
    for (int i = 0; i < n; i++)
        x[i] = b[i] = sin(i + 1);
    lv_sparse_lu_solve(lu, x);
    const double condition = eliminate_exactly(exact, sample.dense, b, n);
    for (int i = 0; i < n; i++)
        assert_close(x[i], (double)exact[i], tolerance * condition);
}

static void solutions_are_those_of_exact_elimination(void **state)
{
    (void)state;
    uint64_t seed = 1;
    static const double tolerances[] = {1, 0.1, 1e-3};
    for (int round = 0; round < 150; round++) {
        const int n = 1 + lv_random_below(&seed, 60);
        int order[MOST];
        lv_pivots pivots;
        if (round % 3 == 2 && n > 8)
            random_saddle(&seed, n, n / 3);
        else
            random_matrix(&seed, n, lv_random_between(&seed, 0, 0.3));
        lv_random_order(&seed, order, n);
        const lv_column_pattern *a = take_columns();
        const double tolerance = tolerances[round % 3];
        lv_sparse_lu *lu = make_lu(a, order, tolerance, bound_of(a, order));
        assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
        assert_above(pivots.worst, 1e-12);
        check_against_exact(lu, tolerance < 0.01 ? 1e-11 : 1e-13);
        lv_sparse_lu_free(lu);
    }
}

/* Every factor computed again has the bits of the first time, with the same values and, as long
 * as the same rows are chosen, with others. */
static void refactoring_gives_the_bits_of_factoring(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int round = 0; round < 60; round++) {
        const int n = 2 + lv_random_below(&seed, 60);
        int order[MOST];
        double first[MOST], again[MOST];
        lv_pivots pivots, other;
        random_matrix(&seed, n, 0.15);
        for (int i = 0; i < n; i++)
            sample.dense[i * n + i] = 4 * n; /* the diagonal serves, whatever comes */
        take_pattern(n);
        lv_random_order(&seed, order, n);
        const lv_column_pattern *a = take_columns();
        lv_sparse_lu *old = make_lu(a, order, 1e-3, bound_of(a, order));
        lv_sparse_lu *fresh = make_lu(a, order, 1e-3, bound_of(a, order));
        assert_true(lv_sparse_lu_factor(old, sample_columns.value, &pivots));
        for (int turn = 0; turn < 3; turn++) {
            assert_true(lv_sparse_lu_refactor(old, sample_columns.value, &pivots));
            assert_true(lv_sparse_lu_factor(fresh, sample_columns.value, &other));
            assert_true(pivots.worst == other.worst);
            assert_int_equal(pivots.column, other.column);
            for (int i = 0; i < n; i++)
                first[i] = again[i] = cos(i);
            lv_sparse_lu_solve(old, again);
            lv_sparse_lu_solve(fresh, first);
            assert_memory_equal(first, again, (size_t)n * sizeof *first);
            for (int e = 0; e < a->start[n]; e++)
                sample_columns.value[e] *= lv_random_between(&seed, 0.8, 1.2);
        }
        lv_sparse_lu_free(old);
        lv_sparse_lu_free(fresh);
    }
}

/* ---- pivots --------------------------------------------------------------------------- */

static void the_diagonal_is_preferred_as_far_as_the_tolerance_goes(void **state)
{
    (void)state;
    static const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, order[] = {0, 1};
    const lv_column_pattern a = {2, start, row};
    const double values[] = {1, 100, 1, 1};
    lv_pivots pivots;
    lv_sparse_lu *lu = make_lu(&a, order, 0.009, bound_of(&a, order));
    assert_true(lv_sparse_lu_factor(lu, values, &pivots));
    assert_int_equal(lv_sparse_lu_off_diagonal(lu), 0);
    assert_close(pivots.worst, 0.01, 1e-15); /* the first pivot, 1 of 100 */
    assert_int_equal(pivots.column, 0);
    assert_close(pivots.growth, 1.0 / 99, 1e-15);
    lv_sparse_lu_free(lu);

    lu = make_lu(&a, order, 0.011, bound_of(&a, order));
    assert_true(lv_sparse_lu_factor(lu, values, &pivots));
    assert_int_equal(lv_sparse_lu_off_diagonal(lu), 2);
    assert_close(pivots.worst, 0.99, 1e-15); /* 1 - 1/100 */
    assert_int_equal(pivots.column, 1);
    assert_close(pivots.growth, 1, 1e-15);
    lv_sparse_lu_free(lu);
}

/* Pivots on the diagonal, each just large enough, let entries grow a hundredfold per row. */
static void growth_is_that_of_the_entries(void **state)
{
    (void)state;
    enum { N = 7 };
    int order[N];
    lv_pivots pivots;
    memset(sample.dense, 0, sizeof sample.dense);
    for (int i = 0; i < N; i++) {
        order[i] = i;
        sample.dense[i * N + i] = 0.01;
        sample.dense[i * N + N - 1] = i < N - 1 ? 1 : 0.5;
        if (i > 0)
            sample.dense[i * N + i - 1] = 1;
    }
    take_pattern(N);
    const lv_column_pattern *a = take_columns();
    lv_sparse_lu *lu = make_lu(a, order, 1e-3, bound_of(a, order));
    assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
    assert_int_equal(lv_sparse_lu_off_diagonal(lu), 0);
    /* u_i = 1 - 100 u_(i-1), u_0 = 1; the last one from 0.5. */
    double u = 1, largest = 1;
    for (int i = 1; i < N; i++) {
        u = (i < N - 1 ? 1 : 0.5) - 100 * u;
        largest = fmax(largest, fabs(u));
    }
    assert_close(pivots.growth * largest, 1, 1e-12);
    lv_sparse_lu_free(lu);
}

static void pivots_that_shrink_are_not_used_again(void **state)
{
    (void)state;
    static const int start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, order[] = {0, 1};
    const lv_column_pattern a = {2, start, row};
    double values[] = {1, 1, -1, 1};
    lv_pivots pivots;
    lv_sparse_lu *lu = make_lu(&a, order, 1e-3, bound_of(&a, order));
    assert_false(lv_sparse_lu_refactor(lu, values, &pivots)); /* never chosen */
    assert_true(lv_sparse_lu_factor(lu, values, &pivots));
    values[0] = 1.1e-3;
    assert_true(lv_sparse_lu_refactor(lu, values, &pivots));
    assert_close(pivots.worst, 1.1e-3, 1e-15);
    values[0] = 0.9e-3;
    assert_false(lv_sparse_lu_refactor(lu, values, &pivots));
    assert_true(lv_sparse_lu_factor(lu, values, &pivots));
    assert_int_equal(lv_sparse_lu_off_diagonal(lu), 2);
    double x[] = {0.9e-3 - 2, 1 + 2}; /* of (1, 2) */
    lv_sparse_lu_solve(lu, x);
    assert_close(x[0], 1, 1e-15);
    assert_close(x[1], 2, 1e-15);
    lv_sparse_lu_free(lu);
}

/* ---- singular ------------------------------------------------------------------------- */

/* Nothing but the unknown to blame remains, and the next matrix is none the worse for it. */
static void singular_matrices_name_a_column(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 120; round++) {
        const int n = 3 + lv_random_below(&seed, 40), bad = lv_random_below(&seed, n);
        int order[MOST];
        double good[MOST * MOST];
        lv_pivots pivots;
        random_matrix(&seed, n, 0.2);
        lv_random_order(&seed, order, n);
        const lv_column_pattern *a = take_columns();
        memcpy(good, sample_columns.value, sizeof good);
        lv_sparse_lu *lu = make_lu(a, order, round % 2 ? 1 : 1e-3, bound_of(a, order));
        if (round % 4 < 2) {
            assert_true(lv_sparse_lu_factor(lu, good, &pivots));
            for (int e = a->start[bad]; e < a->start[bad + 1]; e++)
                sample_columns.value[e] = 0;
            assert_false(lv_sparse_lu_refactor(lu, sample_columns.value, &pivots));
        } else {
            sample_columns.value[a->start[bad]] = round % 4 == 2 ? NAN : INFINITY;
        }
        assert_false(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
        assert_true(pivots.worst == 0);
        assert_int_equal(pivots.column, bad);
        double x[MOST], kept[MOST];
        for (int i = 0; i < n; i++)
            x[i] = kept[i] = i;
        lv_sparse_lu_solve(lu, x); /* there is nothing to solve with */
        assert_memory_equal(x, kept, (size_t)n * sizeof *x);
        assert_true(lv_sparse_lu_factor(lu, good, &pivots));
        check_against_exact(lu, 1e-10);
        lv_sparse_lu_free(lu);
    }
}

/* Values that are not finite are found when the rows stay, too, wherever they are. */
static void refactoring_notices_what_is_not_finite(void **state)
{
    (void)state;
    uint64_t seed = 4;
    random_matrix(&seed, 12, 0.2);
    int order[MOST];
    lv_pivots pivots;
    lv_random_order(&seed, order, 12);
    const lv_column_pattern *a = take_columns();
    for (int e = 0; e < a->start[12]; e++) {
        lv_sparse_lu *lu = make_lu(a, order, 1e-3, bound_of(a, order));
        const double good = sample_columns.value[e];
        assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
        sample_columns.value[e] = e % 2 ? NAN : INFINITY;
        assert_false(lv_sparse_lu_refactor(lu, sample_columns.value, &pivots));
        assert_false(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
        sample_columns.value[e] = good;
        assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
        check_against_exact(lu, 1e-10);
        lv_sparse_lu_free(lu);
    }
}

/* Columns 1 and 2 share their only row. */
static void structurally_singular_matrices_are_found_out(void **state)
{
    (void)state;
    static const int start[] = {0, 2, 3, 4}, row[] = {0, 1, 2, 2}, order[] = {0, 1, 2};
    const lv_column_pattern a = {3, start, row};
    const double values[] = {1, 2, 3, 4};
    lv_pivots pivots;
    lv_sparse_lu *lu = make_lu(&a, order, 1e-3, bound_of(&a, order));
    assert_false(lv_sparse_lu_factor(lu, values, &pivots));
    assert_true(pivots.worst == 0);
    assert_int_equal(pivots.column, 2);
    lv_sparse_lu_free(lu);

    static const int empty[] = {0, 0}, first[] = {0};
    const lv_column_pattern nothing = {1, empty, row};
    lu = make_lu(&nothing, first, 1e-3, no_room);
    assert_false(lv_sparse_lu_factor(lu, values, &pivots));
    assert_int_equal(pivots.column, 0);
    lv_sparse_lu_free(lu);
}

static void the_smallest_matrices_are_solved(void **state)
{
    (void)state;
    static const int none[] = {0}, start[] = {0, 1}, row[] = {0}, order[] = {0};
    const lv_column_pattern empty = {0, none, row}, one = {1, start, row};
    const double value = -4;
    double x = 2;
    lv_pivots pivots;
    lv_sparse_lu *lu = make_lu(&empty, order, 1, bound_of(&empty, order));
    assert_true(lv_sparse_lu_factor(lu, &value, &pivots));
    assert_true(lv_sparse_lu_refactor(lu, &value, &pivots));
    lv_sparse_lu_solve(lu, &x);
    assert_true(x == 2);
    lv_sparse_lu_free(lu);
    lu = make_lu(&one, order, 1, bound_of(&one, order));
    assert_true(lv_sparse_lu_factor(lu, &value, &pivots));
    assert_true(lv_sparse_lu_refactor(lu, &value, &pivots));
    assert_true(pivots.worst == 1 && pivots.growth == 1);
    lv_sparse_lu_solve(lu, &x);
    assert_true(x == -0.5);
    lv_sparse_lu_free(lu);
}

/* ---- room ----------------------------------------------------------------------------- */

/* A pattern at random, often with a full row or column, that need not be regular. */
static void random_pattern(uint64_t *seed, int n)
{
    const double density = lv_random_between(seed, 0, 4.0 / n);
    const int row = lv_random_below(seed, 3 * n), column = lv_random_below(seed, 3 * n);
    const bool diagonal = lv_random_below(seed, 2) == 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sample.dense[i * n + j] = lv_random_between(seed, 0, 1) < density ||
                                      i == row || j == column || (diagonal && i == j);
    take_pattern(n);
}

/* Values that make one row after another the pivot: anything from 1e-6 to 1. */
static void random_values(uint64_t *seed, int entries)
{
    for (int e = 0; e < entries; e++)
        sample_columns.value[e] =
            pow(10, lv_random_between(seed, -6, 0)) * (lv_random_below(seed, 2) ? 1 : -1);
}

static void no_choice_of_rows_needs_more_than_the_bound(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int factored = 0, tight = 0;
    lv_memory_set_hook(counting_resize);
    for (int round = 0; round < 1500; round++) {
        const int n = 1 + lv_random_below(&seed, 40);
        int order[MOST];
        random_pattern(&seed, n);
        lv_random_order(&seed, order, n);
        const lv_column_pattern *a = take_columns();
        const lv_fill bound = bound_of(a, order);
        lv_sparse_lu *lu = make_lu(a, order, round % 2 ? 1 : 1e-3, bound);
        const long before = requests;
        for (int turn = 0; turn < 5; turn++) {
            lv_pivots pivots;
            random_values(&seed, a->start[n]);
            if (!lv_sparse_lu_factor(lu, sample_columns.value, &pivots))
                continue;
            const lv_fill fill = lv_sparse_lu_fill(lu);
            assert_true(fill.lower <= bound.lower && fill.upper <= bound.upper);
            factored++;
            tight += n > 10 && fill.lower == bound.lower;
        }
        assert_int_equal(requests, before);
        lv_sparse_lu_free(lu);
    }
    lv_memory_set_hook(NULL);
    assert_true(factored > 2000 && tight > 100);
}

/* The factors of A + A^T, known from elimination on the diagonal. */
static void fill_on_the_diagonal_is_known_in_advance(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int round = 0; round < 200; round++) {
        const int n = 1 + lv_random_below(&seed, 40);
        int order[MOST];
        lv_fill usual;
        lv_pivots pivots;
        random_pattern(&seed, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) /* symmetric, each value different */
                if (sample.dense[i * n + j] != 0 || sample.dense[j * n + i] != 0) {
                    sample.dense[i * n + j] = lv_random_between(&seed, -1, 1);
                    sample.dense[j * n + i] = lv_random_between(&seed, -1, 1);
                }
        for (int i = 0; i < n; i++)
            sample.dense[i * n + i] = 2 * n;
        take_pattern(n);
        lv_random_order(&seed, order, n);
        const lv_column_pattern *a = take_columns();
        assert_int_equal(lv_fill_on_diagonal(&usual, a, order, NULL), LV_OK);
        lv_sparse_lu *lu = make_lu(a, order, 1e-3, usual);
        assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
        assert_int_equal(lv_sparse_lu_off_diagonal(lu), 0);
        const lv_fill fill = lv_sparse_lu_fill(lu);
        assert_true(fill.lower == usual.lower && fill.upper == usual.upper);
        lv_sparse_lu_free(lu);
    }
}

/* An arrow that points the wrong way fills everything, the right way nothing. */
static void fill_of_an_arrow_depends_on_the_order(void **state)
{
    (void)state;
    enum { N = 30 };
    int forth[N], back[N];
    lv_fill fill;
    for (int i = 0; i < N; i++) {
        forth[i] = i;
        back[i] = N - 1 - i;
        for (int j = 0; j < N; j++)
            sample.dense[i * N + j] = i == j || i == 0 || j == 0;
    }
    take_pattern(N);
    const lv_column_pattern *a = take_columns();
    assert_int_equal(lv_fill_on_diagonal(&fill, a, forth, NULL), LV_OK);
    assert_true(fill.lower == N * (N - 1) / 2 && fill.upper == fill.lower);
    assert_int_equal(lv_fill_on_diagonal(&fill, a, back, NULL), LV_OK);
    assert_true(fill.lower == N - 1 && fill.upper == N - 1);
    assert_int_equal(lv_fill_bound(&fill, a, back, 100, NULL), LV_OK);
    assert_true(fill.lower == 100 && fill.upper == 100);
}

/* Without room it grows, and solves all the same. */
static void factors_grow_where_nothing_was_reserved(void **state)
{
    (void)state;
    uint64_t seed = 7;
    lv_pivots pivots;
    int order[MOST];
    random_matrix(&seed, 60, 0.1);
    lv_random_order(&seed, order, 60);
    const lv_column_pattern *a = take_columns();
    lv_sparse_lu *lu = make_lu(a, order, 1, no_room);
    lv_memory_set_hook(counting_resize);
    long before = requests;
    assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
    assert_true(requests > before);
    check_against_exact(lu, 1e-12);
    before = requests;
    assert_true(lv_sparse_lu_factor(lu, sample_columns.value, &pivots));
    assert_int_equal(requests, before); /* what was taken stays */
    lv_memory_set_hook(NULL);
    lv_sparse_lu_free(lu);
}

static lv_status factor_without_room(void *user, lv_error *err)
{
    const int *order = user;
    lv_sparse_lu *lu;
    lv_fill usual, bound;
    lv_pivots pivots;
    const lv_column_pattern *a = &sample_columns.pattern;
    LV_TRY(lv_fill_on_diagonal(&usual, a, order, err));
    LV_TRY(lv_fill_bound(&bound, a, order, EVERYTHING, err));
    LV_TRY(lv_sparse_lu_create(&lu, a, order, 1, no_room, err));
    const bool factored = lv_sparse_lu_factor(lu, sample_columns.value, &pivots);
    if (!factored)
        assert_int_equal(pivots.column, -1);
    lv_sparse_lu_free(lu);
    return factored ? LV_OK : lv_fail_memory(err);
}

static void denied_memory_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = 8;
    int order[MOST];
    random_matrix(&seed, 40, 0.1);
    lv_random_order(&seed, order, 40);
    take_columns();
    lv_deny_sweep(factor_without_room, order);
}

static void room_beyond_what_can_be_counted_is_refused(void **state)
{
    (void)state;
    static const int start[] = {0, 1}, row[] = {0}, order[] = {0};
    const lv_column_pattern a = {1, start, row};
    const lv_fill room = {1LL << 31, 1};
    lv_sparse_lu *lu;
    assert_int_equal(lv_sparse_lu_create(&lu, &a, order, 1, room, NULL), LV_ERR_LIMIT);
    assert_null(lu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(solutions_are_those_of_exact_elimination),
        RUN(refactoring_gives_the_bits_of_factoring),
        RUN(the_diagonal_is_preferred_as_far_as_the_tolerance_goes),
        RUN(growth_is_that_of_the_entries),
        RUN(pivots_that_shrink_are_not_used_again),
        RUN(singular_matrices_name_a_column),
        RUN(refactoring_notices_what_is_not_finite),
        RUN(structurally_singular_matrices_are_found_out),
        RUN(the_smallest_matrices_are_solved),
        RUN(no_choice_of_rows_needs_more_than_the_bound),
        RUN(fill_on_the_diagonal_is_known_in_advance),
        RUN(fill_of_an_arrow_depends_on_the_order),
        RUN(factors_grow_where_nothing_was_reserved),
        RUN(denied_memory_leaks_nothing),
        RUN(room_beyond_what_can_be_counted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
