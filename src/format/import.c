/* Imports robots from URDF files. */
#include "base/file.h"
#include "base/usage.h"
#include "format/urdf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A result with its memory; the caller's view is the first member. */
typedef struct imported {
    lv_import view;
    lv_arena arena;
    lv_text text;
    lv_urdf robot;
} imported;

static lv_status check(const char *function, const lv_import_request *request,
                       lv_error *err)
{
    if (!request)
        return LV_OK;
    LV_TRY(lv_need_zeros(err, function, "request", request->reserved, 8));
    LV_TRY(lv_need_count(err, function, "position_count", request->position_count));
    for (int k = 0; k < request->position_count; k++) {
        if (!request->positions || !request->positions[k].joint)
            return lv_fail_null(err, function, "positions");
        LV_TRY(lv_need_finite(err, function, "positions", request->positions[k].value));
    }
    return LV_OK;
}

static int by_line(const void *a, const void *b)
{
    const lv_import_note *one = a, *other = b;
    if (one->line != other->line)
        return one->line < other->line ? -1 : 1;
    return strcmp(one->text, other->text);
}

static lv_status import(imported *x, const lv_source *source,
                        const lv_import_request *request, lv_error *err)
{
    lv_xml *root;
    lv_urdf *robot = &x->robot;
    *robot = (lv_urdf){.arena = &x->arena, .source = source, .err = err};
    LV_TRY(lv_xml_read(&root, &x->arena, source, err));
    LV_TRY(lv_urdf_read(robot, root));
    LV_TRY(lv_urdf_place(robot, request));
    LV_TRY(lv_urdf_name(robot));
    if (robot->notes.count > 0)
        qsort(robot->notes.data, (size_t)robot->notes.count, sizeof *robot->notes.data,
              by_line);
    lv_urdf_write(&x->text, robot);
    if (x->text.failed)
        return lv_fail_memory(err);
    for (int k = 0; k < robot->links.count; k++)
        x->view.bodies += robot->links.data[k].id != NULL;
    for (int k = 0; k < robot->joints.count; k++)
        x->view.joints += robot->joints.data[k].id != NULL;
    x->view.text = x->text.data;
    x->view.notes = robot->notes.data;
    x->view.note_count = robot->notes.count;
    if (x->view.bodies > 0)
        return LV_OK;
    const lv_status status =
        lv_fail_at(err, LV_ERR_MODEL, LV_AT(robot->links.data[robot->root].place),
                   "nothing of the robot moves");
    lv_error_hint(err, "the root '%s' is the ground unless it is made floating",
                  robot->links.data[robot->root].name);
    return status;
}

void lv_import_free(lv_import *result)
{
    imported *x = (imported *)result;
    if (!x)
        return;
    lv_urdf_done(&x->robot);
    lv_text_done(&x->text);
    lv_arena_done(&x->arena);
    lv_memory_free(x);
}

static lv_status import_text(lv_import **result, const lv_source *source,
                             const lv_import_request *request, lv_error *err)
{
    imported *x = lv_memory_zeroed(1, sizeof *x);
    if (!x)
        return lv_fail_memory(err);
    const lv_status status = import(x, source, request, err);
    x->robot.source = NULL;
    if (status == LV_OK)
        *result = &x->view;
    else
        lv_import_free(&x->view);
    return status;
}

lv_status lv_import_urdf_text(lv_import **result, const char *name, const char *text,
                              size_t size, const lv_import_request *request,
                              lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, result);
    *result = NULL;
    LV_NEED(err, name);
    LV_NEED(err, text);
    LV_TRY(check(__func__, request, err));
    const lv_source source = {name, text, size};
    return import_text(result, &source, request, err);
}

lv_status lv_import_urdf(lv_import **result, const char *path,
                         const lv_import_request *request, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, result);
    *result = NULL;
    LV_NEED(err, path);
    LV_TRY(check(__func__, request, err));
    char *text = NULL;
    size_t size = 0;
    lv_status status = lv_file_read_named(path, &text, &size, LV_XML_MOST_BYTES, err);
    const lv_source source = {path, text, size};
    if (status == LV_OK)
        status = import_text(result, &source, request, err);
    lv_memory_free(text);
    return status;
}
