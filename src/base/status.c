#include "base/status.h"

#include "base/source.h"

#include <stdio.h>
#include <string.h>

const char *lv_status_name(lv_status status)
{
    switch (status) {
#define LV_X(id, name, meaning)                                                          \
    case id:                                                                             \
        return name;
        LV_STATUS_LIST(LV_X)
#undef LV_X
    }
    return "unknown";
}

const char *lv_status_meaning(lv_status status)
{
    switch (status) {
#define LV_X(id, name, meaning)                                                          \
    case id:                                                                             \
        return meaning;
        LV_STATUS_LIST(LV_X)
#undef LV_X
    }
    return "a code this library does not know";
}

const char *lv_subject_name(lv_subject subject)
{
    switch (subject) {
#define LV_X(id, name, meaning)                                                          \
    case id:                                                                             \
        return name;
        LV_SUBJECT_LIST(LV_X)
#undef LV_X
    }
    return "unknown";
}

const char *lv_reason_name(lv_reason reason)
{
    switch (reason) {
#define LV_X(id, name, meaning)                                                          \
    case id:                                                                             \
        return name;
        LV_REASON_LIST(LV_X)
#undef LV_X
    }
    return "unknown";
}

int lv_status_exit_code(lv_status status)
{
    switch (status) {
    case LV_OK:
        return 0;
    case LV_ERR_USAGE:
        return 2;
    case LV_ERR_DOMAIN:
    case LV_ERR_NUMERIC:
    case LV_ERR_MEMORY:
        return 3;
    case LV_ERR_IO:
        return 4;
    case LV_ERR_LIMIT:
    case LV_ERR_SYNTAX:
    case LV_ERR_MODEL:
        return 1;
    }
    return 3;
}

void lv_error_clear(lv_error *err)
{
    if (err)
        *err = (lv_error){.code = LV_OK};
}

/* Prints into a fixed buffer; a text that does not fit ends in "...". */
static void print_cut(char *buffer, size_t size, const char *format, va_list args)
    LV_PRINTF(3, 0);

static void print_cut(char *buffer, size_t size, const char *format, va_list args)
{
    int n = vsnprintf(buffer, size, format, args);
    if (n >= 0 && (size_t)n >= size) {
        /* Do not leave half a UTF-8 character before the dots. */
        size_t end = size - 4;
        while (end > 0 && ((unsigned char)buffer[end] & 0xC0) == 0x80)
            end--;
        memcpy(buffer + end, "...", 4);
    }
}

static void raise(lv_error *err, lv_status code, const char *format, va_list args)
    LV_PRINTF(3, 0);

static void raise(lv_error *err, lv_status code, const char *format, va_list args)
{
    lv_error_clear(err);
    err->code = code;
    print_cut(err->text, sizeof err->text, format, args);
}

lv_status lv_fail(lv_error *err, lv_status code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        raise(err, code, format, args);
        va_end(args);
    }
    return code;
}

lv_status lv_fail_at(lv_error *err, lv_status code, const lv_source *source,
                     size_t offset, size_t length, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        raise(err, code, format, args);
        va_end(args);
        lv_error_locate(err, source, offset, length);
    }
    return code;
}

lv_status lv_fail_memory(lv_error *err)
{
    return lv_fail(err, LV_ERR_MEMORY, "out of memory");
}

void lv_error_note(lv_error *err, const char *format, ...)
{
    if (!err)
        return;
    va_list args;
    va_start(args, format);
    print_cut(err->note, sizeof err->note, format, args);
    va_end(args);
}

void lv_error_hint(lv_error *err, const char *format, ...)
{
    if (!err)
        return;
    va_list args;
    va_start(args, format);
    print_cut(err->hint, sizeof err->hint, format, args);
    va_end(args);
}

void lv_error_about(lv_error *err, lv_subject about, int index)
{
    if (!err)
        return;
    err->about = about;
    err->index = index;
    err->name[0] = '\0';
}

void lv_error_name(lv_error *err, const char *name)
{
    if (err)
        snprintf(err->name, sizeof err->name, "%s", name);
}

void lv_error_because(lv_error *err, lv_reason why)
{
    if (err)
        err->why = why;
}

static int is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

