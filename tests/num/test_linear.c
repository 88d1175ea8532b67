/* All back ends against elimination in long double, and against each other. */
#include "check.h"
#include "deny.h"
#include "linear_cases.h"
#include "requests.h"
#include "saddle.h"
#include "suitesparse_memory.h"

#include <string.h>

static const lv_back_end back_ends[] = {LV_BACK_END_AUTO, LV_BACK_END_DENSE,
                                        LV_BACK_END_BANDED, LV_BACK_END_SPARSE};
enum { BACK_ENDS = 4 };

static void back_ends_agree_with_exact_elimination(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 8, 17, 40, 64, 65, 90};
    uint64_t seed = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int round = 0; round < 6; round++) {
            const int n = sizes[s];
            double b[MOST], x[MOST];
            long double exact[MOST];
            random_matrix(&seed, n, round < 3 ? 2.0 / n : 0.5);
            for (int i = 0; i < n; i++)
                b[i] = lv_random_between(&seed, -1, 1);
            const double condition = eliminate_exactly(exact, sample.dense, b, n);
            for (int k = 0; k < BACK_ENDS; k++) {
                lv_linear *linear = make(&sample.pattern, back_ends[k], NULL);
                put_values(linear, &sample.pattern, sample.value);
                assert_true(lv_linear_factor(linear));
                memcpy(x, b, sizeof x);
                lv_linear_solve(linear, x);
                for (int i = 0; i < n; i++)
                    assert_close(x[i], (double)exact[i], 1e-10 * condition);
                lv_linear_refine(linear, x, b);
                for (int i = 0; i < n; i++)
                    assert_close(x[i], (double)exact[i], 1e-13 * condition);
                lv_linear_free(linear);
            }
        }
}

static void slots_address_every_entry_once(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 1; n < 80; n += 13)
        for (int k = 0; k < BACK_ENDS; k++) {
            random_matrix(&seed, n, 0.2);
            lv_linear *linear = make(&sample.pattern, back_ends[k], NULL);
            const int *slot = lv_linear_slots(linear);
            double *storage = lv_linear_storage(linear);
            const int entries = sample.start[n];
            lv_linear_clear(linear);
            for (int e = 0; e < entries; e++) {
                assert_true(storage[slot[e]] == 0);
                storage[slot[e]] = e + 1;
            }
            for (int e = 0; e < entries; e++)
                assert_true(storage[slot[e]] == e + 1);
            lv_linear_clear(linear);
            for (int e = 0; e < entries; e++)
                assert_true(storage[slot[e]] == 0);
            lv_linear_free(linear);
        }
}

static void refactoring_follows_changing_values(void **state)
{
    (void)state;
    uint64_t seed = 3;
    saddle chain = saddle_chain(30);
    const int n = chain.pattern.rows, entries = chain.start[n];
    for (int k = 0; k < BACK_ENDS; k++) {
        lv_linear *linear = make(&chain.pattern, back_ends[k], NULL);
        double value[2000], b[MOST], x[MOST];
        assert_true(entries <= 2000 && n <= MOST);
        for (int round = 0; round < 300; round++) {
            for (int e = 0; e < entries; e++)
                value[e] = chain.value[e] * lv_random_between(&seed, 0.1, 1);
            for (int i = 0; i < n; i++)
                x[i] = b[i] = lv_random_between(&seed, -1, 1);
            put_values(linear, &chain.pattern, value);
            assert_true(lv_linear_factor(linear));
            lv_linear_solve(linear, x);
            lv_linear_refine(linear, x, b);
            assert_below(backward_error(&chain.pattern, value, x, b), 1e-12);
        }
        lv_linear_free(linear);
    }
    saddle_free(&chain);
}

/* Two of them, one with a past: the same judgement, the same solution to the last bit. */
static void compare_with_fresh(lv_linear *old, const lv_pattern *pattern,
                               lv_back_end back_end, const double *value)
{
    const int n = pattern->rows;
    double x[MOST], y[MOST];
    int of_old, of_fresh;
    lv_linear *fresh = make(pattern, back_end, NULL);
    put_values(old, pattern, value);
    put_values(fresh, pattern, value);
    const bool fine = lv_linear_factor(fresh);
    assert_int_equal(lv_linear_factor(old), fine);
    assert_true(lv_linear_worst_pivot(old, &of_old) ==
                lv_linear_worst_pivot(fresh, &of_fresh));
    assert_int_equal(of_old, of_fresh);
    for (int i = 0; i < n; i++)
        x[i] = y[i] = cos(i);
    if (fine) {
        lv_linear_solve(old, x);
        lv_linear_solve(fresh, y);
        assert_memory_equal(x, y, (size_t)n * sizeof *x);
    }
    lv_linear_free(fresh);
}

