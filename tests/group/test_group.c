/* Groups and charts against matrices in long double (reference.h): definitions, derivatives by
 * differences of sixth order, and the identities that connect them, at rotations from 0 to beyond every switch
 * from series to closed forms. */
#include <stdlib.h>

#include "check.h"
#include "reference.h"

/* ---- cases ---- */

/* Angles; 3 and 6 are switches of tangents and of quaternions. */
static const double radii[] = {0,    1e-9, 1e-4, 1e-2, 0.3,  0.99, 1.01,
                               1.99, 2.01, 2.5,  2.99, 3.01, 5.99, 6.01};

enum { RADII = sizeof radii / sizeof *radii, DIRECTIONS = SLOW ? 1 : 3 };

/* A point of a chart with a velocity, another one, a momentum and an element */
typedef struct sample {
    const lv_lie_group *group;
    lv_chart chart;
    int n;
    double angle;
    double x[MOST], e[MOST], d[MOST], w[MOST], g[LV_LIE_ELEMENT];
} sample;

static unsigned seed;

static double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608.0 - 1;
}

static void scale_to(double *x, int n, double length)
{
    double square = 0;
    for (int i = 0; i < n; i++)
        square += x[i] * x[i];
    for (int i = 0; i < n; i++)
        x[i] *= length / sqrt(square);
}

/* Rotations of size angle, displacements of the same size or of size 1. */
static sample draw(const lv_lie_group *group, lv_chart chart, double angle, bool far)
{
    sample s = {.group = group, .chart = chart, .n = group->tangent, .angle = angle};
    const int turn = group->axes == 3 ? 3 : 1;
    for (int i = 0; i < s.n; i++) {
        s.x[i] = uniform(), s.e[i] = uniform();
        s.d[i] = uniform(), s.w[i] = uniform();
    }
    scale_to(s.x, turn, angle);
    if (s.n > turn)
        scale_to(s.x + turn, s.n - turn, far ? 1 : angle);
    double y[MOST];
    for (int i = 0; i < s.n; i++)
        y[i] = uniform();
    group->tau(LV_CHART_EXP, s.g, y);
    return s;
}

/* Calls `check` for all groups, charts and radii up to `most`, and prints the largest error. */
static void for_all(double most, double tolerance, double (*check)(const sample *))
{
    double worst = 0;
    seed = 12345;
    for (int k = 0; lv_lie_groups[k]; k++)
        for (lv_chart chart = 0; chart < LV_CHARTS; chart++)
            for (int r = 0; r < RADII && radii[r] <= most; r++)
                for (int i = 0; i < 2 * DIRECTIONS; i++) {
                    const sample s =
                        draw(lv_lie_groups[k], chart, radii[r], i < DIRECTIONS);
                    const double error = check(&s);
                    worst = error > worst ? error : worst;
                    if (!(error <= tolerance))
                        fail_msg("%s, %s, angle %g: error %.3g, allowed %.3g",
                                 s.group->name, lv_chart_name(chart), s.angle, error,
                                 tolerance);
                }
    print_message("worst error %.2g, allowed %.2g\n", worst, tolerance);
}

static void widen(long double *y, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = (long double)x[i];
}

/* The larger of `error` and |a - b|, relative where b is large */
static double worse(double error, double a, long double b)
{
    const long double size = fabsl(b) > 1 ? fabsl(b) : 1;
    const double now = (double)(fabsl((long double)a - b) / size);
    return now <= error ? error : now; /* a NaN is worse than everything */
}

static double matrices_differ(matrix a, matrix b)
{
    double error = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            error = worse(error, (double)(a.a[i][j] - b.a[i][j]), 0);
    return error;
}

/* y = m x */
static void multiply(double *y, const double *m, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += m[n * i + j] * x[j];
    }
}

/* ---- charts ---- */

static double tau_error(const sample *s)
{
    long double x[MOST];
    double g[LV_LIE_ELEMENT];
    widen(x, s->x, s->n);
    s->group->tau(s->chart, g, s->x);
    return matrices_differ(matrix_of(s->group, g), tau_of(s->group, s->chart, x));
}

