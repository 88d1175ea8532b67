/* Derivatives of steps: against differences, and whether they keep the symplectic form. */
#include "stepping.h"

#include <stdlib.h>

#define FAMILY(model, family, stages)                                                    \
    {                                                                                    \
        model, LV_FAMILY_##family, stages, -1, LV_CLOSURE_C                              \
    }
#define SERIES(model, closure, stages, coefficients)                                     \
    {                                                                                    \
        model, LV_FAMILY_GAUSS, stages, coefficients, LV_CLOSURE_##closure, true         \
    }
#define SMOOTH(model, closure, stages, coefficients)                                     \
    {                                                                                    \
        model, LV_FAMILY_GAUSS, stages, coefficients, LV_CLOSURE_##closure               \
    }

/* Discrete gradients, which have two ends. */
static const char pairs[] = "carried q point, p momentum, v tangent\n"
                            "unknown V tangent, y multiplier g\n"
                            "point q1 at 1 = q + h V\n"
                            "let K = DgT(q, q1; y) - DV(q, q1) + f(q1, V)\n"
                            "eq V: M(V) - p - 1/2 h K\n"
                            "eq y: g(q1)\n"
                            "assign q <- q1\n"
                            "assign p <- p + h K\n"
                            "assign v <- 2 V - v\n";
#define PAIRS(model)                                                                     \
    {                                                                                    \
        model, LV_FAMILY_GAUSS, 1, -1, LV_CLOSURE_C, false, pairs                        \
    }

static const way_to_step ways[] = {
    FAMILY(oscillators, LOBATTO, 2),
    FAMILY(oscillators, LOBATTO, 4),
    FAMILY(oscillators, GAUSS, 1),
    FAMILY(oscillators, GAUSS, 3),
    FAMILY(oscillators, RADAU, 2),
    FAMILY(varying, LOBATTO, 2),
    FAMILY(varying, LOBATTO, 3),
    FAMILY(varying, GAUSS, 2),
    FAMILY("torus", LOBATTO, 2),
    FAMILY("torus", LOBATTO, 3),
    FAMILY("torus", LOBATTO, 5),
    FAMILY("pendulum-cartesian", LOBATTO, 2),
    FAMILY(quartic_varying, LOBATTO, 2),
    FAMILY(quartic_varying, LOBATTO, 3),
    FAMILY("four-particles", LOBATTO, 2),
    FAMILY("four-particles", LOBATTO, 3),
    SMOOTH("torus", LR, 3, 1),
    SERIES("torus", LR, 3, 1),
    SERIES("torus", RL, 4, 2),
    SERIES("pendulum-cartesian", C, 3, 1),
    SERIES(oscillators, LR, 3, 0),
    SMOOTH("torus", RL, 3, 1),
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Not symplectic: forces of velocities, time, nonholonomic constraints. */
static const way_to_step others[] = {
    PAIRS("torus"),
    PAIRS(oscillators),
    PAIRS(damped),
    PAIRS("four-particles"),
    FAMILY(damped, LOBATTO, 2),
    FAMILY(damped, LOBATTO, 3),
    FAMILY(damped, GAUSS, 2),
    FAMILY(driven, LOBATTO, 3),
    FAMILY("rheonomic-pendulum", LOBATTO, 3),
    FAMILY("nonholonomic-particle", LOBATTO, 2),
    FAMILY("nonholonomic-particle", LOBATTO, 3),
    FAMILY(both, LOBATTO, 2),
    FAMILY(both, LOBATTO, 3),
    FAMILY("full-feature", LOBATTO, 2),
    FAMILY("full-feature", LOBATTO, 3),
};
enum { OTHERS = sizeof others / sizeof *others };

static const double h = 0.05;

/* ---- differences ---------------------------------------------------------------------------------------- */

/* The image of (q, p) + amount * d in one step; velocities follow from momenta, carried multipliers stay. */
static void image(stepping *s, const double *start, const double *l, const double *d,
                  double amount, bool project, double *out)
{
    const int n = s->system->n;
    lv_error err;
    lv_step_report report = {0};
    const size_t rolling = (size_t)(s->system->rates - s->system->m);
    lv_stepper_forget(s->stepper);
    for (int i = 0; i < n; i++) {
        s->state.q[i] = start[i] + amount * d[i];
        s->state.p[i] = start[n + i] + amount * d[n + i];
        s->state.v[i] = start[2 * n + i];
    }
    s->state.t = 0.3;
    if (lv_system_velocity(s->system, s->state.v, 0.3, s->state.q, s->state.p, &err) !=
        LV_OK)
        fail_with(&err);
    if (rolling > 0) { /* as if there had been a step */
        lv_stepper_memory(s->stepper).numbers[0] = 1;
        memcpy(lv_stepper_carried(s->stepper, "l"), l, rolling * sizeof *l);
    }
    if (lv_stepper_step(s->stepper, &s->state, h, project, &report, &err) != LV_OK)
        fail_with(&err);
    memcpy(out, s->state.q, (size_t)n * sizeof *out);
    memcpy(out + n, s->state.p, (size_t)n * sizeof *out);
}

/* The largest difference to differences of sixth order along one direction, relative to the size of the image. */
static double defect_along(stepping *s, const double *start, const double *l,
                           const double *matrix, const double *d, bool project,
                           double spread)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const int n = s->system->n;
    double up[2 * MOST_NUMBERS], down[2 * MOST_NUMBERS], slope[2 * MOST_NUMBERS] = {0};
    double size = 1, worst = 0;
    for (int k = 1; k <= 3; k++) {
        image(s, start, l, d, k * spread, project, up);
        image(s, start, l, d, -k * spread, project, down);
        for (int i = 0; i < 2 * n; i++)
            slope[i] += weights[k - 1] * (up[i] - down[i]) / spread;
    }
    for (int i = 0; i < 2 * n; i++) {
        double sum = 0;
        for (int j = 0; j < 2 * n; j++)
            sum += matrix[i * 2 * n + j] * d[j];
        size = fmax(size, fabs(slope[i]));
        worst = fmax(worst, fabs(sum - slope[i]));
    }
    return worst / size;
}

