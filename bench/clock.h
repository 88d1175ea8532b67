/* CPU time of this process, which others on the machine disturb least. */
#ifndef LV_BENCH_CLOCK_H
#define LV_BENCH_CLOCK_H

#include <time.h>

static inline double bench_nanoseconds(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return 0;
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static inline double bench_smaller(double a, double b)
{
    return a < b ? a : b;
}

#endif
