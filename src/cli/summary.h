/* The summary of a run as text and as JSON, also of a run that failed. */
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
    long long steps_now;    /* steps without those of an earlier run */
    const char *csv, *hdf5; /* files that were written; NULL: none */
    const char *page;       /* page that was written; NULL: none */
    lv_report_info page_info;
} cli_summary;

/* Rows for the option tables of commands that end in a summary. */
#define CLI_SUMMARY_OPTIONS                                                              \
    {"json", 0, false, NULL,                                                             \
     "write the summary as one JSON object, numbers with 17 digits"},                    \
    {                                                                                    \
        "quiet", 'q', false, NULL,                                                       \
            "no progress bar and no summary, warnings on standard error"                 \
    }

/* The summary of a failed run has no final state. */
void cli_summary_write_text(FILE *out, const cli_summary *summary);

void cli_summary_write_json(const cli_summary *summary);

/* Ends a run that has begun: prints its summary as the user wants it, or the error and
 * how far it came. Returns `status` unless something else fails. */
typedef struct cli_summary_style {
    bool json, quiet;
} cli_summary_style;

LV_NODISCARD lv_status cli_summary_report(const cli_summary *summary,
                                          cli_summary_style style, lv_status status,
                                          cli_outcome *outcome);

/* Adds the name of the model to messages about the model or its motion that have none. */
void cli_summary_name_file(lv_error *err, const char *file);

#endif
