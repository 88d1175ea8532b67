/* U^T D U factors against the textbook's loop bit by bit, against LU, and against what is known
 * of the matrices: inertia, rank, scales. */
#include "check.h"
#include "elimination.h"
#include "num/dense.h"
#include "num/ldl.h"
#include "random_formula.h"

#include <float.h>
#include <string.h>

enum { MOST = 70 };

typedef enum family { DEFINITE, SADDLE, INDEFINITE, HOLLOW, BADLY_SCALED, KINDS } family;

static double a[MOST * MOST], f[MOST * MOST];
static int pivot[MOST];

static void set(int n, int i, int j, double value)
{
    a[i * n + j] = a[j * n + i] = value;
}

/* Rows of a saddle matrix that belong to M. */
static int coordinates(int n)
{
    return (2 * n + 2) / 3;
}

/* Random entries; a diagonal that dominates where the matrix is to be definite. */
static void random_symmetric(uint64_t *seed, int n, family kind)
{
    const int definite = kind == DEFINITE ? n : kind == SADDLE ? coordinates(n) : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double value = lv_random_between(seed, -1, 1);
            if (i == j)
                value = i < definite ? n : kind == HOLLOW ? 0 : value;
            else if (kind == SADDLE && j >= definite)
                value = 0;
            set(n, i, j, value);
        }
    for (int i = definite; kind == SADDLE && i < n; i++)
        set(n, i, i, 0);
    for (int i = 0; kind == BADLY_SCALED && i < n; i++) {
        const double scale = pow(10, lv_random_between(seed, -12, 12));
        for (int j = 0; j < n; j++)
            set(n, i, j, a[i * n + j] * (i == j ? scale * scale : scale));
    }
}

/* The solvable ones among them. */
static bool regular(int n, family kind)
{
    return !(kind == HOLLOW && n == 1);
}

static bool factor(int n)
{
    memcpy(f, a, (size_t)(n * n) * sizeof *a);
    return lv_ldl_factor(f, n, pivot);
}

/* |A x - b| relative to |A| |x| + |b|, in the largest norm. */
static double backward_error(int n, const double *x, const double *b)
{
    double rest = 0, norm = 0, size = 0, right = 0;
    for (int i = 0; i < n; i++) {
        double sum = -b[i], row = 0;
        for (int j = 0; j < n; j++) {
            sum += a[i * n + j] * x[j];
            row += fabs(a[i * n + j]);
        }
        rest = fmax(rest, fabs(sum));
        norm = fmax(norm, row);
        size = fmax(size, fabs(x[i]));
        right = fmax(right, fabs(b[i]));
    }
    return rest / (norm * size + right);
}

/* ---- the textbook: one pivot after the other, every entry updated at once -------------------- */

static void textbook_exchange(double *t, int n, int k, int r)
{
    for (int j = 0; j < n; j++) {
        const double x = t[k * n + j];
        t[k * n + j] = t[r * n + j];
        t[r * n + j] = x;
    }
    for (int i = 0; i < n; i++) {
        const double x = t[i * n + k];
        t[i * n + k] = t[i * n + r];
        t[i * n + r] = x;
    }
}

static double largest_in_row(const double *t, int n, int k, int row, int *at)
{
    double largest = 0;
    for (int j = k; j < n; j++)
        if (j != row && fabs(t[row * n + j]) > largest) {
            largest = fabs(t[row * n + j]);
            *at = j;
        }
    return largest;
}

/* How many rows the next pivot takes; the unknown to exchange with the last of them. */
static int textbook_choice(const double *t, int n, int k, int *with)
{
    const double alpha = (1 + sqrt(17)) / 8;
    int r = k, unused = k;
    const double column = largest_in_row(t, n, k, k, &r);
    *with = k;
    if (fabs(t[k * n + k]) >= alpha * column)
        return 1;
    const double other = largest_in_row(t, n, k, r, &unused);
    if (fabs(t[k * n + k]) >= alpha * column * (column / other))
        return 1;
    *with = r;
    return fabs(t[r * n + r]) >= alpha * other ? 1 : 2;
}

/* Full storage, both halves. Above the diagonal: U; on it, and beside it for pairs: D^-1. */
static void textbook_factor(double *t, int n, int *chosen)
{
    for (int k = 0, rows; k < n; k += rows) {
        int with;
        double d[2][2] = {{0}}, u[2][MOST];
        rows = textbook_choice(t, n, k, &with);
        chosen[k] = LV_LDL_PAIR;
        chosen[k + rows - 1] = with;
        textbook_exchange(t, n, k + rows - 1, with);
        if (rows == 1) {
            d[0][0] = 1 / t[k * n + k];
        } else {
            const double b = t[k * n + k + 1], p = t[k * n + k] / b,
                         q = t[(k + 1) * n + k + 1] / b, r = 1 / (b * (p * q - 1));
            d[0][0] = q * r;
            d[0][1] = d[1][0] = -r;
            d[1][1] = p * r;
        }
        for (int i = k + rows; i < n; i++)
            for (int p = 0; p < rows; p++)
                u[p][i] = rows == 1
                              ? t[k * n + i] * d[0][0]
                              : d[p][0] * t[k * n + i] + d[p][1] * t[(k + 1) * n + i];
        for (int i = k + rows; i < n; i++)
            for (int j = i; j < n; j++) {
                for (int p = 0; p < rows; p++)
                    t[i * n + j] -= u[p][i] * t[(k + p) * n + j];
                t[j * n + i] = t[i * n + j];
            }
        for (int p = 0; p < rows; p++) {
            for (int i = k + rows; i < n; i++)
                t[(k + p) * n + i] = t[i * n + k + p] = u[p][i];
            for (int q = 0; q < rows; q++)
                t[(k + p) * n + k + q] = d[p][q];
        }
    }
}