static double scattered(int k, int salt)
{
    return sin(1.7 * k + 2.3 * salt + 0.4 + 0.1 * k * k);
}

static double tangent_defect(const way_to_step *way, bool project, double spread)
{
    stepping s;
    lv_error err;
    double start[3 * MOST_NUMBERS], l[MOST_NUMBERS] = {0}, unused[2 * MOST_NUMBERS];
    static double matrix[4 * MOST_NUMBERS * MOST_NUMBERS];
    begin_stepping(&s, way);
    const int n = s.system->n;
    memcpy(start, s.state.q, (size_t)n * sizeof *start);
    memcpy(start + n, s.state.p, (size_t)n * sizeof *start);
    memcpy(start + 2 * n, s.state.v, (size_t)n * sizeof *start);
    for (int k = 0; k < s.system->rates - s.system->m; k++)
        l[k] = 0.3 + 0.1 * k;
    const double none[2 * MOST_NUMBERS] = {0};
    image(&s, start, l, none, 0, project, unused);
    if (lv_stepper_tangent(s.stepper, matrix, &err) != LV_OK)
        fail_with(&err);
    double worst = 0;
    for (int salt = 0; salt < 4; salt++) {
        double d[2 * MOST_NUMBERS];
        for (int k = 0; k < 2 * n; k++)
            d[k] = scattered(k, salt);
        worst = fmax(worst, defect_along(&s, start, l, matrix, d, project, spread));
    }
    end_stepping(&s);
    return worst;
}

static int compare(const way_to_step *list, int count, double tolerance)
{
    int wrong = 0;
    for (int k = 0; k < count; k++)
        for (int project = 0; project < 2; project++) {
            const double defect = tangent_defect(&list[k], project == 1, 5e-4);
            if (getenv("LIVENS_TEST_SHOW"))
                print_message("%.24s family %d stages %d: %.1e\n", list[k].model,
                              (int)list[k].family, list[k].stages, defect);
            if (!(defect <= tolerance)) {
                print_error("%.24s, family %d, %d stages, project %d: %.2e\n",
                            list[k].model, (int)list[k].family, list[k].stages, project,
                            defect);
                wrong++;
            }
        }
    return wrong;
}

static void tangents_agree_with_differences(void **state)
{
    (void)state;
    assert_int_equal(compare(ways, WAYS, 1e-9), 0);
}

static void
tangents_of_systems_that_are_not_hamiltonian_agree_with_differences(void **state)
{
    (void)state;
    assert_int_equal(compare(others, OTHERS, 1e-9), 0);
}

/* ---- the symplectic form ------------------------------------------------------------------------------------- */

/* Two directions in the constraint manifold, (q, p) with g = 0 and G v = 0, at the state of the stepping: images of
 * others under the derivative of a step that ends on it. */
