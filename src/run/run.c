#include "model/footprint.h"
#include "run/run_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/usage.h"
#include "run/verdict.h"

#include <limits.h>
#include <math.h>

static lv_status flush(lv_running *r, lv_error *err)
{
    if (r->recorder.sink_count == 0)
        return LV_OK;
    lv_run_checkpoint_write(r);
    const lv_checkpoint checkpoint = {r->checkpoint, r->checkpoint_size, r->unfinished};
    r->flushed = lv_clock_seconds();
    return lv_recorder_flush(&r->recorder, &checkpoint, err);
}

/* ---- the loop ---------------------------------------------------------------------- */

static bool keep_going(lv_running *r, double now)
{
    const lv_progress p = {r->sim->state.t, r->request.until, r->done, r->total,
                           now - r->began};
    return !r->request.progress || r->request.progress(r->request.user, &p);
}

static lv_status show_row(lv_running *r, const lv_state *state)
{
    if (!r->request.at_row)
        return LV_OK;
    const lv_row_state row = {.t = state->t, .q = state->q, .v = state->v, .p = state->p};
    if (!r->request.at_row(r->request.user, &row))
        r->view.interrupted = true;
    return LV_OK;
}

static lv_status row_of_node(lv_running *r, lv_error *err)
{
    LV_TRY(lv_recorder_row(&r->recorder, err));
    return show_row(r, &r->sim->state);
}

static lv_status row_between(lv_running *r, double t, lv_error *err)
{
    LV_TRY(lv_recorder_sample(&r->recorder, t, err));
    return show_row(r, &r->recorder.row);
}

/* Records rows at the multiples of the sampling time within the last step, and at the
 * end of the run if `last`. */
static lv_status sample_step(lv_running *r, bool last, lv_error *err)
{
    const double dt = r->request.sample, slack = 1e-9;
    double end = r->sim->state.t;
    const long long first = (long long)floor(r->sim->before.t / dt + slack) + 1;
    const long long past = (long long)floor(end / dt + slack) + 1;
    for (long long k = first; k < past; k++) {
        double t = (double)k * dt;
        bool node = fabs(t - end) <= slack * dt;
        LV_TRY(node ? row_of_node(r, err) : row_between(r, t, err));
        last = last && !node;
    }
    return last ? row_of_node(r, err) : LV_OK;
}

/* Ends a step just before an event as usual, except that its row, if one is recorded at
 * all, is written after the event. */
static lv_status before_event(void *user, lv_error *err)
{
    lv_running *r = user;
    lv_monitor_look(&r->monitor, false);
    return r->request.sample > 0 ? sample_step(r, false, err) : LV_OK;
}

static lv_status after_event(void *user, const lv_event *event, lv_error *err)
{
    lv_running *r = user;
    if (lv_event_acts(event))
        lv_monitor_jump(&r->monitor);
    /* If the event ends the run, the step writes the row. */
    return event->record && lv_sim_stopped(r->sim) < 0 ? row_of_node(r, err) : LV_OK;
}

/* Whether a row is due after this step. Divisions are slow, so the next due step is
 * stored. */
static bool is_row_due(lv_running *r)
{
    const long long every = r->request.every;
    if (r->done < r->next_row)
        return false;
    const long long beyond = every > 1 ? r->done % every : 0;
    r->next_row = r->done - beyond + every;
    return beyond == 0;
}

/* Fails if the energy is not finite at a step that the monitor has examined. */
static lv_status check_energy(lv_running *r, lv_error *err)
{
    if (isfinite(r->monitor.now.energy))
        return LV_OK;
    r->done -= r->monitor.overshot;
    return lv_verdict_not_finite(&r->monitor, err);
}

lv_status lv_run_look(lv_running *r, lv_error *err)
{
    const bool last = r->done == r->total || lv_sim_stopped(r->sim) >= 0;
    const bool row = r->request.sample > 0 || is_row_due(r) || last;
    if (!row) {
        lv_monitor_look_later(&r->monitor);
        return check_energy(r, err);
    }
    lv_monitor_look(&r->monitor, false);
    LV_TRY(check_energy(r, err));
    return r->request.sample > 0 ? sample_step(r, last, err) : row_of_node(r, err);
}

lv_status lv_run_step(lv_running *r, lv_error *err)
{
    const bool last = r->done + 1 == r->total;
    if (r->feeds.count > 0)
        LV_TRY(lv_feeds_apply(&r->feeds, r->sim, last ? r->last : r->sim->h, err));
    if (r->request.before_step && !r->request.before_step(r->request.user, r->sim)) {
        r->view.interrupted = true;
        return LV_OK;
    }
    const long long rows = r->recorder.rows;
    const lv_status status = last && r->last != r->sim->h
                                 ? lv_sim_advance(r->sim, r->request.until, err)
                                 : lv_sim_step(r->sim, err);
    if (status != LV_OK) {
        r->unfinished = r->recorder.rows - rows;
        return status;
    }
    r->done++;
    return lv_run_look(r, err);
}

