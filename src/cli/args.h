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
    int count; /* arguments */
    char **items;
    int given_count; /* options, in the order given */
    cli_given *given;
    char *line; /* the whole command, as a shell would read it again */
};

/* Parses argv, whose item 0 is the command's name, and permutes it; its texts must outlive the
 * result. Call cli_args_done in every case. The number of arguments is checked unless help is
 * asked for. */
LV_NODISCARD lv_status cli_args_parse(cli_args *args, const cli_command *command,
                                      int argc, char **argv, lv_error *err);
void cli_args_done(cli_args *args);

/* Writes a word as a shell reads it, without a NUL; returns the end. Needs 4 bytes for each of its own, and 3. */
char *cli_shell_word(char *to, const char *word);

/* The command once more, without options of these names, which end with NULL, and with the arguments first; NULL: there
 * is no memory. Free with free. */
char *cli_args_without(const cli_args *args, const char *const *names);

/* Was the option given? */
bool cli_args_flag(const cli_args *args, const char *name);

/* The value of an option, the last one if it was given several times; NULL if it was not. */
const char *cli_args_value(const cli_args *args, const char *name);

/* Positive numbers, times, which may be 0, and whole numbers from 1, as values of options: *value is changed only if
 * the option was given. Nothing but a plain decimal number is accepted. */
LV_NODISCARD lv_status cli_args_number(const cli_args *args, const char *name,
                                       double *value, lv_error *err);
LV_NODISCARD lv_status cli_args_time(const cli_args *args, const char *name,
                                     double *value, lv_error *err);
LV_NODISCARD lv_status cli_args_whole(const cli_args *args, const char *name, int *value,
                                      lv_error *err);

/* "2/4": part 2 of 4 parts. Both are changed only if the option was given. */
LV_NODISCARD lv_status cli_args_part(const cli_args *args, const char *name, int *part,
                                     int *parts, lv_error *err);

/* Positive numbers that are separated by commas, at most so many; none if the option was not given. */
LV_NODISCARD lv_status cli_args_numbers(const cli_args *args, const char *name,
                                        double *values, int most, int *count,
                                        lv_error *err);

/* A size in bytes, with K, M, G or T for powers of 1024: "4G", "1.5G". */
LV_NODISCARD lv_status cli_args_size(const cli_args *args, const char *name,
                                     size_t *value, lv_error *err);

/* One of a few words, which end with NULL: *choice is its number. */
LV_NODISCARD lv_status cli_args_choice(const cli_args *args, const char *name,
                                       const char *const *words, int *choice,
                                       lv_error *err);

/* "4, 6 or 8": words, which end with NULL. */
void cli_list_words(char *buffer, size_t size, const char *const *words);

/* Does --json stand among the arguments? Asked before or without parsing. */
bool cli_args_want_json(int argc, char **argv);

#endif
