#include "study/table.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/model.h"
#include "out/channels.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 512 };

/* Channels of runs that the table does not take over, because it has columns of its own
 * for the whole run. */
static const char *const own[] = {"t", "energy", "momentum", "constraints", "newton"};

static bool is_own(const char *name)
{
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (strcmp(own[k], name) == 0)
            return true;
    return false;
}

/* ---- columns --------------------------------------------------------------------------- */

static const char *label_of(const void *user, int k, char *buffer, size_t size)
{
    const char *const *labels = user;
    snprintf(buffer, size, "%s", labels[k]);
    return buffer;
}

static const char *label_message(const void *user, int k, char *buffer, size_t size)
{
    (void)user;
    (void)k;
    snprintf(buffer, size, "message");
    return buffer;
}

/* Begins a channel; returns its first column. */
static int begin_channel(lv_table *t, const char *name, const char *doc)
{
    int k = t->channel_count++;
    t->list[k] = (lv_channel){.name = name, .doc = doc, .label = label_of};
    t->first[k] = t->labels.count;
    return t->first[k];
}

/* Adds a column to the current channel. */
static lv_status add_column(lv_table *t, lv_error *err, const char *format, ...)
    LV_PRINTF(3, 4);

static lv_status add_column(lv_table *t, lv_error *err, const char *format, ...)
{
    char text[LABEL];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *label = lv_arena_text(&t->arena, text, strlen(text));
    return label && LV_PUSH(t->labels, label) ? LV_OK : lv_fail_memory(err);
}

static lv_status add_parameter(lv_table *t, int number, lv_error *err)
{
    const lv_parameter *p = &t->model->parameters.data[number];
    if (p->length == 0)
        return add_column(t, err, "%s", p->item->name);
    for (int k = 0; k < p->length; k++)
        LV_TRY(add_column(t, err, "%s[%d]", p->item->name, k + 1));
    return LV_OK;
}

static lv_status add_head(lv_table *t, lv_error *err)
{
    const lv_sweep_plan *plan = &t->model->sweep;
    begin_channel(t, "member", "number of the member, from 0");
    LV_TRY(add_column(t, err, "member"));
    t->set = begin_channel(t, "set", "parameters that are set");
    if (plan->parameter >= 0)
        LV_TRY(add_parameter(t, plan->parameter, err));
    for (int k = 0; k < plan->list.count; k++)
        LV_TRY(add_parameter(t, plan->list.data[k].parameter, err));
    t->status = begin_channel(t, "status",
                              "0: ended well; 1 memory, 2 limit, 3 syntax, 4 model, "
                              "5 domain, 6 numeric, 7 usage, 8 io");
    LV_TRY(add_column(t, err, "status"));
    begin_channel(t, "reached", "time and steps that were reached");
    LV_TRY(add_column(t, err, "t"));
    LV_TRY(add_column(t, err, "steps"));
    t->warnings = begin_channel(t, "warnings", "how many warnings the run ended with");
    return add_column(t, err, "warnings");
}

static lv_status carry_channel(lv_table *t, const lv_channel *channel, lv_error *err)
{
    char label[LABEL];
    int at = begin_channel(t, channel->name, channel->doc);
    t->carried[t->carried_count++] = (lv_carried){channel->name, channel->width, at};
    for (int k = 0; k < channel->width; k++)
        LV_TRY(add_column(t, err, "%s",
                          channel->label(channel->user, k, label, sizeof label)));
    return LV_OK;
}

static lv_status add_kept(lv_table *t, const char *prefix, const char *name,
                          lv_error *err)
{
    LV_TRY(add_column(t, err, "%s%s.initial", prefix, name));
    LV_TRY(add_column(t, err, "%s%s.final", prefix, name));
    return add_column(t, err, "%s%s.deviation", prefix, name);
}

static lv_status add_momenta(lv_table *t, const lv_sim *sim, lv_error *err)
{
    t->map_count = lv_system_map_count(sim->system);
    t->maps = lv_arena_alloc(&t->arena, (size_t)t->map_count, sizeof *t->maps);
    if (!t->maps)
        return lv_fail_memory(err);
    if (t->map_count > 0)
        t->momentum = begin_channel(t, "momentum",
                                    "momentum maps: at the start, at the end, and the "
                                    "largest deviation at any step");
    for (int k = 0; k < t->map_count; k++) {
        const char *name = lv_system_map_name(sim->system, k);
        t->maps[k] = lv_arena_text(&t->arena, name, strlen(name));
        if (!t->maps[k])
            return lv_fail_memory(err);
        LV_TRY(add_kept(t, "J.", name, err));
    }
    return LV_OK;
}

static lv_status add_watched(lv_table *t, const lv_sim *sim, lv_error *err)
{
    t->energy = begin_channel(
        t, "energy", "at the start, at the end, and its largest deviation at any step");
    LV_TRY(add_kept(t, "", "E", err));
    LV_TRY(add_momenta(t, sim, err));
    t->nonholonomic = sim->system->has_nonholonomic;
    t->constraints = begin_channel(
        t, "constraints",
        "largest residuals of constraints, of their rates, of nonholonomic constraints");
    LV_TRY(add_column(t, err, "g.max"));
    LV_TRY(add_column(t, err, "gdot.max"));
    if (t->nonholonomic)
        LV_TRY(add_column(t, err, "nonholonomic.max"));
    t->newton = begin_channel(
        t, "newton", "iterations of the nonlinear solver per step: mean and most");
    LV_TRY(add_column(t, err, "newton.mean"));
    return add_column(t, err, "newton.max");
}

