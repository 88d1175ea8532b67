/* Coefficients against closed forms, against 90-digit values made another way, and against
 * what they must satisfy. Orders are measured in test_tableau_order.c. */
#include "scheme/tableau.h"

#include "check.h"
#include "deny.h"
#include "tableau_reference.h"

#include <string.h>

enum { MOST = LV_RULE_MOST };

static lv_tableau *create(lv_family family, int stages)
{
    lv_tableau *t = NULL;
    assert_int_equal(lv_tableau_create(&t, family, stages, NULL), LV_OK);
    assert_int_equal(t->stages, stages);
    return t;
}

static void check_entries(const double *m, const long double *expected, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabsl(m[i] - expected[i]) <= 6e-17L))
            fail_msg("entry %d is %.20g, not %.20Lg", i, m[i], expected[i]);
}

#define check_array(m, ...)                                                              \
    check_entries(                                                                       \
        m, (const long double[]){__VA_ARGS__},                                           \
        (int)(sizeof((const long double[]){__VA_ARGS__}) / sizeof(long double)))

static void gauss_matches_closed_forms(void **state)
{
    (void)state;
    lv_tableau *t = create(LV_FAMILY_GAUSS, 1);
    assert_true(t->a[0] == 0.5 && t->ah[0] == 0.5 && t->b[0] == 1 && t->c[0] == 0.5);
    assert_true(t->aah[0] == 0.25 && t->bah[0] == 0.5);
    lv_tableau_free(t);

    long double r = sqrtl(3);
    t = create(LV_FAMILY_GAUSS, 2);
    check_array(t->c, 0.5L - r / 6, 0.5L + r / 6);
    check_array(t->a, 0.25L, 0.25L - r / 6, 0.25L + r / 6, 0.25L);
    lv_tableau_free(t);

    r = sqrtl(15);
    t = create(LV_FAMILY_GAUSS, 3);
    check_array(t->b, 5 / 18.0L, 8 / 18.0L, 5 / 18.0L);
    check_array(t->a, 5 / 36.0L, 2 / 9.0L - r / 15, 5 / 36.0L - r / 30,
                5 / 36.0L + r / 24, 2 / 9.0L, 5 / 36.0L - r / 24, 5 / 36.0L + r / 30,
                2 / 9.0L + r / 15, 5 / 36.0L);
    lv_tableau_free(t);
}

static void small_lobatto_pairs_match_closed_forms(void **state)
{
    (void)state;
    lv_tableau *t = create(LV_FAMILY_LOBATTO, 2);
    check_array(t->c, 0, 1);
    check_array(t->b, 0.5L, 0.5L);
    check_array(t->a, 0, 0, 0.5L, 0.5L);
    check_array(t->ah, 0.5L, 0, 0.5L, 0);
    check_array(t->aah, 0, 0, 0.5L, 0);
    lv_tableau_free(t);

    t = create(LV_FAMILY_LOBATTO, 3);
    check_array(t->b, 1 / 6.0L, 2 / 3.0L, 1 / 6.0L);
    check_array(t->a, 0, 0, 0, 5 / 24.0L, 1 / 3.0L, -1 / 24.0L, 1 / 6.0L, 2 / 3.0L,
                1 / 6.0L);
    check_array(t->ah, 1 / 6.0L, -1 / 6.0L, 0, 1 / 6.0L, 1 / 3.0L, 0, 1 / 6.0L, 5 / 6.0L,
                0);
    lv_tableau_free(t);

    long double r = sqrtl(5);
    t = create(LV_FAMILY_LOBATTO, 4);
    check_array(t->c, 0, (5 - r) / 10, (5 + r) / 10, 1);
    check_array(t->b, 1 / 12.0L, 5 / 12.0L, 5 / 12.0L, 1 / 12.0L);
    check_array(t->a, 0, 0, 0, 0, (11 + r) / 120, (25 - r) / 120, (25 - 13 * r) / 120,
                (r - 1) / 120, (11 - r) / 120, (25 + 13 * r) / 120, (25 + r) / 120,
                (-1 - r) / 120, 1 / 12.0L, 5 / 12.0L, 5 / 12.0L, 1 / 12.0L);
    check_array(t->ah, 1 / 12.0L, (-1 - r) / 24, (-1 + r) / 24, 0, 1 / 12.0L,
                (25 + r) / 120, (25 - 13 * r) / 120, 0, 1 / 12.0L, (25 + 13 * r) / 120,
                (25 - r) / 120, 0, 1 / 12.0L, (11 - r) / 24, (11 + r) / 24, 0);
    lv_tableau_free(t);
}

