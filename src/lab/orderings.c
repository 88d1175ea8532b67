/* Elimination orders for the lab, with the functions of AMD and COLAMD that the library
 * calls, because these libraries are not available there.
 *
 * The method is minimum degree on cliques. Unknowns that occur in one equation are a
 * clique. Eliminating an unknown joins its cliques to one clique without it; this is the
 * fill. The next unknown is one of least degree, with an upper bound as in AMD (Amestoy,
 * Davis and Duff 1996): the size of the new clique, plus the parts of the others that are
 * not in the new one. For symmetric matrices every entry is a clique of two unknowns; for
 * A^T A, whose order COLAMD finds, every row of A is a clique. */
#include "base/arena.h"

#include <amd.h>
#include <colamd.h>

#include <stdbool.h>

enum { NONE = -1 };

/* A list of numbers in an arena. */
typedef struct set {
    int count;
    int *items;
} set;

typedef struct ordering {
    lv_arena arena;
    int n, clique_count;
    /* unknowns of each clique; joined cliques are empty. There is space for n more
     * cliques than at first */
    set *cliques;
    set *of; /* cliques of each unknown */
    int *degree;
    int *head, *next, *before; /* doubly linked lists of the unknowns of each degree */
    int *mark;                 /* by unknown: the last clique that was made with it */
    int *outside; /* by clique: number of its unknowns that are not in the new clique */
    int *seen;    /* by clique: the last new clique for which `outside` was counted */
    double entries, products; /* entries of the factors, products in the factorisation */
} ordering;

static void unlink_unknown(ordering *o, int i)
{
    if (o->before[i] != NONE)
        o->next[o->before[i]] = o->next[i];
    else
        o->head[o->degree[i]] = o->next[i];
    if (o->next[i] != NONE)
        o->before[o->next[i]] = o->before[i];
}

static void link_unknown(ordering *o, int i, int degree)
{
    o->degree[i] = degree;
    o->before[i] = NONE;
    o->next[i] = o->head[degree];
    if (o->next[i] != NONE)
        o->before[o->next[i]] = i;
    o->head[degree] = i;
}

static int *new_numbers(ordering *o, size_t count, int value)
{
    int *list = lv_arena_alloc(&o->arena, count + 1, sizeof *list);
    for (size_t k = 0; list && k < count; k++)
        list[k] = value;
    return list;
}

/* Allocates unknowns and cliques; false: memory is short. */
static bool ordering_begin(ordering *o, int n, int cliques)
{
    const size_t unknowns = (size_t)n, all = (size_t)n + (size_t)cliques;
    *o = (ordering){.n = n, .clique_count = cliques};
    o->cliques = lv_arena_alloc(&o->arena, all + 1, sizeof *o->cliques);
    o->of = lv_arena_alloc(&o->arena, unknowns + 1, sizeof *o->of);
    o->degree = new_numbers(o, unknowns, 0);
    o->head = new_numbers(o, unknowns, NONE);
    o->next = new_numbers(o, unknowns, NONE);
    o->before = new_numbers(o, unknowns, NONE);
    o->mark = new_numbers(o, unknowns, NONE);
    o->outside = new_numbers(o, all, 0);
    o->seen = new_numbers(o, all, NONE);
    return o->cliques && o->of && o->degree && o->head && o->next && o->before &&
           o->mark && o->outside && o->seen;
}

/* Finds the cliques of each unknown. Their number never grows: for each clique that is
 * added, at least one is removed. */
static bool find_cliques_of_unknowns(ordering *o)
{
    for (int e = 0; e < o->clique_count; e++)
        for (int k = 0; k < o->cliques[e].count; k++)
            o->of[o->cliques[e].items[k]].count++;
    for (int i = 0; i < o->n; i++) {
        o->of[i].items = lv_arena_alloc(&o->arena, (size_t)o->of[i].count, sizeof(int));
        if (!o->of[i].items)
            return false;
        o->of[i].count = 0;
    }
    for (int e = 0; e < o->clique_count; e++)
        for (int k = 0; k < o->cliques[e].count; k++) {
            set *s = &o->of[o->cliques[e].items[k]];
            s->items[s->count++] = e;
        }
    return true;
}

static void find_degrees(ordering *o)
{
    for (int i = 0; i < o->n; i++) {
        long long degree = 0;
        for (int k = 0; k < o->of[i].count; k++)
            degree += o->cliques[o->of[i].items[k]].count - 1;
        link_unknown(o, i, degree < o->n ? (int)degree : o->n - 1);
    }
}

/* Joins the cliques of an unknown; false: memory is short. */
static bool join_cliques(ordering *o, int pivot, int made)
{
    const set *of = &o->of[pivot];
    size_t most = 0;
    for (int k = 0; k < of->count; k++)
        most += (size_t)o->cliques[of->items[k]].count;
    set *s = &o->cliques[made];
    s->items = lv_arena_alloc(&o->arena, most + 1, sizeof *s->items);
    if (!s->items)
        return false;
    o->mark[pivot] = made;
    for (int k = 0; k < of->count; k++) {
        set *old = &o->cliques[of->items[k]];
        for (int i = 0; i < old->count; i++)
            if (o->mark[old->items[i]] != made) {
                o->mark[old->items[i]] = made;
                s->items[s->count++] = old->items[i];
            }
        old->count = 0;
    }
    return true;
}

