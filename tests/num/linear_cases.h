/* Matrices for the tests of linear systems, and what is to be expected of solutions. */
#ifndef LV_TESTS_LINEAR_CASES_H
#define LV_TESTS_LINEAR_CASES_H

#include "check.h"
#include "elimination.h"
#include "num/linear.h"
#include "random_formula.h"

#include <string.h>

enum { MOST = 120 };

/* A random matrix, its pattern, and its dense copy. */
typedef struct matrix {
    lv_pattern pattern;
    int start[MOST + 1], column[MOST * MOST];
    double value[MOST * MOST], dense[MOST * MOST];
} matrix;

static matrix sample;

/* Rebuilds the pattern from the entries of `dense` that are not zero. */
static inline void take_pattern(int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (sample.dense[i * n + j] != 0) {
                sample.column[count] = j;
                sample.value[count++] = sample.dense[i * n + j];
            }
        sample.start[i + 1] = count;
    }
    sample.pattern = (lv_pattern){n, n, sample.start, sample.column, false};
}

/* Entries near a random permutation of the diagonal, so that it is not singular, and others
 * with the density given. */
static inline void random_matrix(uint64_t *seed, int n, double density)
{
    int order[MOST];
    lv_random_order(seed, order, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const bool there = lv_random_between(seed, 0, 1) < density;
            sample.dense[i * n + j] = there ? lv_random_between(seed, -1, 1) : 0;
            if (order[i] == j)
                sample.dense[i * n + j] = lv_random_between(seed, 1, 3);
        }
    take_pattern(n);
}

static inline lv_linear *make(const lv_pattern *pattern, lv_back_end back_end,
                              const int *order)
{
    lv_linear *linear;
    lv_error err;
    if (lv_linear_create(&linear, pattern, back_end, order, &err) != LV_OK)
        fail_msg("%s", err.text);
    if (back_end != LV_BACK_END_AUTO)
        assert_int_equal(lv_linear_back_end(linear), back_end);
    return linear;
}

static inline void put_values(lv_linear *linear, const lv_pattern *pattern,
                              const double *value)
{
    lv_linear_clear(linear);
    for (int e = 0; e < pattern->start[pattern->rows]; e++)
        lv_linear_storage(linear)[lv_linear_slots(linear)[e]] += value[e];
}

/* |A x - b| relative to |A| |x| + |b|, the largest over all rows. */
static inline double backward_error(const lv_pattern *pattern, const double *value,
                                    const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < pattern->rows; i++) {
        double sum = -b[i], size = fabs(b[i]);
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            sum += value[e] * x[pattern->column[e]];
            size += fabs(value[e] * x[pattern->column[e]]);
        }
        worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}

/* Couplings of a chain whose unknowns are numbered at random. */
static inline void shuffled_chain(uint64_t *seed, int n, double diagonal)
{
    int at[MOST];
    memset(sample.dense, 0, sizeof sample.dense);
    for (int i = 0; i < n; i++)
        at[i] = i;
    for (int i = n - 1; i > 0; i--) {
        const int j = lv_random_below(seed, i + 1), t = at[i];
        at[i] = at[j];
        at[j] = t;
    }
    for (int i = 0; i < n; i++) {
        sample.dense[at[i] * n + at[i]] = diagonal;
        if (i > 0) {
            sample.dense[at[i] * n + at[i - 1]] = lv_random_between(seed, 0.5, 1);
            sample.dense[at[i - 1] * n + at[i]] = lv_random_between(seed, 0.5, 1);
        }
    }
    take_pattern(n);
}

static inline void check_solution(lv_linear *linear, double tolerance)
{
    const int n = sample.pattern.rows;
    double b[MOST], x[MOST];
    long double exact[MOST];
    for (int i = 0; i < n; i++)
        x[i] = b[i] = sin(i + 1);
    put_values(linear, &sample.pattern, sample.value);
    assert_true(lv_linear_factor(linear));
    lv_linear_solve(linear, x);
    const double condition = eliminate_exactly(exact, sample.dense, b, n);
    for (int i = 0; i < n; i++)
        assert_close(x[i], (double)exact[i], tolerance * condition);
}

/* Two systems with the values of the sample, one factored twice; both are freed. */
static inline void assert_same_bits(lv_linear *one, lv_linear *two, int n)
{
    double x[2][MOST];
    for (int k = 0; k < 2; k++) {
        lv_linear *linear = k == 0 ? one : two;
        put_values(linear, &sample.pattern, sample.value);
        for (int again = 0; again <= k; again++)
            assert_true(lv_linear_factor(linear));
        for (int i = 0; i < n; i++)
            x[k][i] = cos(i);
        lv_linear_solve(linear, x[k]);
        lv_linear_free(linear);
    }
    assert_memory_equal(x[0], x[1], (size_t)n * sizeof(double));
}

#endif
