#include "study/member.h"

#include <livens/sweep.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"
#include "model/revalue.h"
#include "model/sweep.h"
#include "run/run.h"
#include "study/messages.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the model of a member --------------------------------------------------------- */

/* The value of a parameter as a text, "0.5" or "[1, 2, 3]", that reads back as the same
 * bits. */
static const char *value_text(lv_arena *arena, const lv_parameter *p,
                              const double *values)
{
    char number[LV_NUMBER_SIZE];
    lv_text text = {0};
    if (p->length == 0)
        lv_text_append(&text, "%s", lv_number_format(values[0], number));
    for (int k = 0; k < p->length; k++)
        lv_text_append(&text, "%s%s", k ? ", " : "[",
                       lv_number_format(values[k], number));
    if (p->length > 0)
        lv_text_append(&text, "]");
    const char *copy =
        text.failed ? NULL : lv_arena_text(arena, text.data, (size_t)text.count);
    lv_text_done(&text);
    return copy;
}

lv_status lv_member_settings(lv_setting **settings, int *count, lv_arena *arena,
                             const lv_model *m, const double *parameters, lv_error *err)
{
    lv_setting *given = NULL;
    int given_count = 0;
    LV_TRY(lv_settings_parse(&given, &given_count, arena, m->settings_text, err));
    size_t most = (size_t)given_count + (size_t)m->sweep.list.count + 1;
    *settings = lv_arena_alloc(arena, most, sizeof **settings);
    if (!*settings)
        return lv_fail_memory(err);
    for (*count = 0; *count < given_count; (*count)++)
        (*settings)[*count] = given[*count];
    for (int k = -1; k < m->sweep.list.count; k++) {
        int number = k < 0 ? m->sweep.parameter : m->sweep.list.data[k].parameter;
        if (number < 0)
            continue;
        const lv_parameter *p = &m->parameters.data[number];
        lv_setting *s = &(*settings)[(*count)++];
        *s = (lv_setting){p->item->name, value_text(arena, p, parameters + p->first)};
        if (!s->value)
            return lv_fail_memory(err);
    }
    return LV_OK;
}

lv_status lv_member_check_settings(const lv_model *m, lv_arena *arena, lv_error *err)
{
    lv_setting *settings = NULL;
    int count = 0;
    LV_TRY(lv_settings_parse(&settings, &count, arena, m->settings_text, err));
    for (int i = 0; i < count; i++)
        for (int k = -1; k < m->sweep.list.count; k++) {
            int number = k < 0 ? m->sweep.parameter : m->sweep.list.data[k].parameter;
            if (number < 0 ||
                strcmp(m->parameters.data[number].item->name, settings[i].name) != 0)
                continue;
            lv_status status =
                lv_fail(err, LV_ERR_USAGE,
                        "--set %s: the sweep gives every member a value of its own",
                        settings[i].name);
            lv_error_hint(err, "remove it from [sweep.set], or use livens run");
            return status;
        }
    return LV_OK;
}

static lv_status read_member(lv_model **member, const lv_model *m,
                             const double *parameters, lv_error *err)
{
    lv_arena arena = {0};
    lv_setting *settings = NULL;
    int count = 0;
    lv_status status = lv_member_settings(&settings, &count, &arena, m, parameters, err);
    if (status == LV_OK)
        status = lv_model_parse(member, m->source.name, m->source.text, m->source.size,
                                settings, count, err);
    lv_arena_done(&arena);
    return status;
}

lv_status lv_sweep_member(lv_model **member, const lv_model *m, int number, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, member);
    *member = NULL;
    LV_NEED_AS(err, m, "model");
    if (number < 0 || number >= m->sweep.members)
        return lv_fail(err, LV_ERR_USAGE, "there is no member %d: the model has %d",
                       number, m->sweep.members);
    double *parameters =
        lv_memory_zeroed((size_t)m->parameter_values.count + 1, sizeof *parameters);
    lv_status status = parameters ? lv_model_member_values(m, parameters, number, err)
                                  : lv_fail_memory(err);
    if (status == LV_OK)
        status = read_member(member, m, parameters, err);
    lv_memory_free(parameters);
    return status;
}

int lv_sweep_members(const lv_model *m)
{
    return m ? m->sweep.members : 0;
}

/* ---- its run ----------------------------------------------------------------------- */

/* A sink of the run: takes rows for the series, and the values at the end. */
typedef struct listener {
    lv_sink sink;
    const lv_member_job *job;
    const lv_channels *channels;
    lv_result *result;
} listener;

static lv_status listen_row(lv_sink *sink, lv_error *err)
{
    listener *l = (listener *)sink;
    return l->job->series ? lv_samples_row(&l->result->samples, err) : LV_OK;
}

static lv_status listen_close(lv_sink *sink, lv_error *err)
{
    listener *l = (listener *)sink;
    (void)err;
    lv_table_add_end(l->job->table, l->result->row, l->channels);
    return LV_OK;
}

