/* Nonholonomic constraints with Lobatto IIIA-IIIB: digits of the specification "partitioned
 * Runge-Kutta", 9.1 to 9.5, multipliers that are carried, starts, refusals, large systems. */
#include "rolling.h"

/* ---- digits ----------------------------------------------------------------------------------- */

static void multipliers_at_the_start_are_those_of_the_motion(void **state)
{
    (void)state;
    for (int k = 0; k < ROLLING_PROBLEMS; k++) {
        const rolling_problem *p = &rolling_problems[k];
        lv_model *model = read_problem(p);
        lv_sim *sim = start_problem(model, 2, p->step);
        assert_null(sim->scheme->nonholonomic_multipliers(
            sim->work)); /* none before the first step */
        assert_close(motion_lambda(sim), p->start_lambda, 3e-14);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

static bool row_agrees(const rolling_row *r)
{
    const rolling_problem *p = r->problem;
    lv_model *model = read_problem(p);
    lv_sim *sim = start_problem(model, r->stages, p->step);
    double size = fmax(1, largest(r->q, p->n));
    step_times(sim, lround(p->until / p->step));
    double q = distance(lv_sim_position(sim), r->q, p->n) / size;
    double v = r->has_p ? distance(lv_sim_momentum(sim), r->p, p->n) : 0;
    double lambda = fabs(carried_lambda(sim) - r->lambda);
    bool good = q <= 1e-13 && v <= 1e-13 && lambda <= 1e-11;
    print_message("%-22s s=%d  q %.1e  p %.1e  lambda %.1e%s\n", p->name, r->stages, q, v,
                  lambda, good ? "" : " !");
    lv_sim_free(sim);
    lv_model_free(model);
    return good;
}

static void states_agree_step_by_step_with_extended_precision(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof rolling_rows / sizeof *rolling_rows; k++)
        wrong += !row_agrees(&rolling_rows[k]);
    assert_int_equal(wrong, 0);
}

static void fine_steps_reach_exact_solutions(void **state)
{
    (void)state;
    for (int k = 0; k < ROLLING_PROBLEMS; k++) {
        const rolling_problem *p = &rolling_problems[k];
        double multipliers[ROLLING_MOST] = {0}, size = fmax(1, largest(p->q, p->n));
        lv_error err;
        lv_model *model = read_problem(p);
        lv_sim *sim = start_problem(model, 6, p->step / 2);
        step_times(sim, lround(2 * p->until / p->step));
        if (lv_sim_multipliers(sim, multipliers, &err) != LV_OK)
            fail_with(&err);
        double q = distance(lv_sim_position(sim), p->q, p->n) / size;
        double v = distance(lv_sim_momentum(sim), p->p, p->n);
        double lambda = distance(multipliers, p->multipliers, p->known);
        if (!(q < 5e-13 && v < 5e-13 && lambda < 5e-12))
            fail_msg("%s: q %.1e, p %.1e, multipliers %.1e", p->name, q, v, lambda);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* The energy at the end of the chaotic member; and the mean square over all members. */
static double chaotic_energy(const char *member, int stages, int steps)
{
    lv_model *model = read_shipped("chaotic-nonholonomic", "j", member);
    lv_sim *sim = start_problem(model, stages, 0.1);
    assert_close(energy_now(sim), 3.06, 1e-15);
    step_times(sim, steps);
    double change = energy_now(sim) - 3.06;
    lv_sim_free(sim);
    lv_model_free(model);
    return change;
}

static double chaotic_mean_square(int stages, int steps)
{
    double sum = 0;
    for (int j = 0; j <= 40; j++) {
        char member[16];
        snprintf(member, sizeof member, "%d", j);
        sum += pow(chaotic_energy(member, stages, steps), 2) / 41;
    }
    return sum;
}

static void energies_of_the_chaotic_system_are_as_printed(void **state)
{
    (void)state;
    assert_close(chaotic_energy("20", 2, 100), -3.451754e-4, 6e-11);
    assert_close(chaotic_energy("20", 3, 100), 2.570283e-7, 1e-13);
    assert_close(chaotic_energy("20", 4, 100), -5.127971e-10, 3e-14);
    assert_below(fabs(chaotic_mean_square(2, 50) / 2.50199e-6 - 1), 3e-6);
    assert_below(fabs(chaotic_mean_square(2, 100) / 2.45774e-6 - 1), 3e-6);
    assert_below(fabs(chaotic_mean_square(3, 50) / 7.7861e-13 - 1), 1e-5);
    assert_below(fabs(chaotic_mean_square(3, 100) / 5.7017e-13 - 1), 1e-5);
}

/* ---- errors ------------------------------------------------------------------------------------ */

/* 9.1 at the steps 0.2, 0.1, 0.05, 0.025: largest errors of q, p, lambda carried, lambda of the
 * motion (of which only the first and the last are printed). */
typedef struct error_row {
    int stages;
    const char *q[4], *p[4], *carried[4], *motion[4];
} error_row;

static const error_row error_rows[] = {
    {2,
     {"1.302e-2", "3.212e-3", "8.005e-4", "2.000e-4"},
     {"7.166e-3", "1.788e-3", "4.467e-4", "1.117e-4"},
     {"9.349e-3", "2.442e-3", "6.142e-4", "1.538e-4"},
     {"3.116e-3", NULL, NULL, "4.832e-5"}},
    {3,
     {"1.577e-5", "9.831e-7", "6.140e-8", "3.837e-9"},
     {"1.266e-5", "7.891e-7", "4.928e-8", "3.080e-9"},
     {"5.092e-3", "1.275e-3", "3.189e-4", "7.972e-5"},
     {"2.606e-6", NULL, NULL, "6.430e-10"}},
    {4,
     {"9.929e-8", "1.511e-9", "2.347e-11", "3.662e-13"},
     {"9.680e-8", "1.477e-9", "2.296e-11", "3.583e-13"},
     {"5.068e-5", "1.434e-6", "8.718e-8", "5.410e-9"},
     {"1.339e-8", NULL, NULL, "5.080e-14"}},
    {5,
     {"2.424e-10", "9.473e-13", "3.701e-15", "1.464e-17"},
     {"2.311e-10", "9.037e-13", "3.532e-15", "1.393e-17"},
     {"1.737e-6", "1.163e-7", "7.392e-9", "4.639e-10"},
     {"2.785e-11", NULL, NULL, "1.4e-18"}},
};

/* The carried multiplier feels rounding of positions over h^2. */
static bool row_of_errors(const error_row *r, int k, const lv_model *model)
{
    const rolling_problem *p = &rolling_problems[THE_PARTICLE];
    double h = 0.2 / (1 << k);
    lv_sim *sim = start_problem(model, r->stages, h);
    step_times(sim, 10 << k);
    double exact = p->multipliers[0];
    double carried = fabs(carried_lambda(sim) - exact);
    bool good =
        as_printed(r->q[k], distance(lv_sim_position(sim), p->q, 3)) &&
        as_printed(r->p[k], distance(lv_sim_momentum(sim), p->p, 3)) &&
        fabs(carried - strtod(r->carried[k], NULL)) <
            0.51 * printed_unit(r->carried[k]) + 1e-14 / (h * h) &&
        (!r->motion[k] || as_printed(r->motion[k], fabs(motion_lambda(sim) - exact)));
    lv_sim_free(sim);
    return good;
}

static void errors_are_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    lv_model *model = read_problem(&rolling_problems[THE_PARTICLE]);
    for (size_t i = 0; i < sizeof error_rows / sizeof *error_rows; i++)
        for (int k = 0; k < 4; k++)
            if (!row_of_errors(&error_rows[i], k, model)) {
                print_message("s = %d, step %g !\n", error_rows[i].stages,
                              0.2 / (1 << k));
                wrong++;
            }
    lv_model_free(model);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(multipliers_at_the_start_are_those_of_the_motion),
        RUN(states_agree_step_by_step_with_extended_precision),
        RUN(fine_steps_reach_exact_solutions),
        RUN(energies_of_the_chaotic_system_are_as_printed),
        RUN(errors_are_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
