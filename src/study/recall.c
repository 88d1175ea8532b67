#include "study/recall.h"

#include "base/memory.h"
#include "study/messages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- is it the same sweep? ----------------------------------------------------------------- */

static lv_status refuse_other_sweep(const char *path, const char *entry, lv_error *err)
{
    lv_status status = lv_fail(
        err, LV_ERR_USAGE, "'%s' is the result of another sweep: /run/%s in it differs",
        path, entry);
    lv_error_hint(err, "resume with the model and the options of that sweep; without "
                       "--resume the file is replaced");
    return status;
}

static lv_status check_texts(const lv_hdf5_run *file, const char *path,
                             const lv_header *header, lv_error *err)
{
    bool inputs = false;
    for (int k = 0; k < header->count; k++) {
        const lv_text_entry *entry = &header->entries[k];
        inputs = inputs || strcmp(entry->name, "inputs") == 0;
        if (strcmp(entry->name, "name") != 0 && /* files may be renamed */
            strcmp(lv_hdf5_run_text(file, entry->name), entry->text) != 0)
            return refuse_other_sweep(path, entry->name, err);
    }
    /* Sweeps without tables of inputs do not have this text. */
    return inputs || lv_hdf5_run_text(file, "inputs")[0] == '\0'
               ? LV_OK
               : refuse_other_sweep(path, "inputs", err);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static lv_status not_as_expected(const char *path, lv_error *err)
{
    return lv_fail(err, LV_ERR_IO, "'%s' has other columns or rows than this sweep",
                   path);
}

/* Reads the first `rows` rows of the file. */
static lv_status read_rows(double *all, long long rows, lv_hdf5_reader *reader,
                           const lv_table *table, const char *path, lv_error *err)
{
    const size_t width = (size_t)table->labels.count;
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

/* Reads all rows of a file, in the order of the table's columns; free *rows with
 * lv_memory_free. */
static lv_status load_rows(double **rows, long long *count, const char *path,
                           const lv_table *table, lv_error *err)
{
    const size_t width = (size_t)table->labels.count;
    lv_hdf5_reader *reader = NULL;
    *rows = NULL;
    LV_TRY(lv_hdf5_open(&reader, path, err));
    const lv_hdf5_dataset *member = lv_hdf5_find(reader, "member");
    *count = member ? member->rows : 0;
    lv_status status = member ? LV_OK : not_as_expected(path, err);
    if (*count > 0) {
        *rows = lv_memory_zeroed((size_t)*count * width, sizeof **rows);
        status = *rows ? read_rows(*rows, *count, reader, table, path, err)
                       : lv_fail_memory(err);
    }
    lv_hdf5_close(reader);
    if (status != LV_OK) {
        lv_memory_free(*rows);
        *rows = NULL;
    }
    return status;
}

/* Rows to be written to a new file. */
typedef struct row_list {
    const lv_table *table;
    const double *rows;
    long long count;
} row_list;

static lv_status write_known_row(const lv_table *table, const double *row, lv_sink *sink,
                                 lv_error *err)
{
    memcpy(table->row, row, (size_t)table->labels.count * sizeof *row);
    return sink->row(sink, err);
}

static lv_status write_list(lv_sink *sink, const void *user, lv_error *err)
{
    const row_list *list = user;
    const size_t width = (size_t)list->table->labels.count;
    for (long long r = 0; r < list->count; r++)
        LV_TRY(write_known_row(list->table, list->rows + (size_t)r * width, sink, err));
    return LV_OK;
}

/* The first number of a row is that of its member. */
static int compare_members(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

lv_status lv_recall_rewrite(const char *path, const lv_table *table,
                            const lv_header *header, lv_error *err)
{
    const size_t width = (size_t)table->labels.count;
    double *rows = NULL;
    long long count = 0;
    lv_sink *sink = NULL;
    LV_TRY(load_rows(&rows, &count, path, table, err));
    if (count > 1)
        qsort(rows, (size_t)count, width * sizeof *rows, compare_members);
    const row_list list = {table, rows, count};
    lv_header filled = *header;
    filled.fill = write_list;
    filled.user = &list;
    lv_status status = lv_hdf5_create(&sink, path, &table->numbers, &filled, err);
    if (status == LV_OK)
        status = sink->close(sink, err);
    lv_memory_free(rows);
    return status;
}

/* Whether a row is taken over. If messages are kept, the warnings of the member must be
 * known, too. */
static bool is_of_use(const lv_recall *recall, const double *row)
{
    if (recall->whole)
        return true;
    return row[recall->status] == LV_OK &&
           (!recall->messages || row[recall->warnings] == 0 ||
            recall->messages[(size_t)row[0]]);
}

/* Copies each row to the place of its member; false: a row does not belong to a
 * member. */
static bool place_rows(lv_recall *recall, const double *all, long long rows)
{
    const size_t width = (size_t)recall->width;
    for (long long r = 0; r < rows; r++) {
        const double *row = all + (size_t)r * width;
        if (!(row[0] >= 0 && row[0] < recall->members))
            return false;
        if (!is_of_use(recall, row))
            continue;
        double *place = recall->rows + (size_t)row[0] * width;
        recall->count += isnan(place[recall->status]) ? 1 : 0;
        memcpy(place, row, width * sizeof *row);
    }
    return true;
}

static lv_status take_rows(lv_recall *recall, const lv_table *table, const char *path,
                           lv_error *err)
{
    double *rows = NULL;
    long long count = 0;
    LV_TRY(load_rows(&rows, &count, path, table, err));
    lv_status status = count > recall->members || !place_rows(recall, rows, count)
                           ? not_as_expected(path, err)
                           : LV_OK;
    lv_memory_free(rows);
    return status;
}

/* ---- recalling -------------------------------------------------------------------------------- */

static lv_status recall_make_room(lv_recall *recall, bool with_messages, lv_error *err)
{
    const size_t width = (size_t)recall->width, members = (size_t)recall->members;
    recall->rows = lv_memory_zeroed(members * width, sizeof *recall->rows);
    if (!recall->rows)
        return lv_fail_memory(err);
    for (int k = 0; k < recall->members; k++)
        recall->rows[(size_t)k * width + (size_t)recall->status] = NAN;
    if (!with_messages)
        return LV_OK;
    recall->messages = lv_memory_zeroed(members, sizeof *recall->messages);
    return recall->messages ? LV_OK : lv_fail_memory(err);
}

static void recall_begin(lv_recall *recall, const lv_table *table, int members)
{
    *recall = (lv_recall){.members = members,
                          .width = table->labels.count,
                          .status = table->status,
                          .warnings = table->warnings};
}

lv_status lv_recall_init(lv_recall *recall, const char *path, const lv_table *table,
                         int members, const lv_header *header, lv_error *err)
{
    recall_begin(recall, table, members);
    if (access(path, F_OK) != 0)
        return LV_OK;
    LV_TRY(lv_hdf5_read_run(&recall->file, path, err));
    LV_TRY(check_texts(&recall->file, path, header, err));
    const char *kind = lv_hdf5_run_text(&recall->file, "kind");
    const char *messages = lv_hdf5_run_text(&recall->file, LV_PART_MESSAGES);
    LV_TRY(recall_make_room(recall, strcmp(kind, LV_PART_KIND) == 0, err));
    if (messages[0])
        LV_TRY(lv_messages_index(recall->messages, members, messages, path, err));
    lv_status status = take_rows(recall, table, path, err);
    if (status == LV_ERR_IO && err && !err->hint[0])
        lv_error_hint(err, "without --resume the file is replaced, and all members run");
    return status;
}

/* Takes all members of one part, and checks that the file has no others. */
static lv_status join_part(lv_recall *recall, const lv_sweep_parts *parts, int k,
                           const lv_table *table, lv_error *err)
{
    const char *path = parts->paths[k];
    const int before = recall->count,
              size = lv_part_size(k + 1, parts->count, recall->members);
    const char *messages = lv_hdf5_run_text(&parts->files[k], LV_PART_MESSAGES);
    LV_TRY(lv_messages_index(recall->messages, recall->members, messages, path, err));
    lv_status taken = take_rows(recall, table, path, err);
    if (taken == LV_ERR_IO && err && !err->hint[0])
        lv_error_hint(err, "compute part %d/%d again", k + 1, parts->count);
    LV_TRY(taken);
    bool all = recall->count - before == size;
    for (int i = 0; i < size && all; i++)
        all = lv_recall_row(recall, lv_part_member(k + 1, parts->count, i)) != NULL;
    if (all)
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_IO, "'%s' has %d of the %d members of part %d/%d", path,
                recall->count - before, size, k + 1, parts->count);
    lv_error_hint(err, "give the command of this part again with --resume");
    return status;
}

lv_status lv_recall_join(lv_recall *recall, const lv_sweep_parts *parts,
                         const lv_table *table, int members, lv_error *err)
{
    recall_begin(recall, table, members);
    recall->whole = true;
    LV_TRY(recall_make_room(recall, true, err));
    for (int k = 0; k < parts->count; k++)
        LV_TRY(join_part(recall, parts, k, table, err));
    return LV_OK;
}

void lv_recall_done(lv_recall *recall)
{
    lv_hdf5_run_done(&recall->file);
    lv_memory_free(recall->messages);
    lv_memory_free(recall->rows);
    *recall = (lv_recall){.count = 0};
}

const double *lv_recall_row(const lv_recall *recall, int member)
{
    const double *row =
        recall->rows ? recall->rows + (size_t)member * (size_t)recall->width : NULL;
    return row && !isnan(row[recall->status]) ? row : NULL;
}

lv_status lv_recall_write(const lv_recall *recall, const lv_table *table, lv_sink *sink,
                          lv_error *err)
{
    for (int k = 0; k < recall->members; k++) {
        const double *row = lv_recall_row(recall, k);
        if (row)
            LV_TRY(write_known_row(table, row, sink, err));
    }
    return LV_OK;
}
