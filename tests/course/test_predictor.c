/* Extrapolation of past multipliers. */
#include "check.h"

#include "course/fitted.h"
#include "course/predictor.h"

#include <stdlib.h>

enum { ROWS = 20 };

typedef struct fixture {
    double numbers[1000];
    lv_predictor history;
} fixture;

static fixture *fresh(fixture *f)
{
    f->history = (lv_predictor){ROWS, f->numbers};
    assert_true(lv_predictor_size(ROWS, 0) <=
                (int)(sizeof f->numbers / sizeof *f->numbers));
    lv_predictor_clear(&f->history);
    return f;
}

/* Does one step whose values are `found` in all rows; returns what had been expected. */
static double step(fixture *f, double h, double found)
{
    double expected[ROWS], values[ROWS];
    lv_predictor_begin(&f->history, h);
    lv_predictor_expect(&f->history, expected, 0);
    for (int r = 0; r < ROWS; r++)
        values[r] = found * (r + 1);
    lv_predictor_add(&f->history, values, true, 0);
    assert_close(expected[1], 2 * expected[0], 1e-14);
    return expected[0];
}

static double cubic(double t)
{
    return 3 - 2 * t + t * t - 0.5 * t * t * t;
}

static void nothing_is_expected_at_first(void **state)
{
    fixture f;
    (void)state;
    assert_true(step(fresh(&f), 0.1, 1) == 0);
}

static void polynomials_are_continued(void **state)
{
    fixture f;
    (void)state;
    fresh(&f);
    for (int k = 0; k < 6; k++)
        step(&f, 0.1, cubic(0.1 * k));
    for (int k = 6; k < 40; k++)
        assert_close(step(&f, 0.1, cubic(0.1 * k)), cubic(0.1 * k), 1e-11);
}

/* Noise is magnified by high degrees: the last value is the better guess. */
static void rough_values_are_not_extrapolated(void **state)
{
    fixture f;
    (void)state;
    fresh(&f);
    for (int k = 0; k < 40; k++) {
        double noise = k % 3 == 0 ? 1 : -0.5;
        assert_below(fabs(step(&f, 0.1, 10 + noise)), 16);
    }
}

/* Steps of different sizes: values depend on the size as well. */
static void differences_of_steps_are_eliminated(void **state)
{
    static const double sizes[] = {0.4, 0.3, 0.5, 0.45, 0.25};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    fixture f;
    double t = 0;
    (void)state;
    fresh(&f);
    for (int k = 0; k < 60; k++) {
        const double h = 0.1 * sizes[k % COUNT], found = 2 - t + 0.7 * h;
        const double expected = step(&f, h, found);
        if (k > 3)
            assert_close(expected, found, 1e-12);
        t += h;
    }
}

static void caution_means_the_last_value(void **state)
{
    fixture f;
    double expected[ROWS];
    (void)state;
    fresh(&f);
    for (int k = 0; k < 10; k++)
        step(&f, 0.1, cubic(0.1 * k));
    lv_predictor_begin(&f.history, 0.1);
    lv_predictor_expect(&f.history, expected, 1);
    assert_close(expected[0], cubic(0.9), 1e-14);
}

static void steps_that_are_taken_back_leave_finite_numbers(void **state)
{
    fixture f;
    (void)state;
    fresh(&f);
    for (int k = 0; k < 20; k++) {
        double h = k % 2 == 0 ? 0.1 : -0.1, values[ROWS] = {1}, expected[ROWS];
        lv_predictor_begin(&f.history, h);
        lv_predictor_expect(&f.history, expected, 0);
        assert_true(isfinite(expected[0]));
        lv_predictor_add(&f.history, values, true, 0);
    }
}

/* A checkpoint that another program wrote may hold anything. */
static void numbers_that_make_no_sense_are_forgotten(void **state)
{
    const double odd[] = {-5, 1e300, 14.5, (double)NAN};
    fixture f;
    (void)state;
    for (int k = 0; k < 4; k++) {
        fresh(&f);
        for (int i = 0; i < lv_predictor_size(ROWS, 0); i++)
            f.history.numbers[i] = odd[k];
        assert_true(step(&f, 0.1, 1) == 0);
        assert_close(step(&f, 0.1, 1), 1, 1e-14);
    }
}

