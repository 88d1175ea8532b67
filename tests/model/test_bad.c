/* Every message of the reader and the checks, as users see it: tests/models/bad/NAME.toml is
 * refused with exactly the text of NAME.expected.
 *
 * LIVENS_GOLDEN_UPDATE=1 rewrites the expected texts; read each of them before keeping it. */
#include "check.h"

#include <livens/livens.h>

#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTORY LIVENS_SOURCE_DIR "/tests/models/bad"

typedef struct names {
    char **data;
    int count, capacity;
} names;

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the models, sorted. */
static names list_models(void)
{
    names list = {0};
    DIR *directory = opendir(DIRECTORY);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!ends_with(entry->d_name, ".toml"))
            continue;
        char *name = strdup(entry->d_name);
        assert_true(name && LV_PUSH(list, name));
    }
    closedir(directory);
    qsort(list.data, (size_t)list.count, sizeof *list.data, by_name);
    return list;
}

/* All of a file; NULL if there is none. */
static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    lv_text text = {0};
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        lv_text_bytes(&text, piece, (int)n);
    lv_text_bytes(&text, "", 0);
    fclose(file);
    *size = (size_t)text.count;
    return text.data;
}

/* What livens says about a model; an accepted one gets an empty message. */
static void message_of(const char *name, char *message, size_t size)
{
    char path[600];
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", DIRECTORY, name);
    char *text = read_all(path, &length);
    assert_non_null(text);

    lv_error err;
    lv_claims claims;
    lv_model *model = NULL;
    lv_inspection *inspection = NULL;
    lv_status status = lv_model_parse(&model, name, text, length, NULL, 0, &err);
    if (status == LV_OK)
        status = lv_model_inspect(&inspection, model, &err);
    if (status == LV_OK)
        status = lv_model_claims(&claims, model, &err);
    message[0] = '\0';
    if (status != LV_OK) {
        assert_int_equal(err.code, status);
        assert_true(lv_error_write(&err, message, size) < size);
    }
    lv_inspection_free(inspection);
    lv_model_free(model);
    lv_memory_free(text);
}

static void write_expected(const char *path, const char *message)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(message, file);
    assert_int_equal(fclose(file), 0);
}

/* Compares one message with what is expected; false where they differ. */
static bool holds(const char *name)
{
    char message[8000], path[600];
    size_t size = 0;
    message_of(name, message, sizeof message);
    if (message[0] == '\0') {
        print_error("%s is accepted\n", name);
        return false;
    }
    snprintf(path, sizeof path, "%s/%.*s.expected", DIRECTORY, (int)strlen(name) - 5,
             name);
    const char *update = getenv("LIVENS_GOLDEN_UPDATE");
    if (update && strcmp(update, "1") == 0)
        write_expected(path, message);
    char *expected = read_all(path, &size);
    bool same = expected && strcmp(expected, message) == 0;
    if (!same)
        print_error("%s\n--- expected\n%s--- found\n%s\n", name,
                    expected ? expected : "(no such file)\n", message);
    lv_memory_free(expected);
    return same;
}

static void bad_models_get_their_messages(void **state)
{
    (void)state;
    names list = list_models();
    int wrong = 0;
    assert_true(list.count >= 80);
    for (int k = 0; k < list.count; k++) {
        wrong += !holds(list.data[k]);
        free(list.data[k]);
    }
    LV_ARRAY_FREE(list);
    if (wrong > 0)
        fail_msg("%d models with another message than expected", wrong);
}

/* An expected text whose model is gone tests nothing. */
static void expected_messages_belong_to_models(void **state)
{
    (void)state;
    DIR *directory = opendir(DIRECTORY);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[600];
        if (!ends_with(entry->d_name, ".expected"))
            continue;
        snprintf(path, sizeof path, "%s/%.*s.toml", DIRECTORY,
                 (int)strlen(entry->d_name) - 9, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (!file)
            fail_msg("%s has no model", entry->d_name);
        fclose(file);
    }
    closedir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(bad_models_get_their_messages),
        RUN(expected_messages_belong_to_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
