/* The sink that writes HDF5: rows, commits, closing. hdf5_sink.h has the layout. */
#include "out/hdf5_sink.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- a side: state and object headers ------------------------------------------------- */

/* The state consists of the checksum of the rest of the side, the number of bytes, rows,
 * end of the file, rows of the checkpoint, its slot, its checksum; the trees follow. */
enum { CHECKED_FROM = 8 };

static void put_state(const lv_h5_sink *s, lv_bytes *b)
{
    lv_bytes_zeros(b, 16);
    lv_bytes_number(b, (uint64_t)s->rows, 8);
    lv_bytes_number(b, s->file.end, 8);
    lv_bytes_number(b, (uint64_t)s->checkpoint_rows, 8);
    lv_bytes_number(b, (uint64_t)s->slot, 8);
    lv_bytes_number(b, s->checkpoint_checksum, 8);
    for (int k = 0; k < s->channel_count; k++)
        lv_tree_save(&s->channels[k].tree, b);
}

static uint64_t put_channel(const lv_h5_sink *s, const lv_h5_channel *c, lv_bytes *b)
{
    const uint64_t width = (uint64_t)c->source->width;
    const uint64_t size[2] = {(uint64_t)s->rows, width};
    const uint64_t most[2] = {LV_H5_NOWHERE, width > 0 ? width : 1};
    lv_bytes_align(b);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    const uint64_t chunk[2] = {c->tree.rows, c->tree.columns};
    lv_h5_space(b, c->tree.rank, size, most);
    lv_h5_doubles(b);
    lv_h5_fill(b);
    lv_h5_chunked(b, c->root, c->tree.rank, chunk);
    lv_h5_continuation(b, c->attributes.at, c->attributes.size);
    lv_h5_header_end(b, begin, c->attributes.messages);
    return address;
}

static uint64_t put_checkpoint(const lv_h5_sink *s, lv_bytes *b)
{
    const uint64_t count = (uint64_t)s->checkpoint_size;
    lv_bytes_align(b);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_space(b, 1, &count, NULL);
    lv_h5_doubles(b);
    lv_h5_fill(b);
    lv_h5_contiguous(b, s->slot_at[s->slot], count * sizeof(double));
    lv_h5_attribute_integer(b, "rows", s->checkpoint_rows);
    lv_h5_header_end(b, begin, 0);
    return address;
}

static uint64_t put_run(const lv_h5_sink *s, lv_bytes *b)
{
    const uint64_t checkpoint = s->checkpoint_rows >= 0 ? put_checkpoint(s, b) : 0;
    lv_bytes_align(b);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_group(b);
    if (checkpoint)
        lv_h5_link(b, "checkpoint", checkpoint);
    lv_h5_link(b, s->sums.name, s->headers[s->channel_count - 1]);
    if (s->run_links.size > 0)
        lv_h5_continuation(b, s->run_links.at, s->run_links.size);
    lv_h5_header_end(b, begin, s->run_links.messages);
    return address;
}

static uint64_t put_root(const lv_h5_sink *s, const uint64_t *channels, uint64_t run,
                         lv_bytes *b)
{
    lv_bytes_align(b);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_group(b);
    for (int k = 0; k + 1 < s->channel_count; k++)
        lv_h5_link(b, s->channels[k].source->name, channels[k]);
    lv_h5_link(b, "run", run);
    if (s->names_group)
        lv_h5_link(b, "names", s->names_group);
    if (s->root_attributes.size > 0)
        lv_h5_continuation(b, s->root_attributes.at, s->root_attributes.size);
    lv_h5_header_end(b, begin, s->root_attributes.messages);
    return address;
}

lv_status lv_h5_build_side(lv_h5_sink *s, int side, lv_error *err)
{
    assert(side == 0 || side == 1);
    lv_bytes *b = &s->image;
    b->count = 0;
    b->base = s->side_at[side];
    put_state(s, b);
    for (int k = 0; k < s->channel_count; k++)
        s->headers[k] = put_channel(s, &s->channels[k], b);
    const uint64_t run = put_run(s, b);
    s->root = put_root(s, s->headers, run, b);
    lv_bytes_set(b, 8, (uint64_t)b->count, 8);
    if (b->failed)
        return lv_fail_memory(err);
    const size_t checked = (size_t)b->count - CHECKED_FROM;
    lv_bytes_set(b, 0, lv_h5_checksum(b->data + CHECKED_FROM, checked), 8);
    return LV_OK;
}

/* Whether the tree has chunks for all rows. */
static bool has_room(const lv_h5_sink *s, const lv_h5_channel *c)
{
    const uint64_t blocks = c->tree.chunks / c->tree.across;
    return c->source->width == 0 ||
           ((uint64_t)s->rows + c->tree.rows - 1) / c->tree.rows <= blocks;
}

