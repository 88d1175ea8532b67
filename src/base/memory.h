/* The only allocator of the library, shaped like realloc, and arithmetic that checks for
 * overflow. */
#ifndef LV_BASE_MEMORY_H
#define LV_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* p == NULL allocates; size == 0 frees and returns NULL. NULL for size > 0 means that
 * there is no memory; p is then still valid. */
void *lv_memory_resize(void *p, size_t size);
void *lv_memory_zeroed(size_t count, size_t size);
void lv_memory_free(void *p);

/* Tests replace the allocator to deny requests; NULL restores that of the C library. Not
 * to be called while other threads allocate. */
typedef void *(*lv_memory_hook)(void *p, size_t size);
void lv_memory_set_hook(lv_memory_hook hook);

/* Return false on overflow; *result is then unchanged. */
bool lv_size_add(size_t a, size_t b, size_t *result);
bool lv_size_mul(size_t a, size_t b, size_t *result);
bool lv_int_add(int a, int b, int *result);
bool lv_int_mul(int a, int b, int *result);

/* Growing arrays: LV_ARRAY(int) name = {0}; if (!LV_PUSH(name, 7)) no memory. */
#define LV_ARRAY(type)                                                                   \
    struct {                                                                             \
        type *data;                                                                      \
        int count;                                                                       \
        int capacity;                                                                    \
    }

/* Makes room for `extra` more items. Returns false if there is no memory; the array is
 * then unchanged. */
#define LV_RESERVE(array, extra)                                                         \
    ((array).data = lv_array_grown((array).data, (array).count, (extra),                 \
                                   &(array).capacity, sizeof *(array).data),             \
     (extra) <= (array).capacity - (array).count)

#define LV_PUSH(array, value)                                                            \
    (LV_RESERVE(array, 1) ? ((array).data[(array).count++] = (value), true) : false)

#define LV_ARRAY_FREE(array)                                                             \
    (lv_memory_free((array).data), (array).data = NULL,                                  \
     (array).count = (array).capacity = 0)

void *lv_array_grown(void *data, int count, int extra, int *capacity, size_t item);

#endif
