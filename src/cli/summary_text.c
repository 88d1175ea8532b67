#include "cli/estimate.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "cli/schemes.h"
#include "cli/start.h"
#include "cli/summary.h"
#include "cli/web_page.h"

#include <math.h>
#include <string.h>

enum { STATE_MOST = 12, PARTS_MOST = 12, MOMENTA_MOST = 40, NAME_SIZE = 200 };

static void write_effort(FILE *out, const cli_summary *s)
{
    cli_line time = {.length = 0}, wall = {.length = 0}, newton = {.length = 0};
    const lv_run_summary *run = s->run;
    /* A single step beyond the end is shortened. */
    const double step = run->steps == 1 && run->time < run->step ? run->time : run->step;
    cli_line_add(&time, "t = %.10g after %lld step%s of %.6g", run->time, run->steps,
                 run->steps == 1 ? "" : "s", step);
    if (run->time < run->until && (run->interrupted || run->status != LV_OK))
        cli_line_add(&time, "; wanted t = %.10g", run->until);
    if (run->stopped_by)
        cli_line_add(&time, "; ended by event '%s'", run->stopped_by);
    cli_put_fact(out, "reached", time.text);

    cli_line_add(&wall, "%.3g s", run->seconds);
    if (s->steps_now < run->steps)
        cli_line_add(&wall, " for the last %lld step%s", s->steps_now,
                     s->steps_now == 1 ? "" : "s");
    if (run->seconds > 0 && s->steps_now > 0)
        cli_line_add(&wall, ", %.0f steps/s", (double)s->steps_now / run->seconds);
    cli_put_fact(out, "wall time", wall.text);

    char mean[40];
    snprintf(mean, sizeof mean, "%.3g", run->newton_mean);
    cli_line_add(&newton, "%s iteration%s per step, at most %d", mean,
                 strcmp(mean, "1") == 0 ? "" : "s", run->newton_max);
    cli_put_fact(out, "Newton", newton.text);
}

/* How far initial = "project" has moved the start. */
static void write_start(FILE *out, const cli_summary *s)
{
    const lv_start_change *start = &s->run->start;
    cli_line l = {.length = 0};
    if (!start->projected)
        return;
    cli_start_add(&l, s->model, start);
    cli_put_fact(out, "start", l.text);
}

/* The files that inputs followed. */
static void write_tables(FILE *out, const lv_run_summary *run)
{
    for (int k = 0; k < run->table_count; k++) {
        const lv_table_info *table = &run->tables[k];
        cli_line l = {.length = 0};
        cli_line_add(&l, "%s from %s, %s, %lld row%s from t = %.6g to %.6g", table->input,
                     table->path, table->kind, table->rows, table->rows == 1 ? "" : "s",
                     table->first, table->last);
        cli_put_fact(out, k == 0 ? "inputs" : "", l.text);
    }
}

/* Multipliers of nonholonomic constraints that are carried from step to step may leave
 * those of the motion. */
static void write_carried(FILE *out, const lv_run_summary *run)
{
    cli_line l = {.length = 0};
    if (run->constraints == run->holonomic)
        return;
    if (lv_scheme_option(&run->options, LV_OPTION_MULTIPLIERS, 0) != 0)
        cli_line_add(&l, "those of the motion; steps end within %.2g of them",
                     run->lag_max);
    else
        cli_line_add(&l, "carried, within %.2g of those of the motion", run->lag_max);
    cli_put_fact(out, "multipliers", l.text);
}

/* Writes the difference of p and M v if it is more than rounding. */
static void write_legendre(FILE *out, const lv_run_summary *run)
{
    const double rounding = 1e-10;
    cli_line l = {.length = 0};
    if (run->legendre_max <= rounding)
        return;
    cli_line_add(&l, "max |p - M v| = %.2g of max |p|; E is p.v - T + V",
                 run->legendre_max);
    cli_put_fact(out, "velocities", l.text);
}

