/* Sections 1 to 5: what the schemes keep, what their residuals say, and which Runge-Kutta scheme one is. */
#include "study/reproduce_muehlebach2016.h"

#include "scheme/dense.h"

#include <math.h>

enum { MOST = LV_SWING_MOST };

static const lv_start polar = {.model = "pendulum-polar", .step = 0.3, .dense = true};
static const lv_start cartesian = {
    .model = "pendulum-cartesian", .step = 0.3, .dense = true};

/* ---- artificial forces ------------------------------------------------------------------------------ */

/* Root mean square of the indicators of all steps to t = 3. */
static lv_status mean_indicator(const char *scheme, double h, double *mean, lv_error *err)
{
    lv_start start = polar;
    lv_motion m;
    double sum = 0, one = 0;
    long steps = lround(3 / h);
    start.step = h;
    LV_TRY(lv_motion_begin(&m, &start, scheme, err));
    lv_status status = LV_OK;
    for (long n = 0; n < steps && status == LV_OK; n++) {
        status = lv_motion_step(&m, err);
        if (status == LV_OK)
            status = lv_sim_indicator(m.sim, &one, err);
        sum += one * one;
    }
    *mean = sqrt(sum / (double)steps);
    lv_motion_end(&m);
    return status;
}

static lv_status run_indicators(lv_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"ansatz degree=1", "ansatz degree=2",
                                          "ansatz degree=3",
                                          "ansatz continuity=C degree=2"};
    for (int k = 0; k < LV_COUNT(schemes); k++) {
        double large = 0, small = 0;
        LV_TRY(mean_indicator(schemes[k], 0.05, &large, err));
        LV_TRY(mean_indicator(schemes[k], 0.025, &small, err));
        double order = log2(large / small);
        LV_TRY(lv_bench_claim(bench, k, order, err, "%.2f", order));
    }
    return LV_OK;
}

static const char indicator_note[] =
    "Impulses at the jumps and residuals inside, added up (lv_sim_indicator), for the "
    "polar "
    "pendulum. They are of the order of the errors of the polynomials, m + 1, where "
    "errors at the nodes are of order 2m + 1.";

