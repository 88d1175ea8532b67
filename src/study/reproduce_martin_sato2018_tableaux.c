/* Section 4 and the appendices A, B: what is said of the coefficients, and of Gauss schemes with
 * holonomic constraints. */
#include "num/dense.h"
#include "study/reproduce_martin_sato2018.h"

#include <math.h>
#include <string.h>

enum { LEAST = 2, MOST = 5 };

/* The largest of a defect over the Lobatto pairs of 2 to 5 stages. */
typedef double defect_of(const lv_tableau *t);

static lv_status largest_defect(double *worst, defect_of *defect, lv_error *err)
{
    *worst = 0;
    for (int s = LEAST; s <= MOST; s++) {
        lv_tableau *t = NULL;
        LV_TRY(lv_tableau_create(&t, LV_FAMILY_LOBATTO, s, err));
        *worst = fmax(*worst, defect(t));
        lv_tableau_free(t);
    }
    return LV_OK;
}

/* ---- hypotheses ---------------------------------------------------------------------------------- */

/* H1, H3, H1', H2' */
static double structure_defect(const lv_tableau *t)
{
    int s = t->stages;
    double worst = 0;
    for (int j = 0; j < s; j++) {
        worst = fmax(worst, fabs(t->a[j]));
        worst = fmax(worst, fabs(t->a[(s - 1) * s + j] - t->b[j]));
        worst = fmax(worst, fabs(t->ah[j * s + s - 1]));
        worst = fmax(worst, fabs(t->ah[(size_t)(j * s)] - t->b[0]));
    }
    return worst;
}

/* The rows and columns of a from the second on, factored; their determinant. */
static double factor_inner(const lv_tableau *t, double *lu, int *pivot)
{
    int s = t->stages, n = s - 1;
    double determinant = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            lu[i * n + j] = t->a[(i + 1) * s + j + 1];
    if (!lv_lu_factor(lu, n, pivot))
        return 0;
    for (int k = 0; k < n; k++)
        determinant *= (pivot[k] == k ? 1 : -1) / lu[k * n + k];
    return determinant;
}

static double determinant_defect(const lv_tableau *t)
{
    static const double exact[] = {1.0 / 2, 1.0 / 12, 1.0 / 120, 1.0 / 1680};
    double lu[MOST * MOST];
    int pivot[MOST];
    return fabs(factor_inner(t, lu, pivot) / exact[t->stages - LEAST] - 1);
}

static double conjugate_defect(const lv_tableau *t)
{
    int s = t->stages;
    double worst = 0;
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            worst = fmax(worst, fabs(t->b[i] * t->ah[i * s + j] +
                                     t->b[j] * t->a[j * s + i] - t->b[i] * t->b[j]));
    return worst;
}

static lv_status claim_defects(lv_bench *bench, defect_of *const *defects, int count,
                               lv_error *err)
{
    for (int k = 0; k < count; k++) {
        double worst = 0;
        LV_TRY(largest_defect(&worst, defects[k], err));
        LV_TRY(lv_bench_claim(bench, k, worst, err, "off by %.1e", worst));
    }
    return LV_OK;
}

static lv_status run_hypotheses(lv_bench *bench, lv_error *err)
{
    static defect_of *const defects[] = {structure_defect, determinant_defect,
                                         conjugate_defect};
    return claim_defects(bench, defects, LV_COUNT(defects), err);
}

static const lv_claim hypothesis_claims[] = {
    {.text = "s = 2 to 5: a_1j = 0, a_sj = b_j, ah_is = 0, ah_i1 = b_1 (H1, H3, H1', "
             "H2')",
     .published = "satisfied",
     .most = 0},
    {.text = "s = 2 to 5: determinants of (a_ij), i, j > 1: 1/2, 1/12, 1/120, 1/1680 "
             "(H2)",
     .published = "invertible",
     .most = 1e-14},
    {.text = "s = 2 to 5: b_i ah_ij + b_j a_ji = b_i b_j",
     .published = "symplectically conjugated",
     .most = 1e-16},
};

/* ---- simplifying assumptions ------------------------------------------------------------------------- */

static double quadrature_defect(const lv_tableau *t) /* B(2s - 2) */
{
    double worst = 0;
    for (int k = 1; k <= 2 * t->stages - 2; k++) {
        double sum = 0;
        for (int i = 0; i < t->stages; i++)
            sum += t->b[i] * pow(t->c[i], k - 1);
        worst = fmax(worst, fabs(sum - 1.0 / k));
    }
    return worst;
}