static void write_constraints(FILE *out, const lv_run_summary *run)
{
    cli_line l = {.length = 0};
    if (run->constraints == 0)
        return;
    if (run->holonomic > 0)
        cli_line_add(&l, "max |g| = %.2g, max |dg/dt| = %.2g", run->position_max,
                     run->velocity_max);
    if (run->constraints > run->holonomic)
        cli_line_add(&l, "%smax |Phi| = %.2g", l.length > 0 ? ", " : "",
                     run->nonholonomic_max);
    cli_put_fact(out, "constraints", l.text);
    write_carried(out, run);
}

/* Claims of the scheme that this run alone has shown to be kept. */
static void write_shown(FILE *out, const lv_run_summary *run)
{
    cli_line l = {.length = 0};
    for (int k = 0; k < LV_PROPERTIES; k++)
        if (run->shown >> k & 1)
            cli_line_add(&l, "%s%s", l.length > 0 ? ", " : "",
                         lv_property_name((lv_property)k));
    if (l.length == 0)
        return;
    cli_line_add(&l, " (more: livens verify)");
    cli_put_fact(out, "shown", l.text);
}

static void add_number(cli_grid *grid, int digits, double value)
{
    if (isfinite(value))
        cli_grid_add(grid, "%.*g", digits, value);
    else
        cli_grid_add(grid, "not finite");
}

static void add_kept(cli_grid *grid, const char *prefix, const lv_kept_quantity *kept)
{
    cli_grid_row(grid);
    cli_grid_add(grid, "%s%s", prefix, kept->name);
    add_number(grid, 10, cli_unsigned_zero(kept->initial));
    add_number(grid, 10, cli_unsigned_zero(kept->final));
    add_number(grid, 2, kept->max_deviation);
    if (isnan(kept->relative))
        cli_grid_add(grid, "-");
    else
        add_number(grid, 2, kept->relative);
}

/* Adds the work by name, and the balance of energy. */
static void add_works(cli_grid *grid, const lv_run_summary *run)
{
    for (int k = 0; k < run->work_count && k < MOMENTA_MOST; k++) {
        cli_grid_row(grid);
        cli_grid_add(grid, "work.%s", run->works[k].name);
        cli_grid_add(grid, "0");
        add_number(grid, 10, cli_unsigned_zero(run->works[k].value));
    }
    if (run->balance.name)
        add_kept(grid, "", &run->balance);
}

/* Energy and momentum maps: initial and final values, largest deviations. */
static void write_kept(FILE *out, const lv_run_summary *run)
{
    static const char *const headings[] = {"", "initial", "final", "max deviation",
                                           "relative"};
    cli_grid grid = {.align = "lrrrr"};
    int count = run->momentum_count < MOMENTA_MOST ? run->momentum_count : MOMENTA_MOST;
    cli_grid_row(&grid);
    for (size_t k = 0; k < sizeof headings / sizeof headings[0]; k++)
        cli_grid_add(&grid, "%s", headings[k]);
    add_kept(&grid, "", &run->energy);
    add_works(&grid, run);
    if (run->invariant.name)
        add_kept(&grid, "", &run->invariant);
    for (int k = 0; k < count; k++)
        add_kept(&grid, "J.", &run->momenta[k]);
    fputc('\n', out);
    cli_grid_put(out, &grid);
    if (run->work_count > MOMENTA_MOST)
        fprintf(out, "  ... and the work of %d more (--json shows all)\n",
                run->work_count - MOMENTA_MOST);
    if (run->momentum_count > count)
        fprintf(out, "  ... and %d more (--json shows all)\n",
                run->momentum_count - count);
}

