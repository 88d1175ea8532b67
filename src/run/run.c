#include "run/run.h"

#include "base/memory.h"
#include "base/text.h"
#include "run/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

lv_run_request lv_run_request_default(const lv_model *model)
{
    return (lv_run_request){.sim = lv_sim_options_default(model),
                            .until = model->run.until,
                            .every = model->run.every > 0 ? model->run.every : 1,
                            .sample = model->run.sample,
                            .flush_seconds = 1};
}

void lv_run_request_change(lv_run_request *request, const lv_run_changes *changes)
{
    lv_sim_options *sim = &request->sim;
    if (changes->scheme && strcmp(changes->scheme, sim->scheme) != 0)
        sim->options = (lv_scheme_options){0};
    if (changes->scheme)
        sim->scheme = changes->scheme;
    for (int k = 0; k < LV_OPTIONS; k++)
        if (lv_scheme_option_given(&changes->options, (lv_option)k))
            lv_scheme_option_set(&sim->options, (lv_option)k, changes->options.value[k]);
    if (changes->initial)
        sim->initial = *changes->initial;
    if (changes->step != 0)
        sim->step = changes->step;
    if (changes->until != 0)
        request->until = changes->until;
    if (changes->every != 0) {
        request->every = changes->every;
        request->sample = 0;
    }
    if (changes->sample != 0)
        request->sample = changes->sample;
}

/* A run and its summary; the caller's view is the first member. */
typedef struct run {
    lv_run_summary view;
    lv_arena arena;
    const lv_model *model;
    lv_run_request request;
    const lv_tap *tap;
    lv_sim *sim;
    lv_monitor monitor;
    lv_recorder recorder;
    double began, flushed; /* seconds */
    long long done, total; /* steps */
    double last;           /* size of the last step */
    double *checkpoint;
    int checkpoint_size;
    const char *warnings[8];
} run;

static double seconds_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* In this order: steps done, rows, start time and steps of the simulation, t, q, v, p, the
 * scheme's memory, the monitor. */
enum { CHECKPOINT_HEAD = 5 };

/* The pieces behind the head, in order. */
typedef struct piece {
    double *numbers;
    size_t count;
} piece;

enum { PIECES = 5 };

static void checkpoint_pieces(const run *r, piece pieces[PIECES])
{
    const lv_state *s = &r->sim->state;
    const size_t n = (size_t)r->sim->system->n;
    lv_memory_view memory = r->sim->scheme->memory(r->sim->work);
    pieces[0] = (piece){s->q, n};
    pieces[1] = (piece){s->v, n};
    pieces[2] = (piece){s->p, n};
    pieces[3] = (piece){memory.numbers, (size_t)memory.count};
    pieces[4] = (piece){r->monitor.numbers, (size_t)r->monitor.count};
}

static void checkpoint_write(run *r)
{
    const double head[CHECKPOINT_HEAD] = {(double)r->done, (double)r->recorder.rows,
                                          r->sim->start_time, (double)r->sim->steps,
                                          r->sim->state.t};
    piece pieces[PIECES];
    double *to = r->checkpoint + CHECKPOINT_HEAD;
    memcpy(r->checkpoint, head, sizeof head);
    checkpoint_pieces(r, pieces);
    for (int k = 0; k < PIECES; to += pieces[k++].count)
        memcpy(to, pieces[k].numbers, pieces[k].count * sizeof *to);
}

static void checkpoint_read(run *r, const double *from)
{
    piece pieces[PIECES];
    r->sim->scheme->forget(r->sim->work);
    r->done = (long long)from[0];
    r->recorder.rows = (long long)from[1];
    r->sim->start_time = from[2];
    r->sim->steps = (long long)from[3];
    r->sim->state.t = from[4];
    checkpoint_pieces(r, pieces);
    from += CHECKPOINT_HEAD;
    for (int k = 0; k < PIECES; from += pieces[k++].count)
        memcpy(pieces[k].numbers, from, pieces[k].count * sizeof *from);
}

static lv_status flush(run *r, lv_error *err)
{
    if (r->recorder.sink_count == 0)
        return LV_OK;
    checkpoint_write(r);
    const lv_checkpoint checkpoint = {r->checkpoint, r->checkpoint_size};
    r->flushed = seconds_now();
    return lv_recorder_flush(&r->recorder, &checkpoint, err);
}

