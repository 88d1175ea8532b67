/* Starts are consistent or not, whatever their units and wherever they are. */
#include "../model/reading.h"

#include "system/consistent.h"

/* A rod of length l around a point that is `away` rods from the origin, its end off by a part `by` of l in position
 * and by `slip` l / T in velocity. */
typedef struct rod {
    double l, time, away, by, slip;
} rod;

static const char form[] = "[parameters]\nl = %.17g\nT = %.17g\nd = %.17g\n"
                           "[coordinates]\n"
                           "a = { value = [\"d*l\", \"-d*l\"], velocity = [0, 0] }\n"
                           "b = { value = [\"d*l + 0.6*l*(1 + %g)\", \"-d*l - 0.8*l\"], "
                           "      velocity = [\"(0.8 + %g)*l/T\", \"0.6*l/T\"] }\n"
                           "[energy]\nkinetic = \"0.5*norm2(a') + 0.5*norm2(b')\"\n"
                           "potential = \"9.81*l/T^2*b[2]\"\n"
                           "[constraints]\nrod = { holonomic = \"%s\" }\n";

static void judge(const rod *r, const char *constraint, bool *position, bool *velocity)
{
    char text[900];
    double residual;
    lv_error err;
    lv_system *s = NULL;
    snprintf(text, sizeof text, form, r->l, r->time, r->away, r->by, r->slip, constraint);
    lv_model *model = read_text(text);
    if (lv_system_create(&s, model, &err) != LV_OK)
        fail_with(&err);
    *position = lv_system_violated_position(s, 0, model->start_q, &residual) < 0;
    *velocity =
        lv_system_violated_velocity(s, 0, model->start_q, model->start_v, &residual) < 0;
    inspected i = inspect_text(text); /* says the same */
    assert_int_equal(i.at->position_violated[0] == '\0', *position);
    assert_int_equal(i.at->velocity_violated[0] == '\0', *velocity);
    inspected_free(&i);
    lv_system_free(s);
    lv_model_free(model);
}

static const char *const constraints[] = {"norm2(b - a) - l^2", "norm(b - a) - l",
                                          "1e9*(norm2(b - a) - l^2)",
                                          "1e-12*(norm2(b - a) - l^2)"};
static const double lengths[] = {1e-12, 1e-6, 1e-4, 1, 6.4e6, 1e11};
static const double times[] = {1e-9, 1, 1e7}, distances[] = {0, 1, 1e5};

static void exact_starts_are_consistent(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * 6 * 3 * 3 * 2; k++) {
        const double by[] = {0, 1e-11};
        const rod r = {lengths[k / 4 % 6], times[k / 24 % 3], distances[k / 72 % 3],
                       by[k / 216], by[k / 216]};
        bool position, velocity;
        judge(&r, constraints[k % 4], &position, &velocity);
        if (!position || !velocity)
            fail_msg("%s: l = %g, T = %g, %g rods away: %s", constraints[k % 4], r.l,
                     r.time, r.away, position ? "velocities" : "positions");
    }
}

static void violated_ones_are_not(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * 6 * 3 * 3 * 3; k++) {
        const double by[] = {0.1, 1e-3, 1e-6};
        const rod r = {lengths[k / 4 % 6], times[k / 24 % 3], distances[k / 72 % 3],
                       by[k / 216], by[k / 216]};
        bool position, velocity;
        judge(&r, constraints[k % 4], &position, &velocity);
        /* Accelerations that act over 1e5 rods make velocities of a thousand rods in T. */
        velocity &= r.by > 1e-5 || r.away < 1e5;
        if (position || velocity)
            fail_msg("%s: l = %g, T = %g, %g rods away, %g off: %s", constraints[k % 4],
                     r.l, r.time, r.away, r.by, position ? "positions" : "velocities");
    }
}

