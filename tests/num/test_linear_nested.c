/* Matrices with small sets of lines that are eliminated first, against exact elimination of
 * the whole. */
#include "base/memory.h"
#include "base/wide.h"
#include "deny.h"
#include "linear_cases.h"

/* Sets of lines i, i + SETS, ..., between the lines that join them: two or three for each
 * set, some of which join each other. */
typedef struct shape {
    int sets, size, outer;
} shape;

static const shape shapes[] = {{2, 1, 1}, {5, 3, 4},  {7, 2, 9}, {4, 6, 6},
                               {3, 9, 7}, {6, 12, 5}, {5, 5, 0}, {3, 20, 8}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static bool inner[MOST];

static int lines_of(shape s)
{
    return s.sets * s.size + s.outer;
}

/* The outer lines are spread among the others. */
static bool is_outer(shape s, int i)
{
    const int n = lines_of(s);
    return s.outer > 0 && i * s.outer / n != (i + 1) * s.outer / n;
}

/* Outer lines are counted from 0, the set of an inner one is its number modulo sets. */
static bool has_entry(shape s, const int *number, int i, int j)
{
    if (is_outer(s, i) && is_outer(s, j))
        return i == j || (number[i] + number[j]) % 3 == 0;
    if (!is_outer(s, i) && !is_outer(s, j))
        return number[i] % s.sets == number[j] % s.sets;
    const int set = (is_outer(s, i) ? number[j] : number[i]) % s.sets,
              other = is_outer(s, i) ? number[i] : number[j];
    return other == set % s.outer || other == (set + 1) % s.outer ||
           (set == 0 && other == s.outer - 1);
}

static void make_sample(shape s, uint64_t *seed)
{
    const int n = lines_of(s);
    int number[MOST], outer = 0;
    for (int i = 0; i < n; i++) {
        inner[i] = !is_outer(s, i);
        number[i] = inner[i] ? i - outer : outer++;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sample.dense[i * n + j] =
                has_entry(s, number, i, j)
                    ? lv_random_between(seed, -1, 1) + (i == j ? s.size : 0)
                    : 0;
    take_pattern(n);
}

static lv_linear *make_nested(void)
{
    lv_error err;
    lv_linear *linear;
    if (lv_linear_create_nested(&linear, &sample.pattern, inner, &err) != LV_OK)
        fail_msg("%s", err.text);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_NESTED);
    return linear;
}

static void solutions_are_those_of_the_whole(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < SHAPES; k++)
        for (int round = 0; round < 5; round++) {
            const int n = lines_of(shapes[k]);
            double b[MOST], x[MOST];
            long double exact[MOST];
            make_sample(shapes[k], &seed);
            lv_linear *linear = make_nested();
            for (int i = 0; i < n; i++)
                x[i] = b[i] = lv_random_between(&seed, -1, 1);
            const double condition = eliminate_exactly(exact, sample.dense, b, n);
            for (int again = 0; again < 2; again++) {
                put_values(linear, &sample.pattern, sample.value);
                assert_true(lv_linear_factor(linear));
            }
            lv_linear_solve(linear, x);
            for (int i = 0; i < n; i++)
                assert_close(x[i], (double)exact[i], 1e-13 * condition);
            lv_linear_refine(linear, x, b);
            assert_below(backward_error(&sample.pattern, sample.value, x, b), 1e-15);
            lv_linear_free(linear);
        }
}

static void wide_and_narrow_code_agree(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < SHAPES; k++) {
        const int n = lines_of(shapes[k]);
        double x[MOST], y[MOST];
        make_sample(shapes[k], &seed);
        lv_linear *linear = make_nested();
        put_values(linear, &sample.pattern, sample.value);
        for (int i = 0; i < n; i++)
            x[i] = y[i] = sin(i + 1);
        assert_true(lv_linear_factor(linear));
        lv_linear_solve(linear, x);
        lv_wide_forbid(true);
        assert_true(lv_linear_factor(linear));
        lv_linear_solve(linear, y);
        lv_wide_forbid(false);
        assert_memory_equal(x, y, (size_t)n * sizeof *x);
        lv_linear_free(linear);
    }
}

