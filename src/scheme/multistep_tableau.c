#include "scheme/multistep_tableau.h"

#include "num/dd.h"

#include <math.h>
#include <string.h>

/* The r_i of rho: cosines of the angles, with the sign changed, at which rho has further
 * roots on the unit circle. Chosen so that the roots of sigma lie on the unit circle, too,
 * apart from each other and from those of rho: then errors of multipliers do not grow
 * (theory 11.2). */
static const double roots[LV_MULTISTEP_MOST + 1][LV_MULTISTEP_MOST - 1] = {
    [2] = {0.8},
    [3] = {-0.4, 0.7},
    [4] = {-0.7, -0.4, 0.8},
};

enum { MOST = LV_MULTISTEP_NODES, RIGHT = LV_MULTISTEP_SUMS + 1 + 2 * MOST };

/* Linear equations with several right sides. */
typedef struct equations {
    int size, right;
    lv_dd x[MOST][MOST + RIGHT];
} equations;

static lv_dd power(double x, int exponent)
{
    lv_dd result = lv_dd_from(1);
    for (int k = 0; k < exponent; k++)
        result = lv_dd_scale(result, x);
    return result;
}

static void subtract_row(equations *e, int from, int row, int pivot)
{
    const lv_dd factor = e->x[row][pivot];
    for (int k = pivot; k < e->size + e->right; k++)
        e->x[row][k] = lv_dd_sub(e->x[row][k], lv_dd_mul(factor, e->x[from][k]));
}

/* Replaces the right sides by the solutions. */
static void solve(equations *e)
{
    for (int i = 0; i < e->size; i++) {
        int best = i;
        for (int r = i + 1; r < e->size; r++)
            best = fabs(e->x[r][i].hi) > fabs(e->x[best][i].hi) ? r : best;
        for (int k = 0; k < e->size + e->right && best != i; k++) {
            const lv_dd x = e->x[i][k];
            e->x[i][k] = e->x[best][k];
            e->x[best][k] = x;
        }
        for (int k = e->size + e->right - 1; k >= i; k--)
            e->x[i][k] = lv_dd_div(e->x[i][k], e->x[i][i]);
        for (int r = 0; r < e->size; r++)
            if (r != i)
                subtract_row(e, i, r, i);
    }
}

static lv_dd solution(const equations *e, int unknown, int right)
{
    return e->x[unknown][e->size + right];
}

/* ---- b and c ----------------------------------------------------------------------- */

/* p(z) (1 + 2 r z + z^2); p has *count coefficients. */
static void multiply(lv_dd *p, int *count, double r)
{
    lv_dd product[LV_MULTISTEP_ORDER + 1] = {{0, 0}};
    for (int k = 0; k < *count; k++) {
        product[k] = lv_dd_add(product[k], p[k]);
        product[k + 1] = lv_dd_add(product[k + 1], lv_dd_scale(p[k], 2 * r));
        product[k + 2] = lv_dd_add(product[k + 2], p[k]);
    }
    *count += 2;
    memcpy(p, product, (size_t)*count * sizeof *p);
}

/* The coefficients of rho; those of the product alone go to `c`, without the first. */
static void find_rho(lv_multistep *x, lv_dd *c, lv_dd *rho, const double *r)
{
    int count = 1;
    rho[0] = lv_dd_from(1);
    for (int i = 0; i < x->order / 2 - 1; i++)
        multiply(rho, &count, r[i]);
    memcpy(c, rho + 1, (size_t)x->sums * sizeof *c);
    multiply(rho, &count, -1);
}

/* beta_{k-1}, beta_{k-2}, ... from sum_j alpha_j y(j) = sum_j beta_j y''(j) for the even
 * powers y of the distance from the middle; odd ones follow from the symmetry. */
static void find_beta(lv_dd *beta, const lv_dd *rho, int order)
{
    const int half = order / 2;
    equations e = {.size = half, .right = 1};
    for (int row = 0; row < half; row++) {
        const int m = 2 * row + 2;
        lv_dd sum = lv_dd_from(0);
        for (int j = 0; j <= order; j++)
            sum = lv_dd_add(sum, lv_dd_mul(rho[j], power(j - half, m)));
        e.x[row][half] = sum;
        for (int j = 0; j < half; j++)
            e.x[row][j] = lv_dd_scale(power(j, m - 2), (j > 0 ? 2.0 : 1.0) * m * (m - 1));
    }
    solve(&e);
    for (int j = 0; j < order - 1; j++)
        beta[j] = solution(&e, j < half ? half - 1 - j : j - half + 1, 0);
}

/* ---- combinations for polynomials ---------------------------------------------------- */

