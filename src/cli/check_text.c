/* The report as text, within the width of the terminal. */
#include "cli/check.h"
#include "cli/options.h"
#include "cli/start.h"

#include <math.h>
#include <string.h>

enum { GROUPS_MOST = 40, MOMENTA_MOST = 40, PARAMETERS_MOST = 20 };

void cli_check_put_count(const char *label, int width, int count, const char *text)
{
    int indent = CLI_LABEL + width + 3;
    fputs("  ", stdout);
    cli_put_padded(stdout, label, CLI_LABEL - 2);
    printf(text[0] ? "%*d   " : "%*d", width, count);
    cli_put_wrapped(stdout, text, indent, indent);
}

/* "x", "a[2]", "q_1..q_10[3]" */
static void add_group(cli_line *l, const lv_group_info *group)
{
    if (group->is_family)
        cli_line_add(l, "%s_1..%s_%d", group->name, group->name, group->count);
    else
        cli_line_add(l, "%s", group->name);
    if (group->length > 0)
        cli_line_add(l, "[%d]", group->length);
}

/* Coordinates of bodies are counted, not named. */
static void write_coordinates(const lv_inspection *f, int width)
{
    cli_line l = {.length = 0};
    const int inner = f->mechanism.inner_coordinates;
    int count = 0;
    for (int k = 0; k < f->group_count; k++) {
        if (f->groups[k].is_inner || count++ >= GROUPS_MOST)
            continue;
        cli_line_add(&l, "%s", l.length > 0 ? ", " : "");
        add_group(&l, &f->groups[k]);
    }
    if (count > GROUPS_MOST)
        cli_line_add(&l, ", ... and %d more", count - GROUPS_MOST);
    if (inner > 0 && inner == f->coordinates)
        cli_line_add(&l, "of bodies");
    else if (inner > 0)
        cli_line_add(&l, ", %d of bodies", inner);
    cli_check_put_count("coordinates", width, f->coordinates, l.text);
}

static void write_constraints(const lv_inspection *f, int width)
{
    cli_line l = {.length = 0};
    int rows = f->holonomic + f->nonholonomic;
    if (rows > 0)
        cli_line_add(&l, "holonomic %d", f->holonomic);
    if (f->mechanism.inner_rows > 0)
        cli_line_add(&l, " (%d keep bodies rigid)", f->mechanism.inner_rows);
    if (rows > 0)
        cli_line_add(&l, ", nonholonomic %d", f->nonholonomic);
    if (rows > 0 && f->constraint_rank < 0)
        cli_line_add(&l, "; independence not tested (too large)");
    else if (f->constraint_rank < rows)
        cli_line_add(&l, "; independent %d", f->constraint_rank);
    cli_check_put_count("constraints", width, rows, l.text);
}

/* The degrees of freedom by rank, compared with a count of bodies and joints. */
static void write_freedom(const lv_inspection *f, int width)
{
    cli_line l = {.length = 0};
    if (cli_check_has_elements(f) && f->constraint_rank >= 0)
        cli_line_add(&l,
                     f->mechanism.mobility == f->freedom
                         ? "by counting bodies and joints, and by rank"
                         : "by rank; %d by counting bodies and joints",
                     f->mechanism.mobility);
    if (f->prescribed[0])
        cli_line_add(&l, "%sthe motion is prescribed by %sconstraint '%s'",
                     l.length > 0 ? "; " : "",
                     f->prescribed_in_time ? "the time dependence of " : "",
                     f->prescribed);
    cli_check_put_count("degrees of freedom", width, f->freedom, l.text);
}

static void write_mass(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    cli_line_add(&l, "%s", lv_mass_kind_name(f->mass));
    if (f->mass_rank < 0)
        cli_line_add(&l, "; rank not tested (too large)");
    else if (f->mass_rank < f->coordinates)
        cli_line_add(&l, ", rank %d of %d", f->mass_rank, f->coordinates);
    cli_put_fact(stdout, "mass matrix", l.text);
}

