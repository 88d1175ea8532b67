#include "cli/args.h"
#include "cli/completion.h"
#include "cli/error.h"
#include "cli/help.h"
#include "cli/nearest.h"

#include <stdio.h>
#include <string.h>

static const cli_topic *find_topic(const char *name)
{
    for (int k = 0; cli_topics[k].name; k++)
        if (strcmp(cli_topics[k].name, name) == 0)
            return &cli_topics[k];
    return NULL;
}

static lv_status fail_unknown(const char *name, lv_error *err)
{
    cli_nearest nearest = {.word = name};
    for (int k = 0; cli_commands[k]; k++)
        cli_nearest_offer(&nearest, cli_commands[k]->name);
    for (int k = 0; cli_topics[k].name; k++)
        cli_nearest_offer(&nearest, cli_topics[k].name);
    lv_status status = cli_fail(err, LV_ERR_USAGE, "there is no help on '%s'", name);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err, "'livens help' lists the commands and topics");
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    lv_error *err = &outcome->error;
    cli_page page = {stdout, cli_args_flag(args, "markdown")};
    int shell = -1;
    lv_status status =
        cli_args_choice(args, "completion", cli_completion_shells, &shell, err);
    if (status != LV_OK)
        return status;
    if (shell >= 0) {
        cli_completion_write(stdout, shell);
        return LV_OK;
    }
    if (args->count == 0) {
        cli_help_program(&page);
        return LV_OK;
    }
    const cli_command *command = cli_command_find(args->items[0]);
    const cli_topic *topic = find_topic(args->items[0]);
    if (!command && !topic)
        return fail_unknown(args->items[0], err);
    if (command)
        cli_help_command(&page, command);
    else
        topic->write(&page);
    return LV_OK;
}

static const cli_argument arguments[] = {
    {"TOPIC", true, "a command, or one of: model, functions, schemes, commands"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"markdown", 0, false, NULL, "write Markdown, as in docs/reference"},
    {"completion", 0, false, "bash|zsh|fish",
     "write a script with which the shell completes commands, options, models"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens help check", "how check is called"},
    {"livens help model", "sections and keys of model files"},
    {"source <(livens help --completion bash)", "complete command lines in this shell"},
    {NULL, NULL},
};

const cli_command cli_command_help = {
    .name = "help",
    .summary = "explain commands, model files and formulas",
    .about = "Without a topic: an overview of the program.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
