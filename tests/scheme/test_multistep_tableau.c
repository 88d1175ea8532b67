/* Coefficients of symmetric multistep methods: order conditions, roots, combinations that are exact for
 * polynomials. */
#include "multistep_reference.h"

enum { LEAST = LV_MULTISTEP_LEAST, MOST = LV_MULTISTEP_MOST };

/* Every test of coefficients looks at one tableau after the other. */
#define FOR_EACH_TABLEAU(t)                                                              \
    for (lv_multistep t, *again = &t; again; again = NULL)                               \
        for (int half = LEAST; half <= MOST && (lv_multistep_init(&t, half), true);      \
             half++)

static void sizes_follow_from_the_order(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        assert_int_equal(t.order, 2 * half);
        assert_int_equal(t.sums, 2 * half - 2);
        assert_int_equal(t.nodes, 2 * half + 1);
        assert_true(t.c[t.sums - 1] == 1 && t.b[t.sums - 1] == t.b0);
        for (int i = 0; i + 1 < t.sums; i++) { /* symmetry */
            assert_true(t.c[i] == t.c[t.sums - 2 - i]);
            assert_true(t.b[i] == t.b[t.sums - 2 - i]);
        }
    }
}

/* |sum alpha y - h^2 sum beta y''| in units of its terms */
static real defect(const lv_multistep *t, int degree)
{
    const sampled y = sampled_power(degree);
    real alpha[LV_MULTISTEP_NODES], beta[LV_MULTISTEP_NODES], sum = 0, size = 0;
    classical_form(t, alpha, beta);
    for (int j = 0; j <= t->order; j++) {
        const real term = alpha[j] * position_of(&y, j - t->order / 2),
                   force = y.h * y.h * beta[j] * acceleration_of(&y, j - t->order / 2);
        sum += term - force;
        size += fabsl(term) + fabsl(force);
    }
    return fabsl(sum) / size;
}

static void order_conditions_hold_and_no_more(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        for (int degree = 0; degree <= t.order + 1; degree++)
            assert_at_most((double)defect(&t, degree), 2e-16);
        print_message("    order %d: defect %.1Le\n", t.order, defect(&t, t.order + 2));
        assert_above((double)defect(&t, t.order + 2), 1e-9);
    }
}

/* The products are those of the table. */
static void the_roots_are_those_of_the_table(void **state)
{
    (void)state;
    static const struct {
        int count;
        real r[3];
    } rows[] = {{1, {0.8L}}, {2, {-0.4L, 0.7L}}, {3, {-0.7L, -0.4L, 0.8L}}};
    FOR_EACH_TABLEAU(t)
    {
        real p[LV_MULTISTEP_NODES] = {1};
        for (int i = 0; i < rows[half - LEAST].count; i++)
            for (int j = 2 * i + 2; j >= 0; j--)
                p[j] += (j > 0 ? 2 * rows[half - LEAST].r[i] * p[j - 1] : 0) +
                        (j > 1 ? p[j - 2] : 0);
        for (int i = 0; i < t.sums; i++)
            assert_close(t.c[i], (double)p[i + 1], 1e-15);
    }
}

static double least_distance(const double complex *a, int na, const double complex *b,
                             int nb)
{
    double least = HUGE_VAL;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (&a[i] != &b[j])
                least = fmin(least, cabs(a[i] - b[j]));
    return least;
}

/* Roots of the products lead to parasitic parts of positions, those of b to parasitic
 * parts of multipliers. All lie on the unit circle and none is double, or these parts
 * would grow; none belongs to both. */
static void the_roots_of_both_polynomials_are_simple_and_apart(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        double rho[LV_MULTISTEP_NODES] = {1}, sigma[LV_MULTISTEP_NODES] = {t.b0};
        double complex x[LV_MULTISTEP_SUMS + 1], z[LV_MULTISTEP_SUMS];
        memcpy(rho + 1, t.c, sizeof t.c);
        memcpy(sigma + 1, t.b, sizeof t.b);
        find_roots(rho, t.sums, x);
        find_roots(sigma, t.sums, z);
        x[t.sums] = 1; /* the double root of smooth motions */
        for (int i = 0; i < t.sums; i++) {
            assert_at_most(fabs(cabs(x[i]) - 1), 1e-12);
            assert_at_most(fabs(cabs(z[i]) - 1), 1e-12);
        }
        const double rho_gap = least_distance(x, t.sums + 1, x, t.sums + 1),
                     sigma_gap = least_distance(z, t.sums, z, t.sums),
                     both_gap = least_distance(x, t.sums + 1, z, t.sums);
        print_message("    order %d: apart by %.3f, %.3f, from each other %.4f\n",
                      t.order, rho_gap, sigma_gap, both_gap);
        assert_above(rho_gap, 0.1);
        assert_above(sigma_gap, 0.1);
        assert_above(both_gap, 3e-3);
    }
}

/* Oscillations q'' = -w^2 q neither grow nor decay: all z with rho + (h w)^2 sigma = 0 lie
 * on the unit circle. The help of the scheme promises it up to h w = 0.6. */