static int count_characters(const char *text, size_t from, size_t to)
{
    int n = 0;
    for (size_t i = from; i < to; i++)
        n += !is_continuation(text[i]);
    return n;
}

/* Copies the line around `offset` into err->source; a long line is shown from a little
 * before the offset on. Control characters become spaces. */
static void copy_source_line(lv_error *err, const lv_source *source, size_t offset)
{
    const size_t room = sizeof err->source - 1, context = 60;
    size_t begin = offset, end = offset;
    while (begin > 0 && source->text[begin - 1] != '\n')
        begin--;
    while (end < source->size && source->text[end] != '\n')
        end++;
    if (end - begin > room && offset - begin > context) {
        begin = offset - context;
        while (begin < offset && is_continuation(source->text[begin]))
            begin++;
    }
    if (end - begin > room) {
        end = begin + room;
        while (end > begin && end < source->size && is_continuation(source->text[end]))
            end--;
    }

    size_t n = end - begin;
    memcpy(err->source, source->text + begin, n);
    err->source[n] = '\0';
    while (n > 0 && (err->source[n - 1] == '\r' || err->source[n - 1] == ' '))
        err->source[--n] = '\0';
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)err->source[i] < 32 || err->source[i] == 127)
            err->source[i] = ' ';
    err->source_column = count_characters(source->text, begin, offset);
}

/* A path that does not fit loses its beginning: the end says more. */
static void copy_file_name(lv_error *err, const char *name)
{
    const size_t room = sizeof err->file - 1, length = strlen(name);
    if (length <= room) {
        memcpy(err->file, name, length + 1);
        return;
    }
    const char *tail = name + (length - (room - 3));
    while (is_continuation(*tail))
        tail++;
    memcpy(err->file, "...", 3);
    memcpy(err->file + 3, tail, strlen(tail) + 1);
}

void lv_error_locate(lv_error *err, const lv_source *source, size_t offset, size_t length)
{
    if (!err || !source || err->line > 0)
        return;
    copy_file_name(err, source->name ? source->name : "");
    if (offset > source->size)
        offset = source->size;
    if (length > source->size - offset)
        length = source->size - offset;

    /* Underline at most to the end of the line. */
    const char *newline = length ? memchr(source->text + offset, '\n', length) : NULL;
    if (newline)
        length = (size_t)(newline - (source->text + offset));
    lv_source_position(source, offset, &err->line, &err->column);
    err->length = count_characters(source->text, offset, offset + length);
    if (err->length < 1)
        err->length = 1;
    if (source->size > 0)
        copy_source_line(err, source, offset);
}

/* Appends to a message of known length so far; returns the new length without cutting. */
static size_t append(char *buffer, size_t size, size_t length, const char *format, ...)
    LV_PRINTF(4, 5);

static size_t append(char *buffer, size_t size, size_t length, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = length < size ? vsnprintf(buffer + length, size - length, format, args)
                          : vsnprintf(NULL, 0, format, args);
    va_end(args);
    return n > 0 ? length + (size_t)n : length;
}

static size_t append_caret(char *buffer, size_t size, size_t n, const lv_error *err)
{
    int shown = count_characters(err->source, 0, strlen(err->source));
    int marks = err->length;
    if (marks > shown - err->source_column)
        marks = shown - err->source_column;
    n = append(buffer, size, n, "%5d | %s\n      | %*s^", err->line, err->source,
               err->source_column, "");
    for (int i = 1; i < marks; i++)
        n = append(buffer, size, n, "~");
    return append(buffer, size, n, "\n");
}

size_t lv_error_write(const lv_error *err, char *buffer, size_t size)
{
    size_t n = 0;
    if (!buffer)
        size = 0;
    if (size > 0)
        buffer[0] = '\0';
    if (!err)
        return 0;
    if (err->file[0])
        n = append(buffer, size, n, "%s:", err->file);
    if (err->line > 0)
        n = append(buffer, size, n, "%d:%d:", err->line, err->column);
    n = append(buffer, size, n, "%serror: %s\n", n > 0 ? " " : "", err->text);
    if (err->line > 0 && err->source[0])
        n = append_caret(buffer, size, n, err);
    if (err->note[0])
        n = append(buffer, size, n, "   note: %s\n", err->note);
    if (err->hint[0])
        n = append(buffer, size, n, "   hint: %s\n", err->hint);
    return n;
}
