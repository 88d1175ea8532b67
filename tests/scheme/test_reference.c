/* Digits: step-exact states of the schemes as other implementations computed them, and exact
 * solutions of benchmarks. Sources: the specifications "partitioned Runge-Kutta" (sphere, K1, K2)
 * and "Galerkin in time" (E1 .. E6; there "C k, L k+1" is Lobatto with k + 1 stages, "C k, G k"
 * Gauss with k, "LR m, R m+1" Radau with m + 1), both from extended precision; Test Set for IVP
 * Solvers (Andrews, car axis); IFToMM (A01). */
#include "printed.h"
#include "reference_rows.h"

/* ---- states ---------------------------------------------------------------------------- */

static void states_agree_step_by_step_with_other_implementations(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const row *r = &rows[k];
        wrong += !state_agrees(r->what, r->text, &r->method, r->step, r->steps,
                               r->expected, 1e-11);
    }
    assert_int_equal(wrong, 0);
}

/* Largest deviation relative to the size of the list; 0 for an empty one. */
static double deviation(const double *x, const double *expected, int n)
{
    return n > 0 ? distance(x, expected, n) / fmax(1, largest(expected, n)) : 0;
}

static double deviation_from(const exact *e)
{
    double lambda[MOST] = {0};
    lv_error err;
    lv_model *model = e->text ? read_text(e->text) : read_shipped(e->model, NULL, NULL);
    lv_sim *sim = start(model, &(method){"lobatto", e->stages, 0}, e->until / e->steps);
    step_times(sim, e->steps);
    if (lv_sim_multipliers(sim, lambda, &err) != LV_OK)
        fail_with(&err);
    for (int k = 0; k < e->multipliers; k++)
        lambda[k] *= e->sign;

    const double *expected = e->numbers;
    double worst = deviation(lv_sim_position(sim), expected, e->positions);
    expected += e->positions;
    worst = fmax(worst, deviation(lv_sim_velocity(sim), expected, e->velocities));
    expected += e->velocities;
    worst = fmax(worst, deviation(lv_sim_momentum(sim), expected, e->momenta));
    expected += e->momenta;
    /* Multipliers follow from the state and amplify its error. */
    worst = fmax(worst, deviation(lambda, expected, e->multipliers) / 10);
    lv_sim_free(sim);
    lv_model_free(model);
    return worst;
}

static void fine_steps_reach_exact_solutions(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof exacts / sizeof *exacts; k++) {
        double worst = deviation_from(&exacts[k]);
        bool good = worst <= exacts[k].tolerance;
        print_message("%-26s %8.1e%s\n", exacts[k].what, worst, good ? "" : " !");
        wrong += !good;
    }
    assert_int_equal(wrong, 0);
}

/* ---- printed errors ----------------------------------------------------------------------------- */

typedef struct errors {
    const char *what;
    const char *text;
    method method;
    double until;
    int steps; /* of the first, doubled for each further one */
    const char *printed[5];
} errors;

static const errors error_rows[] = {
    {"E3 linear C1 L2",
     LINEAR,
     {"lobatto", 2, 0},
     4,
     8,
     {"2.28e-1", "4.95e-2", "1.20e-2", "2.97e-3"}},
    {"E3 linear C2 L3",
     LINEAR,
     {"lobatto", 3, 0},
     4,
     8,
     {"2.62e-3", "1.56e-4", "9.63e-6", "6.00e-7"}},
    {"E3 linear C3 L4",
     LINEAR,
     {"lobatto", 4, 0},
     4,
     8,
     {"5.00e-6", "7.74e-8", "1.21e-9", "1.88e-11"}},
    {"E3 linear C4 L5",
     LINEAR,
     {"lobatto", 5, 0},
     4,
     8,
     {"3.26e-8", "1.21e-10", "4.7e-13"}},
    {"E3 linear C5 L6", LINEAR, {"lobatto", 6, 0}, 4, 8, {"2.15e-11", "1.9e-14"}},
    {"E3 linear C2 G2",
     LINEAR,
     {"gauss", 2, 0},
     4,
     8,
     {"5.03e-3", "3.25e-4", "2.05e-5", "1.28e-6"}},
    {"E3 pendulum C1 L2",
     PENDULUM,
     {"lobatto", 2, 0},
     2,
     16,
     {"5.46e-2", "1.31e-2", "3.25e-3", "8.11e-4"}},
    {"E3 pendulum C2 L3",
     PENDULUM,
     {"lobatto", 3, 0},
     2,
     16,
     {"1.98e-4", "1.18e-5", "7.30e-7", "4.55e-8"}},
    {"E3 pendulum C3 L4",
     PENDULUM,
     {"lobatto", 4, 0},
     2,
     16,
     {"6.56e-7", "9.53e-9", "1.46e-10", "2.2e-12"}},
    {"E3 pendulum C4 L5", PENDULUM, {"lobatto", 5, 0}, 2, 16, {"2.0e-9", "7.4e-12"}},
    {"E3 pendulum C2 G2",
     PENDULUM,
     {"gauss", 2, 0},
     2,
     16,
     {"1.21e-4", "7.65e-6", "4.79e-7", "3.0e-8"}},
    {"E4 Henon-Heiles C2 L3", HENON_HEILES, {"lobatto", 3, 0}, 4, 16, {"8.0e-6"}},
    {"E4 Henon-Heiles C3 L4", HENON_HEILES, {"lobatto", 4, 0}, 4, 16, {"1.0e-8"}},
    {"E4 Henon-Heiles C4 L5", HENON_HEILES, {"lobatto", 5, 0}, 4, 16, {"8.6e-12"}},
    {"E4 Henon-Heiles C1 G1", HENON_HEILES, {"gauss", 1, 0}, 4, 16, {"1.5e-2"}},
    {"E4 Henon-Heiles C2 G2", HENON_HEILES, {"gauss", 2, 0}, 4, 16, {"3.5e-5"}},
    {"E4 Henon-Heiles C3 G3", HENON_HEILES, {"gauss", 3, 0}, 4, 16, {"5.0e-8"}},
};