static lv_status restore_trees(lv_h5_sink *s, lv_error *err)
{
    for (int k = 0; k < s->channel_count; k++) {
        lv_h5_channel *c = &s->channels[k];
        LV_TRY(lv_tree_restore(&c->tree,
                               s->image.data + LV_H5_STATE + (size_t)k * LV_TREE_STATE,
                               &s->file, s->side, err));
        if (!has_room(s, c))
            return lv_h5_damaged(s, "rows are missing", err);
    }
    return LV_OK;
}

lv_status lv_h5_restore_side(lv_h5_sink *s, int side, uint64_t end, lv_error *err)
{
    assert(side == 0 || side == 1);
    const unsigned char *state = s->image.data;
    const uint64_t size = lv_h5_load(state + 8, 8);
    const uint64_t least = LV_H5_STATE + (uint64_t)s->channel_count * LV_TREE_STATE;
    s->rows = (long long)lv_h5_load(state + 16, 8);
    s->file.end = lv_h5_load(state + 24, 8);
    s->checkpoint_rows = (long long)lv_h5_load(state + 32, 8);
    s->slot = lv_h5_load(state + 40, 8) == 1;
    s->checkpoint_checksum = lv_h5_load(state + 48, 8);
    if (size < least || size > s->side_size || s->file.end != end || s->rows < 0 ||
        s->checkpoint_rows > s->rows ||
        lv_h5_checksum(state + CHECKED_FROM, (size_t)size - CHECKED_FROM) !=
            lv_h5_load(state, 8)) {
        lv_status status =
            lv_fail(err, LV_ERR_IO, "'%s' was changed by another program, or is damaged",
                    s->path);
        lv_error_hint(err,
                      "it can be read, but rows can only be added to a file as livens "
                      "left it");
        return status;
    }
    s->side = side;
    s->committed = s->rows;
    return restore_trees(s, err);
}

/* ---- rows ----------------------------------------------------------------------------- */

uint64_t lv_h5_row_begin(long long row)
{
    return (uint64_t)row;
}

double lv_h5_row_end(uint64_t sum)
{
    return (double)(sum >> 11);
}

static double checksum_of_row(const lv_h5_sink *s)
{
    uint64_t sum = lv_h5_row_begin(s->rows);
    for (int k = 0; k + 1 < s->channel_count; k++) {
        const lv_channel *source = s->channels[k].source;
        sum = lv_h5_checksum_numbers(sum, source->values, (size_t)source->width);
    }
    return lv_h5_row_end(sum);
}

/* Finds or allocates the chunks of row `start`; the chunks of one row are neighbours. */
static lv_status place_chunk(lv_h5_sink *s, lv_h5_channel *c, lv_error *err)
{
    lv_tree *tree = &c->tree;
    const uint64_t first = (uint64_t)c->start / tree->rows * tree->across;
    const uint64_t bytes = tree->rows * tree->columns * sizeof(double);
    if (c->chunk == 0) {
        if (first < tree->chunks)
            LV_TRY(lv_tree_find(tree, &s->file, first, &c->chunk, err));
        else
            c->chunk = lv_h5_take(&s->file, tree->across * bytes);
    }
    while (tree->chunks < first + tree->across)
        LV_TRY(
            lv_tree_add(tree, &s->file, c->chunk + (tree->chunks - first) * bytes, err));
    return LV_OK;
}

/* Writes the rows that are only in the buffer so far. */
static lv_status drain(lv_h5_sink *s, lv_h5_channel *c, lv_error *err)
{
    const size_t width = (size_t)c->source->width;
    const size_t skip = (size_t)(c->written - c->start) * width;
    const size_t count = (size_t)(s->rows - c->written) * width;
    if (count > 0) {
        LV_TRY(place_chunk(s, c, err));
        LV_TRY(lv_h5_write(&s->file, c->chunk + skip * sizeof(double), c->buffer + skip,
                           count * sizeof(double), err));
    }
    c->written = s->rows;
    return LV_OK;
}

/* Chunks are allocated with their first row, not with a commit, so that the layout of a
 * file depends only on its rows. */
static lv_status place_row(lv_h5_sink *s, lv_error *err)
{
    for (int k = 0; k < s->channel_count; k++)
        if (s->channels[k].start == s->rows && s->channels[k].source->width > 0)
            LV_TRY(place_chunk(s, &s->channels[k], err));
    return LV_OK;
}

