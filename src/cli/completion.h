/* Completion of command lines in shells, generated from the tables of commands and options. */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/command.h"

#include <stdio.h>

/* The shells, as cli_args_choice takes them; ends with NULL. */
extern const char *const cli_completion_shells[];

/* Writes the completion for a shell, given by its index in the list above. */
void cli_completion_write(FILE *out, int shell);

#endif
