#include "cli/changes.h"
#include "cli/error.h"
#include "cli/inputs.h"
#include "cli/load.h"
#include "cli/names.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/ranks.h"
#include "cli/report.h"
#include "cli/summary.h"
#include "cli/sweep.h"

#include <stdlib.h>
#include <string.h>

/* ---- the request ------------------------------------------------------------------------------ */

/* Options that do not change the results, only where they go and who computes them.
 * Results store the command without them, so that equal results are equal bytes. */
static const char *const ways[] = {"threads", "memory", "output", "resume",   "csv",
                                   "series",  "report", "json",   "channels", "quiet",
                                   "part",    "merge",  "every",  "sample",   NULL};

static lv_status fill_request(lv_sweep_request *request, cli_names *channels,
                              const char **page, const cli_args *args, lv_error *err)
{
    *request = lv_sweep_request_default();
    cli_outputs outputs = {0};
    request->resume = cli_args_flag(args, "resume");
    lv_status status = cli_changes_read(&request->changes, args, err);
    if (status == LV_OK)
        status = cli_args_whole(args, "threads", &request->threads, err);
    if (status == LV_OK)
        status = cli_args_part(args, "part", &request->part, &request->parts, err);
    if (status == LV_OK)
        status = cli_outputs_read(&outputs, args, err);
    request->csv = outputs.csv;
    request->hdf5 = outputs.hdf5;
    request->series = outputs.series;
    *page = outputs.page;
    if (status == LV_OK && cli_args_flag(args, "channels") && !request->series)
        status = cli_fail(err, LV_ERR_USAGE, "--channels are those of --series FILE");
    if (status == LV_OK)
        status = cli_names_split(channels, cli_args_value(args, "channels"), err);
    request->channels = channels->list;
    request->channel_count = channels->count;
    return status;
}

/* ---- the sweep ------------------------------------------------------------------------------- */

typedef struct watcher {
    cli_progress progress;
    bool keeps_rows;
    cli_rows rows;
} watcher;

static bool see_member(void *user, const lv_member *member)
{
    watcher *w = user;
    if (w->keeps_rows)
        cli_rows_add(&w->rows, member);
    return true;
}

static bool see_progress(void *user, const lv_sweep_progress *now)
{
    watcher *w = user;
    return cli_progress_members(&w->progress, now);
}

/* If members failed, the sweep fails at the end, unless it was interrupted: then failures
 * are only reported. */
static lv_status report(const cli_sweep *sweep, const cli_args *args,
                        cli_outcome *outcome)
{
    char verdict[80];
    const lv_sweep_summary *s = sweep->summary;
    bool json = cli_args_flag(args, "json"), quiet = cli_args_flag(args, "quiet");
    outcome->interrupted = s->interrupted;
    if (json && sweep->rows->lost)
        return cli_fail(&outcome->error, LV_ERR_MEMORY,
                        "there is no memory for the rows of --json; use --csv");
    if (json)
        cli_sweep_write_json(sweep);
    else if (!quiet)
        cli_sweep_write_text(cli_outputs_on_stdout(args) ? stderr : stdout, sweep);
    else
        cli_sweep_warn(stderr, s);
    if (s->failed > 0 && s->interrupted)
        cli_put_warning(stderr, cli_sweep_verdict(s, verdict, sizeof verdict));
    if (s->failed == 0 || s->interrupted)
        return LV_OK;
    lv_status status = cli_fail(&outcome->error, LV_ERR_NUMERIC, "%s",
                                cli_sweep_verdict(s, verdict, sizeof verdict));
    cli_summary_name_file(&outcome->error, sweep->file);
    if (quiet && !json && !sweep->csv)
        cli_hint(&outcome->error, "--csv has their messages");
    cli_report(&outcome->error, false, NULL);
    outcome->reported = true;
    return status;
}

