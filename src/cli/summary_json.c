/* One object. Scripts depend on its names and their meaning. */
#include "cli/estimate.h"
#include "cli/options.h"
#include "cli/start.h"
#include "cli/state.h"
#include "cli/summary.h"

#include <math.h>
#include <stdlib.h>

static void put_options(cli_json *j, const lv_scheme_options *options)
{
    cli_json_key(j, "options");
    cli_json_open(j, '{');
    cli_options_put(j, options);
    cli_json_close(j, '}');
}

/* How far initial = "project" has moved the start. */
static void put_start(cli_json *j, const cli_summary *s)
{
    cli_json_key(j, "start");
    cli_json_open(j, '{');
    cli_start_put(j, s->model, &s->run->start);
    cli_json_close(j, '}');
}

static void put_outputs(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "outputs");
    cli_json_open(j, '{');
    for (int k = 0; k < run->output_count; k++) {
        cli_json_key(j, run->outputs[k].name);
        cli_json_numbers(j, run->outputs[k].values, run->outputs[k].length);
    }
    cli_json_close(j, '}');
}

static void put_inputs(cli_json *j, const lv_run_summary *run)
{
    if (run->input_count == 0)
        return;
    cli_json_key(j, "inputs");
    cli_json_open(j, '{');
    for (int k = 0; k < run->input_count; k++) {
        cli_json_key(j, run->inputs[k].name);
        cli_json_numbers(j, run->inputs[k].values, run->inputs[k].length);
    }
    cli_json_close(j, '}');
}

