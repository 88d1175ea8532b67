#include "study/messages.h"

#include <string.h>

static const char failed = 'f', warned = 'w';

static void add_message(lv_messages *m, int member, char kind, const char *text)
{
    lv_text_append(&m->text, "%d %c %zu\n%s\n", member, kind, strlen(text), text);
    m->count++;
}

void lv_messages_add(lv_messages *m, int member, const char *failure,
                     const char *const *warnings, int count)
{
    if (failure)
        add_message(m, member, failed, failure);
    for (int k = 0; k < count; k++)
        add_message(m, member, warned, warnings[k]);
}

const char *lv_messages_write(const lv_messages *m, lv_text *whole)
{
    lv_text_append(whole, "%d\n", m->count);
    if (m->count > 0)
        lv_text_bytes(whole, m->text.data, m->text.count);
    return m->text.failed || whole->failed ? NULL : whole->data;
}

void lv_messages_done(lv_messages *m)
{
    lv_text_done(&m->text);
}

/* Reads a whole number that is not negative, and the character that ends it. */
static const char *read_count(const char *at, char last, size_t *value)
{
    const char *begin = at;
    *value = 0;
    for (; *at >= '0' && *at <= '9' && at - begin < 12; at++)
        *value = *value * 10 + (size_t)(*at - '0');
    return at > begin && *at == last ? at + 1 : NULL;
}

/* Returns the text after the message; NULL: there is no message. `end` may be NULL if the
 * text was checked before. */
static const char *read_message(const char *at, const char *end, lv_message *m)
{
    size_t member = 0;
    at = read_count(at, ' ', &member);
    if (!at || (*at != failed && *at != warned) || at[1] != ' ')
        return NULL;
    m->member = (int)member;
    m->failure = *at == failed;
    at = read_count(at + 2, '\n', &m->length);
    if (!at || (end && m->length >= (size_t)(end - at)) || at[m->length] != '\n')
        return NULL;
    m->text = at;
    return at + m->length + 1;
}

lv_status lv_messages_index(const char **places, int members, const char *text,
                            const char *path, lv_error *err)
{
    const char *end = text + strlen(text);
    size_t count = 0;
    const char *at = read_count(text, '\n', &count);
    lv_message m;
    for (size_t k = 0; at && k < count; k++) {
        const char *begin = at;
        at = read_message(at, end, &m);
        if (at && (m.member < 0 || m.member >= members))
            at = NULL;
        if (at && !places[m.member])
            places[m.member] = begin;
    }
    return at == end ? LV_OK
                     : lv_fail(err, LV_ERR_IO, "'%s' is damaged: its messages", path);
}

bool lv_messages_next(const char **place, int member, lv_message *m)
{
    const char *next = *place ? read_message(*place, NULL, m) : NULL;
    if (!next || m->member != member)
        return false;
    *place = next;
    return true;
}
