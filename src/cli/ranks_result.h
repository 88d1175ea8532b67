/* What is known of a member as bytes, for another process of the same program. */
#ifndef CLI_RANKS_RESULT_H
#define CLI_RANKS_RESULT_H

#include "cli/command.h"

typedef struct cli_result {
    lv_member member;
    lv_error error;
    char *bytes;           /* that it points into */
    const char **warnings; /* likewise */
} cli_result;

/* NULL: there is no memory. Free with free. */
char *cli_result_write(const lv_member *member, size_t *size);

/* Takes the bytes, which calloc gave; NULL: they are no result, or there is no memory. */
cli_result *cli_result_read(char *bytes, size_t size);
void cli_result_free(cli_result *result);

#endif
