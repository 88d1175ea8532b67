/* Schemes and their options: what there is, what they promise, how a step is computed. */
#include "must.h"

/* Every option by name, and what it takes. */
static void show_options(void)
{
    lv_option_info option;
    for (int k = 0; lv_option_describe(k, &option); k++)
        printf("  %s: %s\n", option.name, option.doc);
}

/* An option as a text, as a user writes it. */
static lv_scheme_options from_texts(void)
{
    lv_scheme_options options = {0};
    double value = 0;
    char text[40];
    if (lv_option_parse(LV_OPTION_STAGES, "3", &value))
        lv_scheme_option_set(&options, LV_OPTION_STAGES, value);
    printf("stages are %s: %s, rotations %s\n",
           lv_scheme_option_given(&options, LV_OPTION_STAGES) ? "given" : "not given",
           lv_option_format(LV_OPTION_STAGES,
                            lv_scheme_option(&options, LV_OPTION_STAGES, 2), text,
                            sizeof text),
           lv_scheme_option_given(&options, LV_OPTION_ROTATIONS) ? "given" : "not given");
    return options;
}

int main(void)
{
    lv_error err;
    lv_scheme_info info;
    lv_claims claims;
    lv_coefficients *table = NULL;
    char *equations = NULL;
    show_options();
    lv_scheme_options options = from_texts(), complete;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        printf("  %s: %s\n", info.name, info.summary);

    must(lv_scheme_claims(&claims, "lobatto", &options, &err), &err);
    printf("lobatto with 3 stages: %s %d, %ssymplectic, %s %s\n",
           lv_property_name(LV_PROPERTY_ORDER), claims.order,
           claims.symplectic ? "" : "not ", lv_property_name(LV_PROPERTY_MOMENTUM),
           claims.momentum == LV_KEPT_EXACT ? "exact" : "not exact");
    must(lv_scheme_complete(&complete, "lobatto", &options, &err), &err);
    must(lv_scheme_coefficients(&table, "lobatto", &options, &err), &err);
    printf("the second of %d nodes is at %g\n", table->stages, table->c[1]);
    must(lv_scheme_equations(&equations, "lobatto", &complete, &err), &err);
    fputs(equations, stdout);
    lv_equations_free(equations);
    lv_coefficients_free(table);
    return 0;
}
