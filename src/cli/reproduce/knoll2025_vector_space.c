/* Section 3: the discontinuous Petrov-Galerkin scheme in time; and (4.9), the scheme with
 * constraints. */
#include "cli/reproduce/knoll2025.h"

#include <math.h>
#include <string.h>

enum { N = 2, DEGREES = 4 };

static const char *const degrees[] = {"dpg degree=1", "dpg degree=2", "dpg degree=3",
                                      "dpg degree=4", NULL};

/* ---- problems ------------------------------------------------------------------------------------- */

/* Masses M = ((2, 0.3), (0.3, 1)) and springs K = ((3, -1), (-1, 2)), from q = (1, -0.5), p = (0.2, 0.4);
 * the velocities are M^-1 p. The thesis has no example of its own before Section 4. */
static const char linear_text[] = "[coordinates]\n"
                                  "x = { value = 1, velocity = \"0.08/1.91\" }\n"
                                  "y = { value = -0.5, velocity = \"0.74/1.91\" }\n"
                                  "[energy]\n"
                                  "kinetic = \"x'^2 + 0.3*x'*y' + y'^2/2\"\n"
                                  "potential = \"1.5*x^2 - x*y + y^2\"\n";

static const char pendulum_text[] = "[coordinates]\n"
                                    "q = { value = 2, velocity = 0.5 }\n"
                                    "[energy]\n"
                                    "kinetic = \"q'^2/2\"\n"
                                    "potential = \"-9.81*cos(q)\"\n";

typedef struct problem {
    cli_start start;
    int n;
    double until, coarse[DEGREES];
    double end[2 * N]; /* exact: q, then p */
} problem;

static const problem linear = {
    {.model = "linear", .text = linear_text},
    N,
    4,
    {0.25, 0.5, 0.5, 0.5},
    {-0.1266212709105, -1.073878521804, -1.111428074942, 1.202517745406}};

static const problem pendulum = {{.model = "pendulum", .text = pendulum_text},
                                 1,
                                 2,
                                 {0.0625, 0.125, 0.125, 0.125},
                                 {-0.3421777825234, 5.186265935299}};

static const problem torus = {{.model = "torus"}, 3, 1.6, {0.1, 0.1, 0.1, 0.1}, {0}};

/* ---- orders -------------------------------------------------------------------------------------------- */

/* Writes rows of degree, step and error, and fits the slope to errors above rounding. */
static lv_status measure(cli_bench *bench, const problem *p, const char *scheme,
                         int degree, const double *exact, double *order, lv_error *err)
{
    enum { STEPS = 4 };
    double x[STEPS], y[STEPS], q[2 * CLI_RACE_MOST];
    int count = 0;
    for (int i = 0; i < STEPS; i++) {
        cli_start start = p->start;
        start.step = p->coarse[degree - 1] / (1 << i);
        CLI_TRY(cli_motion_reach(&start, scheme, lround(p->until / start.step), q,
                                 q + p->n, err));
        double error = cli_largest_difference(q, exact, 2 * p->n);
        bench->row[0] = degree;
        bench->row[1] = start.step;
        bench->row[2] = error;
        CLI_TRY(cli_bench_row(bench, err));
        if (error > 2e-12) {
            x[count] = log(start.step);
            y[count++] = log(error);
        }
    }
    *order = cli_slope(x, y, count);
    return LV_OK;
}

static lv_status run_orders(cli_bench *bench, const problem *p,
                            const char *const *schemes, const double *exact,
                            lv_error *err)
{
    static const char *const names[] = {"degree", "h", "error"};
    CLI_TRY(cli_bench_columns(bench, names, CLI_COUNT(names), err));
    for (int k = 0; k < bench->figure->claim_count; k++) {
        double order = 0;
        CLI_TRY(measure(bench, p, schemes[k], k + 1, exact, &order, err));
        CLI_TRY(cli_bench_claim(bench, k, order, err, "%.2f", order));
    }
    return LV_OK;
}

static lv_status run_linear(cli_bench *bench, lv_error *err)
{
    static const char *const exact_integrals[] = {
        "dpg degree=1 quadrature=gauss points=2",
        "dpg degree=2 quadrature=gauss points=3",
        "dpg degree=3 quadrature=gauss points=4",
        "dpg degree=4 quadrature=gauss points=5"};
    return run_orders(bench, &linear, exact_integrals, linear.end, err);
}

static lv_status run_nodes(cli_bench *bench, lv_error *err)
{
    return run_orders(bench, &linear, degrees, linear.end, err);
}

