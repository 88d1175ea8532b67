/* Legendre polynomials, and Gauss, Lobatto and Radau rules.
 *
 *   (k+1) P_{k+1} = (2k+1) x P_k - k P_{k-1},     P'_{k+1} = P'_{k-1} + (2k+1) P_k
 *
 * Nodes are zeros of P_n (Gauss), of (1 - x^2) P'_{n-1} (Lobatto) and of P_n - P_{n-1}
 * (right Radau; left Radau is its mirror image), by Newton's method in twofold arithmetic
 * from asymptotic values. Weights on [0, 1]:
 *
 *   b_j = 1 / sum_{k<n} P_k(x_j)^2 / g_k,     g_k = 1/(2k+1), but g_{n-1} = 1/(n-1) for Lobatto
 *
 * because P_0 .. P_{n-1} are orthogonal in the discrete scalar product, with squared
 * norms g_k. Source: Abramowitz, Stegun, Handbook of Mathematical Functions (1964),
 * 25.4. */
#include "num/legendre.h"

#include <assert.h>
#include <stddef.h>

static const struct {
    const char *name;
    int least; /* number of points */
    int loss;  /* exact to degree 2 points - loss */
} rules[LV_RULES] = {
    [LV_RULE_GAUSS] = {"Gauss", 1, 1},
    [LV_RULE_LOBATTO] = {"Lobatto", 2, 3},
    [LV_RULE_RADAU_RIGHT] = {"right Radau", 1, 2},
    [LV_RULE_RADAU_LEFT] = {"left Radau", 1, 2},
};

const char *lv_rule_name(lv_rule rule)
{
    assert((int)rule >= 0 && rule < LV_RULES);
    return rules[rule].name;
}

int lv_rule_least(lv_rule rule)
{
    assert((int)rule >= 0 && rule < LV_RULES);
    return rules[rule].least;
}

int lv_rule_degree(lv_rule rule, int points)
{
    assert((int)rule >= 0 && rule < LV_RULES);
    assert(points >= rules[rule].least);
    return 2 * points - rules[rule].loss;
}

void lv_legendre(double *value, double *derivative, int degree, double x)
{
    assert(degree >= 0);
    for (int k = 0; k <= degree; k++)
        value[k] = k < 2 ? (k ? x : 1)
                         : ((2 * k - 1) * x * value[k - 1] - (k - 1) * value[k - 2]) / k;
    for (int k = 0; derivative && k <= degree; k++)
        derivative[k] = k < 2 ? k : derivative[k - 2] + (2 * k - 1) * value[k - 1];
}

void lv_legendre_shifted(double *value, double *derivative, int degree, double t)
{
    lv_legendre(value, derivative, degree, 2 * t - 1);
    for (int k = 0; derivative && k <= degree; k++)
        derivative[k] *= 2;
}

void lv_legendre_dd(lv_dd *value, int degree, lv_dd x)
{
    value[0] = lv_dd_from(1);
    if (degree > 0)
        value[1] = x;
    for (int k = 2; k <= degree; k++) {
        lv_dd forward = lv_dd_scale(lv_dd_mul(x, value[k - 1]), 2 * k - 1);
        lv_dd back = lv_dd_scale(value[k - 2], k - 1);
        value[k] = lv_dd_div(lv_dd_sub(forward, back), lv_dd_from(k));
    }
}

/* P'_k = P'_{k-2} + (2k-1) P_{k-1} from P; differentiated once more, P'' from P'. */
static void differentiate(lv_dd *derivative, const lv_dd *value, int degree)
{
    derivative[0] = lv_dd_from(0);
    for (int k = 1; k <= degree; k++) {
        lv_dd rest = k > 1 ? derivative[k - 2] : lv_dd_from(0);
        derivative[k] = lv_dd_add(rest, lv_dd_scale(value[k - 1], 2 * k - 1));
    }
}