static void write_events(FILE *out, const lv_run_summary *run)
{
    static const char *const headings[] = {"event", "times", "first at t", "last at t"};
    cli_grid grid = {.align = "lrrr"};
    if (run->event_count == 0)
        return;
    cli_grid_row(&grid);
    for (int k = 0; k < 4; k++)
        cli_grid_add(&grid, "%s", headings[k]);
    for (int k = 0; k < run->event_count && k < MOMENTA_MOST; k++) {
        const lv_event_info *event = &run->events[k];
        cli_grid_row(&grid);
        cli_grid_add(&grid, "%s", event->name);
        cli_grid_add(&grid, "%lld", event->count);
        if (event->count > 0) {
            cli_grid_add(&grid, "%.12g", event->first);
            cli_grid_add(&grid, "%.12g", event->last);
        }
    }
    fputc('\n', out);
    cli_grid_put(out, &grid);
    if (run->event_count > MOMENTA_MOST)
        fprintf(out, "  ... and %d more (--json shows all)\n",
                run->event_count - MOMENTA_MOST);
}

/* Changes from outside, and their meaning for the claims. */
static void write_changes(FILE *out, const lv_run_summary *run)
{
    for (int k = 0; k < run->change_count; k++) {
        const lv_change_info *change = &run->changes[k];
        cli_line l = {.length = 0};
        cli_line_add(&l, "%s %s, %lld time%s", change->kind, change->name, change->count,
                     change->count == 1 ? "" : "s");
        if (change->count > 1)
            cli_line_add(&l, " from t = %.6g to %.6g", change->first, change->last);
        else
            cli_line_add(&l, " at t = %.6g", change->first);
        if (k + 1 == run->change_count)
            cli_line_add(&l, "; promises hold between changes");
        cli_put_fact(out, k == 0 ? "changed" : "", l.text);
    }
}

/* How many components of a joint's force and torque are not determined. */
static void write_open(cli_grid *grid, const lv_part_result *part)
{
    const char *const names[] = {"force", "torque"};
    const int open[] = {part->open_forces, part->open_torques};
    for (int k = 0; k < 2; k++) {
        if (open[k] == 0)
            continue;
        cli_grid_row(grid);
        cli_grid_add(grid, "  %s open", names[k]);
        cli_grid_add(grid, "%d", open[k]);
    }
}

/* Adds the error of a quantity of a body below it. */
static void add_error(cli_grid *grid, const cli_summary *s, const lv_part_result *part,
                      int value)
{
    double errors[3];
    const int count = s->finer ? cli_estimate_body(s, part, value, errors) : 0;
    if (count == 0)
        return;
    cli_grid_row(grid);
    cli_grid_add(grid, "    error");
    for (int k = 0; k < count; k++)
        cli_grid_add(grid, "%.1e", errors[k]);
}

/* Bodies, joints, motors, rolling contacts: a line for each quantity that is not shown by
 * another one. */
static void write_parts(FILE *out, const cli_summary *s)
{
    const lv_run_summary *run = s->run;
    cli_grid grid = {.align = "lrrrr"};
    if (run->part_count > PARTS_MOST)
        fprintf(out, "  %d bodies and joints (--json shows all)\n", run->part_count);
    if (run->part_count > PARTS_MOST || run->part_count == 0)
        return;
    for (int k = 0; k < run->part_count; k++) {
        cli_grid_row(&grid);
        cli_grid_add(&grid, "%s", run->parts[k].name);
        for (int i = 0; i < run->parts[k].count; i++) {
            const lv_output *value = &run->parts[k].values[i];
            if (value->length > 4)
                continue; /* a rotation matrix: its quaternion is shown */
            cli_grid_row(&grid);
            cli_grid_add(&grid, "  %s", value->name);
            for (int j = 0; j < (value->length > 0 ? value->length : 1); j++)
                cli_grid_add(&grid, "%.6g", cli_unsigned_zero(value->values[j]));
            add_error(&grid, s, &run->parts[k], i);
        }
        write_open(&grid, &run->parts[k]);
    }
    cli_grid_put(out, &grid);
}

