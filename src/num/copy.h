/* Copies of a few numbers, for which a call would take longer than the copy. */
#ifndef LV_NUM_COPY_H
#define LV_NUM_COPY_H

#include "base/inline.h"

#include <string.h>

LV_INLINE void lv_copy(double *restrict to, const double *restrict from, int count)
{
    enum { PAIR = 2 };
    int i = 0;
    for (; i + PAIR <= count; i += PAIR)
        memcpy(to + i, from + i, PAIR * sizeof *to);
    if (i < count)
        to[i] = from[i];
}

#endif
