#include "cli/changes.h"
#include "cli/error.h"
#include "cli/inputs.h"
#include "cli/load.h"
#include "cli/names.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/summary.h"

#include <stddef.h>

static lv_status fill_request(lv_run_request *request, cli_names *channels,
                              const char **page, const lv_model *model,
                              const cli_args *args, lv_error *err)
{
    lv_run_changes changes;
    *request = lv_run_request_default(model);
    cli_outputs outputs = {0};
    lv_status status = cli_changes_read(&changes, args, err);
    if (status == LV_OK)
        status = cli_outputs_read(&outputs, args, err);
    if (status == LV_OK && cli_args_flag(args, "channels") && !outputs.csv &&
        !outputs.hdf5)
        status = cli_fail(err, LV_ERR_USAGE,
                          "--channels are columns of files: give -o FILE or --csv FILE");
    if (status == LV_OK)
        status = cli_names_split(channels, cli_args_value(args, "channels"), err);
    if (status != LV_OK)
        return status;
    request->channels = channels->list;
    request->channel_count = channels->count;
    request->command = args->line;
    request->csv = outputs.csv;
    request->hdf5 = outputs.hdf5;
    *page = outputs.page;
    lv_run_request_change(request, &changes);
    status = cli_args_number(args, "flush", &request->flush_seconds, err);
    return status == LV_OK ? cli_steps_check(request, err) : status;
}

/* ---- the run -------------------------------------------------------------------------------------- */

/* Repeats the run with half the step, for --estimate, without files. NULL: not asked for,
 * or it failed. */
static lv_status run_finer(lv_run_summary **finer, const lv_model *model,
                           const lv_run_request *request, const lv_run_summary *run,
                           const cli_args *args, lv_error *err)
{
    lv_run_request half = *request;
    *finer = NULL;
    if (!cli_args_flag(args, "estimate") || run->interrupted || run->status != LV_OK)
        return LV_OK;
    half.sim.step = run->step / 2;
    half.csv = half.hdf5 = NULL;
    half.channel_count = 0;
    half.sample = 0;
    half.every = 1 << 20; /* rows are not written anywhere */
    lv_status status = lv_run(finer, model, &half, err);
    if (*finer && (status != LV_OK || (*finer)->interrupted)) {
        lv_run_summary_free(*finer);
        *finer = NULL;
    }
    return status;
}

static lv_status carry_out(const lv_model *model, lv_run_request *request,
                           const char *page, const cli_args *args, cli_outcome *outcome)
{
    cli_progress progress;
    lv_run_summary *run = NULL;
    lv_report_info info = {0};
    cli_progress_begin(&progress, cli_outputs_hide_progress(args));
    request->progress = cli_progress_step;
    request->user = &progress;
    lv_status status =
        page ? lv_run_report(&run, &info, model, request, page, &outcome->error)
             : lv_run(&run, model, request, &outcome->error);
    lv_run_summary *finer = NULL;
    lv_status estimated = LV_OK;
    if (run && status == LV_OK)
        estimated = run_finer(&finer, model, request, run, args, &outcome->error);
    cli_progress_end(&progress);
    if (!run) {
        cli_summary_name_file(&outcome->error, cli_model_file(args));
        return status;
    }
    const cli_summary summary = {.file = cli_model_file(args),
                                 .model = model,
                                 .run = run,
                                 .finer = finer,
                                 .steps_now = run->steps,
                                 .csv = request->csv,
                                 .hdf5 = request->hdf5,
                                 .page = page,
                                 .page_info = info};
    const cli_summary_style style = {cli_args_flag(args, "json"),
                                     cli_args_flag(args, "quiet")};
    status = cli_summary_report(&summary, style, status, outcome);
    lv_run_summary_free(finer);
    lv_run_summary_free(run);
    if (status == LV_OK && estimated != LV_OK)
        cli_summary_name_file(&outcome->error, cli_model_file(args));
    return status == LV_OK ? estimated : status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    lv_model *model = NULL;
    lv_run_request request = {0};
    cli_names channels = {0};
    cli_inputs inputs = {0};
    const char *page = NULL;
    lv_status status = cli_model_load(&model, args, &outcome->error);
    if (status == LV_OK)
        status = fill_request(&request, &channels, &page, model, args, &outcome->error);
    if (status == LV_OK)
        status = cli_inputs_read(&inputs, args, &outcome->error);
    request.tables = inputs.tables;
    request.table_count = inputs.count;
    if (status == LV_OK)
        status = carry_out(model, &request, page, args, outcome);
    cli_inputs_done(&inputs);
    cli_names_done(&channels);
    lv_model_free(model);
    return status;
}

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {NULL, false, NULL},
};

