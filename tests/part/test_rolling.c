/* [rolling]: balls on turntables, discs upright and leaning, against closed forms and independent numbers. */
#include "frames.h"
#include "outputs.h"

/* ---- a ball on a turntable -------------------------------------------------------------------------- */

#define BALL                                                                             \
    "[parameters]\na = [%s]\nr = 0.5\nOmega = 1.2\n"                                     \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.ball]\nmass = 1\ninertia = [\"a[1]*r^2\", \"a[2]*r^2\", \"a[3]*r^2\"]\n"    \
    "position = [0.3, -0.2, \"r\"]\nrotation = [0.2, -0.5, 0.4]\n"                       \
    "velocity = [0.04, 0.06, 0]\nspin = [0.6, -0.4, 0.9]\n"                              \
    "[rolling.table]\nbody = \"ball\"\nshape = \"sphere\"\nradius = \"r\"\n"             \
    "table = \"Omega\"\n"

static const double Omega = 1.2;

static driven ball_of(const char *inertia, const char *scheme, double step)
{
    char text[1000];
    snprintf(text, sizeof text, BALL, inertia);
    return drive(text, scheme, step);
}

/* v' = kappa e_z x v with kappa = Omega a/(1 + a). */
static void a_homogeneous_ball_on_a_turntable_runs_in_a_circle(void **state)
{
    (void)state;
    const double kappa = Omega * 0.4 / 1.4, t = 9;
    const double vx = 0.04, vy = 0.06, c = cos(kappa * t), s = sin(kappa * t);
    const double x = 0.3 + (vx * s - vy * (1 - c)) / kappa,
                 y = -0.2 + (vx * (1 - c) + vy * s) / kappa;
    driven b = ball_of("0.4, 0.4, 0.4", "lobatto", 0.05);
    step_times(b.sim, 180);
    assert_close(lv_sim_position(b.sim)[0], x, 1e-6);
    assert_close(lv_sim_position(b.sim)[1], y, 1e-6);
    assert_close(lv_sim_position(b.sim)[2], 0.5, 1e-15);
    assert_close(lv_sim_velocity(b.sim)[0], vx * c - vy * s, 1e-6);
    assert_close(lv_sim_velocity(b.sim)[1], vx * s + vy * c, 1e-6);
    driven_free(&b);
}

/* Numbers of an integration on SO(3) x R^2 with twelve digits, at t = 4. */
static const struct {
    const char *inertia;
    double R[9], x[2], v[2]; /* R row by row */
} balls[] = {
    {"0.4, 0.4, 0.4",
     {0.90734798929891, 0.29160733510539, 0.30279496103462, -0.34715383189545,
      0.11356146127369, 0.93090709069901, 0.23707349770804, -0.94977310797165,
      0.20427236733918},
     {0.27401442074287, 0.06509447242347},
     {-0.05088953340233, 0.05109065854041}},
    {"0.3, 0.4, 0.5",
     {0.84226831835625, 0.50257029103611, -0.19495430865006, -0.08517952638795,
      0.48119596395864, 0.87246483743142, 0.53228613374544, -0.71824337577022,
      0.44810481473036},
     {0.13965514961095, 0.14315730486673},
     {-0.11079217042599, 0.01089696470945}},
};

static double ball_error(int k, const char *scheme, double step)
{
    driven b = ball_of(balls[k].inertia, scheme, step);
    double error = 0;
    step_times(b.sim, lround(4 / step));
    const frame f = frame_read(lv_sim_position(b.sim));
    for (int i = 0; i < 9; i++)
        error = worst_of(error, fabs(f.e[i % 3].x[i / 3] - balls[k].R[i]));
    for (int i = 0; i < 2; i++) {
        error = worst_of(error, fabs(f.at.x[i] - balls[k].x[i]));
        error = worst_of(error, fabs(lv_sim_velocity(b.sim)[i] - balls[k].v[i]));
    }
    driven_free(&b);
    return error;
}

static void balls_turn_as_on_the_group(void **state)
{
    static const struct {
        const char *scheme;
        double step, bound;
        int order;
    } methods[] = {{"rattle", 0.02, 1e-3, 2}, {"lobatto", 0.04, 1e-6, 4}};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < 2; m++) {
            const double coarse = ball_error(k, methods[m].scheme, methods[m].step),
                         fine = ball_error(k, methods[m].scheme, methods[m].step / 2);
            print_message("    %-8s %.1e %.1e\n", methods[m].scheme, coarse, fine);
            assert_below(fine, methods[m].bound);
            assert_close(log2(coarse / fine), methods[m].order, 0.2);
        }
}

