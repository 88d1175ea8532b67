/* Second derivatives of rates and momenta, against differences of first ones. */
#include "../system/differences.h"

/* How RATE_Q^T y changes with velocities is CURVATURE: no quantity of its own. */
static const claim claims[] = {
    {LV_Q_RATE_CURVATURE, LV_Q_RATE_Q, MEMBER(y), MEMBER(q)},
    {LV_Q_INERTIA_CURVATURE, LV_Q_MOMENTUM_Q, MEMBER(w), MEMBER(q)},
};

enum { CLAIMS = sizeof claims / sizeof *claims };

static void curvatures_are_derivatives(void **state)
{
    (void)state;
    check_claims(varied, claims, CLAIMS, 2e-9, 1e-8);
    check_claims(chain, claims, CLAIMS, 2e-9, 1e-8);
}

/* Multipliers of nonholonomic constraints, which CURVATURE takes, are 0. */
static void the_rate_turns_with_velocities_as_the_curvature_says(void **state)
{
    (void)state;
    static const claim turn = {LV_Q_CURVATURE, LV_Q_RATE_Q, MEMBER(y), MEMBER(v)};
    static const char *const texts[] = {varied, chain, plain};
    for (int k = 0; k < 3; k++) {
        lv_model *model = read_text(texts[k]);
        place p = some_place(k, 1);
        for (int r = model->row_count[LV_ROLE_HOLONOMIC]; r < MOST; r++)
            p.y[r] = 0;
        assert_above(check_claim(model, &turn, &p, 2e-9), 0.1);
        lv_model_free(model);
    }
}

static void curvatures_are_symmetric(void **state)
{
    (void)state;
    lv_model *model = read_text(varied);
    const place p = some_place(1, 1);
    double dense[MOST][MOST];
    for (int k = 0; k < CLAIMS; k++) {
        lv_plan *plan = plan_of(model, (lv_wanted)1 << (unsigned)claims[k].matrix);
        dense_at(plan, claims[k].matrix, &p, dense);
        for (int i = 0; i < MOST; i++)
            for (int j = 0; j < i; j++)
                assert_true(dense[i][j] == dense[j][i]);
        lv_plan_free(plan);
    }
    lv_model_free(model);
}

static void constant_masses_and_quadratic_constraints_have_none(void **state)
{
    (void)state;
    lv_model *model = read_text(plain);
    for (int k = 0; k < CLAIMS; k++)
        assert_int_equal(entries_of(model, claims[k].matrix), 0);
    lv_model_free(model);
}

/* Links of the chain join neighbours, and its masses do not vary with the member itself: of 15 x 15 entries only
 * blocks of three remain. */
static void patterns_have_what_formulas_have(void **state)
{
    (void)state;
    lv_model *model = read_text(chain);
    assert_int_equal(entries_of(model, LV_Q_INERTIA_CURVATURE), 4 * 9);
    assert_int_equal(entries_of(model, LV_Q_RATE_CURVATURE), 5 * 9 + 2 * 4 * 9);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(curvatures_are_derivatives),
        RUN(the_rate_turns_with_velocities_as_the_curvature_says),
        RUN(curvatures_are_symmetric),
        RUN(constant_masses_and_quadratic_constraints_have_none),
        RUN(patterns_have_what_formulas_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
