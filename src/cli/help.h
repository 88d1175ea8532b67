/* The pages of help: the program, one command, and the topics. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/page.h"

#include <livens/model.h>
#include <livens/scheme.h>

typedef struct cli_topic {
    const char *name; /* NULL ends the table */
    const char *doc;
    void (*write)(const cli_page *page);
} cli_topic;

extern const cli_topic cli_topics[];

void cli_help_program(const cli_page *page);
void cli_help_command(const cli_page *page, const cli_command *command);

/* Writes "livens check MODEL [--set NAME=VALUE]... [--json]" from the command's tables,
 * wrapped. The output is at column `at`. */
void cli_usage(FILE *out, const cli_command *command, int at);

/* The topics. */
void cli_help_commands(const cli_page *page);
void cli_help_functions(const cli_page *page);
void cli_help_model(const cli_page *page);
void cli_help_schemes(const cli_page *page);

/* The text below the name of a scheme; headings have this level. */
void cli_help_scheme(const cli_page *page, const lv_scheme_info *info, int level);

/* Explains the option of schemes with this name, or a word that one accepts; false: there
 * is none. */
bool cli_option_explain(const cli_page *page, const char *name);
bool cli_choice_explain(const cli_page *page, const char *name);
void cli_options_offer(cli_nearest *nearest);

/* The example of a section, which must have one, as it would be in a file. */
enum { CLI_EXAMPLE_SIZE = 1000 };
void cli_help_example(char *buffer, size_t size, const lv_section_info *section);

/* The text below the heading of section k. */
void cli_help_section(const cli_page *page, int k, const lv_section_info *section);

#endif
