/* Groups as matrices in long double, computed without the formulas of the library: exponentials by scaling and squaring,
 * Cayley maps by elimination, tangents of charts by their definitions. Numbers on the line are matrices
 * (1, x; 0, 1), rotations and poses the usual ones. */
#ifndef LV_TESTS_GROUP_REFERENCE_H
#define LV_TESTS_GROUP_REFERENCE_H

#include "check.h"
#include "group/group.h"

#define SIDE 4 /* of the largest matrices */
#define MOST LV_LIE_TANGENT

typedef struct matrix {
    long double a[SIDE][SIDE];
} matrix;

static inline matrix unit_matrix(void)
{
    matrix m = {{{0}}};
    for (int i = 0; i < SIDE; i++)
        m.a[i][i] = 1;
    return m;
}

static inline matrix product(matrix a, matrix b)
{
    matrix c = {{{0}}};
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            for (int k = 0; k < SIDE; k++)
                c.a[i][j] += a.a[i][k] * b.a[k][j];
    return c;
}

static inline matrix combination(long double f, matrix a, long double g, matrix b)
{
    matrix c;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            c.a[i][j] = f * a.a[i][j] + g * b.a[i][j];
    return c;
}

/* Gauss and Jordan, with row pivots */
static inline matrix inverse_of(matrix a)
{
    matrix b = unit_matrix();
    for (int k = 0; k < SIDE; k++) {
        int p = k;
        for (int i = k; i < SIDE; i++)
            p = fabsl(a.a[i][k]) > fabsl(a.a[p][k]) ? i : p;
        for (int j = 0; j < SIDE; j++) {
            long double s = a.a[k][j], t = b.a[k][j];
            a.a[k][j] = a.a[p][j], a.a[p][j] = s;
            b.a[k][j] = b.a[p][j], b.a[p][j] = t;
        }
        const long double pivot = a.a[k][k];
        for (int j = 0; j < SIDE; j++)
            a.a[k][j] /= pivot, b.a[k][j] /= pivot;
        for (int i = 0; i < SIDE; i++) {
            const long double f = i == k ? 0 : a.a[i][k];
            for (int j = 0; j < SIDE; j++)
                a.a[i][j] -= f * a.a[k][j], b.a[i][j] -= f * b.a[k][j];
        }
    }
    return b;
}

/* ---- the algebra of a group as matrices ---- */

static inline matrix hat_of(const lv_lie_group *g, const long double *x)
{
    matrix m = {{{0}}};
    if (g->axes == 2) {
        m.a[1][0] = x[0], m.a[0][1] = -x[0];
        for (int i = 0; i < g->tangent - 1; i++)
            m.a[i][2] = x[1 + i];
    } else {
        m.a[2][1] = x[0], m.a[1][2] = -x[0];
        m.a[0][2] = x[1], m.a[2][0] = -x[1];
        m.a[1][0] = x[2], m.a[0][1] = -x[2];
        for (int i = 0; i < g->tangent - 3; i++)
            m.a[i][3] = x[3 + i];
    }
    return m;
}

static inline void vee_of(const lv_lie_group *g, long double *x, matrix m)
{
    if (g->axes == 2) {
        x[0] = (m.a[1][0] - m.a[0][1]) / 2;
        for (int i = 0; i < g->tangent - 1; i++)
            x[1 + i] = m.a[i][2];
    } else {
        x[0] = (m.a[2][1] - m.a[1][2]) / 2;
        x[1] = (m.a[0][2] - m.a[2][0]) / 2;
        x[2] = (m.a[1][0] - m.a[0][1]) / 2;
        for (int i = 0; i < g->tangent - 3; i++)
            x[3 + i] = m.a[i][3];
    }
}

/* The matrix of an element as the library stores it */
static inline matrix matrix_of(const lv_lie_group *g, const double *element)
{
    matrix m = unit_matrix();
    double r[9];
    g->rotation(r, element);
    for (int i = 0; i < g->axes; i++)
        for (int j = 0; j < g->axes; j++)
            m.a[i][j] = (long double)r[g->axes * i + j];
    const int turn = g->axes == 2 ? 1 : 4;
    for (int i = turn; i < g->element; i++)
        m.a[i - turn][g->axes] = (long double)element[i];
    return m;
}

/* ---- charts ---- */

static inline matrix exponential(matrix x)
{
    const int halvings = 8;
    matrix small = combination(ldexpl(1, -halvings), x, 0, x);
    matrix sum = unit_matrix(), term = unit_matrix();
    for (int k = 1; k <= 16; k++) {
        term = combination(1.0L / k, product(term, small), 0, term);
        sum = combination(1, sum, 1, term);
    }
    for (int k = 0; k < halvings; k++)
        sum = product(sum, sum);
    return sum;
}

static inline matrix tau_of(const lv_lie_group *g, lv_chart chart, const long double *x)
{
    const matrix h = hat_of(g, x), one = unit_matrix();
    if (chart == LV_CHART_EXP)
        return exponential(h);
    return product(inverse_of(combination(1, one, -0.5L, h)),
                   combination(1, one, 0.5L, h));
}

/* [x, y] from commutators */
static inline void bracket(const lv_lie_group *g, long double *z, const long double *x,
                           const long double *y)
{
    const matrix a = hat_of(g, x), b = hat_of(g, y);
    vee_of(g, z, combination(1, product(a, b), -1, product(b, a)));
}

/* D(x) e: exp  sum_k (-ad_x)^k e/(k+1)!,  cay  (1 + X/2)^-1 E (1 - X/2)^-1 */
static inline void tangent_of(const lv_lie_group *g, lv_chart chart, long double *y,
                              const long double *x, const long double *e)
{
    const int n = g->tangent;
    if (chart == LV_CHART_CAY) {
        const matrix h = hat_of(g, x), one = unit_matrix();
        vee_of(g, y,
               product(product(inverse_of(combination(1, one, 0.5L, h)), hat_of(g, e)),
                       inverse_of(combination(1, one, -0.5L, h))));
        return;
    }
    long double term[MOST], next[MOST];
    for (int i = 0; i < n; i++)
        y[i] = term[i] = e[i];
    long double size = 1;
    for (int k = 1; size > 1e-24L && k < 80; k++) {
        bracket(g, next, x, term);
        size = 0;
        for (int i = 0; i < n; i++) {
            term[i] = -next[i] / (k + 1);
            size += fabsl(term[i]);
            y[i] += term[i];
        }
    }
}

/* w.D(x)e */
static inline long double form_of(const lv_lie_group *g, lv_chart chart,
                                  const long double *x, const long double *e,
                                  const long double *w)
{
    long double y[MOST], sum = 0;
    tangent_of(g, chart, y, x, e);
    for (int i = 0; i < g->tangent; i++)
        sum += w[i] * y[i];
    return sum;
}

/* ---- differences ---- */

/* Sixth order: f' = sum_k weight[k] (f(k d) - f(-k d))/d, k = 1..3 */
static const long double difference_weight[4] = {0, 0.75L, -0.15L, 1 / 60.0L};

#endif