/* Few values are moved, many stay where they are: both continue the same. */
static void many_values_are_continued_like_few(void **state)
{
    enum { MANY = 100, STEPS = 90 };
    static double few[40 * ROWS], many[20 * MANY];
    lv_predictor a = {ROWS, few}, b = {MANY, many};
    (void)state;
    lv_predictor_clear(&a);
    lv_predictor_clear(&b);
    double t = 0;
    for (int k = 0; k < STEPS; k++) {
        double expected[ROWS], found[MANY], expected_of_many[MANY];
        const double h = k / 30 == 1 ? 0.02 * (1 + k % 3) : 0.05;
        lv_predictor_begin(&a, h);
        lv_predictor_begin(&b, h);
        lv_predictor_expect(&a, expected, 0);
        lv_predictor_expect(&b, expected_of_many, 0);
        for (int r = 0; r < MANY; r++)
            found[r] = cubic(t) * (1 + r % ROWS) + 1e-3 * sin(5 * t + r % ROWS);
        for (int r = 0; r < MANY; r++)
            assert_close(expected_of_many[r], expected[r % ROWS], 1e-10);
        lv_predictor_add(&a, found, false, 0);
        lv_predictor_add(&b, found, false, 0);
        t += h;
    }
}

/* Adds values without choosing the prediction again, as most steps do. */
static double step_on(fixture *f, double h, double found)
{
    double expected[ROWS], values[ROWS];
    lv_predictor_begin(&f->history, h);
    lv_predictor_expect(&f->history, expected, 0);
    for (int r = 0; r < ROWS; r++)
        values[r] = found * (r + 1);
    lv_predictor_add(&f->history, values, false, 0);
    return expected[0];
}

/* Past values may be sorted at any time, as they are before they are written to a file.
 * Sorted numbers do not tell when they were sorted before. */
static void sorted_values_are_continued_the_same(void **state)
{
    fixture f, g, sorted;
    (void)state;
    fresh(&f);
    fresh(&g);
    for (int k = 0; k < 100; k++) {
        double (*const take)(fixture *, double, double) = k % 20 < 17 ? step_on : step;
        const double t = 0.05 * k;
        assert_true(take(&f, 0.05, sin(t)) == take(&g, 0.05, sin(t)));
        memcpy(sorted.numbers, f.numbers, sizeof sorted.numbers);
        lv_predictor_sort(sorted.numbers, ROWS);
        lv_predictor_sort(g.history.numbers, ROWS);
        assert_memory_equal(sorted.numbers, g.numbers,
                            (size_t)lv_predictor_size(ROWS, 0) * sizeof *f.numbers);
    }
}

/* ---- fitted weights ---------------------------------------------------------------- */

/* Two stages in each of two substeps. */
enum { STAGE = 40, BOTH = 2 * STAGE, SUBSTEPS = 2 };

typedef struct composed {
    double *numbers, *work;
    lv_predictor predictor;
} composed;

static const lv_past_column two_stages[] = {{0, STAGE, 0}, {STAGE, STAGE, 0}};

static void start_composed(composed *c, bool fits)
{
    const int size = lv_predictor_size(BOTH, 2);
    c->numbers = calloc((size_t)(SUBSTEPS * size), sizeof *c->numbers);
    c->work = calloc(LV_FITTED_WORK, sizeof *c->work);
    assert_non_null(c->numbers);
    assert_non_null(c->work);
    c->predictor = (lv_predictor){.m = BOTH,
                                  .numbers = c->numbers,
                                  .columns = two_stages,
                                  .column_count = fits ? 2 : 0,
                                  .substeps = SUBSTEPS,
                                  .apart = size,
                                  .work = c->work};
}

