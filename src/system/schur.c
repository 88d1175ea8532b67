#include "system/schur.h"

#include "base/arena.h"
#include "base/inline.h"
#include "base/memory.h"
#include "num/sound.h"
#include "system/sparse.h"

#include <assert.h>
#include <limits.h>

/* `weighted` by columns. Coordinates come in groups of `width` (at most 3) that are
 * touched by the same rows: group k has the coordinates k width, k width + 1, ... The
 * meetings touch[start[k]] to touch[start[k + 1] - 1] are the rows that touch it and
 * their entries for its first coordinate; the entries for the others follow directly. */
typedef struct meeting {
    int row, entry;
} meeting;

typedef struct by_column {
    int width, groups;
    const int *start;
    const meeting *touch;
    const double *factor; /* by group: a factor of its products; NULL: 1 */
} by_column;

/* Coordinates that a row of g and a row of weighted share, as far as they are adjacent in
 * both: `count` groups from `group` on, whose values begin at the entries `g` and
 * `weighted`. An entry of Z is a sum over such runs. */
typedef struct run {
    int g, weighted, group, count;
    bool last; /* it is the last run of its entry */
} run;

struct lv_schur {
    lv_arena arena;
    const lv_pattern *g;
    lv_pattern weighted; /* g, with every block of the mass matrix completed */
    int *from;           /* by entry of weighted: the entry of g; -1: it is zero */
    lv_pattern z;
    by_column columns; /* the columns of weighted */
    double *factor;    /* memory for columns.factor */
    const run *runs;   /* runs of all entries of z, one entry after the other */
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

/* Whether the columns of every row form complete groups [k width, (k + 1) width). */
static bool in_groups(const lv_pattern *p, int width)
{
    bool yes = p->columns % width == 0;
    for (int r = 0; yes && r < p->rows; r++)
        for (int e = p->start[r]; yes && e < p->start[r + 1]; e++) {
            int inside = (e - p->start[r]) % width;
            yes = p->column[e] % width == inside &&
                  (inside == 0 || p->column[e] == p->column[e - 1] + 1);
        }
    for (int r = 0; yes && r < p->rows; r++)
        yes = (p->start[r + 1] - p->start[r]) % width == 0;
    return yes;
}

/* The width of groups: 3 or 2 for points in space or in the plane, if one index can serve
 * all of their coordinates, otherwise 1. */
static int common_width(const lv_schur *s)
{
    for (int width = 3; width > 1; width--)
        if (in_groups(s->g, width) && in_groups(&s->weighted, width))
            return width;
    return 1;
}

/* Finds the rows that touch each group of columns of weighted. */
static lv_status find_columns(lv_schur *s, lv_error *err)
{
    const lv_pattern *w = &s->weighted;
    int width = common_width(s), groups = w->columns / width;
    size_t count = (size_t)(lv_pattern_entries(w) / width);
    int *start = lv_arena_alloc(&s->arena, (size_t)groups + 2, sizeof *start);
    meeting *list = lv_arena_alloc(&s->arena, count, sizeof *list);
    if (!start || !list)
        return lv_fail_memory(err);
    for (int e = 0; e < lv_pattern_entries(w); e += width)
        start[w->column[e] / width + 2]++;
    for (int k = 0; k < groups; k++)
        start[k + 2] += start[k + 1];
    for (int r = 0; r < w->rows; r++)
        for (int e = w->start[r]; e < w->start[r + 1]; e += width)
            list[start[w->column[e] / width + 1]++] = (meeting){r, e};
    s->columns =
        (by_column){.width = width, .groups = groups, .start = start, .touch = list};
    s->factor = lv_arena_alloc(&s->arena, (size_t)groups, sizeof *s->factor);
    return s->factor ? LV_OK : lv_fail_memory(err);
}

/* ---- the rows of Z ----------------------------------------------------------------- */

/* Lists the rows of weighted that share a coordinate with row r of g, each once: they are
 * the columns of row r of Z. mark[c] is the last row for which c was listed. Returns
 * their number. */
static int meet_rows(const lv_schur *s, int r, int *mark, int *met)
{
    const by_column *c = &s->columns;
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

/* ---- the runs of its entries ------------------------------------------------------- */

/* Finds the runs of row r of Z. For its column c, entry[c] is the index of the entry and
 * last[c] its last run. first[e] is advanced by the number of runs of entry e. If `list`
 * is NULL, runs are only counted. */
static void find_runs(const lv_schur *s, int r, int *entry, run *last, int *first,
                      run *list)
{
    const by_column *c = &s->columns;
    for (int e = s->z.start[r]; e < s->z.start[r + 1]; e++) {
        entry[s->z.column[e]] = e;
        last[s->z.column[e]].count = 0;
    }
    for (int e = s->g->start[r]; e < s->g->start[r + 1]; e += c->width) {
        const int group = s->g->column[e] / c->width;
        for (int k = c->start[group]; k < c->start[group + 1]; k++) {
            run *x = &last[c->touch[k].row];
            int *next = &first[entry[c->touch[k].row]];
            const int length = x->count * c->width;
            if (x->count > 0 && e == x->g + length &&
                c->touch[k].entry == x->weighted + length && group == x->group + x->count)
                x->count++;
            else {
                *x = (run){e, c->touch[k].entry, group, 1, false};
                (*next)++;
            }
            if (list)
                list[*next - 1] = *x;
        }
    }
}

/* `first` has two numbers more than Z has entries, all 0. */
static lv_status fill_runs(lv_schur *s, int *entry, run *last, int *first, lv_error *err)
{
    const int entries = s->z.start[s->z.rows];
    for (int r = 0; r < s->z.rows; r++)
        find_runs(s, r, entry, last, first + 2, NULL);
    for (int e = 0; e < entries; e++) {
        if (first[e + 2] > INT_MAX - first[e + 1])
            return lv_fail(err, LV_ERR_LIMIT, "a matrix of %d constraints is too large",
                           s->z.rows);
        first[e + 2] += first[e + 1];
    }
    run *list = lv_arena_alloc(&s->arena, (size_t)first[entries + 1] + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    /* This makes first[e + 1] the end of the runs of entry e. */
    for (int r = 0; r < s->z.rows; r++)
        find_runs(s, r, entry, last, first + 1, list);
    for (int e = 0; e < entries; e++)
        list[first[e + 1] - 1].last = true;
    s->runs = list;
    return LV_OK;
}

static lv_status make_runs(lv_schur *s, lv_error *err)
{
    const size_t m = (size_t)s->g->rows + 1;
    int *entry = lv_memory_zeroed(m, sizeof *entry);
    run *last = lv_memory_zeroed(m, sizeof *last);
    int *first = lv_memory_zeroed((size_t)s->z.start[s->z.rows] + 2, sizeof *first);
    const lv_status status = entry && last && first
                                 ? fill_runs(s, entry, last, first, err)
                                 : lv_fail_memory(err);
    lv_memory_free(entry);
    lv_memory_free(last);
    lv_memory_free(first);
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
        status = make_runs(s, err);
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
        s->factor[k] = inverse[(size_t)k * (size_t)width];
    s->columns.factor = s->factor;
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

/* Adds group j of a run. */
LV_INLINE double add_group(double sum, const run *x, sources of, int width, ptrdiff_t j)
{
    const double product =
        dot(of.g + x->g + j * width, of.weighted + x->weighted + j * width, width);
    return sum + (of.factor ? of.factor[x->group + j] * product : product);
}

/* Adds a run. Most runs have one or two groups, for which a loop would take longer than
 * the sum. */
LV_INLINE double add_run(double sum, const run *x, sources of, int width)
{
    sum = add_group(sum, x, of, width, 0);
    if (x->count == 1)
        return sum;
    sum = add_group(sum, x, of, width, 1);
    for (int j = 2; j < x->count; j++)
        sum = add_group(sum, x, of, width, j);
    return sum;
}

LV_INLINE void build_entries(const lv_schur *s, const target *t, sources of, int width)
{
    const int *slot = t->slot, *const end = slot + s->z.start[s->z.rows];
    for (const run *x = s->runs; slot < end; slot++, x++) {
        double *to = t->storage + *slot;
        double sum = add_run(0, x, of, width);
        while (!x->last)
            sum = add_run(sum, ++x, of, width);
        *to = t->add ? *to + t->c * sum : t->c * sum;
    }
}

LV_INLINE void build_sized(const lv_schur *s, const target *t, sources of, int width)
{
    if (of.factor)
        build_entries(s, t, of, width);
    else
        build_entries(s, t, (sources){of.g, of.weighted, NULL}, width);
}

LV_INLINE void build(const lv_schur *s, const target *t, sources of)
{
    if (s->columns.width == 3)
        build_sized(s, t, of, 3);
    else if (s->columns.width == 2)
        build_sized(s, t, of, 2);
    else
        build_sized(s, t, of, 1);
}

void lv_schur_store(const lv_schur *s, double *storage, const int *slot, double c,
                    const double *g, const double *weighted)
{
    const target t = {storage, slot, c, false};
    build(s, &t, (sources){g, weighted, s->columns.factor});
}

void lv_schur_add(const lv_schur *s, double *storage, const int *slot, double c,
                  const double *g, const double *weighted)
{
    const target t = {storage, slot, c, true};
    build(s, &t, (sources){g, weighted, s->columns.factor});
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
    multiply_sized(&s->weighted, y, weighted, x, s->columns.factor, s->columns.width);
}

/* Computes each number of the result at once by its column, so that sums do not wait for
 * each other. */
LV_INLINE void spread_sized(const by_column *columns, const lv_schur_target *to,
                            int count, const double *weighted, const double *x, int width)
{
    for (int k = 0; k < columns->groups; k++) {
        const double scale = columns->factor ? columns->factor[k] : 1;
        double sum[3] = {0};
        for (int e = columns->start[k]; e < columns->start[k + 1]; e++) {
            const double *from = weighted + columns->touch[e].entry,
                         factor = scale * x[columns->touch[e].row];
            for (int j = 0; j < width; j++)
                sum[j] += from[j] * factor;
        }
        for (int t = 0; t < count; t++) {
            double *y = to[t].y + (ptrdiff_t)k * width;
            for (int j = 0; j < width; j++)
                y[j] = (to[t].add ? y[j] : 0) + to[t].c * sum[j];
        }
    }
}

void lv_schur_spread(const lv_schur *s, const lv_schur_target *to, int count,
                     const double *weighted, const double *x)
{
    const by_column *columns = &s->columns;
    if (columns->width == 3 && count == 1)
        spread_sized(columns, to, 1, weighted, x, 3);
    else if (columns->width == 3)
        spread_sized(columns, to, count, weighted, x, 3);
    else if (columns->width == 2)
        spread_sized(columns, to, count, weighted, x, 2);
    else
        spread_sized(columns, to, count, weighted, x, 1);
}
