/* Symmetries that terms break which nobody feels where they are tested: they underflow, or saturate. */
#include "symmetries.h"

#define FAR "[coordinates]\nx = -30\ny = 2\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
#define FAR_PAIR                                                                         \
    "[coordinates]\na = [-30, 1, 2]\nb = [40, 2, 0]\n"                                   \
    "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')\"\n"

/* The model with the formula wherever its text has %s. */
static void expect_with(const char *model, const char *formula, const char *expected)
{
    char text[600];
    size_t used = 0;
    for (const char *c = model; *c; c++) {
        const bool hole = c[0] == '%' && c[1] == 's';
        used += (size_t)snprintf(text + used, sizeof text - used, hole ? "%s" : "%.1s",
                                 hole ? formula : c);
        c += hole;
    }
    assert_true(used < sizeof text);
    expect_text(text, expected);
}

static void terms_that_underflow_count(void **state)
{
    static const char *const of_x[] = {"0.4*exp(-x^2/0.05)",
                                       "exp(2000*(x - 1))",
                                       "exp(-1e6*(x - 3)^2)",
                                       "exp(-((x - 1)/1e-3)^2)",
                                       "2^(3000*x)",
                                       "1/(1 + exp(-2000*(x - 1)))",
                                       "log(1 + exp(2000*x))",
                                       "tanh(1e4*(x - 1))",
                                       "1e-300*x",
                                       "(x/1e200)^2",
                                       "(x/1e160)^2*1e-10",
                                       "(1 + x^2)^(-200)",
                                       "(1e-200*x)^3",
                                       "1/cosh(1e3*x)",
                                       "exp(-exp(-x))",
                                       "exp(-exp(-20*x))",
                                       "5 + 1e-30*sin(x)",
                                       "(1 + exp(-x^2))^3",
                                       "atan(1e12*(x - 3))",
                                       "exp(-abs(x)*1e3)",
                                       "(1e9 + exp(-x^2))^2",
                                       "exp(-x^2)*exp(-1e4*x^2)",
                                       "exp(-1e3*sqrt(x^2 + 1))",
                                       "sqrt(1 + exp(-x^2*1e3)) - 1"};
    (void)state;
    for (size_t k = 0; k < sizeof of_x / sizeof *of_x; k++) {
        expect_with(FAR "[energy.v]\npotential = \"%s\"\n", of_x[k], "p_y");
        expect_with(FAR "[energy.v]\nlagrangian = \"y'*(%s)\"\n", of_x[k], "p_y");
        expect_with(FAR "[constraints.c]\nholonomic = \"y - (%s)\"\n", of_x[k], "");
        expect_with(FAR "[forces.f]\non = \"x\"\nforce = \"%s\"\n", of_x[k], "p_y");
    }
}

/* A factor that is lost in a sum is not zero: 1 + tanh(-1e5) */
static void factors_that_saturate_count(void **state)
{
    static const char *const factors[] = {"1 + tanh(1e4*(x - 5))",
                                          "log(1 + exp(1e3*x))",
                                          "exp(-x^2)",
                                          "exp(x) - exp(-x) - 2*sinh(x + 1e-30*y)",
                                          "pi/2 + atan(1e17*x)",

                                          "1/(1 + exp(-1e3*x))"};
    (void)state;
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        expect_with(FAR "[energy.v]\npotential = \"y^2*(%s)\"\n", factors[k], "");
        expect_with(FAR "[forces.f]\non = \"y\"\nforce = \"-y'*(%s)\"\n", factors[k],
                    "p_x");
        expect_with(FAR "[constraints.c]\nnonholonomic = \"x'*(%s) + sin(x)*y'\"\n",
                    factors[k], "");
    }
}

