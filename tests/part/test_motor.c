/* [motors], springs on joints, and the angles and shifts that both act on. */
#include "frames.h"
#include "outputs.h"

static const double pi = 3.14159265358979323846;

/* A body of the axial inertia 0.4 that turns about an oblique axis; the same in the plane; ends swapped. */
static const struct {
    const char *name, *text;
    double
        sign; /* of the turn of the body that the angle counts: of the second against the first */
} hinges[] = {
    {"space",
     "[bodies.b]\nmass = 3\ninertia = [0.4, 0.5, 0.6]\nposition = [1, 2, 3]\nrotation = "
     "[0.3, -0.2, 0.9]\n[joints.h]\ntype = \"revolute\"\nbetween = [\"ground\", "
     "\"b\"]\npoint_b = [0, 0, 0]\naxis_b = [2, 0, 0]\n",
     1},
    {"space, swapped",
     "[bodies.b]\nmass = 3\ninertia = [0.5, 0.4, 0.6]\nposition = [1, 2, 3]\nrotation = "
     "[0.3, -0.2, 0.9]\n[joints.h]\ntype = \"revolute\"\nbetween = [\"b\", "
     "\"ground\"]\nat = [1, 2, 3]\naxis_a = [0, 2, 0]\n",
     -1},
    {"plane",
     "[bodies.b]\nmass = 3\ninertia = 0.4\nposition = [1, 2]\nangle = 0.7\n[joints.h]\n"
     "type = \"revolute\"\nbetween = [\"ground\", \"b\"]\nat = [1, 2]\n",
     1},
    {"plane, swapped",
     "[bodies.b]\nmass = 3\ninertia = 0.4\nposition = [1, 2]\nangle = 0.7\n[joints.h]\n"
     "type = \"revolute\"\nbetween = [\"b\", \"ground\"]\nat = [1, 2]\n",
     -1},
    {"free pair", /* two bodies on one axis: the reduced inertia of 0.6 and 1.2 is 0.4 */
     "[bodies.a]\nmass = 3\ninertia = [0.7, 0.8, 0.6]\nposition = [1, 2, 3]\n"
     "[bodies.b]\nmass = 1\ninertia = [0.9, 1, 1.2]\nposition = [1, 2, 4]\n[joints.h]\n"
     "type = \"revolute\"\nbetween = [\"a\", \"b\"]\nat = [1, 2, 3.5]\naxis = [0, 0, "
     "1]\n",
     1},
};
enum { HINGES = sizeof hinges / sizeof *hinges };

#define SHOW "[outputs]\nangle = \"h.angle\"\nrate = \"h.rate\"\n"

