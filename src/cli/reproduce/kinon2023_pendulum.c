/* Section 6.1: the pendulum in space, h = 0.05, T = 10. */
#include "cli/reproduce/kinon2023.h"

#include <math.h>

enum { VI_S, VI_A, VI_B, EM, SCHEMES };

static const char *const all[] = {"vi-s", "vi-a", "vi-b", "em", NULL};
static const char *const only_vi_s[] = {"vi-s", NULL};
static const char *const only_em[] = {"em", NULL};

static const cli_start pendulum = {.model = "pendulum3d", .step = 0.05};
enum { STEPS = 200 };

/* A column for each scheme, all with the same reading. */
#define EACH(reading, k, change)                                                         \
    {"vi-s", VI_S, reading, k, change}, {"vi-a", VI_A, reading, k, change},              \
        {"vi-b", VI_B, reading, k, change},                                              \
    {                                                                                    \
        "em", EM, reading, k, change                                                     \
    }

static lv_status race(cli_bench *bench, const char *const *schemes,
                      const cli_column *columns, int count, cli_track *tracks,
                      lv_error *err)
{
    const cli_course course = {.start = pendulum,
                               .schemes = schemes,
                               .steps = STEPS,
                               .columns = columns,
                               .column_count = count};
    return cli_race_course(bench, &course, tracks, err);
}

/* The same without the start, where there are no multipliers yet. */
static lv_status race_inside(cli_bench *bench, const cli_column *columns,
                             cli_track *tracks, lv_error *err)
{
    const cli_course course = {.start = pendulum,
                               .schemes = all,
                               .steps = STEPS,
                               .columns = columns,
                               .column_count = SCHEMES,
                               .skip_start = true};
    return cli_race_course(bench, &course, tracks, err);
}

/* ---- figures 2 to 7 -------------------------------------------------------------------------------- */

/* The distance of the schemes from EM after one second; later, errors accumulate to a
 * shift in time. */
static lv_status compare(cli_bench *bench, cli_reading *reading, lv_error *err)
{
    const cli_column columns[] = {EACH(reading, 0, false)};
    cli_course course = {.start = pendulum,
                         .schemes = all,
                         .steps = 20,
                         .columns = columns,
                         .column_count = SCHEMES,
                         .silent = true};
    cli_track t[SCHEMES];
    double apart = 0;
    CLI_TRY(cli_race_course(bench, &course, t, err));
    for (int k = 0; k < EM; k++)
        apart = fmax(apart, fabs(t[k].last - t[EM].last));
    CLI_TRY(cli_bench_claim(bench, 0, apart, err, "%.2g at t = 1", apart));
    return race(bench, all, columns, SCHEMES, NULL, err);
}

static lv_status run_position(cli_bench *bench, lv_error *err)
{
    return compare(bench, cli_read_q, err);
}

static lv_status run_momentum(cli_bench *bench, lv_error *err)
{
    return compare(bench, cli_read_p, err);
}

/* Claims 0 to 2: amplitudes of alternations. */
static lv_status claim_zigzags(cli_bench *bench, const cli_track t[SCHEMES],
                               lv_error *err)
{
    static const int order[] = {VI_S, EM, VI_A};
    for (int k = 0; k < CLI_COUNT(order); k++)
        CLI_TRY(cli_bench_claim(bench, k, t[order[k]].zigzag, err, "%.2g",
                                t[order[k]].zigzag));
    return LV_OK;
}

/* The change of the alternation of VI-B when the step is divided by four. */
static lv_status claim_persistence(cli_bench *bench, double coarse, lv_error *err)
{
    static const char *const schemes[] = {"vi-b", NULL};
    static const cli_column columns[] = {{"vi-b", 0, cli_read_lambda, 0, false}};
    cli_course course = {.start = pendulum,
                         .schemes = schemes,
                         .steps = 4 * STEPS,
                         .columns = columns,
                         .column_count = 1,
                         .skip_start = true,
                         .silent = true};
    cli_track fine[1];
    course.start.step /= 4;
    CLI_TRY(cli_race_course(bench, &course, fine, err));
    return cli_bench_claim(bench, 4, fine[0].zigzag / coarse, err, "%.2f",
                           fine[0].zigzag / coarse);
}