static lv_status open_listener(void *user, lv_sink **sink, const lv_channels *channels,
                               lv_error *err)
{
    listener *l = user;
    l->sink = (lv_sink){.row = listen_row, .close = listen_close};
    l->channels = channels;
    *sink = &l->sink;
    LV_TRY(lv_table_match(l->job->table, channels, err));
    return l->job->series
               ? lv_samples_open(&l->result->samples, l->job->series, channels, err)
               : LV_OK;
}

/* Gives the result copies of warnings, which do not live as long as it does. */
static lv_status keep_warnings(lv_result *result, const char *const *texts, int count,
                               lv_error *err)
{
    result->warnings =
        lv_arena_alloc(&result->arena, (size_t)count, sizeof *result->warnings);
    for (int k = 0; result->warnings && k < count; k++) {
        char *text = lv_arena_text(&result->arena, texts[k], strlen(texts[k]));
        if (!text)
            return lv_fail_memory(err);
        result->warnings[result->warning_count++] = text;
    }
    return result->warnings ? LV_OK : lv_fail_memory(err);
}

struct lv_member_work {
    const lv_member_job *job;
    lv_result *result;
    listener listener;
    lv_tap tap;
    lv_workplace *workplace;
    lv_batch *batch;
    int place; /* place in the batch; -1: it has none */
    bool runs; /* it is not known from elsewhere */
};

void lv_workplace_done(lv_workplace *w)
{
    lv_batch_done(&w->batch);
    lv_model_free(w->model);
    *w = (lv_workplace){.model = NULL};
}

static lv_run_request request_for(lv_member_work *w, const lv_model *model)
{
    const lv_member_job *job = w->job;
    lv_run_request request = lv_run_request_default(model);
    lv_run_request_change(&request, &job->changes);
    if (!job->series) { /* record the first and the last row only */
        request.every = INT_MAX;
        request.sample = 0;
    }
    w->listener = (listener){.job = job, .result = w->result};
    w->tap = (lv_tap){open_listener, &w->listener, .brief = true};
    return request;
}

/* The model that gets the numbers of one member after the other; NULL: members must be
 * read. */
static lv_model *model_for(lv_workplace *p, const lv_model *m, const double *parameters)
{
    lv_arena arena = {0};
    lv_setting *settings = NULL;
    int count = 0;
    if (p->has_tried)
        return p->model;
    p->has_tried = true;
    if (lv_member_settings(&settings, &count, &arena, m, parameters, NULL) != LV_OK ||
        lv_model_read_revaluable(&p->model, m, settings, count, NULL) != LV_OK)
        p->model = NULL;
    lv_arena_done(&arena);
    return p->model;
}

/* Begins a member with the simulation of an earlier one and new numbers, without reading
 * the text. w->place stays -1 if the text must be read. */
static lv_status begin_again(lv_member_work *w, const double *parameters, lv_error *err)
{
    if (!lv_batch_has_used(w->batch))
        return LV_OK;
    lv_model *model = model_for(w->workplace, w->job->model, parameters);
    if (!model || !lv_model_revalue(model, w->job->model, parameters))
        return LV_OK;
    const lv_run_request request = request_for(w, model);
    return lv_batch_add_again(w->batch, &w->place, model, &request, &w->tap, err);
}

static lv_status begin_anew(lv_member_work *w, const double *parameters, lv_error *err)
{
    lv_model *model = NULL;
    LV_TRY(read_member(&model, w->job->model, parameters, err));
    const lv_run_request request = request_for(w, model);
    return lv_batch_add(w->batch, &w->place, model, &request, &w->tap, err);
}

static lv_status carry_out(lv_member_work *w, int number, double *parameters)
{
    const lv_member_job *job = w->job;
    lv_result *result = w->result;
    lv_status status =
        lv_model_member_values(job->model, parameters, number, &result->error);
    lv_table_begin_row(job->table, result->row, number, parameters);
    if (status == LV_OK)
        status = begin_again(w, parameters, &result->error);
    if (status == LV_OK && w->place < 0)
        status = begin_anew(w, parameters, &result->error);
    return status;
}

/* Gives a result the messages of its member, if there are any; `place` is that of the
 * first one. */
static lv_status take_messages(lv_result *result, int number, const char *place)
{
    const char *at = place;
    lv_message m;
    size_t count = 0;
    while (lv_messages_next(&at, number, &m))
        count++;
    result->warnings = lv_arena_alloc(&result->arena, count, sizeof *result->warnings);
    while (result->warnings && lv_messages_next(&place, number, &m)) {
        char *text = lv_arena_text(&result->arena, m.text, m.length);
        if (!text)
            return lv_fail_memory(&result->error);
        if (m.failure)
            snprintf(result->error.text, sizeof result->error.text, "%s", text);
        else
            result->warnings[result->warning_count++] = text;
    }
    return result->warnings ? LV_OK : lv_fail_memory(&result->error);
}

