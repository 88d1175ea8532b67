#include "cli/error.h"
#include "cli/names.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/study.h"

#include <stdlib.h>
#include <string.h>

static lv_status fail_option(const char *scheme, const char *name, lv_error *err)
{
    lv_option_info info;
    cli_nearest nearest = {.word = name};
    for (int k = 0; lv_option_describe(k, &info); k++)
        cli_nearest_offer(&nearest, info.name);
    const lv_status status =
        cli_fail(err, LV_ERR_USAGE, "schemes have no option '%s', which stands at '%s'",
                 name, scheme);
    if (cli_nearest_result(&nearest))
        cli_hint(err, "did you mean '%s'?", cli_nearest_result(&nearest));
    else
        cli_hint(err, "'livens explain %s' shows its options", scheme);
    return status;
}

/* Reads "stages=3"; a flag needs no value. */
static lv_status read_option(lv_study_choice *choice, char *text, lv_error *err)
{
    char *equals = strchr(text, '='), wanted[200];
    lv_option_info info;
    if (equals)
        *equals = '\0';
    for (int k = 0; lv_option_describe(k, &info); k++) {
        double value = 1;
        const bool flag = info.kind == LV_OPTION_IS_FLAG && !equals;
        if (strcmp(info.name, text) != 0)
            continue;
        if (!flag && !(equals && lv_option_parse((lv_option)k, equals + 1, &value))) {
            cli_option_values(wanted, sizeof wanted, &info);
            return cli_fail(err, LV_ERR_USAGE, "%s:%s wants %s%s%s%s", choice->scheme,
                            text, wanted, equals ? ", this is '" : "",
                            equals ? equals + 1 : "", equals ? "'" : "");
        }
        lv_scheme_option_set(&choice->options, (lv_option)k, value);
        return LV_OK;
    }
    return fail_option(choice->scheme, text, err);
}

/* Splits the text at its colons. */
static lv_status read_choice(lv_study_choice *choice, char *text, lv_error *err)
{
    char *colon = strchr(text, ':');
    choice->scheme = text;
    if (!text[0] || text == colon) {
        const lv_status status =
            cli_fail(err, LV_ERR_USAGE, "--schemes has a name that is empty");
        cli_hint(err, "for example --schemes rattle,lobatto:stages=4");
        return status;
    }
    while (colon) {
        char *option = colon + 1;
        *colon = '\0';
        colon = strchr(option, ':');
        if (colon)
            *colon = '\0';
        CLI_TRY(read_option(choice, option, err));
    }
    return LV_OK;
}

lv_status cli_choices_read(cli_choices *c, const char *text, lv_error *err)
{
    cli_names names = {0};
    *c = (cli_choices){0};
    if (!text)
        return LV_OK;
    lv_status status = cli_names_split(&names, text, err);
    c->list = calloc((size_t)names.count + 1, sizeof *c->list);
    c->names = calloc((size_t)names.count + 1, sizeof *c->names);
    if (status == LV_OK && (!c->list || !c->names))
        status = cli_fail_memory(err);
    for (int k = 0; k < names.count && status == LV_OK; k++) {
        c->names[k] = strdup(names.list[k]);
        c->count++;
        status = c->names[k] ? read_choice(&c->list[k], c->names[k], err)
                             : cli_fail_memory(err);
    }
    cli_names_done(&names);
    return status;
}

void cli_choices_done(cli_choices *c)
{
    for (int k = 0; k < c->count; k++)
        free(c->names[k]);
    free(c->names);
    free(c->list);
}