static void factors_are_those_of_the_textbook(void **state)
{
    (void)state;
    static double t[MOST * MOST];
    int chosen[MOST], pairs = 0, exchanges = 0;
    uint64_t seed = 1;
    for (int n = 1; n <= MOST; n += n < 30 ? 1 : 8)
        for (int kind = 0; kind < KINDS; kind++) {
            random_symmetric(&seed, n, (family)kind);
            if (!regular(n, (family)kind))
                continue;
            memcpy(t, a, sizeof t);
            textbook_factor(t, n, chosen);
            assert_true(factor(n));
            assert_memory_equal(pivot, chosen, (size_t)n * sizeof *pivot);
            for (int i = 0; i < n; i++) {
                const bool pair = pivot[i] == LV_LDL_PAIR;
                pairs += pair;
                exchanges += !pair && pivot[i] != i;
                for (int j = i; j < n; j++)
                    if (pair && j == i + 1)
                        assert_true(f[j * n + i] == t[j * n + i] && f[i * n + j] == 0);
                    else
                        assert_true(f[i * n + j] == t[i * n + j]);
            }
        }
    assert_true(pairs > 200 && exchanges > 200);
}

static void solutions_are_as_good_as_those_of_lu(void **state)
{
    (void)state;
    double b[MOST], x[MOST], worst[2] = {0, 0};
    uint64_t seed = 2;
    for (int n = 1; n <= MOST; n++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int round = 0; round < 5 && regular(n, (family)kind); round++) {
                random_symmetric(&seed, n, (family)kind);
                for (int i = 0; i < n; i++)
                    x[i] = b[i] = lv_random_between(&seed, -1, 1);
                assert_true(factor(n));
                lv_ldl_solve(f, n, pivot, x);
                const double own = backward_error(n, x, b);
                assert_below(own, 100 * DBL_EPSILON);
                worst[0] = fmax(worst[0], own);
                memcpy(f, a, (size_t)(n * n) * sizeof *a);
                assert_true(lv_lu_factor(f, n, pivot));
                memcpy(x, b, sizeof x);
                lv_lu_solve(f, n, pivot, x);
                worst[1] = fmax(worst[1], backward_error(n, x, b));
            }
    assert_below(worst[0], 10 * worst[1]);
}

static void solutions_agree_with_exact_elimination(void **state)
{
    (void)state;
    double b[MOST], x[MOST];
    long double exact[MOST];
    uint64_t seed = 3;
    for (int n = 1; n <= 40; n++)
        for (family kind = 0; kind < BADLY_SCALED; kind++) {
            if (!regular(n, (family)kind))
                continue;
            random_symmetric(&seed, n, (family)kind);
            for (int i = 0; i < n; i++)
                x[i] = b[i] = lv_random_between(&seed, -1, 1);
            const double condition = eliminate_exactly(exact, a, b, n);
            assert_true(factor(n));
            lv_ldl_solve(f, n, pivot, x);
            for (int i = 0; i < n; i++)
                assert_close(x[i], (double)exact[i], 1e-13 * condition);
        }
}

static void what_is_below_the_diagonal_does_not_matter(void **state)
{
    (void)state;
    static double upper[MOST * MOST];
    int other[MOST];
    uint64_t seed = 4;
    for (int n = 2; n <= MOST; n += 11)
        for (int kind = 0; kind < KINDS; kind++) {
            double x[2][MOST];
            random_symmetric(&seed, n, (family)kind);
            for (int i = 0; i < n; i++) {
                x[0][i] = x[1][i] = i;
                for (int j = 0; j < n; j++)
                    upper[i * n + j] = j < i ? (double)NAN : a[i * n + j];
            }
            assert_true(factor(n));
            assert_true(lv_ldl_factor(upper, n, other));
            lv_ldl_solve(f, n, pivot, x[0]);
            lv_ldl_solve(upper, n, other, x[1]);
            assert_memory_equal(x[0], x[1], (size_t)n * sizeof(double));
        }
}

/* ---- inertia ----------------------------------------------------------------------- */

static int negative_blocks(int n)
{
    int count = 0;
    for (int k = 0; k < n; k++) {
        if (pivot[k] != LV_LDL_PAIR) {
            count += f[k * n + k] < 0;
            continue;
        }
        /* One eigenvalue of either sign. */
        const double off = f[(k + 1) * n + k];
        assert_below(f[k * n + k] * f[(k + 1) * n + k + 1], off * off);
        count++;
        k++;
    }
    return count;
}

