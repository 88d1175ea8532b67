#include "cli/names.h"

#include "cli/error.h"

#include <stdlib.h>
#include <string.h>

lv_status cli_names_split(cli_names *n, const char *text, lv_error *err)
{
    size_t most = 1;
    *n = (cli_names){0};
    if (!text)
        return LV_OK;
    for (const char *c = text; *c; c++)
        most += *c == ',';
    n->text = strdup(text);
    n->list = calloc(most, sizeof *n->list);
    if (!n->text || !n->list)
        return cli_fail(err, LV_ERR_MEMORY, "out of memory");
    for (char *at = n->text; at;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = '\0';
        n->list[n->count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return LV_OK;
}

void cli_names_done(cli_names *n)
{
    free(n->list);
    free(n->text);
}
