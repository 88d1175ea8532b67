/* Tridiagonal matrices and bands against elimination in long double. */
#include "linear_cases.h"

static void shuffled_chains_become_tridiagonal(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int n = 4; n <= MOST; n += 29) {
        shuffled_chain(&seed, n, 3);
        lv_linear *linear = make(&sample.pattern, LV_BACK_END_AUTO, NULL);
        assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_BANDED);
        assert_int_equal(lv_linear_bandwidth(linear), 1);
        check_solution(linear, 1e-15);
        lv_linear_free(linear);
    }
}

static void tridiagonal_matrices_are_pivoted_where_they_must(void **state)
{
    (void)state;
    static const double diagonals[] = {1e-300, 1e-20, 1e-9, 1e-3, 0.1};
    uint64_t seed = 7;
    for (int n = 2; n <= MOST; n += 2)
        for (size_t k = 0; k < sizeof diagonals / sizeof *diagonals; k++) {
            shuffled_chain(&seed, n, diagonals[k]);
            lv_linear *linear = make(&sample.pattern, LV_BACK_END_BANDED, NULL);
            assert_int_equal(lv_linear_bandwidth(linear), 1);
            check_solution(linear, 1e-12);
            lv_linear_free(linear);
        }
}

static void tridiagonal_matrices_of_every_size_are_solved(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int n = 1; n <= 40; n++) {
        shuffled_chain(&seed, n, 2.2);
        lv_linear *linear = make(&sample.pattern, LV_BACK_END_BANDED, NULL);
        check_solution(linear, 1e-15);
        assert_above(lv_linear_worst_pivot(linear, NULL), 0.1);
        lv_linear_free(linear);
    }
}

static void bands_of_every_width_are_solved(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int lower = 0; lower <= 9; lower++)
        for (int upper = 0; upper <= 9; upper++)
            for (int round = 0; round < 2; round++) {
                const int n = 60;
                memset(sample.dense, 0, sizeof sample.dense);
                for (int i = 0; i < n; i++)
                    for (int j = i - lower; j <= i + upper; j++)
                        if (j >= 0 && j < n)
                            sample.dense[i * n + j] = lv_random_between(&seed, -1, 1);
                for (int i = 0; i < n; i++)
                    sample.dense[i * n + i] +=
                        round == 0 || lower == 0 || upper == 0 ? 20 : 0;
                take_pattern(n);
                lv_linear *linear = make(&sample.pattern, LV_BACK_END_BANDED, NULL);
                check_solution(linear, 1e-13);
                lv_linear_free(linear);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shuffled_chains_become_tridiagonal),
        RUN(tridiagonal_matrices_are_pivoted_where_they_must),
        RUN(tridiagonal_matrices_of_every_size_are_solved),
        RUN(bands_of_every_width_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
