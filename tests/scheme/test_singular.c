/* Motions through configurations in which constraints depend on each other: the N-four-bar. Near these the
 * smallest correction that can be computed is rounding, amplified, and multipliers of past steps mislead. */
#include "four_bars.h"

typedef struct passage {
    four_bar_kind kind;
    int count;
    method method;
    double step;
} passage;

static void check(const passage *p, double until, double bound, double energy_bound)
{
    char name[METHOD_NAME];
    lv_error err;
    lv_model *model = four_bar(p->kind, p->count);
    lv_sim *sim = start(model, &p->method, p->step);
    const double begin = lv_sim_energies(sim).total;
    method_name(&p->method, name, sizeof name);
    double energy = 0;
    while (lv_sim_time(sim) < until - p->step / 2) {
        if (lv_sim_step(sim, &err) != LV_OK)
            fail_msg("%s, kind %d, N = %d, step %g: %s", name, (int)p->kind, p->count,
                     p->step, err.text);
        energy = fmax(energy, fabs(lv_sim_energies(sim).total - begin));
    }
    const double height = sin(four_bar_angle(p->kind, p->count, lv_sim_time(sim)));
    for (int i = 0; i <= p->count; i++) {
        const double found = four_bar_height(p->kind, lv_sim_position(sim), i);
        if (!(fabs(found - height) <= bound))
            fail_msg("%s, kind %d, N = %d, step %g: height %d is %.9g, not %.9g", name,
                     (int)p->kind, p->count, p->step, i, found, height);
    }
    if (!(energy <= energy_bound * fabs(begin)))
        fail_msg("%s, kind %d, N = %d, step %g: the energy changes by %.2g of %g", name,
                 (int)p->kind, p->count, p->step, energy, begin);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Steps that once ended within rounding of the line, or beyond it on another branch. */
static void two_stages_pass_the_line(void **state)
{
    (void)state;
    static const passage list[] = {
        {FOUR_BAR_RODS, 8, {"rattle"}, 0.01},  {FOUR_BAR_RODS, 13, {"rattle"}, 0.003},
        {FOUR_BAR_BARS, 8, {"rattle"}, 0.01},  {FOUR_BAR_BARS, 3, {"rattle"}, 0.003},
        {FOUR_BAR_BARS, 40, {"rattle"}, 0.01},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        check(&list[k], 10, 0.1, 5e-3);
}

static void stages_pass_the_line(void **state)
{
    (void)state;
    static const passage list[] = {
        {FOUR_BAR_RODS, 8, {"lobatto", 3}, 0.02},
        {FOUR_BAR_RODS, 8, {"lobatto", 4}, 0.02},
        {FOUR_BAR_BARS, 8, {"lobatto", 3}, 0.01},
        {FOUR_BAR_BARS, 13, {"lobatto", 3}, 0.003},
        {FOUR_BAR_BARS, 3, {"ansatz"}, 0.005},
        {FOUR_BAR_BARS, 40, {"ansatz"}, 0.01},
        {FOUR_BAR_BARS, 8, {"dpg"}, 0.02},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        check(&list[k], 10, 1e-3, 1e-5);
}

static void discrete_gradients_pass_the_line(void **state)
{
    (void)state;
    static const passage list[] = {
        {FOUR_BAR_PARTICLES, 8, {"em"}, 0.003}, {FOUR_BAR_PARTICLES, 2, {"em"}, 0.003},
        {FOUR_BAR_BARS, 40, {"em"}, 0.01},      {FOUR_BAR_BARS, 13, {"em"}, 0.003},
        {FOUR_BAR_BARS, 40, {"em-g"}, 0.01},    {FOUR_BAR_BARS, 40, {"livens"}, 0.01},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        check(&list[k], 10, 0.1, 1e-10);
}

/* Near the line the split of the multipliers between the ends of a step is hardly determined: what disturbs it must not
 * stay in the momenta. */
static void variational_schemes_pass_the_line(void **state)
{
    (void)state;
    static const passage second[] = {
        {FOUR_BAR_BARS, 2, {"vi-b2"}, 0.003}, {FOUR_BAR_BARS, 9, {"vi-b2"}, 0.01},
        {FOUR_BAR_RODS, 5, {"vi-b2"}, 0.01},  {FOUR_BAR_RODS, 8, {"vi-b2"}, 0.01},
        {FOUR_BAR_RODS, 8, {"vi-b2"}, 0.003}, {FOUR_BAR_PARTICLES, 1, {"vi-b2"}, 0.003}};
    static const passage first[] = {{FOUR_BAR_BARS, 2, {"vi-b"}, 0.003},
                                    {FOUR_BAR_BARS, 8, {"vi-b"}, 0.01},
                                    {FOUR_BAR_RODS, 5, {"vi-b"}, 0.01},
                                    {FOUR_BAR_PARTICLES, 1, {"vi-b"}, 0.003},
                                    {FOUR_BAR_PARTICLES, 1, {"vi-b"}, 0.001}};
    for (size_t k = 0; k < sizeof second / sizeof *second; k++)
        check(&second[k], 10, 0.1, 5e-3);
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        check(&first[k], 10, 0.3, 0.06);
}

/* A closed polygon of directions a, b, -c turns past a = b = c = 0, where the gradient of x vanishes as a whole, at a
 * distance of eps. Nothing pulls: a = c = 0.5 + eps - t and b = 0, without multipliers. */
static const char polygon[] =
    "[parameters]\neps = 0\n"
    "[coordinates]\na = { value = \"0.5 + eps\", velocity = -1 }\nb = 0\n"
    "c = { value = \"0.5 + eps\", velocity = -1 }\n"
    "[energy]\nkinetic = \"(a'^2 + b'^2 + c'^2)/2\"\npotential = \"0\"\n"
    "[constraints]\nx = { holonomic = \"cos(a) + 2*cos(b) - cos(c) - 2\" }\n"
    "y = { holonomic = \"sin(a) + 2*sin(b) - sin(c)\" }\n";

static void turn_past(const method *m, const char *eps)
{
    const lv_setting set = {"eps", eps};
    lv_error err;
    lv_model *model = read_with(polygon, &set, 1);
    lv_sim *sim = start(model, m, 0.01);
    const double *q = lv_sim_position(sim), begin = q[0];
    for (int i = 0; i < 100; i++) {
        double lambda[2];
        if (lv_sim_step(sim, &err) != LV_OK ||
            lv_sim_multipliers(sim, lambda, &err) != LV_OK)
            fail_msg("%s, eps = %s: %s", m->scheme, eps, err.text);
        q = lv_sim_position(sim);
        const double angle = begin - lv_sim_time(sim);
        const double off = fmax(fabs(q[0] - angle), fmax(fabs(q[1]), fabs(q[2] - angle)));
        const double energy = fabs(lv_sim_energies(sim).total - 1);
        const double most = fmax(fabs(lambda[0]), fabs(lambda[1]));
        if (!(off <= 1e-9 && energy <= 1e-9 && most <= 1e-2))
            fail_msg("%s, eps = %s, t = %g: off by %g, energy by %g, lambda %g",
                     m->scheme, eps, lv_sim_time(sim), off, energy, most);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

static void a_gradient_that_vanishes_is_passed(void **state)
{
    static const method methods[] = {{"rattle"}, {"lobatto", 3}, {"lobatto", 4},
                                     {"vi-s"},   {"vi-a"},       {"em"},
                                     {"em-g"},   {"livens"}};
    static const char *const eps[] = {"0",    "1e-14", "-1e-12", "1e-10",
                                      "1e-9", "1e-8",  "-1e-7",  "1e-7",
                                      "1e-6", "1e-5",  "1e-4",   "1e-3"};
    (void)state;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t e = 0; e < sizeof eps / sizeof *eps; e++)
            turn_past(&methods[k], eps[e]);
}

/* Angles are small beside the terms of the constraints, which are rounded: corrections stop shrinking early, long before
 * the gradient vanishes. */
static void rounding_of_terms_larger_than_coordinates_is_passed(void **state)
{
    static const method ansatz = {"ansatz"};
    static const char *const eps[] = {"-1e-7", "1e-7", "1e-6",  "1e-5",
                                      "1e-4",  "1e-3", "-3e-3", "3e-3"};
    (void)state;
    for (size_t e = 0; e < sizeof eps / sizeof *eps; e++)
        turn_past(&ansatz, eps[e]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(two_stages_pass_the_line),
        RUN(stages_pass_the_line),
        RUN(discrete_gradients_pass_the_line),
        RUN(variational_schemes_pass_the_line),
        RUN(a_gradient_that_vanishes_is_passed),
        RUN(rounding_of_terms_larger_than_coordinates_is_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
