#include "study/ensemble_private.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/footprint.h"
#include "run/feed.h"
#include "run/record.h"
#include "run/run.h"
#include "study/description.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Limit in bytes on the memory of results that wait until they are due. */
static const size_t waiting_most = (size_t)256 << 20;

static bool is_part(const lv_ensemble *e)
{
    return e->request.parts > 0;
}

bool lv_ensemble_is_chosen_for(const lv_ensemble *e)
{
    return e->request.elsewhere && e->request.elsewhere->choose;
}

int lv_ensemble_number(const lv_ensemble *e, int k)
{
    if (lv_ensemble_is_chosen_for(e))
        return e->chosen[k % e->window];
    return lv_part_member(e->request.part, e->request.parts, k);
}

/* ---- reports, under the lock ------------------------------------------------------- */

static void interrupt(lv_ensemble *e)
{
    e->view.interrupted = true;
    e->stop = true;
}

void lv_ensemble_show_progress(lv_ensemble *e)
{
    double work = e->digest.done - e->view.recalled;
    const int all = e->view.members - e->recall.count;
    for (int k = 0; k < e->workers; k++)
        work += e->shares[k];
    const lv_sweep_progress progress = {e->digest.done, e->digest.failed, e->view.members,
                                        all > 0 ? work / all : 1,
                                        lv_clock_seconds() - e->began};
    if (e->request.progress && !e->request.progress(e->request.user, &progress))
        interrupt(e);
}

/* Writes a row to all sinks. The HDF5 file has had recalled rows from its beginning, so
 * that a row that is computed now may stand behind those of later members. */
static lv_status write_row(lv_ensemble *e, const lv_result *result, lv_error *err)
{
    size_t width = (size_t)e->table.labels.count;
    memcpy(e->table.row, result->row, width * sizeof *e->table.row);
    snprintf(e->table.message, sizeof e->table.message, "%s",
             result->status == LV_OK ? "" : result->error.text);
    for (int k = 0; k < e->sink_count; k++)
        if (!(result->recalled && e->sinks[k] == e->store))
            LV_TRY(e->sinks[k]->row(e->sinks[k], err));
    if (e->request.resume && !result->recalled && e->view.recalled < e->recall.count)
        e->unsorted = true;
    if (lv_clock_seconds() - e->flushed < e->request.flush_seconds)
        return LV_OK;
    e->flushed = lv_clock_seconds();
    for (int k = 0; k < e->sink_count; k++)
        if (e->sinks[k]->flush)
            LV_TRY(e->sinks[k]->flush(e->sinks[k], NULL, err));
    return LV_OK;
}

static lv_status report(lv_ensemble *e, int number, const lv_result *result,
                        lv_error *err)
{
    const lv_member member = {.number = number,
                              .status = result->status,
                              .error = result->status == LV_OK ? NULL : &result->error,
                              .column_count = e->table.labels.count,
                              .columns = e->table.labels.data,
                              .values = result->row,
                              .warning_count = result->warning_count,
                              .warnings = result->warnings,
                              .sample_count = result->samples.data.count,
                              .samples = result->samples.data.data};
    LV_TRY(lv_digest_add(&e->digest, &e->table, number, result, err));
    if (is_part(e))
        lv_messages_add(&e->messages, number,
                        result->status == LV_OK ? NULL : result->error.text,
                        result->warnings, result->warning_count);
    e->view.recalled += result->recalled ? 1 : 0;
    LV_TRY(write_row(e, result, err));
    if (e->job.series && result->status == LV_OK && !lv_ensemble_is_chosen_for(e))
        LV_TRY(lv_series_add(&e->series, &result->samples, err));
    if (e->request.member && !e->request.member(e->request.user, &member)) {
        interrupt(e);
        e->enough = true;
    }
    return LV_OK;
}

static lv_result **place_of(lv_ensemble *e, int k)
{
    return &e->waiting[k % e->window];
}

