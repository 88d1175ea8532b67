/* The report as JSON, with the same names as in the results of runs. */
#include "cli/check.h"
#include "cli/error.h"
#include "cli/options.h"
#include "cli/start.h"
#include "cli/state.h"

#include <stdlib.h>

/* A rank or a degree; -1 becomes null. */
static void put_whole_or_null(cli_json *j, const char *key, int value)
{
    cli_json_key(j, key);
    if (value >= 0)
        cli_json_whole(j, value);
    else
        cli_json_null(j);
}

static void put_groups(cli_json *j, const lv_inspection *f)
{
    cli_json_key(j, "groups");
    cli_json_open(j, '[');
    for (int k = 0; k < f->group_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", f->groups[k].name);
        cli_json_put_whole(j, "length", f->groups[k].length);
        cli_json_put_bool(j, "family", f->groups[k].is_family);
        cli_json_put_whole(j, "count", f->groups[k].count);
        cli_json_put_bool(j, "inner", f->groups[k].is_inner);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_constraints(cli_json *j, const lv_inspection *f)
{
    cli_json_key(j, "constraints");
    cli_json_open(j, '{');
    cli_json_put_whole(j, "holonomic", f->holonomic);
    cli_json_put_whole(j, "nonholonomic", f->nonholonomic);
    put_whole_or_null(j, "rank", f->constraint_rank);
    cli_json_put_number(j, "position_max", f->position_residual);
    cli_json_put_number(j, "velocity_max", f->velocity_residual);
    cli_json_put_number(j, "nonholonomic_max", f->nonholonomic_residual);
    cli_json_put_text(j, "position_worst", f->position_worst);
    cli_json_put_text(j, "velocity_worst", f->velocity_worst);
    cli_json_put_text(j, "nonholonomic_worst", f->nonholonomic_worst);
    cli_json_close(j, '}');
}

static void put_mass(cli_json *j, const lv_inspection *f)
{
    cli_json_key(j, "mass");
    cli_json_open(j, '{');
    cli_json_put_text(j, "kind", lv_mass_kind_name(f->mass));
    put_whole_or_null(j, "rank", f->mass_rank);
    cli_json_put_text(j, "negative", f->mass_negative[0] ? f->mass_negative : NULL);
    cli_json_close(j, '}');
}

static void put_energy(cli_json *j, const lv_inspection *f)
{
    cli_json_key(j, "energy");
    cli_json_open(j, '{');
    cli_json_put_number(j, "initial", f->energy);
    cli_json_put_number(j, "kinetic", f->kinetic);
    cli_json_put_number(j, "potential", f->potential);
    cli_json_put_bool(j, "lagrangian", f->has_lagrangian);
    cli_json_put_bool(j, "hamiltonian", f->has_hamiltonian);
    cli_json_close(j, '}');
}

static void put_momenta(cli_json *j, const lv_inspection *f)
{
    cli_json_key(j, "momentum");
    cli_json_open(j, '[');
    for (int k = 0; k < f->momentum_count; k++) {
        cli_json_open(j, '{');
        cli_json_key(j, "name");
        cli_json_momentum(j, f->momenta[k].name);
        cli_json_put_number(j, "initial", f->momenta[k].value);
        cli_json_put_bool(j, "found", f->momenta[k].found);
        cli_json_put_text(j, "spoilt", f->momenta[k].spoilt);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_parameters(cli_json *j, const lv_inspection *f)
{
    cli_json_key(j, "parameters");
    cli_json_open(j, '[');
    for (int k = 0; k < f->parameter_count; k++) {
        const lv_parameter_info *p = &f->parameters[k];
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", p->name);
        cli_json_key(j, "value");
        cli_json_numbers(j, p->values, p->length);
        cli_json_put_bool(j, "structural", p->structural);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_term(cli_json *j, const lv_term_info *term)
{
    cli_json_open(j, '{');
    cli_json_put_text(j, "section", term->section);
    cli_json_put_text(j, "name", term->name);
    cli_json_put_text(j, "role", term->role);
    cli_json_put_whole(j, "instances", term->instances);
    cli_json_put_whole(j, "rows", term->rows);
    cli_json_put_whole(j, "coordinates", term->coordinates);
    cli_json_put_whole(j, "operations", term->operations);
    put_whole_or_null(j, "degree_q", term->degree_q);
    put_whole_or_null(j, "degree_v", term->degree_v);
    cli_json_put_whole(j, "invariants", term->invariants);
    cli_json_put_bool(j, "time", term->time);
    cli_json_put_bool(j, "inputs", term->inputs);
    cli_json_put_text(j, "velocities", term->velocities);
    cli_json_put_bool(j, "inner", term->is_inner);
    cli_json_close(j, '}');
}

static void put_terms(cli_json *j, const lv_inspection *f)
{
    cli_json_put_whole(j, "kernels", f->kernels);
    cli_json_put_whole(j, "instances", f->instances);
    cli_json_key(j, "terms");
    cli_json_open(j, '[');
    for (int k = 0; k < f->term_count; k++)
        put_term(j, &f->terms[k]);
    cli_json_close(j, ']');
}

/* Momentum maps that a scheme does not keep to rounding. */
static void put_inexact(cli_json *j, const cli_check *check, int scheme)
{
    const int count = check->facts->momentum_count;
    cli_json_key(j, "momentum_inexact");
    cli_json_open(j, '[');
    for (int k = 0; k < count; k++)
        if (!check->kept[(ptrdiff_t)scheme * count + k] &&
            !check->facts->momenta[k].spoilt)
            cli_json_momentum(j, check->facts->momenta[k].name);
    cli_json_close(j, ']');
}

/* The schemes that take the model, with their default options. */
static void put_schemes(cli_json *j, const cli_check *check)
{
    lv_scheme_info info;
    cli_json_key(j, "schemes");
    cli_json_open(j, '[');
    for (int k = 0; k < CLI_SCHEMES_MAX && lv_scheme_describe(k, &info); k++) {
        if (!check->fits[k])
            continue;
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", info.name);
        put_inexact(j, check, k);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
    cli_check_put_formulations(j, check);
}

/* Values that satisfy the constraints, if those of the model do not; null if there are
 * none nearby. */
static void put_consistent(cli_json *j, const cli_check *check)
{
    const lv_inspection *f = check->facts;
    double *q = calloc(2 * (size_t)f->coordinates + 1, sizeof *q);
    if (q && (f->position_violated[0] || f->velocity_violated[0])) {
        double *v = q + f->coordinates;
        cli_json_key(j, "consistent");
        if (lv_model_start(check->model, LV_INITIAL_PROJECT, q, v, NULL, NULL) == LV_OK) {
            cli_json_open(j, '{');
            cli_state_put(j, "q", check->model, q, true);
            cli_state_put(j, "v", check->model, v, true);
            cli_json_close(j, '}');
        } else {
            cli_json_null(j);
        }
    }
    free(q);
}

static void put_start(cli_json *j, const cli_check *check)
{
    cli_json_key(j, "start");
    cli_json_open(j, '{');
    cli_state_put(j, "q", check->model, lv_model_start_position(check->model), true);
    cli_state_put(j, "v", check->model, lv_model_start_velocity(check->model), true);
    put_consistent(j, check);
    cli_start_put(j, check->model, &check->start);
    cli_json_close(j, '}');
}

static void put_if_set(cli_json *j, const char *key, double value)
{
    cli_json_key(j, key);
    if (value > 0)
        cli_json_number(j, value);
    else
        cli_json_null(j);
}

static void put_run(cli_json *j, const lv_run_options *run)
{
    cli_json_key(j, "run");
    cli_json_open(j, '{');
    cli_json_put_text(j, "scheme", run->scheme);
    cli_options_put(j, &run->options);
    put_if_set(j, "step", run->step);
    if (run->ends)
        cli_json_put_number(j, "until", run->until);
    else
        put_if_set(j, "until", 0);
    put_if_set(j, "every", run->every);
    put_if_set(j, "sample", run->sample);
    cli_json_close(j, '}');
}

static void put_errors(cli_json *j, const cli_check *check)
{
    cli_json_key(j, "errors");
    cli_json_open(j, '[');
    for (int k = 0; k < check->error_count; k++) {
        cli_json_open(j, '{');
        cli_error_put(j, &check->errors[k]);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_sentences(cli_json *j, const char *key,
                          const char (*list)[CLI_WARNING_SIZE], int count)
{
    cli_json_key(j, key);
    cli_json_open(j, '[');
    for (int k = 0; k < count; k++)
        cli_json_text(j, list[k]);
    cli_json_close(j, ']');
}

void cli_check_put(cli_json *json, const cli_check *check)
{
    cli_json_open(json, '{');
    const bool refused = check->error_count > 0;
    cli_json_put_text(json, "status",
                      lv_status_name(refused ? check->errors[0].code : LV_OK));
    if (refused)
        cli_json_put_text(json, "message", check->errors[0].text);
    cli_json_put_text(json, "model", lv_model_title(check->model));
    cli_json_put_text(json, "file", check->file);
    cli_json_put_text(json, "description", lv_model_description(check->model));
    cli_json_put_whole(json, "coordinates", check->facts->coordinates);
    cli_json_put_whole(json, "freedom", check->facts->freedom);
    cli_json_put_text(json, "prescribed_by",
                      check->facts->prescribed[0] ? check->facts->prescribed : NULL);
    put_groups(json, check->facts);
    put_constraints(json, check->facts);
    cli_check_put_mechanism(json, check);
    put_mass(json, check->facts);
    put_energy(json, check->facts);
    put_momenta(json, check->facts);
    put_parameters(json, check->facts);
    put_terms(json, check->facts);
    put_start(json, check);
    cli_check_put_probe(json, check);
    put_schemes(json, check);
    put_run(json, lv_model_run_options(check->model));
    put_errors(json, check);
    put_sentences(json, "warnings", check->warnings, check->warning_count);
    put_sentences(json, "remarks", check->remarks, check->remark_count);
    cli_json_close(json, '}');
}

void cli_check_write_json(const cli_check *check)
{
    cli_json json = {.out = stdout};
    cli_check_put(&json, check);
}
