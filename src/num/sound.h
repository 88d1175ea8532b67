/* Invariants of index tables, for asserts at the boundaries of modules. Release builds do
 * not evaluate them. */
#ifndef LV_NUM_SOUND_H
#define LV_NUM_SOUND_H

#include "num/pattern.h"

#include <stdbool.h>
#include <stddef.h>

/* All of the numbers lie in 0 .. end - 1. */
static inline bool lv_are_below(const int *numbers, int count, int end)
{
    for (int k = 0; k < count; k++)
        if (numbers[k] < 0 || numbers[k] >= end)
            return false;
    return true;
}

/* Consecutive lists: list i begins at start[i], where the list before ends; the first
 * begins at 0. */
static inline bool lv_are_lists(const int *start, int count)
{
    for (int i = 0; i < count; i++)
        if (start[i + 1] < start[i])
            return false;
    return start[0] == 0;
}

/* Numbers increase within each list, none twice, and lie in 0 .. end - 1. */
static inline bool lv_are_increasing(const int *start, const int *numbers, int count,
                                     int end)
{
    for (int i = 0; i < count; i++)
        for (int e = start[i] + 1; e < start[i + 1]; e++)
            if (numbers[e] <= numbers[e - 1])
                return false;
    return lv_are_below(numbers, start[count], end);
}

static inline bool lv_pattern_is_sound(const lv_pattern *p)
{
    return p->rows >= 0 && p->columns >= 0 && lv_are_lists(p->start, p->rows) &&
           lv_are_increasing(p->start, p->column, p->rows, p->columns);
}

static inline bool lv_columns_are_sound(const lv_column_pattern *p)
{
    return p->n >= 0 && lv_are_lists(p->start, p->n) &&
           lv_are_increasing(p->start, p->row, p->n, p->n);
}

/* Contains every number of 0 .. n - 1 once. Since this takes n^2 comparisons, larger
 * tables are only checked for the range. */
static inline bool lv_is_permutation(const int *order, int n)
{
    if (!lv_are_below(order, n, n))
        return false;
    for (int i = 0; n <= 256 && i < n; i++)
        for (int k = 0; k < i; k++)
            if (order[i] == order[k])
                return false;
    return true;
}

#endif