static void end_composed(composed *c)
{
    free(c->numbers);
    free(c->work);
}

/* A row oscillates with three frequencies, with its own amplitudes and phases. */
static double oscillation(double t, int row)
{
    static const double frequency[] = {0.3, 0.8, 1.3};
    double sum = 1;
    for (int k = 0; k < 3; k++)
        sum += (1 + row % (3 + k)) * sin(frequency[k] * t + 1.7 * row + k);
    return sum;
}

/* Predicts step n of a substep, adds its values, and returns the largest error. Every
 * step counts as missed. */
static double substep(composed *c, int n, int number)
{
    double expected[BOTH], found[BOTH], error = 0;
    lv_predictor *p = &c->predictor;
    p->substep = number;
    p->numbers = c->numbers + number * p->apart;
    for (int r = 0; r < BOTH; r++)
        found[r] = oscillation(n + 0.5 * number + 0.2 * (r / STAGE), r % STAGE) *
                   (number == 0 ? 1 : 1.5);
    lv_predictor_begin(p, 0.1);
    lv_predictor_expect(p, expected, 0);
    for (int r = 0; r < BOTH; r++)
        error = fmax(error, fabs(expected[r] - found[r]));
    lv_predictor_add(p, found, true, error);
    return error;
}

/* A step is a fifth of the shortest period. */
static void oscillations_are_continued_by_fitted_weights(void **state)
{
    composed fitted, polynomial;
    double worst = 0, usual = HUGE_VAL;
    (void)state;
    start_composed(&fitted, true);
    start_composed(&polynomial, false);
    for (int n = 0; n < 200; n++)
        for (int k = 0; k < SUBSTEPS; k++) {
            const double error = substep(&fitted, n, k),
                         other = substep(&polynomial, n, k);
            if (n > 40) {
                worst = fmax(worst, error);
                usual = fmin(usual, other);
            }
        }
    assert_below(worst, 1e-6);
    assert_true(usual > 1e-3);
    end_composed(&fitted);
    end_composed(&polynomial);
}

/* Weights belong to one size of step. */
static void fitted_weights_are_forgotten_with_the_step_size(void **state)
{
    composed c;
    (void)state;
    start_composed(&c, true);
    for (int n = 0; n < 60; n++)
        for (int k = 0; k < SUBSTEPS; k++)
            (void)substep(&c, n, k);
    assert_true(c.predictor.numbers[LV_PAST_FITTED] == 2);
    const double values[BOTH] = {0};
    lv_predictor_begin(&c.predictor, 0.05);
    lv_predictor_add(&c.predictor, values, false, 0);
    assert_true(c.predictor.numbers[LV_PAST_FITTED] == 0);
    end_composed(&c);
}

/* Memory of another substep that makes no sense is not used. */
static void damaged_substeps_are_not_used(void **state)
{
    composed c;
    double expected[BOTH];
    (void)state;
    start_composed(&c, true);
    for (int n = 0; n < 60; n++)
        for (int k = 0; k < SUBSTEPS; k++)
            (void)substep(&c, n, k);
    c.numbers[LV_PAST_NEWEST] = 1e9;
    lv_predictor_begin(&c.predictor, 0.1);
    lv_predictor_expect(&c.predictor, expected, 0);
    for (int r = 0; r < BOTH; r++)
        assert_true(isfinite(expected[r]));
    end_composed(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(nothing_is_expected_at_first),
        RUN(polynomials_are_continued),
        RUN(rough_values_are_not_extrapolated),
        RUN(differences_of_steps_are_eliminated),
        RUN(caution_means_the_last_value),
        RUN(steps_that_are_taken_back_leave_finite_numbers),
        RUN(numbers_that_make_no_sense_are_forgotten),
        RUN(sorted_values_are_continued_the_same),
        RUN(many_values_are_continued_like_few),
        RUN(oscillations_are_continued_by_fitted_weights),
        RUN(fitted_weights_are_forgotten_with_the_step_size),
        RUN(damaged_substeps_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
