#include "cli/reproduce/pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct cli_pool_block {
    struct cli_pool_block *before;
    alignas(max_align_t) unsigned char bytes[];
} cli_pool_block;

void *cli_pool_alloc(cli_pool *pool, size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX - sizeof(cli_pool_block)) / size)
        return NULL;
    cli_pool_block *block = calloc(1, sizeof *block + count * size);
    if (!block)
        return NULL;
    block->before = pool->last;
    pool->last = block;
    return block->bytes;
}

const char *cli_pool_text(cli_pool *pool, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = cli_pool_alloc(pool, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

void cli_pool_done(cli_pool *pool)
{
    while (pool->last) {
        cli_pool_block *block = pool->last;
        pool->last = block->before;
        free(block);
    }
}
