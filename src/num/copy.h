/* Copies a few numbers inline, where calling memcpy would take longer than the copy
 * itself. */
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
