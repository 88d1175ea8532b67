#include "system/schur.h"

#include "base/arena.h"
#include "base/memory.h"
#include "system/sparse.h"

struct lv_schur {
    lv_arena arena;
    const lv_pattern *g;
    bool diagonal;
    lv_pattern weighted; /* g, with every block of the mass matrix completed */
    int *from;           /* entry of g for each entry of weighted, -1: zero */
    lv_pattern z;
    int *pair_start; /* of each entry of z */
    int *pair_g, *pair_w;
    int *column_start, *column_row, *column_entry; /* weighted, by columns */
};

/* The weighted pattern: all members of the blocks that a row touches. */
static lv_status complete_blocks(lv_schur *s, const lv_mass *mass, lv_error *err)
{
    lv_entry_list entries = {0};
    bool ok = true;
    for (int r = 0; ok && r < s->g->rows; r++)
        for (int e = s->g->start[r]; ok && e < s->g->start[r + 1]; e++) {
            int size = 0;
            const int *member =
                lv_mass_block(mass, lv_mass_block_of(mass, s->g->column[e]), &size);
            for (int i = 0; ok && i < size; i++)
                ok = LV_PUSH(entries, ((lv_entry_place){r, member[i]}));
        }
    lv_status status = ok ? lv_pattern_build(&s->weighted, NULL, &s->arena, entries.data,
                                             entries.count, s->g->rows, s->g->columns, err)
                          : lv_fail_memory(err);
    LV_ARRAY_FREE(entries);
    return status;
}

/* Which entry of g stands at each entry of the weighted pattern. */
static lv_status match_entries(lv_schur *s, lv_error *err)
{
    const lv_pattern *w = &s->weighted, *g = s->g;
    s->from = lv_arena_alloc(&s->arena, (size_t)lv_pattern_entries(w), sizeof *s->from);
    if (!s->from)
        return lv_fail_memory(err);
    for (int r = 0; r < g->rows; r++) {
        int e = g->start[r];
        for (int k = w->start[r]; k < w->start[r + 1]; k++) {
            bool here = e < g->start[r + 1] && g->column[e] == w->column[k];
            s->from[k] = here ? e++ : -1;
        }
    }
    return LV_OK;
}

/* Entries of the weighted pattern by column: for every coordinate the rows that touch it. */
typedef struct by_column {
    int *start, *row, *entry;
} by_column;

static bool columns_of(by_column *c, lv_arena *arena, const lv_pattern *w)
{
    size_t count = (size_t)lv_pattern_entries(w), n = (size_t)w->columns;
    int *all = lv_arena_alloc(arena, n + 2 + 2 * count, sizeof *all);
    if (!all)
        return false;
    *c = (by_column){all, all + n + 2, all + n + 2 + count};
    for (size_t e = 0; e < count; e++)
        c->start[w->column[e] + 2]++;
    for (size_t k = 0; k < n; k++)
        c->start[k + 2] += c->start[k + 1];
    for (int r = 0; r < w->rows; r++)
        for (int e = w->start[r]; e < w->start[r + 1]; e++) {
            int at = c->start[w->column[e] + 1]++;
            c->row[at] = r;
            c->entry[at] = e;
        }
    return true;
}

typedef struct pair {
    int g, w;
} pair;

/* Z[r, c] = sum over coordinates that row r of g and row c of weighted share. */
static lv_status find_pairs(lv_schur *s, lv_error *err)
{
    by_column c = {0};
    lv_entry_list entries = {0};
    LV_ARRAY(pair) pairs = {0};
    bool ok = columns_of(&c, &s->arena, &s->weighted);
    for (int r = 0; ok && r < s->g->rows; r++)
        for (int e = s->g->start[r]; ok && e < s->g->start[r + 1]; e++) {
            int column = s->g->column[e];
            for (int k = c.start[column]; ok && k < c.start[column + 1]; k++)
                ok = LV_PUSH(entries, ((lv_entry_place){r, c.row[k]})) &&
                     LV_PUSH(pairs, ((pair){e, c.entry[k]}));
        }
    int count = entries.count;
    int *slot = ok ? lv_memory_zeroed((size_t)count + 1, sizeof *slot) : NULL;
    lv_status status = slot ? lv_pattern_build(&s->z, slot, &s->arena, entries.data, count,
                                               s->g->rows, s->g->rows, err)
                            : lv_fail_memory(err);
    if (status == LV_OK) {
        /* Sort the pairs by the entry of Z they belong to, keeping their order. */
        int nz = lv_pattern_entries(&s->z);
        int *ints =
            lv_arena_alloc(&s->arena, (size_t)nz + 2 + 2 * (size_t)count, sizeof *ints);
        if (ints) {
            s->pair_start = ints;
            s->pair_g = ints + nz + 2;
            s->pair_w = s->pair_g + count;
            for (int k = 0; k < count; k++)
                ints[slot[k] + 2]++;
            for (int k = 0; k < nz; k++)
                ints[k + 2] += ints[k + 1];
            for (int k = 0; k < count; k++) {
                int at = ints[slot[k] + 1]++;
                s->pair_g[at] = pairs.data[k].g;
                s->pair_w[at] = pairs.data[k].w;
            }
        } else {
            status = lv_fail_memory(err);
        }
    }
    s->column_start = c.start;
    s->column_row = c.row;
    s->column_entry = c.entry;
    lv_memory_free(slot);
    LV_ARRAY_FREE(entries);
    LV_ARRAY_FREE(pairs);
    return status;
}

