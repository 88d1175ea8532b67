/* Products of groups act factor by factor, with the offsets that they say. */
#include <string.h>

#include "check.h"
#include "group/manifold.h"

enum { FACTORS = 5, ELEMENTS = 3 + 2 * 4 + 2 + 3 + 7, TANGENTS = 3 + 2 * 3 + 2 + 3 + 6 };

static lv_manifold mixed(lv_chart chart, lv_factor factors[FACTORS])
{
    const lv_factor list[FACTORS] = {
        {&lv_rn, 3}, {&lv_so3, 2}, {&lv_so2, 2}, {&lv_se2, 1}, {&lv_se3, 1}};
    lv_manifold m;
    memcpy(factors, list, sizeof list);
    lv_manifold_init(&m, chart, factors, FACTORS);
    return m;
}

static void fill(double *y, double from)
{
    for (int i = 0; i < TANGENTS; i++)
        y[i] = 0.4 * sin(from + 1.7 * i);
}

static void assert_same(const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        assert_true(a[i] == b[i]);
}

static void factors_are_placed_one_behind_the_other(void **state)
{
    (void)state;
    lv_factor factors[FACTORS];
    const lv_manifold m = mixed(LV_CHART_EXP, factors);
    assert_int_equal(m.elements, ELEMENTS);
    assert_int_equal(m.tangents, TANGENTS);
    assert_int_equal(factors[4].element, 16);
    assert_int_equal(factors[4].tangent, 14);
}

/* What goes in, and what the operators make of it */
typedef struct results {
    lv_chart chart;
    double q[ELEMENTS], moved[ELEMENTS], x[TANGENTS], e[TANGENTS], w[TANGENTS];
    double D[TANGENTS], DT[TANGENTS], DTm[TANGENTS], B[TANGENTS], space[TANGENTS],
        body[TANGENTS];
} results;

/* One copy, whose element begins at i and tangent at j */
static void check_copy(const lv_lie_group *g, const results *r, int i, int j)
{
    double y[LV_LIE_ELEMENT];
    const double *x = r->x + j, *e = r->e + j, *w = r->w + j;
    lv_lie_group_move(g, r->chart, y, r->q + i, x);
    assert_same(r->moved + i, y, g->element);
    g->D(r->chart, y, x, e);
    assert_same(r->D + j, y, g->tangent);
    g->DT(r->chart, y, x, w);
    assert_same(r->DT + j, y, g->tangent);
    lv_lie_group_DTm(g, r->chart, y, x, w);
    assert_same(r->DTm + j, y, g->tangent);
    g->B(r->chart, y, x, e, w);
    assert_same(r->B + j, y, g->tangent);
    g->space(y, r->q + i, w);
    assert_same(r->space + j, y, g->tangent);
    g->body(y, r->q + i, w);
    assert_same(r->body + j, y, g->tangent);
}

static void operators_act_factor_by_factor(void **state)
{
    (void)state;
    for (lv_chart chart = 0; chart < LV_CHARTS; chart++) {
        lv_factor factors[FACTORS];
        const lv_manifold m = mixed(chart, factors);
        results r = {.chart = chart};
        double one[ELEMENTS], between[TANGENTS];
        fill(r.x, 0), fill(r.e, 1), fill(r.w, 2);
        lv_manifold_identity(&m, one);
        lv_manifold_move(&m, r.q, one, r.e);
        lv_manifold_move(&m, r.moved, r.q, r.x);
        lv_manifold_D(&m, r.D, r.x, r.e);
        lv_manifold_DT(&m, r.DT, r.x, r.w);
        lv_manifold_DTm(&m, r.DTm, r.x, r.w);
        lv_manifold_B(&m, r.B, r.x, r.e, r.w);
        lv_manifold_space(&m, r.space, r.q, r.w);
        lv_manifold_body(&m, r.body, r.q, r.w);
        int i = 0, j = 0;
        for (int k = 0; k < FACTORS; k++)
            for (int c = 0; c < factors[k].count; c++) {
                check_copy(factors[k].group, &r, i, j);
                i += factors[k].group->element;
                j += factors[k].group->tangent;
            }
        lv_manifold_between(&m, between, r.q, r.moved);
        for (int k = 0; k < TANGENTS; k++)
            assert_close(between[k], r.x[k], 1e-14);
    }
}

/* A body that turns freely: its spatial momentum is carried, and the body momentum that is derived from it is as
 * exact after a million moves as at the start. */
static void body_momentum_does_not_wander(void **state)
{
    (void)state;
    const int steps = SLOW ? 50000 : 1000000;
    const double p[3] = {0.3, -1.1, 0.7};
    const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    double q[4] = {1}, moved[4], body[3], back[3], worst = 0;
    for (int k = 0; k < steps; k++) {
        lv_so3.body(body, q, p);
        const double x[3] = {0.1 * body[0], 0.05 * body[1], 0.03 * body[2]};
        lv_lie_group_move(&lv_so3, LV_CHART_EXP, moved, q, x);
        memcpy(q, moved, sizeof q);
        lv_so3.body(body, q, p);
        lv_so3.space(back, q, body);
        const double now =
            sqrt(body[0] * body[0] + body[1] * body[1] + body[2] * body[2]);
        worst = fmax(worst, fabs(now - length));
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(back[i] - p[i]));
    }
    print_message("momentum after %d steps: %.2g\n", steps, worst);
    assert_at_most(worst, 3e-15);
}

/* Rests make a million additions as exact as one. */
static void carried_moves_do_not_drift(void **state)
{
    (void)state;
    lv_factor factors[] = {{&lv_rn, 1}, {&lv_so3, 1}, {&lv_so2, 1}};
    lv_manifold m;
    lv_manifold_init(&m, LV_CHART_EXP, factors, 3);
    const double x[5] = {0.1, 0.01, 0.02, 0.03, 0.7};
    double q[6] = {1e3, 1, 0, 0, 0, 0}, plain[6], rest[6] = {0}, moved[6], left[6];
    memcpy(plain, q, sizeof q);
    const int steps = 1000000;
    for (int k = 0; k < steps; k++) {
        lv_manifold_move_carried(&m, moved, left, q, rest, x);
        memcpy(q, moved, sizeof q);
        memcpy(rest, left, sizeof rest);
        lv_manifold_move(&m, moved, plain, x);
        memcpy(plain, moved, sizeof plain);
    }
    const double line = (double)(1e3L + steps * (long double)x[0]);
    const double angle = (double)(steps * (long double)x[4]);
    assert_true(q[0] == line && q[5] == angle);
    assert_above(fabs(plain[0] - line), 1e-9);
    assert_above(fabs(plain[5] - angle), 1e-9);
    for (int i = 1; i < 5; i++)
        assert_true(q[i] == plain[i] && rest[i] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(factors_are_placed_one_behind_the_other),
        RUN(operators_act_factor_by_factor),
        RUN(body_momentum_does_not_wander),
        RUN(carried_moves_do_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
