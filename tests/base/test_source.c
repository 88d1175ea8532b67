/* Places in texts: lines, columns in characters, the origin of decoded bytes. */
#include "base/source.h"
#include "check.h"

#include <string.h>

static void assert_position(const char *text, size_t offset, int line, int column)
{
    lv_source source = {.name = "x", .text = text, .size = strlen(text)};
    int l = 0, c = 0;
    lv_source_position(&source, offset, &l, &c);
    assert_int_equal(l, line);
    assert_int_equal(c, column);
}

static void positions_count_from_one(void **state)
{
    (void)state;
    assert_position("", 0, 1, 1);
    assert_position("abc", 0, 1, 1);
    assert_position("abc", 2, 1, 3);
    assert_position("abc", 3, 1, 4);
}

static void a_newline_belongs_to_the_line_it_ends(void **state)
{
    (void)state;
    assert_position("ab\ncd\n", 2, 1, 3);
    assert_position("ab\ncd\n", 3, 2, 1);
    assert_position("ab\ncd\n", 6, 3, 1);
    assert_position("\n\n\n", 2, 3, 1);
    assert_position("a\r\nb", 3, 2, 1);
}

static void columns_count_characters(void **state)
{
    (void)state;
    assert_position("äb", 2, 1, 2);
    assert_position("→b", 3, 1, 2);
    assert_position("𝄞b", 4, 1, 2);
    assert_position("ä→𝄞\nä→𝄞x", 19, 2, 4);
}

static void an_offset_beyond_the_text_is_its_end(void **state)
{
    (void)state;
    assert_position("ab\nc", 400, 2, 2);
}

static void a_plain_snippet_stands_where_it_starts(void **state)
{
    (void)state;
    lv_source source = {.name = "x", .text = "k = 'abc'", .size = 9};
    lv_snippet snippet = {.text = "abc", .length = 3, .source = &source, .start = 5};
    assert_int_equal(lv_snippet_offset(&snippet, 0), 5);
    assert_int_equal(lv_snippet_offset(&snippet, 2), 7);
    assert_int_equal(lv_snippet_offset(&snippet, 3), 8);
}

static void a_decoded_snippet_knows_where_each_byte_came_from(void **state)
{
    (void)state;
    /* k = "a\tb\u00e4c" decodes to a, tab, b, two bytes of 'ä', c. */
    const char *text = "k = \"a\\tb\\u00e4c\"";
    const size_t offsets[] = {5, 6, 8, 9, 9, 15, 16};
    lv_source source = {.name = "x", .text = text, .size = strlen(text)};
    lv_snippet snippet = {
        .text = "a\tbäc", .length = 6, .source = &source, .start = 5, .offsets = offsets};
    assert_int_equal(text[lv_snippet_offset(&snippet, 2)], 'b');
    assert_int_equal(text[lv_snippet_offset(&snippet, 4)], '\\');
    assert_int_equal(text[lv_snippet_offset(&snippet, 5)], 'c');
    assert_int_equal(text[lv_snippet_offset(&snippet, 6)], '"');
}

static void a_place_outside_a_snippet_is_its_nearest_end(void **state)
{
    (void)state;
    lv_snippet snippet = {.text = "abc", .length = 3, .start = 5};
    assert_int_equal(lv_snippet_offset(&snippet, -1), 5);
    assert_int_equal(lv_snippet_offset(&snippet, 100), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(positions_count_from_one),
        RUN(a_newline_belongs_to_the_line_it_ends),
        RUN(columns_count_characters),
        RUN(an_offset_beyond_the_text_is_its_end),
        RUN(a_plain_snippet_stands_where_it_starts),
        RUN(a_decoded_snippet_knows_where_each_byte_came_from),
        RUN(a_place_outside_a_snippet_is_its_nearest_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
