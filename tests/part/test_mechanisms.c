/* Mechanisms from bodies and joints, against published and independent numbers: the simple pendulum, N four-bar
 * linkages that pass a singular configuration, Andrews' squeezing mechanism, Bennett's linkage. */
#include "frames.h"
#include "outputs.h"

static double off(const double *found, const double *expected, int n)
{
    return distance(found, expected, n);
}

/* ---- the simple pendulum, as a compound one ------------------------------------------------------- */

/* A body of mass 1 with J = s - s^2 swings about a point s away as a point at the distance 1 does. */
static const char *const pendulums[] = {
    "[gravity]\nacceleration = [0, -9.81]\n[bodies.b]\nmass = 1\ninertia = "
    "0.25\nposition "
    "= [-0.5, 0]\n[joints.pin]\ntype = \"revolute\"\nbetween = [\"ground\", "
    "\"b\"]\nat = [0, 0]\n[outputs]\ntip = \"point(b, [-0.5, 0])\"\n",
    "[gravity]\nacceleration = [0, -9.81, 0]\n[bodies.b]\nmass = 1\ninertia = [0.3, 0.4, "
    "0.25]\nposition = [-0.5, 0, 0]\n[joints.pin]\ntype = \"revolute\"\nbetween = "
    "[\"b\", \"ground\"]\nat = [0, 0, 0]\naxis = [0, 0, 2]\n[outputs]\ntip = "
    "\"point(b, [-0.5, 0, 0])\"\n"};

static void a_compound_pendulum_is_a_simple_one(void **state)
{
    (void)state;
    const double end[] = {-0.27508746257611686, -0.96141920509912506};
    for (int k = 0; k < 2; k++) {
        driven x = drive(pendulums[k], "lobatto", 0.005);
        assert_below(off(outputs_at(&x, 10, 0.005), end, 2), 2e-7);
        driven_free(&x);
        driven y = drive(pendulums[k], "em", 0.0025);
        assert_below(off(outputs_at(&y, 10, 0.0025), end, 2), 5e-4);
        driven_free(&y);
    }
}

/* ---- N four-bar linkages ---------------------------------------------------------------------------- */

#define PINS(AXIS)                                                                       \
    "[joints.foot]\nfor = \"i = 1..N+1\"\ntype = \"revolute\"\nbetween = [\"ground\", "  \
    "\"rod_i\"]\npoint_b = [-0.5, 0" AXIS                                                \
    "[joints.left]\nfor = \"i = 1..N\"\ntype = \"revolute\"\nbetween = [\"rod_i\", "     \
    "\"bar_i\"]\npoint_a = [0.5, 0" AXIS                                                 \
    "[joints.right]\nfor = \"i = 1..N\"\ntype = \"revolute\"\nbetween = "                \
    "[\"rod_{i+1}\", \"bar_i\"]\npoint_b = [0.5, 0" AXIS

static const char *const four_bars[] = {
    "[parameters]\nN = 2\n[gravity]\nacceleration = [0, -9.81]\n"
    "[bodies.rod]\ncount = \"N+1\"\nmass = 1\ninertia = \"1/12\"\nposition = [\"i-1\", "
    "0.5]\nangle = \"pi/2\"\nvelocity = [0.5, 0]\nangular_velocity = -1\n"
    "[bodies.bar]\ncount = \"N\"\nmass = 1\ninertia = \"1/12\"\nposition = [\"i-0.5\", "
    "1]\nvelocity = [1, 0]\n" PINS("]\n") "[outputs]\ntip = \"point(rod_1, [0.5, "
                                          "0])\"\nspeed = \"point(rod_1, [0.5, 0])'\"\n",
    "[parameters]\nN = 2\n[gravity]\nacceleration = [0, -9.81, 0]\n"
    "[bodies.rod]\ncount = \"N+1\"\nmass = 1\ninertia = [0.01, \"1/12\", "
    "\"1/12\"]\nposition = [\"i-1\", 0.5, 0]\nrotation = [0, 0, \"pi/2\"]\nvelocity = "
    "[0.5, 0, 0]\nspin = [0, 0, -1]\n"
    "[bodies.bar]\ncount = \"N\"\nmass = 1\ninertia = [0.01, \"1/12\", "
    "\"1/12\"]\nposition = [\"i-0.5\", 1, 0]\nvelocity = [1, 0, 0]\n" PINS(
        ", 0]\naxis = [0, 0, 1]\n") "[outputs]\ntip = \"[point(rod_1, [0.5, 0, 0])[1], "
                                    "point(rod_1, [0.5, 0, 0])[2]]\"\nspeed = "
                                    "\"[(point(rod_1, [0.5, 0, 0])')[1], (point(rod_1, "
                                    "[0.5, 0, 0])')[2]]\"\n"};