/* Values change within twelve orders, so that other pivots are needed again and again, and some matrices are
 * singular. */
static void what_was_factored_before_leaves_no_trace(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (int k = 0; k < BACK_ENDS; k++)
        for (int round = 0; round < 12; round++) {
            const int n = 5 + 4 * round;
            double value[MOST * MOST];
            random_matrix(&seed, n, 0.1 + 0.02 * round);
            lv_linear *old = make(&sample.pattern, back_ends[k], NULL);
            for (int turn = 0; turn < 40; turn++) {
                const double wild = turn % 3 == 0 ? 12 : turn % 3 == 1 ? 3 : 0.1;
                const int none = turn % 13 == 12 ? lv_random_below(&seed, n) : -1;
                for (int e = 0; e < sample.start[n]; e++)
                    value[e] =
                        sample.column[e] == none
                            ? 0
                            : sample.value[e] *
                                  pow(10, lv_random_between(&seed, -wild / 2, wild / 2));
                compare_with_fresh(old, &sample.pattern, back_ends[k], value);
            }
            lv_linear_free(old);
        }
}

static void worst_pivot_names_an_unknown_without_equation(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 2; n <= 70; n += 17)
        for (int k = 0; k < BACK_ENDS; k++)
            for (int column = 0; column < n; column += 1 + n / 5) {
                int unknown = -2;
                random_matrix(&seed, n, 0.3);
                for (int e = 0; e < sample.start[n]; e++)
                    if (sample.column[e] == column)
                        sample.value[e] = 0;
                lv_linear *linear = make(&sample.pattern, back_ends[k], NULL);
                put_values(linear, &sample.pattern, sample.value);
                assert_false(lv_linear_factor(linear));
                assert_true(lv_linear_worst_pivot(linear, &unknown) < LV_LINEAR_SINGULAR);
                assert_int_equal(unknown, column);
                lv_linear_free(linear);
            }
}

/* Two multipliers of the same constraint, in a matrix that is fine otherwise. */
static void worst_pivot_names_a_redundant_multiplier(void **state)
{
    (void)state;
    enum { POINTS = 12, N = 4 * POINTS + 1, TWIN = 3 * POINTS + 5 };
    for (int k = 0; k < BACK_ENDS; k++) {
        saddle_list list = saddle_begin(POINTS, POINTS + 1);
        for (int i = 0; i <= POINTS; i++) {
            const int link = i < POINTS ? i : TWIN - 3 * POINTS;
            const double d[3] = {cos(0.3 * link), sin(0.7 * link), 0.7};
            saddle_link(&list, link, link - 1, d, 3 * POINTS + i);
        }
        saddle s = saddle_compress(&list, N, 3 * POINTS);
        lv_linear *linear = make(&s.pattern, back_ends[k], NULL);
        int unknown = -2;
        put_values(linear, &s.pattern, s.value);
        assert_false(lv_linear_factor(linear));
        assert_true(lv_linear_worst_pivot(linear, &unknown) < LV_LINEAR_SINGULAR);
        assert_true(unknown == TWIN || unknown == N - 1);

        /* It recovers once the twins differ. */
        double x[N], b[N];
        for (int i = 0; i < N; i++)
            for (int e = s.start[i]; e < s.start[i + 1]; e++)
                if (i == N - 1 || s.column[e] == N - 1)
                    s.value[e] *= (i + s.column[e]) % 2 ? 0.5 : 1.5;
        put_values(linear, &s.pattern, s.value);
        assert_true(lv_linear_factor(linear));
        for (int i = 0; i < N; i++)
            x[i] = b[i] = 1;
        lv_linear_solve(linear, x);
        lv_linear_refine(linear, x, b);
        assert_below(backward_error(&s.pattern, s.value, x, b), 1e-12);
        lv_linear_free(linear);
        saddle_free(&s);
    }
}

static void numbers_that_are_not_finite_are_singular(void **state)
{
    (void)state;
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    uint64_t seed = 5;
    for (int k = 0; k < BACK_ENDS; k++)
        for (int round = 0; round < 12; round++) {
            random_matrix(&seed, 20, 0.3);
            lv_linear *linear = make(&sample.pattern, back_ends[k], NULL);
            put_values(linear, &sample.pattern, sample.value);
            assert_true(lv_linear_factor(linear));
            const int e = lv_random_below(&seed, sample.start[20]);
            lv_linear_storage(linear)[lv_linear_slots(linear)[e]] = bad[round % 3];
            assert_false(lv_linear_factor(linear));
            put_values(linear, &sample.pattern, sample.value);
            assert_true(lv_linear_factor(linear));
            lv_linear_free(linear);
        }
}