/* Reads the clock only now and then, since steps may be very short. */
static lv_status loop(lv_running *r, lv_error *err)
{
    long long until_check = 1, interval = 1;
    double before = lv_clock_seconds();
    while (r->done < r->total && !r->view.interrupted && lv_sim_stopped(r->sim) < 0) {
        LV_TRY(lv_run_step(r, err));
        if (--until_check > 0)
            continue;
        double now = lv_clock_seconds();
        if (now - before < 0.01 && interval < (1LL << 40))
            interval *= 2;
        else if (now - before > 0.1 && interval > 1)
            interval /= 2;
        until_check = interval;
        before = now;
        if (!keep_going(r, now)) {
            r->view.interrupted = true;
            break;
        }
        if (now - r->flushed >= r->request.flush_seconds) {
            lv_monitor_settle(&r->monitor);
            LV_TRY(check_energy(r, err));
            LV_TRY(flush(r, err));
        }
    }
    return LV_OK;
}

/* ---- beginning and end ------------------------------------------------------------- */

lv_status lv_run_check_total(const lv_running *r, lv_error *err)
{
    return r->total < LV_SIM_STEPS
               ? LV_OK
               : lv_fail(err, LV_ERR_LIMIT,
                         "a run has at most %g steps; this step size is too "
                         "small for its end",
                         (double)LV_SIM_STEPS);
}

lv_status lv_run_prepare(lv_running *r, lv_error *err)
{
    LV_TRY(lv_run_request_check(&r->request, r->model, err));
    LV_TRY(lv_feeds_read(&r->feeds, r->model, &r->request, &r->arena, err));
    r->request.sim.dense = r->request.sample > 0;
    if (!r->sim)
        LV_TRY((r->renewable ? lv_sim_create_renewable
                             : lv_sim_create)(&r->sim, r->model, &r->request.sim, err));
    r->sim->is_run = true;
    r->notes.arena = &r->arena;
    LV_TRY(lv_notes_options(&r->notes, r->sim, &r->request.sim.options, err));
    r->request.sim.options = r->sim->options;
    r->total = lv_sim_plan_steps(0, r->request.until, r->sim->h, &r->last);
    LV_TRY(lv_run_check_total(r, err));
    r->sim->events.watch = (lv_event_watch){r, before_event, after_event};
    LV_TRY(lv_monitor_init(&r->monitor, r->sim, &r->arena, err));
    LV_TRY(lv_monitor_hasten(&r->monitor, err));
    LV_TRY(lv_recorder_init(&r->recorder, r->sim, &r->monitor, &r->arena, err));
    r->recorder.watched = r->request.at_row != NULL;
    LV_TRY(lv_recorder_choose(&r->recorder, r->request.channels, r->request.channel_count,
                              &r->arena, err));
    r->checkpoint_size = lv_run_checkpoint_size(r);
    r->checkpoint =
        lv_arena_alloc(&r->arena, (size_t)r->checkpoint_size, sizeof *r->checkpoint);
    if (!r->checkpoint)
        return lv_fail_memory(err);
    /* Redundancy is judged at the start, also in a resumed run. */
    LV_TRY(lv_notes_redundancy(&r->notes, r->sim, err));
    LV_TRY(lv_notes_nearly(&r->notes, r->sim, err));
    return r->tap && r->tap->brief
               ? LV_OK
               : lv_notes_momenta(&r->notes, r->sim, &r->request.sim.options, err);
}

static lv_status open_sinks(lv_running *r, lv_error *err)
{
    lv_recorder *rec = &r->recorder;
    if (r->tap) {
        LV_TRY(r->tap->open(r->tap->user, &rec->sinks[rec->sink_count], &rec->channels,
                            err));
        rec->sink_count++;
    }
    if (r->request.csv) {
        LV_TRY(lv_csv_create(&rec->sinks[rec->sink_count], r->request.csv,
                             &rec->recorded.channels, err));
        rec->sink_count++;
    }
    if (r->request.hdf5) {
        lv_header header;
        LV_TRY(lv_run_header(r, &header, err));
        LV_TRY(lv_hdf5_create(&rec->sinks[rec->sink_count], r->request.hdf5,
                              &rec->recorded.channels, &header, err));
        rec->sink_count++;
    }
    if (r->request.keep_rows) {
        LV_TRY(lv_row_store_open(&r->store, &rec->sinks[rec->sink_count],
                                 &rec->recorded.channels, err));
        rec->sink_count++;
    }
    return LV_OK;
}

