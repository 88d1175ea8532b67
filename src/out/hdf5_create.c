/* Creates a new HDF5 file: the constant parts, then a first commit without rows. */
#define _XOPEN_SOURCE 700 /* realpath; NOLINT(bugprone-reserved-identifier) */

#include "out/hdf5_sink.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- chunks --------------------------------------------------------------------------- */

/* Chunks have 128 KiB, or less in short runs, down to 4 KiB. */
enum { CHUNK_MOST = LV_H5_CHUNK_MOST, CHUNK_LEAST = 512 };

static void choose_chunks(lv_h5_channel *c, long long expected)
{
    const long long width = c->source->width > 0 ? c->source->width : 1;
    if (width > CHUNK_MOST) {
        const long long across = (width + CHUNK_MOST - 1) / CHUNK_MOST;
        const long long columns = (width + across - 1) / across;
        lv_tree_init(&c->tree, 2, 1, (uint64_t)columns, (uint64_t)across);
        return;
    }
    long long rows = CHUNK_MOST / width;
    const long long least = (CHUNK_LEAST + width - 1) / width;
    if (expected > 0 && expected < rows)
        rows = expected > least ? expected : least;
    lv_tree_init(&c->tree, c->source->flat ? 1 : 2, (uint64_t)rows, (uint64_t)width, 1);
}

/* ---- constant parts ------------------------------------------------------------------- */

enum { LABEL = 512 };

static const char *label_of(const lv_channel *channel, int k, char buffer[LABEL])
{
    buffer[0] = '\0';
    return channel->label(channel->user, k, buffer, LABEL);
}

/* Writes all labels, each padded to the longest. */
static void put_labels(lv_h5_channel *c, lv_bytes *b)
{
    char buffer[LABEL];
    c->names = lv_bytes_address(b);
    for (int k = 0; k < c->source->width && !b->failed; k++) {
        const char *label = label_of(c->source, k, buffer);
        const size_t length = strlen(label);
        lv_bytes_raw(b, label, length);
        lv_bytes_zeros(b, (size_t)c->label_length - length);
    }
}

/* Writes the header of a dataset of strings whose contents are at a known address;
 * returns the address of the header. */
static uint64_t put_strings(lv_bytes *b, int rank, uint64_t count, uint64_t length,
                            uint64_t at)
{
    lv_bytes_align(b);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_space(b, rank, &count, NULL);
    lv_h5_strings(b, length);
    lv_h5_fill(b);
    lv_h5_contiguous(b, at, count * length);
    lv_h5_header_end(b, begin, 0);
    return address;
}

/* Writes the labels again, as an attribute that lists texts. */
static void put_label_texts(const lv_h5_channel *c, lv_h5_heap *heap, lv_bytes *b)
{
    char buffer[LABEL];
    const int begin = lv_h5_attribute_texts(b, "names", (uint64_t)c->source->width);
    for (int k = 0; k < c->source->width && !b->failed; k++)
        lv_h5_heap_text(b, heap, label_of(c->source, k, buffer));
    lv_h5_attribute_end(b, begin);
}

/* Writes labels and doc of a channel. *names: the header of a dataset of labels; 0: they
 * are an attribute. Labels for livens itself are written in any case. */
static void put_attributes(lv_h5_channel *c, uint64_t *names, lv_h5_heap *heap,
                           lv_bytes *b)
{
    char buffer[LABEL];
    const uint64_t width = (uint64_t)c->source->width;
    *names = 0;
    c->label_length = 1;
    for (int k = 0; k < c->source->width; k++) {
        const size_t length = strlen(label_of(c->source, k, buffer));
        if (length > c->label_length)
            c->label_length = length;
    }

    lv_bytes_align(b);
    put_labels(c, b);
    if (width * LV_H5_REFERENCE > LV_H5_MESSAGE_MOST)
        *names = put_strings(b, 1, width, c->label_length, c->names);
    lv_bytes_align(b);
    c->attributes = (lv_h5_block){.at = lv_bytes_address(b), .messages = *names ? 1 : 2};
    lv_h5_attribute_text(b, heap, "doc", c->source->doc ? c->source->doc : "");
    if (!*names)
        put_label_texts(c, heap, b);
    c->attributes.size = lv_bytes_address(b) - c->attributes.at;
}

