/* The indicator of a step: it shrinks as the polynomials of the step do, and is what its definition
 * says where that can be written down. */
#include "../claims/moving.h"
#include "run/sim.h"

#include <math.h>

/* A member of ansatz. */
static method member(const char *continuity, int degree)
{
    method m = {.scheme = "ansatz"};
    double choice = 0;
    assert_true(lv_option_parse(LV_OPTION_CONTINUITY, continuity, &choice));
    lv_scheme_option_set(&m.more, LV_OPTION_CONTINUITY, choice);
    lv_scheme_option_set(&m.more, LV_OPTION_DEGREE, degree);
    return m;
}

/* Of a step from a point in the middle of the motion, where nothing vanishes by symmetry. */
static double indicator_of(const lv_model *model, const method *m, double h)
{
    lv_error err;
    double value = -1;
    lv_sim *sim = start_dense(model, m, h);
    if (lv_sim_advance(sim, 0.4, &err) != LV_OK ||
        lv_sim_indicator(sim, &value, &err) != LV_OK)
        fail_with(&err);
    lv_sim_free(sim);
    return value;
}

static void check_order(const char *name, const method *m, double coarse, int order)
{
    char text[80];
    lv_model *model = read_shipped(name, NULL, NULL);
    double two = indicator_of(model, m, coarse), one = indicator_of(model, m, coarse / 2);
    double measured = log2(two / one);
    if (!(fabs(measured - order) < 0.25))
        fail_msg("%s, %s: order %.2f instead of %d (%.2e, %.2e)", name,
                 method_name(m, text, sizeof text), measured, order, two, one);
    lv_model_free(model);
}

static void check_orders(const char *name, double coarse)
{
    for (int m = 1; m <= 3; m++) {
        method lr = member("LR", m), rl = member("RL", m), rr = member("RR", m);
        method c = member("C", m);
        check_order(name, &lr, coarse, m + 1);
        check_order(name, &rl, coarse, m + 1);
        check_order(name, &rr, coarse, m + 1);
        check_order(name, &c, coarse, m);
    }
}

static void it_is_of_the_order_of_the_polynomials(void **state)
{
    (void)state;
    check_orders("henon-heiles", 0.05);
    check_orders("two-link-arm", 0.01);       /* the mass matrix varies */
    check_orders("torus", 0.02);              /* a constraint, */
    check_orders("rheonomic-pendulum", 0.01); /* which depends on time */
}

static void schemes_of_other_names_have_it(void **state)
{
    (void)state;
    check_order("henon-heiles", &(method){.scheme = "verlet"}, 0.05, 1);
    check_order("henon-heiles", &(method){.scheme = "lobatto", .stages = 3}, 0.05, 2);
    check_order("henon-heiles", &(method){.scheme = "gauss", .stages = 2}, 0.05, 2);
    check_order("torus", &(method){.scheme = "rattle"}, 0.02, 1);
    check_order("nonholonomic-particle", &(method){.scheme = "lobatto", .stages = 3},
                0.05, 2);
}

/* Verlet for q'' = -q, from q = 1 at rest: q~ = 1 - h^2 x / 2 meets both ends, p~ = -h / 2 jumps by h / 2
 * at the start and to p1 = -h (1 + q1) / 2 at the end. Inside, q~' is right, p~' = 0 misses -h q~. */
static void it_is_what_it_says(void **state)
{
    (void)state;
    static const char text[] = "[coordinates]\nq = 1\n"
                               "[energy]\nkinetic = \"q'^2/2\"\npotential = \"q^2/2\"\n";
    const double h = 0.5, q1 = 1 - h * h / 2;
    const method verlet = {.scheme = "verlet"};
    double value = 0;
    lv_error err;
    lv_model *model = read_text(text);
    lv_sim *sim = start_dense(model, &verlet, h);
    step_once(sim);
    if (lv_sim_indicator(sim, &value, &err) != LV_OK)
        fail_with(&err);
    double p1 = -h * (1 + q1) / 2;
    double mean = 1 - h * h / 2 + h * h * h * h / 12; /* of q~^2 */
    assert_close(value, h / 2 + fabs(p1 + h / 2) + h * sqrt(mean), 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void what_has_no_polynomials_is_refused(void **state)
{
    (void)state;
    double value = 7;
    lv_error err;
    const method verlet = {.scheme = "verlet"};
    lv_model *model = read_shipped("henon-heiles", NULL, NULL);
    lv_sim *plain = start(model, &verlet, 0.1), *dense = start_dense(model, &verlet, 0.1);
    step_once(plain);
    assert_int_equal(lv_sim_indicator(plain, &value, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "options.dense"));
    assert_int_equal(lv_sim_indicator(dense, &value, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "no step yet"));
    assert_true(value == 7);
    lv_sim_free(plain);
    lv_sim_free(dense);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(it_is_of_the_order_of_the_polynomials),
        RUN(schemes_of_other_names_have_it),
        RUN(it_is_what_it_says),
        RUN(what_has_no_polynomials_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