static double form_of(const double *a, const double *b, int n, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[n + i] - b[i] * a[n + i];
        *size += fabs(a[i] * b[n + i]) + fabs(b[i] * a[n + i]);
    }
    return sum;
}

static void apply(const double *matrix, int n, const double *d, double *out)
{
    for (int i = 0; i < 2 * n; i++) {
        out[i] = 0;
        for (int j = 0; j < 2 * n; j++)
            out[i] += matrix[i * 2 * n + j] * d[j];
    }
}

static double form_defect(const way_to_step *way)
{
    stepping s;
    lv_error err;
    static double first[4 * MOST_NUMBERS * MOST_NUMBERS],
        second[4 * MOST_NUMBERS * MOST_NUMBERS];
    double tangent[4][2 * MOST_NUMBERS], moved[4][2 * MOST_NUMBERS], worst = 0;
    begin_stepping(&s, way);
    const int n = s.system->n;
    take_step(&s, 0.01, true);
    if (lv_stepper_tangent(s.stepper, first, &err) != LV_OK)
        fail_with(&err);
    take_step(&s, 0.01, true);
    if (lv_stepper_tangent(s.stepper, second, &err) != LV_OK)
        fail_with(&err);
    for (int a = 0; a < 4; a++) {
        double d[2 * MOST_NUMBERS];
        for (int k = 0; k < 2 * n; k++)
            d[k] = scattered(k, a);
        apply(first, n, d, tangent[a]);
        apply(second, n, tangent[a], moved[a]);
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++) {
            double size, after;
            const double before = form_of(tangent[a], tangent[b], n, &size);
            worst =
                fmax(worst, fabs(form_of(moved[a], moved[b], n, &after) - before) / size);
        }
    end_stepping(&s);
    return worst;
}

static void symplectic_schemes_keep_the_form(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < WAYS; k++) {
        const double defect = form_defect(&ways[k]);
        if (getenv("LIVENS_TEST_SHOW"))
            print_message("form %.24s family %d stages %d: %.1e\n", ways[k].model,
                          (int)ways[k].family, ways[k].stages, defect);
        if (!(defect <= (ways[k].coefficients < 0 ? 5e-15 : 5e-14))) {
            print_error("%.24s, family %d, %d stages: %.2e\n", ways[k].model,
                        (int)ways[k].family, ways[k].stages, defect);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* A test that all maps pass would say nothing. */
static void damping_does_not_keep_the_form(void **state)
{
    (void)state;
    const way_to_step way = FAMILY(damped, LOBATTO, 3);
    assert_above(form_defect(&way), 1e-4);
}

static void there_is_none_before_the_first_step(void **state)
{
    (void)state;
    const way_to_step way = FAMILY("torus", LOBATTO, 3);
    stepping s;
    lv_error err;
    double matrix[36];
    begin_stepping(&s, &way);
    assert_int_equal(lv_stepper_tangent(s.stepper, matrix, &err), LV_ERR_USAGE);
    take_step(&s, h, true);
    assert_int_equal(lv_stepper_tangent(s.stepper, matrix, &err), LV_OK);
    lv_stepper_forget(s.stepper);
    assert_int_equal(lv_stepper_tangent(s.stepper, matrix, &err), LV_ERR_USAGE);
    end_stepping(&s);
}

/* To ask for it changes nothing. */
static void steps_go_on_as_if_nobody_had_asked(void **state)
{
    (void)state;
    const way_to_step list[] = {FAMILY("torus", LOBATTO, 3), FAMILY(both, LOBATTO, 2),
                                FAMILY("four-particles", LOBATTO, 2)};
    static double matrix[4 * MOST_NUMBERS * MOST_NUMBERS];
    for (int k = 0; k < 3; k++) {
        stepping s, other;
        lv_error err;
        begin_stepping(&s, &list[k]);
        begin_stepping(&other, &list[k]);
        for (int i = 0; i < 10; i++) {
            take_step(&s, 0.01, true);
            take_step(&other, 0.01, true);
            assert_int_equal(lv_stepper_tangent(s.stepper, matrix, &err), LV_OK);
        }
        assert_memory_equal(s.numbers, other.numbers, sizeof s.numbers);
        end_stepping(&s);
        end_stepping(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(tangents_agree_with_differences),
        RUN(tangents_of_systems_that_are_not_hamiltonian_agree_with_differences),
        RUN(symplectic_schemes_keep_the_form),
        RUN(damping_does_not_keep_the_form),
        RUN(there_is_none_before_the_first_step),
        RUN(steps_go_on_as_if_nobody_had_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
