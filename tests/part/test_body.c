/* Rigid bodies against an integration of Newton and Euler's equations that knows nothing of axes as
 * coordinates: the state at the end, and how errors shrink with the step. */
#include "../claims/moving.h"
#include "newton_euler.h"

#define VEC "[%.17g, %.17g, %.17g]"
#define OF(v) (v).x[0], (v).x[1], (v).x[2]

static const double gravity = -9.81;

/* A body that turns about a point of it, s being -pivot. */
typedef struct top {
    double mass, J[6];
    vec s;
    vec rotation, omega;
} top;

static const top heavy_top = {
    15, {0.30, 0.46875, 0.25, 0, 0, 0}, {{0, 1, 0}}, {{0, 0, 0}}, {{0, 30, -4.61538}}};
static const top crooked_top = {2,
                                {0.5, 0.7, 0.6, 0.1, -0.08, 0.05},
                                {{0.2, -0.3, 0.4}},
                                {{0.4, -1.1, 0.6}},
                                {{3, -2, 5}}};

/* Jxy Jxz Jyz are the entries 3, 4, 5, which about_point finds at 2 + row + column. */
static spinning_body equations_of(const top *t, bool turns_about_point)
{
    double J[6];
    memcpy(J, t->J, sizeof J);
    return about_point(J, t->mass, turns_about_point ? t->s : vec_of(0, 0, 0),
                       vec_of(0, 0, gravity));
}

static spinning start_of(const top *t)
{
    const frame f = frame_of(vec_of(0, 0, 0), t->rotation);
    spinning y = {.w = {t->omega.x[0], t->omega.x[1], t->omega.x[2]}};
    frame_quaternion(&f, y.q);
    return y;
}

typedef enum hold { PIVOT, JOINT, FREE } hold;

static lv_model *model_of(const top *t, hold how)
{
    char text[2000];
    const frame f = frame_of(vec_of(0, 0, 0), t->rotation);
    const vec at = to_space(&f, t->s), v = to_space(&f, cross(t->omega, t->s));
    snprintf(text, sizeof text,
             "[gravity]\nacceleration = [0, 0, %.17g]\n[bodies.top]\nmass = %.17g\n"
             "inertia = [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g]\nposition = " VEC
             "\nrotation = " VEC "\nangular_velocity = " VEC "\n",
             gravity, t->mass, t->J[0], t->J[1], t->J[2], t->J[3], t->J[4], t->J[5],
             OF(at), OF(t->rotation), OF(t->omega));
    char *rest = text + strlen(text);
    const size_t room = sizeof text - strlen(text);
    if (how == PIVOT)
        snprintf(rest, room, "pivot = " VEC "\n", OF(times(-1, t->s)));
    else
        snprintf(rest, room, "velocity = " VEC "\n%s", OF(v),
                 how == JOINT ? "[joints.tip]\ntype = \"spherical\"\nbetween = "
                                "[\"ground\", \"top\"]\nat = [0, 0, 0]\n"
                              : "");
    return read_text(text);
}

/* Where the axes are among the coordinates. */
static int axes_at(hold how)
{
    return how == PIVOT ? 0 : 3;
}

static frame axes_of(const lv_sim *sim, hold how)
{
    const double *q = lv_sim_position(sim) + axes_at(how);
    frame f = {{{0}}, {{{0}}}};
    memcpy(f.e, q, 9 * sizeof *q);
    return f;
}

