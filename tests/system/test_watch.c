/* What is watched at a node, against closed forms: energies, residuals, momentum maps, in every way in which they
 * can be evaluated. */
#include "symmetries.h"

#include "system/system.h"

static lv_system *system_of(const lv_model *model)
{
    lv_error err;
    lv_system *system = NULL;
    if (lv_system_create(&system, model, &err) != LV_OK)
        fail_with(&err);
    return system;
}

/* Those that are watched often may be watched by a program. */
static void watch_often(lv_system *system, bool program)
{
    assert_int_equal(lv_system_watch_often(system, NULL), LV_OK);
    assert_int_equal(system->watcher != NULL, program);
}

/* ---- energies ---------------------------------------------------------------------------- */

typedef struct energies {
    const char *text;
    double kinetic, potential, energy; /* at the start */
} energies;

#define TWO                                                                              \
    "[coordinates]\nx = { value = 2, velocity = 3 }\ny = { value = 5, velocity = -7 }\n" \
    "[energy.e]\n"

static void energies_are_those_of_the_formulas(void **state)
{
    static const energies cases[] = {
        {TWO "kinetic = \"2*x'^2 + y'^2/2 + x'*y'\"\npotential = \"x*y\"\n",
         18 + 24.5 - 21, 10, 31.5},
        /* a part of the kinetic energy without velocities stays one */
        {TWO "kinetic = \"2*x'^2 + y'^2/2 + 4*x\"\npotential = \"x*y\"\n", 50.5, 10,
         42.5 + 2},
        {TWO "kinetic = \"2*x'^2 + y'^2/2\"\nlagrangian = \"-x*y\"\n", 42.5, 0, 52.5},
        {TWO "kinetic = \"x^2*x'^2 + y'^2/2\"\npotential = \"x*y\"\n", 60.5, 10, 70.5},
        {TWO "kinetic = \"2*x'^2 + y'^2/2\"\nlagrangian = \"6*x*y'\"\n", 42.5, 0, 42.5},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const energies *c = &cases[k];
        lv_model *m = read_text(c->text);
        lv_system *s = system_of(m);
        double p[2];
        lv_watch w;
        lv_system_momentum(s, p, 0, m->start_q, m->start_v);
        for (int often = 0; often < 2; often++) {
            if (often)
                watch_often(s, true);
            lv_system_watch(s, &w, 0, m->start_q, m->start_v, p);
            assert_close(w.kinetic, c->kinetic, 1e-14);
            assert_close(w.potential, c->potential, 1e-14);
            assert_close(w.energy, c->energy, 1e-14);
        }
        lv_system_free(s);
        lv_model_free(m);
    }
}

/* p . v - L with momenta that do not belong to the velocities. */
static void energies_take_the_momenta_as_they_are(void **state)
{
    lv_model *m = read_text("[coordinates]\nx = 2\n[energy]\nkinetic = \"x^2*x'^2/2\"\n");
    lv_system *s = system_of(m);
    const double q = 2, v = 3, p = 7;
    lv_watch w;
    (void)state;
    for (int often = 0; often < 2; often++) {
        if (often)
            watch_often(s, true);
        lv_system_watch(s, &w, 0, &q, &v, &p);
        assert_close(w.energy, 7 * 3 - 4 * 9 / 2.0, 1e-15);
        assert_close(w.size, 7 * 3 + 4 * 9 / 2.0, 1e-15);
        assert_close(w.lever, 7 * 2, 0);
    }
    lv_system_free(s);
    lv_model_free(m);
}

/* Families around one and several blocks of lanes; the last block may have lanes to spare. */
static void sums_over_families_count_every_instance_once(void **state)
{
    static const int sizes[] = {1, 2, 3, 7, 8, 9, 16, 17, 43};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int n = sizes[k];
        char text[400];
        (void)snprintf(text, sizeof text,
                       "[coordinates]\nq = { count = %d, value = \"i\", velocity = 2 }\n"
                       "[energy.e]\nfor = \"i = 1..%d\"\nkinetic = \"i*q_i^2*q_i'^2\"\n"
                       "potential = \"q_i^2\"\n",
                       n, n);
        lv_model *m = read_text(text);
        lv_system *s = system_of(m);
        double p[43], kinetic = 0, potential = 0;
        lv_watch w;
        for (int i = 1; i <= n; i++) {
            kinetic += 4.0 * i * i * i;
            potential += (double)i * i;
        }
        lv_system_momentum(s, p, 0, m->start_q, m->start_v);
        for (int again = 0; again < 4; again++) { /* nothing is left of the first time */
            if (again == 2)
                watch_often(s, true);
            lv_system_watch(s, &w, 0, m->start_q, m->start_v, p);
            assert_close(w.kinetic, kinetic, 1e-14);
            assert_close(w.potential, potential, 1e-14);
            assert_close(w.energy, kinetic + potential, 1e-14);
        }
        lv_system_free(s);
        lv_model_free(m);
    }
}

/* ---- residuals ---------------------------------------------------------------------------- */

