#include "cli/grid.h"
#include "cli/report.h"
#include "cli/study.h"
#include "cli/web_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STOPPED_MOST: runs that stopped early and are shown; --json shows all. */
enum { STOPPED_MOST = 6, STEPS_MOST = 7, METHODS_MOST = CLI_GRID_ROWS - 2 };

/* "1e-3", "2.5e-6" */
static const char *short_number(char *buffer, size_t size, double x)
{
    const int exponent = x > 0 ? (int)floor(log10(x) + 1e-9) : 0;
    snprintf(buffer, size, "%.3ge%d", x / pow(10, exponent), exponent);
    return buffer;
}

/* ---- facts ------------------------------------------------------------------------------------------- */

static int count_runs(const lv_study *s)
{
    int count = 0;
    for (int k = 0; k < s->method_count; k++)
        count += s->methods[k].run_count;
    return count;
}

static void write_facts(FILE *out, const lv_study *s)
{
    cli_line time = {.length = 0}, reference = {.length = 0}, runs = {.length = 0};
    const int count = count_runs(s);
    cli_line_add(&time, "to t = %.6g", s->until);
    if (s->shortened)
        cli_line_add(&time, " of %.6g: %s", s->asked, s->shortened);
    cli_put_fact(out, "time", time.text);
    if (s->reference.first) {
        cli_line_add(&reference, "%s and %s agree to %.1e", s->reference.first,
                     s->reference.second, s->reference.difference);
        cli_put_fact(out, "reference", reference.text);
    }
    cli_line_add(&runs, "%d with %d method%s", count, s->method_count,
                 s->method_count == 1 ? "" : "s");
    if (s->failed > 0)
        cli_line_add(&runs, ", %d stopped early", s->failed);
    cli_line_add(&runs, "; %.3g s on %d thread%s", s->seconds, s->threads,
                 s->threads == 1 ? "" : "s");
    cli_put_fact(out, "runs", runs.text);
}

/* ---- errors ------------------------------------------------------------------------------------------- */

/* A number of steps, and how many methods have a run with it. */
typedef struct column {
    long long steps;
    double step;
    int count;
} column;

static int by_count(const void *a, const void *b)
{
    const column *x = a, *y = b;
    return x->count != y->count ? y->count - x->count
                                : (x->steps > y->steps) - (x->steps < y->steps);
}

static int by_step(const void *a, const void *b)
{
    const column *x = a, *y = b;
    return (x->steps > y->steps) - (x->steps < y->steps);
}

static const lv_study_run *find_run(const lv_study_method *m, long long steps)
{
    for (int k = 0; k < m->run_count; k++)
        if (m->runs[k].steps == steps)
            return &m->runs[k];
    return NULL;
}

/* Chooses the steps that most methods have, the largest first; returns their number. */
static int choose_columns(const lv_study *s, column *chosen, int most)
{
    enum { ALL = 256 };
    column all[ALL];
    int count = 0;
    for (int k = 0; k < s->method_count; k++)
        for (int i = 0; i < s->methods[k].run_count; i++) {
            const lv_study_run *run = &s->methods[k].runs[i];
            int at = 0;
            while (at < count && all[at].steps != run->steps)
                at++;
            if (at == ALL)
                continue;
            if (at == count)
                all[count++] = (column){run->steps, run->step, 0};
            all[at].count++;
        }
    qsort(all, (size_t)count, sizeof *all, by_count);
    count = count < most ? count : most;
    qsort(all, (size_t)count, sizeof *all, by_step);
    memcpy(chosen, all, (size_t)count * sizeof *all);
    return count;
}

static void add_label(cli_grid *grid, const lv_study_method *m)
{
    cli_grid_row(grid);
    cli_grid_add(grid, "%s%s", m->label, m->own ? " *" : "");
}

static void add_error(cli_grid *grid, const lv_study *s, const lv_study_run *run)
{
    if (!run)
        cli_grid_add(grid, "%s", "");
    else if (run->status != LV_OK)
        cli_grid_add(grid, "stopped");
    else if (run->below_floor)
        cli_grid_add(grid, "< %.0e", s->reference.floor);
    else
        cli_grid_add(grid, "%.1e", run->error);
}

