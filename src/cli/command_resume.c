#include "cli/args.h"
#include "cli/load.h"
#include "cli/progress.h"
#include "cli/summary.h"

#include <stddef.h>

static lv_status carry_out(const cli_args *args, double until, cli_outcome *outcome)
{
    cli_progress progress;
    lv_run_summary *run = NULL;
    lv_model *model = NULL;
    const char *path = args->items[0];
    const cli_summary_style style = {cli_args_flag(args, "json"),
                                     cli_args_flag(args, "quiet")};
    cli_progress_begin(&progress, style.quiet);
    lv_status status = lv_resume(&run, &model, path, until, cli_progress_step, &progress,
                                 &outcome->error);
    cli_progress_end(&progress);
    if (run) {
        const cli_summary summary = {
            .file = path,
            .model = model,
            .run = run,
            .steps_now = progress.called ? run->steps - progress.steps_before : 0,
            .csv = run->csv_path,
            .hdf5 = path};
        status = cli_summary_report(&summary, style, status, outcome);
    }
    lv_run_summary_free(run);
    lv_model_free(model);
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    double until = 0;
    lv_status status = cli_args_number(args, "until", &until, &outcome->error);
    return status == LV_OK ? carry_out(args, until, outcome) : status;
}

static const cli_argument arguments[] = {
    {"OUT.h5", false, "an HDF5 file that livens run has written"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"until", 0, false, "T", "a later end than the run was meant to reach"},
    CLI_MEMORY_OPTION,
    CLI_SUMMARY_OPTIONS,
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens resume swing.h5", "after Ctrl-C or a crash: on to the end"},
    {"livens resume swing.h5 --until 100", "further than it was meant to go"},
    {NULL, NULL},
};

const cli_command cli_command_resume = {
    .name = "resume",
    .summary = "go on with a run from its HDF5 file",
    .about =
        "Model, scheme and options are those stored in the file; what follows is "
        "appended "
        "to it. The result is that of a run without interruption, bit for bit, with one "
        "exception: a run that had reached its end with a shortened last step, the end "
        "being no multiple of the step, goes on with whole steps from there."
        "\n\n"
        "If the run wrote a CSV file, too, and that is still where it was, or beside "
        "FILE, it is cut to "
        "the rows of the checkpoint and goes on; it becomes that of a run without "
        "interruption. If it is gone, a warning says so; if its columns or its "
        "last row are not those of the run, nothing is done."
        "\n\n"
        "A file that another run is writing, that is damaged or that another program has "
        "changed is refused and left as it is. All rows that are kept are checked before "
        "anything is written."
        "\n\n"
        "Summary, JSON and Ctrl-C are those of livens run; energy, momenta and residuals "
        "are those of the whole run, the wall time is that of the part run now.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
