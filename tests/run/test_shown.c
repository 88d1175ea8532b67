/* Bodies, joints, motors and rolling contacts in results: closed forms, and Newton's and Euler's laws with the forces of
 * joints, as outputs that are zero. */
#include "../claims/moving.h"

#include <math.h>

static lv_run_summary *run_text(lv_model **model, const char *text, const char *scheme)
{
    lv_error err;
    lv_run_summary *run = NULL;
    *model = read_text(text);
    lv_run_request request = lv_run_request_default(*model);
    request.sim.scheme = scheme;
    request.sim.step = 0.01;
    request.until = 0.2;
    if (lv_run(&run, *model, &request, &err) != LV_OK)
        fail_with(&err);
    return run;
}

/* All outputs vanish at the end. */
static void assert_zero(const char *text, const char *scheme, double limit)
{
    lv_model *model = NULL;
    lv_run_summary *run = run_text(&model, text, scheme);
    assert_true(run->output_count > 0);
    for (int k = 0; k < run->output_count; k++) {
        const lv_output *output = &run->outputs[k];
        for (int j = 0; j < (output->length > 0 ? output->length : 1); j++)
            if (!(fabs(output->values[j]) <= limit))
                fail_msg("%s[%d] is %g", output->name, j + 1, output->values[j]);
    }
    lv_run_summary_free(run);
    lv_model_free(model);
}

static const lv_output *value_of(const lv_run_summary *run, const char *section,
                                 const char *name, const char *key)
{
    for (int k = 0; k < run->part_count; k++)
        for (int j = 0; j < run->parts[k].count; j++)
            if (strcmp(run->parts[k].section, section) == 0 &&
                strcmp(run->parts[k].name, name) == 0 &&
                strcmp(run->parts[k].values[j].name, key) == 0)
                return &run->parts[k].values[j];
    fail_msg("%s.%s has no %s", section, name, key);
    return NULL;
}

static void assert_value(const lv_run_summary *run, const char *section, const char *name,
                         const char *key, int length, const double *expected,
                         double limit)
{
    const lv_output *value = value_of(run, section, name, key);
    assert_int_equal(value->length, length);
    for (int k = 0; k < (length > 0 ? length : 1); k++)
        if (!(fabs(value->values[k] - expected[k]) <= limit))
            fail_msg("%s.%s[%d] is %.17g, not %.17g", name, key, k + 1, value->values[k],
                     expected[k]);
}

#define GRAVITY "[gravity]\nacceleration = [0, 0, -9.81]\n"
#define BAR                                                                              \
    "[bodies.bar]\nmass = 2\ninertia = [0.3, 0.2, 0.25]\nposition = [1, 0.1, 0.2]\n"     \
    "rotation = [0.1, -0.2, 0.3]\n"

/* m x'' = m g + F; d/dt(J w) in space = (hinge - x) x F + torque. R J omega is sum J_k omega_k e_k. */
#define LAWS                                                                             \
    "force = \"2*(bar'' - [0, 0, -9.81]) - hinge.force\"\n"                              \
    "euler = \"(0.3*bar.omega[1]*bar.e1 + 0.2*bar.omega[2]*bar.e2 + "                    \
    "0.25*bar.omega[3]*bar.e3)' - cross([0.2, 0, 0.1] - bar, hinge.force) - "            \
    "hinge.torque\"\n"

static void joints_to_the_ground_obey_newton_and_euler(void **state)
{
    (void)state;
    static const char *const joints[] = {
        "type = \"revolute\"\naxis = [0.2, 1, 0.1]\n", "type = \"spherical\"\n",
        "type = \"fixed\"\n",
        "type = \"universal\"\naxis = [0, 1, 0]\naxis2 = [1, 0, 0]\n"};
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 GRAVITY BAR "[joints.hinge]\nbetween = [\"ground\", \"bar\"]\n"
                             "at = [0.2, 0, 0.1]\n%s[outputs]\n" LAWS,
                 joints[k]);
        assert_zero(text, "rattle", 1e-11);
    }
}

