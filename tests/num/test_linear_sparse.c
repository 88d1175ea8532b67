/* Where the sparse back end has to choose other pivots. */
#include "base/memory.h"
#include "linear_cases.h"
#include "requests.h"
#include "suitesparse_memory.h"

#include <livens/memory.h>
#include <stdlib.h>

static void sparse_chooses_new_pivots_when_the_old_ones_vanish(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 10; round++) {
        shuffled_chain(&seed, 40, 5);
        lv_linear *linear = make(&sample.pattern, LV_BACK_END_SPARSE, NULL);
        check_solution(linear, 1e-14);
        for (int i = 0; i < 40; i++)
            sample.dense[i * 40 + i] = round % 2 ? 1e-200 : 1e-12;
        take_pattern(40);
        check_solution(linear, 1e-12);
        lv_linear_free(linear);
    }
}

/* Pivots on the diagonal, each just large enough, let entries grow a thousandfold per row. */
static void sparse_asks_for_better_pivots_when_entries_grow(void **state)
{
    (void)state;
    enum { N = 12 };
    int order[N];
    memset(sample.dense, 0, sizeof sample.dense);
    for (int i = 0; i < N; i++) {
        order[i] = i;
        sample.dense[i * N + i] = 1.1e-3;
        sample.dense[i * N + N - 1] = 1;
        if (i > 0)
            sample.dense[i * N + i - 1] = 1;
    }
    take_pattern(N);
    lv_linear *linear = make(&sample.pattern, LV_BACK_END_SPARSE, order);
    requests = 0;
    lv_memory_set_hook(counting_resize);
    for (int round = 0; round < 3; round++) {
        check_solution(linear, 1e-13);
        /* Nothing helps here, and nothing of it is remembered. */
        lv_linear_clear(linear);
        assert_false(lv_linear_factor(linear));
    }
    lv_memory_set_hook(NULL);
    assert_int_equal(requests, 0);
    lv_linear_free(linear);
}

/* The first pivots, others, those of last resort, and back: all from what was reserved. */
static void sparse_takes_no_memory_for_new_pivots(void **state)
{
    (void)state;
    uint64_t seed = 17;
    int singular = 0;
    for (int round = 0; round < 20; round++) {
        if (round % 2)
            shuffled_chain(&seed, 40, 5);
        else
            random_matrix(&seed, 40, 0.1);
        suitesparse_redirect(true);
        lv_memory_set_hook(counting_resize);
        lv_linear *linear = make(&sample.pattern, LV_BACK_END_SPARSE, NULL);
        requests = 0;
        for (int turn = 0; turn < 20; turn++) {
            double x[40] = {1};
            for (int e = 0; e < sample.start[40]; e++)
                sample.value[e] = pow(10, lv_random_between(&seed, -9, 0));
            put_values(linear, &sample.pattern, sample.value);
            if (lv_linear_factor(linear))
                lv_linear_solve(linear, x);
            else
                singular++;
        }
        assert_int_equal(requests, 0);
        lv_linear_free(linear);
        lv_memory_set_hook(NULL);
        suitesparse_redirect(false);
    }
    assert_true(singular < 200);
}

/* G G^T of a chain of bodies with a point and three axes each, of three coordinates: products of axes are six rows,
 * joints with the body before are five, three for a point (of whose coordinates the first and the third axis have
 * one each) and two for directions. */
enum { LINKS = 300, OWN = 6, EACH = OWN + 5, AXES = 0xff8 };

/* The coordinates of a body that a row has. */
static int touched(int row)
{
    static const int axes[OWN] = {0x038, 0x1c0, 0xe00, 0x1f8, 0xe38, 0xfc0};
    const int k = row % EACH;
    return k < OWN ? axes[k] : k < OWN + 3 ? 0x209 << (k - OWN) : AXES;
}

static bool are_coupled(int i, int j)
{
    const int apart = j / EACH - i / EACH;
    const bool i_joint = i % EACH >= OWN, j_joint = j % EACH >= OWN;
    return (touched(i) & touched(j)) != 0 &&
           (apart == 0 || (apart == 1 && j_joint) || (apart == -1 && i_joint));
}

static lv_pattern block_chain(int links)
{
    const int n = links * EACH;
    int *start = calloc((size_t)n + 1, sizeof *start), count = 0;
    int *column = calloc((size_t)n * 3 * EACH, sizeof *column);
    assert_non_null(start);
    assert_non_null(column);
    for (int i = 0; i < n; i++) {
        const int first = i / EACH > 0 ? i - i % EACH - EACH : 0;
        for (int j = first; j < n && j < first + 3 * EACH; j++)
            if (are_coupled(i, j))
                column[count++] = j;
        start[i + 1] = count;
    }
    return (lv_pattern){n, n, start, column, false};
}

/* Entries off the diagonal at random, and these on it. */
static void check_chain(lv_linear *linear, const lv_pattern *p, double diagonal)
{
    const int n = p->rows;
    uint64_t seed = 23;
    double *value = calloc((size_t)p->start[n], sizeof *value);
    double *x = calloc(2 * (size_t)n, sizeof *x), *b = x + n;
    assert_non_null(value);
    assert_non_null(x);
    for (int i = 0; i < n; i++) {
        x[i] = b[i] = sin(i + 1);
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            value[e] = p->column[e] == i ? diagonal : lv_random_between(&seed, -1, 1);
    }
    put_values(linear, p, value);
    assert_true(lv_linear_factor(linear));
    lv_linear_solve(linear, x);
    assert_true(backward_error(p, value, x, b) < 1e-10);
    free(value);
    free(x);
}

/* What any choice of rows could need grows with the square of the length here. */
static void sparse_reserves_in_proportion_to_the_matrix(void **state)
{
    (void)state;
    const lv_pattern pattern = block_chain(LINKS);
    const double entries = pattern.start[pattern.rows], before = (double)lv_memory_used();
    lv_linear *linear = make(&pattern, LV_BACK_END_SPARSE, NULL);
    assert_true((double)lv_memory_used() - before < 200 * entries);
    requests = 0;
    lv_memory_set_hook(counting_resize);
    for (int round = 0; round < 2; round++) {
        check_chain(linear, &pattern, 30);
        check_chain(linear, &pattern, 1e-9);
    }
    lv_memory_set_hook(NULL);
#if !LIVENS_UMFPACK
    assert_int_equal(requests, 0);
#endif
    lv_linear_free(linear);
    free((void *)(uintptr_t)pattern.start);
    free((void *)(uintptr_t)pattern.column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sparse_chooses_new_pivots_when_the_old_ones_vanish),
        RUN(sparse_asks_for_better_pivots_when_entries_grow),
        RUN(sparse_reserves_in_proportion_to_the_matrix),
#if !LIVENS_UMFPACK /* which takes memory */
        RUN(sparse_takes_no_memory_for_new_pivots),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