/* ---- the loop ---------------------------------------------------------------------------------- */

static bool keep_going(run *r, double now)
{
    const lv_progress p = {r->sim->state.t, r->request.until, r->done, r->total,
                           now - r->began};
    return !r->request.progress || r->request.progress(r->request.user, &p);
}

/* Rows at the multiples of the sampling time within the last step, and of the end of the run. */
static lv_status sample_step(run *r, bool last, lv_error *err)
{
    const double dt = r->request.sample, slack = 1e-9;
    double end = r->sim->state.t;
    const long long first = (long long)floor(r->sim->before.t / dt + slack) + 1;
    const long long past = (long long)floor(end / dt + slack) + 1;
    for (long long k = first; k < past; k++) {
        double t = (double)k * dt;
        bool node = fabs(t - end) <= slack * dt;
        LV_TRY(node ? lv_recorder_row(&r->recorder, err)
                    : lv_recorder_sample(&r->recorder, t, err));
        last = last && !node;
    }
    return last ? lv_recorder_row(&r->recorder, err) : LV_OK;
}

static lv_status one_step(run *r, lv_error *err)
{
    bool last = r->done + 1 == r->total;
    LV_TRY(last && r->last != r->sim->h ? lv_sim_advance(r->sim, r->request.until, err)
                                        : lv_sim_step(r->sim, err));
    r->done++;
    lv_monitor_look(&r->monitor, false);
    if (!isfinite(r->monitor.now.energy))
        return lv_fail(err, LV_ERR_NUMERIC, "the energy is no longer finite at t = %.6g",
                       r->sim->state.t);
    if (r->request.sample > 0)
        return sample_step(r, last, err);
    if (r->done % r->request.every == 0 || last)
        LV_TRY(lv_recorder_row(&r->recorder, err));
    return LV_OK;
}

/* Looks at the clock now and then; steps may be very short. */
static lv_status loop(run *r, lv_error *err)
{
    long long until_check = 1, interval = 1;
    double before = seconds_now();
    while (r->done < r->total) {
        LV_TRY(one_step(r, err));
        if (--until_check > 0)
            continue;
        double now = seconds_now();
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
        if (now - r->flushed >= r->request.flush_seconds)
            LV_TRY(flush(r, err));
    }
    return LV_OK;
}

/* ---- beginning ------------------------------------------------------------------------------------ */

lv_status lv_run_request_check(const lv_run_request *request, lv_error *err)
{
    lv_status status = LV_OK;
    if (!(request->until > 0) || !isfinite(request->until)) {
        status =
            request->until == 0
                ? lv_fail(err, LV_ERR_MODEL, "no end of the run is given")
                : lv_fail(err, LV_ERR_MODEL,
                          "the run must end at a positive time, not %g", request->until);
        lv_error_hint(err, "--until 10, or until = 10 in [run]");
    } else if (request->every < 1) {
        status =
            lv_fail(err, LV_ERR_MODEL, "rows are recorded every 1 or more steps, not %d",
                    request->every);
    } else if (!(request->sample >= 0) || !isfinite(request->sample)) {
        status =
            lv_fail(err, LV_ERR_MODEL,
                    "the time between samples must be positive, not %g", request->sample);
    }
    return status;
}

static lv_status check_total(const run *r, lv_error *err)
{
    return r->total < LV_SIM_STEPS
               ? LV_OK
               : lv_fail(err, LV_ERR_LIMIT,
                         "a run has at most %g steps; this step size is too "
                         "small for its end",
                         (double)LV_SIM_STEPS);
}

