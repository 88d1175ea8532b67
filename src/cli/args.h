/* The arguments and options of one call of a command. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "cli/command.h"

#include <stddef.h>

typedef struct cli_given {
    const cli_option *option;
    const char *value; /* NULL for options without a value */
} cli_given;

struct cli_args {
    const cli_command *command;
    int count; /* number of arguments */
    char **items;
    int given_count; /* number of options, in the order given */
    cli_given *given;
    char *line; /* the whole command line, quoted for a shell */
};

/* Parses argv, whose item 0 is the command's name, and permutes it; its texts must
 * outlive the result. Call cli_args_done in every case. The number of arguments is not
 * checked if help is asked for. */
LV_NODISCARD lv_status cli_args_parse(cli_args *args, const cli_command *command,
                                      int argc, char **argv, lv_error *err);
void cli_args_done(cli_args *args);

/* Writes a word as a shell reads it, without a NUL; returns the end. Needs 4 bytes for
 * each byte of the word, and 3 more. */
char *cli_shell_word(char *to, const char *word);

/* The command line without the options of these names (the list ends with NULL), with the
 * arguments first; NULL: memory is short. Free it with free. */
char *cli_args_without(const cli_args *args, const char *const *names);

/* Whether the option was given. */
bool cli_args_flag(const cli_args *args, const char *name);

/* The value of an option, the last one if it was given several times; NULL if it was not
 * given. */
const char *cli_args_value(const cli_args *args, const char *name);

/* Values of options: a positive number, a time, which may be 0, or a whole number from 1.
 * *value is changed only if the option was given. Only plain decimal numbers are
 * accepted. */
LV_NODISCARD lv_status cli_args_number(const cli_args *args, const char *name,
                                       double *value, lv_error *err);
LV_NODISCARD lv_status cli_args_time(const cli_args *args, const char *name,
                                     double *value, lv_error *err);
LV_NODISCARD lv_status cli_args_whole(const cli_args *args, const char *name, int *value,
                                      lv_error *err);

/* "2/4": part 2 of 4 parts. Both are changed only if the option was given. */
LV_NODISCARD lv_status cli_args_part(const cli_args *args, const char *name, int *part,
                                     int *parts, lv_error *err);

/* Positive numbers separated by commas, at most `most`; *count is 0 if the option was not
 * given. */
LV_NODISCARD lv_status cli_args_numbers(const cli_args *args, const char *name,
                                        double *values, int most, int *count,
                                        lv_error *err);

/* A size in bytes, with K, M, G or T for powers of 1024: "4G", "1.5G". */
LV_NODISCARD lv_status cli_args_size(const cli_args *args, const char *name,
                                     size_t *value, lv_error *err);

/* One of several words; the list ends with NULL. *choice becomes its index. */
LV_NODISCARD lv_status cli_args_choice(const cli_args *args, const char *name,
                                       const char *const *words, int *choice,
                                       lv_error *err);

/* Writes "4, 6 or 8"; the list of words ends with NULL. */
void cli_list_words(char *buffer, size_t size, const char *const *words);

/* Whether --json is among the arguments; it needs no parsing. */
bool cli_args_want_json(int argc, char **argv);

#endif
