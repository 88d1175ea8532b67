/* Section 6.3: the pendulum in Cartesian coordinates, with steps of 0.3 s. All integrands are polynomials: three
 * Gauss points are exact. */
#include "cli/reproduce/muehlebach2016.h"

#include <math.h>
#include <string.h>

static const char model[] = "pendulum-cartesian";
static const char presented[] = "ansatz degree=2";

static lv_status make_swing(cli_swing **swing, cli_bench *bench, const char *scheme,
                            lv_error *err)
{
    return cli_swing_make(swing, bench, model, scheme, err);
}

/* ---- figure 7 ---------------------------------------------------------------------------------------- */

static lv_status write_phases(cli_bench *bench, const cli_swing *s, lv_error *err)
{
    static const char *const names[] = {"t", "q1", "p1", "q2", "p2"};
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int k = 0; k < CLI_SWING_POINTS; k++) {
        const double row[] = {0.01 * k, s->q[k][0], s->p[k][0], s->q[k][1], s->p[k][1]};
        for (int i = 0; i < CLI_COUNT(row); i++)
            bench->row[i] = row[i];
        CLI_TRY(cli_bench_row(bench, err));
    }
    return LV_OK;
}

static double largest_jump(const cli_swing *s)
{
    double most = 0;
    for (int step = 0; step < CLI_SWING_STEPS; step++) {
        const double *first = s->q[(size_t)(step * CLI_SWING_SAMPLES)];
        most = fmax(most, cli_largest_difference(first, s->nodes_q[step], 2));
    }
    return most;
}

static lv_status run_phases(cli_bench *bench, lv_error *err)
{
    static const double end_q[] = {1.948960591437, -0.448946113723};
    static const double end_p[] = {1.196712149481, 5.195155381325};
    cli_swing *s = NULL;
    CLI_TRY(make_swing(&s, bench, presented, err));
    CLI_TRY(write_phases(bench, s, err));
    const double *q = s->nodes_q[CLI_SWING_STEPS], *p = s->nodes_p[CLI_SWING_STEPS];
    double off =
        fmax(cli_largest_difference(q, end_q, 2), cli_largest_difference(p, end_p, 2));
    CLI_TRY(cli_bench_claim(bench, 0, off, err, "q = (%.9f, %.9f)", q[0], q[1]));
    double jump = largest_jump(s);
    return cli_bench_claim(bench, 1, jump, err, "%.3f m", jump);
}

static const cli_claim phase_claims[] = {
    {.text = "state at t = 15",
     .pin = CLI_PIN(ELSEWHERE, 0, 1e-10),
     .note = "The same digits as another implementation of (37) and (38). The exact "
             "position is (1.949096664, -0.448354987)."},
    {.text = "largest jump of q at the start of a step",
     .published = "clearly visible",
     .least = 0.01,
     .most = 1,
     .pin = CLI_PIN(HERE, 0.058, 0.066)},
};

/* ---- figure 8 ---------------------------------------------------------------------------------------- */

static double gap(const double *q)
{
    return q[0] * q[0] + q[1] * q[1] - 4;
}

static lv_status write_forces(cli_bench *bench, const cli_swing *s,
                              const cli_swing *exact, lv_error *err)
{
    static const char *const names[] = {"t", "g", "rod force", "exact rod force"};
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int k = 0; k < CLI_SWING_POINTS; k++) {
        bench->row[0] = 0.01 * k;
        bench->row[1] = gap(s->q[k]);
        bench->row[2] = 4 * s->lambda[k];
        bench->row[3] = 4 * exact->lambda[k];
        CLI_TRY(cli_bench_row(bench, err));
    }
    return LV_OK;
}

