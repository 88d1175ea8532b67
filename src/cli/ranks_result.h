/* The result of a member as bytes, for another process of the same program. */
#ifndef CLI_RANKS_RESULT_H
#define CLI_RANKS_RESULT_H

#include "cli/command.h"

typedef struct cli_result {
    lv_member member;
    lv_error error;
    char *bytes;           /* memory that `member` points into */
    const char **warnings; /* memory of the list of warnings */
} cli_result;

/* NULL: memory is short. Free the result with free. */
char *cli_result_write(const lv_member *member, size_t *size);

/* Takes ownership of the bytes, which were allocated by calloc; NULL: they are not a
 * result, or memory is short. */
cli_result *cli_result_read(char *bytes, size_t size);
void cli_result_free(cli_result *result);

#endif
