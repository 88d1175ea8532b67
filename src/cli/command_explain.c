#include "cli/args.h"
#include "cli/changes.h"
#include "cli/equations.h"
#include "cli/error.h"
#include "cli/help.h"
#include "cli/load.h"
#include "cli/nearest.h"
#include "cli/parts.h"
#include "cli/schemes.h"

#include <stdio.h>
#include <string.h>

/* ---- errors ------------------------------------------------------------------------------------ */

static const lv_status statuses[] = {
#define LV_X(id, name, meaning) id,
    LV_STATUS_LIST(LV_X)
#undef LV_X
};

enum { STATUS_COUNT = sizeof statuses / sizeof statuses[0] };

static const char *advice(lv_status status)
{
    switch (status) {
    case LV_OK:
        return "Nothing is to be done.";
    case LV_ERR_MEMORY:
        return "Use a smaller system or fewer stages, or a machine with more memory. For "
               "very large families `livens check` shows how many instances there are.";
    case LV_ERR_LIMIT:
        return "livens bounds the size of files, the nesting of formulas and the number "
               "of coordinates, so that a hostile or mistaken file cannot exhaust the "
               "machine. The message names the bound. Write repeated parts as families "
               "(count and for) instead of one by one.";
    case LV_ERR_SYNTAX:
        return "The message shows the place. Formulas stand in quotes; "
               "`livens help functions` has their notation, `livens help model` that of "
               "model files.";
    case LV_ERR_MODEL:
        return "The message names the part of the model and, where it can, what was "
               "meant. `livens check` reports what livens makes of a model. If a scheme "
               "does not fit the system, `livens list schemes` shows others. If the "
               "start violates constraints, correct it, or let livens move it onto them "
               "with --initial project.";
    case LV_ERR_DOMAIN:
        return "A root of a negative number, a logarithm of zero, a division by zero: "
               "the message names the formula, the operation and its values. Look "
               "whether the start lies where the formula is defined; angles such as "
               "spherical ones have poles at which others have to be used.";
    case LV_ERR_NUMERIC:
        return "Most often the step is too large: halve it with --step. If a smaller "
               "step does not help, look at the equations that the message names. "
               "Constraints that are redundant or contradict each other, masses that "
               "vanish and a motion that runs into a singularity make the equations "
               "singular at any step. What was recorded before is kept.";
    case LV_ERR_USAGE:
        return "`livens help COMMAND` shows the arguments and options of a command.";
    case LV_ERR_IO:
        return "The message names the file and the reason: it does not exist, may not be "
               "written, or the disk is full.";
    }
    return "";
}

static void explain_status(const cli_page *page, lv_status status)
{
    char title[200], code[80];
    snprintf(title, sizeof title, "%s: %s", lv_status_name(status),
             lv_status_meaning(status));
    snprintf(code, sizeof code, "The program ends with code %d.",
             lv_status_exit_code(status));
    cli_page_title(page, title);
    cli_page_text(page, advice(status));
    cli_page_text(page, code);
}

/* ---- the command --------------------------------------------------------------------------------- */

static lv_status fail_unknown(const char *name, lv_error *err)
{
    cli_nearest nearest = {.word = name};
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        cli_nearest_offer(&nearest, info.name);
    cli_sections_offer(&nearest);
    cli_options_offer(&nearest);
    for (int k = 0; k < STATUS_COUNT; k++)
        cli_nearest_offer(&nearest, lv_status_name(statuses[k]));
    lv_status status = cli_fail(
        err, LV_ERR_USAGE,
        "there is no scheme, no part, no option and no error of the name '%s'", name);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err,
                 "'livens list' has the schemes and parts, 'livens help explain' the "
                 "errors");
    return status;
}

/* Explains the equations of a scheme; other options than --equations need it. */
static lv_status explain_equations(const cli_page *page, const cli_args *args,
                                   bool is_scheme, lv_error *err)
{
    const char *name = args->items[0], *option = cli_equations_option(args);
    lv_scheme_info info;
    cli_nearest nearest = {.word = name};
    if (!cli_args_flag(args, "equations")) {
        lv_status status = cli_fail(err, LV_ERR_USAGE,
                                    "--%s has no meaning without --equations", option);
        cli_hint(err, "livens explain %s --equations shows the equations of a step",
                 is_scheme ? name : "rattle");
        return status;
    }
    if (is_scheme)
        return cli_equations_explain(page, name, args, err);
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        cli_nearest_offer(&nearest, info.name);
    lv_status status =
        cli_fail(err, LV_ERR_USAGE,
                 "there is no scheme '%s', and only schemes have equations", name);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err, "'livens list schemes' shows what there is");
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    const cli_page page = {stdout, false};
    const char *name = args->items[0];
    lv_scheme_info info;
    const bool is_scheme = cli_scheme_find(name, &info);
    if (args->given_count > 0)
        return explain_equations(&page, args, is_scheme, &outcome->error);
    if (is_scheme) {
        cli_page_title(&page, info.name);
        cli_help_scheme(&page, &info, 2);
        return LV_OK;
    }
    for (int k = 0; k < STATUS_COUNT; k++)
        if (strcmp(lv_status_name(statuses[k]), name) == 0) {
            explain_status(&page, statuses[k]);
            return LV_OK;
        }
    if (cli_section_explain(&page, name) || cli_option_explain(&page, name))
        return LV_OK;
    const bool is_word = cli_word_explain(&page, name);
    if (cli_choice_explain(&page, name) || is_word)
        return LV_OK;
    return fail_unknown(name, &outcome->error);
}

static const cli_argument arguments[] = {
    {"NAME", false,
     "a scheme (livens list schemes), a part (livens list parts) or another section of "
     "model files, an option of schemes (rotations), a word that a key or an option "
     "takes "
     "(revolute, box, exp), or the status of a failure in JSON: memory, limit, syntax, "
     "model, "
     "domain, numeric, usage, io"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"equations", 0, false, NULL,
     "of a scheme: the equations of a step, as the program reads them"},
    {"model", 0, false, "MODEL",
     "with --equations: also what follows from them for this model"},
    CLI_SET_OPTION,
    LV_OPTION_LIST(CLI_CHANGE_ROW){NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens explain lobatto", "what the scheme is and keeps, by stages"},
    {"livens explain rattle --equations", "a step as equations"},
    {"livens explain em --equations --model four-particles",
     "what is solved for, and how much"},
    {"livens explain springs", "what the part is, its keys and an example"},
    {"livens explain revolute", "a type of joints"},
    {"livens explain rotations", "how bodies turn, and which schemes can do it"},
    {"livens explain numeric", "why a run may stop, and what to do"},
    {NULL, NULL},
};

const cli_command cli_command_explain = {
    .name = "explain",
    .summary = "explain a scheme, an option, a part or an error",
    .about =
        "Of a scheme: what it does, its options, its order and what it keeps, and "
        "where it comes from. With --equations: the equations of a step, its "
        "coefficients where they are few, and the operators in it; with --model also "
        "what is derived for this model: which unknowns are solved for together, how "
        "many numbers that are, whether linear, what follows from them, and how often "
        "forces are evaluated. Options of the scheme are those of `livens run`. Of an "
        "option: its values, what they mean, and the schemes that take them. Of a "
        "part or a section of model files: what it is, its "
        "keys with their units, ranges and defaults, and an example. Of an error: "
        "what it means and what to do.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
