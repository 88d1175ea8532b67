/* [loads]: forces at points and torques, in axes of space and of the body. */
#include "newton_euler.h"
#include "outputs.h"

#define BODY                                                                             \
    "[bodies.b]\nmass = 2\ninertia = [0.5, 0.7, 0.6]\nposition = [1, 2, 3]\nrotation = " \
    "[0.4, -1.1, 0.6]\nangular_velocity = [3, -2, 5]\n"

static const vec rotation = {{0.4, -1.1, 0.6}};

static spinning start_of_body(void)
{
    const frame f = frame_of(vec_of(0, 0, 0), rotation);
    spinning y = {.w = {3, -2, 5}};
    frame_quaternion(&f, y.q);
    return y;
}

static double axes_error(const lv_sim *sim, const spinning *y)
{
    const frame f = frame_read(lv_sim_position(sim)), g = spinning_frame(y);
    return distance(&f.e[0].x[0], &g.e[0].x[0], 9);
}

/* A constant force in space at a point turns the body as a weight there would, and moves its centre. */
static void a_force_at_a_point_turns_and_pushes(void **state)
{
    (void)state;
    const vec force = vec_of(1, -4, 2), point = vec_of(0.3, -0.1, 0.2);
    double J[6] = {0.5, 0.7, 0.6, 0, 0, 0};
    spinning_body equations = about_point(J, 2, vec_of(0, 0, 0), vec_of(0, 0, 0));
    equations.lever = point;
    equations.weight = force;
    const spinning end = spinning_until(&equations, start_of_body(), 1, 4000);
    driven x = drive(BODY "[loads.push]\nbody = \"b\"\npoint = [0.3, -0.1, 0.2]\nforce = "
                          "[1, -4, 2]\n",
                     "lobatto", 0.005);
    step_times(x.sim, 200);
    assert_below(axes_error(x.sim, &end), 1e-7);
    for (int k = 0; k < 3; k++)
        assert_close(lv_sim_position(x.sim)[k], 1 + k + force.x[k] / 2 / 2, 1e-12);
    driven_free(&x);
}

/* What a load does at the start: x'' = f/m, and w' from Euler's equations, seen in the axes. */
static void check_start(const char *load, vec force, vec torque)
{
    char text[1000];
    snprintf(text, sizeof text, BODY "[loads.l]\nbody = \"b\"\n%s", load);
    driven x = drive(text, "lobatto", 0.01);
    const lv_state *s = &x.sim->state;
    double a[12];
    assert_int_equal(
        lv_system_accelerations(x.sim->system, a, NULL, s->t, s->q, s->v, NULL), LV_OK);
    const frame f = frame_read(s->q);
    const vec w = vec_of(3, -2, 5), local = to_body(&f, torque);
    const vec Jw = vec_of(1.5, -1.4, 3), gyro = cross(Jw, w);
    const vec rate =
        vec_of((gyro.x[0] + local.x[0]) / 0.5, (gyro.x[1] + local.x[1]) / 0.7,
               (gyro.x[2] + local.x[2]) / 0.6);
    const vec spin = to_space(&f, w), spun = to_space(&f, rate);
    for (int k = 0; k < 3; k++) {
        const vec e = plus(cross(spun, f.e[k]), 1, cross(spin, cross(spin, f.e[k])));
        assert_close(a[k], force.x[k] / 2, 1e-13);
        assert_close(distance(a + 3 + 3 * k, e.x, 3), 0, 1e-12);
    }
    driven_free(&x);
}

static void loads_accelerate_as_newton_and_euler_say(void **state)
{
    (void)state;
    const frame f = frame_of(vec_of(0, 0, 0), rotation);
    const vec none = vec_of(0, 0, 0), v = vec_of(1, -4, 2), own = to_space(&f, v),
              arm = to_space(&f, vec_of(0.3, -0.1, 0.2)), u = vec_of(0.5, 2, -1);
    check_start("force = [1, -4, 2]\n", v, none);
    check_start("force = [1, -4, 2]\nframe = \"space\"\npoint = [0.3, -0.1, 0.2]\n", v,
                cross(arm, v));
    check_start("force = [1, -4, 2]\nframe = \"body\"\n", own, none);
    check_start("force = [1, -4, 2]\nframe = \"body\"\npoint = [0.3, -0.1, 0.2]\n", own,
                cross(arm, own));
    check_start("torque = [0.5, 2, -1]\n", none, u);
    check_start("torque = [0.5, 2, -1]\nframe = \"body\"\n", none, to_space(&f, u));
    check_start("torque = [0.5, 2, -1]\nforce = [1, -4, 2]\npoint = [0.3, -0.1, 0.2]\n",
                v, plus(u, 1, cross(arm, v)));
    /* formulas of the motion */
    check_start("torque = \"-0.2*b.spin\"\n", none,
                times(-0.2, to_space(&f, vec_of(3, -2, 5))));
    check_start("torque = \"-0.2*b.omega\"\nframe = \"body\"\n", none,
                times(-0.2, to_space(&f, vec_of(3, -2, 5))));
}