static lv_status run_nonlinear(cli_bench *bench, lv_error *err)
{
    return run_orders(bench, &pendulum, degrees, pendulum.end, err);
}

static const char linear_note[] =
    "The thesis has no example for linear systems. Here M = ((2, 0.3), (0.3, 1)), K = "
    "((3, -1), (-1, 2)), q = (1, -0.5), p = (0.2, 0.4), T = 4. k + 1 Gauss points make "
    "all integrals exact.";

static const char node_note[] = "k + 1 Lobatto points, for k = 1 the trapezoidal rule of "
                                "Section 3.8: not exact, but of the same order.";

static const char nonlinear_note[] =
    "Beyond the thesis, which treats quadratic potentials: a pendulum of unit length and "
    "mass, q = 2, p = 0.5, T = 2, with k + 1 Lobatto points.";

/* Orders 2k for k = 1 to 4. */
#define ORDERS(where, first_published, first_note)                                       \
    {.text = where "k = 1: order",                                                       \
     .published = first_published,                                                       \
     .least = 1.9,                                                                       \
     .most = 2.1,                                                                        \
     .note = first_note},                                                                \
        {.text = where "k = 2: order",                                                   \
         .published = first_published,                                                   \
         .least = 3.9,                                                                   \
         .most = 4.1},                                                                   \
        {.text = where "k = 3: order",                                                   \
         .published = first_published,                                                   \
         .least = 5.85,                                                                  \
         .most = 6.15},                                                                  \
    {                                                                                    \
        .text = where "k = 4: order", .published = first_published, .least = 7.8,        \
        .most = 8.2                                                                      \
    }

static const cli_claim linear_claims[] = {ORDERS("exact integrals, ", "2k", linear_note)};
static const cli_claim node_claims[] = {ORDERS("Lobatto points, ", "2k", node_note)};
/* For numbers without a statement in the thesis: only pins. */
#define PINNED(k, from, to, first_note)                                                  \
    {                                                                                    \
        .text = "k = " #k ": order", .pin = CLI_PIN(HERE, from, to), .note = first_note  \
    }

static const cli_claim nonlinear_claims[] = {
    PINNED(1, 1.9, 2.1, nonlinear_note), PINNED(2, 3.9, 4.1, NULL),
    PINNED(3, 5.85, 6.15, NULL), PINNED(4, 7.8, 8.2, NULL)};

/* ---- solvability ---------------------------------------------------------------------------------------- */

/* Counts how many of the steps h = 0.01 to 1 succeed with every degree: h sqrt(K/M) is up
 * to 1.6. */
static lv_status run_solvable(cli_bench *bench, lv_error *err)
{
    static const double steps[] = {0.01, 0.1, 1};
    int taken = 0;
    for (int k = 0; k < DEGREES; k++)
        for (int i = 0; i < CLI_COUNT(steps); i++) {
            cli_start start = linear.start;
            double q[N];
            start.step = steps[i];
            lv_status status = cli_motion_reach(&start, degrees[k], 1, q, NULL, err);
            if (status != LV_OK && status != LV_ERR_NUMERIC)
                return status;
            taken += status == LV_OK && isfinite(q[0]) && isfinite(q[1]);
        }
    return cli_bench_claim(bench, 0, taken, err, "%d of %d", taken,
                           DEGREES * CLI_COUNT(steps));
}

static const cli_claim solvable_claims[] = {
    {.text = "k = 1 to 4: steps h = 0.01 to 1 that find a solution",
     .published = "for h < C",
     .least = 12,
     .most = 12,
     .note = "For K >= 0 every step has one: the condition is sufficient, not necessary. "
             "Beyond h sqrt(K/M) of about 5 the iteration of livens does not find it."},
};

/* ---- symplecticity -------------------------------------------------------------------------------------- */

/* v = M^-1 p */
static void velocity_of(const double *p, double *v)
{
    v[0] = (p[0] - 0.3 * p[1]) / 1.91;
    v[1] = (2 * p[1] - 0.3 * p[0]) / 1.91;
}

/* The images of the unit vectors of (q, p) after some steps, which are the columns of the
 * linear map. */
static lv_status step_map(double columns[2 * N][2 * N], const char *scheme, double h,
                          int steps, lv_error *err)
{
    cli_motion m;
    cli_start start = linear.start;
    start.step = h;
    CLI_TRY(cli_motion_begin(&m, &start, scheme, err));
    lv_status status = LV_OK;
    for (int k = 0; k < 2 * N && status == LV_OK; k++) {
        double unit[2 * N] = {0}, v[N];
        unit[k] = 1;
        velocity_of(unit + N, v);
        status = lv_sim_set_state(m.sim, 0, unit, v, err);
        if (status == LV_OK)
            status = cli_motion_steps(&m, steps, err);
        memcpy(columns[k], m.q, N * sizeof(double));
        memcpy(columns[k] + N, m.p, N * sizeof(double));
    }
    cli_motion_end(&m);
    return status;
}

