#include "cli/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void warn(cli_check *check, const char *format, ...) LV_PRINTF(2, 3);

static void warn(cli_check *check, const char *format, ...)
{
    if (check->warning_count == CLI_WARNINGS_MAX)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(check->warnings[check->warning_count++], CLI_WARNING_SIZE, format, args);
    va_end(args);
}

/* "link[2] (i = 7)" becomes "'link[2]' (i = 7)". */
static const char *quoted(const char *row, char *buffer, size_t size)
{
    int length = (int)strcspn(row, " ");
    snprintf(buffer, size, "'%.*s'%s", length, row, row + length);
    return buffer;
}

static void warn_residuals(cli_check *check)
{
    char name[200];
    const lv_inspection *f = check->facts;
    if (f->position_violated[0])
        warn(check,
             "the start violates constraint %s by %.6g: a run would begin away from its "
             "constraints; correct the values in [coordinates]",
             quoted(f->position_violated, name, sizeof name), f->position_violation);
    if (f->velocity_violated[0])
        warn(check,
             "the velocities at the start violate constraint %s by %.6g; correct the "
             "velocities in [coordinates]",
             quoted(f->velocity_violated, name, sizeof name), f->velocity_violation);
}

static void warn_rank(cli_check *check)
{
    const lv_inspection *f = check->facts;
    int rows = f->holonomic + f->nonholonomic, redundant = rows - f->constraint_rank;
    if (f->flat[0])
        warn(check,
             "the gradient of constraint '%s' vanishes wherever the constraint holds, so "
             "that no force can keep it: write f in place of f^2, and a - b, which has "
             "several rows, in place of norm2(a - b)",
             f->flat);
    else if (f->constraint_rank >= 0 && redundant > 0)
        warn(check,
             "%d of %d constraints %s redundant at the start%s%s%s: the forces of the "
             "constraints are not unique",
             redundant, rows, redundant == 1 ? "is" : "are", f->redundant[0] ? " (" : "",
             f->redundant, f->redundant[0] ? ")" : "");
    if (f->coordinates > 0 && f->freedom <= 0 && !f->prescribed[0])
        warn(check, "the constraints leave no degree of freedom: nothing can move");
}

static void warn_mass(cli_check *check)
{
    const lv_inspection *f = check->facts;
    if (f->mass == LV_MASS_SINGULAR && f->mass_rank >= 0)
        warn(
            check,
            "the mass matrix is singular at the start (rank %d of %d): only schemes that "
            "do not invert the mass matrix apply",
            f->mass_rank, f->coordinates);
    else if (f->mass == LV_MASS_SINGULAR)
        warn(check, "the mass matrix is singular at the start: only schemes that do not "
                    "invert the mass matrix apply");
    if (f->mass_negative[0])
        warn(check,
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
            warn(check,
                 "the kinetic energy of '%s' is linear in the velocities and gives no "
                 "mass: did you mean dot(x', x') instead of dot(x', x)?",
                 name);
        if (term->jumps)
            warn(check,
                 "the force '%s' jumps where its velocity vanishes, and steps that come "
                 "to rest there have no solution: write tanh(x'/0.001) for sign(x'), "
                 "with a velocity that is small here",
                 name);
    }
}

static void warn_dissipation(cli_check *check)
{
    if (check->facts->driven[0])
        warn(check,
             "the dissipation %s is negative at the start: it feeds energy instead of "
             "taking it; is its sign wrong?",
             check->facts->driven);
}

/* Declared symmetries that are none. */
static void warn_symmetries(cli_check *check)
{
    const lv_inspection *f = check->facts;
    for (int k = 0; k < f->momentum_count; k++)
        if (f->momenta[k].spoilt)
            warn(check, "%s", f->momenta[k].spoilt);
}

/* What a run would refuse, and where it stands. */
static void warn_scheme(cli_check *check)
{
    lv_claims claims;
    lv_error err;
    if (lv_model_claims(&claims, check->model, &err) == LV_OK)
        return;
    char place[240] = "";
    if (err.line > 0)
        snprintf(place, sizeof place, "%s:%d:%d: ", err.file, err.line, err.column);
    warn(check, "%s%s%s%s", place, err.text, err.hint[0] ? "; " : "", err.hint);
}

void cli_check_warn(cli_check *check)
{
    warn_residuals(check);
    warn_rank(check);
    warn_mass(check);
    warn_terms(check);
    warn_dissipation(check);
    warn_symmetries(check);
    warn_scheme(check);
}
