/* Bodies on groups with joints, coordinates and wheels beside them: against the same bodies in coordinates of their
 * axes, and against equations in coordinates of the least number. */
#include "../part/newton_euler.h"
#include "groups.h"
#include "run/sim.h"
#include "scheme/compose.h"

/* ---- two bodies --------------------------------------------------------------------------------------------- */

/* A spring to the ground, and a joint between. */
#define TWO_BODIES(joint)                                                                \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.a]\nmass = 1.2\ninertia = [0.10, 0.15, 0.22]\nposition = [0, 0, 0]\n"       \
    "rotation = [0.3, -0.2, 0.5]\nvelocity = [0.3, 0.1, -0.2]\n"                         \
    "angular_velocity = [1.5, -2.0, 1.0]\n"                                              \
    "[bodies.b]\nmass = 0.8\ninertia = [0.08, 0.12, 0.05]\nposition = [0.7, 0.2, 0.1]\n" \
    "rotation = [-0.4, 0.1, 0.2]\nangular_velocity = [-1.0, 2.0, 0.5]\n"                 \
    "[joints.j]\nbetween = [\"a\", \"b\"]\n" joint                                       \
    "[springs.s]\nbetween = [[0, 0, 1], \"point(a, [0.1, 0.2, -0.1])\"]\n"               \
    "stiffness = 30\nlength = 0.5\n"                                                     \
    "[springs.r]\nbetween = [[1, 1, 0], \"point(b, [0.2, -0.1, 0.1])\"]\n"               \
    "stiffness = 20\nlength = 0.3\n"                                                     \
    "[run]\ninitial = \"project\"\n"

static const struct {
    const char *name, *text;
} pairs[] = {
    {"revolute",
     TWO_BODIES("type = \"revolute\"\nat = [0.4, 0.1, 0]\naxis = [0.2, 1, -0.3]\n")},
    {"spherical", TWO_BODIES("type = \"spherical\"\nat = [0.4, 0.1, 0]\n")},
    {"prismatic",
     TWO_BODIES("type = \"prismatic\"\nat = [0.4, 0.1, 0]\naxis = [0.7, 0.3, 0.2]\n")},
};
enum { PAIRS = sizeof pairs / sizeof *pairs, BOTH = 24 };

/* The state at the end in q, and how far constraints were violated until then. */
typedef struct ended {
    double q[BOTH], v[BOTH], position, velocity;
} ended;

static ended run_pair(const lv_model *model, const method *m, double until, int steps)
{
    ended e = {.position = 0};
    lv_sim *sim = start(model, m, until / steps);
    assert_int_equal(lv_model_coordinate_count(model), BOTH);
    for (int k = 0; k < steps; k++) {
        double position, velocity;
        step_once(sim);
        lv_sim_residuals(sim, &position, &velocity);
        e.position = fmax(e.position, position);
        e.velocity = fmax(e.velocity, velocity);
    }
    memcpy(e.q, lv_sim_position(sim), sizeof e.q);
    memcpy(e.v, lv_sim_velocity(sim), sizeof e.v);
    lv_sim_free(sim);
    return e;
}

static double apart(const ended *a, const ended *b)
{
    return fmax(off(a->q, b->q, BOTH), off(a->v, b->v, BOTH));
}

/* The reference has the axes as coordinates. */
static void jointed_bodies_have_the_order_of_their_scheme(void **state)
{
    (void)state;
    for (int k = 0; k < PAIRS; k++) {
        lv_model *model = read_text(pairs[k].text);
        const method axes = {.scheme = "lobatto", .stages = 5};
        const ended expected = run_pair(model, &axes, 0.5, 200);
        for (int i = 0; i < 4; i++) {
            const int stages = 3 + i / 2, steps = stages == 3 ? 40 : 16;
            const method m = on_group("lobatto", stages, i % 2 == 1);
            const ended coarse = run_pair(model, &m, 0.5, steps),
                        fine = run_pair(model, &m, 0.5, 2 * steps);
            const double a = apart(&coarse, &expected), b = apart(&fine, &expected);
            print_message("    %s %d %s: %.1e, %.1e, order %.2f; g %.1e, rate %.1e\n",
                          pairs[k].name, stages, i % 2 == 1 ? "cay" : "exp", a, b,
                          log2(a / b), fine.position, fine.velocity);
            assert_at_most(fabs(log2(a / b) - (2 * stages - 2)), 0.15);
            assert_at_most(fine.position, 2e-15);
            assert_at_most(fine.velocity, 2e-14);
        }
        lv_model_free(model);
    }
}

