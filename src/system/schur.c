#include "system/schur.h"

#include "base/arena.h"
#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"
#include "num/sound.h"
#include "num/sparse.h"
#include "system/schur_runs.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

struct lv_schur {
    lv_arena arena;
    const lv_pattern *g;
    lv_pattern weighted; /* g, with every block of the mass matrix completed */
    int *from;           /* by entry of weighted: the entry of g; -1: it is zero */
    lv_pattern z;
    lv_columns columns; /* the columns of weighted */
    double *factor;     /* by group of columns: a factor of its products; NULL: 1 */
    double *memory;     /* for `factor` */
    lv_repeats runs;    /* how the entries of z are computed */
};

/* Makes the pattern of weighted: every row has all members of the blocks that it
 * touches. */
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
    lv_status status =
        ok ? lv_pattern_build(&s->weighted, NULL, &s->arena, entries.data, entries.count,
                              s->g->rows, s->g->columns, err)
           : lv_fail_memory(err);
    LV_ARRAY_FREE(entries);
    return status;
}

/* Finds the entry of g for each entry of weighted. */
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

static lv_status find_columns(lv_schur *s, lv_error *err)
{
    const int own = lv_columns_width(&s->weighted);
    const int width = own == lv_columns_width(s->g) ? own : 1;
    LV_TRY(lv_columns_find(&s->columns, &s->arena, &s->weighted, width, err));
    s->memory =
        lv_arena_alloc(&s->arena, (size_t)s->columns.groups + 1, sizeof *s->memory);
    return s->memory ? LV_OK : lv_fail_memory(err);
}

/* ---- the rows of Z ----------------------------------------------------------------- */

/* Lists the rows of weighted that share a coordinate with row r of g, each once: they are
 * the columns of row r of Z. mark[c] is the last row for which c was listed. Returns
 * their number. */
static int meet_rows(const lv_schur *s, int r, int *mark, int *met)
{
    const lv_columns *c = &s->columns;
    int count = 0;
    for (int e = s->g->start[r]; e < s->g->start[r + 1]; e += c->width) {
        const int group = s->g->column[e] / c->width;
        for (int k = c->start[group]; k < c->start[group + 1]; k++) {
            const int row = c->touch[k].row;
            if (mark[row] != r) {
                mark[row] = r;
                met[count++] = row;
            }
        }
    }
    return count;
}

/* Lists the columns of all rows of Z. Z has a symmetric pattern, since weighted has
 * complete blocks of the mass matrix. So c is appended to all rows that it shares a
 * coordinate with, for increasing c: the columns of each row increase. */
static void list_columns(const lv_schur *s, int *mark, int *met, int *end, int *column)
{
    for (int r = 0; r < s->g->rows; r++)
        mark[r] = -1;
    for (int c = 0; c < s->g->rows; c++) {
        const int count = meet_rows(s, c, mark, met);
        for (int k = 0; k < count; k++)
            column[end[met[k]]++] = c;
    }
}

static lv_status fill_pattern(lv_schur *s, int *mark, int *met, lv_error *err)
{
    const int m = s->g->rows;
    int *start = lv_arena_alloc(&s->arena, (size_t)m + 2, sizeof *start);
    if (!start)
        return lv_fail_memory(err);
    for (int r = 0; r < m; r++)
        mark[r] = -1;
    for (int r = 0; r < m; r++) {
        const int count = meet_rows(s, r, mark, met);
        if (count > INT_MAX - start[r + 1])
            return lv_fail(err, LV_ERR_LIMIT, "a matrix of %d constraints is too large",
                           m);
        start[r + 2] = start[r + 1] + count;
    }
    int *column = lv_arena_alloc(&s->arena, (size_t)start[m + 1], sizeof *column);
    if (!column)
        return lv_fail_memory(err);
    /* This makes start[r] the start of row r. */
    list_columns(s, mark, met, start + 1, column);
    s->z = (lv_pattern){m, m, start, column, false};
    return LV_OK;
}

static lv_status find_rows(lv_schur *s, lv_error *err)
{
    const size_t m = (size_t)s->g->rows;
    int *mark = lv_memory_zeroed(2 * m + 1, sizeof *mark);
    const lv_status status =
        mark ? fill_pattern(s, mark, mark + m, err) : lv_fail_memory(err);
    lv_memory_free(mark);
    return status;
}

