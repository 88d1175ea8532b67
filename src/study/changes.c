#include "study/changes.h"

#include "base/text.h"

#include <string.h>

static const char until_start[] = "start"; /* the run consists of its start only */

const char *lv_changes_write(const lv_run_changes *c, lv_arena *arena)
{
    char value[LV_NUMBER_SIZE];
    lv_option_info info;
    lv_text text = {0};
    lv_text_append(&text, "scheme=%s", c->scheme ? c->scheme : "");
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (lv_scheme_option_given(&c->options, (lv_option)k))
            lv_text_append(&text, " %s=%s", info.name,
                           lv_number_format(c->options.value[k], value));
    lv_text_append(&text, " step=%s", lv_number_format(c->step, value));
    lv_text_append(&text, " until=%s",
                   c->ends && c->until == 0 ? until_start
                                            : lv_number_format(c->until, value));
    lv_text_append(&text, " initial=%d", c->initial ? (int)*c->initial : -1);
    const char *copy =
        text.failed ? NULL : lv_arena_text(arena, text.data, (size_t)text.count);
    lv_text_done(&text);
    return copy;
}

/* Reads one word NAME=VALUE other than the scheme. */
static bool read_word(lv_run_changes *c, lv_initial *initial, const char *name,
                      const char *value)
{
    lv_option_info info;
    double number = 0;
    c->ends = c->ends || (strcmp(name, "until") == 0 && strcmp(value, "0") != 0);
    if (strcmp(name, "until") == 0 && strcmp(value, until_start) == 0)
        return true;
    if (!lv_number_parse(value, strlen(value), &number))
        return false;
    if (strcmp(name, "step") == 0)
        c->step = number;
    else if (strcmp(name, "until") == 0)
        c->until = number;
    else if (strcmp(name, "initial") == 0 && number == -1)
        c->initial = NULL;
    else if (strcmp(name, "initial") == 0 &&
             (number == LV_INITIAL_CHECK || number == LV_INITIAL_PROJECT)) {
        *initial = (lv_initial)number;
        c->initial = initial;
    } else {
        int k = 0;
        while (lv_option_describe(k, &info) && strcmp(info.name, name) != 0)
            k++;
        if (!lv_option_describe(k, &info))
            return false;
        lv_scheme_option_set(&c->options, (lv_option)k, number);
    }
    return true;
}

lv_status lv_changes_read(lv_run_changes *c, lv_initial *initial, const char *text,
                          lv_arena *arena, lv_error *err)
{
    *c = (lv_run_changes){0};
    char *word = lv_arena_text(arena, text, strlen(text));
    if (!word)
        return lv_fail_memory(err);
    while (*word) {
        char *next = word + strcspn(word, " ");
        if (*next)
            *next++ = '\0';
        char *equals = strchr(word, '=');
        if (!equals)
            return lv_fail(err, LV_ERR_IO, "the options '%s' are not those of a sweep",
                           text);
        *equals = '\0';
        const char *value = equals + 1;
        if (strcmp(word, "scheme") == 0)
            c->scheme = *value ? value : NULL;
        else if (!read_word(c, initial, word, value))
            return lv_fail(err, LV_ERR_IO, "the option '%s' of a sweep cannot be '%s'",
                           word, value);
        word = next;
    }
    return LV_OK;
}
