/* Two numbers as one value, for which compilers emit vector instructions even where they
 * would not vectorise a loop. */
#ifndef LV_NUM_PAIR_H
#define LV_NUM_PAIR_H

#include "base/inline.h"

#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { LV_PAIR = 2 };

typedef double lv_pair
    __attribute__((vector_size(LV_PAIR * sizeof(double)), aligned(8), may_alias));
typedef int64_t lv_pair_flags
    __attribute__((vector_size(LV_PAIR * sizeof(int64_t)), aligned(8), may_alias));

LV_INLINE lv_pair lv_pair_at(const double *x)
{
    return *(const lv_pair *)x;
}

LV_INLINE void lv_pair_put(double *x, lv_pair value)
{
    *(lv_pair *)x = value;
}

/* |x|, by clearing the sign bits. */
LV_INLINE lv_pair lv_pair_size(lv_pair x)
{
    return (lv_pair)((lv_pair_flags)x & INT64_MAX);
}

/* x > y ? x : y for each of the two numbers, so that the result is y if x is NaN. */
LV_INLINE lv_pair lv_pair_larger(lv_pair x, lv_pair y)
{
#if defined(__SSE2__)
    return (lv_pair)_mm_max_pd((__m128d)x, (__m128d)y);
#else
    const lv_pair_flags larger = x > y;
    return (lv_pair)(((lv_pair_flags)x & larger) | ((lv_pair_flags)y & ~larger));
#endif
}

#endif
