#include "lab/lab.h"

#include "cli/args.h"
#include "cli/changes.h"
#include "cli/check.h"
#include "cli/error.h"
#include "cli/load.h"
#include "cli/options.h"
#include "model/model.h"
#include "report/certificate.h"
#include "report/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The options of a request: those of `livens run` that choose how to integrate. */
static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {NULL, false, NULL},
};

static const cli_option options[] = {
    CLI_CHANGE_OPTIONS,
    CLI_SET_OPTION,
    {NULL, 0, false, NULL, NULL},
};

static const cli_command request_words = {
    .name = "lab",
    .summary = "run a model in a page",
    .about = "",
    .arguments = arguments,
    .options = options,
};

/* The state of the lab, of which there is only one. */
static struct {
    char *room;
    char **words;
    cli_args args;
    bool has_args;
    lv_model *model;
    char *result;
    size_t size;
} lab;

/* ---- results --------------------------------------------------------------------------------------- */

static void forget_result(void)
{
    free(lab.result);
    lab.result = NULL;
    lab.size = 0;
}

const char *lab_result(void)
{
    return lab.result ? lab.result : "";
}

size_t lab_result_size(void)
{
    return lab.result ? lab.size : 0;
}

static int put_error(const lv_error *err, lv_status status)
{
    forget_result();
    FILE *out = open_memstream(&lab.result, &lab.size);
    if (!out)
        return (int)status;
    cli_json j = {.out = out};
    cli_json_open(&j, '{');
    cli_json_put_text(&j, "status", lv_status_name(status));
    cli_error_put(&j, err);
    cli_json_put_whole(&j, "length", err->length);
    cli_json_close(&j, '}');
    (void)fclose(out);
    return (int)status;
}

/* Calls `write` for a result; an error replaces the result. */
static int answer(lv_status (*write)(FILE *out, lv_error *err))
{
    lv_error err;
    lv_error_clear(&err);
    forget_result();
    FILE *out = open_memstream(&lab.result, &lab.size);
    lv_status status = out ? write(out, &err) : cli_fail_memory(&err);
    if (out && fclose(out) != 0 && status == LV_OK)
        status = cli_fail_memory(&err);
    return status == LV_OK ? LV_OK : put_error(&err, status);
}

/* ---- requests -------------------------------------------------------------------------------------- */

static void close_model(void)
{
    forget_result();
    lv_model_free(lab.model);
    lab.model = NULL;
    if (lab.has_args)
        cli_args_done(&lab.args);
    lab.has_args = false;
    free(lab.words);
    lab.words = NULL;
}

void lab_close(void)
{
    close_model();
    free(lab.room);
    lab.room = NULL;
}

char *lab_room(size_t size)
{
    lab_close();
    return lab.room = calloc(size + 1, 1);
}

/* Splits the request into words after the name of the command; the last word, the text of
 * the model, is returned separately. */
static lv_status read_words(int *count, const char **text, size_t size, lv_error *err)
{
    *count = 1;
    for (size_t k = 0; k < size; k++)
        *count += lab.room[k] == '\0';
    lab.words = calloc((size_t)*count + 2, sizeof *lab.words);
    if (!lab.words)
        return cli_fail_memory(err);
    static char name[] = "lab";
    lab.words[0] = name;
    char *at = lab.room;
    for (int k = 1; k <= *count; k++) {
        lab.words[k] = at;
        at += strlen(at) + 1;
    }
    *text = lab.words[*count];
    lab.words[*count] = NULL;
    return LV_OK;
}