/* ---- a body on a cart -------------------------------------------------------------------------------------------- */

/* The cart x hangs on a spring and carries a body on a spherical joint. A wheel phi is driven by the cart, by a gear
 * whose ratio is set by how the body leans. */
static const char cart[] =
    "[parameters]\nM = 2\nm = 1.3\nk = 25\nI = 0.15\n"
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[coordinates]\nx = { value = 0.1, velocity = 0.7 }\n"
    "phi = { value = 0, velocity = 1.4 }\n"
    "[energy]\nkinetic = \"M/2*x'^2 + I/2*phi'^2\"\npotential = \"k/2*x^2\"\n"
    "[bodies.b]\nmass = \"m\"\ninertia = [0.05, 0.08, 0.03]\n"
    "position = [0.1, 0, -0.4]\nvelocity = [0.7, 0.2, 0]\n"
    "spin = [0.5, 0, 1.5]\n"
    "[constraints.seat]\nholonomic = \"point(b, [0, 0, 0.4]) - [x, 0, 0]\"\n"
    "[constraints.gear]\nnonholonomic = \"phi' - (2 + 1.5*b.e3[1])*x'\"\n";

/* The same by hand: x, phi, the quaternion of the body, their rates; s is the centre of mass from the seat, u = R^T e1,
 *     (M + m + I c^2) x'' + m u.(w' x s) = - k x - m u.(w x (w x s)) - I c c' x',     c = 2 + 1.5 R_13
 *     J w' + m x'' s x u = (J w) x w + s x R^T f,     J about the seat. */
typedef struct by_hand {
    real x, v, phi, q[4], w[3];
} by_hand;

static void cart_rate(const by_hand *y, by_hand *rate)
{
    const real M = 2, m = 1.3L, k = 25, I = 0.15L, s[3] = {0, 0, -0.4L},
               J[3] = {0.05L + 1.3L * 0.16L, 0.08L + 1.3L * 0.16L, 0.03L};
    real R[3][3], f[3], u[3], L[3], t1[3], t2[3], a[3], b[3], c = 0;
    const real *w = y->w, *q = y->q;
    real_rotation(q, R);
    for (int i = 0; i < 3; i++) {
        u[i] = R[0][i];
        f[i] = -9.81L * m * R[2][i];
        L[i] = J[i] * w[i];
    }
    const real ratio = 2 + 1.5L * R[0][2],
               rise = 1.5L * (R[0][0] * w[1] - R[0][1] * w[0]); /* of R (w x e3) */
    real_cross(L, w, t1);
    real_cross(s, f, t2);
    real_cross(s, u, b); /* u.(w' x s) = w'.(s x u) */
    real_cross(w, s, a);
    real_cross(w, a, f);
    real mass = M + m + I * ratio * ratio, load = -k * y->x - I * ratio * rise * y->v;
    for (int i = 0; i < 3; i++) {
        c += u[i] * f[i];
        a[i] = (t1[i] + t2[i]) / J[i]; /* w' = a - m x'' b / J */
        load -= m * b[i] * a[i];
        mass -= m * m * b[i] * b[i] / J[i];
    }
    load -= m * c;
    *rate = (by_hand){.x = y->v, .v = load / mass, .phi = ratio * y->v};
    for (int i = 0; i < 3; i++)
        rate->w[i] = a[i] - m * rate->v * b[i] / J[i];
    rate->q[0] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
    rate->q[1] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    rate->q[2] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    rate->q[3] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
}

static by_hand moved(by_hand y, real factor, const by_hand *rate)
{
    y.x += factor * rate->x;
    y.v += factor * rate->v;
    y.phi += factor * rate->phi;
    for (int i = 0; i < 4; i++)
        y.q[i] += factor * rate->q[i];
    for (int i = 0; i < 3; i++)
        y.w[i] += factor * rate->w[i];
    return y;
}

static by_hand cart_kutta(real until, int steps)
{
    by_hand y = {.x = 0.1L, .v = 0.7L, .q = {1}, .w = {0.5L, 0, 1.5L}};
    const real h = until / steps;
    for (int n = 0; n < steps; n++) {
        by_hand k1, k2, k3, k4, at;
        cart_rate(&y, &k1);
        at = moved(y, h / 2, &k1);
        cart_rate(&at, &k2);
        at = moved(y, h / 2, &k2);
        cart_rate(&at, &k3);
        at = moved(y, h, &k3);
        cart_rate(&at, &k4);
        y = moved(moved(y, h / 6, &k1), h / 3, &k2);
        y = moved(moved(y, h / 3, &k3), h / 6, &k4);
    }
    return y;
}