static driven hinge_with(int k, const char *more, const char *scheme, double step)
{
    char text[1500];
    snprintf(text, sizeof text, "%s%s" SHOW, hinges[k].text, more);
    lv_model *model = read_text(text);
    lv_sim_options options = sim_options(model, &(method){.scheme = scheme}, step);
    driven x = {.model = model};
    lv_error err;
    options.initial = LV_INITIAL_PROJECT;
    if (lv_sim_create(&x.sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(
        lv_plan_create(&x.outputs, x.sim->system->model, LV_WANT(OUTPUT), NULL), LV_OK);
    return x;
}

/* ---- prescribed ---------------------------------------------------------------------------------------- */

static void a_prescribed_angle_follows_through_many_turns(void **state)
{
    static const char *const schemes[] = {"rattle", "lobatto"};
    (void)state;
    for (int k = 0; k < HINGES; k++)
        for (int s = 0; s < 2; s++) {
            driven x = hinge_with(
                k, "[motors.m]\njoint = \"h\"\nangle = \"7*t + sin(3*t) - 2*t^2\"\n",
                schemes[s], 0.01);
            double most = 0, least = 0;
            for (int n = 1; n <= 600; n++) {
                step_once(x.sim);
                const double t = x.sim->state.t, f = 7 * t + sin(3 * t) - 2 * t * t;
                assert_close(outputs_of(&x)[0], f, 1e-11);
                assert_close(outputs_of(&x)[1], 7 + 3 * cos(3 * t) - 4 * t, 1e-10);
                most = fmax(most, f);
                least = fmin(least, f);
            }
            assert_above(most, 2 * pi * 0.9);
            assert_below(least, -2 * pi * 4);
            driven_free(&x);
        }
}

/* The body has turned as the angle says, about the axis: e2 of the first hinge stays perpendicular to its axis e1. */
static void the_angle_is_a_right_handed_turn_about_the_axis(void **state)
{
    (void)state;
    driven x =
        hinge_with(0, "[motors.m]\njoint = \"h\"\nangle = \"0.8*t\"\n", "lobatto", 0.01);
    const frame before = frame_read(lv_sim_position(x.sim));
    step_times(x.sim, 100);
    const frame after = frame_read(lv_sim_position(x.sim));
    for (int k = 0; k < 3; k++)
        assert_close(
            distance(after.e[k].x, turned(times(0.8, before.e[0]), before.e[k]).x, 3), 0,
            1e-12);
    driven_free(&x);
}

static void a_prescribed_shift_follows(void **state)
{
    static const char *const texts[] = {
        "[bodies.b]\nmass = 3\ninertia = [0.4, 0.5, 0.6]\nposition = [1, 2, 3]\nrotation "
        "= "
        "[0.3, -0.2, 0.9]\n[joints.h]\ntype = \"prismatic\"\nbetween = [\"ground\", "
        "\"b\"]\nat = [0, 0, 1]\naxis = [1, 2, -2]\n",
        "[bodies.b]\nmass = 3\ninertia = 0.4\nposition = [1, 2]\n[joints.h]\ntype = "
        "\"prismatic\"\nbetween = [\"ground\", \"b\"]\nat = [0, 0]\naxis = [3, 4]\n"};
    static const double ways[][3] = {{1 / 3.0, 2 / 3.0, -2 / 3.0}, {0.6, 0.8, 0}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "%s[motors.m]\njoint = \"h\"\nshift = \"sin(2*t)^2\"\n[outputs]\nshift = "
            "\"h.shift\"\n",
            texts[k]);
        driven x = drive(text, "lobatto", 0.01);
        step_times(x.sim, 130);
        const double f = pow(sin(2 * 1.3), 2);
        assert_close(outputs_of(&x)[0], f, 1e-12);
        for (int i = 0; i < 3 - k; i++)
            assert_close(lv_sim_position(x.sim)[i],
                         lv_model_start_position(x.model)[i] + f * ways[k][i], 1e-12);
        driven_free(&x);
    }
}

/* ---- given ---------------------------------------------------------------------------------------------- */

/* J angle'' = torque; the angle counts turns. */
static void a_torque_turns_the_joint(void **state)
{
    (void)state;
    for (int k = 0; k < HINGES; k++) {
        driven x = hinge_with(k, "[motors.m]\njoint = \"h\"\ntorque = \"3*cos(t/2)\"\n",
                              "lobatto", 0.02);
        const double *y = outputs_at(&x, 6, 0.02);
        assert_close(y[1], 15 * sin(3.0), 1e-5);
        assert_close(y[0], 30 * (1 - cos(3.0)), 1e-5);
        assert_above(fabs(y[0]), 8 * pi);
        driven_free(&x);
    }
}

static void a_force_drives_a_slider(void **state)
{
    (void)state;
    driven x =
        drive("[bodies.b]\nmass = 4\ninertia = [0.4, 0.5, 0.6]\nposition = [0, 0, 0]\n"
              "[joints.h]\ntype = \"prismatic\"\nbetween = [\"ground\", \"b\"]\nat = "
              "[0, 1, 0]\naxis = [0, 0, -1]\n[motors.m]\njoint = \"h\"\nforce = "
              "\"2*t\"\n[outputs]\nshift = \"h.shift\"\n",
              "lobatto", 0.01);
    assert_close(outputs_at(&x, 2, 0.01)[0], 2 * 8 / 6.0 / 4, 1e-12);
    assert_close(lv_sim_position(x.sim)[2], -2 * 8 / 6.0 / 4, 1e-12);
    driven_free(&x);
}

/* ---- springs on joints ------------------------------------------------------------------------------------ */

/* Torsional pendulum J phi'' = -k (phi - rest) - c phi', wound up by three turns. */
static double torsion(double t, double k, double c, double rest)
{
    const double J = 0.4, w = sqrt(k / J - c * c / (4 * J * J)), d = c / (2 * J);
    const double start = -rest;
    return rest + start * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
}

static void springs_make_a_torsional_pendulum(void **state)
{
    static const struct {
        const char *spring;
        double c;
    } cases[] = {{"", 0}, {"damping = 0.3\n", 0.3}};
    (void)state;
    for (int k = 0; k < HINGES; k++)
        for (int i = 0; i < 2; i++) {
            char more[200];
            snprintf(more, sizeof more,
                     "[springs.s]\njoint = \"h\"\nstiffness = 1.7\nlength = 20\n%s",
                     cases[i].spring);
            driven x = hinge_with(k, more, "lobatto", 0.0025);
            for (int n = 1; n <= 3; n++)
                assert_close(outputs_at(&x, n, 0.0025)[0],
                             torsion(n, 1.7, cases[i].c, 20), 1e-6);
            driven_free(&x);
        }
}

/* T = 2 pi sqrt(J/k), whatever the amplitude. */
static void the_period_does_not_depend_on_the_amplitude(void **state)
{
    static const double rests[] = {0.1, -2, 15};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char more[200];
        const double period = 2 * pi * sqrt(0.4 / 1.7), step = period / 400;
        snprintf(more, sizeof more,
                 "[springs.s]\njoint = \"h\"\nstiffness = 1.7\nlength = %g\n", rests[i]);
        driven x = hinge_with(0, more, "lobatto", step);
        assert_close(outputs_at(&x, 200 * step, step)[0] / rests[i], 2, 1e-6);
        assert_close(outputs_at(&x, 400 * step, step)[0] / rests[i], 0, 1e-6);
        driven_free(&x);
    }
}