/* Reports the result of the k-th member, if one is waiting, and frees it. */
static void report_waiting(lv_ensemble *e, int k)
{
    lv_result *result = *place_of(e, k);
    *place_of(e, k) = NULL;
    if (result && e->status == LV_OK && !e->enough) {
        e->status = report(e, lv_ensemble_number(e, k), result, &e->error);
        (void)lv_budget_settle(&e->status, &e->error);
        e->stop = e->stop || e->status != LV_OK;
    }
    lv_result_free(result);
}

void lv_ensemble_hand_in(lv_ensemble *e, int k, lv_result *result)
{
    if (!result) {
        e->status = e->status == LV_OK ? lv_fail_memory(&e->error) : e->status;
        (void)lv_budget_settle(&e->status, &e->error);
        e->stop = true;
        return;
    }
    if (result->interrupted) {
        if (e->status == LV_OK)
            interrupt(e);
        lv_result_free(result);
        return;
    }
    *place_of(e, k) = result;
    while (e->due < e->next && *place_of(e, e->due)) {
        report_waiting(e, e->due);
        e->due++;
    }
    lv_ensemble_show_progress(e);
}

/* ---- beginning --------------------------------------------------------------------- */

/* Makes the columns, from a simulation of the model that takes no steps. */
static lv_status make_columns(lv_ensemble *e, const lv_model *like, lv_error *err)
{
    lv_sim *sim = NULL;
    lv_arena arena = {0};
    lv_monitor monitor;
    lv_recorder recorder = {0};
    lv_run_request request = lv_run_request_default(like);
    const lv_sweep_request *wanted = &e->request;
    lv_run_request_change(&request, &wanted->changes);
    /* Only the ends of runs matter. */
    if (!e->wants_series)
        request.sample = 0;
    lv_status status = lv_run_request_check(&request, like, err);
    if (status == LV_OK)
        status = lv_sim_create(&sim, like, &request.sim, err);
    if (status == LV_OK)
        status = lv_monitor_init(&monitor, sim, &arena, err);
    if (status == LV_OK)
        status = lv_recorder_init(&recorder, sim, &monitor, &arena, err);
    if (status == LV_OK)
        status = lv_table_init(&e->table, e->model, sim, &recorder.channels, err);
    if (status == LV_OK && e->wants_series)
        status = lv_series_init(&e->series, &recorder.channels, wanted->channels,
                                wanted->channel_count, err);
    if (status == LV_OK) {
        e->view.scheme = sim->scheme->info.name;
        e->view.order = sim->order;
        e->view.options = sim->options;
    }
    lv_status closed = lv_recorder_done(&recorder, NULL); /* no sinks */
    lv_sim_free(sim);
    lv_arena_done(&arena);
    return status == LV_OK ? closed : status;
}

/* Makes the columns from the model or, since it may have no consistent start itself,
 * from its first member. */
static lv_status choose_columns(lv_ensemble *e, lv_error *err)
{
    lv_model *first = NULL;
    lv_status status = make_columns(e, e->model, err);
    if (status != LV_ERR_MODEL && status != LV_ERR_DOMAIN && status != LV_ERR_NUMERIC)
        return status;
    lv_table_done(&e->table);
    lv_series_done(&e->series);
    if (lv_sweep_member(&first, e->model, 0, NULL) == LV_OK &&
        make_columns(e, first, NULL) == LV_OK)
        status = LV_OK;
    lv_model_free(first);
    return status;
}

static lv_status check(lv_ensemble *e, lv_error *err)
{
    if (e->model->sweep.members == 0) {
        lv_status status = lv_model_fail(e->model, err, "the model has no [sweep]");
        lv_error_hint(err, "[sweep] members = 10, and in [sweep.set] what differs: "
                           "livens help model");
        return status;
    }
    if (e->request.resume && !e->request.hdf5)
        return lv_fail(err, LV_ERR_USAGE,
                       "only from an HDF5 file a sweep can be resumed: -o OUT.h5");
    if (e->request.resume && e->wants_series)
        return lv_fail(err, LV_ERR_USAGE,
                       "a series needs all members from their start: it cannot be made "
                       "by a sweep that is resumed");
    if (is_part(e) && !e->request.hdf5)
        return lv_fail(err, LV_ERR_USAGE,
                       "a part of a sweep is kept in an HDF5 file: -o PART.h5");
    if ((is_part(e) || e->request.join) && e->wants_series)
        return lv_fail(err, LV_ERR_USAGE,
                       "a series needs all members from their start: it cannot be made "
                       "of parts");
    return lv_member_check_settings(e->model, &e->arena, err);
}