lv_status lv_run_conclude(lv_running *r, lv_status status, lv_error *err)
{
    lv_error *later = status == LV_OK ? err : NULL;
    lv_monitor_settle(&r->monitor);
    lv_status saved = flush(r, later);
    status = status == LV_OK ? saved : status;
    lv_status noted = lv_run_note_outputs(r, status == LV_OK ? err : NULL);
    status = status == LV_OK ? noted : status;
    lv_status closed = lv_recorder_done(&r->recorder, status == LV_OK ? err : NULL);
    status = status == LV_OK ? closed : status;
    r->view.status = status;
    lv_status summarised = lv_run_summarise(r, status == LV_OK ? err : NULL);
    return status == LV_OK ? summarised : status;
}

/* Steps that nobody sees one by one are examined several at a time, unless something may
 * change between them. */
static lv_status look_rarely(lv_running *r, lv_error *err)
{
    if (lv_recorder_listens(&r->recorder) || r->request.sample > 0)
        return LV_OK;
    r->next_row = LLONG_MAX;
    return r->request.before_step || r->feeds.count > 0 || r->sim->events.count > 0
               ? LV_OK
               : lv_monitor_look_in_lanes(&r->monitor, r->total - r->done, &r->arena,
                                          err);
}

static lv_status loop_and_look(lv_running *r, lv_error *err)
{
    LV_TRY(look_rarely(r, err));
    const lv_status status = loop(r, err);
    if (r->monitor.waiting.count == 0)
        return status;
    lv_monitor_settle(&r->monitor);
    const lv_status energy = check_energy(r, err);
    if (energy == LV_OK)
        return status;
    r->view.interrupted = false; /* it had ended before */
    return energy;
}

lv_status lv_run_carry_out(lv_running *r, lv_error *err)
{
    return lv_run_conclude(r, loop_and_look(r, err), err);
}

static lv_status run_begin(lv_running *r, lv_error *err)
{
    LV_TRY(lv_run_prepare(r, err));
    LV_TRY(open_sinks(r, err));
    r->began = r->flushed = lv_clock_seconds();
    LV_TRY(lv_feeds_apply(&r->feeds, r->sim, r->total == 1 ? r->last : r->sim->h, err));
    lv_monitor_look(&r->monitor, true);
    LV_TRY(row_of_node(r, err));
    /* Flush now, so that a run that is killed at once can be resumed as well. */
    return flush(r, err);
}

lv_running *lv_run_new(lv_error *err)
{
    lv_running *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        lv_fail_memory(err);
    return r;
}

lv_status lv_run(lv_run_summary **summary, const lv_model *model,
                 const lv_run_request *request, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, summary);
    *summary = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED(err, request->sim.scheme);
    return lv_run_tapped(summary, model, request, NULL, err);
}

static lv_status begin(lv_running **result, const lv_model *model, lv_sim *used,
                       bool renewable, const lv_run_request *request, const lv_tap *tap,
                       lv_error *err)
{
    *result = NULL;
    lv_running *r = lv_run_new(err);
    if (!r) {
        lv_sim_free(used);
        return LV_ERR_MEMORY;
    }
    r->model = model;
    r->sim = used;
    r->renewable = renewable;
    r->request = *request;
    r->tap = tap;
    lv_status status = lv_model_settle(model, run_begin(r, err), err);
    if (status == LV_OK)
        *result = r;
    else
        lv_run_summary_free(&r->view);
    return status;
}

lv_status lv_run_begin(lv_running **run, const lv_model *model,
                       const lv_run_request *request, const lv_tap *tap, lv_error *err)
{
    return begin(run, model, NULL, false, request, tap, err);
}

lv_status lv_run_begin_with(lv_running **run, const lv_model *model, lv_sim *used,
                            const lv_run_request *request, const lv_tap *tap,
                            lv_error *err)
{
    return begin(run, model, used, true, request, tap, err);
}

lv_status lv_run_tapped(lv_run_summary **summary, const lv_model *model,
                        const lv_run_request *request, const lv_tap *tap, lv_error *err)
{
    lv_running *r = NULL;
    *summary = NULL;
    LV_TRY(lv_run_begin(&r, model, request, tap, err));
    lv_status status = lv_model_settle(model, lv_run_carry_out(r, err), err);
    r->view.status = status;
    *summary = &r->view;
    return status;
}

void lv_run_summary_free(lv_run_summary *view)
{
    lv_running *r = (lv_running *)view;
    if (!r)
        return;
    lv_status ignored = lv_recorder_done(&r->recorder, NULL);
    (void)ignored;
    lv_sim_free(r->sim);
    lv_row_store_done(&r->store);
    lv_arena_done(&r->arena);
    lv_memory_free(r);
}
