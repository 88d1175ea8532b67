/* [springs]. */
#include "twins.h"

/* Kinon, Betsch, Schneider (2023), section 6.3: models/four-particles.toml from parts. */
static const char four_particles[] =
    "[particles.q1]\nmass = 1.0\nposition = [0, 0, 0]\n"
    "[particles.q2]\nmass = 3.0\nposition = [1, 0, 0]\n"
    "[particles.q3]\nmass = 2.3\nposition = [0, 1, 0]\n"
    "[particles.q4]\nmass = 1.7\nposition = [1, 1, 0]\nvelocity = [0, 0, \"2/1.7\"]\n"
    "[springs.s13]\nbetween = [\"q1\", \"q3\"]\nstiffness = 50\nlength = 1\n"
    "form = \"quadratic\"\n"
    "[springs.s24]\nbetween = [\"q2\", \"q4\"]\nstiffness = 500\nlength = 1\n"
    "form = \"quadratic\"\n"
    "[rods.r12]\nbetween = [\"q1\", \"q2\"]\n"
    "[rods.r34]\nbetween = [\"q3\", \"q4\"]\nlength = 1\n";

static void four_particles_move_like_the_shipped_model(void **state)
{
    (void)state;
    twins t =
        twins_of(read_text(four_particles), read_shipped("four-particles", NULL, NULL));
    assert_same_start(&t);
    assert_same_motion(&t, "rattle", 0.01, 1, 1e-14);
    twins_free(&t);
}

static void assert_state(lv_sim *sim, const double *expected, double tolerance)
{
    for (int k = 0; k < 12; k++)
        assert_close(lv_sim_position(sim)[k], expected[k], tolerance);
}

/* States computed with 30 digits by an independent program. */
static void four_particles_reach_the_exact_states(void **state)
{
    static const double at_1[] = {
        0.0079843277234334095, 0.011392149426950005, 0.00041510286046706455,
        0.98572992065231099,   0.20688807258080377,  0.076539340382954759,
        0.24273202080835562,   0.97994057097269269,  0.088765457769869254,
        0.69208368380024454,   0.65534136446673265,  0.92106254301174669};
    static const double at_10[] = {
        1.1309805146872119,  0.69597833055001556,  2.2631321157025895,
        0.80878748880331285, -0.19442891142650478, 2.5846388769184985,
        0.30374485443550824, 1.2642680533501263,   2.1878800844535378,
        0.26120226688304738, 0.57617169472012249,  2.9122512113522225};
    (void)state;
    lv_model *model = read_text(four_particles);
    lv_sim *sim = sim_of(model, "rattle", 0, 8, 0.005);
    advance(sim, 1);
    assert_state(sim, at_1, 1e-12);
    advance(sim, 10);
    assert_state(sim, at_10, 1e-11);
    lv_sim_free(sim);
    lv_model_free(model);
}

#define TWO_BALLS                                                                        \
    "[parameters]\nk = 30\nL = 0.8\nc = 0.7\n"                                           \
    "[particles.a]\nmass = 1.5\nposition = [0, 0, 0]\nvelocity = [0, 1, 0]\n"            \
    "[particles.b]\nmass = 2.5\nposition = [1, 0.5, 0]\nvelocity = [0, 0, 1]\n"
#define ENDS "[springs.s]\nbetween = [\"a\", \"b\"]\nstiffness = \"k\"\n"

static void assert_potential(const char *keys, const char *formula, double value)
{
    char part[1000], hand[1000];
    snprintf(part, sizeof part, "%s%s%s", TWO_BALLS, ENDS, keys);
    snprintf(hand, sizeof hand, "%s[energy.s]\npotential = \"%s\"\n", TWO_BALLS, formula);
    twins t = twins_read(part, hand);
    assert_same_start(&t);
    assert_close(t.part.at->potential, value, 1e-14);
    assert_same_motion(&t, "verlet", 0.01, 2, 1e-12);
    twins_free(&t);
}

