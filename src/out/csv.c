/* The sink that writes CSV (RFC 4180, lines end in \n). Lines are collected and written in
 * large pieces, always whole lines. */
#include "out/sink.h"

#include "base/memory.h"
#include "base/text.h"
#include "out/decimal.h"
#include "out/hdf5_file.h"
#include "out/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 18, LABEL = 512 };

typedef struct csv {
    lv_sink sink;
    const lv_channels *channels;
    char *path;
    int fd;       /* -1: not open yet */
    bool begun;   /* there was a row */
    bool created; /* there was no such file */
    bool regular; /* a file that can be cut */
    off_t size;   /* bytes written */
    int header;   /* bytes of it that are still to be written */
    lv_kept_rows written;
    LV_ARRAY(char) text;
    int line_most; /* bytes that a row may need */
    lv_decimal decimal;
} csv;

/* ---- writing -------------------------------------------------------------------------- */

/* Counts the rows among the first `length` bytes of the collected lines. */
static void note_written(csv *s, int length)
{
    const int header = s->header < length ? s->header : length;
    const char *line = s->text.data + header, *end = s->text.data + length, *last = NULL;
    s->header -= header;
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    for (; stop; stop = memchr(line, '\n', (size_t)(end - line))) {
        last = line;
        line = stop + 1;
        s->written.count++;
    }
    if (last && !lv_number_parse(last, strcspn(last, ",\n"), &s->written.last))
        s->written.last = (double)NAN;
}

/* After a failure: forgets what was written; the part of a line is taken back where the
 * output is a file. */
static void cut_line(csv *s, int written)
{
    int whole = written;
    while (whole > 0 && s->text.data[whole - 1] != '\n')
        whole--;
    if (s->regular && ftruncate(s->fd, s->size + whole) == 0 &&
        lseek(s->fd, s->size + whole, SEEK_SET) >= 0)
        written = whole;
    note_written(s, whole);
    s->size += written;
    s->text.count -= written;
    memmove(s->text.data, s->text.data + written, (size_t)s->text.count);
}

/* Writes the collected lines; what could not be written stays collected. */
static lv_status write_out(csv *s, lv_error *err)
{
    int written = 0;
    while (written < s->text.count) {
        ssize_t n =
            write(s->fd, s->text.data + written, (size_t)(s->text.count - written));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            const int reason = n < 0 ? errno : ENOSPC;
            cut_line(s, written);
            return lv_io_fail(err, "write", s->path, reason);
        }
        written += (int)n;
    }
    note_written(s, written);
    s->size += written;
    s->text.count = 0;
    return LV_OK;
}

static void put(csv *s, const char *bytes, size_t size)
{
    memcpy(s->text.data + s->text.count, bytes, size);
    s->text.count += (int)size;
}

/* ---- header --------------------------------------------------------------------------- */

/* Quoted if it contains a comma, a quote or the end of a line: at most 2 + twice its length. */
static char *quote(char *to, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        *to++ = '"';
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            *to++ = '"';
        *to++ = *c;
    }
    if (quoted)
        *to++ = '"';
    return to;
}

static bool put_field(csv *s, const char *text)
{
    const size_t length = strlen(text);
    if (length > INT_MAX / 4 || !LV_RESERVE(s->text, 2 * (int)length + 4))
        return false;
    s->text.count = (int)(quote(s->text.data + s->text.count, text) - s->text.data);
    return true;
}

static lv_status put_header(csv *s, lv_error *err)
{
    bool first = true;
    for (int c = 0; c < s->channels->count; c++) {
        const lv_channel *channel = &s->channels->list[c];
        for (int k = 0; k < channel->width; k++) {
            char buffer[LABEL] = "";
            if (!first)
                put(s, ",", 1);
            first = false;
            if (!put_field(s, channel->label(channel->user, k, buffer, sizeof buffer)))
                return lv_fail_memory(err);
        }
    }
    put(s, "\n", 1);
    s->header = s->text.count;
    return LV_OK;
}

/* ---- opening -------------------------------------------------------------------------- */

