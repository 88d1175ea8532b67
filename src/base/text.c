#include "base/text.h"

#include "base/memory.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lv_text_bytes(lv_text *text, const char *bytes, int length)
{
    if (text->failed || length < 0 || length == INT_MAX ||
        !LV_RESERVE(*text, length + 1)) {
        text->failed = true;
        return;
    }
    if (length > 0)
        memcpy(text->data + text->count, bytes, (size_t)length);
    text->count += length;
    text->data[text->count] = '\0';
}

void lv_text_append(lv_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (text->failed || n < 0 || n == INT_MAX || !LV_RESERVE(*text, n + 1)) {
        text->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(text->data + text->count, (size_t)n + 1, format, args);
    va_end(args);
    text->count += n;
}

void lv_text_done(lv_text *text)
{
    LV_ARRAY_FREE(*text);
    text->failed = false;
}

/* strtod reads the decimal point of the current locale. */
static const char *decimal_point(void)
{
    const struct lconv *conventions = localeconv();
    const char *point = conventions ? conventions->decimal_point : NULL;
    return point && point[0] ? point : ".";
}

static bool looks_like_number(const char *text, size_t length)
{
    size_t i = 0, digits = 0;
    if (i < length && (text[i] == '+' || text[i] == '-'))
        i++;
    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        digits++;
    if (i < length && text[i] == '.')
        for (i++; i < length && text[i] >= '0' && text[i] <= '9'; i++)
            digits++;
    if (digits == 0)
        return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        if (i < length && (text[i] == '+' || text[i] == '-'))
            i++;
        size_t exponent = i;
        while (i < length && text[i] >= '0' && text[i] <= '9')
            i++;
        if (i == exponent)
            return false;
    }
    return i == length;
}

bool lv_number_parse(const char *text, size_t length, double *value)
{
    char small[128], *buffer = small;
    const char *point = decimal_point();
    const size_t point_length = strlen(point);
    if (!looks_like_number(text, length))
        return false;
    if (length + point_length + 1 > sizeof small) {
        buffer = lv_memory_resize(NULL, length + point_length + 1);
        if (!buffer)
            return false;
    }

    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') {
            memcpy(buffer + n, point, point_length);
            n += point_length;
        } else {
            buffer[n++] = text[i];
        }
    }
    buffer[n] = '\0';
    *value = strtod(buffer, NULL);
    if (buffer != small)
        lv_memory_free(buffer);
    return true;
}

const char *lv_number_format(double value, char buffer[LV_NUMBER_SIZE])
{
    if (isnan(value))
        return memcpy(buffer, "nan", sizeof "nan");
    if (isinf(value))
        return value > 0 ? memcpy(buffer, "inf", sizeof "inf")
                         : memcpy(buffer, "-inf", sizeof "-inf");

    /* "%.15g" drops trailing zeros, so shorter texts need not be tried; only subnormal
     * numbers may need fewer digits. */
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
        snprintf(buffer, LV_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }

    const char *point = decimal_point();
    char *at = strcmp(point, ".") ? strstr(buffer, point) : NULL;
    if (at) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
    }
    return buffer;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The number of edits (insert, delete, replace, swap of neighbours) that turn a into b,
 * times two: a change between capital and small letter counts as half an edit. Longer
 * names are not compared. */
enum { LONGEST = 63 };

static int edit_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST || nb > LONGEST)
        return 1000;

    int rows[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = 2 * (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = 2 * (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int replace = a[i - 1] == b[j - 1]                 ? 0
                          : lower(a[i - 1]) == lower(b[j - 1]) ? 1
                                                               : 2;
            int best = above[j - 1] + replace;
            if (above[j] + 2 < best)
                best = above[j] + 2;
            if (row[j - 1] + 2 < best)
                best = row[j - 1] + 2;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two_above[j - 2] + 2 < best)
                best = two_above[j - 2] + 2;
            row[j] = best;
        }
    }
    return rows[na % 3][nb];
}

void lv_nearest_start(lv_nearest *nearest, const char *word)
{
    *nearest = (lv_nearest){.word = word};
}

void lv_nearest_offer(lv_nearest *nearest, const char *candidate)
{
    int distance = edit_distance(nearest->word, candidate);
    if (!nearest->best || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

const char *lv_nearest_result(const lv_nearest *nearest)
{
    /* One edit per three letters, but at least one, is tolerated. */
    int length = (int)strlen(nearest->word);
    int allowed = length <= 3 ? 2 : 2 * (length / 3);
    if (length <= 1)
        allowed = 1;
    return nearest->best && nearest->distance <= allowed ? nearest->best : NULL;
}

void lv_nearest_hint(const lv_nearest *nearest, lv_error *err, const char *otherwise)
{
    const char *best = lv_nearest_result(nearest);
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else
        lv_error_hint(err, "%s", otherwise);
}

void lv_listing_add(lv_listing *listing, const char *name)
{
    const size_t used = strlen(listing->text);
    if (used + strlen(name) + 24 > sizeof listing->text) {
        listing->left_out++;
        return;
    }
    snprintf(listing->text + used, sizeof listing->text - used, "%s%s", used ? ", " : "",
             name);
    listing->count++;
}

const char *lv_listing_text(lv_listing *listing)
{
    const size_t used = strlen(listing->text);
    if (listing->left_out > 0)
        snprintf(listing->text + used, sizeof listing->text - used, " and %d other%s",
                 listing->left_out, listing->left_out == 1 ? "" : "s");
    return listing->text;
}

bool lv_is_name(const char *text)
{
    if (!((lower(text[0]) >= 'a' && lower(text[0]) <= 'z')))
        return false;
    for (const char *c = text; *c; c++)
        if (!(lower(*c) >= 'a' && lower(*c) <= 'z') && !(*c >= '0' && *c <= '9') &&
            *c != '_')
            return false;
    return true;
}
