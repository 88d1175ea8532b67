/* Section 7.5: a ball that rolls on a turntable, on SO(3) x R^2. The third coordinate of its centre stays 0. */
#include "cli/reproduce/body.h"
#include "cli/reproduce/group_rows.h"
#include "cli/reproduce/martin_sato2018.h"

#include <math.h>
#include <string.h>

/* The paper gives no data. r = 0.5, Omega = 1.2; J = r^2 (a, b, c). */
#define BALL(J, rotation, spin, w)                                                       \
    "[parameters]\nr = 0.5\nW = 1.2\n"                                                   \
    "[bodies.b]\nmass = 1\ninertia = " J "\nposition = [0.3, -0.2, 0]\n"                 \
    "rotation = " rotation "\nvelocity = [0.04, 0.06, 0]\n" spin " = [0.6, -0.4, 0.9]\n" \
    "[constraints.roll]\n"                                                               \
    "nonholonomic = [\"b'[1] + W*b[2] - r*b." w "[2]\", "                                \
    "\"b'[2] - W*b[1] + r*b." w "[1]\"]\n"
#define EVEN "[0.1, 0.1, 0.1]"
#define UNEVEN "[0.075, 0.1, 0.125]"
#define TURNED "[0.2, -0.5, 0.4]"
#define STRAIGHT "[0, 0, 0]"

static const char even[] = BALL(EVEN, TURNED, "spin", "spin"),
                  uneven[] = BALL(UNEVEN, TURNED, "spin", "spin");

static const double even_J[] = {0.1, 0.1, 0.1}, uneven_J[] = {0.075, 0.1, 0.125};
static const double rate = 1.2, radius = 0.5, until = 4;

enum { AXES = 3, STATE = 16, HALF = STATE - 2 };

/* R row by row, position, momentum in body axes, velocity. */
static void read_ball(double x[STATE], const cli_motion *m, const double *J)
{
    double body[CLI_BODY];
    cli_body_read(body, m, AXES);
    memcpy(x, body, 9 * sizeof *x);
    memcpy(x + 9, m->q, 2 * sizeof *x);
    for (int k = 0; k < 3; k++)
        x[11 + k] = J[k] * body[9 + k];
    memcpy(x + HALF, m->v, 2 * sizeof *x);
}

/* ---- integrals ---------------------------------------------------------------------------------------- */

/* Component k of K = R J omega + r e_z x v, for the moments of the ball. */
static double read_k(const cli_motion *m, const double *J, int k)
{
    double body[CLI_BODY], K[3];
    cli_body_read(body, m, AXES);
    cli_body_momentum(K, body, J);
    K[0] -= radius * m->v[1];
    K[1] += radius * m->v[0];
    return K[k];
}

static double read_uneven_k(cli_motion *m, int k)
{
    return read_k(m, uneven_J, k);
}

/* The printed integrals with the angular velocity in space, of x, y and the vertical:
 * index 0 to 2 for a = 0.4, from 3 on for a = 0.3. */
static double read_printed(cli_motion *m, int index)
{
    const int k = index % 3;
    const double a = index < 3 ? 0.4 : 0.3;
    static const double one[] = {1, 1, 1};
    double body[CLI_BODY], spin[3];
    cli_body_read(body, m, AXES);
    cli_body_momentum(spin, body, one);
    return k == 2 ? spin[2] : radius * spin[k] - rate / (1 + a) * m->q[k];
}

static double read_moving(cli_motion *m, int k)
{
    (void)k;
    return m->energies.kinetic - rate * (m->q[0] * m->v[1] - m->q[1] * m->v[0]);
}

static double spread(const cli_track *t)
{
    return t->most - t->least;
}

/* ---- figure 8 ----------------------------------------------------------------------------------------- */

static lv_status run_integrals(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"lobatto stages=3 rotations=cay", NULL};
    static const cli_column columns[] = {
        {"x integral", 0, read_printed, 0, false},
        {"y integral", 0, read_printed, 1, false},
        {"spin", 0, read_printed, 2, false},
        {"moving energy", 0, read_moving, 0, false},
    };
    const cli_course course = {
        .start = {.model = "ball on a turntable", .text = even, .step = 0.1},
        .schemes = schemes,
        .steps = 2000,
        .columns = columns,
        .column_count = CLI_COUNT(columns)};
    cli_track tracks[CLI_COUNT(columns)];
    CLI_TRY(cli_race_course(bench, &course, tracks, err));
    const double off[] = {spread(&tracks[2]), spread(&tracks[0]), spread(&tracks[1]),
                          spread(&tracks[3])};
    for (int k = 0; k < 4; k++)
        CLI_TRY(cli_bench_claim(bench, k, off[k], err, "%.1e", off[k]));
    return cli_bench_claim(bench, 4, fabs(tracks[3].drift) * 200, err, "%.0e to t = 200",
                           fabs(tracks[3].drift) * 200);
}

