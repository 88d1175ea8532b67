/* The largest absolute values of vectors. */
#ifndef LV_NUM_EXTENT_H
#define LV_NUM_EXTENT_H

#include <math.h>

/* The same as lv_extent, for long vectors. */
double lv_extent_long(const double *x, int n);

/* max |x_i|; NaN if an entry is not finite. */
static inline double lv_extent(const double *x, int n)
{
    enum { LONG = 16 };
    if (n >= LONG)
        return lv_extent_long(x, n);
    double most = 0, check = 0;
    for (int i = 0; i < n; i++) {
        const double size = fabs(x[i]);
        most = size > most ? size : most;
        check += size * 0;
    }
    return most + check;
}

/* The largest |q_i| + h |v_i| and the largest |update_i|, and a sum that is 0 if all
 * entries of `update` are finite, otherwise NaN. */
typedef struct lv_extents {
    double size, change, sum;
} lv_extents;

lv_extents lv_extents_of(const double *update, const double *q, const double *v, double h,
                         int n);

/* max |x_i|; NaN if an entry is NaN, otherwise infinite if one is infinite. */
static inline double lv_largest(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= largest) && !isnan(largest))
            largest = fabs(x[i]);
    return largest;
}

#endif
