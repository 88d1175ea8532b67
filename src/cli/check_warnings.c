#include "cli/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The place for one more sentence; NULL: there are too many. */
static char *next_sentence(char (*list)[CLI_WARNING_SIZE], int *count, int most)
{
    return *count < most ? list[(*count)++] : NULL;
}

void cli_check_warn(cli_check *check, const char *format, ...)
{
    char *to = next_sentence(check->warnings, &check->warning_count, CLI_WARNINGS_MAX);
    va_list args;
    va_start(args, format);
    if (to)
        vsnprintf(to, CLI_WARNING_SIZE, format, args);
    va_end(args);
}

void cli_check_remark(cli_check *check, const char *format, ...)
{
    char *to = next_sentence(check->remarks, &check->remark_count, CLI_REMARKS_MAX);
    va_list args;
    va_start(args, format);
    if (to)
        vsnprintf(to, CLI_WARNING_SIZE, format, args);
    va_end(args);
}

/* ---- errors of a run -------------------------------------------------------------------------- */

static void refuse(cli_check *check, const lv_error *err)
{
    if (check->error_count == CLI_ERRORS_MAX)
        return;
    lv_error *to = &check->errors[check->error_count++];
    *to = *err;
    if (!to->file[0])
        snprintf(to->file, sizeof to->file, "%s", check->file);
}

/* Tries the start, unless it is known to be on its constraints. */
static void try_start(cli_check *check)
{
    const lv_inspection *f = check->facts;
    const bool project = lv_model_run_options(check->model)->project;
    lv_error err;
    if (!project && !f->position_violated[0] && !f->velocity_violated[0] && !f->flat[0])
        return;
    if (lv_model_start(check->model, project ? LV_INITIAL_PROJECT : LV_INITIAL_CHECK,
                       NULL, NULL, &check->start, &err) != LV_OK)
        refuse(check, &err);
}

/* Whether the scheme with this name takes the model with default options; NULL: whether
 * any scheme does. */
static bool is_taken(const cli_check *check, const char *name)
{
    lv_scheme_info info;
    for (int k = 0; k < CLI_SCHEMES_MAX && lv_scheme_describe(k, &info); k++)
        if (check->fits[k] && (!name || strcmp(name, info.name) == 0))
            return true;
    return false;
}

/* Tries the scheme. A model that names none may leave the choice to the command line, if
 * there is a scheme for it. */
static void try_scheme(cli_check *check)
{
    const lv_run_options *run = lv_model_run_options(check->model);
    const bool plain = run->options.given == 0 && !(run->sample > 0);
    lv_error err;
    if (plain && is_taken(check, run->scheme ? run->scheme : "lobatto"))
        return;
    if (lv_model_try_scheme(check->model, &err) == LV_OK)
        return;
    if (run->scheme || !plain || !is_taken(check, NULL))
        refuse(check, &err);
    else
        cli_check_warn(check,
                       "the model names no scheme, and lobatto does not take it: %s%s%s",
                       err.text, err.hint[0] ? "; " : "", err.hint);
}

/* ---- warnings --------------------------------------------------------------------------------- */

static void warn_output(cli_check *check)
{
    if (check->facts->output_undefined[0])
        cli_check_warn(check, "at the start there is no finite value of output %s",
                       check->facts->output_undefined);
}

static void warn_rank(cli_check *check)
{
    const lv_inspection *f = check->facts;
    int rows = f->holonomic + f->nonholonomic, redundant = rows - f->constraint_rank;
    if (!f->flat[0] && f->constraint_rank >= 0 && redundant > 0 &&
        !cli_check_warn_joints(check))
        cli_check_warn(
            check,
            "%d of %d constraints %s redundant at the start%s%s%s: the forces of the "
            "constraints are not unique",
            redundant, rows, redundant == 1 ? "is" : "are", f->redundant[0] ? " (" : "",
            f->redundant, f->redundant[0] ? ")" : "");
    if (f->nearly_dependent[0])
        cli_check_warn(check,
                       "%s at the start: a combination of their gradients is %.1e of "
                       "them, and rounding decides their forces; leave one of them out",
                       f->nearly_dependent, f->nearly_remainder);
    if (f->coordinates > 0 && f->freedom <= 0 && !f->prescribed[0])
        cli_check_warn(check,
                       "the constraints leave no degree of freedom: nothing can move");
}

static void warn_mass(cli_check *check)
{
    const lv_inspection *f = check->facts;
    if (f->mass == LV_MASS_SINGULAR && f->mass_rank >= 0)
        cli_check_warn(
            check,
            "the mass matrix is singular at the start (rank %d of %d): only schemes that "
            "do not invert the mass matrix apply",
            f->mass_rank, f->coordinates);
    else if (f->mass == LV_MASS_SINGULAR)
        cli_check_warn(
            check, "the mass matrix is singular at the start: only schemes that do not "
                   "invert the mass matrix apply");
    if (f->mass_negative[0])
        cli_check_warn(
            check,
            "the mass matrix is not positive at the start: the velocity of '%s' can "
            "make the kinetic energy negative; is the sign of a mass wrong?",
            f->mass_negative);
}

/* Terms that are legal, but rarely meant. */
static void warn_terms(cli_check *check)
{
    for (int k = 0; k < check->facts->term_count; k++) {
        const lv_term_info *term = &check->facts->terms[k];
        const char *name = term->name[0] ? term->name : term->section;
        if (strcmp(term->role, "kinetic") == 0 && term->degree_v == 1)
            cli_check_warn(
                check,
                "the kinetic energy of '%s' is linear in the velocities and gives no "
                "mass: did you mean dot(x', x') instead of dot(x', x)?",
                name);
        if (term->jumps)
            cli_check_warn(
                check,
                "the force '%s' jumps where its velocity vanishes, and steps that come "
                "to rest there have no solution: write tanh(x'/0.001) for sign(x'), "
                "with a velocity that is small here",
                name);
    }
}

static void warn_dissipation(cli_check *check)
{
    if (check->facts->driven[0])
        cli_check_warn(
            check,
            "the dissipation %s is negative at the start: it feeds energy instead of "
            "taking it; is its sign wrong?",
            check->facts->driven);
}

/* Declared symmetries that the system does not have. */
static void warn_symmetries(cli_check *check)
{
    const lv_inspection *f = check->facts;
    for (int k = 0; k < f->momentum_count; k++)
        if (f->momenta[k].spoilt)
            cli_check_warn(check, "%s", f->momenta[k].spoilt);
}

void cli_check_find(cli_check *check)
{
    check->start =
        (lv_start_change){.position_coordinate = -1, .velocity_coordinate = -1};
    try_start(check);
    try_scheme(check);
    warn_rank(check);
    warn_mass(check);
    warn_terms(check);
    warn_dissipation(check);
    warn_symmetries(check);
    warn_output(check);
    cli_check_warn_probe(check);
    cli_check_remark_loose(check);
}
