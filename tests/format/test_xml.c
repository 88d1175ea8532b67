/* XML: what documents become, and where their mistakes are. */
#include "format/xml.h"

#include "deny.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static lv_arena arena;
static lv_source source;

static lv_status read_text(lv_xml **root, const char *text, lv_error *err)
{
    source = (lv_source){"x.xml", text, strlen(text)};
    lv_error_clear(err);
    return lv_xml_read(root, &arena, &source, err);
}

static const lv_xml *read_good(const char *text)
{
    lv_xml *root = NULL;
    lv_error err;
    if (read_text(&root, text, &err) != LV_OK)
        fail_msg("%s: %d:%d: %s", text, err.line, err.column, err.text);
    return root;
}

static int clean(void **state)
{
    (void)state;
    lv_arena_done(&arena);
    return 0;
}

static void elements_have_children_in_their_order(void **state)
{
    (void)state;
    const lv_xml *root = read_good(
        "\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 'a.dtd'>\n"
        "<a><b k='1'/>text &amp;<!-- <c/> --><b/><![CDATA[<d>]]><c\n></c ></a>\n");
    assert_string_equal(root->name, "a");
    const lv_xml *b = lv_xml_child(root, "b");
    assert_non_null(b);
    assert_string_equal(lv_xml_find(b, "k")->value, "1");
    assert_null(lv_xml_find(b, "l"));
    const lv_xml *again = lv_xml_again(b);
    assert_non_null(again);
    assert_null(lv_xml_again(again));
    assert_ptr_equal(again->next, lv_xml_child(root, "c"));
    assert_null(again->next->next);
    assert_null(lv_xml_child(root, "d"));
    assert_int_equal(b->depth, 1);
    assert_ptr_equal(b->parent, root);
}

static void values_are_decoded(void **state)
{
    (void)state;
    static const struct {
        const char *written, *value;
    } cases[] = {{"<a v='&lt;&gt;&amp;&quot;&apos;'/>", "<>&\"'"},
                 {"<a v=\"it's\"/>", "it's"},
                 {"<a v='&#65;&#x42;&#xe9;&#x20ac;&#x1f600;'/>",
                  "AB\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
                 {"<a v='1\t2\n3'/>", "1 2 3"},
                 {"<a v=''/>", ""},
                 {"<a v  =  '>'/>", ">"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(lv_xml_find(read_good(cases[k].written), "v")->value,
                            cases[k].value);
}

static void places_are_those_of_names_and_values(void **state)
{
    (void)state;
    const lv_xml *root = read_good("<a>\n  <bc de = 'f'/></a>");
    const lv_xml_attribute *a = lv_xml_find(root->first, "de");
    assert_int_equal(root->first->place.offset, 7);
    assert_int_equal(root->first->place.length, 2);
    assert_int_equal(a->name_place.offset, 10);
    assert_int_equal(a->place.offset, 15);
    assert_int_equal(a->place.length, 3);
}

static void mistakes_have_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } cases[] = {{"", 1, 1, "empty"},
                 {"  \n", 1, 1, "empty"},
                 {"x<a/>", 1, 1, "expected an element"},
                 {"<a/>\nx", 2, 1, "expected an element"},
                 {"<a/><b/>", 1, 6, "one outermost element"},
                 {"<a>\n<b>\n</a>", 3, 3, "</b> is expected"},
                 {"</a>", 1, 3, "closes nothing"},
                 {"<a>", 1, 2, "not closed"},
                 {"<a", 1, 3, "end of the file"},
                 {"< a/>", 1, 2, "name of an element"},
                 {"<a b/>", 1, 5, "'='"},
                 {"<a b=c/>", 1, 6, "in quotes"},
                 {"<a b='c", 1, 6, "does not end"},
                 {"<a b='<'/>", 1, 7, "end of the value"},
                 {"<a b='1'c='2'/>", 1, 9, "a blank"},
                 {"<a b='1' b='2'/>", 1, 10, "twice"},
                 {"<a b='&x;'/>", 1, 7, "unknown entity"},
                 {"<a b='& '/>", 1, 7, "without a ';'"},
                 {"<a b='&amp'/>", 1, 7, "without a ';'"},
                 {"<a b='&#0;'/>", 1, 7, "no character"},
                 {"<a b='&#xd800;'/>", 1, 7, "no character"},
                 {"<a b='&#1114112;'/>", 1, 7, "no character"},
                 {"<a b='&#x;'/>", 1, 7, "no character"},
                 {"<a><!-- \n", 1, 4, "a comment that does not end"},
                 {"<?xml ", 1, 1, "does not end"},
                 {"<a><![CDATA[ ]]", 1, 4, "does not end"},
                 {"<![CDATA[]]><a/>", 1, 1, "expected an element"},
                 {"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", 1, 13, "not read"},
                 {"<!DOCTYPE a", 1, 1, "does not end"},
                 {"<!ELEMENT a><a/>", 1, 2, "name of an element"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lv_xml *root = NULL;
        lv_error err;
        const lv_status status = read_text(&root, cases[k].text, &err);
        if (status != LV_ERR_SYNTAX || err.line != cases[k].line ||
            err.column != cases[k].column || !strstr(err.text, cases[k].words))
            fail_msg("%s: %d:%d: %s", cases[k].text, err.line, err.column, err.text);
        assert_null(root);
    }
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    char text[3 * LV_XML_MOST_DEPTH + 10] = "";
    lv_xml *root = NULL;
    lv_error err;
    for (int k = 0; k < LV_XML_MOST_DEPTH + 2; k++)
        memcpy(text + 3 * (size_t)k, "<a>", 3);
    assert_int_equal(read_text(&root, text, &err), LV_ERR_LIMIT);
    assert_int_equal(err.column, 3 * (LV_XML_MOST_DEPTH + 1) + 2);
}

static lv_status read_some(void *user, lv_error *err)
{
    lv_xml *root;
    (void)user;
    const lv_status status = read_text(&root, "<a b='c'><d e='&amp;'/></a>", err);
    lv_arena_done(&arena);
    return status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(read_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(elements_have_children_in_their_order, clean),
        cmocka_unit_test_teardown(values_are_decoded, clean),
        cmocka_unit_test_teardown(places_are_those_of_names_and_values, clean),
        cmocka_unit_test_teardown(mistakes_have_line_and_column, clean),
        cmocka_unit_test_teardown(nesting_has_a_limit, clean),
        cmocka_unit_test_teardown(denied_memory_is_reported, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
