/* Multipliers near a singular configuration: a parallelogram of two particles on cranks that passes the line of its
 * coupler. By symmetry the coupler is without force, and each crank has lambda = (g y - v^2) / 2 for constraints
 * |r|^2 - 1 in units of length and mass 1. */
#include "../scheme/four_bars.h"

#include "system/determined.h"

/* Two cranks at angles that differ by d, constraints in units a, b, c, lengths in units of 1/u. */
static const char model_text[] =
    "[parameters]\na = 1\nb = 1\nc = 1\nu = 1\ng = 9.81\n"
    "[coordinates]\np = { value = [0, \"u\"] }\nq = { value = [\"u\", \"u\"] }\n"
    "[energy]\nkinetic = \"(norm2(p') + norm2(q'))/2/u^2\"\n"
    "potential = \"g*(p[2] + q[2])/u\"\n"
    "[constraints]\nleft = { holonomic = \"a*(norm2(p)/u^2 - 1)\" }\n"
    "right = { holonomic = \"b*(norm2(q - [u, 0])/u^2 - 1)\" }\n"
    "bar = { holonomic = \"c*(norm2(q - p)/u^2 - 1)\" }\n";

typedef struct units {
    double a, b, c, u;
} units;

typedef struct found {
    double lambda[3]; /* in the units of one */
    int lost;
    lv_near near;
} found;

static lv_system *make_system(lv_model **model, const char *text, const units *by)
{
    char value[4][40];
    lv_error err;
    lv_system *system = NULL;
    const double numbers[] = {by->a, by->b, by->c, by->u};
    const char *const names[] = {"a", "b", "c", "u"};
    lv_setting set[4];
    for (int k = 0; k < 4; k++) {
        snprintf(value[k], sizeof value[k], "%.17g", numbers[k]);
        set[k] = (lv_setting){names[k], value[k]};
    }
    *model = read_with(text, set, 4);
    if (lv_system_create(&system, *model, &err) != LV_OK)
        fail_with(&err);
    return system;
}

/* At the angle, both cranks turning with -w; the right one is d ahead, by what rounding of the bar's constraint
 * allows, and as much faster as its rate then demands. */
static found multipliers_at(lv_system *s, const units *by, double angle, double d)
{
    const double w = -4.5, ahead = angle + d, faster = w - w * d / angle;
    const double q[] = {by->u * cos(angle), by->u * sin(angle), by->u * (1 + cos(ahead)),
                        by->u * sin(ahead)};
    const double v[] = {-by->u * w * sin(angle), by->u * w * cos(angle),
                        -by->u * faster * sin(ahead), by->u * faster * cos(ahead)};
    found f;
    lv_error err;
    if (lv_system_multipliers(s, f.lambda, &f.lost, &f.near, 0, q, v, &err) != LV_OK)
        fail_with(&err);
    f.lambda[0] *= by->a;
    f.lambda[1] *= by->b;
    f.lambda[2] *= by->c;
    return f;
}

static void assert_determined(const found *f, double angle, double bound)
{
    const double expected = (9.81 * sin(angle) - 4.5 * 4.5) / 2;
    assert_true(fabs(f->lambda[0] - expected) <= bound);
    assert_true(fabs(f->lambda[1] - expected) <= bound);
    assert_true(fabs(f->lambda[2]) <= bound);
}

static const units all_units[] = {
    {1, 1, 1, 1}, {1e6, 1, 1, 1}, {1, 1, 1e-6, 1}, {1e-3, 1e3, 1, 1000}, {1, 1, 1, 1e-6}};
enum { UNITS = sizeof all_units / sizeof *all_units };

static void what_rounding_decides_is_left_out_in_any_units(void **state)
{
    (void)state;
    for (int k = 0; k < UNITS; k++) {
        lv_model *model;
        lv_system *s = make_system(&model, model_text, &all_units[k]);
        (void)multipliers_at(s, &all_units[k], 1, 0);
        for (double angle = 3e-5; angle > 1e-9; angle /= 3) {
            const found f = multipliers_at(s, &all_units[k], angle,
                                           fmin(1e-16 / angle, 1e-3 * angle));
            assert_int_equal(f.lost, 1);
            assert_int_equal(f.near.count, 3);
            assert_determined(&f, angle, 0.05);
        }
        lv_system_free(s);
        lv_model_free(model);
    }
}