static const double after_1[] = {-0.19502030194943509, -0.98079920566217383};
static const double after_10[] = {0.32845811154081538, 0.94451853817860096,
                                  1.4230514702069441, -0.49486884548704296};

/* Through the configuration in which all rods lie on one line, several times. */
static void four_bars_pass_singular_configurations(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double step = 0.01;
        driven x = drive(four_bars[k], "lobatto", step);
        assert_below(off(outputs_at(&x, 1, step), after_1, 2), 1e-6);
        assert_below(off(outputs_at(&x, 10, step), after_10, 4), 1e-6);
        driven_free(&x);
    }
}

static void redundant_joints_are_counted(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        inspected i = inspect_text(four_bars[k]);
        assert_int_equal(i.at->freedom, 1);
        assert_int_equal(i.at->holonomic, k == 0 ? 14 : 65);
        inspected_free(&i);
    }
}

/* With a step for schemes of order 2 and the error of that order. */
static void four_bars_run_with_every_scheme(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        method list[MOST_METHODS];
        lv_model *model = read_text(four_bars[k]);
        const int count = fitting_methods(model, list);
        assert_in_range(count, 12, MOST_METHODS);
        lv_model_free(model);
        for (int i = 0; i < count; i++) {
            driven x = drive(four_bars[k], list[i].scheme, 0.002);
            const double error = off(outputs_at(&x, 1, 0.002), after_1, 2);
            print_message("    %-8s %.1e\n", list[i].scheme, error);
            assert_below(error, 5e-4);
            driven_free(&x);
        }
    }
}

/* ---- Andrews' squeezing mechanism --------------------------------------------------------------------- */

