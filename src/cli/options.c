#include "cli/options.h"

#include "cli/error.h"

#include <stdio.h>

static const char *const names_on_line[] = {
#define LV_X(id, name, on_line, kind, least, most, argument, doc) on_line,
    LV_OPTION_LIST(LV_X)
#undef LV_X
};

const char *cli_option_on_line(int k)
{
    return names_on_line[k];
}

void cli_option_values(char *buffer, size_t size, const lv_option_info *info)
{
    switch (info->kind) {
    case LV_OPTION_IS_WHOLE:
    case LV_OPTION_IS_NUMBER:
        snprintf(buffer, size, "a %s from %g to %g",
                 info->kind == LV_OPTION_IS_WHOLE ? "whole number" : "number",
                 info->least, info->most);
        break;
    case LV_OPTION_IS_FLAG:
        snprintf(buffer, size, "true or false");
        break;
    case LV_OPTION_IS_CHOICE:
        cli_list_words(buffer, size, info->choices);
        break;
    }
}

lv_status cli_options_read(lv_scheme_options *options, const cli_args *args,
                           lv_error *err)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        const char *text = cli_args_value(args, names_on_line[k]);
        char wanted[200];
        double value = 1; /* value of a flag without a value */
        if (!cli_args_flag(args, names_on_line[k]))
            continue;
        if (text && !lv_option_parse((lv_option)k, text, &value)) {
            cli_option_values(wanted, sizeof wanted, &info);
            return cli_fail(err, LV_ERR_USAGE, "--%s wants %s, this is '%s'",
                            names_on_line[k], wanted, text);
        }
        lv_scheme_option_set(options, (lv_option)k, value);
    }
    return LV_OK;
}

/* ---- reports -------------------------------------------------------------------------------- */

/* 0 means that no number of stages or order is given. */
static void put_count(cli_json *json, const lv_scheme_options *options, lv_option option,
                      const char *name)
{
    double value = lv_scheme_option(options, option, 0);
    cli_json_key(json, name);
    if (value > 0)
        cli_json_whole(json, (long long)value);
    else
        cli_json_null(json);
}

static void put_value(cli_json *json, const lv_option_info *info, double value)
{
    switch (info->kind) {
    case LV_OPTION_IS_WHOLE:
        cli_json_put_whole(json, info->name, (long long)value);
        break;
    case LV_OPTION_IS_NUMBER:
        cli_json_put_number(json, info->name, value);
        break;
    case LV_OPTION_IS_FLAG:
        cli_json_put_bool(json, info->name, value != 0);
        break;
    case LV_OPTION_IS_CHOICE:
        cli_json_put_text(json, info->name, info->choices[(int)value]);
        break;
    }
}

void cli_options_put(cli_json *json, const lv_scheme_options *options)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (k == LV_OPTION_STAGES || k == LV_OPTION_COMPOSE)
            put_count(json, options, (lv_option)k, info.name);
        else if (lv_scheme_option_given(options, (lv_option)k))
            put_value(json, &info, options->value[k]);
}

void cli_options_add(cli_line *line, const lv_scheme_options *options)
{
    lv_option_info info;
    for (int k = 0; lv_option_describe(k, &info); k++) {
        char text[80];
        if (k == LV_OPTION_STAGES || k == LV_OPTION_COMPOSE ||
            !lv_scheme_option_given(options, (lv_option)k))
            continue;
        if (info.kind == LV_OPTION_IS_FLAG && options->value[k] == 0)
            continue; /* as if it were not given */
        if (info.kind == LV_OPTION_IS_FLAG)
            cli_line_add(line, ", %s", info.name);
        else
            cli_line_add(
                line, ", %s %s", info.name,
                lv_option_format((lv_option)k, options->value[k], text, sizeof text));
    }
}
