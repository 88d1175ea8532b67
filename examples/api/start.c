/* Before a simulation: its start, and which schemes take the model. */
#include "must.h"

enum { MOST = 64 };

/* A start that violates a constraint is moved onto it. */
static void show_start(void)
{
    static const char text[] = "[bodies.rod]\nmass = 1\ninertia = 0.1\n"
                               "position = [1.1, 0]\n"
                               "[constraints.reach]\nholonomic = \"norm2(rod) - 1\"\n";
    double q[MOST], v[MOST];
    char moved[200];
    lv_error err;
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    lv_start_change change;
    must(lv_model_parse(&model, "rod", text, sizeof text - 1, NULL, 0, &err), &err);
    if (lv_model_start(model, LV_INITIAL_CHECK, q, v, &change, &err) != LV_OK)
        printf("as it stands: %s\n", err.text);
    must(lv_model_start(model, LV_INITIAL_PROJECT, q, v, &change, &err), &err);
    for (int k = 0; k < change.moved && k < LV_BODY_CHANGES; k++)
        printf("moved: %s\n",
               lv_body_change_text(&change.bodies[k], moved, sizeof moved));
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "em";
    options.step = 0.01;
    options.initial = LV_INITIAL_PROJECT;
    must(lv_sim_create(&sim, model, &options, &err), &err);
    printf("the simulation's was %s\n",
           lv_sim_start_change(sim).projected ? "moved" : "right");
    lv_sim_free(sim);
    lv_model_free(model);
}

static int schemes(void)
{
    lv_scheme_info info;
    int count = 0;
    while (lv_scheme_describe(count, &info))
        count++;
    return count;
}

/* Which schemes take a model, and which momentum maps they keep. */
static void show_schemes(const lv_model *model)
{
    const lv_scheme_options none = {0};
    const int count = schemes();
    bool fits[MOST], kept[MOST * MOST];
    lv_error err;
    lv_inspection *at = NULL;
    lv_probe_info probe;
    must(lv_model_inspect(&at, model, &err), &err);
    must(lv_model_fitting_schemes(model, fits, count, &err), &err);
    must(lv_model_survey_schemes(model, fits, count, kept, at->momentum_count, &err),
         &err);
    /* The same of a model that was inspected takes less time. */
    must(lv_inspection_survey_schemes(at, fits, count, kept, &err), &err);
    must(lv_inspection_fitting_schemes(at, &none, fits, count, &err), &err);
    must(lv_inspection_probe(at, &probe, &err), &err);
    for (int k = 0; k < count; k++) {
        lv_scheme_info info;
        (void)lv_scheme_describe(k, &info);
        printf("  %s %s\n", info.name, fits[k] ? "takes it" : "does not");
    }
    printf("a step of %g would resolve its motion\n", probe.step);
    must(lv_model_kept_momenta(model, "em", &none, kept, at->momentum_count, &err), &err);
    for (int k = 0; k < at->momentum_count; k++)
        printf("  em %s %s\n", kept[k] ? "keeps" : "changes", at->momenta[k].name);
    lv_inspection_free(at);
}

int main(void)
{
    lv_error err;
    lv_claims claims;
    lv_model *model = shipped("four-particles");
    show_start();
    /* What the model itself wishes in [run]. */
    must(lv_model_try_scheme(model, &err), &err);
    must(lv_model_claims(&claims, model, &err), &err);
    printf("its own scheme has order %d\n", claims.order);
    show_schemes(model);
    lv_model_free(model);
    return 0;
}