/* In one formula, in several terms, beside forces that cancel. */
static void terms_that_underflow_count_beside_strong_ones(void **state)
{
    (void)state;
    expect_text(FAR_PAIR "[energy.v]\n"
                         "potential = \"1e9*norm2(a - b) + 0.4*exp(-a[1]^2/0.05)\"\n",
                "P_y P_z L_x");
    expect_text(FAR_PAIR
                "[energy.v]\nlagrangian = \"1e9*(a[1]*a'[2] - a[2]*a'[1]) + norm2(b) + "
                "exp(-1e3*a[3]^2)\"\n",
                "L_z");
    expect_text(FAR_PAIR
                "[energy.v]\nlagrangian = \"1e9*(a[1]*a'[2] - a[2]*a'[1]) + norm2(b) + "
                "exp(-1e3*a[1]^2)\"\n",
                "");
    expect_text(FAR_PAIR "[forces.f]\non = \"a\"\nforce = \"b' - a'\"\n"
                         "[forces.g]\non = \"b\"\nforce = \"a' - b'\"\n"
                         "[energy.wall]\npotential = \"exp(-a[1]^2/0.05)\"\n",
                "P_y P_z");
    expect_text(FAR_PAIR "[energy.v]\npotential = \"1e14*(norm(a - b) - 1)^2 + "
                         "1e-3*a[3]\"\n",
                "P_x P_y L_z");
}

/* What is invariant stays so, however small or steep the term. */
static void invariant_terms_that_underflow_keep_their_symmetries(void **state)
{
    static const char *const both[] = {"exp(-norm2(a - b)/0.05)",
                                       "exp(-1e6*(norm(a - b) - 3)^2)",
                                       "tanh(1e5*(norm(a - b) - 1))",
                                       "1/(1 + exp(-2000*(norm(a - b) - 100)))",
                                       "log(1 + exp(1e3*(1 - norm(a - b))))",
                                       "norm2(a - b)^(-150)",
                                       "1e-300*norm(a - b)",
                                       "(norm(a - b)/1e200)^2",
                                       "exp(-1e6*norm2(cross(a - b, a' - b')))",
                                       "(1 + tanh(1e4*(3 - norm(a - b))))*norm2(a - b)"};
    (void)state;
    for (size_t k = 0; k < sizeof both / sizeof *both; k++) {
        expect_with(FAR_PAIR "[energy.v]\nlagrangian = \"%s\"\n", both[k],
                    "P_x P_y P_z L_x L_y L_z");
        expect_with(FAR_PAIR "[forces.f]\non = [\"a\", \"b\"]\n"
                             "force = [\"(%s)*(a - b)\", \"(%s)*(b - a)\"]\n",
                    both[k], "P_x P_y P_z L_x L_y L_z");
    }
    expect_text(FAR_PAIR "[energy.v]\npotential = \"exp(-dot(a, b)^2)\"\n",
                "L_x L_y L_z");
    expect_text(FAR_PAIR "[energy.v]\npotential = \"exp(-1e3*(a[1]^2 + a[2]^2))\"\n",
                "P_z L_z");
    expect_text(FAR_PAIR "[energy.v]\npotential = \"exp(-1e3*a[3])\"\n", "P_x P_y L_z");
    expect_text(FAR_PAIR "[energy.v]\npotential = \"exp(-1e3*(a[1] - b[1])^2)\"\n",
                "P_x P_y P_z L_x");
}