/* w_k = e_(k+2) . e_(k+1)', antisymmetric. */
static vec omega_of(const lv_sim *sim, hold how)
{
    const frame f = axes_of(sim, how);
    const double *v = lv_sim_velocity(sim) + axes_at(how);
    vec w;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        w.x[k] = dot(f.e[j], vec_of(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
    }
    return w;
}

static double difference(const lv_sim *sim, hold how, const spinning *y)
{
    const frame f = axes_of(sim, how), g = spinning_frame(y);
    const vec w = omega_of(sim, how);
    double most = 0;
    for (int k = 0; k < 9; k++)
        most = worst_of(most, fabs(f.e[k / 3].x[k % 3] - g.e[k / 3].x[k % 3]));
    for (int k = 0; k < 3; k++)
        most = worst_of(most, fabs(w.x[k] - (double)y->w[k]) / 10);
    return most;
}

static double error_of(const top *t, hold how, const method *m, double step, double until,
                       const spinning *end)
{
    lv_model *model = model_of(t, how);
    lv_sim *sim = start(model, m, step);
    step_times(sim, lround(until / step));
    const double error = difference(sim, how, end);
    lv_sim_free(sim);
    lv_model_free(model);
    return error;
}

static const struct {
    method m;
    int order;
} methods[] = {{{"rattle", 0, 0}, 2},
               {{"lobatto", 3, 0}, 4},
               {{"em", 0, 0}, 2},
               {{"livens", 0, 0}, 2}};

static void check_orders(const top *t, hold how, double step, double until)
{
    spinning_body equations = equations_of(t, how != FREE);
    const spinning end = spinning_until(&equations, start_of(t), until, 20000);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const double coarse = error_of(t, how, &methods[k].m, step, until, &end),
                     fine = error_of(t, how, &methods[k].m, step / 2, until, &end);
        print_message("    %-8s %.2e %.2e order %.2f\n", methods[k].m.scheme, coarse,
                      fine, log2(coarse / fine));
        assert_below(fine, methods[k].order == 4 ? 1e-5 : 1e-2);
        assert_close(log2(coarse / fine), methods[k].order, 0.1);
    }
}

static void the_heavy_top_follows_euler(void **state)
{
    (void)state;
    check_orders(&heavy_top, PIVOT, 1e-3, 0.4);
    check_orders(&heavy_top, JOINT, 1e-3, 0.4);
}

static void products_of_inertia_follow_euler(void **state)
{
    (void)state;
    check_orders(&crooked_top, PIVOT, 4e-3, 0.8);
    check_orders(&crooked_top, JOINT, 4e-3, 0.8);
    check_orders(&crooked_top, FREE, 4e-3, 0.8);
}

/* A pivot and a spherical joint are the same constraint, linear in the coordinates. */
static void a_pivot_is_a_spherical_joint(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_model *one = model_of(&crooked_top, PIVOT),
                 *other = model_of(&crooked_top, JOINT);
        lv_sim *a = start(one, &methods[k].m, 0.01),
               *b = start(other, &methods[k].m, 0.01);
        assert_int_equal(lv_model_coordinate_count(one) + 3,
                         lv_model_coordinate_count(other));
        assert_close(lv_sim_energies(a).total, lv_sim_energies(b).total, 1e-14);
        step_times(a, 100);
        step_times(b, 100);
        print_message("    %-8s %.1e\n", methods[k].m.scheme,
                      distance(lv_sim_position(a), lv_sim_position(b) + 3, 9));
        assert_close(distance(lv_sim_position(a), lv_sim_position(b) + 3, 9), 0, 1e-10);
        assert_close(distance(lv_sim_velocity(a), lv_sim_velocity(b) + 3, 9), 0, 1e-9);
        lv_sim_free(a);
        lv_sim_free(b);
        lv_model_free(one);
        lv_model_free(other);
    }
}

