#include "study/parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"
#include "model/model.h"
#include "study/changes.h"

#include <stdio.h>
#include <string.h>

/* ---- shares ---------------------------------------------------------------------------- */

/* Neighbouring members often cost the same, so that parts with every n-th member take
 * about equally long. */
int lv_part_size(int part, int parts, int members)
{
    if (parts == 0)
        return members;
    return members < part ? 0 : (members - part) / parts + 1;
}

int lv_part_member(int part, int parts, int k)
{
    return parts == 0 ? k : part - 1 + k * parts;
}

/* ---- the files --------------------------------------------------------------------------- */

/* "2/4" */
static bool read_share(const char *text, int *part, int *parts)
{
    char rest = 0;
    return sscanf(text, "%9d/%9d%c", part, parts, &rest) == 2 && *part >= 1 &&
           *part <= *parts;
}

static lv_status check_kind(const lv_hdf5_run *file, const char *path, lv_error *err)
{
    const char *kind = lv_hdf5_run_text(file, "kind");
    if (strcmp(kind, LV_PART_KIND) == 0)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_USAGE, "'%s' is the result of a %s, not of a part of a sweep",
                path, strcmp(kind, "ensemble") == 0 ? "whole sweep" : "run");
    lv_error_hint(err, "parts are what 'livens sweep MODEL --part K/N -o FILE' writes");
    return status;
}

static lv_status check_finished(const lv_hdf5_run *file, const char *path, lv_error *err)
{
    if (lv_hdf5_run_text(file, LV_PART_MESSAGES)[0] != '\0')
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_USAGE, "part %s in '%s' is not finished",
                               lv_hdf5_run_text(file, LV_PART_SHARE), path);
    lv_error_hint(err, "give its command again with --resume");
    return status;
}

static lv_status check_version(const lv_hdf5_run *file, const char *path, lv_error *err)
{
    const char *version = lv_hdf5_run_text(file, "version");
    if (strcmp(version, LIVENS_VERSION) == 0)
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_USAGE,
                               "'%s' was computed by livens %s, and this is livens %s",
                               path, version, LIVENS_VERSION);
    lv_error_hint(err, "join all parts with the version that computed them");
    return status;
}

static lv_status check_same(const lv_hdf5_run *file, const char *path,
                            const lv_hdf5_run *first, const char *first_path,
                            lv_error *err)
{
    static const char *const texts[] = {"model", "settings", "changes", "inputs"};
    static const char *const what[] = {"models", "values of --set", "options",
                                       "values of --input"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(lv_hdf5_run_text(file, texts[k]), lv_hdf5_run_text(first, texts[k])) !=
            0)
            return lv_fail(err, LV_ERR_USAGE,
                           "'%s' and '%s' are parts of different sweeps: their %s differ",
                           first_path, path, what[k]);
    return LV_OK;
}

static lv_status parts_make_room(lv_sweep_parts *p, int parts, lv_error *err)
{
    p->paths = lv_arena_alloc(&p->arena, (size_t)parts, sizeof *p->paths);
    p->files = lv_memory_zeroed((size_t)parts, sizeof *p->files);
    p->count = p->paths && p->files ? parts : 0;
    return p->count > 0 ? LV_OK : lv_fail_memory(err);
}

/* Checks that the file is another part of the same sweep as the files before. */
static lv_status check_file(lv_sweep_parts *p, const lv_hdf5_run *file, const char *path,
                            const char *first_path, int *part, lv_error *err)
{
    const char *share = lv_hdf5_run_text(file, LV_PART_SHARE);
    int parts = 0, known = 0;
    LV_TRY(check_kind(file, path, err));
    if (!read_share(share, part, &parts))
        return lv_fail(err, LV_ERR_IO, "'%s' is damaged: which part it is", path);
    LV_TRY(check_version(file, path, err));
    if (p->count == 0)
        LV_TRY(parts_make_room(p, parts, err));
    while (known < p->count && !p->paths[known])
        known++;
    if (known < p->count)
        LV_TRY(check_same(file, path, &p->files[known], p->paths[known], err));
    if (parts != p->count)
        return lv_fail(err, LV_ERR_USAGE,
                       "'%s' is one of %d parts of a sweep, '%s' is one of %d",
                       first_path, p->count, path, parts);
    if (p->paths[*part - 1])
        return lv_fail(err, LV_ERR_USAGE, "'%s' and '%s' are both part %s",
                       p->paths[*part - 1], path, share);
    return check_finished(file, path, err);
}

