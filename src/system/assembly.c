#include "system/assembly.h"

#include "base/arena.h"
#include "base/memory.h"
#include "num/sound.h"
#include "num/sparse.h"

#include <assert.h>

typedef struct block {
    const lv_pattern *pattern;
    lv_range_of rows, columns;
    bool transposed;
    int entries;
    int *slot;
} block;

struct lv_assembly {
    lv_arena arena;
    int size;
    bool symmetric;
    const bool *inner; /* NULL: no lines are eliminated first */
    int count, most;
    block *blocks;
    lv_pattern pattern;
    lv_linear *linear;
};

lv_assembly *lv_assembly_create(int size, int blocks)
{
    assert(size >= 0 && blocks >= 0);
    lv_assembly *a = lv_memory_zeroed(1, sizeof *a);
    if (!a)
        return NULL;
    a->size = size;
    a->most = blocks;
    a->blocks = lv_arena_alloc(&a->arena, (size_t)blocks, sizeof *a->blocks);
    if (!a->blocks) {
        lv_assembly_free(a);
        return NULL;
    }
    return a;
}

void lv_assembly_free(lv_assembly *a)
{
    if (!a)
        return;
    lv_linear_free(a->linear);
    lv_arena_done(&a->arena);
    lv_memory_free(a);
}

int lv_assembly_block(lv_assembly *a, const lv_pattern *pattern, lv_range_of rows,
                      lv_range_of columns, bool transposed)
{
    assert(a->count < a->most);
    assert(!a->linear);
    assert(lv_pattern_is_sound(pattern));
    a->blocks[a->count] =
        (block){pattern, rows, columns, transposed, lv_pattern_entries(pattern), NULL};
    return a->count++;
}

static int place(lv_range_of range, int i)
{
    return range.first + i * range.stride;
}

static bool list_block(lv_entry_list *list, const block *b)
{
    const lv_pattern *p = b->pattern;
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            int row = b->transposed ? p->column[e] : r,
                column = b->transposed ? r : p->column[e];
            lv_entry_place entry = {place(b->rows, row), place(b->columns, column)};
            if (!LV_PUSH(*list, entry))
                return false;
        }
    return true;
}

/* Slots of all blocks in the storage, one after another. */
static void place_blocks(lv_assembly *a, int *slot, int count)
{
    const int *storage = lv_linear_slots(a->linear);
    for (int e = 0; e < count; e++)
        slot[e] = storage[slot[e]];
    for (int k = 0; k < a->count; k++) {
        a->blocks[k].slot = slot;
        slot += a->blocks[k].entries;
    }
}

void lv_assembly_symmetric(lv_assembly *a)
{
    assert(!a->linear);
    a->symmetric = true;
}

void lv_assembly_inner(lv_assembly *a, const bool *lines)
{
    assert(!a->linear);
    a->inner = lines;
}

static lv_status create_linear(lv_assembly *a, lv_error *err)
{
    if (a->inner)
        return lv_linear_create_nested(&a->linear, &a->pattern, a->inner, err);
    return (a->symmetric ? lv_linear_create_symmetric : lv_linear_create)(
        &a->linear, &a->pattern, LV_BACK_END_AUTO, NULL, err);
}

lv_status lv_assembly_finish(lv_assembly *a, lv_error *err)
{
    assert(!a->linear);
    lv_entry_list list = {0};
    bool ok = true;
    for (int k = 0; ok && k < a->count; k++)
        ok = list_block(&list, &a->blocks[k]);
    int count = list.count;
    int *slot = ok ? lv_arena_alloc(&a->arena, (size_t)count + 1, sizeof *slot) : NULL;
    lv_status status = slot ? lv_pattern_build(&a->pattern, slot, &a->arena, list.data,
                                               count, a->size, a->size, err)
                            : lv_fail_memory(err);
    LV_ARRAY_FREE(list);
    LV_TRY(status);
    LV_TRY(create_linear(a, err));
    LV_TRY(lv_linear_allow_redundancy(a->linear, err));
    place_blocks(a, slot, count);
    return LV_OK;
}

void lv_assembly_clear(lv_assembly *a)
{
    assert(a->linear);
    lv_linear_clear(a->linear);
}

void lv_assembly_add(lv_assembly *a, int k, const double *values, double c)
{
    assert(a->linear);
    assert(k >= 0 && k < a->count);
    assert(values || a->blocks[k].entries == 0);
    const block *b = &a->blocks[k];
    const int count = c != 0 ? b->entries : 0, *slot = b->slot;
    double *storage = lv_linear_storage(a->linear);
    for (int e = 0; e < count; e++)
        storage[slot[e]] += c * values[e];
}

const int *lv_assembly_slots(const lv_assembly *a, int k)
{
    assert(a->linear);
    assert(k >= 0 && k < a->count);
    return a->blocks[k].slot;
}

lv_linear *lv_assembly_linear(lv_assembly *a)
{
    return a->linear;
}
