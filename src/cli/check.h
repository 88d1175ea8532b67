/* The report of `livens check`. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/json.h"

#include <livens/livens.h>

enum {
    CLI_WARNINGS_MAX = 14,
    CLI_REMARKS_MAX = 8,
    CLI_WARNING_SIZE = 800,
    CLI_ERRORS_MAX = 3,
    CLI_SCHEMES_MAX = 64,
    CLI_FORMULATIONS_MAX = 6
};

/* A formulation of bodies other than the default, and the schemes that take the model
 * with it. */
typedef struct cli_formulation {
    lv_option option;
    int choice;
    bool fits[CLI_SCHEMES_MAX];
} cli_formulation;

typedef struct cli_check {
    const char *file; /* as the user calls it */
    const lv_model *model;
    lv_inspection *facts;
    bool fits[CLI_SCHEMES_MAX]; /* schemes that take the model */
    /* momentum maps that each scheme keeps to rounding, scheme by scheme; NULL: no
     * maps */
    bool *kept;
    int formulation_count;
    /* those that at least one scheme takes */
    cli_formulation formulations[CLI_FORMULATIONS_MAX];
    lv_probe_info probe;
    lv_start_change start; /* what initial = "project" does */
    int error_count;       /* errors that a run would report */
    lv_error errors[CLI_ERRORS_MAX];
    int warning_count;
    char warnings[CLI_WARNINGS_MAX][CLI_WARNING_SIZE]; /* sentences */
    int remark_count;
    char remarks[CLI_REMARKS_MAX]
                [CLI_WARNING_SIZE]; /* facts that are not mistakes, but worth knowing */
} cli_check;

/* Asks the library for everything in the report. phase, which may be NULL, is called
 * before each of `count` parts of the work. Call cli_check_done in every case. */
LV_NODISCARD lv_status cli_check_make(cli_check *check, const char *file,
                                      const lv_model *model,
                                      void (*phase)(void *user, int number, int count,
                                                    const char *what),
                                      void *user, lv_error *err);
void cli_check_done(cli_check *check);

/* Finds errors that a run would report, warnings and remarks. */
void cli_check_find(cli_check *check);

/* The part about mechanisms (check_mechanism.c). */
void cli_check_warn(cli_check *check, const char *format, ...) LV_PRINTF(2, 3);
void cli_check_remark(cli_check *check, const char *format, ...) LV_PRINTF(2, 3);
bool cli_check_has_elements(const lv_inspection *facts);
bool cli_check_warn_joints(cli_check *check); /* false: no joint is dependent */
void cli_check_remark_loose(cli_check *check);
void cli_check_write_elements(const lv_inspection *facts, int width);
void cli_check_put_mechanism(cli_json *json, const cli_check *check);

/* Fastest motions, and results of a short motion (check_probe.c). */
void cli_check_warn_probe(cli_check *check);
void cli_check_write_probe(const cli_check *check);
void cli_check_put_probe(cli_json *json, const cli_check *check);

/* Formulations of bodies other than the default (check_formulations.c). */
lv_status cli_check_ask_formulations(cli_check *check, lv_inspection *facts,
                                     lv_error *err);
void cli_check_write_formulations(const cli_check *check);
void cli_check_put_formulations(cli_json *json, const cli_check *check);

/* "  label               4   text", wrapped; the numbers end in the same column */
void cli_check_put_count(const char *label, int width, int count, const char *text);

void cli_check_write_text(const cli_check *check);
void cli_check_write_terms(const lv_inspection *facts); /* a part of the text */
void cli_check_write_json(const cli_check *check);
void cli_check_put(cli_json *json, const cli_check *check); /* the object itself */

#endif