/* The ground stands second: what acts on it is the opposite. */
static void forces_on_the_ground_are_opposite(void **state)
{
    (void)state;
    assert_zero(GRAVITY BAR
                "[joints.hinge]\nbetween = [\"bar\", \"ground\"]\ntype = \"revolute\"\n"
                "at = [0.2, 0, 0.1]\naxis = [0, 1, 0]\n"
                "[outputs]\nforce = \"2*(bar'' - [0, 0, -9.81]) + hinge.force\"\n"
                "euler = \"(0.3*bar.omega[1]*bar.e1 + 0.2*bar.omega[2]*bar.e2 + "
                "0.25*bar.omega[3]*bar.e3)' + cross([0.2, 0, 0.1] - bar, hinge.force) + "
                "hinge.torque\"\n",
                "rattle", 1e-11);
}

/* Two bars: the second one feels the elbow, the first one both. */
static void joints_between_bodies_act_on_the_second(void **state)
{
    (void)state;
    assert_zero(
        GRAVITY
        "[bodies.link]\ncount = 3\nmass = \"i\"\ninertia = [0.1, 0.2, 0.3]\n"
        "position = [\"i\", 0, 0]\n"
        "[joints.base]\nbetween = [\"ground\", \"link_1\"]\ntype = \"revolute\"\n"
        "at = [0.5, 0, 0]\naxis = [0, 1, 0]\n"
        "[joints.elbow]\nfor = \"i = 2..3\"\nbetween = [\"link_{i-1}\", \"link_i\"]\n"
        "type = \"spherical\"\nat = [\"i - 0.5\", 0, 0]\n"
        "[outputs]\n"
        "last = \"3*(link_3'' - [0, 0, -9.81]) - elbow_3.force\"\n"
        "middle = \"2*(link_2'' - [0, 0, -9.81]) - elbow_2.force + elbow_3.force\"\n"
        "first = \"link_1'' - [0, 0, -9.81] - base.force + elbow_2.force\"\n"
        "free = \"elbow_2.torque\"\n",
        "rattle", 1e-10);
}

/* Joints that slide, and what an ideal one cannot transmit along its axis u. */
typedef struct sliding {
    const char *type, *nothing; /* outputs */
} sliding;

static const sliding sliding_joints[] = {
    {"prismatic", "free = \"dot(slide.force, u)\"\n"},
    {"cylindrical", "free = [\"dot(slide.force, u)\", \"dot(slide.torque, u)\"]\n"},
    {"planar", "free = \"cross(slide.force, u)\"\nturn = \"dot(slide.torque, u)\"\n"},
    {"point_on_line", "free = \"dot(slide.force, u)\"\nturn = \"slide.torque\"\n"},
    {"point_on_plane", "free = \"cross(slide.force, u)\"\nturn = \"slide.torque\"\n"}};

static double size_of(const lv_output *v)
{
    double sum = 0;
    for (int k = 0; k < (v->length > 0 ? v->length : 1); k++)
        sum = hypot(sum, v->values[k]);
    return sum;
}

/* As assert_zero, and the joint does something. */
static void assert_slides(const char *text)
{
    lv_model *model = NULL;
    assert_zero(text, "rattle", 1e-11);
    lv_run_summary *run = run_text(&model, text, "rattle");
    assert_true(size_of(value_of(run, "joints", "slide", "force")) > 0.1);
    lv_run_summary_free(run);
    lv_model_free(model);
}

#define WRENCH "[loads.pull]\nbody = \"bar\"\nforce = [3, 1, -2]\ntorque = [1, -2, 0.5]\n"

