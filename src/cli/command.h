/* Commands of the program. A command is one file command_NAME.c with a constant
 * descriptor, and one line in cli/list.h; parsing, help, usage and the reference page
 * follow from the descriptor. Functions of the program begin with cli_; names that begin
 * with lv_ belong to the public library. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <livens/livens.h>

#include <stdbool.h>

typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends a table */
    char letter;      /* its short form; 0: none */
    bool repeats;     /* may be given several times */
    /* placeholder of its value in help; NULL: takes none, "[=X]": may be left out */
    const char *value;
    const char *doc;
} cli_option;

typedef struct cli_argument {
    const char *name; /* NULL ends a table */
    bool optional;
    const char *doc;
} cli_argument;

typedef struct cli_example {
    const char *line; /* NULL ends a table */
    const char *doc;
} cli_example;

typedef struct cli_args cli_args;

/* The outcome of a command, besides its status. */
typedef struct cli_outcome {
    lv_error error;   /* set if it failed */
    bool reported;    /* the command has shown the error itself */
    bool interrupted; /* by the user; the command has ended properly */
    bool warned; /* there are warnings, and the user wants them to count as a failure */
} cli_outcome;

typedef struct cli_command {
    const char *name;
    const char *summary; /* half a line */
    const char *about;   /* paragraphs, separated by an empty line */
    const cli_argument *arguments;
    bool repeats;              /* the last argument may be given several times */
    const cli_option *options; /* besides --help, which all have; may be NULL */
    const cli_example *examples;
    /* Prints the result on stdout, or fills the error and prints nothing. */
    lv_status (*run)(const cli_args *args, cli_outcome *outcome);
} cli_command;

#define CLI_X(name) extern const cli_command cli_command_##name;
#include "cli/list.h"
#undef CLI_X

/* All commands in the order of the help text; ends with NULL. */
extern const cli_command *const cli_commands[];

/* --help, the option that every command has. */
extern const cli_option cli_help_option;

/* NULL if there is no command with this name. */
const cli_command *cli_command_find(const char *name);

#endif
