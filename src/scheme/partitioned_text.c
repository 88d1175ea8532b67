#include "scheme/partitioned_text.h"

#include "base/memory.h"
#include "num/legendre.h"
#include "scheme/dense.h"

#include <math.h>

/* Stages at both ends of the step: constraints of both kinds (theory 4). V are the velocities of the stages, x those
 * that belong to the momenta there. The sums with bl and k in place of b and ah are the same, and show that
 * multipliers of the last stage do not enter the other equations. */
static const char closed[] =
    "carried q point, p momentum, v tangent, l multiplier Phi\n"
    "unknown V[i] tangent\n"
    "unknown m[i] multiplier g\n"
    "unknown L[i] multiplier Phi for i = 2..s\n"
    "unknown x[i] tangent for i = E..s\n"
    "let L[1] = l\n"
    "let X[i] = h a[i,j] V[j]\n"
    "let xi = h b[j] V[j]\n"
    "point Q[i] at c[i] = move(q, X[i])\n"
    "let e[i] = D(X[i], V[i])\n"
    "let P[i] = p(Q[i], e[i])\n"
    "let W[i] = F(Q[i], e[i]) + GT(Q[i]; m[i]) + AT(Q[i], e[i]; L[i])\n"
    "let K[i] = DT(X[i], W[i])\n"
    "let B[i] = B(X[i], V[i], P[i])\n"
    "let S[i] = space(Q[i], W[i])\n"
    "let pm = p + h bl[j] S[j]\n"
    "let bm = body(q, pm)\n"
    "let pp[i] = p + h a[i,j] S[j]\n"
    "eq V[i]: DT(X[i], P[i]) + h k[i,j] K[j] + h abar[i,j] B[j] - DTm(xi, bm)\n"
    "eq x[i]: p(Q[i], x[i]) - body(Q[i], pp[i]) for i = E..s\n"
    "eq m[i]: g(Q[i+1]) for i = 1..s-1\n"
    "eq m[s] once: rate(Q[s], x[s])\n"
    "eq L[i]: Phi(Q[i], x[i]) for i = 2..s\n"
    "assign q <- Q[s]\n"
    "assign p <- pp[s]\n"
    "assign v <- x[s]\n"
    "assign l <- L[s]\n"
    "show Q[i], V[i], W[i], e[i]\n";

/* Stages anywhere, no constraints. */
static const char open[] =
    "carried q point, p momentum, v tangent\n"
    "unknown V[i] tangent\n"
    "unknown x tangent\n"
    "let X[i] = h a[i,j] V[j]\n"
    "let xi = h b[j] V[j]\n"
    "point Q[i] at c[i] = move(q, X[i])\n"
    "point qe at 1 = move(q, xi)\n"
    "let e[i] = D(X[i], V[i])\n"
    "let P[i] = p(Q[i], e[i])\n"
    "let W[i] = F(Q[i], e[i])\n"
    "let K[i] = DT(X[i], W[i])\n"
    "let B[i] = B(X[i], V[i], P[i])\n"
    "let S[i] = space(Q[i], W[i])\n"
    "let pe = p + h b[j] S[j]\n"
    "let bm = body(q, pe)\n"
    "eq V[i]: DT(X[i], P[i]) + h abar[i,j] K[j] + h abar[i,j] B[j] - DTm(xi, bm)\n"
    "eq x: p(qe, x) - body(qe, pe)\n"
    "assign q <- qe\n"
    "assign p <- pe\n"
    "assign v <- x\n"
    "show Q[i], V[i], W[i], e[i]\n";

/* Multipliers that are polynomials in the step, with coefficients y, and impulses n and z at its ends (theory 8). */
static const char smooth[] = "carried q point, p momentum, v tangent\n"
                             "unknown V[i] tangent\n"
                             "unknown y[c] multiplier g\n"
                             "unknown n impulse g\n"
                             "unknown z impulse g\n"
                             "unknown x tangent\n"
                             "point Q[i] at c[i] = q + h a[i,j] V[j]\n"
                             "point qe at 1 = q + h b[j] V[j]\n"
                             "let m[i] = shape[i,c] y[c]\n"
                             "let W[i] = F(Q[i], V[i]) + GT(Q[i]; m[i])\n"
                             "let p0 = p + GT(q; n)\n"
                             "let pe = p0 + h b[j] W[j] + GT(qe; z)\n"
                             "eq V[i]: p(Q[i], V[i]) - p0 - h ah[i,j] W[j]\n"
                             "eq y[c]: test[c,i] g(Q[i])\n"
                             "eq n: g(qe)\n"
                             "eq x: p(qe, x) - pe\n"
                             "eq z once: rate(qe, x)\n"
                             "assign q <- qe\n"
                             "assign p <- pe\n"
                             "assign v <- x\n"
                             "show Q[i], V[i], W[i], p0\n";

