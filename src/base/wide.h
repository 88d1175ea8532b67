/* LV_WIDE marks a second copy of a function that uses the wider registers of AVX2.
 * Without FMA, AVX2 instructions round as SSE2 instructions do, so both copies give the
 * same bits. */
#ifndef LV_BASE_WIDE_H
#define LV_BASE_WIDE_H

#include <stdbool.h>

/* For tests, which compare both copies: from now on, in the whole process, lv_is_wide
 * says false even if the processor has wide registers. */
void lv_wide_forbid(bool forbidden);

#if defined(__x86_64__) && defined(__GNUC__)
#define LV_WIDE __attribute__((target("avx2")))

extern bool lv_wide_forbidden;

static inline bool lv_is_wide(void)
{
    return !lv_wide_forbidden && __builtin_cpu_supports("avx2") != 0;
}
#else
#define LV_WIDE

static inline bool lv_is_wide(void)
{
    return false;
}
#endif

#endif
