#include "cli/args.h"
#include "cli/error.h"
#include "cli/json.h"
#include "cli/nearest.h"
#include "cli/parts.h"
#include "cli/schemes.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

enum { FIELDS = 3, FIELD_SIZE = 2000 };

typedef struct entry {
    char fields[FIELDS][FIELD_SIZE];
} entry;

/* A list: either of texts, or with functions that write it. */
typedef struct list {
    const char *name;
    const char *doc;
    const char *keys[FIELDS];   /* keys of the fields in JSON */
    int text_field;             /* field that is shown beside the term in text */
    const char *(*term)(int k); /* NULL beyond the last */
    void (*fill)(int k, entry *e);
    void (*write_text)(void);
    void (*write_json)(cli_json *json); /* writes the items of an array */
} list;

static void set(entry *e, int field, const char *text)
{
    snprintf(e->fields[field], FIELD_SIZE, "%s", text ? text : "");
}

static const char *function_term(int k)
{
    lv_function_info info;
    return lv_function_describe(k, &info) ? info.signature : NULL;
}

static void fill_function(int k, entry *e)
{
    lv_function_info info = {.name = "", .signature = "", .doc = ""};
    (void)lv_function_describe(k, &info);
    set(e, 0, info.name);
    set(e, 1, info.signature);
    set(e, 2, info.doc);
}

static const char *model_term(int k)
{
    return lv_shipped_names()[k];
}

static void fill_model(int k, entry *e)
{
    const char *name = lv_shipped_names()[k], *text = lv_shipped_text(name);
    lv_model *model = NULL;
    set(e, 0, name);
    set(e, 1, "");
    set(e, 2, "");
    if (lv_model_parse(&model, name, text, strlen(text), NULL, 0, NULL) == LV_OK) {
        set(e, 1, lv_model_title(model));
        set(e, 2, lv_model_description(model));
    }
    lv_model_free(model);
}

static const list lists[] = {
    {.name = "schemes",
     .doc = "how to integrate: orders, and what each scheme keeps",
     .write_text = cli_schemes_write_text,
     .write_json = cli_schemes_write_json},
    {.name = "parts",
     .doc = "what models are built from: particles, springs, ...",
     .write_text = cli_parts_write_text,
     .write_json = cli_parts_write_json},
    {.name = "models",
     .doc = "the models that come with livens",
     .keys = {"name", "title", "description"},
     .text_field = 1,
     .term = model_term,
     .fill = fill_model},
    {.name = "functions",
     .doc = "the functions of the formula language",
     .keys = {"name", "signature", "doc"},
     .text_field = 2,
     .term = function_term,
     .fill = fill_function},
};

enum { LIST_COUNT = sizeof lists / sizeof lists[0] };

static void write_text(const list *what)
{
    int width = 0;
    for (int k = 0; what->term(k); k++)
        if (cli_columns(what->term(k)) > width)
            width = cli_columns(what->term(k));
    for (int k = 0; what->term(k); k++) {
        entry e;
        what->fill(k, &e);
        cli_put_padded(stdout, what->term(k), width + 2);
        cli_put_wrapped(stdout, e.fields[what->text_field], width + 2, width + 2);
    }
}

static void write_json_entry(cli_json *json, const list *what, int k)
{
    entry e;
    what->fill(k, &e);
    cli_json_open(json, '{');
    for (int field = 0; field < FIELDS && what->keys[field]; field++)
        cli_json_put_text(json, what->keys[field], e.fields[field]);
    cli_json_close(json, '}');
}

static void write_json(const list *what)
{
    cli_json json = {.out = stdout};
    cli_json_open(&json, '{');
    cli_json_put_text(&json, "status", lv_status_name(LV_OK));
    cli_json_key(&json, what->name);
    cli_json_open(&json, '[');
    if (what->write_json)
        what->write_json(&json);
    for (int k = 0; what->term && what->term(k); k++)
        write_json_entry(&json, what, k);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

static lv_status fail_unknown(const char *name, lv_error *err)
{
    cli_nearest nearest = {.word = name};
    for (int k = 0; k < LIST_COUNT; k++)
        cli_nearest_offer(&nearest, lists[k].name);
    lv_status status = cli_fail(err, LV_ERR_USAGE, "there is no list of '%s'", name);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err, "there are lists of schemes, parts, models and functions");
    return status;
}

/* The list of all lists. */
static const char *list_term(int k)
{
    return k < LIST_COUNT ? lists[k].name : NULL;
}

static void fill_list(int k, entry *e)
{
    set(e, 0, lists[k].name);
    set(e, 1, lists[k].doc);
    set(e, 2, "");
}

static const list list_of_lists = {.name = "lists",
                                   .keys = {"name", "doc", NULL},
                                   .text_field = 1,
                                   .term = list_term,
                                   .fill = fill_list};

static lv_status run(const cli_args *args, cli_outcome *outcome)
{
    lv_error *err = &outcome->error;
    const list *what = args->count == 0 ? &list_of_lists : NULL;
    for (int k = 0; k < LIST_COUNT && args->count > 0; k++)
        if (strcmp(lists[k].name, args->items[0]) == 0)
            what = &lists[k];
    if (!what)
        return fail_unknown(args->items[0], err);
    if (cli_args_flag(args, "json"))
        write_json(what);
    else if (what->write_text)
        what->write_text();
    else
        write_text(what);
    return LV_OK;
}

static const cli_argument arguments[] = {
    {"schemes|parts|models|functions", true,
     "what to list; without it, what can be listed: the integration schemes and what "
     "they keep, the parts that models are built from, "
     "the models that come with livens, or the functions of the formula language"},
    {NULL, false, NULL},
};

static const cli_option options[] = {
    {"json", 0, false, NULL, "write one JSON object"},
    {NULL, 0, false, NULL, NULL},
};

static const cli_example examples[] = {
    {"livens list", "what can be listed"},
    {"livens list schemes", "orders, and what each scheme keeps"},
    {"livens list parts", "particles, springs, ..."},
    {"livens list models", "the shipped models and their titles"},
    {"livens list functions --json", "the functions, for a program"},
    {NULL, NULL},
};

const cli_command cli_command_list = {
    .name = "list",
    .summary = "list schemes, parts, shipped models or functions",
    .about = "A shipped model can be named wherever a command takes a MODEL.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
