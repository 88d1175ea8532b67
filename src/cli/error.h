/* Errors of the program: filled like those of the library, shown on stderr and, with
 * --json, on stdout. */
#ifndef CLI_ERROR_H
#define CLI_ERROR_H

#include "cli/json.h"

#include <livens/livens.h>

#include <stdbool.h>

/* Fills err, which may be NULL, and returns code. */
lv_status cli_fail(lv_error *err, lv_status code, const char *format, ...)
    LV_PRINTF(3, 4);
lv_status cli_fail_memory(lv_error *err);
void cli_hint(lv_error *err, const char *format, ...) LV_PRINTF(2, 3);

/* Returns from the calling function unless a call succeeds. */
#define CLI_TRY(call)                                                                    \
    do {                                                                                 \
        lv_status cli_try_status = (call);                                               \
        if (cli_try_status != LV_OK)                                                     \
            return cli_try_status;                                                       \
    } while (0)

/* How far a run came before it failed. */
typedef struct cli_reached {
    double t;
    long long steps;
    const lv_recorded *csv, *hdf5; /* NULL: no such file */
} cli_reached;

/* Adds the keys message, file, line, column, note and hint to a JSON object. */
void cli_error_put(cli_json *json, const lv_error *err);

/* Shows the message on stderr, and with json also as an object on stdout. `reached` may be
 * NULL. */
void cli_report(const lv_error *err, bool json, const cli_reached *reached);

#endif