static lv_status run_lambda(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {EACH(cli_read_lambda, 0, false)};
    cli_track t[SCHEMES];
    CLI_TRY(race_inside(bench, columns, t, err));
    CLI_TRY(claim_zigzags(bench, t, err));
    CLI_TRY(cli_bench_claim(bench, 3, t[VI_B].zigzag, err, "%.2g", t[VI_B].zigzag));
    return claim_persistence(bench, t[VI_B].zigzag, err);
}

static lv_status run_gamma(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {EACH(cli_read_gamma, 0, false)};
    cli_track t[SCHEMES];
    CLI_TRY(race_inside(bench, columns, t, err));
    CLI_TRY(claim_zigzags(bench, t, err));
    double ratio = t[VI_B].zigzag / t[VI_S].zigzag;
    CLI_TRY(cli_bench_claim(bench, 3, ratio, err, "%.2f", ratio));
    return cli_bench_claim(bench, 4, t[EM].size, err, "%.2g; VI-S %.2g", t[EM].size,
                           t[VI_S].size);
}

static lv_status run_trajectory(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {{"q[1]", 0, cli_read_q, 0, false},
                                         {"q[2]", 0, cli_read_q, 1, false},
                                         {"q[3]", 0, cli_read_q, 2, false}};
    cli_track t[3];
    CLI_TRY(race(bench, only_vi_s, columns, 3, t, err));
    double length =
        sqrt(t[0].last * t[0].last + t[1].last * t[1].last + t[2].last * t[2].last);
    return cli_bench_claim(bench, 0, length - 1, err, "|q| - 1 = %.1g at t = 10",
                           length - 1);
}

static lv_status run_energies(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {{"T", 0, cli_read_kinetic, 0, false},
                                         {"V", 0, cli_read_potential, 0, false},
                                         {"H", 0, cli_read_energy, 0, false}};
    cli_track t[3];
    CLI_TRY(race(bench, only_vi_s, columns, 3, t, err));
    return cli_bench_claim(bench, 0, t[2].most - t[2].least, err, "[%.3f, %.3f]",
                           t[2].least, t[2].most);
}

/* ---- what is kept ------------------------------------------------------------------------------------ */

static lv_status run_energy(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {EACH(cli_read_energy, 0, false)};
    cli_track t[SCHEMES];
    CLI_TRY(race(bench, all, columns, SCHEMES, t, err));
    for (int k = 0; k < EM; k++)
        CLI_TRY(cli_bench_claim(bench, k, t[k].most - t[k].least, err,
                                "E in [%.3f, %.3f]", t[k].least, t[k].most));
    return cli_bench_claim(bench, EM, t[EM].most - t[EM].least, err, "%.1e",
                           t[EM].most - t[EM].least);
}

static lv_status run_energy_steps(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {{"em", 0, cli_read_energy, 0, true}};
    cli_track t[1];
    CLI_TRY(race(bench, only_em, columns, 1, t, err));
    return cli_bench_claim(bench, 0, t[0].size, err, "%.1e", t[0].size);
}

static lv_status run_angular(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {{"J1", 0, cli_read_angular, 0, false},
                                         {"J2", 0, cli_read_angular, 1, false},
                                         {"J3", 0, cli_read_angular, 2, false}};
    cli_track t[3];
    CLI_TRY(race(bench, only_vi_s, columns, 3, t, err));
    double off = fmax(fabs(t[2].most - 1), fabs(t[2].least - 1));
    return cli_bench_claim(bench, 0, off, err, "off 1 by %.1e", off);
}