/* Newton's and Euler's laws of the bar, on which the joint acts at its point p. */
#define BAR_LAWS                                                                         \
    "force = \"2*(bar'' - [0, 0, -9.81]) - [3, 1, -2] - slide.force\"\n"                 \
    "euler = \"(0.3*bar.omega[1]*bar.e1 + 0.2*bar.omega[2]*bar.e2 + "                    \
    "0.25*bar.omega[3]*bar.e3)' - [1, -2, 0.5] - cross(p - bar, slide.force) - "         \
    "slide.torque\"\n"

static void joints_slide_on_the_ground(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sliding_joints / sizeof *sliding_joints; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 GRAVITY BAR WRENCH
                 "[joints.slide]\nbetween = [\"ground\", \"bar\"]\ntype = \"%s\"\n"
                 "point_b = [0.1, -0.3, 0.2]\naxis = [0.4, 2, 0.2]\n"
                 "[definitions]\nu = [0.2, 1, 0.1]\n"
                 "p = \"point(bar, [0.1, -0.3, 0.2])\"\n[outputs]\n" BAR_LAWS "%s",
                 sliding_joints[k].type, sliding_joints[k].nothing);
        assert_slides(text);
    }
}

/* What acts on the bar acts on the frame, which carries the axis, with the opposite sign, at the same point. Both
 * start with the rigid motion x' = w x x. */
static void joints_slide_on_moving_bodies(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sliding_joints / sizeof *sliding_joints; k++) {
        char text[3000];
        snprintf(
            text, sizeof text,
            GRAVITY BAR
            "velocity = \"cross(w, [1, 0.1, 0.2])\"\nspin = \"w\"\n" WRENCH
            "[parameters]\nw = [0.5, -1, 2]\n"
            "[bodies.frame]\nmass = 3\ninertia = [0.4, 0.5, 0.6]\n"
            "position = [-1, 0.2, 0.3]\nrotation = [0.3, 0.2, -0.4]\n"
            "velocity = \"cross(w, [-1, 0.2, 0.3])\"\nspin = \"w\"\n"
            "[joints.slide]\nbetween = [\"frame\", \"bar\"]\ntype = \"%s\"\n"
            "point_b = [0.1, -0.3, 0.2]\naxis_a = [0.4, 2, 0.2]\n"
            "[definitions]\nu = \"direction(frame, [0.2, 1, 0.1])\"\n"
            "p = \"point(bar, [0.1, -0.3, 0.2])\"\n[outputs]\n" BAR_LAWS
            "opposite = \"3*(frame'' - [0, 0, -9.81]) + slide.force\"\n"
            "turned = \"(0.4*frame.omega[1]*frame.e1 + 0.5*frame.omega[2]*frame.e2 + "
            "0.6*frame.omega[3]*frame.e3)' + cross(p - frame, slide.force) + "
            "slide.torque\"\n%s",
            sliding_joints[k].type, sliding_joints[k].nothing);
        assert_slides(text);
    }
}

static void joints_slide_in_the_plane(void **state)
{
    (void)state;
    static const sliding joints[] = {
        {"prismatic", "free = \"dot(slide.force, u)\"\n"},
        {"point_on_line", "free = \"dot(slide.force, u)\"\nturn = \"slide.torque\"\n"}};
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "[bodies.frame]\nmass = 3\ninertia = 0.4\nposition = [-1, 0.2]\n"
                 "angle = 0.3\nangular_velocity = 2\nvelocity = [-0.4, -2]\n"
                 "[bodies.bar]\nmass = 2\ninertia = 0.3\nposition = [1, 0.1]\n"
                 "angle = -0.2\nangular_velocity = 2\nvelocity = [-0.2, 2]\n"
                 "[loads.pull]\nbody = \"bar\"\nforce = [3, 1]\ntorque = 2\n"
                 "[joints.slide]\nbetween = [\"frame\", \"bar\"]\ntype = \"%s\"\n"
                 "point_b = [0.1, -0.3]\naxis_a = [0.4, 2]\n"
                 "[definitions]\nu = \"direction(frame, [0.2, 1])\"\n"
                 "a = \"point(bar, [0.1, -0.3]) - frame\"\n"
                 "b = \"point(bar, [0.1, -0.3]) - bar\"\n[outputs]\n"
                 "force = \"2*bar'' - [3, 1] - slide.force\"\n"
                 "opposite = \"3*frame'' + slide.force\"\n"
                 "euler = \"0.3*bar.angle'' - 2 - (b[1]*slide.force[2] - "
                 "b[2]*slide.force[1]) - slide.torque\"\n"
                 "turned = \"0.4*frame.angle'' + a[1]*slide.force[2] - "
                 "a[2]*slide.force[1] + slide.torque\"\n%s",
                 joints[k].type, joints[k].nothing);
        assert_slides(text);
    }
}

