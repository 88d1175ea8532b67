/* Derivatives of steps: against differences, and whether they keep the symplectic form. */
#include "../step/stepping.h"

static const double h = 0.05;

/* ---- differences ---------------------------------------------------------------------------------------- */

/* The image of (q, p) + amount * d in one step; velocities follow from momenta, carried multipliers stay. */
static void image(stepping *s, const double *start, const double *l, const double *d,
                  double amount, bool project, double *out)
{
    const int n = s->system->n;
    lv_error err;
    lv_step_report report = {0};
    const size_t rolling = (size_t)(s->system->constraint_count - s->system->m);
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
    for (int k = 0; k < s.system->constraint_count - s.system->m; k++)
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

static void show(const char *what, const way_to_step *way, bool project, double defect)
{
    print_message("    %s, %.24s, family %d, %d stages%s%s: %.2e\n", what, way->model,
                  (int)way->family, way->stages, way->text ? ", pairs" : "",
                  project ? ", projected" : "", defect);
}

static void tangents_agree_with_differences(void **state)
{
    (void)state;
    int wrong = 0;
    for (int k = 0; k < 2 * WAYS; k++) {
        const way_to_step *way = &ways[k / 2];
        const double defect = tangent_defect(way, k % 2 == 1, 5e-4);
        if (!(defect <= 1e-9)) {
            show("tangent", way, k % 2 == 1, defect);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
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
        const double defect = ways[k].not_symplectic ? 0 : form_defect(&ways[k]);
        if (!(defect <= 5e-14)) {
            show("form", &ways[k], true, defect);
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
        RUN(tangents_agree_with_differences),    RUN(symplectic_schemes_keep_the_form),
        RUN(damping_does_not_keep_the_form),     RUN(there_is_none_before_the_first_step),
        RUN(steps_go_on_as_if_nobody_had_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
