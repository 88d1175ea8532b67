/* LV_WIDE: a second copy of a function with wider registers, for processors that have them. No instruction of AVX2 contracts or
 * rounds otherwise, so that both copies give the same bits. */
#ifndef LV_BASE_WIDE_H
#define LV_BASE_WIDE_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define LV_WIDE __attribute__((target("avx2")))

static inline bool lv_is_wide(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#define LV_WIDE

static inline bool lv_is_wide(void)
{
    return false;
}
#endif

#endif