lv_status lv_schur_create(lv_schur **result, const lv_pattern *g, const lv_mass *mass,
                          lv_error *err)
{
    assert(lv_pattern_is_sound(g));
    *result = NULL;
    lv_schur *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    s->g = g;
    lv_status status = complete_blocks(s, mass, err);
    if (status == LV_OK)
        status = match_entries(s, err);
    if (status == LV_OK)
        status = find_columns(s, err);
    if (status == LV_OK)
        status = find_rows(s, err);
    if (status == LV_OK)
        status = lv_schur_runs_find(&s->runs, &s->arena, s->g, &s->z, &s->columns, err);
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

/* Computes one row of weighted. The members of a block need not be adjacent, so they are
 * gathered one by one. */
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
        if (member[0] != w->column[k]) /* blocks are processed at their first member */
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

bool lv_schur_fix_mass(lv_schur *s, const lv_mass *mass)
{
    const double *inverse = lv_mass_inverse_diagonal(mass);
    const int width = s->columns.width;
    if (!inverse)
        return false;
    for (int i = 0; i < s->g->columns; i++)
        if (inverse[i] != inverse[i - i % width])
            return false;
    for (int k = 0; k < s->columns.groups; k++)
        s->memory[k] = inverse[(size_t)k * (size_t)width];
    s->factor = s->memory;
    return true;
}

void lv_schur_weigh(const lv_schur *s, double *weighted, const lv_mass *mass,
                    const double *g)
{
    const double *inverse = lv_mass_inverse_diagonal(mass);
    if (weighted == g)
        return;
    if (inverse) {
        int count = lv_pattern_entries(s->g);
        for (int e = 0; e < count; e++)
            weighted[e] = g[e] * inverse[s->g->column[e]];
        return;
    }
    for (int r = 0; r < s->g->rows; r++)
        weigh_row(s, weighted, mass, g, r);
}

LV_INLINE double dot(const double *x, const double *y, int width)
{
    double sum = x[0] * y[0];
    for (int j = 1; j < width; j++)
        sum += x[j] * y[j];
    return sum;
}

/* The factors of Z, and where its values are stored. */
typedef struct sources {
    const double *g, *weighted, *factor;
} sources;

typedef struct target {
    double *storage;
    const int *slot;
    double c;
    bool add;
} target;

/* The sum over `count` groups. */
LV_INLINE double sum_groups(sources of, int width, int count)
{
    double sum = dot(of.g, of.weighted, width) * (of.factor ? of.factor[0] : 1);
    for (ptrdiff_t j = 1; j < count; j++)
        sum += dot(of.g + j * width, of.weighted + j * width, width) *
               (of.factor ? of.factor[j] : 1);
    return sum;
}

/* Where the values of a run begin in repetition k. */
LV_INLINE sources place_run(const lv_cell *x, ptrdiff_t k, sources of)
{
    return (sources){
        of.g + x->at[LV_RUN_G] + k * x->step[LV_RUN_G],
        of.weighted + x->at[LV_RUN_WEIGHTED] + k * x->step[LV_RUN_WEIGHTED],
        of.factor ? of.factor + x->at[LV_RUN_GROUP] + k * x->step[LV_RUN_GROUP] : NULL};
}

/* The number of groups of a run. */
LV_INLINE int groups_of(const lv_cell *x)
{
    return abs(x->kind);
}

LV_INLINE bool is_last(const lv_cell *x)
{
    return x->kind < 0;
}

LV_INLINE void put(target t, int slot, double sum)
{
    double *to = t.storage + slot;
    *to = t.add ? *to + t.c * sum : t.c * sum;
}

/* Computes all entries of a stretch that does not repeat. */
LV_INLINE void build_once(const lv_stretch *s, const int *slot, target t, sources of,
                          int width)
{
    const lv_cell *x = s->cell, *const end = x + s->start[s->period];
    for (; x < end; x++, slot++) {
        double sum = sum_groups(place_run(x, 0, of), width, groups_of(x));
        while (!is_last(x)) {
            x++;
            sum += sum_groups(place_run(x, 0, of), width, groups_of(x));
        }
        put(t, *slot, sum);
    }
}

/* Adds a run of `count` groups, which begins at `at` and moves on by `step` each time, to
 * the sums of `repeats` repetitions, or sets them to it. */
LV_INLINE void repeat_groups(double *restrict sum, sources at, const int *step,
                             int repeats, bool add, int width, int count)
{
    const ptrdiff_t g = step[LV_RUN_G], weighted = step[LV_RUN_WEIGHTED],
                    factor = step[LV_RUN_GROUP];
    for (int k = 0; k < repeats; k++) {
        const double more = sum_groups(at, width, count);
        sum[k] = add ? sum[k] + more : more;
        at.g += g;
        at.weighted += weighted;
        if (at.factor)
            at.factor += factor;
    }
}

LV_INLINE void repeat_run(double *sum, const lv_cell *x, int first, sources of,
                          int repeats, bool add, int width)
{
    const sources at = place_run(x, first, of);
    if (groups_of(x) == 1)
        repeat_groups(sum, at, x->step, repeats, add, width, 1);
    else if (groups_of(x) == 2)
        repeat_groups(sum, at, x->step, repeats, add, width, 2);
    else
        repeat_groups(sum, at, x->step, repeats, add, width, groups_of(x));
}

/* Stores the sums of an entry in `repeats` repetitions, each of which has `entries`
 * slots. */
static void put_repeats(const target *t, const int *slot, int entries, const double *sum,
                        int repeats)
{
    const target to = *t;
    for (int k = 0; k < repeats; k++, slot += entries)
        put(to, *slot, sum[k]);
}

/* Computes a stretch entry by entry, a few repetitions at a time, so that values stay in
 * the nearest cache. A repetition has `entries` entries. */
LV_INLINE void build_repeated(const lv_stretch *s, const int *slot, int entries, target t,
                              sources of, int width)
{
    enum { FEW = 32 };
    double sum[FEW];
    for (int first = 0; first < s->repeats; first += FEW) {
        const int repeats = s->repeats - first < FEW ? s->repeats - first : FEW;
        const lv_cell *x = s->cell;
        for (int e = 0; e < entries; e++, x++) {
            repeat_run(sum, x, first, of, repeats, false, width);
            while (!is_last(x))
                repeat_run(sum, ++x, first, of, repeats, true, width);
            put_repeats(&t, slot + (ptrdiff_t)first * entries + e, entries, sum, repeats);
        }
    }
}

LV_INLINE void build_entries(const lv_schur *s, target t, sources of, int width)
{
    for (int k = 0; k < s->runs.count; k++) {
        const lv_stretch *x = &s->runs.stretch[k];
        const int first = s->z.start[x->line],
                  entries = s->z.start[x->line + x->period] - first;
        if (x->repeats > 1)
            build_repeated(x, t.slot + first, entries, t, of, width);
        else
            build_once(x, t.slot + first, t, of, width);
    }
}

LV_INLINE void build_sized(const lv_schur *s, const target *t, sources of, int width)
{
    if (of.factor)
        build_entries(s, *t, of, width);
    else
        build_entries(s, *t, (sources){of.g, of.weighted, NULL}, width);
}

LV_INLINE void build_any(const lv_schur *s, const target *t, sources of)
{
    if (s->columns.width == 3)
        build_sized(s, t, of, 3);
    else if (s->columns.width == 2)
        build_sized(s, t, of, 2);
    else
        build_sized(s, t, of, 1);
}

static void build_plain(const lv_schur *s, const target *t, sources of)
{
    build_any(s, t, of);
}

LV_WIDE static void build_wide(const lv_schur *s, const target *t, sources of)
{
    build_any(s, t, of);
}

static void build(const lv_schur *s, const target *t, sources of)
{
    (lv_is_wide() ? build_wide : build_plain)(s, t, of);
}

void lv_schur_store(const lv_schur *s, double *storage, const int *slot, double c,
                    const double *g, const double *weighted)
{
    const target t = {storage, slot, c, false};
    build(s, &t, (sources){g, weighted, s->factor});
}

void lv_schur_add(const lv_schur *s, double *storage, const int *slot, double c,
                  const double *g, const double *weighted)
{
    const target t = {storage, slot, c, true};
    build(s, &t, (sources){g, weighted, s->factor});
}

/* y = A x for a pattern whose columns come in groups; products are multiplied by the
 * factors of their groups. */
LV_INLINE void multiply_sized(const lv_pattern *p, double *y, const double *values,
                              const double *x, const double *factor, int width)
{
    for (int r = 0; r < p->rows; r++) {
        double sum = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e += width) {
            const double product = dot(values + e, x + p->column[e], width);
            sum += factor ? factor[p->column[e] / width] * product : product;
        }
        y[r] = sum;
    }
}

void lv_schur_apply(const lv_schur *s, double *y, const double *weighted, const double *x)
{
    multiply_sized(&s->weighted, y, weighted, x, s->factor, s->columns.width);
}

void lv_schur_spread(const lv_schur *s, const lv_column_target *to, int count,
                     const double *weighted, const double *x)
{
    lv_columns_spread(&s->columns, to, count, weighted, x, s->factor);
}
