/* One object; its names and their meaning are a contract with scripts. */
#include "cli/options.h"
#include "cli/state.h"
#include "cli/summary.h"

static void put_options(cli_json *j, const lv_scheme_options *options)
{
    cli_json_key(j, "options");
    cli_json_open(j, '{');
    cli_options_put(j, options);
    cli_json_close(j, '}');
}

static void put_final(cli_json *j, const cli_summary *s, const lv_inspection *facts)
{
    const lv_run_summary *run = s->run;
    cli_json_key(j, "final");
    cli_json_open(j, '{');
    cli_json_put_number(j, "t", run->time);
    cli_state_put(j, "q", facts, run->q);
    cli_state_put(j, "v", facts, run->v);
    cli_state_put(j, "p", facts, run->p);
    cli_multipliers_put(j, "lambda", s->model, run->lambda, run->constraints);
    cli_multipliers_put(j, "lambda_scheme", s->model, run->lambda_scheme,
                        run->lambda_scheme ? run->constraints : 0);
    cli_multipliers_put(j, "gamma", s->model, run->gamma,
                        run->gamma ? run->constraints : 0);
    cli_json_close(j, '}');
}

static void put_energy(cli_json *j, const lv_kept_quantity *energy)
{
    cli_json_key(j, "energy");
    cli_json_open(j, '{');
    cli_json_put_number(j, "initial", energy->initial);
    cli_json_put_number(j, "final", energy->final);
    cli_json_put_number(j, "max_deviation", energy->max_deviation);
    cli_json_close(j, '}');
}

static void put_momenta(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "momentum");
    cli_json_open(j, '[');
    for (int k = 0; k < run->momentum_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", run->momenta[k].name);
        cli_json_put_number(j, "initial", run->momenta[k].initial);
        cli_json_put_number(j, "max_deviation", run->momenta[k].max_deviation);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

/* The scheme's own; few have one. */
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
    cli_json_close(j, '}');
}

static void put_constraints(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "constraints");
    cli_json_open(j, '{');
    cli_json_put_number(j, "position_max", run->position_max);
    cli_json_put_number(j, "velocity_max", run->velocity_max);
    cli_json_put_number(j, "nonholonomic_max", run->nonholonomic_max);
    cli_json_put_number(j, "carried_max", run->lag_max);
    cli_json_put_number(j, "legendre_max", run->legendre_max);
    cli_json_close(j, '}');
}

static void put_newton(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "newton");
    cli_json_open(j, '{');
    cli_json_put_number(j, "mean", run->newton_mean);
    cli_json_put_whole(j, "max", run->newton_max);
    cli_json_close(j, '}');
}

static void put_warnings(cli_json *j, const lv_run_summary *run)
{
    cli_json_key(j, "warnings");
    cli_json_open(j, '[');
    for (int k = 0; k < run->warning_count; k++)
        cli_json_text(j, run->warnings[k]);
    cli_json_close(j, ']');
}

lv_status cli_summary_write_json(const cli_summary *s, lv_error *err)
{
    const lv_run_summary *run = s->run;
    lv_inspection *facts = NULL; /* knows which coordinates belong together */
    lv_status status = lv_model_inspect(&facts, s->model, err);
    if (status != LV_OK)
        return status;
    cli_json json = {.out = stdout};
    cli_json_open(&json, '{');
    cli_json_put_text(&json, "status",
                      run->interrupted ? "interrupted" : lv_status_name(LV_OK));
    cli_json_put_text(&json, "model", lv_model_title(s->model));
    cli_json_put_text(&json, "scheme", run->scheme);
    put_options(&json, &run->options);
    cli_json_put_number(&json, "step", run->step);
    cli_json_put_whole(&json, "steps", run->steps);
    cli_json_put_number(&json, "seconds", run->seconds);
    put_final(&json, s, facts);
    put_energy(&json, &run->energy);
    put_momenta(&json, run);
    put_invariant(&json, &run->invariant);
    put_constraints(&json, run);
    put_newton(&json, run);
    put_warnings(&json, run);
    cli_json_close(&json, '}');
    lv_inspection_free(facts);
    return LV_OK;
}