lv_status lv_schur_create(lv_schur **result, const lv_pattern *g, const lv_mass *mass,
                          lv_error *err)
{
    *result = NULL;
    lv_schur *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    s->g = g;
    s->diagonal = lv_mass_inverse_diagonal(mass) != NULL;
    lv_status status = complete_blocks(s, mass, err);
    if (status == LV_OK)
        status = match_entries(s, err);
    if (status == LV_OK)
        status = find_pairs(s, err);
    if (status == LV_OK)
        *result = s;
    else
        lv_schur_free(s);
    return status;
}

void lv_schur_free(lv_schur *s)
{
    if (!s)
        return;
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}

const lv_pattern *lv_schur_pattern(const lv_schur *s)
{
    return &s->z;
}

int lv_schur_weighted_size(const lv_schur *s)
{
    return lv_pattern_entries(&s->weighted);
}

/* One row: blocks are consecutive runs of members only if sorted so; gather them one by one. */
static void weigh_row(const lv_schur *s, double *weighted, const lv_mass *mass,
                      const double *g, int r)
{
    enum { LARGEST = 64 };
    const lv_pattern *w = &s->weighted;
    double part[LARGEST];
    int at[LARGEST];
    for (int k = w->start[r]; k < w->start[r + 1]; k++) {
        int size = 0, found = 0, block = lv_mass_block_of(mass, w->column[k]);
        const int *member = lv_mass_block(mass, block, &size);
        if (member[0] != w->column[k]) /* a block is done at its first member */
            continue;
        for (int e = k; found < size; e++)
            if (w->column[e] == member[found]) {
                at[found] = e;
                part[found++] = s->from[e] < 0 ? 0 : g[s->from[e]];
            }
        lv_mass_block_solve(mass, block, part);
        for (int i = 0; i < size; i++)
            weighted[at[i]] = part[i];
    }
}

void lv_schur_weigh(const lv_schur *s, double *weighted, const lv_mass *mass, const double *g)
{
    const double *inverse = lv_mass_inverse_diagonal(mass);
    if (inverse) {
        int count = lv_pattern_entries(s->g);
        for (int e = 0; e < count; e++)
            weighted[e] = g[e] * inverse[s->g->column[e]];
        return;
    }
    for (int r = 0; r < s->g->rows; r++)
        weigh_row(s, weighted, mass, g, r);
}

void lv_schur_add(const lv_schur *s, double *storage, const int *slot, double c,
                  const double *g, const double *weighted)
{
    int count = lv_pattern_entries(&s->z);
    for (int e = 0; e < count; e++) {
        double sum = 0;
        for (int k = s->pair_start[e]; k < s->pair_start[e + 1]; k++)
            sum += g[s->pair_g[k]] * weighted[s->pair_w[k]];
        storage[slot[e]] += c * sum;
    }
}

void lv_schur_apply(const lv_schur *s, double *y, const double *weighted, const double *x)
{
    for (int r = 0; r < s->weighted.rows; r++)
        y[r] = 0;
    lv_sparse_multiply(&s->weighted, weighted, 1, x, y);
}

void lv_schur_spread(const lv_schur *s, double *y, double c, const double *weighted,
                     const double *x)
{
    /* By columns: every number of y is written once, and sums do not wait for each other. */
    for (int k = 0; k < s->weighted.columns; k++) {
        double sum = 0;
        for (int e = s->column_start[k]; e < s->column_start[k + 1]; e++)
            sum += weighted[s->column_entry[e]] * x[s->column_row[e]];
        y[k] += c * sum;
    }
}
