/* Sections 1 to 5: what the schemes keep, what their residuals mean, and to which
 * Runge-Kutta scheme one is equal. */
#include "cli/reproduce/muehlebach2016.h"

#include <math.h>

enum { MOST = CLI_SWING_MOST };

static const cli_start polar = {.model = "pendulum-polar", .step = 0.3, .dense = true};
static const cli_start cartesian = {
    .model = "pendulum-cartesian", .step = 0.3, .dense = true};

/* ---- artificial forces ------------------------------------------------------------------------------ */

/* Root mean square of the indicators of all steps to t = 3. */
static lv_status mean_indicator(const char *scheme, double h, double *mean, lv_error *err)
{
    cli_start start = polar;
    cli_motion m;
    double sum = 0, one = 0;
    long steps = lround(3 / h);
    start.step = h;
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    lv_status status = LV_OK;
    for (long n = 0; n < steps && status == LV_OK; n++) {
        status = cli_motion_step(&m, err);
        if (status == LV_OK)
            status = lv_sim_indicator(m.sim, &one, err);
        sum += one * one;
    }
    *mean = sqrt(sum / (double)steps);
    cli_motion_end(&m);
    return status;
}

static lv_status run_indicators(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"ansatz degree=1", "ansatz degree=2",
                                          "ansatz degree=3",
                                          "ansatz continuity=C degree=2"};
    for (int k = 0; k < CLI_COUNT(schemes); k++) {
        double large = 0, small = 0;
        CLI_TRY(mean_indicator(schemes[k], 0.05, &large, err));
        CLI_TRY(mean_indicator(schemes[k], 0.025, &small, err));
        double order = log2(large / small);
        CLI_TRY(cli_bench_claim(bench, k, order, err, "%.2f", order));
    }
    return LV_OK;
}

static const char indicator_note[] =
    "Impulses at the jumps and residuals inside, added up (lv_sim_indicator), for the "
    "polar "
    "pendulum. They are of the order of the errors of the polynomials, m + 1, where "
    "errors at the nodes are of order 2m + 1.";

static const cli_claim indicator_claims[] = {
    {.text = "degree 1: power of h in the artificial constraint forces",
     .published = "can quantify the approximation error",
     .least = 1.9,
     .most = 2.1,
     .note = indicator_note},
    {.text = "degree 2: power of h in the artificial constraint forces",
     .published = "can quantify the approximation error",
     .least = 2.9,
     .most = 3.1},
    {.text = "degree 3: power of h in the artificial constraint forces",
     .published = "can quantify the approximation error",
     .least = 3.85,
     .most = 4.15},
    {.text = "method of Section 6.2, degree 2: power of h in the artificial constraint "
             "forces",
     .published = "can quantify the approximation error",
     .least = 1.9,
     .most = 2.1,
     .note = "With q continuous and p of one degree less the power is m."},
};

/* ---- energy ------------------------------------------------------------------------------------------- */

/* Both sides of (24), or (40) with a constraint, for the last step. */
typedef struct balance {
    double start, end;
} balance;

/* H, and g of the only constraint, if there is one. */
static lv_status look_at(cli_motion *m, double t, const double *q, const double *p,
                         double *h, double *g, lv_error *err)
{
    double v[MOST] = {0};
    lv_energies energies;
    CLI_TRY(lv_sim_velocity_at(m->sim, v, t, q, p, err));
    CLI_TRY(lv_sim_energies_at(m->sim, &energies, t, q, v, p, err));
    *h = energies.total;
    *g = 0;
    return m->m > 0 ? lv_sim_constraints_at(m->sim, g, NULL, t, q, v, err) : LV_OK;
}

static double along(const double *rate, const double *to, const double *from, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += rate[k] * (to[k] - from[k]);
    return sum;
}

static lv_status find_start(cli_motion *m, balance *b, lv_error *err)
{
    double q[MOST], p[MOST], dp[MOST], lambda = 0, h, g, before, none;
    double t = m->time - m->step;
    lv_step_point at = {.q = q, .p = p, .p_rate = dp, .lambda = &lambda};
    CLI_TRY(lv_sim_step_point(m->sim, &at, 0, LV_SAMPLE_RAW, err));
    if (isnan(lambda)) /* there is no polynomial */
        lambda = 0;
    CLI_TRY(look_at(m, t, m->before, p, &none, &before, err));
    CLI_TRY(look_at(m, t, q, p, &h, &g, err));
    b->start = along(dp, q, m->before, m->n) / m->step - lambda * (g - before) + h;
    return LV_OK;
}

