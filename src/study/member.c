#include "study/member.h"

#include <livens/sweep.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"
#include "model/model.h"
#include "model/sweep.h"
#include "run/run.h"
#include "study/messages.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the model of a member ------------------------------------------------------------- */

/* "0.5", or "[1, 2, 3]": texts that read back as the same bits. */
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

/* ---- its run --------------------------------------------------------------------------- */

/* Listens to the run: rows for the series, the values at the end. */
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

/* The run takes its texts along when it is freed. */
static lv_status keep_warnings(lv_result *result, const lv_run_summary *run,
                               lv_error *err)
{
    const size_t count = (size_t)run->warning_count;
    if (count == 0)
        return LV_OK;
    result->warnings = lv_arena_alloc(&result->arena, count, sizeof *result->warnings);
    if (!result->warnings)
        return lv_fail_memory(err);
    for (size_t k = 0; k < count; k++) {
        const char *text = run->warnings[k];
        result->warnings[k] = lv_arena_text(&result->arena, text, strlen(text));
        if (!result->warnings[k])
            return lv_fail_memory(err);
        result->warning_count++;
    }
    return LV_OK;
}

static lv_status run_member(const lv_member_job *job, lv_result *result,
                            const lv_model *member,
                            bool (*progress)(void *, const lv_progress *), void *user)
{
    listener l = {.job = job, .result = result};
    const lv_tap tap = {open_listener, &l, .brief = true};
    lv_run_summary *run = NULL;
    lv_run_request request = lv_run_request_default(member);
    lv_run_request_change(&request, &job->changes);
    if (!job->series) { /* the first and the last row only */
        request.every = INT_MAX;
        request.sample = 0;
    }
    request.progress = progress;
    request.user = user;
    lv_status status = lv_run_tapped(&run, member, &request, &tap, &result->error);
    if (run) {
        lv_table_add_run(job->table, result->row, run);
        result->interrupted = run->interrupted;
        lv_status kept =
            keep_warnings(result, run, status == LV_OK ? &result->error : NULL);
        status = status == LV_OK ? kept : status;
    }
    lv_run_summary_free(run);
    return status;
}

static lv_status carry_out(const lv_member_job *job, lv_result *result, int number,
                           double *parameters,
                           bool (*progress)(void *, const lv_progress *), void *user)
{
    lv_model *member = NULL;
    lv_status status =
        lv_model_member_values(job->model, parameters, number, &result->error);
    lv_table_begin_row(job->table, result->row, number, parameters);
    if (status == LV_OK)
        status = read_member(&member, job->model, parameters, &result->error);
    if (status == LV_OK)
        status = run_member(job, result, member, progress, user);
    lv_model_free(member);
    return status;
}

/* Gives a result the messages of its member, the first of which is at this place, if it has any. */
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

/* What is known of a member that need not run. */
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

lv_result *lv_member_run(const lv_member_job *job, int number,
                         bool (*progress)(void *user, const lv_progress *progress),
                         void *user)
{
    size_t width = (size_t)job->table->labels.count;
    size_t count = (size_t)job->model->parameter_values.count + 1;
    lv_result *result = lv_memory_zeroed(1, sizeof *result + width * sizeof *result->row);
    double *parameters = lv_memory_zeroed(count, sizeof *parameters);
    if (!result || !parameters) {
        lv_memory_free(result);
        lv_memory_free(parameters);
        return NULL;
    }
    lv_error_clear(&result->error);
    for (size_t k = 0; k < count; k++)
        parameters[k] = NAN; /* until they are known */
    if (lv_recall_row(job->recall, number))
        result->status = take_over(job->recall, result, number);
    else
        result->status = carry_out(job, result, number, parameters, progress, user);
    (void)lv_budget_settle(&result->status, &result->error);
    if (result->status != LV_OK)
        lv_table_fail_row(job->table, result->row, result->status);
    lv_memory_free(parameters);
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