static void warn_of_threads(const cli_args *args, const lv_sweep_request *request,
                            const lv_sweep_summary *s)
{
    if (request->threads > 1 && s->threads < request->threads &&
        s->threads < s->members && !cli_args_flag(args, "json"))
        fprintf(stderr, "warning: livens was built without OpenMP and uses one thread\n");
}

static lv_status sweep_members(const lv_model *model, const char *file,
                               lv_sweep_request *request, const char *page, int ranks,
                               const cli_args *args, cli_outcome *outcome)
{
    lv_report_info info = {0};
    watcher w = {.keeps_rows = cli_args_flag(args, "json")};
    lv_sweep_summary *summary = NULL;
    cli_progress_begin(&w.progress, cli_outputs_hide_progress(args));
    request->member = see_member;
    request->progress = see_progress;
    request->user = &w;
    lv_status status =
        page ? lv_sweep_report(&summary, &info, model, request, page, &outcome->error)
             : lv_sweep_run(&summary, model, request, &outcome->error);
    cli_progress_end(&w.progress);
    const cli_sweep sweep = {.file = file,
                             .model = model,
                             .summary = summary,
                             .rows = &w.rows,
                             .ranks = ranks,
                             .csv = request->csv,
                             .hdf5 = request->hdf5,
                             .series = request->series,
                             .page = page,
                             .page_info = info};
    if (status == LV_OK) {
        warn_of_threads(args, request, summary);
        status = report(&sweep, args, outcome);
    } else {
        cli_summary_name_file(&outcome->error, sweep.file);
    }
    lv_sweep_summary_free(summary);
    cli_rows_done(&w.rows);
    return status;
}