static void lobatto_with_five_stages_matches_closed_forms(void **state)
{
    (void)state;
    long double r = sqrtl(21);
    lv_tableau *t = create(LV_FAMILY_LOBATTO, 5);
    check_array(t->c, 0, (7 - r) / 14, 0.5L, (7 + r) / 14, 1);
    check_array(t->b, 1 / 20.0L, 49 / 180.0L, 16 / 45.0L, 49 / 180.0L, 1 / 20.0L);
    check_array(t->a, 0, 0, 0, 0, 0, (119 + 3 * r) / 1960, (343 - 9 * r) / 2520,
                (392 - 96 * r) / 2205, (343 - 69 * r) / 2520, (-21 + 3 * r) / 1960,
                13 / 320.0L, (392 + 105 * r) / 2880, 8 / 45.0L, (392 - 105 * r) / 2880,
                3 / 320.0L, (119 - 3 * r) / 1960, (343 + 69 * r) / 2520,
                (392 + 96 * r) / 2205, (343 + 9 * r) / 2520, (-21 - 3 * r) / 1960,
                1 / 20.0L, 49 / 180.0L, 16 / 45.0L, 49 / 180.0L, 1 / 20.0L);
    check_array(t->ah, 1 / 20.0L, (-7 - r) / 120, 1 / 15.0L, (-7 + r) / 120, 0, 1 / 20.0L,
                (343 + 9 * r) / 2520, (56 - 15 * r) / 315, (343 - 69 * r) / 2520, 0,
                1 / 20.0L, (49 + 12 * r) / 360, 8 / 45.0L, (49 - 12 * r) / 360, 0,
                1 / 20.0L, (343 + 69 * r) / 2520, (56 + 15 * r) / 315,
                (343 - 9 * r) / 2520, 0, 1 / 20.0L, (119 - 3 * r) / 360, 13 / 45.0L,
                (119 + 3 * r) / 360, 0);
    lv_tableau_free(t);
}

