/* Machine code of plans: it is there, it gives the bits of the interpreter, and nothing needs it. */
#include "../model/reading.h"
#include "deny.h"
#include "expr/code.h"
#include "plan/plan_private.h"

#include <string.h>

static lv_sim *start(const lv_model *model, bool enabled)
{
    lv_error err;
    lv_sim *sim = NULL;
    const lv_sim_options options = lv_sim_options_default(model);
    lv_native_enable(enabled);
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    lv_native_enable(true);
    return sim;
}

static void expect_same(const char *name, const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0)
            fail_msg("%s: number %d is %.17g, interpreted %.17g", name, k, a[k], b[k]);
}

static void runs_have_the_bits_of_the_interpreter(void **state)
{
    (void)state;
    static const char *const names[] = {
        "pendulum3d", "four-particles", "chain",      "heavy-top",    "andrews",
        "kepler",     "slider-crank",   "snakeboard", "spring-net",   "rod-chain",
        "n-four-bar", "rolling-disc",   "body-chain", "penning-trap", "torus"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lv_error err;
        lv_model *model = NULL;
        if (lv_model_read(&model, names[i], NULL, 0, &err) != LV_OK)
            fail_with(&err);
        const int n = lv_model_coordinate_count(model);
        lv_sim *code = start(model, true), *plain = start(model, false);
        for (int k = 0; k < 20; k++) {
            assert_int_equal(lv_sim_step(code, &err), LV_OK);
            assert_int_equal(lv_sim_step(plain, &err), LV_OK);
        }
        expect_same(names[i], lv_sim_position(code), lv_sim_position(plain), n);
        expect_same(names[i], lv_sim_velocity(code), lv_sim_velocity(plain), n);
        expect_same(names[i], lv_sim_momentum(code), lv_sim_momentum(plain), n);
        const double e[] = {lv_sim_energies(code).total, lv_sim_energies(plain).total};
        expect_same(names[i], &e[0], &e[1], 1);
        lv_sim_free(code);
        lv_sim_free(plain);
        lv_model_free(model);
    }
}

static const char spring[] =
    "[particles.x]\ncount = 9\nmass = 'i'\nposition = ['i', 1]\n"
    "[springs.s]\nfor = 'i = 2..9'\nbetween = ['x_{i-1}', 'x_i']\n"
    "stiffness = 3\nlength = 0.5\n";

static lv_plan *plan_of(const lv_model *model)
{
    lv_plan *plan = NULL;
    lv_error err;
    if (lv_plan_create(&plan, model, LV_WANT(FORCE), &err) != LV_OK)
        fail_with(&err);
    return plan;
}

static void plans_have_code_where_it_is_wanted(void **state)
{
    (void)state;
    lv_model *model = read_text(spring);
    for (int enabled = 0; enabled < 2; enabled++) {
        lv_native_enable(enabled);
        lv_plan *plan = plan_of(model);
        assert_true(plan->varying.count > 0);
        assert_int_equal(plan->code != NULL, enabled && lv_code_is_built());
        bool any = false;
        for (int k = 0; k < plan->varying.count; k++)
            any = any || plan->varying.data[k].program->code;
        assert_int_equal(any, plan->code != NULL);
        lv_plan_free(plan);
    }
    lv_native_enable(true);
    lv_model_free(model);
}

static lv_status create_plan(void *user, lv_error *err)
{
    lv_plan *plan = NULL;
    lv_status status = lv_plan_create(&plan, user, LV_WANT(FORCE), err);
    lv_plan_free(plan);
    return status;
}

static void plans_without_memory_for_code_are_plans(void **state)
{
    (void)state;
    lv_model *model = read_text(spring);
    lv_deny_sweep(create_plan, model);
    lv_model_free(model);
}

/* ---- places that follow a rule ------------------------------------------------------------------------------ */

/* 21 points: two whole blocks of instances, and a part of one. */
static const char family[] =
    "[particles.x]\ncount = 21\nmass = 'i'\nposition = ['i', 'i^2/30', 1]\n"
    "[springs.s]\nfor = 'i = 2..21'\nbetween = ['x_{i-1}', 'x_i']\n"
    "stiffness = 3\nlength = 0.5\n"
    "[constraints.c]\nfor = 'i = 1..20'\nholonomic = 'norm2(x_i - x_{i+1}) - 1'\n";

static bool forget_walk(lv_table *t)
{
    const bool any = t->walk != NULL;
    t->walk = NULL;
    return any;
}

static void families_are_evaluated_as_their_tables_say(void **state)
{
    (void)state;
    lv_model *model = read_text(family);
    lv_plan *plan = NULL;
    lv_error err;
    enum { NUMBERS = 3 * 21, ENTRIES = 6 * 20 };
    double q[NUMBERS], force[NUMBERS], gradient[ENTRIES];
    if (lv_plan_create(&plan, model, LV_WANT(FORCE) | LV_WANT(JACOBIAN), &err) != LV_OK)
        fail_with(&err);
    for (int i = 0; i < NUMBERS; i++)
        q[i] = i + sin(7 * i);
    const lv_point at = {.q = q, .v = q};
    lv_plan_run(plan, &at);
    memcpy(force, lv_plan_result(plan, LV_Q_FORCE), sizeof force);
    memcpy(gradient, lv_plan_result(plan, LV_Q_JACOBIAN), sizeof gradient);
    int gathered = 0, scattered = 0;
    for (int k = 0; k < plan->varying.count; k++) {
        lv_plan_part *p = &plan->varying.data[k];
        gathered += forget_walk(&p->global);
        (void)forget_walk(&p->tangent);
        for (int j = 0; j < p->scatter_count; j++)
            scattered += forget_walk(&p->scatters[j].to);
    }
    assert_true(gathered > 0 && scattered > 0);
    lv_plan_run(plan, &at);
    expect_same("force", force, lv_plan_result(plan, LV_Q_FORCE), NUMBERS);
    expect_same("gradient", gradient, lv_plan_result(plan, LV_Q_JACOBIAN), ENTRIES);
    lv_plan_free(plan);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(runs_have_the_bits_of_the_interpreter),
        RUN(plans_have_code_where_it_is_wanted),
        RUN(plans_without_memory_for_code_are_plans),
        RUN(families_are_evaluated_as_their_tables_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
