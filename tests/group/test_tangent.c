/* Tangents D(x) of charts and the derivatives of w.D(x)e: definitions, differences of sixth order, and identities. */
#include "samples.h"

/* ---- tangents of charts ---- */

/* The matrix, its product and the transposed product are the same D. */
static double D_error(const sample *s)
{
    const int n = s->n;
    double m[MOST * MOST], y[MOST], z[MOST], error = 0, sum = 0;
    long double x[MOST];
    widen(x, s->x, n);
    s->group->D_matrix(s->chart, m, s->x);
    for (int j = 0; j < n; j++) {
        long double unit[MOST] = {0}, column[MOST];
        unit[j] = 1;
        tangent_of(s->group, s->chart, column, x, unit);
        for (int i = 0; i < n; i++)
            error = worse(error, m[n * i + j], column[i]);
    }
    s->group->D(s->chart, y, s->x, s->e);
    multiply(z, m, s->e, n);
    for (int i = 0; i < n; i++)
        error = worse(error, y[i], (long double)z[i]);
    s->group->DT(s->chart, z, s->x, s->w);
    for (int i = 0; i < n; i++)
        sum += s->w[i] * y[i] - z[i] * s->e[i];
    return worse(error, sum, 0);
}

static void D_agrees_with_its_definition(void **state)
{
    (void)state;
    for_all(10, 1e-15, D_error);
}

/* tau(x)^-1 d/de tau(x + e y) by differences of matrices: left-trivialised, and not another tangent */
static double D_difference_error(const sample *s)
{
    const long double step = 3e-3L;
    long double x[MOST], y[MOST];
    matrix slope = {{{0}}};
    widen(x, s->x, s->n);
    const matrix back = inverse_of(tau_of(s->group, s->chart, x));
    for (int k = -3; k <= 3; k++) {
        const long double weight = (k < 0 ? -1 : 1) * difference_weight[abs(k)] / step;
        for (int i = 0; i < s->n; i++)
            x[i] = (long double)s->x[i] + k * step * (long double)s->e[i];
        slope = combination(1, slope, weight, tau_of(s->group, s->chart, x));
    }
    vee_of(s->group, y, product(back, slope));
    double d[MOST], error = 0;
    s->group->D(s->chart, d, s->x, s->e);
    for (int i = 0; i < s->n; i++)
        error = worse(error, d[i], y[i]);
    return error;
}

static void D_is_the_left_trivialised_tangent(void **state)
{
    (void)state;
    for_all(10, 2e-14, D_difference_error);
}

/* D(-x) = Ad_tau(x) D(x) */
static double reflection_error(const sample *s)
{
    const int n = s->n;
    double ad[MOST * MOST], d[MOST], y[MOST], z[MOST], back[MOST] = {0}, error = 0;
    for (int i = 0; i < n; i++)
        back[i] = -s->x[i];
    s->group->D(s->chart, z, back, s->e);
    s->group->D(s->chart, d, s->x, s->e);
    lv_lie_group_Ad_tau(s->group, s->chart, ad, s->x);
    multiply(y, ad, d, n);
    for (int i = 0; i < n; i++)
        error = worse(error, y[i], (long double)z[i]);

    /* The transposed one applied: w.D(-x)e */
    double sum = 0;
    lv_lie_group_DTm(s->group, s->chart, y, s->x, s->w);
    for (int i = 0; i < n; i++)
        sum += y[i] * s->e[i] - s->w[i] * z[i];
    return worse(error, sum, 0);
}

static void D_at_minus_x_is_Ad_times_D(void **state)
{
    (void)state;
    for_all(10, 4e-15, reflection_error);
}

/* tau^-1(tau(x) tau(y)) changes by D(x)^-1 y. */
static double right_factor_error(const sample *s)
{
    const int n = s->n;
    const double step = 1e-2;
    double g[LV_LIE_ELEMENT], moved[LV_LIE_ELEMENT], slope[MOST] = {0}, y[MOST];
    s->group->tau(s->chart, g, s->x);
    for (int k = -3; k <= 3; k++) {
        double shift[MOST], x[MOST];
        for (int i = 0; i < n; i++)
            shift[i] = k * step * s->e[i];
        lv_lie_group_move(s->group, s->chart, moved, g, shift);
        s->group->tau_inverse(s->chart, x, moved);
        for (int i = 0; i < n; i++)
            slope[i] +=
                (k < 0 ? -1 : 1) * (double)difference_weight[abs(k)] * x[i] / step;
    }
    double error = 0;
    s->group->D(s->chart, y, s->x, slope);
    for (int i = 0; i < n; i++)
        error = worse(error, y[i], (long double)s->e[i]);
    return error;
}

static void inverse_chart_has_the_inverse_tangent(void **state)
{
    (void)state;
    for_all(2.02, 3e-12, right_factor_error);
}

/* ---- derivatives of w.D(x)e ---- */

