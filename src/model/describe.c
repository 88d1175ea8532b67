/* The tables of functions, sections and keys, for help and reference pages; groups of coordinates. */
#include <livens/inspect.h>

#include "expr/function.h"
#include "model/model.h"
#include "model/section.h"

bool lv_function_describe(int k, lv_function_info *info)
{
    if (!info || k < 0)
        return false;
    for (int i = 0; i <= k; i++)
        if (!lv_function_table[i].name)
            return false;
    const lv_function *f = &lv_function_table[k];
    *info = (lv_function_info){.name = f->name, .signature = f->signature, .doc = f->doc};
    return true;
}

bool lv_section_describe(int section, lv_section_info *info)
{
    static const char *const shapes[] = {
        [LV_SHAPE_KEYS] = "keys",
        [LV_SHAPE_VALUES] = "NAME = value",
        [LV_SHAPE_VALUES_TABLES] = "NAME = value, or NAME = { keys }",
        [LV_SHAPE_TABLES] = "a table of keys for each NAME",
        [LV_SHAPE_NAMED_TABLES] = "a table of keys for each NAME",
        [LV_SHAPE_KEYS_TABLES] = "keys, or a table of keys for each NAME"};
    const lv_section *s = lv_section_at(section);
    if (!s || !info)
        return false;
    *info = (lv_section_info){.name = s->name,
                              .shape = shapes[s->shape],
                              .doc = s->doc,
                              .example = s->example,
                              .one = s->one,
                              .part = section >= LV_SECTIONS};
    return true;
}

bool lv_key_describe(int section, int key, lv_key_info *info)
{
    const lv_section *s = lv_section_at(section);
    if (!s || !info || key < 0 || key >= lv_section_key_count(s))
        return false;
    const lv_key *k = &s->keys[key];
    *info = (lv_key_info){.name = k->name,
                          .type = lv_key_type_text(k->type),
                          .unit = k->unit,
                          .fallback = k->fallback,
                          .required = k->required,
                          .whole = k->whole,
                          .least = k->least,
                          .most = k->most,
                          .doc = k->doc};
    return true;
}

bool lv_word_describe(int section, int word, lv_word_info *info)
{
    const lv_word *words = section >= LV_SECTIONS && lv_section_at(section)
                               ? lv_part_words(section - LV_SECTIONS)
                               : NULL;
    if (!words || !info || word < 0)
        return false;
    for (int k = 0; k < word && words->key; k++)
        words++;
    if (words->key)
        *info = (lv_word_info){.key = words->key, .name = words->name, .doc = words->doc};
    return words->key != NULL;
}

bool lv_group_describe(const lv_model *model, int k, lv_group_info *info)
{
    if (!model || !info || k < 0 || k >= model->groups.count)
        return false;
    const lv_group *g = &model->groups.data[k];
    *info = (lv_group_info){.name = g->item->name,
                            .length = g->length,
                            .is_family = g->is_family,
                            .count = g->count,
                            .momentum = g->momentum,
                            .is_inner = g->item->is_inner};
    return true;
}
