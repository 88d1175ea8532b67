/* Pages about studies: errors and costs of many schemes and steps. */
#include <livens/report.h>

#include "base/usage.h"
#include "report/describe.h"
#include "report/page.h"

#include <math.h>

static void put_run(lv_json *j, const lv_study_run *r)
{
    lv_json_open(j, '{');
    lv_json_put_number(j, "step", r->step);
    lv_json_put_number(j, "steps", (double)r->steps);
    if (r->message)
        lv_json_put_text(j, "message", r->message);
    lv_json_put_number(j, "time", r->time);
    lv_json_put_number(j, "error", r->error);
    lv_json_put_flag(j, "below_floor", r->below_floor);
    lv_json_put_number(j, "seconds", r->seconds);
    lv_json_put_number(j, "iterations", r->iterations);
    lv_json_put_number(j, "energy", r->energy);
    lv_json_put_number(j, "momentum", r->momentum);
    lv_json_put_number(j, "position", r->position);
    lv_json_put_number(j, "velocity", r->velocity);
    lv_json_close(j, '}');
}

static void put_methods(lv_json *j, const lv_study *s)
{
    lv_json_key(j, "methods");
    lv_json_open(j, '[');
    for (int k = 0; k < s->method_count; k++) {
        const lv_study_method *m = &s->methods[k];
        lv_json_open(j, '{');
        lv_json_put_text(j, "scheme", m->scheme);
        lv_json_put_text(j, "label", m->label);
        lv_json_put_text(j, "spec", m->spec);
        lv_json_put_flag(j, "own", m->own);
        lv_json_put_number(j, "order", m->order);
        lv_json_put_number(j, "observed", m->observed);
        lv_json_put_flag(j, "asymptotic", m->asymptotic);
        lv_json_key(j, "runs");
        lv_json_open(j, '[');
        for (int i = 0; i < m->run_count; i++)
            put_run(j, &m->runs[i]);
        lv_json_close(j, ']');
        lv_json_close(j, '}');
    }
    lv_json_close(j, ']');
}

static void put_advices(lv_json *j, const lv_study *s)
{
    lv_json_key(j, "advices");
    lv_json_open(j, '[');
    for (int k = 0; k < s->advice_count; k++) {
        const lv_study_advice *a = &s->advices[k];
        lv_json_open(j, '{');
        lv_json_put_number(j, "tolerance", a->tolerance);
        lv_json_put_number(j, "method", a->method);
        lv_json_put_number(j, "step", a->step);
        lv_json_put_number(j, "steps", (double)a->steps);
        lv_json_put_number(j, "error", a->error);
        lv_json_put_number(j, "seconds", a->seconds);
        if (a->note)
            lv_json_put_text(j, "note", a->note);
        lv_json_close(j, '}');
    }
    lv_json_close(j, ']');
    lv_json_key(j, "refusals");
    lv_json_open(j, '[');
    for (int k = 0; k < s->refusal_count; k++) {
        lv_json_open(j, '[');
        lv_json_text(j, s->refusals[k].scheme);
        lv_json_text(j, s->refusals[k].reason);
        lv_json_close(j, ']');
    }
    lv_json_close(j, ']');
}

static void put_reference(lv_json *j, const lv_study_reference *r)
{
    lv_json_key(j, "reference");
    lv_json_open(j, '{');
    lv_json_put_text(j, "first", r->first);
    lv_json_put_text(j, "second", r->second);
    lv_json_put_number(j, "first_step", r->first_step);
    lv_json_put_number(j, "second_step", r->second_step);
    lv_json_put_number(j, "difference", r->difference);
    lv_json_put_number(j, "floor", r->floor);
    lv_json_close(j, '}');
}

static lv_status put_study(lv_json *j, const lv_model *model,
                           const lv_study_request *request, const lv_study *s,
                           lv_error *err)
{
    /* An end that was asked for is not shortened. */
    const lv_run_changes changes = {.until = request->whole ? request->run.until : 0,
                                    .ends = request->whole};
    lv_json_key(j, "study");
    lv_json_open(j, '{');
    lv_describe_model(j, model);
    LV_TRY(lv_describe_command(j, "study", model, &changes, err));
    lv_json_put_flag(j, "interrupted", s->interrupted);
    lv_json_put_number(j, "asked", s->asked);
    lv_json_put_number(j, "until", s->until);
    if (s->shortened)
        lv_json_put_text(j, "shortened", s->shortened);
    lv_json_put_number(j, "threads", s->threads);
    lv_json_put_number(j, "failed", s->failed);
    put_reference(j, &s->reference);
    put_methods(j, s);
    put_advices(j, s);
    lv_json_close(j, '}');
    return LV_OK;
}

lv_status lv_study_report(lv_study **study, lv_report_info *info, const lv_model *model,
                          const lv_study_request *request, const char *page,
                          lv_error *err)
{
    lv_report_info own;
    lv_page out;
    lv_json json = {0};
    lv_error_clear(err);
    LV_NEED(err, study);
    *study = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED_ROOM(err, request);
    LV_NEED(err, page);
    info = info ? info : &own;
    *info = (lv_report_info){.every = 1};
    lv_status status = lv_page_open(&out, page, err);
    if (status == LV_OK)
        status = lv_study_make(study, model, request, err);
    if (status == LV_OK) {
        lv_page_begin(&json, "study");
        status = put_study(&json, model, request, *study, err);
    }
    if (status == LV_OK)
        status = lv_page_finish(&out, &json, &info->bytes, err);
    lv_text_done(&json.text);
    lv_page_done(&out);
    return status;
}