/* Free bodies move along straight lines and turn about a principal axis, each at its own rate. Larger families are
 * evaluated in blocks. */
static void members_of_families_are_shown_one_by_one(void **state)
{
    (void)state;
    for (int count = 1; count <= 10; count++) {
        char text[600];
        lv_model *model = NULL;
        snprintf(text, sizeof text,
                 "[bodies.disc]\ncount = %d\nmass = 1\ninertia = 0.1\n"
                 "position = [\"i\", 2]\nvelocity = [\"-i\", 1]\n"
                 "angular_velocity = \"3*i\"\n"
                 "[bodies.ball]\ncount = %d\nmass = \"i\"\ninertia = [0.1, 0.2, 0.25]\n"
                 "position = [0, \"i\", 3]\nvelocity = [\"2*i\", 0, 1]\n"
                 "angular_velocity = [0, 0, \"-i\"]\n",
                 count, count);
        lv_run_summary *run = run_text(&model, text, "rattle"); /* until 0.2 */
        for (int i = 1; i <= count; i++) {
            char disc[20], ball[20];
            snprintf(disc, sizeof disc, "disc_%d", i);
            snprintf(ball, sizeof ball, "ball_%d", i);
            assert_value(run, "bodies", disc, "position", 2, (double[]){i - 0.2 * i, 2.2},
                         1e-12);
            assert_value(run, "bodies", disc, "angle", 0, (double[]){0.6 * i}, 1e-12);
            assert_value(run, "bodies", disc, "angular_velocity", 0, (double[]){3 * i},
                         1e-12);
            assert_value(run, "bodies", ball, "position", 3, (double[]){0.4 * i, i, 3.2},
                         1e-12);
            assert_value(run, "bodies", ball, "angular_velocity", 3, (double[]){0, 0, -i},
                         2e-5 * i * i * i);
            assert_value(run, "bodies", ball, "quaternion", 4,
                         (double[]){cos(0.1 * i), 0, 0, -sin(0.1 * i)}, 2e-5 * i * i * i);
        }
        lv_run_summary_free(run);
        lv_model_free(model);
    }
}

/* A pivot holds its body with a force that no coordinate knows: a joint elsewhere on it still has its own. A
 * spring-like balance: the rod of a particle hangs below the body. */
static void bodies_with_pivots_have_forces(void **state)
{
    (void)state;
    assert_zero(
        GRAVITY
        "[bodies.top]\nmass = 2\ninertia = [0.3, 0.2, 0.25]\n"
        "position = [0, 0, -1]\npivot = [0, 0, 1]\n"
        "[bodies.bob]\nmass = 3\ninertia = [0.1, 0.1, 0.1]\n"
        "position = [0.5, 0, -2]\n"
        "[joints.ball]\nbetween = [\"bob\", \"top\"]\ntype = \"spherical\"\n"
        "at = [0, 0, -2]\n"
        "[outputs]\nforce = \"3*(bob'' - [0, 0, -9.81]) + ball.force\"\n"
        "torque = \"ball.torque\"\n"
        "euler = \"(0.3*top.omega[1]*top.e1 + 0.2*top.omega[2]*top.e2 + "
        "0.25*top.omega[3]*top.e3)' - cross(point(top, [0, 0, -1]), ball.force) - "
        "2*cross(top, [0, 0, -9.81] - top'')\"\n",
        "rattle", 1e-10);
}

