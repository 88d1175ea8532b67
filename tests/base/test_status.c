/* Errors: codes, places, source lines with carets, cutting, the message as shown. */
#include "base/source.h"
#include "base/status.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static lv_source source_of(const char *text)
{
    return (lv_source){.name = "crank.toml", .text = text, .size = strlen(text)};
}

static void assert_message(const lv_error *err, const char *expected)
{
    char buffer[4096];
    size_t length = lv_error_write(err, buffer, sizeof buffer);
    assert_string_equal(buffer, expected);
    assert_int_equal(length, strlen(expected));
}

/* The column at which the caret of the message stands in its source line, in bytes. */
static size_t caret_of(const lv_error *err)
{
    char buffer[4096];
    lv_error_write(err, buffer, sizeof buffer);
    const char *bar = strstr(buffer, "\n      | ");
    assert_non_null(bar);
    const char *caret = strchr(bar, '^');
    assert_non_null(caret);
    return (size_t)(caret - bar) - strlen("\n      | ");
}

static int valid_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int more = *c < 0x80 ? 0 : *c >= 0xF0 ? 3 : *c >= 0xE0 ? 2 : *c >= 0xC0 ? 1 : -1;
        if (more < 0)
            return 0;
        for (c++; more > 0; more--, c++)
            if ((*c & 0xC0) != 0x80)
                return 0;
    }
    return 1;
}

static void every_status_has_a_name_a_meaning_and_an_exit_code(void **state)
{
    (void)state;
    assert_string_equal(lv_status_name(LV_OK), "ok");
    assert_string_equal(lv_status_name(LV_ERR_DOMAIN), "domain");
    assert_string_equal(lv_status_name((lv_status)999), "unknown");
    assert_non_null(lv_status_meaning((lv_status)999));
    assert_int_not_equal(lv_status_exit_code((lv_status)999), 0);

    assert_int_equal(lv_status_exit_code(LV_OK), 0);
    assert_int_equal(lv_status_exit_code(LV_ERR_SYNTAX), 1);
    assert_int_equal(lv_status_exit_code(LV_ERR_MODEL), 1);
    assert_int_equal(lv_status_exit_code(LV_ERR_LIMIT), 1);
    assert_int_equal(lv_status_exit_code(LV_ERR_USAGE), 2);
    assert_int_equal(lv_status_exit_code(LV_ERR_DOMAIN), 3);
    assert_int_equal(lv_status_exit_code(LV_ERR_MEMORY), 3);
    assert_int_equal(lv_status_exit_code(LV_ERR_IO), 4);
}

static void status_names_are_distinct(void **state)
{
    (void)state;
    static const lv_status all[] = {
#define LV_X(id, name, meaning) id,
        LV_STATUS_LIST(LV_X)
#undef LV_X
    };
    const size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(lv_status_meaning(all[i])) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(lv_status_name(all[i]), lv_status_name(all[j]));
    }
}

static void failing_without_an_error_returns_the_code(void **state)
{
    (void)state;
    lv_source source = source_of("x = 1");
    assert_int_equal(lv_fail(NULL, LV_ERR_MODEL, "%s", "no"), LV_ERR_MODEL);
    assert_int_equal(lv_fail_at(NULL, LV_ERR_SYNTAX, &source, 0, 1, "no"), LV_ERR_SYNTAX);
    assert_int_equal(lv_fail_memory(NULL), LV_ERR_MEMORY);
    lv_error_note(NULL, "nothing");
    lv_error_hint(NULL, "nothing");
    lv_error_locate(NULL, &source, 0, 1);
    lv_error_clear(NULL);
}

static void an_error_without_a_place_is_one_line(void **state)
{
    (void)state;
    lv_error err;
    assert_int_equal(lv_fail(&err, LV_ERR_USAGE, "unknown command '%s'", "rum"),
                     LV_ERR_USAGE);
    assert_int_equal(err.code, LV_ERR_USAGE);
    assert_int_equal(err.line, 0);
    assert_message(&err, "error: unknown command 'rum'\n");
}

static void an_error_with_a_place_shows_the_line_and_underlines(void **state)
{
    (void)state;
    lv_source source = source_of("[joints.pin]\nbody = \"rod\"\nground = [0, 0]\n");
    lv_error err;
    lv_status status =
        lv_fail_at(&err, LV_ERR_MODEL, &source, 20, 5, "joint '%s' is odd", "pin");
    lv_error_note(&err, "'rod' is declared at crank.toml:%d", 6);
    lv_error_hint(&err, "did you mean another body?");
    assert_int_equal(status, LV_ERR_MODEL);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 8);
    assert_int_equal(err.length, 5);
    assert_message(&err, "crank.toml:2:8: error: joint 'pin' is odd\n"
                         "    2 | body = \"rod\"\n"
                         "      |        ^~~~~\n"
                         "   note: 'rod' is declared at crank.toml:6\n"
                         "   hint: did you mean another body?\n");
}

