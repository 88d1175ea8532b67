/* What a model is, before any time passes. */
#include "must.h"

int main(void)
{
    lv_error err;
    lv_inspection *at = NULL;
    lv_group_info group;
    lv_model *model = shipped("slider-crank");
    must(lv_model_inspect(&at, model, &err), &err);
    printf("%d coordinates, %d holonomic constraints, %d degrees of freedom\n",
           at->coordinates, at->holonomic, at->freedom);
    printf("the mass matrix is %s, the energy %g\n", lv_mass_kind_name(at->mass),
           at->energy);
    for (int k = 0; k < at->mechanism.element_count; k++)
        printf("  %s %s\n", at->mechanism.elements[k].kind,
               at->mechanism.elements[k].name);
    for (int k = 0; lv_group_describe(model, k, &group); k++)
        printf("  coordinate %s of length %d%s\n", group.name, group.length,
               group.is_inner ? ", of a body" : "");
    lv_inspection_free(at);
    lv_model_free(model);
    return 0;
}
