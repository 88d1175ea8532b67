#include "cli/changes.h"
#include "cli/error.h"
#include "cli/inputs.h"
#include "cli/load.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/study.h"
#include "cli/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NUMBERS_MOST = 32 };

/* The request, with everything it points to. */
typedef struct study_options {
    lv_study_request request;
    cli_choices choices;
    double steps[NUMBERS_MOST], tolerances[NUMBERS_MOST];
    cli_outputs outputs;
    cli_inputs inputs;
} study_options;

static lv_status read_options(study_options *w, const lv_model *model,
                              const cli_args *args, lv_error *err)
{
    lv_study_request *r = &w->request;
    lv_run_changes changes;
    *r = lv_study_request_default(model);
    CLI_TRY(cli_changes_read(&changes, args, err));
    lv_run_request_change(&r->run, &changes);
    CLI_TRY(cli_inputs_read(&w->inputs, args, err));
    r->run.tables = w->inputs.tables;
    r->run.table_count = w->inputs.count;
    r->whole = cli_args_flag(args, "until");
    CLI_TRY(cli_args_whole(args, "threads", &r->threads, err));
    CLI_TRY(cli_args_numbers(args, "steps", w->steps, NUMBERS_MOST, &r->step_count, err));
    CLI_TRY(cli_args_numbers(args, "to", w->tolerances, NUMBERS_MOST, &r->tolerance_count,
                             err));
    CLI_TRY(cli_outputs_read(&w->outputs, args, err));
    CLI_TRY(cli_choices_read(&w->choices, cli_args_value(args, "schemes"), err));
    r->steps = w->steps;
    r->tolerances = w->tolerances;
    r->choices = w->choices.list;
    r->choice_count = w->choices.count;
    return LV_OK;
}

/* ---- the CSV file ------------------------------------------------------------------------------------ */

static lv_status fail_file(const char *path, lv_error *err)
{
    return cli_fail(err, LV_ERR_IO, "'%s' cannot be written: %s", path, strerror(errno));
}

/* Finds out before the work begins whether the file can be written. A new file is removed
 * again, so that only success leaves one behind. */
static lv_status try_file(const char *path, lv_error *err)
{
    if (!path || strcmp(path, "-") == 0)
        return LV_OK;
    const bool existed = access(path, F_OK) == 0;
    FILE *file = fopen(path, "ab");
    if (!file || fclose(file) != 0)
        return fail_file(path, err);
    if (!existed)
        (void)remove(path);
    return LV_OK;
}

static lv_status write_file(const char *path, const lv_study *study, lv_error *err)
{
    if (!path)
        return LV_OK;
    if (strcmp(path, "-") == 0) {
        cli_study_write_csv(stdout, study);
        return LV_OK;
    }
    FILE *file = fopen(path, "wb");
    if (!file)
        return fail_file(path, err);
    cli_study_write_csv(file, study);
    const bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed ? LV_OK : fail_file(path, err);
}

/* ---- the study ----------------------------------------------------------------------------------------- */

static lv_status report(const cli_study *study, const cli_args *args,
                        cli_outcome *outcome)
{
    const lv_study *s = study->study;
    CLI_TRY(write_file(study->csv, s, &outcome->error));
    if (cli_args_flag(args, "json"))
        cli_study_write_json(study);
    else if (!cli_args_flag(args, "quiet"))
        cli_study_write_text(cli_outputs_on_stdout(args) ? stderr : stdout, study);
    outcome->interrupted = s->interrupted;
    for (int k = 0; k < s->advice_count && cli_args_flag(args, "to"); k++)
        outcome->warned = outcome->warned || s->advices[k].method < 0;
    return LV_OK;
}

static lv_status make_study(const lv_model *model, const cli_args *args, study_options *w,
                            cli_outcome *outcome)
{
    lv_study *made = NULL;
    cli_progress progress;
    CLI_TRY(try_file(w->outputs.csv, &outcome->error));
    cli_progress_begin(&progress, cli_outputs_hide_progress(args));
    progress.noun = "run";
    w->request.progress = cli_progress_members;
    w->request.user = &progress;
    const char *page = w->outputs.page;
    lv_report_info info = {0};
    lv_status status =
        page ? lv_study_report(&made, &info, model, &w->request, page, &outcome->error)
             : lv_study_make(&made, model, &w->request, &outcome->error);
    cli_progress_end(&progress);
    if (status != LV_OK) {
        cli_summary_name_file(&outcome->error, cli_model_file(args));
        lv_study_free(made);
        return status;
    }
    const cli_study study = {
        cli_model_file(args), model, made, w->outputs.csv, args, page, info};
    status = report(&study, args, outcome);
    lv_study_free(made);
    return status;
}

