/* Pages about ensembles, with a row of numbers for each member. */
#include <livens/report.h>

#include "base/memory.h"
#include "base/usage.h"
#include "report/describe.h"
#include "report/pack.h"
#include "report/page.h"
#include "report/thin.h"
#include "study/parts.h"

#include <math.h>
#include <string.h>

/* Upper bound on the text of the numbers of all members, estimated bytes per packed
 * number, and largest number of members whose messages are kept. */
static const size_t budget = 2000000;
static const double bytes_of_number = 5.4;
enum { MESSAGES_MOST = 500 };

typedef struct failed_member {
    int number;
    const char *text;
} failed_member;

/* Collects members in the order of their numbers, every `every`-th of them. */
typedef struct crowd {
    const lv_sweep_request *request; /* owned by the caller */
    lv_arena arena;
    LV_ARRAY(double) rows;
    LV_ARRAY(failed_member) failed;
    const char **names;
    int columns, seen, kept;
    int every;
    bool lost; /* out of memory */
} crowd;

static bool is_room(const crowd *c)
{
    return (double)c->kept * c->columns * bytes_of_number < (double)budget;
}

/* Keeps every second row. */
static void halve(crowd *c)
{
    const size_t width = (size_t)c->columns;
    for (int k = 0; 2 * k < c->kept; k++)
        memmove(c->rows.data + (size_t)k * width, c->rows.data + 2 * (size_t)k * width,
                width * sizeof *c->rows.data);
    c->kept = (c->kept + 1) / 2;
    c->rows.count = c->kept * c->columns;
    c->every *= 2;
}

/* Copies the names, which live only as long as the sweep. */
static bool take_names(crowd *c, const lv_member *m)
{
    c->columns = m->column_count;
    c->names = lv_arena_alloc(&c->arena, (size_t)c->columns + 1, sizeof *c->names);
    for (int k = 0; c->names && k < c->columns; k++) {
        c->names[k] = lv_arena_text(&c->arena, m->columns[k], strlen(m->columns[k]));
        if (!c->names[k])
            return false;
    }
    return c->names != NULL;
}

static bool take_row(crowd *c, const lv_member *m)
{
    if (!c->names && !take_names(c, m))
        return false;
    if (m->error && c->failed.count < MESSAGES_MOST) {
        const failed_member f = {
            m->number, lv_arena_text(&c->arena, m->error->text, strlen(m->error->text))};
        if (!f.text || !LV_PUSH(c->failed, f))
            return false;
    }
    if (c->seen++ % c->every != 0)
        return true;
    for (int k = 0; k < c->columns; k++)
        if (!LV_PUSH(c->rows, m->values[k]))
            return false;
    c->kept++;
    if (!is_room(c))
        halve(c);
    return true;
}

static bool see_member(void *user, const lv_member *m)
{
    crowd *c = user;
    c->lost = c->lost || !take_row(c, m);
    return !c->request->member || c->request->member(c->request->user, m);
}

static bool see_progress(void *user, const lv_sweep_progress *now)
{
    const crowd *c = user;
    return !c->request->progress || c->request->progress(c->request->user, now);
}

/* ---- as JSON ------------------------------------------------------------------------------------------- */

static const lv_column_range *range_of(const lv_sweep_summary *s, const char *name)
{
    for (int k = 0; k < s->column_count; k++)
        if (strcmp(s->columns[k].name, name) == 0)
            return &s->columns[k];
    return NULL;
}

/* Whether a column is stored with all bits: parameters are, so that a member can be
 * repeated. Others have seven digits. */
static bool is_exact(const lv_column_range *range)
{
    return range && strcmp(range->kind, "set") == 0;
}

/* Writes one column of all rows, packed. */
static lv_status put_column(lv_json *j, const crowd *c, const lv_sweep_summary *s, int k,
                            double *values, float *narrow, lv_error *err)
{
    const lv_column_range *range = range_of(s, c->names[k]);
    const lv_packed_column packed = {narrow, 0};
    lv_text text = {0};
    for (int i = 0; i < c->kept; i++) {
        values[i] = c->rows.data[(size_t)i * (size_t)c->columns + (size_t)k];
        narrow[i] = lv_thin_number(values[i]);
    }
    if (is_exact(range))
        lv_pack_doubles(&text, values, c->kept);
    else
        lv_pack_floats(&text, &packed, 1, c->kept);
    lv_json_open(j, '{');
    lv_json_put_text(j, "name", c->names[k]);
    lv_json_put_text(j, "kind", range ? range->kind : "");
    lv_json_put_flag(j, "exact", is_exact(range));
    lv_json_put_number(j, "least", range ? range->least : (double)NAN);
    lv_json_put_number(j, "mean", range ? range->mean : (double)NAN);
    lv_json_put_number(j, "most", range ? range->most : (double)NAN);
    if (!text.failed)
        lv_json_put_text(j, "data", text.data ? text.data : "");
    lv_json_close(j, '}');
    const bool failed = text.failed;
    lv_text_done(&text);
    return failed ? lv_fail_memory(err) : LV_OK;
}

