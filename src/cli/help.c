/* Help on the program and its commands, from their descriptors. */
#include "cli/help.h"

#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 48, TERM_SIZE = 80 };

const cli_topic cli_topics[] = {
    {"model", "what a model file may contain: sections, keys, units, defaults",
     cli_help_model},
    {"functions", "the formula language: operators, names, functions",
     cli_help_functions},
    {"schemes", "the integrators: what each does, takes and keeps", cli_help_schemes},
    {"commands", "all commands with their options", cli_help_commands},
    {NULL, NULL, NULL},
};

static const cli_example program_examples[] = {
    {"livens list models", "the models that come with livens"},
    {"livens check double-pendulum", "examine one of them"},
    {"livens run kepler -o orbit.h5", "integrate one and keep the motion"},
    {"livens list schemes", "the integrators, and what they keep"},
    {"livens show chain > mine.toml", "begin a model of one's own"},
    {"livens check mine.toml", "and see what is wrong with it"},
    {NULL, NULL},
};

/* Prints a part of the usage, in a new line if it does not fit; returns the next
 * column. */
static int put_part(FILE *out, const char *part, int at, int indent)
{
    if (at + 1 + cli_columns(part) > cli_width(out)) {
        fprintf(out, "\n%*s", indent - 1, "");
        at = indent - 1;
    }
    fprintf(out, " %s", part);
    return at + 1 + cli_columns(part);
}

/* The separator of an option and its value. */
static const char *value_gap(const cli_option *option)
{
    return option->value && option->value[0] != '[' ? " " : "";
}

void cli_usage(FILE *out, const cli_command *command, int at)
{
    char part[TERM_SIZE];
    int indent = at + (int)strlen("livens ") + (int)strlen(command->name) + 1;
    fprintf(out, "livens %s", command->name);
    at = indent - 1;
    for (const cli_argument *a = command->arguments; a->name; a++) {
        snprintf(part, sizeof part, a->optional ? "[%s]%s" : "%s%s", a->name,
                 command->repeats && !a[1].name ? "..." : "");
        at = put_part(out, part, at, indent);
    }
    for (const cli_option *o = command->options; o && o->name; o++) {
        snprintf(part, sizeof part, "[--%s%s%s]%s", o->name, value_gap(o),
                 o->value ? o->value : "", o->repeats ? "..." : "");
        at = put_part(out, part, at, indent);
    }
}

/* "-h, --help", "--set NAME=VALUE" */
static void option_term(char *buffer, size_t size, const cli_option *option)
{
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(buffer, size, "%s--%s%s%s", letter, option->name, value_gap(option),
             option->value ? option->value : "");
}

static void write_usage(const cli_page *page, const cli_command *command)
{
    fputs(page->markdown ? "```\n" : "  usage: ", page->out);
    cli_usage(page->out, command, page->markdown ? 0 : (int)strlen("  usage: "));
    fputs(page->markdown ? "\n```\n\n" : "\n\n", page->out);
}

static void write_arguments(const cli_page *page, const cli_command *command, int level)
{
    cli_row rows[ROWS_MAX];
    int n = 0;
    for (const cli_argument *a = command->arguments; a->name && n < ROWS_MAX; a++)
        rows[n++] = (cli_row){a->name, a->doc};
    if (n == 0)
        return;
    if (!page->markdown)
        cli_page_heading(page, level, "arguments");
    cli_page_rows(page, "argument", "meaning", rows, n);
}

static void write_options(const cli_page *page, const cli_command *command, int level)
{
    cli_row rows[ROWS_MAX];
    char terms[ROWS_MAX][TERM_SIZE];
    int n = 0;
    for (const cli_option *o = command->options; o && o->name && n < ROWS_MAX - 1; o++) {
        option_term(terms[n], TERM_SIZE, o);
        rows[n] = (cli_row){terms[n], o->doc};
        n++;
    }
    option_term(terms[n], TERM_SIZE, &cli_help_option);
    rows[n] = (cli_row){terms[n], cli_help_option.doc};
    if (!page->markdown)
        cli_page_heading(page, level, "options");
    cli_page_rows(page, "option", "meaning", rows, n + 1);
}

