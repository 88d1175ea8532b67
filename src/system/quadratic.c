#include "system/quadratic.h"

#include "base/arena.h"
#include "base/bucket.h"
#include "base/inline.h"
#include "base/memory.h"
#include "num/extent.h"
#include "system/sparse.h"

#include <stddef.h>

/* H times coordinate `from` belongs to an entry of the Jacobian. */
typedef struct part {
    int entry, from;
    double h;
} part;

typedef LV_ARRAY(part) part_list;

/* Entries one after the other whose parts come from coordinates one after the other, with the same H: those of
 * a point in a rod or joint. Both parts may be one and the same, then the second H is 0. */
typedef struct run {
    int from[2];
    double h[2];
} run;

struct lv_quadratic {
    lv_arena arena;
    const lv_pattern *g;
    int entries;
    int *start; /* parts of each entry */
    int *from;
    double *h;
    int length; /* of the runs that all entries are in; 0: they are not */
    run *runs;
    int run_count;
    double *x; /* by coordinates */
};

/* T(x) is linear: with 1 for one coordinate and 0 for the others it shows a line of H. Coordinates that never
 * meet in a constraint can be asked about at once; they are said to have one colour. */
typedef struct search {
    lv_arena arena;
    const lv_pattern *g;
    int *row;          /* of each entry */
    int *start, *list; /* entries by coordinate */
    int *colour, colours;
    double *q, *v; /* a point, and whom is asked about */
    part_list parts;
    bool odd; /* something depends on a coordinate that its Jacobian does not show */
} search;

enum { MOST_COLOURS = 64 };

/* ---- colours ---------------------------------------------------------------------------------------- */

static lv_status make_room(search *s, lv_error *err)
{
    const size_t n = (size_t)s->g->columns, entries = (size_t)lv_pattern_entries(s->g);
    s->row = lv_arena_alloc(&s->arena, entries + 1, sizeof *s->row);
    s->start = lv_arena_alloc(&s->arena, n + 2, sizeof *s->start);
    s->list = lv_arena_alloc(&s->arena, entries + 1, sizeof *s->list);
    s->colour = lv_arena_alloc(&s->arena, n + 1, sizeof *s->colour);
    s->q = lv_arena_alloc(&s->arena, n + 1, sizeof *s->q);
    s->v = lv_arena_alloc(&s->arena, n + 1, sizeof *s->v);
    const bool room = s->row && s->start && s->list && s->colour && s->q && s->v;
    return room ? LV_OK : lv_fail_memory(err);
}

static void list_entries(search *s)
{
    const lv_pattern *g = s->g;
    for (int r = 0; r < g->rows; r++)
        for (int e = g->start[r]; e < g->start[r + 1]; e++)
            s->row[e] = r;
    lv_bucket_begin(s->start, g->column, lv_pattern_entries(g), g->columns);
    for (int e = 0; e < lv_pattern_entries(g); e++)
        s->list[lv_bucket_place(s->start, g->column[e])] = e;
}

/* The first colour that no coordinate before it has which meets it. */
static int free_colour(const search *s, int i)
{
    bool taken[MOST_COLOURS + 1] = {false};
    int free = 0;
    for (int k = s->start[i]; k < s->start[i + 1]; k++) {
        const int r = s->row[s->list[k]];
        for (int e = s->g->start[r]; e < s->g->start[r + 1]; e++)
            if (s->g->column[e] < i)
                taken[s->colour[s->g->column[e]]] = true;
    }
    while (free < MOST_COLOURS && taken[free])
        free++;
    return free;
}

/* false: too many are needed. */
static bool choose_colours(search *s)
{
    for (int i = 0; i < s->g->columns; i++) {
        s->colour[i] = free_colour(s, i);
        s->colours = s->colour[i] >= s->colours ? s->colour[i] + 1 : s->colours;
        if (s->colours > MOST_COLOURS)
            return false;
    }
    return true;
}

/* ---- second derivatives ----------------------------------------------------------------------------- */

/* The coordinate of a colour in a row, -1: none. */
static int coordinate_of(const search *s, int row, int colour)
{
    for (int e = s->g->start[row]; e < s->g->start[row + 1]; e++)
        if (s->colour[s->g->column[e]] == colour)
            return s->g->column[e];
    return -1;
}