/* Newton's correction f / f' at x, where f has the inner nodes of the rule as zeros. */
static lv_dd correction(lv_rule rule, int n, lv_dd x)
{
    lv_dd p[LV_RULE_MOST + 1], first[LV_RULE_MOST + 1], second[LV_RULE_MOST + 1];
    lv_legendre_dd(p, n, x);
    differentiate(first, p, n);
    if (rule == LV_RULE_GAUSS)
        return lv_dd_div(p[n], first[n]);
    if (rule == LV_RULE_LOBATTO) {
        differentiate(second, first, n);
        return lv_dd_div(first[n - 1], second[n - 1]);
    }
    /* (P_n - P_{n-1}) / (x - 1): the zero at 1 is divided out */
    lv_dd f = lv_dd_sub(p[n], p[n - 1]), slope = lv_dd_sub(first[n], first[n - 1]);
    lv_dd pole = lv_dd_div(f, lv_dd_sub(x, lv_dd_from(1)));
    return lv_dd_div(f, lv_dd_sub(slope, pole));
}

static double first_guess(lv_rule rule, int n, int i)
{
    const double pi = 3.14159265358979323846;
    if (rule == LV_RULE_GAUSS)
        return -cos(pi * (i + 0.75) / (n + 0.5));
    if (rule == LV_RULE_LOBATTO)
        return -cos(pi * i / (n - 1));
    return cos(2 * pi * (n - 1 - i) / (2 * n - 1));
}

/* After a correction below 1e-18 the error is that of the arithmetic, about 1e-31. */
static lv_dd inner_node(lv_rule rule, int n, int i)
{
    lv_dd x = lv_dd_from(first_guess(rule, n, i)), step = x;
    for (int k = 0; k < 20 && fabs(step.hi) > 1e-18; k++) {
        step = correction(rule, n, x);
        x = lv_dd_sub(x, step);
    }
    return x;
}

/* One half by Newton, the other by symmetry: a middle node is exactly 0. */
static void symmetric_nodes(lv_dd *x, lv_rule rule, int n)
{
    for (int i = 0; i < n / 2; i++) {
        bool is_end = rule == LV_RULE_LOBATTO && i == 0;
        x[i] = is_end ? lv_dd_from(-1) : inner_node(rule, n, i);
        x[n - 1 - i] = lv_dd_neg(x[i]);
    }
    if (n % 2 == 1)
        x[n / 2] = lv_dd_from(0);
}

static void radau_nodes(lv_dd *x, lv_rule rule, int n)
{
    bool right = rule == LV_RULE_RADAU_RIGHT;
    for (int i = 0; i < n; i++) {
        lv_dd node = i == n - 1 ? lv_dd_from(1) : inner_node(LV_RULE_RADAU_RIGHT, n, i);
        x[right ? i : n - 1 - i] = right ? node : lv_dd_neg(node);
    }
}

static lv_dd weight(lv_rule rule, int n, lv_dd x)
{
    lv_dd p[LV_RULE_MOST], sum = lv_dd_from(0);
    lv_legendre_dd(p, n - 1, x);
    for (int k = 0; k < n; k++) {
        bool is_last = rule == LV_RULE_LOBATTO && k == n - 1;
        lv_dd square = lv_dd_mul(p[k], p[k]);
        sum = lv_dd_add(sum, lv_dd_scale(square, is_last ? n - 1 : 2 * k + 1));
    }
    return lv_dd_div(lv_dd_from(1), sum);
}

bool lv_rule_nodes_dd(lv_dd *x, lv_dd *b, lv_rule rule, int points)
{
    if (points < lv_rule_least(rule) || points > LV_RULE_MOST)
        return false;
    if (rule == LV_RULE_GAUSS || rule == LV_RULE_LOBATTO)
        symmetric_nodes(x, rule, points);
    else
        radau_nodes(x, rule, points);
    /* P_k(-x)^2 = P_k(x)^2 in every bit, so that weights are as symmetric as nodes. */
    for (int i = 0; i < points; i++)
        b[i] = weight(rule, points, x[i]);
    return true;
}

bool lv_rule_nodes(double *c, double *b, lv_rule rule, int points)
{
    lv_dd x[LV_RULE_MOST], w[LV_RULE_MOST];
    if (!lv_rule_nodes_dd(x, w, rule, points))
        return false;
    for (int i = 0; i < points; i++) {
        c[i] = lv_dd_scale(lv_dd_add(x[i], lv_dd_from(1)), 0.5).hi;
        b[i] = w[i].hi;
    }
    return true;
}
