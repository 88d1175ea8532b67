/* Is what a scheme promises true here, and which scheme should it be? */
#include "must.h"

static void verify(const lv_model *model)
{
    lv_error err;
    lv_certificate *c = NULL;
    lv_verify_request request = lv_verify_request_default(model);
    lv_run_request_change(&request.run,
                          &(lv_run_changes){.scheme = "em", .step = 0.01, .until = 0.5});
    must(lv_verify(&c, model, &request, &err), &err);
    for (int k = 0; k < c->count; k++)
        printf("  %s: %s\n", lv_property_name(c->findings[k].property),
               lv_finding_verdict_name(c->findings[k].verdict));
    lv_certificate_free(c);
}

static void study(const lv_model *model)
{
    const lv_study_choice choices[] = {{.scheme = "rattle"}, {.scheme = "em"}};
    const double steps[] = {0.02, 0.01, 0.005};
    lv_error err;
    lv_study *s = NULL;
    lv_study_request request = lv_study_request_default(model);
    lv_run_request_change(&request.run, &(lv_run_changes){.step = 0.01, .until = 0.5});
    request.choices = choices;
    request.choice_count = 2;
    request.steps = steps;
    request.step_count = 3;
    must(lv_study_make(&s, model, &request, &err), &err);
    for (int k = 0; k < s->method_count; k++)
        printf("  %s: order %.2f\n", s->methods[k].label, s->methods[k].observed);
    lv_study_free(s);
}

int main(void)
{
    lv_model *model = shipped("pendulum3d");
    verify(model);
    study(model);
    lv_model_free(model);
    return 0;
}