/* Largest second difference of the multiplier inside a step. */
static double largest_bend(const cli_swing *s)
{
    double most = 0;
    for (int k = 0; k + 2 < CLI_SWING_POINTS; k++)
        if (k % CLI_SWING_SAMPLES + 2 < CLI_SWING_SAMPLES)
            most =
                fmax(most, fabs(s->lambda[k] - 2 * s->lambda[k + 1] + s->lambda[k + 2]));
    return most;
}

static lv_status run_forces(cli_bench *bench, lv_error *err)
{
    cli_swing *s = NULL, *exact = NULL;
    double most = 0, q, p, lambda;
    CLI_TRY(make_swing(&s, bench, presented, err));
    CLI_TRY(make_swing(&exact, bench, NULL, err));
    CLI_TRY(write_forces(bench, s, exact, err));
    for (int k = 0; k < CLI_SWING_POINTS; k++)
        most = fmax(most, fabs(gap(s->q[k])));
    cli_swing_errors(s, exact, &q, &p, &lambda);
    CLI_TRY(cli_bench_claim(bench, 0, s->gap, err, "%.1e m^2", s->gap));
    CLI_TRY(cli_bench_claim(bench, 1, most, err, "%.2f m^2", most));
    double bend = largest_bend(s);
    CLI_TRY(cli_bench_claim(bench, 2, bend, err, "bends by %.1e", bend));
    return cli_bench_claim(bench, 3, lambda, err, "%.3f N/m; rod force %.2f N", lambda,
                           4 * lambda);
}

static const cli_claim force_claims[] = {
    {.text = "largest |g| at the nodes",
     .published = "vanishes up to numerical accuracy",
     .most = 1e-13},
    {.text = "largest |g| inside the steps",
     .published = "constraint violations",
     .least = 1e-3,
     .most = 1,
     .pin = CLI_PIN(HERE, 0.17, 0.19)},
    {.text = "multiplier inside the steps",
     .published = "piecewise linear",
     .most = 1e-12,
     .note = "Written is 4 lambda, the gradient of g having the length 4: positive where "
             "the rod pushes."},
    {.text = "rms error of the multiplier", .pin = CLI_PIN(ELSEWHERE, 0.214, 0.218)},
};

/* ---- the text of 6.3 ---------------------------------------------------------------------------------- */

static lv_status claim_newton(cli_bench *bench, const cli_swing *s, lv_error *err)
{
    int most = 0;
    double q[2];
    CLI_TRY(cli_swing_newton(&most, q, err));
    double off = cli_largest_difference(q, s->nodes_q[CLI_SWING_STEPS], 2);
    CLI_TRY(cli_bench_claim(bench, 2, most, err, "at most %d", most));
    return cli_bench_claim(bench, 3, off, err, "distance %.1e m at t = 15", off);
}

static lv_status run_errors(cli_bench *bench, lv_error *err)
{
    cli_swing *s = NULL, *exact = NULL;
    double q, p, lambda, off = 0;
    CLI_TRY(make_swing(&s, bench, presented, err));
    CLI_TRY(make_swing(&exact, bench, NULL, err));
    cli_swing_errors(s, exact, &q, &p, &lambda);
    for (int k = 0; k <= CLI_SWING_STEPS; k++)
        off = fmax(off, fabs(s->energy[k] - 9.81));
    CLI_TRY(cli_bench_claim(bench, 0, q, err, "%.2e m", q));
    CLI_TRY(cli_bench_claim(bench, 1, p, err, "%.2e kg m/s", p));
    CLI_TRY(claim_newton(bench, s, err));
    return cli_bench_claim(bench, 4, off, err, "|E - 9.81| <= %.2e J", off);
}

static const char bound_note[] =
    "Printed are bounds, which are kept with room to spare: with W(q(t_i)) of (38). With "
    "W(q~(t_i)+) of (71), which is not symplectic, another implementation finds 3.8e-2 m "
    "and 1.49e-1 kg m/s.";