/* Chooses the window: as many results as fit into the memory for waiting ones, but
 * enough to keep all workers busy. */
static lv_status ensemble_reserve(lv_ensemble *e, lv_error *err)
{
    size_t each = sizeof(lv_result) + (size_t)e->table.labels.count * sizeof(double);
    const lv_run_changes *changes = &e->request.changes;
    double until =
        changes->until > 0 || changes->ends ? changes->until : e->model->run.until;
    double step =
        e->request.changes.step > 0 ? e->request.changes.step : e->model->run.step;
    int every = e->request.changes.every > 0 ? e->request.changes.every
                : e->model->run.every > 0    ? e->model->run.every
                                             : 1;
    if (e->job.series && step > 0)
        each += (size_t)(until / step / every + 2) * (size_t)(e->series.count + 2) *
                sizeof(double);
    size_t most = waiting_most / each,
           least = (size_t)4 * LV_BATCH_RUNS * (size_t)e->view.threads;
    most = most < least ? least : most;
    e->window = most < (size_t)e->view.members ? (int)most : e->view.members;
    e->window = e->window > 0 ? e->window : 1; /* a part may have no members */
    e->waiting = lv_arena_alloc(&e->arena, (size_t)e->window, sizeof(lv_result *));
    e->shares = lv_arena_alloc(&e->arena, LV_ENSEMBLE_THREADS, sizeof *e->shares);
    e->chosen = lv_arena_alloc(&e->arena, (size_t)e->window, sizeof *e->chosen);
    e->again = lv_arena_alloc(&e->arena, (size_t)e->window, sizeof *e->again);
    e->room = LV_BATCH_RUNS * e->view.threads;
    return e->waiting && e->shares && e->chosen && e->again ? LV_OK : lv_fail_memory(err);
}

static lv_status describe(lv_ensemble *e, lv_description *d, const char *messages,
                          lv_error *err)
{
    return lv_description_init(d, e->model, &e->request, e->view.scheme, e->inputs,
                               messages, &e->arena, err);
}

static lv_status write_recalled(lv_sink *sink, const void *user, lv_error *err)
{
    const lv_ensemble *e = user;
    return lv_recall_write(&e->recall, &e->table, sink, err);
}

/* Opens the table in HDF5, after reading what the file has from an earlier sweep. The new
 * file has these rows before it replaces the earlier one: whatever happens to this
 * process, none of them is lost. */
static lv_status open_hdf5(lv_ensemble *e, lv_error *err)
{
    lv_description d;
    LV_TRY(describe(e, &d, NULL, err));
    if (e->request.resume)
        LV_TRY(lv_recall_init(&e->recall, e->request.hdf5, &e->table,
                              e->model->sweep.members, &d.header, err));
    if (e->request.resume) {
        d.header.fill = write_recalled;
        d.header.user = e;
    }
    LV_TRY(lv_hdf5_create(&e->sinks[e->sink_count], e->request.hdf5, &e->table.numbers,
                          &d.header, err));
    e->store = e->sinks[e->sink_count++];
    return LV_OK;
}

static lv_status open_sinks(lv_ensemble *e, lv_error *err)
{
    if (e->request.csv) {
        LV_TRY(
            lv_csv_create(&e->sinks[e->sink_count], e->request.csv, &e->table.all, err));
        e->sink_count++;
    }
    /* These two do not touch their files before the first row; the last one replaces its
     * file. */
    if (e->request.series)
        LV_TRY(lv_series_open(&e->series, e->request.series, err));
    return e->request.hdf5 ? open_hdf5(e, err) : LV_OK;
}