static lv_status find_end(cli_motion *m, balance *b, lv_error *err)
{
    double p[MOST], p1[MOST], dq[MOST], h, none;
    lv_step_point raw = {.p = p, .q_rate = dq};
    lv_step_point integrated = {.p = p1}; /* before projection */
    CLI_TRY(lv_sim_step_point(m->sim, &raw, 1, LV_SAMPLE_RAW, err));
    CLI_TRY(lv_sim_step_point(m->sim, &integrated, 1, LV_SAMPLE_INTEGRATED, err));
    CLI_TRY(look_at(m, m->time, m->q, p, &h, &none, err));
    b->end = along(dq, p1, p, m->n) / m->step + h;
    return LV_OK;
}

/* Over 50 steps: the largest difference of both sides, and the largest difference between
 * the start of a step and the end of the step before. */
static lv_status follow_balance(cli_motion *m, double *apart, double *between,
                                lv_error *err)
{
    balance b = {0, 0};
    *apart = *between = 0;
    for (int n = 0; n < CLI_SWING_STEPS; n++) {
        double last = b.end;
        CLI_TRY(cli_motion_step(m, err));
        CLI_TRY(find_start(m, &b, err));
        CLI_TRY(find_end(m, &b, err));
        *apart = fmax(*apart, fabs(b.end - b.start));
        if (n > 0)
            *between = fmax(*between, fabs(b.start - last));
    }
    return LV_OK;
}

static lv_status find_balance(const cli_start *start, const char *scheme, double *apart,
                              double *between, lv_error *err)
{
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, start, scheme, err));
    lv_status status = follow_balance(&m, apart, between, err);
    cli_motion_end(&m);
    return status;
}

static lv_status run_balance(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"ansatz degree=2 points=3",
                                          "ansatz degree=2 points=4",
                                          "ansatz degree=2 points=8"};
    double apart = 0, between = 0;
    for (int k = 0; k < CLI_COUNT(schemes); k++) {
        CLI_TRY(find_balance(&polar, schemes[k], &apart, &between, err));
        CLI_TRY(cli_bench_claim(bench, k, apart, err, "%.1e J", apart));
    }
    return cli_bench_claim(bench, CLI_COUNT(schemes), between, err, "%.1e J", between);
}

static const cli_claim balance_claims[] = {
    {.text = "three Gauss points: largest difference of the sides of (24)",
     .pin = CLI_PIN(ELSEWHERE, 1e-4, 1.2e-4),
     .note = "50 steps of the polar pendulum, degree 2. The difference is the error of "
             "the rule in the integral of dH/dt."},
    {.text = "four Gauss points: largest difference of the sides of (24)",
     .pin = CLI_PIN(ELSEWHERE, 5.5e-7, 6.5e-7)},
    {.text = "eight Gauss points: largest difference of the sides of (24)",
     .published = "0 for exact integrals",
     .most = 1e-12},
    {.text = "largest difference of the quantity in (24) between the end of a step and "
             "the start of the next",
     .published = "conservation of an energy-like quantity",
     .least = 1e-6,
     .most = 1,
     .pin = CLI_PIN(ELSEWHERE, 7.5e-3, 8.5e-3),
     .correction =
         "(24) is an identity of every single step, and nothing is handed on at "
         "the nodes: it does not bound the energy. That there is no drift is "
         "due to symplecticity."},
};

static lv_status run_constrained_balance(cli_bench *bench, lv_error *err)
{
    double apart = 0, between = 0;
    CLI_TRY(find_balance(&cartesian, "ansatz degree=2", &apart, &between, err));
    return cli_bench_claim(bench, 0, apart, err, "%.1e J", apart);
}

static const cli_claim constrained_balance_claims[] = {
    {.text = "largest difference of the sides of (40)",
     .published = "0 for exact integrals",
     .most = 1e-11,
     .note = "50 steps, degree 2: three Gauss points are exact here. p_z at the end is "
             "that before the projection onto the hidden constraint."},
};

/* ---- symplecticity ------------------------------------------------------------------------------------ */

enum { STENCIL = 7, MIDDLE = 3 };

/* Derivatives of q and p after a step with respect to the start, in a direction, from
 * seven points. */
static lv_status differentiate(cli_motion *m, double dq, double dp, double *by_q,
                               double *by_p, lv_error *err)
{
    static const double weights[STENCIL] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60, 0,
                                            45.0 / 60, -9.0 / 60, 1.0 / 60};
    const double spread = 3e-3, mass = 4;
    *by_q = *by_p = 0;
    for (int k = 0; k < STENCIL; k++) {
        double e = (k - MIDDLE) * spread;
        double q = 1.2 + e * dq, v = (-6 + e * dp) / mass;
        CLI_TRY(lv_sim_set_state(m->sim, 0, &q, &v, err));
        CLI_TRY(cli_motion_step(m, err));
        *by_q += weights[k] * m->q[0] / spread;
        *by_p += weights[k] * m->p[0] / spread;
    }
    return LV_OK;
}

