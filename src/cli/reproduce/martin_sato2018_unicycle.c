/* Section 7.4: a vertical disc that rolls and is drawn to the origin, on SE(2). */
#include "cli/reproduce/body.h"
#include "cli/reproduce/martin_sato2018.h"

#include <math.h>
#include <string.h>

/* The paper gives neither masses nor a start. */
static const char text[] = "[bodies.disc]\n"
                           "mass = 2\n"
                           "inertia = 0.5\n"
                           "position = [1, 0.5]\n"
                           "angle = 0.3\n"
                           "velocity = [\"0.4*cos(0.3)\", \"0.4*sin(0.3)\"]\n"
                           "angular_velocity = 1.2\n"
                           "[energy]\n"
                           "potential = \"norm2(disc)/2\"\n"
                           "[constraints.edge]\n"
                           "nonholonomic = \"local(disc, disc')[2]\"\n";

static const double until = 5;

/* x, y, cos theta, sin theta, 2 v1, carried multiplier */
enum { X, Y, COS, SIN, MOMENTUM, LAMBDA, STATE };

/* A scheme and its final state with 100 steps, from another program. */
typedef struct row {
    int stages;
    const char *chart;
    double end[STATE];
    double errors[3]; /* of pose, velocity and multiplier */
} row;

static const row rows[] = {
    {2,
     "cay",
     {1.146169297713, -0.480245835595, 0.999780291894, 0.020961105420, 0.228951067396,
      -0.230970839369},
     {4.15e-3, 6.6e-4, 5.8e-3}},
    {2,
     "exp",
     {1.145415755851, -0.481260566680, 0.999861598395, 0.016636828273, 0.231831196831,
      -0.223054066395},
     {1.09e-3, 7.8e-4, 2.2e-3}},
    {3,
     "cay",
     {1.144913103474, -0.482351590661, 0.999858627695, 0.016814417150, 0.230264683111,
      -0.225696546087},
     {5.2e-7, 1.3e-7, 4.8e-4}},
    {3,
     "exp",
     {1.144913026764, -0.482351676499, 0.999858636637, 0.016813885426, 0.230265070664,
      -0.225690846650},
     {9.4e-8, 6.7e-8, 4.8e-4}},
    {4,
     "cay",
     {1.144913009206, -0.482351770615, 0.999858636383, 0.016813900480, 0.230264937568,
      -0.225215929039},
     {3.2e-11, 1.6e-11, 1.8e-7}},
    {4,
     "exp",
     {1.144913009207, -0.482351770614, 0.999858636383, 0.016813900483, 0.230264937567,
      -0.225215929428},
     {3.3e-11, 1.6e-11, 1.8e-7}},
};

enum { ROWS = CLI_COUNT(rows), STEPS = 100 };

/* omega is constant and X, the distance to the origin along the disc, oscillates:
 *     X'' = -(omega^2 + 1/m) X,   v1' = -X/m,   lambda = m omega v1 + Y. */
static void find_exactly(double end[STATE])
{
    const double m = 2, omega = 1.2, v = 0.4, angle = 0.3, x = 1, y = 0.5;
    const double w = sqrt(omega * omega + 1 / m), X0 = x * cos(angle) + y * sin(angle),
                 Y0 = y * cos(angle) - x * sin(angle), rate = v + omega * Y0;
    const double c = cos(w * until), s = sin(w * until);
    const double along = X0 * c + rate / w * s,
                 sum = X0 / w * s + rate / (w * w) * (1 - c);
    const double v1 = v - sum / m, across = Y0 - omega * sum,
                 theta = angle + omega * until;
    end[X] = along * cos(theta) - across * sin(theta);
    end[Y] = along * sin(theta) + across * cos(theta);
    end[COS] = cos(theta);
    end[SIN] = sin(theta);
    end[MOMENTUM] = m * v1;
    end[LAMBDA] = m * omega * v1 + across;
}

/* The result of one run. */
typedef struct outcome {
    double end[STATE], edge, omega, energy;
} outcome;

