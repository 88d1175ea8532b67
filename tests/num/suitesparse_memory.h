/* SuiteSparse, which orders unknowns when systems are created, takes its memory through
 * lv_memory_resize while this is switched on, so that the hook of a test sees and may deny it. */
#ifndef LV_TESTS_SUITESPARSE_MEMORY_H
#define LV_TESTS_SUITESPARSE_MEMORY_H

#include "base/memory.h"

#include <SuiteSparse_config.h>
#include <stdbool.h>
#include <stdlib.h>

static inline void *suitesparse_malloc(size_t size)
{
    return lv_memory_resize(NULL, size);
}

static inline void *suitesparse_calloc(size_t count, size_t size)
{
    return lv_memory_zeroed(count, size);
}

static inline void suitesparse_redirect(bool on)
{
#if SUITESPARSE_MAIN_VERSION >= 7
    SuiteSparse_config_malloc_func_set(on ? suitesparse_malloc : malloc);
    SuiteSparse_config_calloc_func_set(on ? suitesparse_calloc : calloc);
    SuiteSparse_config_realloc_func_set(on ? lv_memory_resize : realloc);
    SuiteSparse_config_free_func_set(on ? lv_memory_free : free);
#else
    SuiteSparse_config.malloc_func = on ? suitesparse_malloc : malloc;
    SuiteSparse_config.calloc_func = on ? suitesparse_calloc : calloc;
    SuiteSparse_config.realloc_func = on ? lv_memory_resize : realloc;
    SuiteSparse_config.free_func = on ? lv_memory_free : free;
#endif
}

#endif
