#include "cli/error.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/summary.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double steps_most = 1e15; /* a whole number that a double holds exactly */

/* ---- what is asked for ----------------------------------------------------------------------- */

/* The options that the model wishes belong to the scheme it names. */
static lv_status choose_scheme(lv_sim_options *sim, const cli_args *args, lv_error *err)
{
    static const char *const initials[] = {"check", "project", NULL};
    const char *scheme = cli_args_value(args, "scheme");
    int initial = sim->initial == LV_INITIAL_PROJECT;
    if (scheme && strcmp(scheme, sim->scheme) != 0)
        sim->options = (lv_scheme_options){0};
    if (scheme)
        sim->scheme = scheme;
    lv_status status = cli_options_read(&sim->options, args, err);
    if (status == LV_OK)
        status = cli_args_choice(args, "initial", initials, &initial, err);
    sim->initial = initial ? LV_INITIAL_PROJECT : LV_INITIAL_CHECK;
    return status;
}

static lv_status choose_times(lv_run_request *request, const cli_args *args,
                              lv_error *err)
{
    lv_status status = cli_args_number(args, "step", &request->sim.step, err);
    if (status == LV_OK)
        status = cli_args_number(args, "until", &request->until, err);
    if (status == LV_OK)
        status = cli_args_whole(args, "every", &request->every, err);
    if (status == LV_OK)
        status = cli_args_number(args, "flush", &request->flush_seconds, err);
    if (status == LV_OK && request->sim.step > 0 &&
        request->until / request->sim.step > steps_most)
        status = cli_fail(err, LV_ERR_USAGE,
                          "a run to t = %g with steps of %g has too many steps: %.2g",
                          request->until, request->sim.step,
                          request->until / request->sim.step);
    return status;
}

/* Are these two paths, either of which may be NULL, one file? */
static bool is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    if (!a || !b)
        return false;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Outputs must not overwrite each other, or the model. */
static lv_status choose_files(lv_run_request *request, const cli_args *args,
                              lv_error *err)
{
    const char *csv = cli_args_value(args, "csv"), *hdf5 = cli_args_value(args, "output");
    const char *model = strcmp(args->items[0], "-") == 0 ? NULL : args->items[0];
    if (hdf5 && strcmp(hdf5, "-") == 0)
        return cli_fail(err, LV_ERR_USAGE, "HDF5 cannot be written to standard output");
    if (csv && strcmp(csv, "-") == 0 && cli_args_flag(args, "json"))
        return cli_fail(err, LV_ERR_USAGE,
                        "--json and --csv - would both write to standard output");
    if (is_same_file(csv, hdf5))
        return cli_fail(err, LV_ERR_USAGE, "--csv and --output are the same file, '%s'",
                        csv);
    if (is_same_file(csv, model) || is_same_file(hdf5, model))
        return cli_fail(err, LV_ERR_USAGE, "the output would replace the model '%s'",
                        model);
    request->csv = csv;
    request->hdf5 = hdf5;
    return LV_OK;
}

static lv_status fill_request(lv_run_request *request, const lv_model *model,
                              const cli_args *args, lv_error *err)
{
    *request = lv_run_request_default(model);
    lv_status status = choose_scheme(&request->sim, args, err);
    if (status == LV_OK)
        status = choose_times(request, args, err);
    if (status == LV_OK)
        status = choose_files(request, args, err);
    return status;
}

/* ---- the run -------------------------------------------------------------------------------------- */

/* A bar among rows that go to the terminal would only disturb. */
static bool hide_progress(const cli_args *args, const lv_run_request *request)
{
    bool rows_shown = request->csv && strcmp(request->csv, "-") == 0 && isatty(1);
    return cli_args_flag(args, "quiet") || rows_shown;
}