/* The centre of mass of a free body falls: exactly, with every scheme of order 2 and more. */
static void a_free_body_falls_as_a_stone(void **state)
{
    (void)state;
    lv_model *model = model_of(&crooked_top, FREE);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_sim *sim = start(model, &methods[k].m, 0.01);
        step_times(sim, 100);
        for (int i = 0; i < 3; i++)
            assert_close(lv_sim_position(sim)[i],
                         lv_model_start_position(model)[i] +
                             lv_model_start_velocity(model)[i] +
                             (i == 2 ? gravity / 2 : 0),
                         1e-12);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- how a start may be written --------------------------------------------------------------------- */

#define FREE_BODY                                                                        \
    "[bodies.b]\nmass = 2\ninertia = [0.5, 0.7, 0.6]\nposition = [1, 2, 3]\nvelocity = " \
    "[4, 5, 6]\n"

static void check_start(const char *more, const frame *f, vec spin)
{
    char text[1000];
    double q[12];
    snprintf(text, sizeof text, FREE_BODY "%s", more);
    lv_model *model = read_text(text);
    frame_write(f, q);
    for (int k = 0; k < 12; k++)
        assert_close(lv_model_start_position(model)[k], q[k], 2e-15);
    for (int k = 0; k < 3; k++) {
        const vec rate = cross(spin, f->e[k]);
        assert_close(lv_model_start_velocity(model)[k], 4 + k, 0);
        for (int i = 0; i < 3; i++)
            assert_close(lv_model_start_velocity(model)[3 + 3 * k + i], rate.x[i], 1e-14);
    }
    lv_model_free(model);
}

static void orientations_may_be_written_in_several_ways(void **state)
{
    (void)state;
    const vec at = vec_of(1, 2, 3), none = vec_of(0, 0, 0), r = vec_of(0.3, -0.4, 1.2),
              w = vec_of(0.7, -0.2, 0.5);
    const frame still = frame_of(at, none), turned_once = frame_of(at, r);
    check_start("", &still, none);
    check_start("rotation = [0, 0, 0]\n", &still, none);
    check_start("rotation = [0.3, -0.4, 1.2]\n", &turned_once, none);
    check_start("rotation = [0.3, -0.4, 1.2]\nspin = [0.7, -0.2, 0.5]\n", &turned_once,
                w);
    check_start("rotation = [0.3, -0.4, 1.2]\nangular_velocity = [0.7, -0.2, 0.5]\n",
                &turned_once, to_space(&turned_once, w));
    /* First about e3, then about the new e1: R = exp(a e3) exp(b e1). */
    frame twice = {.at = at};
    for (int k = 0; k < 3; k++) {
        vec e = none;
        e.x[k] = 1;
        twice.e[k] = turned(vec_of(0, 0, 0.5), turned(vec_of(0.9, 0, 0), e));
    }
    check_start("rotation = [[0, 0, \"0.5\"], [0.9, 0, 0]]\n", &twice, none);
    /* Of any length: w = 2, (x, y, z) = (0, 0, 2) is a quarter turn about z. */
    const frame quarter = frame_of(at, vec_of(0, 0, acos(-1) / 2));
    check_start("quaternion = [2, 0, 0, 2]\n", &quarter, none);
    const double angle = length_of(r);
    const vec n = times(-3 * sin(angle / 2) / angle, r);
    char text[200];
    snprintf(text, sizeof text, "quaternion = [%.17g, %.17g, %.17g, %.17g]\n",
             -3 * cos(angle / 2), n.x[0], n.x[1], n.x[2]);
    check_start(text, &turned_once, none);
}

/* T = m/2 |v|^2 + w . J w / 2, Jxz being -(integral of x z). */
static void the_kinetic_energy_is_that_of_the_inertia(void **state)
{
    (void)state;
    const top *t = &crooked_top;
    lv_model *model = model_of(t, FREE);
    inspected i = inspect_model(model);
    const vec v = cross(t->omega, t->s), w = t->omega;
    const double rotation = t->J[0] * w.x[0] * w.x[0] + t->J[1] * w.x[1] * w.x[1] +
                            t->J[2] * w.x[2] * w.x[2] + 2 * t->J[3] * w.x[0] * w.x[1] +
                            2 * t->J[4] * w.x[0] * w.x[2] + 2 * t->J[5] * w.x[1] * w.x[2];
    assert_close(i.at->kinetic, t->mass / 2 * dot(v, v) + rotation / 2, 1e-14);
    inspected_free(&i);
}

/* Members of a family move as each does alone. */
static void members_of_families_are_bodies_of_their_own(void **state)
{
    (void)state;
    const method rattle = {"rattle", 0, 0};
    lv_model *family = read_text(
        "[parameters]\nN = 3\n[bodies.b]\ncount = \"N\"\nmass = \"i\"\ninertia = "
        "[\"0.3 + 0.1*i\", 0.5, 0.6]\nposition = [\"i\", 0, 0]\nrotation = "
        "[0, 0, \"0.2*i\"]\nangular_velocity = [\"i\", 2, \"-i\"]\n");
    lv_sim *all = start(family, &rattle, 0.01);
    step_times(all, 50);
    for (int i = 1; i <= 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "[bodies.b]\nmass = %d\ninertia = [%.17g, 0.5, 0.6]\nposition = [%d, 0, "
                 "0]\nrotation = [0, 0, %.17g]\nangular_velocity = [%d, 2, %d]\n",
                 i, 0.3 + 0.1 * i, i, 0.2 * i, i, -i);
        lv_model *model = read_text(text);
        lv_sim *sim = start(model, &rattle, 0.01);
        step_times(sim, 50);
        for (int k = 0; k < 12; k++) {
            /* Families are stored group by group: b_1 .. b_3, then b_1.e1 .. */
            const int at = k / 3 * 9 + (i - 1) * 3 + k % 3;
            assert_close(lv_sim_position(all)[at], lv_sim_position(sim)[k], 1e-13);
            assert_close(lv_sim_velocity(all)[at], lv_sim_velocity(sim)[k], 1e-12);
        }
        lv_sim_free(sim);
        lv_model_free(model);
    }
    lv_sim_free(all);
    lv_model_free(family);
}