static void a_spring_on_a_slider_is_an_oscillator(void **state)
{
    (void)state;
    /* Both points given: the shift is their distance along the axis, 0.5 at the start. */
    driven x =
        drive("[bodies.b]\nmass = 4\ninertia = [0.4, 0.5, 0.6]\nposition = [0, 0, "
              "0.5]\n[joints.h]\ntype = \"prismatic\"\nbetween = [\"ground\", "
              "\"b\"]\npoint_a = [0, 0, 0]\npoint_b = [0, 0, 0]\naxis = [0, 0, 1]\n"
              "[springs.s]\njoint = \"h\"\nstiffness = 9\nlength = 0.2\n"
              "[outputs]\nshift = \"h.shift\"\n",
              "lobatto", 0.01);
    assert_close(outputs_of(&x)[0], 0.5, 1e-15);
    assert_close(outputs_at(&x, 3, 0.01)[0], 0.2 + 0.3 * cos(1.5 * 3), 1e-9);
    driven_free(&x);
}

/* A cylindrical joint has both, one without the other. */
static void a_cylindrical_joint_turns_and_slides(void **state)
{
    (void)state;
    driven x =
        drive("[bodies.b]\nmass = 4\ninertia = [0.4, 0.5, 0.6]\nposition = [0, 0, 0]\n"
              "angular_velocity = [0, 0, 5]\nvelocity = [0, 0, 2]\n"
              "[joints.h]\ntype = \"cylindrical\"\nbetween = [\"ground\", \"b\"]\n"
              "at = [0, 0, 0]\naxis = [0, 0, 3]\n"
              "[outputs]\nangle = \"h.angle\"\nshift = \"h.shift\"\n",
              "lobatto", 0.01);
    const double *y = outputs_at(&x, 4, 0.01);
    assert_close(y[0], 20, 1e-6);
    assert_close(y[1], 8, 1e-12);
    driven_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_prescribed_angle_follows_through_many_turns),
        RUN(the_angle_is_a_right_handed_turn_about_the_axis),
        RUN(a_prescribed_shift_follows),
        RUN(a_torque_turns_the_joint),
        RUN(a_force_drives_a_slider),
        RUN(springs_make_a_torsional_pendulum),
        RUN(the_period_does_not_depend_on_the_amplitude),
        RUN(a_spring_on_a_slider_is_an_oscillator),
        RUN(a_cylindrical_joint_turns_and_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
