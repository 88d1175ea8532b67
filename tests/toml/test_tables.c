/* Keys, tables and arrays: the shape of the tree, the places in it, and what may be
 * defined how often. */
#include "document.h"

#include <stdio.h>

static void check_integer_at(const document *d, const char *path, long long expected)
{
    const lv_toml *node = document_at(d, path);
    assert_int_equal(node->kind, LV_TOML_INTEGER);
    if (node->integer != expected)
        fail_msg("%s is %lld, expected %lld", path, node->integer, expected);
}

static void check_place(lv_toml_place place, size_t offset, size_t length)
{
    assert_int_equal(place.offset, offset);
    assert_int_equal(place.length, length);
}

static void empty_texts_are_empty_tables(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "\n", "# comment", " \t\r\n\n# c\n  "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        document d;
        document_read(&d, texts[i]);
        assert_int_equal(d.root->kind, LV_TOML_TABLE);
        assert_int_equal(d.root->count, 0);
        assert_null(d.root->first);
        assert_null(d.root->key.text);
        document_free(&d);
    }
}

static void texts_need_no_memory_of_their_own(void **state)
{
    (void)state;
    lv_arena arena = {0};
    lv_source source = {.name = NULL, .text = NULL, .size = 0};
    lv_toml *root = NULL;
    assert_int_equal(lv_toml_read(&root, &arena, &source, NULL), LV_OK);
    assert_int_equal(root->count, 0);
    lv_arena_done(&arena);
}

static void keys_are_bare_or_quoted(void **state)
{
    (void)state;
    document d;
    document_read(&d,
                  "a-b_1 = 1\n\"x y\" = 2\n'x\\y' = 3\n'' = 4\n\"\\u00e9\" = 5\n12 = 6");
    check_integer_at(&d, "a-b_1", 1);
    check_integer_at(&d, "x y", 2);
    check_integer_at(&d, "x\\y", 3);
    assert_int_equal(lv_toml_get(d.root, "")->integer, 4);
    check_integer_at(&d, "\xC3\xA9", 5);
    check_integer_at(&d, "12", 6);
    assert_int_equal(d.root->count, 6);
    document_free(&d);
}

static void keys_may_hold_nul(void **state)
{
    (void)state;
    document d;
    document_read(&d, "\"a\\u0000b\" = 1\na = 2");
    assert_int_equal(d.root->first->key.length, 3);
    assert_int_equal(lv_toml_find(d.root, "a\0b", 3)->integer, 1);
    check_integer_at(&d, "a", 2);
    document_free(&d);
}

static void members_keep_the_order_of_the_text(void **state)
{
    (void)state;
    document d;
    document_read(&d, "c = 1\na.x = 2\nb = 3\na.w = 4");
    static const char *const expected[] = {"c", "a", "b"};
    int i = 0;
    for (const lv_toml *member = d.root->first; member; member = member->next)
        assert_string_equal(member->key.text, expected[i++]);
    assert_int_equal(i, 3);
    assert_string_equal(document_at(&d, "a")->first->key.text, "x");
    assert_string_equal(document_at(&d, "a")->last->key.text, "w");
    document_free(&d);
}

static void keys_and_values_know_their_places(void **state)
{
    (void)state;
    document d;
    document_read(&d, "  \"k y\" = [1, 2.5] # c\nb.c = {x = 'y'}\n");
    const lv_toml *a = document_at(&d, "k y"), *b = document_at(&d, "b");
    check_place(a->key.place, 2, 5);
    check_place(a->place, 10, 8);
    check_place(a->first->place, 11, 1);
    check_place(a->last->place, 14, 3);
    check_place(b->key.place, 23, 1);
    check_place(b->place, 23, 1);
    check_place(b->first->key.place, 25, 1);
    check_place(b->first->place, 29, 9);
    check_place(document_at(&d, "b.c.x")->place, 34, 3);
    document_free(&d);
}