/* A bar in the plane, horizontal and at rest: half of it hangs in the hinge at first. */
static void planar_bodies_have_angles_and_forces(void **state)
{
    (void)state;
    assert_zero("[gravity]\nacceleration = [0, -9.81]\n"
                "[bodies.bar]\nmass = 2\ninertia = 0.4\nposition = [1, 0]\n"
                "angular_velocity = 0.3\nvelocity = [0, 0.3]\n"
                "[joints.pin]\nbetween = [\"ground\", \"bar\"]\ntype = \"revolute\"\n"
                "at = [0, 0]\n"
                "[outputs]\nforce = \"2*(bar'' - [0, -9.81]) - pin.force\"\n"
                "euler = \"0.4*bar.omega' + bar[1]*pin.force[2] - bar[2]*pin.force[1] - "
                "pin.torque\"\n"
                "free = \"pin.torque\"\n",
                "rattle", 1e-11);
}

/* A motor turns a wheel at the angle w t^2/2: its torque is J w. */
static void motors_show_their_torque(void **state)
{
    (void)state;
    lv_model *model = NULL;
    const double torque = 0.25 * 3, angle = 3 * 0.2 * 0.2 / 2;
    const double none[3] = {0};
    lv_run_summary *run =
        run_text(&model,
                 "[bodies.wheel]\nmass = 2\ninertia = [0.3, 0.2, 0.25]\n"
                 "position = [0, 0, 0]\n"
                 "[joints.axle]\nbetween = [\"ground\", \"wheel\"]\ntype = \"revolute\"\n"
                 "at = [0, 0, 0]\naxis = [0, 0, 1]\n"
                 "[motors.drive]\njoint = \"axle\"\nangle = \"3*t^2/2\"\n"
                 "[outputs]\ntorque = \"drive.torque\"\n",
                 "rattle");
    assert_value(run, "motors", "drive", "torque", 0, &torque, 1e-11);
    assert_value(run, "joints", "axle", "angle", 0, &angle, 1e-12);
    assert_value(run, "joints", "axle", "force", 3, none, 1e-12);
    assert_float_equal(run->outputs[0].values[0], torque, 1e-11);
    lv_run_summary_free(run);
    lv_model_free(model);
}

/* A sphere that rolls straight on carries its weight; nothing else acts. */
static void rolling_contacts_show_their_force(void **state)
{
    (void)state;
    lv_model *model = NULL;
    const double weight[3] = {0, 0, 2 * 9.81}, place[3] = {0.2, 0, 0.5},
                 spin[3] = {0, 2, 0};
    lv_run_summary *run = run_text(
        &model,
        GRAVITY "[bodies.ball]\nmass = 2\ninertia = [0.2, 0.2, 0.2]\n"
                "position = [0, 0, 0.5]\nvelocity = [1, 0, 0]\nspin = [0, 2, 0]\n"
                "[rolling.ground_]\nbody = \"ball\"\nshape = \"sphere\"\n"
                "radius = 0.5\n",
        "lobatto");
    assert_value(run, "rolling", "ground_", "force", 3, weight, 1e-9);
    assert_value(run, "bodies", "ball", "position", 3, place, 1e-9);
    assert_value(run, "bodies", "ball", "angular_velocity", 3, spin, 1e-9);
    lv_run_summary_free(run);
    lv_model_free(model);
}

/* Free rotation about e3 by more than a turn: the quaternion of the angle a is (cos a/2, 0, 0, sin a/2), without a
 * jump of its sign. */
