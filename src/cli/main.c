/* The program: finds the command, runs it, reports errors, and makes sure that all output
 * was written. */
#include "cli/args.h"
#include "cli/error.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <livens/livens.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    EXIT_WARNED = 3,       /* there were warnings, and they count as a failure */
    EXIT_INTERRUPTED = 130 /* what shells report for a program ended by Ctrl-C */
};

/* Occupies stdin, stdout and stderr if the caller has closed them, so that a file opened
 * later does not get their descriptors. Using them still fails. */
static void occupy_standard_files(void)
{
    for (int k = 0; k < 3; k++)
        if (fcntl(k, F_GETFD) == -1 && errno == EBADF)
            (void)open("/dev/null", k == 0 ? O_WRONLY : O_RDONLY);
}

/* Commands that read models have the option --memory. */
static lv_status run_within_budget(const cli_command *command, const cli_args *args,
                                   cli_outcome *outcome)
{
    size_t budget = 0; /* 0: the default */
    lv_status status = cli_args_size(args, "memory", &budget, &outcome->error);
    if (status != LV_OK)
        return status;
    lv_memory_set_budget(budget);
    return command->run(args, outcome);
}

static lv_status run_command(const cli_command *command, int argc, char **argv,
                             cli_outcome *outcome)
{
    cli_args args;
    lv_status status = cli_args_parse(&args, command, argc, argv, &outcome->error);
    if (status == LV_OK && cli_args_flag(&args, cli_help_option.name))
        cli_help_command(&(cli_page){stdout, false}, command);
    else if (status == LV_OK)
        status = run_within_budget(command, &args, outcome);
    cli_args_done(&args);
    return status;
}

static lv_status fail_unknown(const char *word, lv_error *err)
{
    bool is_option = word[0] == '-';
    cli_nearest nearest = {.word = word};
    for (int k = 0; !is_option && cli_commands[k]; k++)
        cli_nearest_offer(&nearest, cli_commands[k]->name);
    if (is_option) {
        cli_nearest_offer(&nearest, "--help");
        cli_nearest_offer(&nearest, "--version");
    }
    lv_status status = cli_fail(err, LV_ERR_USAGE, "livens has no %s '%s'",
                                is_option ? "option" : "command", word);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err, "'livens help' lists the commands");
    return status;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static lv_status run_program(int argc, char **argv, cli_outcome *outcome)
{
    const char *word = argv[1];
    const cli_command *command = cli_command_find(word);
    if (command)
        return run_command(command, argc - 1, argv + 1, outcome);
    if (is_one_of(word, "--version", "-V")) {
        printf("livens %s\n", lv_version());
        return LV_OK;
    }
    if (is_one_of(word, "--help", "-h")) {
        cli_help_program(&(cli_page){stdout, false});
        return LV_OK;
    }
    return fail_unknown(word, &outcome->error);
}

/* Output that could not be written is a failure, even if everything else succeeded. */
static lv_status finish_output(lv_error *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return LV_OK;
    return cli_fail(err, LV_ERR_IO, "the output cannot be written: %s",
                    errno ? strerror(errno) : "an earlier write failed");
}

/* With LIVENS_NATIVE=0 formulas are interpreted. */
static void read_environment(void)
{
    const char *native = getenv("LIVENS_NATIVE");
    lv_native_enable(!native || strcmp(native, "0") != 0);
}

int main(int argc, char **argv); /* fuzz/fuzz_cli.c calls it under another name */

int main(int argc, char **argv)
{
    occupy_standard_files();
    read_environment();
    cli_interrupt_ignore_full();
    if (argc < 2) {
        cli_help_program(&(cli_page){stderr, false});
        return lv_status_exit_code(LV_ERR_USAGE);
    }
    /* Whether to answer in JSON is determined first, because getopt reorders argv. */
    bool json = cli_args_want_json(argc, argv);
    cli_outcome outcome = {.error = {.code = LV_OK}};
    lv_status status = run_program(argc, argv, &outcome);
    if (status != LV_OK && !outcome.reported)
        cli_report(&outcome.error, json, NULL);
    lv_status written = finish_output(&outcome.error);
    if (written != LV_OK) {
        cli_report(&outcome.error, false, NULL);
        return lv_status_exit_code(written);
    }
    if (status == LV_OK && outcome.interrupted)
        return EXIT_INTERRUPTED;
    return status == LV_OK && outcome.warned ? EXIT_WARNED : lv_status_exit_code(status);
}
