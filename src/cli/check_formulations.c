#include "cli/check.h"
#include "cli/report.h"

#include <string.h>

static bool is_taken(const cli_formulation *f)
{
    for (int k = 0; k < CLI_SCHEMES_MAX; k++)
        if (f->fits[k])
            return true;
    return false;
}

/* Asks about all values of an option but the first, which is the default. */
static lv_status ask_about(cli_check *check, lv_inspection *facts, lv_option option,
                           lv_error *err)
{
    lv_option_info info;
    lv_status status = LV_OK;
    if (!lv_option_describe((int)option, &info))
        return LV_OK;
    for (int k = 1; info.choices[k] && status == LV_OK &&
                    check->formulation_count < CLI_FORMULATIONS_MAX;
         k++) {
        cli_formulation *f = &check->formulations[check->formulation_count];
        lv_scheme_options options = {0};
        lv_scheme_option_set(&options, option, k);
        *f = (cli_formulation){.option = option, .choice = k};
        status =
            lv_inspection_fitting_schemes(facts, &options, f->fits, CLI_SCHEMES_MAX, err);
        check->formulation_count += status == LV_OK && is_taken(f);
    }
    return status;
}

lv_status cli_check_ask_formulations(cli_check *check, lv_inspection *facts,
                                     lv_error *err)
{
    lv_status status = ask_about(check, facts, LV_OPTION_ROTATIONS, err);
    return status == LV_OK ? ask_about(check, facts, LV_OPTION_POSES, err) : status;
}

/* Whether two values of one option suit the same schemes. */
static bool is_alike(const cli_formulation *a, const cli_formulation *b)
{
    return a->option == b->option && memcmp(a->fits, b->fits, sizeof a->fits) == 0;
}

/* Writes "rotations exp or cay: rattle, verlet"; returns the number of formulations in
 * it. */
static int write_alike(const cli_formulation *f, int count)
{
    cli_line l = {.length = 0};
    lv_option_info option;
    lv_scheme_info info;
    int alike = 0;
    if (!lv_option_describe((int)f->option, &option))
        return 1;
    for (; alike < count && is_alike(f, &f[alike]); alike++)
        cli_line_add(&l, "%s%s", alike > 0 ? " or " : "",
                     option.choices[f[alike].choice]);
    const char *before = ":";
    for (int k = 0; k < CLI_SCHEMES_MAX && lv_scheme_describe(k, &info); k++)
        if (f->fits[k]) {
            cli_line_add(&l, "%s %s", before, info.name);
            before = ",";
        }
    printf("  with %s ", option.name);
    cli_put_wrapped(stdout, l.text, (int)strlen(option.name) + 8, 4);
    return alike;
}

void cli_check_write_formulations(const cli_check *check)
{
    for (int k = 0; k < check->formulation_count;)
        k += write_alike(&check->formulations[k], check->formulation_count - k);
}

void cli_check_put_formulations(cli_json *j, const cli_check *check)
{
    lv_option_info option;
    lv_scheme_info info;
    cli_json_key(j, "formulations");
    cli_json_open(j, '[');
    for (int i = 0; i < check->formulation_count; i++) {
        const cli_formulation *f = &check->formulations[i];
        if (!lv_option_describe((int)f->option, &option))
            continue;
        cli_json_open(j, '{');
        cli_json_put_text(j, option.name, option.choices[f->choice]);
        cli_json_key(j, "schemes");
        cli_json_open(j, '[');
        for (int k = 0; k < CLI_SCHEMES_MAX && lv_scheme_describe(k, &info); k++)
            if (f->fits[k])
                cli_json_text(j, info.name);
        cli_json_close(j, ']');
        cli_json_close(j, '}');
    }
    cli_json_close(j, ']');
}