/* A = B^T S B has as many negative eigenvalues as S (Sylvester). */
static void signs_of_blocks_are_those_of_eigenvalues(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 1; n <= 40; n++)
        for (int negative = 0; negative <= n; negative += 1 + n / 7) {
            double b[40][40];
            for (int k = 0; k < n; k++)
                for (int i = 0; i < n; i++)
                    b[k][i] = lv_random_between(&seed, -1, 1) + (i == k ? 4 : 0);
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++)
                        sum += (k < negative ? -1 : 1) * b[k][i] * b[k][j];
                    set(n, i, j, sum);
                }
            assert_true(factor(n));
            assert_int_equal(negative_blocks(n), negative);
        }
}

/* [M G^T; G 0] has as many as G has rows. */
static void saddle_matrices_have_one_negative_eigenvalue_per_constraint(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int n = 1; n <= MOST; n++) {
        random_symmetric(&seed, n, SADDLE);
        assert_true(factor(n));
        assert_int_equal(negative_blocks(n), n - coordinates(n));
    }
}

/* ---- singular matrices ------------------------------------------------------------------ */

/* Smallest pivot relative to the largest entry of its row. */
static double worst_pivot(int n, int *unknown)
{
    double scale[MOST];
    int order[MOST];
    for (int i = 0; i < n; i++) {
        scale[i] = 0;
        for (int j = 0; j < n; j++)
            scale[i] = fmax(scale[i], fabs(a[i * n + j]));
    }
    return lv_ldl_worst(f, n, pivot, scale, 1e-14, order, unknown);
}

static void unknown_without_equation_is_named(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 1; n <= MOST; n += 3)
        for (family kind = 0; kind < BADLY_SCALED; kind++)
            for (int empty = 0; empty < n; empty += 1 + n / 4) {
                int unknown = -1;
                random_symmetric(&seed, n, (family)kind);
                for (int j = 0; j < n; j++)
                    set(n, empty, j, 0);
                assert_false(factor(n));
                assert_true(worst_pivot(n, &unknown) == 0);
                assert_int_equal(unknown, empty);
            }
}

/* Two multipliers of one constraint. */
static void dependent_constraint_is_named(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int n = 8; n <= MOST; n += 5) {
        const int twin = coordinates(n);
        int unknown = -1;
        random_symmetric(&seed, n, SADDLE);
        for (int i = 0; i < twin; i++)
            set(n, n - 1, i, 3 * a[twin * n + i]);
        (void)factor(n);
        assert_below(worst_pivot(n, &unknown), 1e-14);
        assert_true(unknown == twin || unknown == n - 1);
    }
}

static void pivots_of_regular_matrices_are_large(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int n = 2; n <= MOST; n++)
        for (family kind = 0; kind < BADLY_SCALED; kind++) {
            int unknown = -1;
            random_symmetric(&seed, n, (family)kind);
            assert_true(factor(n));
            const double worst = worst_pivot(n, &unknown);
            assert_true(worst > 1e-6 && worst <= 3);
            assert_in_range(unknown, 0, n - 1);
        }
}

/* Pivots of [e g; g f], |e| small: g and e f / g - g, by hand. */
static void pivots_of_a_pair_are_those_of_its_lu(void **state)
{
    (void)state;
    int unknown = -1;
    set(2, 0, 0, 1e-3);
    set(2, 0, 1, 2);
    set(2, 1, 1, 0.5);
    assert_true(factor(2));
    assert_int_equal(pivot[0], LV_LDL_PAIR);
    const double second = 2 - 1e-3 * 0.5 / 2;
    assert_close(worst_pivot(2, &unknown), second / 2, 1e-15);
    assert_int_equal(unknown, 1);
}

static void numbers_that_are_not_finite_are_singular(void **state)
{
    (void)state;
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    uint64_t seed = 10;
    for (int n = 1; n <= 30; n++)
        for (int round = 0; round < 15; round++) {
            int unknown;
            random_symmetric(&seed, n, (family)(round % KINDS));
            set(n, lv_random_below(&seed, n), lv_random_below(&seed, n), bad[round % 3]);
            assert_false(factor(n));
            assert_below(worst_pivot(n, &unknown), 1e-14);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(factors_are_those_of_the_textbook),
        RUN(solutions_are_as_good_as_those_of_lu),
        RUN(solutions_agree_with_exact_elimination),
        RUN(what_is_below_the_diagonal_does_not_matter),
        RUN(signs_of_blocks_are_those_of_eigenvalues),
        RUN(saddle_matrices_have_one_negative_eigenvalue_per_constraint),
        RUN(unknown_without_equation_is_named),
        RUN(dependent_constraint_is_named),
        RUN(pivots_of_regular_matrices_are_large),
        RUN(pivots_of_a_pair_are_those_of_its_lu),
        RUN(numbers_that_are_not_finite_are_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