/* The derivative of w.D(x)e by x_j */
static long double form_slope(const sample *s, int j, const long double *e,
                              const long double *w)
{
    const long double step = 4e-3L;
    long double x[MOST], sum = 0;
    widen(x, s->x, s->n);
    for (int k = -3; k <= 3; k++) {
        x[j] = (long double)s->x[j] + k * step;
        sum += (k < 0 ? -1 : 1) * difference_weight[abs(k)] / step *
               form_of(s->group, s->chart, x, e, w);
    }
    return sum;
}

static double B_error(const sample *s)
{
    long double e[MOST], w[MOST];
    double y[MOST], error = 0;
    widen(e, s->e, s->n);
    widen(w, s->w, s->n);
    s->group->B(s->chart, y, s->x, s->e, s->w);
    for (int j = 0; j < s->n; j++)
        error = worse(error, y[j], form_slope(s, j, e, w));
    return error;
}

static void B_is_the_gradient(void **state)
{
    (void)state;
    for_all(10, 5e-15, B_error);
}

static double slope_error(const sample *s)
{
    const int n = s->n;
    double m[MOST * MOST], t[MOST * MOST], error = 0;
    long double e[MOST], w[MOST];
    widen(e, s->e, n);
    widen(w, s->w, n);
    s->group->D_slope(s->chart, m, s->x, s->e);
    s->group->DT_slope(s->chart, t, s->x, s->w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long double unit[MOST] = {0};
            unit[i] = 1;
            error = worse(error, m[n * i + j], form_slope(s, j, e, unit));
            error = worse(error, t[n * i + j], form_slope(s, j, unit, w));
        }
    return error;
}

static void slopes_are_the_mixed_derivatives(void **state)
{
    (void)state;
    for_all(10, 5e-15, slope_error);
}

static double DTm_slope_error(const sample *s)
{
    const int n = s->n;
    double m[MOST * MOST], error = 0;
    long double w[MOST];
    sample back = *s;
    for (int i = 0; i < n; i++)
        back.x[i] = -s->x[i];
    widen(w, s->w, n);
    lv_lie_group_DTm_slope(s->group, s->chart, m, s->x, s->w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long double unit[MOST] = {0};
            unit[i] = 1;
            error = worse(error, m[n * i + j], -form_slope(&back, j, unit, w));
        }
    return error;
}

static void slope_of_D_at_minus_x_changes_its_sign(void **state)
{
    (void)state;
    for_all(10, 5e-15, DTm_slope_error);
}

/* Differences of differences: every pair of directions */
static double hessian_error(const sample *s)
{
    const int n = s->n;
    const long double step = 5e-3L;
    double m[MOST * MOST], error = 0;
    long double e[MOST], w[MOST];
    widen(e, s->e, n);
    widen(w, s->w, n);
    s->group->hessian(s->chart, m, s->x, s->e, s->w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            long double sum = 0;
            for (int k = -3; k <= 3; k++)
                for (int l = -3; l <= 3; l++) {
                    long double x[MOST];
                    widen(x, s->x, n);
                    x[i] += k * step;
                    x[j] += l * step;
                    sum += (k * l < 0 ? -1 : 1) * difference_weight[abs(k)] *
                           difference_weight[abs(l)] *
                           form_of(s->group, s->chart, x, e, w);
                }
            sum /= step * step;
            error = worse(error, m[n * i + j], sum);
            error = worse(error, m[n * j + i], sum);
        }
    return error;
}

static void hessian_is_exact_and_symmetric(void **state)
{
    (void)state;
    for_all(2.5, 2e-13, hessian_error);
    for_all(10, 1.5e-12, hessian_error); /* large terms cancel in the reference */
}

/* d(D e)[d] - d(D d)[e] + ad_{D d} D e = 0, without differences */
static double Maurer_Cartan_error(const sample *s)
{
    const int n = s->n;
    double m[MOST * MOST], De[MOST], Dd[MOST], a[MOST], b[MOST], c[MOST], error = 0;
    s->group->D_slope(s->chart, m, s->x, s->e);
    multiply(a, m, s->d, n);
    s->group->D_slope(s->chart, m, s->x, s->d);
    multiply(b, m, s->e, n);
    s->group->D(s->chart, De, s->x, s->e);
    s->group->D(s->chart, Dd, s->x, s->d);
    s->group->ad(m, Dd);
    multiply(c, m, De, n);
    for (int i = 0; i < n; i++)
        error = worse(error, a[i] - b[i] + c[i], 0);
    return error;
}

static void tangents_satisfy_Maurer_Cartan(void **state)
{
    (void)state;
    for_all(10, 2e-15, Maurer_Cartan_error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(D_agrees_with_its_definition),
        RUN(D_is_the_left_trivialised_tangent),
        RUN(D_at_minus_x_is_Ad_times_D),
        RUN(inverse_chart_has_the_inverse_tangent),
        RUN(B_is_the_gradient),
        RUN(slopes_are_the_mixed_derivatives),
        RUN(slope_of_D_at_minus_x_changes_its_sign),
        RUN(hessian_is_exact_and_symmetric),
        RUN(tangents_satisfy_Maurer_Cartan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