static void tables_have_the_place_of_their_header(void **state)
{
    (void)state;
    document d;
    document_read(&d, "[a.b]\n[ a ] # c\n[[t]]\n[[t]]\n");
    check_place(document_at(&d, "a.b")->place, 0, 5);
    check_place(document_at(&d, "a.b")->key.place, 3, 1);
    check_place(document_at(&d, "a")->place, 6, 5);
    check_place(document_at(&d, "a")->key.place, 8, 1);
    check_place(document_at(&d, "t")->place, 16, 5);
    check_place(document_at(&d, "t.0")->place, 16, 5);
    check_place(document_at(&d, "t.1")->place, 22, 5);
    document_free(&d);
}

static void values_know_their_depth(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a.b = [[1]]\n[[t]]\nx = 1");
    assert_int_equal(d.root->depth, 0);
    assert_int_equal(document_at(&d, "a")->depth, 1);
    assert_int_equal(document_at(&d, "a.b.0.0")->depth, 4);
    assert_int_equal(document_at(&d, "t.0.x")->depth, 3);
    document_free(&d);
}

static void dotted_keys_make_tables(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a . b.c = 1\na.b.d = 2\n\"a\".e = 3\n1.5 = 4");
    check_integer_at(&d, "a.b.c", 1);
    check_integer_at(&d, "a.b.d", 2);
    check_integer_at(&d, "a.e", 3);
    check_integer_at(&d, "1.5", 4);
    document_free(&d);
}

static void super_tables_may_come_later(void **state)
{
    (void)state;
    document d;
    document_read(&d, "[a.b.c]\nx = 1\n[a]\ny = 2\n[a.b]\nz = 3\n[ a . d ]\nw = 4");
    check_integer_at(&d, "a.b.c.x", 1);
    check_integer_at(&d, "a.y", 2);
    check_integer_at(&d, "a.b.z", 3);
    check_integer_at(&d, "a.d.w", 4);
    document_free(&d);
}

static void arrays_of_tables_grow_and_nest(void **state)
{
    (void)state;
    document d;
    document_read(&d, "[[f]]\nn = 1\n[f.p]\nc = 2\n[[f.v]]\nn = 3\n[[f.v]]\nn = 4\n"
                      "[[f]]\nn = 5\n[[f.v]]\nn = 6\n");
    assert_int_equal(document_at(&d, "f")->count, 2);
    check_integer_at(&d, "f.0.n", 1);
    check_integer_at(&d, "f.0.p.c", 2);
    check_integer_at(&d, "f.0.v.1.n", 4);
    check_integer_at(&d, "f.1.n", 5);
    check_integer_at(&d, "f.1.v.0.n", 6);
    document_free(&d);
}

static void inline_tables_are_read(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a = {}\nb = { x = 1, y.z = 2, y.w = {} ,\"q\"=[\n3\n] }");
    assert_int_equal(document_at(&d, "a")->kind, LV_TOML_TABLE);
    assert_int_equal(document_at(&d, "a")->count, 0);
    check_integer_at(&d, "b.x", 1);
    check_integer_at(&d, "b.y.z", 2);
    assert_int_equal(document_at(&d, "b.y.w")->count, 0);
    check_integer_at(&d, "b.q.0", 3);
    document_free(&d);
}

static void arrays_mix_kinds_over_lines_and_comments(void **state)
{
    (void)state;
    document d;
    document_read(&d,
                  "a = [ # begin\n 1, 'x' , # two\n\r\n [ ], {b = 2}\n , \n]\nc = [\n]");
    const lv_toml *a = document_at(&d, "a");
    assert_int_equal(a->count, 4);
    assert_null(a->first->key.text);
    assert_int_equal(document_at(&d, "a.1")->kind, LV_TOML_STRING);
    assert_int_equal(document_at(&d, "a.2")->kind, LV_TOML_ARRAY);
    check_integer_at(&d, "a.3.b", 2);
    assert_int_equal(document_at(&d, "c")->count, 0);
    document_free(&d);
}

