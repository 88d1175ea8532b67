/* Dependent equations that are let through: consistent ones are solved, with the least norm. */
#include "base/memory.h"
#include "deny.h"
#include "linear_cases.h"
#include "requests.h"
#include "saddle.h"
#include "ways.h"

enum { POINTS = 12, LINKS = POINTS + 2, N = 3 * POINTS + LINKS };

/* A chain two of whose links are there twice: links 3 and 8, as the last two multipliers. */
static const int twins[2] = {3 * POINTS + 3, 3 * POINTS + 8};

static saddle chain_with_twins(void)
{
    saddle_list list = saddle_begin(POINTS, LINKS);
    for (int i = 0; i < LINKS; i++) {
        const int link = i < POINTS ? i : twins[i - POINTS] - 3 * POINTS;
        const double d[3] = {cos(0.3 * link), sin(0.7 * link), 0.7};
        saddle_link(&list, link, link - 1, d, 3 * POINTS + i);
    }
    return saddle_compress(&list, N, 3 * POINTS);
}

static lv_linear *make_strict(const lv_pattern *pattern, way how)
{
    lv_linear *linear;
    lv_error err;
    const lv_status status =
        (how.symmetric ? lv_linear_create_symmetric
                       : lv_linear_create)(&linear, pattern, how.back_end, NULL, &err);
    if (status != LV_OK)
        fail_msg("%s", err.text);
    return linear;
}

static lv_linear *make_tolerant(const lv_pattern *pattern, way how)
{
    lv_linear *linear = make_strict(pattern, how);
    assert_int_equal(lv_linear_allow_redundancy(linear, NULL), LV_OK);
    return linear;
}

static void multiply(const saddle *s, const double *x, double *b)
{
    for (int i = 0; i < s->pattern.rows; i++) {
        b[i] = 0;
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            b[i] += s->value[e] * x[s->column[e]];
    }
}

/* The multipliers of twins may be exchanged: the least norm shares them equally. */
static void twins_share_their_multiplier(void **state)
{
    (void)state;
    for (int w = 0; w < WAYS; w++) {
        saddle s = chain_with_twins();
        double expected[N], b[N], x[N];
        lv_linear *linear = make_tolerant(&s.pattern, ways[w]);
        for (int i = 0; i < N; i++)
            expected[i] = sin(i + 1);
        for (int k = 0; k < 2; k++)
            expected[3 * POINTS + POINTS + k] = expected[twins[k]];
        multiply(&s, expected, b);
        put_values(linear, &s.pattern, s.value);
        assert_true(lv_linear_factor(linear));
        assert_int_equal(lv_linear_redundant(linear), 2);
        memcpy(x, b, sizeof x);
        lv_linear_solve(linear, x);
        for (int i = 0; i < N; i++)
            assert_close(x[i], expected[i], 1e-12);
        lv_linear_refine(linear, x, b);
        for (int i = 0; i < N; i++)
            assert_close(x[i], expected[i], 1e-13);
        lv_linear_free(linear);
        saddle_free(&s);
    }
}

/* Lines of the twins, or of what they are twins of. */
static void find_lines(bool *out, bool twin)
{
    memset(out, 0, N * sizeof *out);
    for (int k = 0; k < 2; k++)
        out[twin ? twins[k] : 3 * POINTS + POINTS + k] = true;
}

/* Without the twins the chain is regular; others may be left out the next time, or none. expected: memory is there for a
 * matrix without some of them. */
static void check_left_out(bool expected_lines)
{
    for (int w = 0; w < WAYS; w++) {
        saddle s = chain_with_twins();
        lv_linear *linear = make_strict(&s.pattern, ways[w]);
        if (expected_lines) {
            bool out[N];
            find_lines(out, true);
            assert_int_equal(lv_linear_expect_left_out(linear, out, NULL), LV_OK);
        }
        for (int turn = 0; turn < 4; turn++) {
            bool out[N];
            double expected[N], b[N], x[N];
            find_lines(out, turn % 2);
            for (int i = 0; i < N; i++)
                expected[i] = out[i] ? 0 : sin(i + turn + 1);
            multiply(&s, expected, b);
            lv_linear_clear(linear);
            put_values(linear, &s.pattern, s.value);
            lv_linear_leave_out(linear, out);
            assert_true(lv_linear_factor(linear));
            assert_int_equal(lv_linear_redundant(linear), 2);
            memcpy(x, b, sizeof x);
            lv_linear_solve(linear, x);
            for (int i = 0; i < N; i++)
                assert_close(x[i], expected[i], 1e-11);
        }
        lv_linear_clear(linear);
        put_values(linear, &s.pattern, s.value);
        lv_linear_leave_out(linear, NULL);
        assert_false(lv_linear_factor(linear));
        assert_int_equal(lv_linear_redundant(linear), 0);
        lv_linear_free(linear);
        saddle_free(&s);
    }
}

static void lines_that_are_left_out_are_zero(void **state)
{
    (void)state;
    check_left_out(false);
}

static void so_are_those_that_were_expected(void **state)
{
    (void)state;
    check_left_out(true);
}