static const char spatial_note[] =
    "Printed with components of the angular velocity along the axes of the ball. No "
    "slip, "
    "and these integrals, concern its components in space.";

static const cli_claim integral_claims[] = {
    {.text = "omega_zeta: change to t = 200",
     .published = "preserved by the integrator",
     .most = 1e-11,
     .correction = spatial_note},
    {.text = "r omega_xi - Omega x/(1 + a): change to t = 200",
     .published = "preserved by the integrator",
     .most = 1e-11,
     .correction = spatial_note},
    {.text = "r omega_eta - Omega y/(1 + a): change to t = 200",
     .published = "preserved by the integrator",
     .most = 1e-11,
     .correction = spatial_note},
    {.text = "moving energy: range to t = 200",
     .published = "as the energy of a holonomic system",
     .most = 1e-6,
     .note = "Lobatto-3 with cay, as in the figure, a = b = c = 0.4, h = 0.1. The paper "
             "gives no data: here r = 0.5, Omega = 1.2, (x, y) = (0.3, -0.2), angular "
             "velocity (0.6, -0.4, 0.9) in space, rotation vector (0.2, -0.5, 0.4)."},
    {.text = "moving energy: drift",
     .published = "as the energy of a holonomic system",
     .most = 1e-9},
};

/* ---- periodic motion ---------------------------------------------------------------------------------- */

/* The centre moves on a circle at the rate a Omega/(1 + a). */
static lv_status run_period(cli_bench *bench, lv_error *err)
{
    const double period = 2 * acos(-1) * 1.4 / (0.4 * rate);
    cli_start start = {
        .model = "ball on a turntable", .text = even, .step = period / 200};
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, &start, "lobatto stages=4 rotations=exp", err));
    const double x = m.q[0], y = m.q[1];
    lv_status status = cli_motion_steps(&m, 200, err);
    const double off = hypot(m.q[0] - x, m.q[1] - y);
    cli_motion_end(&m);
    return status == LV_OK
               ? cli_bench_claim(bench, 0, off, err, "%.1e after t = %.2f", off, period)
               : status;
}

static const cli_claim period_claims[] = {
    {.text = "a = b = c: distance of the centre from its start after one period",
     .published = "periodic motion",
     .most = 1e-8,
     .note =
         "Four stages with exp, 200 steps. The period of the centre is 2 pi (1 + a)/(a "
         "Omega); the rotation has another one."},
};

/* ---- orders ------------------------------------------------------------------------------------------- */

/* A scheme for a ball, with numbers from another program: ranges of the moving energy
 * with 20, 40 and 80 steps, and errors of configuration, momentum and multipliers with
 * 80; 0: not known, or rounding. */
typedef struct trial {
    bool even;
    int stages;
    const char *chart;
    double energy[3], errors[3];
} trial;

static const trial trials[] = {
    {true, 2, "cay", {5.0e-8, 3.1e-9, 2.0e-10}, {1.98e-3, 3.68e-5, 4.14e-6}},
    {true, 2, "exp", {5.03e-8, 3.14e-9, 1.96e-10}, {2.82e-5, 3.43e-6, 4.14e-6}},
    {true, 3, "cay", {4.6e-10, 2.8e-11, 1.8e-12}, {1.76e-7, 3.30e-9, 3.35e-7}},
    {true, 3, "exp", {4.56e-10, 2.85e-11, 1.78e-12}, {2.78e-10, 2.13e-11, 3.35e-7}},
    {true, 4, "cay", {0}, {3.71e-12, 0, 4.7e-12}},
    {true, 4, "exp", {0}, {0, 0, 4.8e-12}},
    {false, 2, "cay", {1.5e-4, 3.7e-5, 9.2e-6}, {2.1e-3, 6.7e-5, 1.0e-4}},
    {false, 2, "exp", {1.41e-4, 3.48e-5, 8.66e-6}, {4.1e-4, 4.4e-5, 3.1e-5}},
    {false, 3, "cay", {8.3e-8, 5.3e-9, 3.4e-10}, {2.5e-7, 8.3e-9, 6.0e-6}},
    {false, 3, "exp", {9.41e-8, 5.89e-9, 3.68e-10}, {1.2e-8, 1.4e-9, 3.0e-6}},
    {false, 4, "cay", {6.0e-11, 9.1e-13, 0}, {7.5e-12, 3.5e-13, 1.3e-9}},
    {false, 4, "exp", {6.65e-11, 1.01e-12, 0}, {1.5e-12, 0, 1.3e-9}},
};
enum { TRIALS = CLI_COUNT(trials) };

