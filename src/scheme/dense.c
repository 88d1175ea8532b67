#include "scheme/dense.h"

#include "num/legendre.h"

#include <assert.h>
#include <string.h>

int lv_dense_velocity_terms(lv_closure closure, int degree)
{
    return closure == LV_CLOSURE_C ? degree : degree + 1;
}

int lv_dense_force_terms(lv_closure closure, int degree)
{
    (void)closure;
    return degree + 1;
}

/* The Legendre series that the rule of a tableau makes of the values at its stages,
 * [stage][n]. */
static void project(const lv_tableau *t, int n, const double *values, int terms,
                    double *series)
{
    double l[LV_RULE_MOST + 1];
    memset(series, 0, (size_t)(terms * n) * sizeof *series);
    for (int j = 0; j < t->stages; j++) {
        lv_legendre_shifted(l, NULL, terms, t->c[j]);
        for (int a = 0; a < terms; a++)
            for (int k = 0; k < n; k++)
                series[a * n + k] += (2 * a + 1) * t->b[j] * l[a] * values[j * n + k];
    }
}

lv_slopes lv_slopes_of_stages(const lv_tableau *t, int n, const double *velocities,
                              const double *forces, double *room, lv_slopes slopes)
{
    int v_terms = lv_dense_velocity_terms(t->closure, t->degree);
    double *w = room + (size_t)(v_terms * n);
    project(t, n, velocities, v_terms, room);
    project(t, n, forces, lv_dense_force_terms(t->closure, t->degree), w);
    slopes.closure = t->closure;
    slopes.degree = t->degree;
    slopes.v = room;
    slopes.w = w;
    return slopes;
}

/* How a series is integrated from 0: term L_a becomes I_a. The raw polynomial is
 * truncated at degree `top`, and `jump` times L_top replaces the part that is cut off. */
typedef struct cut {
    int terms, top;
    double jump;
} cut;

static cut position_cut(const lv_slopes *d, lv_dense kind)
{
    bool c = d->closure == LV_CLOSURE_C;
    cut s = {lv_dense_velocity_terms(d->closure, d->degree), d->degree, 0};
    if (!c)
        s.jump = d->closure == LV_CLOSURE_RL ? -1 : 1;
    if (kind == LV_DENSE_INTEGRATED)
        s.top = s.terms;
    return s;
}

static cut momentum_cut(const lv_slopes *d, lv_dense kind)
{
    bool c = d->closure == LV_CLOSURE_C;
    cut s = {lv_dense_force_terms(d->closure, d->degree), c ? d->degree - 1 : d->degree,
             0};
    if (!c)
        s.jump = d->closure == LV_CLOSURE_LR ? -1 : 1;
    if (kind == LV_DENSE_INTEGRATED)
        s.top = s.terms;
    return s;
}

/* I_a(x) if l[k] = L_k(x); the derivative of I_a if l holds derivatives. l[0] stands for
 * L_0 in both cases. */
static double integral(const cut *s, int a, const double *l)
{
    double above = a < s->top ? l[a + 1] : a == s->top ? s->jump * l[a] : 0;
    if (a == 0)
        return 0.5 * (above + l[0]);
    double below = a - 1 <= s->top ? l[a - 1] : 0;
    return (above - below) / (2 * (2 * a + 1));
}

static void add_up(const cut *s, double h, int n, const double *l, const double *series,
                   double *result)
{
    for (int a = 0; a < s->terms; a++) {
        double weight = h * integral(s, a, l);
        for (int k = 0; k < n; k++)
            result[k] += weight * series[a * n + k];
    }
}

static void sum_up(const cut *s, double h, int n, double x, const double *start,
                   const double *series, double *result)
{
    double l[LV_RULE_MOST + 3];
    lv_legendre_shifted(l, NULL, s->terms, x);
    memcpy(result, start, (size_t)n * sizeof *result);
    add_up(s, h, n, l, series, result);
}

void lv_dense_position(const lv_slopes *d, lv_dense kind, int n, double x, double *q)
{
    assert(x >= 0 && x <= 1);
    cut s = position_cut(d, kind);
    sum_up(&s, d->h, n, x, d->q, d->v, q);
}

void lv_dense_momentum(const lv_slopes *d, lv_dense kind, int n, double x, double *p)
{
    assert(x >= 0 && x <= 1);
    cut s = momentum_cut(d, kind);
    sum_up(&s, d->h, n, x, d->p, d->w, p);
}

void lv_dense_rates(const lv_slopes *d, int n, double x, double *dq, double *dp)
{
    double l[LV_RULE_MOST + 3], dl[LV_RULE_MOST + 3];
    cut q = position_cut(d, LV_DENSE_RAW), p = momentum_cut(d, LV_DENSE_RAW);
    lv_legendre_shifted(l, dl, q.terms > p.terms ? q.terms : p.terms, x);
    memset(dq, 0, (size_t)n * sizeof *dq);
    memset(dp, 0, (size_t)n * sizeof *dp);
    add_up(&q, d->h, n, dl, d->v, dq);
    add_up(&p, d->h, n, dl, d->w, dp);
}

void lv_dense_multipliers(const lv_slopes *d, int m, double x, double *lambda)
{
    double l[LV_RULE_MOST + 3];
    lv_legendre_shifted(l, NULL, d->lambda_terms, x);
    memset(lambda, 0, (size_t)m * sizeof *lambda);
    for (int a = 0; a < d->lambda_terms; a++)
        for (int r = 0; r < m; r++)
            lambda[r] += l[a] * d->lambda[a * m + r];
}
