/* getopt_long does the parsing; its table and the messages come from the command's options. */
#include "cli/args.h"

#include "cli/error.h"
#include "cli/nearest.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTIONS_MAX = 40, /* per command */
    LONG_BASE = 1000  /* getopt reports option k as LONG_BASE + k, beyond any letter */
};

/* Option k of a command; --help follows the command's own. NULL beyond the last. */
static const cli_option *option_at(const cli_command *command, int k)
{
    int own = 0;
    while (command->options && command->options[own].name)
        own++;
    if (k < own)
        return &command->options[k];
    return k == own ? &cli_help_option : NULL;
}

/* The option that getopt reports by a number or a letter. */
static const cli_option *option_reported(const cli_command *command, int report)
{
    if (report >= LONG_BASE)
        return option_at(command, report - LONG_BASE);
    for (int k = 0; option_at(command, k); k++)
        if (option_at(command, k)->letter == report)
            return option_at(command, k);
    return NULL;
}

static int value_need(const cli_option *option)
{
    if (!option->value)
        return no_argument;
    return option->value[0] == '[' ? optional_argument : required_argument;
}

/* Fills the tables for getopt_long. The leading ':' makes it distinguish a missing value
 * from an unknown option. */
static void fill_tables(const cli_command *command, struct option *longs, char *letters)
{
    int k = 0, n = 0;
    const cli_option *option = NULL;
    letters[n++] = ':';
    for (; k < OPTIONS_MAX && (option = option_at(command, k)); k++) {
        longs[k] = (struct option){option->name, value_need(option), NULL, LONG_BASE + k};
        if (option->letter) {
            letters[n++] = option->letter;
            if (option->value)
                letters[n++] = ':';
        }
    }
    longs[k] = (struct option){0};
    letters[n] = '\0';
}

static lv_status fail_missing_value(const cli_command *command, int report, lv_error *err)
{
    const cli_option *option = option_reported(command, report);
    lv_status status = cli_fail(err, LV_ERR_USAGE, "option --%s needs a value, %s",
                                option->name, option->value);
    cli_hint(err, "'livens help %s' explains it", command->name);
    return status;
}