/* sum_j a_ij c_j^(k-1) = c_i^k / k, k = 1 .. q */
static double stage_defect(const lv_tableau *t, const double *a, int q)
{
    int s = t->stages;
    double worst = 0;
    for (int k = 1; k <= q; k++)
        for (int i = 0; i < s; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++)
                sum += a[i * s + j] * pow(t->c[j], k - 1);
            worst = fmax(worst, fabs(sum - pow(t->c[i], k) / k));
        }
    return worst;
}

static double collocation_defect(const lv_tableau *t)
{
    return stage_defect(t, t->a, t->stages);
}

static double discontinuous_defect(const lv_tableau *t)
{
    return stage_defect(t, t->ah, t->stages - 2);
}

static double mixed_defect(const lv_tableau *t) /* C C^(s) */
{
    int s = t->stages;
    double worst = 0;
    for (int k = 2; k <= s; k++)
        for (int i = 0; i < s; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++)
                sum += t->aah[i * s + j] * pow(t->c[j], k - 2);
            worst = fmax(worst, fabs(sum - pow(t->c[i], k) / (k * (k - 1))));
        }
    return worst;
}

/* R(inf): stages but the first become y with a_i1 + sum_j a_ij y_j = 0. */
static double infinity_defect(const lv_tableau *t)
{
    int s = t->stages, pivot[MOST];
    double lu[MOST * MOST], y[MOST];
    if (factor_inner(t, lu, pivot) == 0)
        return (double)INFINITY;
    for (int i = 1; i < s; i++)
        y[i - 1] = -t->a[(size_t)(i * s)];
    lv_lu_solve(lu, s - 1, pivot, y);
    return fabs(y[s - 2] - (s % 2 == 0 ? -1 : 1));
}

static lv_status run_assumptions(lv_bench *bench, lv_error *err)
{
    static defect_of *const defects[] = {quadrature_defect, collocation_defect,
                                         discontinuous_defect, mixed_defect,
                                         infinity_defect};
    return claim_defects(bench, defects, LV_COUNT(defects), err);
}

static const lv_claim assumption_claims[] = {
    {.text = "s = 2 to 5: B(2s - 2)", .published = "satisfied", .most = 1e-15},
    {.text = "s = 2 to 5: C(s) of Lobatto IIIA", .published = "satisfied", .most = 1e-15},
    {.text = "s = 2 to 5: C(s - 2) of Lobatto IIIB",
     .published = "satisfied",
     .most = 1e-15},
    {.text = "s = 2 to 5: the mixed assumption of the pair, up to s",
     .published = "satisfied",
     .most = 1e-15},
    {.text = "s = 2 to 5: R(inf) of Lobatto IIIA",
     .published = "(-1)^(s-1)",
     .most = 1e-12},
};

/* ---- order of a pair ------------------------------------------------------------------------------------ */

/* sum_i d_i^2 / b_i, d_i = sum_j b_j a_ji, which has to be 1/3 for order 3 of the pair. */
static double pair_condition(const double *a, const double *b, int s)
{
    double sum = 0;
    for (int i = 0; i < s; i++) {
        double d = 0;
        for (int j = 0; j < s; j++)
            d += b[j] * a[j * s + i];
        sum += d * d / b[i];
    }
    return sum;
}

static lv_status run_pairs(lv_bench *bench, lv_error *err)
{
    static const double kutta[] = {0, 0, 0, 0.5, 0, 0, -1, 2, 0};
    static const double kutta_b[] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    static const double ralston[] = {0, 0, 0, 0.5, 0, 0, 0, 0.75, 0};
    static const double ralston_b[] = {2.0 / 9, 1.0 / 3, 4.0 / 9};
    double one = pair_condition(kutta, kutta_b, 3);
    double other = pair_condition(ralston, ralston_b, 3);
    LV_TRY(lv_bench_claim(bench, 0, one, err, "%.6f", one));
    return lv_bench_claim(bench, 1, other, err, "%.6f: order 2", other);
}

