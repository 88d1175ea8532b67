/* Condensed saddle-point systems against dense elimination of the whole: blocks of all sizes, of points and
 * of single coordinates, symmetric and not; what they refuse. */
#include "check.h"
#include "random_formula.h"

#include "num/dense.h"
#include "num/twin.h"
#include "system/condensed.h"
#include "system/sparse.h"

#include <string.h>

enum { MOST = 40, WHOLE = 2 * MOST };

typedef struct fixture {
    lv_arena arena;
    int n, m;
    lv_pattern mass, coupling, g;
    double mass_values[MOST], coupling_values[MOST * MOST];
    double b[MOST * MOST], c[MOST * MOST];
    double dense[WHOLE * WHOLE];
    lv_condensed *condensed;
} fixture;

static fixture f;

static void build(lv_pattern *pattern, lv_entry_list *list, int rows)
{
    assert_int_equal(lv_pattern_build(pattern, NULL, &f.arena, list->data, list->count,
                                      rows, f.n, NULL),
                     LV_OK);
    LV_ARRAY_FREE(*list);
}

/* Coordinates i and j are coupled if both belong to the same `size` of them, which are scattered. */
static void make_terms(uint64_t *seed, int size, bool symmetric)
{
    lv_entry_list diagonal = {0}, coupled = {0};
    const int blocks = f.n / size;
    for (int i = 0; i < f.n; i++) {
        assert_true(LV_PUSH(diagonal, ((lv_entry_place){i, i})));
        for (int j = 0; j < f.n && size > 1; j++)
            if (i % blocks == j % blocks)
                assert_true(LV_PUSH(coupled, ((lv_entry_place){i, j})));
    }
    build(&f.mass, &diagonal, f.n);
    build(&f.coupling, &coupled, f.n);
    for (int i = 0; i < f.n; i++) {
        f.mass_values[i] = lv_random_between(seed, 1, 3);
        f.dense[i * WHOLE + i] = 2 * f.mass_values[i];
    }
    for (int i = 0; i < f.n; i++)
        for (int e = f.coupling.start[i]; e < f.coupling.start[i + 1]; e++) {
            const int j = f.coupling.column[e];
            f.coupling_values[e] =
                symmetric ? cos(i + j) : lv_random_between(seed, -1, 1);
            f.dense[i * WHOLE + j] += 0.2 * f.coupling_values[e];
        }
}

static void make_rows(uint64_t *seed, bool points)
{
    lv_entry_list list = {0};
    for (int r = 0; r < f.m; r++)
        for (int k = 0; k < 3; k++) {
            const int at = k == 0 ? r : lv_random_below(seed, f.n);
            for (int j = 0; j < (points ? 3 : 1); j++) /* all of a point */
                assert_true(
                    LV_PUSH(list, ((lv_entry_place){r, points ? at - at % 3 + j : at})));
        }
    build(&f.g, &list, f.m);
    for (int r = 0; r < f.m; r++)
        for (int e = f.g.start[r]; e < f.g.start[r + 1]; e++) {
            const int j = f.g.column[e];
            const double more = j == r ? 2 : 0;
            f.b[e] = more + lv_random_between(seed, -0.5, 0.5);
            f.c[e] = f.b[e] + lv_random_between(seed, -0.1, 0.1);
            f.dense[j * WHOLE + f.n + r] = f.b[e];
            f.dense[(f.n + r) * WHOLE + j] = f.c[e];
        }
}

static void make(uint64_t seed, int n, int m, int size, bool symmetric, bool points)
{
    memset(&f, 0, sizeof f);
    f.n = n;
    f.m = m;
    make_terms(&seed, size, symmetric);
    make_rows(&seed, points);
    const lv_pattern *const terms[] = {&f.mass, &f.coupling};
    assert_int_equal(lv_condensed_create(&f.condensed, &f.g, terms, 2, NULL), LV_OK);
}

static void release(void)
{
    lv_condensed_free(f.condensed);
    lv_arena_done(&f.arena);
}

static bool factor(void)
{
    lv_condensed_put(f.condensed, 0, f.mass_values, 2);
    lv_condensed_add(f.condensed, 1, f.coupling_values, 0.2);
    return lv_condensed_factor(f.condensed, f.b, f.c);
}

static void solve_whole(double *x)
{
    static double a[WHOLE * WHOLE];
    int pivot[WHOLE];
    const int size = f.n + f.m;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            a[i * size + j] = f.dense[i * WHOLE + j];
    assert_true(lv_lu_factor(a, size, pivot));
    lv_lu_solve(a, size, pivot, x);
}

/* moved = A^-1 B^T y: what y takes away from x */
static void check_moved(const double *r, const double *x, const double *moved)
{
    for (int i = 0; i < f.n; i++) {
        double whole = 0; /* A (x + moved) = r */
        for (int j = 0; j < f.n; j++)
            whole += f.dense[i * WHOLE + j] * (x[j] + moved[j]);
        assert_close(whole, r[i], 1e-11);
    }
}

static void check_case(uint64_t seed, int blocks, int m, int size, bool symmetric,
                       bool points)
{
    make(seed, blocks * size, m, size, symmetric, points);
    assert_non_null(f.condensed);
    for (int again = 0; again < 2; again++) { /* values may be put in anew */
        double r[WHOLE], x[WHOLE], expected[WHOLE], moved[WHOLE];
        for (int i = 0; i < f.n + f.m; i++)
            r[i] = x[i] = expected[i] = sin(1 + i + again);
        assert_true(factor());
        lv_condensed_solve(f.condensed, f.c, x, x + f.n, moved);
        solve_whole(expected);
        for (int i = 0; i < f.n + f.m; i++)
            assert_close(x[i], expected[i], 1e-11);
        check_moved(r, x, moved);
    }
    release();
}

static void solutions_are_those_of_the_whole(void **state)
{
    (void)state;
    for (int size = 1; size <= LV_TWIN_LARGEST; size++)
        for (int m = 0; m <= 3; m++)
            for (uint64_t seed = 1; seed <= 10; seed++) {
                check_case(seed, 4, m, size, true, false);
                check_case(seed, 3, m, size, false, false); /* one has no partner */
                if (size % 3 == 0)
                    check_case(seed, 3, m, size, false, true);
            }
}

static void large_blocks_are_left_to_others(void **state)
{
    (void)state;
    make(7, 2 * (LV_TWIN_LARGEST + 1), 2, LV_TWIN_LARGEST + 1, true, false);
    assert_null(f.condensed);
    release();
}

/* A block that is singular, and one that is not but has a small pivot, of every size. */
static void small_pivots_are_refused(void **state)
{
    (void)state;
    for (int size = 2; size <= LV_TWIN_LARGEST; size++)
        for (int k = 0; k < 2; k++) {
            make(3, 2 * size, 0, size, true, false);
            for (int e = 0; e < lv_pattern_entries(&f.coupling); e++)
                f.coupling_values[e] = 5;
            for (int i = 0; i < f.n; i++)
                f.mass_values[i] = k == 0 ? 0 : 1e-5;
            assert_false(factor());
            release();
        }
}

static void zero_rows_are_refused(void **state)
{
    (void)state;
    make(5, 12, 2, 3, true, false);
    for (int e = f.g.start[1]; e < f.g.start[2]; e++)
        f.b[e] = f.c[e] = (double)NAN;
    assert_false(factor());
    release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(solutions_are_those_of_the_whole), RUN(large_blocks_are_left_to_others),
        RUN(small_pivots_are_refused), RUN(zero_rows_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