static const cli_claim error_claims[] = {
    {.text = "rms error of q",
     .published = "below 2.26e-2 m",
     .most = 2.26e-2,
     .pin = CLI_PIN(ELSEWHERE, 1.3e-2, 1.32e-2),
     .note = bound_note},
    {.text = "rms error of p",
     .published = "below 1.51e-1 kg m/s",
     .most = 0.151,
     .pin = CLI_PIN(ELSEWHERE, 6.88e-2, 6.98e-2),
     .note = bound_note},
    {.text = "Newton's method for all unknowns: iterations of a step",
     .published = "less than 15",
     .pin = CLI_PIN(HERE, 4, 14),
     .note = "A property of the solver and not of the scheme, counted with a program of "
             "its own: from a free motion without forces, to relative changes of 1e-13; "
             "the paper does not say how it begins.",
     .unmeasured = true},
    {.text = "Newton's method for all unknowns leads to the same position",
     .pin = CLI_PIN(ELSEWHERE, 0, 1e-11)},
    {.text = "energy at the nodes to t = 15",
     .published = "consistent long-time behavior",
     .most = 0.1,
     .pin = CLI_PIN(ELSEWHERE, 1.4e-2, 1.5e-2)},
};

static lv_status run_rattle(cli_bench *bench, lv_error *err)
{
    const cli_start start = {.model = model, .step = 0.3};
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, &start, "rattle", err));
    while (m.time < 15 && cli_motion_step(&m, NULL) == LV_OK)
        ;
    double reached = m.time;
    cli_motion_end(&m);
    return cli_bench_claim(bench, 0, reached, err, "fails after t = %.1f", reached);
}

static const cli_claim rattle_claims[] = {
    {.text = "RATTLE with the same step: time reached",
     .pin = CLI_PIN(HERE, 0, 2),
     .note = "Its equations have no solution near the last state: this step is large."},
};

/* ---- long times ----------------------------------------------------------------------------------------- */

static lv_status run_long(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {presented, NULL};
    static const cli_column columns[] = {{"E", 0, cli_read_energy, 0, false},
                                         {"g", 0, cli_read_position, 0, false}};
    cli_track t[CLI_COUNT(columns)];
    CLI_TRY(cli_swing_race(bench, model, schemes, columns, CLI_COUNT(columns), t, err));
    CLI_TRY(cli_bench_claim(bench, 0, fabs(t[0].drift), err,
                            "%.0e J/s, E in [%.3f, %.3f]", t[0].drift, t[0].least,
                            t[0].most));
    return cli_bench_claim(bench, 1, t[1].size, err, "%.1e m^2", t[1].size);
}

static const cli_claim long_claims[] = {
    {.text = "drift of E in 6000 steps",
     .published = "consistent long-time behavior",
     .most = 1e-7},
    {.text = "largest |g| in 6000 steps",
     .published = "no additional constraint stabilization",
     .most = 1e-12},
};

static const cli_figure figures[] = {
    {.where = "Fig. 7",
     .subject = "Cartesian pendulum: phase diagrams",
     .file = "fig-07-phases",
     CLI_CLAIMS(phase_claims),
     .run = run_phases},
    {.where = "Fig. 8",
     .subject = "Cartesian pendulum: gap and rod force",
     .file = "fig-08-gap-and-force",
     CLI_CLAIMS(force_claims),
     .run = run_forces},
    {.where = "Section 6.3",
     .subject = "Cartesian pendulum: 15 s",
     CLI_CLAIMS(error_claims),
     .run = run_errors},
    {.where = "Section 6.3, long time",
     .subject = "Cartesian pendulum: 1800 s",
     .file = "section-6-3-long-time",
     CLI_CLAIMS(long_claims),
     .run = run_long},
    {.where = "Section 6.3, RATTLE",
     .subject = "Cartesian pendulum: h = 0.3",
     CLI_CLAIMS(rattle_claims),
     .run = run_rattle},
};

const cli_chapter cli_muehlebach2016_cartesian = {figures, CLI_COUNT(figures)};