/* Smooth steps whose derivatives cancel once they are saturated. */
static void steps_that_saturate_count(void **state)
{
    static const char *const of_x[] = {
        "cosh(x)/sinh(x)",
        "1e6*(x - 1)/sqrt(1 + 1e12*(x - 1)^2)",
        "(exp(1e3*x) - exp(-1e3*x))/(exp(1e3*x) + exp(-1e3*x))",
        "x + sqrt(x^2 + 1e-12)",
        "sqrt(1 + 1e14*x^2) - 1e7*sqrt(x^2)",
        "exp(1e3*x)/(exp(1e3*x) + exp(-1e3*x))",
        "x^20/(1 + x^20)",
        "1/(1 + 1/x^20)",
        "(1e10*x)^2/(1 + (1e10*x)^2)",
        "exp(-1e3*x)/(1 + exp(-1e3*x))"};
    (void)state;
    for (size_t k = 0; k < sizeof of_x / sizeof *of_x; k++) {
        expect_with(FAR "[energy.v]\npotential = \"%s\"\n", of_x[k], "p_y");
        expect_with(FAR "[constraints.c]\nholonomic = \"y - (%s)\"\n", of_x[k], "");
    }
    expect_text(FAR_PAIR "[energy.v]\npotential = \"1/sqrt(norm2(a - b) + 1e-30) + "
                         "norm(a - b)/sqrt(1e-30 + norm2(a - b))\"\n",
                "P_x P_y P_z L_x L_y L_z");
}

static void functions_of_angles_are_recognised(void **state)
{
    (void)state;
    expect_text("[coordinates]\nr = 2\nphi = 1\n[energy]\n"
                "kinetic = \"((r*cos(phi))'^2 + (r*sin(phi))'^2)/2\"\n"
                "potential = \"exp(-(r*cos(phi))^2 - (r*sin(phi))^2)\"\n",
                "p_phi");
    expect_text("[coordinates]\nu = 3\nphi = 1\n[energy]\n"
                "kinetic = \"u'^2 + phi'^2*(cosh(u)^2 - sinh(u)^2)\"\n",
                "p_u p_phi");
    /* a gate that is passed in a thousandth of a turn */
    expect_text("[coordinates]\ntheta = 0\nr = 1\n[energy]\n"
                "kinetic = \"(r'^2 + r^2*theta'^2)/2\"\n"
                "potential = \"exp(-((theta - 1)/1e-3)^2) + exp(-1e4*r)\"\n",
                "");
    expect_text("[coordinates]\ntheta = 0\n[energy]\nkinetic = \"theta'^2/2\"\n"
                "potential = \"exp(2e4*(cos(theta - 2) - 1))\"\n",
                "");
}

static void families_that_underflow_count(void **state)
{
#define BEADS                                                                            \
    "[parameters]\nN = 50\n[coordinates]\nq = { count = \"N\", value = [\"i\", 0] }\n"   \
    "[energy.masses]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')\"\n"
    (void)state;
    expect_text(BEADS "[energy.repel]\nfor = \"i = 2..N\"\n"
                      "potential = \"exp(-1e4*norm2(q_i - q_{i-1}))\"\n",
                "P_x P_y L");
    expect_text(BEADS "[energy.wall]\nfor = \"i = 1..N\"\n"
                      "potential = \"exp(-1e4*(q_i[2] + 100*i))\"\n",
                "P_x");
    expect_text(BEADS "[energy.one]\nfor = \"i = 1..N\"\n"
                      "potential = \"if(i == 17, exp(-1e4*norm2(q_i)), 0)\"\n",
                "L");
}

/* Zero because parameters are equal is zero. */
static void parameters_that_cancel_are_no_doubt(void **state)
{
    (void)state;
    expect_text("[parameters]\nA = 0.3\nB = 0.3\n" PLANE
                "[energy.v]\npotential = \"(A - B)*x^2 + exp(-1e4*y^2)\"\n",
                "p_x");
    expect_text("[parameters]\nk = 0\n" PLANE
                "[energy.v]\npotential = \"k*exp(-1e4*y^2)\"\n",
                "p_x p_y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(terms_that_underflow_count),
        RUN(factors_that_saturate_count),
        RUN(terms_that_underflow_count_beside_strong_ones),
        RUN(invariant_terms_that_underflow_keep_their_symmetries),
        RUN(steps_that_saturate_count),
        RUN(functions_of_angles_are_recognised),
        RUN(families_that_underflow_count),
        RUN(parameters_that_cancel_are_no_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
