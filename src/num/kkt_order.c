#include "num/kkt_order.h"

#include "num/adjacency.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include <amd.h>

/* Coordinates with the same multipliers form a class (the coordinates of one point, say),
 * unless there are more than this: then each is a class of its own. A multiplier that is
 * eliminated after a whole class has the pivot -sum g^2 / m, which does not vanish when
 * one of the g does. */
enum { LARGEST_CLASS = 16 };

typedef struct ordering {
    lv_adjacency graph;
    const bool *multiplier;
    int n, classes;
    /* Of an unknown: the class of a coordinate, or the matched class of a multiplier; -1:
     * none */
    int *group;
    int *size;  /* coordinates of a class */
    int *load;  /* multipliers matched to it */
    int *first; /* class: its first coordinate, whose neighbours stand for all */
    /* matching: the multiplier from which a class was reached; -1: not reached */
    int *parent;
    /* Linked list of the multipliers of a class: matched[class], then next[multiplier] */
    int *matched;
    int *next;
    int *queue; /* multipliers whose classes are still to be searched */
    int *seen;  /* classes reached in one search */
} ordering;

static bool take_memory(ordering *o, lv_arena *arena)
{
    const size_t n = (size_t)o->n + 1;
    int **arrays[] = {&o->group,   &o->size, &o->load,  &o->first, &o->parent,
                      &o->matched, &o->next, &o->queue, &o->seen};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = lv_arena_alloc(arena, n, sizeof(int));
        if (!*arrays[k])
            return false;
    }
    return true;
}

/* Hash of the set of multipliers of coordinate i; 0 if it has none. */
static uint32_t signature(const ordering *o, int i)
{
    uint32_t hash = 0;
    for (int e = o->graph.start[i]; e < o->graph.start[i + 1]; e++)
        if (o->multiplier[o->graph.neighbour[e]]) {
            hash = (hash ^ (uint32_t)o->graph.neighbour[e]) * 16777619u + 1;
            hash ^= hash >> 15;
        }
    return hash;
}

static bool same_multipliers(const ordering *o, int a, int b)
{
    int x = o->graph.start[a], y = o->graph.start[b];
    const int x_end = o->graph.start[a + 1], y_end = o->graph.start[b + 1];
    for (;; x++, y++) {
        while (x < x_end && !o->multiplier[o->graph.neighbour[x]])
            x++;
        while (y < y_end && !o->multiplier[o->graph.neighbour[y]])
            y++;
        if (x == x_end || y == y_end)
            return x == x_end && y == y_end;
        if (o->graph.neighbour[x] != o->graph.neighbour[y])
            return false;
    }
}

/* Classes of coordinates, by hashing their sets of multipliers. */
static void make_classes(ordering *o, int *bucket, int buckets)
{
    for (int k = 0; k < buckets; k++)
        bucket[k] = -1;
    for (int i = 0; i < o->n; i++) {
        if (o->multiplier[i])
            continue;
        const uint32_t hash = signature(o, i);
        int *slot = &bucket[hash & (uint32_t)(buckets - 1)];
        int c = hash == 0 ? -1 : *slot;
        while (c >= 0 && !same_multipliers(o, o->first[c], i))
            c = o->next[c];
        if (c < 0) {
            c = o->classes++;
            o->first[c] = i;
            o->next[c] = *slot;
            *slot = c;
        }
        o->group[i] = c;
        o->size[c]++;
    }
}

/* Members of large classes become classes of their own. */
static void split_large_classes(ordering *o)
{
    for (int i = 0; i < o->n; i++) {
        const int c = o->group[i];
        if (o->multiplier[i] || o->size[c] <= LARGEST_CLASS || o->first[c] == i)
            continue;
        o->group[i] = o->classes;
        o->first[o->classes] = i;
        o->size[o->classes++] = 1;
    }
    for (int c = 0; c < o->classes; c++)
        if (o->size[c] > LARGEST_CLASS)
            o->size[c] = 1;
}

static void unlink_multiplier(ordering *o, int c, int m)
{
    int *link = &o->matched[c];
    while (*link != m)
        link = &o->next[*link];
    *link = o->next[m];
    o->load[c]--;
}

static void link_multiplier(ordering *o, int c, int m)
{
    o->group[m] = c;
    o->next[m] = o->matched[c];
    o->matched[c] = m;
    o->load[c]++;
}

/* Changes the matching along the path that reached class c: the class gets the multiplier
 * from which it was reached, the former class of that multiplier gets the one before on
 * the path, and so on back to the multiplier that had no class. */
static void augment(ordering *o, int c)
{
    for (;;) {
        const int m = o->parent[c], old = o->group[m];
        if (old >= 0)
            unlink_multiplier(o, old, m);
        link_multiplier(o, c, m);
        if (old < 0)
            return;
        c = old;
    }
}

/* Marks class c as reached from a multiplier, and queues the multipliers matched to
 * it. */
static void reach(ordering *o, int c, int from, int *seen, int *queued)
{
    o->parent[c] = from;
    o->seen[(*seen)++] = c;
    for (int m = o->matched[c]; m >= 0; m = o->next[m])
        o->queue[(*queued)++] = m;
}

/* Breadth-first search for a class that can take one more multiplier, so that m gets one.
 * Classes visited without success stay marked: no path leads on from them in this
 * round. */