static const lv_claim indicator_claims[] = {
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
static lv_status look_at(lv_motion *m, double t, const double *q, const double *p,
                         double *h, double *g, lv_error *err)
{
    double v[MOST] = {0};
    lv_watch watch;
    lv_system *s = m->sim->system;
    LV_TRY(lv_system_velocity(s, v, t, q, p, err));
    lv_system_watch(s, &watch, t, q, v, p);
    *h = watch.energy;
    *g = m->m > 0 ? lv_plan_result(s->watch, LV_Q_CONSTRAINT)[0] : 0;
    return LV_OK;
}

static double along(const double *rate, const double *to, const double *from, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += rate[k] * (to[k] - from[k]);
    return sum;
}

static lv_status find_start(lv_motion *m, const lv_slopes *d, balance *b, lv_error *err)
{
    double q[MOST], p[MOST], dq[MOST], dp[MOST], lambda = 0, h, g, before, none;
    double t = m->time - d->h;
    lv_dense_position(d, LV_DENSE_RAW, m->n, 0, q);
    lv_dense_momentum(d, LV_DENSE_RAW, m->n, 0, p);
    lv_dense_rates(d, m->n, 0, dq, dp);
    if (d->lambda_terms > 0)
        lv_dense_multipliers(d, m->m, 0, &lambda);
    LV_TRY(look_at(m, t, d->q, p, &none, &before, err));
    LV_TRY(look_at(m, t, q, p, &h, &g, err));
    b->start = along(dp, q, d->q, m->n) / d->h - lambda * (g - before) + h;
    return LV_OK;
}

static lv_status find_end(lv_motion *m, const lv_slopes *d, balance *b, lv_error *err)
{
    double p[MOST], p1[MOST], dq[MOST], dp[MOST], h, none;
    lv_dense_momentum(d, LV_DENSE_RAW, m->n, 1, p);
    lv_dense_momentum(d, LV_DENSE_INTEGRATED, m->n, 1, p1); /* not projected yet */
    lv_dense_rates(d, m->n, 1, dq, dp);
    LV_TRY(look_at(m, m->time, m->q, p, &h, &none, err));
    b->end = along(dq, p1, p, m->n) / d->h + h;
    return LV_OK;
}

/* Over 50 steps: how far both sides are apart, and how far a step's begins from where the one before it
 * ended. */
static lv_status follow_balance(lv_motion *m, double *apart, double *between,
                                lv_error *err)
{
    balance b = {0, 0};
    *apart = *between = 0;
    for (int n = 0; n < LV_SWING_STEPS; n++) {
        double last = b.end;
        LV_TRY(lv_motion_step(m, err));
        lv_slopes slopes = lv_sim_slopes(m->sim);
        LV_TRY(find_start(m, &slopes, &b, err));
        LV_TRY(find_end(m, &slopes, &b, err));
        *apart = fmax(*apart, fabs(b.end - b.start));
        if (n > 0)
            *between = fmax(*between, fabs(b.start - last));
    }
    return LV_OK;
}

static lv_status find_balance(const lv_start *start, const char *scheme, double *apart,
                              double *between, lv_error *err)
{
    lv_motion m;
    LV_TRY(lv_motion_begin(&m, start, scheme, err));
    lv_status status = follow_balance(&m, apart, between, err);
    lv_motion_end(&m);
    return status;
}

static lv_status run_balance(lv_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"ansatz degree=2 points=3",
                                          "ansatz degree=2 points=4",
                                          "ansatz degree=2 points=8"};
    double apart = 0, between = 0;
    for (int k = 0; k < LV_COUNT(schemes); k++) {
        LV_TRY(find_balance(&polar, schemes[k], &apart, &between, err));
        LV_TRY(lv_bench_claim(bench, k, apart, err, "%.1e J", apart));
    }
    return lv_bench_claim(bench, LV_COUNT(schemes), between, err, "%.1e J", between);
}

static const lv_claim balance_claims[] = {
    {.text = "three Gauss points: largest difference of the sides of (24)",
     .pin = LV_PIN(ELSEWHERE, 1e-4, 1.2e-4),
     .note = "50 steps of the polar pendulum, degree 2. The difference is the error of "
             "the rule in the integral of dH/dt."},
    {.text = "four Gauss points: largest difference of the sides of (24)",
     .pin = LV_PIN(ELSEWHERE, 5.5e-7, 6.5e-7)},
    {.text = "eight Gauss points: largest difference of the sides of (24)",
     .published = "0 for exact integrals",
     .most = 1e-12},
    {.text = "largest difference of the quantity in (24) between the end of a step and "
             "the start of the next",
     .published = "conservation of an energy-like quantity",
     .least = 1e-6,
     .most = 1,
     .pin = LV_PIN(ELSEWHERE, 7.5e-3, 8.5e-3),
     .correction =
         "(24) is an identity of every single step, and nothing is handed on at "
         "the nodes: it does not bound the energy. That there is no drift is "
         "due to symplecticity."},
};

static lv_status run_constrained_balance(lv_bench *bench, lv_error *err)
{
    double apart = 0, between = 0;
    LV_TRY(find_balance(&cartesian, "ansatz degree=2", &apart, &between, err));
    return lv_bench_claim(bench, 0, apart, err, "%.1e J", apart);
}

static const lv_claim constrained_balance_claims[] = {
    {.text = "largest difference of the sides of (40)",
     .published = "0 for exact integrals",
     .most = 1e-11,
     .note = "50 steps, degree 2: three Gauss points are exact here. p_z at the end is "
             "that before the projection onto the hidden constraint."},
};

/* ---- symplecticity ------------------------------------------------------------------------------------ */

enum { STENCIL = 7, MIDDLE = 3 };

