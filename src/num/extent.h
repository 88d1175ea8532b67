/* The largest absolute value of a vector. */
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