/* ---- in the plane ------------------------------------------------------------------------------------ */

/* A compound pendulum is a simple one of the length (J + m s^2)/(m s): x'' of its angle by Kutta. */
static double compound(double angle, double rate, double ratio, double until)
{
    enum { STEPS = 20000 };
    const double h = until / STEPS;
    for (int n = 0; n < STEPS; n++) {
        const double k1 = -ratio * sin(angle), a2 = angle + h / 2 * rate,
                     v2 = rate + h / 2 * k1, k2 = -ratio * sin(a2),
                     a3 = angle + h / 2 * v2, v3 = rate + h / 2 * k2,
                     k3 = -ratio * sin(a3), a4 = angle + h * v3, v4 = rate + h * k3,
                     k4 = -ratio * sin(a4);
        angle += h / 6 * (rate + 2 * v2 + 2 * v3 + v4);
        rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return angle;
}

static void planar_bodies_are_compound_pendulums(void **state)
{
    (void)state;
    static const char *const holds[] = {"pivot = [0.5, 0]\n",
                                        "[joints.pin]\ntype = \"revolute\"\nbetween = "
                                        "[\"ground\", \"rod\"]\nat = [0, 0]\n"};
    /* angle measured from hanging down; the pivot is 0.5 along e1, so e1 points to it */
    const double end = compound(0.8, 1.5, 3 * 9.81 * 0.5 / (0.2 + 3 * 0.25), 1);
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "[gravity]\nacceleration = [0, -9.81]\n[bodies.rod]\nmass = 3\ninertia = "
            "0.2\nposition = [\"0.5*sin(0.8)\", \"-0.5*cos(0.8)\"]\nangle = \"pi/2 + "
            "0.8\"\nvelocity = [\"0.75*cos(0.8)\", \"0.75*sin(0.8)\"]\n"
            "angular_velocity = 1.5\n%s",
            holds[k]);
        lv_model *model = read_text(text);
        lv_sim *sim = start(model, &(method){"lobatto", 3, 0}, 0.005);
        step_times(sim, 200);
        const double angle = lv_sim_position(sim)[k == 0 ? 0 : 2];
        assert_close(angle - acos(-1) / 2, end, 1e-7);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_heavy_top_follows_euler),
        RUN(products_of_inertia_follow_euler),
        RUN(a_pivot_is_a_spherical_joint),
        RUN(a_free_body_falls_as_a_stone),
        RUN(orientations_may_be_written_in_several_ways),
        RUN(the_kinetic_energy_is_that_of_the_inertia),
        RUN(members_of_families_are_bodies_of_their_own),
        RUN(planar_bodies_are_compound_pendulums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
