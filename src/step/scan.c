#include "step/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters and words ---------------------------------------------------------- */

static int line_of(const lv_scanner *s)
{
    int line = 1;
    for (const char *c = s->text; c < s->at && *c; c++)
        line += *c == '\n';
    return line;
}

void lv_scan_fail(lv_scanner *s, const char *what)
{
    if (s->status == LV_OK)
        s->status = lv_fail(s->err, LV_ERR_USAGE, "text of a scheme, line %d: %s",
                            line_of(s), what);
}

void lv_scan_skip(lv_scanner *s)
{
    for (;;) {
        while (*s->at == ' ' || *s->at == '\t')
            s->at++;
        if (*s->at == '\n' && (s->at[1] == ' ' || s->at[1] == '\t'))
            s->at++;
        else
            return;
    }
}

bool lv_scan_take(lv_scanner *s, char c)
{
    lv_scan_skip(s);
    if (*s->at != c)
        return false;
    s->at++;
    return true;
}

void lv_scan_need(lv_scanner *s, char c)
{
    char what[] = "'?' is expected";
    what[1] = c;
    if (!lv_scan_take(s, c))
        lv_scan_fail(s, what);
}

size_t lv_word_length(const char *at)
{
    size_t length = 0;
    if (isalpha((unsigned char)*at))
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
    return length;
}

bool lv_scan_word(lv_scanner *s, const char *word)
{
    lv_scan_skip(s);
    const size_t length = lv_word_length(s->at);
    if (length != strlen(word) || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

void lv_scan_name(lv_scanner *s, char name[LV_NAME_MOST])
{
    lv_scan_skip(s);
    const size_t length = lv_word_length(s->at);
    name[0] = 0;
    if (length == 0 || length >= LV_NAME_MOST) {
        lv_scan_fail(s, "a name is expected");
        return;
    }
    memcpy(name, s->at, length);
    name[length] = 0;
    s->at += length;
}

static double read_number(lv_scanner *s)
{
    /* The texts of schemes have no decimal points: the locale does not matter. */
    char *end = NULL;
    const double value = strtod(s->at, &end);
    s->at = end;
    return value;
}

int lv_scan_integer(lv_scanner *s)
{
    char *end = NULL;
    const long value = strtol(s->at, &end, 10);
    s->at = end;
    return (int)value;
}

/* ---- coefficients and indices ------------------------------------------------------ */

const lv_coefficient *lv_scan_find(const lv_scanner *s, const char *name)
{
    for (const lv_coefficient *c = s->table->coefficients; c && c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

int lv_scan_members(const lv_scanner *s, char letter)
{
    for (const lv_index_set *set = s->table->sets; set && set->letter; set++)
        if (set->letter == letter)
            return set->count;
    return -1;
}

void lv_scan_bind(lv_scanner *s, char letter, int value)
{
    s->bound[(unsigned char)letter % LV_INDEX_LETTERS] = value;
}

int lv_scan_bound(const lv_scanner *s, char letter)
{
    return s->bound[(unsigned char)letter % LV_INDEX_LETTERS];
}

int lv_scan_index(lv_scanner *s)
{
    char name[LV_NAME_MOST];
    int value = 0;
    lv_scan_skip(s);
    if (isdigit((unsigned char)*s->at)) {
        value = lv_scan_integer(s);
    } else {
        lv_scan_name(s, name);
        const lv_coefficient *c = lv_scan_find(s, name);
        if (name[0] && !name[1] && lv_scan_bound(s, name[0]) > 0)
            value = lv_scan_bound(s, name[0]);
        else if (c && c->rows == 0)
            value = (int)c->values[0];
        else
            lv_scan_fail(s, "an index is expected");
    }
    if (lv_scan_take(s, '+'))
        value += lv_scan_integer(s);
    else if (lv_scan_take(s, '-'))
        value -= lv_scan_integer(s);
    return value;
}

double lv_scan_coefficient(lv_scanner *s, const lv_coefficient *c)
{
    int i = 1, j = 1;
    if (c->rows > 0) {
        lv_scan_need(s, '[');
        i = lv_scan_index(s);
        if (c->columns > 0) {
            lv_scan_need(s, ',');
            j = lv_scan_index(s);
        }
        lv_scan_need(s, ']');
    }
    const int rows = c->rows > 0 ? c->rows : 1, columns = c->columns > 0 ? c->columns : 1;
    if (i < 1 || i > rows || j < 1 || j > columns) {
        lv_scan_fail(s, "a coefficient has no such index");
        return 0;
    }
    return c->values[(i - 1) * columns + (j - 1)];
}

double lv_scan_scalar(lv_scanner *s)
{
    char name[LV_NAME_MOST];
    lv_scan_skip(s);
    if (isdigit((unsigned char)*s->at)) {
        double value = read_number(s);
        while (*s->at == '/' && isdigit((unsigned char)s->at[1])) {
            s->at++;
            value /= read_number(s);
        }
        return value;
    }
    if (lv_scan_take(s, '(')) {
        double value = lv_scan_take(s, '-') ? -lv_scan_scalar(s) : lv_scan_scalar(s);
        while (s->status == LV_OK && !lv_scan_take(s, ')')) {
            if (lv_scan_take(s, '+'))
                value += lv_scan_scalar(s);
            else if (lv_scan_take(s, '-'))
                value -= lv_scan_scalar(s);
            else
                lv_scan_fail(s, "')' is expected");
        }
        return value;
    }
    lv_scan_name(s, name);
    const lv_coefficient *c = lv_scan_find(s, name);
    if (!c)
        lv_scan_fail(s, "a coefficient is expected");
    return c && s->status == LV_OK ? lv_scan_coefficient(s, c) : 0;
}
