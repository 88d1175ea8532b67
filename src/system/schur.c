#include "system/schur.h"

#include "base/arena.h"
#include "base/memory.h"
#include "num/sound.h"
#include "system/columns.h"
#include "system/sparse.h"

#include <assert.h>
#include <limits.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Entries of g and of weighted whose products, and those of the width - 1 that follow them, are
 * added up; they belong to one group of coordinates. */
typedef struct pair {
    int g, w, group;
} pair;

struct lv_schur {
    lv_arena arena;
    const lv_pattern *g;
    lv_pattern weighted; /* g, with every block of the mass matrix completed */
    int *from;           /* entry of g for each entry of weighted, -1: zero */
    lv_pattern z;
    lv_alike rows;      /* of z */
    pair row_step;      /* from one alike row to the next */
    int *pair_start;    /* of each entry of the first alike row */
    pair *pairs;        /* of that row */
    lv_columns columns; /* of weighted */
    double *factor;     /* room for the columns' */
    double *sum;        /* entries of a row of z at work, by column; zero between rows */
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
    lv_status status =
        ok ? lv_pattern_build(&s->weighted, NULL, &s->arena, entries.data, entries.count,
                              s->g->rows, s->g->columns, err)
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

/* Do the columns of every row come in complete groups [k width, (k + 1) width)? */
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

/* Points in space or in the plane: one index then serves three or two numbers. */
static int common_width(const lv_schur *s)
{
    for (int width = 3; width > 1; width--)
        if (in_groups(s->g, width) && in_groups(&s->weighted, width))
            return width;
    return 1;
}

/* Shorter stretches are not worth it. */
enum { LEAST_ALIKE = 16 };

/* The longest stretch of items of which each is `like` the one before. */
static lv_alike longest_stretch(const lv_schur *s, int items,
                                bool (*like)(const lv_schur *s, int first, int item))
{
    lv_alike best = {0, 0}, now = {0, 1};
    for (int k = 1; k <= items; k++) {
        if (k < items && like(s, now.first, k)) {
            now.count++;
            continue;
        }
        best = now.count > best.count ? now : best;
        now = (lv_alike){k, 1};
    }
    return best.count < LEAST_ALIKE ? (lv_alike){0, 0} : best;
}

static lv_touch touch_step(const lv_schur *s, int group)
{
    const lv_columns *c = &s->columns;
    const lv_touch a = c->touch[c->start[group]], b = c->touch[c->start[group + 1]];
    return (lv_touch){b.row - a.row, b.entry - a.entry};
}

/* Is `group` touched as `first` is, as many steps further as they are apart? */
static bool is_like_group(const lv_schur *s, int first, int group)
{
    const lv_columns *c = &s->columns;
    const int count = c->start[first + 1] - c->start[first], apart = group - first;
    if (count == 0 || c->start[group + 1] - c->start[group] != count)
        return false;
    const lv_touch step = touch_step(s, first);
    for (int k = 0; k < count; k++) {
        const lv_touch a = c->touch[c->start[first] + k],
                       b = c->touch[c->start[group] + k];
        if (b.row - a.row != apart * step.row || b.entry - a.entry != apart * step.entry)
            return false;
    }
    return true;
}

/* The weighted pattern by groups of columns: for every group the rows that touch it. */
static lv_status find_columns(lv_schur *s, lv_error *err)
{
    const lv_pattern *w = &s->weighted;
    int width = common_width(s), groups = w->columns / width;
    size_t count = (size_t)(lv_pattern_entries(w) / width);
    int *start = lv_arena_alloc(&s->arena, (size_t)groups + 2, sizeof *start);
    lv_touch *touch = lv_arena_alloc(&s->arena, count, sizeof *touch);
    if (!start || !touch)
        return lv_fail_memory(err);
    for (int e = 0; e < lv_pattern_entries(w); e += width)
        start[w->column[e] / width + 2]++;
    for (int k = 0; k < groups; k++)
        start[k + 2] += start[k + 1];
    for (int r = 0; r < w->rows; r++)
        for (int e = w->start[r]; e < w->start[r + 1]; e += width)
            touch[start[w->column[e] / width + 1]++] = (lv_touch){r, e};
    s->columns =
        (lv_columns){.width = width, .groups = groups, .start = start, .touch = touch};
    s->columns.alike = longest_stretch(s, groups, is_like_group);
    if (s->columns.alike.count > 0)
        s->columns.step = touch_step(s, s->columns.alike.first);
    s->factor = lv_arena_alloc(&s->arena, (size_t)groups, sizeof *s->factor);
    return s->factor ? LV_OK : lv_fail_memory(err);
}

/* ---- the rows of Z ---------------------------------------------------------------------------------- */

/* The rows of weighted that share a coordinate with row r of g, each once: they are the columns of row r of Z.
 * mark[c] is the last row that met c. */
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

/* Whoever meets row c is met by it, since blocks of the mass matrix are complete in weighted. So c is written into all
 * rows that it meets, c after c: columns of a row increase. */
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
    list_columns(s, mark, met, start + 1, column); /* which moves the starts down */
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
    s->sum = status == LV_OK ? lv_arena_alloc(&s->arena, m, sizeof *s->sum) : NULL;
    return status != LV_OK || s->sum ? status : lv_fail_memory(err);
}

