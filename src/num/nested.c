#include "num/nested.h"

#include "base/disjoint.h"
#include "base/memory.h"
#include "num/sparse.h"

typedef LV_ARRAY(int) line_list;

/* What is needed while a pattern is examined. */
typedef struct finder {
    lv_nested *nested;
    lv_arena *arena;
    const lv_pattern *pattern;
    const bool *inner;
    int *set_of; /* by line: the set of an inner line */
    int *within; /* by line: its position in its set, or among the outer lines */
    /* By set, the outer lines in its parts of B and of C */
    line_list *columns, *rows;
} finder;

/* ---- sets -------------------------------------------------------------------------- */

static void join_lines(const finder *f)
{
    const lv_pattern *p = f->pattern;
    for (int i = 0; i < p->rows; i++)
        f->set_of[i] = i;
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (f->inner[i] && f->inner[p->column[e]])
                lv_disjoint_join(f->set_of, i, p->column[e]);
    for (int i = 0; i < p->rows; i++)
        f->set_of[i] = lv_disjoint_find(f->set_of, i);
}

/* Numbers the sets by their first lines, and the outer lines; counts both. */
static void number_lines(const finder *f)
{
    lv_nested *w = f->nested;
    for (int i = 0; i < f->pattern->rows; i++) {
        if (!f->inner[i])
            f->within[i] = w->outer_count++;
        else /* the set of an earlier line is numbered already */
            f->set_of[i] = f->set_of[i] == i ? w->set_count++ : f->set_of[f->set_of[i]];
    }
}

static bool list_lines(const finder *f)
{
    lv_nested *w = f->nested;
    w->sets = lv_arena_alloc(f->arena, (size_t)w->set_count + 1, sizeof *w->sets);
    w->outer = lv_arena_alloc(f->arena, (size_t)w->outer_count + 1, sizeof *w->outer);
    if (!w->sets || !w->outer)
        return false;
    for (int i = 0; i < f->pattern->rows; i++)
        if (f->inner[i])
            f->within[i] = w->sets[f->set_of[i]].size++;
        else
            w->outer[f->within[i]] = i;
    for (int k = 0; k < w->set_count; k++) {
        lv_nested_set *s = &w->sets[k];
        s->lines = lv_arena_alloc(f->arena, (size_t)s->size, sizeof *s->lines);
        s->pivot = lv_arena_alloc(f->arena, (size_t)s->size, sizeof *s->pivot);
        if (!s->lines || !s->pivot)
            return false;
    }
    for (int i = 0; i < f->pattern->rows; i++)
        if (f->inner[i])
            w->sets[f->set_of[i]].lines[f->within[i]] = i;
    return true;
}

/* Whether there are several sets, none of which is large. */
static bool are_small(const lv_nested *w)
{
    for (int k = 0; k < w->set_count; k++)
        if (w->sets[k].size > LV_NESTED_MOST)
            return false;
    return w->set_count > 1;
}

/* ---- what joins them --------------------------------------------------------------- */

static int find_line(const int *list, int count, int line)
{
    for (int k = 0; k < count; k++)
        if (list[k] == line)
            return k;
    return -1;
}

/* Lists that are too long already need no more lines. */
static bool add_line(line_list *list, int line)
{
    return list->count > LV_NESTED_JOINED_MOST ||
           find_line(list->data, list->count, line) >= 0 || LV_PUSH(*list, line);
}

static bool list_neighbours(const finder *f)
{
    const lv_pattern *p = f->pattern;
    bool ok = true;
    for (int i = 0; ok && i < p->rows; i++)
        for (int e = p->start[i]; ok && e < p->start[i + 1]; e++) {
            const int j = p->column[e];
            if (f->inner[i] && !f->inner[j])
                ok = add_line(&f->columns[f->set_of[i]], f->within[j]);
            if (!f->inner[i] && f->inner[j])
                ok = add_line(&f->rows[f->set_of[j]], f->within[i]);
        }
    return ok;
}

static bool are_few(const finder *f)
{
    for (int k = 0; k < f->nested->set_count; k++)
        if (f->columns[k].count > LV_NESTED_JOINED_MOST ||
            f->rows[k].count > LV_NESTED_JOINED_MOST)
            return false;
    return true;
}

static int *keep_list(const finder *f, const line_list *list)
{
    return lv_arena_copy(f->arena, list->data, (size_t)list->count, sizeof *list->data);
}

static bool keep_neighbours(const finder *f)
{
    lv_nested *w = f->nested;
    int at = 0;
    for (int k = 0; k < w->set_count; k++) {
        lv_nested_set *s = &w->sets[k];
        s->columns = f->columns[k].count;
        s->rows = f->rows[k].count;
        s->column = keep_list(f, &f->columns[k]);
        s->row = keep_list(f, &f->rows[k]);
        s->slots = lv_arena_alloc(f->arena, (size_t)(s->rows * s->columns) + 1,
                                  sizeof *s->slots);
        if ((s->columns > 0 && !s->column) || (s->rows > 0 && !s->row) || !s->slots)
            return false;
        s->width = (s->columns + LV_NESTED_PIECE - 1) / LV_NESTED_PIECE * LV_NESTED_PIECE;
        s->first = at;
        s->push = s->first + s->size * s->size;
        s->pull = s->push + s->size * s->width;
        at = s->pull + s->size * s->rows;
    }
    w->value_count = at;
    return true;
}