static lv_status make_sim(run *r, lv_error *err)
{
    LV_TRY(lv_run_request_check(&r->request, err));
    r->request.sim.dense = r->request.sample > 0;
    LV_TRY(lv_sim_create(&r->sim, r->model, &r->request.sim, err));
    r->total = lv_sim_plan_steps(0, r->request.until, r->sim->h, &r->last);
    LV_TRY(check_total(r, err));
    LV_TRY(lv_monitor_init(&r->monitor, r->sim, &r->arena, err));
    LV_TRY(lv_recorder_init(&r->recorder, r->sim, &r->monitor, &r->arena, err));
    r->checkpoint_size = CHECKPOINT_HEAD + 3 * r->sim->system->n +
                         r->sim->scheme->memory(r->sim->work).count + r->monitor.count;
    r->checkpoint =
        lv_arena_alloc(&r->arena, (size_t)r->checkpoint_size, sizeof *r->checkpoint);
    return r->checkpoint ? LV_OK : lv_fail_memory(err);
}

/* Texts that a resumed run needs; numbers with all their digits. The options of the scheme
 * stand there by name if they were given. */
enum { HEADER_TEXTS = 11 + LV_OPTIONS };

static lv_status add_text(run *r, lv_header *header, lv_text_entry *entries,
                          const char *name, const char *text, lv_error *err)
{
    char *copy = lv_arena_text(&r->arena, text, strlen(text));
    if (!copy)
        return lv_fail_memory(err);
    entries[header->count++] = (lv_text_entry){name, copy};
    return LV_OK;
}

static lv_status add_number(run *r, lv_header *header, lv_text_entry *entries,
                            const char *name, double value, lv_error *err)
{
    char text[LV_NUMBER_SIZE];
    return add_text(r, header, entries, name, lv_number_format(value, text), err);
}

static lv_status add_options(run *r, lv_header *header, lv_text_entry *entries,
                             lv_error *err)
{
    const lv_scheme_options *options = &r->request.sim.options;
    char text[LV_NUMBER_SIZE];
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (lv_scheme_option_given(options, (lv_option)k))
            LV_TRY(add_text(
                r, header, entries, info.name,
                lv_option_format((lv_option)k, options->value[k], text, sizeof text),
                err));
    return LV_OK;
}

static long long expected_rows(const run *r)
{
    const lv_run_request *request = &r->request;
    double samples = request->sample > 0 ? request->until / request->sample : 0;
    if (request->sample > 0)
        return samples < 1e15 ? (long long)samples + 2 : 1000000000000000LL;
    return r->total / request->every + 2;
}

static lv_status make_header(run *r, lv_header *header, lv_error *err)
{
    const lv_run_request *request = &r->request;
    const lv_source *source = &r->model->source;
    lv_text_entry *entries = lv_arena_alloc(&r->arena, HEADER_TEXTS, sizeof *entries);
    if (!entries)
        return lv_fail_memory(err);
    *header = (lv_header){.entries = entries,
                          .checkpoint_size = r->checkpoint_size,
                          .rows = expected_rows(r)};
    LV_TRY(add_text(r, header, entries, "version", LIVENS_VERSION, err));
    LV_TRY(add_text(r, header, entries, "model", source->text, err));
    LV_TRY(add_text(r, header, entries, "name", source->name, err));
    LV_TRY(add_text(r, header, entries, "scheme", request->sim.scheme, err));
    LV_TRY(add_number(r, header, entries, "step", request->sim.step, err));
    LV_TRY(add_number(r, header, entries, "until", request->until, err));
    LV_TRY(add_number(r, header, entries, "every", request->every, err));
    LV_TRY(add_number(r, header, entries, "sample", request->sample, err));
    LV_TRY(add_number(r, header, entries, "flush", request->flush_seconds, err));
    LV_TRY(add_options(r, header, entries, err));
    LV_TRY(add_number(r, header, entries, "initial", request->sim.initial, err));
    return add_text(r, header, entries, "settings", r->model->settings_text, err);
}

static lv_status open_sinks(run *r, lv_error *err)
{
    lv_recorder *rec = &r->recorder;
    if (r->tap) {
        LV_TRY(r->tap->open(r->tap->user, &rec->sinks[rec->sink_count], &rec->channels,
                            err));
        rec->sink_count++;
    }
    if (r->request.csv) {
        LV_TRY(lv_csv_create(&rec->sinks[rec->sink_count], r->request.csv, &rec->channels,
                             err));
        rec->sink_count++;
    }
    if (r->request.hdf5) {
        lv_header header;
        LV_TRY(make_header(r, &header, err));
        LV_TRY(lv_hdf5_create(&rec->sinks[rec->sink_count], r->request.hdf5,
                              &rec->channels, &header, err));
        rec->sink_count++;
    }
    return LV_OK;
}

