#include "num/extent.h"

#include "num/pair.h"

#include <stddef.h>

/* Four pairs at once keep the pipeline full. */
enum { PAIRS = 4, ROUND = PAIRS * LV_PAIR };

/* 0 if all entries are finite, NaN otherwise. */
static double find_infinite(const double *x, int n)
{
    double check = 0;
    for (int i = 0; i < n; i++)
        check += x[i] * 0;
    return check;
}

/* Comparisons ignore NaN, but the sum of all sizes does not: if it is finite, so is every
 * entry. If it is not, it may only have overflowed, and entries are checked one by
 * one. */
double lv_extent_long(const double *x, int n)
{
    lv_pair most[PAIRS] = {{0}}, sum[PAIRS] = {{0}};
    int i = 0;
    for (; i + ROUND <= n; i += ROUND)
        for (ptrdiff_t l = 0; l < PAIRS; l++) {
            const lv_pair size = lv_pair_size(lv_pair_at(x + i + LV_PAIR * l));
            most[l] = lv_pair_larger(size, most[l]);
            sum[l] += size;
        }
    const lv_pair half = lv_pair_larger(lv_pair_larger(most[0], most[1]),
                                        lv_pair_larger(most[2], most[3]));
    const lv_pair halves = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    double largest = half[0] > half[1] ? half[0] : half[1], all = halves[0] + halves[1];
    for (; i < n; i++) {
        const double size = fabs(x[i]);
        largest = size > largest ? size : largest;
        all += size;
    }
    return isfinite(all) ? largest : largest + find_infinite(x, n);
}
