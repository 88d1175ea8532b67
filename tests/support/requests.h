/* Counts what the library asks of its allocator, while lv_memory_set_hook(counting_resize) holds. */
#ifndef LV_TESTS_REQUESTS_H
#define LV_TESTS_REQUESTS_H

#include <stdlib.h>

static long requests;

static void *counting_resize(void *p, size_t size)
{
    requests += size > 0;
    if (size > 0)
        return realloc(p, size);
    free(p);
    return NULL;
}

#endif