/* ---- the summary ------------------------------------------------------------------------------------- */

static void warn(run *r, const char *text)
{
    if (r->view.warning_count < (int)(sizeof r->warnings / sizeof *r->warnings))
        r->warnings[r->view.warning_count++] = text;
    r->view.warnings = r->warnings;
}

/* Carried multipliers are of lower order than the state; half of their size is no longer that. */
static void warn_of_lag(run *r)
{
    if (r->monitor.lag[0] > 0.5 * r->monitor.lag[1])
        warn(r,
             "the multipliers that the scheme carries have left those of the motion: use "
             "a smaller step, or 2 or 4 stages; in motions that settle down they leave "
             "at any step, only later");
}

/* Redundant constraints at the start, by name. */
static lv_status note_redundancy(run *r, lv_error *err)
{
    lv_system *s = r->sim->system;
    const lv_state *state = &r->sim->state;
    if (s->rates == 0)
        return LV_OK;
    LV_TRY(lv_system_accelerations(s, NULL, NULL, state->t, state->q, state->v, err));
    int count = lv_saddle_redundant(s->saddle);
    lv_text text = {0};
    char name[160];
    if (count == 0)
        return LV_OK;
    lv_text_append(&text,
                   "%d of %d constraints follow%s from the others at the start:", count,
                   s->rates, count == 1 ? "s" : "");
    for (int k = 0; k < count && k < 5; k++)
        lv_text_append(&text, "%s '%s'", k ? "," : "",
                       lv_system_row_name(s, lv_saddle_redundant_row(s->saddle, k), name,
                                          sizeof name));
    lv_text_append(&text, "%s; their multipliers are those of least norm",
                   count > 5 ? ", ..." : "");
    const char *kept_text =
        text.failed ? NULL : lv_arena_text(&r->arena, text.data, (size_t)text.count);
    lv_text_done(&text);
    if (!kept_text)
        return lv_fail_memory(err);
    warn(r, kept_text);
    return LV_OK;
}

static lv_kept_quantity kept(const char *name, const double *numbers)
{
    return (lv_kept_quantity){name, numbers[0], numbers[1], numbers[2]};
}

static void note_files(run *r)
{
    const lv_kept_rows *kept_rows = r->recorder.kept + (r->tap != NULL);
    if (r->request.csv) {
        r->view.csv = (lv_recorded){kept_rows->count, kept_rows->last};
        kept_rows++;
    }
    if (r->request.hdf5)
        r->view.hdf5 = (lv_recorded){kept_rows->count, kept_rows->last};
}

/* After a failed step the state and the monitor are those of the last good one. */
static lv_status summarise(run *r, lv_error *err)
{
    lv_run_summary *v = &r->view;
    const lv_sim *sim = r->sim;
    int n = sim->system->n, m = sim->system->rates;
    double *lambda = lv_arena_alloc(&r->arena, 3 * (size_t)m + 1, sizeof *lambda);
    lv_kept_quantity *momenta =
        lv_arena_alloc(&r->arena, (size_t)r->monitor.maps + 1, sizeof *momenta);
    if (!lambda || !momenta)
        return lv_fail_memory(err);
    for (int k = 0; k < r->monitor.maps; k++)
        momenta[k] =
            kept(lv_system_map_name(sim->system, k), &r->monitor.momentum[(size_t)k * 3]);
    if (m > 0 && lv_system_accelerations(sim->system, NULL, lambda, sim->state.t,
                                         sim->state.q, sim->state.v, NULL) != LV_OK)
        warn(r, "the multipliers at the end could not be computed");
    v->scheme = sim->scheme->info.name;
    v->options = r->request.sim.options;
    lv_scheme_option_set(&v->options, LV_OPTION_STAGES,
                         lv_scheme_stages(sim->scheme, &v->options));
    v->order = sim->order;
    v->step = sim->h;
    v->until = r->request.until;
    v->steps = r->done;
    v->seconds = seconds_now() - r->began;
    v->time = sim->state.t;
    v->coordinates = n;
    v->constraints = m;
    v->holonomic = sim->system->m;
    v->q = sim->state.q;
    v->v = sim->state.v;
    v->p = sim->state.p;
    v->lambda = lambda;
    if (sim->scheme->has_gamma) {
        sim->scheme->multipliers(sim->work, lambda + m, lambda + (size_t)2 * (size_t)m);
        v->gamma = lambda + (size_t)2 * (size_t)m;
    }
    v->energy = kept("E", r->monitor.energy);
    v->kinetic = r->monitor.now.kinetic;
    v->potential = r->monitor.now.potential;
    if (r->monitor.invariant)
        v->invariant = kept(sim->scheme->invariant_name, r->monitor.invariant);
    v->momentum_count = r->monitor.maps;
    v->momenta = momenta;
    v->position_max = r->monitor.residual[0];
    v->velocity_max = r->monitor.residual[1];
    v->nonholonomic_max = r->monitor.residual[2];
    v->lag_max = r->monitor.lag[0];
    warn_of_lag(r);
    v->newton_mean = r->done > 0 ? r->monitor.newton[0] / (double)r->done : 0;
    v->newton_max = (int)r->monitor.newton[1];
    v->rows = r->recorder.rows;
    note_files(r);
    return LV_OK;
}