static void radau_pairs_match_closed_forms(void **state)
{
    (void)state;
    lv_tableau *t = create(LV_FAMILY_RADAU, 2);
    check_array(t->a, 5 / 12.0L, -1 / 12.0L, 0.75L, 0.25L);
    check_array(t->ah, 1 / 3.0L, 0, 1, 0);
    lv_tableau_free(t);
    t = create(LV_FAMILY_RADAU_LEFT, 2);
    check_array(t->a, 0.25L, -0.25L, 0.25L, 5 / 12.0L);
    check_array(t->ah, 0, 0, 1 / 3.0L, 1 / 3.0L);
    lv_tableau_free(t);
    t = create(LV_FAMILY_RADAU, 1);
    assert_true(t->a[0] == 1 && t->ah[0] == 0); /* symplectic Euler */
    lv_tableau_free(t);
    long double r = sqrtl(6);
    t = create(LV_FAMILY_RADAU, 3);
    check_array(t->a, (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,
                (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,
                (16 - r) / 36, (16 + r) / 36, 1 / 9.0L);
    lv_tableau_free(t);
}

static double worst_error(lv_family family, int s, const double *reference)
{
    lv_tableau *t = create(family, s);
    double worst = 0;
    for (int i = 0; i < s; i++) {
        worst = fmax(worst, fabs(t->c[i] - reference[i]));
        worst = fmax(worst, fabs(t->b[i] - reference[s + i]));
    }
    for (int i = 0; i < s * s; i++)
        worst = fmax(worst, fabs(t->a[i] - reference[2 * s + i]));
    lv_tableau_free(t);
    return worst;
}

static void tables_agree_with_many_digits(void **state)
{
    (void)state;
    const double tolerance = 6e-17; /* half a unit in the last place of 1 */
    assert_at_most(worst_error(LV_FAMILY_GAUSS, 7, gauss_7), tolerance);
    assert_at_most(worst_error(LV_FAMILY_GAUSS, 12, gauss_12), tolerance);
    assert_at_most(worst_error(LV_FAMILY_LOBATTO, 7, lobatto_7), tolerance);
    assert_at_most(worst_error(LV_FAMILY_LOBATTO, 12, lobatto_12), tolerance);
    assert_at_most(worst_error(LV_FAMILY_RADAU, 7, radau_7), tolerance);
    assert_at_most(worst_error(LV_FAMILY_RADAU, 12, radau_12), tolerance);
}

/* Twofold integral over [0, x] of Lagrange's polynomial number j, by 13 Gauss points. */
static lv_dd lagrange_integral(const lv_dd *node, int s, int j, lv_dd x)
{
    static lv_dd y[13], w[13];
    lv_dd sum = lv_dd_from(0);
    if (w[0].hi == 0)
        assert_true(lv_rule_nodes_dd(y, w, LV_RULE_GAUSS, 13));
    for (int i = 0; i < 13; i++) {
        lv_dd at = lv_dd_scale(lv_dd_add(y[i], lv_dd_from(1)), 0.5);
        at = lv_dd_mul(at, x);
        lv_dd term = lv_dd_mul(w[i], x);
        for (int k = 0; k < s; k++)
            if (k != j)
                term = lv_dd_mul(
                    term, lv_dd_div(lv_dd_sub(at, node[k]), lv_dd_sub(node[j], node[k])));
        sum = lv_dd_add(sum, term);
    }
    return sum;
}

static void collocation_matrices_integrate_lagrange_polynomials(void **state)
{
    (void)state;
    static const int sizes[] = {2, 3, 4, 5, 6, 8, 9, 10, 11, 16, 25};
    static const lv_family families[] = {LV_FAMILY_GAUSS, LV_FAMILY_LOBATTO,
                                         LV_FAMILY_RADAU, LV_FAMILY_RADAU_LEFT};
    for (size_t f = 0; f < 4; f++)
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            int s = sizes[n];
            const lv_family_row *row = &lv_family_table[families[f]];
            lv_tableau *t = create(families[f], s);
            const double *a = row->mirrored ? t->ah : t->a;
            lv_dd c[MOST], b[MOST];
            assert_true(lv_rule_nodes_dd(c, b, row->rule, s));
            for (int i = 0; i < s; i++)
                c[i] = lv_dd_scale(lv_dd_add(c[i], lv_dd_from(1)), 0.5);
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) {
                    lv_dd exact = lagrange_integral(c, s, j, c[i]);
                    assert_at_most(fabs(a[i * s + j] - exact.hi),
                                   2e-16 * fabs(exact.hi) + 1e-25);
                }
            lv_tableau_free(t);
        }
}

/* sum_j m_ij c_j^{k-1} = c_i^k / k, k = 1..upto */
static void check_C(const lv_tableau *t, const double *m, int upto)
{
    int s = t->stages;
    for (int k = 1; k <= upto; k++)
        for (int i = 0; i < s; i++) {
            long double sum = 0;
            for (int j = 0; j < s; j++)
                sum += m[i * s + j] * powl(t->c[j], k - 1);
            assert_true(fabsl(sum - powl(t->c[i], k) / k) <= 3e-16L);
        }
}

