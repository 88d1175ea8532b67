/* Derivatives of the discrete gradients of hidden constraints, of constraints and of potentials by either end of a
 * pair, against differences. */
#include "../system/differences.h"

#include "expr/analyse.h"

static const claim claims[] = {
    {LV_Q_PAIR_RATE_QQ, LV_Q_PAIR_RATE_Q, MEMBER(y), MEMBER(q)},
    {LV_Q_PAIR_RATE_QV, LV_Q_PAIR_RATE_Q, MEMBER(y), MEMBER(v)},
    {LV_Q_PAIR_RATE_VQ, LV_Q_PAIR_RATE_V, MEMBER(y), MEMBER(q)},
    {LV_Q_PAIR_CURVATURE, LV_Q_PAIR_JACOBIAN, MEMBER(y), MEMBER(q)},
    {LV_Q_PAIR_FORCE_Q, LV_Q_PAIR_FORCE, NOTHING, MEMBER(q)},
};

enum { CLAIMS = sizeof claims / sizeof *claims };

static const char *const texts[] = {varied, chain};

static void derivatives_by_the_end_agree_with_differences(void **state)
{
    (void)state;
    for (int j = 0; j < 2; j++)
        check_claims(texts[j], claims, CLAIMS, 5e-9, 2e-8);
}

static place exchanged(const place *p)
{
    place other = *p;
    memcpy(other.q, p->w, sizeof other.q);
    memcpy(other.w, p->q, sizeof other.w);
    memcpy(other.v, p->x, sizeof other.v);
    memcpy(other.x, p->v, sizeof other.x);
    return other;
}

static void derivatives_by_the_start_are_those_of_the_exchanged_pair(void **state)
{
    (void)state;
    double dense[MOST][MOST];
    for (int j = 0; j < 2; j++) {
        lv_model *model = read_text(texts[j]);
        for (int k = 0; k < 3 * CLAIMS; k++) {
            claim start = claims[k % CLAIMS];
            const place p = some_place(k / CLAIMS, 1), other = exchanged(&p);
            lv_plan *plan = plan_of(model, (lv_wanted)1 << (unsigned)start.matrix);
            dense_at(plan, start.matrix, &other, dense);
            start.by = start.by == MEMBER(v) ? MEMBER(x) : MEMBER(w);
            assert_above(check_dense(model, &start, &p, dense, 5e-9), 0.1);
            lv_plan_free(plan);
        }
        lv_model_free(model);
    }
}

/* So that there is no derivative of them in v1. */
static void gradients_in_velocities_do_not_contain_any(void **state)
{
    (void)state;
    for (int j = 0; j < 2; j++) {
        lv_model *model = read_text(texts[j]);
        lv_plan *plan = plan_of(model, LV_WANT(PAIR_RATE_V));
        const place p = some_place(0, 1);
        place other = p;
        double here[MOST][MOST], there[MOST][MOST];
        memcpy(other.v, p.y, sizeof other.v);
        memcpy(other.x, p.y, sizeof other.x);
        dense_at(plan, LV_Q_PAIR_RATE_V, &p, here);
        dense_at(plan, LV_Q_PAIR_RATE_V, &other, there);
        assert_memory_equal(here, there, sizeof here);
        lv_plan_free(plan);
        lv_model_free(model);
    }
}

/* Fixed constraints of second degree: half of a change of an end is one of the middle. */
static void quadratic_constraints_have_half_their_curvature(void **state)
{
    (void)state;
    lv_model *model = read_text(plain);
    const place p = some_place(1, 1);
    double curvature[MOST][MOST], by_v[MOST][MOST], by_q[MOST][MOST];
    assert_int_equal(entries_of(model, LV_Q_PAIR_RATE_QQ), 0);
    lv_plan *plan = plan_of(model, LV_WANT(PAIR_RATE_QV) | LV_WANT(PAIR_RATE_VQ) |
                                       LV_WANT(CURVATURE));
    dense_at(plan, LV_Q_CURVATURE, &p, curvature);
    dense_at(plan, LV_Q_PAIR_RATE_QV, &p, by_v);
    dense_at(plan, LV_Q_PAIR_RATE_VQ, &p, by_q);
    assert_close(curvature[0][6], p.y[1], 1e-15);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++) {
            assert_close(by_v[i][j], curvature[i][j] / 2, 1e-15);
            assert_close(by_q[i][j], curvature[i][j] / 2, 1e-15);
        }
    assert_int_equal(lv_plan_depends(plan, LV_Q_PAIR_RATE_QV), LV_KIND(Y));
    assert_int_equal(lv_plan_depends(plan, LV_Q_PAIR_RATE_VQ), LV_KIND(Y));
    lv_plan_free(plan);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(derivatives_by_the_end_agree_with_differences),
        RUN(derivatives_by_the_start_are_those_of_the_exchanged_pair),
        RUN(gradients_in_velocities_do_not_contain_any),
        RUN(quadratic_constraints_have_half_their_curvature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
