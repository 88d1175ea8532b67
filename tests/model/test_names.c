/* The table of names. */
#include "check.h"
#include "deny.h"

#include "model/names.h"

#include <stdio.h>
#include <string.h>

static const lv_source source = {"test", "a\nb\nc\n", 6};

static lv_status add(lv_names *names, const char *text, lv_name_kind kind, int index,
                     lv_error *err)
{
    lv_item item = {
        .section = LV_SECTION_PARAMETERS, .name = text, .place = {&source, 2, 1}};
    return lv_names_add(names, &item, kind, index, err);
}

static void names_are_found_by_their_first_letters_only_if_these_are_all(void **state)
{
    lv_names names = {0};
    (void)state;
    assert_null(lv_names_find(&names, "q", 1));
    assert_int_equal(add(&names, "q", LV_NAME_COORDINATE, 3, NULL), LV_OK);
    assert_int_equal(add(&names, "q_1", LV_NAME_PARAMETER, 4, NULL), LV_OK);
    assert_int_equal(lv_names_find(&names, "q_1", 1)->index, 3);
    assert_int_equal(lv_names_find(&names, "q_1", 3)->index, 4);
    assert_null(lv_names_find(&names, "q_1", 2));
    assert_null(lv_names_find(&names, "Q", 1));
    lv_names_done(&names);
    assert_null(lv_names_find(&names, "q", 1));
}

static void many_names_stay_apart(void **state)
{
    enum { MANY = 20000 };
    static char texts[MANY][16];
    lv_names names = {0};
    (void)state;
    for (int k = 0; k < MANY; k++) {
        snprintf(texts[k], sizeof texts[k], "n%d", k);
        assert_int_equal(add(&names, texts[k], LV_NAME_DEFINITION, k, NULL), LV_OK);
    }
    for (int k = 0; k < MANY; k++)
        assert_int_equal(lv_names_find(&names, texts[k], (int)strlen(texts[k]))->index,
                         k);
    assert_null(lv_names_find(&names, "n20000", 6));
    lv_names_done(&names);
}

static void a_name_is_taken_once(void **state)
{
    lv_names names = {0};
    lv_error err;
    (void)state;
    assert_int_equal(add(&names, "m", LV_NAME_PARAMETER, 0, &err), LV_OK);
    assert_int_equal(add(&names, "m", LV_NAME_COORDINATE, 0, &err), LV_ERR_MODEL);
    assert_string_equal(err.text, "'m' is already the name of a parameter");
    assert_string_equal(err.note, "declared at test:2");
    assert_int_equal(names.list.count, 1);
    lv_names_done(&names);
}

static void reserved_names_are_refused(void **state)
{
    static const char *const reserved[][2] = {
        {"t", "'t' already has a meaning: time"},
        {"pi", "'pi' already has a meaning: 3.14159..."},
        {"sin", "'sin' is the name of a function"},
        {"if", "'if' is the name of a function"},
        {"norm2", "'norm2' is the name of a function"},
    };
    lv_names names = {0};
    lv_error err;
    (void)state;
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++) {
        assert_int_equal(add(&names, reserved[k][0], LV_NAME_PARAMETER, 0, &err),
                         LV_ERR_MODEL);
        assert_string_equal(err.text, reserved[k][1]);
    }
    assert_int_equal(add(&names, "T", LV_NAME_PARAMETER, 0, &err), LV_OK);
    assert_int_equal(add(&names, "tt", LV_NAME_PARAMETER, 0, &err), LV_OK);
    lv_names_done(&names);
}

static lv_status add_some(void *user, lv_error *err)
{
    static char texts[100][16];
    lv_names names = {0};
    lv_status status = LV_OK;
    (void)user;
    for (int k = 0; k < 100 && status == LV_OK; k++) {
        snprintf(texts[k], sizeof texts[k], "n%d", k);
        status = add(&names, texts[k], LV_NAME_PARAMETER, k, err);
    }
    lv_names_done(&names);
    return status;
}

static void missing_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(add_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(names_are_found_by_their_first_letters_only_if_these_are_all),
        RUN(many_names_stay_apart),
        RUN(a_name_is_taken_once),
        RUN(reserved_names_are_refused),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
