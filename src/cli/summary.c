#include "cli/summary.h"

#include "cli/error.h"
#include "cli/report.h"

#include <stdio.h>
#include <string.h>

/* Where the summary goes: not among the rows of a CSV. */
static FILE *stream(const cli_summary *s)
{
    return s->csv && strcmp(s->csv, "-") == 0 ? stderr : stdout;
}

void cli_summary_name_file(lv_error *err, const char *file)
{
    bool about_model = err->code == LV_ERR_MODEL || err->code == LV_ERR_DOMAIN ||
                       err->code == LV_ERR_NUMERIC;
    if (about_model && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", file);
}

/* What was recorded before the failure is there, unless recording itself is what failed. */
static void point_to_files(const cli_summary *s, lv_status status)
{
    const char *paths[] = {s->hdf5, s->csv};
    for (int k = 0; k < 2 && status != LV_ERR_IO; k++)
        if (paths[k] && strcmp(paths[k], "-") != 0) {
            fprintf(stderr, "   results up to t = %.10g are in ", s->run->time);
            cli_put(stderr, paths[k]);
            fputc('\n', stderr);
        }
}

static void report_failure(const cli_summary *s, cli_wishes wishes, lv_status status,
                           cli_outcome *outcome)
{
    const cli_reached reached = {s->run->time, s->run->steps};
    cli_summary_name_file(&outcome->error, s->file);
    cli_report(&outcome->error, wishes.json, &reached);
    outcome->reported = true;
    point_to_files(s, status);
    if (wishes.json || wishes.quiet)
        return;
    fputc('\n', stderr);
    cli_summary_write_text(stream(s), s);
}

lv_status cli_summary_report(const cli_summary *s, cli_wishes wishes, lv_status status,
                             cli_outcome *outcome)
{
    outcome->interrupted = s->run->interrupted;
    if (status != LV_OK)
        report_failure(s, wishes, status, outcome);
    else if (wishes.json)
        status = cli_summary_write_json(s, &outcome->error);
    else if (!wishes.quiet)
        cli_summary_write_text(stream(s), s);
    for (int k = 0; wishes.quiet && !wishes.json && k < s->run->warning_count; k++)
        cli_put_warning(stderr, s->run->warnings[k]);
    return status;
}
