#include "expr/elaboration.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int lv_value_count(const lv_value *value)
{
    return value->length == 0 ? 1 : value->length;
}

const char *lv_value_describe(const lv_value *value, char buffer[48])
{
    if (value->length == 0)
        return "a scalar";
    snprintf(buffer, 48, "a vector of length %d", value->length);
    return buffer;
}

lv_node *lv_value_room(lv_elaboration *e, lv_value *value, int length, lv_error *err)
{
    size_t count = length == 0 ? 1 : (size_t)length;
    lv_node *items = lv_arena_alloc(e->arena, count, sizeof *items);
    if (!items)
        lv_fail_memory(err);
    *value = (lv_value){length, items};
    return items;
}

lv_status lv_elaborate_fail(lv_elaboration *e, const lv_syntax *part, lv_error *err,
                            const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return lv_formula_fail(err, LV_ERR_MODEL, e->snippet, part, "%s", text);
}

const lv_summed *lv_summed_find(const lv_elaboration *e, const char *name)
{
    const lv_summed *summed = e->summed;
    while (summed && strcmp(summed->name, name) != 0)
        summed = summed->outer;
    return summed;
}
