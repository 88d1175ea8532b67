/* Memory that is freed together. */
#ifndef CLI_REPRODUCE_POOL_H
#define CLI_REPRODUCE_POOL_H

#include <stddef.h>

/* Must be zero at first. */
typedef struct cli_pool {
    struct cli_pool_block *last;
} cli_pool;

/* Allocates zeros; NULL: memory is short. */
void *cli_pool_alloc(cli_pool *pool, size_t count, size_t size);
const char *cli_pool_text(cli_pool *pool, const char *text);
void cli_pool_done(cli_pool *pool);

#endif
