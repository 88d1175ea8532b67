#include "system/blocks.h"

#include "base/disjoint.h"
#include "num/rank.h"

#include <string.h>

void lv_blocks_done(lv_blocks *b)
{
    LV_ARRAY_FREE(b->entries);
}

lv_status lv_blocks_add(lv_blocks *b, int row, int column, double value, lv_error *err)
{
    lv_blocks_entry entry = {row, column, value};
    if (b->entries.count >= LV_BLOCKS_ENTRIES) {
        b->too_many = true;
        return LV_OK;
    }
    return LV_PUSH(b->entries, entry) ? LV_OK : lv_fail_memory(err);
}

lv_status lv_blocks_add_result(lv_blocks *b, const lv_plan *plan, lv_quantity quantity,
                               int row, lv_error *err)
{
    const lv_pattern *p = lv_plan_pattern(plan, quantity);
    const double *values = lv_plan_result(plan, quantity);
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            LV_TRY(lv_blocks_add(b, row + r, p->column[e], values[e], err));
    return LV_OK;
}

/* Rows are numbered 0..rows-1, columns rows..rows+columns-1. */
typedef struct split {
    int *parent; /* disjoint sets of rows and columns */
    int *block;  /* number of the block of each row and column */
    int *local;  /* number inside the block */
    int *height; /* rows of each block */
    int *width;  /* columns of each block */
    int *order;  /* entries sorted by block */
    int *start;  /* first entry of each block in `order` */
    int count;   /* number of blocks */
    double *dense;
} split;

static void split_done(split *s)
{
    lv_memory_free(s->parent);
    lv_memory_free(s->order);
    lv_memory_free(s->dense);
}

static lv_status split_init(split *s, int total, int entries, lv_error *err)
{
    int *all = lv_memory_zeroed((size_t)total + 1, 6 * sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    size_t n = (size_t)total + 1;
    *s = (split){.parent = all,
                 .block = all + n,
                 .local = all + 2 * n,
                 .height = all + 3 * n,
                 .width = all + 4 * n,
                 .start = all + 5 * n};
    s->order = lv_memory_zeroed((size_t)entries + 1, sizeof *s->order);
    for (int k = 0; k < total; k++)
        s->parent[k] = k;
    return s->order ? LV_OK : lv_fail_memory(err);
}

/* Numbers the blocks, and rows and columns inside them. */
static void number_blocks(split *s, int rows, int columns)
{
    for (int k = 0; k < rows + columns; k++)
        s->block[k] = -1;
    for (int k = 0; k < rows + columns; k++) {
        int root = lv_disjoint_find(s->parent, k);
        if (s->block[root] < 0)
            s->block[root] = s->count++;
        s->block[k] = s->block[root];
        s->local[k] = k < rows ? s->height[s->block[k]]++ : s->width[s->block[k]]++;
    }
}

/* Sorts the entries by block (counting sort). */
static void sort_entries(split *s, const lv_blocks *b)
{
    for (int k = 0; k < b->entries.count; k++)
        s->start[s->block[b->entries.data[k].row] + 1]++;
    for (int k = 0; k < s->count; k++)
        s->start[k + 1] += s->start[k];
    for (int k = 0; k < b->entries.count; k++)
        s->order[s->start[s->block[b->entries.data[k].row]]++] = k;
    for (int k = s->count; k > 0; k--) /* each start has moved to the next one */
        s->start[k] = s->start[k - 1];
    s->start[0] = 0;
}

static int block_rank(split *s, const lv_blocks *b, int block, int rows)
{
    size_t height = (size_t)s->height[block], width = (size_t)s->width[block];
    memset(s->dense, 0, height * width * sizeof *s->dense);
    for (int k = s->start[block]; k < s->start[block + 1]; k++) {
        const lv_blocks_entry *e = &b->entries.data[s->order[k]];
        size_t row = (size_t)s->local[e->row],
               column = (size_t)s->local[rows + e->column];
        s->dense[row * width + column] += e->value;
    }
    return lv_rank(s->dense, (int)height, (int)width, 1e-10);
}

static lv_status sum_ranks(split *s, const lv_blocks *b, int *rank, int rows,
                           lv_error *err)
{
    size_t largest = 1;
    *rank = 0;
    for (int k = 0; k < s->count; k++) {
        if (s->height[k] > LV_BLOCKS_LARGEST || s->width[k] > LV_BLOCKS_LARGEST) {
            *rank = -1;
            return LV_OK;
        }
        size_t size = (size_t)s->height[k] * (size_t)s->width[k];
        largest = size > largest ? size : largest;
    }
    s->dense = lv_memory_zeroed(largest, sizeof *s->dense);
    if (!s->dense)
        return lv_fail_memory(err);
    for (int k = 0; k < s->count; k++)
        *rank += block_rank(s, b, k, rows);
    return LV_OK;
}

lv_status lv_blocks_rank(const lv_blocks *b, int *rank, int rows, int columns,
                         lv_error *err)
{
    split s = {0};
    int total = 0;
    *rank = -1;
    if (b->too_many)
        return LV_OK;
    if (!lv_int_add(rows, columns, &total))
        return lv_fail_memory(err);
    lv_status status = split_init(&s, total, b->entries.count, err);
    for (int k = 0; status == LV_OK && k < b->entries.count; k++) {
        const lv_blocks_entry *e = &b->entries.data[k];
        lv_disjoint_join(s.parent, e->row, rows + e->column);
    }
    if (status == LV_OK) {
        number_blocks(&s, rows, columns);
        sort_entries(&s, b);
        status = sum_ranks(&s, b, rank, rows, err);
    }
    split_done(&s);
    return status;
}