static lv_status run_angular_steps(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {EACH(cli_read_angular, 2, true)};
    cli_track t[SCHEMES];
    CLI_TRY(race(bench, all, columns, SCHEMES, t, err));
    for (int k = 0; k < SCHEMES; k++)
        CLI_TRY(cli_bench_claim(bench, k, t[k].size, err, "%.1e", t[k].size));
    return LV_OK;
}

/* ---- constraints ------------------------------------------------------------------------------------- */

static const char *const at_nodes[] = {"vi-s", "vi-b", "em", NULL};

static lv_status run_position_level(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {{"vi-s", 0, cli_read_position, 0, false},
                                         {"vi-b", 1, cli_read_position, 0, false},
                                         {"em", 2, cli_read_position, 0, false}};
    cli_track t[3];
    CLI_TRY(race(bench, at_nodes, columns, 3, t, err));
    for (int k = 0; k < 3; k++)
        CLI_TRY(cli_bench_claim(bench, k, t[k].size, err, "%.1e", t[k].size));
    return LV_OK;
}

static lv_status run_midpoint(cli_bench *bench, cli_reading *reading, lv_error *err)
{
    static const char *const schemes[] = {"vi-a", NULL};
    const cli_column columns[] = {{"vi-a", 0, reading, 0, false}};
    cli_track t[1];
    CLI_TRY(race(bench, schemes, columns, 1, t, err));
    return cli_bench_claim(bench, 0, t[0].size, err, "%.2g", t[0].size);
}

static lv_status run_position_midpoint(cli_bench *bench, lv_error *err)
{
    return run_midpoint(bench, cli_read_position, err);
}

static lv_status run_momentum_midpoint(cli_bench *bench, lv_error *err)
{
    return run_midpoint(bench, cli_read_hidden, err);
}

static lv_status run_momentum_level(cli_bench *bench, lv_error *err)
{
    static const cli_column columns[] = {{"vi-s", 0, cli_read_hidden, 0, false},
                                         {"vi-b", 1, cli_read_hidden, 0, false},
                                         {"em", 2, cli_read_hidden, 0, false},
                                         {"vi-b G v", 1, cli_read_inner, 0, false}};
    const cli_course course = {.start = pendulum,
                               .schemes = at_nodes,
                               .steps = STEPS,
                               .columns = columns,
                               .column_count = CLI_COUNT(columns),
                               .skip_start = true};
    cli_track t[4];
    CLI_TRY(cli_race_course(bench, &course, t, err));
    CLI_TRY(cli_bench_claim(bench, 0, t[0].size, err, "%.1e", t[0].size));
    CLI_TRY(cli_bench_claim(bench, 1, t[2].size, err, "%.1e", t[2].size));
    CLI_TRY(cli_bench_claim(bench, 2, t[1].size, err, "%.2g", t[1].size));
    return cli_bench_claim(bench, 3, t[3].size, err, "%.1e", t[3].size);
}

/* ---- claims -------------------------------------------------------------------------------------------- */

static const cli_claim position_claims[] = {
    {.text = "largest distance of a scheme from EM",
     .published = "slight deviations",
     .least = 1e-6,
     .most = 0.1,
     .pin = CLI_PIN(ELSEWHERE, 7e-3, 8.5e-3)},
};

static const cli_claim momentum_claims[] = {
    {.text = "largest distance of a scheme from EM",
     .published = "slight deviations",
     .least = 1e-6,
     .most = 0.5,
     .pin = CLI_PIN(ELSEWHERE, 0.13, 0.145)},
};

static const cli_claim lambda_claims[] = {
    {.text = "VI-S: amplitude of alternation", .pin = CLI_PIN(HERE, 0, 0.05)},
    {.text = "EM: amplitude of alternation", .pin = CLI_PIN(HERE, 0, 0.05)},
    {.text = "VI-A: amplitude of alternation",
     .published = "slight oscillations",
     .least = 0.05,
     .most = 3,
     .pin = CLI_PIN(HERE, 0.1, 1)},
    {.text = "VI-B: amplitude of alternation",
     .published = "slight oscillations",
     .least = 0.05,
     .most = 3,
     .pin = CLI_PIN(HERE, 0.5, 2)},
    {.text = "VI-B: amplitude with h/4, relative to that with h",
     .published = "slight oscillations",
     .least = 0.5,
     .most = 2,
     .correction =
         "The alternation of VI-B does not vanish with the step: only the mean of two "
         "successive multipliers converges."},
};

