/* Reads any bytes as TOML and checks what holds for every tree: places lie in the source
 * and inside of those of the array around them, snippets map forward into the source,
 * counts and depths are right, and every member is found by its key. Errors have a text
 * and a place. */
#include "toml/reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_place(const lv_source *source, lv_toml_place place)
{
    check(place.length > 0 && place.offset < source->size);
    check(place.length <= source->size - place.offset);
}

static void check_string(const lv_source *source, const lv_toml *node)
{
    const lv_snippet *s = &node->string;
    check(s->source == source && s->length >= 0 && s->text[s->length] == '\0');
    size_t before = node->place.offset + 1;
    for (int i = 0; i <= s->length; i++) {
        size_t offset = lv_snippet_offset(s, i);
        check(offset >= before && offset < node->place.offset + node->place.length);
        if (!s->offsets && i < s->length)
            check(s->text[i] == source->text[offset]);
        before = offset;
    }
}

static void check_key(const lv_source *source, const lv_toml *parent, const lv_toml *node)
{
    if (parent->kind == LV_TOML_ARRAY) {
        check(node->key.text == NULL);
        return;
    }
    check_place(source, node->key.place);
    check(node->key.text[node->key.length] == '\0');
    check(lv_toml_find(parent, node->key.text, node->key.length) == node);
}

static void check_inside(const lv_toml *parent, const lv_toml *node)
{
    size_t begin = parent->place.offset, end = begin + parent->place.length;
    check(node->place.offset >= begin && node->place.offset + node->place.length <= end);
}

/* At most LV_TOML_MOST_DEPTH calls deep. */
static void check_children(const lv_source *source, const lv_toml *parent)
{
    int count = 0;
    const lv_toml *last = NULL;
    for (const lv_toml *node = parent->first; node; node = node->next) {
        check(node->depth == parent->depth + 1 && node->depth <= LV_TOML_MOST_DEPTH);
        check_key(source, parent, node);
        check_place(source, node->place);
        if (parent->depth > 0 && parent->origin == LV_TOML_CLOSED)
            check_inside(parent, node);
        if (node->kind == LV_TOML_STRING)
            check_string(source, node);
        else if (node->kind == LV_TOML_ARRAY || node->kind == LV_TOML_TABLE)
            check_children(source, node);
        else
            check(node->first == NULL);
        last = node;
        count++;
    }
    check(count == parent->count && last == parent->last);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lv_source source = {.name = "fuzz", .text = (const char *)data, .size = size};
    lv_arena arena = {0};
    lv_error err;
    lv_toml *root = NULL;
    lv_error_clear(&err);
    lv_status status = lv_toml_read(&root, &arena, &source, &err);
    if (status == LV_OK) {
        check(root->kind == LV_TOML_TABLE && root->depth == 0);
        check_children(&source, root);
    } else {
        char message[4096];
        check(!root && err.code == status && err.text[0]);
        check(status == LV_ERR_MEMORY || (err.line > 0 && err.column > 0));
        check(lv_error_write(&err, message, sizeof message) > 0);
    }
    lv_arena_done(&arena);
    return 0;
}
