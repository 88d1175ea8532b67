/* A builder writes the text of a model file and has it read, so that there is only one
 * set of checks. */
#include <livens/build.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/usage.h"
#include "model/section.h"

#include <math.h>
#include <string.h>

/* One table of the file: [section] or [section.item]. */
typedef struct table {
    const char *section, *item;
    lv_text body;
} table;

struct lv_builder {
    lv_arena arena;
    const char *name;
    LV_ARRAY(table) tables;
    lv_text source;
    bool failed; /* there was no memory */
    /* the first function that was called with a wrong argument, and the argument */
    const char *misused, *missing;
};

lv_builder *lv_builder_create(const char *name)
{
    lv_builder *b = name ? lv_memory_zeroed(1, sizeof *b) : NULL;
    if (!b)
        return NULL;
    b->name = lv_arena_text(&b->arena, name, strlen(name));
    if (!b->name) {
        lv_builder_free(b);
        return NULL;
    }
    return b;
}

void lv_builder_free(lv_builder *b)
{
    if (!b)
        return;
    for (int k = 0; k < b->tables.count; k++)
        lv_text_done(&b->tables.data[k].body);
    LV_ARRAY_FREE(b->tables);
    lv_text_done(&b->source);
    lv_arena_done(&b->arena);
    lv_memory_free(b);
}

/* Records a wrong argument for lv_builder_model. The texts are static. */
static bool check_argument(lv_builder *b, const char *function, const char *argument,
                           bool good)
{
    if (!good && !b->misused) {
        b->misused = function;
        b->missing = argument;
    }
    return good;
}

/* Checks the arguments that all functions that set a key have. */
static bool has_key(lv_builder *b, const char *function, const char *section,
                    const char *key)
{
    return b && check_argument(b, function, "section is NULL", section != NULL) &&
           check_argument(b, function, "key is NULL", key != NULL);
}

/* Finds or adds the table of a section and item; NULL if there is no memory. */
static table *find_table(lv_builder *b, const char *section, const char *item)
{
    item = item ? item : "";
    for (int k = 0; k < b->tables.count; k++)
        if (strcmp(b->tables.data[k].section, section) == 0 &&
            strcmp(b->tables.data[k].item, item) == 0)
            return &b->tables.data[k];
    table t = {.section = lv_arena_text(&b->arena, section, strlen(section)),
               .item = lv_arena_text(&b->arena, item, strlen(item))};
    if (!t.section || !t.item || !LV_PUSH(b->tables, t)) {
        b->failed = true;
        return NULL;
    }
    return &b->tables.data[b->tables.count - 1];
}

/* Writes a TOML basic string, which is safe for any text; also used for keys. */
static void append_quoted(lv_text *to, const char *text)
{
    lv_text_append(to, "\"");
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            lv_text_append(to, "\\%c", *c);
        else if (byte < 32 || byte == 127)
            lv_text_append(to, "\\u%04X", byte);
        else
            lv_text_bytes(to, c, 1);
    }
    lv_text_append(to, "\"");
}

static void append_key(lv_text *to, const char *key)
{
    if (lv_is_name(key))
        lv_text_append(to, "%s", key);
    else
        append_quoted(to, key);
}

void lv_builder_text(lv_builder *b, const char *section, const char *item,
                     const char *key, const char *text)
{
    if (!has_key(b, __func__, section, key) ||
        !check_argument(b, __func__, "text is NULL", text != NULL))
        return;
    table *t = find_table(b, section, item);
    if (!t)
        return;
    append_key(&t->body, key);
    lv_text_append(&t->body, " = ");
    append_quoted(&t->body, text);
    lv_text_append(&t->body, "\n");
}

/* Writes a number in TOML: floats need a point or an exponent. */
static void append_number(lv_text *to, double value)
{
    char buffer[LV_NUMBER_SIZE];
    lv_number_format(value, buffer);
    bool whole = strspn(buffer, "+-0123456789") == strlen(buffer);
    lv_text_append(to, "%s%s", buffer, whole ? ".0" : "");
}

