/* Disjoint sets of 0 .. n - 1 (union-find). Following parent[i] leads to the smallest
 * member of the set of i. Initialise with parent[i] = i. */
#ifndef LV_BASE_DISJOINT_H
#define LV_BASE_DISJOINT_H

static inline int lv_disjoint_find(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static inline void lv_disjoint_join(int *parent, int i, int j)
{
    const int a = lv_disjoint_find(parent, i), b = lv_disjoint_find(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

#endif