/* The model was given by a Hamiltonian of these momenta. */
static void write_hamiltonian(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    if (!f->has_hamiltonian)
        return;
    cli_line_add(&l, "given, of the momenta ");
    for (int k = 0; k < f->group_count && k < GROUPS_MOST; k++) {
        lv_group_info group = f->groups[k];
        group.name = group.momentum;
        cli_line_add(&l, "%s", k > 0 ? ", " : "");
        add_group(&l, &group);
    }
    cli_line_add(&l, "%s; the terms below are those of its Lagrangian",
                 f->group_count > GROUPS_MOST ? ", ..." : "");
    cli_put_fact(stdout, "Hamiltonian", l.text);
}

/* The width of the largest count. */
static int count_width(const lv_inspection *f)
{
    int most = f->holonomic + f->nonholonomic;
    most = f->coordinates > most ? f->coordinates : most;
    most = f->kernels > most ? f->kernels : most;
    return snprintf(NULL, 0, "%d", most);
}

static void write_sizes(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    int width = count_width(f);
    cli_check_write_elements(f, width);
    write_coordinates(f, width);
    write_constraints(f, width);
    write_freedom(f, width);
    cli_line_add(&l, "in %lld instance%s", f->instances, f->instances == 1 ? "" : "s");
    cli_check_put_count("formulas", width, f->kernels, l.text);
    write_mass(f);
    write_hamiltonian(f);
}

/* Whether the event sets something: then it has a second term. */
static bool sets_velocities(const lv_inspection *f, int k)
{
    return k > 0 && strcmp(f->terms[k].role, "event") == 0 &&
           strcmp(f->terms[k - 1].role, "event") == 0 &&
           strcmp(f->terms[k].name, f->terms[k - 1].name) == 0;
}

/* Adds what may change the energy: "; may change: forces, explicit time". Constraints
 * that are nonlinear in the velocities are not examined. */
static void add_changes(cli_line *l, const lv_inspection *f)
{
    enum { FORCES, TIME, INPUTS, AFFINE, EVENTS, CAUSES };
    static const char *const names[] = {"forces", "explicit time", "inputs",
                                        "affine constraints", "events"};
    bool seen[CAUSES] = {false};
    const char *before = "; may change: ";
    for (int k = 0; k < f->term_count; k++) {
        const lv_term_info *term = &f->terms[k];
        const bool result =
            strcmp(term->section, "outputs") == 0 || strcmp(term->section, "events") == 0;
        seen[FORCES] |= strcmp(term->role, "force") == 0;
        seen[TIME] |= term->time && !result;
        seen[INPUTS] |= term->inputs && !result;
        seen[AFFINE] |= term->velocities && strcmp(term->velocities, "affine") == 0;
        seen[EVENTS] |= sets_velocities(f, k);
    }
    for (int k = 0; k < CAUSES; k++) {
        if (!seen[k])
            continue;
        cli_line_add(l, "%s%s", before, names[k]);
        before = ", ";
    }
}

static void write_energy(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    cli_line_add(&l, "E = %.6g, T = %.6g, V = %.6g", cli_unsigned_zero(f->energy),
                 cli_unsigned_zero(f->kinetic), cli_unsigned_zero(f->potential));
    if (f->has_lagrangian)
        cli_line_add(&l, " (T and V without the terms %s)",
                     f->has_hamiltonian ? "linear in velocities"
                                        : "given as a Lagrangian");
    add_changes(&l, f);
    cli_put_fact(stdout, "energy", l.text);
}

static void add_residual(cli_line *l, const char *symbol, double value, const char *worst)
{
    cli_line_add(l, "%s%s = %.2g", l->length > 0 ? ", " : "", symbol, value);
    if (value > 0 && worst[0])
        cli_line_add(l, " in %s", worst);
}

static void write_residuals(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    if (f->holonomic > 0) {
        add_residual(&l, "|g|", f->position_residual, f->position_worst);
        add_residual(&l, "|dg/dt|", f->velocity_residual, f->velocity_worst);
    }
    if (f->nonholonomic > 0)
        add_residual(&l, "|Phi|", f->nonholonomic_residual, f->nonholonomic_worst);
    if (l.length > 0)
        cli_put_fact(stdout, "residuals", l.text);
}