/* The result of one run. */
typedef struct outcome {
    double end[STATE], lambda[2], K, energy, roll;
} outcome;

static void watch(outcome *o, cli_motion *m, const double *J, const double *K0, double E0)
{
    for (int k = 0; k < 3; k++)
        o->K = fmax(o->K, fabs(read_k(m, J, k) - K0[k]));
    o->energy = fmax(o->energy, fabs(read_moving(m, 0) - E0));
    for (int k = 0; k < 2; k++)
        o->roll = fmax(o->roll, fabs(m->rate[m->m + k]));
}

static lv_status run_trial(outcome *o, const trial *t, int steps, lv_error *err)
{
    const cli_start start = {.model = "ball on a turntable",
                             .text = t->even ? even : uneven,
                             .step = until / steps};
    const double *J = t->even ? even_J : uneven_J;
    char scheme[80];
    cli_motion m;
    snprintf(scheme, sizeof scheme, "lobatto stages=%d rotations=%s", t->stages,
             t->chart);
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    *o = (outcome){.K = 0};
    const double K0[] = {read_k(&m, J, 0), read_k(&m, J, 1), read_k(&m, J, 2)},
                 E0 = read_moving(&m, 0);
    lv_status status = LV_OK;
    for (int n = 0; n < steps && status == LV_OK; n++) {
        status = cli_motion_step(&m, err);
        watch(o, &m, J, K0, E0);
    }
    read_ball(o->end, &m, J);
    const double *carried = lv_sim_carried_multipliers(m.sim);
    for (int k = 0; carried && k < 2; k++)
        o->lambda[k] = carried[k];
    cli_motion_end(&m);
    return status;
}

/* The multipliers of the accelerations, which are as accurate as the state. */
static lv_status find_multipliers(double lambda[2], bool is_even, lv_error *err)
{
    enum { INNER = 6 }; /* constraints of the axes, which come first */
    double all[INNER + 2] = {0};
    const cli_start start = {.model = "ball on a turntable",
                             .text = is_even ? even : uneven,
                             .step = until / 80};
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, &start, "lobatto stages=5 rotations=exp", err));
    lv_status status = cli_motion_steps(&m, 80, err);
    if (status == LV_OK && lv_sim_constraint_count(m.sim) == CLI_COUNT(all))
        status = lv_sim_multipliers(m.sim, all, err);
    memcpy(lambda, all + INNER, 2 * sizeof *lambda);
    cli_motion_end(&m);
    return status;
}

/* Errors of configuration, momentum and velocity, multipliers. */
static void find_errors(double errors[3], const outcome *o, bool is_even,
                        const double *lambda)
{
    const double *exact = is_even ? even_ball : uneven_ball;
    errors[0] = cli_largest_difference(o->end, exact, 11);
    errors[1] = cli_largest_difference(o->end + 11, exact + 11, 5);
    errors[2] = cli_largest_difference(o->lambda, lambda, 2);
}

enum { ORDERS = 3, ERRORS = ORDERS, ENERGIES, ENTRIES, RUNS = 4 };

/* The deviation from known numbers; if these are only rounding, the largest size. */
static double deviation_of(const double *a, const double *b)
{
    return b[0] + b[2] > 0 ? cli_largest_deviation(a, b, 3)
                           : fmax(a[0], fmax(a[1], a[2]));
}

/* With four stages, configuration and momentum of the homogeneous ball reach rounding
 * early. */
static lv_status claim_orders(cli_bench *bench, int k, double errors[RUNS][3],
                              lv_error *err)
{
    for (int i = 0; i < ORDERS; i++) {
        const int coarse = trials[k].even && trials[k].stages == 4 && i < 2 ? 0 : 1;
        const double order = log2(errors[coarse][i] / errors[coarse + 1][i]);
        CLI_TRY(cli_bench_claim(bench, ENTRIES * k + i, order, err, "%.2f", order));
    }
    return LV_OK;
}