/* Writes the group of the datasets of labels, if there are any. */
static void put_names_group(lv_h5_sink *s, lv_h5_heap *heap, lv_bytes *b)
{
    bool any = false;
    for (int k = 0; k < s->channel_count; k++) {
        put_attributes(&s->channels[k], &s->headers[k], heap, b);
        any = any || s->headers[k] != 0;
    }
    if (!any)
        return;
    lv_bytes_align(b);
    s->names_group = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_group(b);
    for (int k = 0; k < s->channel_count; k++)
        if (s->headers[k])
            lv_h5_link(b, s->channels[k].source->name, s->headers[k]);
    lv_h5_header_end(b, begin, 0);
}

/* Writes a dataset of numbers; returns the address of its header. */
static uint64_t put_number(const lv_number_entry *entry, lv_bytes *b)
{
    const uint64_t count = entry->length > 0 ? (uint64_t)entry->length : 1;
    lv_bytes_align(b);
    const uint64_t at = lv_bytes_address(b);
    lv_bytes_raw(b, entry->values, (size_t)count * sizeof *entry->values);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_space(b, entry->length > 0 ? 1 : 0, &count, NULL);
    lv_h5_doubles(b);
    lv_h5_fill(b);
    lv_h5_contiguous(b, at, count * sizeof *entry->values);
    lv_h5_header_end(b, begin, 0);
    return address;
}

/* Writes the group /parameters; returns the address of its header. */
static uint64_t put_numbers(const lv_header *header, lv_bytes *b)
{
    lv_bytes links = {0};
    for (int k = 0; k < header->number_count; k++)
        lv_h5_link(&links, header->numbers[k].name, put_number(&header->numbers[k], b));
    lv_bytes_align(b);
    const uint64_t address = lv_bytes_address(b);
    const int begin = lv_h5_header_begin(b);
    lv_h5_group(b);
    lv_bytes_raw(b, links.data, (size_t)links.count);
    lv_h5_header_end(b, begin, 0);
    b->failed = b->failed || links.failed;
    lv_bytes_done(&links);
    return address;
}

/* Writes the constant messages of the root group: attributes and the link to
 * /parameters. */
static void put_root_attributes(lv_h5_sink *s, const lv_header *header, lv_h5_heap *heap,
                                lv_bytes *b)
{
    const uint64_t numbers = header->number_count > 0 ? put_numbers(header, b) : 0;
    lv_bytes_align(b);
    s->root_attributes = (lv_h5_block){
        .at = lv_bytes_address(b), .messages = header->attribute_count + (numbers != 0)};
    for (int k = 0; k < header->attribute_count; k++)
        lv_h5_attribute_text(b, heap, header->attributes[k].name,
                             header->attributes[k].text);
    if (numbers)
        lv_h5_link(b, "parameters", numbers);
    s->root_attributes.size = lv_bytes_address(b) - s->root_attributes.at;
}

/* Writes everything that refers to the heap, once to collect its texts and a second time
 * behind the heap. */
static void put_described(lv_h5_sink *s, const lv_header *header, lv_bytes *b)
{
    lv_h5_heap heap = {0};
    const int begin = b->count;
    for (int pass = 0; pass < 2; pass++) {
        put_names_group(s, &heap, b);
        put_root_attributes(s, header, &heap, b);
        if (pass > 0 || b->failed)
            break;
        b->count = begin;
        lv_h5_heap_place(&heap, b);
    }
    lv_h5_heap_done(&heap);
}

/* Writes the texts as datasets, and the links to them. */
static void put_texts(lv_h5_sink *s, const lv_header *header, lv_bytes *b)
{
    lv_bytes links = {0};
    for (int k = 0; k < header->count; k++) {
        const lv_text_entry *entry = &header->entries[k];
        const size_t length = entry->text[0] ? strlen(entry->text) : 1;
        const uint64_t at = lv_bytes_address(b);
        lv_bytes_raw(b, entry->text, length);
        lv_h5_link(&links, entry->name, put_strings(b, 0, 1, length, at));
    }
    lv_bytes_align(b);
    s->run_links =
        (lv_h5_block){lv_bytes_address(b), (uint64_t)links.count, header->count};
    lv_bytes_raw(b, links.data, (size_t)links.count);
    b->failed = b->failed || links.failed;
    lv_bytes_done(&links);
}

