/* Memory that is freed together. */
#ifndef CLI_REPRODUCE_POOL_H
#define CLI_REPRODUCE_POOL_H

#include <stddef.h>

/* Zero-initialise to start. */
typedef struct cli_pool {
    struct cli_pool_block *last;
} cli_pool;

/* Zeros; NULL: no memory is left. */
void *cli_pool_alloc(cli_pool *pool, size_t count, size_t size);
const char *cli_pool_text(cli_pool *pool, const char *text);
void cli_pool_done(cli_pool *pool);

#endif
