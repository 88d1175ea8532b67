/* The report for eyes, within CLI_WIDTH columns. */
#include "cli/check.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    LABEL = 22, /* columns of the labels, with the indent */
    GROUPS_MOST = 40,
    MOMENTA_MOST = 40,
    PARAMETERS_MOST = 20,
    LINE_SIZE = 4000
};

/* A line that is put together before it is wrapped; what does not fit is dropped. */
typedef struct line {
    char text[LINE_SIZE];
    size_t length;
} line;

static void add(line *l, const char *format, ...) LV_PRINTF(2, 3);

static void add(line *l, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(l->text + l->length, sizeof l->text - l->length, format, args);
    va_end(args);
    if (n > 0)
        l->length += (size_t)n;
    if (l->length >= sizeof l->text)
        l->length = sizeof l->text - 1;
}

/* Minus zero is right, but looks like a mistake. */
static double unsigned_zero(double x)
{
    return x == 0 ? 0 : x;
}

/* "  label               text", wrapped */
static void put_fact(const char *label, const char *text)
{
    fputs("  ", stdout);
    cli_put_padded(stdout, label, LABEL - 2);
    cli_put_wrapped(stdout, text, LABEL, LABEL);
}

/* "  label               4   text", wrapped; the numbers end in the same column */
static void put_count(const char *label, int width, int count, const char *text)
{
    int indent = LABEL + width + 3;
    fputs("  ", stdout);
    cli_put_padded(stdout, label, LABEL - 2);
    printf(text[0] ? "%*d   " : "%*d", width, count);
    cli_put_wrapped(stdout, text, indent, indent);
}

static void put_heading(const char *heading)
{
    printf("\n%s%s%s\n", cli_style(stdout, CLI_STRONG), heading,
           cli_style(stdout, CLI_NORMAL));
}

/* Title to the left, file to the right, description below. */
static void write_title(const cli_check *check)
{
    const char *title = lv_model_title(check->model);
    const char *description = lv_model_description(check->model);
    int blank = CLI_WIDTH - cli_columns(title) - cli_columns(check->file);
    fputs(cli_style(stdout, CLI_STRONG), stdout);
    cli_put(stdout, title);
    fputs(cli_style(stdout, CLI_NORMAL), stdout);
    if (strcmp(title, check->file) != 0) {
        printf(blank >= 2 ? "%*s" : "\n%.*s", blank >= 2 ? blank : 0, "");
        cli_put(stdout, check->file);
    }
    fputc('\n', stdout);
    if (description)
        cli_put_wrapped(stdout, description, 0, 0);
    fputc('\n', stdout);
}

/* "x", "a[2]", "q_1..q_10[3]" */
static void add_group(line *l, const lv_group_info *group)
{
    if (group->is_family)
        add(l, "%s_1..%s_%d", group->name, group->name, group->count);
    else
        add(l, "%s", group->name);
    if (group->length > 0)
        add(l, "[%d]", group->length);
}

static void write_coordinates(const lv_inspection *f, int width)
{
    line l = {.length = 0};
    for (int k = 0; k < f->group_count && k < GROUPS_MOST; k++) {
        add(&l, "%s", k > 0 ? ", " : "");
        add_group(&l, &f->groups[k]);
    }
    if (f->group_count > GROUPS_MOST)
        add(&l, ", ... and %d more", f->group_count - GROUPS_MOST);
    put_count("coordinates", width, f->coordinates, l.text);
}

static void write_constraints(const lv_inspection *f, int width)
{
    line l = {.length = 0};
    int rows = f->holonomic + f->nonholonomic;
    if (rows > 0)
        add(&l, "holonomic %d, nonholonomic %d", f->holonomic, f->nonholonomic);
    if (rows > 0 && f->constraint_rank < 0)
        add(&l, "; independence not tested (too large)");
    else if (f->constraint_rank < rows)
        add(&l, "; independent %d", f->constraint_rank);
    put_count("constraints", width, rows, l.text);
}

static void write_mass(const lv_inspection *f)
{
    line l = {.length = 0};
    add(&l, "%s", lv_mass_kind_name(f->mass));
    if (f->mass_rank < 0)
        add(&l, "; rank not tested (too large)");
    else if (f->mass_rank < f->coordinates)
        add(&l, ", rank %d of %d", f->mass_rank, f->coordinates);
    put_fact("mass matrix", l.text);
}

/* Columns of the largest of the counts. */
static int count_width(const lv_inspection *f)
{
    int most = f->holonomic + f->nonholonomic;
    most = f->coordinates > most ? f->coordinates : most;
    most = f->kernels > most ? f->kernels : most;
    return snprintf(NULL, 0, "%d", most);
}

static void write_sizes(const lv_inspection *f)
{
    line l = {.length = 0};
    int width = count_width(f);
    write_coordinates(f, width);
    write_constraints(f, width);
    put_count("degrees of freedom", width, f->freedom, "");
    add(&l, "in %lld instance%s", f->instances, f->instances == 1 ? "" : "s");
    put_count("formulas", width, f->kernels, l.text);
    write_mass(f);
}

