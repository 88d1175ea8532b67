/* Models from calls of the builder with any texts and numbers. Lines of the input are calls:
 *
 *     KIND SECTION|ITEM|KEY|VALUE
 *
 * with KIND t (text), n (number), f (flag) or v (numbers); parts that are missing are NULL or empty. The model is made
 * or refused with a message, and the source that the builder shows is read alike. */
#include <livens/livens.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARTS = 4, NUMBERS = 8 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void call(lv_builder *b, char kind, char *parts[PARTS])
{
    const char *section = parts[0] ? parts[0] : "", *key = parts[2] ? parts[2] : "";
    const char *value = parts[3] ? parts[3] : "";
    double numbers[NUMBERS];
    for (int k = 0; k < NUMBERS; k++)
        numbers[k] = strtod(value, NULL) * (k + 1);
    switch (kind) {
    case 'n':
        lv_builder_number(b, section, parts[1], key, numbers[0]);
        break;
    case 'f':
        lv_builder_flag(b, section, parts[1], key, value[0] == '1');
        break;
    case 'v':
        lv_builder_numbers(b, section, parts[1], key, numbers,
                           (int)(strlen(value) % (NUMBERS + 1)));
        break;
    default:
        lv_builder_text(b, section, parts[1], key, value);
        break;
    }
}

static void call_line(lv_builder *b, char *line)
{
    char *parts[PARTS] = {NULL}, *rest = line + (line[0] != '\0');
    for (int k = 0; k < PARTS && rest; k++) {
        char *end = k + 1 < PARTS ? strchr(rest, '|') : NULL;
        if (end)
            *end = '\0';
        parts[k] = rest[0] || k != 1 ? rest : NULL;
        rest = end ? end + 1 : NULL;
    }
    call(b, line[0], parts);
}

static void build(lv_builder *b)
{
    lv_error err;
    lv_model *model = NULL, *again = NULL;
    lv_status status = lv_builder_model(&model, b, &err);
    check((model != NULL) == (status == LV_OK));
    check(status == LV_OK || (err.code == status && err.text[0]));
    const char *source = lv_builder_source(b);
    check(source != NULL);
    lv_status second =
        lv_model_parse(&again, "again", source, strlen(source), NULL, 0, &err);
    check(second == status);
    lv_model_free(model);
    lv_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    lv_builder *b = lv_builder_create("fuzz");
    check(text && b);
    memcpy(text, data, size);
    text[size] = '\0';
    lv_memory_set_budget((size_t)64 << 20);
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        call_line(b, line);
        line = end ? end + 1 : NULL;
    }
    build(b);
    lv_builder_free(b);
    free(text);
    return 0;
}
