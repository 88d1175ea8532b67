/* The table of sections and keys, and what the library tells about it. */
#include "check.h"

#include <livens/model.h>

#include "base/text.h"
#include "model/section.h"
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

static void every_section_is_documented(void **state)
{
    lv_section_info info;
    (void)state;
    for (int s = 0; s < LV_SECTIONS; s++) {
        assert_true(lv_section_describe(s, &info));
        assert_true(s == 0 || lv_is_name(info.name));
        assert_true(is_sentence(info.doc));
        assert_true(info.shape[0] && info.example[0]);
    }
    assert_false(lv_section_describe(LV_SECTIONS, &info));
    assert_false(lv_section_describe(-1, &info));
}

static void every_key_is_documented(void **state)
{
    lv_key_info info;
    (void)state;
    for (int s = 0; s < LV_SECTIONS; s++) {
        int count = lv_section_key_count(&lv_section_table[s]);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            assert_true(lv_key_describe(s, k, &info));
            assert_true(lv_is_name(info.name) && is_line(info.doc) && info.type[0]);
            assert_true(info.least <= info.most);
            assert_int_equal(lv_section_key(&lv_section_table[s], info.name), k);
            assert_false(info.required && info.fallback);
        }
        assert_false(lv_key_describe(s, count, &info));
        assert_false(lv_key_describe(s, -1, &info));
        assert_int_equal(lv_section_key(&lv_section_table[s], "nonsense"), -1);
    }
    assert_false(lv_key_describe(LV_SECTIONS, 0, &info));
    assert_false(lv_key_describe(-1, 0, &info));
}

/* Sections whose items are values have the one key `value`. */
static void shapes_fit_their_keys(void **state)
{
    (void)state;
    for (int s = 0; s < LV_SECTIONS; s++) {
        const lv_section *section = &lv_section_table[s];
        if (section->shape == LV_SHAPE_VALUES || section->shape == LV_SHAPE_VALUES_TABLES)
            assert_string_equal(section->keys[0].name, "value");
        if (section->shape == LV_SHAPE_VALUES)
            assert_int_equal(lv_section_key_count(section), 1);
    }
}

/* Examples stand below their section's header, unless they bring their own. */
static void examples_are_toml(void **state)
{
    (void)state;
    for (int s = 0; s < LV_SECTIONS; s++) {
        const lv_section *section = &lv_section_table[s];
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
        RUN(every_section_is_documented),  RUN(every_key_is_documented),
        RUN(shapes_fit_their_keys),        RUN(examples_are_toml),
        RUN(every_function_is_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