/* q, p at the end. */
static void run_row(double *end, const errors *e, const method *m, int steps)
{
    lv_model *model = read_text(e->text);
    lv_sim *sim = start(model, m, e->until / steps);
    int n = lv_model_coordinate_count(model);
    step_times(sim, steps);
    memcpy(end, lv_sim_position(sim), (size_t)n * sizeof *end);
    memcpy(end + 2, lv_sim_momentum(sim), (size_t)n * sizeof *end);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* The exact solutions are known to 13 digits (above); a fine run of high order has more. */
static void errors_are_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof error_rows / sizeof *error_rows; k++) {
        const errors *e = &error_rows[k];
        double fine[4] = {0}, end[4] = {0};
        run_row(fine, e, &(method){"lobatto", 8, 0}, 40);
        for (int j = 0; e->printed[j]; j++) {
            run_row(end, e, &e->method, e->steps << j);
            double error = distance(end, fine, 4);
            if (as_printed(e->printed[j], error))
                continue;
            print_message("%s, %d steps: %.4e, printed %s !\n", e->what, e->steps << j,
                          error, e->printed[j]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* ---- printed energies ----------------------------------------------------------------------------- */

typedef struct energies {
    const char *what;
    const char *text;
    method method;
    double step;
    int steps;
    const char *half[2]; /* largest deviation in both halves */
} energies;

static const energies energy_rows[] = {
    {"sphere s=2", SPHERE, {"lobatto", 2, 0}, 0.05, 4000, {"1.385e-3", "1.403e-3"}},
    {"sphere s=3", SPHERE, {"lobatto", 3, 0}, 0.1, 2000, {"1.82e-6", "2.01e-6"}},
    {"sphere s=4", SPHERE, {"lobatto", 4, 0}, 0.2, 1000, {"3.3e-7", "4.5e-7"}},
    {"E1 C2 L3", POLAR, {"lobatto", 3, 0}, 0.3, 6000, {"2.41e-2", "2.41e-2"}},
};

static void energy_errors_are_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof energy_rows / sizeof *energy_rows; k++) {
        const energies *e = &energy_rows[k];
        lv_model *model = read_text(e->text);
        lv_sim *sim = start(model, &e->method, e->step);
        double first = lv_sim_energies(sim).total, half[2] = {0};
        for (int i = 0; i < e->steps; i++) {
            step_once(sim);
            double *worst = &half[2 * i / e->steps];
            *worst = fmax(*worst, fabs(lv_sim_energies(sim).total - first));
        }
        bool good = as_printed(e->half[0], half[0]) && as_printed(e->half[1], half[1]);
        print_message("%-12s %.4e %.4e, printed %s %s%s\n", e->what, half[0], half[1],
                      e->half[0], e->half[1], good ? "" : " !");
        wrong += !good;
        lv_sim_free(sim);
        lv_model_free(model);
    }
    assert_int_equal(wrong, 0);
}

/* E1: root mean squares of the errors at the nodes, and the range of the energy. */
typedef struct nodes {
    method method;
    const char *q, *p;
    double least, most;
} nodes;

static const nodes node_rows[] = {
    {{"gauss", 2, 0}, "2.2e-3", "1.4e-2", 9.8100, 9.8202},
    {{"lobatto", 3, 0}, "1.6e-3", "1.0e-2", 9.795, 9.830},
    {{"lobatto", 4, 0}, "2.4e-5", "1.5e-4", 0, 0},
    {{"radau", 3, 0}, "2.8e-5", "2.9e-4", 9.80763, 9.81192},
};

static void errors_at_the_nodes_are_as_printed(void **state)
{
    (void)state;
    lv_model *model = read_text(POLAR);
    for (size_t k = 0; k < sizeof node_rows / sizeof *node_rows; k++) {
        const nodes *r = &node_rows[k];
        double q = 0, p = 0, least = INFINITY, most = 0;
        lv_sim *sim = start(model, &r->method, 0.3);
        lv_sim *fine = start(model, &(method){"lobatto", 8, 0}, 0.05);
        for (int i = 0; i < 50; i++) {
            step_once(sim);
            step_times(fine, 6);
            q += pow(lv_sim_position(sim)[0] - lv_sim_position(fine)[0], 2);
            p += pow(lv_sim_momentum(sim)[0] - lv_sim_momentum(fine)[0], 2);
            least = fmin(least, lv_sim_energies(sim).total);
            most = fmax(most, lv_sim_energies(sim).total);
        }
        if (!as_printed(r->q, sqrt(q / 50)) || !as_printed(r->p, sqrt(p / 50)))
            fail_msg("%s: %.3e %.3e, printed %s %s", r->method.scheme, sqrt(q / 50),
                     sqrt(p / 50), r->q, r->p);
        if (r->least > 0 &&
            (fabs(least - r->least) > 6e-4 || fabs(most - r->most) > 6e-4))
            fail_msg("%s: energies from %.6f to %.6f", r->method.scheme, least, most);
        lv_sim_free(sim);
        lv_sim_free(fine);
    }
    lv_model_free(model);
}

/* ---- two stages by hand --------------------------------------------------------------------------- */

/* Kick, drift, kick on the Henon-Heiles potential. */
static void two_stages_are_stoermer_verlet(void **state)
{
    (void)state;
    double q[2] = {0.3, 0.2}, v[2] = {0.25, 0.35}, h = 0.1;
    lv_model *model = read_text(HENON_HEILES);
    lv_sim *sim = start(model, &(method){"verlet", 2, 0}, h);
    step_times(sim, 20);
    for (int k = 0; k < 40; k++) {
        double x = q[0], y = q[1];
        v[0] += h / 2 * (-x - 2 * x * y);
        v[1] += h / 2 * (-y - x * x + y * y);
        if (k % 2 == 0)
            for (int i = 0; i < 2; i++)
                q[i] += h * v[i];
    }
    assert_below(distance(lv_sim_position(sim), q, 2), 1e-14);
    assert_below(distance(lv_sim_velocity(sim), v, 2), 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* RATTLE for the spherical pendulum: the multiplier of the first half step is the root of a
 * quadratic equation. */
static void two_stages_are_rattle(void **state)
{
    (void)state;
    double q[3] = {1, 0, 0}, v[3] = {0, 1, 0}, h = 0.02;
    lv_model *model = read_text(SPHERICAL_PENDULUM);
    lv_sim *sim = start(model, &(method){"rattle", 2, 0}, h);
    step_times(sim, 50);
    for (int k = 0; k < 50; k++) {
        double x[3], qx = 0, xx = 0, qv = 0;
        for (int i = 0; i < 3; i++) {
            v[i] -= i == 2 ? h / 2 * 9.81 : 0;
            x[i] = q[i] + h * v[i];
            qx += q[i] * x[i];
            xx += x[i] * x[i];
        }
        /* |x + s q| = 1, |q| = 1 */
        double s = -(xx - 1) / (qx + sqrt(qx * qx - xx + 1));
        for (int i = 0; i < 3; i++) {
            v[i] += s / h * q[i] - (i == 2 ? h / 2 * 9.81 : 0);
            q[i] = x[i] + s * q[i];
        }
        for (int i = 0; i < 3; i++)
            qv += q[i] * v[i];
        for (int i = 0; i < 3; i++)
            v[i] -= qv * q[i];
    }
    assert_below(distance(lv_sim_position(sim), q, 3), 1e-13);
    assert_below(distance(lv_sim_velocity(sim), v, 3), 5e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(states_agree_step_by_step_with_other_implementations),
        RUN(fine_steps_reach_exact_solutions),
        RUN(errors_are_as_printed),
        RUN(energy_errors_are_as_printed),
        RUN(errors_at_the_nodes_are_as_printed),
        RUN(two_stages_are_stoermer_verlet),
        RUN(two_stages_are_rattle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
