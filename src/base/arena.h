/* An arena: memory that is allocated piece by piece and freed all at once. */
#ifndef LV_BASE_ARENA_H
#define LV_BASE_ARENA_H

#include <stddef.h>

struct lv_arena_block;

/* Initialise with zeros; lv_arena_done frees everything. */
typedef struct lv_arena {
    struct lv_arena_block *last;
} lv_arena;

void lv_arena_done(lv_arena *arena);

/* Returns zeroed memory, aligned for any type; NULL if there is no memory. count * size
 * may be 0. */
void *lv_arena_alloc(lv_arena *arena, size_t count, size_t size);

/* Returns a NUL-terminated copy of length bytes. */
char *lv_arena_text(lv_arena *arena, const char *text, size_t length);

/* Returns a copy of count items of the given size. */
void *lv_arena_copy(lv_arena *arena, const void *items, size_t count, size_t size);

#endif
