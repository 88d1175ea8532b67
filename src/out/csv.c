/* The sink that writes CSV (RFC 4180, but lines end in \n). Lines are collected and
 * written in large pieces, which are always whole lines. */
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
    bool begun;   /* a row has been written */
    bool created; /* this sink has created the file */
    bool regular; /* a regular file, which can be truncated */
    off_t size;   /* bytes written */
    int header;   /* bytes of the header that are still to be written */
    lv_kept_rows written;
    LV_ARRAY(char) text;
    int line_most; /* upper bound on the bytes of a row */
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

/* After a failure: drops the lines that were written. An incomplete line is removed if
 * the output is a regular file. */
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

/* Writes the collected lines; lines that could not be written stay collected. */
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

static void put_bytes(csv *s, const char *bytes, size_t size)
{
    memcpy(s->text.data + s->text.count, bytes, size);
    s->text.count += (int)size;
}

/* ---- header --------------------------------------------------------------------------- */

/* Copies a text, quoted if it contains a comma, a quote or the end of a line: at most 2 +
 * twice its length. */
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
                put_bytes(s, ",", 1);
            first = false;
            if (!put_field(s, channel->label(channel->user, k, buffer, sizeof buffer)))
                return lv_fail_memory(err);
        }
    }
    put_bytes(s, "\n", 1);
    s->header = s->text.count;
    return LV_OK;
}

/* Allocates space for the header, then for at least a piece and the longest row. */
static lv_status csv_make_room(csv *s, lv_error *err)
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

/* ---- opening -------------------------------------------------------------------------- */

static int open_or_create(csv *s)
{
    int fd = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    s->created = fd >= 0;
    return fd >= 0 || errno != EEXIST
               ? fd
               : open(s->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

/* Opens the output; a regular file is locked, and not changed yet. */
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
            s->created = false; /* another writer was faster and owns the file */
        if (status != LV_OK || !s->regular || lv_lock_is_at(s->fd, s->path))
            return status;
        (void)close(s->fd);
    }
}

/* Removes a file that was created for rows that did not arrive. It is removed while it is
 * locked. */
static void remove_unused(const csv *s)
{
    if (s->created && !s->begun && lv_lock_is_at(s->fd, s->path))
        (void)unlink(s->path);
}

/* Called for the first row: truncates the file. */
static lv_status begin_output(csv *s, lv_error *err)
{
    if (s->fd < 0)
        LV_TRY(open_output(s, err));
    if (s->regular && ftruncate(s->fd, 0) != 0)
        return lv_io_fail(err, "write", s->path, errno);
    s->begun = true;
    return LV_OK;
}

/* Finds out early whether a path can be written. A regular file, also a new one, is
 * locked from now on. */
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

/* ---- appending to a file ------------------------------------------------------------------- */

static lv_status not_of_this_run(const csv *s, const char *what, lv_error *err)
{
    lv_status status = lv_fail(
        err, LV_ERR_IO, "'%s' is not the file that this run wrote: %s", s->path, what);
    lv_error_hint(err, "move it away, and the run goes on without it");
    return status;
}