static void add_order(cli_grid *grid, const lv_study_method *m)
{
    cli_grid_add(grid, "%d", m->order);
    if (isnan(m->observed))
        cli_grid_add(grid, "-");
    else
        cli_grid_add(grid, m->asymptotic ? "%.2f" : "(%.2f)", m->observed);
}

static int longest_label(const lv_study *s)
{
    int most = 6;
    for (int k = 0; k < s->method_count; k++) {
        const lv_study_method *m = &s->methods[k];
        const int columns = cli_columns(m->label) + (m->own ? 2 : 0);
        most = columns > most ? columns : most;
    }
    return most;
}

static void write_errors(FILE *out, const lv_study *s)
{
    enum { ORDERS = 2 + 5 + 2 + 6, EACH = 2 + 7 };
    column columns[STEPS_MOST];
    char align[4 + STEPS_MOST] = "lrr";
    const int room = (cli_width(out) - 2 - longest_label(s) - ORDERS) / EACH,
              most = room < 1            ? 1
                     : room > STEPS_MOST ? STEPS_MOST
                                         : room;
    const int count = choose_columns(s, columns, most);
    cli_grid grid = {.align = align};
    cli_grid_row(&grid);
    cli_grid_add(&grid, "scheme");
    cli_grid_add(&grid, "order");
    cli_grid_add(&grid, "seen");
    for (int c = 0; c < count; c++) {
        cli_grid_add(&grid, "%.4g", columns[c].step);
        align[3 + c] = 'r';
    }
    for (int k = 0; k < s->method_count && k < METHODS_MOST; k++) {
        add_label(&grid, &s->methods[k]);
        add_order(&grid, &s->methods[k]);
        for (int c = 0; c < count; c++)
            add_error(&grid, s, find_run(&s->methods[k], columns[c].steps));
    }
    cli_put_heading(out, "order, and error by step");
    cli_grid_put(out, &grid);
}

/* ---- costs -------------------------------------------------------------------------------------------- */

/* The run whose step is closest to the central step of the study. */
static const lv_study_run *usual_run(const lv_study *s, const lv_study_method *m)
{
    const lv_study_run *best = NULL;
    for (int k = 0; k < m->run_count; k++) {
        const lv_study_run *run = &m->runs[k];
        if (run->status == LV_OK &&
            (!best || fabs(log(run->step / s->step)) < fabs(log(best->step / s->step))))
            best = run;
    }
    return best;
}

static void add_deviation(cli_grid *grid, double value)
{
    if (isnan(value))
        cli_grid_add(grid, "%s", "");
    else
        cli_grid_add(grid, "%.0e", value);
}

/* "0.12", "3.4", "560" */
static void add_time(cli_grid *grid, double seconds)
{
    const double ms = 1e3 * seconds;
    if (isnan(seconds))
        cli_grid_add(grid, "-");
    else
        cli_grid_add(grid, ms < 0.995 ? "%.2f" : ms < 9.95 ? "%.1f" : "%.0f", ms);
}

static void add_costs(cli_grid *grid, const lv_study *s, const lv_study_method *m,
                      int tolerances)
{
    const lv_study_run *run = usual_run(s, m);
    add_label(grid, m);
    for (int k = 0; k < tolerances; k++)
        add_time(grid, k < m->cost_count ? m->costs[k].seconds : (double)NAN);
    add_deviation(grid, run ? run->energy : (double)NAN);
    add_deviation(grid, run ? run->momentum : (double)NAN);
    add_deviation(grid, run ? run->position : (double)NAN);
    add_deviation(grid, run ? run->velocity : (double)NAN);
}

