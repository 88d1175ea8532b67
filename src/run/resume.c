/* Resumes runs from their HDF5 files. A file has texts that describe how its run was
 * begun, and from every flush a checkpoint with its state. The resumed run has the same
 * bits as an uninterrupted one. */
#define _XOPEN_SOURCE 700 /* realpath; NOLINT(bugprone-reserved-identifier) */

#include "run/run_private.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/usage.h"
#include "model/footprint.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- texts -------------------------------------------------------------------------------------- */

/* Texts that a resumed run needs; numbers have all digits. All options that the scheme
 * takes are stored by name. */
enum { HEADER_TEXTS = 14 + LV_OPTIONS };

static lv_status add_text(lv_running *r, lv_header *header, lv_text_entry *entries,
                          const char *name, const char *text, lv_error *err)
{
    char *copy = lv_arena_text(&r->arena, text, strlen(text));
    if (!copy)
        return lv_fail_memory(err);
    entries[header->count++] = (lv_text_entry){name, copy};
    return LV_OK;
}

static lv_status add_number(lv_running *r, lv_header *header, lv_text_entry *entries,
                            const char *name, double value, lv_error *err)
{
    char text[LV_NUMBER_SIZE];
    return add_text(r, header, entries, name, lv_number_format(value, text), err);
}

static lv_status add_options(lv_running *r, lv_header *header, lv_text_entry *entries,
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

/* The length of the directory in a path: "a/b/" in "a/b/c". */
static size_t directory_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The path of a file with this name beside another file; NULL: memory is short. */
static char *beside(lv_arena *arena, const char *path, const char *name)
{
    lv_text text = {0};
    lv_text_append(&text, "%.*s%s", (int)directory_length(path), path, name);
    char *both = text.failed ? NULL : lv_arena_text(arena, text.data, (size_t)text.count);
    lv_text_done(&text);
    return both;
}

/* Whether a file, given by its full path, is in the directory of another one, which need
 * not exist. */
static bool is_beside(const char *full, const char *path)
{
    char directory[PATH_MAX];
    const size_t length = directory_length(path);
    if (length >= sizeof directory)
        return false;
    (void)snprintf(directory, sizeof directory, "%.*s", (int)length, path);
    char *own = realpath(length > 0 ? directory : ".", NULL);
    const size_t n = own ? strlen(own) : 0, front = directory_length(full);
    const bool root = n == 1; /* "/" already ends with a slash */
    const bool same = own && front == n + !root && strncmp(own, full, n) == 0;
    free(own);
    return same;
}

/* Stores where the CSV file of the run is, so that a resumed run finds it from another
 * directory: its full path or, if it is beside the HDF5 file, its name, so that both may
 * be moved. Nothing is stored if rows go to standard output or another stream. */
static lv_status add_csv(lv_running *r, lv_header *header, lv_text_entry *entries,
                         lv_error *err)
{
    struct stat info;
    const char *csv = r->request.csv;
    const bool is_file =
        csv && strcmp(csv, "-") != 0 && stat(csv, &info) == 0 && S_ISREG(info.st_mode);
    char *path = is_file ? realpath(csv, NULL) : NULL;
    const char *shown = path;
    if (path && is_beside(path, r->request.hdf5))
        shown += directory_length(path);
    lv_status status = path ? add_text(r, header, entries, "csv", shown, err) : LV_OK;
    free(path);
    return status;
}

/* Stores the selected columns, one per line. */
static lv_status add_channels(lv_running *r, lv_header *header, lv_text_entry *entries,
                              lv_error *err)
{
    lv_text text = {0};
    for (int k = 0; k < r->request.channel_count; k++)
        lv_text_append(&text, "%s\n", r->request.channels[k]);
    lv_status status = text.failed ? lv_fail_memory(err) : LV_OK;
    if (status == LV_OK && text.count > 0)
        status = add_text(r, header, entries, "channels", text.data, err);
    lv_text_done(&text);
    return status;
}

static lv_status read_channels(lv_running *r, const char *stored, lv_error *err)
{
    char *text = lv_arena_text(&r->arena, stored, strlen(stored));
    int count = 0;
    for (const char *c = stored; *c; c++)
        count += *c == '\n';
    const char **names = lv_arena_alloc(&r->arena, (size_t)count, sizeof *names);
    if (!text || !names)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        names[k] = text;
        text = strchr(text, '\n');
        *text++ = '\0';
    }
    r->request.channels = names;
    r->request.channel_count = count;
    return LV_OK;
}

