#include "cli/load.h"

#include "cli/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The library accepts less; this only limits the memory for an endless pipe. */
static const size_t input_most = (size_t)256 << 20;

typedef struct settings {
    int count;
    lv_setting *items;
} settings;

static void settings_done(settings *s)
{
    for (int k = 0; k < s->count; k++) {
        /* lv_setting has constant texts, but these names were allocated here */
        char *name = NULL;
        memcpy(&name, &s->items[k].name, sizeof name);
        free(name);
    }
    free(s->items);
}

/* Adds the setting "NAME=VALUE"; the name is copied, the value points into the text. */
static lv_status settings_add(settings *s, const char *text, lv_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        lv_status status =
            cli_fail(err, LV_ERR_USAGE, "--set wants NAME=VALUE, this is '%s'", text);
        cli_hint(err, "for example --set N=100 or --set \"w=2*pi\"");
        return status;
    }
    char *name = strndup(text, (size_t)(equals - text));
    if (!name)
        return cli_fail(err, LV_ERR_MEMORY, "out of memory");
    s->items[s->count++] = (lv_setting){name, equals + 1};
    return LV_OK;
}

static lv_status settings_collect(settings *s, const cli_args *args, lv_error *err)
{
    s->items = calloc((size_t)args->given_count + 1, sizeof *s->items);
    if (!s->items)
        return cli_fail(err, LV_ERR_MEMORY, "out of memory");
    lv_status status = LV_OK;
    for (int k = 0; k < args->given_count && status == LV_OK; k++)
        if (strcmp(args->given[k].option->name, "set") == 0)
            status = settings_add(s, args->given[k].value, err);
    return status;
}

/* Reads all of stdin; the caller frees *text, also after a failure. */
static lv_status read_input(char **text, size_t *size, lv_error *err)
{
    size_t room = 0;
    while (!feof(stdin)) {
        if (*size == room) {
            room = room ? 2 * room : (size_t)1 << 16;
            char *larger = room <= input_most ? realloc(*text, room) : NULL;
            if (!larger)
                return cli_fail(err, room <= input_most ? LV_ERR_MEMORY : LV_ERR_LIMIT,
                                "standard input is too long");
            *text = larger;
        }
        *size += fread(*text + *size, 1, room - *size, stdin);
        if (ferror(stdin))
            return cli_fail(err, LV_ERR_IO, "standard input cannot be read: %s",
                            strerror(errno));
    }
    return LV_OK;
}

static lv_status load_input(lv_model **model, const settings *s, lv_error *err)
{
    char *text = NULL;
    size_t size = 0;
    lv_status status = read_input(&text, &size, err);
    if (status == LV_OK)
        status = lv_model_parse(model, "stdin", text, size, s->items, s->count, err);
    free(text);
    return status;
}

lv_status cli_model_parse(lv_model **model, const char *name, const char *text,
                          size_t size, const cli_args *args, lv_error *err)
{
    *model = NULL;
    settings s = {0};
    lv_status status = settings_collect(&s, args, err);
    if (status == LV_OK)
        status = lv_model_parse(model, name, text, size, s.items, s.count, err);
    settings_done(&s);
    return status;
}

lv_status cli_model_load(lv_model **model, const cli_args *args, lv_error *err)
{
    return cli_model_load_named(model, args->items[0], args, err);
}

lv_status cli_model_load_named(lv_model **model, const char *name, const cli_args *args,
                               lv_error *err)
{
    *model = NULL;
    settings s = {0};
    lv_status status = settings_collect(&s, args, err);
    if (status == LV_OK && strcmp(name, "-") == 0)
        status = load_input(model, &s, err);
    else if (status == LV_OK)
        status = lv_model_read(model, name, s.items, s.count, err);
    settings_done(&s);
    return status;
}

lv_status cli_model_use(const cli_args *args, cli_outcome *outcome,
                        lv_status (*use)(const lv_model *model, const cli_args *args,
                                         cli_outcome *outcome))
{
    lv_model *model = NULL;
    lv_status status = cli_model_load(&model, args, &outcome->error);
    if (status == LV_OK)
        status = use(model, args, outcome);
    lv_model_free(model);
    return status;
}

const char *cli_model_file(const cli_args *args)
{
    return strcmp(args->items[0], "-") == 0 ? "stdin" : args->items[0];
}