/* Runs from where the simulation stands; whatever happens, what was recorded is kept. */
static lv_status carry_out(run *r, lv_error *err)
{
    lv_status status = loop(r, err);
    lv_error *later = status == LV_OK ? err : NULL;
    lv_status saved = flush(r, later);
    status = status == LV_OK ? saved : status;
    lv_status closed = lv_recorder_done(&r->recorder, status == LV_OK ? err : NULL);
    status = status == LV_OK ? closed : status;
    r->view.status = status;
    lv_status summarised = summarise(r, status == LV_OK ? err : NULL);
    return status == LV_OK ? summarised : status;
}

static lv_status begin(run *r, lv_error *err)
{
    LV_TRY(make_sim(r, err));
    LV_TRY(note_redundancy(r, err));
    LV_TRY(open_sinks(r, err));
    r->began = r->flushed = seconds_now();
    lv_monitor_look(&r->monitor, true);
    LV_TRY(lv_recorder_row(&r->recorder, err));
    return flush(r, err); /* a run that is killed at once can be resumed as well */
}

static run *new_run(lv_error *err)
{
    run *r = lv_memory_zeroed(1, sizeof *r);
    if (!r)
        lv_fail_memory(err);
    return r;
}

lv_status lv_run(lv_run_summary **summary, const lv_model *model,
                 const lv_run_request *request, lv_error *err)
{
    return lv_run_tapped(summary, model, request, NULL, err);
}

lv_status lv_run_tapped(lv_run_summary **summary, const lv_model *model,
                        const lv_run_request *request, const lv_tap *tap, lv_error *err)
{
    *summary = NULL;
    lv_error_clear(err);
    run *r = new_run(err);
    if (!r)
        return LV_ERR_MEMORY;
    r->model = model;
    r->request = *request;
    r->tap = tap;
    lv_status status = begin(r, err);
    if (status != LV_OK) {
        lv_run_summary_free(&r->view);
        return status;
    }
    status = carry_out(r, err);
    *summary = &r->view;
    return status;
}

void lv_run_summary_free(lv_run_summary *view)
{
    run *r = (run *)view;
    if (!r)
        return;
    lv_status ignored = lv_recorder_done(&r->recorder, NULL);
    (void)ignored;
    lv_sim_free(r->sim);
    lv_arena_done(&r->arena);
    lv_memory_free(r);
}

/* ---- resuming ------------------------------------------------------------------------------------------ */

static const char *text_of(const lv_hdf5_run *file, const char *name)
{
    for (int k = 0; k < file->text_count; k++)
        if (strcmp(file->names[k], name) == 0)
            return file->texts[k];
    return "";
}

static double number_of(const lv_hdf5_run *file, const char *name)
{
    double value = 0;
    const char *text = text_of(file, name);
    return lv_number_parse(text, strlen(text), &value) ? value : 0;
}

