/* Options of the command line that replace values of the model's [run] section. */
#ifndef CLI_CHANGES_H
#define CLI_CHANGES_H

#include "cli/args.h"

/* A row for each option of schemes: LV_OPTION_LIST(CLI_CHANGE_ROW) */
#define CLI_CHANGE_ROW(id, name, on_line, kind, least, most, argument, doc)              \
    {on_line, 0, false, argument, doc},

/* Rows for the option tables of commands that integrate: scheme, step and time, the
 * start, */
#define CLI_MOTION_OPTIONS                                                               \
    {"scheme", 0, false, "NAME", "how to integrate (livens list schemes)"},              \
        LV_OPTION_LIST(CLI_CHANGE_ROW){"step", 0, false, "H",                            \
                                       "size of the steps in time"},                     \
    {                                                                                    \
        "until", 0, false, "T",                                                          \
            "time at which the run ends; it begins at 0, and 0 is the start alone"       \
    }
#define CLI_INITIAL_OPTION                                                               \
    {                                                                                    \
        "initial", 0, false, "check|project",                                            \
            "refuse a start that violates the constraints, or move it onto them"         \
    }

/* and the rows that are recorded. */
#define CLI_CHANGE_OPTIONS                                                               \
    CLI_MOTION_OPTIONS,                                                                  \
        {"every", 0, false, "K", "record every K-th step, and the last one"},            \
        {"sample", 0, false, "DT",                                                       \
         "record at multiples of DT instead, between steps where need be"},              \
        CLI_INITIAL_OPTION

LV_NODISCARD lv_status cli_changes_read(lv_run_changes *changes, const cli_args *args,
                                        lv_error *err);

/* Fails if a run would have more steps than can be counted. */
LV_NODISCARD lv_status cli_steps_check(const lv_run_request *request, lv_error *err);

#endif
