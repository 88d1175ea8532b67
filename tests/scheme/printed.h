/* Numbers as they are printed: "1.302e-2" stands for all that round to it. */
#ifndef LV_TESTS_PRINTED_H
#define LV_TESTS_PRINTED_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One unit of the last digit. */
static inline double printed_unit(const char *printed)
{
    const char *end = strpbrk(printed, "e");
    const char *point = strchr(printed, '.');
    int digits = point ? (int)((end ? end : printed + strlen(printed)) - point) - 1 : 0;
    return pow(10, (end ? atoi(end + 1) : 0) - digits);
}

/* Is the value what is printed, to half a unit of its last digit (and to rounding)? */
static inline bool as_printed(const char *printed, double value)
{
    return fabs(value - strtod(printed, NULL)) <= 0.51 * printed_unit(printed) + 3e-14;
}

#endif
