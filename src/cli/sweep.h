/* The result of a sweep as text and as JSON. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/args.h"

#include <stdio.h>

/* A member that failed. */
typedef struct cli_failed {
    int number;
    lv_status status;
    char text[sizeof((lv_error *)0)->text];
} cli_failed;

/* A warning of a member's run. */
typedef struct cli_warned {
    int number;
    char *text;
} cli_warned;

/* Results of members, collected during the sweep for JSON. */
typedef struct cli_rows {
    size_t width, count, room; /* numbers per row, rows, allocated rows */
    double *values;
    size_t failed_count, failed_room;
    cli_failed *failed;
    size_t warned_count, warned_room;
    cli_warned *warned;
    bool lost; /* memory was too short for all of them */
} cli_rows;

void cli_rows_add(cli_rows *rows, const lv_member *member);
void cli_rows_done(cli_rows *rows);

typedef struct cli_sweep {
    const char *file; /* as the user calls the model */
    const lv_model *model;
    const lv_sweep_summary *summary;
    const cli_rows *rows;
    int ranks;                       /* number of processes that computed it */
    const char *csv, *hdf5, *series; /* files that were written; NULL: none */
    const char *page;                /* page that was written; NULL: none */
    lv_report_info page_info;
} cli_sweep;

void cli_sweep_write_text(FILE *out, const cli_sweep *sweep);
void cli_sweep_write_json(const cli_sweep *sweep);

/* "3 of 41 members failed", "interrupted after 12 of 41 members; 3 failed" */
const char *cli_sweep_verdict(const lv_sweep_summary *summary, char *buffer, size_t size);

/* Writes one warning for all members: how many have warnings, and the text of the
 * first. */
void cli_sweep_warn(FILE *out, const lv_sweep_summary *summary);

#endif
