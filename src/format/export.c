/* Exports results for other programs: CSV, and VTK files for ParaView. */
#include <livens/format.h>

#include "base/usage.h"
#include "format/vtk_scene.h"
#include "out/hdf5_file.h"
#include "out/replay.h"
#include "run/run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Checks a request, which may be NULL. */
static lv_status check(const char *function, const lv_export_request *request,
                       lv_error *err)
{
    if (!request)
        return LV_OK;
    LV_TRY(lv_need_zeros(err, function, "request", request->reserved, 8));
    LV_TRY(lv_need_count(err, function, "every", request->every));
    LV_TRY(lv_need_count(err, function, "channel_count", request->channel_count));
    for (int k = 0; k < request->channel_count; k++)
        if (!request->channels || !request->channels[k])
            return lv_fail_null(err, function, "channels");
    return LV_OK;
}

/* The row after row k: every `every`-th row and the last one; `rows` if there is none. */
static long long next_row(long long k, const lv_export_request *request, long long rows)
{
    const long long every = request && request->every > 0 ? request->every : 1;
    const long long next = k / every * every + every;
    return k == rows - 1 ? rows : next < rows ? next : rows - 1;
}

static int column_count(const lv_channels *channels)
{
    int count = 0;
    for (int k = 0; k < channels->count; k++)
        count += channels->list[k].width;
    return count;
}

/* ---- CSV -------------------------------------------------------------------------------------------------- */

static lv_status write_rows(lv_sink *sink, lv_replay *replay, const lv_selection *chosen,
                            const lv_export_request *request, lv_export_info *info,
                            lv_error *err)
{
    for (long long k = 0; k < replay->rows; k = next_row(k, request, replay->rows)) {
        LV_TRY(lv_replay_row(replay, k, err));
        lv_selection_update(chosen);
        LV_TRY(sink->row(sink, err));
        info->rows++;
    }
    return LV_OK;
}

static lv_status export_csv(lv_export_info *info, lv_replay *replay, const char *file,
                            const char *csv, const lv_export_request *request,
                            lv_error *err)
{
    lv_selection chosen;
    lv_sink *sink = NULL;
    LV_TRY(lv_replay_open(replay, file, err));
    LV_TRY(lv_selection_init(&chosen, &replay->channels,
                             request ? request->channels : NULL,
                             request ? request->channel_count : 0, &replay->arena, err));
    LV_TRY(lv_csv_create(&sink, csv, &chosen.channels, err));
    info->columns = column_count(&chosen.channels);
    info->files = 1;
    const lv_status status = write_rows(sink, replay, &chosen, request, info, err);
    const lv_status closed = sink->close(sink, status == LV_OK ? err : NULL);
    return status == LV_OK ? closed : status;
}

lv_status lv_export_csv(lv_export_info *info, const char *file, const char *csv,
                        const lv_export_request *request, lv_error *err)
{
    lv_export_info own;
    lv_replay replay = {0};
    lv_error_clear(err);
    LV_NEED(err, file);
    LV_NEED(err, csv);
    LV_TRY(check(__func__, request, err));
    info = info ? info : &own;
    *info = (lv_export_info){0};
    const lv_status status = export_csv(info, &replay, file, csv, request, err);
    lv_replay_done(&replay);
    return status;
}

/* ---- VTK -------------------------------------------------------------------------------------------------- */

/* The state of an export. */
typedef struct vtk_export {
    lv_run_summary *summary;
    lv_model *model;
    lv_replay replay;
    lv_selection fields; /* time first */
    lv_vtk_scene scene;
    const char *pvd;
    char *directory; /* path of the collection without ".pvd" */
    lv_text text;    /* the file being written */
    lv_text collection;
    lv_export_info *info;
} vtk_export;

static const char *const part_names[LV_VTK_PARTS] = {"bodies", "points", "joints",
                                                     "shapes"};

/* Selects the columns that become fields, by name; by default the energies. */
static lv_status choose_fields(vtk_export *x, const lv_export_request *request,
                               lv_error *err)
{
    static const char *const energies[] = {"T", "V", "E"};
    const char *known[3];
    int count = 0;
    const lv_channels *channels = &x->replay.channels;
    if (request && request->channel_count > 0)
        return lv_selection_init(&x->fields, channels, request->channels,
                                 request->channel_count, &x->replay.arena, err);
    const lv_channel *energy = lv_channel_find(channels, "energy");
    for (int k = 0; energy && k < 3; k++)
        if (lv_channel_column(energy, energies[k]) >= 0)
            known[count++] = energies[k];
    if (count == 0) {
        known[count++] = "t";
    }
    return lv_selection_init(&x->fields, channels, known, count, &x->replay.arena, err);
}

static lv_status make_fields(vtk_export *x, lv_error *err)
{
    enum { LABEL = 512 };
    const lv_channels *c = &x->fields.channels;
    const int count = column_count(c) - 1;
    lv_vtk_array *fields =
        lv_arena_alloc(&x->replay.arena, (size_t)count + 1, sizeof *fields);
    if (!fields)
        return lv_fail_memory(err);
    int used = 0;
    for (int i = 1; i < c->count; i++)
        for (int k = 0; k < c->list[i].width; k++) {
            char buffer[LABEL];
            const char *label =
                c->list[i].label(c->list[i].user, k, buffer, sizeof buffer);
            const char *name = lv_arena_text(&x->replay.arena, label, strlen(label));
            if (!name)
                return lv_fail_memory(err);
            fields[used++] = (lv_vtk_array){name, 1, c->list[i].values + k};
        }
    for (int part = 0; part < LV_VTK_PARTS; part++) {
        x->scene.data[part].fields = fields;
        x->scene.data[part].field_count = used;
    }
    x->info->columns = used;
    return LV_OK;
}