static void tau_is_the_map_of_matrices(void **state)
{
    (void)state;
    for_all(10, 3e-15, tau_error);
}

static double round_trip_error(const sample *s)
{
    double g[LV_LIE_ELEMENT], b[LV_LIE_ELEMENT], x[MOST], y[MOST];
    double error = 0, size = 1e-30;
    s->group->tau(s->chart, g, s->x);
    s->group->tau_inverse(s->chart, x, g);
    lv_lie_group_move(s->group, s->chart, b, s->g, s->x);
    lv_lie_group_between(s->group, s->chart, y, s->g, b);
    for (int i = 0; i < s->n; i++)
        size = fmax(size, fabs(s->x[i]));
    for (int i = 0; i < s->n; i++) {
        error = worse(error, (x[i] - s->x[i]) / size, 0);
        error = worse(error, y[i] - s->x[i], 0);
    }
    return error;
}

static void tau_inverse_undoes_tau(void **state)
{
    (void)state;
    for_all(2.5, 5e-15, round_trip_error);
}

static double small_turn_error(const sample *s)
{
    double g[LV_LIE_ELEMENT], x[MOST], back[MOST], d[MOST * MOST], error = 0;
    for (int i = 0; i < s->n; i++)
        x[i] = 1e-12 * s->d[i];
    s->group->tau(s->chart, g, x);
    s->group->tau_inverse(LV_CHART_EXP, back, g);
    for (int i = 0; i < s->n; i++)
        error = worse(error, 1e12 * back[i], (long double)s->d[i]);
    const double zero[MOST] = {0};
    s->group->D_matrix(s->chart, d, zero);
    for (int i = 0; i < s->n * s->n; i++)
        error = worse(error, d[i], i % (s->n + 1) == 0);
    return error;
}

static void charts_have_unit_tangents_at_zero(void **state)
{
    (void)state;
    for_all(0, 1e-15, small_turn_error);
}

static double compose_error(const sample *s)
{
    double a[LV_LIE_ELEMENT], b[LV_LIE_ELEMENT], moved[LV_LIE_ELEMENT];
    s->group->tau(s->chart, a, s->x);
    s->group->compose(moved, s->g, a);
    const matrix expected = product(matrix_of(s->group, s->g), matrix_of(s->group, a));
    double error = matrices_differ(matrix_of(s->group, moved), expected);
    s->group->inverse(a, moved);
    s->group->compose(b, a, moved);
    const double rest = matrices_differ(matrix_of(s->group, b), unit_matrix());
    return rest <= error ? error : rest;
}

static void elements_multiply_as_matrices(void **state)
{
    (void)state;
    for_all(10, 3e-15, compose_error);
}

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

/* ---- adjoint maps ---- */

static double adjoint_error(const sample *s)
{
    const int n = s->n;
    double Ad[MOST * MOST], ad[MOST * MOST], coad[MOST * MOST], y[MOST], error = 0;
    const matrix g = matrix_of(s->group, s->g), back = inverse_of(g);
    long double x[MOST], z[MOST], bracketed[MOST];
    s->group->Ad(Ad, s->g);
    s->group->ad(ad, s->x);
    widen(x, s->x, n);
    for (int j = 0; j < n; j++) {
        long double unit[MOST] = {0};
        unit[j] = 1;
        vee_of(s->group, z, product(product(g, hat_of(s->group, unit)), back));
        bracket(s->group, bracketed, x, unit);
        for (int i = 0; i < n; i++) {
            error = worse(error, Ad[n * i + j], z[i]);
            error = worse(error, ad[n * i + j], bracketed[i]);
        }
    }

    /* coad(w) e = ad_e^T w */
    s->group->coad(coad, s->w);
    s->group->ad(ad, s->e);
    multiply(y, coad, s->e, n);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += ad[n * k + i] * s->w[k];
        error = worse(error, y[i], (long double)sum);
    }
    return error;
}