static void columns_and_underlines_count_characters_not_bytes(void **state)
{
    (void)state;
    /* 'ä', '→' and '𝄞' take two, three and four bytes. */
    lv_source source = source_of("# ä→𝄞 näh");
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, 12, 4, "odd"),
                     LV_ERR_SYNTAX);
    assert_int_equal(err.column, 7);
    assert_int_equal(err.length, 3);
    assert_message(&err, "crank.toml:1:7: error: odd\n"
                         "    1 | # ä→𝄞 näh\n"
                         "      |       ^~~\n");
}

static void the_underline_stops_at_the_end_of_a_line_with_wide_characters(void **state)
{
    (void)state;
    lv_error err;
    lv_error_clear(&err);
    err.line = 1;
    err.column = 2;
    err.source_column = 1;
    err.length = 50;
    strcpy(err.text, "odd");
    strcpy(err.source, "=ääää");
    assert_message(&err, "1:2: error: odd\n"
                         "    1 | =ääää\n"
                         "      |  ^~~~\n");
}

static void the_underline_does_not_run_into_the_next_line(void **state)
{
    (void)state;
    lv_source source = source_of("ab\ncd\n");
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, 1, 4, "odd"),
                     LV_ERR_SYNTAX);
    assert_int_equal(err.length, 1);
    assert_message(&err, "crank.toml:1:2: error: odd\n"
                         "    1 | ab\n"
                         "      |  ^\n");
}

static void a_place_beyond_the_end_is_the_end(void **state)
{
    (void)state;
    lv_source source = source_of("x = ");
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, 1000, 1000, "ends here"),
                     LV_ERR_SYNTAX);
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, 5);
    assert_int_equal(err.length, 1);
    assert_message(&err, "crank.toml:1:5: error: ends here\n"
                         "    1 | x =\n"
                         "      |     ^\n");
}

static void an_empty_source_has_a_place_but_no_line_to_show(void **state)
{
    (void)state;
    lv_source source = {.name = "empty.toml", .text = NULL, .size = 0};
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_MODEL, &source, 0, 0, "nothing here"),
                     LV_ERR_MODEL);
    assert_message(&err, "empty.toml:1:1: error: nothing here\n");
}

static void control_characters_are_shown_as_spaces(void **state)
{
    (void)state;
    static const char text[] = "a\tb\x1b[31m\0c\x7f!\r\n";
    lv_source source = {.name = "crank.toml", .text = text, .size = sizeof text - 1};
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, 2, 1, "odd"),
                     LV_ERR_SYNTAX);
    assert_message(&err, "crank.toml:1:3: error: odd\n"
                         "    1 | a b [31m c !\n"
                         "      |   ^\n");
}

static void a_long_line_is_shown_around_the_place(void **state)
{
    (void)state;
    char text[1000];
    for (size_t at = 0; at < sizeof text; at++) {
        memset(text, '.', sizeof text);
        text[at] = '!';
        lv_source source = {.name = "long.toml", .text = text, .size = sizeof text};
        lv_error err;
        assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, at, 1, "odd"),
                         LV_ERR_SYNTAX);
        assert_int_equal(err.column, (int)at + 1);
        assert_true(strlen(err.source) < sizeof err.source);
        assert_int_equal(err.source[caret_of(&err)], '!');
    }
}

static void a_long_line_of_wide_characters_is_cut_between_characters(void **state)
{
    (void)state;
    char text[901];
    for (size_t i = 0; i < 300; i++)
        memcpy(text + 3 * i, "→", 3);
    text[900] = '\0';
    for (size_t k = 0; k < 300; k++) {
        lv_source source = source_of(text);
        lv_error err;
        assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, 3 * k, 3, "odd"),
                         LV_ERR_SYNTAX);
        assert_int_equal(err.column, (int)k + 1);
        assert_true(valid_utf8(err.source));
        assert_true((size_t)err.source_column < strlen(err.source) / 3);
    }
}

static void texts_that_do_not_fit_end_in_dots(void **state)
{
    (void)state;
    lv_error err;
    char text[3000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(lv_fail(&err, LV_ERR_MODEL, "%s", text), LV_ERR_MODEL);
    lv_error_note(&err, "%s", text);
    lv_error_hint(&err, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_string_equal(err.text + sizeof err.text - 5, "x...");
    assert_string_equal(err.note + sizeof err.note - 5, "x...");
    assert_string_equal(err.hint + sizeof err.hint - 5, "x...");

    /* One character fewer than the buffer holds is not cut. */
    text[sizeof err.text - 1] = '\0';
    assert_int_equal(lv_fail(&err, LV_ERR_MODEL, "%s", text), LV_ERR_MODEL);
    assert_string_equal(err.text, text);
}

static void cut_texts_stay_valid_utf8(void **state)
{
    (void)state;
    char text[3001];
    for (size_t i = 0; i < 750; i++)
        memcpy(text + 4 * i, "𝄞", 4);
    text[3000] = '\0';
    for (int shift = 0; shift < 4; shift++) {
        lv_error err;
        assert_int_equal(lv_fail(&err, LV_ERR_MODEL, "%.*s%s", shift, "abc", text),
                         LV_ERR_MODEL);
        assert_true(valid_utf8(err.text));
        assert_string_equal(err.text + strlen(err.text) - 3, "...");
    }
}

static void a_file_name_that_does_not_fit_keeps_its_end(void **state)
{
    (void)state;
    char name[1024] = "/";
    for (int i = 0; i < 70; i++)
        strcat(name, "dürre/");
    strcat(name, "model.toml");
    for (size_t skip = 0; skip < 14; skip++) {
        lv_source source = {.name = name + skip, .text = "x", .size = 1};
        lv_error err;
        assert_int_equal(lv_fail_at(&err, LV_ERR_MODEL, &source, 0, 1, "odd"),
                         LV_ERR_MODEL);
        assert_memory_equal(err.file, "...", 3);
        assert_non_null(strstr(err.file, "/model.toml"));
        assert_true(valid_utf8(err.file));
        assert_true(strlen(err.file) >= sizeof err.file - 3);
    }

    lv_source unnamed = {.name = NULL, .text = "x", .size = 1};
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_MODEL, &unnamed, 0, 1, "odd"), LV_ERR_MODEL);
    assert_string_equal(err.file, "");
}

