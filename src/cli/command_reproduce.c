#include "cli/reproduce/report.h"

#include "cli/error.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- progress ------------------------------------------------------------------------------------- */

typedef struct bar {
    bool wanted, drawn;
    double drawn_at; /* seconds */
} bar;

static bool show_progress(void *user, const cli_reproduce_progress *now)
{
    bar *b = user;
    if (b->wanted && now->seconds - b->drawn_at >= 0.1) {
        char line[CLI_WIDTH_MOST];
        snprintf(line, sizeof line, "%d of %d: %s", now->figure + 1, now->figures,
                 now->where);
        cli_put_over(line);
        b->drawn = true;
        b->drawn_at = now->seconds;
    }
    return !cli_interrupt_arrived();
}

static void hide_progress(const bar *b)
{
    if (b->drawn)
        cli_put_over(NULL);
}

/* ---- the command ----------------------------------------------------------------------------------- */

/* Claims that do not come out as expected make the command fail, after its report. */
static lv_status conclude(const cli_reproduction *r, cli_outcome *outcome)
{
    outcome->interrupted = r->interrupted;
    if (r->differ + r->pins_differ == 0)
        return LV_OK;
    lv_status status =
        cli_fail(&outcome->error, LV_ERR_NUMERIC,
                 "%d of %d claims of %s and %d of %d other numbers do not come out as "
                 "expected",
                 r->differ, r->claim_count, r->paper.name, r->pins_differ, r->pin_count);
    cli_report(&outcome->error, false, NULL);
    outcome->reported = true;
    return status;
}

static lv_status run_paper(const cli_args *args, cli_outcome *outcome)
{
    cli_reproduction *r = NULL;
    bool json = cli_args_flag(args, "json");
    bar b = {.wanted = !cli_args_flag(args, "quiet") && isatty(fileno(stderr))};
    const cli_reproduce_request request = {.only = cli_args_value(args, "only"),
                                           .full = cli_args_flag(args, "full"),
                                           .list = cli_args_flag(args, "list"),
                                           .csv = cli_args_value(args, "csv"),
                                           .progress = show_progress,
                                           .user = &b};
    cli_interrupt_catch();
    lv_status status = cli_reproduce(&r, args->items[0], &request, &outcome->error);
    hide_progress(&b);
    if (status != LV_OK)
        return status;
    if (json)
        cli_reproduce_write_json(r);
    else if (request.list)
        cli_reproduce_write_list(r);
    else
        cli_reproduce_write_text(r);
    status = conclude(r, outcome);
    cli_reproduction_free(r);
    return status;
}

/* Refuses options that need a paper if none is given. */
static lv_status check_alone(const cli_args *args, lv_error *err)
{
    static const char *const options[] = {"only", "csv", "full"};
    for (int k = 0; k < 3; k++)
        if (cli_args_flag(args, options[k])) {
            lv_status status = cli_fail(err, LV_ERR_USAGE,
                                        "--%s is about a paper; which one?", options[k]);
            cli_hint(err, "'livens reproduce' lists the papers");
            return status;
        }
    return LV_OK;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    if (args->count > 0)
        return run_paper(args, outcome);
    lv_status status = check_alone(args, &outcome->error);
    if (status == LV_OK)
        cli_papers_write(cli_args_flag(args, "json"));
    return status;
}

static const cli_argument arguments[] = {
    {"PAPER", true, "which one; without it, all are listed"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"only", 0, false, "FIGURE", "one figure, table or passage: fig8, \"table 2\""},
    {"full", 0, false, NULL, "also what takes minutes"},
    {"list", 0, false, NULL, "list the claims and measure nothing"},
    {"csv", 0, false, "DIR", "write the data of every figure, one CSV file each"},
    {"json", 0, false, NULL, "write one JSON object, numbers with 17 digits"},
    {"quiet", 'q', false, NULL, "no progress on standard error"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens reproduce", "the papers, and how many claims they make"},
    {"livens reproduce kinon2023", "all claims of a paper"},
    {"livens reproduce kinon2023 --only fig8", "one figure"},
    {"livens reproduce kinon-livens --csv figures", "with data to draw"},
    {NULL, NULL},
};

const cli_command cli_command_reproduce = {
    .name = "reproduce",
    .summary = "run published experiments again, our numbers beside theirs",
    .about =
        "Runs the experiments of a paper and shows every claim it makes beside what is "
        "measured here: orders, energies, momenta, constraints, stability."
        "\n\n"
        "A claim agrees if the measured number lies in its range: around the number that "
        "the paper prints, or within the bound that its words state. A claim is "
        "corrected if the paper is in error and the number agrees with the corrected "
        "value; the note tells how. It stays open if this command cannot measure it, as "
        "computing times. Anything else differs."
        "\n\n"
        "Numbers that the paper only draws or does not mention are not claims. They "
        "stand in a table of their own, with ranges from an independent implementation "
        "of the same schemes, or from livens itself to guard against change; curves were "
        "not read off. The exit code is 0 if nothing differs, else 3."
        "\n\n"
        "At the end stand corrections to the paper's text, also those on which no number "
        "depends.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
