/* Charts and adjoint maps of groups against matrices: definitions, and the identities that connect them. */
#include "samples.h"

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
        RUN(adjoint_maps_are_those_of_matrices),
        RUN(space_and_body_are_coadjoint_and_inverse),
        RUN(momenta_have_left_invariant_slopes),
        RUN(exp_of_poses_is_a_polynomial_in_ad),
        RUN(planar_angles_count_turns),
        RUN(quaternions_stay_normalised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
