/* Symmetric matrices declared so: dense ones get other factors, and nothing else changes. */
#include "deny.h"
#include "linear_cases.h"
#include "saddle.h"

/* The smallest keep LU. */
static const int sizes[] = {2, 6, 7, 8, 13, 40, 64, 65, 96, 97, 120};
enum { SIZES = sizeof sizes / sizeof *sizes };

static lv_linear *make_symmetric(const lv_pattern *pattern, lv_back_end back_end)
{
    lv_linear *linear;
    lv_error err;
    if (lv_linear_create_symmetric(&linear, pattern, back_end, NULL, &err) != LV_OK)
        fail_msg("%s", err.text);
    return linear;
}

/* Random, with a diagonal that vanishes for the last third of the unknowns. */
static void random_saddle(uint64_t *seed, int n)
{
    const int definite = (2 * n + 2) / 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const bool zero = j >= definite;
            const double value = i == j ? 3 + 0.1 * n : lv_random_between(seed, -1, 1);
            sample.dense[i * n + j] = sample.dense[j * n + i] = zero ? 0 : value;
        }
    take_pattern(n);
}

static void symmetric_systems_are_solved_like_any(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int s = 0; s < SIZES; s++)
        for (int back_end = LV_BACK_END_AUTO; back_end <= LV_BACK_END_SPARSE;
             back_end++) {
            random_saddle(&seed, sizes[s]);
            lv_linear *linear = make_symmetric(&sample.pattern, (lv_back_end)back_end);
            check_solution(linear, 1e-13);
            assert_above(lv_linear_worst_pivot(linear, NULL), 1e-5);
            lv_linear_free(linear);
        }
}

static void refinement_leaves_a_smaller_residual(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int s = 0; s < SIZES; s++) {
        const int n = sizes[s];
        double x[MOST], b[MOST];
        random_saddle(&seed, n);
        lv_linear *linear = make_symmetric(&sample.pattern, LV_BACK_END_DENSE);
        put_values(linear, &sample.pattern, sample.value);
        assert_true(lv_linear_factor(linear));
        for (int i = 0; i < n; i++)
            x[i] = b[i] = cos(i);
        lv_linear_solve(linear, x);
        x[n / 2] += 1e-4;
        lv_linear_refine(linear, x, b);
        assert_below(backward_error(&sample.pattern, sample.value, x, b), 1e-14);
        lv_linear_free(linear);
    }
}

static void unknown_without_equation_is_named(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int s = 0; s < SIZES; s++)
        for (int empty = 0; empty < sizes[s]; empty += 1 + sizes[s] / 3) {
            const int n = sizes[s];
            int unknown = -1;
            random_saddle(&seed, n);
            lv_linear *linear = make_symmetric(&sample.pattern, LV_BACK_END_DENSE);
            for (int i = 0; i < n; i++)
                for (int e = sample.start[i]; e < sample.start[i + 1]; e++)
                    if (i == empty || sample.column[e] == empty)
                        sample.value[e] = 0;
            put_values(linear, &sample.pattern, sample.value);
            assert_false(lv_linear_factor(linear));
            assert_true(lv_linear_worst_pivot(linear, &unknown) == 0);
            assert_int_equal(unknown, empty);
            lv_linear_free(linear);
        }
}

/* Both halves are filled, one is read: the same answer as from LU. */
static void chain_has_the_solution_that_lu_gives(void **state)
{
    (void)state;
    saddle chain = saddle_chain(20);
    const int n = chain.pattern.rows;
    double x[2][MOST];
    for (int round = 0; round < 2; round++) {
        lv_linear *linear = round == 0
                                ? make(&chain.pattern, LV_BACK_END_DENSE, NULL)
                                : make_symmetric(&chain.pattern, LV_BACK_END_DENSE);
        put_values(linear, &chain.pattern, chain.value);
        assert_true(lv_linear_factor(linear));
        for (int i = 0; i < n; i++)
            x[round][i] = 1 + i % 3;
        lv_linear_solve(linear, x[round]);
        lv_linear_free(linear);
    }
    assert_memory_not_equal(x[0], x[1], (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        assert_close(x[1][i], x[0][i], 1e-12);
    saddle_free(&chain);
}

static void same_values_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int s = 0; s < SIZES; s++) {
        const int n = sizes[s];
        random_saddle(&seed, n);
        lv_linear *one = make_symmetric(&sample.pattern, LV_BACK_END_DENSE);
        assert_same_bits(one, make_symmetric(&sample.pattern, LV_BACK_END_DENSE), n);
    }
}

static lv_status create_symmetric(void *user, lv_error *err)
{
    lv_linear *linear;
    (void)user;
    LV_TRY(lv_linear_create_symmetric(&linear, &sample.pattern, LV_BACK_END_DENSE, NULL,
                                      err));
    lv_linear_free(linear);
    return LV_OK;
}

static void denied_memory_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = 5;
    random_saddle(&seed, 30);
    lv_deny_sweep(create_symmetric, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(symmetric_systems_are_solved_like_any),
        RUN(refinement_leaves_a_smaller_residual),
        RUN(unknown_without_equation_is_named),
        RUN(chain_has_the_solution_that_lu_gives),
        RUN(same_values_give_the_same_bits),
        RUN(denied_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
