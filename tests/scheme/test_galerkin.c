/* Galerkin schemes in time: digits of the specification "Galerkin in time" (E1 to E6). What other
 * schemes are members of this family is in test_reference.c, too. */
#include "galerkin_rows.h"
#include "printed.h"
#include "run/sim.h"

/* ---- states ------------------------------------------------------------------------------------------ */

static void states_agree_step_by_step_with_another_implementation(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t k = 0; k < sizeof member_rows / sizeof *member_rows; k++) {
        const member_row *r = &member_rows[k];
        const method m = method_of(&r->member);
        wrong +=
            !state_agrees(r->what, r->text, &m, r->step, r->steps, r->expected, 2e-12);
    }
    assert_int_equal(wrong, 0);
}

/* E2 as users get it; more of it is in test_series.c. */
static void the_cartesian_pendulum_ends_as_printed(void **state)
{
    (void)state;
    lv_model *model = read_text(CARTESIAN);
    for (size_t k = 0; k < sizeof rod_rows / sizeof *rod_rows; k++) {
        const rod_row *r = &rod_rows[k];
        const method m = method_of(&r->member);
        double worst = 0, position, velocity;
        lv_sim *sim = start(model, &m, r->step);
        for (int i = 0; i < lround(15 / r->step); i++) {
            step_once(sim);
            lv_sim_residuals(sim, &position, &velocity);
            worst = fmax(worst, fmax(position, velocity));
        }
        double error = fmax(distance(lv_sim_position(sim), r->q, 2),
                            distance(lv_sim_momentum(sim), r->p, 2));
        if (!(error < 5e-12) || !(worst < 2e-14))
            fail_msg("%s%d, step %g: %.1e, constraints %.1e", r->member.continuity,
                     r->member.degree, r->step, error, worst);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* Rectangles approach what many Gauss points give, by half with twice as many; constraints hold
 * whatever their number. */
static void rectangles_converge_to_the_integrals(void **state)
{
    (void)state;
    static const char *const continuities[] = {"LR", "RL", "C"};
    lv_model *model = read_text(TORUS);
    for (int c = 0; c < 3; c++) {
        const method exact_one = galerkin("ansatz", continuities[c], 2, "gauss", 9, -1);
        double limit[6] = {0}, end[6] = {0}, last = 0, position, velocity;
        for (int points = 0; points <= 320; points = points > 0 ? 2 * points : 20) {
            const method m = points > 0 ? galerkin("ansatz", continuities[c], 2,
                                                   "rectangle", points, -1)
                                        : exact_one;
            lv_sim *sim = start(model, &m, 0.05);
            step_times(sim, 20);
            lv_sim_residuals(sim, &position, &velocity);
            assert_true(position < 1e-13 && velocity < 1e-13);
            double *to = points > 0 ? end : limit;
            memcpy(to, lv_sim_position(sim), 3 * sizeof *to);
            memcpy(to + 3, lv_sim_momentum(sim), 3 * sizeof *to);
            double off = distance(end, limit, 6);
            if (points > 20 && !(fabs(last / off - 2) < 0.15))
                fail_msg("%s, %d points: %.2e after %.2e", continuities[c], points, off,
                         last);
            last = off;
            lv_sim_free(sim);
        }
    }
    lv_model_free(model);
}

/* ---- E1 ------------------------------------------------------------------------------------------------ */

enum { GRID = 30 }; /* times a step at which polynomials are looked at */

typedef struct squares {
    double q, p, count;
} squares;

static void add_squares(squares *s, double q, double p)
{
    s->q += q * q;
    s->p += p * p;
    s->count++;
}

/* Looks at the polynomials of the last step, from its start on; `fine` follows with as many steps. */
static void look_inside(squares *s, lv_sim *sim, lv_sim *fine)
{
    lv_error err;
    double q, p, t = sim->before.t;
    for (int k = 0; k < GRID; k++) {
        if (lv_sim_sample(sim, t + sim->h * k / GRID, LV_SAMPLE_RAW, &q, NULL, &p,
                          &err) != LV_OK)
            fail_with(&err);
        add_squares(s, q - lv_sim_position(fine)[0], p - lv_sim_momentum(fine)[0]);
        step_once(fine);
    }
}

static bool rms_as_printed(const char *const printed[2], const squares *s)
{
    return !printed[0] || (as_printed(printed[0], sqrt(s->q / s->count)) &&
                           as_printed(printed[1], sqrt(s->p / s->count)));
}

/* To one unit of the last digit. */
static bool within(const char *printed, double value)
{
    return fabs(value - strtod(printed, NULL)) <= 1.01 * printed_unit(printed);
}

static bool polar_row_agrees(const polar_row *r, const lv_model *model)
{
    char name[METHOD_NAME];
    const method m = method_of(&r->member);
    squares dense = {0}, nodes = {0};
    double least = 9.81, most = 9.81;
    lv_sim *sim = start_dense(model, &m, 0.3);
    lv_sim *fine = start(model, &(method){"lobatto", 8, 0}, 0.01);
    bool good = true;
    add_squares(&nodes, 0, 0); /* the start is a node */
    for (int k = 0; k < 50; k++) {
        step_once(sim);
        look_inside(&dense, sim, fine);
        double q = lv_sim_position(sim)[0], p = lv_sim_momentum(sim)[0];
        add_squares(&nodes, q - lv_sim_position(fine)[0], p - lv_sim_momentum(fine)[0]);
        const double *expected = k == 0 ? r->first : k == 49 ? r->last : NULL;
        if (expected)
            good = good && fabs(q - expected[0]) < 1e-12 && fabs(p - expected[1]) < 1e-11;
        least = fmin(least, lv_sim_energies(sim).total);
        most = fmax(most, lv_sim_energies(sim).total);
    }
    good = good && rms_as_printed(r->dense, &dense) && rms_as_printed(r->nodes, &nodes);
    good = good &&
           (!r->energy[0] || (within(r->energy[0], least) && within(r->energy[1], most)));
    print_message("%-40s %.4e %.4e  %.3e %.3e  %.5f %.5f%s\n",
                  method_name(&m, name, sizeof name), sqrt(dense.q / dense.count),
                  sqrt(dense.p / dense.count), sqrt(nodes.q / nodes.count),
                  sqrt(nodes.p / nodes.count), least, most, good ? "" : " !");
    lv_sim_free(sim);
    lv_sim_free(fine);
    return good;
}

static void the_polar_pendulum_is_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    lv_model *model = read_text(POLAR);
    for (size_t k = 0; k < sizeof polar_rows / sizeof *polar_rows; k++)
        wrong += !polar_row_agrees(&polar_rows[k], model);
    lv_model_free(model);
    assert_int_equal(wrong, 0);
}

/* 6000 steps of 0.3: largest deviation of the energy in both halves, and its drift. */
typedef struct long_row {
    member member;
    const char *half[2];
    double slope; /* at most, in size */
} long_row;

static const long_row long_rows[] = {
    {{"LR", 2, "gauss", 3}, {"1.374e-3", "1.374e-3"}, 2e-10},
    {{"C", 2, "gauss", 3}, {"8.889e-3", "8.889e-3"}, 3e-9},
    {{"C", 2, "lobatto", 3}, {"2.41e-2", "2.41e-2"}, 8e-9},
    {{"LR", 1, "gauss", 2}, {"7.67e-2", "7.67e-2"}, 3e-8},
};

static double long_run(const lv_model *model, const method *m, double half[2])
{
    lv_sim *sim = start(model, m, 0.3);
    double st = 0, stt = 0, se = 0, ste = 0, n = 6000;
    for (int k = 0; k < 6000; k++) {
        step_once(sim);
        double change = lv_sim_energies(sim).total - 9.81, t = lv_sim_time(sim);
        half[k / 3000] = fmax(half[k / 3000], fabs(change));
        st += t;
        stt += t * t;
        se += change;
        ste += t * change;
    }
    lv_sim_free(sim);
    return (n * ste - st * se) / (n * stt - st * st);
}

static void energies_of_the_polar_pendulum_do_not_drift(void **state)
{
    (void)state;
    lv_model *model = read_text(POLAR);
    for (size_t k = 0; k < sizeof long_rows / sizeof *long_rows; k++) {
        const long_row *r = &long_rows[k];
        const method m = method_of(&r->member);
        double half[2] = {0}, slope = long_run(model, &m, half);
        if (!as_printed(r->half[0], half[0]) || !as_printed(r->half[1], half[1]) ||
            !(fabs(slope) < r->slope))
            fail_msg("%s%d: %.4e %.4e, slope %.1e", r->member.continuity,
                     r->member.degree, half[0], half[1], slope);
    }
    lv_model_free(model);
}

/* RR is not symplectic: it damps, and says so. */
static void both_right_continuous_damps(void **state)
{
    (void)state;
    const method m = galerkin("ansatz", "RR", 2, "gauss", 3, -1);
    const lv_claims claims = claims_of(&m);
    assert_false(claims.symplectic);
    assert_int_equal(claims.energy, LV_KEPT_NOT);
    assert_int_equal(claims.momentum, LV_KEPT_NOT);
    lv_model *model = read_text(POLAR);
    lv_sim *sim = start(model, &m, 0.3);
    step_times(sim, 6000);
    assert_below(fabs(lv_sim_energies(sim).total - 9.81 + 3.6), 0.05);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- E3 ------------------------------------------------------------------------------------------------ */

typedef struct error_row {
    const char *text;
    member member;
    double until;
    int steps; /* of the first, doubled for each further one */
    const char *printed[5];
} error_row;

static const error_row error_rows[] = {
    {LINEAR, {"C", 2, "gauss", 3}, 4, 8, {"2.32e-3", "1.50e-4", "9.43e-6", "5.91e-7"}},
    {LINEAR, {"C", 3, "gauss", 4}, 4, 8, {"1.77e-5", "2.78e-7", "4.36e-9", "6.81e-11"}},
    {LINEAR, {"C", 5, "lobatto", 6}, 4, 8, {"2.15e-11", "1.9e-14"}},
    {PENDULUM, {"C", 2, "gauss", 3}, 2, 16, {"5.05e-5", "3.04e-6", "1.88e-7", "1.17e-8"}},
    {HENON_HEILES, {"LR", 1, "gauss", 2}, 4, 16, {"1.3e-4"}},
    {HENON_HEILES, {"LR", 2, "gauss", 3}, 4, 16, {"7.5e-8"}},
    {HENON_HEILES, {"LR", 3, "gauss", 4}, 4, 16, {"2.1e-10"}},
};

static void run_to(double *end, const lv_model *model, const method *m, double until,
                   int steps)
{
    lv_sim *sim = start(model, m, until / steps);
    int n = lv_model_coordinate_count(model);
    step_times(sim, steps);
    memcpy(end, lv_sim_position(sim), (size_t)n * sizeof *end);
    memcpy(end + n, lv_sim_momentum(sim), (size_t)n * sizeof *end);
    lv_sim_free(sim);
}

static void errors_are_as_printed(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof error_rows / sizeof *error_rows; k++) {
        const error_row *r = &error_rows[k];
        const method m = method_of(&r->member);
        lv_model *model = read_text(r->text);
        double fine[4] = {0}, end[4] = {0};
        run_to(fine, model, &(method){"lobatto", 8, 0}, r->until, 40);
        for (int j = 0; r->printed[j]; j++) {
            run_to(end, model, &m, r->until, r->steps << j);
            if (!as_printed(r->printed[j], distance(end, fine, 4)))
                fail_msg("row %d, %d steps: %.4e, printed %s", (int)k, r->steps << j,
                         distance(end, fine, 4), r->printed[j]);
        }
        lv_model_free(model);
    }
}

/* ---- E5 ------------------------------------------------------------------------------------------------ */

/* Henon-Heiles from (.15, .25), step 0.5: H - H_0 at t = 40, 80, .. 200; what is not printed is
 * between its neighbours. */
typedef struct damped_row {
    member member;
    const char *printed[5];
} damped_row;

static const damped_row damped_rows[] = {
    {{"LR", 1, "gauss", 2}, {"-7.9e-4", "-3.3e-4", "-2.2e-4", "-4.3e-4", "-4.7e-4"}},
    {{"LR", 2, "gauss", 3}, {"3.2e-6", "1.0e-6", "1.3e-6", "1.1e-6", "2.9e-6"}},
    {{"RR", 1, "gauss", 2}, {"-2.0e-2", "-3.5e-2", "-4.7e-2", "-5.8e-2", "-6.6e-2"}},
    {{"RR", 2, "gauss", 3}, {"-1.3e-4", NULL, NULL, NULL, "-6.2e-4"}},
};

static void energies_of_henon_and_heiles_are_as_printed(void **state)
{
    (void)state;
    const double q[] = {0.3, 0.2}, v[] = {0.15, 0.25};
    lv_model *model = read_text(HENON_HEILES);
    for (size_t k = 0; k < sizeof damped_rows / sizeof *damped_rows; k++) {
        const method m = method_of(&damped_rows[k].member);
        lv_sim *sim = start(model, &m, 0.5);
        move_to(sim, 0, q, v);
        double first = lv_sim_energies(sim).total, last = 0;
        for (int j = 0; j < 5; j++) {
            const char *printed = damped_rows[k].printed[j];
            step_times(sim, 80);
            double change = lv_sim_energies(sim).total - first;
            if (printed ? !within(printed, change) : !(change < last - 1e-4))
                fail_msg("row %d, t = %d: %.3e", (int)k, 40 * (j + 1), change);
            last = change;
        }
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(states_agree_step_by_step_with_another_implementation),
        RUN(the_cartesian_pendulum_ends_as_printed),
        RUN(rectangles_converge_to_the_integrals),
        RUN(the_polar_pendulum_is_as_printed),
        RUN(energies_of_the_polar_pendulum_do_not_drift),
        RUN(both_right_continuous_damps),
        RUN(errors_are_as_printed),
        RUN(energies_of_henon_and_heiles_are_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
