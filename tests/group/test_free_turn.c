/* Free rotation of bodies: its derivative against differences, what it keeps, and what it is for symmetric ones. */
#include "../support/check.h"
#include "group/free.h"
#include "group/group.h"

#include <math.h>

static const double bodies[][9] = {{1, 0, 0, 0, 2, 0, 0, 0, 3},
                                   {15, 0, 0, 0, 0.5, 0, 0, 0, 15},
                                   {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                   {0.2, 0.02, 0.01, 0.02, 0.3, 0.03, 0.01, 0.03, 0.25}};
enum { BODIES = sizeof bodies / sizeof *bodies };

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    const double x[3] = {0.3, 0.7, -0.4}, d = 1e-4;
    for (int k = 0; k < BODIES; k++) {
        lv_free_body b;
        double m[9], g[4], back[4];
        lv_free_body_init(&b, bodies[k]);
        lv_free_body_slope(&b, m, x);
        lv_free_body_turn(&b, g, x);
        lv_so3.inverse(back, g);
        for (int j = 0; j < 3; j++) {
            double y[2][3];
            for (int s = 0; s < 2; s++) {
                double at[3] = {x[0], x[1], x[2]}, there[4], between[4];
                at[j] += s == 0 ? d : -d;
                lv_free_body_turn(&b, there, at);
                lv_so3.compose(between, back, there);
                lv_so3.tau_inverse(LV_CHART_EXP, y[s], between);
            }
            for (int i = 0; i < 3; i++)
                assert_close((y[0][i] - y[1][i]) / (2 * d), m[3 * i + j], 1e-7);
        }
    }
}

/* Backwards from where it ends: the momentum there is J^-1 R^T J x. */
static void rotation_is_reversible(void **state)
{
    (void)state;
    const double x[3] = {0.3, 0.7, -0.4};
    for (int k = 0; k < BODIES; k++) {
        lv_free_body b;
        double g[4], momentum[3], turned[3], y[3], back[4], both[4];
        lv_free_body_init(&b, bodies[k]);
        lv_free_body_turn(&b, g, x);
        for (int i = 0; i < 3; i++)
            momentum[i] = bodies[k][3 * i] * x[0] + bodies[k][3 * i + 1] * x[1] +
                          bodies[k][3 * i + 2] * x[2];
        lv_so3.body(turned, g, momentum);
        for (int i = 0; i < 3; i++) { /* J^-1 in principal axes */
            y[i] = 0;
            for (int a = 0; a < 3; a++)
                for (int c = 0; c < 3; c++)
                    y[i] -=
                        b.axes[3 * a + i] * b.axes[3 * a + c] * turned[c] / b.inertia[a];
        }
        lv_free_body_turn(&b, back, y);
        lv_so3.compose(both, g, back);
        assert_close(fabs(both[0]), 1, 1e-15);
        for (int i = 1; i < 4; i++)
            assert_close(both[i], 0, 1e-15);
    }
}

static void symmetric_bodies_are_found(void **state)
{
    (void)state;
    lv_free_body b;
    lv_free_body_init(&b, bodies[1]);
    assert_true(b.beside == 0);
    assert_close(b.inertia[2], 0.5, 1e-15);
    lv_free_body_init(&b, bodies[0]);
    assert_close(b.inertia[2], 1, 1e-15); /* 1/2 and 1/3 are nearest */
    assert_close(fabs(b.beside), 1.0 / 6, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(rotation_is_reversible),
        cmocka_unit_test(symmetric_bodies_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
