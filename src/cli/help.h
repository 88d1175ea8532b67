/* The pages of help: the program, one command, and the topics. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"
#include "cli/page.h"

typedef struct cli_topic {
    const char *name; /* NULL ends the table */
    const char *doc;
    void (*write)(const cli_page *page);
} cli_topic;

extern const cli_topic cli_topics[];

void cli_help_program(const cli_page *page);
void cli_help_command(const cli_page *page, const cli_command *command);

/* "livens check MODEL [--set NAME=VALUE]... [--json]", from the command's tables, wrapped; the
 * caller stands at column `at`. */
void cli_usage(FILE *out, const cli_command *command, int at);

/* The topics. */
void cli_help_commands(const cli_page *page);
void cli_help_functions(const cli_page *page);
void cli_help_model(const cli_page *page);

#endif
