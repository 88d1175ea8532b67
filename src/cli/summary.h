/* What a run did: for eyes, for machines, and when it failed. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "cli/command.h"
#include "cli/progress.h"

#include <stdio.h>

typedef struct cli_summary {
    const char *file; /* as the user calls the model, or the file that was resumed */
    const lv_model *model;
    const lv_run_summary *run;
    const lv_run_summary
        *finer;             /* the same run with half the step; NULL: not asked for */
    long long steps_now;    /* without those of an earlier run */
    const char *csv, *hdf5; /* files written; NULL: none */
    const char *page;       /* likewise */
    lv_report_info page_info;
} cli_summary;

/* Rows of commands that end in a summary. */
#define CLI_SUMMARY_OPTIONS                                                              \
    {"json", 0, false, NULL,                                                             \
     "write the summary as one JSON object, numbers with 17 digits"},                    \
    {                                                                                    \
        "quiet", 'q', false, NULL,                                                       \
            "no progress bar and no summary, warnings on standard error"                 \
    }

/* A run that has failed is summarised without its final state. */
void cli_summary_write_text(FILE *out, const cli_summary *summary);

void cli_summary_write_json(const cli_summary *summary);

/* The end of a run that began: prints its summary as the user wants it, or what stopped it and
 * how far it came. Returns `status` unless something else fails. */
typedef struct cli_wishes {
    bool json, quiet;
} cli_wishes;

LV_NODISCARD lv_status cli_summary_report(const cli_summary *summary, cli_wishes wishes,
                                          lv_status status, cli_outcome *outcome);

/* Messages about the model or its motion name the model, if they do not yet. */
void cli_summary_name_file(lv_error *err, const char *file);

#endif
