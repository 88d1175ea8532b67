#include "system/quadratic.h"

#include "base/arena.h"
#include "base/bucket.h"
#include "base/memory.h"
#include "system/sparse.h"

#include <stddef.h>

/* H times coordinate `from` belongs to an entry of the Jacobian. */
typedef struct part {
    int entry, from;
    double h;
} part;

typedef LV_ARRAY(part) part_list;

struct lv_quadratic {
    lv_arena arena;
    int entries;
    int each;   /* how many parts every entry has; -1: not all have the same */
    int *start; /* parts of each entry */
    int *from;
    double *h;
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

static int parts_of_each(const lv_quadratic *q)
{
    const int each = q->entries > 0 ? q->start[1] : 0;
    for (int e = 0; e < q->entries; e++)
        if (q->start[e + 1] - q->start[e] != each)
            return -1;
    return each;
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
    if (!key || !q->start || !q->from || !q->h)
        return lv_fail_memory(err);
    for (int k = 0; k < s->parts.count; k++)
        key[k] = s->parts.data[k].entry;
    lv_bucket_begin(q->start, key, s->parts.count, q->entries);
    for (int k = 0; k < s->parts.count; k++) {
        const int place = lv_bucket_place(q->start, key[k]);
        q->from[place] = s->parts.data[k].from;
        q->h[place] = s->parts.data[k].h;
    }
    q->each = parts_of_each(q);
    return LV_OK;
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

/* Rods and joints between points have two parts to each entry: nothing is to be looked up. */
static double turn_two(const lv_quadratic *q, int e, const double *x)
{
    const int *from = q->from + (ptrdiff_t)(2 * e);
    const double *h = q->h + (ptrdiff_t)(2 * e);
    return h[0] * x[from[0]] + h[1] * x[from[1]];
}

static double turn_any(const lv_quadratic *q, int e, const double *x)
{
    double sum = 0;
    for (int k = q->start[e]; k < q->start[e + 1]; k++)
        sum += q->h[k] * x[q->from[k]];
    return sum;
}

void lv_quadratic_turn(const lv_quadratic *q, double *restrict turned, const double *g,
                       const double *x)
{
    if (q->each == 2 && g)
        for (int e = 0; e < q->entries; e++)
            turned[e] = g[e] + turn_two(q, e, x);
    else if (q->each == 2)
        for (int e = 0; e < q->entries; e++)
            turned[e] = turn_two(q, e, x);
    else
        for (int e = 0; e < q->entries; e++)
            turned[e] = (g ? g[e] : 0) + turn_any(q, e, x);
}
