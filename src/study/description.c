#include "study/description.h"

#include "model/model.h"
#include "run/record.h"
#include "run/run.h"
#include "study/changes.h"

#include <stdio.h>

static void add_text(lv_description *d, const char *name, const char *text)
{
    d->texts[d->header.count++] = (lv_text_entry){name, text};
}

static void add_attribute(lv_description *d, const char *name, const char *text)
{
    d->attributes[d->header.attribute_count++] = (lv_text_entry){name, text};
}

static void add_part(lv_description *d, const lv_sweep_request *request,
                     const char *messages)
{
    snprintf(d->share, sizeof d->share, "%d/%d", request->part, request->parts);
    add_text(d, LV_PART_SHARE, d->share);
    add_text(d, LV_PART_COMMAND, request->command ? request->command : "");
    if (messages)
        add_text(d, LV_PART_MESSAGES, messages);
}

lv_status lv_description_init(lv_description *d, const lv_model *model,
                              const lv_sweep_request *request, const char *scheme,
                              const char *inputs, const char *messages, lv_arena *arena,
                              lv_error *err)
{
    const char *changes = lv_changes_write(&request->changes, arena);
    const bool is_part = request->parts > 0;
    if (!changes)
        return lv_fail_memory(err);
    *d = (lv_description){.header = {.entries = d->texts,
                                     .attributes = d->attributes,
                                     .rows = lv_part_size(request->part, request->parts,
                                                          model->sweep.members)}};
    add_text(d, "version", LIVENS_VERSION);
    add_text(d, "kind", is_part ? LV_PART_KIND : "ensemble");
    add_text(d, "model", model->source.text);
    add_text(d, "name", model->source.name);
    add_text(d, "settings", model->settings_text);
    add_text(d, "changes", changes);
    if (inputs[0])
        add_text(d, "inputs", inputs);
    if (is_part)
        add_part(d, request, messages);
    add_attribute(d, "title", lv_model_title(model));
    add_attribute(d, "version", LIVENS_VERSION);
    add_attribute(d, "scheme", scheme);
    add_attribute(d, "options", changes);
    if (request->command)
        add_attribute(d, "command", request->command);
    return lv_run_parameters(&d->header, model, arena, err);
}
