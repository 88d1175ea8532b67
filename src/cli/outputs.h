/* The files that a command writes: --csv, --output, --series, --report. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/args.h"

/* Paths; NULL: not wanted, "-": standard output. */
typedef struct cli_outputs {
    const char *csv, *hdf5, *series, *page;
} cli_outputs;

/* What to write where. The ending of --output says whether that is HDF5 or CSV. Outputs must not
 * overwrite each other, or the model; only one goes to standard output. */
LV_NODISCARD lv_status cli_outputs_read(cli_outputs *outputs, const cli_args *args,
                                        lv_error *err);

/* Are these two paths, either of which may be NULL, one file? */
bool cli_is_same_file(const char *a, const char *b);

/* Does rows or JSON go to standard output, so that the summary has to go elsewhere? */
bool cli_outputs_on_stdout(const cli_args *args);

/* A bar among rows that go to the terminal would only disturb. */
bool cli_outputs_hide_progress(const cli_args *args);

#endif
