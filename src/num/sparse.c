#include "num/sparse.h"

#include "base/inline.h"
#include "base/wide.h"

#include <assert.h>
#include <string.h>

int lv_pattern_entries(const lv_pattern *p)
{
    return p->start[p->rows];
}

/* Stable counting sort of entry numbers by key[entry], which is 0..keys-1: order[] in,
 * sorted[] out. */
static void counting_sort(int *sorted, const int *order, int count, const int *key,
                          int *start, int keys)
{
    memset(start, 0, ((size_t)keys + 1) * sizeof *start);
    for (int k = 0; k < count; k++)
        start[key[k] + 1]++;
    for (int k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (int k = 0; k < count; k++)
        sorted[start[key[order[k]]]++] = order[k];
}

typedef struct sorter {
    int *key, *order, *sorted, *start;
} sorter;

static bool sorter_init(sorter *s, int count, int rows, int columns)
{
    size_t n = (size_t)count + 1, most = (size_t)(rows > columns ? rows : columns) + 2;
    int *all = lv_memory_zeroed(3 * n + most, sizeof *all);
    *s = (sorter){all, all ? all + n : NULL, all ? all + 2 * n : NULL,
                  all ? all + 3 * n : NULL};
    return all != NULL;
}

/* Leaves in s->order the entries sorted by row, then column. */
static void sort_entries(sorter *s, const lv_entry_place *entries, int count, int rows,
                         int columns)
{
    for (int k = 0; k < count; k++) {
        s->order[k] = k;
        s->key[k] = entries[k].column;
    }
    counting_sort(s->sorted, s->order, count, s->key, s->start, columns);
    for (int k = 0; k < count; k++)
        s->key[k] = entries[k].row;
    counting_sort(s->order, s->sorted, count, s->key, s->start, rows);
}

static bool comes_in_threes(const lv_pattern *p)
{
    bool yes = true;
    for (int r = 0; r < p->rows && yes; r++) {
        yes = (p->start[r + 1] - p->start[r]) % 3 == 0;
        for (int e = p->start[r]; e < p->start[r + 1] && yes; e += 3)
            yes = p->column[e + 2] == p->column[e] + 2;
    }
    return yes;
}

lv_status lv_pattern_build(lv_pattern *pattern, int *slot, lv_arena *arena,
                           const lv_entry_place *entries, int count, int rows,
                           int columns, lv_error *err)
{
    assert(count >= 0 && rows >= 0 && columns >= 0);
    sorter s;
    int *start = lv_arena_alloc(arena, (size_t)rows + 1, sizeof *start);
    int *column = lv_arena_alloc(arena, (size_t)count, sizeof *column);
    if (!start || !column || !sorter_init(&s, count, rows, columns))
        return lv_fail_memory(err);
    sort_entries(&s, entries, count, rows, columns);

    int used = 0;
    for (int k = 0; k < count; k++) {
        const lv_entry_place e = entries[s.order[k]];
        const lv_entry_place before =
            k > 0 ? entries[s.order[k - 1]] : (lv_entry_place){-1, -1};
        if (e.row != before.row || e.column != before.column) {
            column[used++] = e.column;
            start[e.row + 1] = used;
        }
        if (slot)
            slot[s.order[k]] = used - 1;
    }
    for (int r = 0; r < rows; r++) /* fills in the starts of rows without entries */
        if (start[r + 1] < start[r])
            start[r + 1] = start[r];
    lv_memory_free(s.key);
    *pattern = (lv_pattern){rows, columns, start, column, false};
    pattern->threes = comes_in_threes(pattern);
    return LV_OK;
}

/* Rows of threes are mostly one or two of them, such as distances of two points. */
LV_INLINE double dot_three(const double *v, const double *x)
{
    return v[0] * x[0] + v[1] * x[1] + v[2] * x[2];
}

LV_INLINE void multiply_threes(const lv_pattern *p, const double *values, double c,
                               const double *x, double *restrict y)
{
    for (int r = 0, e = p->start[0]; r < p->rows; r++) {
        const int end = p->start[r + 1];
        double sum = 0;
        if (end - e == 6)
            sum = dot_three(values + e, x + p->column[e]) +
                  dot_three(values + e + 3, x + p->column[e + 3]);
        else
            for (int i = e; i < end; i += 3)
                sum += dot_three(values + i, x + p->column[i]);
        y[r] += c * sum;
        e = end;
    }
}

LV_INLINE void multiply_any(const lv_pattern *p, const double *values, double c,
                            const double *x, double *restrict y)
{
    for (int r = 0; r < p->rows; r++) {
        double sum = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            sum += values[e] * x[p->column[e]];
        y[r] += c * sum;
    }
}

LV_INLINE void add_three(double *to, const double *values, double factor)
{
    to[0] += values[0] * factor;
    to[1] += values[1] * factor;
    to[2] += values[2] * factor;
}

LV_INLINE void transpose_threes(const lv_pattern *p, const double *values, double c,
                                const double *x, double *restrict y)
{
    for (int r = 0, e = p->start[0]; r < p->rows; r++) {
        const int end = p->start[r + 1];
        const double factor = c * x[r];
        if (end - e == 6) {
            add_three(y + p->column[e], values + e, factor);
            add_three(y + p->column[e + 3], values + e + 3, factor);
        } else
            for (int i = e; i < end; i += 3)
                add_three(y + p->column[i], values + i, factor);
        e = end;
    }
}

LV_INLINE void transpose_any(const lv_pattern *p, const double *values, double c,
                             const double *x, double *restrict y)
{
    for (int r = 0; r < p->rows; r++) {
        const double factor = c * x[r];
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            y[p->column[e]] += values[e] * factor;
    }
}

LV_INLINE void product(const lv_pattern *p, const double *values, double c,
                       const double *x, double *y, bool transposed)
{
    if (p->threes && transposed)
        transpose_threes(p, values, c, x, y);
    else if (p->threes)
        multiply_threes(p, values, c, x, y);
    else if (transposed)
        transpose_any(p, values, c, x, y);
    else
        multiply_any(p, values, c, x, y);
}

static void product_plain(const lv_pattern *p, const double *values, double c,
                          const double *x, double *y, bool transposed)
{
    product(p, values, c, x, y, transposed);
}

LV_WIDE static void product_wide(const lv_pattern *p, const double *values, double c,
                                 const double *x, double *y, bool transposed)
{
    product(p, values, c, x, y, transposed);
}

void lv_sparse_multiply(const lv_pattern *p, const double *values, double c,
                        const double *x, double *y)
{
    assert(x != y);
    (lv_is_wide() ? product_wide : product_plain)(p, values, c, x, y, false);
}

void lv_sparse_multiply_transposed(const lv_pattern *p, const double *values, double c,
                                   const double *x, double *y)
{
    assert(x != y);
    (lv_is_wide() ? product_wide : product_plain)(p, values, c, x, y, true);
}
