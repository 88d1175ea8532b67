#include "base/memory.h"

#include "base/budget.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static void *libc_resize(void *p, size_t size)
{
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}

static lv_memory_hook current_hook = libc_resize;

void lv_memory_set_hook(lv_memory_hook hook)
{
    current_hook = hook ? hook : libc_resize;
}

/* The size of a block for the budget: what the C library reports, which may be more than
 * requested. Other C libraries report nothing, so nothing is counted. */
static size_t block_size(void *p)
{
#if defined(__GLIBC__)
    return p ? malloc_usable_size(p) : 0;
#else
    (void)p;
    return 0;
#endif
}

void *lv_memory_resize(void *p, size_t size)
{
    const size_t before = block_size(p), more = size > before ? size - before : 0;
    if (more > 0 && !lv_budget_take(more))
        return NULL;
    void *fresh = current_hook(p, size);
    if (!fresh && size > 0) {
        lv_budget_give(more);
        return NULL;
    }
    const size_t after = block_size(fresh), counted = before + more;
    if (after > counted)
        lv_budget_count(after - counted);
    else
        lv_budget_give(counted - after);
    return fresh;
}

void lv_memory_free(void *p)
{
    if (p)
        (void)lv_memory_resize(p, 0);
}

void *lv_memory_zeroed(size_t count, size_t size)
{
    size_t bytes = 0;
    if (!lv_size_mul(count, size, &bytes))
        return NULL;
    if (bytes == 0)
        bytes = 1;
    void *p = lv_memory_resize(NULL, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

bool lv_size_add(size_t a, size_t b, size_t *result)
{
    if (a > SIZE_MAX - b)
        return false;
    *result = a + b;
    return true;
}

bool lv_size_mul(size_t a, size_t b, size_t *result)
{
    if (b != 0 && a > SIZE_MAX / b)
        return false;
    *result = a * b;
    return true;
}

bool lv_int_add(int a, int b, int *result)
{
    long long wide = (long long)a + b;
    if (wide < INT_MIN || wide > INT_MAX)
        return false;
    *result = (int)wide;
    return true;
}

bool lv_int_mul(int a, int b, int *result)
{
    long long wide = (long long)a * b;
    if (wide < INT_MIN || wide > INT_MAX)
        return false;
    *result = (int)wide;
    return true;
}

void *lv_array_grown(void *data, int count, int extra, int *capacity, size_t item)
{
    if (extra <= *capacity - count)
        return data;

    /* At least double, so that pushing n items costs O(n). */
    int need = 0;
    if (!lv_int_add(count, extra, &need))
        return data;
    int wanted = *capacity > INT_MAX / 2 ? INT_MAX : 2 * *capacity;
    if (wanted < need)
        wanted = need;
    if (wanted < 8)
        wanted = 8;

    size_t bytes = 0;
    if (!lv_size_mul((size_t)wanted, item, &bytes))
        return data;
    void *grown = lv_memory_resize(data, bytes);
    if (!grown)
        return data;
    *capacity = wanted;
    return grown;
}
