#include "model/declaration.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void lv_declarations_done(lv_declarations *d)
{
    LV_ARRAY_FREE(d->items);
    LV_ARRAY_FREE(d->checks);
    LV_ARRAY_FREE(d->shown);
    LV_ARRAY_FREE(d->pictures);
}

lv_status lv_item_init(lv_item *item, lv_arena *arena, int section, const char *name,
                       lv_place place, lv_error *err)
{
    size_t keys = (size_t)lv_section_key_count(lv_section_at(section));
    *item = (lv_item){.section = section, .name = name, .place = place};
    item->entries = lv_arena_alloc(arena, keys, sizeof *item->entries);
    return item->entries ? LV_OK : lv_fail_memory(err);
}

const lv_entry *lv_item_entry(const lv_item *item, const char *key)
{
    int k = lv_section_key(lv_section_at(item->section), key);
    return k < 0 ? NULL : item->entries[k];
}

/* Makes a vector of the components of an array. */
static lv_syntax *vector_root(const lv_entry *entry, lv_arena *arena)
{
    size_t count = (size_t)entry->count;
    lv_syntax *root = lv_arena_alloc(arena, 1, sizeof *root);
    lv_syntax *parts = lv_arena_alloc(arena, count, sizeof *parts);
    if (!root || !parts)
        return NULL;
    *root = (lv_syntax){.kind = LV_SYNTAX_VECTOR,
                        .length = (int)entry->place.length,
                        .count = entry->count,
                        .first = parts};
    for (size_t k = 0; k < count; k++)
        parts[k] = (lv_syntax){.kind = LV_SYNTAX_FORMULA,
                               .length = root->length,
                               .formula = &entry->formulas[k],
                               .next = k + 1 < count ? &parts[k + 1] : NULL};
    return root;
}

lv_status lv_entry_formula(lv_formula *formula, const lv_entry *entry, lv_arena *arena,
                           lv_error *err)
{
    const lv_place *place = &entry->place;
    *formula = entry->formulas[0];
    if (!entry->is_array)
        return LV_OK;
    lv_snippet *snippet = lv_arena_alloc(arena, 1, sizeof *snippet);
    const char *text =
        lv_arena_text(arena, place->source->text + place->offset, place->length);
    const lv_syntax *root = vector_root(entry, arena);
    if (!snippet || !text || !root)
        return lv_fail_memory(err);
    *snippet = (lv_snippet){text, (int)place->length, place->source, place->offset, NULL};
    *formula = (lv_formula){snippet, root};
    return LV_OK;
}

const char *lv_item_section(const lv_item *item)
{
    return lv_section_at(item->origin ? item->origin->section : item->section)->name;
}

const char *lv_item_describe(const lv_item *item, char buffer[160])
{
    const lv_item *shown = item->origin ? item->origin : item;
    const lv_section *section = lv_section_at(shown->section);
    if (shown->name[0] == '\0')
        snprintf(buffer, 160, "[%s]", section->name);
    else
        snprintf(buffer, 160, "%s '%.100s'", section->one, shown->name);
    return buffer;
}

/* ---- values of keys ------------------------------------------------------------------ */

typedef struct reader {
    lv_declarations *declarations;
    const lv_source *source;
    lv_error *err;
} reader;

static lv_place place_of(const reader *r, const lv_toml *value)
{
    return (lv_place){r->source, value->place.offset, value->place.length};
}

static lv_place key_place(const reader *r, const lv_toml *value)
{
    return (lv_place){r->source, value->key.place.offset, value->key.place.length};
}

/* The name of a kind of value with its article: "an integer", "a string". */
static const char *with_article(const lv_toml *value, char buffer[40])
{
    const char *name = lv_toml_kind_name(value->kind);
    snprintf(buffer, 40, "%s %s", strchr("aio", name[0]) ? "an" : "a", name);
    return buffer;
}

static lv_status wrong_type(const reader *r, const lv_toml *value, const char *key,
                            lv_key_type type)
{
    char found[40];
    lv_status status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(place_of(r, value)),
                                  "'%s' needs %s, found %s", key, lv_key_type_text(type),
                                  with_article(value, found));
    return status;
}