/* Returns false if there is no memory; *few tells whether no set joins too many lines. */
static bool find_neighbours(finder *f, bool *few)
{
    const size_t count = (size_t)f->nested->set_count + 1;
    line_list *all = lv_memory_zeroed(2 * count, sizeof *all);
    f->columns = all;
    f->rows = all ? all + count : NULL;
    bool ok = all && list_neighbours(f);
    *few = ok && are_few(f);
    if (*few)
        ok = keep_neighbours(f);
    for (size_t k = 0; all && k < 2 * count; k++)
        LV_ARRAY_FREE(all[k]);
    lv_memory_free(all);
    return ok;
}

/* ---- the rest ---------------------------------------------------------------------- */

static bool list_entry(lv_entry_list *list, int row, int column)
{
    return LV_PUSH(*list, ((lv_entry_place){row, column}));
}

/* The entries of D, then those of C N^-1 B, set by set. */
static bool list_rest(const finder *f, lv_entry_list *list)
{
    const lv_pattern *p = f->pattern;
    bool ok = true;
    for (int i = 0; i < p->rows && ok; i++)
        for (int e = p->start[i]; e < p->start[i + 1] && ok; e++)
            if (!f->inner[i] && !f->inner[p->column[e]])
                ok = list_entry(list, f->within[i], f->within[p->column[e]]);
    for (int k = 0; k < f->nested->set_count; k++) {
        const lv_nested_set *s = &f->nested->sets[k];
        for (int r = 0; r < s->rows && ok; r++)
            for (int c = 0; c < s->columns && ok; c++)
                ok = list_entry(list, s->row[r], s->column[c]);
    }
    return ok;
}

/* Where an entry of the matrix is stored. `next` counts the entries of D. */
static int place_entry(const finder *f, int i, int j, const int **next)
{
    const lv_nested *w = f->nested;
    if (!f->inner[i] && !f->inner[j])
        return w->value_count + lv_linear_slots(w->rest)[*(*next)++];
    const lv_nested_set *s = &w->sets[f->set_of[f->inner[i] ? i : j]];
    if (f->inner[i] && f->inner[j])
        return s->first + f->within[i] * s->size + f->within[j];
    if (f->inner[i])
        return s->push + f->within[i] * s->width +
               find_line(s->column, s->columns, f->within[j]);
    return s->pull + find_line(s->row, s->rows, f->within[i]) * s->size + f->within[j];
}

static const int *place_products(const lv_nested *w, lv_nested_set *s, const int *entry)
{
    const int *slots = s->rows * s->columns > 0 ? lv_linear_slots(w->rest) : NULL;
    s->straight = true;
    for (int r = 0; r < s->rows; r++)
        for (int c = 0; c < s->columns; c++) {
            int *at = &s->slots[r * s->columns + c];
            *at = slots[*entry++];
            s->straight = s->straight && (c == 0 || at[0] == at[-1] + 1);
        }
    return entry;
}

static void place_all(const finder *f, int *slot, const int *entry)
{
    const lv_pattern *p = f->pattern;
    lv_nested *w = f->nested;
    for (int k = 0; k < w->outer_count; k++)
        w->diagonal[k] = -1;
    for (int i = 0; i < p->rows; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            slot[e] = place_entry(f, i, p->column[e], &entry);
            if (p->column[e] == i && !f->inner[i])
                w->diagonal[f->within[i]] = slot[e] - w->value_count;
        }
    for (int k = 0; k < w->set_count; k++)
        entry = place_products(w, &w->sets[k], entry);
}

static lv_status make_rest(const finder *f, int *slot, lv_error *err)
{
    lv_nested *w = f->nested;
    const int n = w->outer_count;
    lv_entry_list list = {0};
    w->diagonal = lv_arena_alloc(f->arena, (size_t)n + 1, sizeof *w->diagonal);
    const bool ok = w->diagonal && list_rest(f, &list);
    int *entry = ok ? lv_memory_zeroed((size_t)list.count + 1, sizeof *entry) : NULL;
    lv_status status = entry ? lv_pattern_build(&w->pattern, entry, f->arena, list.data,
                                                list.count, n, n, err)
                             : lv_fail_memory(err);
    if (status == LV_OK && n > 0)
        status = lv_linear_create(&w->rest, &w->pattern, LV_BACK_END_AUTO, NULL, err);
    if (status == LV_OK)
        place_all(f, slot, entry);
    lv_memory_free(entry);
    LV_ARRAY_FREE(list);
    return status;
}

/* ---- all of it --------------------------------------------------------------------- */

static lv_status find(finder *f, bool *good, int *slot, lv_error *err)
{
    join_lines(f);
    number_lines(f);
    if (!list_lines(f))
        return lv_fail_memory(err);
    if (are_small(f->nested) && !find_neighbours(f, good))
        return lv_fail_memory(err);
    return *good ? make_rest(f, slot, err) : LV_OK;
}

lv_status lv_nested_find(lv_nested *nested, bool *good, int *slot, lv_arena *arena,
                         const lv_pattern *pattern, const bool *inner, lv_error *err)
{
    const size_t n = (size_t)pattern->rows + 1;
    int *numbers = lv_memory_zeroed(2 * n, sizeof *numbers);
    finder f = {.nested = nested,
                .arena = arena,
                .pattern = pattern,
                .inner = inner,
                .set_of = numbers,
                .within = numbers ? numbers + n : NULL};
    *good = false;
    const lv_status status = numbers ? find(&f, good, slot, err) : lv_fail_memory(err);
    lv_memory_free(numbers);
    return status;
}