static void back_end_is_chosen_by_cost(void **state)
{
    (void)state;
    uint64_t seed = 10;
    lv_linear *linear;
    random_matrix(&seed, 100, 1);
    linear = make(&sample.pattern, LV_BACK_END_AUTO, NULL);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_DENSE);
    assert_int_equal(lv_linear_bandwidth(linear), 0);
    lv_linear_free(linear);

    random_matrix(&seed, 8, 0.6);
    linear = make(&sample.pattern, LV_BACK_END_AUTO, NULL);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_DENSE);
    lv_linear_free(linear);

    random_matrix(&seed, 100, 1);
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < 100; j++)
            sample.dense[i * 100 + j] *= abs(i - j) <= 7;
    take_pattern(100);
    linear = make(&sample.pattern, LV_BACK_END_AUTO, NULL);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_BANDED);
    assert_int_equal(lv_linear_bandwidth(linear), 7);
    lv_linear_free(linear);

    saddle chain = saddle_chain(500), cloth = saddle_cloth(25, 0.2);
    linear = make(&chain.pattern, LV_BACK_END_AUTO, NULL);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_SPARSE);
    lv_linear_free(linear);
    linear = make(&cloth.pattern, LV_BACK_END_AUTO, NULL);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_SPARSE);
    lv_linear_free(linear);
    saddle_free(&chain);
    saddle_free(&cloth);
}

/* Of a tridiagonal matrix no back end makes more entries than there are, except the dense one. */
static void work_follows_from_the_pattern(void **state)
{
    (void)state;
    enum { N = 60 };
    uint64_t seed = 11;
    random_matrix(&seed, N, 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sample.dense[i * N + j] *= abs(i - j) <= 1;
    take_pattern(N);
    const lv_linear_work expected[] = {[LV_BACK_END_DENSE] = {N * N * N / 3.0, N * N},
                                       [LV_BACK_END_BANDED] = {2 * N, 3 * N},
                                       [LV_BACK_END_SPARSE] = {N, 2 * N}};
    for (int k = LV_BACK_END_DENSE; k <= LV_BACK_END_SPARSE; k++) {
        lv_linear *linear = make(&sample.pattern, (lv_back_end)k, NULL);
        const lv_linear_work work = lv_linear_count_work(linear);
        assert_int_equal(lv_linear_entries(linear), 3 * N - 2);
        assert_at_most(fabs(work.factor - expected[k].factor), 3);
        assert_at_most(fabs(work.solve - expected[k].solve), 3);
        lv_linear_free(linear);
    }
}

static void given_order_is_used_and_unknowns_keep_their_names(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int k = 0; k < BACK_ENDS; k++) {
        const int n = 30;
        int order[30], unknown;
        random_matrix(&seed, n, 0.2);
        for (int i = 0; i < n; i++)
            order[i] = n - 1 - i;
        lv_linear *linear = make(&sample.pattern, back_ends[k], order);
        check_solution(linear, 1e-13);
        for (int e = 0; e < sample.start[n]; e++)
            if (sample.column[e] == 7)
                sample.value[e] = 0;
        put_values(linear, &sample.pattern, sample.value);
        assert_false(lv_linear_factor(linear));
        assert_true(lv_linear_worst_pivot(linear, &unknown) == 0);
        assert_int_equal(unknown, 7);
        lv_linear_free(linear);
    }
}

static void same_values_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int k = 0; k < BACK_ENDS; k++)
        for (int n = 10; n <= MOST; n += 55) {
            random_matrix(&seed, n, 0.2);
            lv_linear *one = make(&sample.pattern, back_ends[k], NULL);
            assert_same_bits(one, make(&sample.pattern, back_ends[k], NULL), n);
        }
}

static void factoring_and_solving_allocate_nothing(void **state)
{
    (void)state;
    saddle chain = saddle_chain(25), cloth = saddle_cloth(8, 0.3);
    saddle *const cases[] = {&chain, &cloth};
    suitesparse_redirect(true);
    lv_memory_set_hook(counting_resize);
    for (int c = 0; c < 2; c++)
        for (int k = 0; k < BACK_ENDS; k++) {
            double x[400], b[400];
            const int n = cases[c]->pattern.rows;
            lv_linear *linear = make(&cases[c]->pattern, back_ends[k], NULL);
            const long before = requests;
            for (int round = 0; round < 20; round++) {
                for (int e = 0; e < cases[c]->start[n]; e++)
                    cases[c]->value[e] *= e % 3 ? 1.001 : 0.999;
                put_values(linear, &cases[c]->pattern, cases[c]->value);
                assert_true(lv_linear_factor(linear));
                for (int i = 0; i < n; i++)
                    x[i] = b[i] = i % 7;
                lv_linear_solve(linear, x);
                lv_linear_refine(linear, x, b);
            }
            assert_int_equal(requests, before);
            lv_linear_free(linear);
        }
    lv_memory_set_hook(NULL);
    suitesparse_redirect(false);
    saddle_free(&chain);
    saddle_free(&cloth);
}