/* Zeros that are not quite, in coordinates of their own and where there is nothing else. */
static void zeros_may_be_rounded(void **state)
{
    static const char *const texts[] = {
        "[coordinates]\nx = { value = \"1e8*sin(pi)\" }\ny = { value = 1e8 }\n",
        "[coordinates]\nx = { value = \"1e-8*cos(pi/2)\" }\ny = { value = 1e-8 }\n",
        "[coordinates]\nx = { value = 0 }\ny = { value = 0 }\n",
        "[coordinates]\nx = { value = \"1e8*sin(10*pi)\" }\ny = { value = 1e8 }\n"};
    (void)state;
    for (int k = 0; k < 4; k++) {
        char text[300];
        double residual;
        lv_error err;
        lv_system *s = NULL;
        snprintf(text, sizeof text,
                 "%s[energy]\nkinetic = \"x'^2 + y'^2\"\n"
                 "[constraints]\nc = { holonomic = \"3*x\" }\n",
                 texts[k]);
        lv_model *model = read_text(text);
        if (lv_system_create(&s, model, &err) != LV_OK)
            fail_with(&err);
        assert_int_equal(lv_system_violated_position(s, 0, model->start_q, &residual),
                         -1);
        const double off[2] = {model->start_q[0] + 1e-6 * (model->start_q[1] + (k == 2)),
                               model->start_q[1]};
        assert_int_equal(lv_system_violated_position(s, 0, off, &residual), 0);
        assert_above(residual, 0);
        lv_system_free(s);
        lv_model_free(model);
    }
}

/* A pendulum of length l that turns with w, its pivot at (d, 0). x - d is known to a rounding error of d, and so is the
 * gradient. A velocity that is off by more is a violation. */
/* A velocity that should be zero, of a coordinate of its own: w*cos(pi/2). */
static void zero_velocities_may_be_rounded(void **state)
{
    static const char text[] = "[coordinates]\nx = { value = 1, velocity = 2 }\n"
                               "y = { value = 0.5, velocity = \"2*cos(pi/2)\" }\n"
                               "[energy]\nkinetic = \"x'^2 + y'^2\"\n"
                               "[constraints]\nheight = { holonomic = \"y - 0.5\" }\n";
    (void)state;
    double residual;
    lv_error err;
    lv_system *s = NULL;
    lv_model *m = read_text(text);
    if (lv_system_create(&s, m, &err) != LV_OK)
        fail_with(&err);
    assert_above(m->start_v[1], 0);
    assert_int_equal(lv_system_violated_velocity(s, 0, m->start_q, m->start_v, &residual),
                     -1);
    const double off[2] = {2, 1e-13};
    assert_int_equal(lv_system_violated_velocity(s, 0, m->start_q, off, &residual), 0);
    lv_system_free(s);
    lv_model_free(m);
}

static void gradients_may_be_rounded(void **state)
{
    static const char text[] =
        "[coordinates]\n"
        "x = { value = \"%.17g + %.17g*cos(%.17g)\", velocity = \"-3*%.17g*sin(%.17g)\" "
        "}\n"
        "y = { value = \"%.17g*sin(%.17g)\", velocity = \"3*%.17g*cos(%.17g)\" }\n"
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"9.81*y\"\n"
        "[constraints.rod]\nholonomic = \"((x - %.17g)^2 + y^2 - %.17g^2)/2\"\n";
    static const double away[] = {0, 1e4, 1e7, 1e8, 1e9}, rods[] = {1e-3, 0.1, 1, 100};
    static const double angles[] = {0.3, 1.5, 1.5707863, 1.5707962};
    (void)state;
    for (int k = 0; k < 5 * 4 * 4; k++) {
        const double d = away[k / 16], l = rods[k / 4 % 4], a = angles[k % 4];
        char own[700];
        double residual;
        lv_error err;
        lv_system *s = NULL;
        snprintf(own, sizeof own, text, d, l, a, l, a, l, a, l, a, d, l);
        lv_model *m = read_text(own);
        if (lv_system_create(&s, m, &err) != LV_OK)
            fail_with(&err);
        if (lv_system_violated_velocity(s, 0, m->start_q, m->start_v, &residual) >= 0)
            fail_msg("d = %g, l = %g, angle %.10g: %g", d, l, a, residual);
        const double off[2] = {m->start_v[0], m->start_v[1] + 0.01 * l + 1e-9 * d};
        if (lv_system_violated_velocity(s, 0, m->start_q, off, &residual) < 0)
            fail_msg("d = %g, l = %g, angle %.10g: not violated", d, l, a);
        lv_system_free(s);
        lv_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(exact_starts_are_consistent), RUN(violated_ones_are_not),
        RUN(zeros_may_be_rounded),        RUN(zero_velocities_may_be_rounded),
        RUN(gradients_may_be_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
