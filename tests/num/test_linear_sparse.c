/* Where the sparse back end has to choose other pivots. */
#include "linear_cases.h"

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
    for (int round = 0; round < 3; round++)
        check_solution(linear, 1e-13);
    lv_linear_free(linear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sparse_chooses_new_pivots_when_the_old_ones_vanish),
        RUN(sparse_asks_for_better_pivots_when_entries_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
