/* Dates and times after RFC 3339: YYYY-MM-DD, hh:mm:ss[.ffffff], both joined by T or a
 * space, and those with Z or an offset +hh:mm. */
#include "toml/reader.h"

/* The text that is still to be read, and the description of what was expected where it
 * did not fit. */
typedef struct rest {
    const lv_toml_reader *r;
    size_t at, end;
    const char *expected;
} rest;

static int peek(const rest *s)
{
    return s->at < s->end ? (unsigned char)s->r->text[s->at] : LV_TOML_END;
}

static bool accept_mark(rest *s, char c, const char *expected)
{
    s->expected = expected;
    if (peek(s) != c)
        return false;
    s->at++;
    return true;
}

/* Reads exactly so many digits whose value lies in a range. */
static bool field(rest *s, int *value, int digits, int low, int high,
                  const char *expected)
{
    size_t begin = s->at;
    s->expected = expected;
    *value = 0;
    for (int i = 0; i < digits; i++) {
        if (!lv_toml_is_digit(peek(s)))
            return false;
        *value = 10 * *value + (peek(s) - '0');
        s->at++;
    }
    if (*value < low || *value > high) {
        s->at = begin;
        return false;
    }
    return true;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool date(rest *s, lv_toml_time *t)
{
    if (!field(s, &t->year, 4, 1, 9999, "a year from 0001 to 9999") ||
        !accept_mark(s, '-', "'-' after the year") ||
        !field(s, &t->month, 2, 1, 12, "a month from 01 to 12") ||
        !accept_mark(s, '-', "'-' after the month"))
        return false;
    return field(s, &t->day, 2, 1, days_in_month(t->year, t->month),
                 "a day that this month has, in two digits");
}

/* Digits after the point; those beyond microseconds are cut off. */
static bool fraction(rest *s, lv_toml_time *t)
{
    s->expected = "digits after the point";
    if (!lv_toml_is_digit(peek(s)))
        return false;
    int unit = 100000;
    for (; lv_toml_is_digit(peek(s)); s->at++) {
        t->microsecond += unit * (peek(s) - '0');
        unit /= 10;
    }
    return true;
}

static bool time_of_day(rest *s, lv_toml_time *t)
{
    if (!field(s, &t->hour, 2, 0, 23, "an hour from 00 to 23") ||
        !accept_mark(s, ':', "':' after the hour") ||
        !field(s, &t->minute, 2, 0, 59, "a minute from 00 to 59") ||
        !accept_mark(s, ':', "':' and the seconds") ||
        !field(s, &t->second, 2, 0, 59, "a second from 00 to 59"))
        return false;
    if (peek(s) != '.')
        return true;
    s->at++;
    return fraction(s, t);
}

/* Z or +hh:mm, if there is one. */
static bool offset(rest *s, lv_toml *node)
{
    int sign = peek(s), hours = 0, minutes = 0;
    if (sign == 'Z' || sign == 'z') {
        s->at++;
        node->kind = LV_TOML_OFFSET_DATETIME;
        return true;
    }
    if (sign != '+' && sign != '-')
        return true;
    s->at++;
    if (!field(s, &hours, 2, 0, 23, "an offset of 00 to 23 hours") ||
        !accept_mark(s, ':', "':' and the minutes of the offset") ||
        !field(s, &minutes, 2, 0, 59, "an offset of 00 to 59 minutes"))
        return false;
    node->kind = LV_TOML_OFFSET_DATETIME;
    node->time.offset = (sign == '-' ? -1 : 1) * (60 * hours + minutes);
    return true;
}

static bool datetime(rest *s, lv_toml *node)
{
    if (s->r->text[s->at + 2] == ':') {
        node->kind = LV_TOML_LOCAL_TIME;
        return time_of_day(s, &node->time);
    }
    node->kind = LV_TOML_LOCAL_DATE;
    if (!date(s, &node->time))
        return false;
    int c = peek(s);
    if (c != 'T' && c != 't' && c != ' ')
        return true;
    s->at++;
    node->kind = LV_TOML_LOCAL_DATETIME;
    return time_of_day(s, &node->time) && offset(s, node);
}

/* dddd-d or dd:d; anything else that begins with digits is a number. */
bool lv_toml_at_datetime(const lv_toml_reader *r)
{
    size_t n = 0;
    while (n < 5 && lv_toml_is_digit(lv_toml_byte(r, n)))
        n++;
    int mark_found = lv_toml_byte(r, n);
    return ((n == 4 && mark_found == '-') || (n == 2 && mark_found == ':')) &&
           lv_toml_is_digit(lv_toml_byte(r, n + 1));
}

/* The length of the word here, including a second one that may be the time after a date
 * and a space. */
static size_t value_length(lv_toml_reader *r)
{
    enum { DATE = 10 }; /* YYYY-MM-DD */
    size_t n = lv_toml_word_length(r);
    if (n != DATE || lv_toml_byte(r, n) != ' ' ||
        !lv_toml_is_digit(lv_toml_byte(r, n + 1)))
        return n;
    size_t begin = r->at;
    r->at += n + 1;
    n += 1 + lv_toml_word_length(r);
    r->at = begin;
    return n;
}

lv_status lv_toml_read_datetime(lv_toml_reader *r, lv_toml *node)
{
    size_t length = value_length(r);
    rest s = {.r = r, .at = r->at, .end = r->at + length};
    node->time = (lv_toml_time){0};
    bool ok = datetime(&s, node);
    if (ok && s.at < s.end) {
        s.expected = "the end of the value";
        ok = false;
    }
    if (!ok)
        return LV_TOML_FAIL(r, s.at, s.end - s.at,
                            "'%s' is not a date or time: expected %s",
                            lv_toml_show(r, r->at, length).text, s.expected);
    r->at = s.end;
    return LV_OK;
}