/* sum_i b_i c_i^{k-1} m_ij = b_j (1 - c_j^k) / k, k = 1..upto */
static void check_D(const lv_tableau *t, const double *m, int upto)
{
    int s = t->stages;
    for (int k = 1; k <= upto; k++)
        for (int j = 0; j < s; j++) {
            long double sum = 0;
            for (int i = 0; i < s; i++)
                sum += t->b[i] * powl(t->c[i], k - 1) * m[i * s + j];
            assert_true(fabsl(sum - t->b[j] * (1 - powl(t->c[j], k)) / k) <= 3e-16L);
        }
}

static void check_B(const lv_tableau *t, int upto)
{
    for (int k = 1; k <= upto; k++) {
        long double sum = 0;
        for (int j = 0; j < t->stages; j++)
            sum += t->b[j] * powl(t->c[j], k - 1);
        assert_true(fabsl(sum - 1 / (long double)k) <= 3e-16L);
    }
}

/* Two integrations at once: sum_j m_ij c_j^{k-2} = c_i^k / (k (k-1)), k = 2..upto, and for
 * the columns sum_i b_i c_i^{k-2} m_ij = b_j (c_j^k - k c_j + k - 1) / (k (k-1)). */
static void check_products(const lv_tableau *t, const double *m, int upto)
{
    int s = t->stages;
    for (int k = 2; k <= upto; k++)
        for (int i = 0; i < s; i++) {
            long double across = 0, down = 0, c = t->c[i];
            for (int j = 0; j < s; j++) {
                across += m[i * s + j] * powl(t->c[j], k - 2);
                down += t->b[j] * powl(t->c[j], k - 2) * m[j * s + i];
            }
            assert_true(fabsl(across - powl(c, k) / (k * (k - 1))) <= 3e-16L);
            assert_true(fabsl(down - t->b[i] * (powl(c, k) - k * c + k - 1) /
                                         (k * (k - 1))) <= 3e-16L);
        }
}

/* B, C, D of a; the conjugate has C and D exchanged. Offsets from s. */
static void simplifying_assumptions_hold(void **state)
{
    (void)state;
    static const struct {
        int b, c, d, aah, aha;
    } loss[LV_FAMILIES] = {
        [LV_FAMILY_GAUSS] = {0, 0, 0, 0, 0},      [LV_FAMILY_LOBATTO] = {2, 0, 2, 0, 2},
        [LV_FAMILY_LOBATTO_B] = {2, 2, 0, 2, 0},  [LV_FAMILY_RADAU] = {1, 0, 1, 0, 1},
        [LV_FAMILY_RADAU_LEFT] = {1, 1, 0, 1, 0},
    };
    for (lv_family family = 0; family < LV_FAMILIES; family++)
        for (int s = lv_family_table[family].least; s <= MOST; s += s < 12 ? 1 : 14) {
            lv_tableau *t = create(family, s);
            check_B(t, 2 * s - loss[family].b);
            check_C(t, t->a, s - loss[family].c);
            check_D(t, t->a, s - loss[family].d);
            check_C(t, t->ah, s - loss[family].d);
            check_D(t, t->ah, s - loss[family].c);
            check_products(t, t->aah, s - loss[family].aah);
            check_products(t, t->aha, s - loss[family].aha);
            lv_tableau_free(t);
        }
}

static void pairs_are_symplectic_and_symmetric_as_claimed(void **state)
{
    (void)state;
    for (lv_family family = 0; family < LV_FAMILIES; family++)
        for (int s = lv_family_table[family].least; s <= MOST; s++) {
            lv_tableau *t = create(family, s);
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++) {
                    long double bi = t->b[i], bj = t->b[j];
                    long double sum = bi * t->ah[i * s + j] + bj * t->a[j * s + i];
                    assert_true(fabsl(sum - bi * bj) <= 6e-17L);
                }
            assert_true(t->symplectic == lv_family_table[family].symplectic);
            assert_true(t->symmetric == lv_family_table[family].symmetric);
            assert_true(t->order == 2 * s - lv_family_table[family].order_loss);
            assert_true((t->q_starts && t->q_ends) ==
                        lv_family_table[family].constraints);
            lv_tableau_free(t);
        }
}