static void what_is_determined_is_left_alone(void **state)
{
    (void)state;
    for (int k = 0; k < UNITS; k++) {
        lv_model *model;
        lv_system *s = make_system(&model, model_text, &all_units[k]);
        for (double angle = 1; angle > 2e-3; angle /= 2) {
            const found f = multipliers_at(s, &all_units[k], angle, 0);
            assert_int_equal(f.lost, 0);
            assert_determined(&f, angle, 1e-2);
        }
        lv_system_free(s);
        lv_model_free(model);
    }
}

/* A constraint that always follows from the others is no singular configuration. */
static void redundant_constraints_lose_nothing(void **state)
{
    static const units ones = {1, 1, 1, 1};
    char text[2000];
    lv_model *model;
    (void)state;
    snprintf(text, sizeof text,
             "%sagain = { holonomic = \"3*(norm2(q - p)/u^2 - 1)\" }\n", model_text);
    lv_system *s = make_system(&model, text, &ones);
    const double q[] = {cos(1.0), sin(1.0), 1 + cos(1.0), sin(1.0)}, v[4] = {0};
    double lambda[4];
    int lost = -1;
    lv_near near;
    lv_error err;
    if (lv_system_multipliers(s, lambda, &lost, &near, 0, q, v, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(lost, 0);
    lv_system_free(s);
    lv_model_free(model);
}

/* Every row of a run: the determined ones are right, and so are those of least norm, by symmetry. */
static void runs_past_the_line_have_the_right_multipliers(void **state)
{
    static const method methods[] = {{"rattle"}, {"lobatto", 3}, {"em"}};
    (void)state;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_model *model = four_bar(FOUR_BAR_PARTICLES, 1);
        lv_sim *sim = start(model, &methods[k], 0.001);
        for (int i = 0; i < 6000; i++) {
            double lambda[3];
            lv_error err;
            step_once(sim);
            if (lv_sim_multipliers(sim, lambda, &err) != LV_OK)
                fail_with(&err);
            const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
            const double expected = (9.81 * q[1] - v[0] * v[0] - v[1] * v[1]) / 2;
            if (!(fabs(lambda[0] - expected) <= 0.5 &&
                  fabs(lambda[1] - expected) <= 0.5 && fabs(lambda[2]) <= 0.5))
                fail_msg("%s, t = %g: %g %g %g, not %g", methods[k].scheme,
                         lv_sim_time(sim), lambda[0], lambda[1], lambda[2], expected);
        }
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- a gradient that vanishes as a whole ------------------------------------------------------------ */

/* A closed polygon of directions a, b, -c, in which a = c and b = 0. The gradient of `x` vanishes at a = 0. A force -k
 * on a is shared with c: lambda of x is k / (2 sin a) but for its sign, that of y 0. */
static const char polygon_text[] =
    "[parameters]\na = 1\nb = 1\nc = 0\nu = 1\n"
    "[coordinates]\nalpha = { value = 0.5, velocity = -1 }\nbeta = 0\n"
    "gamma = { value = 0.5, velocity = -1 }\n"
    "[energy]\nkinetic = \"u*(alpha'^2 + beta'^2 + gamma'^2)/2\"\n"
    "potential = \"c*alpha\"\n"
    "[constraints]\n"
    "x = { holonomic = \"a*(cos(alpha) + 2*cos(beta) - cos(gamma) - 2)\" }\n"
    "y = { holonomic = \"b*(sin(alpha) + 2*sin(beta) - sin(gamma))\" }\n";

/* The polygon is off by d, which rounding of x does not tell; velocities are tangent to that. */
static found polygon_at(lv_system *s, const units *by, double angle, double d)
{
    const double q[] = {angle, d / 2, angle + d};
    /* -sin(a) a' - 2 sin(b) b' + sin(c) c' = 0 and cos(a) a' + 2 cos(b) b' - cos(c) c' = 0 with a' = -1 */
    const double det = sin(q[1] - q[2]);
    const double v[] = {-1, sin(q[0] - q[2]) / (2 * det), sin(q[0] - q[1]) / det};
    found f;
    lv_error err;
    if (lv_system_multipliers(s, f.lambda, &f.lost, &f.near, 0, q, v, &err) != LV_OK)
        fail_with(&err);
    f.lambda[0] *= by->a;
    f.lambda[1] *= by->b;
    return f;
}

static const units polygon_units[] = {
    {1, 1, 0, 1}, {1e6, 1, 0, 1}, {1, 1e6, 0, 1}, {1e-6, 1, 0, 1}, {1, 1, 0, 1e6}};
enum { POLYGONS = sizeof polygon_units / sizeof *polygon_units };

static void multipliers_of_a_vanishing_gradient_are_left_out(void **state)
{
    (void)state;
    for (int k = 0; k < POLYGONS; k++) {
        const units *by = &polygon_units[k];
        lv_model *model;
        lv_system *s = make_system(&model, polygon_text, by);
        assert_int_equal(polygon_at(s, by, 0.4, 0).lost, 0);
        for (double angle = 1e-5; angle > 1e-13; angle /= 3) {
            char says[200];
            const found f = polygon_at(s, by, angle, fmin(1e-16 / angle, 1e-3 * angle));
            assert_int_equal(f.lost, 1);
            assert_string_equal(lv_near_says(&f.near, s, says, sizeof says),
                                "the gradient of constraint 'x' nearly vanishes");
            assert_true(fabs(f.lambda[0]) <= 1e-6 * by->u);
            assert_true(fabs(f.lambda[1]) <= 1e-6 * by->u);
        }
        lv_system_free(s);
        lv_model_free(model);
    }
}

static void a_small_gradient_has_its_multiplier(void **state)
{
    (void)state;
    for (int k = 0; k < POLYGONS; k++) {
        units by = polygon_units[k];
        lv_model *model;
        by.c = by.u;
        lv_system *s = make_system(&model, polygon_text, &by);
        for (double angle = 0.4; angle > 2e-4; angle /= 2) {
            const found f = polygon_at(s, &by, angle, 0);
            const double expected = by.c / (2 * sin(angle));
            assert_int_equal(f.lost, 0);
            assert_true(fabs(fabs(f.lambda[0]) - expected) <= 1e-2 * expected);
            assert_true(fabs(f.lambda[1]) <= 1e-2 * by.c);
        }
        lv_system_free(s);
        lv_model_free(model);
    }
}

/* Gradients of three rods, which turn and come and go: along axes and between them, whole, small, or nothing. */
enum { RODS = 3 };

static void turn_rods(double *gradients, bool *gone, const double *lengths, int k)
{
    static const double factors[] = {1, 1e-3, 1, 1e-9, 1, 1e-6, 0, 1, -1, 1e-30, 1};
    for (int r = 0; r < RODS; r++) {
        const double factor = factors[(k / 3 + 4 * r) % 11];
        const double angle = k % 2 == 0 ? k + r : 0;
        const double along = 2 * lengths[r] * factor * cos(angle);
        const double across = 2 * lengths[r] * factor * sin(angle);
        const bool swap = k % 5 < 2;
        gradients[2 * r] = swap ? across : along;
        gradients[2 * r + 1] = swap ? along : across;
        gone[r] = fabs(factor) < 1e-8;
    }
}

static void gradients_that_vanish_are_found_wherever_they_point(void **state)
{
    static const char text[] =
        "[coordinates]\np = { value = [1e-3, 0] }\nq = { value = [0, 1] }\n"
        "r = { value = [8e5, 6e5] }\n"
        "[energy]\nkinetic = \"norm2(p')/2 + 2*norm2(q') + 1e-4*norm2(r')\"\n"
        "[constraints]\np = { holonomic = \"norm2(p) - 1e-6\" }\n"
        "q = { holonomic = \"norm2(q) - 1\" }\nr = { holonomic = \"norm2(r) - 1e12\" }\n";
    static const double lengths[RODS] = {1e-3, 1, 1e6};
    (void)state;
    lv_error err;
    lv_system *system = NULL;
    lv_model *model = read_with(text, NULL, 0);
    if (lv_system_create(&system, model, &err) != LV_OK)
        fail_with(&err);
    const lv_pattern *g = lv_plan_pattern(system->dynamics_plan, LV_Q_RATE_V);
    lv_arena arena = {0};
    lv_vanishing vanishing;
    bool rows[RODS] = {false}, expected[RODS];
    lv_gone gone = {rows, 0};
    assert_int_equal(lv_vanishing_init(&vanishing, system, g, &arena, &err), LV_OK);
    for (int k = 0; k < 500; k++) {
        double gradients[2 * RODS];
        turn_rods(gradients, expected, lengths, k);
        lv_vanishing_find(&vanishing, gradients, &gone);
        assert_memory_equal(rows, expected, sizeof rows);
        assert_int_equal(gone.count, expected[0] + expected[1] + expected[2]);
    }
    lv_arena_done(&arena);
    lv_system_free(system);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(what_rounding_decides_is_left_out_in_any_units),
        RUN(what_is_determined_is_left_alone),
        RUN(redundant_constraints_lose_nothing),
        RUN(runs_past_the_line_have_the_right_multipliers),
        RUN(multipliers_of_a_vanishing_gradient_are_left_out),
        RUN(a_small_gradient_has_its_multiplier),
        RUN(gradients_that_vanish_are_found_wherever_they_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
