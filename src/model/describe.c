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
    *info = (lv_function_info){f->name, f->signature, f->doc};
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
    *info = (lv_section_info){s->name,    shapes[s->shape], s->doc,
                              s->example, s->one,           section >= LV_SECTIONS};
    return true;
}

bool lv_key_describe(int section, int key, lv_key_info *info)
{
    const lv_section *s = lv_section_at(section);
    if (!s || !info || key < 0 || key >= lv_section_key_count(s))
        return false;
    const lv_key *k = &s->keys[key];
    *info = (lv_key_info){k->name,     lv_key_type_text(k->type),
                          k->unit,     k->fallback,
                          k->required, k->whole,
                          k->least,    k->most,
                          k->doc};
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
        *info = (lv_word_info){words->key, words->name, words->doc};
    return words->key != NULL;
}

bool lv_group_describe(const lv_model *model, int k, lv_group_info *info)
{
    if (!model || !info || k < 0 || k >= model->groups.count)
        return false;
    const lv_group *g = &model->groups.data[k];
    *info = (lv_group_info){g->item->name, g->length,   g->is_family,
                            g->count,      g->momentum, g->item->is_inner};
    return true;
}
