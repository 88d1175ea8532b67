/* Memory that lives and dies together: allocate piecewise, free all at once. */
#ifndef LV_BASE_ARENA_H
#define LV_BASE_ARENA_H

#include <stddef.h>

struct lv_arena_block;

/* Zero-initialise to start; lv_arena_done frees everything. */
typedef struct lv_arena {
    struct lv_arena_block *last;
} lv_arena;

void lv_arena_done(lv_arena *arena);

/* Zeroed memory, aligned for any type; NULL without memory. count * size may be 0. */
void *lv_arena_alloc(lv_arena *arena, size_t count, size_t size);

/* A NUL-terminated copy of length bytes. */
char *lv_arena_text(lv_arena *arena, const char *text, size_t length);

/* A copy of count items of the given size. */
void *lv_arena_copy(lv_arena *arena, const void *items, size_t count, size_t size);

#endif