static bool find_class(ordering *o, int m, int capacity)
{
    int seen = 0, head = 0, queued = 0;
    for (int from = m;; from = o->queue[head++]) {
        for (int e = o->graph.start[from]; e < o->graph.start[from + 1]; e++) {
            const int i = o->graph.neighbour[e], c = o->group[i];
            if (o->multiplier[i] || o->parent[c] >= 0)
                continue;
            reach(o, c, from, &seen, &queued);
            if (o->load[c] < capacity && o->load[c] < o->size[c]) {
                augment(o, c);
                for (int k = 0; k < seen; k++)
                    o->parent[o->seen[k]] = -1;
                return true;
            }
        }
        if (head == queued)
            return false;
    }
}

/* Matches in rounds of growing capacity, which spreads the multipliers evenly. */
static void match_multipliers(ordering *o)
{
    int left = 0, most = 0;
    for (int c = 0; c < o->classes; c++) {
        o->matched[c] = -1;
        most = o->size[c] > most ? o->size[c] : most;
    }
    for (int i = 0; i < o->n; i++)
        if (o->multiplier[i]) {
            o->group[i] = -1;
            left++;
        }
    for (int capacity = 1; capacity <= most && left > 0; capacity++) {
        for (int c = 0; c < o->classes; c++)
            o->parent[c] = -1;
        for (int i = 0; i < o->n; i++)
            if (o->multiplier[i] && o->group[i] < 0)
                left -= find_class(o, i, capacity);
    }
}

/* Unmatched multipliers become groups without coordinates, after the classes. */
static int group_count(ordering *o)
{
    int groups = o->classes;
    for (int i = 0; i < o->n; i++)
        if (o->group[i] < 0)
            o->group[i] = groups++;
    return groups;
}

/* The pattern of the groups, duplicates allowed; members[start[g]] ... are those of g. */
static void list_members(const ordering *o, int groups, int *start, int *members)
{
    memset(start, 0, ((size_t)groups + 2) * sizeof *start);
    for (int i = 0; i < o->n; i++)
        start[o->group[i] + 2]++;
    for (int g = 0; g < groups; g++)
        start[g + 2] += start[g + 1];
    for (int multiplier = 0; multiplier < 2; multiplier++)
        for (int i = 0; i < o->n; i++)
            if (o->multiplier[i] == (multiplier == 1))
                members[start[o->group[i] + 1]++] = i;
}

static lv_status order_groups(const ordering *o, lv_arena *arena, int *order, int groups,
                              lv_error *err)
{
    const size_t n = (size_t)o->n, g_count = (size_t)groups;
    const size_t most = (size_t)o->graph.start[o->n];
    int *start = lv_arena_alloc(arena, g_count + 2, sizeof(int));
    int *members = lv_arena_alloc(arena, n, sizeof(int));
    int *p = lv_arena_alloc(arena, g_count + 1, sizeof(int));
    int *neighbour = lv_arena_alloc(arena, most, sizeof(int));
    int *mark = lv_arena_alloc(arena, g_count, sizeof(int));
    int *permutation = lv_arena_alloc(arena, g_count, sizeof(int));
    if (!start || !members || !p || !neighbour || !mark || !permutation)
        return lv_fail_memory(err);

    list_members(o, groups, start, members);
    int count = 0;
    for (int g = 0; g < groups; g++) {
        mark[g] = g + 1;
        for (int k = start[g]; k < start[g + 1]; k++)
            for (int e = o->graph.start[members[k]]; e < o->graph.start[members[k] + 1];
                 e++) {
                const int other = o->group[o->graph.neighbour[e]];
                if (mark[other] != g + 1) {
                    mark[other] = g + 1;
                    neighbour[count++] = other;
                }
            }
        p[g + 1] = count;
    }

    const int status = amd_order(groups, p, neighbour, permutation, NULL, NULL);
    if (status == AMD_OUT_OF_MEMORY)
        return lv_fail_memory(err);
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
        return lv_fail(err, LV_ERR_LIMIT,
                       "a matrix with %d unknowns is too large to order", o->n);
    int place = 0;
    for (int k = 0; k < groups; k++)
        for (int m = start[permutation[k]]; m < start[permutation[k] + 1]; m++)
            order[place++] = members[m];
    return LV_OK;
}

static lv_status order_in(int *order, lv_arena *arena, const lv_pattern *pattern,
                          const bool *multiplier, lv_error *err)
{
    ordering o = {.n = pattern->rows, .multiplier = multiplier};
    LV_TRY(lv_adjacency_build(&o.graph, arena, pattern, err));
    int buckets = 16;
    while (buckets < o.n && buckets < INT_MAX / 2)
        buckets *= 2;
    int *bucket = lv_arena_alloc(arena, (size_t)buckets, sizeof(int));
    if (!bucket || !take_memory(&o, arena))
        return lv_fail_memory(err);
    make_classes(&o, bucket, buckets);
    split_large_classes(&o);
    match_multipliers(&o);
    const int groups = group_count(&o);
    return order_groups(&o, arena, order, groups, err);
}

lv_status lv_kkt_order(int *order, const lv_pattern *pattern, const bool *multiplier,
                       lv_error *err)
{
    if (pattern->rows == 0)
        return LV_OK;
    lv_arena arena = {0};
    const lv_status status = order_in(order, &arena, pattern, multiplier, err);
    lv_arena_done(&arena);
    return status;
}