static void regular_matrices_are_factored_as_ever(void **state)
{
    (void)state;
    saddle chain = saddle_chain(15);
    const int n = chain.pattern.rows;
    for (int w = 0; w < WAYS; w++) {
        double x[2][60];
        for (int tolerant = 0; tolerant < 2; tolerant++) {
            lv_linear *linear =
                (tolerant ? make_tolerant : make_strict)(&chain.pattern, ways[w]);
            put_values(linear, &chain.pattern, chain.value);
            assert_true(lv_linear_factor(linear));
            assert_int_equal(lv_linear_redundant(linear), 0);
            for (int i = 0; i < n; i++)
                x[tolerant][i] = i;
            lv_linear_solve(linear, x[tolerant]);
            lv_linear_free(linear);
        }
        assert_memory_equal(x[0], x[1], (size_t)n * sizeof(double));
    }
    saddle_free(&chain);
}

/* Dependent, then independent, then dependent again. */
static void redundancy_comes_and_goes(void **state)
{
    (void)state;
    for (int w = 0; w < WAYS; w++) {
        saddle s = chain_with_twins();
        lv_linear *linear = make_tolerant(&s.pattern, ways[w]);
        for (int round = 0; round < 4; round++) {
            double value[2000], x[N], b[N];
            assert_true(s.start[N] <= 2000);
            for (int i = 0; i < N; i++)
                for (int e = s.start[i]; e < s.start[i + 1]; e++) {
                    const int j = s.column[e];
                    const bool last = i >= N - 2 || j >= N - 2;
                    value[e] =
                        s.value[e] * (last && round % 2 ? 1 + 0.4 * ((i + j) % 2) : 1);
                }
            put_values(linear, &s.pattern, value);
            assert_true(lv_linear_factor(linear));
            assert_int_equal(lv_linear_redundant(linear), round % 2 ? 0 : 2);
            for (int i = 0; i < N; i++)
                x[i] = b[i] = i < 3 * POINTS;
            lv_linear_solve(linear, x);
            lv_linear_refine(linear, x, b);
            assert_below(backward_error(&s.pattern, value, x, b), 1e-12);
        }
        lv_linear_free(linear);
        saddle_free(&s);
    }
}

/* A diagonal matrix of this size but for two equal rows: what factoring it and solving takes from
 * the allocator. */
static long count_requests(int n, way how)
{
    static int start[LV_LINEAR_REDUNDANT_MOST + 1], column[LV_LINEAR_REDUNDANT_MOST + 2];
    static double value[LV_LINEAR_REDUNDANT_MOST + 2];
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i < 2 ? 0 : i; j <= (i < 2 ? 1 : i); j++) {
            column[count] = j;
            value[count++] = i < 2 ? 1 : i;
        }
        start[i + 1] = count;
    }
    const lv_pattern pattern = {n, n, start, column};
    static double x[LV_LINEAR_REDUNDANT_MOST];
    lv_linear *linear = make_tolerant(&pattern, how);
    requests = 0;
    put_values(linear, &pattern, value);
    assert_true(lv_linear_factor(linear));
    assert_int_equal(lv_linear_redundant(linear), 1);
    lv_linear_solve(linear, x);
    const long found = requests;
    lv_linear_free(linear);
    return found;
}

static void room_is_made_in_advance(void **state)
{
    (void)state;
    static const int sizes[] = {2, 40, 128, 129, 300, LV_LINEAR_REDUNDANT_MOST};
    lv_memory_set_hook(counting_resize);
    for (int w = 0; w < WAYS; w++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            assert_int_equal(count_requests(sizes[k], ways[w]), 0);
    lv_memory_set_hook(NULL);
}

static lv_status allow(void *user, lv_error *err)
{
    const saddle *s = user;
    lv_linear *linear;
    LV_TRY(lv_linear_create(&linear, &s->pattern, LV_BACK_END_DENSE, NULL, err));
    const lv_status status = lv_linear_allow_redundancy(linear, err);
    lv_linear_free(linear);
    return status;
}

static void denied_room_is_reported(void **state)
{
    (void)state;
    saddle s = chain_with_twins();
    lv_deny_sweep(allow, &s);
    saddle_free(&s);
}

static void numbers_that_are_not_finite_are_not_let_through(void **state)
{
    (void)state;
    for (int w = 0; w < WAYS; w++) {
        saddle s = chain_with_twins();
        lv_linear *linear = make_tolerant(&s.pattern, ways[w]);
        s.value[5] = NAN;
        put_values(linear, &s.pattern, s.value);
        assert_false(lv_linear_factor(linear));
        lv_linear_free(linear);
        saddle_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(twins_share_their_multiplier),
        RUN(lines_that_are_left_out_are_zero),
        RUN(so_are_those_that_were_expected),
        RUN(regular_matrices_are_factored_as_ever),
        RUN(redundancy_comes_and_goes),
        RUN(room_is_made_in_advance),
        RUN(denied_room_is_reported),
        RUN(numbers_that_are_not_finite_are_not_let_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