/* A number as a formula. */
static lv_status number_formula(const reader *r, lv_formula *formula,
                                const lv_toml *value, double number)
{
    lv_arena *arena = r->declarations->arena;
    lv_place place = place_of(r, value);
    if (!isfinite(number))
        return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(place),
                          "this is not a finite number");
    lv_snippet *snippet = lv_arena_alloc(arena, 1, sizeof *snippet);
    lv_syntax *root = lv_arena_alloc(arena, 1, sizeof *root);
    if (!snippet || !root)
        return lv_fail_memory(r->err);
    const char *text = lv_arena_text(arena, r->source->text + place.offset, place.length);
    if (!text)
        return lv_fail_memory(r->err);
    *snippet = (lv_snippet){text, (int)place.length, r->source, place.offset, NULL};
    *root = (lv_syntax){
        .kind = LV_SYNTAX_NUMBER, .length = (int)place.length, .number = number};
    *formula = (lv_formula){snippet, root};
    return LV_OK;
}

static lv_status read_formula(const reader *r, lv_formula *formula, const lv_toml *value,
                              const char *key, lv_key_type type)
{
    bool number = type != LV_KEY_NAMES && type != LV_KEY_ALONG;
    if (number && value->kind == LV_TOML_INTEGER)
        return number_formula(r, formula, value, (double)value->integer);
    if (number && value->kind == LV_TOML_FLOAT)
        return number_formula(r, formula, value, value->number);
    if (value->kind == LV_TOML_STRING)
        return lv_formula_parse(formula, r->declarations->arena, &value->string, r->err);
    return wrong_type(r, value, key, type);
}

static lv_status read_formulas(const reader *r, lv_entry *entry, const lv_toml *value,
                               const char *key, lv_key_type type);

/* Reads an end point: a formula, or an array of formulas as one vector. */
static lv_status read_end(const reader *r, lv_formula *formula, const lv_toml *value,
                          const char *key)
{
    lv_entry entry = {.place = place_of(r, value)};
    if (value->kind != LV_TOML_ARRAY)
        return read_formula(r, formula, value, key, LV_KEY_ENDS);
    LV_TRY(read_formulas(r, &entry, value, key, LV_KEY_VALUE));
    return lv_entry_formula(formula, &entry, r->declarations->arena, r->err);
}

static lv_status read_ends(const reader *r, lv_formula *formulas, const lv_toml *value,
                           const char *key)
{
    if (value->kind != LV_TOML_ARRAY)
        return wrong_type(r, value, key, LV_KEY_ENDS);
    if (value->count != 2)
        return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(place_of(r, value)),
                          "'%s' needs two ends, this array has %d", key, value->count);
    LV_TRY(read_end(r, &formulas[0], value->first, key));
    return read_end(r, &formulas[1], value->last, key);
}

static lv_status read_points(const reader *r, lv_formula *formulas, const lv_toml *value,
                             const char *key)
{
    if (value->kind != LV_TOML_ARRAY)
        return wrong_type(r, value, key, LV_KEY_POINTS);
    if (value->count < 2)
        return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(place_of(r, value)),
                          "'%s' needs at least two points, this array has %d", key,
                          value->count);
    for (const lv_toml *part = value->first; part; part = part->next)
        LV_TRY(read_end(r, formulas++, part, key));
    return LV_OK;
}

static lv_status read_formulas(const reader *r, lv_entry *entry, const lv_toml *value,
                               const char *key, lv_key_type type)
{
    entry->is_array = value->kind == LV_TOML_ARRAY && type != LV_KEY_FORMULA;
    entry->count = entry->is_array ? value->count : 1;
    if (entry->count == 0)
        return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(entry->place),
                          "this array is empty");
    lv_formula *formulas =
        lv_arena_alloc(r->declarations->arena, (size_t)entry->count, sizeof *formulas);
    if (!formulas)
        return lv_fail_memory(r->err);
    entry->formulas = formulas;
    if (type == LV_KEY_ENDS)
        return read_ends(r, formulas, value, key);
    if (type == LV_KEY_POINTS)
        return read_points(r, formulas, value, key);
    if (!entry->is_array)
        return read_formula(r, formulas, value, key, type);
    int k = 0;
    entry->is_nested = type == LV_KEY_VECTORS && value->first->kind == LV_TOML_ARRAY;
    for (const lv_toml *part = value->first; part; part = part->next)
        LV_TRY(entry->is_nested ? read_end(r, &formulas[k++], part, key)
                                : read_formula(r, &formulas[k++], part, key, type));
    return LV_OK;
}