static void write_examples(const cli_page *page, const cli_example *examples, int level)
{
    cli_row rows[ROWS_MAX];
    int n = 0;
    for (const cli_example *e = examples; e && e->line && n < ROWS_MAX; e++)
        rows[n++] = (cli_row){e->line, e->doc};
    if (n == 0)
        return;
    if (!page->markdown)
        cli_page_heading(page, level, "examples");
    cli_page_rows(page, "example", "what it does", rows, n);
}

static void write_command(const cli_page *page, const cli_command *command, int level)
{
    write_usage(page, command);
    cli_page_text(page, command->about);
    write_arguments(page, command, level + 1);
    write_options(page, command, level + 1);
    write_examples(page, command->examples, level + 1);
}

static void command_title(char *buffer, size_t size, const cli_command *command)
{
    snprintf(buffer, size, "livens %s: %s", command->name, command->summary);
}

void cli_help_command(const cli_page *page, const cli_command *command)
{
    char title[160];
    command_title(title, sizeof title, command);
    cli_page_title(page, title);
    write_command(page, command, 1);
}

static void write_command_list(const cli_page *page)
{
    cli_row rows[ROWS_MAX];
    int n = 0;
    for (; cli_commands[n] && n < ROWS_MAX; n++)
        rows[n] = (cli_row){cli_commands[n]->name, cli_commands[n]->summary};
    cli_page_rows(page, "command", "what it does", rows, n);
}

static void write_exit_codes(const cli_page *page)
{
    static const cli_row rows[] = {
        {"0", "success"},
        {"1", "the model is wrong: text that is no TOML, no formula or makes no sense"},
        {"2", "the command line is wrong"},
        {"3", "a computation failed, a formula has no finite value, or memory ran out"},
        {"4", "a file cannot be read, or the output cannot be written"},
        {"130", "a run was interrupted and ended in good order"},
    };
    cli_page_heading(page, 2, "exit codes");
    cli_page_rows(page, "code", "meaning", rows, (int)(sizeof rows / sizeof rows[0]));
}

void cli_help_commands(const cli_page *page)
{
    cli_page_title(page, "Commands of livens");
    write_command_list(page);
    for (int k = 0; cli_commands[k]; k++) {
        char title[160];
        command_title(title, sizeof title, cli_commands[k]);
        cli_page_heading(page, 2, title);
        if (!page->markdown)
            fputc('\n', page->out);
        write_command(page, cli_commands[k], 2);
    }
    write_exit_codes(page);
}

static void write_topic_list(const cli_page *page)
{
    cli_row rows[ROWS_MAX];
    char terms[ROWS_MAX][TERM_SIZE];
    int n = 0;
    snprintf(terms[n], TERM_SIZE, "livens help COMMAND");
    rows[n] = (cli_row){terms[n], "one command, its options and examples"};
    for (n = 1; cli_topics[n - 1].name; n++) {
        snprintf(terms[n], TERM_SIZE, "livens help %s", cli_topics[n - 1].name);
        rows[n] = (cli_row){terms[n], cli_topics[n - 1].doc};
    }
    cli_page_heading(page, 2, "read on");
    cli_page_rows(page, "help", "about", rows, n);
}

void cli_help_program(const cli_page *page)
{
    char title[120];
    snprintf(title, sizeof title,
             "livens %s: constrained mechanical systems from formulas", lv_version());
    cli_page_title(page, title);
    if (page->markdown)
        cli_page_code(page, "", "livens COMMAND [arguments] [options]");
    else
        fputs("  usage: livens COMMAND [arguments] [options]\n"
              "         livens --version\n\n",
              page->out);
    cli_page_heading(page, 2, "commands");
    write_command_list(page);
    if (page->markdown)
        cli_page_heading(page, 2, "examples");
    write_examples(page, program_examples, 2);
    write_topic_list(page);
}