static const cli_option options[] = {
    CLI_CHANGE_OPTIONS,
    {"flush", 0, false, "S",
     "make what is recorded safe in the files every S seconds, 1 if not given"},
    CLI_SET_OPTION,
    CLI_INPUT_OPTION,
    CLI_MEMORY_OPTION,
    {"output", 'o', false, "OUT.h5",
     "record to an HDF5 file, from which the run can be resumed; -o OUT.csv writes CSV"},
    {"csv", 0, false, "OUT.csv",
     "record to a CSV file; with - to standard output, and the summary to standard "
     "error"},
    {"channels", 0, false, "NAMES",
     "columns to record besides t, as --csv names them, separated by commas; of a vector "
     "also its name alone; all by default"},
    {"report", 0, false, "OUT.html",
     "write a page about the run, as livens report does; - is standard output"},
    {"estimate", 0, false, NULL,
     "run once more with half the step, and show the error of every final coordinate"},
    CLI_SUMMARY_OPTIONS,
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens run kepler", "as the model wishes"},
    {"livens run pendulum3d --scheme rattle --step 0.01 -o swing.h5",
     "another scheme and step; keep the motion"},
    {"livens run heavy-top --report top.html", "look at the motion in a browser"},
    {"livens run torus --scheme lobatto --stages 5 --json", "order 8, for a program"},
    {"livens run kepler -o orbit.h5 --channels r,E --every 10",
     "a small file: positions and energy of every tenth step"},
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
        "rates, and the final state. It warns of quantities that the scheme should keep "
        "to rounding and has not, of energies that run away or leap, of momenta and "
        "velocities "
        "that come apart, of unstable parameters, of negative masses and of outputs that "
        "are not "
        "finite. It says which promises of the scheme the run alone has shown to be "
        "kept; "
        "livens verify measures the others. It says how far the start was moved onto the "
        "constraints. A run that "
        "fails keeps what it has recorded."
        "\n\n"
        "The object of --json has the keys status, model, scheme, options, order, step, "
        "steps, seconds, start (projected, and for position and velocity the largest "
        "change, max, that this made, and its coordinate; of bodies, bodies_moved and "
        "those "
        "moved most, with position, angle, velocity and angular_velocity), final (t, and "
        "q, v, p, "
        "lambda, lambda_scheme, gamma, outputs by "
        "name), energy, momentum (name as in the columns of files, initial, final, "
        "max_deviation), constraints, newton, shown, files (format, path, rows, t of the "
        "last) "
        "and warnings. What does not exist, such as residuals without constraints, is "
        "null. Of a scalar coordinate the state is a "
        "number, of a vector an array, of a family an array of its members. If "
        "the run fails, status is the name of the error (livens explain), "
        "beside message, file, line, column, and the t and steps that were reached."
        "\n\n"
        "With --estimate the run is done once more with half the step, without files: "
        "the "
        "difference of the two, divided by 1 - 2^-order, is the error of every final "
        "coordinate and velocity, as far as the step lies where errors follow the order "
        "(livens verify tells). The summary shows these errors, and --json has them as "
        "estimate, with step, q, v and bodies: of a body position, orientation (the "
        "angle "
        "between the two, in radians), velocity and angular_velocity."
        "\n\n"
        "Ctrl-C ends a run in good order: files are complete up to then, the summary is "
        "printed, the exit code is 130 and the status in JSON is interrupted. So do "
        "SIGTERM and SIGHUP, which a terminal that is closed sends. A second Ctrl-C "
        "kills "
        "the program."
        "\n\n"
        "A run that is killed leaves files that are complete up to the last flush; "
        "livens resume goes on from there.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