static void write_state(FILE *out, const cli_summary *s)
{
    const lv_run_summary *run = s->run;
    cli_grid grid = {.align = "lrrrr"};
    char name[NAME_SIZE];
    cli_put_heading(out, "final state");
    int shown = 0;
    for (int k = 0; k < run->coordinates; k++)
        shown += !lv_model_coordinate_is_inner(s->model, k);
    write_parts(out, s);
    if (shown > STATE_MOST)
        fprintf(out, "  %d coordinates (--json shows all)\n", shown);
    if (shown > STATE_MOST || shown == 0)
        return;
    cli_grid_row(&grid);
    cli_grid_add(&grid, "coordinate");
    cli_grid_add(&grid, "value");
    cli_grid_add(&grid, "velocity");
    if (s->finer) {
        cli_grid_add(&grid, "error");
        cli_grid_add(&grid, "of velocity");
    }
    for (int k = 0; k < run->coordinates; k++) {
        if (lv_model_coordinate_is_inner(s->model, k))
            continue;
        cli_grid_row(&grid);
        cli_grid_add(&grid, "%s",
                     lv_model_coordinate_name(s->model, k, name, sizeof name));
        cli_grid_add(&grid, "%.15g", cli_unsigned_zero(run->q[k]));
        cli_grid_add(&grid, "%.15g", cli_unsigned_zero(run->v[k]));
        for (int i = 0; i < 2 && s->finer; i++)
            cli_grid_add(&grid, "%.1e", cli_estimate_coordinate(s, k, i == 1));
    }
    cli_grid_put(out, &grid);
}

static void add_file(cli_grid *grid, const char *path, const lv_recorded *recorded,
                     long long taken)
{
    if (!path || strcmp(path, "-") == 0)
        return;
    cli_grid_row(grid);
    cli_grid_add(grid, "%s", path);
    cli_grid_add(grid, "%lld", recorded->rows);
    if (recorded->rows < taken)
        cli_grid_add(grid, "%lld more could not be written", taken - recorded->rows);
}

/* Writes which rows a page has, if it does not have all of them. */
static void write_page(FILE *out, const cli_summary *s)
{
    if (!s->page || strcmp(s->page, "-") == 0 || s->page_info.bytes == 0)
        return;
    fputc('\n', out);
    cli_page_say(out, s->page, &s->page_info);
}

static void write_files(FILE *out, const cli_summary *s)
{
    const lv_run_summary *run = s->run;
    cli_grid grid = {.align = "lrl"};
    cli_grid_row(&grid);
    cli_grid_add(&grid, "file");
    cli_grid_add(&grid, "rows");
    add_file(&grid, s->hdf5, &run->hdf5, run->rows);
    add_file(&grid, s->csv, &run->csv, run->rows);
    if (grid.count == 1)
        return;
    fputc('\n', out);
    cli_grid_put(out, &grid);
}

static void write_remarks(FILE *out, const cli_summary *s)
{
    const lv_run_summary *run = s->run;
    fputc('\n', out);
    for (int k = 0; k < run->warning_count; k++)
        cli_put_warning(out, run->warnings[k]);
    if (run->interrupted) {
        fprintf(out, "interrupted at t = %.10g\n", run->time);
        if (s->hdf5) {
            fputs("to go on: livens resume ", out);
            cli_put(out, s->hdf5);
            fputc('\n', out);
        }
    } else if (run->status == LV_OK && run->warning_count == 0) {
        fputs("no warnings\n", out);
    }
}

void cli_summary_write_text(FILE *out, const cli_summary *s)
{
    cli_put_title(out, lv_model_title(s->model), s->file, NULL);
    cli_scheme_put(out, s->run->scheme, &s->run->options, s->run->order);
    write_effort(out, s);
    write_start(out, s);
    write_tables(out, s->run);
    write_changes(out, s->run);
    write_constraints(out, s->run);
    write_legendre(out, s->run);
    write_shown(out, s->run);
    cli_estimate_write(out, s);
    write_kept(out, s->run);
    write_events(out, s->run);
    if (s->run->status == LV_OK)
        write_state(out, s);
    write_files(out, s);
    write_page(out, s);
    if (s->run->status == LV_OK || s->run->warning_count > 0)
        write_remarks(out, s);
}