static const cli_claim gamma_claims[] = {
    {.text = "VI-S: amplitude of alternation", .pin = CLI_PIN(HERE, 0, 5e-4)},
    {.text = "EM: amplitude of alternation", .pin = CLI_PIN(HERE, 0, 5e-4)},
    {.text = "VI-A: amplitude of alternation",
     .published = "slight oscillations",
     .least = 1e-3,
     .most = 0.05,
     .pin = CLI_PIN(HERE, 5e-3, 1e-2)},
    {.text = "VI-B: amplitude of alternation, relative to VI-S",
     .published = "slight oscillations",
     .most = 2,
     .correction = "gamma of VI-B is as smooth as that of VI-S, if the sentence means "
                   "gamma: it is lambda "
                   "of VI-B that alternates."},
    {.text = "EM: largest |gamma|", .pin = CLI_PIN(HERE, 0.01, 0.02)},
};

static const cli_claim trajectory_claims[] = {
    {.text = "VI-S stays on the sphere",
     .published = "on the sphere (drawn)",
     .least = -1e-14,
     .most = 1e-14},
};

static const cli_claim energies_claims[] = {
    {.text = "VI-S: range of H = T + V", .pin = CLI_PIN(ELSEWHERE, 1.34, 1.341)},
};

static const cli_claim energy_claims[] = {
    {.text = "VI-S: range of E",
     .published = "fluctuations typical for symplectic methods",
     .least = 1e-3,
     .most = 3,
     .pin = CLI_PIN(ELSEWHERE, 1.34, 1.341)},
    {.text = "VI-A: range of E",
     .published = "fluctuations typical for symplectic methods",
     .least = 1e-3,
     .most = 3,
     .pin = CLI_PIN(ELSEWHERE, 0.097, 0.099)},
    {.text = "VI-B: range of E",
     .published = "fluctuations typical for symplectic methods",
     .least = 1e-3,
     .most = 3,
     .pin = CLI_PIN(ELSEWHERE, 1.335, 1.336)},
    {.text = "EM: range of E", .published = "up to round-off", .most = 1e-12},
};

static const cli_claim energy_step_claims[] = {
    {.text = "EM: largest change of E in a step",
     .published = "up to round-off",
     .most = 1e-13},
};

static const cli_claim angular_claims[] = {
    {.text = "VI-S: third component of J",
     .published = "conserved (drawn)",
     .most = 1e-13},
};

static const cli_claim angular_step_claims[] = {
    {.text = "VI-S: largest change of J3", .published = "up to round-off", .most = 1e-13},
    {.text = "VI-A: largest change of J3", .published = "up to round-off", .most = 1e-13},
    {.text = "VI-B: largest change of J3", .published = "up to round-off", .most = 1e-13},
    {.text = "EM: largest change of J3", .published = "up to round-off", .most = 1e-13},
};

static const cli_claim position_level_claims[] = {
    {.text = "VI-S: largest |g|", .published = "correctly captured", .most = 1e-14},
    {.text = "VI-B: largest |g|", .published = "correctly captured", .most = 1e-14},
    {.text = "EM: largest |g|", .published = "correctly captured", .most = 1e-14},
};

static const cli_claim position_midpoint_claims[] = {
    {.text = "VI-A: largest |g| at the nodes",
     .published = "violated by design",
     .least = 1e-6,
     .most = 0.1,
     .pin = CLI_PIN(ELSEWHERE, 6.4e-3, 6.6e-3)},
};