static void put_parameters(cli_json *j, const lv_model *m)
{
    cli_json_key(j, "parameters");
    cli_json_open(j, '[');
    for (int k = 0; k < m->parameters.count; k++) {
        const lv_parameter *p = &m->parameters.data[k];
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", p->item->name);
        cli_json_key(j, "value");
        cli_json_numbers(j, m->parameter_values.data + p->first, p->length);
        cli_json_put_bool(j, "structural", p->structural);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static void put_run(cli_json *j, const lv_run_options *run)
{
    cli_json_key(j, "run");
    cli_json_open(j, '{');
    cli_json_put_text(j, "scheme", run->scheme);
    cli_json_put_number(j, "step", run->step > 0 ? run->step : (double)NAN);
    cli_json_put_number(j, "until", run->ends ? run->until : (double)NAN);
    cli_json_close(j, '}');
}

static lv_status put_model(FILE *out, lv_error *err)
{
    cli_json j = {.out = out};
    (void)err;
    cli_json_open(&j, '{');
    cli_json_put_text(&j, "status", "ok");
    cli_json_put_text(&j, "title", lv_model_title(lab.model));
    put_parameters(&j, lab.model);
    put_run(&j, lv_model_run_options(lab.model));
    cli_json_close(&j, '}');
    return LV_OK;
}

static lv_status open_model(size_t size, lv_error *err)
{
    int count = 0;
    const char *text = NULL;
    CLI_TRY(read_words(&count, &text, size, err));
    lab.has_args = true;
    CLI_TRY(cli_args_parse(&lab.args, &request_words, count, lab.words, err));
    return cli_model_parse(&lab.model, lab.args.items[0], text, strlen(text), &lab.args,
                           err);
}

int lab_open(size_t size)
{
    lv_error err;
    lv_error_clear(&err);
    close_model();
    lv_status status = lab.room ? open_model(size, &err) : cli_fail_memory(&err);
    return status == LV_OK ? answer(put_model) : put_error(&err, status);
}

/* ---- questions ------------------------------------------------------------------------------------- */

static lv_status need_model(lv_error *err)
{
    return lab.model ? LV_OK : cli_fail(err, LV_ERR_USAGE, "no model is open");
}

static lv_status change(lv_run_request *request, lv_error *err)
{
    lv_run_changes changes;
    CLI_TRY(cli_changes_read(&changes, &lab.args, err));
    lv_run_request_change(request, &changes);
    return cli_steps_check(request, err);
}

static bool show_progress(void *user, const lv_progress *p)
{
    (void)user;
    lab_progress(p->total_steps > 0 ? (double)p->steps / (double)p->total_steps : 0);
    return true;
}

/* Closes the object, writes it and frees it. */
static lv_status write_json(FILE *out, lv_json *json, lv_error *err)
{
    lv_json_close(json, '}');
    const bool written = !json->text.failed && fputs(json->text.data, out) >= 0;
    lv_text_done(&json->text);
    return written ? LV_OK : cli_fail_memory(err);
}

/* Writes the data of a page about this run. */
static lv_status write_data(FILE *out, const lv_report_run *run, lv_error *err)
{
    lv_json json = {0};
    lv_status status = lv_page_data(&json, run, 1, err);
    if (status == LV_OK)
        return write_json(out, &json, err);
    lv_text_done(&json.text);
    return status;
}

/* A run that stopped early is not a failure: its data give the reason. */
static lv_status put_run_data(FILE *out, lv_error *err)
{
    lv_listener listener;
    lv_report_run run = {0};
    lv_run_summary *summary = NULL;
    CLI_TRY(need_model(err));
    lv_run_request request = lv_run_request_default(lab.model);
    CLI_TRY(change(&request, err));
    request.progress = show_progress;
    lv_listener_init(&listener, lab.model, LV_PAGE_BUDGET);
    lv_status status = lv_listener_run(&listener, &run, &summary, &request, err);
    if (run.summary) {
        lv_error failure;
        status = write_data(out, &run, &failure);
        if (status != LV_OK)
            *err = failure;
    }
    lv_listener_done(&listener);
    lv_run_summary_free(summary);
    return status;
}

int lab_run(void)
{
    return answer(put_run_data);
}

/* The reasons why schemes with default options do not take the model. */
static void put_refusals(cli_json *j, const cli_check *check)
{
    lv_scheme_info info;
    cli_json_key(j, "refused");
    cli_json_open(j, '[');
    for (int k = 0; k < CLI_SCHEMES_MAX && lv_scheme_describe(k, &info); k++) {
        lv_sim *sim = NULL;
        lv_error why;
        lv_sim_options sought = lv_run_request_default(check->model).sim;
        sought.scheme = info.name;
        sought.options = (lv_scheme_options){0};
        sought.step = sought.step > 0 ? sought.step : 1e-3;
        if (check->fits[k])
            continue;
        if (lv_sim_create(&sim, check->model, &sought, &why) == LV_OK)
            why.text[0] = '\0';
        lv_sim_free(sim);
        cli_json_open(j, '{');
        cli_json_put_text(j, "name", info.name);
        cli_json_put_text(j, "reason", why.text);
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}

static lv_status put_check(FILE *out, lv_error *err)
{
    cli_check check;
    CLI_TRY(need_model(err));
    lv_status status =
        cli_check_make(&check, lab.args.items[0], lab.model, NULL, NULL, err);
    if (status == LV_OK) {
        cli_json j = {.out = out};
        cli_json_open(&j, '{');
        cli_json_key(&j, "check");
        cli_check_put(&j, &check);
        put_refusals(&j, &check);
        cli_json_close(&j, '}');
    }
    cli_check_done(&check);
    return status;
}

int lab_check(void)
{
    return answer(put_check);
}

static void show_phase(void *user, int number, int count, const char *what)
{
    (void)user;
    (void)what;
    lab_progress((double)(number - 1) / count);
}

static lv_status put_certificate(FILE *out, lv_error *err)
{
    lv_json json = {0};
    lv_certificate *certificate = NULL;
    CLI_TRY(need_model(err));
    lv_verify_request request = lv_verify_request_default(lab.model);
    CLI_TRY(change(&request.run, err));
    request.run.sample = 0; /* rows are not needed */
    request.phase = show_phase;
    CLI_TRY(lv_verify(&certificate, lab.model, &request, err));
    lv_json_open(&json, '{');
    lv_status status = lv_certificate_put(&json, certificate, err);
    lv_certificate_free(certificate);
    return status == LV_OK ? write_json(out, &json, err) : status;
}

int lab_verify(void)
{
    return answer(put_certificate);
}