static lv_status measure_trial(cli_bench *bench, int k, outcome *last, lv_error *err)
{
    double errors[RUNS][3], energies[RUNS], lambda[2];
    CLI_TRY(find_multipliers(lambda, trials[k].even, err));
    for (int i = 0; i < RUNS; i++) {
        CLI_TRY(run_trial(last, &trials[k], 10 << i, err));
        find_errors(errors[i], last, trials[k].even, lambda);
        energies[i] = last->energy;
        bench->row[0] = k;
        bench->row[1] = until / (10 << i);
        memcpy(bench->row + 2, errors[i], sizeof errors[i]);
        bench->row[5] = last->energy;
        CLI_TRY(cli_bench_row(bench, err));
    }
    CLI_TRY(claim_orders(bench, k, errors, err));
    const char *shown[] = {cli_numbers(bench->pool, errors[RUNS - 1], 3),
                           cli_numbers(bench->pool, energies + 1, 3)};
    if (!shown[0] || !shown[1])
        return cli_fail_memory(err);
    const double deviations[] = {deviation_of(errors[RUNS - 1], trials[k].errors),
                                 deviation_of(energies + 1, trials[k].energy)};
    CLI_TRY(
        cli_bench_claim(bench, ENTRIES * k + ERRORS, deviations[0], err, "%s", shown[0]));
    return cli_bench_claim(bench, ENTRIES * k + ENERGIES, deviations[1], err, "%s",
                           shown[1]);
}

static lv_status run_orders(cli_bench *bench, lv_error *err)
{
    static const char *const names[] = {"row",      "h",      "configuration",
                                        "momentum", "lambda", "moving energy"};
    double K = 0, roll = 0;
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int k = 0; k < TRIALS && cli_bench_go_on(bench); k++) {
        outcome last;
        CLI_TRY(measure_trial(bench, k, &last, err));
        K = fmax(K, last.K);
        roll = fmax(roll, last.roll);
    }
    CLI_TRY(cli_bench_claim(bench, ENTRIES * TRIALS, K, err, "%.1e", K));
    return cli_bench_claim(bench, ENTRIES * TRIALS + 1, roll, err, "%.1e", roll);
}

static const char order_note[] =
    "With the data of Fig. 8 to T = 4; orders between 20 and 40 steps. The multiplier is "
    "the one that is carried along.";

/* Errors and energies are known from elsewhere, come from livens, or are only
 * rounding. */
#define TRIAL(name, p, multiplier, errors_pin, energy_pin, first_note)                   \
    {.text = name ": order of the configuration",                                        \
     .published = "the expected order, " #p,                                             \
     .least = (p)-0.15,                                                                  \
     .most = (p) + 0.15,                                                                 \
     .note = first_note},                                                                \
        {.text = name ": order of the momentum",                                         \
         .published = "the expected order, " #p,                                         \
         .least = (p)-0.15,                                                              \
         .most = (p) + 0.15},                                                            \
        {.text = name ": order of lambda",                                               \
         .published = "the expected order, " #multiplier,                                \
         .least = (multiplier)-0.15,                                                     \
         .most = (multiplier) + 0.15},                                                   \
        {.text = name ": errors of configuration, momentum, lambda, 80 steps",           \
         .pin = errors_pin},                                                             \
    {                                                                                    \
        .text = name ": range of the moving energy, 20, 40, 80 steps", .pin = energy_pin \
    }
#define KNOWN CLI_PIN(ELSEWHERE, 0, 0.06)
#define OURS CLI_PIN(HERE, 0, 0.2)
#define ROUNDING CLI_PIN(ELSEWHERE, 0, 1e-14)

