/* The files that a command writes: --csv, --output, --series, --report. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/args.h"

/* Paths; NULL: not wanted, "-": standard output. */
typedef struct cli_outputs {
    const char *csv, *hdf5, *series, *page;
} cli_outputs;

/* Reads the options. The ending of --output decides between HDF5 and CSV. Outputs must
 * not overwrite each other or the model, and only one may go to standard output. */
LV_NODISCARD lv_status cli_outputs_read(cli_outputs *outputs, const cli_args *args,
                                        lv_error *err);

/* Whether two paths, either of which may be NULL, are the same file. */
bool cli_is_same_file(const char *a, const char *b);

/* Whether rows or JSON go to standard output, so that the summary has to go elsewhere. */
bool cli_outputs_on_stdout(const cli_args *args);

/* Whether a progress bar would disturb rows that go to the terminal. */
bool cli_outputs_hide_progress(const cli_args *args);

#endif
