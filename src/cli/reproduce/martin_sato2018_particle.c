/* Section 7.1: a particle with z' = y x', errors at T = 2. */
#include "cli/reproduce/martin_sato2018.h"

#include <math.h>

enum { N = 3, LEAST = 2, MOST = 5, VARIANTS = MOST - LEAST + 1 };
enum { POSITION, MOMENTUM, CARRIED, FRESH, ERRORS };

static const double until = 2;

/* By a Gauss scheme of eight stages for the accelerations, in extended precision. */
static const double exact_q[N] = {1.29480436466913, -0.779865807277415,
                                  0.737441159969887};
static const double exact_p[N] = {-0.597160393706322, -0.742838692206825,
                                  0.46570497251188};
static const double exact_lambda = 0.903728343583584;

static const double coarse = 0.2;

/* Smaller errors are affected by rounding. */
static const double meaningful = 5e-14;

static const char *const schemes[VARIANTS] = {"lobatto stages=2", "lobatto stages=3",
                                              "lobatto stages=4", "lobatto stages=5"};

static lv_status read_errors(double *errors, cli_motion *m, lv_error *err)
{
    double lambda = 0;
    CLI_TRY(lv_sim_multipliers(m->sim, &lambda, err));
    const double *carried = lv_sim_carried_multipliers(m->sim);
    errors[POSITION] = cli_relative_distance(m->q, exact_q, N);
    errors[MOMENTUM] = cli_relative_distance(m->p, exact_p, N);
    errors[CARRIED] = fabs(carried[0] / exact_lambda - 1);
    errors[FRESH] = fabs(lambda / exact_lambda - 1);
    return LV_OK;
}

static lv_status errors_at(double *errors, const char *scheme, double h, lv_error *err)
{
    const cli_start start = {.model = "nonholonomic-particle", .step = h};
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    lv_status status = cli_motion_steps(&m, lround(until / h), err);
    if (status == LV_OK)
        status = read_errors(errors, &m, err);
    cli_motion_end(&m);
    return status;
}

static lv_status find_orders(cli_bench *bench, int variant, double *orders, lv_error *err)
{
    double x[ERRORS][CLI_SLOPE_STEPS], y[ERRORS][CLI_SLOPE_STEPS];
    int counts[ERRORS] = {0};
    for (int i = 0; i < CLI_SLOPE_STEPS; i++) {
        double h = coarse / (1 << i), *errors = bench->row + 2;
        CLI_TRY(errors_at(errors, schemes[variant], h, err));
        bench->row[0] = LEAST + variant;
        bench->row[1] = h;
        CLI_TRY(cli_bench_row(bench, err));
        for (int k = 0; k < ERRORS; k++)
            if (errors[k] > meaningful) {
                x[k][counts[k]] = log(h);
                y[k][counts[k]++] = log(errors[k]);
            }
    }
    for (int k = 0; k < ERRORS; k++)
        orders[k] = counts[k] < 2
                        ? (double)NAN
                        : cli_slope(x[k] + counts[k] - 2, y[k] + counts[k] - 2, 2);
    return LV_OK;
}

static lv_status run_orders(cli_bench *bench, lv_error *err)
{
    static const char *const names[] = {"s", "h",      "q",
                                        "p", "lambda", "lambda from accelerations"};
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int variant = 0; variant < VARIANTS; variant++) {
        double orders[ERRORS];
        if (!cli_bench_go_on(bench))
            break;
        CLI_TRY(find_orders(bench, variant, orders, err));
        for (int k = 0; k < ERRORS; k++)
            CLI_TRY(cli_bench_claim(bench, ERRORS * variant + k, orders[k], err, "%.2f",
                                    orders[k]));
    }
    return LV_OK;
}

static const char start_note[] =
    "The paper gives no initial data and no end: here q = (0.5, 1, 0), v = (1, -0.4, 1) "
    "and T = 2. Orders are those of the last two of the steps 0.2, 0.1, 0.05, 0.025 with "
    "errors above 5e-14.";

static const char fresh_note[] =
    "Not in the paper: multipliers from the accelerations at the end are as accurate as "
    "the state. These are the ones that livens reports.";

/* Four claims for s stages. */
#define ORDERS(s, state, carried)                                                        \
    {.text = "s = " #s ": order of q",                                                   \
     .published = #state,                                                                \
     .least = (state)-0.2,                                                               \
     .most = (state) + 0.2,                                                              \
     .note = s == 2 ? start_note : NULL},                                                \
        {.text = "s = " #s ": order of p",                                               \
         .published = #state,                                                            \
         .least = (state)-0.2,                                                           \
         .most = (state) + 0.2},                                                         \
        {.text = "s = " #s ": order of lambda as it is carried along",                   \
         .published = #carried,                                                          \
         .least = (carried)-0.2,                                                         \
         .most = (carried) + 0.2},                                                       \
    {                                                                                    \
        .text = "s = " #s ": order of lambda from accelerations",                        \
        .pin = CLI_PIN(HERE, (state)-0.2, (state) + 0.2),                                \
        .note = s == 2 ? fresh_note : NULL                                               \
    }

static const cli_claim order_claims[] = {ORDERS(2, 2, 2), ORDERS(3, 4, 2),
                                         ORDERS(4, 6, 4), ORDERS(5, 8, 4)};

static const cli_figure figures[] = {
    {.where = "Fig. 3",
     .subject = "nonholonomic particle: errors at T = 2",
     .file = "fig-03-orders",
     .claims = order_claims,
     .claim_count = CLI_COUNT(order_claims),
     .run = run_orders},
};

const cli_chapter cli_martin_sato2018_particle = {figures, CLI_COUNT(figures)};