/* Stores the contents of the input tables, because their files may change. */
static lv_status add_tables(lv_running *r, lv_header *header, lv_text_entry *entries,
                            lv_error *err)
{
    const char *text = lv_feeds_text(&r->feeds, &r->arena);
    if (!text)
        return lv_fail_memory(err);
    if (text[0])
        entries[header->count++] = (lv_text_entry){"inputs", text};
    return LV_OK;
}

static lv_status read_tables(lv_running *r, const char *stored, lv_error *err)
{
    lv_input_table *tables = NULL;
    LV_TRY(lv_feed_parse(&tables, &r->request.table_count, stored, &r->arena, err));
    r->request.tables = tables;
    return LV_OK;
}

/* Stores "stages = 3, compose = 4": the given options, or the scheme's defaults. */
static lv_status add_options_text(lv_running *r, lv_header *header,
                                  lv_text_entry *entries, lv_error *err)
{
    const lv_scheme_options *options = &r->request.sim.options;
    char value[LV_NUMBER_SIZE];
    lv_option_info info;
    lv_text text = {0};
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (lv_scheme_option_given(options, (lv_option)k))
            lv_text_append(
                &text, "%s%s = %s", text.count > 0 ? ", " : "", info.name,
                lv_option_format((lv_option)k, options->value[k], value, sizeof value));
    char *copy = text.failed ? NULL
                             : lv_arena_text(&r->arena, text.data ? text.data : "",
                                             (size_t)text.count);
    lv_text_done(&text);
    if (!copy)
        return lv_fail_memory(err);
    entries[header->attribute_count++] = (lv_text_entry){"options", copy};
    return LV_OK;
}

enum { ATTRIBUTES = 5 };

/* Attributes of the file, for people who open it. */
static lv_status describe(lv_running *r, lv_header *header, lv_error *err)
{
    lv_text_entry *entries = lv_arena_alloc(&r->arena, ATTRIBUTES, sizeof *entries);
    if (!entries)
        return lv_fail_memory(err);
    header->attributes = entries;
    entries[0] = (lv_text_entry){"title", lv_model_title(r->model)};
    entries[1] = (lv_text_entry){"version", LIVENS_VERSION};
    entries[2] = (lv_text_entry){"scheme", r->request.sim.scheme};
    header->attribute_count = 3;
    LV_TRY(add_options_text(r, header, entries, err));
    if (r->request.command)
        entries[header->attribute_count++] =
            (lv_text_entry){"command", r->request.command};
    return lv_run_parameters(header, r->model, &r->arena, err);
}

lv_status lv_run_parameters(lv_header *header, const lv_model *m, lv_arena *arena,
                            lv_error *err)
{
    enum { MOST = 50000 };
    const int count = m->parameters.count <= MOST ? m->parameters.count : 0;
    lv_number_entry *numbers = lv_arena_alloc(arena, (size_t)count, sizeof *numbers);
    if (!numbers)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        const lv_parameter *p = &m->parameters.data[k];
        numbers[k] = (lv_number_entry){p->item->name, p->length,
                                       m->parameter_values.data + p->first};
    }
    header->numbers = numbers;
    header->number_count = count;
    return LV_OK;
}

static long long expected_rows(const lv_running *r)
{
    const lv_run_request *request = &r->request;
    double samples = request->sample > 0 ? request->until / request->sample : 0;
    if (request->sample > 0)
        return samples < 1e15 ? (long long)samples + 2 : 1000000000000000LL;
    return r->total / request->every + 2;
}

lv_status lv_run_header(lv_running *r, lv_header *header, lv_error *err)
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
    LV_TRY(add_csv(r, header, entries, err));
    LV_TRY(add_channels(r, header, entries, err));
    LV_TRY(add_tables(r, header, entries, err));
    LV_TRY(describe(r, header, err));
    LV_TRY(add_number(r, header, entries, "initial", request->sim.initial, err));
    return add_text(r, header, entries, "settings", r->model->settings_text, err);
}