/* Reads the texts of a file and stores it at the index of its part. */
static lv_status add_file(lv_sweep_parts *p, const char *path, const char *first_path,
                          lv_error *err)
{
    lv_hdf5_run file;
    int part = 0;
    LV_TRY(lv_hdf5_read_run(&file, path, err));
    lv_status status = check_file(p, &file, path, first_path, &part, err);
    const char *copy =
        status == LV_OK ? lv_arena_text(&p->arena, path, strlen(path)) : NULL;
    if (status == LV_OK && !copy)
        status = lv_fail_memory(err);
    if (status != LV_OK) {
        lv_hdf5_run_done(&file);
        return status;
    }
    p->paths[part - 1] = copy;
    p->files[part - 1] = file;
    return LV_OK;
}

static lv_status check_complete(const lv_sweep_parts *p, lv_error *err)
{
    lv_listing missing = {0};
    char number[16];
    int count = 0, first = 0;
    for (int k = 0; k < p->count; k++) {
        if (p->paths[k])
            continue;
        snprintf(number, sizeof number, "%d", k + 1);
        lv_listing_add(&missing, number);
        first = first ? first : k + 1;
        count++;
    }
    if (count == 0)
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_USAGE, "of %d parts %s %s missing", p->count,
                               lv_listing_text(&missing), count == 1 ? "is" : "are");
    lv_error_hint(err, "'livens sweep MODEL --part %d/%d -o FILE' computes %s", first,
                  p->count, count == 1 ? "it" : "the first of them");
    return status;
}

static lv_status read_model(lv_sweep_parts *p, lv_error *err)
{
    const lv_hdf5_run *file = &p->files[0];
    const char *text = lv_hdf5_run_text(file, "model");
    lv_setting *settings = NULL;
    int count = 0;
    LV_TRY(lv_settings_parse(&settings, &count, &p->arena,
                             lv_hdf5_run_text(file, "settings"), err));
    LV_TRY(lv_changes_read(&p->changes, &p->initial, lv_hdf5_run_text(file, "changes"),
                           &p->arena, err));
    return lv_model_parse(&p->model, lv_hdf5_run_text(file, "name"), text, strlen(text),
                          settings, count, err);
}

lv_status lv_sweep_parts_read(lv_sweep_parts **parts, const char *const *paths, int count,
                              lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, parts);
    *parts = NULL;
    LV_NEED(err, paths);
    LV_TRY(lv_need_count(err, "lv_sweep_parts_read", "count", count));
    if (count == 0)
        return lv_fail(err, LV_ERR_USAGE, "there are no parts to be joined");
    for (int k = 0; k < count; k++)
        if (!paths[k])
            return lv_fail_null(err, "lv_sweep_parts_read", "a path in paths");
    lv_sweep_parts *p = lv_memory_zeroed(1, sizeof *p);
    lv_status status = p ? LV_OK : lv_fail_memory(err);
    for (int k = 0; k < count && status == LV_OK; k++)
        status = add_file(p, paths[k], paths[0], err);
    if (status == LV_OK)
        status = check_complete(p, err);
    if (status == LV_OK)
        status = read_model(p, err);
    if (status == LV_OK)
        *parts = p;
    else
        lv_sweep_parts_free(p);
    return status;
}

lv_status lv_parts_check_model(const lv_sweep_parts *p, const lv_model *m, lv_error *err)
{
    const bool same_text = strcmp(m->source.text, p->model->source.text) == 0;
    if (same_text && strcmp(m->settings_text, p->model->settings_text) == 0)
        return LV_OK;
    lv_status status = lv_fail(err, LV_ERR_USAGE,
                               "the model of the sweep and that of its parts differ%s",
                               same_text ? " in their settings" : "");
    lv_error_hint(err, "lv_sweep_parts_model gives the model of the parts");
    return status;
}

const lv_model *lv_sweep_parts_model(const lv_sweep_parts *parts)
{
    return parts ? parts->model : NULL;
}

const char *lv_sweep_parts_name(const lv_sweep_parts *parts)
{
    return parts ? lv_hdf5_run_text(&parts->files[0], "name") : NULL;
}

void lv_sweep_parts_free(lv_sweep_parts *p)
{
    if (!p)
        return;
    for (int k = 0; p->files && k < p->count; k++)
        lv_hdf5_run_done(&p->files[k]);
    lv_memory_free(p->files);
    lv_model_free(p->model);
    lv_arena_done(&p->arena);
    lv_memory_free(p);
}