/* The files that inputs followed. */
static void put_tables(cli_json *j, const lv_run_summary *run)
{
    if (run->table_count == 0)
        return;
    cli_json_key(j, "tables");
    cli_json_open(j, '[');
    for (int k = 0; k < run->table_count; k++) {
        const lv_table_info *table = &run->tables[k];
        cli_json_open(j, '{');
        cli_json_put_text(j, "input", table->input);
        cli_json_put_text(j, "file", table->path);
        cli_json_put_text(j, "kind", table->kind);
        cli_json_put_whole(j, "rows", table->rows);
        cli_json_put_number(j, "first", table->first);
        cli_json_put_number(j, "last", table->last);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

/* Bodies, joints, motors, rolling contacts, section by section. */
static void put_parts(cli_json *j, const lv_run_summary *run)
{
    const char *section = NULL;
    for (int k = 0; k < run->part_count; k++) {
        const lv_part_result *part = &run->parts[k];
        if (section != part->section) {
            if (section)
                cli_json_close(j, '}');
            section = part->section;
            cli_json_key(j, section);
            cli_json_open(j, '{');
        }
        cli_json_key(j, part->name);
        cli_json_open(j, '{');
        for (int i = 0; i < part->count; i++) {
            cli_json_key(j, part->values[i].name);
            cli_json_numbers(j, part->values[i].values, part->values[i].length);
        }
        if (part->open_forces > 0 || part->open_torques > 0) {
            cli_json_key(j, "undetermined");
            cli_json_open(j, '{');
            cli_json_put_number(j, "force", part->open_forces);
            cli_json_put_number(j, "torque", part->open_torques);
            cli_json_close(j, '}');
        }
        cli_json_close(j, '}');
    }
    if (section)
        cli_json_close(j, '}');
}

static void put_final(cli_json *j, const cli_summary *s)
{
    const lv_run_summary *run = s->run;
    cli_json_key(j, "final");
    cli_json_open(j, '{');
    cli_json_put_number(j, "t", run->time);
    cli_state_put(j, "q", s->model, run->q, false);
    cli_state_put(j, "v", s->model, run->v, false);
    cli_state_put(j, "p", s->model, run->p, false);
    cli_multipliers_put(j, "lambda", s->model, run->lambda, run->constraints);
    cli_multipliers_put(j, "lambda_scheme", s->model, run->lambda_scheme,
                        run->lambda_scheme ? run->constraints : 0);
    cli_multipliers_put(j, "gamma", s->model, run->gamma,
                        run->gamma ? run->constraints : 0);
    put_parts(j, run);
    put_inputs(j, run);
    put_outputs(j, run);
    cli_json_close(j, '}');
}

static void put_energy(cli_json *j, const lv_kept_quantity *energy)
{
    cli_json_key(j, "energy");
    cli_json_open(j, '{');
    cli_json_put_number(j, "initial", energy->initial);
    cli_json_put_number(j, "final", energy->final);
    cli_json_put_number(j, "max_deviation", energy->max_deviation);
    cli_json_put_number(j, "relative", energy->relative);
    cli_json_close(j, '}');
}

/* The work by name, and the balance of energy. */
static void put_work(cli_json *j, const lv_run_summary *run)
{
    if (!run->balance.name)
        return;
    cli_json_key(j, "work");
    cli_json_open(j, '{');
    for (int k = 0; k < run->work_count; k++)
        cli_json_put_number(j, run->works[k].name, run->works[k].value);
    cli_json_close(j, '}');
    cli_json_key(j, "balance");
    cli_json_open(j, '{');
    cli_json_put_number(j, "final", run->balance.final);
    cli_json_put_number(j, "max_deviation", run->balance.max_deviation);
    cli_json_put_number(j, "relative", run->balance.relative);
    cli_json_close(j, '}');
}

static void put_momenta(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "momentum");
    cli_json_open(j, '[');
    for (int k = 0; k < run->momentum_count; k++) {
        cli_json_open(j, '{');
        cli_json_key(j, "name");
        cli_json_momentum(j, run->momenta[k].name);
        cli_json_put_number(j, "initial", run->momenta[k].initial);
        cli_json_put_number(j, "final", run->momenta[k].final);
        cli_json_put_number(j, "max_deviation", run->momenta[k].max_deviation);
        cli_json_put_number(j, "relative", run->momenta[k].relative);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

/* Only models with events have these keys. */
static void put_events(cli_json *j, const lv_run_summary *run)
{
    if (run->event_count == 0)
        return;
    cli_json_key(j, "events");
    cli_json_open(j, '{');
    for (int k = 0; k < run->event_count; k++) {
        cli_json_key(j, run->events[k].name);
        cli_json_open(j, '{');
        cli_json_put_whole(j, "count", run->events[k].count);
        cli_json_put_number(j, "first", run->events[k].first);
        cli_json_put_number(j, "last", run->events[k].last);
        cli_json_close(j, '}');
    }
    cli_json_close(j, '}');
    cli_json_key(j, "stopped_by");
    cli_json_text(j, run->stopped_by);
}

/* Only runs in which something was changed from outside have this key. */
static void put_changes(cli_json *j, const lv_run_summary *run)
{
    if (run->change_count == 0)
        return;
    cli_json_key(j, "changes");
    cli_json_open(j, '[');
    for (int k = 0; k < run->change_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_text(j, "kind", run->changes[k].kind);
        cli_json_put_text(j, "name", run->changes[k].name);
        cli_json_put_whole(j, "count", run->changes[k].count);
        cli_json_put_number(j, "first", run->changes[k].first);
        cli_json_put_number(j, "last", run->changes[k].last);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

/* The scheme's own invariant; few schemes have one. */
static void put_invariant(cli_json *j, const lv_kept_quantity *invariant)
{
    if (!invariant->name)
        return;
    cli_json_key(j, "invariant");
    cli_json_open(j, '{');
    cli_json_put_text(j, "name", invariant->name);
    cli_json_put_number(j, "initial", invariant->initial);
    cli_json_put_number(j, "final", invariant->final);
    cli_json_put_number(j, "max_deviation", invariant->max_deviation);
    cli_json_put_number(j, "relative", invariant->relative);
    cli_json_close(j, '}');
}

/* A number, or null if it does not exist in this run. */
static void put_if(cli_json *j, const char *key, bool exists, double value)
{
    cli_json_put_number(j, key, exists ? value : (double)NAN);
}

static void put_constraints(cli_json *j, const lv_run_summary *run)
{
    const bool rolls = run->constraints > run->holonomic;
    cli_json_key(j, "constraints");
    cli_json_open(j, '{');
    put_if(j, "position_max", run->holonomic > 0, run->position_max);
    put_if(j, "velocity_max", run->holonomic > 0, run->velocity_max);
    put_if(j, "nonholonomic_max", rolls, run->nonholonomic_max);
    put_if(j, "undetermined_rows", run->constraints > 0, (double)run->undetermined_rows);
    put_if(j, "carried_max", rolls, run->lag_max);
    put_if(j, "legendre_max", run->has_legendre, run->legendre_max);
    cli_json_close(j, '}');
}

static void put_newton(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "newton");
    cli_json_open(j, '{');
    put_if(j, "mean", run->steps > 0, run->newton_mean);
    put_if(j, "max", run->steps > 0, run->newton_max);
    cli_json_close(j, '}');
}

static void put_file(cli_json *j, const char *format, const char *path,
                     const lv_recorded *recorded)
{
    if (!path)
        return;
    cli_json_open(j, '{');
    cli_json_put_text(j, "format", format);
    cli_json_put_text(j, "path", path);
    cli_json_put_whole(j, "rows", recorded->rows);
    put_if(j, "t", recorded->rows > 0, recorded->time);
    cli_json_close(j, '}');
}

static void put_files(cli_json *j, const cli_summary *s)
{
    cli_json_key(j, "files");
    cli_json_open(j, '[');
    put_file(j, "hdf5", s->hdf5, &s->run->hdf5);
    put_file(j, "csv", s->csv, &s->run->csv);
    if (s->page && s->page_info.bytes > 0) {
        const lv_recorded rows = {s->page_info.rows, s->run->time};
        put_file(j, "html", s->page, &rows);
    }
    cli_json_close(j, ']');
}

/* Claims that this run alone shows to be kept. */
static void put_shown(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "shown");
    cli_json_open(j, '[');
    for (int k = 0; k < LV_PROPERTIES; k++)
        if (run->shown >> k & 1)
            cli_json_text(j, lv_property_name((lv_property)k));
    cli_json_close(j, ']');
}

static void put_warnings(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "warnings");
    cli_json_open(j, '[');
    for (int k = 0; k < run->warning_count; k++)
        cli_json_text(j, run->warnings[k]);
    cli_json_close(j, ']');
}

void cli_summary_write_json(const cli_summary *s)
{
    const lv_run_summary *run = s->run;
    cli_json json = {.out = stdout};
    cli_json_open(&json, '{');
    cli_json_put_text(&json, "status",
                      run->interrupted ? "interrupted" : lv_status_name(LV_OK));
    cli_json_put_text(&json, "model", lv_model_title(s->model));
    cli_json_put_text(&json, "scheme", run->scheme);
    put_options(&json, &run->options);
    cli_json_put_whole(&json, "order", run->order);
    cli_json_put_number(&json, "step", run->step);
    cli_json_put_whole(&json, "steps", run->steps);
    cli_json_put_number(&json, "seconds", run->seconds);
    put_start(&json, s);
    put_tables(&json, run);
    put_final(&json, s);
    cli_estimate_put(&json, s);
    put_energy(&json, &run->energy);
    put_work(&json, run);
    put_momenta(&json, run);
    put_invariant(&json, &run->invariant);
    put_events(&json, run);
    put_changes(&json, run);
    put_constraints(&json, run);
    put_newton(&json, run);
    put_shown(&json, run);
    put_files(&json, s);
    put_warnings(&json, run);
    cli_json_close(&json, '}');
}
