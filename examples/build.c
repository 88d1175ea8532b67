/* Builds a model in code: a chain of N masses on springs, then prints its lowest energies.
 *
 *     cc build.c $(pkg-config --cflags --libs livens) -o build && ./build */
#include <livens/livens.h>

#include <stdio.h>

static int complain(const lv_error *err)
{
    char text[4096];
    lv_error_write(err, text, sizeof text);
    fputs(text, stderr);
    return lv_status_exit_code(err->code);
}

static lv_status make_model(lv_model **model, int masses, lv_error *err)
{
    lv_builder *b = lv_builder_create("masses on springs");
    *model = NULL;
    if (!b)
        return LV_ERR_MEMORY;
    lv_builder_number(b, "parameters", NULL, "N", masses);
    lv_builder_number(b, "parameters", NULL, "k", 4.0);
    lv_builder_text(b, "coordinates", "x", "count", "N");
    lv_builder_text(b, "coordinates", "x", "value", "sin(pi*i/(N + 1))/10");
    lv_builder_text(b, "energy", "masses", "for", "i = 1..N");
    lv_builder_text(b, "energy", "masses", "kinetic", "x_i'^2/2");
    lv_builder_text(b, "energy", "springs", "for", "i = 2..N");
    lv_builder_text(b, "energy", "springs", "potential", "k/2*(x_i - x_{i-1})^2");
    lv_builder_text(b, "energy", "ends", "potential", "k/2*(x_1^2 + x_N^2)");
    lv_status status = lv_builder_model(model, b, err);
    lv_builder_free(b);
    return status;
}

int main(void)
{
    lv_error err = {0};
    lv_model *model = NULL;
    lv_sim *sim = NULL;
    int code = 0;

    if (make_model(&model, 8, &err) != LV_OK)
        return complain(&err);
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "verlet";
    options.step = 0.05;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK ||
        lv_sim_advance(sim, 20, &err) != LV_OK)
        code = complain(&err);
    for (int k = 0; code == 0 && k < lv_model_coordinate_count(model); k++) {
        char name[64];
        printf("%s = %9.6f\n", lv_model_coordinate_name(model, k, name, sizeof name),
               lv_sim_position(sim)[k]);
    }
    lv_sim_free(sim);
    lv_model_free(model);
    return code;
}
