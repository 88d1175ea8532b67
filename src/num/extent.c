#include "num/extent.h"

#include "base/wide.h"
#include "num/pair.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

#define KERNEL
#define NAMED(name) name##_plain
#define VECTOR lv_pair
#define FLAGS lv_pair_flags
#define WIDTH LV_PAIR
#define LARGER lv_pair_larger
#include "num/extent_kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)
typedef double four
    __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));
typedef int64_t four_flags
    __attribute__((vector_size(4 * sizeof(int64_t)), aligned(8), may_alias));
#define KERNEL LV_WIDE
#define NAMED(name) name##_wide
#define VECTOR four
#define FLAGS four_flags
#define WIDTH 4
#define LARGER(x, y) ((four)_mm256_max_pd((__m256d)(x), (__m256d)(y)))
#include "num/extent_kernels.h"
#else
#define extent_rounds_wide extent_rounds_plain
#define extents_rounds_wide extents_rounds_plain
#endif

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
    int i = 0;
    lv_extents all = (lv_is_wide() ? extent_rounds_wide : extent_rounds_plain)(x, n, &i);
    double largest = larger(all.size, all.change);
    for (; i < n; i++) {
        const double size = fabs(x[i]);
        largest = larger(size, largest);
        all.sum += size;
    }
    return isfinite(all.sum) ? largest : largest + find_infinite(x, n);
}

lv_extents lv_extents_of(const double *update, const double *q, const double *v, double h,
                         int n)
{
    int i = 0;
    lv_extents all = (lv_is_wide() ? extents_rounds_wide
                                   : extents_rounds_plain)(update, q, v, h, n, &i);
    for (; i < n; i++) {
        all.size = larger(fabs(q[i]) + h * fabs(v[i]), all.size);
        all.change = larger(fabs(update[i]), all.change);
        all.sum += update[i] * 0;
    }
    return all;
}