/* Adds "livens: L_x, L_y" for a scheme that keeps momentum maps to rounding elsewhere,
 * but not these. */
static void add_lost(cli_line *l, const cli_check *check, int number, const char *scheme)
{
    const lv_inspection *f = check->facts;
    lv_claims claims;
    const int count = f->momentum_count < MOMENTA_MOST ? f->momentum_count : MOMENTA_MOST;
    const bool *kept = check->kept + (ptrdiff_t)number * f->momentum_count;
    const char *before = NULL;
    if (lv_scheme_claims(&claims, scheme, NULL, NULL) != LV_OK ||
        claims.momentum != LV_KEPT_EXACT)
        return;
    for (int k = 0; k < count; k++) {
        if (kept[k] || f->momenta[k].spoilt)
            continue;
        if (!before)
            cli_line_add(l, "%s%s: ", l->length > 0 ? "; " : "", scheme);
        cli_line_add(l, "%sJ.%s", before ? before : "", f->momenta[k].name);
        before = ", ";
    }
}

/* The schemes that take the model. */
static void write_schemes(const cli_check *check)
{
    cli_line l = {.length = 0}, lost = {.length = 0};
    lv_scheme_info info;
    for (int k = 0; k < CLI_SCHEMES_MAX && lv_scheme_describe(k, &info); k++)
        if (check->fits[k]) {
            cli_line_add(&l, "%s%s", l.length > 0 ? ", " : "", info.name);
            if (check->facts->momentum_count > 0)
                add_lost(&lost, check, k, info.name);
        }
    cli_put_heading(stdout, "schemes that take it");
    fputs("  ", stdout);
    cli_put_wrapped(stdout, l.length > 0 ? l.text : "none", 2, 2);
    if (lost.length > 0) {
        fputs("  momenta not exact with ", stdout);
        cli_put_wrapped(stdout, lost.text, 25, 4);
    }
    cli_check_write_formulations(check);
}

static void write_momenta(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    for (int k = 0; k < f->momentum_count && k < MOMENTA_MOST; k++)
        cli_line_add(&l, "%sJ.%s = %.6g%s", k > 0 ? ", " : "", f->momenta[k].name,
                     f->momenta[k].value,
                     f->momenta[k].found    ? " (found)"
                     : f->momenta[k].spoilt ? " (not conserved)"
                                            : "");
    if (f->momentum_count > MOMENTA_MOST)
        cli_line_add(&l, ", ... and %d more", f->momentum_count - MOMENTA_MOST);
    if (f->momentum_count > 0)
        cli_put_fact(stdout, "momenta", l.text);
}

/* "A = [-0.06934, -0.00227]" */
static void parameter_text(cli_line *l, const lv_parameter_info *p)
{
    enum { SHOWN = 6 };
    l->length = 0;
    cli_line_add(l, "%s = %s", p->name, p->length > 0 ? "[" : "");
    for (int k = 0; k < (p->length > 0 ? p->length : 1) && k < SHOWN; k++)
        cli_line_add(l, "%s%.6g", k > 0 ? ", " : "", p->values[k]);
    if (p->length > SHOWN)
        cli_line_add(l, ", ... (%d)", p->length);
    if (p->length > 0)
        cli_line_add(l, "]");
}

static void put_parameter_rows(const lv_parameter_info *items, int count, int width)
{
    cli_line l;
    int columns = (cli_width(stdout) - 2 + 3) / (width + 3);
    if (columns < 1)
        columns = 1;
    int rows = (count + columns - 1) / columns;
    for (int row = 0; row < rows; row++) {
        fputs("  ", stdout);
        for (int k = row; k < count; k += rows) {
            parameter_text(&l, &items[k]);
            cli_put_padded(stdout, l.text, k + rows < count ? width + 3 : 0);
        }
        fputc('\n', stdout);
    }
}