static const cli_claim momentum_level_claims[] = {
    {.text = "VI-S: largest |G M^-1 p|",
     .published = "correctly captured",
     .most = 1e-13},
    {.text = "EM: largest |G M^-1 p|", .published = "correctly captured", .most = 1e-13},
    {.text = "VI-B: largest |G M^-1 p|",
     .published = "correctly captured",
     .least = 1e-6,
     .most = 10,
     .pin = CLI_PIN(ELSEWHERE, 0.31, 0.33),
     .correction =
         "VI-B does not keep G M^-1 p = 0: p differs from M v. It is the velocity within "
         "the step that is tangent, next line."},
    {.text = "VI-B: largest |G(q1) v| of the step",
     .published = "correctly captured",
     .most = 1e-13},
};

static const cli_claim momentum_midpoint_claims[] = {
    {.text = "VI-A: largest |G M^-1 p| at the nodes",
     .published = "violated by design",
     .least = 1e-6,
     .most = 1,
     .pin = CLI_PIN(ELSEWHERE, 3.2e-2, 3.4e-2)},
};

static const cli_figure figures[] = {
    {.where = "Fig. 2",
     .subject = "pendulum: position q1",
     .file = "fig-02-position",
     CLI_CLAIMS(position_claims),
     .run = run_position},
    {.where = "Fig. 3",
     .subject = "pendulum: momentum p1",
     .file = "fig-03-momentum",
     CLI_CLAIMS(momentum_claims),
     .run = run_momentum},
    {.where = "Fig. 4",
     .subject = "pendulum: multiplier lambda",
     .file = "fig-04-lambda",
     CLI_CLAIMS(lambda_claims),
     .run = run_lambda},
    {.where = "Fig. 5",
     .subject = "pendulum: multiplier gamma",
     .file = "fig-05-gamma",
     CLI_CLAIMS(gamma_claims),
     .run = run_gamma},
    {.where = "Fig. 6",
     .subject = "pendulum: trajectory (VI-S)",
     .file = "fig-06-trajectory",
     CLI_CLAIMS(trajectory_claims),
     .run = run_trajectory},
    {.where = "Fig. 7",
     .subject = "pendulum: energies (VI-S)",
     .file = "fig-07-energies",
     CLI_CLAIMS(energies_claims),
     .run = run_energies},
    {.where = "Fig. 8",
     .subject = "pendulum: energy",
     .file = "fig-08-energy",
     CLI_CLAIMS(energy_claims),
     .run = run_energy},
    {.where = "Fig. 9",
     .subject = "pendulum: changes of the energy (EM)",
     .file = "fig-09-energy-changes",
     CLI_CLAIMS(energy_step_claims),
     .run = run_energy_steps},
    {.where = "Fig. 10",
     .subject = "pendulum: angular momentum (VI-S)",
     .file = "fig-10-angular-momentum",
     CLI_CLAIMS(angular_claims),
     .run = run_angular},
    {.where = "Fig. 11",
     .subject = "pendulum: changes of the angular momentum",
     .file = "fig-11-angular-momentum-changes",
     CLI_CLAIMS(angular_step_claims),
     .run = run_angular_steps},
    {.where = "Fig. 12",
     .subject = "pendulum: constraint on positions",
     .file = "fig-12-position-constraint",
     CLI_CLAIMS(position_level_claims),
     .run = run_position_level},
    {.where = "Fig. 13",
     .subject = "pendulum: constraint on positions (VI-A)",
     .file = "fig-13-position-constraint-vi-a",
     CLI_CLAIMS(position_midpoint_claims),
     .run = run_position_midpoint},
    {.where = "Fig. 14",
     .subject = "pendulum: constraint on momenta",
     .file = "fig-14-momentum-constraint",
     CLI_CLAIMS(momentum_level_claims),
     .run = run_momentum_level},
    {.where = "Fig. 15",
     .subject = "pendulum: constraint on momenta (VI-A)",
     .file = "fig-15-momentum-constraint-vi-a",
     CLI_CLAIMS(momentum_midpoint_claims),
     .run = run_momentum_midpoint},
};

const cli_chapter cli_kinon2023_pendulum = {figures, CLI_COUNT(figures)};
