/* The graph of a square pattern: unknowns i and j are neighbours if entry (i, j) or (j,
 * i) is there. */
#ifndef LV_NUM_ADJACENCY_H
#define LV_NUM_ADJACENCY_H

#include "base/arena.h"
#include "base/status.h"
#include "num/pattern.h"

typedef struct lv_adjacency {
    int n;
    int *start;     /* n + 1 numbers: the neighbours of i begin at neighbour[start[i]] */
    int *neighbour; /* increasing, without i itself, no duplicates */
} lv_adjacency;

lv_status lv_adjacency_build(lv_adjacency *graph, lv_arena *arena,
                             const lv_pattern *pattern, lv_error *err);

#endif