static void write_structural(const lv_inspection *f)
{
    cli_line l = {.length = 0};
    for (int k = 0; k < f->parameter_count; k++)
        if (f->parameters[k].structural)
            cli_line_add(&l, "%s%s",
                         l.length > 0 ? ", " : "the size of the model depends on ",
                         f->parameters[k].name);
    if (l.length == 0)
        return;
    fputs("  ", stdout);
    cli_put_wrapped(stdout, l.text, 2, 2);
}

/* Parameters in columns, read downwards. */
static void write_parameters(const lv_inspection *f)
{
    if (f->parameter_count == 0)
        return;
    int count =
        f->parameter_count < PARAMETERS_MOST ? f->parameter_count : PARAMETERS_MOST;
    int width = 0;
    for (int k = 0; k < count; k++) {
        cli_line l;
        parameter_text(&l, &f->parameters[k]);
        if (cli_columns(l.text) > width)
            width = cli_columns(l.text);
    }
    cli_put_heading(stdout, "parameters");
    put_parameter_rows(f->parameters, count, width);
    if (f->parameter_count > count)
        printf("  ... and %d more (--json shows all)\n", f->parameter_count - count);
    write_structural(f);
}

static void write_run(const lv_run_options *run)
{
    cli_line l = {.length = 0};
    const int stages = (int)lv_scheme_option(&run->options, LV_OPTION_STAGES, 0);
    const int order = (int)lv_scheme_option(&run->options, LV_OPTION_COMPOSE, 0);
    if (run->scheme)
        cli_line_add(&l, ", scheme %s", run->scheme);
    if (stages > 0)
        cli_line_add(&l, ", %d stage%s", stages, stages == 1 ? "" : "s");
    cli_options_add(&l, &run->options);
    if (order > 0)
        cli_line_add(&l, ", composed to order %d", order);
    if (run->step > 0)
        cli_line_add(&l, ", step %.6g", run->step);
    if (run->ends)
        cli_line_add(&l, ", until %.6g", run->until);
    if (run->step > 0 && run->ends)
        cli_line_add(&l, " (%.0f steps)", ceil(run->until / run->step - 1e-9));
    if (run->sample > 0)
        cli_line_add(&l, ", recorded every %g s", run->sample);
    else if (run->every > 1)
        cli_line_add(&l, ", recorded every %d", run->every);
    if (l.length == 0)
        return;
    cli_put_heading(stdout, "run");
    fputs("  ", stdout);
    cli_put_wrapped(stdout, l.text + strlen(", "), 2, 2);
}

static void write_warnings(const cli_check *check)
{
    fputc('\n', stdout);
    if (check->error_count > 0)
        printf("a run is refused: %d error%s\n", check->error_count,
               check->error_count == 1 ? "" : "s");
    else if (check->warning_count == 0)
        puts("no warnings");
    for (int k = 0; k < check->warning_count; k++)
        cli_put_warning(stdout, check->warnings[k]);
    for (int k = 0; k < check->remark_count; k++)
        cli_put_remark(stdout, check->remarks[k]);
}

/* How far initial = "project" moves the start. */
static void write_start(const cli_check *check)
{
    cli_line l = {.length = 0};
    if (!check->start.projected)
        return;
    cli_start_add(&l, check->model, &check->start);
    cli_put_fact(stdout, "start", l.text);
}

void cli_check_write_text(const cli_check *check)
{
    cli_put_title(stdout, lv_model_title(check->model), check->file,
                  lv_model_description(check->model));
    write_sizes(check->facts);
    cli_put_heading(stdout, "at the start");
    write_energy(check->facts);
    write_residuals(check->facts);
    write_start(check);
    cli_check_write_probe(check);
    write_momenta(check->facts);
    write_parameters(check->facts);
    if (check->facts->term_count > 0) {
        cli_put_heading(stdout, "terms");
        cli_check_write_terms(check->facts);
    }
    write_schemes(check);
    write_run(lv_model_run_options(check->model));
    write_warnings(check);
}