static void adjoint_maps_are_those_of_matrices(void **state)
{
    (void)state;
    for_all(2.5, 1e-15, adjoint_error);
}

/* body is Ad^T, space its inverse, and both have the matrices that they say. */
static double momentum_error(const sample *s)
{
    const int n = s->n;
    double Ad[MOST * MOST], to_body[MOST * MOST], to_space[MOST * MOST];
    double y[MOST], z[MOST], error = 0;
    s->group->Ad(Ad, s->g);
    lv_lie_group_body_matrix(s->group, to_body, s->g);
    lv_lie_group_space_matrix(s->group, to_space, s->g);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            error = worse(error, to_body[n * i + j], (long double)Ad[n * j + i]);
    s->group->space(y, s->g, s->w);
    multiply(z, to_space, s->w, n);
    for (int i = 0; i < n; i++)
        error = worse(error, y[i], (long double)z[i]);
    s->group->body(z, s->g, y);
    for (int i = 0; i < n; i++)
        error = worse(error, z[i], (long double)s->w[i]);
    return error;
}

static void space_and_body_are_coadjoint_and_inverse(void **state)
{
    (void)state;
    for_all(0, 1e-15, momentum_error);
}

/* Differences along g tau(e e_j) */
static double momentum_slope_error(const sample *s)
{
    const int n = s->n;
    const double step = 2e-2;
    double to_space[MOST * MOST], to_body[MOST * MOST], error = 0;
    lv_lie_group_space_slope(s->group, to_space, s->g, s->w);
    lv_lie_group_body_slope(s->group, to_body, s->g, s->w);
    for (int j = 0; j < n; j++) {
        double a[MOST] = {0}, b[MOST] = {0};
        for (int k = -3; k <= 3; k++) {
            const double weight =
                (k < 0 ? -1 : 1) * (double)difference_weight[abs(k)] / step;
            double x[MOST] = {0}, g[LV_LIE_ELEMENT], y[MOST];
            x[j] = k * step;
            lv_lie_group_move(s->group, LV_CHART_EXP, g, s->g, x);
            s->group->space(y, g, s->w);
            for (int i = 0; i < n; i++)
                a[i] += weight * y[i];
            s->group->body(y, g, s->w);
            for (int i = 0; i < n; i++)
                b[i] += weight * y[i];
        }
        for (int i = 0; i < n; i++) {
            error = worse(error, to_space[n * i + j], (long double)a[i]);
            error = worse(error, to_body[n * i + j], (long double)b[i]);
        }
    }
    return error;
}

static void momenta_have_left_invariant_slopes(void **state)
{
    (void)state;
    for_all(0, 2e-12, momentum_slope_error);
}

/* ---- single groups ---- */

/* SE(3), exp: D = 1 - a1 ad + a2 ad^2 - a3 ad^3 + a4 ad^4 */
static void exp_of_poses_is_a_polynomial_in_ad(void **state)
{
    (void)state;
    seed = 99;
    for (int r = 6; r < RADII; r++) {
        const sample s = draw(&lv_se3, LV_CHART_EXP, radii[r], true);
        const double t = radii[r], c = cos(t), sn = sin(t);
        const double a[] = {1, -(4 - t * sn - 4 * c) / (2 * t * t),
                            (4 * t - 5 * sn + t * c) / (2 * t * t * t),
                            -(2 - t * sn - 2 * c) / (2 * pow(t, 4)),
                            (2 * t - 3 * sn + t * c) / (2 * pow(t, 5))};
        double ad[36], power[6], next[6], sum[6] = {0}, y[6];
        lv_se3.ad(ad, s.x);
        for (int i = 0; i < 6; i++)
            power[i] = s.e[i];
        for (int k = 0; k < 5; k++) {
            for (int i = 0; i < 6; i++)
                sum[i] += a[k] * power[i];
            multiply(next, ad, power, 6);
            for (int i = 0; i < 6; i++)
                power[i] = next[i];
        }
        lv_se3.D(LV_CHART_EXP, y, s.x, s.e);
        for (int i = 0; i < 6; i++)
            assert_close(y[i], sum[i], 1e-13);
    }
}

