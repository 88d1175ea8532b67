/* What is too large is refused, and so is everything once the memory is used up. */
#include "document.h"

#include "deny.h"

#include <stdio.h>

static char *repeated(const char *before, const char *text, int count, const char *after)
{
    size_t room = strlen(before) + strlen(text) * (size_t)count + strlen(after) + 1;
    char *result = malloc(room), *end = result;
    assert_non_null(result);
    end += snprintf(end, room, "%s", before);
    for (int i = 0; i < count; i++) {
        memcpy(end, text, strlen(text));
        end += strlen(text);
    }
    memcpy(end, after, strlen(after) + 1);
    return result;
}

static lv_status status_of(char *text, lv_error *err)
{
    document d;
    document_read_bytes(&d, text, strlen(text));
    lv_status status = d.status;
    *err = d.err;
    document_free(&d);
    free(text);
    return status;
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const struct {
        const char *before, *text;
        int count; /* of the text, when the depth is reached exactly */
        const char *after;
    } cases[] = {
        {"a = ", "[", LV_TOML_MOST_DEPTH, "]"},
        {"a = ", "{a=", LV_TOML_MOST_DEPTH - 1, "1}"},
        {"", "a.", LV_TOML_MOST_DEPTH - 1, "a = 1"},
        {"[", "a.", LV_TOML_MOST_DEPTH - 1, "a]"},
        {"[[", "a.", LV_TOML_MOST_DEPTH - 2, "a]]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lv_error err;
        char *deepest =
            repeated(cases[i].before, cases[i].text, cases[i].count, cases[i].after);
        assert_int_not_equal(status_of(deepest, &err), LV_ERR_LIMIT);
        char *deeper =
            repeated(cases[i].before, cases[i].text, cases[i].count + 1, cases[i].after);
        assert_int_equal(status_of(deeper, &err), LV_ERR_LIMIT);
        assert_int_equal(err.line, 1);
        assert_true(err.column > LV_TOML_MOST_DEPTH);
        assert_non_null(strstr(err.text, "more than 100 levels deep"));
    }
}

static void the_deepest_array_is_read(void **state)
{
    (void)state;
    char *open = repeated("a = ", "[", LV_TOML_MOST_DEPTH, "");
    char *text = repeated(open, "]", LV_TOML_MOST_DEPTH, "\n");
    free(open);
    lv_error err;
    assert_int_equal(status_of(text, &err), LV_OK);
}

static void million_open_brackets_do_no_harm(void **state)
{
    (void)state;
    lv_error err;
    assert_int_equal(status_of(repeated("a = ", "[", 1000000, ""), &err), LV_ERR_LIMIT);
    assert_int_equal(status_of(repeated("a = ", "[{a=", 1000000, ""), &err),
                     LV_ERR_LIMIT);
}

static void size_is_limited(void **state)
{
    (void)state;
    size_t size = (size_t)LV_TOML_MOST_BYTES + 1;
    char *text = calloc(size, 1); /* never looked at */
    assert_non_null(text);
    lv_source source = {.name = "huge.toml", .text = text, .size = size};
    lv_arena arena = {0};
    lv_error err;
    lv_toml *root = NULL;
    assert_int_equal(lv_toml_read(&root, &arena, &source, &err), LV_ERR_LIMIT);
    assert_non_null(strstr(err.text, "huge.toml"));
    assert_non_null(strstr(err.text, "67108865"));
    assert_null(root);
    lv_arena_done(&arena);
    free(text);
}

static void check_within(const char *text, int values, lv_status expected)
{
    lv_source source = {.name = "t", .text = text, .size = strlen(text)};
    const lv_toml_limits limits = {.bytes = 100, .values = values, .depth = 5};
    lv_arena arena = {0};
    lv_error err;
    lv_toml *root = NULL;
    assert_int_equal(lv_toml_read_within(&root, &arena, &source, &limits, &err),
                     expected);
    lv_arena_done(&arena);
}

static void number_of_values_is_limited(void **state)
{
    (void)state;
    check_within("a = [1, 2]\nb = 3", 4, LV_OK);
    check_within("a = [1, 2]\nb = 3", 3, LV_ERR_LIMIT);
    check_within("[[a.b]]\nc.d = 1", 5, LV_OK);
    check_within("[[a.b]]\nc.d = 1", 4, LV_ERR_LIMIT);
    check_within("[a.b]\n[a]\n[a.c]", 3, LV_OK);
}

static void limits_beyond_the_stack_are_lowered(void **state)
{
    (void)state;
    char *text = repeated("a = ", "[", 200, "");
    lv_source source = {.name = "t", .text = text, .size = strlen(text)};
    const lv_toml_limits limits = {.bytes = 1000, .values = 1000, .depth = 1000};
    lv_arena arena = {0};
    lv_toml *root = NULL;
    assert_int_equal(lv_toml_read_within(&root, &arena, &source, &limits, NULL),
                     LV_ERR_LIMIT);
    lv_arena_done(&arena);
    free(text);
}

static void the_limits_are_those_of_the_manual(void **state)
{
    (void)state;
    assert_int_equal(LV_TOML_MOST_DEPTH, 100);
    assert_int_equal(LV_TOML_MOST_BYTES, 64 * 1024 * 1024);
    assert_int_equal(LV_TOML_MOST_VALUES, 4000000);
}

/* A text to read into an arena of which some bytes are used already, so that another of
 * the reader's requests is the one that needs a new block. */
typedef struct reading {
    const char *text;
    size_t used;
} reading;

static lv_status read_text(void *user, lv_error *err)
{
    const reading *job = user;
    lv_source source = {.name = "t", .text = job->text, .size = strlen(job->text)};
    lv_arena arena = {0};
    lv_toml *root = NULL;
    lv_status status = lv_arena_alloc(&arena, job->used, 1)
                           ? lv_toml_read(&root, &arena, &source, err)
                           : lv_fail_memory(err);
    if (status != LV_OK)
        assert_null(root);
    lv_arena_done(&arena);
    return status;
}

static void missing_memory_is_reported_wherever_it_happens(void **state)
{
    (void)state;
    static const char text[] =
        "a = 'x'\n'b c' = \"\\u00e9\\n\"\nd.e = [1, 2.5, {f = 1_0.0}, 1979-05-27]\n"
        "[g.h]\ni = '''\nx\n'''\n[[j]]\n\"\\t\" = true\n[[j]]\n";
    for (size_t used = 0; used < 4096; used += 16) {
        reading job = {.text = text, .used = used};
        lv_deny_sweep(read_text, &job);
    }
}

static void missing_memory_for_hash_tables_is_reported(void **state)
{
    (void)state;
    char text[2048];
    size_t n = 0;
    for (int i = 0; i < 70; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "k%d = %d\n", i, i);
    for (size_t used = 0; used < 8192; used += 128) {
        reading job = {.text = text, .used = used};
        lv_deny_sweep(read_text, &job);
    }
}

static void missing_memory_for_long_values_is_reported(void **state)
{
    (void)state;
    size_t room = 1 << 15, n = 0;
    char *text = malloc(room);
    assert_non_null(text);
    /* A number so long that its conversion needs memory outside of the arena. */
    n += (size_t)snprintf(text + n, room - n, "n = 0.%0300d\n", 7);
    n += (size_t)snprintf(text + n, room - n, "s = \"\\t%08000d\"\n", 7);
    snprintf(text + n, room - n, "[t]\ns = '%09000d'\n", 7);
    reading job = {.text = text};
    lv_deny_sweep(read_text, &job);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(nesting_is_limited),
        RUN(the_deepest_array_is_read),
        RUN(million_open_brackets_do_no_harm),
        RUN(size_is_limited),
        RUN(number_of_values_is_limited),
        RUN(limits_beyond_the_stack_are_lowered),
        RUN(the_limits_are_those_of_the_manual),
        RUN(missing_memory_is_reported_wherever_it_happens),
        RUN(missing_memory_for_hash_tables_is_reported),
        RUN(missing_memory_for_long_values_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