static void write_energy(const lv_inspection *f)
{
    line l = {.length = 0};
    add(&l, "E = %.6g, T = %.6g, V = %.6g", unsigned_zero(f->energy),
        unsigned_zero(f->kinetic), unsigned_zero(f->potential));
    if (f->has_lagrangian)
        add(&l, " (T and V without the terms given as a Lagrangian)");
    put_fact("energy", l.text);
}

static void add_residual(line *l, const char *symbol, double value, const char *worst)
{
    add(l, "%s%s = %.2g", l->length > 0 ? ", " : "", symbol, value);
    if (value > 0 && worst[0])
        add(l, " in %s", worst);
}

static void write_residuals(const lv_inspection *f)
{
    line l = {.length = 0};
    if (f->holonomic > 0) {
        add_residual(&l, "|g|", f->position_residual, f->position_worst);
        add_residual(&l, "|dg/dt|", f->velocity_residual, f->velocity_worst);
    }
    if (f->nonholonomic > 0)
        add_residual(&l, "|Phi|", f->nonholonomic_residual, f->nonholonomic_worst);
    if (l.length > 0)
        put_fact("residuals", l.text);
}

static void write_momenta(const lv_inspection *f)
{
    line l = {.length = 0};
    for (int k = 0; k < f->momentum_count && k < MOMENTA_MOST; k++)
        add(&l, "%s%s = %.6g", k > 0 ? ", " : "", f->momenta[k].name,
            f->momenta[k].value);
    if (f->momentum_count > MOMENTA_MOST)
        add(&l, ", ... and %d more", f->momentum_count - MOMENTA_MOST);
    if (f->momentum_count > 0)
        put_fact("momenta", l.text);
}

/* "A = [-0.06934, -0.00227]" */
static void parameter_text(line *l, const lv_parameter_info *p)
{
    enum { SHOWN = 6 };
    l->length = 0;
    add(l, "%s = %s", p->name, p->length > 0 ? "[" : "");
    for (int k = 0; k < (p->length > 0 ? p->length : 1) && k < SHOWN; k++)
        add(l, "%s%.6g", k > 0 ? ", " : "", p->values[k]);
    if (p->length > SHOWN)
        add(l, ", ... (%d)", p->length);
    if (p->length > 0)
        add(l, "]");
}

static void put_parameter_rows(const lv_parameter_info *items, int count, int width)
{
    line l;
    int columns = (CLI_WIDTH - 2 + 3) / (width + 3);
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
    line l = {.length = 0};
    for (int k = 0; k < f->parameter_count; k++)
        if (f->parameters[k].structural)
            add(&l, "%s%s", l.length > 0 ? ", " : "the size of the model depends on ",
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
        line l;
        parameter_text(&l, &f->parameters[k]);
        if (cli_columns(l.text) > width)
            width = cli_columns(l.text);
    }
    put_heading("parameters");
    put_parameter_rows(f->parameters, count, width);
    if (f->parameter_count > count)
        printf("  ... and %d more (--json shows all)\n", f->parameter_count - count);
    write_structural(f);
}

static void write_run(const lv_run_options *run)
{
    line l = {.length = 0};
    if (run->scheme)
        add(&l, "scheme %s", run->scheme);
    if (run->stages > 0)
        add(&l, "%s%d stage%s", l.length > 0 ? ", " : "", run->stages,
            run->stages == 1 ? "" : "s");
    if (run->step > 0)
        add(&l, "%sstep %.6g", l.length > 0 ? ", " : "", run->step);
    if (run->until > 0)
        add(&l, "%suntil %.6g", l.length > 0 ? ", " : "", run->until);
    if (run->step > 0 && run->until > 0)
        add(&l, " (%.0f steps)", ceil(run->until / run->step - 1e-9));
    if (run->every > 1)
        add(&l, ", recorded every %d", run->every);
    if (l.length == 0)
        return;
    put_heading("run");
    fputs("  ", stdout);
    cli_put_wrapped(stdout, l.text, 2, 2);
}

static void write_warnings(const cli_check *check)
{
    fputc('\n', stdout);
    if (check->warning_count == 0)
        puts("no warnings");
    for (int k = 0; k < check->warning_count; k++) {
        printf("%swarning:%s ", cli_style(stdout, CLI_STRONG),
               cli_style(stdout, CLI_NORMAL));
        cli_put_wrapped(stdout, check->warnings[k], (int)strlen("warning: "),
                        (int)strlen("warning: "));
    }
}

void cli_check_write_text(const cli_check *check)
{
    write_title(check);
    write_sizes(check->facts);
    put_heading("at the start");
    write_energy(check->facts);
    write_residuals(check->facts);
    write_momenta(check->facts);
    write_parameters(check->facts);
    if (check->facts->term_count > 0) {
        put_heading("terms");
        cli_check_write_terms(check->facts);
    }
    write_run(lv_model_run_options(check->model));
    write_warnings(check);
}