static void read_end(outcome *o, const cli_motion *m)
{
    const double *carried = lv_sim_carried_multipliers(m->sim), angle = m->q[2];
    const double end[] = {m->q[0],
                          m->q[1],
                          cos(angle),
                          sin(angle),
                          2 * (m->v[0] * cos(angle) + m->v[1] * sin(angle)),
                          carried ? carried[0] : (double)NAN};
    memcpy(o->end, end, sizeof end);
}

static lv_status run_row(outcome *o, const row *r, int steps, lv_error *err)
{
    const cli_start start = {.model = "unicycle", .text = text, .step = until / steps};
    char scheme[80];
    cli_motion m;
    snprintf(scheme, sizeof scheme, "lobatto stages=%d rotations=%s poses=coupled",
             r->stages, r->chart);
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    *o = (outcome){.edge = 0};
    const double energy = m.energies.total;
    lv_status status = LV_OK;
    for (int n = 0; n < steps && status == LV_OK; n++) {
        status = cli_motion_step(&m, err);
        o->edge = fmax(o->edge, fabs(m.rate[0]));
        o->omega = fmax(o->omega, fabs(m.v[2] - 1.2));
        o->energy = fmax(o->energy, fabs(m.energies.total - energy));
    }
    read_end(o, &m);
    cli_motion_end(&m);
    return status;
}

/* The largest errors of the pose, and those of velocity and multiplier. */
static void find_errors(double errors[3], const double *end, const double *exact)
{
    errors[0] = cli_largest_difference(end, exact, 4);
    errors[1] = fabs(end[MOMENTUM] - exact[MOMENTUM]) / 2;
    errors[2] = fabs(end[LAMBDA] - exact[LAMBDA]);
}

/* ---- figure 7 ---------------------------------------------------------------------------------------- */

enum { ERRORS = 3, END, ENTRIES }; /* entries of a row; three orders come first */

static lv_status measure_row(cli_bench *bench, int k, const double *exact, outcome *last,
                             lv_error *err)
{
    double errors[2][3];
    for (int i = 0; i < 2; i++) {
        const int steps = STEPS / 2 << i;
        CLI_TRY(run_row(last, &rows[k], steps, err));
        find_errors(errors[i], last->end, exact);
        bench->row[0] = k;
        bench->row[1] = until / steps;
        memcpy(bench->row + 2, errors[i], sizeof errors[i]);
        CLI_TRY(cli_bench_row(bench, err));
    }
    for (int i = 0; i < 3; i++) {
        const double order = log2(errors[0][i] / errors[1][i]);
        CLI_TRY(cli_bench_claim(bench, ENTRIES * k + i, order, err, "%.2f", order));
    }
    const double off = cli_largest_difference(last->end, rows[k].end, STATE),
                 deviation = cli_largest_deviation(errors[1], rows[k].errors, 3);
    const char *numbers = cli_numbers(bench->pool, errors[1], 3);
    if (!numbers)
        return cli_fail_memory(err);
    CLI_TRY(cli_bench_claim(bench, ENTRIES * k + ERRORS, deviation, err, "%s", numbers));
    return cli_bench_claim(bench, ENTRIES * k + END, off, err, "the same to %.1e", off);
}

static lv_status run_orders(cli_bench *bench, lv_error *err)
{
    static const char *const names[] = {"row", "h", "pose", "v1", "lambda"};
    double exact[STATE], edge = 0, omega = 0;
    find_exactly(exact);
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int k = 0; k < ROWS && cli_bench_go_on(bench); k++) {
        outcome last;
        CLI_TRY(measure_row(bench, k, exact, &last, err));
        edge = fmax(edge, last.edge);
        omega = fmax(omega, last.omega);
        CLI_TRY(cli_bench_claim(bench, ENTRIES * ROWS + 2 + k, last.energy, err, "%.1e",
                                last.energy));
    }
    CLI_TRY(cli_bench_claim(bench, ENTRIES * ROWS, edge, err, "%.1e", edge));
    return cli_bench_claim(bench, ENTRIES * ROWS + 1, omega, err, "%.1e", omega);
}