static int open_or_create(csv *s)
{
    int fd = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    s->created = fd >= 0;
    return fd >= 0 || errno != EEXIST
               ? fd
               : open(s->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

/* Opens what is to be written; a file is locked, and left as it is. */
static lv_status open_output(csv *s, lv_error *err)
{
    struct stat info;
    for (;;) {
        s->fd = open_or_create(s);
        if (s->fd < 0)
            return lv_io_fail(err, "create", s->path, errno);
        s->regular = fstat(s->fd, &info) == 0 && S_ISREG(info.st_mode);
        lv_status status = s->regular ? lv_lock_writer(s->fd, s->path, err) : LV_OK;
        if (status != LV_OK)
            s->created = false; /* whoever was faster has it now */
        if (status != LV_OK || !s->regular || lv_lock_is_at(s->fd, s->path))
            return status;
        (void)close(s->fd);
    }
}

/* A file that was made for rows that did not come. It is removed while it is locked. */
static void remove_unused(const csv *s)
{
    if (s->created && !s->begun && lv_lock_is_at(s->fd, s->path))
        (void)unlink(s->path);
}

/* What was in the file makes room for the first row. */
static lv_status begin_output(csv *s, lv_error *err)
{
    if (s->fd < 0)
        LV_TRY(open_output(s, err));
    if (s->regular && ftruncate(s->fd, 0) != 0)
        return lv_io_fail(err, "write", s->path, errno);
    s->begun = true;
    return LV_OK;
}

/* Says early that a path cannot be written; a file is ours from now on, also one that there was not. */
static lv_status check_path(csv *s, lv_error *err)
{
    struct stat info;
    if (strcmp(s->path, "-") == 0) {
        s->fd = STDOUT_FILENO;
        return LV_OK;
    }
    if (stat(s->path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return lv_io_fail(err, "create", s->path, EISDIR);
        if (access(s->path, W_OK) != 0)
            return lv_io_fail(err, "write", s->path, errno);
        return S_ISREG(info.st_mode) ? open_output(s, err) : LV_OK;
    }
    return errno == ENOENT ? open_output(s, err)
                           : lv_io_fail(err, "create", s->path, errno);
}

/* ---- the sink ------------------------------------------------------------------------- */

static lv_status csv_row(lv_sink *sink, lv_error *err)
{
    csv *s = (csv *)sink;
    if (!s->begun)
        LV_TRY(begin_output(s, err));
    if (s->text.count > s->text.capacity - s->line_most)
        LV_TRY(write_out(s, err));
    char *to = s->text.data + s->text.count;
    for (int c = 0; c < s->channels->count; c++) {
        const lv_channel *channel = &s->channels->list[c];
        for (int k = 0; k < channel->width; k++) {
            if (channel->text)
                to = quote(to, channel->text);
            else
                to += lv_decimal_write(&s->decimal, channel->values[k], to);
            *to++ = ',';
        }
    }
    if (to > s->text.data + s->text.count)
        to--;
    *to++ = '\n';
    s->text.count = (int)(to - s->text.data);
    return LV_OK;
}

static lv_status csv_flush(lv_sink *sink, const lv_checkpoint *checkpoint, lv_error *err)
{
    csv *s = (csv *)sink;
    (void)checkpoint;
    lv_status status = s->begun ? write_out(s, err) : LV_OK;
    if (sink->kept)
        *sink->kept = s->written;
    return status;
}

static void csv_free(csv *s)
{
    remove_unused(s);
    if (s->fd >= 0 && s->fd != STDOUT_FILENO)
        (void)close(s->fd);
    LV_ARRAY_FREE(s->text);
    lv_memory_free(s->path);
    lv_memory_free(s);
}

static lv_status csv_close(lv_sink *sink, lv_error *err)
{
    csv *s = (csv *)sink;
    lv_status status = csv_flush(sink, NULL, err);
    remove_unused(s);
    if (s->fd >= 0 && s->fd != STDOUT_FILENO && close(s->fd) != 0 && errno != EINTR &&
        status == LV_OK)
        status = lv_io_fail(err, "write", s->path, errno);
    s->fd = -1;
    csv_free(s);
    return status;
}

/* Room for the header, then for at least a piece and the longest row. */
static lv_status make_room(csv *s, lv_error *err)
{
    long long columns = 0;
    int texts = 0;
    for (int c = 0; c < s->channels->count; c++) {
        columns += s->channels->list[c].width;
        texts += s->channels->list[c].text != NULL;
    }
    if (columns > (INT_MAX / 2 - PIECE) / LV_DECIMAL_SIZE)
        return lv_fail(err, LV_ERR_LIMIT, "'%s': a CSV file of %lld columns is too wide",
                       s->path, columns);
    s->line_most =
        (int)(columns + 1) * LV_DECIMAL_SIZE + texts * (2 * LV_CHANNEL_TEXT + 2);
    if (!LV_RESERVE(s->text, 2))
        return lv_fail_memory(err);
    LV_TRY(put_header(s, err));
    return LV_RESERVE(s->text, PIECE + s->line_most) ? LV_OK : lv_fail_memory(err);
}

static lv_status csv_init(csv *s, const char *path, lv_error *err)
{
    const size_t length = strlen(path) + 1;
    s->path = lv_memory_resize(NULL, length);
    if (!s->path)
        return lv_fail_memory(err);
    memcpy(s->path, path, length);
    lv_decimal_init(&s->decimal);
    LV_TRY(check_path(s, err));
    return make_room(s, err);
}

lv_status lv_csv_create(lv_sink **sink, const char *path, const lv_channels *channels,
                        lv_error *err)
{
    *sink = NULL;
    csv *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return lv_fail_memory(err);
    s->sink = (lv_sink){csv_row, csv_flush, csv_close, NULL};
    s->channels = channels;
    s->fd = -1;
    lv_status status = csv_init(s, path, err);
    if (status != LV_OK) {
        csv_free(s);
        return status;
    }
    *sink = &s->sink;
    return LV_OK;
}