static lv_back_end denied_back_end;

static lv_status create_and_factor(void *user, lv_error *err)
{
    const saddle *s = user;
    lv_linear *linear;
    int unknown;
    LV_TRY(lv_linear_create(&linear, &s->pattern, denied_back_end, NULL, err));
    put_values(linear, &s->pattern, s->value);
    const bool factored = lv_linear_factor(linear);
    lv_linear_worst_pivot(linear, &unknown);
    double x[200];
    for (int i = 0; i < s->pattern.rows; i++)
        x[i] = 1;
    if (factored)
        lv_linear_solve(linear, x);
    lv_linear_free(linear);
    return factored || unknown >= 0 ? LV_OK : lv_fail_memory(err);
}

static void denied_memory_leaks_nothing(void **state)
{
    (void)state;
    saddle chain = saddle_chain(20), redundant = saddle_chain(10);
    /* The last link repeats the one before: every solver is asked, none succeeds. */
    const int n = redundant.pattern.rows;
    for (int e = redundant.start[n - 1]; e < redundant.start[n]; e++)
        redundant.value[e] = 0;
    suitesparse_redirect(true);
    for (int k = 0; k < BACK_ENDS; k++) {
        denied_back_end = back_ends[k];
        lv_deny_sweep(create_and_factor, &chain);
        lv_deny_sweep(create_and_factor, &redundant);
    }
    suitesparse_redirect(false);
    saddle_free(&chain);
    saddle_free(&redundant);
}

static void impossible_requests_are_refused(void **state)
{
    (void)state;
    static const int start[] = {0, 1}, column[] = {0};
    const lv_pattern wide = {1, 2, start, column};
    lv_linear *linear;
    lv_error err;
    assert_int_equal(lv_linear_create(&linear, &wide, LV_BACK_END_AUTO, NULL, &err),
                     LV_ERR_USAGE);
    assert_null(linear);

    enum { HUGE = 50000 };
    int *many = calloc(HUGE + 1, sizeof *many), *arrow = calloc(3 * HUGE, sizeof *arrow);
    assert_non_null(many);
    assert_non_null(arrow);
    int count = 0;
    for (int i = 0; i < HUGE; i++) {
        if (i > 0)
            arrow[count++] = 0;
        arrow[count++] = i;
        many[i + 1] = count;
    }
    const lv_pattern large = {HUGE, HUGE, many, arrow};
    assert_int_equal(lv_linear_create(&linear, &large, LV_BACK_END_DENSE, NULL, &err),
                     LV_ERR_LIMIT);
    assert_int_equal(lv_linear_create(&linear, &large, LV_BACK_END_BANDED, NULL, &err),
                     LV_ERR_LIMIT);
    linear = make(&large, LV_BACK_END_AUTO, NULL);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_SPARSE);
    lv_linear_free(linear);
    free(many);
    free(arrow);
    lv_linear_free(NULL);
}

static void systems_without_unknowns_are_solved(void **state)
{
    (void)state;
    static const int start[] = {0};
    const lv_pattern none = {0, 0, start, NULL};
    for (int k = 0; k < BACK_ENDS; k++) {
        lv_linear *linear = make(&none, back_ends[k], NULL);
        double x[1] = {0};
        assert_int_equal(lv_linear_size(linear), 0);
        lv_linear_clear(linear);
        assert_true(lv_linear_factor(linear));
        lv_linear_solve(linear, x);
        lv_linear_refine(linear, x, x);
        assert_true(lv_linear_worst_pivot(linear, NULL) == 1);
        lv_linear_free(linear);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(back_ends_agree_with_exact_elimination),
        RUN(slots_address_every_entry_once),
        RUN(refactoring_follows_changing_values),
        RUN(what_was_factored_before_leaves_no_trace),
        RUN(worst_pivot_names_an_unknown_without_equation),
        RUN(worst_pivot_names_a_redundant_multiplier),
        RUN(numbers_that_are_not_finite_are_singular),
        RUN(back_end_is_chosen_by_cost),
        RUN(work_follows_from_the_pattern),
        RUN(given_order_is_used_and_unknowns_keep_their_names),
        RUN(same_values_give_the_same_bits),
        RUN(factoring_and_solving_allocate_nothing),
        RUN(denied_memory_leaks_nothing),
        RUN(impossible_requests_are_refused),
        RUN(systems_without_unknowns_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
