#include "cli/args.h"
#include "cli/outputs.h"
#include "cli/web_page.h"

#include <livens/report.h>

#include <stddef.h>
#include <stdio.h>

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    lv_report_info info;
    const char *page = cli_args_value(args, "output");
    lv_error *err = &outcome->error;
    lv_status status = cli_page_check(page, args, err);
    if (status == LV_OK)
        status =
            lv_report(&info, page, (const char *const *)args->items, args->count, err);
    if (status == LV_OK && !cli_args_flag(args, "quiet"))
        cli_page_say(cli_outputs_on_stdout(args) ? stderr : stdout, page, &info);
    return status;
}

static const cli_argument arguments[] = {
    {"OUT.h5", false,
     "an HDF5 file that livens run has written; several: one page about all"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"output", 'o', false, "OUT.html",
     "where the page goes; - is standard output; required"},
    {"quiet", 'q', false, NULL, "no word about the page"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens report swing.h5 -o swing.html", "a page about a run; open it in a browser"},
    {"livens report coarse.h5 fine.h5 -o both.html", "two runs, their errors overlaid"},
    {NULL, NULL},
};

const cli_command cli_command_report = {
    .name = "report",
    .summary = "write a page about runs: the motion, what was kept, all columns",
    .about =
        "Writes one HTML file that any browser opens, from a disk or a web server, "
        "without a network: the motion with a time slider, energies, errors of what "
        "should be kept on logarithmic axes, any other column, phase portraits, what the "
        "scheme promises beside what was measured, the model with its warnings. The same "
        "runs give the same bytes: a page has no date and no path."
        "\n\n"
        "Numbers have 5 digits in a page, errors 2, and numbers of all runs together "
        "take at most "
        "2 "
        "MB: of long runs every second, fourth, ... row is kept, with the range of what "
        "lies between, and the page says so. Files keep all rows with all digits."
        "\n\n"
        "livens run MODEL --report OUT.html writes a page without a file.",
    .arguments = arguments,
    .repeats = true,
    .options = options,
    .examples = examples,
    .run = run,
};
