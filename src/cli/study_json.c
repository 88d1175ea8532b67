/* One object, and rows of numbers. Scripts depend on the names and their meaning. */
#include "cli/json.h"
#include "cli/options.h"
#include "cli/study.h"

#include <math.h>

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void put_reference(cli_json *j, const lv_study_reference *r)
{
    cli_json_key(j, "reference");
    cli_json_open(j, '{');
    cli_json_put_text(j, "first", r->first);
    cli_json_put_number(j, "first_step", r->first_step);
    cli_json_put_text(j, "second", r->second);
    cli_json_put_number(j, "second_step", r->second_step);
    cli_json_put_number(j, "difference", r->difference);
    cli_json_put_number(j, "floor", r->floor);
    cli_json_close(j, '}');
}

static void put_run(cli_json *j, const lv_study_run *r)
{
    cli_json_open(j, '{');
    cli_json_put_number(j, "step", r->step);
    cli_json_put_whole(j, "steps", r->steps);
    cli_json_put_text(j, "status", lv_status_name(r->status));
    cli_json_put_text(j, "message", r->message);
    cli_json_put_number(j, "t", r->time);
    cli_json_put_number(j, "error", r->error);
    cli_json_put_number(j, "error_position", r->error_position);
    cli_json_put_number(j, "error_momentum", r->error_momentum);
    cli_json_put_number(j, "error_end", r->error_end);
    cli_json_put_bool(j, "below_floor", r->below_floor);
    cli_json_put_number(j, "seconds", r->seconds);
    cli_json_put_number(j, "iterations", r->iterations);
    cli_json_put_number(j, "energy", r->energy);
    cli_json_put_number(j, "momentum", r->momentum);
    cli_json_put_number(j, "position", r->position);
    cli_json_put_number(j, "velocity", r->velocity);
    cli_json_close(j, '}');
}

static void put_options(cli_json *j, const lv_scheme_options *options)
{
    cli_json_key(j, "options");
    cli_json_open(j, '{');
    cli_options_put(j, options);
    cli_json_close(j, '}');
}

static void put_method(cli_json *j, const lv_study_method *m)
{
    cli_json_open(j, '{');
    cli_json_put_text(j, "method", m->spec);
    cli_json_put_text(j, "label", m->label);
    cli_json_put_text(j, "scheme", m->scheme);
    put_options(j, &m->options);
    cli_json_put_bool(j, "own", m->own);
    cli_json_put_whole(j, "order", m->order);
    cli_json_put_number(j, "observed", m->observed);
    cli_json_put_bool(j, "asymptotic", m->asymptotic);
    cli_json_key(j, "costs");
    cli_json_open(j, '[');
    for (int k = 0; k < m->cost_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_number(j, "tolerance", m->costs[k].tolerance);
        cli_json_put_number(j, "step", m->costs[k].step);
        cli_json_put_number(j, "seconds", m->costs[k].seconds);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
    cli_json_key(j, "runs");
    cli_json_open(j, '[');
    for (int k = 0; k < m->run_count; k++)
        put_run(j, &m->runs[k]);
    cli_json_close(j, ']');
    cli_json_close(j, '}');
}

static void put_advice(cli_json *j, const lv_study *s, const lv_study_advice *a)
{
    const lv_study_method *m = a->method >= 0 ? &s->methods[a->method] : NULL;
    cli_json_open(j, '{');
    cli_json_put_number(j, "tolerance", a->tolerance);
    cli_json_put_text(j, "method", m ? m->spec : NULL);
    cli_json_put_text(j, "scheme", m ? m->scheme : NULL);
    cli_json_put_number(j, "step", m ? a->step : (double)NAN);
    cli_json_put_whole(j, "steps", a->steps);
    cli_json_put_number(j, "error", m ? a->error : (double)NAN);
    cli_json_put_number(j, "seconds", m ? a->seconds : (double)NAN);
    cli_json_put_text(j, "note", a->note);
    cli_json_close(j, '}');
}

static void put_lists(cli_json *j, const lv_study *s)
{
    cli_json_key(j, "methods");
    cli_json_open(j, '[');
    for (int k = 0; k < s->method_count; k++)
        put_method(j, &s->methods[k]);
    cli_json_close(j, ']');
    cli_json_key(j, "refused");
    cli_json_open(j, '[');
    for (int k = 0; k < s->refusal_count; k++) {
        cli_json_open(j, '{');
        cli_json_put_text(j, "scheme", s->refusals[k].scheme);
        cli_json_put_text(j, "reason", s->refusals[k].reason);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
    cli_json_key(j, "advice");
    cli_json_open(j, '[');
    for (int k = 0; k < s->advice_count; k++)
        put_advice(j, s, &s->advices[k]);
    cli_json_close(j, ']');
}

void cli_study_write_json(const cli_study *study)
{
    const lv_study *s = study->study;
    cli_json j = {.out = stdout};
    cli_json_open(&j, '{');
    cli_json_put_text(&j, "status", s->interrupted ? "interrupted" : "ok");
    cli_json_put_text(&j, "model", lv_model_title(study->model));
    cli_json_put_text(&j, "file", study->file);
    cli_json_put_number(&j, "asked", s->asked);
    cli_json_put_number(&j, "until", s->until);
    cli_json_put_text(&j, "shortened", s->shortened);
    cli_json_put_number(&j, "step", s->step);
    cli_json_put_whole(&j, "threads", s->threads);
    cli_json_put_number(&j, "seconds", s->seconds);
    cli_json_put_whole(&j, "failed", s->failed);
    put_reference(&j, &s->reference);
    put_lists(&j, s);
    cli_json_close(&j, '}');
}

/* ---- CSV --------------------------------------------------------------------------------------------- */

static void put_number(FILE *out, double value)
{
    if (isnan(value))
        fputs(",nan", out);
    else
        fprintf(out, ",%.17g", value);
}

/* Writes a text in quotation marks, which are doubled inside. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('"', out);
}

static void put_row(FILE *out, const lv_study_method *m, const lv_study_run *r)
{
    const double numbers[] = {r->time,           r->error,     r->error_position,
                              r->error_momentum, r->error_end, r->seconds,
                              r->iterations,     r->energy,    r->momentum,
                              r->position,       r->velocity};
    fprintf(out, "%s,%d,%.17g,%lld,%s", m->spec, m->order, r->step, r->steps,
            lv_status_name(r->status));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        put_number(out, numbers[k]);
    fprintf(out, ",%d,", r->below_floor);
    if (r->message)
        put_quoted(out, r->message);
    fputc('\n', out);
}

void cli_study_write_csv(FILE *out, const lv_study *s)
{
    fputs(
        "method,order,step,steps,status,t,error,error_position,error_momentum,error_end,"
        "seconds,iterations,energy,momentum,position,velocity,below_floor,message\n",
        out);
    for (int k = 0; k < s->method_count; k++)
        for (int i = 0; i < s->methods[k].run_count; i++)
            put_row(out, &s->methods[k], &s->methods[k].runs[i]);
}
