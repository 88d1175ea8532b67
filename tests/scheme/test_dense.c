/* States inside a step: polynomials and their integrals, ends and orders. Specification "Galerkin in
 * time", 3 and 8. */
#include "scheme/dense.h"

#include "galerkin_rows.h"
#include "run/sim.h"

/* ---- series -------------------------------------------------------------------------------------------- */

/* Velocities 1 - 2 x + 3 x^2, forces 2 + x^3, from q = 0.5, p = -1 with the step 0.4. */
static double velocity_at(double x)
{
    return 1 - 2 * x + 3 * x * x;
}

static double force_at(double x)
{
    return 2 + x * x * x;
}

static void integrals_of_polynomials_are_exact(void **state)
{
    (void)state;
    lv_error err;
    lv_tableau *t = NULL;
    const lv_ansatz a = {LV_RULE_GAUSS, 4, LV_CLOSURE_LR, 3};
    if (lv_tableau_ansatz(&t, &a, &err) != LV_OK)
        fail_with(&err);
    double v[4], w[4], room[10], q0 = 0.5, p0 = -1, h = 0.4, q, p;
    for (int i = 0; i < 4; i++) {
        v[i] = velocity_at(t->c[i]);
        w[i] = force_at(t->c[i]);
    }
    const lv_slopes d =
        lv_slopes_of_stages(t, 1, v, w, room, (lv_slopes){.q = &q0, .p = &p0, .h = h});
    for (int k = 0; k <= 10; k++) {
        double x = k / 10.0;
        lv_dense_position(&d, LV_DENSE_INTEGRATED, 1, x, &q);
        lv_dense_momentum(&d, LV_DENSE_INTEGRATED, 1, x, &p);
        assert_close(q, q0 + h * (x - x * x + x * x * x), 1e-15);
        assert_close(p, p0 + h * (2 * x + pow(x, 4) / 4), 1e-15);
    }
    lv_tableau_free(t);
}

/* Raw polynomials have the degree of the scheme, and what is cut off jumps: with the coefficients V_m,
 * W_m of the highest degree, q~(0) - q = (-1)^m h V_m/(2m + 1), p1 - p~(1) = h W_m/(2m + 1) for LR. */
static void jumps_are_the_highest_coefficients(void **state)
{
    (void)state;
    lv_error err;
    for (int m = 0; m <= 3; m++) {
        lv_tableau *t = NULL;
        const lv_ansatz a = {LV_RULE_GAUSS, m + 1, LV_CLOSURE_LR, m};
        if (lv_tableau_ansatz(&t, &a, &err) != LV_OK)
            fail_with(&err);
        double v[4], w[4], room[10], zero = 0, h = 0.3, q, p, q1, p1;
        for (int i = 0; i <= m; i++) {
            v[i] = sin(1 + i);
            w[i] = cos(2 * i);
        }
        const lv_slopes d = lv_slopes_of_stages(
            t, 1, v, w, room, (lv_slopes){.q = &zero, .p = &zero, .h = h});
        lv_dense_position(&d, LV_DENSE_RAW, 1, 0, &q);
        assert_close(q, (m % 2 == 0 ? 1 : -1) * h * d.v[m] / (2 * m + 1), 1e-15);
        lv_dense_momentum(&d, LV_DENSE_RAW, 1, 0, &p);
        assert_close(p, 0, 1e-15);
        lv_dense_position(&d, LV_DENSE_RAW, 1, 1, &q);
        lv_dense_position(&d, LV_DENSE_INTEGRATED, 1, 1, &q1);
        assert_close(q, q1, 1e-15);
        lv_dense_momentum(&d, LV_DENSE_RAW, 1, 1, &p);
        lv_dense_momentum(&d, LV_DENSE_INTEGRATED, 1, 1, &p1);
        assert_close(p1 - p, h * d.w[m] / (2 * m + 1), 1e-15);
        lv_tableau_free(t);
    }
}

/* ---- ends ------------------------------------------------------------------------------------------------ */

/* A point of the last step, at the fraction x of it. */
static void sample(lv_sim *sim, double x, lv_sample kind, double *q, double *p)
{
    lv_error err;
    double t = sim->before.t + x * (sim->state.t - sim->before.t);
    if (lv_sim_sample(sim, x == 1 ? sim->state.t : t, kind, q, NULL, p, &err) != LV_OK)
        fail_with(&err);
}

/* Which of q~(0) = q0, q~(1) = q1, p~(0) = p0, p~(1) = p1 hold. */
typedef struct ends {
    member member;
    bool q0, q1, p0, p1;
} ends;