static void missing_members_are_null(void **state)
{
    (void)state;
    document d;
    document_read(&d, "a = [1]\nb = 'x'\nc = {}");
    assert_null(lv_toml_get(d.root, "d"));
    assert_null(lv_toml_get(d.root, ""));
    assert_null(lv_toml_get(document_at(&d, "a"), "0"));
    assert_null(lv_toml_get(document_at(&d, "b"), "x"));
    assert_null(lv_toml_get(document_at(&d, "c"), "x"));
    assert_null(lv_toml_get(NULL, "x"));
    document_free(&d);
}

static void what_may_be_defined_twice_is_accepted(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[a.b.c]\n[a]\nb.d = 1",              /* dotted keys add to an implied table */
        "a.b = 1\n[a.c]\nd = 2",              /* headers go through dotted tables */
        "a.b = 1\n[[a.c]]\n[[a.c]]",          /* and make arrays there */
        "[a]\nb.c = 1\nb.d = 2\n[a.e]",       /* dotted keys of one section add up */
        "[[a]]\nb.c = 1\n[[a]]\nb.c = 2",     /* each item is a table of its own */
        "[[a.b]]\n[a]\nx = 1",                /* the table above an array */
        "[[a]]\n[a.b]\n[[a]]\n[a.b]",         /* a table of each item */
        "[x.y.z.w]\n[x]\n[x.y]\n[x.y.z]",     /* super tables in any order */
        "a = {b = 1}\nc = {b = 1}\n[d]\nb=1", /* one name in several tables */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        document d;
        document_read(&d, texts[i]);
        document_free(&d);
    }
}

static void what_is_defined_twice_is_refused_with_its_first_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *message, *note;
    } cases[] = {
        {"a = 1\n\na = 2", 3, 1, "key 'a' is defined twice", "line 1"},
        {"a = 1\n\"a\" = 2", 2, 1, "key \"a\" is defined twice", "line 1"},
        {"b = 0\na.b = 1\na.b = 2", 3, 3, "key 'b' is defined twice", "line 2"},
        {"a.b = 1\na = 2", 2, 1, "key 'a' is a table already", "line 1"},
        {"a = 1\na.b = 2", 2, 1, "key 'a' is a value, not a table", "line 1"},
        {"a = [1]\na.b = 2", 2, 1, "key 'a' is an array, not a table", "line 1"},
        {"a = {}\na.b = 2", 2, 1, "'a' is an inline table, which cannot be extended",
         "line 1"},
        {"[a]\n[a]", 2, 2, "table 'a' is defined twice", "line 1"},
        {"[a.b]\n[a]\n[ a . b ]", 3, 7, "table 'b' is defined twice", "line 1"},
        {"[a.b]\n[a]\nb = 1", 3, 1, "key 'b' is a table already", "line 1"},
        {"[a]\nb = 1\n[a.b]", 3, 4, "key 'b' is a value, not a table", "line 2"},
        {"[a]\nb = 1\n[a.b.c]", 3, 4, "key 'b' is a value, not a table", "line 2"},
        {"[a.b.c]\n[a]\nb.c.d = 1", 3, 3, "table 'c' has a header of its own", "line 1"},
        {"a.b = 1\n[a]", 2, 2, "table 'a' was defined by dotted keys already", "line 1"},
        {"[a]\nb.c = 1\n[a.b]", 3, 4, "table 'b' was defined by dotted keys", "line 2"},
        {"[t]\na.b.c = 1\n[t.a.d]\n[t.a.b]", 4, 6, "'b' was defined by dotted", "line 2"},
        {"a = {}\n[a]", 2, 2, "table 'a' is defined twice", "line 1"},
        {"a = {b = {}}\n[a.b.c]", 2, 2, "'a' is an inline table", "line 1"},
        {"a = [{}]\n[a.b]", 2, 2, "'a' is an array, not a table", "line 1"},
        {"a = [{}]\n[[a]]", 2, 3, "'a' is an array written as a value", "line 1"},
        {"a = 1\n[[a]]", 2, 3, "'a' is a value, not an array of tables", "line 1"},
        {"[a]\n[[a]]", 2, 3, "'a' is a table, not an array of tables", "line 1"},
        {"[[a]]\n[a]", 2, 2, "'a' is an array of tables, not a table", "[[...]] adds"},
        {"[[a.b]]\n[a]\nb.c = 1", 3, 1, "'b' is an array, not a table", "line 1"},
        {"a = {b = 1, b = 2}", 1, 13, "key 'b' is defined twice", "line 1"},
        {"a = {b = {}, b.c = 2}", 1, 14, "'b' is an inline table", "line 1"},
        {"a = {b.c = 1, b = 2}", 1, 15, "key 'b' is a table already", "line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(cases[i].text, cases[i].line, cases[i].column, cases[i].message,
                      cases[i].note);
}

