#include "base/arena.h"

#include "base/memory.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

typedef struct lv_arena_block {
    struct lv_arena_block *previous;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char data[];
} block;

/* Blocks double up to this size; a larger request gets a block of its own. */
enum { FIRST_BLOCK = 1024, LARGEST_BLOCK = 1 << 20 };

static block *add_block(lv_arena *arena, size_t need)
{
    size_t size = arena->last ? arena->last->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < need)
        size = need;

    size_t bytes = 0;
    if (!lv_size_add(size, sizeof(block), &bytes))
        return NULL;
    block *fresh = lv_memory_resize(NULL, bytes);
    if (!fresh)
        return NULL;
    fresh->previous = arena->last;
    fresh->used = 0;
    fresh->size = size;
    arena->last = fresh;
    return fresh;
}

void *lv_arena_alloc(lv_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    const size_t align = alignof(max_align_t);
    if (!lv_size_mul(count, size, &bytes) || !lv_size_add(bytes, align, &bytes))
        return NULL;
    bytes = bytes / align * align; /* rounded up, and never zero */

    block *b = arena->last;
    if (!b || b->size - b->used < bytes)
        b = add_block(arena, bytes);
    if (!b)
        return NULL;
    void *p = b->data + b->used;
    b->used += bytes;
    return memset(p, 0, bytes);
}

char *lv_arena_text(lv_arena *arena, const char *text, size_t length)
{
    assert(text || length == 0);
    size_t bytes = 0;
    char *copy = lv_size_add(length, 1, &bytes) ? lv_arena_alloc(arena, bytes, 1) : NULL;
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

void *lv_arena_copy(lv_arena *arena, const void *items, size_t count, size_t size)
{
    assert(items || count == 0);
    void *copy = lv_arena_alloc(arena, count, size);
    if (copy && count > 0)
        memcpy(copy, items, count * size);
    return copy;
}

void lv_arena_done(lv_arena *arena)
{
    block *b = arena->last;
    while (b) {
        block *previous = b->previous;
        lv_memory_free(b);
        b = previous;
    }
    arena->last = NULL;
}
