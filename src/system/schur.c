#include "system/schur.h"

#include "base/arena.h"
#include "base/bucket.h"
#include "base/inline.h"
#include "base/memory.h"
#include "num/sound.h"
#include "system/sparse.h"

#include <assert.h>

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
    int *pair_start; /* of each entry of z */
    pair *pairs;
    lv_alike rows;      /* of z */
    pair row_step;      /* from one alike row to the next */
    lv_columns columns; /* of weighted */
    double *factor;     /* room for the columns' */
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

typedef LV_ARRAY(pair) pair_list;

/* All pairs, with the entries of Z they belong to: coordinates that row r of g and row c of
 * weighted share. */
static bool list_pairs(const lv_schur *s, lv_entry_list *entries, pair_list *pairs)
{
    const lv_columns *c = &s->columns;
    for (int r = 0; r < s->g->rows; r++)
        for (int e = s->g->start[r]; e < s->g->start[r + 1]; e += c->width) {
            int group = s->g->column[e] / c->width;
            for (int k = c->start[group]; k < c->start[group + 1]; k++)
                if (!LV_PUSH(*entries, ((lv_entry_place){r, c->touch[k].row})) ||
                    !LV_PUSH(*pairs, ((pair){e, c->touch[k].entry, group})))
                    return false;
        }
    return true;
}

/* Sorts the pairs by the entry of Z they belong to, keeping their order. */
static lv_status sort_pairs(lv_schur *s, const pair_list *pairs, const int *slot,
                            lv_error *err)
{
    int nz = lv_pattern_entries(&s->z);
    int *start = lv_arena_alloc(&s->arena, (size_t)nz + 2, sizeof *start);
    s->pairs = lv_arena_alloc(&s->arena, (size_t)pairs->count, sizeof *s->pairs);
    s->pair_start = start;
    if (!start || !s->pairs)
        return lv_fail_memory(err);
    lv_bucket_begin(start, slot, pairs->count, nz);
    for (int k = 0; k < pairs->count; k++)
        s->pairs[lv_bucket_place(start, slot[k])] = pairs->data[k];
    return LV_OK;
}

static pair first_pair(const lv_schur *s, int row)
{
    return s->pairs[s->pair_start[s->z.start[row]]];
}

static pair pair_step(const lv_schur *s, int row)
{
    const pair a = first_pair(s, row), b = first_pair(s, row + 1);
    return (pair){b.g - a.g, b.w - a.w, b.group - a.group};
}

/* Is `row` of Z made as row `first` is? */
static bool is_like_row(const lv_schur *s, int first, int row)
{
    const int *start = s->z.start, entries = start[first + 1] - start[first];
    const int apart = row - first;
    if (entries == 0 || start[row + 1] - start[row] != entries)
        return false;
    const pair step = pair_step(s, first);
    for (int e = 0; e < entries; e++) {
        const int i = s->pair_start[start[first] + e], j = s->pair_start[start[row] + e];
        const int count = s->pair_start[start[first] + e + 1] - i;
        if (s->pair_start[start[row] + e + 1] - j != count)
            return false;
        for (int k = 0; k < count; k++) {
            const pair a = s->pairs[i + k], b = s->pairs[j + k];
            if (b.g - a.g != apart * step.g || b.w - a.w != apart * step.w ||
                b.group - a.group != apart * step.group)
                return false;
        }
    }
    return true;
}

static lv_status find_pairs(lv_schur *s, lv_error *err)
{
    lv_entry_list entries = {0};
    pair_list pairs = {0};
    bool ok = list_pairs(s, &entries, &pairs);
    int count = entries.count, m = s->g->rows;
    int *slot = ok ? lv_memory_zeroed((size_t)count + 1, sizeof *slot) : NULL;
    lv_status status =
        slot ? lv_pattern_build(&s->z, slot, &s->arena, entries.data, count, m, m, err)
             : lv_fail_memory(err);
    if (status == LV_OK)
        status = sort_pairs(s, &pairs, slot, err);
    if (status == LV_OK)
        s->rows = longest_stretch(s, m, is_like_row);
    if (status == LV_OK && s->rows.count > 0)
        s->row_step = pair_step(s, s->rows.first);
    lv_memory_free(slot);
    LV_ARRAY_FREE(entries);
    LV_ARRAY_FREE(pairs);
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

const lv_columns *lv_schur_columns(const lv_schur *s)
{
    return &s->columns;
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

LV_HOT void lv_schur_weigh(const lv_schur *s, double *weighted, const lv_mass *mass,
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

/* Rows each for itself. */
INLINE void build_rows(const lv_schur *s, const target *t, sources x, lv_stretch rows,
                       int width)
{
    const int *start = s->pair_start;
    for (int e = s->z.start[rows.from]; e < s->z.start[rows.to]; e++)
        put(t, e, entry(s->pairs + start[e], start[e + 1] - start[e], x, width));
}

/* One entry in all of the rows: `count` pairs, entry e of the first row. */
INLINE void build_entry(const lv_schur *s, const target *t, sources x, lv_stretch rows,
                        int e, int count, int width)
{
    const int entries = s->z.start[rows.like + 1] - s->z.start[rows.like];
    const pair *pairs = s->pairs + s->pair_start[s->z.start[rows.like] + e];
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
    const int *start = s->pair_start + s->z.start[rows.like];
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

LV_HOT void lv_schur_store(const lv_schur *s, double *storage, const int *slot, double c,
                           const double *g, const double *weighted)
{
    const target t = {storage, slot, c, false};
    const double *factor = s->columns.factor;
    if (s->columns.width == 3 && factor)
        build_sized(s, &t, (sources){g, weighted, factor}, 3);
    else if (s->columns.width == 3)
        build_sized(s, &t, (sources){g, weighted, NULL}, 3);
    else
        build_sized(s, &t, (sources){g, weighted, factor}, s->columns.width);
}

void lv_schur_add(const lv_schur *s, double *storage, const int *slot, double c,
                  const double *g, const double *weighted)
{
    const target t = {storage, slot, c, true};
    build_rows(s, &t, (sources){g, weighted, s->columns.factor},
               (lv_stretch){0, s->z.rows, -1}, s->columns.width);
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

LV_HOT void lv_schur_rate(const lv_schur *s, double *y, const double *g, const double *x)
{
    if (s->columns.width == 3)
        multiply_sized(s->g, y, g, x, NULL, 3);
    else
        multiply_sized(s->g, y, g, x, NULL, s->columns.width);
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

LV_HOT void lv_schur_spread(const lv_schur *s, double *y, double c,
                            const double *weighted, const double *x)
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