static lv_status carry_out(const lv_model *model, lv_run_request *request,
                           const cli_args *args, cli_outcome *outcome)
{
    cli_progress progress;
    lv_run_summary *run = NULL;
    cli_progress_begin(&progress, hide_progress(args, request));
    request->progress = cli_progress_step;
    request->user = &progress;
    lv_status status = lv_run(&run, model, request, &outcome->error);
    cli_progress_end(&progress);
    if (!run) {
        cli_summary_name_file(&outcome->error, cli_model_file(args));
        return status;
    }
    const cli_summary summary = {.file = cli_model_file(args),
                                 .model = model,
                                 .run = run,
                                 .steps_now = run->steps,
                                 .csv = request->csv,
                                 .hdf5 = request->hdf5};
    const cli_wishes wishes = {cli_args_flag(args, "json"), cli_args_flag(args, "quiet")};
    status = cli_summary_report(&summary, wishes, status, outcome);
    lv_run_summary_free(run);
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    lv_model *model = NULL;
    lv_run_request request;
    lv_status status = cli_model_load(&model, args, &outcome->error);
    if (status == LV_OK)
        status = fill_request(&request, model, args, &outcome->error);
    if (status == LV_OK)
        status = carry_out(model, &request, args, outcome);
    lv_model_free(model);
    return status;
}

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"scheme", 0, false, "NAME", "how to integrate (livens list schemes)"},
#define LV_X(id, name, on_line, kind, least, most, argument, doc)                        \
    {on_line, 0, false, argument, doc},
    LV_OPTION_LIST(LV_X)
#undef LV_X
        {"step", 0, false, "H", "size of the steps in time"},
    {"until", 0, false, "T", "time at which the run ends; it begins at 0"},
    {"every", 0, false, "K", "record every K-th step, and the last one"},
    {"flush", 0, false, "S",
     "make what is recorded safe in the files every S seconds, 1 if not given"},
    {"initial", 0, false, "check|project",
     "refuse a start that violates the constraints, or move it onto them"},
    CLI_SET_OPTION,
    {"output", 'o', false, "OUT.h5",
     "record to an HDF5 file, from which the run can be resumed"},
    {"csv", 0, false, "OUT.csv",
     "record to a CSV file; with - to standard output, and the summary to standard "
     "error"},
    {"json", 0, false, NULL,
     "write the summary as one JSON object, numbers with 17 digits"},
    {"quiet", 'q', false, NULL,
     "no progress bar and no summary, warnings on standard error"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens run kepler", "as the model wishes"},
    {"livens run pendulum3d --scheme rattle --step 0.01 -o swing.h5",
     "another scheme and step; keep the motion"},
    {"livens run torus --scheme lobatto --stages 5 --json", "order 8, for a program"},
    {"livens run chain --set N=100 --scheme rattle --csv - | less", "look at the rows"},
    {NULL, NULL},
};

const cli_command cli_command_run = {
    .name = "run",
    .summary = "integrate a model in time, record it and report what was kept",
    .about =
        "Integrates the motion from the model's start. Scheme, step and end are those in "
        "the model's [run], unless options say otherwise; the scheme's options in the "
        "model only count for the scheme that it names. The last step is shortened to "
        "end at T."
        "\n\n"
        "The summary shows how far the energy and the momenta of symmetries strayed "
        "at any step, the largest residuals of the constraints and of their "
        "rates, and the final state. A run that fails keeps what it has recorded."
        "\n\n"
        "The object of --json has the keys status, model, scheme, options, step, steps, "
        "seconds, final (t, and q, v, p, lambda, gamma by name), energy, momentum, "
        "constraints, newton and warnings. Of a scalar coordinate the state is a "
        "number, of a vector an array, of a family an array of its members. If "
        "the run fails, status is the name of the error (livens explain), "
        "beside message, file, line, column, and the t and steps that were reached."
        "\n\n"
        "Ctrl-C ends a run in good order: files are complete up to then, the summary is "
        "printed, the exit code is 130 and the status in JSON is interrupted. A second "
        "Ctrl-C kills the program."
        "\n\n"
        "A run that is killed leaves files that are complete up to the last flush; "
        "livens resume goes on from there.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