/* The solution is 0 in lines that are left out, and that of the others elsewhere. */
static void check_left_out(lv_linear *linear, const bool *gone)
{
    const int n = sample.pattern.rows;
    double b[MOST], x[MOST];
    long double exact[MOST];
    static double part[MOST * MOST];
    put_values(linear, &sample.pattern, sample.value);
    lv_linear_leave_out(linear, gone);
    assert_true(lv_linear_factor(linear));
    for (int i = 0; i < n; i++) {
        x[i] = cos(i);
        b[i] = gone && gone[i] ? 0 : x[i];
        for (int j = 0; j < n; j++)
            part[i * n + j] =
                !gone || (!gone[i] && !gone[j]) ? sample.dense[i * n + j] : i == j;
    }
    const double condition = eliminate_exactly(exact, part, b, n);
    lv_linear_solve(linear, x);
    for (int i = 0; i < n; i++)
        assert_close(x[i], (double)exact[i], 1e-13 * condition);
    int left = 0;
    for (int i = 0; gone && i < n; i++)
        left += gone[i];
    assert_int_equal(lv_linear_redundant(linear), left);
}

static void lines_of_either_kind_are_left_out(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int k = 1; k < SHAPES; k++)
        for (int expected = 0; expected < 2; expected++) {
            lv_error err;
            bool gone[MOST] = {false};
            make_sample(shapes[k], &seed);
            for (int i = 0; i < sample.pattern.rows; i++)
                gone[i] = i % 4 == 1;
            lv_linear *linear = make_nested();
            if (expected)
                assert_int_equal(lv_linear_expect_left_out(linear, gone, &err), LV_OK);
            check_left_out(linear, gone);
            check_left_out(linear, NULL);
            check_left_out(linear, gone);
            for (int i = 0; i < sample.pattern.rows; i++)
                gone[i] = !inner[i];
            check_left_out(linear, gone);
            lv_linear_free(linear);
        }
}

static void singular_sets_are_told(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int k = 1; k < SHAPES; k++) {
        const int n = lines_of(shapes[k]);
        int first = 0, unknown = -1;
        make_sample(shapes[k], &seed);
        while (!inner[first])
            first++;
        lv_linear *linear = make_nested();
        put_values(linear, &sample.pattern, sample.value);
        for (int e = 0; e < sample.start[n]; e++)
            if (sample.column[e] == first)
                lv_linear_storage(linear)[lv_linear_slots(linear)[e]] = 0;
        assert_false(lv_linear_factor(linear));
        assert_true(lv_linear_worst_pivot(linear, &unknown) < LV_LINEAR_SINGULAR);
        assert_int_equal(unknown, first);
        lv_linear_free(linear);
    }
}

/* The first set has one line, which an outer line repeats but for `difference`; what is
 * left for the outer line is small, as is the pivot of the whole. */
static lv_linear *make_nearly_dependent(double difference)
{
    static const double values[3][3] = {{2, 0, 2}, {0, 3, 0}, {2, 0, 2}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sample.dense[i * 3 + j] = values[i][j];
    sample.dense[8] += difference;
    take_pattern(3);
    memcpy(inner, (const bool[]){true, true, false}, 3 * sizeof *inner);
    lv_linear *linear = make_nested();
    put_values(linear, &sample.pattern, sample.value);
    assert_true(lv_linear_factor(linear));
    return linear;
}

static void outer_lines_that_nearly_depend_on_sets_are_seen(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double difference = k == 0 ? 2 : 2e-6;
        int unknown = -1;
        lv_linear *linear = make_nearly_dependent(difference);
        assert_close(lv_linear_worst_pivot(linear, &unknown),
                     difference / (2 + difference), 1e-15);
        assert_int_equal(unknown, 2);
        assert_int_equal(lv_linear_redundant(linear), 0);
        lv_linear_free(linear);
    }
}