/* Connects the channels with the row, when all columns are known. */
static lv_status table_finish(lv_table *t, lv_error *err)
{
    int width = t->labels.count;
    t->row = lv_arena_alloc(&t->arena, (size_t)width, sizeof *t->row);
    if (!t->row)
        return lv_fail_memory(err);
    for (int k = 0; k < t->channel_count; k++) {
        int end = k + 1 < t->channel_count ? t->first[k + 1] : width;
        t->list[k].width = end - t->first[k];
        t->list[k].values = t->row + t->first[k];
        t->list[k].user = t->labels.data + t->first[k];
    }
    t->list[t->channel_count] = (lv_channel){.name = "message",
                                             .doc = "why the member failed",
                                             .width = 1,
                                             .label = label_message,
                                             .text = t->message};
    t->numbers = (lv_channels){t->channel_count, t->list};
    t->all = (lv_channels){t->channel_count + 1, t->list};
    return LV_OK;
}

lv_status lv_table_init(lv_table *t, const lv_model *model, const lv_sim *sim,
                        const lv_channels *channels, lv_error *err)
{
    const lv_channel *outputs = lv_channel_find(channels, "outputs");
    *t = (lv_table){.model = model};
    LV_TRY(add_head(t, err));
    for (int k = 0; k < channels->count; k++)
        if (!is_own(channels->list[k].name) && &channels->list[k] != outputs)
            LV_TRY(carry_channel(t, &channels->list[k], err));
    LV_TRY(add_watched(t, sim, err));
    if (outputs)
        LV_TRY(carry_channel(t, outputs, err));
    return table_finish(t, err);
}

void lv_table_done(lv_table *t)
{
    LV_ARRAY_FREE(t->labels);
    lv_arena_done(&t->arena);
}

/* ---- rows ------------------------------------------------------------------------------ */

static double *copy_parameter(const lv_table *t, double *to, int number,
                              const double *parameters)
{
    const lv_parameter *p = &t->model->parameters.data[number];
    int count = p->length > 0 ? p->length : 1;
    memcpy(to, parameters + p->first, (size_t)count * sizeof *to);
    return to + count;
}

void lv_table_begin_row(const lv_table *t, double *row, int member,
                        const double *parameters)
{
    const lv_sweep_plan *plan = &t->model->sweep;
    double *to = row + t->set;
    for (int k = 0; k < t->labels.count; k++)
        row[k] = NAN;
    row[0] = member;
    if (plan->parameter >= 0)
        to = copy_parameter(t, to, plan->parameter, parameters);
    for (int k = 0; k < plan->list.count; k++)
        to = copy_parameter(t, to, plan->list.data[k].parameter, parameters);
    row[t->status] = LV_OK;
    row[t->status + 1] = 0; /* t and steps */
    row[t->status + 2] = 0;
    row[t->warnings] = 0;
}

static void put_kept(double *to, const lv_kept_quantity *kept)
{
    to[0] = kept->initial;
    to[1] = kept->final;
    to[2] = kept->max_deviation;
}

/* Momentum maps are matched by name, because the symmetries that livens finds may differ
 * from member to member. */
static void put_momenta(const lv_table *t, double *to, const lv_run_summary *run)
{
    for (int k = 0; k < t->map_count; k++)
        for (int i = 0; i < run->momentum_count; i++)
            if (strcmp(t->maps[k], run->momenta[i].name) == 0)
                put_kept(to + (size_t)k * 3, &run->momenta[i]);
}

void lv_table_add_run(const lv_table *t, double *row, const lv_run_summary *run)
{
    row[t->status] = run->status;
    row[t->status + 1] = run->time;
    row[t->status + 2] = (double)run->steps;
    row[t->warnings] = run->warning_count;
    put_kept(row + t->energy, &run->energy);
    put_momenta(t, row + t->momentum, run);
    row[t->constraints] = run->position_max;
    row[t->constraints + 1] = run->velocity_max;
    if (t->nonholonomic)
        row[t->constraints + 2] = run->nonholonomic_max;
    row[t->newton] = run->newton_mean;
    row[t->newton + 1] = run->newton_max;
}

lv_status lv_table_match(const lv_table *t, const lv_channels *channels, lv_error *err)
{
    for (int k = 0; k < t->carried_count; k++) {
        const lv_carried *c = &t->carried[k];
        const lv_channel *found = lv_channel_find(channels, c->name);
        int width = found ? found->width : 0;
        if (width != c->width)
            return lv_fail(err, LV_ERR_MODEL,
                           "'%s' has %d numbers in this member and %d in the model: what "
                           "the sweep sets must not change sizes",
                           c->name, width, c->width);
    }
    return LV_OK;
}

void lv_table_add_end(const lv_table *t, double *row, const lv_channels *channels)
{
    for (int k = 0; k < t->carried_count; k++) {
        const lv_carried *c = &t->carried[k];
        const lv_channel *found = lv_channel_find(channels, c->name);
        if (found)
            memcpy(row + c->at, found->values, (size_t)c->width * sizeof *row);
    }
}

void lv_table_fail_row(const lv_table *t, double *row, lv_status status)
{
    row[t->status] = status;
    for (int k = 0; k < t->carried_count; k++)
        for (int i = 0; i < t->carried[k].width; i++)
            row[t->carried[k].at + i] = NAN;
}
