#include "num/adjacency.h"

#include "num/sound.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Rows of the transposed pattern, increasing. */
static bool transpose(int *start, int *row, const lv_pattern *pattern, lv_arena *arena)
{
    const int n = pattern->rows, entries = pattern->start[n];
    int *next = lv_arena_alloc(arena, (size_t)n + 1, sizeof *next);
    if (!next)
        return false;
    for (int e = 0; e < entries; e++)
        start[pattern->column[e] + 1]++;
    for (int j = 0; j < n; j++) {
        start[j + 1] += start[j];
        next[j] = start[j];
    }
    for (int i = 0; i < n; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            row[next[pattern->column[e]]++] = i;
    return true;
}

lv_status lv_adjacency_build(lv_adjacency *graph, lv_arena *arena,
                             const lv_pattern *pattern, lv_error *err)
{
    assert(pattern->rows == pattern->columns);
    assert(lv_pattern_is_sound(pattern));
    const int n = pattern->rows, entries = pattern->start[n];
    if (entries > INT_MAX / 2)
        return lv_fail(err, LV_ERR_LIMIT, "a matrix with %d entries is too large",
                       entries);
    int *t_start = lv_arena_alloc(arena, (size_t)n + 1, sizeof(int));
    int *t_row = lv_arena_alloc(arena, (size_t)entries, sizeof(int));
    graph->n = n;
    graph->start = lv_arena_alloc(arena, (size_t)n + 1, sizeof(int));
    graph->neighbour = lv_arena_alloc(arena, 2 * (size_t)entries, sizeof(int));
    if (!t_start || !t_row || !graph->start || !graph->neighbour ||
        !transpose(t_start, t_row, pattern, arena))
        return lv_fail_memory(err);

    /* Merge row i of the pattern with row i of its transpose. */
    int count = 0;
    for (int i = 0; i < n; i++) {
        int a = pattern->start[i], b = t_start[i];
        const int a_end = pattern->start[i + 1], b_end = t_start[i + 1];
        while (a < a_end || b < b_end) {
            const int x = a < a_end ? pattern->column[a] : INT_MAX;
            const int y = b < b_end ? t_row[b] : INT_MAX;
            const int j = x < y ? x : y;
            a += x == j;
            b += y == j;
            if (j != i)
                graph->neighbour[count++] = j;
        }
        graph->start[i + 1] = count;
    }
    return LV_OK;
}