static lv_status write_row(lv_sink *sink, lv_error *err)
{
    lv_h5_sink *s = (lv_h5_sink *)sink;
    for (int k = 0; k < s->channel_count; k++) {
        lv_h5_channel *c = &s->channels[k];
        if (s->rows - c->start < (long long)c->tree.rows)
            continue;
        LV_TRY(drain(s, c, err));
        c->start = s->rows;
        c->chunk = 0;
    }
    LV_TRY(place_row(s, err));
    s->row_checksum = checksum_of_row(s);
    for (int k = 0; k < s->channel_count; k++) {
        const lv_h5_channel *c = &s->channels[k];
        const size_t width = (size_t)c->source->width;
        if (width > 0)
            memcpy(c->buffer + (size_t)(s->rows - c->start) * width, c->source->values,
                   width * sizeof(double));
    }
    s->rows++;
    s->changed = true;
    return LV_OK;
}

/* ---- commits -------------------------------------------------------------------------- */

static lv_status sync_disk(const lv_h5_sink *s, lv_error *err)
{
    if (s->sync && fdatasync(s->file.fd) != 0)
        return lv_io_fail(err, "write", s->path, errno);
    return LV_OK;
}

/* Writes to the slot that is not in use; the commit that follows switches to it. */
static lv_status write_checkpoint(lv_h5_sink *s, int slot,
                                  const lv_checkpoint *checkpoint, lv_error *err)
{
    if (checkpoint->count != s->checkpoint_size)
        return lv_fail(err, LV_ERR_USAGE, "a checkpoint of %d numbers, announced were %d",
                       checkpoint->count, s->checkpoint_size);
    const size_t size = (size_t)checkpoint->count * sizeof(double);
    LV_TRY(lv_h5_write(&s->file, s->slot_at[slot], checkpoint->numbers, size, err));
    s->slot = slot;
    s->checkpoint_rows = s->rows - checkpoint->again;
    s->checkpoint_checksum =
        lv_h5_checksum((const unsigned char *)checkpoint->numbers, size);
    return LV_OK;
}

/* Writes everything but the superblock. */
static lv_status prepare_side(lv_h5_sink *s, int side, lv_error *err)
{
    for (int k = 0; k < s->channel_count; k++) {
        lv_h5_channel *c = &s->channels[k];
        LV_TRY(lv_tree_write(&c->tree, &s->file, side, &c->root, err));
    }
    LV_TRY(lv_h5_build_side(s, side, err));
    LV_TRY(lv_h5_write(&s->file, s->side_at[side], s->image.data, (size_t)s->image.count,
                       err));
    /* The end of the last chunk or side may not have been written yet. */
    if (s->size != s->file.end && ftruncate(s->file.fd, (off_t)s->file.end) != 0)
        return lv_io_fail(err, "write", s->path, errno);
    s->size = s->file.end;
    return sync_disk(s, err);
}

/* The first number of a row that has been committed. */
static double first_number(const lv_h5_sink *s, long long row)
{
    double value = (double)NAN;
    const lv_h5_channel *c = s->channels;
    if (row < 0 || s->channel_count < 2 || c->source->width == 0)
        return value;
    uint64_t chunk = 0;
    const uint64_t above = (uint64_t)row % c->tree.rows * c->tree.columns;
    if (lv_tree_find(&c->tree, &s->file, (uint64_t)row / c->tree.rows * c->tree.across,
                     &chunk, NULL) != LV_OK ||
        lv_h5_read(&s->file, chunk + above * sizeof value, &value, sizeof value, NULL) !=
            LV_OK)
        return (double)NAN;
    return value;
}

static void tell_kept(const lv_h5_sink *s)
{
    if (s->sink.kept)
        *s->sink.kept = (lv_kept_rows){s->committed, first_number(s, s->committed - 1)};
}

lv_status lv_h5_commit(lv_h5_sink *s, const lv_checkpoint *checkpoint, lv_error *err)
{
    assert(!checkpoint || checkpoint->count >= 0);
    const int side = s->side == 0;
    const int slot = s->slot;
    const long long checkpoint_rows = s->checkpoint_rows;
    const uint64_t checkpoint_checksum = s->checkpoint_checksum;
    unsigned char superblock[LV_H5_SUPERBLOCK];
    for (int k = 0; k < s->channel_count; k++)
        LV_TRY(drain(s, &s->channels[k], err));
    if (checkpoint)
        LV_TRY(write_checkpoint(s, !slot, checkpoint, err));

    lv_status status = prepare_side(s, side, err);
    if (status == LV_OK) {
        lv_h5_superblock(superblock, s->root, s->file.end);
        status = lv_h5_write(&s->file, 0, superblock, sizeof superblock, err);
    }
    if (status != LV_OK) {
        s->slot = slot;
        s->checkpoint_rows = checkpoint_rows;
        s->checkpoint_checksum = checkpoint_checksum;
        return status;
    }
    s->side = side;
    s->changed = false;
    s->committed = s->rows;
    return sync_disk(s, err);
}