/* Fills the result of a member that is already known from a file. */
static lv_status take_over(const lv_recall *recall, lv_result *result, int number)
{
    const double *row = lv_recall_row(recall, number);
    memcpy(result->row, row, (size_t)recall->width * sizeof *row);
    result->recalled = !recall->whole;
    result->error.code = (lv_status)row[recall->status];
    if (recall->messages)
        LV_TRY(take_messages(result, number, recall->messages[number]));
    return result->error.code;
}

/* Fills the result of a member that another process has computed. */
static lv_status take_fetched(const lv_member_job *job, lv_result *result,
                              const lv_member *m)
{
    const int width = job->table->labels.count;
    if (m->column_count != width || !m->values)
        return lv_fail(&result->error, LV_ERR_USAGE,
                       "a member with %d columns in a sweep with %d", m->column_count,
                       width);
    memcpy(result->row, m->values, (size_t)width * sizeof *m->values);
    LV_TRY(keep_warnings(result, m->warnings, m->warning_count, &result->error));
    if (job->series && m->status == LV_OK)
        LV_TRY(lv_samples_take(&result->samples, job->series, m->samples, m->sample_count,
                               &result->error));
    if (m->error)
        result->error = *m->error;
    return m->status;
}

/* Whether a member is known from an earlier sweep or comes from another process; then
 * fills its result. */
static bool is_known(const lv_member_job *job, lv_result *result, int number)
{
    const lv_sweep_elsewhere *elsewhere = job->elsewhere;
    lv_member member = {.number = number};
    if (lv_recall_row(job->recall, number)) {
        result->status = take_over(job->recall, result, number);
        return true;
    }
    if (!elsewhere || !elsewhere->fetch)
        return false;
    const lv_sweep_fetched fetched = elsewhere->fetch(elsewhere->user, number, &member);
    result->interrupted = fetched == LV_SWEEP_STOP;
    if (fetched == LV_SWEEP_FETCHED)
        result->status = take_fetched(job, result, &member);
    return fetched != LV_SWEEP_RUN_HERE;
}

static lv_result *make_result(const lv_member_job *job)
{
    const size_t width = (size_t)job->table->labels.count;
    lv_result *result = lv_memory_zeroed(1, sizeof *result + width * sizeof *result->row);
    if (result)
        lv_error_clear(&result->error);
    return result;
}

lv_result *lv_member_recall(const lv_member_job *job, int number)
{
    lv_result *result = make_result(job);
    if (result)
        result->status = take_over(job->recall, result, number);
    return result;
}

/* Storage for parameters, NaN until they are known. */
static double *make_parameters(const lv_member_job *job)
{
    const size_t count = (size_t)job->model->parameter_values.count + 1;
    double *parameters = lv_memory_zeroed(count, sizeof *parameters);
    for (size_t k = 0; parameters && k < count; k++)
        parameters[k] = NAN;
    return parameters;
}

lv_member_work *lv_member_begin(const lv_member_job *job, int number,
                                lv_workplace *workplace)
{
    lv_member_work *w = lv_memory_zeroed(1, sizeof *w);
    lv_result *result = make_result(job);
    double *parameters = make_parameters(job);
    if (!w || !result || !parameters) {
        lv_memory_free(w);
        lv_memory_free(result);
        lv_memory_free(parameters);
        return NULL;
    }
    *w = (lv_member_work){.job = job,
                          .result = result,
                          .workplace = workplace,
                          .batch = &workplace->batch,
                          .place = -1};
    w->runs = !is_known(job, result, number);
    if (w->runs)
        result->status = carry_out(w, number, parameters);
    lv_memory_free(parameters);
    return w;
}

bool lv_member_is_over(const lv_member_work *w)
{
    return w->place < 0 || lv_batch_is_over(w->batch, w->place);
}

double lv_member_share(const lv_member_work *w)
{
    return w->place < 0 ? 0 : lv_batch_share(w->batch, w->place);
}

static lv_status end_run(lv_member_work *w)
{
    lv_result *result = w->result;
    lv_run_summary *run = NULL;
    lv_status status = lv_batch_remove(w->batch, w->place, &run, &result->error);
    lv_table_add_run(w->job->table, result->row, run);
    result->interrupted = run->interrupted;
    lv_status kept = keep_warnings(result, run->warnings, run->warning_count,
                                   status == LV_OK ? &result->error : NULL);
    lv_run_summary_free(run);
    return status == LV_OK ? kept : status;
}

static bool is_starved(const lv_result *result)
{
    return result->status == LV_ERR_MEMORY ||
           (result->status == LV_ERR_LIMIT && result->error.why == LV_WHY_BUDGET);
}

lv_result *lv_member_end(lv_member_work *w)
{
    lv_result *result = w->result;
    if (w->place >= 0)
        result->status = end_run(w);
    (void)lv_budget_settle(&result->status, &result->error);
    if (result->status != LV_OK)
        lv_table_fail_row(w->job->table, result->row, result->status);
    result->starved = w->runs && is_starved(result);
    lv_memory_free(w);
    return result;
}

void lv_result_free(lv_result *result)
{
    if (!result)
        return;
    lv_samples_done(&result->samples);
    lv_arena_done(&result->arena);
    lv_memory_free(result);
}
