#include "cli/grid.h"
#include "cli/report.h"
#include "cli/schemes.h"
#include "cli/sweep.h"
#include "cli/web_page.h"

#include <math.h>
#include <string.h>

enum { RANGES_MOST = CLI_GRID_ROWS - 8, GROUPS_MOST = 10 };

const char *cli_sweep_verdict(const lv_sweep_summary *s, char *buffer, size_t size)
{
    if (s->interrupted)
        snprintf(buffer, size, "interrupted after %d of %d members; %d failed", s->done,
                 s->members, s->failed);
    else
        snprintf(buffer, size, "%d of %d member%s failed", s->failed, s->done,
                 s->done == 1 ? "" : "s");
    return buffer;
}

static void write_effort(FILE *out, const lv_sweep_summary *s, int ranks)
{
    cli_line members = {.length = 0}, wall = {.length = 0};
    cli_line_add(&members, "%d", s->done);
    if (s->done < s->members)
        cli_line_add(&members, " of %d", s->members);
    if (s->parts > 0 && s->part == 0)
        cli_line_add(&members, " from %d part%s", s->parts, s->parts == 1 ? "" : "s");
    if (s->parts > 0 && s->part > 0)
        cli_line_add(&members, " in part %d of %d", s->part, s->parts);
    if (s->recalled > 0)
        cli_line_add(&members, ", %d of them from before", s->recalled);
    if (s->failed > 0)
        cli_line_add(&members, ", %d failed", s->failed);
    if (s->warned > 0)
        cli_line_add(&members, ", %d with warnings", s->warned);
    cli_line_add(&members, "; %lld step%s in all", s->steps, s->steps == 1 ? "" : "s");
    cli_put_fact(out, "members", members.text);
    if (s->parts > 0 && s->part == 0) {
        cli_line_add(&wall, "%.3g s to join the parts", s->seconds);
        cli_put_fact(out, "wall time", wall.text);
        return;
    }
    const int workers = ranks > 1 ? ranks : s->threads;
    cli_line_add(&wall, "%.3g s on %d %s%s", s->seconds, workers,
                 ranks > 1 ? "rank" : "thread", workers == 1 ? "" : "s");
    if (s->seconds > 0 && s->done > s->recalled)
        cli_line_add(&wall, ", %.3g members/s", (s->done - s->recalled) / s->seconds);
    cli_put_fact(out, "wall time", wall.text);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Whether a column is shown. States, and quantities that a system without constraints or
 * without equations to solve does not have, would hide the rest. */
static bool is_shown(const lv_column_range *c)
{
    static const char *const kinds[] = {"set",         "reached", "energy", "momentum",
                                        "constraints", "newton",  "outputs"};
    bool known = false;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        known = known || strcmp(c->kind, kinds[k]) == 0;
    if (c->most == 0 &&
        (strcmp(c->kind, "constraints") == 0 || strcmp(c->kind, "newton") == 0))
        return false;
    if (strcmp(c->kind, "momentum") == 0)
        return ends_with(c->name, ".deviation");
    return known && !ends_with(c->name, ".final");
}

static void write_ranges(FILE *out, const lv_sweep_summary *s)
{
    cli_grid grid = {.align = "lrrr"};
    int hidden = 0;
    if (s->done == s->failed)
        return;
    cli_grid_row(&grid);
    cli_grid_add(&grid, " ");
    cli_grid_add(&grid, "min");
    cli_grid_add(&grid, "mean");
    cli_grid_add(&grid, "max");
    for (int k = 0; k < s->column_count; k++) {
        const lv_column_range *c = &s->columns[k];
        if (!is_shown(c))
            continue;
        if (grid.count > RANGES_MOST) {
            hidden++;
            continue;
        }
        cli_grid_row(&grid);
        cli_grid_add(&grid, "%s", c->name);
        cli_grid_add(&grid, "%.6g", cli_unsigned_zero(c->least));
        cli_grid_add(&grid, "%.6g", cli_unsigned_zero(c->mean));
        cli_grid_add(&grid, "%.6g", cli_unsigned_zero(c->most));
    }
    fputc('\n', out);
    cli_grid_put(out, &grid);
    if (hidden > 0)
        fprintf(out, "  ... and %d more (--json shows all)\n", hidden);
}

/* Writes "2 x numeric   member 3: why" for every kind of failure, or "2 x" for every kind
 * of warning. */
static void write_groups(FILE *out, const char *heading, const lv_member_group *groups,
                         int count)
{
    if (count == 0)
        return;
    cli_put_heading(out, heading);
    for (int k = 0; k < count && k < GROUPS_MOST; k++) {
        const lv_member_group *g = &groups[k];
        cli_line line = {.length = 0};
        char label[40];
        snprintf(label, sizeof label, "%d x%s%s", g->count, g->status == LV_OK ? "" : " ",
                 g->status == LV_OK ? "" : lv_status_name(g->status));
        cli_line_add(&line, "member %d: %s", g->first, g->text);
        cli_put_fact(out, label, line.text);
    }
    if (count > GROUPS_MOST)
        fprintf(out, "  ... and %d other causes (--json shows all)\n",
                count - GROUPS_MOST);
}

void cli_sweep_warn(FILE *out, const lv_sweep_summary *s)
{
    cli_line line = {.length = 0};
    if (s->warned == 0)
        return;
    cli_line_add(&line, "%d of %d member%s ended with warnings", s->warned, s->done,
                 s->done == 1 ? "" : "s");
    if (s->warning_count > 0)
        cli_line_add(&line, "; member %d: %s", s->warnings[0].first, s->warnings[0].text);
    cli_put_warning(out, line.text);
}

static void write_file(FILE *out, const char *path, const char *what)
{
    if (!path || strcmp(path, "-") == 0)
        return;
    fputs("  ", out);
    cli_put(out, path);
    fprintf(out, "  %s\n", what);
}

static void write_files(FILE *out, const cli_sweep *s)
{
    char rows[40];
    const char *paths[] = {s->hdf5, s->csv, s->series};
    bool any = false;
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; k++)
        any = any || (paths[k] && strcmp(paths[k], "-") != 0);
    if (!any)
        return;
    snprintf(rows, sizeof rows, "%d member%s", s->summary->done,
             s->summary->done == 1 ? "" : "s");
    cli_put_heading(out, "files");
    write_file(out, s->hdf5, rows);
    write_file(out, s->csv, rows);
    write_file(out, s->series, "statistics over time");
}

void cli_sweep_write_text(FILE *out, const cli_sweep *s)
{
    cli_put_title(out, lv_model_title(s->model), s->file, NULL);
    cli_scheme_put(out, s->summary->scheme, &s->summary->options, s->summary->order);
    write_effort(out, s->summary, s->ranks);
    write_ranges(out, s->summary);
    write_groups(out, "failures", s->summary->failures, s->summary->failure_count);
    write_groups(out, "warnings", s->summary->warnings, s->summary->warning_count);
    write_files(out, s);
    if (s->page) {
        fputc('\n', out);
        cli_page_say(out, s->page, &s->page_info);
    }
    if (s->summary->interrupted)
        fprintf(out, "\ninterrupted after %d of %d members\n", s->summary->done,
                s->summary->members);
}
