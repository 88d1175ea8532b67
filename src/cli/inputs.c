#include "cli/inputs.h"

#include "cli/error.h"

#include <stdlib.h>
#include <string.h>

void cli_inputs_done(cli_inputs *inputs)
{
    for (int k = 0; k < 2 * inputs->count; k++)
        free(inputs->texts[k]);
    free(inputs->texts);
    free(inputs->tables);
    *inputs = (cli_inputs){0};
}

/* Whether the text is a number, or a list of numbers separated by commas. */
static bool is_numbers(const char *text)
{
    while (*text) {
        char *end = NULL;
        (void)strtod(text, &end);
        if (end == text || (*end != '\0' && *end != ','))
            return false;
        text = *end == ',' ? end + 1 : end;
        if (*end == ',' && *text == '\0')
            return false;
    }
    return true;
}

/* Removes ":linear" or ":held" from the name of a file. */
static lv_table_kind cut_kind(char *path)
{
    static const char *const words[] = {":held", ":linear"};
    for (int k = 0; k < 2; k++) {
        const size_t length = strlen(path), word = strlen(words[k]);
        if (length > word && strcmp(path + length - word, words[k]) == 0) {
            path[length - word] = '\0';
            return (lv_table_kind)k;
        }
    }
    return LV_TABLE_HELD;
}

static lv_status refuse(const char *text, lv_error *err)
{
    lv_status status =
        cli_fail(err, LV_ERR_USAGE,
                 "--input wants NAME=FILE.csv or NAME=NUMBER, this is '%s'", text);
    cli_hint(err, "for example --input u=u.csv, --input u=u.csv:linear or --input u=0.5");
    return status;
}

/* A number applies from the beginning on: its table is "0,NUMBER". */
static char *table_of_numbers(const char *numbers)
{
    const size_t size = strlen(numbers) + 3;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "0,%s", numbers);
    return text;
}

static lv_status add_input(cli_inputs *all, const char *text, lv_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0')
        return refuse(text, err);
    const bool numbers = is_numbers(equals + 1);
    char *name = strndup(text, (size_t)(equals - text));
    char *value = numbers ? table_of_numbers(equals + 1) : strdup(equals + 1);
    char **texts = all->texts + (ptrdiff_t)2 * all->count;
    texts[0] = name;
    texts[1] = value;
    lv_input_table *table = &all->tables[all->count++];
    if (!name || !value)
        return cli_fail_memory(err);
    *table = (lv_input_table){.input = name};
    if (!numbers)
        table->kind = cut_kind(value);
    table->path = numbers ? "--input" : value;
    table->text = numbers ? value : NULL;
    return LV_OK;
}

lv_status cli_inputs_read(cli_inputs *inputs, const cli_args *args, lv_error *err)
{
    const size_t most = (size_t)args->given_count + 1;
    *inputs = (cli_inputs){.texts = calloc(2 * most, sizeof *inputs->texts),
                           .tables = calloc(most, sizeof *inputs->tables)};
    if (!inputs->texts || !inputs->tables)
        return cli_fail_memory(err);
    for (int k = 0; k < args->given_count; k++)
        if (strcmp(args->given[k].option->name, "input") == 0)
            CLI_TRY(add_input(inputs, args->given[k].value, err));
    return LV_OK;
}