/* max |D^T J D - J| */
static double form_defect(double d[2 * N][2 * N])
{
    double worst = 0;
    for (int a = 0; a < 2 * N; a++)
        for (int b = 0; b < 2 * N; b++) {
            double sum = (a + N == b) - (b + N == a);
            for (int i = 0; i < N; i++)
                sum -= d[a][i] * d[b][N + i] - d[a][N + i] * d[b][i];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

static lv_status run_form(cli_bench *bench, lv_error *err)
{
    for (int k = 0; k < DEGREES; k++) {
        double columns[2 * N][2 * N];
        CLI_TRY(step_map(columns, degrees[k], 0.5, 1, err));
        double defect = form_defect(columns);
        CLI_TRY(cli_bench_claim(bench, k, defect, err, "%.1e", defect));
    }
    return LV_OK;
}

static const cli_claim form_claims[] = {
    {.text = "k = 1: largest entry of D^T J D - J, h = 0.5",
     .published = "symplectic",
     .most = 1e-14},
    {.text = "k = 2: largest entry of D^T J D - J, h = 0.5",
     .published = "symplectic",
     .most = 1e-14},
    {.text = "k = 3: largest entry of D^T J D - J, h = 0.5",
     .published = "symplectic",
     .most = 1e-13},
    {.text = "k = 4: largest entry of D^T J D - J, h = 0.5",
     .published = "symplectic",
     .most = 1e-13},
};

/* ---- one step ----------------------------------------------------------------------------------------------- */

/* The largest error of the map of one step, relative to 20 steps of the scheme of degree
 * 4. */
static lv_status step_error(const char *scheme, double h, double *error, lv_error *err)
{
    double map[2 * N][2 * N], exact[2 * N][2 * N];
    CLI_TRY(step_map(map, scheme, h, 1, err));
    CLI_TRY(step_map(exact, "dpg degree=4", h / 20, 20, err));
    *error = cli_largest_difference(map[0], exact[0], 4 * N * N);
    return LV_OK;
}

static lv_status run_step(cli_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"dpg degree=1 quadrature=gauss points=2",
                                          "dpg degree=2 quadrature=gauss points=3",
                                          "dpg degree=3 quadrature=gauss points=4"};
    for (int k = 0; k < CLI_COUNT(schemes); k++) {
        double large = 0, small = 0;
        CLI_TRY(step_error(schemes[k], 0.25, &large, err));
        CLI_TRY(step_error(schemes[k], 0.125, &small, err));
        double order = log2(large / small);
        CLI_TRY(cli_bench_claim(bench, k, order, err, "%.2f", order));
    }
    return LV_OK;
}

static const char step_note[] =
    "The estimate gives O(t1^2k) for the error of one step, from which only order 2k - 1 "
    "follows. The error of one step is O(t1^(2k+1)), and so the order is 2k, as stated.";

static const cli_claim step_claims[] = {
    {.text = "k = 1: power of t1 in the error of one step",
     .published = "2k = 2",
     .least = 2.8,
     .most = 3.2,
     .correction = step_note},
    {.text = "k = 2: power of t1 in the error of one step",
     .published = "2k = 4",
     .least = 4.8,
     .most = 5.2,
     .correction = step_note},
    {.text = "k = 3: power of t1 in the error of one step",
     .published = "2k = 6",
     .least = 6.8,
     .most = 7.2,
     .correction = step_note},
};

/* ---- the second-order scheme ------------------------------------------------------------------------------ */

/* K q */
static void pull(const double *q, double *f)
{
    f[0] = 3 * q[0] - q[1];
    f[1] = 2 * q[1] - q[0];
}

/* (3.27) to (3.30) with the given sign of the force: p = p0 + sign h/2 K q0, q1 = q0 + h M^-1 p, ... */
static void second_order(double *q, double *p, double h, double sign, int steps)
{
    double f[N], v[N];
    for (int n = 0; n < steps; n++) {
        pull(q, f);
        for (int k = 0; k < N; k++)
            p[k] += sign * h / 2 * f[k];
        velocity_of(p, v);
        for (int k = 0; k < N; k++)
            q[k] += h * v[k];
        pull(q, f);
        for (int k = 0; k < N; k++)
            p[k] += sign * h / 2 * f[k];
    }
}

static lv_status run_second_order(cli_bench *bench, lv_error *err)
{
    enum { STEPS = 64 };
    cli_start start = linear.start;
    double dpg[2 * N], right[] = {1, -0.5, 0.2, 0.4};
    double printed[] = {1, -0.5, 0.2, 0.4};
    start.step = linear.until / STEPS;
    CLI_TRY(cli_motion_reach(&start, "dpg degree=1", STEPS, dpg, dpg + N, err));
    second_order(right, right + N, start.step, -1, STEPS);
    second_order(printed, printed + N, start.step, 1, STEPS);
    double equal = cli_largest_difference(dpg, right, 2 * N);
    double error = cli_largest_difference(dpg, linear.end, 2 * N);
    double wrong = cli_largest_difference(printed, linear.end, 2 * N);
    CLI_TRY(cli_bench_claim(bench, 0, equal, err, "distance %.1e at T = 4", equal));
    return cli_bench_claim(bench, 1, error, err, "%.2e; with the printed signs %.0e",
                           error, wrong);
}

static const cli_claim second_order_claims[] = {
    {.text = "degree 1 is (3.27) to (3.30), corrected",
     .published = "explicit formulas",
     .most = 1e-13},
    {.text = "degree 1: error at T = 4 after 64 steps",
     .published = "p - p0 - (t1/2) K q0 = 0",
     .most = 0.01,
     .pin = CLI_PIN(ELSEWHERE, 2.96e-3, 2.98e-3),
     .correction =
         "Forces pull back: p - p0 + (t1/2) K q0 = 0, p1 - p + (t1/2) K q1 = 0. "
         "And q1 - q0 - t1 v = 0: in (3.23) and (3.27) the factor t1 is "
         "missing, without which nothing converges."},
};

/* ---- constraints ---------------------------------------------------------------------------------------------- */

static lv_status run_constrained(cli_bench *bench, lv_error *err)
{
    cli_start fine = torus.start;
    double exact[6];
    fine.step = 0.01;
    CLI_TRY(cli_motion_reach(&fine, "lobatto stages=5", 160, exact, exact + 3, err));
    return run_orders(bench, &torus, degrees, exact, err);
}

static const cli_claim constrained_claims[] = {
    {.text = "k = 1 with a constraint: order",
     .published = "2",
     .least = 1.9,
     .most = 2.1,
     .note = "The model torus, T = 1.6. Degree 1 is (4.9), with the signs of Section 3.8 "
             "corrected: RATTLE."},
    {.text = "k = 2 with a constraint: order",
     .pin = CLI_PIN(HERE, 3.9, 4.1),
     .note = "Multipliers of degree k - 2 and an impulse at either end, which are k + 1 "
             "values at the Lobatto points, keep the order 2k; more make the equations "
             "singular."},
    {.text = "k = 3 with a constraint: order", .pin = CLI_PIN(HERE, 5.85, 6.15)},
};

static const cli_figure figures[] = {
    {.where = "Proposition 3.8",
     .subject = "linear system",
     CLI_CLAIMS(solvable_claims),
     .run = run_solvable},
    {.where = "Section 3.6",
     .subject = "linear system, the map D of a step",
     CLI_CLAIMS(form_claims),
     .run = run_form},
    {.where = "Section 3.7",
     .subject = "linear system",
     .file = "section-3-7-orders",
     CLI_CLAIMS(linear_claims),
     .run = run_linear},
    {.where = "Section 3.7, one step",
     .subject = "linear system",
     CLI_CLAIMS(step_claims),
     .run = run_step},
    {.where = "Section 3.7, quadrature",
     .subject = "linear system",
     .file = "section-3-7-quadrature",
     CLI_CLAIMS(node_claims),
     .run = run_nodes},
    {.where = "Section 3.7, nonlinear",
     .subject = "pendulum",
     .file = "section-3-7-nonlinear",
     CLI_CLAIMS(nonlinear_claims),
     .run = run_nonlinear},
    {.where = "Section 3.8",
     .subject = "linear system",
     CLI_CLAIMS(second_order_claims),
     .run = run_second_order},
    {.where = "Theorem 4.3",
     .subject = "particle on a torus",
     .file = "theorem-4-3-orders",
     CLI_CLAIMS(constrained_claims),
     .run = run_constrained},
};

const cli_chapter cli_knoll2025_vector_space = {figures, CLI_COUNT(figures)};
