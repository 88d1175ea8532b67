/* The files that a command writes: --csv, --output, --series. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/args.h"

/* Outputs must not overwrite each other, or the model; only one goes to standard output. */
LV_NODISCARD lv_status cli_outputs_check(const cli_args *args, lv_error *err);

/* Does rows or JSON go to standard output, so that the summary has to go elsewhere? */
bool cli_outputs_on_stdout(const cli_args *args);

/* A bar among rows that go to the terminal would only disturb. */
bool cli_outputs_hide_progress(const cli_args *args);

#endif