/* { sphere = 0.5 }: one word with its value. */
static lv_status read_variant(const reader *r, lv_entry *entry, const lv_toml *value,
                              const char *key)
{
    if (value->kind != LV_TOML_TABLE || value->count != 1)
        return wrong_type(r, value, key, LV_KEY_VARIANT);
    entry->text = value->first->key.text;
    return read_formulas(r, entry, value->first, entry->text, LV_KEY_VALUE);
}

static lv_status read_entry(const reader *r, const lv_entry **result,
                            const lv_toml *value, const char *key, lv_key_type type)
{
    lv_entry *entry = lv_arena_alloc(r->declarations->arena, 1, sizeof *entry);
    if (!entry)
        return lv_fail_memory(r->err);
    entry->place = place_of(r, value);
    *result = entry;
    if (type == LV_KEY_FLAG) {
        entry->is_true = value->kind == LV_TOML_BOOLEAN && value->boolean;
        return value->kind == LV_TOML_BOOLEAN ? LV_OK : wrong_type(r, value, key, type);
    }
    if (type == LV_KEY_VARIANT)
        return read_variant(r, entry, value, key);
    if (type != LV_KEY_TEXT && type != LV_KEY_RANGES)
        return read_formulas(r, entry, value, key, type);
    if (value->kind != LV_TOML_STRING)
        return wrong_type(r, value, key, type);
    entry->text = value->string.text;
    return type == LV_KEY_TEXT
               ? LV_OK
               : lv_ranges_parse(entry, r->declarations->arena, &value->string, r->err);
}

/* ---- items ---------------------------------------------------------------------------- */

static lv_status add_item(const reader *r, lv_item item)
{
    const lv_section *section = lv_section_at(item.section);
    for (int k = 0; section->keys[k].name; k++) {
        char buffer[160];
        if (!section->keys[k].required || item.entries[k])
            continue;
        lv_status status =
            lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(item.place), "%s lacks the key '%s'",
                       lv_item_describe(&item, buffer), section->keys[k].name);
        lv_error_hint(r->err, "%s: %s", section->keys[k].name, section->keys[k].doc);
        return status;
    }
    return LV_PUSH(r->declarations->items, item) ? LV_OK : lv_fail_memory(r->err);
}

/* The name of a section that has this key, to suggest it; NULL: none. In [view] nothing
 * is suggested, since its keys also occur in parts, which are not meant. */
static const char *section_with_key(const char *key, const lv_section *here)
{
    const lv_section *section = NULL;
    for (int s = 0; strncmp(here->name, "view.", 5) != 0 && (section = lv_section_at(s));
         s++)
        if (section->shape != LV_SHAPE_VALUES && lv_section_key(section, key) >= 0)
            return section->name;
    return NULL;
}

/* "for, holonomic, nonholonomic" */
static const char *key_list(const lv_section *section, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (const lv_key *key = section->keys; key->name; key++) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", key->name);
    }
    return buffer;
}

/* Offers the names of tables inside a section: "set" of [sweep.set]. */
static void offer_inner(lv_nearest *nearest, const lv_section *section)
{
    const size_t length = strlen(section->name);
    const lv_section *inner = NULL;
    for (int s = 0; length > 0 && (inner = lv_section_at(s)); s++)
        if (strncmp(inner->name, section->name, length) == 0 &&
            inner->name[length] == '.')
            lv_nearest_offer(nearest, inner->name + length + 1);
}

static lv_status unknown_key(const reader *r, const lv_toml *value,
                             const lv_section *section)
{
    lv_nearest nearest;
    char list[300];
    lv_nearest_start(&nearest, value->key.text);
    for (const lv_key *key = section->keys; key->name; key++)
        lv_nearest_offer(&nearest, key->name);
    offer_inner(&nearest, section);
    lv_status status =
        lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(key_place(r, value)),
                   section->name[0] ? "unknown key '%s' in [%s]" : "unknown key '%s'%s",
                   value->key.text, section->name);
    const char *best = lv_nearest_result(&nearest),
               *home = section_with_key(value->key.text, section);
    if (best)
        lv_error_hint(r->err, "did you mean '%s'?", best);
    else if (section == lv_section_at(LV_SECTION_SWEEP))
        lv_error_hint(r->err, "known here: %s; parameters stand in [sweep.set]",
                      key_list(section, list, sizeof list));
    else if (section == lv_section_at(LV_SECTION_VIEW))
        lv_error_hint(r->err,
                      "known here: %s; what is drawn stands in [view.points], "
                      "[view.lines], [view.frames] and [view.surfaces]",
                      key_list(section, list, sizeof list));
    else if (home && home[0])
        lv_error_hint(r->err, "'%s' is a key of [%s]", value->key.text, home);
    else
        lv_error_hint(r->err, "known here: %s", key_list(section, list, sizeof list));
    return status;
}