static void planar_angles_count_turns(void **state)
{
    (void)state;
    double g[3] = {0}, moved[3], x[3];
    const double step[3] = {0.5, 0.1, 0};
    for (int k = 0; k < 100; k++) {
        lv_lie_group_move(&lv_se2, LV_CHART_EXP, moved, g, step);
        for (int i = 0; i < 3; i++)
            g[i] = moved[i];
    }
    assert_true(g[0] == 50);

    /* Arcs of radius 0.2 that end where the angle says */
    assert_close(g[1], 0.2 * sin(50), 1e-13);
    assert_close(g[2], 0.2 * (1 - cos(50)), 1e-13);
    const double a[3] = {30, 1, 2}, far[3] = {2 + 1e-3, 1, 1};
    lv_lie_group_move(&lv_se2, LV_CHART_EXP, moved, a, far);
    lv_lie_group_between(&lv_se2, LV_CHART_EXP, x, a, moved);
    for (int i = 0; i < 3; i++)
        assert_close(x[i], far[i], 1e-14);
}

static void plain_numbers_lose_nothing(void **state)
{
    (void)state;
    for (lv_chart chart = 0; chart < LV_CHARTS; chart++) {
        const double g = 0.1, x = 0.7, e = 1.3, w = -2;
        double y = 0;
        lv_lie_group_move(&lv_rn, chart, &y, &g, &x);
        assert_true(y == g + x);
        lv_rn.D(chart, &y, &x, &e);
        assert_true(y == e);
        lv_lie_group_DTm(&lv_rn, chart, &y, &x, &w);
        assert_true(y == w);
        lv_rn.B(chart, &y, &x, &e, &w);
        assert_true(y == 0);
    }
}

/* |q|^2 stays 1 however often elements are multiplied; without the factor it walks away (1e-13). */
static void quaternions_stay_normalised(void **state)
{
    (void)state;
    const int products = SLOW ? 100000 : 1000000;
    double q[4] = {1}, moved[4], worst = 0;
    for (lv_chart chart = 0; chart < LV_CHARTS; chart++)
        for (int k = 0; k < products; k++) {
            const double x[3] = {0.1 + 1e-4 * (k % 7), -0.05, 0.07 - 1e-5 * (k % 11)};
            lv_lie_group_move(&lv_so3, chart, moved, q, x);
            long double square = -1;
            for (int i = 0; i < 4; i++) {
                q[i] = moved[i];
                square += (long double)q[i] * (long double)q[i];
            }
            worst = fmax(worst, (double)fabsl(square));
        }
    print_message("| |q|^2 - 1 | <= %.2g\n", worst);
    assert_at_most(worst, 7e-16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(tau_is_the_map_of_matrices),
        RUN(tau_inverse_undoes_tau),
        RUN(charts_have_unit_tangents_at_zero),
        RUN(elements_multiply_as_matrices),
        RUN(D_agrees_with_its_definition),
        RUN(D_is_the_left_trivialised_tangent),
        RUN(D_at_minus_x_is_Ad_times_D),
        RUN(inverse_chart_has_the_inverse_tangent),
        RUN(B_is_the_gradient),
        RUN(slopes_are_the_mixed_derivatives),
        RUN(slope_of_D_at_minus_x_changes_its_sign),
        RUN(hessian_is_exact_and_symmetric),
        RUN(tangents_satisfy_Maurer_Cartan),
        RUN(adjoint_maps_are_those_of_matrices),
        RUN(space_and_body_are_coadjoint_and_inverse),
        RUN(momenta_have_left_invariant_slopes),
        RUN(exp_of_poses_is_a_polynomial_in_ad),
        RUN(planar_angles_count_turns),
        RUN(plain_numbers_lose_nothing),
        RUN(quaternions_stay_normalised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