/* What rounding leaves of them is no equation. */
static void outer_lines_that_depend_on_sets_are_left_out(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        int unknown = -1;
        double x[3] = {4, 3, 4};
        const bool second[3] = {false, true, false};
        lv_linear *linear = make_nearly_dependent(k == 0 ? 0 : 1e-14);
        assert_int_equal(lv_linear_redundant(linear), 1);
        assert_true(lv_linear_worst_pivot(linear, &unknown) < LV_LINEAR_DEPENDENT);
        assert_int_equal(unknown, 2);
        if (k == 2) {
            lv_linear_leave_out(linear, second);
            assert_true(lv_linear_factor(linear));
            assert_int_equal(lv_linear_redundant(linear), 2);
        }
        lv_linear_solve(linear, x);
        assert_close(x[0], 2, 1e-13);
        assert_close(x[1], k == 2 ? 0 : 1, 1e-15);
        assert_close(x[2], 0, 0);
        lv_linear_free(linear);
    }
}

/* Lines that are expected to be left out take part until they are, also beside a line that
 * depends on a set. */
static void expected_lines_take_part_until_they_are_left_out(void **state)
{
    (void)state;
    enum { N = 4 };
    static const double values[N][N] = {
        {2, 0, 2, 0}, {0, 3, 0, 0}, {2, 0, 2, 0}, {0, 0, 0, 5}};
    const bool last[N] = {false, false, false, true};
    double x[N] = {4, 3, 4, 10};
    lv_error err;
    memcpy(sample.dense, values, sizeof values);
    take_pattern(N);
    memcpy(inner, (const bool[]){true, true, false, false}, N * sizeof *inner);
    lv_linear *linear = make_nested();
    assert_int_equal(lv_linear_expect_left_out(linear, last, &err), LV_OK);
    put_values(linear, &sample.pattern, sample.value);
    assert_true(lv_linear_factor(linear));
    lv_linear_solve(linear, x);
    assert_close(x[0], 2, 1e-15);
    assert_close(x[3], 2, 1e-15);
    assert_int_equal(lv_linear_redundant(linear), 1);
    lv_linear_free(linear);
}

/* Three outer lines of which the last is the sum of the others, behind sets. */
static void dependent_outer_lines_are_accepted(void **state)
{
    (void)state;
    enum { SETS = 4, OUTER = 3, N = SETS + OUTER };
    lv_error err;
    double g[OUTER][SETS] = {{1, 2, 0, 1}, {0, 1, -1, 1}}, x[N], b[N];
    for (int c = 0; c < SETS; c++)
        g[2][c] = g[0][c] + g[1][c];
    memset(sample.dense, 0, sizeof sample.dense);
    for (int i = 0; i < SETS; i++) {
        inner[i] = true;
        sample.dense[i * N + i] = 2;
    }
    for (int r = 0; r < OUTER; r++) {
        inner[SETS + r] = false;
        for (int c = 0; c < SETS; c++)
            sample.dense[(SETS + r) * N + c] = sample.dense[c * N + SETS + r] = g[r][c];
    }
    take_pattern(N);
    lv_linear *linear = make_nested();
    assert_int_equal(lv_linear_allow_redundancy(linear, &err), LV_OK);
    put_values(linear, &sample.pattern, sample.value);
    assert_true(lv_linear_factor(linear));
    assert_int_equal(lv_linear_redundant(linear), 1);
    for (int i = 0; i < N; i++)
        x[i] = b[i] = i + 1;
    x[N - 1] = b[N - 1] = b[N - 2] + b[N - 3];
    lv_linear_solve(linear, x);
    assert_below(backward_error(&sample.pattern, sample.value, x, b), 1e-14);
    /* of least norm: no part of the combination that is no force */
    assert_close(x[SETS] + x[SETS + 1] - x[SETS + 2], 0, 1e-12);
    lv_linear_free(linear);
}