/* ---- resuming ------------------------------------------------------------------------------------------ */

static double number_of(const lv_hdf5_run *file, const char *name)
{
    double value = 0;
    const char *text = lv_hdf5_run_text(file, name);
    return lv_number_parse(text, strlen(text), &value) ? value : 0;
}

/* Reads options by name. Files of the first versions have 0 for options that were not
 * given. */
static lv_status read_options(lv_scheme_options *options, const lv_hdf5_run *file,
                              lv_error *err)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        const char *text = lv_hdf5_run_text(file, info.name);
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

/* Checks that the file has a checkpoint; only files of runs have one. */
static lv_status check_kind(const lv_hdf5_run *file, const char *path, lv_error *err)
{
    if (file->checkpoint)
        return LV_OK;
    if (lv_hdf5_run_text(file, "kind")[0] == '\0') /* only sweeps have it */
        return lv_fail(err, LV_ERR_IO,
                       "'%s' has no checkpoint: its run stopped before the first one",
                       path);
    lv_status status = lv_fail(err, LV_ERR_IO, "'%s' is the result of a sweep", path);
    lv_error_hint(err, "'livens sweep MODEL -o %s --resume' goes on with it", path);
    return status;
}

/* Checks that the stored run is not beyond the end that is wanted. */
static lv_status check_until(const lv_running *r, const char *path, lv_error *err)
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

/* Reopens the CSV file of the run, if there is one, where the HDF5 file says, or else
 * beside the HDF5 file. Its sink comes before that of the HDF5 file, so that rows are in
 * the CSV file before a checkpoint counts them. */
static lv_status reopen_csv(lv_running *r, lv_sink *hdf5, const char *path,
                            const char *hdf5_path, lv_error *err)
{
    lv_recorder *rec = &r->recorder;
    size_t width = 0;
    if (path[0] == '\0')
        return LV_OK;
    const bool full = path[0] == '/' && access(path, F_OK) == 0;
    char *csv = full ? lv_arena_text(&r->arena, path, strlen(path))
                     : beside(&r->arena, hdf5_path, path + directory_length(path));
    for (int k = 0; k < rec->recorded.channels.count; k++)
        width += (size_t)rec->recorded.channels.list[k].width;
    double *last = lv_arena_alloc(&r->arena, width, sizeof *last);
    if (!csv || !last)
        return lv_fail_memory(err);
    if (access(csv, F_OK) != 0)
        return lv_run_note_lost_csv(r, csv, err);
    if (rec->rows > 0)
        LV_TRY(lv_hdf5_last_row(hdf5, last, err));
    LV_TRY(lv_csv_append(&rec->sinks[rec->sink_count], csv, &rec->recorded.channels,
                         rec->rows, last, err));
    rec->sink_count++;
    r->request.csv = csv;
    return LV_OK;
}

static lv_status reopen(lv_running *r, const char *path, const char *csv, lv_error *err)
{
    lv_recorder *rec = &r->recorder;
    lv_sink *hdf5 = NULL;
    LV_TRY(lv_hdf5_append(&hdf5, path, &rec->recorded.channels, r->checkpoint_size, err));
    lv_status status = reopen_csv(r, hdf5, csv, path, err);
    rec->sinks[rec->sink_count++] = hdf5;
    r->request.hdf5 = path;
    return status;
}