/* Velocities V are a Legendre series, forces W stand at the points of a rule; S is their series (theory 8.5). */
static const char series[] = "carried q point, p momentum, v tangent\n"
                             "unknown V[a] tangent\n"
                             "unknown y[c] multiplier g\n"
                             "unknown n impulse g\n"
                             "unknown z impulse g\n"
                             "unknown x tangent\n"
                             "point Q[u] at c[u] = q + h a[u,a] V[a]\n"
                             "point qe at 1 = q + h e[a] V[a]\n"
                             "let U[u] = l[u,a] V[a]\n"
                             "let m[u] = shape[u,c] y[c]\n"
                             "let W[u] = F(Q[u], U[u]) + GT(Q[u]; m[u])\n"
                             "let S[k] = pi[k,u] W[u]\n"
                             "let p0 = p + GT(q; n)\n"
                             "let pe = p0 + h b[u] W[u] + GT(qe; z)\n"
                             "eq V[a]: M(V[a]) - e[a] p0 - h ah[a,u] W[u]\n"
                             "eq y[c]: test[c,u] g(Q[u])\n"
                             "eq n: g(qe)\n"
                             "eq x: M(x) - pe\n"
                             "eq z once: rate(qe, x)\n"
                             "assign q <- qe\n"
                             "assign p <- pe\n"
                             "assign v <- x\n"
                             "show Q[u], U[u], V[a], S[k], p0\n";

static const char *text_for(const lv_system *system, const lv_tableau *t,
                            int coefficients)
{
    if (coefficients >= 0 && system->m > 0)
        return smooth;
    return t->q_starts && t->q_ends ? closed : open;
}

/* Coefficients that follow from those of the tableau, in one block. */
typedef struct derived {
    double *numbers, *bl, *k, *abar;
    double stages, first;
} derived;

static lv_status derive(derived *d, const lv_system *system, const lv_tableau *t,
                        lv_error *err)
{
    const int s = t->stages;
    d->numbers =
        lv_memory_zeroed(2 * (size_t)s * (size_t)s + (size_t)s, sizeof *d->numbers);
    if (!d->numbers)
        return lv_fail_memory(err);
    d->bl = d->numbers;
    d->k = d->bl + s;
    d->abar = d->k + (ptrdiff_t)s * s;
    d->stages = s;
    d->first = system->has_nonholonomic ? 2 : s;
    for (int j = 0; j < s; j++) {
        d->bl[j] = t->q_ends && j == s - 1 ? 0 : t->b[j];
        for (int i = 0; i < s; i++) {
            d->k[i * s + j] = d->bl[j] - t->ah[i * s + j];
            d->abar[i * s + j] = t->b[j] - t->ah[i * s + j];
        }
    }
    return LV_OK;
}

/* Multipliers that are polynomials: Legendre polynomials at the stages (shape, stages x coefficients), and the same with
 * the weights of the rule, by which constraints hold in the mean (test, coefficients x stages). */
static lv_status derive_smooth(double **numbers, const lv_tableau *t, int coefficients,
                               lv_error *err)
{
    const int s = t->stages, k = coefficients;
    double value[LV_RULE_MOST + 1];
    *numbers = NULL;
    if (k <= 0)
        return LV_OK;
    double *to = *numbers = lv_memory_zeroed(2 * (size_t)s * (size_t)k, sizeof *to);
    for (int i = 0; to && i < s; i++) {
        lv_legendre_shifted(value, NULL, k - 1, t->c[i]);
        for (int c = 0; c < k; c++) {
            to[i * k + c] = value[c];
            to[s * k + c * s + i] = t->b[i] * value[c];
        }
    }
    return to ? LV_OK : lv_fail_memory(err);
}

lv_status lv_partitioned_stepper(lv_stepper **stepper, lv_system *system,
                                 const lv_tableau *t, int coefficients, lv_chart chart,
                                 lv_error *err)
{
    const int s = t->stages, k = coefficients > 0 ? coefficients : 0;
    derived d = {0};
    double *shapes = NULL;
    *stepper = NULL;
    LV_TRY(derive(&d, system, t, err));
    lv_status status = derive_smooth(&shapes, t, k, err);
    const double none = 0;
    const lv_coefficient list[] = {
        {"a", s, s, t->a},
        {"ah", s, s, t->ah},
        {"b", s, 0, t->b},
        {"c", s, 0, t->c},
        {"bl", s, 0, d.bl},
        {"k", s, s, d.k},
        {"abar", s, s, d.abar},
        {"s", 0, 0, &d.stages},
        {"E", 0, 0, &d.first},
        {"shape", s, k, shapes ? shapes : &none},
        {"test", k, s, shapes ? shapes + (ptrdiff_t)s * k : &none},
        {0}};
    const lv_index_set sets[] = {{'i', s}, {'j', s}, {'c', k}, {0, 0}};
    const lv_step_table table = {.sets = sets, .coefficients = list};
    if (status == LV_OK)
        status = lv_stepper_create(stepper, system, text_for(system, t, coefficients),
                                   &table, (lv_stepper_options){.beginnings = 2, .chart = chart},
                                   err);
    lv_memory_free(d.numbers);
    lv_memory_free(shapes);
    return status;
}

