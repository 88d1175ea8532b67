/* All ways to factor: LU by every back end, and L D L^T. */
#ifndef LV_TESTS_NUM_WAYS_H
#define LV_TESTS_NUM_WAYS_H

#include "num/linear.h"

typedef struct way {
    lv_back_end back_end;
    bool symmetric;
} way;

static const way ways[] = {{LV_BACK_END_DENSE, false},
                           {LV_BACK_END_DENSE, true},
                           {LV_BACK_END_BANDED, false},
                           {LV_BACK_END_SPARSE, false}};
enum { WAYS = sizeof ways / sizeof *ways };

#endif