void lv_builder_number(lv_builder *b, const char *section, const char *item,
                       const char *key, double value)
{
    if (!has_key(b, __func__, section, key))
        return;
    table *t = find_table(b, section, item);
    if (!t)
        return;
    append_key(&t->body, key);
    lv_text_append(&t->body, " = ");
    append_number(&t->body, value);
    lv_text_append(&t->body, "\n");
}

void lv_builder_flag(lv_builder *b, const char *section, const char *item,
                     const char *key, bool value)
{
    if (!has_key(b, __func__, section, key))
        return;
    table *t = find_table(b, section, item);
    if (!t)
        return;
    append_key(&t->body, key);
    lv_text_append(&t->body, " = %s\n", value ? "true" : "false");
}

/* Writes "key = [" and returns the text of the table; NULL if there is no memory. */
static lv_text *begin_array(lv_builder *b, const char *section, const char *item,
                            const char *key)
{
    table *t = find_table(b, section, item);
    if (!t)
        return NULL;
    append_key(&t->body, key);
    lv_text_append(&t->body, " = [");
    return &t->body;
}

void lv_builder_numbers(lv_builder *b, const char *section, const char *item,
                        const char *key, const double *values, int count)
{
    if (!has_key(b, __func__, section, key) ||
        !check_argument(b, __func__, "values is NULL", values != NULL || count == 0) ||
        !check_argument(b, __func__, "count is negative", count >= 0))
        return;
    lv_text *body = begin_array(b, section, item, key);
    if (!body)
        return;
    for (int k = 0; k < count; k++) {
        lv_text_append(body, k ? ", " : "");
        append_number(body, values[k]);
    }
    lv_text_append(body, "]\n");
}

static bool are_there(const char *const *texts, int count)
{
    for (int k = 0; k < count; k++)
        if (!texts || !texts[k])
            return false;
    return true;
}

void lv_builder_texts(lv_builder *b, const char *section, const char *item,
                      const char *key, const char *const *texts, int count)
{
    if (!has_key(b, __func__, section, key) ||
        !check_argument(b, __func__, "texts is NULL", are_there(texts, count)) ||
        !check_argument(b, __func__, "count is negative", count >= 0))
        return;
    lv_text *body = begin_array(b, section, item, key);
    if (!body)
        return;
    for (int k = 0; k < count; k++) {
        lv_text_append(body, k ? ", " : "");
        append_quoted(body, texts[k]);
    }
    lv_text_append(body, "]\n");
}

/* Writes the name of a section. "sweep.set" is a table inside another one, so its dot is
 * not quoted. */
static void append_section(lv_text *to, const char *name)
{
    bool known = false;
    for (int s = 1; lv_section_at(s); s++)
        known = known || strcmp(lv_section_at(s)->name, name) == 0;
    if (known)
        lv_text_append(to, "%s", name);
    else
        append_key(to, name);
}

static void append_table(lv_builder *b, const table *t)
{
    lv_text_append(&b->source, "\n[");
    append_section(&b->source, t->section);
    if (t->item[0]) {
        lv_text_append(&b->source, ".");
        append_key(&b->source, t->item);
    }
    lv_text_append(&b->source, "]\n%s", t->body.data ? t->body.data : "");
    b->failed = b->failed || t->body.failed;
}

const char *lv_builder_source(lv_builder *b)
{
    if (!b)
        return NULL;
    lv_text_done(&b->source);
    lv_text_append(&b->source, "name = ");
    append_quoted(&b->source, b->name);
    lv_text_append(&b->source, "\n");
    for (int k = 0; k < b->tables.count; k++)
        append_table(b, &b->tables.data[k]);
    return b->failed || b->source.failed ? NULL : b->source.data;
}

lv_status lv_builder_model(lv_model **model, lv_builder *b, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    *model = NULL;
    LV_NEED_AS(err, b, "builder");
    if (b->misused)
        return lv_fail(err, LV_ERR_USAGE, "%s: %s", b->misused, b->missing);
    const char *text = lv_builder_source(b);
    return text ? lv_model_parse(model, b->name, text, strlen(text), NULL, 0, err)
                : lv_fail_memory(err);
}
