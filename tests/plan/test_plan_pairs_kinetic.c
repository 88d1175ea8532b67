/* Derivatives of the discrete gradients of kinetic energies by either end of a pair, against differences. */
#include "../system/differences.h"

static const claim claims[] = {
    {LV_Q_PAIR_MOMENTUM_Q, LV_Q_PAIR_MOMENTUM, NOTHING, MEMBER(q)},
    {LV_Q_PAIR_MOMENTUM_V, LV_Q_PAIR_MOMENTUM, NOTHING, MEMBER(v)},
    {LV_Q_PAIR_KINETIC_Q, LV_Q_PAIR_KINETIC, NOTHING, MEMBER(q)},
    {LV_Q_PAIR_KINETIC_V, LV_Q_PAIR_KINETIC, NOTHING, MEMBER(v)},
};

enum { MOMENTUM_Q, MOMENTUM_V, KINETIC_Q, KINETIC_V, CLAIMS };

static void derivatives_by_the_end_agree_with_differences(void **state)
{
    (void)state;
    check_claims(varied, claims, CLAIMS, 2e-9, 1e-8);
    check_claims(chain, claims, CLAIMS, 2e-9, 1e-8);
}

/* The pair in the other direction, with the same mean velocity. */
static place exchanged(const place *p)
{
    place other = *p;
    memcpy(other.q, p->w, sizeof other.q);
    memcpy(other.w, p->q, sizeof other.w);
    for (int k = 0; k < MOST; k++)
        other.x[k] = 2 * p->v[k] - p->x[k];
    return other;
}

/* By q0: those by q1 of the exchanged pair. By v0 with vm held: half the difference of those by vm. */
static void check_start(const lv_model *model, int by_q, int by_v, const place *p)
{
    const place other = exchanged(p);
    double dense[MOST][MOST], here[MOST][MOST];
    claim start = claims[by_q];
    lv_plan *q = plan_of(model, (lv_wanted)1 << (unsigned)claims[by_q].matrix);
    dense_at(q, claims[by_q].matrix, &other, dense);
    start.by = MEMBER(w);
    assert_above(check_dense(model, &start, p, dense, 2e-9), 0.1);
    lv_plan *v = plan_of(model, (lv_wanted)1 << (unsigned)claims[by_v].matrix);
    dense_at(v, claims[by_v].matrix, &other, dense);
    dense_at(v, claims[by_v].matrix, p, here);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            dense[i][j] = (dense[i][j] - here[i][j]) / 2;
    start.by = MEMBER(x);
    check_dense(model, &start, p, dense, 2e-9);
    lv_plan_free(q);
    lv_plan_free(v);
}

static void derivatives_by_the_start_are_those_of_the_exchanged_pair(void **state)
{
    (void)state;
    static const char *const texts[] = {varied, chain};
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_text(texts[k]);
        for (int salt = 0; salt < 3; salt++) {
            const place p = some_place(salt, 1);
            check_start(model, MOMENTUM_Q, MOMENTUM_V, &p);
            check_start(model, KINETIC_Q, KINETIC_V, &p);
        }
        lv_model_free(model);
    }
}

static void constant_masses_leave_the_mass_matrix(void **state)
{
    (void)state;
    lv_model *model = read_text(plain);
    const place p = some_place(1, 1);
    double twice[MOST][MOST], mass[MOST][MOST];
    assert_int_equal(entries_of(model, LV_Q_PAIR_MOMENTUM_Q), 0);
    assert_int_equal(entries_of(model, LV_Q_PAIR_KINETIC_Q), 0);
    assert_int_equal(entries_of(model, LV_Q_PAIR_KINETIC_V), 0);
    lv_plan *plan = plan_of(model, LV_WANT(PAIR_MOMENTUM_V) | LV_WANT(MASS));
    dense_at(plan, LV_Q_PAIR_MOMENTUM_V, &p, twice);
    dense_at(plan, LV_Q_MASS, &p, mass);
    assert_true(mass[0][0] == 2 && mass[0][6] == 1);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            assert_true(twice[i][j] == 2 * mass[i][j]);
    assert_int_equal(lv_plan_depends(plan, LV_Q_PAIR_MOMENTUM_V), 0);
    lv_plan_free(plan);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(derivatives_by_the_end_agree_with_differences),
        RUN(derivatives_by_the_start_are_those_of_the_exchanged_pair),
        RUN(constant_masses_leave_the_mass_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