/* Tells the callback which members are still to be computed. */
static lv_status tell_plan(const lv_ensemble *e, lv_error *err)
{
    const lv_sweep_elsewhere *elsewhere = e->request.elsewhere;
    int count = 0;
    if (!elsewhere || !elsewhere->plan)
        return LV_OK;
    int *numbers = lv_memory_zeroed((size_t)e->view.members + 1, sizeof *numbers);
    if (!numbers)
        return lv_fail_memory(err);
    for (int k = 0; k < e->view.members; k++)
        if (!lv_recall_row(&e->recall, lv_ensemble_number(e, k)))
            numbers[count++] = lv_ensemble_number(e, k);
    elsewhere->plan(elsewhere->user, count, numbers);
    lv_memory_free(numbers);
    return LV_OK;
}

/* Reads tables of inputs once; members take them from the text that files keep of
 * them. */
static lv_status take_tables(lv_ensemble *e, lv_error *err)
{
    lv_run_changes *changes = &e->request.changes;
    lv_run_request request = {0};
    lv_feeds feeds;
    lv_input_table *tables = NULL;
    if (e->request.join) {
        e->inputs = lv_hdf5_run_text(&e->request.join->files[0], "inputs");
        return LV_OK;
    }
    lv_run_request_change(&request, changes);
    LV_TRY(lv_feeds_read(&feeds, e->model, &request, &e->arena, err));
    e->inputs = lv_feeds_text(&feeds, &e->arena);
    if (!e->inputs)
        return lv_fail_memory(err);
    LV_TRY(lv_feed_parse(&tables, &changes->table_count, e->inputs, &e->arena, err));
    changes->tables = tables;
    return LV_OK;
}

static lv_status ensemble_start(lv_ensemble *e, lv_error *err)
{
    if (e->request.join) {
        LV_TRY(lv_parts_check_model(e->request.join, e->model, err));
        const char *command =
            lv_hdf5_run_text(&e->request.join->files[0], LV_PART_COMMAND);
        e->request.changes = e->request.join->changes;
        e->request.command = command[0] ? command : NULL;
    }
    e->view.part = e->request.part;
    e->view.parts = e->request.join ? e->request.join->count : e->request.parts;
    e->view.members =
        lv_part_size(e->request.part, e->request.parts, e->model->sweep.members);
    e->count = lv_ensemble_is_chosen_for(e) ? INT_MAX : e->view.members;
    e->view.threads = e->request.threads;
    /* One thread waits for the results of other processes. */
    if (e->request.elsewhere && e->request.elsewhere->fetch)
        e->view.threads = 1;
    if (e->view.threads > e->view.members && e->view.members > 0)
        e->view.threads = e->view.members;
    LV_TRY(check(e, err));
    LV_TRY(choose_columns(e, err));
    LV_TRY(take_tables(e, err));
    LV_TRY(lv_digest_init(&e->digest, &e->table, err));
    e->job = (lv_member_job){e->model,   e->request.changes,
                             &e->table,  e->wants_series ? &e->series : NULL,
                             &e->recall, e->request.elsewhere};
    if (e->request.join)
        LV_TRY(lv_recall_join(&e->recall, e->request.join, &e->table,
                              e->model->sweep.members, err));
    LV_TRY(ensemble_reserve(e, err));
    e->began = e->flushed = lv_clock_seconds();
    /* Call it before files are opened: from here on the caller can end the sweep in good
     * order. */
    lv_ensemble_show_progress(e);
    LV_TRY(open_sinks(e, err));
    LV_TRY(tell_plan(e, err));
    if (pthread_mutex_init(&e->lock, NULL) != 0)
        return lv_fail_memory(err);
    if (pthread_cond_init(&e->moved, NULL) != 0) {
        (void)pthread_mutex_destroy(&e->lock);
        return lv_fail_memory(err);
    }
    e->has_lock = true;
    return LV_OK;
}

lv_status lv_ensemble_create(lv_ensemble **result, const lv_model *model,
                             const lv_sweep_request *request, lv_error *err)
{
    *result = NULL;
    lv_ensemble *e = lv_memory_zeroed(1, sizeof *e);
    if (!e)
        return lv_fail_memory(err);
    e->model = model;
    e->request = *request;
    e->wants_series = request->keep_series || request->series;
    lv_status status = lv_model_settle(model, ensemble_start(e, err), err);
    if (status == LV_OK)
        *result = e;
    else
        lv_ensemble_free(e);
    return status;
}