/* K = R J omega + m r e_z x v is the same at all times, for balls of any inertia. */
static void the_integrals_of_the_ball_are_kept(void **state)
{
    (void)state;
    driven b = ball_of("0.3, 0.4, 0.5", "rattle", 0.05);
    vec first = {{0}};
    for (int k = 0; k <= 200; k++) {
        const lv_state *s = &b.sim->state;
        /* angular momentum of the rotation: sum of e_k x p_k */
        vec K = cross(vec_of(0, 0, 0.5), vec_of(s->v[0], s->v[1], s->v[2]));
        for (int i = 1; i < 4; i++)
            K = plus(K, 1,
                     cross(vec_of(s->q[3 * i], s->q[3 * i + 1], s->q[3 * i + 2]),
                           vec_of(s->p[3 * i], s->p[3 * i + 1], s->p[3 * i + 2])));
        first = k == 0 ? K : first;
        assert_close(distance(K.x, first.x, 3), 0, 1e-13);
        step_once(b.sim);
    }
    driven_free(&b);
}

/* ---- discs --------------------------------------------------------------------------------------------- */

#define DISC(ROTATION, VELOCITY, OMEGA)                                                  \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.disc]\nmass = 2\ninertia = [0.05, 0.09, 0.05]\nposition = [0, 0, 0.3]\n"    \
    "rotation = " ROTATION "\nvelocity = " VELOCITY "\nangular_velocity = " OMEGA "\n"   \
    "[rolling.wheel]\nbody = \"disc\"\nshape = \"disc\"\nradius = 0.3\naxis = [0, -4, "  \
    "0]\n"

static void an_upright_disc_rolls_straight_on(void **state)
{
    (void)state;
    driven d = drive(DISC("[0, 0, 0]", "[0.6, 0, 0]", "[0, 2, 0]"), "rattle", 0.01);
    step_times(d.sim, 200);
    const double *q = lv_sim_position(d.sim);
    assert_close(q[0], 1.2, 1e-13);
    assert_close(q[1], 0, 1e-13);
    assert_close(q[2], 0.3, 1e-15);
    assert_close(q[3], cos(4.0), 1e-3); /* e1 has turned by 4 about y */
    assert_close(q[5], -sin(4.0), 1e-3);
    driven_free(&d);
}

/* Held upright it rolls in a circle: both rates are constant. */
static void a_disc_that_is_held_upright_rolls_in_a_circle(void **state)
{
    (void)state;
    const char *text =
        DISC("[0, 0, 0]", "[0.6, 0, 0]",
             "[0, 2, 0.5]") "[constraints.upright]\nholonomic = \"disc.e2[3]\"\n";
    for (int k = 0; k < 2; k++) {
        const double step = k == 0 ? 0.01 : 0.02, t = 6, turn = 0.5 * t;
        driven d = drive(text, k == 0 ? "rattle" : "lobatto", step);
        step_times(d.sim, lround(t / step));
        const double *q = lv_sim_position(d.sim), tolerance = k == 0 ? 1e-3 : 1e-6;
        assert_close(q[0], 1.2 * sin(turn), tolerance);
        assert_close(q[1], 1.2 * (1 - cos(turn)), tolerance);
        assert_close(q[6], -sin(turn), tolerance); /* the axis e2 */
        assert_close(q[7], cos(turn), tolerance);
        driven_free(&d);
    }
}

/* A disc that leans by b rolls in a circle of radius R at the rate W. In axes that turn with it the disc's axis is
 * a = (cos b, 0, sin b), the steepest line upwards u = (-sin b, 0, cos b), the centre (R, 0, r cos b), and the
 * angular velocity w = W e_z + n a. No slip: W R + r (W sin b + n) = 0. The force at the contact is
 * F = (-m W^2 R, 0, m g), and of (-r u) x F = W e_z x L the y component says, with
 * L = A (w - (w.a) a) + C (w.a) a,
 *     -r (-m W^2 R cos b + m g sin b) = W (-A W cos b sin b - C W R/r cos b). */
