/* What the source files of the TOML reader share; not for use outside this directory and
 * its tests.
 *
 * The reader walks once over the text: r->at is the next byte. Errors go to r->err. */
#ifndef LV_TOML_READER_H
#define LV_TOML_READER_H

#include "toml/toml.h"

typedef struct lv_toml_limits {
    size_t bytes;
    int values;
    int depth; /* at most LV_TOML_MOST_DEPTH */
} lv_toml_limits;

typedef struct lv_toml_reader {
    const lv_source *source;
    const char *text;
    size_t size;
    size_t at;

    lv_arena *arena;
    lv_error *err;
    lv_toml_limits limits;
    int values; /* nodes made so far */

    lv_toml *root;
    lv_toml *table; /* the table that key = value lines are added to */

    /* Arrays and inline tables that are not closed yet, the innermost last. */
    lv_toml *open[LV_TOML_MOST_DEPTH + 1];
    int open_count;
} lv_toml_reader;

#define LV_TOML_FAIL(r, offset, length, ...)                                             \
    lv_fail_at((r)->err, LV_ERR_SYNTAX, (r)->source, (offset), (length), __VA_ARGS__)

/* lv_toml_read with limits given by the caller. */
LV_NODISCARD lv_status lv_toml_read_within(lv_toml **root, lv_arena *arena,
                                           const lv_source *source,
                                           const lv_toml_limits *limits, lv_error *err);

/* scan.c: characters, blanks, comments */

enum { LV_TOML_END = -1 };

/* The byte `ahead` bytes from here, or LV_TOML_END. */
int lv_toml_byte(const lv_toml_reader *r, size_t ahead);

/* Bytes of the line break at this place: 1 (LF), 2 (CR LF), or 0 if there is none. */
size_t lv_toml_newline(const lv_toml_reader *r);

bool lv_toml_is_digit(int c);
bool lv_toml_is_letter(int c);
bool lv_toml_is_bare(int c);    /* may stand in a key without quotes */
bool lv_toml_is_control(int c); /* is refused in strings and comments; a tab is not */

void lv_toml_skip_blanks(lv_toml_reader *r);
LV_NODISCARD lv_status lv_toml_skip_comment(lv_toml_reader *r); /* if there is one */
LV_NODISCARD lv_status lv_toml_skip_lines(lv_toml_reader *r);
LV_NODISCARD lv_status lv_toml_check_utf8(const lv_toml_reader *r);

/* Texts for messages; .text of a returned value is valid until the end of the calling
 * statement. */
typedef struct lv_toml_shown {
    char text[64];
} lv_toml_shown;

/* The source text at a place, cut if it is long. */
lv_toml_shown lv_toml_show(const lv_toml_reader *r, size_t offset, size_t length);

/* A key as written, in quotes if it has none. */
lv_toml_shown lv_toml_show_key(const lv_toml_reader *r, const lv_toml_key *key);

/* Describes the next character: "'x'", "the end of the line", "control character
 * 0x07". */
lv_toml_shown lv_toml_found(const lv_toml_reader *r);

int lv_toml_line(const lv_toml_reader *r, size_t offset);

/* string.c */

/* Reads a string in any of the four notations, from its opening to its closing quotes. */
LV_NODISCARD lv_status lv_toml_read_string(lv_toml_reader *r, lv_snippet *string);

/* Does the same where only one-line strings are allowed. */
LV_NODISCARD lv_status lv_toml_read_line_string(lv_toml_reader *r, lv_snippet *string);

/* number.c, datetime.c, value.c */

/* The number of characters from here on that may belong to a number, date or word. */
size_t lv_toml_word_length(const lv_toml_reader *r);

LV_NODISCARD lv_status lv_toml_read_number(lv_toml_reader *r, lv_toml *node);
bool lv_toml_at_datetime(const lv_toml_reader *r);
LV_NODISCARD lv_status lv_toml_read_datetime(lv_toml_reader *r, lv_toml *node);
LV_NODISCARD lv_status lv_toml_read_scalar(lv_toml_reader *r, lv_toml *node);

/* Fails because of text without quotes that begins at `offset`. */
lv_status lv_toml_fail_unquoted(lv_toml_reader *r, size_t offset);

/* tree.c */

/* The member of a table; NULL if there is none. */
lv_toml *lv_toml_find(const lv_toml *table, const char *key, int length);

/* Appends a child to a table, or, with key == NULL, to an array. The caller made sure
 * that the key is new. */
LV_NODISCARD lv_status lv_toml_add(lv_toml_reader *r, lv_toml **node, lv_toml *parent,
                                   const lv_toml_key *key, lv_toml_kind kind);

/* define.c: what may be defined where, and how often */

/* Adds the new member `key = ...` to a table. */
LV_NODISCARD lv_status lv_toml_define_value(lv_toml_reader *r, lv_toml **node,
                                            lv_toml *table, const lv_toml_key *key);

/* Goes from a table to its member `key` on the path of a dotted key: key.x = ... */
LV_NODISCARD lv_status lv_toml_enter_dotted(lv_toml_reader *r, lv_toml **table,
                                            const lv_toml_key *key);

/* Goes from a table to its member `key` on the path of a header: [key.x] */
LV_NODISCARD lv_status lv_toml_enter_header(lv_toml_reader *r, lv_toml **table,
                                            const lv_toml_key *key);

/* Defines the table of the header [key] or [[key]], key being the last part of its
 * path. */
LV_NODISCARD lv_status lv_toml_define_table(lv_toml_reader *r, lv_toml **table,
                                            lv_toml *parent, const lv_toml_key *key,
                                            lv_toml_place header);
LV_NODISCARD lv_status lv_toml_define_item(lv_toml_reader *r, lv_toml **table,
                                           lv_toml *parent, const lv_toml_key *key,
                                           lv_toml_place header);

#endif
