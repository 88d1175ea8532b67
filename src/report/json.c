#include "report/json.h"

#include <math.h>
#include <string.h>

static void separate(lv_json *j)
{
    if (j->follows)
        lv_text_append(&j->text, ",");
    j->follows = true;
}

void lv_json_open(lv_json *j, char bracket)
{
    separate(j);
    lv_text_append(&j->text, "%c", bracket);
    j->follows = false;
}

void lv_json_close(lv_json *j, char bracket)
{
    lv_text_append(&j->text, "%c", bracket);
    j->follows = true;
}

/* The number of bytes of the character at `at`; 0: it is not valid UTF-8. */
static int character_size(const unsigned char *at)
{
    const int size = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (at[0] < 0x80)
        return 1;
    if (at[0] < 0xc2 || at[0] > 0xf4)
        return 0;
    for (int k = 1; k < size; k++)
        if ((at[k] & 0xc0) != 0x80)
            return 0;
    const bool is_overlong =
        (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
    const bool is_beyond =
        (at[0] == 0xed && at[1] >= 0xa0) || (at[0] == 0xf4 && at[1] >= 0x90);
    return is_overlong || is_beyond ? 0 : size;
}

static void put_string(lv_json *j, const char *string)
{
    const unsigned char *at = (const unsigned char *)string;
    lv_text_append(&j->text, "\"");
    while (*at) {
        const int size = character_size(at);
        if (size == 0)
            lv_text_append(&j->text, "\\ufffd");
        else if (*at == '"' || *at == '\\')
            lv_text_append(&j->text, "\\%c", *at);
        else if (*at < 0x20 || *at == '<' || *at == 0x7f)
            lv_text_append(&j->text, "\\u%04x", *at);
        else
            lv_text_bytes(&j->text, (const char *)at, size);
        at += size > 0 ? size : 1;
    }
    lv_text_append(&j->text, "\"");
}

void lv_json_key(lv_json *j, const char *key)
{
    separate(j);
    put_string(j, key);
    lv_text_append(&j->text, ":");
    j->follows = false;
}

void lv_json_text(lv_json *j, const char *text)
{
    separate(j);
    if (text)
        put_string(j, text);
    else
        lv_text_append(&j->text, "null");
}

void lv_json_number(lv_json *j, double value)
{
    char buffer[LV_NUMBER_SIZE];
    separate(j);
    lv_text_append(&j->text, "%s",
                   isfinite(value) ? lv_number_format(value, buffer) : "null");
}

void lv_json_flag(lv_json *j, bool value)
{
    separate(j);
    lv_text_append(&j->text, value ? "true" : "false");
}

/* '<' can only be inside of strings, where it is escaped. */
void lv_json_raw(lv_json *j, const char *text, size_t size)
{
    separate(j);
    for (size_t from = 0; from < size;) {
        const char *found = memchr(text + from, '<', size - from);
        const size_t to = found ? (size_t)(found - text) : size;
        lv_text_bytes(&j->text, text + from, (int)(to - from));
        if (found)
            lv_text_append(&j->text, "\\u003c");
        from = found ? to + 1 : to;
    }
}

void lv_json_put_text(lv_json *j, const char *key, const char *text)
{
    lv_json_key(j, key);
    lv_json_text(j, text);
}

void lv_json_put_number(lv_json *j, const char *key, double value)
{
    lv_json_key(j, key);
    lv_json_number(j, value);
}

void lv_json_put_flag(lv_json *j, const char *key, bool value)
{
    lv_json_key(j, key);
    lv_json_flag(j, value);
}
