/* Where the sparse back end has to choose other pivots. */
#include "base/memory.h"
#include "linear_cases.h"
#include "requests.h"
#include "suitesparse_memory.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sparse_chooses_new_pivots_when_the_old_ones_vanish),
        RUN(sparse_asks_for_better_pivots_when_entries_grow),
#if !LIVENS_UMFPACK /* which takes memory */
        RUN(sparse_takes_no_memory_for_new_pivots),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