/* -1: none */
static int entry_of(const lv_pattern *g, int row, int column)
{
    for (int e = g->start[row]; e < g->start[row + 1]; e++)
        if (g->column[e] == column)
            return e;
    return -1;
}

/* What a colour shows of the rows. */
static bool add_parts(search *s, const lv_pattern *turn, const double *values, int colour)
{
    for (int r = 0; r < turn->rows; r++) {
        const int from = coordinate_of(s, r, colour);
        for (int e = turn->start[r]; from >= 0 && e < turn->start[r + 1]; e++) {
            const part p = {entry_of(s->g, r, turn->column[e]), from, values[e]};
            if (p.h == 0)
                continue;
            s->odd |= p.entry < 0;
            if (!LV_PUSH(s->parts, p))
                return false;
        }
    }
    return true;
}

static lv_status find_parts(search *s, lv_plan *rate, lv_error *err)
{
    const lv_point at = {.q = s->q, .v = s->v};
    for (int c = 0; c < s->colours; c++) {
        for (int i = 0; i < s->g->columns; i++)
            s->v[i] = s->colour[i] == c;
        lv_plan_run(rate, &at);
        if (!add_parts(s, lv_plan_pattern(rate, LV_Q_RATE_Q),
                       lv_plan_result(rate, LV_Q_RATE_Q), c))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

/* An entry as a run of its own; it has at most two parts. */
static run run_of(const lv_quadratic *q, int e)
{
    run r = {{0, 0}, {0, 0}};
    const int first = q->start[e], count = q->start[e + 1] - first;
    for (int k = 0; k < 2 && count > 0; k++) {
        r.from[k] = q->from[k < count ? first + k : first];
        r.h[k] = k < count ? q->h[first + k] : 0;
    }
    return r;
}

static bool continues(const run *r, const run *next, int by)
{
    return next->from[0] == r->from[0] + by && next->from[1] == r->from[1] + by &&
           next->h[0] == r->h[0] && next->h[1] == r->h[1];
}

/* Are all entries in runs of this length? */
static bool has_runs(const lv_quadratic *q, int length)
{
    bool yes = q->entries % length == 0;
    for (int e = 0; e < q->entries && yes; e++) {
        const run first = run_of(q, e - e % length), own = run_of(q, e);
        yes = q->start[e + 1] - q->start[e] <= 2 && continues(&first, &own, e % length);
    }
    return yes;
}

static lv_status find_runs(lv_quadratic *q, lv_error *err)
{
    q->length = 3;
    while (q->length > 0 && !has_runs(q, q->length))
        q->length--;
    if (q->length == 0)
        return LV_OK;
    q->run_count = q->entries / q->length;
    q->runs = lv_arena_alloc(&q->arena, (size_t)q->run_count + 1, sizeof *q->runs);
    if (!q->runs)
        return lv_fail_memory(err);
    for (int k = 0; k < q->run_count; k++)
        q->runs[k] = run_of(q, k * q->length);
    return LV_OK;
}

/* Parts by the entry they belong to. */
static lv_status sort_parts(lv_quadratic *q, search *s, lv_error *err)
{
    const size_t count = (size_t)s->parts.count;
    int *key = lv_arena_alloc(&s->arena, count + 1, sizeof *key);
    q->entries = lv_pattern_entries(s->g);
    q->start = lv_arena_alloc(&q->arena, (size_t)q->entries + 2, sizeof *q->start);
    q->from = lv_arena_alloc(&q->arena, count + 1, sizeof *q->from);
    q->h = lv_arena_alloc(&q->arena, count + 1, sizeof *q->h);
    q->x = lv_arena_alloc(&q->arena, (size_t)q->g->columns + 1, sizeof *q->x);
    if (!key || !q->start || !q->from || !q->h || !q->x)
        return lv_fail_memory(err);
    for (int k = 0; k < s->parts.count; k++)
        key[k] = s->parts.data[k].entry;
    lv_bucket_begin(q->start, key, s->parts.count, q->entries);
    for (int k = 0; k < s->parts.count; k++) {
        const int place = lv_bucket_place(q->start, key[k]);
        q->from[place] = s->parts.data[k].from;
        q->h[place] = s->parts.data[k].h;
    }
    return find_runs(q, err);
}

static lv_status fill(lv_quadratic *q, search *s, lv_plan *rate, bool *fits,
                      lv_error *err)
{
    LV_TRY(make_room(s, err));
    list_entries(s);
    *fits = choose_colours(s);
    if (!*fits)
        return LV_OK;
    LV_TRY(find_parts(s, rate, err));
    *fits = !s->odd;
    return *fits ? sort_parts(q, s, err) : LV_OK;
}

lv_status lv_quadratic_create(lv_quadratic **result, lv_plan *rate, const lv_pattern *g,
                              lv_error *err)
{
    search s = {.g = g};
    bool fits = false;
    lv_quadratic *q = lv_memory_zeroed(1, sizeof *q);
    *result = NULL;
    if (!q)
        return lv_fail_memory(err);
    q->g = g;
    lv_status status = fill(q, &s, rate, &fits, err);
    LV_ARRAY_FREE(s.parts);
    lv_arena_done(&s.arena);
    if (status == LV_OK && fits)
        *result = q;
    else
        lv_quadratic_free(q);
    return status;
}

void lv_quadratic_free(lv_quadratic *q)
{
    if (!q)
        return;
    lv_arena_done(&q->arena);
    lv_memory_free(q);
}

/* ---- use ------------------------------------------------------------------------------------------- */

static double turn_any(const lv_quadratic *q, int e, const double *x)
{
    double sum = 0;
    for (int k = q->start[e]; k < q->start[e + 1]; k++)
        sum += q->h[k] * x[q->from[k]];
    return sum;
}

/* Entries of a run share what they are made of. */
LV_INLINE void turn_runs(const lv_quadratic *q, double *restrict turned, const double *g,
                         const double *x, int length)
{
    for (int k = 0; k < q->run_count; k++) {
        const run *r = &q->runs[k];
        const double *one = x + r->from[0], *other = x + r->from[1];
        for (int j = 0; j < length; j++, turned++)
            *turned = (g ? *g++ : 0) + (r->h[0] * one[j] + r->h[1] * other[j]);
    }
}

LV_INLINE void turn(const lv_quadratic *q, double *restrict turned, const double *g,
                    const double *x)
{
    if (q->length == 3)
        turn_runs(q, turned, g, x, 3);
    else if (q->length == 2)
        turn_runs(q, turned, g, x, 2);
    else if (q->length == 1)
        turn_runs(q, turned, g, x, 1);
    else
        for (int e = 0; e < q->entries; e++)
            turned[e] = (g ? g[e] : 0) + turn_any(q, e, x);
}

LV_HOT void lv_quadratic_turn(const lv_quadratic *q, double *restrict turned,
                              const double *g, const double *x)
{
    if (g)
        turn(q, turned, g, x);
    else
        turn(q, turned, NULL, x);
}

double lv_quadratic_bend(const lv_quadratic *q, const double *g)
{
    double bend = 0;
    for (int r = 0; r < q->g->rows; r++) {
        const int first = q->g->start[r], end = q->g->start[r + 1];
        const double h =
            lv_extent(q->h + q->start[first], q->start[end] - q->start[first]);
        const double own = h > 0 ? h / lv_extent(g + first, end - first) : 0;
        bend = own > bend ? own : bend;
    }
    return bend;
}

/* Some of the terms of (G + G') x. */
LV_INLINE double product(const double *g, const double *other, const double *x, int count)
{
    double sum = 0;
    for (int j = 0; j < count; j++)
        sum += (g[j] + other[j]) * x[j];
    return sum;
}

/* g' = g + (G + G') x / 2, where entries come in `count`s of neighbours. */
LV_INLINE void add_products(const lv_pattern *p, const lv_quadratic_place *from,
                            const double *x, const double *jacobian, double *restrict g,
                            int count)
{
    for (int r = 0; r < p->rows; r++) {
        double sum = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e += count)
            sum += product(from->jacobian + e, jacobian + e, x + p->column[e], count);
        g[r] = from->g[r] + 0.5 * sum;
    }
}

LV_HOT void lv_quadratic_follow(const lv_quadratic *quadratic,
                                const lv_quadratic_place *from, const double *q,
                                double *restrict g, double *restrict jacobian)
{
    const lv_pattern *p = quadratic->g;
    double *restrict x = quadratic->x;
    for (int i = 0; i < p->columns; i++)
        x[i] = q[i] - from->q[i];
    turn(quadratic, jacobian, from->jacobian, x);
    if (p->threes)
        add_products(p, from, x, jacobian, g, 3);
    else
        add_products(p, from, x, jacobian, g, 1);
}