static by_hand cart_at(real until)
{
    const by_hand coarse = cart_kutta(until, 4000), fine = cart_kutta(until, 8000);
    by_hand y = moved(fine, 1 / 15.0L, &fine);
    return moved(y, -1 / 15.0L, &coarse);
}

/* Of x, phi, all axes, and x'. */
static double cart_error(const lv_model *model, const method *m, int steps,
                         const by_hand *expected)
{
    lv_sim *sim = start(model, m, 1.0 / steps);
    real R[3][3];
    double worst;
    int x = -1, axes = -1, phi = -1;
    for (int k = 0; k < lv_model_coordinate_count(model); k++) {
        char name[80];
        lv_model_coordinate_name(model, k, name, sizeof name);
        x = strcmp(name, "x") == 0 ? k : x;
        phi = strcmp(name, "phi") == 0 ? k : phi;
        axes = strcmp(name, "b.e1[1]") == 0 ? k : axes;
    }
    assert_true(x >= 0 && phi >= 0 && axes >= 0);
    step_times(sim, steps);
    const double *q = lv_sim_position(sim);
    real_rotation(expected->q, R);
    worst = fmax(fabs(q[x] - (double)expected->x), fabs(q[phi] - (double)expected->phi));
    worst = fmax(worst, fabs(lv_sim_velocity(sim)[x] - (double)expected->v));
    for (int i = 0; i < 9; i++)
        worst = fmax(worst, fabs(q[axes + i] - (double)R[i % 3][i / 3]));
    lv_sim_free(sim);
    return worst;
}

static void a_body_on_a_cart_moves_as_by_hand(void **state)
{
    (void)state;
    lv_model *model = read_text(cart);
    const by_hand expected = cart_at(1);
    for (int k = 0; k < 6; k++) {
        const int stages = 2 + k / 2, steps = stages == 2 ? 200 : stages == 3 ? 50 : 25;
        const method m = on_group("lobatto", stages, k % 2 == 1);
        const double a = cart_error(model, &m, steps, &expected),
                     b = cart_error(model, &m, 2 * steps, &expected);
        print_message("    %d %s: %.1e, %.1e, order %.2f\n", stages,
                      k % 2 == 1 ? "cay" : "exp", a, b, log2(a / b));
        assert_at_most(fabs(log2(a / b) - (2 * stages - 2)), 0.15);
        assert_at_most(b, stages == 2 ? 1e-3 : stages == 3 ? 1e-5 : 1e-7);
    }
    lv_model_free(model);
}

/* ---- dependent joints --------------------------------------------------------------------------------------- */

/* Bennett's linkage, which moves though three of its constraints depend on the others: as with axes as coordinates. */
static void dependent_joints_do_no_harm(void **state)
{
    (void)state;
    lv_model *model = read_shipped("bennett-linkage", NULL, NULL);
    const method axes = {.scheme = "lobatto", .stages = 4};
    const int n = lv_model_coordinate_count(model);
    lv_sim *expected = start(model, &axes, 0.005);
    step_times(expected, 100);
    for (int k = 0; k < 4; k++) {
        const int stages = 3 + k / 2;
        const method m = on_group("lobatto", stages, k % 2 == 1);
        lv_sim *sim = start(model, &m, 0.005);
        double position, velocity;
        step_times(sim, 100);
        const double e = off(lv_sim_position(sim), lv_sim_position(expected), n);
        lv_sim_residuals(sim, &position, &velocity);
        print_message("    %d %s: %.1e; g %.1e, rate %.1e\n", stages,
                      k % 2 == 1 ? "cay" : "exp", e, position, velocity);
        assert_at_most(e, stages == 3 ? 1e-6 : 1e-10);
        assert_at_most(position, 1e-14);
        assert_at_most(velocity, 1e-13);
        lv_sim_free(sim);
    }
    lv_sim_free(expected);
    lv_model_free(model);
}