/* Reads one key = value of an item. */
static lv_status read_key(const reader *r, lv_item *item, const lv_toml *value)
{
    const lv_section *section = lv_section_at(item->section);
    int k = lv_section_key(section, value->key.text);
    if (k < 0)
        return unknown_key(r, value, section);
    return read_entry(r, &item->entries[k], value, section->keys[k].name,
                      section->keys[k].type);
}

/* Reads an item that is written as a table of keys. */
static lv_status read_table_item(const reader *r, int id, const lv_toml *table)
{
    lv_item item;
    LV_TRY(lv_item_init(&item, r->declarations->arena, id, table->key.text,
                        key_place(r, table), r->err));
    for (const lv_toml *member = table->first; member; member = member->next)
        LV_TRY(read_key(r, &item, member));
    return add_item(r, item);
}

/* Reads an item that is written as name = value. */
static lv_status read_value_item(const reader *r, int id, const lv_toml *value)
{
    lv_item item;
    LV_TRY(lv_item_init(&item, r->declarations->arena, id, value->key.text,
                        key_place(r, value), r->err));
    const lv_key *key = lv_section_at(id)->keys;
    LV_TRY(read_entry(r, &item.entries[0], value, value->key.text, key->type));
    return add_item(r, item);
}

/* Names of terms may contain dashes; names that formulas use may not. */
static lv_status check_name(const reader *r, const lv_toml *member, bool in_formulas)
{
    char plain[200];
    snprintf(plain, sizeof plain, "%s", member->key.text);
    for (char *c = plain; *c && !in_formulas; c++)
        if (*c == '-')
            *c = '_';
    if (lv_is_name(plain) && strlen(member->key.text) == (size_t)member->key.length &&
        member->key.length < 100)
        return LV_OK;
    lv_status status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(key_place(r, member)),
                                  "'%s' cannot be a name", member->key.text);
    lv_error_hint(r->err,
                  "a name begins with a letter and goes on with letters, digits%s, at "
                  "most 99 in all",
                  in_formulas ? " and _" : ", _ and -");
    return status;
}

static lv_status want_table(const reader *r, const lv_toml *member,
                            const lv_section *section)
{
    if (member->kind == LV_TOML_TABLE)
        return LV_OK;
    char found[40];
    lv_status status = LV_OK;
    if (lv_section_key(section, member->key.text) >= 0) {
        status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(key_place(r, member)),
                            "'%s' stands directly in [%s]; it belongs to a named item",
                            member->key.text, section->name);
        lv_error_hint(r->err, "give it a name: [%s.first]", section->name);
    } else {
        status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(place_of(r, member)),
                            "expected a table [%s.%s], found %s", section->name,
                            member->key.text, with_article(member, found));
        char list[300];
        lv_error_hint(r->err, "its keys are %s", key_list(section, list, sizeof list));
    }
    return status;
}

static lv_status read_member(const reader *r, int id, const lv_toml *member)
{
    const lv_section *section = lv_section_at(id);
    bool is_table = member->kind == LV_TOML_TABLE;
    switch (section->shape) {
    case LV_SHAPE_VALUES:
        LV_TRY(check_name(r, member, true));
        return read_value_item(r, id, member);
    case LV_SHAPE_VALUES_TABLES:
        LV_TRY(check_name(r, member, true));
        return is_table ? read_table_item(r, id, member) : read_value_item(r, id, member);
    case LV_SHAPE_TABLES:
    case LV_SHAPE_NAMED_TABLES:
    case LV_SHAPE_KEYS_TABLES:
        LV_TRY(want_table(r, member, section));
        LV_TRY(check_name(r, member, section->shape == LV_SHAPE_NAMED_TABLES));
        return read_table_item(r, id, member);
    case LV_SHAPE_KEYS:
        break;
    }
    return LV_OK;
}