/* The numbers of a motion with the acceleration x^m, h = 1, which rests at 0. */
static lv_dd position(double x, int m)
{
    return lv_dd_div(power(x, m + 2), lv_dd_from((m + 1.0) * (m + 2)));
}

static lv_dd velocity(double x, int m)
{
    return lv_dd_div(power(x, m + 1), lv_dd_from(m + 1.0));
}

static lv_dd mean_acceleration(double x, int m)
{
    const lv_dd middle = position(x - 1, m);
    return lv_dd_sub(lv_dd_sub(position(x, m), middle),
                     lv_dd_sub(middle, position(x - 2, m)));
}

/* S_i at the node 0. */
static lv_dd sum_at_node(const lv_dd *b, const lv_dd *c, int sums, int i, int m)
{
    lv_dd sum = lv_dd_from(0);
    for (int j = i; j <= sums; j++) {
        sum = lv_dd_add(sum, lv_dd_mul(b[j], power(i - 1 - j, m)));
        sum = lv_dd_sub(sum, lv_dd_mul(c[j - 1], mean_acceleration(i - j, m)));
    }
    return sum;
}

/* (-1)^(m + l) (2 l + 1) m!^2 / ((m - l)! (m + l + 1)!): the coefficient of L_l in the
 * series of (x - 1)^m. */
static lv_dd legendre_of_power(int l, int m)
{
    if (l > m)
        return lv_dd_from(0);
    lv_dd c = lv_dd_ratio((m + l) % 2 == 0 ? 2 * l + 1 : -(2 * l + 1), m + l + 1);
    for (int k = 0; k < l; k++)
        c = lv_dd_mul(c, lv_dd_ratio(m - k, m + l - k));
    return c;
}

/* Combinations of the acceleration at the start of a step, -1, and the sums at its end,
 * 0. */
static void find_inside(lv_multistep *x, const lv_dd *b, const lv_dd *c)
{
    const int count = x->sums + 1;
    equations e = {.size = count, .right = count + 1};
    for (int m = 0; m < count; m++) {
        e.x[m][0] = power(-1, m);
        for (int i = 1; i < count; i++)
            e.x[m][i] = sum_at_node(b, c, x->sums, i, m);
        e.x[m][count] = position(-1, m);
        for (int l = 0; l < count; l++)
            e.x[m][count + 1 + l] = legendre_of_power(l, m);
    }
    solve(&e);
    for (int i = 0; i < count; i++) {
        x->velocity[i] = solution(&e, i, 0).hi;
        for (int l = 0; l < count; l++)
            x->inside[l][i] = solution(&e, i, 1 + l).hi;
    }
}

/* Combinations of accelerations at the nodes 0, -1, ... */
static void find_start(lv_multistep *x, const lv_dd *b, const lv_dd *c)
{
    const int count = x->nodes;
    equations e = {.size = count, .right = 1 + x->sums + 2 * count};
    for (int m = 0; m < count; m++) {
        lv_dd *right = e.x[m] + count;
        for (int j = 0; j < count; j++)
            e.x[m][j] = power(-j, m);
        right[0] = lv_dd_neg(position(-1, m));
        for (int i = 1; i <= x->sums; i++)
            right[i] = sum_at_node(b, c, x->sums, i, m);
        for (int i = 0; i < count; i++) {
            right[1 + x->sums + i] = position(-i, m);
            right[1 + x->sums + count + i] = velocity(-i, m);
        }
    }
    solve(&e);
    for (int j = 0; j < count; j++) {
        x->u[j] = solution(&e, j, 0).hi;
        for (int i = 0; i < x->sums; i++)
            x->s[i][j] = solution(&e, j, 1 + i).hi;
        for (int i = 0; i < count; i++) {
            x->q[i][j] = solution(&e, j, 1 + x->sums + i).hi;
            x->v[i][j] = solution(&e, j, 1 + x->sums + count + i).hi;
        }
    }
}

void lv_multistep_init(lv_multistep *x, int half)
{
    lv_dd rho[LV_MULTISTEP_ORDER + 1], c[LV_MULTISTEP_SUMS], b[LV_MULTISTEP_ORDER - 1];
    *x = (lv_multistep){.order = 2 * half, .sums = 2 * half - 2, .nodes = 2 * half + 1};
    find_rho(x, c, rho, roots[half]);
    find_beta(b, rho, x->order);
    x->b0 = b[0].hi;
    for (int i = 0; i < x->sums; i++) {
        x->b[i] = b[i + 1].hi;
        x->c[i] = c[i].hi;
    }
    find_inside(x, b, c);
    find_start(x, b, c);
}