/* "prefix0 = 0\nprefix1 = 1\n..." */
static char *many_keys(const char *prefix, int count)
{
    size_t room = (strlen(prefix) + 24) * (size_t)count + 1, n = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (int i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, room - n, "%s%d = %d\n", prefix, i, i);
    return text;
}

static void large_tables_find_every_member(void **state)
{
    (void)state;
    static const int counts[] = {15, 16, 17, 32, 33, 34, 65, 1000, 100000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        char *text = many_keys("key", counts[k]);
        document d;
        document_read(&d, text);
        assert_int_equal(d.root->count, counts[k]);
        for (int i = 0; i < counts[k]; i++) {
            char key[32];
            snprintf(key, sizeof key, "key%d", i);
            const lv_toml *member = lv_toml_get(d.root, key);
            assert_non_null(member);
            assert_int_equal(member->integer, i);
        }
        assert_null(lv_toml_get(d.root, "key"));
        document_free(&d);
        free(text);
    }
}

static void large_tables_notice_duplicates(void **state)
{
    (void)state;
    char *text = many_keys("k", 5000);
    size_t n = strlen(text);
    char *twice = malloc(n + 16);
    assert_non_null(twice);
    snprintf(twice, n + 16, "%sk1234 = 1", text);
    check_refused(twice, 5001, 1, "key 'k1234' is defined twice", "line 1235");
    free(twice);
    free(text);
}

static void many_headers_are_read_in_linear_time(void **state)
{
    (void)state;
    enum { COUNT = 50000 };
    char *text = malloc(COUNT * 64);
    assert_non_null(text);
    size_t n = 0;
    for (int i = 0; i < COUNT; i++)
        n += (size_t)snprintf(text + n, 64, "[[a.b]]\nx.y = %d\n[t.k%d]\nz = 1\n", i, i);
    document d;
    document_read_bytes(&d, text, n);
    assert_int_equal(d.status, LV_OK);
    assert_int_equal(document_at(&d, "a.b")->count, COUNT);
    assert_int_equal(document_at(&d, "t")->count, COUNT);
    document_free(&d);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(empty_texts_are_empty_tables),
        RUN(texts_need_no_memory_of_their_own),
        RUN(keys_are_bare_or_quoted),
        RUN(keys_may_hold_nul),
        RUN(members_keep_the_order_of_the_text),
        RUN(keys_and_values_know_their_places),
        RUN(tables_have_the_place_of_their_header),
        RUN(values_know_their_depth),
        RUN(dotted_keys_make_tables),
        RUN(super_tables_may_come_later),
        RUN(arrays_of_tables_grow_and_nest),
        RUN(inline_tables_are_read),
        RUN(arrays_mix_kinds_over_lines_and_comments),
        RUN(missing_members_are_null),
        RUN(what_may_be_defined_twice_is_accepted),
        RUN(what_is_defined_twice_is_refused_with_its_first_place),
        RUN(large_tables_find_every_member),
        RUN(large_tables_notice_duplicates),
        RUN(many_headers_are_read_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