/* ---- rows that are alike ---------------------------------------------------------------------------- */

static bool is_alike(const lv_columns *c, int column)
{
    const int behind = column / c->width - c->alike.first;
    return behind >= 0 && behind < c->alike.count;
}

/* Is `row` of Z made as row `first` is? It is if its coordinates are as many groups further as the rows are apart,
 * and all of these groups are alike, with touches one row further from one to the next. */
static bool is_like_row(const lv_schur *s, int first, int row)
{
    const lv_columns *c = &s->columns;
    const int *start = s->g->start, *a = s->g->column + start[first],
              *b = s->g->column + start[row];
    const int count = start[first + 1] - start[first], apart = row - first;
    if (count == 0 || start[row + 1] - start[row] != count ||
        c->step.row * c->step.row != 1)
        return false;
    for (int k = 0; k < count; k++)
        if (b[k] - a[k] != apart * c->step.row * c->width || !is_alike(c, a[k]) ||
            !is_alike(c, b[k]))
            return false;
    return true;
}

/* The pairs of a row by the entry of Z that they belong to; how many. `pairs` may be NULL. */
static int list_pairs(const lv_schur *s, int row, int *start, pair *pairs)
{
    const lv_columns *c = &s->columns;
    int count = 0;
    for (int k = s->z.start[row]; k < s->z.start[row + 1]; k++) {
        for (int e = s->g->start[row]; e < s->g->start[row + 1]; e += c->width) {
            const int group = s->g->column[e] / c->width;
            for (int t = c->start[group]; t < c->start[group + 1]; t++)
                if (c->touch[t].row == s->z.column[k] && count++ >= 0 && pairs)
                    pairs[count - 1] = (pair){e, c->touch[t].entry, group};
        }
        if (pairs)
            start[k + 1 - s->z.start[row]] = count;
    }
    return count;
}

