/* A document under test: text in memory of exactly its size, so that the sanitizers
 * notice a reader that goes beyond, and what came of reading it. */
#ifndef LV_TESTS_TOML_DOCUMENT_H
#define LV_TESTS_TOML_DOCUMENT_H

#include "check.h"
#include "toml/reader.h"

#include <stdlib.h>
#include <string.h>

typedef struct document {
    char *text;
    lv_source source;
    lv_arena arena;
    lv_toml *root;
    lv_error err;
    lv_status status;
} document;

static inline void document_read_bytes(document *d, const char *text, size_t size)
{
    memset(d, 0, sizeof *d);
    d->text = malloc(size > 0 ? size : 1);
    assert_non_null(d->text);
    if (size > 0)
        memcpy(d->text, text, size);
    d->source = (lv_source){.name = "test.toml", .text = d->text, .size = size};
    d->status = lv_toml_read(&d->root, &d->arena, &d->source, &d->err);
}

static inline void document_free(document *d)
{
    lv_arena_done(&d->arena);
    free(d->text);
}

/* Reads a text that is valid. */
static inline void document_read(document *d, const char *text)
{
    document_read_bytes(d, text, strlen(text));
    if (d->status != LV_OK)
        fail_msg("'%s': line %d, column %d: %s", text, d->err.line, d->err.column,
                 d->err.text);
}

/* The member at the end of a path of keys "a.b.c", numbers being indices into arrays. */
static inline const lv_toml *document_at(const document *d, const char *path)
{
    const lv_toml *node = d->root;
    while (node && *path) {
        char key[64] = "";
        size_t n = strcspn(path, ".");
        assert_true(n < sizeof key);
        memcpy(key, path, n);
        path += n + (path[n] == '.');
        if (node->kind == LV_TOML_TABLE) {
            node = lv_toml_get(node, key);
        } else {
            const lv_toml *item = node->first;
            for (int i = atoi(key); item && i > 0; i--)
                item = item->next;
            node = item;
        }
    }
    if (!node)
        fail_msg("there is nothing at the end of the path");
    return node;
}

/* Reads a text that is refused, and checks where: line and column, what the message and,
 * unless NULL, what note or hint contain. */
static inline void check_refused(const char *text, int line, int column,
                                 const char *message, const char *advice)
{
    document d;
    document_read_bytes(&d, text, strlen(text));
    if (d.status != LV_ERR_SYNTAX)
        fail_msg("'%s' gives status %s", text, lv_status_name(d.status));
    assert_null(d.root);
    if (d.err.line != line || d.err.column != column)
        fail_msg("'%s': error at %d:%d, expected %d:%d: %s", text, d.err.line,
                 d.err.column, line, column, d.err.text);
    if (!strstr(d.err.text, message))
        fail_msg("'%s': the message is '%s', expected '%s'", text, d.err.text, message);
    if (advice && !strstr(d.err.hint, advice) && !strstr(d.err.note, advice))
        fail_msg("'%s': hint '%s', note '%s', expected '%s'", text, d.err.hint,
                 d.err.note, advice);
    document_free(&d);
}

#endif
