#include "cli/summary.h"

#include "cli/error.h"
#include "cli/report.h"

#include <stdio.h>
#include <string.h>

/* The stream of the summary: not the one of CSV rows or of a page. */
static FILE *stream(const cli_summary *s)
{
    const char *const files[] = {s->csv, s->page};
    for (int k = 0; k < 2; k++)
        if (files[k] && strcmp(files[k], "-") == 0)
            return stderr;
    return stdout;
}

void cli_summary_name_file(lv_error *err, const char *file)
{
    bool about_model = err->code == LV_ERR_MODEL || err->code == LV_ERR_DOMAIN ||
                       err->code == LV_ERR_NUMERIC;
    if (about_model && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", file);
}

static void point_to_file(const char *path, const lv_recorded *recorded)
{
    if (!path || strcmp(path, "-") == 0 || recorded->rows == 0)
        return;
    fprintf(stderr, "   results up to t = %.10g (%lld row%s) are in ", recorded->time,
            recorded->rows, recorded->rows == 1 ? "" : "s");
    cli_put(stderr, path);
    fputc('\n', stderr);
}

/* Points to the rows that were written before the failure. */
static void point_to_files(const cli_summary *s, lv_status status)
{
    point_to_file(s->hdf5, &s->run->hdf5);
    point_to_file(s->csv, &s->run->csv);
    if (status == LV_ERR_IO && s->run->hdf5.rows > 0) {
        fputs("   to go on when it can be written again: livens resume ", stderr);
        cli_put(stderr, s->hdf5);
        fputc('\n', stderr);
    }
}

static void report_failure(const cli_summary *s, cli_summary_style style,
                           lv_status status, cli_outcome *outcome)
{
    const lv_run_summary *run = s->run;
    const cli_reached reached = {.t = run->time,
                                 .steps = run->steps,
                                 .csv = s->csv ? &run->csv : NULL,
                                 .hdf5 = s->hdf5 ? &run->hdf5 : NULL};
    cli_summary_name_file(&outcome->error, s->file);
    cli_report(&outcome->error, style.json, &reached);
    outcome->reported = true;
    point_to_files(s, status);
    if (style.json || style.quiet)
        return;
    fputc('\n', stderr);
    cli_summary_write_text(stream(s), s);
}

lv_status cli_summary_report(const cli_summary *s, cli_summary_style style,
                             lv_status status, cli_outcome *outcome)
{
    outcome->interrupted = s->run->interrupted;
    if (status != LV_OK)
        report_failure(s, style, status, outcome);
    else if (style.json)
        cli_summary_write_json(s);
    else if (!style.quiet)
        cli_summary_write_text(stream(s), s);
    for (int k = 0; style.quiet && !style.json && k < s->run->warning_count; k++)
        cli_put_warning(stderr, s->run->warnings[k]);
    return status;
}
