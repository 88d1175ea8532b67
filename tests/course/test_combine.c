/* Linear combinations of vectors of all lengths against sums number by number, and what linear phases leave out. */
#include "../step/matrices.h"

#include "course/combine.h"

enum { MOST = 300, SOURCES = 12 };

static int start[MOST + 1], column[2 * MOST];
static double masses[2 * MOST];

/* Coordinates with a mass each; coupled: two and two have a common block. */
static lv_mass *make_mass(lv_pattern *pattern, int n, bool coupled)
{
    lv_mass *mass = NULL;
    int count = 0;
    for (int i = 0; i < n; i++) {
        const int first = coupled ? i - i % 2 : i, last = coupled ? first + 1 : i;
        for (int j = first; j <= last && j < n; j++) {
            masses[count] = i == j ? 2 + 0.1 * i : 0.3;
            column[count++] = j;
        }
        start[i + 1] = count;
    }
    *pattern = (lv_pattern){.rows = n, .columns = n, .start = start, .column = column};
    assert_int_equal(lv_mass_create(&mass, pattern, NULL, NULL), LV_OK);
    assert_true(lv_mass_factor(mass, masses));
    return mass;
}

static void check(int n, int plain, int inverse, bool coupled)
{
    static double x[SOURCES][MOST];
    double out[MOST], work[MOST], behind[MOST] = {0};
    lv_summand sources[SOURCES];
    lv_pattern pattern;
    lv_mass *mass = make_mass(&pattern, n, coupled);
    for (int k = 0; k < plain + inverse; k++) {
        for (int i = 0; i < n; i++)
            x[k][i] = cos(k + 3 * i);
        sources[k] = (lv_summand){.c = 1 + k, .power = k % 3 - 1, .x = x[k], .atom = -1};
    }
    const lv_combination s = {n, plain, inverse, sources, out};
    lv_combination_weigh(&s, 0.5);
    lv_combination_run(&s, mass, work);
    for (int k = plain; k < plain + inverse; k++)
        for (int i = 0; i < n; i++)
            behind[i] += (1 + k) * pow(0.5, k % 3 - 1) * x[k][i];
    lv_mass_solve(mass, behind);
    for (int i = 0; i < n; i++) {
        double sum = behind[i];
        for (int k = 0; k < plain; k++)
            sum += (1 + k) * pow(0.5, k % 3 - 1) * x[k][i];
        assert_close(out[i], sum, 1e-13);
    }
    lv_mass_free(mass);
}

static void combinations_agree_with_sums(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n += n < 40 ? 1 : 52)
        for (int plain = 0; plain <= 7; plain++)
            for (int inverse = 0; inverse <= 5; inverse++) {
                check(n, plain, inverse, false);
                check(n, plain, inverse, true);
            }
}

/* ---- linear phases ---------------------------------------------------------------------------------------- */

static void compare_residuals(lv_course *c, lv_phase *p)
{
    double expected[4 * MOST_NUMBERS];
    lv_course_run(c, &p->before);
    for (int k = 0; k < p->unknowns; k++)
        memset(p->columns.data[k].value, 0,
               (size_t)p->columns.data[k].size * sizeof(double));
    for (int k = 0; k < p->unknowns; k++) {
        const lv_phase_column *x = &p->columns.data[k];
        const size_t bytes = (size_t)x->size * sizeof(double);
        lv_course_run(c, &p->pass);
        lv_combine(c, &x->residual);
        memcpy(expected, x->residual.out, bytes);
        memset(x->residual.out, 0, bytes);
        lv_course_run(c, &p->pass_at_zero);
        lv_combine(c, &x->residual_at_zero);
        for (int i = 0; i < x->size; i++)
            assert_close(x->residual.out[i], expected[i], 1e-14);
    }
}

/* Does all but products with unknowns. */
static void linear_phases_begin_with_the_residuals_of_zero(void **state)
{
    (void)state;
    int compared = 0, shorter = 0;
    for (int w = 0; w < WAYS; w++) {
        stepping s;
        begin_stepping(&s, &ways[w]);
        lv_course *c = lv_stepper_course(s.stepper);
        perturb(c, s.state.v, 7);
        lv_course_begin(c, 0.3, 0.1);
        for (int p = 1; p <= c->phases.count; p++)
            if (c->phase[p].linear) {
                compare_residuals(c, &c->phase[p]);
                compared++;
                shorter += c->phase[p].pass_at_zero.count < c->phase[p].pass.count;
            }
        end_stepping(&s);
    }
    assert_true(compared > 0 && shorter > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(combinations_agree_with_sums),
        RUN(linear_phases_begin_with_the_residuals_of_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