static void gauss_is_its_own_conjugate_in_every_bit(void **state)
{
    (void)state;
    for (int s = 1; s <= MOST; s++) {
        lv_tableau *t = create(LV_FAMILY_GAUSS, s);
        assert_memory_equal(t->a, t->ah, sizeof(double) * (size_t)(s * s));
        for (int i = 0; i < s; i++)
            assert_true(t->a[i * s + i] == t->b[i] / 2);
        lv_tableau_free(t);
    }
}

static void lobatto_b_exchanges_the_matrices(void **state)
{
    (void)state;
    for (int s = 2; s <= 12; s++) {
        size_t size = sizeof(double) * (size_t)(s * s);
        lv_tableau *t = create(LV_FAMILY_LOBATTO, s), *u = create(LV_FAMILY_LOBATTO_B, s);
        assert_memory_equal(t->a, u->ah, size);
        assert_memory_equal(t->ah, u->a, size);
        assert_memory_equal(t->aah, u->aha, size);
        assert_true(t->q_starts && t->q_ends && !t->p_starts && !t->p_ends);
        assert_true(!u->q_starts && !u->q_ends && u->p_starts && u->p_ends);
        assert_true(s == 2 || u->bah[s - 1] == 0); /* b_j (1 - c_j) */
        lv_tableau_free(t);
        lv_tableau_free(u);
    }
}

static void structural_entries_of_lobatto_are_exact(void **state)
{
    (void)state;
    for (int s = 2; s <= MOST; s++) {
        lv_tableau *t = create(LV_FAMILY_LOBATTO, s);
        int last = s - 1;
        for (int j = 0; j < s; j++) {
            assert_true(t->a[j] == 0 && t->a[last * s + j] == t->b[j]);
            assert_true(t->ah[j * s] == t->b[0] && t->ah[j * s + last] == 0);
            assert_true(t->aah[j] == 0 && t->aah[j * s + last] == 0);
            assert_true(t->aah[last * s + j] == t->bah[j]);
        }
        assert_true(t->c[0] == 0 && t->c[last] == 1);
        lv_tableau_free(t);
    }
}

static void structural_entries_of_radau_are_exact(void **state)
{
    (void)state;
    for (int s = 1; s <= MOST; s++) {
        lv_tableau *t = create(LV_FAMILY_RADAU, s), *u = create(LV_FAMILY_RADAU_LEFT, s);
        int last = s - 1;
        for (int j = 0; j < s; j++) {
            assert_true(t->a[last * s + j] == t->b[j] && t->ah[j * s + last] == 0);
            assert_true(u->ah[j] == 0 && u->a[j * s] == u->b[0]);
        }
        assert_true(t->q_ends && !t->q_starts && !t->p_starts && !t->p_ends);
        assert_true(u->p_starts && !u->p_ends && !u->q_starts && !u->q_ends);
        lv_tableau_free(t);
        lv_tableau_free(u);
    }
}

/* Extreme singular values of m (n x n, overwritten) by rotations that make its columns
 * orthogonal (one-sided Jacobi). */
static void singular_values(long double *m, int n, long double *least, long double *most)
{
    for (int sweep = 0; sweep < 40; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                long double pp = 0, qq = 0, pq = 0;
                for (int i = 0; i < n; i++) {
                    pp += m[i * n + p] * m[i * n + p];
                    qq += m[i * n + q] * m[i * n + q];
                    pq += m[i * n + p] * m[i * n + q];
                }
                long double angle = atan2l(2 * pq, pp - qq) / 2;
                long double c = cosl(angle), s = sinl(angle);
                for (int i = 0; i < n; i++) {
                    long double x = m[i * n + p], y = m[i * n + q];
                    m[i * n + p] = c * x + s * y;
                    m[i * n + q] = c * y - s * x;
                }
            }
    *least = HUGE_VALL;
    *most = 0;
    for (int p = 0; p < n; p++) {
        long double norm = 0;
        for (int i = 0; i < n; i++)
            norm += m[i * n + p] * m[i * n + p];
        *least = fminl(*least, sqrtl(norm));
        *most = fmaxl(*most, sqrtl(norm));
    }
}