static lv_status put_constants(lv_h5_sink *s, const lv_header *header, lv_bytes *b,
                               lv_error *err)
{
    const size_t record = (size_t)lv_h5_record_size(s->channel_count);
    lv_bytes_zeros(b, LV_H5_RECORD_AT + record);
    put_described(s, header, b);
    put_texts(s, header, b);
    if (b->failed)
        return lv_fail_memory(err);
    s->constant_at = LV_H5_RECORD_AT + (uint64_t)record;
    s->constant_size = (uint64_t)b->count - s->constant_at;
    s->constant_checksum =
        lv_h5_checksum(b->data + s->constant_at, (size_t)s->constant_size);

    /* A side is largest with a checkpoint. */
    s->checkpoint_rows = 0;
    LV_TRY(lv_h5_build_side(s, 0, err));
    s->checkpoint_rows = -1;
    s->side_size = (uint64_t)s->image.count;
    s->file.end = (uint64_t)b->count;
    for (int k = 0; k < 2; k++)
        s->side_at[k] = lv_h5_take(&s->file, s->side_size);
    for (int k = 0; k < 2; k++)
        s->slot_at[k] =
            lv_h5_take(&s->file, (uint64_t)s->checkpoint_size * sizeof(double));

    for (int k = 0; k < s->channel_count; k++)
        if (s->channels[k].source->width > 0)
            lv_tree_reserve(&s->channels[k].tree, &s->file);

    lv_bytes fixed = {0};
    lv_h5_record_put(s, &fixed);
    if (!fixed.failed)
        memcpy(b->data + LV_H5_RECORD_AT, fixed.data, (size_t)fixed.count);
    lv_status status = fixed.failed ? lv_fail_memory(err) : LV_OK;
    lv_bytes_done(&fixed);
    return status;
}

/* ---- the file ------------------------------------------------------------------------- */

static lv_status check_names(const lv_channels *channels, const lv_header *header,
                             lv_error *err)
{
    for (int k = 0; k < channels->count; k++)
        if (strlen(channels->list[k].name) >= LV_H5_NAME)
            return lv_fail(err, LV_ERR_USAGE, "the channel name '%s' is too long",
                           channels->list[k].name);
    for (int k = 0; k < header->count; k++)
        if (strlen(header->entries[k].name) > 1000)
            return lv_fail(err, LV_ERR_USAGE, "the name of a text is too long");
    if (header->number_count + header->attribute_count > LV_H5_MESSAGES)
        return lv_fail(err, LV_ERR_LIMIT,
                       "a result describes itself by at most %d numbers", LV_H5_MESSAGES);
    return LV_OK;
}

/* Finds the file that the path leads to; an existing file must be one that may be
 * replaced. */
static lv_status find_target(const char *path, char **target, lv_error *err)
{
    struct stat info;
    *target = NULL;
    if (stat(path, &info) != 0) {
        if (errno != ENOENT)
            return lv_io_fail(err, "create", path, errno);
        if (lstat(path, &info) == 0)
            return lv_fail(err, LV_ERR_IO,
                           "cannot create '%s': a link that leads nowhere", path);
        return LV_OK;
    }
    if (S_ISDIR(info.st_mode))
        return lv_io_fail(err, "create", path, EISDIR);
    if (!S_ISREG(info.st_mode))
        return lv_fail(err, LV_ERR_IO, "cannot create '%s': not a regular file", path);
    if (access(path, W_OK) != 0)
        return lv_io_fail(err, "replace", path, errno);
    *target = realpath(path, NULL);
    return *target ? LV_OK : lv_io_fail(err, "replace", path, errno);
}

/* Locks the file that will be replaced; *fd is -1 if it no longer exists. Another run
 * that begins at the same time may replace it between opening and locking. */
static lv_status lock_target(const lv_h5_sink *s, const char *target, int *fd,
                             lv_error *err)
{
    for (;;) {
        *fd = open(target, O_RDWR | O_CLOEXEC);
        if (*fd < 0)
            return errno == ENOENT ? LV_OK : lv_io_fail(err, "replace", s->path, errno);
        LV_TRY(lv_lock_writer(*fd, s->path, err));
        if (lv_lock_is_at(*fd, target))
            return LV_OK;
        (void)close(*fd);
    }
}

/* Opens a file with a new name beside the target. */
static lv_status open_new(lv_h5_sink *s, const char *target, char **name, lv_error *err)
{
    const size_t room = strlen(target) + 40;
    *name = lv_memory_resize(NULL, room);
    if (!*name)
        return lv_fail_memory(err);
    for (int k = 0; k < 1000; k++) {
        snprintf(*name, room, "%s.%ld-%d.new", target, (long)getpid(), k);
        s->file.fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (s->file.fd >= 0 || errno != EEXIST)
            break;
    }
    if (s->file.fd >= 0)
        return LV_OK;
    const int reason = errno;
    lv_memory_free(*name);
    *name = NULL;
    return lv_io_fail(err, "create", s->path, reason);
}