static void residuals_are_the_largest_of_all_rows(void **state)
{
    lv_model *m = read_text("[coordinates]\nq = { count = 11, value = 1, velocity = 1 }\n"
                            "[energy.e]\nfor = \"i = 1..11\"\nkinetic = \"q_i'^2/2\"\n"
                            "[constraints.c]\nfor = \"i = 1..10\"\n"
                            "holonomic = \"q_i^2 - q_{i+1}^2\"\n");
    lv_system *s = system_of(m);
    double q[11], v[11];
    lv_watch w;
    (void)state;
    for (int i = 0; i < 11; i++)
        q[i] = v[i] = 1;
    q[6] = 3; /* in rows 5 and 6, with 1 - 9 and 9 - 1 */
    v[10] = -4;
    for (int often = 0; often < 2; often++) {
        if (often)
            watch_often(s, true);
        lv_system_watch(s, &w, 0, q, v, v);
        assert_close(w.position, 8, 0);
        assert_close(w.velocity, 10, 0);
        assert_int_equal(lv_system_fastest_row(s, 0, q, v), 9);
        assert_close(w.rolling, 0, 0);
        assert_close(w.constraints[6], 8, 0);
        assert_close(w.rates[9], 10, 0);
        q[3] = INFINITY;
        lv_system_watch(s, &w, 0, q, v, v);
        assert_true(isinf(w.position));
        q[3] = NAN;
        lv_system_watch(s, &w, 0, q, v, v);
        assert_true(isnan(w.position));
        q[3] = 1;
    }
    lv_system_free(s);
    lv_model_free(m);
}

/* ---- momentum maps -------------------------------------------------------------------------- */

#define POINTS                                                                           \
    "[parameters]\nc = 3\n"                                                              \
    "[coordinates]\nx = { value = [2, 5], velocity = [1, 7] }\n"                         \
    "r = { count = 5, value = \"i\", velocity = \"2*i\" }\n"                             \
    "[energy.x]\nkinetic = \"norm2(x')/2\"\n"                                            \
    "[energy.r]\nfor = \"i = 1..5\"\nkinetic = \"r_i'^2/2\"\n"                           \
    "[symmetries.turn]\non = \"x\"\ngenerator = \"[c - x[2], 2*x[1] - c^2*x[2] + "       \
    "x[1]]\"\n"                                                                          \
    "[symmetries.family]\nfor = \"i = 2..5\"\non = \"r_i\"\n"                            \
    "generator = \"i*r_{i-1} + c\"\n"

static const double turn = 1 * (3.0 - 5) + 7 * (2 * 2 - 9 * 5 + 2.0);
static const double family =
    4 * (2 * 1 + 3) + 6 * (3 * 2 + 3) + 8 * (4 * 3 + 3) + 10 * (5 * 4 + 3.0);

static void expect_maps(const char *text, bool planned, const double *expected, int count)
{
    lv_model *m = read_text(text);
    lv_system *s = system_of(m);
    double maps[8];
    assert_true(lv_system_map_count(s) >= count && lv_system_map_count(s) <= 8);
    assert_int_equal(s->maps != NULL, planned);
    lv_system_momentum_maps(s, maps, 2, m->start_q, m->start_v); /* masses are 1 */
    for (int k = 0; k < count; k++)
        assert_close(maps[k], expected[k], 1e-14);
    for (int often = 0; often < 2; often++) {
        lv_watch w;
        if (often)
            watch_often(s, true);
        lv_system_watch(s, &w, 2, m->start_q, m->start_v, m->start_v);
        for (int k = 0; k < count; k++)
            assert_close(w.maps[k], expected[k], 1e-14);
    }
    lv_system_free(s);
    lv_model_free(m);
}

static void affine_generators_need_no_plan(void **state)
{
    const double expected[] = {turn, family};
    (void)state;
    expect_maps(POINTS, false, expected, 2);
}

static void other_generators_have_one(void **state)
{
    const double squares[] = {turn, family, 1 * 4.0 + 7 * 10};
    (void)state;
    expect_maps(POINTS "[symmetries.square]\non = \"x\"\n"
                       "generator = \"[x[1]^2, x[1]*x[2]]\"\n",
                true, squares, 3);
}

/* Found ones stand behind declared ones, whichever way these are evaluated. */
static void found_maps_follow_declared_ones(void **state)
{
    const double expected[] = {1 * 4.0 + 7 * 10, 1, 7, 2 * 7 - 5 * 1};
    (void)state;
    expect_maps("[coordinates]\nx = { value = [2, 5], velocity = [1, 7] }\n"
                "[energy.x]\nkinetic = \"norm2(x')/2\"\n[symmetries.square]\non = \"x\"\n"
                "generator = \"[x[1]^2, x[1]*x[2]]\"\n",
                true, expected, 4);
    expect_maps("[coordinates]\nx = { value = [2, 5], velocity = [1, 7] }\n"
                "[energy.x]\nkinetic = \"norm2(x')/2\"\n",
                false, expected + 1, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(energies_are_those_of_the_formulas),
        RUN(energies_take_the_momenta_as_they_are),
        RUN(sums_over_families_count_every_instance_once),
        RUN(residuals_are_the_largest_of_all_rows),
        RUN(affine_generators_need_no_plan),
        RUN(other_generators_have_one),
        RUN(found_maps_follow_declared_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
