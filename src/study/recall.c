#include "study/recall.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- is it the same sweep? ----------------------------------------------------------------- */

static lv_status check_texts(const lv_hdf5_run *file, const char *path,
                             const lv_header *header, lv_error *err)
{
    for (int k = 0; k < header->count; k++) {
        const lv_text_entry *entry = &header->entries[k];
        if (strcmp(entry->name, "name") == 0 || /* files may be renamed */
            strcmp(lv_hdf5_run_text(file, entry->name), entry->text) == 0)
            continue;
        lv_status status =
            lv_fail(err, LV_ERR_USAGE,
                    "'%s' is the result of another sweep: /run/%s in it differs", path,
                    entry->name);
        lv_error_hint(err, "resume with the model and the options of that sweep; without "
                           "--resume the file is replaced");
        return status;
    }
    return LV_OK;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static lv_status not_as_expected(const char *path, lv_error *err)
{
    return lv_fail(err, LV_ERR_IO, "'%s' has other columns or rows than this sweep",
                   path);
}

/* Rows of the file as they are, `rows` of them. */
static lv_status read_rows(const lv_recall *recall, double *all, long long rows,
                           lv_hdf5_reader *reader, const lv_table *table,
                           const char *path, lv_error *err)
{
    const size_t width = (size_t)recall->width;
    double *part = lv_memory_zeroed((size_t)rows * width, sizeof *part);
    lv_status status = part ? LV_OK : lv_fail_memory(err);
    for (int c = 0; c < table->channel_count && status == LV_OK; c++) {
        const lv_channel *channel = &table->list[c];
        const lv_hdf5_dataset *d = lv_hdf5_find(reader, channel->name);
        if (!d || d->width != channel->width || d->rows != rows)
            status = not_as_expected(path, err);
        else
            status = lv_hdf5_read(reader, part, d, 0, rows, err);
        for (long long r = 0; r < rows && status == LV_OK; r++)
            memcpy(all + (size_t)r * width + table->first[c],
                   part + (size_t)r * (size_t)channel->width,
                   (size_t)channel->width * sizeof *part);
    }
    lv_memory_free(part);
    return status;
}

/* Each row to the place of its member; 0: it is nobody's. */
static bool place_rows(lv_recall *recall, const double *all, long long rows)
{
    const size_t width = (size_t)recall->width;
    for (long long r = 0; r < rows; r++) {
        const double *row = all + (size_t)r * width;
        if (!(row[0] >= 0 && row[0] < recall->members))
            return false;
        if (row[recall->status] != LV_OK)
            continue;
        double *place = recall->rows + (size_t)row[0] * width;
        recall->count += isnan(place[recall->status]) ? 1 : 0;
        memcpy(place, row, width * sizeof *row);
    }
    return true;
}

static lv_status read_table(lv_recall *recall, lv_hdf5_reader *reader,
                            const lv_table *table, const char *path, lv_error *err)
{
    const lv_hdf5_dataset *member = lv_hdf5_find(reader, "member");
    const size_t width = (size_t)recall->width;
    if (!member || member->rows > recall->members)
        return not_as_expected(path, err);
    if (member->rows == 0)
        return LV_OK;
    double *all = lv_memory_zeroed((size_t)member->rows * width, sizeof *all);
    lv_status status = all ? LV_OK : lv_fail_memory(err);
    if (status == LV_OK)
        status = read_rows(recall, all, member->rows, reader, table, path, err);
    if (status == LV_OK && !place_rows(recall, all, member->rows))
        status = not_as_expected(path, err);
    lv_memory_free(all);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static lv_status make_room(lv_recall *recall, lv_error *err)
{
    const size_t width = (size_t)recall->width;
    recall->rows =
        lv_memory_zeroed((size_t)recall->members * width, sizeof *recall->rows);
    if (!recall->rows)
        return lv_fail_memory(err);
    for (int k = 0; k < recall->members; k++)
        recall->rows[(size_t)k * width + (size_t)recall->status] = NAN;
    return LV_OK;
}

lv_status lv_recall_init(lv_recall *recall, const char *path, const lv_table *table,
                         int members, const lv_header *header, lv_error *err)
{
    lv_hdf5_run file = {0};
    lv_hdf5_reader *reader = NULL;
    *recall = (lv_recall){
        .members = members, .width = table->labels.count, .status = table->status};
    if (access(path, F_OK) != 0)
        return LV_OK;
    LV_TRY(lv_hdf5_read_run(&file, path, err));
    lv_status status = check_texts(&file, path, header, err);
    lv_hdf5_run_done(&file);
    LV_TRY(status);
    LV_TRY(make_room(recall, err));
    status = lv_hdf5_open(&reader, path, err);
    if (status == LV_OK)
        status = read_table(recall, reader, table, path, err);
    else if (status == LV_ERR_IO && err && !err->hint[0])
        lv_error_hint(err, "without --resume the file is replaced, and all members run");
    lv_hdf5_close(reader);
    return status;
}

void lv_recall_done(lv_recall *recall)
{
    lv_memory_free(recall->rows);
}

const double *lv_recall_row(const lv_recall *recall, int member)
{
    const double *row =
        recall->rows ? recall->rows + (size_t)member * (size_t)recall->width : NULL;
    return row && !isnan(row[recall->status]) ? row : NULL;
}
