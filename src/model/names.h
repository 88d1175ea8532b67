/* The names that formulas of a model may use: what each one means and where it was
 * declared. */
#ifndef LV_MODEL_NAMES_H
#define LV_MODEL_NAMES_H

#include "model/declaration.h"

typedef enum lv_name_kind {
    LV_NAME_PARAMETER,
    LV_NAME_INPUT,
    LV_NAME_DEFINITION,
    LV_NAME_COORDINATE,
    LV_NAME_MOMENTUM
} lv_name_kind;

typedef struct lv_name {
    const char *text;
    lv_name_kind kind;
    /* index of the parameter, input, definition or group of coordinates; a momentum has
     * the index of its coordinates */
    int index;
    lv_place place;
} lv_name;

typedef struct lv_names {
    LV_ARRAY(lv_name) list;
    int *table; /* hash table with open addressing over the list; -1 is empty */
    int table_size;
} lv_names;

void lv_names_done(lv_names *names);

/* Fails if the name is reserved (t, pi) or the name of a function. */
lv_status lv_names_refuse_reserved(const char *text, lv_place place, lv_error *err);

/* Fails if the name is taken, reserved, or the name of a function. */
lv_status lv_names_add(lv_names *names, const lv_item *item, lv_name_kind kind, int index,
                       lv_error *err);

/* Adds a name that is not in the list yet, without checks; false if there is no
 * memory. */
bool lv_names_put(lv_names *names, const lv_name *name);

const lv_name *lv_names_find(const lv_names *names, const char *text, int length);

/* Finds "base.member", base being text[0..length), or the base alone if member is
 * NULL. */
const lv_name *lv_names_find_member(const lv_names *names, const char *text, int length,
                                    const char *member);

/* Writes the name of a member of a family: "q_7", "link_2_3", "rod_7.e1" of the family
 * "rod.e1". Returns what snprintf returns. */
int lv_member_text(char *buffer, size_t size, const char *family, const double *indices,
                   int count);

/* The name of a kind: "parameter", "input", "definition", "coordinate", "momentum"; with
 * its article: "a parameter", "an input" */
const char *lv_name_kind_text(lv_name_kind kind);
const char *lv_name_kind_phrase(lv_name_kind kind);

#endif