static const char andrews[] =
    "[parameters]\n"
    "m1 = 0.04325\n"
    "m2 = 0.00365\n"
    "m3 = 0.02373\n"
    "m4 = 0.00706\n"
    "m5 = 0.07050\n"
    "m6 = 0.00706\n"
    "m7 = 0.05498\n"
    "I1 = 2.194e-6\n"
    "I2 = 4.410e-7\n"
    "I3 = 5.255e-6\n"
    "I4 = 5.667e-7\n"
    "I5 = 1.169e-5\n"
    "I6 = 5.667e-7\n"
    "I7 = 1.912e-5\n"
    "A = [-0.06934, -0.00227]\n"
    "B = [-0.03635, 0.03273]\n"
    "C = [0.014, 0.072]\n"
    "rr = 7e-3\n"
    "ra = 92e-5\n"
    "d  = 28e-3\n"
    "da = 115e-4\n"
    "ss = 35e-3\n"
    "sa = 1874e-5\n"
    "sb = 1043e-5\n"
    "sc = 18e-3\n"
    "sd = 2e-2\n"
    "ee = 2e-2\n"
    "ea = 1421e-5\n"
    "zt = 4e-2\n"
    "ta = 2308e-5\n"
    "tb = 916e-5\n"
    "zf = 2e-2\n"
    "fa = 1421e-5\n"
    "u  = 4e-2\n"
    "ua = 1228e-5\n"
    "ub = 449e-5\n"
    "c0 = 4530.0\n"
    "l0 = 7785e-5\n"
    "mom = 33e-3\n"
    "beta0 = -0.0617138900142764496\n"
    "theta0 = 0.0\n"
    "gamma0 = 0.45527981916307037\n"
    "phi0 = 0.22266839016588588\n"
    "delta0 = 0.48736497954384256\n"
    "omega0 = -0.22266839016588588\n"
    "epsilon0 = 1.2305474445498212\n"
    "[bodies.K1]\n"
    "mass = \"m1\"\n"
    "inertia = \"I1\"\n"
    "position = [\"ra*cos(beta0)\", \"ra*sin(beta0)\"]\n"
    "angle = \"beta0\"\n"
    "[bodies.K2]\n"
    "mass = \"m2\"\n"
    "inertia = \"I2\"\n"
    "position = [\"rr*cos(beta0) - da*cos(beta0 + theta0)\", \"rr*sin(beta0) - "
    "da*sin(beta0 + theta0)\"]\n"
    "angle = \"beta0 + theta0\"\n"
    "[bodies.K3]\n"
    "mass = \"m3\"\n"
    "inertia = \"I3\"\n"
    "position = [\"B[1] + sa*sin(gamma0) + sb*cos(gamma0)\", \"B[2] - sa*cos(gamma0) + "
    "sb*sin(gamma0)\"]\n"
    "angle = \"gamma0\"\n"
    "[bodies.K4]\n"
    "mass = \"m4\"\n"
    "inertia = \"I4\"\n"
    "position = [\"A[1] + zt*cos(delta0) + (ee - ea)*sin(phi0 + delta0)\", \"A[2] + "
    "zt*sin(delta0) - (ee - ea)*cos(phi0 + delta0)\"]\n"
    "angle = \"phi0 + delta0\"\n"
    "[bodies.K5]\n"
    "mass = \"m5\"\n"
    "inertia = \"I5\"\n"
    "position = [\"A[1] + ta*cos(delta0) - tb*sin(delta0)\", \"A[2] + ta*sin(delta0) + "
    "tb*cos(delta0)\"]\n"
    "angle = \"delta0\"\n"
    "[bodies.K6]\n"
    "mass = \"m6\"\n"
    "inertia = \"I6\"\n"
    "position = [\"A[1] + u*sin(epsilon0) + (zf - fa)*cos(omega0 + epsilon0)\", \"A[2] - "
    "u*cos(epsilon0) + (zf - fa)*sin(omega0 + epsilon0)\"]\n"
    "angle = \"omega0 + epsilon0\"\n"
    "[bodies.K7]\n"
    "mass = \"m7\"\n"
    "inertia = \"I7\"\n"
    "position = [\"A[1] + ua*sin(epsilon0) - ub*cos(epsilon0)\", \"A[2] - "
    "ua*cos(epsilon0) - ub*sin(epsilon0)\"]\n"
    "angle = \"epsilon0\"\n"
    "[joints.O]\n"
    "type = \"revolute\"\n"
    "between = [\"ground\", \"K1\"]\n"
    "point_b = [\"-ra\", 0]\n"
    "point_a = [0, 0]\n"
    "[joints.B3]\n"
    "type = \"revolute\"\n"
    "between = [\"ground\", \"K3\"]\n"
    "point_a = \"B\"\n"
    "point_b = [\"-sb\", \"sa\"]\n"
    "[joints.A5]\n"
    "type = \"revolute\"\n"
    "between = [\"ground\", \"K5\"]\n"
    "point_a = \"A\"\n"
    "point_b = [\"-ta\", \"-tb\"]\n"
    "[joints.A7]\n"
    "type = \"revolute\"\n"
    "between = [\"ground\", \"K7\"]\n"
    "point_a = \"A\"\n"
    "point_b = [\"ub\", \"ua\"]\n"
    "[joints.crank]\n"
    "type = \"revolute\"\n"
    "between = [\"K1\", \"K2\"]\n"
    "point_a = [\"rr - ra\", 0]\n"
    "point_b = [\"da\", 0]\n"
    "[joints.elbow5]\n"
    "type = \"revolute\"\n"
    "between = [\"K5\", \"K4\"]\n"
    "point_a = [\"zt - ta\", \"-tb\"]\n"
    "point_b = [0, \"ee - ea\"]\n"
    "[joints.elbow7]\n"
    "type = \"revolute\"\n"
    "between = [\"K7\", \"K6\"]\n"
    "point_a = [\"ub\", \"ua - u\"]\n"
    "point_b = [\"fa - zf\", 0]\n"
    "[joints.P3]\n"
    "type = \"revolute\"\n"
    "between = [\"K2\", \"K3\"]\n"
    "point_a = [\"da - d\", 0]\n"
    "point_b = [\"-sb\", \"sa - ss\"]\n"
    "[joints.P4]\n"
    "type = \"revolute\"\n"
    "between = [\"K2\", \"K4\"]\n"
    "point_a = [\"da - d\", 0]\n"
    "point_b = [0, \"-ea\"]\n"
    "[joints.P6]\n"
    "type = \"revolute\"\n"
    "between = [\"K2\", \"K6\"]\n"
    "point_a = [\"da - d\", 0]\n"
    "point_b = [\"fa\", 0]\n"
    "[springs.pull]\n"
    "between = [\"point(K3, [sd - sb, sa - sc])\", \"C\"]\n"
    "stiffness = \"c0\"\n"
    "length = \"l0\"\n"
    "[motors.drive]\n"
    "joint = \"O\"\n"
    "torque = \"mom\"\n"
    "[outputs]\n"
    "beta = \"K1.angle\"\n"
    "theta = \"K2.angle - K1.angle\"\n"
    "gamma = \"K3.angle\"\n"
    "phi = \"K4.angle - K5.angle\"\n"
    "delta = \"K5.angle\"\n"
    "omega = \"K6.angle - K7.angle\"\n"
    "epsilon = \"K7.angle\"\n"
    "rates = [\"K1.omega\", \"K2.omega - K1.omega\", \"K3.omega\", \"K4.omega - "
    "K5.omega\", \"K5.omega\", \"K6.omega - K7.omega\", \"K7.omega\"]\n";