static void write_costs(FILE *out, const lv_study *s)
{
    enum { TOLERANCES = 3 };
    const int count = s->method_count > 0 ? s->methods[0].cost_count : 0,
              shown = count < TOLERANCES ? count : TOLERANCES;
    cli_grid grid = {.align = shown == 0   ? "lrrrr"
                              : shown == 1 ? "lrrrrr"
                              : shown == 2 ? "lrrrrrr"
                                           : "lrrrrrrr"};
    cli_line heading = {.length = 0};
    char text[40];
    cli_grid_row(&grid);
    cli_grid_add(&grid, "scheme");
    for (int k = 0; k < shown; k++)
        cli_grid_add(&grid, "%s",
                     short_number(text, sizeof text, s->methods[0].costs[k].tolerance));
    cli_grid_add(&grid, "E");
    cli_grid_add(&grid, "J");
    cli_grid_add(&grid, "g");
    cli_grid_add(&grid, "dg/dt");
    for (int k = 0; k < s->method_count && k < METHODS_MOST; k++)
        add_costs(&grid, s, &s->methods[k], shown);
    cli_line_add(&heading,
                 "processor time (ms) for an error; what is kept with steps near %.4g",
                 s->step);
    cli_put_heading(out, heading.text);
    cli_grid_put(out, &grid);
}

static void write_legend(FILE *out, const lv_study *s)
{
    cli_line l = {.length = 0};
    bool open = false, own = false;
    for (int k = 0; k < s->method_count; k++) {
        const lv_study_method *m = &s->methods[k];
        open = open || (!isnan(m->observed) && !m->asymptotic);
        own = own || m->own;
    }
    cli_line_add(&l,
                 "Errors are the largest ones at each quarter of the time, relative "
                 "to the size of positions and momenta. Kept: largest deviations of the "
                 "energy E (or of its balance with work) and of the momentum maps J, "
                 "relative; of the constraints "
                 "g and dg/dt.");
    if (open)
        cli_line_add(&l, " (Orders) in brackets: errors do not follow the order yet.");
    if (own)
        cli_line_add(&l, " *: the model's own.");
    fputs("\n  ", out);
    cli_put_wrapped(out, l.text, 2, 2);
}

/* ---- runs that stopped, schemes that were refused ---------------------------------------------- */

static void write_stopped(FILE *out, const lv_study *s)
{
    int shown = 0;
    if (s->failed == 0)
        return;
    cli_put_heading(out, "runs that stopped early");
    for (int k = 0; k < s->method_count; k++)
        for (int i = 0; i < s->methods[k].run_count; i++) {
            const lv_study_run *run = &s->methods[k].runs[i];
            cli_line l = {.length = 0};
            if (run->status == LV_OK || shown++ >= STOPPED_MOST)
                continue;
            cli_line_add(&l, "%s: %s", s->methods[k].label, run->message);
            fputs("  ", out);
            cli_put_wrapped(out, l.text, 2, 4);
        }
    if (shown > STOPPED_MOST)
        fprintf(out, "  ... and %d more (--json shows all)\n", shown - STOPPED_MOST);
}

/* The length of a reason that counts for a comparison: up to the first colon. */
static size_t reason_length(const char *reason)
{
    return strcspn(reason, ":");
}

static bool is_same_reason(const char *a, const char *b)
{
    const size_t length = reason_length(a);
    return length == reason_length(b) && strncmp(a, b, length) == 0;
}

/* Writes schemes with the same reason in one line. */
static void write_refusals(FILE *out, const lv_study *s)
{
    if (s->refusal_count > 0)
        cli_put_heading(out, "not studied");
    for (int k = 0; k < s->refusal_count; k++) {
        const char *reason = s->refusals[k].reason;
        cli_line l = {.length = 0};
        bool is_first = true;
        for (int i = 0; i < k; i++)
            is_first = is_first && !is_same_reason(s->refusals[i].reason, reason);
        if (!is_first)
            continue;
        cli_line_add(&l, "%.*s: %s", (int)reason_length(reason), reason,
                     s->refusals[k].scheme);
        for (int i = k + 1; i < s->refusal_count; i++)
            if (is_same_reason(s->refusals[i].reason, reason))
                cli_line_add(&l, ", %s", s->refusals[i].scheme);
        fputs("  ", out);
        cli_put_wrapped(out, l.text, 2, 4);
    }
}