/* Writes zeros up to the end of the allocated bytes, so that a commit finds its space
 * even if the disk is full by then. */
static lv_status write_zeros(const lv_h5_sink *s, uint64_t from, lv_error *err)
{
    static const unsigned char zeros[16384];
    for (uint64_t size = 0; from < s->file.end; from += size) {
        size = s->file.end - from;
        size = size < sizeof zeros ? size : sizeof zeros;
        LV_TRY(lv_h5_write(&s->file, from, zeros, (size_t)size, err));
    }
    return LV_OK;
}

static lv_status write_new(lv_h5_sink *s, const lv_header *header, lv_error *err)
{
    lv_bytes constants = {0};
    lv_status status = put_constants(s, header, &constants, err);
    if (status == LV_OK)
        status = lv_h5_write(&s->file, 0, constants.data, (size_t)constants.count, err);
    if (status == LV_OK)
        status = write_zeros(s, (uint64_t)constants.count, err);
    lv_bytes_done(&constants);
    LV_TRY(status);
    LV_TRY(lv_h5_make_buffers(s, err));
    LV_TRY(lv_lock_writer(s->file.fd, s->path, err));
    LV_TRY(lv_h5_commit(s, NULL, err));
    if (!header->fill)
        return LV_OK;
    LV_TRY(header->fill(&s->sink, header->user, err));
    return s->sink.flush(&s->sink, NULL, err);
}

/* Gives the new file its final name. If no file was there before, one that is there now
 * belongs to a run that began at the same time. */
static lv_status publish(const lv_h5_sink *s, const char *name, const char *target,
                         bool replaces, lv_error *err)
{
    if (!replaces && link(name, target) == 0) {
        (void)unlink(name);
        return LV_OK;
    }
    if (!replaces && errno == EEXIST) {
        int fd = -1;
        lv_status status = lock_target(s, target, &fd, err);
        if (fd >= 0)
            (void)close(fd);
        LV_TRY(status);
        return lv_io_fail(err, "create", s->path, EEXIST);
    }
    /* Not every file system supports links. */
    return rename(name, target) == 0 ? LV_OK : lv_io_fail(err, "create", s->path, errno);
}

/* Writes the file under a temporary name, and then renames it to the target. */
static lv_status make_file(lv_h5_sink *s, const char *target, bool replaces,
                           const lv_header *header, lv_error *err)
{
    char *name = NULL;
    LV_TRY(open_new(s, target, &name, err));
    lv_status status = write_new(s, header, err);
    if (status == LV_OK)
        status = publish(s, name, target, replaces, err);
    if (status != LV_OK)
        (void)unlink(name);
    lv_memory_free(name);
    return status;
}

/* target: the file to be replaced, NULL: there is none. */
static lv_status make_alone(lv_h5_sink *s, const char *target, const lv_header *header,
                            lv_error *err)
{
    int replaced = -1;
    lv_status status = target ? lock_target(s, target, &replaced, err) : LV_OK;
    if (status == LV_OK)
        status = make_file(s, target ? target : s->path, replaced >= 0, header, err);
    if (replaced >= 0)
        (void)close(replaced);
    return status;
}

lv_status lv_hdf5_create(lv_sink **sink, const char *path, const lv_channels *channels,
                         const lv_header *header, lv_error *err)
{
    char *target = NULL;
    *sink = NULL;
    LV_TRY(check_names(channels, header, err));
    LV_TRY(find_target(path, &target, err));
    lv_h5_sink *s = lv_h5_sink_new(path, channels);
    lv_status status = s ? LV_OK : lv_fail_memory(err);
    if (s) {
        s->sync = header->sync;
        s->checkpoint_size = header->checkpoint_size;
        for (int k = 0; k < s->channel_count; k++) {
            s->channels[k].root = LV_H5_NOWHERE;
            choose_chunks(&s->channels[k], header->rows);
        }
        status = make_alone(s, target, header, err);
    }
    free(target);
    if (status != LV_OK) {
        lv_h5_sink_free(s);
        return status;
    }
    *sink = &s->sink;
    return LV_OK;
}
