/* A model from code: whatever a file may say. */
#include "must.h"

int main(void)
{
    static const double start[] = {1, 0};
    static const char *const generator[] = {"-x[2]", "x[1]"};
    lv_error err;
    lv_model *model = NULL;
    lv_builder *b = lv_builder_create("planet");
    lv_builder_number(b, "parameters", NULL, "mu", 1);
    lv_builder_numbers(b, "coordinates", "x", "value", start, 2);
    lv_builder_texts(b, "coordinates", "x", "velocity",
                     (const char *const[]){"0", "sqrt(mu)"}, 2);
    lv_builder_text(b, "energy", NULL, "kinetic", "norm2(x')/2");
    lv_builder_text(b, "energy", NULL, "potential", "-mu/norm(x)");
    lv_builder_text(b, "symmetries", "L", "on", "x");
    lv_builder_texts(b, "symmetries", "L", "generator", generator, 2);
    lv_builder_text(b, "run", NULL, "scheme", "vi-b2");
    lv_builder_flag(b, "run", NULL, "projection", true);
    printf("%s\n", lv_builder_source(b)); /* the same as a file */
    must(lv_builder_model(&model, b, &err), &err);
    lv_builder_free(b);
    lv_model_free(model);
    return 0;
}