static const cli_claim order_claims[] = {
    TRIAL("a = b = c, s = 2, cay", 2, 2, OURS, KNOWN, order_note),
    TRIAL("a = b = c, s = 2, exp", 2, 2, OURS, OURS, NULL),
    TRIAL("a = b = c, s = 3, cay", 4, 2, OURS, KNOWN, NULL),
    TRIAL("a = b = c, s = 3, exp", 4, 2, OURS, OURS, NULL),
    TRIAL("a = b = c, s = 4, cay", 6, 4, OURS, ROUNDING, NULL),
    TRIAL("a = b = c, s = 4, exp", 6, 4, OURS, ROUNDING, NULL),
    TRIAL("(0.3, 0.4, 0.5), s = 2, cay", 2, 2, KNOWN, KNOWN, NULL),
    TRIAL("(0.3, 0.4, 0.5), s = 2, exp", 2, 2, KNOWN, OURS, NULL),
    TRIAL("(0.3, 0.4, 0.5), s = 3, cay", 4, 2, KNOWN, KNOWN, NULL),
    TRIAL("(0.3, 0.4, 0.5), s = 3, exp", 4, 2, KNOWN, OURS, NULL),
    TRIAL("(0.3, 0.4, 0.5), s = 4, cay", 6, 4, KNOWN, KNOWN, NULL),
    TRIAL("(0.3, 0.4, 0.5), s = 4, exp", 6, 4, KNOWN, OURS, NULL),
    {.text = "all: largest change of R J omega + r e_z x v, 80 steps",
     .pin = CLI_PIN(ELSEWHERE, 0, 1e-15),
     .note =
         "Three integrals of every ball, linear in momenta with coefficients that are "
         "constant in space: kept by every scheme."},
    {.text = "all: largest violation of no slip at the nodes",
     .published = "the constraint holds on momenta",
     .most = 1e-11},
};

/* ---- end states ---------------------------------------------------------------------------------------- */

enum { ENDS = CLI_COUNT(ball_rows) };

static lv_status run_ends(cli_bench *bench, lv_error *err)
{
    for (int k = 0; k < ENDS; k++) {
        const ball_row *row = &ball_rows[k];
        const trial t = {
            .even = false, .stages = row->stages, .chart = row->cay ? "cay" : "exp"};
        outcome o;
        CLI_TRY(run_trial(&o, &t, 80, err));
        const double off[] = {cli_largest_difference(o.end, row->first, 3),
                              cli_largest_difference(o.end + 9, row->x, 2),
                              cli_largest_difference(o.end + 11, row->momentum, 3),
                              cli_largest_difference(o.end + HALF, row->v, 2),
                              cli_largest_difference(o.lambda, row->lambda, 2)};
        double most = 0;
        for (int i = 0; i < CLI_COUNT(off); i++)
            most = fmax(most, off[i]);
        CLI_TRY(cli_bench_claim(bench, k, most, err, "the same to %.1e", most));
    }
    return LV_OK;
}

#define ENDED(name)                                                                      \
    {                                                                                    \
        .text = name ": R, position, momentum, velocity, lambda after 80 steps",         \
        .pin = CLI_PIN(ELSEWHERE, 0, 1e-11)                                              \
    }

static const cli_claim end_claims[] = {ENDED("s = 2, cay"), ENDED("s = 2, exp"),
                                       ENDED("s = 3, cay"), ENDED("s = 3, exp"),
                                       ENDED("s = 4, exp")};

/* ---- the constraint as it is printed ------------------------------------------------------------------- */

static lv_status reach(double x[STATE], const char *text, lv_error *err)
{
    const cli_start start = {
        .model = "ball on a turntable", .text = text, .step = until / 80};
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, &start, "lobatto stages=4 rotations=exp", err));
    lv_status status = cli_motion_steps(&m, 80, err);
    read_ball(x, &m, even_J);
    cli_motion_end(&m);
    return status;
}

/* Changes of integrals of the inhomogeneous ball: the printed ones, and the correct
 * ones. */
static lv_status run_uneven(double *printed, double *right, cli_bench *bench,
                            const char *text, lv_error *err)
{
    static const char *const schemes[] = {"lobatto stages=4 rotations=exp", NULL};
    static const cli_column columns[] = {
        {"x", 0, read_printed, 3, false},   {"y", 0, read_printed, 4, false},
        {"z", 0, read_printed, 5, false},   {"K1", 0, read_uneven_k, 0, false},
        {"K2", 0, read_uneven_k, 1, false}, {"K3", 0, read_uneven_k, 2, false},
    };
    const cli_course course = {
        .start = {.model = "ball on a turntable", .text = text, .step = until / 80},
        .schemes = schemes,
        .steps = 80,
        .columns = columns,
        .column_count = CLI_COUNT(columns),
        .silent = true};
    cli_track tracks[CLI_COUNT(columns)];
    CLI_TRY(cli_race_course(bench, &course, tracks, err));
    for (int k = 0; k < 3; k++) {
        printed[k] = fabs(tracks[k].last - tracks[k].first);
        right[k] = spread(&tracks[3 + k]);
    }
    return LV_OK;
}