static const double andrews_end[] = {
    15.810771195153707,  -15.756371058411839, 0.040822240119645805, -0.53473011634207959,
    0.52440996587995407, 0.53473011634207959, 1.0480807410419379,   1139.9203022591061,
    -1424.3792951775401, 11.032911910618594,  19.293374105032041,   0.57356991482950245,
    -19.293374105032041, 0.32317914924913087};

/* Forces with which K2 acts on K3, K4, K6, the multipliers of the three loops. */
static const double andrews_forces[] = {199.1753481045386, -29.75530997497176,
                                        23.06654361162215, 31.45272527577114,
                                        22.64249478639438, 11.61739235261126};

static void andrews_mechanism_comes_out_of_bodies_and_joints(void **state)
{
    (void)state;
    double lambda[20], errors[2];
    for (int fine = 0; fine < 2; fine++) {
        const double step = fine ? 1e-4 : 2e-4;
        driven x = drive(andrews, "lobatto", step);
        const double *y = outputs_at(&x, 0.03, step);
        errors[fine] = off(y, andrews_end, 7);
        assert_below(off(y + 7, andrews_end + 7, 7), fine ? 1e-3 : 2e-2);
        assert_int_equal(lv_sim_constraint_count(x.sim), 20);
        assert_int_equal(lv_sim_multipliers(x.sim, lambda, NULL), LV_OK);
        for (int k = 0; k < 6; k++)
            assert_close(-lambda[14 + k], andrews_forces[k], fine ? 1e-5 : 2e-4);
        driven_free(&x);
    }
    assert_below(errors[1], 3e-6);
    assert_close(log2(errors[0] / errors[1]), 4, 0.2);
}

/* ---- Bennett's linkage ---------------------------------------------------------------------------------- */

/* Four bars of lengths 1, b, 1, b and twists A, B with sin A = sin B / b: the only four hinges without parallel
 * or common axes that move. Joint k is at the origin of a frame, about its third axis. */
typedef struct bennett {
    vec at[4], axis[4];
    double ratio; /* tan(t1/2) tan(t2/2), the same in all configurations */
    double t1, t2;
} bennett;

