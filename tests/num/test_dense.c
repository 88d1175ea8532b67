/* LU and Cholesky of small matrices against elimination in long double. */
#include "check.h"
#include "elimination.h"
#include "num/dense.h"
#include "random_formula.h"

#include <string.h>

enum { MOST = 70, LARGEST = 310 };

static double a[LARGEST * LARGEST], lu[LARGEST * LARGEST], x[LARGEST], b[LARGEST];
static int pivot[LARGEST];

static void fill(uint64_t *seed, int n)
{
    for (int k = 0; k < n * n; k++)
        a[k] = lv_random_between(seed, -1, 1);
    for (int k = 0; k < n; k++)
        b[k] = lv_random_between(seed, -1, 1);
}

static void lu_solves_random_systems_of_every_size(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 1; n <= MOST; n++)
        for (int round = 0; round < 5; round++) {
            long double exact[MOST];
            fill(&seed, n);
            const double condition = eliminate_exactly(exact, a, b, n);
            memcpy(lu, a, sizeof lu);
            memcpy(x, b, sizeof x);
            assert_true(lv_lu_factor(lu, n, pivot));
            lv_lu_solve(lu, n, pivot, x);
            for (int i = 0; i < n; i++)
                assert_close(x[i], (double)exact[i], 1e-14 * n * condition);
        }
}

/* Panels and blocks must not change a bit of the textbook loop. */
static void lu_has_the_bits_of_the_textbook_loop(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 1; n <= LARGEST; n += n < MOST ? 3 : 79) {
        static double plain[LARGEST * LARGEST];
        fill(&seed, n);
        memcpy(lu, a, sizeof lu);
        memcpy(plain, a, sizeof plain);
        assert_true(lv_lu_factor(lu, n, pivot));
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                double t = plain[k * n + j];
                plain[k * n + j] = plain[pivot[k] * n + j];
                plain[pivot[k] * n + j] = t;
            }
            for (int i = k + 1; i < n; i++)
                assert_at_most(fabs(plain[i * n + k]), fabs(plain[k * n + k]));
            plain[k * n + k] = 1 / plain[k * n + k];
            for (int i = k + 1; i < n; i++) {
                plain[i * n + k] *= plain[k * n + k];
                for (int j = k + 1; j < n; j++)
                    plain[i * n + j] -= plain[i * n + k] * plain[k * n + j];
            }
        }
        assert_memory_equal(lu, plain, (size_t)(n * n) * sizeof(double));
    }
}

static void lu_refuses_zero_and_non_finite_pivots(void **state)
{
    (void)state;
    static const double bad[][4] = {
        {0, 0, 0, 0}, {1, 2, 2, 4}, {NAN, 1, 1, 1}, {0, 1, 0, 1}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double m[4];
        memcpy(m, bad[k], sizeof m);
        assert_false(lv_lu_factor(m, 2, pivot));
    }
    for (int n = 3; n < MOST; n += 7)
        for (int column = 0; column < n; column += 2) {
            uint64_t seed = 3;
            fill(&seed, n);
            for (int i = 0; i < n; i++)
                a[i * n + column] = 0;
            assert_false(lv_lu_factor(a, n, pivot));
        }
}

static void cholesky_solves_positive_definite_systems(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 1; n <= 30; n++) {
        static double spd[MOST * MOST];
        long double exact[MOST];
        fill(&seed, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = i == j ? 0.1 : 0;
                for (int k = 0; k < n; k++)
                    sum += a[i * n + k] * a[j * n + k];
                spd[i * n + j] = sum;
            }
        const double condition = eliminate_exactly(exact, spd, b, n);
        /* The upper triangle is not looked at. */
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                spd[i * n + j] = NAN;
        memcpy(x, b, sizeof x);
        assert_true(lv_cholesky_factor(spd, n));
        lv_cholesky_solve(spd, n, x);
        for (int i = 0; i < n; i++)
            assert_close(x[i], (double)exact[i], 1e-14 * n * condition);
    }
}

static void cholesky_refuses_what_is_not_positive_definite(void **state)
{
    (void)state;
    double indefinite[] = {1, 0, 2, 1}, singular[] = {1, 0, 1, 1},
           broken[] = {NAN, 0, 1, 1};
    assert_false(lv_cholesky_factor(indefinite, 2));
    assert_false(lv_cholesky_factor(singular, 2));
    assert_false(lv_cholesky_factor(broken, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(lu_solves_random_systems_of_every_size),
        RUN(lu_has_the_bits_of_the_textbook_loop),
        RUN(lu_refuses_zero_and_non_finite_pivots),
        RUN(cholesky_solves_positive_definite_systems),
        RUN(cholesky_refuses_what_is_not_positive_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
