#include "report/describe.h"

#include "base/memory.h"
#include "model/model.h"
#include "report/certificate.h"
#include "report/sha256.h"
#include "run/run.h"

#include <livens/view.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the command ---------------------------------------------------------------------------------- */

static const char *const names_on_line[] = {
#define LV_X(id, name, on_line, kind, least, most, argument, doc) on_line,
    LV_OPTION_LIST(LV_X)
#undef LV_X
};

/* Appends a word, quoted if a shell needs it. */
static void add_word(lv_text *text, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/%@";
    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        lv_text_append(text, " %s", word);
        return;
    }
    lv_text_append(text, " '");
    for (const char *c = word; *c; c++)
        lv_text_append(text, *c == '\'' ? "'\\''" : "%c", *c);
    lv_text_append(text, "'");
}

static void add_number(lv_text *text, const char *option, double value)
{
    char number[LV_NUMBER_SIZE];
    lv_text_append(text, " --%s %s", option, lv_number_format(value, number));
}

/* The name of the file without its directory; the name of a shipped model as it is. */
static const char *model_name(const lv_model *model)
{
    const char *slash = strrchr(model->source.name, '/');
    return slash ? slash + 1 : model->source.name;
}

/* Appends options that differ from their defaults. */
static lv_status add_options(lv_text *text, const lv_run_summary *run, lv_error *err)
{
    const lv_scheme_options none = {0};
    lv_scheme_options usual;
    char value[LV_NUMBER_SIZE];
    LV_TRY(lv_scheme_complete(&usual, run->scheme, &none, err));
    for (int k = 0; k < LV_OPTIONS; k++) {
        const lv_option option = (lv_option)k;
        const bool differs = run->options.value[k] != usual.value[k] ||
                             !lv_scheme_option_given(&usual, option);
        if (lv_scheme_option_given(&run->options, option) && differs)
            lv_text_append(
                text, " --%s=%s", names_on_line[k],
                lv_option_format(option, run->options.value[k], value, sizeof value));
    }
    return LV_OK;
}

/* Appends the settings of the model, which are lines name=value. */
static void add_settings(lv_text *text, const lv_model *model)
{
    for (const char *at = model->settings_text; at && *at;) {
        const char *end = strchr(at, '\n');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        lv_text word = {0};
        lv_text_bytes(&word, at, (int)length);
        lv_text_append(text, " --set");
        add_word(text, word.data ? word.data : "");
        text->failed = text->failed || word.failed;
        lv_text_done(&word);
        at += length + (end ? 1 : 0);
    }
}

/* Adds a command that repeats this run, whatever command made it. */
static lv_status put_command(lv_json *j, const lv_report_run *run, lv_error *err)
{
    const lv_run_request *request = lv_run_request_of(run->summary);
    lv_text text = {0};
    lv_text_append(&text, "livens run");
    add_word(&text, model_name(run->model));
    lv_text_append(&text, " --scheme %s", run->summary->scheme);
    lv_status status = add_options(&text, run->summary, err);
    add_number(&text, "step", run->summary->step);
    add_number(&text, "until", request->until);
    if (request->sample > 0)
        add_number(&text, "sample", request->sample);
    else if (request->every > 1)
        add_number(&text, "every", request->every);
    if (request->sim.initial == LV_INITIAL_PROJECT)
        lv_text_append(&text, " --initial project");
    add_settings(&text, run->model);
    if (!text.failed)
        lv_json_put_text(j, "command", text.data);
    if (status == LV_OK && text.failed)
        status = lv_fail_memory(err);
    lv_text_done(&text);
    return status;
}

static void add_given(lv_text *text, const lv_scheme_options *options)
{
    char value[LV_NUMBER_SIZE];
    for (int k = 0; k < LV_OPTIONS; k++)
        if (lv_scheme_option_given(options, (lv_option)k))
            lv_text_append(
                text, " --%s=%s", names_on_line[k],
                lv_option_format((lv_option)k, options->value[k], value, sizeof value));
}