/* ---- series ------------------------------------------------------------------------------------------ */

/* Entry (row, column) of the integration of a series, cut at degree `top` with `jump` there (theory 8.2). */
static double integration(int row, int column, int top, double jump)
{
    if (row == 0 && column == 0)
        return 0.5 + (top == 0 ? 0.5 * jump : 0);
    if (row == column + 1)
        return 1 / (2 * (2 * (double)column + 1));
    if (row == column - 1)
        return -1 / (2 * (2 * (double)column + 1));
    return row == column && row == top ? jump / (2 * (2 * (double)top + 1)) : 0;
}

/* Coefficients of the text, in one block. */
typedef struct expansion {
    double *numbers;
    double *l, *a, *pi,
        *ah; /* values at points, integrated twice; projections, integrated */
    double *shape, *test, *e;
    int terms, velocities; /* of the series of forces and of velocities */
} expansion;

static lv_status make_expansion(expansion *x, const lv_galerkin *g, lv_error *err)
{
    const size_t points = (size_t)g->points, terms = (size_t)g->degree + 1,
                 k = (size_t)g->coefficients;
    x->terms = g->degree + 1;
    x->velocities = lv_dense_velocity_terms(g->closure, g->degree);
    const size_t v = (size_t)x->velocities;
    x->numbers =
        lv_memory_zeroed(points * (2 * v + terms + v + 2 * k) + v, sizeof *x->numbers);
    if (!x->numbers)
        return lv_fail_memory(err);
    x->l = x->numbers;
    x->a = x->l + points * v;
    x->ah = x->a + points * v;
    x->pi = x->ah + points * v;
    x->shape = x->pi + points * terms;
    x->test = x->shape + points * k;
    x->e = x->test + points * k;
    x->e[0] = 1;
    return LV_OK;
}

/* Numbers that are 0 or 1 but for rounding are exactly that: points that are ends of the step are known as such. */
static double clean(double x)
{
    const double rounding = 1e-15;
    return fabs(x) < rounding ? 0 : fabs(x - 1) < rounding ? 1 : x;
}

static void expand_at(expansion *x, const lv_galerkin *g, int u)
{
    double l[LV_RULE_MOST + 2];
    const bool c = g->closure == LV_CLOSURE_C;
    const double jump_q = c                             ? 0
                          : g->closure == LV_CLOSURE_RL ? -1
                                                        : 1,
                 jump_p = c                             ? 0
                          : g->closure == LV_CLOSURE_LR ? -1
                                                        : 1;
    const int top = c ? -1 : g->degree, v = x->velocities;
    lv_legendre_shifted(l, NULL, x->terms - 1, g->c[u]);
    for (int k = 0; k < x->terms; k++)
        x->pi[k * g->points + u] = (2 * k + 1) * g->b[u] * l[k];
    for (int a = 0; a < v; a++) {
        x->l[u * v + a] = l[a];
        for (int k = 0; k < x->terms; k++) {
            x->a[u * v + a] += l[k] * integration(k, a, top, jump_q);
            x->ah[a * g->points + u] +=
                integration(a, k, top, jump_p) * x->pi[k * g->points + u];
        }
        x->a[u * v + a] = clean(x->a[u * v + a]);
    }
    for (int k = 0; k < g->coefficients; k++) {
        x->shape[u * g->coefficients + k] = l[k];
        x->test[k * g->points + u] = g->b[u] * l[k];
    }
}

lv_status lv_series_stepper(lv_stepper **stepper, lv_system *system,
                            const lv_galerkin *galerkin, lv_error *err)
{
    expansion x = {0};
    lv_galerkin g = *galerkin;
    *stepper = NULL;
    if (system->m == 0 || g.coefficients < 0)
        g.coefficients = 0;
    LV_TRY(make_expansion(&x, &g, err));
    for (int u = 0; u < g.points; u++)
        expand_at(&x, &g, u);
    const int v = x.velocities, k = g.coefficients;
    const lv_coefficient list[] = {{"a", g.points, v, x.a},
                                   {"ah", v, g.points, x.ah},
                                   {"l", g.points, v, x.l},
                                   {"pi", x.terms, g.points, x.pi},
                                   {"e", v, 0, x.e},
                                   {"b", g.points, 0, g.b},
                                   {"c", g.points, 0, g.c},
                                   {"shape", g.points, k, x.shape},
                                   {"test", k, g.points, x.test},
                                   {0}};
    const lv_index_set sets[] = {
        {'a', v}, {'u', g.points}, {'c', k}, {'k', x.terms}, {0, 0}};
    const lv_step_table table = {.sets = sets, .coefficients = list};
    const lv_status status = lv_stepper_create(
        stepper, system, series, &table, (lv_stepper_options){.beginnings = 2}, err);
    lv_memory_free(x.numbers);
    return status;
}