/* A body with three equal moments of inertia: spin = torque t/J. */
static void a_constant_torque_in_space_winds_up_a_ball(void **state)
{
    (void)state;
    driven x = drive("[bodies.b]\nmass = 1\ninertia = [0.5, 0.5, 0.5]\nposition = [0, 0, "
                     "0]\nrotation = [1, 2, 3]\n[loads.l]\nbody = \"b\"\ntorque = [0.1, "
                     "-0.2, 0.3]\n[outputs]\nspin = \"b.spin\"\n",
                     "lobatto", 0.01);
    const double *spin = outputs_at(&x, 4, 0.01);
    assert_close(spin[0], 0.8, 1e-10);
    assert_close(spin[1], -1.6, 1e-10);
    assert_close(spin[2], 2.4, 1e-10);
    driven_free(&x);
}

/* In the plane: J angle'' = torque + p x f. */
static void loads_in_the_plane(void **state)
{
    (void)state;
    driven x =
        drive("[bodies.b]\nmass = 2\ninertia = 0.5\nposition = [0, 0]\nangle = 0.3\n"
              "[loads.l]\nbody = \"b\"\npoint = [0.4, 0.2]\nforce = [3, -1]\nframe = "
              "\"body\"\ntorque = \"0.25\"\n",
              "lobatto", 0.005);
    const double alpha = (0.25 + 0.4 * -1 - 0.2 * 3) / 0.5;
    step_times(x.sim, 200);
    assert_close(lv_sim_position(x.sim)[2], 0.3 + alpha / 2, 1e-12);
    assert_close(lv_sim_velocity(x.sim)[2], alpha, 1e-12);
    /* v = integral of R(angle) f / m, by Simpson's rule */
    double v[2] = {0, 0};
    enum { N = 1000 };
    for (int k = 0; k <= N; k++) {
        const double t = (double)k / N, angle = 0.3 + alpha * t * t / 2;
        const double weight = (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) / (3.0 * N);
        v[0] += weight * (3 * cos(angle) + sin(angle)) / 2;
        v[1] += weight * (3 * sin(angle) - cos(angle)) / 2;
    }
    assert_close(distance(lv_sim_velocity(x.sim), v, 2), 0, 1e-8);
    driven_free(&x);
}

/* A load on a particle is a force; on members of families each has its own. */
static void loads_on_particles_and_families(void **state)
{
    (void)state;
    driven x =
        drive("[particles.p]\nmass = 2\nposition = [0, 0]\n[bodies.b]\ncount = 3\n"
              "mass = \"i\"\ninertia = 1\nposition = [\"i\", 0]\n[loads.one]\nbody "
              "= \"p\"\nforce = [4, 6]\n[loads.all]\nfor = \"i = 1..3\"\nbody = "
              "\"b_i\"\nforce = [0, \"i^2\"]\n[loads.second]\nbody = \"b_2\"\ntorque "
              "= 3\n",
              "lobatto", 0.01);
    const lv_state *s = &x.sim->state;
    double a[11];
    const double expected[11] = {2, 3, 0, 1, 0, 2, 0, 3, 0, 3, 0};
    assert_int_equal(lv_model_coordinate_count(x.model), 11);
    assert_int_equal(
        lv_system_accelerations(x.sim->system, a, NULL, s->t, s->q, s->v, NULL), LV_OK);
    assert_close(distance(a, expected, 11), 0, 1e-14);
    driven_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_force_at_a_point_turns_and_pushes),
        RUN(loads_accelerate_as_newton_and_euler_say),
        RUN(a_constant_torque_in_space_winds_up_a_ball),
        RUN(loads_in_the_plane),
        RUN(loads_on_particles_and_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
