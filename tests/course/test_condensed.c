/* Matrices that are condensed, against the same matrices solved as a whole. */
#include "../support/check.h"

#include "course/condensed.h"
#include "num/dense.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 5, SIZE = 3, INNER = SETS * SIZE, OUTER = 4, ALL = INNER + OUTER };

static double number(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}

/* Where the matrix may have entries: sets of lines i, i + SETS, ...; every set meets two of the other lines. */
static bool has_entry(int i, int j)
{
    if (i < INNER && j < INNER)
        return i % SETS == j % SETS;
    if (i >= INNER && j >= INNER)
        return i == j;
    const int set = (i < INNER ? i : j) % SETS, other = (i < INNER ? j : i) - INNER;
    return other == set % OUTER || other == (set + 1) % OUTER;
}

typedef struct matrix {
    int start[ALL + 1], column[ALL * ALL];
    double values[ALL * ALL], dense[ALL * ALL];
    lv_pattern pattern;
} matrix;

static void make_matrix(matrix *m, unsigned seed)
{
    int count = 0;
    memset(m, 0, sizeof *m);
    for (int i = 0; i < ALL; i++) {
        m->start[i] = count;
        for (int j = 0; j < ALL; j++)
            if (has_entry(i, j)) {
                m->column[count] = j;
                m->values[count] = number(&seed) + (i == j ? 4 : 0);
                m->dense[i * ALL + j] = m->values[count++];
            }
    }
    m->start[ALL] = count;
    m->pattern =
        (lv_pattern){.rows = ALL, .columns = ALL, .start = m->start, .column = m->column};
}

static void solutions_are_those_of_the_whole_matrix(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++) {
        lv_error err;
        bool good = false;
        matrix m;
        double x[ALL], y[ALL];
        int pivot[ALL];
        make_matrix(&m, seed);
        for (int i = 0; i < ALL; i++)
            x[i] = y[i] = number(&seed);
        seed = seed % 100;
        lv_condensed *w = lv_condensed_create(ALL, INNER, 2);
        assert_non_null(w);
        lv_condensed_block(w, &m.pattern, (lv_range_of){0, 1}, (lv_range_of){0, 1},
                           false);
        lv_condensed_block(w, &m.pattern, (lv_range_of){0, 1}, (lv_range_of){0, 1}, true);
        assert_int_equal(lv_condensed_finish(w, &good, &err), LV_OK);
        assert_true(good);
        for (int again = 0; again < 2; again++) {
            lv_condensed_clear(w);
            lv_condensed_add(w, 0, m.values, 0.75);
            lv_condensed_add(w, 1, m.values, 0.25);
            assert_true(lv_condensed_factor(w, NULL));
        }
        lv_condensed_solve(w, x);
        double sum[ALL * ALL];
        for (int i = 0; i < ALL; i++)
            for (int j = 0; j < ALL; j++)
                sum[i * ALL + j] =
                    0.75 * m.dense[i * ALL + j] + 0.25 * m.dense[j * ALL + i];
        assert_true(lv_lu_factor(sum, ALL, pivot));
        lv_lu_solve(sum, ALL, pivot, y);
        for (int i = 0; i < ALL; i++)
            assert_close(x[i], y[i], 1e-12);
        lv_condensed_free(w);
    }
}

/* Sets alone: the other lines are as if they were not there. */
static void sets_are_solved_alone(void **state)
{
    (void)state;
    lv_error err;
    bool good = false;
    matrix m;
    double x[ALL], y[INNER], inner[INNER * INNER];
    int pivot[INNER];
    bool left_out[ALL] = {false};
    unsigned seed = 3;
    make_matrix(&m, seed);
    for (int i = 0; i < ALL; i++)
        x[i] = number(&seed);
    memcpy(y, x, sizeof y);
    lv_condensed *w = lv_condensed_create(ALL, INNER, 1);
    assert_non_null(w);
    lv_condensed_block(w, &m.pattern, (lv_range_of){0, 1}, (lv_range_of){0, 1}, false);
    assert_int_equal(lv_condensed_finish(w, &good, &err), LV_OK);
    assert_true(good);
    lv_condensed_clear(w);
    lv_condensed_add(w, 0, m.values, 1);
    for (int i = INNER; i < ALL; i++)
        left_out[i] = true;
    assert_true(lv_condensed_factor(w, left_out));
    lv_condensed_solve(w, x);
    for (int i = 0; i < INNER; i++)
        memcpy(inner + (ptrdiff_t)i * INNER, m.dense + (ptrdiff_t)i * ALL,
               INNER * sizeof *inner);
    assert_true(lv_lu_factor(inner, INNER, pivot));
    lv_lu_solve(inner, INNER, pivot, y);
    for (int i = 0; i < ALL; i++)
        assert_close(x[i], i < INNER ? y[i] : 0, 1e-13);
    lv_condensed_free(w);
}

/* One set that is all there is, or larger ones than are worth it, are left to others. */
static void one_set_is_not_condensed(void **state)
{
    static const int start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const lv_pattern pattern = {
        .rows = 2, .columns = 2, .start = start, .column = column};
    lv_error err;
    bool good = true;
    (void)state;
    lv_condensed *w = lv_condensed_create(2, 2, 1);
    assert_non_null(w);
    lv_condensed_block(w, &pattern, (lv_range_of){0, 1}, (lv_range_of){0, 1}, false);
    assert_int_equal(lv_condensed_finish(w, &good, &err), LV_OK);
    assert_false(good);
    lv_condensed_free(w);
}

static void singular_sets_are_told(void **state)
{
    static const int start[] = {0, 1, 2}, column[] = {0, 1};
    const lv_pattern pattern = {
        .rows = 2, .columns = 2, .start = start, .column = column};
    const double values[] = {1, 0};
    lv_error err;
    bool good = false;
    (void)state;
    lv_condensed *w = lv_condensed_create(2, 2, 1);
    assert_non_null(w);
    lv_condensed_block(w, &pattern, (lv_range_of){0, 1}, (lv_range_of){0, 1}, false);
    assert_int_equal(lv_condensed_finish(w, &good, &err), LV_OK);
    assert_true(good);
    lv_condensed_clear(w);
    lv_condensed_add(w, 0, values, 1);
    assert_false(lv_condensed_factor(w, NULL));
    lv_condensed_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_whole_matrix),
        cmocka_unit_test(sets_are_solved_alone),
        cmocka_unit_test(one_set_is_not_condensed),
        cmocka_unit_test(singular_sets_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
