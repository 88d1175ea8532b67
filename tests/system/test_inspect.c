/* What a model is at its start, against values from closed forms. */
#include "../model/reading.h"

#define MASS                                                                             \
    "[coordinates]\nx = { value = 0.6, velocity = 0.5 }\ny = { value = 0.8, "            \
    "velocity = -0.25 }\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"

/* ---- energies -------------------------------------------------------------------------- */

static void primes_of_definitions_give_the_polar_kinetic_energy(void **state)
{
    (void)state;
    inspected i = inspect_text("[parameters]\nm = 1.3\nl = 0.7\ng = 9.81\n"
                               "[coordinates]\nphi = { value = 0.4, velocity = 2.5 }\n"
                               "[definitions]\nr = [\"l*sin(phi)\", \"-l*cos(phi)\"]\n"
                               "[energy]\nkinetic = \"m/2*norm2(r')\"\n"
                               "potential = \"m*g*r[2]\"\n");
    double kinetic = 1.3 * 0.7 * 0.7 / 2 * 2.5 * 2.5;
    double potential = -1.3 * 9.81 * 0.7 * cos(0.4);
    assert_close(i.at->kinetic, kinetic, 1e-14);
    assert_close(i.at->potential, potential, 1e-14);
    assert_close(i.at->energy, kinetic + potential, 1e-14);
    inspected_free(&i);
}

/* r = [x cos(w t), x sin(w t)]: T = (x'^2 + w^2 x^2)/2, E = v dL/dv - L keeps the sign */
static void primes_know_explicit_time(void **state)
{
    (void)state;
    inspected i = inspect_text("[parameters]\nw = 3\n"
                               "[coordinates]\nx = { value = 2, velocity = 0.5 }\n"
                               "[definitions]\nr = \"[x*cos(w*t), x*sin(w*t)]\"\n"
                               "[energy]\nkinetic = \"norm2(r')/2\"\n");
    assert_close(i.at->kinetic, (0.25 + 36) / 2, 1e-14);
    assert_close(i.at->energy, (0.25 - 36) / 2, 1e-14);
    assert_true(i.at->terms[0].time);
    inspected_free(&i);
}

static void a_lagrangian_has_the_energy_of_its_parts(void **state)
{
    (void)state;
    inspected a =
        inspect_text("[coordinates]\nx = { value = 0.3, velocity = 0.7 }\n"
                     "y = { value = -1.1, velocity = 0.2 }\n"
                     "[energy]\n"
                     "kinetic = \"(1 + x^2)/2*x'^2 + y'^2*cos(x) + 0.1*x'*y'\"\n"
                     "potential = \"x^4 - x*y + exp(y)\"\n");
    inspected b =
        inspect_text("[coordinates]\nx = { value = 0.3, velocity = 0.7 }\n"
                     "y = { value = -1.1, velocity = 0.2 }\n"
                     "[energy]\n"
                     "lagrangian = \"(1 + x^2)/2*x'^2 + y'^2*cos(x) + 0.1*x'*y' - "
                     "(x^4 - x*y + exp(y))\"\n");
    assert_close(a.at->energy, a.at->kinetic + a.at->potential, 1e-15);
    assert_close(b.at->energy, a.at->energy, 1e-15);
    assert_true(b.at->has_lagrangian);
    assert_false(a.at->has_lagrangian);
    assert_close(b.at->kinetic, 0, 0);
    inspected_free(&a);
    inspected_free(&b);
}

/* A charge in a magnetic field: terms linear in the velocity carry momentum, no energy. */
static void gyroscopic_terms_have_no_energy(void **state)
{
    (void)state;
    inspected i = inspect_text(MASS "[energy.field]\nlagrangian = \"5*(x*y' - y*x')\"\n"
                                    "[symmetries.spin]\non = [\"x\", \"y\"]\n"
                                    "generator = [\"-y\", \"x\"]\n");
    double spin = 0.6 * -0.25 - 0.8 * 0.5;
    assert_close(i.at->energy, (0.25 + 0.0625) / 2, 1e-15);
    assert_close(momentum_of(i.at, "spin"), spin + 5 * (0.36 + 0.64), 1e-14);
    inspected_free(&i);
}

