#include "cli/args.h"
#include "cli/error.h"
#include "cli/nearest.h"

#include <stdio.h>

static lv_status fail_unknown(const char *name, lv_error *err)
{
    cli_nearest nearest = {.word = name};
    for (int k = 0; lv_shipped_names()[k]; k++)
        cli_nearest_offer(&nearest, lv_shipped_names()[k]);
    lv_status status =
        cli_fail(err, LV_ERR_USAGE, "no model named '%s' is shipped", name);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err, "'livens list models' shows the names");
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    lv_error *err = &outcome->error;
    const char *text = lv_shipped_text(args->items[0]);
    if (!text)
        return fail_unknown(args->items[0], err);
    fputs(text, stdout);
    return LV_OK;
}

static const cli_argument arguments[] = {
    {"NAME", false, "the name of a shipped model (livens list models)"},
    {NULL, false, NULL},
};

static const cli_example examples[] = {
    {"livens show kepler", "read the model, with its source and what to look at"},
    {"livens show kepler > mine.toml", "begin a model of one's own"},
    {NULL, NULL},
};

const cli_command cli_command_show = {
    .name = "show",
    .summary = "print the text of a shipped model",
    .about = "The text is a complete model file with comments.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