static lv_status find_alike_rows(lv_schur *s, lv_error *err)
{
    s->rows = longest_stretch(s, s->z.rows, is_like_row);
    if (s->rows.count == 0)
        return LV_OK;
    const int row = s->rows.first, entries = s->z.start[row + 1] - s->z.start[row];
    const lv_touch step = s->columns.step;
    s->row_step =
        (pair){s->g->start[row + 1] - s->g->start[row], step.row * step.entry, step.row};
    s->pair_start = lv_arena_alloc(&s->arena, (size_t)entries + 1, sizeof(int));
    s->pairs = lv_arena_alloc(&s->arena, (size_t)list_pairs(s, row, NULL, NULL),
                              sizeof *s->pairs);
    if (!s->pair_start || !s->pairs)
        return lv_fail_memory(err);
    (void)list_pairs(s, row, s->pair_start, s->pairs);
    return LV_OK;
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
        status = find_alike_rows(s, err);
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

INLINE double dot(const double *x, const double *y, int width)
{
    double sum = x[0] * y[0];
    for (int j = 1; j < width; j++)
        sum += x[j] * y[j];
    return sum;
}

/* What Z is made of, and where its values go. */
typedef struct sources {
    const double *g, *weighted, *factor;
} sources;

typedef struct target {
    double *storage;
    const int *slot;
    double c;
    bool add;
} target;

INLINE sources move_on(sources x, pair step, ptrdiff_t rows)
{
    return (sources){x.g + rows * step.g, x.weighted + rows * step.w,
                     x.factor ? x.factor + rows * step.group : NULL};
}

INLINE void put(const target *t, int e, double value)
{
    double *to = t->storage + t->slot[e];
    *to = t->add ? *to + t->c * value : t->c * value;
}

/* An entry of G weighted^T. */
INLINE double entry(const pair *pairs, int count, sources x, int width)
{
    double sum = 0;
    for (int k = 0; k < count; k++) {
        const double product = dot(x.g + pairs[k].g, x.weighted + pairs[k].w, width);
        sum += x.factor ? x.factor[pairs[k].group] * product : product;
    }
    return sum;
}

/* Rows each for itself: g[e] times what it meets is added up by column of Z, e after e. */
INLINE void build_rows(const lv_schur *s, const target *t, sources x, lv_stretch rows,
                       int width)
{
    const lv_touch *touch = s->columns.touch;
    const int *start = s->columns.start;
    const double *restrict weighted = x.weighted;
    double *restrict sum = s->sum;
    for (int r = rows.from; r < rows.to; r++) {
        for (int e = s->g->start[r]; e < s->g->start[r + 1]; e += width) {
            const int group = s->g->column[e] / width, end = start[group + 1];
            double g[3];
            for (int j = 0; j < width; j++)
                g[j] = x.g[e + j];
            for (int k = start[group]; k < end; k++) {
                const double product = dot(g, weighted + touch[k].entry, width);
                sum[touch[k].row] += x.factor ? x.factor[group] * product : product;
            }
        }
        for (int e = s->z.start[r]; e < s->z.start[r + 1]; e++) {
            put(t, e, sum[s->z.column[e]]);
            sum[s->z.column[e]] = 0;
        }
    }
}

/* One entry in all of the rows: `count` pairs, entry e of the first row. */
INLINE void build_entry(const lv_schur *s, const target *t, sources x, lv_stretch rows,
                        int e, int count, int width)
{
    const int entries = s->z.start[rows.like + 1] - s->z.start[rows.like];
    const pair *pairs = s->pairs + s->pair_start[e];
    e += s->z.start[rows.from];
    for (int r = rows.from; r < rows.to; r++, e += entries) {
        put(t, e, entry(pairs, count, x, width));
        x = move_on(x, s->row_step, 1);
    }
}

/* Rows that are alike: entry by entry, so that pairs are looked up once for many rows. */
INLINE void build_alike(const lv_schur *s, const target *t, sources x, lv_stretch rows,
                        int width)
{
    const int *start = s->pair_start;
    const int entries = s->z.start[rows.like + 1] - s->z.start[rows.like];
    x = move_on(x, s->row_step, rows.from - rows.like);
    for (int e = 0; e < entries; e++) {
        const int count = start[e + 1] - start[e];
        if (count == 1)
            build_entry(s, t, x, rows, e, 1, width);
        else if (count == 2)
            build_entry(s, t, x, rows, e, 2, width);
        else
            build_entry(s, t, x, rows, e, count, width);
    }
}

INLINE void build_sized(const lv_schur *s, const target *t, sources x, int width)
{
    enum { AT_ONCE = 64 }; /* rows whose values stay in the nearest cache */
    const lv_stretch before = lv_alike_stretch(s->rows, s->z.rows, 0);
    const lv_stretch alike = lv_alike_stretch(s->rows, s->z.rows, 1);
    const lv_stretch after = lv_alike_stretch(s->rows, s->z.rows, 2);
    build_rows(s, t, x, before, width);
    for (int from = alike.from; from < alike.to; from += AT_ONCE) {
        const int to = from + AT_ONCE < alike.to ? from + AT_ONCE : alike.to;
        build_alike(s, t, x, (lv_stretch){from, to, alike.like}, width);
    }
    build_rows(s, t, x, after, width);
}

INLINE void build(const lv_schur *s, const target *t, sources x)
{
    if (s->columns.width == 3 && x.factor)
        build_sized(s, t, x, 3);
    else if (s->columns.width == 3)
        build_sized(s, t, (sources){x.g, x.weighted, NULL}, 3);
    else if (s->columns.width == 2)
        build_sized(s, t, x, 2);
    else
        build_sized(s, t, x, 1);
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

/* y = A x for a pattern whose columns come in groups; x is multiplied with the factors. */
INLINE void multiply_sized(const lv_pattern *p, double *y, const double *values,
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

INLINE void spread_sized(const lv_columns *columns, double *y, double c,
                         const double *weighted, const double *x, int width)
{
    for (int part = 0; part < LV_STRETCHES; part++) {
        const lv_stretch range = lv_alike_stretch(columns->alike, columns->groups, part);
        for (int k = range.from; k < range.to; k++, y += width) {
            double sum[3];
            lv_columns_sum(columns, range, k, width, weighted, x, sum);
            for (int j = 0; j < width; j++)
                y[j] += c * sum[j];
        }
    }
}

void lv_schur_spread(const lv_schur *s, double *y, double c, const double *weighted,
                     const double *x)
{
    const lv_columns *columns = &s->columns;
    switch (columns->width) {
    case 3:
        spread_sized(columns, y, c, weighted, x, 3);
        break;
    case 2:
        spread_sized(columns, y, c, weighted, x, 2);
        break;
    default:
        spread_sized(columns, y, c, weighted, x, 1);
    }
}