/* Derivatives of q and p after a step by the start, in a direction, from seven points. */
static lv_status differentiate(lv_motion *m, double dq, double dp, double *by_q,
                               double *by_p, lv_error *err)
{
    static const double weights[STENCIL] = {-1.0 / 60, 9.0 / 60,  -45.0 / 60, 0,
                                            45.0 / 60, -9.0 / 60, 1.0 / 60};
    const double spread = 3e-3, mass = 4;
    *by_q = *by_p = 0;
    for (int k = 0; k < STENCIL; k++) {
        double e = (k - MIDDLE) * spread;
        double q = 1.2 + e * dq, v = (-6 + e * dp) / mass;
        LV_TRY(lv_sim_set_state(m->sim, 0, &q, &v, err));
        LV_TRY(lv_motion_step(m, err));
        *by_q += weights[k] * m->q[0] / spread;
        *by_p += weights[k] * m->p[0] / spread;
    }
    return LV_OK;
}

/* The area that a step makes of an area: 1 for a symplectic map. */
static lv_status find_area(const char *scheme, double *area, lv_error *err)
{
    double a[4] = {0};
    lv_motion m;
    LV_TRY(lv_motion_begin(&m, &polar, scheme, err));
    lv_status status = differentiate(&m, 1, 0, &a[0], &a[1], err);
    if (status == LV_OK)
        status = differentiate(&m, 0, 1, &a[2], &a[3], err);
    lv_motion_end(&m);
    *area = a[0] * a[3] - a[1] * a[2];
    return status;
}

static lv_status run_areas(lv_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {
        "ansatz degree=2 points=8", "ansatz degree=2 points=2",
        "ansatz degree=2 quadrature=rectangle points=3000",
        "ansatz continuity=C degree=2 points=3", "ansatz continuity=RR degree=2"};
    for (int k = 0; k < LV_COUNT(schemes); k++) {
        double area = 0;
        LV_TRY(find_area(schemes[k], &area, err));
        LV_TRY(lv_bench_claim(bench, k, area, err, "1 %+.1e", area - 1));
    }
    return LV_OK;
}

static const lv_claim area_claims[] = {
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

static lv_status run_tableau(lv_bench *bench, lv_error *err)
{
    const lv_ansatz ansatz = {LV_RULE_GAUSS, 2, LV_CLOSURE_LR, 1};
    const double r = sqrt(3);
    const double a[] = {1.0 / 3, (1 - r) / 6, (1 + r) / 6, 1.0 / 3};
    const double ah[] = {1.0 / 6, 1.0 / 3 - r / 6, 1.0 / 3 + r / 6, 1.0 / 6};
    lv_tableau *t = NULL;
    LV_TRY(lv_tableau_ansatz(&t, &ansatz, err));
    double off =
        fmax(lv_largest_difference(t->a, a, 4), lv_largest_difference(t->ah, ah, 4));
    lv_tableau_free(t);
    return lv_bench_claim(bench, 0, off, err, "off by %.1e", off);
}

static const lv_claim tableau_claims[] = {
    {.text = "degree 1, two Gauss points: the coefficients of Section 5",
     .published = "1/3, (1 - sqrt 3)/6, ...",
     .most = 1e-15},
};

static const lv_figure figures[] = {
    {.where = "Section 1",
     .subject = "polar pendulum: residuals",
     LV_CLAIMS(indicator_claims),
     .run = run_indicators},
    {.where = "Section 3.1",
     .subject = "polar pendulum: energy balance of a step",
     LV_CLAIMS(balance_claims),
     .run = run_balance},
    {.where = "Section 3.2",
     .subject = "polar pendulum: areas in phase space",
     LV_CLAIMS(area_claims),
     .run = run_areas},
    {.where = "Section 4.2.2",
     .subject = "Cartesian pendulum: energy balance of a step",
     LV_CLAIMS(constrained_balance_claims),
     .run = run_constrained_balance},
    {.where = "Fig. 3",
     .subject = "partitioned Runge-Kutta scheme",
     LV_CLAIMS(tableau_claims),
     .run = run_tableau},
};

const lv_chapter lv_muehlebach2016_properties = {figures, LV_COUNT(figures)};
