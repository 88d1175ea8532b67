/* Which symmetries are found in a model. */
#ifndef LV_TESTS_SYMMETRIES_H
#define LV_TESTS_SYMMETRIES_H

#include "../model/reading.h"

#include "system/symmetries.h"

#define PLANE "[coordinates]\nx = 1\ny = 2\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"

/* The names of the found symmetries, one after the other, with blanks between. */
static inline void found_in(const lv_model *m, char *names, size_t size)
{
    lv_error err;
    lv_arena arena = {0};
    lv_symmetries found;
    if (lv_symmetries_find(&found, &arena, m, false, &err) != LV_OK)
        fail_with(&err);
    names[0] = '\0';
    for (int k = 0; k < found.count; k++)
        snprintf(names + strlen(names), size - strlen(names), "%s%s", k > 0 ? " " : "",
                 found.list[k].name);
    lv_arena_done(&arena);
}

static inline void expect(lv_model *m, const char *what, const char *expected)
{
    char names[400];
    found_in(m, names, sizeof names);
    if (strcmp(names, expected) != 0)
        fail_msg("%s: found '%s', expected '%s'", what, names, expected);
    lv_model_free(m);
}

static inline void expect_text(const char *text, const char *expected)
{
    expect(read_text(text), text, expected);
}

#endif