/* Counts how many unknowns of each clique that meets the new one are not in it. */
static void count_outside(ordering *o, int made)
{
    const set *s = &o->cliques[made];
    for (int k = 0; k < s->count; k++) {
        const set *of = &o->of[s->items[k]];
        for (int e = 0; e < of->count; e++) {
            const int clique = of->items[e];
            if (o->seen[clique] != made) {
                o->seen[clique] = made;
                o->outside[clique] = o->cliques[clique].count;
            }
            o->outside[clique]--;
        }
    }
}

/* Removes cliques of unknown i that are parts of the new one, and adds the new one. */
static void replace_cliques(ordering *o, int i, int made)
{
    set *of = &o->of[i];
    const int size = o->cliques[made].count;
    long long degree = size - 1;
    int kept = 0;
    for (int k = 0; k < of->count; k++) {
        const int clique = of->items[k];
        if (o->outside[clique] <= 0)
            continue;
        degree += o->outside[clique];
        of->items[kept++] = clique;
    }
    of->items[kept++] = made;
    of->count = kept;
    const long long before = (long long)o->degree[i] + size - 1;
    degree = degree < before ? degree : before;
    unlink_unknown(o, i);
    link_unknown(o, i, degree < o->n ? (int)degree : o->n - 1);
}

static bool eliminate(ordering *o, int pivot)
{
    const int made = o->clique_count++;
    unlink_unknown(o, pivot);
    if (!join_cliques(o, pivot, made))
        return false;
    const set *s = &o->cliques[made];
    count_outside(o, made);
    for (int k = 0; k < s->count; k++)
        replace_cliques(o, s->items[k], made);
    o->entries += s->count;
    o->products += (double)s->count * s->count;
    return true;
}

/* Finds the order; order[0] is eliminated first. false: memory is short. */
static bool find_order(ordering *o, int *order)
{
    if (!find_cliques_of_unknowns(o))
        return false;
    find_degrees(o);
    int least = 0;
    for (int k = 0; k < o->n; k++) {
        while (o->head[least] == NONE)
            least++;
        order[k] = o->head[least];
        if (!eliminate(o, order[k]))
            return false;
        const set *s = &o->cliques[o->clique_count - 1];
        for (int i = 0; i < s->count; i++)
            if (o->degree[s->items[i]] < least)
                least = o->degree[s->items[i]];
    }
    return true;
}

/* Makes each entry a clique of two unknowns; duplicate pairs do no harm. */
static bool take_pairs(ordering *o, int n, const int *start, const int *index)
{
    if (!ordering_begin(o, n, start[n]))
        return false;
    int *pairs = new_numbers(o, 2 * (size_t)start[n], 0);
    if (!pairs)
        return false;
    for (int j = 0; j < n; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            int *pair = pairs + 2 * (ptrdiff_t)k;
            pair[0] = j;
            pair[1] = index[k];
            o->cliques[k] = (set){index[k] == j ? 0 : 2, pair};
        }
    return true;
}

int amd_order(int n, const int start[], const int index[], int order[], double control[],
              double info[])
{
    ordering o = {0};
    (void)control;
    const bool found = n >= 0 && take_pairs(&o, n, start, index) && find_order(&o, order);
    if (info) {
        info[AMD_LNZ] = o.entries;
        info[AMD_NMULTSUBS_LU] = o.products;
    }
    lv_arena_done(&o.arena);
    return found ? AMD_OK : AMD_OUT_OF_MEMORY;
}

size_t colamd_recommended(int entries, int rows, int columns)
{
    (void)rows;
    (void)columns;
    return (size_t)entries + 1;
}

/* Makes the columns of each row a clique. */
static bool take_rows(ordering *o, int rows, int columns, const int *row,
                      const int *start)
{
    if (!ordering_begin(o, columns, rows))
        return false;
    int *items = new_numbers(o, (size_t)start[columns], 0);
    if (!items)
        return false;
    for (int k = 0; k < start[columns]; k++)
        o->cliques[row[k]].count++;
    for (int i = 0, first = 0; i < rows; i++) {
        o->cliques[i].items = items + first;
        first += o->cliques[i].count;
        o->cliques[i].count = 0;
    }
    for (int j = 0; j < columns; j++)
        for (int k = start[j]; k < start[j + 1]; k++) {
            set *s = &o->cliques[row[k]];
            s->items[s->count++] = j;
        }
    return true;
}

int colamd(int rows, int columns, int length, int work[], int order[],
           double knobs[COLAMD_KNOBS], int stats[COLAMD_STATS])
{
    ordering o = {0};
    (void)length;
    (void)knobs;
    (void)stats;
    const bool found = take_rows(&o, rows, columns, work, order) && find_order(&o, order);
    lv_arena_done(&o.arena);
    return found;
}