static const lv_claim pair_claims[] = {
    {.text = "Kutta's scheme of order 3 and its conjugate: sum of d_i^2 / b_i",
     .published = "order of the scheme",
     .least = 1.0 / 3 - 1e-14,
     .most = 1.0 / 3 + 1e-14,
     .note = "The pair is of order 3 if this is 1/3, where d_i = sum_j b_j a_ji."},
    {.text = "Ralston's scheme of order 3 and its conjugate: sum of d_i^2 / b_i",
     .published = "order of the scheme",
     .least = 11.0 / 24 - 1e-14,
     .most = 11.0 / 24 + 1e-14,
     .correction = "After Theorem 4.2 the order of the map is said to be that of the "
                   "Runge-Kutta method. This holds for Gauss, Lobatto and Radau; here "
                   "the condition 1/3 is missed and the pair is of order 2."},
};

/* ---- Gauss schemes with constraints ------------------------------------------------------------------- */

/* The pendulum of the model pendulum-cartesian. */
static const double gravity = 9.81, length = 2, end = 0.6;

typedef struct bob {
    double q[2], v[2];
} bob;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* Two stages Q_i with |Q_i| = l, multipliers mu_i; forces are W_i = (0, -g) + 2 mu_i Q_i. */
typedef struct pair {
    double q[2][2], mu[2], force[2][2];
} pair;

/* Multipliers that bring the stages to the circle, at frozen gradients; how far they move then. */
static double correct(pair *p, const lv_tableau *t, const bob *from, double h)
{
    double base[2][2], m[4], moved = 0;
    int pivot[2];
    for (int i = 0; i < 2; i++) {
        const double *row = t->aah + (size_t)(2 * i);
        double weight = row[0] + row[1];
        base[i][0] = from->q[0] + t->c[i] * h * from->v[0];
        base[i][1] = from->q[1] + t->c[i] * h * from->v[1] - h * h * weight * gravity;
        for (int j = 0; j < 2; j++)
            m[2 * i + j] = 4 * h * h * row[j] * dot(p->q[i], p->q[j]);
        p->mu[i] = length * length + dot(p->q[i], p->q[i]) - 2 * dot(p->q[i], base[i]);
    }
    if (!lv_lu_factor(m, 2, pivot))
        return (double)NAN;
    lv_lu_solve(m, 2, pivot, p->mu);
    for (int j = 0; j < 2; j++) {
        p->force[j][0] = 2 * p->mu[j] * p->q[j][0];
        p->force[j][1] = 2 * p->mu[j] * p->q[j][1];
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const double *row = t->aah + (size_t)(2 * i);
            double push = row[0] * p->force[0][k] + row[1] * p->force[1][k];
            double to = base[i][k] + h * h * push;
            moved = fmax(moved, fabs(to - p->q[i][k]));
            p->q[i][k] = to;
        }
    return moved;
}

/* A step of the Gauss scheme with constraints at its stages, projected at the end. */
static bool gauss_step(bob *b, const lv_tableau *t, double h)
{
    pair p = {.q = {{b->q[0], b->q[1]}, {b->q[0], b->q[1]}}};
    double moved = 1;
    for (int n = 0; n < 100 && moved > 1e-14; n++)
        moved = correct(&p, t, b, h);
    for (int k = 0; k < 2; k++) {
        double fall = k == 1 ? -gravity : 0;
        b->q[k] += h * b->v[k];
        for (int j = 0; j < 2; j++) {
            b->q[k] += h * h * t->bah[j] * (p.force[j][k] + fall);
            b->v[k] += h * t->b[j] * (p.force[j][k] + fall);
        }
    }
    double size = sqrt(dot(b->q, b->q)), along = dot(b->q, b->v) / (size * size);
    for (int k = 0; k < 2; k++) {
        b->v[k] -= along * b->q[k];
        b->q[k] *= length / size;
    }
    return moved <= 1e-14;
}

static double gauss_error(const lv_tableau *t, const lv_start *start, const double *exact,
                          lv_error *err)
{
    lv_motion m;
    double h = start->step;
    if (lv_motion_begin(&m, start, "rattle", err) != LV_OK)
        return (double)NAN;
    bob b = {{m.q[0], m.q[1]}, {m.v[0], m.v[1]}};
    bool good = true;
    lv_motion_end(&m);
    for (long n = lround(end / h); n > 0; n--)
        good = gauss_step(&b, t, h) && good;
    return good ? lv_relative_distance(b.q, exact, 2) : (double)NAN;
}