static void quaternions_are_continuous(void **state)
{
    (void)state;
    lv_model *model = NULL;
    const double a = 40 * 0.2, q[4] = {cos(a / 2), 0, 0, sin(a / 2)};
    const double rotation[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
    lv_run_summary *run = run_text(&model,
                                   "[bodies.top]\nmass = 2\ninertia = [0.3, 0.2, 0.25]\n"
                                   "position = [0, 0, 0]\nangular_velocity = [0, 0, 40]\n"
                                   "[outputs]\nangle = \"0*top[1]\"\n",
                                   "lobatto");
    assert_value(run, "bodies", "top", "quaternion", 4, q, 1e-3);
    assert_value(run, "bodies", "top", "rotation", 9, rotation, 1e-3);
    lv_run_summary_free(run);
    lv_model_free(model);
}

#define DOOR                                                                             \
    GRAVITY "[bodies.door]\nmass = 20\ninertia = [6, 5, 2]\nposition = [0.5, 0, 1]\n"    \
            "angular_velocity = [0, 0, 1]\nvelocity = [0, 0.5, 0]\n"                     \
            "[joints.lower]\nbetween = [\"ground\", \"door\"]\ntype = \"revolute\"\n"    \
            "at = [0, 0, 0]\naxis = [0, 0, 1]\n"                                         \
            "[joints.upper]\nbetween = [\"ground\", \"door\"]\nat = [0, 0, 2]\n"

static void assert_open(const char *text, const int lower[2], const int upper[2])
{
    lv_model *model = NULL;
    lv_run_summary *run = run_text(&model, text, "rattle");
    for (int k = 0; k < run->part_count; k++) {
        const lv_part_result *part = &run->parts[k];
        const int *open = strcmp(part->name, "lower") == 0 ? lower : upper;
        if (strcmp(part->section, "joints") != 0)
            continue;
        assert_int_equal(part->open_forces, open[0]);
        assert_int_equal(part->open_torques, open[1]);
    }
    assert_int_equal(run->warning_count, lower[0] > 0 ? 1 : 0);
    if (run->warning_count == 1)
        assert_non_null(strstr(run->warnings[0], "'lower' and 'upper'"));
    lv_run_summary_free(run);
    lv_model_free(model);
}

/* A second hinge can carry any force, and any torque across its axis, that the first one takes back; a guide only
 * what is normal to its line. Alone, a hinge is determined. */
static void forces_that_nothing_determines_are_told(void **state)
{
    (void)state;
    assert_open(DOOR "type = \"revolute\"\naxis = [0, 0, 1]\n", (int[]){3, 2},
                (int[]){3, 2});
    assert_open(DOOR "type = \"spherical\"\n", (int[]){3, 2}, (int[]){3, 0});
    assert_open(DOOR "type = \"point_on_line\"\naxis = [0, 0, 1]\n", (int[]){2, 2},
                (int[]){2, 0});
    assert_open(GRAVITY "[bodies.door]\nmass = 20\ninertia = [6, 5, 2]\n"
                        "position = [0.5, 0, 1]\n"
                        "[joints.lower]\nbetween = [\"ground\", \"door\"]\n"
                        "type = \"revolute\"\nat = [0, 0, 0]\naxis = [0, 0, 1]\n",
                (int[]){0, 0}, (int[]){0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(joints_to_the_ground_obey_newton_and_euler),
        RUN(forces_on_the_ground_are_opposite),
        RUN(joints_between_bodies_act_on_the_second),
        RUN(joints_slide_on_the_ground),
        RUN(joints_slide_on_moving_bodies),
        RUN(joints_slide_in_the_plane),
        RUN(members_of_families_are_shown_one_by_one),
        RUN(bodies_with_pivots_have_forces),
        RUN(planar_bodies_have_angles_and_forces),
        RUN(motors_show_their_torque),
        RUN(rolling_contacts_show_their_force),
        RUN(quaternions_are_continuous),
        RUN(forces_that_nothing_determines_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