static vec moved(const frame *f, vec s)
{
    return point_of(f, s);
}

/* f, turned about its third axis, shifted along its first one and turned about that. */
static frame next_frame(const frame *f, double turn, double shift, double twist)
{
    const frame once = frame_of(vec_of(0, 0, 0), vec_of(0, 0, turn));
    frame g = {.at = moved(f, to_space(&once, vec_of(shift, 0, 0)))};
    const frame tilted = frame_of(vec_of(0, 0, 0), vec_of(twist, 0, 0));
    for (int k = 0; k < 3; k++)
        g.e[k] = to_space(f, to_space(&once, tilted.e[k]));
    return g;
}

static bennett bennett_of(double t1)
{
    const double b = 0.7, A = 0.9, B = asin(b * sin(A));
    bennett x = {.ratio = sin((B + A) / 2) / sin((B - A) / 2), .t1 = t1};
    x.t2 = 2 * atan(x.ratio / tan(t1 / 2));
    frame f = frame_of(vec_of(0, 0, 0), vec_of(0, 0, 0));
    const double turns[] = {x.t1, x.t2, -x.t1, -x.t2};
    for (int k = 0; k < 4; k++) {
        x.at[k] = f.at;
        x.axis[k] = f.e[2];
        f = next_frame(&f, turns[k], k % 2 ? b : 1, k % 2 ? B : A);
    }
    assert_below(length_of(f.at), 1e-14); /* it closes */
    return x;
}

static void bennett_text(const bennett *x, char *text, size_t size)
{
    static const char *const links[] = {"ground", "l1", "l2", "l3"};
    snprintf(text, size, "[gravity]\nacceleration = [0.5, 3, -9.81]\n");
    for (int k = 1; k < 4; k++) {
        const vec c = times(0.5, plus(x->at[k], 1, x->at[(k + 1) % 4]));
        snprintf(text + strlen(text), size - strlen(text),
                 "[bodies.l%d]\nmass = %d\ninertia = [0.02, 0.03, 0.04]\nposition = "
                 "[%.17g, %.17g, %.17g]\nrotation = [0.1, %d, 0]\n",
                 k, k, c.x[0], c.x[1], c.x[2], k);
    }
    for (int k = 0; k < 4; k++) {
        const vec p = x->at[k], u = x->axis[k];
        snprintf(text + strlen(text), size - strlen(text),
                 "[joints.j%d]\ntype = \"revolute\"\nbetween = [\"%s\", \"%s\"]\nat = "
                 "[%.17g, %.17g, %.17g]\naxis = [%.17g, %.17g, %.17g]\n",
                 k, links[(k + 3) % 4], links[k], p.x[0], p.x[1], p.x[2], u.x[0], u.x[1],
                 u.x[2]);
    }
    snprintf(text + strlen(text), size - strlen(text),
             "[outputs]\nt1 = \"j0.angle\"\nt2 = \"j1.angle\"\nt3 = \"j2.angle\"\nt4 = "
             "\"j3.angle\"\n");
}

/* The angles obey the closed form of the linkage, which no constraint mentions; those of opposite joints are
 * opposite. The linkage falls by some tenths of a radian. */
static void check_bennett(const bennett *b, const char *text, const char *scheme,
                          double step, double energy_bound)
{
    driven x = drive(text, scheme, step);
    const double energy = lv_sim_energies(x.sim).total;
    double most = 0;
    for (int k = 1; k <= 20; k++) {
        const double *t = outputs_at(&x, 0.1 * k, step);
        assert_close(t[2], -t[0], 1e-11);
        assert_close(t[3], -t[1], 1e-11);
        assert_close(tan((b->t1 + t[0]) / 2) * tan((b->t2 + t[1]) / 2), b->ratio, 1e-10);
        assert_close(lv_sim_energies(x.sim).total, energy, energy_bound);
        most = fmax(most, fabs(t[0]));
    }
    assert_above(most, 0.3);
    driven_free(&x);
}

