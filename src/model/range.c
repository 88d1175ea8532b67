/* Index ranges: "i = 1..N, j = i+1..N". */
#include "base/text.h"
#include "model/declaration.h"

#include <string.h>

static bool is_blank(char c)
{
    return c && strchr(" \t\n\r", c);
}

/* Bytes [from, to) of a snippet as a snippet of its own, without surrounding blanks. */
static lv_snippet *cut_snippet(lv_arena *arena, const lv_snippet *whole, int from, int to)
{
    while (from < to && is_blank(whole->text[from]))
        from++;
    while (to > from && is_blank(whole->text[to - 1]))
        to--;
    lv_snippet *part = lv_arena_alloc(arena, 1, sizeof *part);
    char *text = lv_arena_text(arena, whole->text + from, (size_t)(to - from));
    if (!part || !text)
        return NULL;
    *part = (lv_snippet){text, to - from, whole->source, lv_snippet_offset(whole, from),
                         whole->offsets ? whole->offsets + from : NULL};
    return part;
}

static lv_status fail_range(lv_error *err, const lv_snippet *part, const char *text)
{
    lv_status status =
        lv_fail_at(err, LV_ERR_SYNTAX, part->source, lv_snippet_offset(part, 0),
                   part->length > 0 ? (size_t)part->length : 1, "%s", text);
    lv_error_hint(err, "a range is written \"i = 1..N\"");
    return status;
}

static lv_status parse_end(lv_formula *formula, lv_arena *arena, const lv_snippet *whole,
                           int from, int to, lv_error *err)
{
    const lv_snippet *part = cut_snippet(arena, whole, from, to);
    if (!part)
        return lv_fail_memory(err);
    if (part->length == 0)
        return fail_range(err, whole, "this range lacks its first or last index");
    return lv_formula_parse(formula, arena, part, err);
}

static lv_status parse_range(lv_range *range, lv_arena *arena, const lv_snippet *part,
                             lv_error *err)
{
    const char *equals = strchr(part->text, '=');
    const char *dots = strstr(part->text, "..");
    if (!equals || !dots || dots < equals)
        return fail_range(err, part, "this is not an index range");
    if (dots[2] == '.' || strstr(dots + 2, ".."))
        return fail_range(err, part, "a range has one '..' between its two ends");
    int at = (int)(equals - part->text), middle = (int)(dots - part->text);

    const lv_snippet *name = cut_snippet(arena, part, 0, at);
    if (!name)
        return lv_fail_memory(err);
    if (!lv_is_name(name->text))
        return fail_range(err, part, "the index of a range needs a name");
    range->name = name->text;
    range->place =
        (lv_place){name->source, lv_snippet_offset(name, 0), (size_t)name->length};
    LV_TRY(parse_end(&range->from, arena, part, at + 1, middle, err));
    return parse_end(&range->to, arena, part, middle + 2, part->length, err);
}

/* Position of the next comma outside of all brackets, or the end. */
static int next_comma(const lv_snippet *text, int from)
{
    int depth = 0, i = from;
    for (; i < text->length; i++) {
        char c = text->text[i];
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        if (c == ',' && depth <= 0)
            break;
    }
    return i;
}

lv_status lv_ranges_parse(lv_entry *entry, lv_arena *arena, const lv_snippet *text,
                          lv_error *err)
{
    lv_range *ranges = lv_arena_alloc(arena, LV_RANGES_MOST, sizeof *ranges);
    if (!ranges)
        return lv_fail_memory(err);
    entry->ranges = ranges;
    for (int from = 0, to = 0; from <= text->length; from = to + 1) {
        to = next_comma(text, from);
        const lv_snippet *part = cut_snippet(arena, text, from, to);
        if (!part)
            return lv_fail_memory(err);
        if (entry->count == LV_RANGES_MOST)
            return lv_fail_at(err, LV_ERR_LIMIT, part->source, lv_snippet_offset(part, 0),
                              (size_t)part->length, "a family has at most %d indices",
                              LV_RANGES_MOST);
        LV_TRY(parse_range(&ranges[entry->count], arena, part, err));
        entry->count++;
    }
    return LV_OK;
}