static void oscillations_are_stable_up_to_the_promised_step(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        double last = 0;
        for (double hw = 0.02; hw < 1.5 && last < 1e-6; hw += 0.02) {
            real alpha[LV_MULTISTEP_NODES], beta[LV_MULTISTEP_NODES];
            double p[LV_MULTISTEP_NODES];
            double complex z[LV_MULTISTEP_ORDER];
            classical_form(&t, alpha, beta);
            for (int j = 0; j <= t.order; j++)
                p[t.order - j] = (double)(alpha[j] + hw * hw * beta[j]);
            find_roots(p, t.order, z);
            for (int i = 0; i < t.order; i++)
                last = fmax(last, fabs(cabs(z[i]) - 1));
            if (last > 1e-6)
                print_message("    order %d: grows from h w = %.2f\n", t.order, hw);
            assert_true(last < 1e-6 || hw > 0.6);
        }
    }
}

/* Largest error over 40 steps of the recursion on t^degree, from the combinations of
 * accelerations that it starts with. */
static real recursion_error(const lv_multistep *t, int degree)
{
    const sampled y = sampled_power(degree);
    real q = position_of(&y, 0), u = velocity_of(&y, 0), s[LV_MULTISTEP_SUMS + 1] = {0};
    real error = 0;
    for (int j = 0; j < t->nodes; j++) {
        u += y.h * t->u[j] * acceleration_of(&y, -j);
        for (int i = 0; i < t->sums; i++)
            s[i] += t->s[i][j] * acceleration_of(&y, -j);
    }
    for (int n = 0; n < 40; n++) {
        const real a = acceleration_of(&y, n), w = t->b0 * a + s[0];
        u += y.h * w;
        q += y.h * u;
        for (int i = 0; i < t->sums; i++)
            s[i] = s[i + 1] + t->b[i] * a - t->c[i] * w;
        const real exact = position_of(&y, n + 1);
        error = fmaxl(error, fabsl(q - exact) / fmaxl(1, fabsl(exact)));
    }
    return error;
}

static void the_recursion_reproduces_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        for (int degree = 0; degree <= t.order + 1; degree++)
            assert_at_most((double)recursion_error(&t, degree), 1e-13);
        print_message("    order %d: next degree %.1Le\n", t.order,
                      recursion_error(&t, t.order + 2));
        assert_above((double)recursion_error(&t, t.order + 2), 1e-9);
    }
}

/* weights over past accelerations against a value, in units of the largest term */
static void check_combination(const double *weights, const lv_multistep *t,
                              const sampled *y, real factor, real exact)
{
    real sum = 0, size = fabsl(exact) + 1e-3L;
    for (int j = 0; j < t->nodes; j++) {
        const real term = factor * weights[j] * acceleration_of(y, -j);
        sum += term;
        size = fmaxl(size, fabsl(term));
    }
    assert_at_most((double)(fabsl(sum - exact) / size), 2e-15);
}

static void starting_values_are_exact_for_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    for (int degree = 0; degree <= t.order + 2; degree++) {
        const sampled y = sampled_power(degree);
        const real q = position_of(&y, 0), v = velocity_of(&y, 0);
        check_combination(t.u, &t, &y, y.h, mean_of(&y, 0) - v);
        for (int i = 0; i < t.sums; i++)
            check_combination(t.s[i], &t, &y, 1, sum_of(&t, &y, 0, i + 1));
        for (int i = 0; i < t.nodes; i++) {
            check_combination(t.q[i], &t, &y, y.h * y.h,
                              position_of(&y, -i) - q + i * y.h * v);
            check_combination(t.v[i], &t, &y, y.h, velocity_of(&y, -i) - v);
        }
    }
}

/* weights[0] a + weights[i] S_i, with a at the start of a step and the sums at its end */
static real combine(const double *weights, const lv_multistep *t, const sampled *y)
{
    real sum = weights[0] * acceleration_of(y, 0);
    for (int i = 1; i <= t->sums; i++)
        sum += weights[i] * sum_of(t, y, 1, i);
    return sum;
}

static void velocities_at_nodes_are_exact_for_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    for (int degree = 0; degree <= t.order; degree++) {
        const sampled y = sampled_power(degree);
        const real v = mean_of(&y, 1) + y.h * combine(t.velocity, &t, &y);
        assert_close((double)v, (double)velocity_of(&y, 1), 1e-14);
    }
}

static void accelerations_within_steps_are_exact_for_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    for (int degree = 0; degree <= t.order; degree++)
        for (int k = 0; k <= 8; k++) {
            const sampled y = sampled_power(degree);
            const real x = k / 8.0L, exact = bend(y.at + x * y.h, degree);
            real a = 0;
            for (int l = 0; l <= t.order - 2; l++)
                a += legendre(l, x) * combine(t.inside[l], &t, &y);
            assert_close((double)a, (double)exact, 2e-13);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sizes_follow_from_the_order),
        RUN(order_conditions_hold_and_no_more),
        RUN(the_roots_are_those_of_the_table),
        RUN(the_roots_of_both_polynomials_are_simple_and_apart),
        RUN(oscillations_are_stable_up_to_the_promised_step),
        RUN(the_recursion_reproduces_polynomials),
        RUN(starting_values_are_exact_for_polynomials),
        RUN(velocities_at_nodes_are_exact_for_polynomials),
        RUN(accelerations_within_steps_are_exact_for_polynomials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