static lv_status carry_out(const lv_model *model, const cli_args *args,
                           cli_outcome *outcome)
{
    study_options w = {.choices = {.count = 0}};
    lv_status status = read_options(&w, model, args, &outcome->error);
    if (status == LV_OK)
        status = make_study(model, args, &w, outcome);
    cli_choices_done(&w.choices);
    cli_inputs_done(&w.inputs);
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    return cli_model_use(args, outcome, carry_out);
}

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"to", 0, false, "ERROR",
     "recommend scheme and step for this error, or for several, separated by commas; "
     "1e-3,1e-6,1e-9 by default"},
    {"schemes", 0, false, "NAMES",
     "schemes to study, separated by commas; with options as in lobatto:stages=4; all "
     "that take the model by default"},
    {"steps", 0, false, "LIST",
     "steps to study, separated by commas; around the step of the run by default"},
    {"step", 0, false, "H", "the step around which others are chosen"},
    {"until", 0, false, "T",
     "time at which the study ends; by default that of the run, or earlier where the run "
     "is long or its motion too sensitive"},
    CLI_INITIAL_OPTION,
    {"threads", 0, false, "N", "how many runs at a time; all cores by default"},
    CLI_SET_OPTION,
    CLI_INPUT_OPTION,
    CLI_MEMORY_OPTION,
    {"csv", 0, false, "OUT.csv",
     "write one row for each run to a CSV file; with - to standard output, and the "
     "report to standard error"},
    {"report", 0, false, "OUT.html",
     "write the study as a page: errors over processor time and over steps"},
    {"json", 0, false, NULL, "write one JSON object, numbers with 17 digits"},
    {"quiet", 'q', false, NULL, "no progress bar and no report"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens study pendulum3d", "all schemes, and the cheapest for three errors"},
    {"livens study heavy-top --to 1e-6", "which scheme and which step for this error"},
    {"livens study pendulum3d --schemes em,lobatto:stages=3 --steps 0.1,0.05",
     "some schemes and steps"},
    {"livens study mine.toml --csv study.csv", "one row for each run"},
    {"livens study mine.toml --report study.html", "a page with plots"},
    {NULL, NULL},
};

const cli_command cli_command_study = {
    .name = "study",
    .summary = "compare schemes and steps: errors, cost, order; which to take",
    .about =
        "Runs the schemes that take the model, with several numbers of stages, "
        "compositions and, for bodies, descriptions of rotations, each with several "
        "steps, and reports errors, processor time, the order that is seen, and what "
        "is kept. Runs that stop are listed with the reason."
        "\n\n"
        "Errors are measured against a reference that is itself checked: extrapolation "
        "of the accelerations, which knows no constraints, and a scheme of high order, "
        "which does, have to agree. How far they are apart is reported; errors below "
        "three times that mean nothing, and are shown as such. Where the motion is too "
        "sensitive for an agreement that is good enough for the errors asked for, as "
        "chaotic ones are, the study ends earlier and says so; with --until it does not, "
        "and small errors are not told apart then. With --input two schemes of high "
        "order "
        "are the reference, whose steps end at the rows of tables; in all other runs "
        "inputs are constant in every step, as in livens run, and errors are those of "
        "the tables, too."
        "\n\n"
        "An error is the largest difference of a coordinate, relative to the largest "
        "coordinate of the motion, or the same of momenta, at each quarter of the time. "
        "All formulations of a model, also those that move bodies on groups, are "
        "compared "
        "in the coordinates of the model. Steps are those of the run times powers of "
        "two (of the root of two for high orders), as long as these tell something; "
        "steps that are given are made a little smaller where a whole number of them "
        "does not end at each quarter."
        "\n\n"
        "For each error asked for, the cheapest method is found by interpolation between "
        "its runs, and the step, rounded to three digits, is then run on its own, as "
        "livens run would; only what meets the error is recommended. The exit code is 3 "
        "if nothing reaches an error that was asked for with --to."
        "\n\n"
        "All but times, and the recommendation, which depends on them, is the same for "
        "any "
        "number of threads. Ctrl-C ends a study in good order: what is done is reported, "
        "the exit code is 130."
        "\n\n"
        "The object of --json has the keys status (ok or interrupted), model, file, "
        "asked "
        "(the end of the run), until (that of the study), shortened (why it is earlier, "
        "or null), step, threads, seconds, failed, reference (first, first_step, second, "
        "second_step, difference, floor), methods, refused (scheme, reason) and advice. "
        "A "
        "method has method (as --schemes takes it), label, scheme, options, own (what "
        "the "
        "model's [run] asks for), order, observed (or null), asymptotic (errors follow "
        "the order), costs (tolerance, step and seconds by interpolation, or null) and "
        "runs, the largest step first. A run has step, steps, status, message, t, error, "
        "error_position and error_momentum (the error is the larger one), error_end (at "
        "the end of the time only), below_floor, seconds (processor time), iterations "
        "(per step), and the largest deviations energy (or its balance with work), "
        "momentum, position and velocity (residuals of the constraints); what does not "
        "exist is null. advice has tolerance, method, scheme, step, steps, error, "
        "seconds "
        "and note (why there is no method). CSV has the same names.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