static const ends end_rows[] = {
    {{"LR", 1, "gauss", 2}, false, true, true, false},
    {{"LR", 2, "radau", 3}, false, true, true, false},
    {{"LR", 2, "gauss", 3}, false, true, true, false},
    {{"RL", 2, "gauss", 3}, true, false, false, true},
    {{"RR", 2, "gauss", 3}, false, true, false, true},
    {{"C", 1, "lobatto", 2}, true, true, false, false},
    {{"C", 2, "lobatto", 3}, true, true, false, false},
    {{"C", 3, "gauss", 3}, true, true, false, false},
    {{"C", 2, "gauss", 3}, true, true, false, false},
};

static bool meets(const double *a, const double *b, bool expected)
{
    double d = distance(a, b, 2);
    return expected ? d < 1e-14 : d > 1e-8;
}

/* Raw polynomials meet what their continuity says, and nothing else; integrals meet all. */
static void check_ends(const lv_model *model, const ends *e, double step)
{
    double q0[2], p0[2], q[4], p[4];
    const method m = method_of(&e->member);
    lv_sim *sim = start_dense(model, &m, step);
    for (int k = 0; k < 5; k++) {
        memcpy(q0, lv_sim_position(sim), sizeof q0);
        memcpy(p0, lv_sim_momentum(sim), sizeof p0);
        step_once(sim);
        const double *q1 = lv_sim_position(sim), *p1 = lv_sim_momentum(sim);
        sample(sim, 0, LV_SAMPLE_RAW, q, p);
        sample(sim, 1, LV_SAMPLE_RAW, q + 2, p + 2);
        if (!meets(q, q0, e->q0) || !meets(q + 2, q1, e->q1) || !meets(p, p0, e->p0) ||
            !meets(p + 2, p1, e->p1))
            fail_msg("%s%d %s%d, step %d", e->member.continuity, e->member.degree,
                     e->member.rule, e->member.points, k);
        sample(sim, 0, LV_SAMPLE_INTEGRATED, q, p);
        sample(sim, 1 - 1e-12, LV_SAMPLE_INTEGRATED, q + 2,
               p + 2); /* not the state itself */
        assert_true(distance(q, q0, 2) < 1e-14 && distance(p, p0, 2) < 1e-14);
        assert_true(distance(q + 2, q1, 2) < 1e-11 && distance(p + 2, p1, 2) < 1e-10);
    }
    lv_sim_free(sim);
}

static void polynomials_meet_the_states_that_their_continuity_says(void **state)
{
    (void)state;
    lv_model *separable = read_text(HENON_HEILES), *arm = read_text(TWO_LINK_ARM);
    for (size_t k = 0; k < sizeof end_rows / sizeof *end_rows; k++) {
        check_ends(separable, &end_rows[k], 0.3);
        check_ends(arm, &end_rows[k], 0.1);
    }
    lv_model_free(separable);
    lv_model_free(arm);
}

