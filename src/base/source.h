/* Source texts and places in them. */
#ifndef LV_BASE_SOURCE_H
#define LV_BASE_SOURCE_H

#include <stddef.h>

/* A named text: a model file, or a command-line argument. */
typedef struct lv_source {
    const char *name; /* shown in messages */
    const char *text;
    size_t size;
} lv_source;

/* Part of a source as a value, such as the decoded content of a string. Byte i of `text`
 * comes from byte offsets[i] of the source, or from start + i if there are no offsets. */
typedef struct lv_snippet {
    const char *text; /* NUL-terminated, owned by whoever made the snippet */
    int length;
    const lv_source *source;
    size_t start;
    const size_t *offsets; /* length + 1 entries, or NULL */
} lv_snippet;

/* Bytes [offset, offset + length) of a source. */
typedef struct lv_place {
    const lv_source *source;
    size_t offset;
    size_t length;
} lv_place;

/* The three arguments of lv_fail_at that give the place. */
#define LV_AT(place) (place).source, (place).offset, (place).length

size_t lv_snippet_offset(const lv_snippet *snippet, int i);

/* Line and column (in characters) of a byte, both from 1. */
void lv_source_position(const lv_source *source, size_t offset, int *line, int *column);

#endif
