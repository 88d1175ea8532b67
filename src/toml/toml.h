/* Reads TOML 1.0 into a tree in which every key and value has its place in the text.
 *
 * All of TOML 1.0 is accepted and nothing beyond it. Where the standard leaves a choice:
 *   - integers are 64-bit, others are an error; floats are doubles and may overflow to inf;
 *   - a line break CR LF inside a multi-line string is read as LF;
 *   - the text is UTF-8 without a byte order mark; a mark is an error that says so;
 *   - years run from 0001 to 9999, seconds to 59, fractions are cut to microseconds.
 *
 * Time is linear in the size of the text. */
#ifndef LV_TOML_TOML_H
#define LV_TOML_TOML_H

#include "base/arena.h"
#include "base/source.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Larger inputs are refused with LV_ERR_LIMIT. */
enum {
    LV_TOML_MOST_BYTES = 64 << 20,
    LV_TOML_MOST_VALUES = 4000000, /* scalars, arrays and tables together */
    LV_TOML_MOST_DEPTH = 100       /* the root is at depth 0, its members at 1, ... */
};

/* X(enumerator, name in messages) */
#define LV_TOML_KIND_LIST(X)                                                             \
    X(LV_TOML_STRING, "string")                                                          \
    X(LV_TOML_INTEGER, "integer")                                                        \
    X(LV_TOML_FLOAT, "float")                                                            \
    X(LV_TOML_BOOLEAN, "boolean")                                                        \
    X(LV_TOML_OFFSET_DATETIME, "offset date-time")                                       \
    X(LV_TOML_LOCAL_DATETIME, "local date-time")                                         \
    X(LV_TOML_LOCAL_DATE, "local date")                                                  \
    X(LV_TOML_LOCAL_TIME, "local time")                                                  \
    X(LV_TOML_ARRAY, "array")                                                            \
    X(LV_TOML_TABLE, "table")

typedef enum lv_toml_kind {
#define LV_X(id, name) id,
    LV_TOML_KIND_LIST(LV_X)
#undef LV_X
} lv_toml_kind;

/* Bytes [offset, offset + length) of the source. */
typedef struct lv_toml_place {
    size_t offset;
    size_t length;
} lv_toml_place;

/* The key of a member of a table; text is NULL for the root and for items of arrays. */
typedef struct lv_toml_key {
    const char *text; /* decoded, NUL-terminated; "\u0000" may put more NULs inside */
    int length;
    lv_toml_place place; /* with its quotes */
} lv_toml_key;

/* Only the fields that the kind of the value names are meaningful. */
typedef struct lv_toml_time {
    int year, month, day;
    int hour, minute, second, microsecond;
    int offset; /* minutes east of UTC, for offset date-times */
} lv_toml_time;

/* How a table or array was created, which decides what may be added later in the text. */
typedef enum lv_toml_origin {
    LV_TOML_IMPLICIT, /* a table named on the way to another: a in [a.b] */
    LV_TOML_HEADER,   /* [a] or [[a]] */
    LV_TOML_DOTTED,   /* a in a.b = 1 */
    LV_TOML_CLOSED    /* written as a value: {...} or [...] */
} lv_toml_origin;

/* A value. Tables and arrays have `count` children in the order of the text:
 *     for (const lv_toml *child = table->first; child; child = child->next) */
typedef struct lv_toml {
    lv_toml_kind kind;
    int depth;
    lv_toml_key key;

    /* The value as written; the header of a table that has one; otherwise, for tables
     * that are only implied, the key that implied them. */
    lv_toml_place place;

    struct lv_toml *next; /* sibling */
    struct lv_toml *first, *last;
    int count;

    union {
        lv_snippet string;
        long long integer;
        double number;
        bool boolean;
        lv_toml_time time;
    };

    /* For the reader and for lookups only. */
    lv_toml_origin origin;
    unsigned hash;
    int slot_count; /* hash table over the members, once there are many */
    struct lv_toml **slots;
} lv_toml;

/* Reads a text. The tree, its texts and its keys live in `arena`. Its strings refer to
 * `source`, which must outlive them. After a failure *root is NULL and the arena contains
 * unused pieces. */
LV_NODISCARD lv_status lv_toml_read(lv_toml **root, lv_arena *arena,
                                    const lv_source *source, lv_error *err);

/* The member of that name; NULL if there is none or `table` is not a table. */
const lv_toml *lv_toml_get(const lv_toml *table, const char *key);

/* "string", "integer", ...; never NULL. */
const char *lv_toml_kind_name(lv_toml_kind kind);

#endif