/* ---- the end ----------------------------------------------------------------------- */

static lv_status close_sinks(lv_ensemble *e, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; k < e->sink_count; k++) {
        lv_status closed = e->sinks[k]->close(e->sinks[k], status == LV_OK ? err : NULL);
        status = status == LV_OK ? closed : status;
    }
    e->sink_count = 0;
    e->store = NULL;
    return status;
}

/* Writes the HDF5 file once more: with the rows in the order of the members, and with
 * these messages, which a complete part has. */
static lv_status rewrite_file(lv_ensemble *e, const char *messages, lv_error *err)
{
    lv_description d;
    LV_TRY(describe(e, &d, messages, err));
    lv_recall_done(&e->recall); /* its rows are in the file, and memory may be short */
    return lv_recall_rewrite(e->request.hdf5, &e->table, &d.header, err);
}

static lv_status seal_part(lv_ensemble *e, lv_error *err)
{
    lv_text messages = {0};
    lv_status status = lv_messages_write(&e->messages, &messages)
                           ? rewrite_file(e, messages.data, err)
                           : lv_fail_memory(err);
    lv_text_done(&messages);
    return status;
}

/* Reports members that were completed when another one was interrupted, and recalled
 * members that no worker has taken. Call it under the lock. */
static void report_rest(lv_ensemble *e)
{
    const int end = e->request.resume ? e->count : e->next;
    for (int k = e->due; k < end; k++) {
        const int number = lv_ensemble_number(e, k);
        if (k >= e->next && lv_recall_row(&e->recall, number))
            *place_of(e, k) = lv_member_recall(&e->job, number);
        report_waiting(e, k);
    }
    e->due = e->next;
}

lv_status lv_ensemble_finish(lv_ensemble *e, lv_error *err)
{
    lv_sweep_summary *view = &e->view;
    lv_ensemble_lock(e);
    report_rest(e);
    lv_ensemble_unlock(e);
    lv_status status = e->status;
    if (status != LV_OK && err)
        *err = e->error;
    lv_status closed = close_sinks(e, status == LV_OK ? err : NULL);
    status = status == LV_OK ? closed : status;
    if (status == LV_OK && is_part(e) && e->digest.done == view->members)
        status = seal_part(e, err);
    else if (status == LV_OK && e->unsorted)
        status = rewrite_file(e, NULL, err);
    closed = status == LV_OK ? lv_series_write(&e->series, err)
                             : lv_series_close(&e->series, NULL);
    status = status == LV_OK ? closed : status;
    if (status == LV_OK && e->request.keep_series) {
        status = lv_series_give(&e->series, &e->given, err);
        view->series = status == LV_OK ? &e->given : NULL;
    }
    lv_digest_finish(&e->digest);
    view->done = e->digest.done;
    view->failed = e->digest.failed;
    view->steps = e->digest.steps;
    view->seconds = lv_clock_seconds() - e->began;
    view->column_count = e->digest.width;
    view->columns = e->digest.columns;
    view->warned = e->digest.warned;
    view->failure_count = e->digest.failures.groups.count;
    view->failures = e->digest.failures.groups.data;
    view->warning_count = e->digest.warnings.groups.count;
    view->warnings = e->digest.warnings.groups.data;
    return status;
}

lv_sweep_summary *lv_ensemble_summary(lv_ensemble *e)
{
    return &e->view;
}

void lv_ensemble_free(lv_ensemble *e)
{
    if (!e)
        return;
    lv_status ignored = close_sinks(e, NULL);
    (void)ignored;
    if (e->has_lock) {
        (void)pthread_cond_destroy(&e->moved);
        (void)pthread_mutex_destroy(&e->lock);
    }
    lv_messages_done(&e->messages);
    lv_digest_done(&e->digest);
    lv_table_done(&e->table);
    lv_series_done(&e->series);
    lv_recall_done(&e->recall);
    lv_arena_done(&e->arena);
    lv_memory_free(e);
}
