/* What may be defined where, and how often.
 *
 * A table is defined once: by its header, by dotted keys, or as an inline table. A header
 * may define a table that so far was only implied by longer headers. Dotted keys may add
 * to such a table, and to the tables they made themselves; as no header occurs twice,
 * that is only possible below the same header. Headers may go through every table that is
 * not inline, and through the last item of an array of tables. Inline tables and arrays
 * written as values are complete where they end. */
#include "toml/reader.h"

static lv_status fail_defined(lv_toml_reader *r, const lv_toml *old,
                              const lv_toml_key *key, const char *what, const char *why)
{
    lv_status status = LV_TOML_FAIL(r, key->place.offset, key->place.length, "%s %s %s",
                                    what, lv_toml_show_key(r, key).text, why);
    lv_error_note(r->err, "first defined at line %d",
                  lv_toml_line(r, old->key.place.offset));
    return status;
}

/* Why nothing can be added to a value. */
static const char *closed_reason(const lv_toml *old)
{
    if (old->kind == LV_TOML_TABLE)
        return "is an inline table, which cannot be extended";
    if (old->kind == LV_TOML_ARRAY)
        return "is an array, not a table";
    return "is a value, not a table";
}

lv_status lv_toml_define_value(lv_toml_reader *r, lv_toml **node, lv_toml *table,
                               const lv_toml_key *key)
{
    const lv_toml *old = lv_toml_find(table, key->text, key->length);
    if (old && old->kind == LV_TOML_TABLE && old->origin != LV_TOML_CLOSED)
        return fail_defined(r, old, key, "key", "is a table already");
    if (old)
        return fail_defined(r, old, key, "key", "is defined twice");
    return lv_toml_add(r, node, table, key, LV_TOML_STRING);
}

static lv_status make_table(lv_toml_reader *r, lv_toml **table, lv_toml *parent,
                            const lv_toml_key *key, lv_toml_origin origin)
{
    LV_TRY(lv_toml_add(r, table, parent, key, LV_TOML_TABLE));
    (*table)->origin = origin;
    return LV_OK;
}

lv_status lv_toml_enter_dotted(lv_toml_reader *r, lv_toml **table, const lv_toml_key *key)
{
    lv_toml *old = lv_toml_find(*table, key->text, key->length);
    if (!old)
        return make_table(r, table, *table, key, LV_TOML_DOTTED);
    if (old->kind != LV_TOML_TABLE || old->origin == LV_TOML_CLOSED)
        return fail_defined(r, old, key, "key", closed_reason(old));
    if (old->origin == LV_TOML_HEADER)
        return fail_defined(r, old, key, "table",
                            "has a header of its own; dotted keys cannot add to it");
    old->origin = LV_TOML_DOTTED;
    *table = old;
    return LV_OK;
}

lv_status lv_toml_enter_header(lv_toml_reader *r, lv_toml **table, const lv_toml_key *key)
{
    lv_toml *old = lv_toml_find(*table, key->text, key->length);
    if (!old)
        return make_table(r, table, *table, key, LV_TOML_IMPLICIT);
    bool scalar = old->kind != LV_TOML_TABLE && old->kind != LV_TOML_ARRAY;
    if (scalar || old->origin == LV_TOML_CLOSED)
        return fail_defined(r, old, key, "key", closed_reason(old));
    *table = old->kind == LV_TOML_ARRAY ? old->last : old;
    return LV_OK;
}

lv_status lv_toml_define_table(lv_toml_reader *r, lv_toml **table, lv_toml *parent,
                               const lv_toml_key *key, lv_toml_place header)
{
    lv_toml *old = lv_toml_find(parent, key->text, key->length);
    if (!old) {
        LV_TRY(make_table(r, &old, parent, key, LV_TOML_HEADER));
    } else if (old->kind == LV_TOML_TABLE && old->origin == LV_TOML_IMPLICIT) {
        old->origin = LV_TOML_HEADER;
        old->key.place = key->place;
    } else if (old->kind == LV_TOML_ARRAY && old->origin == LV_TOML_HEADER) {
        lv_status status =
            fail_defined(r, old, key, "key", "is an array of tables, not a table");
        lv_error_hint(r->err, "[[...]] adds one more table to it");
        return status;
    } else if (old->kind == LV_TOML_TABLE) {
        return fail_defined(r, old, key, "table",
                            old->origin == LV_TOML_DOTTED
                                ? "was defined by dotted keys already"
                                : "is defined twice");
    } else {
        return fail_defined(r, old, key, "key", closed_reason(old));
    }
    old->place = header;
    *table = old;
    return LV_OK;
}

lv_status lv_toml_define_item(lv_toml_reader *r, lv_toml **table, lv_toml *parent,
                              const lv_toml_key *key, lv_toml_place header)
{
    lv_toml *array = lv_toml_find(parent, key->text, key->length);
    if (!array) {
        LV_TRY(lv_toml_add(r, &array, parent, key, LV_TOML_ARRAY));
        array->origin = LV_TOML_HEADER;
        array->place = header;
    } else if (array->kind != LV_TOML_ARRAY || array->origin != LV_TOML_HEADER) {
        return fail_defined(
            r, array, key, "key",
            array->kind == LV_TOML_ARRAY
                ? "is an array written as a value, which cannot be extended"
            : array->kind == LV_TOML_TABLE ? "is a table, not an array of tables"
                                           : "is a value, not an array of tables");
    }
    LV_TRY(make_table(r, table, array, NULL, LV_TOML_HEADER));
    (*table)->place = header;
    return LV_OK;
}