/* The files of the collection OUT.pvd are in the directory OUT. */
static lv_status make_directory(vtk_export *x, lv_error *err)
{
    const size_t length = strlen(x->pvd);
    const bool ends = length > 4 && strcmp(x->pvd + length - 4, ".pvd") == 0;
    if (!ends || x->pvd[length - 5] == '/') {
        const lv_status status = lv_fail(
            err, LV_ERR_USAGE, "'%s' does not end in .pvd, as collections do", x->pvd);
        lv_error_hint(err, "its files are written to a directory of the same name");
        return status;
    }
    x->directory = lv_arena_text(&x->replay.arena, x->pvd, length - 4);
    if (!x->directory)
        return lv_fail_memory(err);
    struct stat there;
    if (mkdir(x->directory, 0777) == 0 ||
        (errno == EEXIST && stat(x->directory, &there) == 0 && S_ISDIR(there.st_mode)))
        return LV_OK;
    return lv_io_fail(err, "create the directory", x->directory, errno);
}

/* Writes a file of a part, and its line in the collection. */
static lv_status write_part(vtk_export *x, lv_vtk_part part, lv_error *err)
{
    char path[PATH_MAX], number[LV_NUMBER_SIZE];
    const char *slash = strrchr(x->directory, '/');
    const char *folder = slash ? slash + 1 : x->directory;
    const int length = snprintf(path, sizeof path, "%s/%s_%06lld.vtp", x->directory,
                                part_names[part], x->info->rows);
    if (length < 0 || (size_t)length >= sizeof path)
        return lv_fail(err, LV_ERR_IO, "the path '%s' is too long", x->pvd);
    x->text.count = 0;
    lv_vtk_write(&x->text, &x->scene.data[part]);
    LV_TRY(lv_text_save(&x->text, path, err));
    lv_text_append(
        &x->collection, "<DataSet timestep=\"%s\" part=\"%d\" name=\"%s\" file=\"",
        lv_number_format(x->scene.data[part].time, number), (int)part, part_names[part]);
    lv_xml_escape(&x->collection, folder);
    lv_text_append(&x->collection, "/%s_%06lld.vtp\"/>\n", part_names[part],
                   x->info->rows);
    x->info->files++;
    return LV_OK;
}

static lv_status write_frames(vtk_export *x, const lv_export_request *request,
                              lv_error *err)
{
    const long long rows = x->replay.rows;
    lv_text_append(
        &x->collection,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n");
    for (long long k = 0; k < rows; k = next_row(k, request, rows)) {
        LV_TRY(lv_replay_row(&x->replay, k, err));
        lv_selection_update(&x->fields);
        LV_TRY(lv_vtk_scene_row(&x->scene, err));
        for (int part = 0; part < LV_VTK_PARTS; part++)
            if (lv_vtk_scene_has(&x->scene, (lv_vtk_part)part))
                LV_TRY(write_part(x, (lv_vtk_part)part, err));
        x->info->rows++;
    }
    lv_text_append(&x->collection, "</Collection>\n</VTKFile>\n");
    x->info->files++;
    return lv_text_save(&x->collection, x->pvd, err);
}

static lv_status export_vtk(vtk_export *x, const char *file,
                            const lv_export_request *request, lv_error *err)
{
    LV_TRY(lv_run_recall(&x->summary, &x->model, file, err));
    LV_TRY(lv_replay_open(&x->replay, file, err));
    LV_TRY(choose_fields(x, request, err));
    LV_TRY(lv_vtk_scene_init(&x->scene, x->model, &x->replay.channels, file, err));
    LV_TRY(make_fields(x, err));
    x->info->bodies = x->scene.members[LV_VTK_BODIES].count;
    x->info->points = x->scene.members[LV_VTK_POINTS].count;
    x->info->joints = x->scene.members[LV_VTK_JOINTS].count;
    x->info->shapes = x->scene.shapes;
    LV_TRY(make_directory(x, err));
    return write_frames(x, request, err);
}

lv_status lv_export_vtk(lv_export_info *info, const char *file, const char *pvd,
                        const lv_export_request *request, lv_error *err)
{
    lv_export_info own;
    lv_error_clear(err);
    LV_NEED(err, file);
    LV_NEED(err, pvd);
    LV_TRY(check(__func__, request, err));
    vtk_export x = {.pvd = pvd, .info = info ? info : &own};
    *x.info = (lv_export_info){0};
    const lv_status status = export_vtk(&x, file, request, err);
    lv_vtk_scene_done(&x.scene);
    lv_replay_done(&x.replay);
    lv_run_summary_free(x.summary);
    lv_model_free(x.model);
    lv_text_done(&x.text);
    lv_text_done(&x.collection);
    return status;
}
