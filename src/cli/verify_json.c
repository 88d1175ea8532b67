/* One object. Scripts depend on its names and their meaning. */
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verify.h"

static void put_finding(cli_json *j, const lv_finding *f)
{
    static const char *const verdicts[] = {"kept", "broken", "not_promised", "open"};
    cli_json_open(j, '{');
    cli_json_put_text(j, "property", lv_property_name(f->property));
    cli_json_key(j, "name");
    if (f->property == LV_PROPERTY_MOMENTUM)
        cli_json_momentum(j, f->name);
    else
        cli_json_text(j, f->name);
    cli_json_put_text(j, "promise", f->promise);
    cli_json_put_number(j, "measured", f->measured);
    cli_json_put_number(j, "noise", f->noise);
    cli_json_put_number(j, "bound", f->bound);
    cli_json_put_text(j, "verdict", verdicts[f->verdict]);
    cli_json_put_text(j, "note", f->note);
    cli_json_close(j, '}');
}

static void put_numbers(cli_json *j, const char *key, const double *x, int count)
{
    cli_json_key(j, key);
    cli_json_open(j, '[');
    for (int k = 0; k < count; k++)
        cli_json_number(j, x[k]);
    cli_json_close(j, ']');
}

static void put_convergence(cli_json *j, const lv_convergence *c)
{
    cli_json_key(j, "convergence");
    cli_json_open(j, '{');
    cli_json_put_number(j, "t", c->span);
    cli_json_put_number(j, "reference_error", c->reference);
    put_numbers(j, "steps", c->step, c->count);
    put_numbers(j, "errors", c->error, c->count);
    put_numbers(j, "orders", c->order, c->count > 0 ? c->count - 1 : 0);
    cli_json_put_bool(j, "asymptotic", c->asymptotic);
    cli_json_key(j, "asymptotic_step");
    if (c->asymptotic_step > 0)
        cli_json_number(j, c->asymptotic_step);
    else
        cli_json_null(j);
    cli_json_close(j, '}');
}

static void put_counts(cli_json *j, const lv_certificate *c)
{
    cli_json_put_whole(j, "kept", c->verdicts[LV_FINDING_KEPT]);
    cli_json_put_whole(j, "broken", c->verdicts[LV_FINDING_BROKEN]);
    cli_json_put_whole(j, "open", c->verdicts[LV_FINDING_OPEN]);
    cli_json_put_whole(j, "not_promised", c->verdicts[LV_FINDING_MEASURED]);
}

static void put_drift(cli_json *j, const lv_energy_drift *d)
{
    cli_json_key(j, "drift");
    cli_json_open(j, '{');
    cli_json_put_number(j, "amplitude", d->amplitude);
    cli_json_put_number(j, "rate", d->rate);
    cli_json_put_number(j, "interval", d->interval);
    cli_json_close(j, '}');
}

void cli_verify_write_json(const cli_verify *s)
{
    const lv_certificate *c = s->certificate;
    cli_json j = {.out = stdout};
    cli_json_open(&j, '{');
    cli_json_put_text(&j, "status", c->verdicts[LV_FINDING_BROKEN] > 0 ? "broken" : "ok");
    cli_json_put_text(&j, "model", lv_model_title(s->model));
    cli_json_put_text(&j, "file", s->file);
    cli_json_put_text(&j, "scheme", c->scheme);
    cli_json_key(&j, "options");
    cli_json_open(&j, '{');
    cli_options_put(&j, &c->options);
    cli_json_close(&j, '}');
    cli_json_put_whole(&j, "order", c->order);
    cli_json_put_number(&j, "step", c->step);
    cli_json_put_number(&j, "until", c->until);
    cli_json_put_number(&j, "t", c->time);
    cli_json_put_whole(&j, "steps", c->steps);
    cli_json_put_whole(&j, "threads", c->threads);
    cli_json_put_number(&j, "seconds", c->seconds);
    put_counts(&j, c);
    cli_json_key(&j, "findings");
    cli_json_open(&j, '[');
    for (int k = 0; k < c->count; k++)
        put_finding(&j, &c->findings[k]);
    cli_json_close(&j, ']');
    put_convergence(&j, &c->convergence);
    put_drift(&j, &c->drift);
    cli_json_key(&j, "warnings");
    cli_json_open(&j, '[');
    for (int k = 0; k < c->warning_count; k++)
        cli_json_text(&j, c->warnings[k]);
    cli_json_close(&j, ']');
    cli_json_close(&j, '}');
}