/* Restores the run at its last checkpoint, without opening its files. */
static lv_status restore(lv_running *r, lv_model **model, const lv_hdf5_run *file,
                         const char *path, double until, lv_error *err)
{
    lv_setting *settings = NULL;
    int count = 0;
    const char *text = lv_hdf5_run_text(file, "model");
    LV_TRY(check_kind(file, path, err));
    LV_TRY(lv_settings_parse(&settings, &count, &r->arena,
                             lv_hdf5_run_text(file, "settings"), err));
    LV_TRY(lv_model_parse(model, lv_hdf5_run_text(file, "name"), text, strlen(text),
                          settings, count, err));
    r->model = *model;
    char *scheme = lv_arena_text(&r->arena, lv_hdf5_run_text(file, "scheme"),
                                 strlen(lv_hdf5_run_text(file, "scheme")));
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
    LV_TRY(read_channels(r, lv_hdf5_run_text(file, "channels"), err));
    LV_TRY(read_tables(r, lv_hdf5_run_text(file, "inputs"), err));
    LV_TRY(lv_run_prepare(r, err));
    if (file->checkpoint_count != r->checkpoint_size)
        return lv_fail(
            err, LV_ERR_IO,
            "'%s' was written by another version of livens and cannot be resumed", path);
    if (!lv_run_checkpoint_is_sound(r, file->checkpoint))
        return lv_fail(err, LV_ERR_IO, "the checkpoint in '%s' is damaged", path);
    lv_run_checkpoint_read(r, file->checkpoint);
    return lv_monitor_is_sound(&r->monitor)
               ? LV_OK
               : lv_fail(err, LV_ERR_IO, "the checkpoint in '%s' is damaged", path);
}

/* Prepares a run to go on to the end that is wanted. */
static lv_status go_on(lv_running *r, const lv_hdf5_run *file, const char *path,
                       double until, lv_error *err)
{
    if (until > 0)
        LV_TRY(check_until(r, path, err));
    if (r->sim->start_time != 0) { /* the run has already ended, with a shortened step */
        long long left =
            lv_sim_plan_steps(r->sim->state.t, r->request.until, r->sim->h, &r->last);
        r->total = r->done + left;
    }
    LV_TRY(lv_run_check_total(r, err));
    LV_TRY(reopen(r, path, lv_hdf5_run_text(file, "csv"), err));
    r->began = r->flushed = lv_clock_seconds();
    return LV_OK;
}

lv_status lv_resume(lv_run_summary **summary, lv_model **model, const char *path,
                    double until, bool (*progress)(void *user, const lv_progress *p),
                    void *user, lv_error *err)
{
    lv_hdf5_run file = {0};
    lv_error_clear(err);
    LV_NEED(err, summary);
    *summary = NULL;
    LV_NEED(err, model);
    *model = NULL;
    LV_NEED(err, path);
    LV_TRY(lv_need_finite(err, __func__, "until", until));
    LV_TRY(lv_hdf5_read_run(&file, path, err));
    lv_running *r = lv_run_new(err);
    lv_status status = r ? restore(r, model, &file, path, until, err) : LV_ERR_MEMORY;
    if (status == LV_OK)
        status = go_on(r, &file, path, until, err);
    lv_hdf5_run_done(&file);
    (void)lv_budget_settle(&status, err);
    if (status != LV_OK) {
        if (r)
            lv_run_summary_free(&r->view);
        lv_model_free(*model);
        *model = NULL;
        return status;
    }
    r->request.progress = progress;
    r->request.user = user;
    status = lv_model_settle(*model, lv_run_carry_out(r, err), err);
    r->view.status = status;
    *summary = &r->view;
    return status;
}

/* ---- recalling a finished run ----------------------------------------------------------------- */

static lv_status look_back(lv_running *r, const char *path, lv_error *err)
{
    r->began = lv_clock_seconds();
    r->request.hdf5 = path;
    LV_TRY(lv_run_note_outputs(r, err));
    LV_TRY(lv_run_summarise(r, err));
    r->view.interrupted = r->done < r->total;
    return LV_OK;
}

lv_status lv_run_recall(lv_run_summary **summary, lv_model **model, const char *path,
                        lv_error *err)
{
    lv_hdf5_run file = {0};
    *summary = NULL;
    *model = NULL;
    LV_TRY(lv_hdf5_read_run(&file, path, err));
    lv_running *r = lv_run_new(err);
    lv_status status = r ? restore(r, model, &file, path, 0, err) : LV_ERR_MEMORY;
    lv_hdf5_run_done(&file);
    if (status == LV_OK)
        status = look_back(r, path, err);
    (void)lv_budget_settle(&status, err);
    if (status == LV_OK) {
        *summary = &r->view;
        return LV_OK;
    }
    if (r)
        lv_run_summary_free(&r->view);
    lv_model_free(*model);
    *model = NULL;
    return status;
}