/* One set that is all there is, or a large one, is left to the other back ends. */
static void other_matrices_are_not_nested(void **state)
{
    (void)state;
    static const shape others[] = {{1, 3, 2}, {2, 50, 1}, {1, 4, 0}};
    uint64_t seed = 5;
    for (int k = 0; k < 3; k++) {
        lv_error err;
        lv_linear *linear;
        make_sample(others[k], &seed);
        assert_int_equal(lv_linear_create_nested(&linear, &sample.pattern, inner, &err),
                         LV_OK);
        assert_true(lv_linear_back_end(linear) != LV_BACK_END_NESTED);
        check_solution(linear, 1e-12);
        lv_linear_free(linear);
    }
}

/* Two lines that join as many others. */
static lv_status create_hubs(lv_linear **linear, int spokes, lv_error *err)
{
    const int n = spokes + 2;
    int *start = lv_memory_zeroed((size_t)n + 1, sizeof *start),
        *column = lv_memory_zeroed(5 * (size_t)n, sizeof *column), count = 0;
    bool *hub = lv_memory_zeroed((size_t)n, sizeof *hub);
    assert_true(start && column && hub);
    hub[0] = hub[1] = true;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if (i == j || (hub[i] != hub[j]))
                column[count++] = j;
        start[i + 1] = count;
    }
    const lv_pattern pattern = {n, n, start, column, false};
    const lv_status status = lv_linear_create_nested(linear, &pattern, hub, err);
    lv_memory_free(start);
    lv_memory_free(column);
    lv_memory_free(hub);
    return status;
}

static void *deny_large(void *p, size_t size)
{
    return size < (size_t)50 << 20 ? realloc(p, size) : NULL;
}

/* They would leave a full matrix. */
static void sets_that_join_many_lines_take_no_memory(void **state)
{
    (void)state;
    lv_error err;
    lv_linear *linear = NULL;
    lv_memory_set_hook(deny_large);
    const lv_status status = create_hubs(&linear, 5000, &err);
    lv_memory_set_hook(NULL);
    assert_int_equal(status, LV_OK);
    assert_int_equal(lv_linear_back_end(linear), LV_BACK_END_SPARSE);
    lv_linear_free(linear);
}

static void work_is_that_of_sets_and_of_the_rest(void **state)
{
    (void)state;
    uint64_t seed = 6;
    make_sample((shape){4, 3, 1}, &seed);
    lv_linear *linear = make_nested();
    const lv_linear_work work = lv_linear_count_work(linear);
    assert_close(work.factor, 4 * (9 + 9 + 3) + 1.0 / 3, 1e-9);
    assert_close(work.solve, 4 * (9 + 3 + 3) + 1, 1e-9);
    lv_linear_free(linear);
}

static lv_status create_and_expect(void *user, lv_error *err)
{
    lv_linear *linear = NULL;
    bool gone[MOST] = {false};
    (void)user;
    for (int i = 0; i < sample.pattern.rows; i++)
        gone[i] = i % 3 == 0;
    lv_status status = lv_linear_create_nested(&linear, &sample.pattern, inner, err);
    if (status == LV_OK)
        status = lv_linear_allow_redundancy(linear, err);
    if (status == LV_OK)
        status = lv_linear_expect_left_out(linear, gone, err);
    lv_linear_free(linear);
    return status;
}

static void memory_that_is_denied_is_reported(void **state)
{
    (void)state;
    uint64_t seed = 7;
    make_sample(shapes[1], &seed);
    lv_deny_sweep(create_and_expect, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_whole),
        cmocka_unit_test(wide_and_narrow_code_agree),
        cmocka_unit_test(lines_of_either_kind_are_left_out),
        cmocka_unit_test(singular_sets_are_told),
        cmocka_unit_test(outer_lines_that_nearly_depend_on_sets_are_seen),
        cmocka_unit_test(outer_lines_that_depend_on_sets_are_left_out),
        cmocka_unit_test(expected_lines_take_part_until_they_are_left_out),
        cmocka_unit_test(dependent_outer_lines_are_accepted),
        cmocka_unit_test(other_matrices_are_not_nested),
        cmocka_unit_test(sets_that_join_many_lines_take_no_memory),
        cmocka_unit_test(work_is_that_of_sets_and_of_the_rest),
        cmocka_unit_test(memory_that_is_denied_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