/* Reads the keys directly in the section as one item without a name. */
static lv_status read_direct_keys(const reader *r, int id, const lv_toml *table)
{
    const lv_section *section = lv_section_at(id);
    lv_item item;
    bool any = section->shape == LV_SHAPE_KEYS;
    LV_TRY(
        lv_item_init(&item, r->declarations->arena, id, "", place_of(r, table), r->err));
    for (const lv_toml *member = table->first; member; member = member->next) {
        if (lv_section_find(section->name, member->key.text) >= 0)
            continue;
        bool known = lv_section_key(section, member->key.text) >= 0;
        if (section->shape == LV_SHAPE_KEYS_TABLES && !known &&
            member->kind == LV_TOML_TABLE)
            continue;
        if (section->shape == LV_SHAPE_KEYS_TABLES && member->kind == LV_TOML_TABLE)
            return lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(key_place(r, member)),
                              "'%s' is a key of [%s]; a term needs another name",
                              member->key.text, section->name);
        LV_TRY(read_key(r, &item, member));
        any = true;
    }
    return any ? add_item(r, item) : LV_OK;
}

static lv_status read_section(const reader *r, int id, const lv_toml *table);

/* Reads tables inside a section that are sections themselves: [sweep.set]. */
static lv_status read_inner_sections(const reader *r, const lv_section *section,
                                     const lv_toml *table)
{
    for (const lv_toml *member = table->first; member; member = member->next) {
        int inner = lv_section_find(section->name, member->key.text);
        if (inner >= 0)
            LV_TRY(read_section(r, inner, member));
    }
    return LV_OK;
}

static lv_status read_section(const reader *r, int id, const lv_toml *table)
{
    const lv_section *section = lv_section_at(id);
    char found[40];
    if (table->kind != LV_TOML_TABLE) {
        lv_status status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(place_of(r, table)),
                                      "'%s' is a section, [%s]; found %s", section->name,
                                      section->name, with_article(table, found));
        if (section->shape == LV_SHAPE_TABLES ||
            section->shape == LV_SHAPE_NAMED_TABLES ||
            section->shape == LV_SHAPE_KEYS_TABLES)
            lv_error_hint(r->err, "its items have names: [%s.first]", section->name);
        return status;
    }
    bool keys = section->shape == LV_SHAPE_KEYS || section->shape == LV_SHAPE_KEYS_TABLES;
    if (keys)
        LV_TRY(read_direct_keys(r, id, table));
    if (section->shape == LV_SHAPE_KEYS)
        return read_inner_sections(r, section, table);
    for (const lv_toml *member = table->first; member; member = member->next)
        if (!keys || lv_section_key(section, member->key.text) < 0)
            LV_TRY(read_member(r, id, member));
    return LV_OK;
}

static lv_status unknown_section(const reader *r, const lv_toml *member)
{
    lv_nearest nearest;
    char list[300] = "";
    lv_nearest_start(&nearest, member->key.text);
    for (int s = 1; lv_section_at(s); s++) {
        size_t used = strlen(list);
        if (strchr(lv_section_at(s)->name, '.'))
            continue;
        lv_nearest_offer(&nearest, lv_section_at(s)->name);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                 lv_section_at(s)->name);
    }
    lv_status status = lv_fail_at(r->err, LV_ERR_MODEL, LV_AT(key_place(r, member)),
                                  "unknown section [%s]", member->key.text);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(r->err, "did you mean [%s]?", best);
    else
        lv_error_hint(r->err, "known: %s", list);
    return status;
}

static lv_status read_top(const reader *r, lv_item *top, const lv_toml *member)
{
    int section = lv_section_find("", member->key.text);
    if (section >= 0)
        return read_section(r, section, member);
    if (member->kind == LV_TOML_TABLE)
        return unknown_section(r, member);
    return read_key(r, top, member);
}

lv_status lv_declarations_read(lv_declarations *d, const lv_toml *root,
                               const lv_source *source, lv_error *err)
{
    const reader r = {d, source, err};
    lv_item top;
    LV_TRY(lv_item_init(&top, d->arena, LV_SECTION_MODEL, "", (lv_place){source, 0, 0},
                        err));
    for (const lv_toml *member = root->first; member; member = member->next)
        LV_TRY(read_top(&r, &top, member));
    return add_item(&r, top);
}
