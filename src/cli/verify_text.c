#include "cli/grid.h"
#include "cli/report.h"
#include "cli/schemes.h"
#include "cli/verify.h"
#include "cli/web_page.h"

#include <math.h>
#include <stdio.h>

/* Momentum maps that are shown; --json shows all. */
enum { MOMENTA_MOST = 24 };

static void write_facts(FILE *out, const cli_verify *s)
{
    const lv_certificate *c = s->certificate;
    cli_line l = {.length = 0}, wall = {.length = 0};
    cli_scheme_put(out, c->scheme, &c->options, c->order);
    cli_line_add(&l, "%.6g", c->step);
    if (c->time < c->until - c->step)
        cli_line_add(&l, "; of the run to t = %.10g, %lld step%s to t = %.10g", c->until,
                     c->steps, c->steps == 1 ? "" : "s", c->time);
    else
        cli_line_add(&l, ", %lld step%s to t = %.10g", c->steps, c->steps == 1 ? "" : "s",
                     c->time);
    cli_put_fact(out, "step", l.text);
    cli_line_add(&wall, "%.3g s", c->seconds);
    cli_put_fact(out, "wall time", wall.text);
}

/* Momentum maps have the names of their columns. */
static void put_name(const lv_finding *f, cli_line *l)
{
    if (f->property == LV_PROPERTY_MOMENTUM)
        cli_line_add(l, "J.%s", f->name);
    else
        cli_line_add(l, "%s", f->name ? f->name : lv_property_name(f->property));
}

static void add_number(cli_grid *grid, double value, lv_property property)
{
    if (isnan(value))
        cli_grid_add(grid, "-");
    else if (property == LV_PROPERTY_ORDER)
        cli_grid_add(grid, "%.2f", value);
    else if (property >= LV_PROPERTY_REPEAT)
        cli_grid_add(grid, "%.0f", value);
    else
        cli_grid_add(grid, "%.1e", value);
}

static void add_row(cli_grid *grid, const lv_finding *f)
{
    cli_line name = {.length = 0};
    put_name(f, &name);
    cli_grid_row(grid);
    cli_grid_add(grid, "%s", name.text);
    cli_grid_add(grid, "%s", f->promise ? f->promise : "-");
    add_number(grid, f->measured, f->property);
    add_number(grid, f->bound, f->property);
    cli_grid_add(grid, "%s", lv_finding_verdict_name(f->verdict));
}

static bool is_shown(const lv_certificate *c, int k, int *momenta)
{
    if (c->findings[k].property != LV_PROPERTY_MOMENTUM ||
        c->findings[k].verdict == LV_FINDING_BROKEN)
        return true;
    return (*momenta)++ < MOMENTA_MOST;
}

static void write_table(FILE *out, const lv_certificate *c)
{
    cli_grid grid = {.align = "llrrl"};
    int momenta = 0;
    cli_grid_row(&grid);
    cli_grid_add(&grid, "property");
    cli_grid_add(&grid, "promised");
    cli_grid_add(&grid, "measured");
    cli_grid_add(&grid, "bound");
    cli_grid_add(&grid, "verdict");
    for (int k = 0; k < c->count; k++)
        if (is_shown(c, k, &momenta))
            add_row(&grid, &c->findings[k]);
    fputc('\n', out);
    cli_grid_put(out, &grid);
    if (momenta > MOMENTA_MOST)
        fprintf(out, "  ... and %d more momenta (--json shows all)\n",
                momenta - MOMENTA_MOST);
}

/* Explains the numbers; momentum maps that are kept are explained once. */
static void write_notes(FILE *out, const lv_certificate *c)
{
    bool said = false;
    cli_put_heading(out, "how it was measured");
    for (int k = 0; k < c->count; k++) {
        const lv_finding *f = &c->findings[k];
        const bool usual =
            f->property == LV_PROPERTY_MOMENTUM && f->verdict == LV_FINDING_KEPT;
        cli_line l = {.length = 0};
        if (!usual)
            put_name(f, &l);
        else if (!said)
            cli_line_add(&l, "momenta");
        said = said || usual;
        if (l.length > 0)
            cli_put_fact(out, l.text, f->note);
    }
}

static void write_conclusion(FILE *out, const lv_certificate *c)
{
    const int kept = c->verdicts[LV_FINDING_KEPT],
              broken = c->verdicts[LV_FINDING_BROKEN],
              open = c->verdicts[LV_FINDING_OPEN], promised = kept + broken + open;
    cli_line l = {.length = 0};
    if (broken > 0) {
        cli_line_add(&l, "%d of %d promises %s broken: ", broken, promised,
                     broken == 1 ? "is" : "are");
        for (int k = 0, shown = 0; k < c->count; k++) {
            if (c->findings[k].verdict != LV_FINDING_BROKEN)
                continue;
            cli_line_add(&l, "%s", shown++ > 0 ? ", " : "");
            put_name(&c->findings[k], &l);
        }
    } else if (open > 0) {
        cli_line_add(&l, "no promise is broken: %d of %d kept, %d open", kept, promised,
                     open);
    } else {
        cli_line_add(&l, "all %d promises are kept", promised);
    }
    fputc('\n', out);
    for (int k = 0; k < c->warning_count; k++)
        cli_put_warning(out, c->warnings[k]);
    cli_put_wrapped(out, l.text, 0, 0);
}

void cli_verify_write_text(FILE *out, const cli_verify *s)
{
    cli_put_title(out, lv_model_title(s->model), s->file, NULL);
    write_facts(out, s);
    write_table(out, s->certificate);
    write_notes(out, s->certificate);
    write_conclusion(out, s->certificate);
    if (s->page)
        cli_page_say(out, s->page, &s->page_info);
}