static lv_status flush(lv_sink *sink, const lv_checkpoint *checkpoint, lv_error *err)
{
    lv_h5_sink *s = (lv_h5_sink *)sink;
    lv_status status =
        s->changed || checkpoint ? lv_h5_commit(s, checkpoint, err) : LV_OK;
    tell_kept(s);
    return status;
}

/* When nothing more can be written: keeps the rows that are in the file for all
 * channels. */
static void salvage(lv_h5_sink *s)
{
    for (int k = 0; k < s->channel_count; k++)
        if (s->channels[k].written < s->rows)
            s->rows = s->channels[k].written;
    for (int k = 0; k < s->channel_count; k++)
        s->channels[k].written = s->rows;
    if (lv_h5_commit(s, NULL, NULL) != LV_OK)
        s->changed = false;
    tell_kept(s);
}

/* Writes the final state to both sides and leaves side 0 in use, so that the bytes of a
 * file without checkpoints do not depend on the number of flushes. */
static lv_status settle_sides(lv_h5_sink *s, lv_error *err)
{
    if (s->checkpoint_size > 0)
        return LV_OK;
    if (s->side == 0)
        LV_TRY(lv_h5_commit(s, NULL, err));
    return lv_h5_commit(s, NULL, err);
}

static lv_status close_sink(lv_sink *sink, lv_error *err)
{
    lv_h5_sink *s = (lv_h5_sink *)sink;
    lv_status status = flush(sink, NULL, err);
    if (status != LV_OK)
        salvage(s);
    else
        status = settle_sides(s, err);
    for (int k = 0; k < s->channel_count && status == LV_OK; k++)
        status = lv_tree_chain(&s->channels[k].tree, &s->file, s->side, err);
    int fd = s->file.fd;
    s->file.fd = -1;
    if (close(fd) != 0 && errno != EINTR && status == LV_OK)
        status = lv_io_fail(err, "write", s->path, errno);
    lv_h5_sink_free(s);
    return status;
}

/* ---- the sink itself ------------------------------------------------------------------ */

static const char *label_checksum(const void *user, int k, char *buffer, size_t size)
{
    (void)k;
    (void)buffer;
    (void)size;
    return user;
}

static void add_channels(lv_h5_sink *s, const lv_channels *channels)
{
    static const char name[] = "checksum";
    s->sums = (lv_channel){.name = name,
                           .doc = "of the numbers of the row, for livens",
                           .width = 1,
                           .values = &s->row_checksum,
                           .label = label_checksum,
                           .user = name};
    s->channel_count = channels->count + 1;
    for (int k = 0; k < channels->count; k++)
        s->channels[k].source = &channels->list[k];
    s->channels[channels->count].source = &s->sums;
}

lv_h5_sink *lv_h5_sink_new(const char *path, const lv_channels *channels)
{
    lv_h5_sink *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return NULL;
    const size_t length = strlen(path) + 1;
    const size_t count = channels ? (size_t)channels->count + 1 : 1;
    s->sink = (lv_sink){write_row, flush, close_sink, NULL};
    s->file.fd = -1;
    s->side = -1;
    s->checkpoint_rows = -1;
    s->path = lv_memory_resize(NULL, length);
    s->channels = lv_memory_zeroed(count, sizeof *s->channels);
    s->headers = lv_memory_zeroed(count, sizeof *s->headers);
    if (!s->path || !s->channels || !s->headers) {
        lv_h5_sink_free(s);
        return NULL;
    }
    memcpy(s->path, path, length);
    s->file.path = s->path;
    if (channels)
        add_channels(s, channels);
    return s;
}

void lv_h5_sink_free(lv_h5_sink *s)
{
    if (!s)
        return;
    for (int k = 0; k < s->channel_count; k++)
        lv_memory_free(s->channels[k].buffer);
    if (s->file.fd >= 0)
        (void)close(s->file.fd);
    lv_bytes_done(&s->image);
    lv_memory_free(s->channels);
    lv_memory_free(s->headers);
    lv_memory_free(s->path);
    lv_memory_free(s);
}

lv_status lv_h5_make_buffers(lv_h5_sink *s, lv_error *err)
{
    for (int k = 0; k < s->channel_count; k++) {
        lv_h5_channel *c = &s->channels[k];
        size_t count = 0;
        if (c->source->width == 0)
            continue;
        if (!lv_size_mul((size_t)c->source->width, (size_t)c->tree.rows, &count) ||
            !(c->buffer = lv_memory_zeroed(count, sizeof *c->buffer)))
            return lv_fail_memory(err);
    }
    return LV_OK;
}