static lv_status put_columns(lv_json *j, const crowd *c, const lv_sweep_summary *s,
                             lv_error *err)
{
    double *values = lv_memory_zeroed((size_t)c->kept + 1, sizeof *values);
    float *narrow = lv_memory_zeroed((size_t)c->kept + 1, sizeof *narrow);
    lv_status status = values && narrow ? LV_OK : lv_fail_memory(err);
    lv_json_put_number(j, "rows", c->kept);
    lv_json_put_number(j, "every", c->every);
    lv_json_key(j, "columns");
    lv_json_open(j, '[');
    for (int k = 0; k < c->columns && status == LV_OK; k++)
        status = put_column(j, c, s, k, values, narrow, err);
    lv_json_close(j, ']');
    lv_memory_free(values);
    lv_memory_free(narrow);
    return status;
}

static void put_failed(lv_json *j, const crowd *c)
{
    lv_json_key(j, "messages");
    lv_json_open(j, '[');
    for (int k = 0; k < c->failed.count; k++) {
        lv_json_open(j, '[');
        lv_json_number(j, c->failed.data[k].number);
        lv_json_text(j, c->failed.data[k].text);
        lv_json_close(j, ']');
    }
    lv_json_close(j, ']');
}

static void put_groups(lv_json *j, const char *key, const lv_member_group *groups,
                       int count)
{
    lv_json_key(j, key);
    lv_json_open(j, '[');
    for (int k = 0; k < count; k++) {
        lv_json_open(j, '{');
        lv_json_put_number(j, "count", groups[k].count);
        lv_json_put_number(j, "first", groups[k].first);
        lv_json_put_text(j, "text", groups[k].text);
        lv_json_close(j, '}');
    }
    lv_json_close(j, ']');
}

static lv_status put_sweep(lv_json *j, const lv_model *model, const crowd *c,
                           const lv_sweep_summary *s, lv_error *err)
{
    lv_json_key(j, "sweep");
    lv_json_open(j, '{');
    lv_describe_model(j, model);
    lv_describe_scheme(j, s->scheme, &s->options, s->order);
    const lv_sweep_request *request = c->request;
    LV_TRY(lv_describe_command(
        j, "sweep", model, request->join ? &request->join->changes : &request->changes,
        err));
    lv_json_put_number(j, "members", s->members);
    lv_json_put_number(j, "done", s->done);
    lv_json_put_number(j, "failed", s->failed);
    lv_json_put_number(j, "warned", s->warned);
    lv_json_put_number(j, "steps", (double)s->steps);
    put_groups(j, "failures", s->failures, s->failure_count);
    put_groups(j, "warnings", s->warnings, s->warning_count);
    put_failed(j, c);
    LV_TRY(put_columns(j, c, s, err));
    lv_json_close(j, '}');
    return LV_OK;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static lv_status finish_sweep_page(lv_page *page, lv_report_info *info,
                                   const lv_model *model, const crowd *c,
                                   const lv_sweep_summary *s, lv_error *err)
{
    lv_json json = {0};
    info->rows = c->seen;
    info->every = c->every;
    lv_page_begin(&json, "sweep");
    lv_status status = c->lost ? lv_fail_memory(err) : put_sweep(&json, model, c, s, err);
    if (status == LV_OK)
        status = lv_page_finish(page, &json, &info->bytes, err);
    lv_text_done(&json.text);
    return status;
}

lv_status lv_sweep_report(lv_sweep_summary **summary, lv_report_info *info,
                          const lv_model *model, const lv_sweep_request *request,
                          const char *page, lv_error *err)
{
    lv_report_info own;
    lv_page out;
    lv_error_clear(err);
    LV_NEED(err, summary);
    *summary = NULL;
    LV_NEED(err, model);
    LV_NEED(err, request);
    LV_NEED_ROOM(err, request);
    LV_NEED_ROOM(err, &request->changes);
    LV_NEED(err, page);
    info = info ? info : &own;
    *info = (lv_report_info){.every = 1};
    crowd c = {.request = request, .every = 1};
    lv_sweep_request asked = *request;
    asked.member = see_member;
    asked.progress = see_progress;
    asked.user = &c;
    lv_status status = lv_page_open(&out, page, err);
    if (status == LV_OK)
        status = lv_sweep_run(summary, model, &asked, err);
    if (status == LV_OK)
        status = finish_sweep_page(&out, info, model, &c, *summary, err);
    lv_page_done(&out);
    lv_memory_free(c.rows.data);
    lv_memory_free(c.failed.data);
    lv_arena_done(&c.arena);
    return status;
}