static lv_status gauss_orders(lv_bench *bench, const lv_tableau *t, const double *exact,
                              lv_error *err)
{
    double x[LV_SLOPE_STEPS], y[2][LV_SLOPE_STEPS], q[2], *row = bench->row;
    for (int i = 0; i < LV_SLOPE_STEPS; i++) {
        const lv_start start = {.model = "pendulum-cartesian", .step = 0.05 / (1 << i)};
        LV_TRY(lv_motion_reach(&start, "ansatz continuity=C degree=2 quadrature=gauss",
                               lround(end / start.step), q, NULL, err));
        row[0] = start.step;
        row[1] = gauss_error(t, &start, exact, err);
        row[2] = lv_relative_distance(q, exact, 2);
        LV_TRY(lv_bench_row(bench, err));
        x[i] = log(start.step);
        y[0][i] = log(row[1]);
        y[1][i] = log(row[2]);
    }
    for (int k = 0; k < 2; k++) {
        double order = lv_slope(x, y[k], LV_SLOPE_STEPS);
        LV_TRY(lv_bench_claim(bench, k, order, err, "%.2f", order));
    }
    return LV_OK;
}

static lv_status run_gauss(lv_bench *bench, lv_error *err)
{
    static const char *const names[] = {"h", "at the stages", "in the mean"};
    const lv_start fine = {.model = "pendulum-cartesian", .step = 0.01};
    double exact[2];
    lv_tableau *t = NULL;
    LV_TRY(lv_bench_columns(bench, names, LV_COUNT(names), err));
    LV_TRY(lv_motion_reach(&fine, "lobatto stages=5", lround(end / fine.step), exact,
                           NULL, err));
    LV_TRY(lv_tableau_create(&t, LV_FAMILY_GAUSS, 2, err));
    lv_status status = gauss_orders(bench, t, exact, err);
    lv_tableau_free(t);
    return status;
}

static const lv_claim gauss_claims[] = {
    {.text = "Gauss, two stages, constraint at the stages, projected: order of q",
     .published = "2 instead of 4",
     .least = 1.9,
     .most = 2.1,
     .note = "The model pendulum-cartesian, q at t = 0.6. livens does not offer this "
             "scheme."},
    {.text = "Gauss, two stages, constraint in the mean and at the end: order of q",
     .published = "(not in the paper)",
     .least = 3.9,
     .most = 4.1,
     .note = "The order returns if multipliers are polynomials with one coefficient less "
             "than there are stages, with an impulse at the start (ansatz, continuity C "
             "with Gauss points)."},
};

/* ---- two stages ------------------------------------------------------------------------------------------ */

static lv_status run_two_stages(lv_bench *bench, lv_error *err)
{
    static const char *const schemes[] = {"lobatto stages=2", "rattle"};
    const lv_start start = {.model = "pendulum-cartesian", .step = 0.02};
    double states[2][4];
    for (int k = 0; k < 2; k++)
        LV_TRY(lv_motion_reach(&start, schemes[k], 500, states[k], states[k] + 2, err));
    double off = lv_largest_difference(states[0], states[1], 4);
    return lv_bench_claim(bench, 0, off, err, "distance %.1e at t = 10", off);
}

static const lv_claim two_stage_claims[] = {
    {.text = "s = 2 and RATTLE lead to the same state",
     .published = "the trapezoidal rule applied first",
     .most = 1e-11},
};

static const lv_figure figures[] = {
    {.where = "Section 4.2, order",
     .subject = "pairs of conjugate schemes",
     LV_CLAIMS(pair_claims),
     .run = run_pairs},
    {.where = "Section 4.3, hypotheses",
     .subject = "Lobatto IIIA-IIIB",
     LV_CLAIMS(hypothesis_claims),
     .run = run_hypotheses},
    {.where = "Section 4.3, trapezoidal rule",
     .subject = "pendulum with a constraint",
     LV_CLAIMS(two_stage_claims),
     .run = run_two_stages},
    {.where = "Section 4.3, Gauss",
     .subject = "pendulum with a constraint",
     .file = "section-4-3-gauss",
     LV_CLAIMS(gauss_claims),
     .run = run_gauss},
    {.where = "Appendix A",
     .subject = "Lobatto IIIA-IIIB",
     LV_CLAIMS(assumption_claims),
     .run = run_assumptions},
};

const lv_chapter lv_martin_sato2018_tableaux = {figures, LV_COUNT(figures)};
