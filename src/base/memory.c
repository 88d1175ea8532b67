#include "base/memory.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

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

void *lv_memory_resize(void *p, size_t size)
{
    return current_hook(p, size);
}

void lv_memory_free(void *p)
{
    if (p)
        current_hook(p, 0);
}

void *lv_memory_zeroed(size_t count, size_t size)
{
    size_t bytes = 0;
    if (!lv_size_mul(count, size, &bytes))
        return NULL;
    if (bytes == 0)
        bytes = 1;
    unsigned char *p = lv_memory_resize(NULL, bytes);
    for (size_t i = 0; p && i < bytes; i++)
        p[i] = 0;
    return p;
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