/* Degree 1: p~ is what half a kick makes of p, all along the step; q~ is a straight line. */
static void the_raw_momentum_of_verlet_is_that_of_the_half_kick(void **state)
{
    (void)state;
    const method m = galerkin("ansatz", "C", 1, "lobatto", 2, -1);
    double q[2], p[2], h = 0.2;
    lv_model *model = read_text(HENON_HEILES);
    lv_sim *sim = start_dense(model, &m, h);
    const double x = 0.3, y = 0.2,
                 half[] = {0.25 + h / 2 * (-x - 2 * x * y),
                           0.35 + h / 2 * (-y - x * x + y * y)};
    step_once(sim);
    for (int k = 0; k <= 4; k++) {
        sample(sim, k / 4.0, LV_SAMPLE_RAW, q, p);
        assert_below(distance(p, half, 2), 1e-15);
        assert_close(q[0], x + k / 4.0 * h * half[0], 1e-15);
        assert_close(q[1], y + k / 4.0 * h * half[1], 1e-15);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- orders ---------------------------------------------------------------------------------------------- */

/* Largest errors of q and p inside all steps. */
static void errors_inside(const lv_model *model, const method *m, double until, int steps,
                          lv_sample kind, double errors[2])
{
    enum { TIMES = 7 };
    int n = lv_model_coordinate_count(model);
    lv_sim *sim = start_dense(model, m, until / steps);
    lv_sim *fine = start(model, &(method){"lobatto", 6, 0}, until / steps / TIMES);
    errors[0] = errors[1] = 0;
    for (int k = 0; k < steps; k++) {
        double q[MOST], p[MOST];
        step_once(sim);
        for (int i = 1; i < TIMES; i++) {
            step_once(fine);
            sample(sim, (double)i / TIMES, kind, q, p);
            errors[0] = fmax(errors[0], distance(q, lv_sim_position(fine), n));
            errors[1] = fmax(errors[1], distance(p, lv_sim_momentum(fine), n));
        }
        step_once(fine);
    }
    lv_sim_free(sim);
    lv_sim_free(fine);
}

typedef struct order_row {
    const char *text;
    double until;
    int steps;
    member member;
    int raw[2], integrated[2]; /* orders of q, p */
} order_row;

static const order_row order_rows[] = {
    {HENON_HEILES, 4, 32, {"LR", 1, "gauss", 2}, {2, 2}, {3, 3}},
    {HENON_HEILES, 4, 32, {"LR", 2, "gauss", 3}, {3, 3}, {4, 4}},
    {HENON_HEILES, 4, 32, {"LR", 3, "gauss", 4}, {4, 4}, {5, 5}},
    {HENON_HEILES, 4, 32, {"LR", 2, "radau", 3}, {3, 3}, {4, 4}},
    {HENON_HEILES, 4, 32, {"RL", 2, "gauss", 3}, {3, 3}, {4, 4}},
    {HENON_HEILES, 4, 32, {"C", 1, "lobatto", 2}, {2, 1}, {2, 2}},
    {HENON_HEILES, 4, 32, {"C", 2, "lobatto", 3}, {3, 2}, {3, 3}},
    {HENON_HEILES, 4, 32, {"C", 3, "lobatto", 4}, {4, 3}, {4, 4}},
    {HENON_HEILES, 4, 32, {"C", 2, "gauss", 2}, {3, 2}, {3, 3}},
    {HENON_HEILES, 4, 32, {"C", 3, "gauss", 3}, {4, 3}, {4, 4}},
    {HENON_HEILES, 4, 32, {"C", 2, "gauss", 3}, {3, 2}, {3, 4}},
    {HENON_HEILES, 4, 32, {"C", 3, "gauss", 4}, {4, 3}, {4, 5}},
    {HENON_HEILES, 4, 32, {"C", 2, "radau", 2}, {3, 2}, {3, 2}},
    {HENON_HEILES, 4, 32, {"C", 3, "radau", 3}, {4, 3}, {4, 3}},
    {HENON_HEILES, 4, 32, {"C", 2, "radau", 3}, {3, 2}, {3, 4}},
    {HENON_HEILES, 4, 32, {"C", 3, "radau", 4}, {4, 3}, {4, 5}},
    {TWO_LINK_ARM, 1, 32, {"C", 2, "radau", 2}, {3, 2}, {3, 2}},
    {TWO_LINK_ARM, 1, 32, {"LR", 2, "gauss", 3}, {3, 3}, {4, 4}},
    {TWO_LINK_ARM, 1, 32, {"C", 2, "lobatto", 3}, {3, 2}, {3, 3}},
    {TORUS, 1.6, 32, {"LR", 1, "gauss", 2}, {2, 2}, {3, 2}},
    {TORUS, 1.6, 32, {"LR", 2, "gauss", 3}, {3, 3}, {4, 3}},
    /* with multipliers at the stages, those of the last one included */
    {TORUS, 1.6, 32, {"C", 2, "lobatto", 3}, {3, 2}, {3, 3}},
    {TORUS, 1.6, 32, {"C", 3, "lobatto", 4}, {4, 3}, {4, 4}},
};

static bool orders_hold(const order_row *r, lv_sample kind, const int *claim)
{
    double coarse[2], fine[2], order[2];
    const method m = method_of(&r->member);
    lv_model *model = read_text(r->text);
    errors_inside(model, &m, r->until, r->steps, kind, coarse);
    errors_inside(model, &m, r->until, 2 * r->steps, kind, fine);
    bool good = true;
    for (int k = 0; k < 2; k++) {
        order[k] = log2(coarse[k] / fine[k]);
        good = good && fabs(order[k] - claim[k]) < 0.35;
    }
    print_message("%s%d %s%d %s: %.2f %.2f (%d %d)%s\n", r->member.continuity,
                  r->member.degree, r->member.rule, r->member.points,
                  kind == LV_SAMPLE_RAW ? "raw" : "integrated", order[0], order[1],
                  claim[0], claim[1], good ? "" : " !");
    lv_model_free(model);
    return good;
}

static void orders_inside_of_steps_are_as_specified(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof order_rows / sizeof *order_rows; k++) {
        wrong += !orders_hold(&order_rows[k], LV_SAMPLE_RAW, order_rows[k].raw);
        wrong +=
            !orders_hold(&order_rows[k], LV_SAMPLE_INTEGRATED, order_rows[k].integrated);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(integrals_of_polynomials_are_exact),
        RUN(jumps_are_the_highest_coefficients),
        RUN(polynomials_meet_the_states_that_their_continuity_says),
        RUN(the_raw_momentum_of_verlet_is_that_of_the_half_kick),
        RUN(orders_inside_of_steps_are_as_specified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