static const char data_note[] =
    "The paper gives no masses, start and end. Here m = 2, I_z = 0.5, (x, y, theta) = "
    "(1, 0.5, 0.3), v1 = 0.4, omega = 1.2, T = 5: this motion has a closed form, against "
    "which errors are taken. Orders are those between 50 and 100 steps.";

static const char chart_note[] = "The paper uses the Cayley map alone.";

static const char multiplier_note[] =
    "As it is carried along; s for even s, s - 1 for odd s, as in a vector space.";

/* Entries of a scheme with the Cayley map, which the paper shows, and with the
 * exponential map. */
#define NUMBERS(name)                                                                    \
    {.text = name ": errors of pose, velocity, multiplier, 100 steps",                   \
     .pin = CLI_PIN(ELSEWHERE, 0, 0.05)},                                                \
    {                                                                                    \
        .text = name ": state with 100 steps", .pin = CLI_PIN(ELSEWHERE, 0, 1e-11)       \
    }
#define CLAIMED(name, p, multiplier, first_note)                                         \
    {.text = name ": order of the pose",                                                 \
     .published = #p,                                                                    \
     .least = (p)-0.15,                                                                  \
     .most = (p) + 0.15,                                                                 \
     .note = first_note},                                                                \
        {.text = name ": order of the momentum",                                         \
         .published = #p,                                                                \
         .least = (p)-0.15,                                                              \
         .most = (p) + 0.15},                                                            \
        {.text = name ": order of lambda",                                               \
         .published = #multiplier,                                                       \
         .least = (multiplier)-0.15,                                                     \
         .most = (multiplier) + 0.15,                                                    \
         .note = multiplier_note},                                                       \
        NUMBERS(name)
#define PINNED(name, p, multiplier)                                                      \
    {.text = name ": order of the pose",                                                 \
     .pin = CLI_PIN(ELSEWHERE, (p)-0.15, (p) + 0.15),                                    \
     .note = chart_note},                                                                \
        {.text = name ": order of the momentum",                                         \
         .pin = CLI_PIN(ELSEWHERE, (p)-0.15, (p) + 0.15)},                               \
        {.text = name ": order of lambda",                                               \
         .pin = CLI_PIN(ELSEWHERE, (multiplier)-0.15, (multiplier) + 0.15)},             \
        NUMBERS(name)
#define ENERGY(name, most)                                                               \
    {                                                                                    \
        .text = name ": largest error of the energy, 100 steps",                         \
        .pin = CLI_PIN(ELSEWHERE, 0, most)                                               \
    }

static const cli_claim order_claims[] = {
    CLAIMED("s = 2, cay", 2, 2, data_note),
    PINNED("s = 2, exp", 2, 2),
    CLAIMED("s = 3, cay", 4, 2, NULL),
    PINNED("s = 3, exp", 4, 2),
    CLAIMED("s = 4, cay", 6, 4, NULL),
    PINNED("s = 4, exp", 6, 4),
    {.text = "all: largest |v2| at the nodes",
     .published = "the constraint holds on momenta",
     .most = 1e-11},
    {.text = "all: largest |omega - 1.2|", .pin = CLI_PIN(ELSEWHERE, 0, 1e-14)},
    ENERGY("s = 2, cay", 9e-4),
    ENERGY("s = 2, exp", 9e-4),
    ENERGY("s = 3, cay", 5e-8),
    ENERGY("s = 3, exp", 5e-8),
    ENERGY("s = 4, cay", 2e-12),
    ENERGY("s = 4, exp", 2e-12),
};

static const cli_figure figures[] = {
    {.where = "Fig. 7",
     .subject = "unicycle: errors at T = 5",
     .file = "fig-07-orders",
     CLI_CLAIMS(order_claims),
     .run = run_orders},
};

const cli_chapter cli_martin_sato2018_unicycle = {figures, CLI_COUNT(figures)};
