/* A model as written, whoever wrote it: items with names, places and parsed formulas. */
#ifndef LV_MODEL_DECLARATION_H
#define LV_MODEL_DECLARATION_H

#include "base/arena.h"
#include "base/memory.h"
#include "expr/syntax.h"
#include "model/section.h"
#include "toml/toml.h"

/* name = from..to */
typedef struct lv_range {
    const char *name;
    lv_place place;
    lv_formula from, to;
} lv_range;

/* The value of a key: which fields count depends on the key's type. */
typedef struct lv_entry {
    lv_place place;
    bool is_array;
    int count; /* of formulas or ranges */
    const lv_formula *formulas;
    const lv_range *ranges;
    const char *text;
} lv_entry;

/* One parameter, coordinate, constraint, ... */
typedef struct lv_item {
    lv_section_id section;
    const char *name; /* "" for the keys that stand directly in a section */
    lv_place place;
    const lv_entry **entries; /* one per key of the section, NULL where absent */
} lv_item;

typedef struct lv_declarations {
    lv_arena *arena;
    LV_ARRAY(lv_item) items; /* in the order of the text; done() frees the list */
} lv_declarations;

void lv_declarations_done(lv_declarations *declarations);

/* Reads a model file's tree. */
lv_status lv_declarations_read(lv_declarations *declarations, const lv_toml *root,
                               const lv_source *source, lv_error *err);

/* Replaces a parameter's value by a formula text: --set name=value. */
lv_status lv_declarations_set(lv_declarations *declarations, const char *name,
                              const char *value, lv_error *err);

/* The entry of a key by name; the key must exist in the section. */
const lv_entry *lv_item_entry(const lv_item *item, const char *key);

/* "constraint 'link'", "parameter 'm'": for messages. */
const char *lv_item_describe(const lv_item *item, char buffer[160]);

/* Parses "i = 1..N, j = i..M" (range.c). */
enum { LV_RANGES_MOST = 8 };
lv_status lv_ranges_parse(lv_entry *entry, lv_arena *arena, const lv_snippet *text,
                          lv_error *err);

#endif