#define ROD_CHAIN                                                                        \
    "[gravity]\nacceleration = [0, 0, -9.81]\n"                                          \
    "[bodies.b]\ncount = 3\nmass = 1\ninertia = [0.02, 0.03, 0.04]\n"                    \
    "position = [\"i\", 0, 0]\nangular_velocity = [1, \"0.5*i\", -1]\n"                  \
    "[rods.first]\nbetween = [[0, 0, 0], \"point(b_1, [-0.2, 0, 0])\"]\n"                \
    "[rods.link]\nfor = \"i = 2..3\"\n"                                                  \
    "between = [\"point(b_{i-1}, [0.2, 0, 0])\", \"point(b_i, [-0.2, 0.1, 0])\"]\n"
#define ROD_RUN "[run]\ninitial = \"project\"\n"

/* Every rod once and twice. */
static void rods_may_stand_twice(void **state)
{
    (void)state;
    static const char again[] = ROD_CHAIN
        "[rods.again]\nfor = \"i = 2..3\"\n"
        "between = [\"point(b_{i-1}, [0.2, 0, 0])\", \"point(b_i, [-0.2, 0.1, 0])\"]\n"
        "[rods.second]\nbetween = [[0, 0, 0], \"point(b_1, [-0.2, 0, 0])\"]\n" ROD_RUN;
    lv_model *once = read_text(ROD_CHAIN ROD_RUN), *twice = read_text(again);
    const int n = lv_model_coordinate_count(once);
    for (int k = 0; k < 4; k++) {
        const method m = on_group("lobatto", 2 + k / 2, k % 2 == 1);
        lv_sim *a = start(once, &m, 0.01), *b = start(twice, &m, 0.01);
        step_times(a, 100);
        step_times(b, 100);
        const double e = off(lv_sim_position(a), lv_sim_position(b), n);
        print_message("    %d %s: %.1e\n", 2 + k / 2, k % 2 == 1 ? "cay" : "exp", e);
        assert_at_most(e, 1e-11);
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(once);
    lv_model_free(twice);
}

/* ---- compositions ------------------------------------------------------------------------------------------- */

#define DAMPED                                                                           \
    "[springs.d]\nbetween = [[0, 0, 1], \"point(a, [0.1, 0.2, -0.1])\"]\nstiffness = "   \
    "0\ndamping = 0.4\n"

/* Velocities are made consistent at the end of a composed step alone, which multipliers of its parts make up for; where
 * forces depend on velocities, at the end of each part. */
static void check_parts(const char *text, int rotations)
{
    enum { STEPS = 10 };
    lv_model *model = read_text(text);
    method whole = {.scheme = "rattle", .compose = 4}, part = {.scheme = "rattle"};
    double weights[LV_COMPOSE_MOST];
    int count;
    lv_error err;
    lv_scheme_option_set(&whole.more, LV_OPTION_ROTATIONS, rotations);
    lv_scheme_option_set(&part.more, LV_OPTION_ROTATIONS, rotations);
    assert_int_equal(lv_compose(weights, &count, 2, 4, &err), LV_OK);
    lv_sim *composed = start(model, &whole, 0.01), *parts = start(model, &part, 0.01);
    for (int k = 0; k < STEPS; k++) {
        step_once(composed);
        for (int i = 0; i < count; i++)
            if (lv_sim_step_by(parts, weights[i] * 0.01, &err) != LV_OK)
                fail_msg("%s", err.text);
    }
    const double q = off(lv_sim_position(composed), lv_sim_position(parts), BOTH),
                 v = off(lv_sim_velocity(composed), lv_sim_velocity(parts), BOTH);
    print_message("    rotations %d: positions apart by %.1e, velocities by %.1e\n",
                  rotations, q, v);
    assert_at_most(q, 1e-13);
    assert_at_most(v, 1e-11);
    lv_sim_free(composed);
    lv_sim_free(parts);
    lv_model_free(model);
}

static void composed_steps_are_their_parts(void **state)
{
    (void)state;
    for (int k = 0; k < PAIRS; k++) {
        check_parts(pairs[k].text, 0);
        check_parts(pairs[k].text, 3);
    }
    check_parts(TWO_BODIES("type = \"spherical\"\nat = [0.4, 0.1, 0]\n" DAMPED), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(jointed_bodies_have_the_order_of_their_scheme),
        RUN(a_body_on_a_cart_moves_as_by_hand),
        RUN(dependent_joints_do_no_harm),
        RUN(rods_may_stand_twice),
        RUN(composed_steps_are_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