static lv_status run_printed(cli_bench *bench, lv_error *err)
{
    static const char right_even[] = BALL(EVEN, STRAIGHT, "spin", "spin"),
                      printed_even[] = BALL(EVEN, STRAIGHT, "spin", "omega"),
                      right_uneven[] = BALL(UNEVEN, STRAIGHT, "spin", "spin"),
                      printed_uneven[] = BALL(UNEVEN, STRAIGHT, "spin", "omega");
    double a[STATE], b[STATE], printed[3], right[3];
    CLI_TRY(reach(a, right_even, err));
    CLI_TRY(reach(b, printed_even, err));
    const double path = cli_largest_difference(a + 9, b + 9, 2),
                 turned = cli_largest_difference(a, b, 9);
    CLI_TRY(reach(a, right_uneven, err));
    CLI_TRY(reach(b, printed_uneven, err));
    const double apart = cli_largest_difference(a + 9, b + 9, 2);
    CLI_TRY(run_uneven(printed, right, bench, right_uneven, err));
    CLI_TRY(cli_bench_claim(bench, 0, path, err, "%.1e", path));
    CLI_TRY(cli_bench_claim(bench, 1, turned, err, "%.2f", turned));
    CLI_TRY(cli_bench_claim(bench, 2, apart, err, "%.2f", apart));
    for (int k = 0; k < 3; k++)
        CLI_TRY(cli_bench_claim(bench, 3 + k, printed[k], err, "%.3f", printed[k]));
    const double most = fmax(right[0], fmax(right[1], right[2]));
    return cli_bench_claim(bench, 6, most, err, "%.1e", most);
}

static const cli_claim printed_claims[] = {
    {.text = "a = b = c: position at t = 4, printed and corrected constraint",
     .published = "v_x + Omega y - r omega_eta, v_y - Omega x + r omega_xi",
     .most = 1e-11,
     .note = "R = 1 at the start. For a homogeneous ball positions and integrals do not "
             "know of the rotation, so that the printed results are right."},
    {.text = "a = b = c: rotation at t = 4, printed and corrected constraint",
     .published = "along the principal axes of the ball",
     .least = 0.5,
     .most = 0.7,
     .pin = CLI_PIN(ELSEWHERE, 0.57, 0.59),
     .correction =
         "With components along body axes the ball slips: what touches the table "
         "has the velocity of R omega. The rotation is then another one."},
    {.text = "(0.3, 0.4, 0.5): position at t = 4, printed and corrected constraint",
     .published = "along the principal axes of the ball",
     .least = 0.4,
     .most = 0.5,
     .pin = CLI_PIN(ELSEWHERE, 0.45, 0.47),
     .correction = "For a ball that is not homogeneous the printed constraint is another "
                   "system, which does not roll."},
    {.text = "(0.3, 0.4, 0.5): change of r omega_xi - Omega x/(1 + a) to t = 4",
     .pin = CLI_PIN(ELSEWHERE, 6.5e-3, 7.5e-3)},
    {.text = "(0.3, 0.4, 0.5): change of r omega_eta - Omega y/(1 + a) to t = 4",
     .pin = CLI_PIN(ELSEWHERE, 5.5e-2, 6.5e-2)},
    {.text = "(0.3, 0.4, 0.5): change of omega_zeta to t = 4",
     .pin = CLI_PIN(ELSEWHERE, 0.15, 0.25)},
    {.text = "(0.3, 0.4, 0.5): change of R J omega + r e_z x v to t = 4",
     .pin = CLI_PIN(ELSEWHERE, 0, 1e-15),
     .note = "For a != b only these three and the moving energy are integrals."},
};

static const cli_figure figures[] = {
    {.where = "Fig. 8",
     .subject = "ball on a turntable: four integrals",
     .file = "fig-08-integrals",
     CLI_CLAIMS(integral_claims),
     .run = run_integrals},
    {.where = "Section 7.5",
     .subject = "ball on a turntable",
     CLI_CLAIMS(period_claims),
     .run = run_period},
    {.where = "Section 6.4",
     .subject = "ball on a turntable: errors at T = 4",
     .file = "section-6-4-orders",
     CLI_CLAIMS(order_claims),
     .run = run_orders},
    {.where = "Section 7.5, states",
     .subject = "ball on a turntable, (0.3, 0.4, 0.5)",
     CLI_CLAIMS(end_claims),
     .run = run_ends},
    {.where = "Section 7.5, constraint",
     .subject = "ball on a turntable",
     CLI_CLAIMS(printed_claims),
     .run = run_printed},
};

const cli_chapter cli_martin_sato2018_turntable = {figures, CLI_COUNT(figures)};
