/* Index ranges: "i = 1..N, j = i+1..N". */
#include "check.h"
#include "deny.h"

#include "model/declaration.h"

#include <string.h>

typedef struct parsed {
    lv_arena arena;
    lv_source source;
    lv_snippet snippet;
    lv_entry entry;
    lv_error err;
    lv_status status;
} parsed;

static void parse(parsed *p, const char *text)
{
    *p = (parsed){.source = {"test", text, strlen(text)}};
    p->snippet = (lv_snippet){text, (int)strlen(text), &p->source, 0, NULL};
    p->status = lv_ranges_parse(&p->entry, &p->arena, &p->snippet, &p->err);
}

static void one_range_has_a_name_and_two_ends(void **state)
{
    parsed p;
    (void)state;
    parse(&p, "i = 1..N");
    assert_int_equal(p.status, LV_OK);
    assert_int_equal(p.entry.count, 1);
    assert_string_equal(p.entry.ranges[0].name, "i");
    assert_string_equal(p.entry.ranges[0].from.snippet->text, "1");
    assert_string_equal(p.entry.ranges[0].to.snippet->text, "N");
    lv_arena_done(&p.arena);
}

static void blanks_do_not_matter(void **state)
{
    static const char *const texts[] = {"i=1..N", " i  =  1  ..  N ", "i\t=\n1 ..N\r\n"};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        parsed p;
        parse(&p, texts[k]);
        assert_int_equal(p.status, LV_OK);
        assert_string_equal(p.entry.ranges[0].name, "i");
        assert_string_equal(p.entry.ranges[0].from.snippet->text, "1");
        assert_string_equal(p.entry.ranges[0].to.snippet->text, "N");
        lv_arena_done(&p.arena);
    }
}

static void commas_inside_of_brackets_belong_to_formulas(void **state)
{
    parsed p;
    (void)state;
    parse(&p, "i = min(1, 2)..max(N, M), j = [1, 2][1]..i+1");
    assert_int_equal(p.status, LV_OK);
    assert_int_equal(p.entry.count, 2);
    assert_string_equal(p.entry.ranges[0].to.snippet->text, "max(N, M)");
    assert_string_equal(p.entry.ranges[1].from.snippet->text, "[1, 2][1]");
    assert_string_equal(p.entry.ranges[1].name, "j");
    assert_int_equal(p.entry.ranges[1].place.offset, 26);
    lv_arena_done(&p.arena);
}

static void decimals_before_the_dots_are_numbers(void **state)
{
    parsed p;
    (void)state;
    parse(&p, "i = 1.0..3.0");
    assert_int_equal(p.status, LV_OK);
    assert_true(p.entry.ranges[0].from.root->number == 1);
    assert_true(p.entry.ranges[0].to.root->number == 3);
    lv_arena_done(&p.arena);
}

static void mistakes_are_found_at_their_place(void **state)
{
    static const struct {
        const char *text, *message;
        int column;
    } cases[] = {
        {"", "this is not an index range", 1},
        {"i", "this is not an index range", 1},
        {"i = 1", "this is not an index range", 1},
        {"1..3", "this is not an index range", 1},
        {"1..3 = i", "this is not an index range", 1},
        {"i = 1..3,", "this is not an index range", 10},
        {"i = 1..2, , j = 1..2", "this is not an index range", 11},
        {"= 1..3", "the index of a range needs a name", 1},
        {"2 = 1..3", "the index of a range needs a name", 1},
        {"i j = 1..3", "the index of a range needs a name", 1},
        {"i = ..3", "this range lacks its first or last index", 1},
        {"i = 1..", "this range lacks its first or last index", 1},
        {"i = 1..3..5", "a range has one '..' between its two ends", 1},
        {"i = 1...5", "a range has one '..' between its two ends", 1},
        {"i = 1..3)", "expected an operator or the end of the formula, found ')'", 9},
        {"i = 1..2, j = 1..2*",
         "expected a number, a name or '(', found the end of the "
         "formula",
         20},
        {"a=1..1,b=1..1,c=1..1,d=1..1,e=1..1,f=1..1,g=1..1,h=1..1,i=1..1",
         "a family has at most 8 indices", 57},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        parsed p;
        parse(&p, cases[k].text);
        if (p.status == LV_OK)
            fail_msg("'%s' is accepted", cases[k].text);
        assert_string_equal(p.err.text, cases[k].message);
        assert_int_equal(p.err.column, cases[k].column);
        lv_arena_done(&p.arena);
    }
}

/* The text "i = 1..N" from "\u0069 = 1..N": byte k stands 5 bytes further on. */
static void places_go_through_escapes(void **state)
{
    static const char written[] = "\\u0069 = 1..N*", text[] = "i = 1..N*";
    size_t offsets[sizeof text];
    lv_source source = {"test", written, strlen(written)};
    lv_arena arena = {0};
    lv_entry entry = {0};
    lv_error err;
    (void)state;
    for (size_t k = 0; k < sizeof text; k++)
        offsets[k] = k == 0 ? 0 : k + 5;
    lv_snippet snippet = {text, (int)strlen(text), &source, 0, offsets};
    assert_int_equal(lv_ranges_parse(&entry, &arena, &snippet, &err), LV_ERR_SYNTAX);
    assert_int_equal(err.column, 15);
    lv_arena_done(&arena);
}

static lv_status parse_job(void *user, lv_error *err)
{
    lv_arena arena = {0};
    lv_entry entry = {0};
    const char *text = user;
    lv_source source = {"test", text, strlen(text)};
    lv_snippet snippet = {text, (int)strlen(text), &source, 0, NULL};
    lv_status status = lv_ranges_parse(&entry, &arena, &snippet, err);
    lv_arena_done(&arena);
    return status;
}

static void missing_memory_is_reported(void **state)
{
    char text[] = "i = 1..N, j = i + 1..max(N, 3)";
    (void)state;
    lv_deny_sweep(parse_job, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(one_range_has_a_name_and_two_ends),
        RUN(blanks_do_not_matter),
        RUN(commas_inside_of_brackets_belong_to_formulas),
        RUN(decimals_before_the_dots_are_numbers),
        RUN(mistakes_are_found_at_their_place),
        RUN(places_go_through_escapes),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
