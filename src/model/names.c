#include "model/names.h"

#include "expr/function.h"

#include <stdio.h>
#include <string.h>

void lv_names_done(lv_names *names)
{
    LV_ARRAY_FREE(names->list);
    lv_memory_free(names->table);
    names->table = NULL;
    names->table_size = 0;
}

static unsigned hash_of(const char *text, int length)
{
    unsigned h = 2166136261U;
    for (int i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619U;
    return h;
}

/* The slot of a name in the table: where it is, or where it would be added. */
static int slot_of(const lv_names *names, const char *text, int length)
{
    unsigned mask = (unsigned)names->table_size - 1, at = hash_of(text, length) & mask;
    for (; names->table[at] >= 0; at = (at + 1) & mask) {
        const char *other = names->list.data[names->table[at]].text;
        if (strncmp(other, text, (size_t)length) == 0 && other[length] == '\0')
            break;
    }
    return (int)at;
}

const lv_name *lv_names_find(const lv_names *names, const char *text, int length)
{
    if (names->table_size == 0)
        return NULL;
    int found = names->table[slot_of(names, text, length)];
    return found < 0 ? NULL : &names->list.data[found];
}

const lv_name *lv_names_find_member(const lv_names *names, const char *text, int length,
                                    const char *member)
{
    char whole[LV_SYNTAX_NAME_SIZE];
    if (!member)
        return lv_names_find(names, text, length);
    const int size = snprintf(whole, sizeof whole, "%.*s.%s", length, text, member);
    return size < (int)sizeof whole ? lv_names_find(names, whole, size) : NULL;
}

int lv_member_text(char *buffer, size_t size, const char *family, const double *indices,
                   int count)
{
    const char *dot = strchr(family, '.');
    int used = snprintf(buffer, size, "%.*s", (int)strcspn(family, "."), family);
    for (int k = 0; k < count && used >= 0 && (size_t)used < size; k++)
        used += snprintf(buffer + used, size - (size_t)used, "_%.0f", indices[k]);
    if (dot && used >= 0 && (size_t)used < size)
        used += snprintf(buffer + used, size - (size_t)used, "%s", dot);
    return used;
}

static bool grow_table(lv_names *names)
{
    int size = names->table_size == 0 ? 64 : 2 * names->table_size;
    int *table = lv_memory_resize(NULL, (size_t)size * sizeof *table);
    if (!table)
        return false;
    memset(table, -1, (size_t)size * sizeof *table);
    lv_memory_free(names->table);
    names->table = table;
    names->table_size = size;
    for (int i = 0; i < names->list.count; i++) {
        const char *text = names->list.data[i].text;
        table[slot_of(names, text, (int)strlen(text))] = i;
    }
    return true;
}

bool lv_names_put(lv_names *names, const lv_name *name)
{
    if (2 * (names->list.count + 1) > names->table_size && !grow_table(names))
        return false;
    const int slot = slot_of(names, name->text, (int)strlen(name->text));
    if (!LV_PUSH(names->list, *name))
        return false;
    names->table[slot] = names->list.count - 1;
    return true;
}

const char *lv_name_kind_phrase(lv_name_kind kind)
{
    static const char *const texts[] = {"a parameter", "an input", "a definition",
                                        "a coordinate", "a momentum"};
    return texts[kind];
}

const char *lv_name_kind_text(lv_name_kind kind)
{
    return strchr(lv_name_kind_phrase(kind), ' ') + 1;
}

lv_status lv_names_refuse_reserved(const char *text, lv_place place, lv_error *err)
{
    for (int k = 0; lv_reserved_names[k]; k++)
        if (strcmp(lv_reserved_names[k], text) == 0)
            return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                              "'%s' already has a meaning: %s", text,
                              text[0] == 't'   ? "time"
                              : text[0] == 'p' ? "3.14159..."
                                               : "what bodies are joined to");
    if (lv_function_find(text))
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place),
                          "'%s' is the name of a function", text);
    return LV_OK;
}

lv_status lv_names_add(lv_names *names, const lv_item *item, lv_name_kind kind, int index,
                       lv_error *err)
{
    LV_TRY(lv_names_refuse_reserved(item->name, item->place, err));
    const lv_name *other = lv_names_find(names, item->name, (int)strlen(item->name));
    if (other) {
        int line = 0, column = 0;
        lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                                      "'%s' is already the name of %s", item->name,
                                      lv_name_kind_phrase(other->kind));
        lv_source_position(other->place.source, other->place.offset, &line, &column);
        lv_error_note(err, "declared at %s:%d", other->place.source->name, line);
        return status;
    }
    const lv_name name = {item->name, kind, index, item->place};
    return lv_names_put(names, &name) ? LV_OK : lv_fail_memory(err);
}
