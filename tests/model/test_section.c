/* The table of sections and keys, and what the library tells about it. */
#include "check.h"

#include <livens/model.h>

#include "base/text.h"
#include "model/part.h"
#include "toml/toml.h"

#include <string.h>

static bool is_sentence(const char *text)
{
    size_t n = text ? strlen(text) : 0;
    return n > 8 && text[n - 1] == '.';
}

/* One line that ends without a stop. */
static bool is_line(const char *text)
{
    size_t n = text ? strlen(text) : 0;
    return n > 8 && text[n - 1] != '.' && !strchr(text, '\n');
}

/* A name, or that of a table inside another section: "sweep.set". */
static bool is_section_name(const char *text)
{
    char outer[80];
    const char *dot = strchr(text, '.');
    if (!dot)
        return lv_is_name(text);
    assert_true((size_t)(dot - text) < sizeof outer);
    memcpy(outer, text, (size_t)(dot - text));
    outer[dot - text] = '\0';
    return lv_section_find("", outer) >= 0 && lv_is_name(dot + 1) &&
           lv_section_find(outer, dot + 1) >= 0;
}

/* The built-in sections and those of the parts. */
static int section_count(void)
{
    int count = 0;
    while (lv_section_at(count))
        count++;
    return count;
}

static void sections_of_parts_come_last(void **state)
{
    (void)state;
    assert_true(section_count() > LV_SECTIONS);
    for (int s = 0; s < LV_SECTIONS; s++)
        assert_ptr_equal(lv_section_at(s), &lv_section_table[s]);
    for (int s = LV_SECTIONS; s < section_count(); s++)
        assert_ptr_equal(lv_section_at(s), &lv_part_table[s - LV_SECTIONS]->section);
    assert_null(lv_section_at(-1));
}

/* Names of sections are unique, and each knows what one of its items is called. */
static void sections_have_names_of_their_own(void **state)
{
    (void)state;
    for (int s = 0; lv_section_at(s); s++) {
        assert_true(lv_is_name(lv_section_at(s)->one));
        for (int k = 0; k < s; k++)
            assert_string_not_equal(lv_section_at(s)->name, lv_section_at(k)->name);
    }
}

static void every_section_is_documented(void **state)
{
    lv_section_info info;
    (void)state;
    for (int s = 0; lv_section_at(s); s++) {
        assert_true(lv_section_describe(s, &info));
        assert_true(s == 0 || is_section_name(info.name));
        assert_true(is_sentence(info.doc));
        assert_true(info.shape[0] && info.example[0]);
        assert_string_equal(info.one, lv_section_at(s)->one);
        assert_int_equal(info.part, s >= LV_SECTIONS);
    }
    assert_false(lv_section_describe(section_count(), &info));
    assert_false(lv_section_describe(-1, &info));
}

/* Words belong to a key of their section, whose line names them. */
static void every_word_is_documented(void **state)
{
    lv_word_info word;
    int count = 0;
    (void)state;
    for (int s = 0; lv_section_at(s); s++)
        for (int w = 0; lv_word_describe(s, w, &word); w++, count++) {
            const int key = lv_section_key(lv_section_at(s), word.key);
            assert_true(key >= 0);
            assert_true(lv_is_name(word.name) && is_sentence(word.doc));
            assert_non_null(strstr(lv_section_at(s)->keys[key].doc, word.name));
        }
    assert_in_range(count, 18, 100); /* types of joints, shapes, forms of springs */
}

static void every_key_is_documented(void **state)
{
    lv_key_info info;
    (void)state;
    for (int s = 0; lv_section_at(s); s++) {
        int count = lv_section_key_count(lv_section_at(s));
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            assert_true(lv_key_describe(s, k, &info));
            assert_true(lv_is_name(info.name) && is_line(info.doc) && info.type[0]);
            assert_true(info.least <= info.most);
            assert_int_equal(lv_section_key(lv_section_at(s), info.name), k);
            assert_false(info.required && info.fallback);
        }
        assert_false(lv_key_describe(s, count, &info));
        assert_false(lv_key_describe(s, -1, &info));
        assert_int_equal(lv_section_key(lv_section_at(s), "nonsense"), -1);
    }
    assert_false(lv_key_describe(section_count(), 0, &info));
    assert_false(lv_key_describe(-1, 0, &info));
}

/* Sections whose items are values have the one key `value`; where these may be tables, a value is the first key. */
static void shapes_fit_their_keys(void **state)
{
    (void)state;
    for (int s = 0; lv_section_at(s); s++) {
        const lv_section *section = lv_section_at(s);
        if (section->shape == LV_SHAPE_VALUES)
            assert_string_equal(section->keys[0].name, "value");
        if (section->shape == LV_SHAPE_VALUES)
            assert_int_equal(lv_section_key_count(section), 1);
        if (section->shape == LV_SHAPE_VALUES_TABLES)
            assert_true(section->keys[0].type == LV_KEY_VALUE ||
                        section->keys[0].type == LV_KEY_POINTS);
    }
}

/* Examples stand below their section's header, unless they bring their own. */
static void examples_are_toml(void **state)
{
    (void)state;
    for (int s = 0; lv_section_at(s); s++) {
        const lv_section *section = lv_section_at(s);
        lv_text text = {0};
        lv_arena arena = {0};
        lv_toml *root = NULL;
        lv_error err;
        if (section->name[0])
            lv_text_append(&text, "[%s]\n", section->name);
        lv_text_append(&text, "%s\n", section->example);
        lv_source source = {"example", text.data, (size_t)text.count};
        if (lv_toml_read(&root, &arena, &source, &err) != LV_OK)
            fail_msg("[%s]: %s", section->name, err.text);
        lv_arena_done(&arena);
        lv_text_done(&text);
    }
}

static void every_function_is_documented(void **state)
{
    lv_function_info info;
    int count = 0;
    (void)state;
    for (; lv_function_describe(count, &info); count++) {
        assert_true(lv_is_name(info.name) && info.doc[0]);
        assert_int_equal(strncmp(info.signature, info.name, strlen(info.name)), 0);
        assert_int_equal(info.signature[strlen(info.name)], '(');
    }
    assert_true(count > 20);
    assert_false(lv_function_describe(count + 5, &info));
    assert_false(lv_function_describe(-1, &info));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sections_of_parts_come_last), RUN(sections_have_names_of_their_own),
        RUN(every_section_is_documented), RUN(every_key_is_documented),
        RUN(every_word_is_documented),    RUN(shapes_fit_their_keys),
        RUN(examples_are_toml),           RUN(every_function_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
