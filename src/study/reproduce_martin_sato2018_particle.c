/* Section 7.1: a particle with z' = y x', errors at T = 2. */
#include "study/reproduce_martin_sato2018.h"

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

/* Errors below this are rounding, too. */
static const double meaningful = 5e-14;

static const char *const schemes[VARIANTS] = {"lobatto stages=2", "lobatto stages=3",
                                              "lobatto stages=4", "lobatto stages=5"};

static lv_status read_errors(double *errors, lv_motion *m, lv_error *err)
{
    double lambda = 0;
    LV_TRY(lv_sim_multipliers(m->sim, &lambda, err));
    const double *carried = m->sim->scheme->carried(m->sim->work);
    errors[POSITION] = lv_relative_distance(m->q, exact_q, N);
    errors[MOMENTUM] = lv_relative_distance(m->p, exact_p, N);
    errors[CARRIED] = fabs(carried[0] / exact_lambda - 1);
    errors[FRESH] = fabs(lambda / exact_lambda - 1);
    return LV_OK;
}

static lv_status errors_at(double *errors, const char *scheme, double h, lv_error *err)
{
    const lv_start start = {.model = "nonholonomic-particle", .step = h};
    lv_motion m;
    LV_TRY(lv_motion_begin(&m, &start, scheme, err));
    lv_status status = lv_motion_steps(&m, lround(until / h), err);
    if (status == LV_OK)
        status = read_errors(errors, &m, err);
    lv_motion_end(&m);
    return status;
}

static lv_status find_orders(lv_bench *bench, int variant, double *orders, lv_error *err)
{
    double x[ERRORS][LV_SLOPE_STEPS], y[ERRORS][LV_SLOPE_STEPS];
    int counts[ERRORS] = {0};
    for (int i = 0; i < LV_SLOPE_STEPS; i++) {
        double h = coarse / (1 << i), *errors = bench->row + 2;
        LV_TRY(errors_at(errors, schemes[variant], h, err));
        bench->row[0] = LEAST + variant;
        bench->row[1] = h;
        LV_TRY(lv_bench_row(bench, err));
        for (int k = 0; k < ERRORS; k++)
            if (errors[k] > meaningful) {
                x[k][counts[k]] = log(h);
                y[k][counts[k]++] = log(errors[k]);
            }
    }
    for (int k = 0; k < ERRORS; k++)
        orders[k] = counts[k] < 2
                        ? (double)NAN
                        : lv_slope(x[k] + counts[k] - 2, y[k] + counts[k] - 2, 2);
    return LV_OK;
}

static lv_status run_orders(lv_bench *bench, lv_error *err)
{
    static const char *const names[] = {"s", "h",      "q",
                                        "p", "lambda", "lambda from accelerations"};
    LV_TRY(lv_bench_columns(bench, names, LV_COUNT(names), err));
    for (int variant = 0; variant < VARIANTS; variant++) {
        double orders[ERRORS];
        if (!lv_bench_go_on(bench))
            break;
        LV_TRY(find_orders(bench, variant, orders, err));
        for (int k = 0; k < ERRORS; k++)
            LV_TRY(lv_bench_claim(bench, ERRORS * variant + k, orders[k], err, "%.2f",
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
        .pin = LV_PIN(HERE, (state)-0.2, (state) + 0.2),                                 \
        .note = s == 2 ? fresh_note : NULL                                               \
    }

static const lv_claim order_claims[] = {ORDERS(2, 2, 2), ORDERS(3, 4, 2), ORDERS(4, 6, 4),
                                        ORDERS(5, 8, 4)};

static const lv_figure figures[] = {
    {.where = "Fig. 3",
     .subject = "nonholonomic particle: errors at T = 2",
     .file = "fig-03-orders",
     .claims = order_claims,
     .claim_count = LV_COUNT(order_claims),
     .run = run_orders},
};

const lv_chapter lv_martin_sato2018_particle = {figures, LV_COUNT(figures)};