static lv_status carry_out(const lv_model *model, cli_ranks *ranks, const cli_args *args,
                           cli_outcome *outcome)
{
    lv_sweep_request request;
    cli_names channels = {0};
    cli_inputs inputs = {0};
    const char *page = NULL;
    char *command = cli_args_without(args, ways);
    lv_status status = fill_request(&request, &channels, &page, args, &outcome->error);
    if (status == LV_OK)
        status = cli_inputs_read(&inputs, args, &outcome->error);
    request.changes.tables = inputs.tables;
    request.changes.table_count = inputs.count;
    request.command = command;
    if (status == LV_OK && !command)
        status = cli_fail(&outcome->error, LV_ERR_MEMORY, "out of memory");
    if (status == LV_OK && ranks->rank > 0) {
        cli_ranks_serve(ranks, model, &request);
    } else if (status == LV_OK) {
        cli_ranks_lead(ranks, &request);
        status = sweep_members(model, cli_model_file(args), &request, page, ranks->count,
                               args, outcome);
    }
    cli_inputs_done(&inputs);
    cli_names_done(&channels);
    free(command);
    return status;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Refuses options other than those about outputs, because parts are joined as they
 * are. */
static lv_status check_merge(const cli_args *args, lv_error *err)
{
    static const char *const taken[] = {"merge",  "memory", "output", "csv",
                                        "report", "json",   "quiet",  NULL};
    for (int k = 0; k < args->given_count; k++) {
        const char *name = args->given[k].option->name;
        int i = 0;
        while (taken[i] && strcmp(taken[i], name) != 0)
            i++;
        if (!taken[i])
            return cli_fail(err, LV_ERR_USAGE,
                            "--merge joins parts as they are: it does not take --%s",
                            name);
    }
    return LV_OK;
}

static lv_status merge(const cli_args *args, cli_outcome *outcome)
{
    lv_sweep_request request;
    cli_names none = {0};
    lv_sweep_parts *parts = NULL;
    const char *page = NULL;
    lv_status status = check_merge(args, &outcome->error);
    if (status == LV_OK)
        status = fill_request(&request, &none, &page, args, &outcome->error);
    if (status == LV_OK)
        status = lv_sweep_parts_read(&parts, (const char *const *)args->items,
                                     args->count, &outcome->error);
    if (status == LV_OK) {
        request.join = parts;
        status = sweep_members(lv_sweep_parts_model(parts), lv_sweep_parts_name(parts),
                               &request, page, 1, args, outcome);
    }
    lv_sweep_parts_free(parts);
    cli_names_done(&none);
    return status;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static lv_status sweep_model(cli_ranks *ranks, const cli_args *args, cli_outcome *outcome)
{
    lv_model *model = NULL;
    if (args->count > 1) {
        lv_status status =
            cli_fail(&outcome->error, LV_ERR_USAGE,
                     "a sweep has one model, '%s' is one more", args->items[1]);
        cli_hint(&outcome->error, "--merge joins the files of parts");
        return status;
    }
    if (ranks->count > 1 && strcmp(args->items[0], "-") == 0)
        return cli_fail(
            &outcome->error, LV_ERR_USAGE,
            "standard input reaches one rank only: all have to read the model "
            "from a file");
    lv_status status = cli_model_load(&model, args, &outcome->error);
    if (status == LV_OK)
        status = carry_out(model, ranks, args, outcome);
    lv_model_free(model);
    return status;
}

/* Ends a rank; ranks other than 0 send their messages to rank 0. */
static void leave(cli_ranks *ranks, lv_status status, const cli_args *args,
                  cli_outcome *outcome)
{
    if (ranks->rank > 0)
        cli_ranks_excuse(ranks, status == LV_OK ? "" : outcome->error.text);
    if (ranks->count > 1 && ranks->rank == 0 && status != LV_OK && !outcome->reported) {
        cli_report(&outcome->error, cli_args_flag(args, "json"), NULL);
        outcome->reported = true;
    }
    cli_ranks_end(ranks, lv_status_exit_code(status));
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    cli_ranks ranks;
    lv_status status = cli_ranks_begin(&ranks, &outcome->error);
    if (status != LV_OK)
        return status;
    if (!cli_args_flag(args, "merge"))
        status = sweep_model(&ranks, args, outcome);
    else if (ranks.rank == 0)
        status = merge(args, outcome);
    const bool is_first = ranks.rank == 0;
    leave(&ranks, status, args, outcome);
    return is_first ? status : LV_OK;
}

static const cli_argument arguments[] = {
    {"MODEL", false,
     "a file, the name of a shipped model, or - for standard input; with --merge the "
     "files of "
     "all parts"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"threads", 0, false, "N", "how many members to run at a time; all cores by default"},
    CLI_CHANGE_OPTIONS,
    CLI_SET_OPTION,
    CLI_INPUT_OPTION,
    CLI_MEMORY_OPTION,
    {"output", 'o', false, "OUT.h5",
     "write one row per member to an HDF5 file; -o OUT.csv writes CSV"},
    {"resume", 0, false, NULL,
     "do not run members again that OUT.h5 has from this sweep, which was interrupted"},
    {"part", 0, false, "K/N",
     "compute only part K of N, every N-th member from member K-1 on, for a machine or a "
     "job "
     "of its own; -o OUT.h5 keeps it"},
    {"merge", 0, false, NULL,
     "join the files of all parts, which stand in place of MODEL, to the results of the "
     "sweep "
     "in one go"},
    {"csv", 0, false, "OUT.csv",
     "write one row per member to a CSV file; with - to standard output, and the summary "
     "to standard error"},
    {"series", 0, false, "OUT.csv",
     "write mean and standard deviation over all members at every recorded time"},
    {"channels", 0, false, "NAMES",
     "columns of the series, as livens run --csv names them, separated by commas; of a "
     "vector also its name alone; E and the outputs by default"},
    {"report", 0, false, "OUT.html",
     "write a page about the members: any column over any other; with - to standard "
     "output"},
    {"json", 0, false, NULL,
     "write summary and rows as one JSON object, numbers with 17 digits"},
    {"quiet", 'q', false, NULL, "no progress bar and no summary"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens sweep henon-heiles-ensemble", "as the model wishes, on all cores"},
    {"livens sweep henon-heiles-ensemble --csv members.csv", "results of every member"},
    {"livens sweep henon-heiles-ensemble --report members.html",
     "a page with scatter plots and histograms"},
    {"livens sweep chaotic-nonholonomic --until 100 --series energy.csv",
     "means over time"},
    {"livens sweep mine.toml --threads 1 --scheme em --step 0.02 --json",
     "another scheme, for a program"},
    {"livens sweep henon-heiles-ensemble -o members.h5 --resume",
     "after Ctrl-C or a crash: what is left"},
    {"livens sweep henon-heiles-ensemble --part 2/4 -o part_2.h5",
     "the second of four jobs"},
    {"livens sweep --merge part_*.h5 -o members.h5", "when all four are done"},
    {NULL, NULL},
};

const cli_command cli_command_sweep = {
    .name = "sweep",
    .summary = "run an ensemble: many members of a model, on all cores",
    .about =
        "Runs the members that the model's [sweep] describes: parameters from formulas "
        "of the member's number, from grids, or random. A member is the model with these "
        "values, as livens run MODEL --set NAME=VALUE would run it, bit for bit, except "
        "that quaternions, which change continuously from row to row, may have the other "
        "sign where only the first and the last row are recorded; results "
        "are the same for any number of threads. Scheme, step and end are those in the "
        "model's [run], which may depend on what is set, unless options say otherwise. "
        "Inputs with --input follow their tables in every member."
        "\n\n"
        "A row has the member's number, what is set, a status (0 if it ended well), time "
        "and steps reached, the number of warnings, the final state, the energy at both "
        "ends and its "
        "largest deviation, the same of momenta, the largest residuals of constraints, "
        "iterations per step, outputs at the end and, in CSV, the message of a member "
        "that failed. A member that fails does not stop the others; the exit code is "
        "then 3, if the sweep is not interrupted. "
        "If memory is short, fewer members run at a time, and one that failed for that "
        "reason runs again alone."
        "\n\n"
        "A series has the columns t, members, mu.E, which is the mean of the squared "
        "energy error (E - E(0))^2, then mean.NAME and sd.NAME for every channel, over "
        "the members that did not fail. --every says how often they are recorded."
        "\n\n"
        "The object of --json has the keys status, model, scheme, options, order, "
        "members, part and parts (0 and N: joined; both 0: in one go), done, failed, "
        "warned, recalled (of those done, from the file that is "
        "resumed), "
        "steps, "
        "threads, ranks, seconds, ranges (min, mean and max of every column), "
        "failures (member, status, message), warnings (member, message), files (format, "
        "path), columns and rows. Of members from a file that is resumed the number of "
        "warnings is known, "
        "not the texts. Ctrl-C, SIGTERM and SIGHUP end a sweep in good order: the "
        "members "
        "done so far are written, the exit code is 130."
        "\n\n"
        "A sweep that was interrupted or killed goes on if it is given again, with the "
        "same model and options and --resume. Members that are in OUT.h5 are taken over "
        "as they are, those that failed run again; the results become those of a sweep "
        "without interruption. If there is no OUT.h5 yet, the sweep begins."
        "\n\n"
        "A sweep can be computed in parts, by jobs that do not know of each other: part "
        "K "
        "of N has the members K-1, K-1+N, K-1+2N, ... When all parts are done, --merge "
        "joins their files: the HDF5 and CSV files become those of the sweep in one go, "
        "byte for byte, and so do rows, ranges and messages. A part that was interrupted "
        "is "
        "finished with --resume. Parts that are missing, given twice, not finished, "
        "damaged, or of another model, options or version of livens are refused."
        "\n\n"
        "A livens that was built with MPI (-DLIVENS_MPI=ON) computes a sweep with many "
        "processes: mpirun -n R livens sweep MODEL. Rank 0 hands out members, writes the "
        "files and sleeps otherwise; they are the same bytes for any number of ranks. "
        "Members of a rank that does not answer for LIVENS_PATIENCE seconds, 60 by "
        "default, are computed by others.",
    .arguments = arguments,
    .repeats = true,
    .options = options,
    .examples = examples,
    .run = run,
};