static void the_forms_are_the_documented_formulas(void **state)
{
    double r = sqrt(1.25), e = r - 0.8;
    (void)state;
    assert_potential("length = \"L\"\n", "k/2*(norm(a - b) - L)^2", 15 * e * e);
    assert_potential("length = \"L\"\nform = \"linear\"\n", "k/2*(norm(a - b) - L)^2",
                     15 * e * e);
    assert_potential("", "k/2*norm2(a - b)", 15 * 1.25);
    assert_potential("length = 0\n", "k/2*norm2(a - b)", 15 * 1.25);
    assert_potential("length = 0\nform = \"quadratic\"\n", "k/2*norm2(a - b)^2",
                     15 * 1.25 * 1.25);
    e = 1.25 - 0.8 * 0.8;
    assert_potential("length = \"L\"\nform = \"quadratic\"\n",
                     "k/2*(norm2(a - b) - L^2)^2", 15 * e * e);
}

/* Springs that need no direction may begin with no extension at all. */
static void ends_may_meet_where_that_makes_sense(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "[particles.a]\nmass = 1\nposition = [0, 0]\nvelocity = [1, 0]\n"
                 "[springs.s]\nbetween = [[0, 0], \"a\"]\nstiffness = 4\n%s",
                 k ? "form = \"quadratic\"\nlength = 1\n" : "");
        inspected i = inspect_text(text);
        lv_sim *sim = sim_of(i.model, "verlet", 0, 0, 0.001);
        advance(sim, 0.5);
        assert_true(isfinite(lv_sim_position(sim)[0]));
        if (k == 0) /* sin(2 t)/2 */
            assert_close(lv_sim_position(sim)[0], sin(1) / 2, 1e-6);
        lv_sim_free(sim);
        inspected_free(&i);
    }
}

static void a_spring_in_a_family_is_one_formula(void **state)
{
    (void)state;
    inspected i = inspect_text("[parameters]\nN = 50\n"
                               "[particles.q]\ncount = \"N\"\nmass = 1\n"
                               "position = [\"i\", 0]\n"
                               "[springs.s]\nfor = \"i = 2..N\"\n"
                               "between = [\"q_{i-1}\", \"q_i\"]\nstiffness = \"i\"\n"
                               "length = 0.5\ndamping = \"1/i\"\n");
    assert_int_equal(i.at->kernels, 3);
    assert_int_equal(term_of(i.at, "s", "potential")->instances, 49);
    assert_int_equal(term_of(i.at, "s", "force")->instances, 49);
    assert_close(i.at->potential, (50 * 51 / 2 - 1) * 0.25 / 2, 1e-14);
    inspected_free(&i);
}

/* ---- dampers ----------------------------------------------------------------------------- */

static void the_damping_force_is_that_along_the_spring(void **state)
{
    (void)state;
    twins t = twins_read(
        TWO_BALLS ENDS "length = \"L\"\ndamping = \"c\"\n", TWO_BALLS ENDS
        "length = \"L\"\n"
        "[definitions]\nr = \"b - a\"\npull = \"-c*norm(r)'*r/norm(r)\"\n"
        "[forces.damper]\non = [\"a\", \"b\"]\nforce = [\"-pull\", \"pull\"]\n");
    assert_same_start(&t);
    assert_same_motion(&t, "verlet", 0.01, 2, 1e-12);
    twins_free(&t);
}

/* On a line: mu s'' = -k (s - L) - c s' for the distance s, with the mass mu of both. */
static void a_damped_oscillation_is_the_exact_one(void **state)
{
    double mu = 1.5 * 2.5 / 4, k = 30, c = 0.7, L = 0.8, t = 3;
    double d = c / (2 * mu), w = sqrt(k / mu - d * d);
    (void)state;
    lv_model *model =
        read_text("[particles.a]\nmass = 1.5\nposition = 0\nvelocity = 0.5\n"
                  "[particles.b]\nmass = 2.5\nposition = 1\nvelocity = 0.5\n"
                  "[springs.s]\nbetween = [\"a\", \"b\"]\nstiffness = 30\n"
                  "length = 0.8\ndamping = 0.7\n");
    lv_sim *sim = sim_of(model, "gauss", 3, 0, 0.01);
    advance(sim, t);
    const double *q = lv_sim_position(sim);
    double x0 = 1 - L; /* s' = 0 at the start */
    assert_close(q[1] - q[0], L + x0 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t)),
                 1e-11);
    assert_close((1.5 * q[0] + 2.5 * q[1]) / 4, 2.5 / 4 + 0.5 * t, 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* c (d|r|/dt)^2 at a state of two particles in space */
static double power(const lv_sim *sim, double c)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    double rv = 0, rr = 0;
    for (int k = 0; k < 3; k++) {
        rv += (q[k + 3] - q[k]) * (v[k + 3] - v[k]);
        rr += (q[k + 3] - q[k]) * (q[k + 3] - q[k]);
    }
    return c * rv * rv / rr;
}

