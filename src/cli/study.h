/* Studies as text, JSON and CSV. */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "cli/args.h"

#include <stdio.h>

typedef struct cli_study {
    const char *file; /* as the user calls the model */
    const lv_model *model;
    const lv_study *study;
    const char *csv; /* file that was written; NULL: none */
    const cli_args *args;
    const char *page; /* page that was written; NULL: none */
    lv_report_info page_info;
} cli_study;

void cli_study_write_text(FILE *out, const cli_study *study);
void cli_study_write_json(const cli_study *study);

/* Writes one row for each run. */
void cli_study_write_csv(FILE *out, const lv_study *study);

/* Schemes as in --schemes: "rattle,lobatto:stages=3:rotations=exp". Call cli_choices_done
 * in any case. */
typedef struct cli_choices {
    lv_study_choice *list;
    char **names;
    int count;
} cli_choices;

LV_NODISCARD lv_status cli_choices_read(cli_choices *choices, const char *text,
                                        lv_error *err);
void cli_choices_done(cli_choices *choices);

#endif