/* The area of the image of a unit area under a step: 1 for a symplectic map. */
static lv_status find_area(const char *scheme, double *area, lv_error *err)
{
    double a[4] = {0};
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, &polar, scheme, err));
    lv_status status = differentiate(&m, 1, 0, &a[0], &a[1], err);
    if (status == LV_OK)
        status = differentiate(&m, 0, 1, &a[2], &a[3], err);
    cli_motion_end(&m);
    *area = a[0] * a[3] - a[1] * a[2];
    return status;
}

static lv_status run_areas(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {
        "ansatz degree=2 points=8", "ansatz degree=2 points=2",
        "ansatz degree=2 quadrature=rectangle points=3000",
        "ansatz continuity=C degree=2 points=3", "ansatz continuity=RR degree=2"};
    for (int k = 0; k < CLI_COUNT(schemes); k++) {
        double area = 0;
        CLI_TRY(find_area(schemes[k], &area, err));
        CLI_TRY(cli_bench_claim(bench, k, area, err, "1 %+.1e", area - 1));
    }
    return LV_OK;
}

static const cli_claim area_claims[] = {
    {.text = "eight Gauss points: area after a step from (1.2, -6)",
     .published = "symplectic",
     .least = 1 - 1e-10,
     .most = 1 + 1e-10,
     .note = "Derivatives of the step by differences, whose error is some 1e-12."},
    {.text = "two Gauss points: area after a step",
     .published = "symplectic for any quadrature",
     .least = 1 - 1e-10,
     .most = 1 + 1e-10},
    {.text = "rectangle rule: area after a step",
     .published = "symplectic for any quadrature",
     .least = 1 - 1e-10,
     .most = 1 + 1e-10},
    {.text = "method of Section 6.2: area after a step",
     .published = "symplectic",
     .least = 1 - 1e-10,
     .most = 1 + 1e-10},
    {.text = "q and p both right continuous: area after a step",
     .published = "extends naturally",
     .least = 0.98,
     .most = 1 - 1e-5,
     .correction = "This variant is not symplectic: areas shrink."},
};

/* ---- figure 3 ------------------------------------------------------------------------------------------- */

static lv_status run_tableau(cli_bench *bench, lv_error *err)
{
    const double r = sqrt(3);
    const double a[] = {1.0 / 3, (1 - r) / 6, (1 + r) / 6, 1.0 / 3};
    const double ah[] = {1.0 / 6, 1.0 / 3 - r / 6, 1.0 / 3 + r / 6, 1.0 / 6};
    lv_scheme_options options = {0};
    lv_coefficients *t = NULL;
    lv_scheme_option_set(&options, LV_OPTION_DEGREE, 1);
    lv_scheme_option_set(&options, LV_OPTION_POINTS, 2);
    CLI_TRY(lv_scheme_coefficients(&t, "ansatz", &options, err));
    double off =
        fmax(cli_largest_difference(t->a, a, 4), cli_largest_difference(t->ah, ah, 4));
    lv_coefficients_free(t);
    return cli_bench_claim(bench, 0, off, err, "off by %.1e", off);
}

static const cli_claim tableau_claims[] = {
    {.text = "degree 1, two Gauss points: the coefficients of Section 5",
     .published = "1/3, (1 - sqrt 3)/6, ...",
     .most = 1e-15},
};

static const cli_figure figures[] = {
    {.where = "Section 1",
     .subject = "polar pendulum: residuals",
     CLI_CLAIMS(indicator_claims),
     .run = run_indicators},
    {.where = "Section 3.1",
     .subject = "polar pendulum: energy balance of a step",
     CLI_CLAIMS(balance_claims),
     .run = run_balance},
    {.where = "Section 3.2",
     .subject = "polar pendulum: areas in phase space",
     CLI_CLAIMS(area_claims),
     .run = run_areas},
    {.where = "Section 4.2.2",
     .subject = "Cartesian pendulum: energy balance of a step",
     CLI_CLAIMS(constrained_balance_claims),
     .run = run_constrained_balance},
    {.where = "Fig. 3",
     .subject = "partitioned Runge-Kutta scheme",
     CLI_CLAIMS(tableau_claims),
     .run = run_tableau},
};

const cli_chapter cli_muehlebach2016_properties = {figures, CLI_COUNT(figures)};