/* Linear and angular momentum of two particles. */
static void momenta(const lv_sim *sim, double p[6])
{
    const double *q = lv_sim_position(sim), *m = lv_sim_momentum(sim);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = m[k] + m[k + 3];
        p[k + 3] = q[i] * m[j] - q[j] * m[i] + q[i + 3] * m[j + 3] - q[j + 3] * m[i + 3];
    }
}

/* The energy falls by the work of the damper, by Boole's rule, and by nothing else. */
static void damping_takes_its_work_and_no_momentum(void **state)
{
    enum { STEPS = 800 };
    static const double weights[] = {14, 32, 12, 32};
    double h = 0.0025, work = 0, before[6], after[6];
    (void)state;
    lv_model *model = read_text(TWO_BALLS ENDS "length = \"L\"\ndamping = \"c\"\n");
    lv_sim *sim = sim_of(model, "gauss", 4, 0, h);
    double first = lv_sim_energies(sim).total;
    momenta(sim, before);
    for (int k = 0; k <= STEPS; k++) {
        double weight = k == 0 || k == STEPS ? 7 : weights[k % 4];
        work += weight * 2 * h / 45 * power(sim, 0.7);
        if (k < STEPS)
            advance(sim, (k + 1) * h);
    }
    assert_above(work, 0.5);
    assert_close(first - lv_sim_energies(sim).total, work, 1e-10);
    momenta(sim, after);
    for (int k = 0; k < 6; k++)
        assert_close(after[k], before[k], 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Ends need not be coordinates: the force on an angle is the torque. */
static void a_damper_works_on_the_end_of_a_pendulum(void **state)
{
    (void)state;
    twins t =
        twins_read("[coordinates]\nphi = { value = 0.7, velocity = 1 }\n"
                   "[definitions]\ntip = \"[sin(phi), -cos(phi)]\"\n"
                   "[energy]\nkinetic = \"phi'^2/2\"\npotential = \"-9*cos(phi)\"\n"
                   "[springs.s]\nbetween = [\"tip\", [2, \"sin(t)\"]]\nstiffness = "
                   "0\ndamping = 0.5\n",
                   "[coordinates]\nphi = { value = 0.7, velocity = 1 }\n"
                   "[definitions]\ntip = \"[sin(phi), -cos(phi)]\"\n"
                   "r = \"tip - [2, sin(t)]\"\n"
                   "[energy]\nkinetic = \"phi'^2/2\"\npotential = \"-9*cos(phi)\"\n"
                   "[forces.torque]\non = \"phi\"\n"
                   "force = \"-0.5*norm(r)'*dot(r, [cos(phi), sin(phi)])/norm(r)\"\n");
    assert_same_start(&t);
    assert_same_motion(&t, "gauss", 0.01, 2, 1e-12);
    twins_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(four_particles_move_like_the_shipped_model),
        RUN(four_particles_reach_the_exact_states),
        RUN(the_forms_are_the_documented_formulas),
        RUN(ends_may_meet_where_that_makes_sense),
        RUN(a_spring_in_a_family_is_one_formula),
        RUN(the_damping_force_is_that_along_the_spring),
        RUN(a_damped_oscillation_is_the_exact_one),
        RUN(damping_takes_its_work_and_no_momentum),
        RUN(a_damper_works_on_the_end_of_a_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