static void the_first_place_given_is_kept(void **state)
{
    (void)state;
    lv_source inner = source_of("a\nb"),
              outer = {.name = "other", .text = "c", .size = 1};
    lv_error err;
    assert_int_equal(lv_fail(&err, LV_ERR_MODEL, "odd"), LV_ERR_MODEL);
    lv_error_locate(&err, NULL, 0, 0);
    assert_int_equal(err.line, 0);
    lv_error_locate(&err, &inner, 2, 1);
    lv_error_locate(&err, &outer, 0, 1);
    assert_string_equal(err.file, "crank.toml");
    assert_int_equal(err.line, 2);
}

static void a_new_error_forgets_the_one_before(void **state)
{
    (void)state;
    lv_source source = source_of("x");
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_SYNTAX, &source, 0, 1, "first"),
                     LV_ERR_SYNTAX);
    lv_error_hint(&err, "a hint");
    assert_int_equal(lv_fail(&err, LV_ERR_MODEL, "second"), LV_ERR_MODEL);
    assert_message(&err, "error: second\n");
}

static void writing_into_a_short_buffer_cuts_and_tells_the_full_length(void **state)
{
    (void)state;
    lv_source source = source_of("body = \"rod\"\n");
    lv_error err;
    assert_int_equal(lv_fail_at(&err, LV_ERR_MODEL, &source, 7, 5, "joint is odd"),
                     LV_ERR_MODEL);
    lv_error_hint(&err, "a hint");
    char whole[400];
    const size_t length = lv_error_write(&err, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));

    for (size_t size = 0; size <= length + 1; size++) {
        char *part =
            malloc(size + 1); /* exact, so that a sanitizer sees one byte too many */
        assert_non_null(part);
        part[size] = '#';
        assert_int_equal(lv_error_write(&err, part, size), length);
        assert_int_equal(part[size], '#');
        if (size > 0) {
            assert_int_equal(strlen(part), size - 1 < length ? size - 1 : length);
            assert_memory_equal(part, whole, strlen(part));
        }
        free(part);
    }
    assert_int_equal(lv_error_write(&err, NULL, 0), length);
}

static lv_status fails_with(lv_status status, int *reached)
{
    *reached = 0;
    LV_TRY(status);
    *reached = 1;
    return LV_OK;
}

static void try_returns_failures_and_goes_on_after_success(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(fails_with(LV_ERR_IO, &reached), LV_ERR_IO);
    assert_int_equal(reached, 0);
    assert_int_equal(fails_with(LV_OK, &reached), LV_OK);
    assert_int_equal(reached, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_status_has_a_name_a_meaning_and_an_exit_code),
        RUN(status_names_are_distinct),
        RUN(failing_without_an_error_returns_the_code),
        RUN(an_error_without_a_place_is_one_line),
        RUN(an_error_with_a_place_shows_the_line_and_underlines),
        RUN(columns_and_underlines_count_characters_not_bytes),
        RUN(the_underline_stops_at_the_end_of_a_line_with_wide_characters),
        RUN(the_underline_does_not_run_into_the_next_line),
        RUN(a_place_beyond_the_end_is_the_end),
        RUN(an_empty_source_has_a_place_but_no_line_to_show),
        RUN(control_characters_are_shown_as_spaces),
        RUN(a_long_line_is_shown_around_the_place),
        RUN(a_long_line_of_wide_characters_is_cut_between_characters),
        RUN(texts_that_do_not_fit_end_in_dots),
        RUN(cut_texts_stay_valid_utf8),
        RUN(a_file_name_that_does_not_fit_keeps_its_end),
        RUN(the_first_place_given_is_kept),
        RUN(a_new_error_forgets_the_one_before),
        RUN(writing_into_a_short_buffer_cuts_and_tells_the_full_length),
        RUN(try_returns_failures_and_goes_on_after_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