/* Finds the begin and the end of line number `lines`; *end is -1 if there are fewer. */
static lv_status find_line(const csv *s, long long lines, off_t *begin, off_t *end,
                           lv_error *err)
{
    char piece[1 << 14];
    off_t at = 0;
    *begin = *end = lines > 0 ? -1 : 0;
    for (long long seen = 0; seen < lines;) {
        const ssize_t n = pread(s->fd, piece, sizeof piece, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return lv_io_fail(err, "read", s->path, errno);
        if (n == 0)
            return LV_OK;
        if (at == 0 && lines == 1)
            *begin = 0;
        for (ssize_t k = 0; k < n && seen < lines; k++)
            if (piece[k] == '\n' && ++seen == lines - 1)
                *begin = at + k + 1;
            else if (piece[k] == '\n' && seen == lines)
                *end = at + k + 1;
        at += n;
    }
    return LV_OK;
}

/* Whether the file has this text at the address. */
static bool stands_at(const csv *s, const char *text, size_t size, off_t at)
{
    char piece[1 << 14];
    while (size > 0) {
        const ssize_t n =
            pread(s->fd, piece, size < sizeof piece ? size : sizeof piece, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || memcmp(piece, text, (size_t)n) != 0)
            return false;
        text += n;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static char *put_numbers(csv *s, char *to, const double *values)
{
    for (int c = 0; c < s->channels->count; c++)
        for (int k = 0; k < s->channels->list[c].width; k++) {
            to += lv_decimal_write(&s->decimal, *values++, to);
            *to++ = ',';
        }
    to[-1] = '\n';
    return to;
}

/* Checks that the header and the last row that stays are those of this run. */
static lv_status check_lines(csv *s, long long rows, const double *last, off_t *end,
                             lv_error *err)
{
    off_t begin = 0;
    if (!stands_at(s, s->text.data, (size_t)s->text.count, 0))
        return not_of_this_run(s, "its first line differs", err);
    LV_TRY(find_line(s, rows + 1, &begin, end, err));
    if (*end < 0)
        return not_of_this_run(s, "rows are missing", err);
    const char *stop = put_numbers(s, s->text.data, last);
    const size_t size = (size_t)(stop - s->text.data);
    return rows == 0 || ((off_t)size == *end - begin &&
                         stands_at(s, s->text.data, size, begin))
               ? LV_OK
               : not_of_this_run(s, "the numbers of its rows differ", err);
}

/* Truncates the file after its rows and seeks to the end. */
static lv_status resume_output(csv *s, long long rows, const double *last, lv_error *err)
{
    off_t end = 0;
    s->fd = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->fd < 0)
        return lv_io_fail(err, "write", s->path, errno);
    LV_TRY(lv_lock_writer(s->fd, s->path, err));
    LV_TRY(csv_make_room(s, err));
    LV_TRY(check_lines(s, rows, last, &end, err));
    if (ftruncate(s->fd, end) != 0 || lseek(s->fd, end, SEEK_SET) < 0)
        return lv_io_fail(err, "write", s->path, errno);
    s->text.count = s->header = 0;
    s->size = end;
    s->begun = s->regular = true;
    s->written = (lv_kept_rows){rows, rows > 0 ? last[0] : (double)NAN};
    return LV_OK;
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

/* A sink without a file, or NULL. */
static csv *csv_new(const char *path, const lv_channels *channels)
{
    const size_t length = strlen(path) + 1;
    csv *s = lv_memory_zeroed(1, sizeof *s);
    if (!s)
        return NULL;
    s->sink = (lv_sink){csv_row, csv_flush, csv_close, NULL};
    s->channels = channels;
    s->fd = -1;
    s->path = lv_memory_resize(NULL, length);
    if (!s->path) {
        csv_free(s);
        return NULL;
    }
    memcpy(s->path, path, length);
    lv_decimal_init(&s->decimal);
    return s;
}

/* Passes the sink to the caller, or frees it after a failure. */
static lv_status hand_over(lv_sink **sink, csv *s, lv_status status)
{
    if (status == LV_OK)
        *sink = &s->sink;
    else
        csv_free(s);
    return status;
}

lv_status lv_csv_create(lv_sink **sink, const char *path, const lv_channels *channels,
                        lv_error *err)
{
    *sink = NULL;
    csv *s = csv_new(path, channels);
    if (!s)
        return lv_fail_memory(err);
    lv_status status = check_path(s, err);
    if (status == LV_OK)
        status = csv_make_room(s, err);
    return hand_over(sink, s, status);
}

lv_status lv_csv_append(lv_sink **sink, const char *path, const lv_channels *channels,
                        long long rows, const double *last, lv_error *err)
{
    *sink = NULL;
    csv *s = csv_new(path, channels);
    return s ? hand_over(sink, s, resume_output(s, rows, last, err))
             : lv_fail_memory(err);
}