static lv_status fail_unknown_long(const cli_command *command, const char *text,
                                   lv_error *err)
{
    int length = (int)strcspn(text, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", length - 2, text + 2);

    cli_nearest nearest = {.word = name};
    for (int k = 0; option_at(command, k); k++)
        cli_nearest_offer(&nearest, option_at(command, k)->name);
    const char *best = cli_nearest_result(&nearest);

    lv_status status =
        cli_fail(err, LV_ERR_USAGE, "%s has no option %.*s", command->name, length, text);
    if (best)
        cli_hint(err, "did you mean '--%s'?", best);
    else
        cli_hint(err, "'livens help %s' lists the options", command->name);
    return status;
}

/* getopt returned '?': optopt is the letter, or the number of a known option that was
 * given a value it does not take, or 0 for a long option that is unknown or an ambiguous
 * abbreviation. */
static lv_status fail_option(const cli_command *command, int report, const char *text,
                             lv_error *err)
{
    if (report >= LONG_BASE)
        return cli_fail(err, LV_ERR_USAGE, "option --%s takes no value",
                        option_reported(command, report)->name);
    if (report == 0)
        return fail_unknown_long(command, text, err);
    bool printable = report > 32 && report < 127;
    lv_status status = cli_fail(err, LV_ERR_USAGE, "%s has no option -%c", command->name,
                                printable ? report : '?');
    cli_hint(err, "'livens help %s' lists the options", command->name);
    return status;
}

static lv_status parse_options(cli_args *args, int argc, char **argv, lv_error *err)
{
    struct option longs[OPTIONS_MAX + 1];
    char letters[2 * OPTIONS_MAX + 2];
    fill_tables(args->command, longs, letters);
    opterr = 0;
    optind = 0; /* restarts getopt, whatever was parsed before */
    int found = 0;
    while ((found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (found == ':')
            return fail_missing_value(args->command, optopt, err);
        if (found == '?')
            return fail_option(args->command, optopt, argv[optind - 1], err);
        args->given[args->given_count++] =
            (cli_given){option_reported(args->command, found), optarg};
    }
    args->count = argc - optind;
    args->items = argv + optind;
    return LV_OK;
}

static lv_status check_count(const cli_args *args, lv_error *err)
{
    const cli_argument *wanted = args->command->arguments;
    int k = 0;
    for (; wanted[k].name && k < args->count; k++)
        if (args->command->repeats && !wanted[k + 1].name)
            return LV_OK;
    if (wanted[k].name && !wanted[k].optional) {
        lv_status status = cli_fail(err, LV_ERR_USAGE, "%s needs %s", args->command->name,
                                    wanted[k].name);
        cli_hint(err, "%s: %s", wanted[k].name, wanted[k].doc);
        return status;
    }
    if (k == args->count)
        return LV_OK;
    lv_status status =
        cli_fail(err, LV_ERR_USAGE, "unexpected argument '%s'", args->items[k]);
    cli_hint(err, "'livens help %s' shows what it takes", args->command->name);
    return status;
}

char *cli_shell_word(char *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%";
    const bool quoted = word[0] == '\0' || word[strspn(word, plain)] != '\0';
    if (quoted)
        *to++ = '\'';
    for (const char *c = word; *c; c++) {
        if (*c == '\'') {
            *to++ = '\'';
            *to++ = '\\';
            *to++ = '\'';
        }
        *to++ = *c;
    }
    if (quoted)
        *to++ = '\'';
    return to;
}

static char *command_line(int argc, char **argv)
{
    size_t size = sizeof "livens";
    for (int k = 0; k < argc; k++)
        size += 4 * strlen(argv[k]) + 3;
    char *line = malloc(size);
    if (!line)
        return NULL;
    memcpy(line, "livens", sizeof "livens");
    char *to = line + strlen("livens");
    for (int k = 0; k < argc; k++) {
        *to++ = ' ';
        to = cli_shell_word(to, argv[k]);
    }
    *to = '\0';
    return line;
}

static bool is_among(const char *const *names, const char *name)
{
    for (int k = 0; names[k]; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* "--step=0.1" */
static char *option_word(const cli_given *given)
{
    const char *value = given->value ? given->value : "";
    const size_t size = strlen(given->option->name) + strlen(value) + sizeof "--=";
    char *word = malloc(size);
    if (word)
        snprintf(word, size, "--%s%s%s", given->option->name, given->value ? "=" : "",
                 value);
    return word;
}

char *cli_args_without(const cli_args *args, const char *const *names)
{
    int count = 0;
    bool lost = false;
    char name[40];
    char **words =
        calloc((size_t)args->count + (size_t)args->given_count + 1, sizeof *words);
    if (!words)
        return NULL;
    snprintf(name, sizeof name, "%s", args->command->name);
    words[count++] = name;
    for (int k = 0; k < args->count; k++)
        words[count++] = args->items[k];
    const int own = count;
    for (int k = 0; k < args->given_count; k++)
        if (!is_among(names, args->given[k].option->name)) {
            words[count] = option_word(&args->given[k]);
            lost = lost || !words[count++];
        }
    char *line = lost ? NULL : command_line(count, words);
    for (int k = own; k < count; k++)
        free(words[k]);
    free(words);
    return line;
}

lv_status cli_args_parse(cli_args *args, const cli_command *command, int argc,
                         char **argv, lv_error *err)
{
    *args = (cli_args){.command = command};
    /* One item of argv gives at most as many options as it has letters. */
    size_t room = 1;
    for (int k = 1; k < argc; k++)
        room += strlen(argv[k]);
    args->given = calloc(room, sizeof *args->given);
    args->line = command_line(argc, argv);
    if (!args->given || !args->line)
        return cli_fail(err, LV_ERR_MEMORY, "out of memory");
    lv_status status = parse_options(args, argc, argv, err);
    if (status == LV_OK && !cli_args_flag(args, cli_help_option.name))
        status = check_count(args, err);
    return status;
}

void cli_args_done(cli_args *args)
{
    free(args->given);
    free(args->line);
    *args = (cli_args){0};
}

bool cli_args_flag(const cli_args *args, const char *name)
{
    for (int k = 0; k < args->given_count; k++)
        if (strcmp(args->given[k].option->name, name) == 0)
            return true;
    return false;
}

const char *cli_args_value(const cli_args *args, const char *name)
{
    const char *value = NULL;
    for (int k = 0; k < args->given_count; k++)
        if (strcmp(args->given[k].option->name, name) == 0)
            value = args->given[k].value;
    return value;
}

bool cli_args_want_json(int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--json") == 0)
            return true;
    return false;
}
