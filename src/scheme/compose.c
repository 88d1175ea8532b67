/* Weights of symmetric compositions.
 *
 * Compositions of schemes of order 2 are rows of a table, found by minimising the largest
 * weight under the order conditions. For a higher base order p, Suzuki's five steps
 * (w, w, 1 - 4w, w, w) with 4 w^{p+1} + (1 - 4w)^{p+1} = 0, that is
 * w = 1 / (4 - 4^{1/(p+1)}), raise the order by two, and are applied repeatedly.
 *
 * Sources: Suzuki, Phys. Lett. A 146 (1990) 319; Kahan, Li, Math. Comp. 66 (1997) 1089
 * (s9odr6a, s17odr8a); Hairer, Lubich, Wanner, Geometric Numerical Integration (2006),
 * V.3. */
#include "scheme/compose.h"

#include "num/dd.h"

#include <math.h>
#include <string.h>

enum { HALF = 8 };

/* Optimised compositions of schemes of order 2. The middle weight follows from the
 * sum. */
typedef struct composition {
    int order;
    int count; /* number of weights, odd */
    const char *source;
    double half[HALF]; /* w_1 .. w_{(count-1)/2} */
} composition;

/* Ends with a row of order 0. */
static const composition compositions[] = {
    {4, 5, "Suzuki 1990", {0.41449077179437573714, 0.41449077179437573714}},
    {6,
     9,
     "Kahan, Li 1997",
     {0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981,
      0.08221359629355080023}},
    {8,
     17,
     "Kahan, Li 1997",
     {0.13020248308889008088, 0.56116298177510838456, -0.38947496264484728641,
      0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
      0.25837438768632204729, 0.29501172360931029887}},
    {.order = 0},
};

/* Mirrors the first half of the weights; the middle weight makes the sum 1 to the last
 * bit. */
static void complete_weights(double *weights, const double *half, int count)
{
    lv_dd rest = lv_dd_from(1);
    for (int i = 0; i < count / 2; i++) {
        weights[i] = weights[count - 1 - i] = half[i];
        rest = lv_dd_sub(rest, lv_dd_from(2 * half[i]));
    }
    weights[count / 2] = rest.hi;
}

/* w = 1 / (4 - 4^{1/n}). Newton's method on r^n = 4 removes the rounding of the C
 * library's pow, so that the result is the same everywhere. */
static double suzuki(int n)
{
    lv_dd root = lv_dd_from(pow(4, 1.0 / n));
    for (int k = 0; k < 2; k++) {
        lv_dd power = lv_dd_from(1);
        for (int i = 0; i < n - 1; i++)
            power = lv_dd_mul(power, root);
        lv_dd excess = lv_dd_sub(lv_dd_mul(power, root), lv_dd_from(4));
        root = lv_dd_sub(root, lv_dd_div(excess, lv_dd_scale(power, n)));
    }
    return lv_dd_div(lv_dd_from(1), lv_dd_sub(lv_dd_from(4), root)).hi;
}

/* Replaces each of `count` weights (1 or 5) by five: order p becomes p + 2. */
static int raise_order(double *weights, int count, int p)
{
    double w = suzuki(p + 1), five[5], half[LV_COMPOSE_MOST];
    complete_weights(five, (const double[]){w, w}, 5);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < count; j++)
            half[i * count + j] = five[i] * weights[j];
    complete_weights(weights, half, 5 * count);
    return 5 * count;
}

static lv_status check_orders(int base, int wanted, lv_error *err)
{
    if (base < 2 || base % 2 != 0) {
        lv_fail(err, LV_ERR_USAGE, "a scheme of order %d cannot be composed", base);
        lv_error_note(err,
                      "compositions raise the order of symmetric schemes, which is even");
        return LV_ERR_USAGE;
    }
    if (wanted == base)
        return LV_OK;
    if (wanted < base)
        return lv_fail(err, LV_ERR_USAGE,
                       "composition to order %d of a scheme that has order %d", wanted,
                       base);
    if (wanted % 2 == 0 && wanted <= LV_COMPOSE_ORDER)
        return LV_OK;
    lv_fail(err, LV_ERR_USAGE, "there is no composition to order %d", wanted);
    if (base < LV_COMPOSE_ORDER)
        lv_error_hint(err, "from order %d: even orders up to %d", base,
                      (int)LV_COMPOSE_ORDER);
    return LV_ERR_USAGE;
}

lv_status lv_compose(double weights[LV_COMPOSE_MOST], int *count, int base, int wanted,
                     lv_error *err)
{
    LV_TRY(check_orders(base, wanted, err));
    *count = 1;
    weights[0] = 1;
    if (base == wanted)
        return LV_OK;
    if (base == 2) {
        const composition *row = compositions;
        while (row->order != wanted)
            row++;
        *count = row->count;
        complete_weights(weights, row->half, row->count);
        return LV_OK;
    }
    for (int p = base; p < wanted; p += 2)
        *count = raise_order(weights, *count, p);
    return LV_OK;
}
