/* Options of schemes on the command line and in reports. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/args.h"
#include "cli/json.h"
#include "cli/report.h"

#include <livens/livens.h>

/* Sets the options that are on the command line; other options of *options stay
 * unchanged. */
LV_NODISCARD lv_status cli_options_read(lv_scheme_options *options, const cli_args *args,
                                        lv_error *err);

/* The name of option k on the command line. */
const char *cli_option_on_line(int k);

/* "a number from 0 to 1", "true or false", "LR, RL, RR or C" */
void cli_option_values(char *buffer, size_t size, const lv_option_info *info);

/* Adds keys to an object: stages and compose, null if they are not given, then all other
 * options that are given. */
void cli_options_put(cli_json *json, const lv_scheme_options *options);

/* Appends ", theta 0.5, half_kick": the given options besides stages and compose. */
void cli_options_add(cli_line *line, const lv_scheme_options *options);

#endif
