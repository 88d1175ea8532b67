/* Growing strings, numbers as text independent of the locale, nearest names. */
#ifndef LV_BASE_TEXT_H
#define LV_BASE_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Initialise with zeros. After a failed append `failed` stays set and the text is
 * incomplete; check once at the end. */
typedef struct lv_text {
    char *data; /* NUL-terminated once anything was appended */
    int count;
    int capacity;
    bool failed;
} lv_text;

void lv_text_append(lv_text *text, const char *format, ...) LV_PRINTF(2, 3);
void lv_text_bytes(lv_text *text, const char *bytes, int length);
void lv_text_done(lv_text *text);

/* Parses all of [text, text + length) as a decimal floating-point number with '.',
 * whatever the locale; false if it is not one. Overflow gives an infinity. */
bool lv_number_parse(const char *text, size_t length, double *value);

/* The shortest decimal text that reads back as the same number; "nan", "inf", "-inf". */
enum { LV_NUMBER_SIZE = 40 };
const char *lv_number_format(double value, char buffer[LV_NUMBER_SIZE]);

/* Finds the name nearest to a word: start with the word, offer every candidate, take the
 * result. */
typedef struct lv_nearest {
    const char *word;
    const char *best;
    int distance;
} lv_nearest;

void lv_nearest_start(lv_nearest *nearest, const char *word);
void lv_nearest_offer(lv_nearest *nearest, const char *candidate);

/* The closest candidate if it is close enough to be what the user meant, else NULL. */
const char *lv_nearest_result(const lv_nearest *nearest);

/* Adds the hint "did you mean 'k'?" with the closest candidate, or the hint `otherwise`
 * if none is close. */
void lv_nearest_hint(const lv_nearest *nearest, lv_error *err, const char *otherwise);

/* A list of names for messages, "a, b, c and 5 others", with as many names as fit.
 * Initialise with zeros. */
typedef struct lv_listing {
    char text[240];
    int count, left_out;
} lv_listing;

void lv_listing_add(lv_listing *listing, const char *name);
const char *lv_listing_text(lv_listing *listing);

/* Whether a text is a name: a letter, then letters, digits and underscores. */
bool lv_is_name(const char *text);

#endif