/* ---- advice ------------------------------------------------------------------------------------------- */

static void put_word(FILE *out, const char *word)
{
    char *text = malloc(4 * strlen(word) + 4);
    if (!text)
        return;
    *cli_shell_word(text, word) = '\0';
    fputc(' ', out);
    cli_put(out, text);
    free(text);
}

/* "--stages 3 --half-kick=true" of "lobatto:stages=3:half_kick=true" */
static void put_options(FILE *out, const char *spec)
{
    lv_option_info info;
    for (spec += strcspn(spec, ":"); *spec; spec += strcspn(spec, ":")) {
        bool flag = false;
        const size_t name = strcspn(++spec, "=");
        for (int k = 0; lv_option_describe(k, &info); k++)
            flag = flag || (strncmp(info.name, spec, name) == 0 &&
                            info.name[name] == '\0' && info.kind == LV_OPTION_IS_FLAG);
        fputs(" --", out);
        for (size_t k = 0; k < name; k++)
            fputc(spec[k] == '_' ? '-' : spec[k], out);
        fprintf(out, "%c%.*s", flag ? '=' : ' ', (int)strcspn(spec + name + 1, ":"),
                spec + name + 1);
    }
}

/* Writes "livens run pendulum3d --scheme lobatto --stages 4 --step 0.0661", in one line
 * for a shell. */
static void write_command(FILE *out, const cli_study *study, const lv_study_advice *a)
{
    const lv_study *s = study->study;
    const lv_study_method *m = &s->methods[a->method];
    const cli_args *args = study->args;
    fputs("         livens run", out);
    put_word(out, args->items[0]);
    fprintf(out, " --scheme %s", m->scheme);
    put_options(out, m->spec);
    fprintf(out, " --step %.12g", a->step);
    if (s->until != lv_run_request_default(study->model).until)
        fprintf(out, " --until %.12g", s->until);
    for (int k = 0; k < args->given_count; k++) {
        const char *name = args->given[k].option->name;
        if (strcmp(name, "set") != 0 && strcmp(name, "initial") != 0 &&
            strcmp(name, "input") != 0)
            continue;
        fprintf(out, " --%s", name);
        put_word(out, args->given[k].value);
    }
    fputc('\n', out);
}

static void write_advice(FILE *out, const cli_study *study)
{
    const lv_study *s = study->study;
    if (s->advice_count > 0)
        cli_put_heading(out, "cheapest for an error of");
    for (int k = 0; k < s->advice_count; k++) {
        const lv_study_advice *a = &s->advices[k];
        char tolerance[40];
        cli_line l = {.length = 0};
        cli_line_add(&l, "  %-7s",
                     short_number(tolerance, sizeof tolerance, a->tolerance));
        const size_t indent = l.length;
        fputs(l.text, out);
        l.length = 0;
        if (a->method < 0)
            cli_line_add(&l, "nothing: %s", a->note);
        else
            cli_line_add(&l, "%s, step %.12g: error %.1e after %lld steps, %.3g ms",
                         s->methods[a->method].label, a->step, a->error, a->steps,
                         1e3 * a->seconds);
        cli_put_wrapped(out, l.text, (int)indent, (int)indent);
        if (a->method >= 0)
            write_command(out, study, a);
    }
}

void cli_study_write_text(FILE *out, const cli_study *study)
{
    const lv_study *s = study->study;
    cli_put_title(out, lv_model_title(study->model), study->file, NULL);
    write_facts(out, s);
    if (count_runs(s) > 0) {
        write_errors(out, s);
        write_costs(out, s);
        write_legend(out, s);
    }
    write_stopped(out, s);
    write_refusals(out, s);
    write_advice(out, study);
    if (study->csv) {
        fputc('\n', out);
        cli_put_fact(out, "written", study->csv);
    }
    if (study->page) {
        fputc('\n', out);
        cli_page_say(out, study->page, &study->page_info);
    }
    if (s->interrupted)
        fputs("\ninterrupted: what was done so far\n", out);
}
