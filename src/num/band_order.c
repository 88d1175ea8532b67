/* Reverse Cuthill-McKee order: a breadth-first search from a node at one end of the graph
 * visits neighbours by increasing degree, and the order is reversed. The starting node is
 * found as by George and Liu (1979): go to the node of lowest degree in the last level
 * until the number of levels no longer grows. Lists are sorted by degree beforehand, all
 * at once (Chan and George 1980), so that the cost is linear in the number of entries. */
#include "num/adjacency.h"
#include "num/linear_private.h"

#include <limits.h>

typedef struct search {
    lv_adjacency sorted; /* neighbours by increasing degree, then index */
    int *level;          /* -1: not reached */
    bool *placed;
    int *queue;
} search;

static int degree(const lv_adjacency *graph, int i)
{
    return graph->start[i + 1] - graph->start[i];
}

/* Sorts the nodes by increasing degree into `nodes`; `count` has n + 1 zeros. */
static void sort_by_degree(const lv_adjacency *graph, int *nodes, int *count)
{
    for (int i = 0; i < graph->n; i++)
        count[degree(graph, i) + 1]++;
    for (int d = 0; d < graph->n; d++)
        count[d + 1] += count[d];
    for (int i = 0; i < graph->n; i++)
        nodes[count[degree(graph, i)]++] = i;
}

/* sorted = graph with its lists in the order of `nodes`; `next` is scratch. */
static void sort_lists(lv_adjacency *sorted, const lv_adjacency *graph, const int *nodes,
                       int *next)
{
    for (int i = 0; i < graph->n; i++)
        next[i] = sorted->start[i] = graph->start[i];
    sorted->start[graph->n] = graph->start[graph->n];
    for (int k = 0; k < graph->n; k++) {
        const int i = nodes[k];
        for (int e = graph->start[i]; e < graph->start[i + 1]; e++)
            sorted->neighbour[next[graph->neighbour[e]]++] = i;
    }
}

/* Breadth-first search from root; returns the number of nodes, which are in `queue`. The
 * levels of the nodes are not cleared. */
static int spread(search *s, int root)
{
    int count = 0;
    s->queue[count++] = root;
    s->level[root] = 0;
    for (int k = 0; k < count; k++) {
        const int i = s->queue[k];
        for (int e = s->sorted.start[i]; e < s->sorted.start[i + 1]; e++) {
            const int j = s->sorted.neighbour[e];
            if (s->level[j] < 0) {
                s->level[j] = s->level[i] + 1;
                s->queue[count++] = j;
            }
        }
    }
    return count;
}

static void forget(search *s, int count)
{
    for (int k = 0; k < count; k++)
        s->level[s->queue[k]] = -1;
}

/* A node at one end of the component of `root`. */
static int far_end(search *s, int root)
{
    for (int depth = -1;;) {
        const int count = spread(s, root);
        const int last = s->level[s->queue[count - 1]];
        int best = s->queue[count - 1];
        for (int k = count - 1; k >= 0 && s->level[s->queue[k]] == last; k--)
            if (degree(&s->sorted, s->queue[k]) < degree(&s->sorted, best))
                best = s->queue[k];
        forget(s, count);
        if (last <= depth)
            return root;
        depth = last;
        root = best;
    }
}

static void cuthill_mckee(search *s, const int *nodes, int *order)
{
    const int n = s->sorted.n;
    int done = 0;
    for (int i = 0; i < n; i++)
        s->level[i] = -1;
    for (int k = 0; k < n; k++) {
        if (s->placed[nodes[k]])
            continue;
        const int count = spread(s, far_end(s, nodes[k]));
        for (int m = 0; m < count; m++) {
            s->placed[s->queue[m]] = true;
            order[n - 1 - done++] = s->queue[m];
        }
        forget(s, count);
    }
}

/* Half-bandwidths in an order (NULL: natural); `place` is scratch. */
static void measure(lv_band *band, const lv_pattern *pattern, const int *order,
                    int *place)
{
    band->lower = band->upper = 0;
    for (int i = 0; i < pattern->rows; i++)
        place[order ? order[i] : i] = i;
    for (int i = 0; i < pattern->rows; i++)
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++) {
            const int d = place[i] - place[pattern->column[e]];
            if (d > band->lower)
                band->lower = d;
            if (-d > band->upper)
                band->upper = -d;
        }
}

/* Elimination costs about lower * (lower + upper) per row. */
static double price(const lv_band *band)
{
    return (1.0 + band->lower) * (1.0 + band->lower + band->upper);
}

static lv_status find_in(lv_band *band, lv_arena *scratch, const lv_pattern *pattern,
                         const int *given, lv_error *err)
{
    const size_t n = (size_t)pattern->rows;
    lv_adjacency graph;
    LV_TRY(lv_adjacency_build(&graph, scratch, pattern, err));
    search s;
    s.sorted.n = graph.n;
    s.sorted.start = lv_arena_alloc(scratch, n + 1, sizeof(int));
    s.sorted.neighbour = lv_arena_alloc(scratch, (size_t)graph.start[n], sizeof(int));
    s.level = lv_arena_alloc(scratch, n + 1, sizeof(int));
    s.placed = lv_arena_alloc(scratch, n, sizeof(bool));
    s.queue = lv_arena_alloc(scratch, n, sizeof(int));
    int *nodes = lv_arena_alloc(scratch, n, sizeof(int));
    int *order = lv_arena_alloc(scratch, n, sizeof(int));
    if (!s.sorted.start || !s.sorted.neighbour || !s.level || !s.placed || !s.queue ||
        !nodes || !order)
        return lv_fail_memory(err);

    sort_by_degree(&graph, nodes, s.level);
    sort_lists(&s.sorted, &graph, nodes, s.queue);
    cuthill_mckee(&s, nodes, order);

    const int *choice[] = {NULL, given, order};
    const int *best = NULL;
    for (int k = 0; k < 3; k++) {
        lv_band now = {band->order, 0, 0};
        measure(&now, pattern, choice[k], s.queue);
        if (k == 0 || price(&now) < price(band)) {
            *band = now;
            best = choice[k];
        }
    }
    for (int i = 0; i < pattern->rows; i++)
        band->order[i] = best ? best[i] : i;
    return LV_OK;
}

lv_status lv_band_find(lv_band *band, lv_arena *arena, const lv_pattern *pattern,
                       const int *given, lv_error *err)
{
    band->order = lv_arena_alloc(arena, (size_t)pattern->rows, sizeof(int));
    if (!band->order)
        return lv_fail_memory(err);
    lv_arena scratch = {0};
    const lv_status status = find_in(band, &scratch, pattern, given, err);
    lv_arena_done(&scratch);
    return status;
}
