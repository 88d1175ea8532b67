#include "cli/check.h"
#include "cli/error.h"
#include "cli/load.h"
#include "cli/progress.h"

#include <stdio.h>

/* Larger models take seconds, so that the current phase is shown on a terminal. */
enum { LARGE = 30000 };

static void show_phase(void *user, int number, int count, const char *what)
{
    cli_progress_phase(user, number, count, what);
}

/* Writes the report, then the errors that a run would report. */
static lv_status write_report(const cli_args *args, cli_check *check,
                              cli_outcome *outcome)
{
    if (cli_args_flag(args, "json"))
        cli_check_write_json(check);
    else
        cli_check_write_text(check);
    (void)fflush(stdout);
    for (int k = 0; k < check->error_count; k++)
        cli_report(&check->errors[k], false, NULL);
    outcome->reported = check->error_count > 0;
    outcome->warned = check->warning_count > 0 && cli_args_flag(args, "strict");
    return check->error_count > 0 ? check->errors[0].code : LV_OK;
}

static lv_status inspect(const lv_model *model, const cli_args *args,
                         cli_outcome *outcome)
{
    cli_check check;
    cli_progress progress;
    cli_progress_begin(&progress, lv_model_coordinate_count(model) < LARGE);
    lv_status status = cli_check_make(&check, cli_model_file(args), model, show_phase,
                                      &progress, &outcome->error);
    cli_progress_end(&progress);
    if (status == LV_OK)
        status = write_report(args, &check, outcome);
    cli_check_done(&check);
    return status;
}

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    return cli_model_use(args, outcome, inspect);
}

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {NULL, false, NULL},
};

static const cli_option options[] = {
    CLI_SET_OPTION,
    CLI_MEMORY_OPTION,
    {"strict", 0, false, NULL, "exit with code 3 if there are warnings"},
    {"json", 0, false, NULL, "write one JSON object, numbers with 17 digits"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens check double-pendulum", "a shipped model"},
    {"livens check mine.toml", "a file"},
    {"livens check chain --set N=1000", "with another number of links"},
    {"livens show kepler | livens check -", "from a pipe"},
    {"livens check mine.toml --json", "for a program"},
    {NULL, NULL},
};

const cli_command cli_command_check = {
    .name = "check",
    .summary = "read a model, check it and report what it consists of",
    .about =
        "Reads the model, evaluates it at its start and reports coordinates, "
        "constraints, "
        "degrees of freedom, the kind of the mass matrix, energy, residuals of the "
        "constraints and the momenta of its symmetries, then parameters and terms, and "
        "warns of redundant constraints, of a singular mass matrix, of one that is not "
        "positive and of outputs without a finite value. Below the schemes that take the "
        "model are momenta that one of them "
        "does not keep to rounding, though it does in other models, and for bodies in "
        "space "
        "the schemes that take the model with other values of rotations and poses."
        "\n\n"
        "What a run would refuse is an error, shown behind the report on standard error, "
        "and the exit code is 1: a start that violates constraints (unless initial = "
        "\"project\" moves it onto them), a constraint whose gradient vanishes, a scheme "
        "that does not exist or does not take the model or its options, a model that no "
        "scheme takes. Warnings leave the exit code 0; with --strict it is 3."
        "\n\n"
        "Of a mechanism it names bodies, joints, motors and rolling contacts, and counts "
        "degrees of freedom in two ways: those of the bodies minus the constraints of "
        "what joins them, and by rank. Where the two differ, joints depend on each "
        "other: they are named, with the forces and torques that nothing determines. "
        "Bodies that nothing holds are a remark, which is no warning. A few dozen steps, "
        "which cost little, show whether constraints become dependent, or nearly so, on "
        "the way, and whether G M^-1 G^T shrinks faster than steps of vi-s take, if that "
        "is "
        "the scheme. The fastest rate of the equations, linearised at the start, and the "
        "fastest rotation of a body give a step that resolves them: forty in a period."
        "\n\n"
        "For every term the table shows how many instances it has (and, after an x, how "
        "many values each), on how many coordinates an instance acts, how many "
        "operations "
        "its formula takes, its polynomial degree in the coordinates q and the "
        "velocities "
        "v (- if it is no polynomial), and the number of its at-most-quadratic "
        "invariants. The notes say t where it depends on time, and how a nonholonomic "
        "constraint depends on the velocities."
        "\n\n"
        "The object of --json has the keys status, model, file, description, "
        "coordinates, freedom, prescribed_by, groups, constraints, mechanism, mass, "
        "energy, "
        "momentum, parameters, "
        "kernels, instances, terms, start, probe, schemes, formulations, run, errors, "
        "warnings and "
        "remarks. "
        "mechanism has bodies, joints, motors, rolling, mobility (degrees of freedom by "
        "counting), dependent (joints and constraints that depend on each other at the "
        "start, by set, with how many components of their force and torque are not "
        "determined, and axis: along which the force is not determined if that is one "
        "component, normal to which if these are two), combinations (weights with which "
        "gradients of constraints add up to zero) and loose. Groups and terms that only "
        "bodies have are inner. probe has frequency and rotation, in 1/s, "
        "suggested_step, and of the short motion its scheme, step, steps, time, stopped "
        "(why "
        "it ended early, or null), freedom_min, freedom_max, and nearest: the smallest "
        "singular value of the gradients of the constraints, 0 where some depend on "
        "others, when that was, and which take part. start has "
        "q, v and, where these violate constraints, consistent: values that do not, or "
        "null. An error has message, file, line, column, note and hint; if there is one, "
        "status is its name. schemes has a name "
        "for every scheme that takes the model and, as momentum_inexact, the momenta "
        "that this scheme does not keep to rounding; formulations has the other values "
        "of "
        "rotations and poses that the model can be run with, each with the schemes that "
        "take it then.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
