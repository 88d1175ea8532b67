#include "cli/equations.h"

#include "cli/load.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* Takes ownership of the text. */
static void put_text(const cli_page *page, char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    cli_page_code(page, "", text);
    lv_equations_free(text);
}

void cli_equations_put(const cli_page *page, const char *scheme)
{
    char *text = NULL;
    if (lv_scheme_equations(&text, scheme, NULL, NULL) == LV_OK)
        put_text(page, text);
}

void cli_equations_legend(const cli_page *page)
{
    static const cli_row rows[] = {
        {"carried q point, ...", "vectors that go from step to step, with their kinds"},
        {"unknown V[i] tangent", "vectors that are solved for, one for every stage i"},
        {"let A = ...",
         "a definition; h is the step, an index that is not on the left is "
         "summed over"},
        {"point Q at c = ...", "a position at the time t + c h"},
        {"eq V: ...", "what has to be 0, as many equations as V has numbers"},
        {"eq m once: ...", "asked once where steps are composed"},
        {"call a tangent = f(...)",
         "what a function of the scheme makes of other vectors"},
        {"assign q <- ...", "the value at the end of the step; s[i] <- ... of a family"},
        {"first p <- ...", "the value before the first step"},
        {"show Q[i], ...", "what dense output and stages are made of"},
        {"when FACT: ...", "counts if the system, or an option, is of this kind"},
        {"... for i = 2..s", "for these members only"},
    };
    cli_page_text(page,
                  "The equations of a step are what the program reads and solves. "
                  "`livens explain NAME --equations --model MODEL` shows what it derives "
                  "from them for a model, with the options of the scheme.");
    cli_page_rows(page, "statement", "meaning", rows, sizeof rows / sizeof *rows);
}

const char *cli_equations_option(const cli_args *args)
{
    for (int k = 0; k < args->given_count; k++)
        if (strcmp(args->given[k].option->name, "equations") != 0)
            return args->given[k].option->name;
    return NULL;
}

static lv_status derive(char **text, const lv_model *model, const char *scheme,
                        const lv_scheme_options *options, lv_error *err)
{
    static const double any_step = 0.01; /* equations do not depend on it */
    lv_sim_options wanted = lv_sim_options_default(model);
    lv_sim *sim = NULL;
    wanted.scheme = scheme;
    wanted.options = *options;
    if (!(wanted.step > 0))
        wanted.step = any_step;
    lv_status status = lv_sim_create(&sim, model, &wanted, err);
    if (status == LV_OK)
        status = lv_sim_equations(text, sim, err);
    lv_sim_free(sim);
    return status;
}

static lv_status derive_for(char **text, const char *name, const char *scheme,
                            const lv_scheme_options *options, const cli_args *args,
                            lv_error *err)
{
    lv_model *model = NULL;
    lv_status status = cli_model_load_named(&model, name, args, err);
    if (status == LV_OK)
        status = derive(text, model, scheme, options, err);
    lv_model_free(model);
    return status;
}

lv_status cli_equations_explain(const cli_page *page, const char *scheme,
                                const cli_args *args, lv_error *err)
{
    const char *name = cli_args_value(args, "model");
    lv_scheme_options options = {0};
    char *text = NULL, *derived = NULL, title[200];
    lv_status status = cli_options_read(&options, args, err);
    if (status == LV_OK)
        status = lv_scheme_equations(&text, scheme, &options, err);
    if (status == LV_OK && name)
        status = derive_for(&derived, name, scheme, &options, args, err);
    if (status != LV_OK) {
        lv_equations_free(text);
        return status;
    }
    snprintf(title, sizeof title, "%s: the equations of a step", scheme);
    cli_page_title(page, title);
    put_text(page, text);
    if (!derived)
        return LV_OK;
    snprintf(title, sizeof title, "what follows for %s", name);
    cli_page_heading(page, 2, title);
    put_text(page, derived);
    return LV_OK;
}
