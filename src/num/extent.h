/* How large the entries of a vector are. */
#ifndef LV_NUM_EXTENT_H
#define LV_NUM_EXTENT_H

#include <math.h>

/* lv_extent of a vector of any length, worth a call for long ones. */
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

/* max |x_i|; NaN if an entry is, infinite if one is and none is NaN. */
static inline double lv_largest(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= largest) && !isnan(largest))
            largest = fabs(x[i]);
    return largest;
}

#endif