/* Determinant of m (n x n); x <- m^-1 x. Both are overwritten. */
static long double eliminate(long double *m, long double *x, int n)
{
    long double det = 1;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            p = fabsl(m[i * n + k]) > fabsl(m[p * n + k]) ? i : p;
        for (int j = 0; j <= n; j++) {
            long double *u = j < n ? &m[k * n + j] : &x[k];
            long double *v = j < n ? &m[p * n + j] : &x[p];
            long double keep = *u;
            *u = *v;
            *v = keep;
        }
        det *= p == k ? m[k * n + k] : -m[k * n + k];
        for (int i = 0; i < n; i++) {
            long double factor = i == k ? 0 : m[i * n + k] / m[k * n + k];
            for (int j = k; j < n; j++)
                m[i * n + j] -= factor * m[k * n + j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = 0; k < n; k++)
        x[k] /= m[k * n + k];
    return det;
}

/* The part of m without row 1 and without column `drop`. */
static void reduced(long double *part, const double *m, int s, int drop)
{
    for (int i = 1; i < s; i++)
        for (int j = 0, k = 0; j < s; j++)
            if (j != drop)
                part[(i - 1) * (s - 1) + k++] = m[i * s + j];
}

static void lobatto_stage_matrices_are_well_conditioned(void **state)
{
    (void)state;
    static const double det[] = {1.0 / 2, 1.0 / 12, 1.0 / 120, 1.0 / 1680};
    static const double cond_a[] = {1, 6.9, 14, 22};
    static const double cond_aah[] = {1, 6.9, 24.8, 62.7, 134};
    static const double sigma[] = {0.5, 0.055, 0.0155, 0.0060, 0.0027};
    for (int s = 2; s <= 6; s++) {
        lv_tableau *t = create(LV_FAMILY_LOBATTO, s);
        long double m[25], x[5], least, most;
        reduced(m, t->a, s, 0);
        for (int i = 1; i < s; i++)
            x[i - 1] = -t->a[i * s];
        long double d = eliminate(m, x, s - 1);
        /* stability function at infinity: At Y = -a_1, y1 = Y_s */
        assert_close((double)x[s - 2], s % 2 ? 1 : -1, 1e-14);
        if (s < 6) {
            assert_close((double)d / det[s - 2], 1, 1e-14);
            reduced(m, t->a, s, 0);
            singular_values(m, s - 1, &least, &most);
            assert_close((double)(most / least), cond_a[s - 2], 0.03);
        }
        reduced(m, t->aah, s, s - 1);
        singular_values(m, s - 1, &least, &most);
        assert_close((double)(most / least), cond_aah[s - 2], 0.01);
        assert_close((double)least / sigma[s - 2], 1, 0.02);
        lv_tableau_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(gauss_matches_closed_forms),
        RUN(small_lobatto_pairs_match_closed_forms),
        RUN(lobatto_with_five_stages_matches_closed_forms),
        RUN(radau_pairs_match_closed_forms),
        RUN(tables_agree_with_many_digits),
        RUN(collocation_matrices_integrate_lagrange_polynomials),
        RUN(simplifying_assumptions_hold),
        RUN(pairs_are_symplectic_and_symmetric_as_claimed),
        RUN(gauss_is_its_own_conjugate_in_every_bit),
        RUN(lobatto_b_exchanges_the_matrices),
        RUN(structural_entries_of_lobatto_are_exact),
        RUN(structural_entries_of_radau_are_exact),
        RUN(lobatto_stage_matrices_are_well_conditioned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