lv_status lv_describe_command(lv_json *j, const char *command, const lv_model *model,
                              const lv_run_changes *changes, lv_error *err)
{
    lv_text text = {0};
    lv_text_append(&text, "livens %s", command);
    add_word(&text, model_name(model));
    if (changes->scheme)
        lv_text_append(&text, " --scheme %s", changes->scheme);
    add_given(&text, &changes->options);
    if (changes->step > 0)
        add_number(&text, "step", changes->step);
    if (changes->ends || changes->until > 0)
        add_number(&text, "until", changes->until);
    if (changes->initial && *changes->initial == LV_INITIAL_PROJECT)
        lv_text_append(&text, " --initial project");
    add_settings(&text, model);
    if (!text.failed)
        lv_json_put_text(j, "command", text.data);
    const bool failed = text.failed;
    lv_text_done(&text);
    return failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- the model ------------------------------------------------------------------------------------- */

static void put_parameters(lv_json *j, const lv_model *m)
{
    enum { MOST = 200 };
    lv_json_key(j, "parameters");
    lv_json_open(j, '[');
    for (int k = 0; k < m->parameters.count && k < MOST; k++) {
        const lv_parameter *p = &m->parameters.data[k];
        const double *values = m->parameter_values.data + p->first;
        lv_json_open(j, '[');
        lv_json_text(j, p->item->name);
        for (int i = 0; i < (p->length > 0 ? p->length : 1); i++)
            lv_json_number(j, values[i]);
        lv_json_close(j, ']');
    }
    lv_json_close(j, ']');
}

void lv_describe_model(lv_json *j, const lv_model *m)
{
    char hash[LV_SHA256_SIZE];
    lv_sha256(hash, m->source.text, m->source.size);
    lv_json_put_text(j, "title", lv_model_title(m));
    lv_json_put_text(j, "description", lv_model_description(m));
    lv_json_put_text(j, "file", model_name(m));
    lv_json_put_text(j, "sha256", hash);
    lv_json_put_text(j, "settings", m->settings_text);
    lv_json_put_text(j, "model", m->source.text);
    put_parameters(j, m);
}

/* ---- the run ---------------------------------------------------------------------------------------- */

static void put_options(lv_json *j, const lv_scheme_options *options)
{
    char value[LV_NUMBER_SIZE];
    lv_option_info info;
    lv_json_key(j, "options");
    lv_json_open(j, '{');
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (lv_scheme_option_given(options, (lv_option)k))
            lv_json_put_text(
                j, info.name,
                lv_option_format((lv_option)k, options->value[k], value, sizeof value));
    lv_json_close(j, '}');
}

void lv_describe_scheme(lv_json *j, const char *scheme, const lv_scheme_options *options,
                        int order)
{
    lv_scheme_info info;
    lv_json_put_text(j, "scheme", scheme);
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (strcmp(info.name, scheme) == 0) {
            lv_json_put_text(j, "scheme_summary", info.summary);
            lv_json_put_text(j, "scheme_source", info.source);
        }
    put_options(j, options);
    lv_json_put_number(j, "order", order);
}

static void put_steps(lv_json *j, const lv_run_summary *s)
{
    lv_json_put_number(j, "step", s->step);
    lv_json_put_number(j, "steps", (double)s->steps);
    lv_json_put_number(j, "until", s->until);
    lv_json_put_number(j, "time", s->time);
}

static void put_warnings(lv_json *j, const lv_run_summary *s)
{
    lv_json_key(j, "warnings");
    lv_json_open(j, '[');
    for (int k = 0; k < s->warning_count; k++)
        lv_json_text(j, s->warnings[k]);
    lv_json_close(j, ']');
}

/* Counts bodies instead of the coordinates and constraints of their formulation. */
static void put_sizes(lv_json *j, const lv_model *model, const lv_run_summary *s)
{
    int coordinates = 0, constraints = 0, bodies = 0;
    for (int k = 0; k < s->coordinates; k++)
        coordinates += !lv_model_coordinate_is_inner(model, k);
    for (int k = 0; k < s->constraints; k++)
        constraints += !lv_model_constraint_is_inner(model, k);
    for (int k = 0; k < s->part_count; k++)
        bodies += strcmp(s->parts[k].section, "bodies") == 0;
    lv_json_put_number(j, "bodies", bodies);
    lv_json_put_number(j, "coordinates", coordinates);
    lv_json_put_number(j, "constraints", constraints);
}

static void put_numbers(lv_json *j, const lv_run_summary *s)
{
    lv_json_key(j, "newton");
    lv_json_open(j, '{');
    lv_json_put_number(j, "mean", s->newton_mean);
    lv_json_put_number(j, "max", s->newton_max);
    lv_json_close(j, '}');
    lv_json_key(j, "energy");
    lv_json_open(j, '{');
    lv_json_put_number(j, "initial", s->energy.initial);
    lv_json_put_number(j, "final", s->energy.final);
    lv_json_put_number(j, "max_deviation", s->energy.max_deviation);
    lv_json_close(j, '}');
}

/* Adds the level of rounding errors for plots of errors. */
static void put_rounding(lv_json *j, const lv_run_summary *s)
{
    const lv_run_sizes sizes = lv_run_sizes_of(s);
    lv_json_key(j, "rounding");
    lv_json_open(j, '{');
    lv_json_put_number(j, "energy", 0x1p-52 * sizes.energy);
    lv_json_put_number(j, "momentum", 0x1p-52 * sizes.momentum);
    lv_json_put_number(j, "position", 0x1p-52 * sizes.position);
    lv_json_close(j, '}');
}

static lv_status put_view(lv_json *j, const lv_report_run *run, lv_error *err)
{
    const lv_view *view = lv_model_view(run->model);
    if (!view || run->collector->frame_size == 0)
        return LV_OK;
    const size_t size = lv_view_json(view, NULL, 0);
    char *text = lv_memory_resize(NULL, size + 1);
    if (!text)
        return lv_fail_memory(err);
    (void)lv_view_json(view, text, size + 1);
    lv_json_key(j, "view");
    lv_json_raw(j, text, size);
    lv_memory_free(text);
    return LV_OK;
}

lv_status lv_report_run_put(lv_json *j, const lv_report_run *run, lv_error *err)
{
    lv_json_open(j, '{');
    lv_describe_model(j, run->model);
    lv_describe_scheme(j, run->summary->scheme, &run->summary->options,
                       run->summary->order);
    put_steps(j, run->summary);
    LV_TRY(put_command(j, run, err));
    if (run->failure)
        lv_json_put_text(j, "failure", run->failure);
    put_warnings(j, run->summary);
    put_sizes(j, run->model, run->summary);
    put_numbers(j, run->summary);
    LV_TRY(run->certificate ? lv_certificate_put(j, run->certificate, err)
                            : lv_certificate_put_run(j, run->summary, err));
    put_rounding(j, run->summary);
    LV_TRY(put_view(j, run, err));
    LV_TRY(lv_collector_put(run->collector, j, err));
    lv_json_close(j, '}');
    return LV_OK;
}
