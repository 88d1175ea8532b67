/* Inputs of the model on the command line: --input NAME=FILE.csv, NAME=FILE.csv:linear, NAME=NUMBER. */
#ifndef CLI_INPUTS_H
#define CLI_INPUTS_H

#include "cli/args.h"

#define CLI_INPUT_OPTION                                                                 \
    {                                                                                    \
        "input", 0, true, "NAME=FILE.csv",                                               \
            "values of an input of the model: columns t and NAME of a file, held until " \
            "the next row, or with FILE.csv:linear interpolated; or NAME=NUMBER, of a "  \
            "vector NAME=X,Y,Z"                                                          \
    }

/* The tables, with the texts that they point into. */
typedef struct cli_inputs {
    char **texts;
    lv_input_table *tables;
    int count;
} cli_inputs;

/* Call cli_inputs_done in every case. */
LV_NODISCARD lv_status cli_inputs_read(cli_inputs *inputs, const cli_args *args,
                                       lv_error *err);
void cli_inputs_done(cli_inputs *inputs);

#endif