/* Options by name. Files of the first versions say 0 for what was not given. */
static lv_status read_options(lv_scheme_options *options, const lv_hdf5_run *file,
                              lv_error *err)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        const char *text = text_of(file, info.name);
        double value = 0;
        if (lv_option_parse((lv_option)k, text, &value))
            lv_scheme_option_set(options, (lv_option)k, value);
        else if (text[0] != '\0' && strcmp(text, "0") != 0)
            return lv_fail(err, LV_ERR_IO,
                           "the option '%s' stored in the file cannot be '%s'", info.name,
                           text);
    }
    return LV_OK;
}

/* The run that was stored must not be beyond the end that is wanted. */
static lv_status check_until(const run *r, const char *path, lv_error *err)
{
    const double reached = r->sim->state.t, until = r->request.until;
    if (until >= reached - 1e-9 * r->sim->h)
        return LV_OK;
    lv_status status = lv_fail(
        err, LV_ERR_USAGE, "the run in '%s' is already at t = %.10g, beyond t = %.10g",
        path, reached, until);
    lv_error_hint(
        err, "resume goes on to a later end; the rows up to t = %.10g are there", until);
    return status;
}

static lv_status restore(run *r, lv_model **model, const lv_hdf5_run *file,
                         const char *path, double until, lv_error *err)
{
    lv_setting *settings = NULL;
    int count = 0;
    const char *text = text_of(file, "model");
    if (!file->checkpoint)
        return lv_fail(
            err, LV_ERR_IO,
            "'%s' has no checkpoint: only runs have, from their first flush on", path);
    LV_TRY(
        lv_settings_parse(&settings, &count, &r->arena, text_of(file, "settings"), err));
    LV_TRY(lv_model_parse(model, text_of(file, "name"), text, strlen(text), settings,
                          count, err));
    r->model = *model;
    char *scheme = lv_arena_text(&r->arena, text_of(file, "scheme"),
                                 strlen(text_of(file, "scheme")));
    if (!scheme)
        return lv_fail_memory(err);
    r->request.sim = (lv_sim_options){.scheme = scheme,
                                      .step = number_of(file, "step"),
                                      .initial = (lv_initial)number_of(file, "initial")};
    LV_TRY(read_options(&r->request.sim.options, file, err));
    r->request.until = until > 0 ? until : number_of(file, "until");
    r->request.every = (int)number_of(file, "every");
    r->request.sample = number_of(file, "sample");
    r->request.flush_seconds = number_of(file, "flush");
    LV_TRY(make_sim(r, err));
    if (file->checkpoint_count != r->checkpoint_size)
        return lv_fail(
            err, LV_ERR_IO,
            "'%s' was written by another version of livens and cannot be resumed", path);
    checkpoint_read(r, file->checkpoint);
    if (until > 0)
        LV_TRY(check_until(r, path, err));
    if (r->sim->start_time != 0) { /* a shortened step has ended the run before */
        long long left =
            lv_sim_plan_steps(r->sim->state.t, r->request.until, r->sim->h, &r->last);
        r->total = r->done + left;
    }
    LV_TRY(check_total(r, err));
    LV_TRY(lv_hdf5_append(&r->recorder.sinks[0], path, &r->recorder.channels,
                          r->checkpoint_size, err));
    r->recorder.sink_count = 1;
    r->request.hdf5 = path;
    r->began = r->flushed = seconds_now();
    return LV_OK;
}

lv_status lv_resume(lv_run_summary **summary, lv_model **model, const char *path,
                    double until, bool (*progress)(void *user, const lv_progress *p),
                    void *user, lv_error *err)
{
    lv_hdf5_run file = {0};
    *summary = NULL;
    *model = NULL;
    lv_error_clear(err);
    LV_TRY(lv_hdf5_read_run(&file, path, err));
    run *r = new_run(err);
    lv_status status = r ? restore(r, model, &file, path, until, err) : LV_ERR_MEMORY;
    lv_hdf5_run_done(&file);
    if (status != LV_OK) {
        if (r)
            lv_run_summary_free(&r->view);
        lv_model_free(*model);
        *model = NULL;
        return status;
    }
    r->request.progress = progress;
    r->request.user = user;
    status = carry_out(r, err);
    *summary = &r->view;
    return status;
}
