#include "scheme/dense.h"

#include "num/legendre.h"

#include <string.h>

/* The series of a slope, integrated: sum over a < terms of (2a+1) L_a(c_j) I_a(x), where the raw
 * polynomial is cut at degree `top`, and at that degree gets `jump` times L_top for what is cut. */
typedef struct series {
    int terms, top;
    double jump;
} series;

static series position_series(const lv_tableau *t, lv_dense kind)
{
    bool c = t->closure == LV_CLOSURE_C;
    series s = {c ? t->degree : t->degree + 1, t->degree, 0};
    if (!c)
        s.jump = t->closure == LV_CLOSURE_RL ? -1 : 1;
    if (kind == LV_DENSE_INTEGRATED)
        s.top = s.terms;
    return s;
}

static series momentum_series(const lv_tableau *t, lv_dense kind)
{
    bool c = t->closure == LV_CLOSURE_C;
    series s = {t->degree + 1, c ? t->degree - 1 : t->degree, 0};
    if (!c)
        s.jump = t->closure == LV_CLOSURE_LR ? -1 : 1;
    if (kind == LV_DENSE_INTEGRATED)
        s.top = s.terms;
    return s;
}

/* I_a(x), the integral of L_a from 0, where l[k] = L_k(x) */
static double integral(const series *s, int a, const double *l)
{
    double above = a < s->top ? l[a + 1] : a == s->top ? s->jump * l[a] : 0;
    if (a == 0)
        return 0.5 * (above + 1);
    double below = a - 1 <= s->top ? l[a - 1] : 0;
    return (above - below) / (2 * (2 * a + 1));
}

/* weight[j]: what the slope at stage j contributes at local time x. */
static void weights(const lv_tableau *t, const series *s, double x, double *weight)
{
    double here[LV_RULE_MOST + 2], there[LV_RULE_MOST + 2];
    lv_legendre_shifted(here, NULL, s->terms, x);
    for (int j = 0; j < t->stages; j++) {
        double sum = 0;
        lv_legendre_shifted(there, NULL, s->terms, t->c[j]);
        for (int a = 0; a < s->terms; a++)
            sum += (2 * a + 1) * there[a] * integral(s, a, here);
        weight[j] = t->b[j] * sum;
    }
}

static void combine(const lv_slopes *d, const series *s, double x, int n,
                    const double *start, const double *slope, double *result)
{
    double weight[LV_RULE_MOST];
    weights(d->tableau, s, x, weight);
    memcpy(result, start, (size_t)n * sizeof *result);
    for (int j = 0; j < d->tableau->stages; j++)
        for (int k = 0; k < n; k++)
            result[k] += d->h * weight[j] * slope[j * n + k];
}

void lv_dense_position(const lv_slopes *d, lv_dense kind, int n, double x, double *q)
{
    series s = position_series(d->tableau, kind);
    combine(d, &s, x, n, d->q, d->v, q);
}

void lv_dense_momentum(const lv_slopes *d, lv_dense kind, int n, double x, double *p)
{
    series s = momentum_series(d->tableau, kind);
    combine(d, &s, x, n, d->p, d->w, p);
}