static void a_leaning_disc_keeps_its_lean(void **state)
{
    (void)state;
    const double r = 0.3, m = 2, A = 0.05, C = 0.09, g = 9.81, b = 0.4, W = 2.5;
    const double R = (-A * W * W * cos(b) * sin(b) + r * sin(b) * m * g) /
                     (W * W * cos(b) * (r * m + C / r));
    const double n = -W * R / r - W * sin(b);
    char text[1200];
    snprintf(
        text, sizeof text,
        "[gravity]\nacceleration = [0, 0, -9.81]\n[bodies.disc]\nmass = 2\ninertia = "
        "[0.05, 0.09, 0.05]\nposition = [%.17g, 0, %.17g]\nrotation = [[0, 0, "
        "\"-pi/2\"], [%.17g, 0, 0]]\nvelocity = [0, %.17g, 0]\nspin = [%.17g, 0, "
        "%.17g]\n[rolling.wheel]\nbody = \"disc\"\nshape = \"disc\"\nradius = "
        "0.3\naxis = [0, 1, 0]\n",
        R, r * cos(b), b, W * R, n * cos(b), W + n * sin(b));
    driven d = drive(text, "lobatto", 0.01);
    const double energy = lv_sim_energies(d.sim).total;
    const double *e2 = lv_sim_position(d.sim) + 6;
    assert_close(e2[0], cos(b), 1e-14);
    assert_close(e2[2], sin(b), 1e-14);
    step_times(d.sim, 200);
    const double *q = lv_sim_position(d.sim);
    assert_close(q[0], R * cos(W * 2), 1e-5);
    assert_close(q[1], R * sin(W * 2), 1e-5);
    assert_close(q[2], r * cos(b), 1e-5);
    assert_close(q[8], sin(b), 1e-5);
    assert_close(lv_sim_energies(d.sim).total, energy, 1e-7);
    driven_free(&d);
}

/* Rolling does no work: the energy of a disc that tumbles stays, to the order of the scheme. */
static void a_rolling_disc_keeps_its_energy(void **state)
{
    (void)state;
    const char *text = DISC("[0, 0, 0]", "[0.9, 0, 0]", "[0.3, 3, 0.6]");
    double off[2];
    for (int k = 0; k < 2; k++) {
        const double step = k == 0 ? 0.01 : 0.005;
        lv_model *model = read_text(text);
        lv_sim_options options = sim_options(model, &(method){"lobatto", 3, 0}, step);
        lv_sim *sim = NULL;
        options.initial = LV_INITIAL_PROJECT;
        assert_int_equal(lv_sim_create(&sim, model, &options, NULL), LV_OK);
        const double energy = lv_sim_energies(sim).total;
        off[k] = 0;
        for (long i = 0; i < lround(1.5 / step); i++) {
            step_once(sim);
            off[k] = fmax(off[k], fabs(lv_sim_energies(sim).total - energy));
        }
        assert_above(fabs(lv_sim_position(sim)[8]), 0.05); /* it leans */
        lv_sim_free(sim);
        lv_model_free(model);
    }
    print_message("    energy %.1e %.1e\n", off[0], off[1]);
    assert_below(off[1], 1e-5);
    assert_close(log2(off[0] / off[1]), 4, 0.5);
}

/* Without the row that keeps the height, where other constraints keep it. */
static void the_height_may_be_kept_by_others(void **state)
{
    (void)state;
    char text[1200];
    snprintf(text, sizeof text,
             BALL "contact = false\n"
                  "[joints.floor]\ntype = \"point_on_plane\"\nbetween = "
                  "[\"ground\", \"ball\"]\naxis = [0, 0, 1]\npoint_b = [0, 0, 0]\n",
             "0.3, 0.4, 0.5");
    driven a = drive(text, "lobatto", 0.05);
    driven b = ball_of("0.3, 0.4, 0.5", "lobatto", 0.05);
    assert_int_equal(lv_sim_constraint_count(a.sim), lv_sim_constraint_count(b.sim));
    step_times(a.sim, 40);
    step_times(b.sim, 40);
    assert_below(distance(lv_sim_position(a.sim), lv_sim_position(b.sim), 12), 1e-12);
    driven_free(&a);
    driven_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_homogeneous_ball_on_a_turntable_runs_in_a_circle),
        RUN(balls_turn_as_on_the_group),
        RUN(the_integrals_of_the_ball_are_kept),
        RUN(an_upright_disc_rolls_straight_on),
        RUN(a_disc_that_is_held_upright_rolls_in_a_circle),
        RUN(a_leaning_disc_keeps_its_lean),
        RUN(a_rolling_disc_keeps_its_energy),
        RUN(the_height_may_be_kept_by_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