static void bennetts_linkage_moves(void **state)
{
    (void)state;
    char text[4000];
    const bennett b = bennett_of(1.1);
    bennett_text(&b, text, sizeof text);
    inspected i = inspect_text(text);
    assert_int_equal(i.at->freedom, 1);
    assert_int_equal(i.at->holonomic, 38);
    inspected_free(&i);
    check_bennett(&b, text, "lobatto", 0.005, 1e-6);
    check_bennett(&b, text, "dpg", 0.005, 1e-6);
    check_bennett(&b, text, "rattle", 0.002, 1e-3);
    check_bennett(&b, text, "verlet", 0.002, 1e-3);
    check_bennett(&b, text, "em", 0.005, 1e-12);
    check_bennett(&b, text, "em-g", 0.005, 1e-12);
    check_bennett(&b, text, "livens", 0.005, 1e-12);
    check_bennett(&b, text, "vi-b2", 0.002, 1e-3);
    check_bennett(&b, text, "lobatto", 0.01, 1e-4);
    check_bennett(&b, text, "ansatz", 0.01, 1e-4);
    check_bennett(&b, text, "vi-s", 0.002, 0.1);
}

/* How far the energy strays in 0.9 s. On the way the linkage is nearly flat, and any choice of constraints that
 * are left out becomes a bad one somewhere. Its closed form holds at every node that
 * is on the constraints. */
static double strayed_energy(const lv_model *model, const method *m, double step)
{
    const bool between = strcmp(m->scheme, "vi-a") == 0;
    driven x = {.sim = start(model, m, step)};
    assert_int_equal(lv_plan_create(&x.outputs, model, LV_WANT(OUTPUT), NULL), LV_OK);
    const double energy = lv_sim_energies(x.sim).total;
    double most = 0;
    for (int k = 1; k <= 18; k++) {
        const double *ratio = outputs_at(&x, 0.05 * k, step);
        if (!between)
            assert_close(ratio[0], 1.34524361616, 1e-8);
        most = fmax(most, fabs(lv_sim_energies(x.sim).total - energy));
    }
    driven_free(&x);
    return most;
}

/* The order with which the energy error falls; 0: it is kept. */
static int energy_order(const char *scheme)
{
    static const struct {
        const char *scheme;
        int order;
    } list[] = {{"rattle", 2}, {"verlet", 2},    {"lobatto", 4}, {"ansatz", 4},
                {"dpg", 4},    {"multistep", 6}, {"vi-s", 1},    {"vi-a", 2},
                {"vi-b", 1},   {"vi-b2", 2},     {"em", 0},      {"em-g", 0},
                {"livens", 0}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (strcmp(list[k].scheme, scheme) == 0)
            return list[k].order;
    fail_msg("%s: its order is not known here", scheme);
    return 0;
}

static void bennetts_linkage_runs_with_every_scheme(void **state)
{
    (void)state;
    lv_model *model = read_text(lv_shipped_text("bennett-linkage"));
    method list[MOST_METHODS];
    const int count = fitting_methods(model, list);
    assert_int_equal(count, 13);
    for (int k = 0; k < count; k++) {
        const double coarse = strayed_energy(model, &list[k], 0.01),
                     fine = strayed_energy(model, &list[k], 0.005);
        const int order = energy_order(list[k].scheme);
        print_message("    %-8s %.1e %.1e\n", list[k].scheme, coarse, fine);
        assert_below(coarse, order == 0 ? 1e-12 : order == 1 ? 0.1 : 0.002);
        assert_below(fine, fmax(0.7 * coarse, 1e-12));
        if (order > 1)
            assert_above(coarse / fine, 0.8 * pow(2, order));
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_compound_pendulum_is_a_simple_one),
        RUN(four_bars_pass_singular_configurations),
        RUN(redundant_joints_are_counted),
        RUN(four_bars_run_with_every_scheme),
        RUN(andrews_mechanism_comes_out_of_bodies_and_joints),
        RUN(bennetts_linkage_moves),
        RUN(bennetts_linkage_runs_with_every_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