static void momenta_are_those_of_the_sources(void **state)
{
    static const char *const names[] = {"L1", "L2", "L3", "J1", "J2", "J3"};
    static const double expected[] = {0, 0, 2, 2, -2, 0};
    (void)state;
    inspected i = inspect_model(read_shipped("four-particles", NULL, NULL));
    assert_int_equal(i.at->momentum_count, 6);
    for (int k = 0; k < 6; k++)
        assert_close(momentum_of(i.at, names[k]), expected[k], 1e-15);
    inspected_free(&i);
    i = inspect_model(read_shipped("kepler", NULL, NULL));
    assert_close(momentum_of(i.at, "rotation"), 0.8, 1e-15);
    inspected_free(&i);
}

/* ---- terms ------------------------------------------------------------------------------- */

static void degrees_and_invariants_follow_the_theory(void **state)
{
    (void)state;
    inspected i = inspect_model(read_shipped("four-particles", NULL, NULL));
    const lv_term_info *kinetic = term_of(i.at, "particles", "kinetic");
    assert_int_equal(kinetic->degree_q, 0);
    assert_int_equal(kinetic->degree_v, 2);
    assert_int_equal(kinetic->invariants, 0);
    assert_int_equal(kinetic->coordinates, 12);
    const lv_term_info *spring = term_of(i.at, "spring13", "potential");
    assert_int_equal(spring->degree_q, 4);
    assert_int_equal(spring->degree_v, 0);
    assert_int_equal(spring->invariants, 1); /* |q3 - q1|^2 - l^2 */
    assert_int_equal(spring->coordinates, 6);
    const lv_term_info *rod = term_of(i.at, "rod12", "holonomic");
    assert_int_equal(rod->degree_q, 2);
    assert_int_equal(rod->invariants, 1); /* itself */
    assert_false(rod->time);
    assert_null(rod->velocities);
    assert_string_equal(rod->section, "constraints");
    inspected_free(&i);
}

static void frontiers_are_the_largest_quadratic_parts(void **state)
{
    (void)state;
    inspected i = inspect_text(
        "[coordinates]\na = [1, 0, 0]\nb = [0, 1, 0]\n"
        "[energy]\nkinetic = \"norm2(a') + norm2(b')\"\n"
        "[energy.spring]\npotential = \"(norm(b - a) - 1)^2\"\n"      /* |b - a|^2 */
        "[energy.charge]\npotential = \"1/norm(a)\"\n"                /* |a|^2 */
        "[energy.quartic]\npotential = \"(a[1]^2 + a[2]^2 - 1)^2\"\n" /* the bracket */
        "[energy.linear]\npotential = \"9.81*a[3]\"\n"                /* itself */
        "[energy.two]\npotential = \"sin(dot(a, b))*exp(norm2(a))\"\n"
        "[energy.cubic]\npotential = \"a[1]^2*b[1]\"\n"
        "[energy.constant]\npotential = \"3\"\n");
    static const struct {
        const char *name;
        int degree, invariants;
    } expected[] = {{"spring", -1, 1}, {"charge", -1, 1}, {"quartic", 4, 1},
                    {"linear", 1, 1},  {"two", -1, 2},    {"cubic", 3, 2},
                    {"constant", 0, 0}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        const lv_term_info *term = term_of(i.at, expected[k].name, "potential");
        assert_int_equal(term->degree_q, expected[k].degree);
        assert_int_equal(term->invariants, expected[k].invariants);
    }
    inspected_free(&i);
}

