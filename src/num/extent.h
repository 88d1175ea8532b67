/* How large the entries of a vector are. */
#ifndef LV_NUM_EXTENT_H
#define LV_NUM_EXTENT_H

#include <math.h>

/* max |x_i|; NaN if an entry is not finite. Four independent lanes keep the pipeline full. */
static inline double lv_extent(const double *x, int n)
{
    double m[4] = {0, 0, 0, 0}, check[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++) {
            double size = fabs(x[i + l]);
            m[l] = size > m[l] ? size : m[l];
            check[l] += size * 0;
        }
    for (; i < n; i++) {
        double size = fabs(x[i]);
        m[0] = size > m[0] ? size : m[0];
        check[0] += size * 0;
    }
    double low = m[0] > m[1] ? m[0] : m[1], high = m[2] > m[3] ? m[2] : m[3];
    return (low > high ? low : high) + ((check[0] + check[1]) + (check[2] + check[3]));
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
