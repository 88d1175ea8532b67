/* The scanner of the step language (step/read.h): characters, words, numbers, indices and
 * coefficients.
 *
 * The first mistake sets `status` and fills the error with the line; later ones are
 * ignored. Callers may go on after a mistake and look at `status` where it matters.
 * Functions that read skip blanks first, except for lv_scan_integer. */
#ifndef LV_STEP_SCAN_H
#define LV_STEP_SCAN_H

#include "base/status.h"
#include "step/table.h"

enum { LV_NAME_MOST = 32, LV_INDEX_LETTERS = 128 };

typedef struct lv_scanner {
    const lv_step_table *table;
    const char *text, *at;
    int bound[LV_INDEX_LETTERS]; /* value of each index letter; 0: the letter is free */
    lv_error *err;
    lv_status status;
} lv_scanner;

void lv_scan_fail(lv_scanner *s, const char *what);

/* Skips blanks and the end of a line that the next line continues. */
void lv_scan_skip(lv_scanner *s);

/* Reads the character or the word if it comes next; returns whether it did. */
bool lv_scan_take(lv_scanner *s, char c);
bool lv_scan_word(lv_scanner *s, const char *word);

/* Reads the character; it is a mistake if another one comes next. */
void lv_scan_need(lv_scanner *s, char c);

/* Reads a name. After a mistake the name is empty. */
void lv_scan_name(lv_scanner *s, char name[LV_NAME_MOST]);

/* The length of the word that begins here; 0: there is none. */
size_t lv_word_length(const char *at);

/* Reads an integer: in "2..s", the 2. */
int lv_scan_integer(lv_scanner *s);

/* The coefficient of this name; NULL: there is none. */
const lv_coefficient *lv_scan_find(const lv_scanner *s, const char *name);

/* The number of members that an index letter runs over; -1: the letter is no index. */
int lv_scan_members(const lv_scanner *s, char letter);

/* Sets and gets the value of an index letter while a family is written out; 0: the letter
 * is free. */
void lv_scan_bind(lv_scanner *s, char letter, int value);
int lv_scan_bound(const lv_scanner *s, char letter);

/* Reads an index: a number, a bound letter or a named number; then, optionally, + or - an
 * integer. */
int lv_scan_index(lv_scanner *s);

/* Reads the indices of a coefficient and returns its value. */
double lv_scan_coefficient(lv_scanner *s, const lv_coefficient *c);

/* Reads a scalar: a number or a quotient of numbers, a coefficient, or a sum of scalars
 * in parentheses. */
double lv_scan_scalar(lv_scanner *s);

#endif