static void velocity_constraints_are_linear_affine_or_nonlinear(void **state)
{
    (void)state;
    inspected i =
        inspect_text(MASS "[constraints.linear]\nnonholonomic = \"x'*sin(y) - y'*t\"\n"
                          "[constraints.affine]\nnonholonomic = \"x' - 0.5 + x - 0.6\"\n"
                          "[constraints.rheonomic]\nnonholonomic = \"x' + sin(t)\"\n"
                          "[constraints.square]\nnonholonomic = \"x'^2 + y'^2\"\n"
                          "[constraints.root]\nnonholonomic = \"sqrt(x'^2 + y'^2)\"\n"
                          "[constraints.rows]\nnonholonomic = [\"x'\", \"y' + 1\"]\n"
                          "[constraints.cancelled]\nnonholonomic = \"x' + 3 - 3\"\n");
    static const char *const expected[][2] = {
        {"linear", "linear"},    {"affine", "affine"},  {"rheonomic", "affine"},
        {"square", "nonlinear"}, {"root", "nonlinear"}, {"rows", "affine"},
        {"cancelled", "linear"}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_string_equal(term_of(i.at, expected[k][0], "nonholonomic")->velocities,
                            expected[k][1]);
    assert_int_equal(i.at->nonholonomic, 8);
    inspected_free(&i);
}

static void terms_say_what_they_are(void **state)
{
    (void)state;
    inspected i = inspect_text(MASS "[forces.f]\non = \"x\"\nforce = \"-x'^3*t\"\n"
                                    "[outputs]\nout = \"[x, y, x*y]\"\n");
    const lv_term_info *kinetic = term_of(i.at, "", "kinetic");
    assert_string_equal(kinetic->section, "energy");
    assert_int_equal(kinetic->instances, 1);
    assert_int_equal(kinetic->operations, 4); /* two squares, a sum, a factor */
    const lv_term_info *force = term_of(i.at, "f", "force");
    assert_string_equal(force->section, "forces");
    assert_int_equal(force->degree_v, 3);
    assert_true(force->time);
    const lv_term_info *output = term_of(i.at, "out", "output");
    assert_int_equal(output->rows, 3);
    assert_int_equal(output->degree_q, 2);
    assert_int_equal(i.at->term_count, 3);
    inspected_free(&i);
}

static void parameters_and_groups_are_listed(void **state)
{
    (void)state;
    inspected i =
        inspect_text("[parameters]\nN = 2\ne = [1, \"N\", 3]\n"
                     "[coordinates]\nx = 1\na = [1, 2]\n"
                     "q = { count = \"N\", value = [0, 0, 0] }\n"
                     "[energy]\nkinetic = \"x'^2 + norm2(a')\"\n"
                     "[energy.q]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')\"\n");
    const lv_parameter_info *e = parameter_of(i.at, "e");
    assert_int_equal(i.at->parameter_count, 2);
    assert_int_equal(e->length, 3);
    assert_true(e->values[0] == 1 && e->values[1] == 2 && e->values[2] == 3);
    assert_false(e->structural);
    assert_int_equal(parameter_of(i.at, "N")->length, 0);
    assert_true(parameter_of(i.at, "N")->structural);
    assert_int_equal(i.at->group_count, 3);
    const lv_group_info *q = &i.at->groups[2];
    assert_string_equal(q->name, "q");
    assert_int_equal(q->length, 3);
    assert_true(q->is_family);
    assert_int_equal(q->count, 2);
    assert_int_equal(i.at->groups[0].length, 0);
    assert_false(i.at->groups[1].is_family);
    inspected_free(&i);
}

/* ---- masses and constraints --------------------------------------------------------------- */

static lv_mass_kind mass_of(const char *kinetic, int *rank)
{
    char text[400];
    snprintf(text, sizeof text,
             "[parameters]\nm = 2\n[coordinates]\nx = { value = 0.5, velocity = 1 }\n"
             "y = { value = 2, velocity = 1 }\n[energy]\nkinetic = \"%s\"\n",
             kinetic);
    inspected i = inspect_text(text);
    lv_mass_kind kind = i.at->mass;
    *rank = i.at->mass_rank;
    inspected_free(&i);
    return kind;
}

static void mass_matrices_are_constant_varying_or_singular(void **state)
{
    static const struct {
        const char *kinetic;
        lv_mass_kind kind;
        int rank;
    } cases[] = {
        {"m/2*(x'^2 + 3*y'^2)", LV_MASS_CONSTANT, 2},
        {"m/2*(x' + y')^2 + y'^2", LV_MASS_CONSTANT, 2},
        {"x'^2*1e-12 + y'^2*1e12", LV_MASS_CONSTANT, 2}, /* units do not matter */
        {"x'^2 + y'^2*(1 + x^2)", LV_MASS_VARYING, 2},
        {"x'^2*(2 + sin(t)) + y'^2", LV_MASS_VARYING, 2},
        {"x'^2 + y'^4", LV_MASS_VARYING, 2},
        {"m/2*(x' + y')^2", LV_MASS_SINGULAR, 1},
        {"x'^2 + y", LV_MASS_SINGULAR, 1},
        {"x'^2 + (y - 2)*y'^2", LV_MASS_SINGULAR, 1},
        {"x' + y'", LV_MASS_SINGULAR, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int rank = -2;
        lv_mass_kind kind = mass_of(cases[k].kinetic, &rank);
        if (kind != cases[k].kind || rank != cases[k].rank)
            fail_msg("%s: %s of rank %d", cases[k].kinetic, lv_mass_kind_name(kind),
                     rank);
    }
}

static void redundant_constraints_do_not_take_freedom(void **state)
{
    (void)state;
    inspected i =
        inspect_text(MASS "[constraints.a]\nholonomic = \"x^2 + y^2 - 1\"\n"
                          "[constraints.b]\nholonomic = \"(x^2 + y^2 - 1)*1e6\"\n"
                          "[constraints.c]\nnonholonomic = \"x*x' + y*y'\"\n");
    assert_int_equal(i.at->holonomic, 2);
    assert_int_equal(i.at->nonholonomic, 1);
    assert_int_equal(i.at->constraint_rank, 1);
    assert_int_equal(i.at->freedom, 1);
    inspected_free(&i);
    i = inspect_text(MASS "[constraints.a]\nholonomic = \"x^2 + y^2 - 1\"\n"
                          "[constraints.c]\nnonholonomic = \"x'*y' + x\"\n");
    assert_int_equal(i.at->constraint_rank, 2);
    assert_int_equal(i.at->freedom, 0);
    inspected_free(&i);
}

static void residuals_name_the_worst_row(void **state)
{
    (void)state;
    inspected i =
        inspect_text("[coordinates]\n"
                     "q = { count = 4, value = \"i\", velocity = \"i^2\" }\n"
                     "[energy.q]\nfor = \"i = 1..4\"\nkinetic = \"q_i'^2\"\n"
                     "[constraints.c]\nfor = \"k = 1..4\"\n"
                     "holonomic = [\"q_k - k\", \"(q_k - 3)*0.5\"]\n"
                     "[constraints.roll]\nnonholonomic = \"q_1' - q_2' + t\"\n");
    assert_close(i.at->position_residual, 1, 1e-15);
    assert_string_equal(i.at->position_worst, "c[2] (k = 1)");
    assert_close(i.at->velocity_residual, 16, 1e-15);
    assert_string_equal(i.at->velocity_worst, "c[1] (k = 4)");
    assert_close(i.at->nonholonomic_residual, 3, 1e-15);
    assert_string_equal(i.at->nonholonomic_worst, "roll");
    inspected_free(&i);
}

/* d/dt g = g_q v + g_t */
static void hidden_residuals_know_explicit_time(void **state)
{
    (void)state;
    inspected i =
        inspect_text(MASS "[constraints.a]\nholonomic = \"x*y - 0.48 + sin(3*t)\"\n");
    assert_close(i.at->position_residual, 0, 1e-15);
    assert_close(i.at->velocity_residual, 0.5 * 0.8 - 0.25 * 0.6 + 3, 1e-15);
    inspected_free(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(primes_of_definitions_give_the_polar_kinetic_energy),
        RUN(primes_know_explicit_time),
        RUN(a_lagrangian_has_the_energy_of_its_parts),
        RUN(gyroscopic_terms_have_no_energy),
        RUN(momenta_are_those_of_the_sources),
        RUN(degrees_and_invariants_follow_the_theory),
        RUN(frontiers_are_the_largest_quadratic_parts),
        RUN(velocity_constraints_are_linear_affine_or_nonlinear),
        RUN(terms_say_what_they_are),
        RUN(parameters_and_groups_are_listed),
        RUN(mass_matrices_are_constant_varying_or_singular),
        RUN(redundant_constraints_do_not_take_freedom),
        RUN(residuals_name_the_worst_row),
        RUN(hidden_residuals_know_explicit_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
