/* Sorting by small whole numbers. */
#ifndef LV_BASE_BUCKET_H
#define LV_BASE_BUCKET_H

/* start: keys + 2 numbers, zero before. When each item has asked for its place, in their order, those with
 * key k are at start[k] .. start[k + 1] - 1. */
static inline void lv_bucket_begin(int *start, const int *key, int count, int keys)
{
    for (int i = 0; i < count; i++)
        start[key[i] + 2]++;
    for (int k = 0; k < keys; k++)
        start[k + 2] += start[k + 1];
}

static inline int lv_bucket_place(int *start, int key)
{
    return start[key + 1]++;
}

#endif
