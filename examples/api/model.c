/* A model and what it has: coordinates, constraints, inputs, forces. */
#include "must.h"

static void show_names(const lv_model *model)
{
    char name[80];
    int rows = 0;
    for (int k = 0; k < lv_model_coordinate_count(model); k++)
        if (!lv_model_coordinate_is_inner(model, k)) /* axes of bodies are */
            printf("  %s starts at %g with velocity %g\n",
                   lv_model_coordinate_name(model, k, name, sizeof name),
                   lv_model_start_position(model)[k], lv_model_start_velocity(model)[k]);
    const int first = lv_model_constraint_find(model, "rod", &rows);
    for (int k = first; k >= 0 && k < first + rows; k++)
        printf(
            "  constraint %s%s\n", lv_model_constraint_name(model, k, name, sizeof name),
            lv_model_constraint_is_inner(model, k) ? ", which keeps a body rigid" : "");
}

static void show_inputs(const lv_model *model)
{
    lv_input_info input;
    for (int k = 0; lv_model_input_describe(model, k, &input); k++)
        printf("  input %s, %d of %d numbers, is %g until it is set\n", input.name,
               input.length > 0 ? input.length : 1, lv_model_input_count(model),
               input.values[0]);
}

static void show_forces(const lv_model *plain)
{
    lv_error err;
    lv_model *model = NULL;
    char name[80];
    must(lv_model_with_forces(&model, plain, &err), &err);
    for (int k = 0; k < lv_model_force_count(model); k++)
        printf("  external force on %s\n",
               lv_model_force_name(model, k, name, sizeof name));
    lv_model_free(model);
}

int main(void)
{
    static const char text[] = "name = \"pendulum\"\n"
                               "description = \"A pendulum that is pushed.\"\n"
                               "[parameters]\n"
                               "l = 1\n"
                               "[inputs]\n"
                               "push = 0.5\n"
                               "[coordinates]\n"
                               "x = [\"l\", 0]\n"
                               "[energy]\n"
                               "kinetic = \"norm2(x')/2\"\n"
                               "potential = \"9.81*x[2]\"\n"
                               "[forces.wind]\n"
                               "on = \"x\"\n"
                               "force = [\"push\", 0]\n"
                               "[constraints.rod]\n"
                               "holonomic = \"norm2(x) - l^2\"\n"
                               "[run]\n"
                               "scheme = \"em\"\n"
                               "step = 0.01\n";
    const lv_setting longer = {"l", "3/2"};
    lv_error err;
    lv_model *model = NULL;
    must(lv_model_parse(&model, "example", text, sizeof text - 1, &longer, 1, &err),
         &err);
    printf("%s: %s It wishes the scheme %s.\n", lv_model_title(model),
           lv_model_description(model), lv_model_run_options(model)->scheme);
    show_names(model);
    show_inputs(model);
    show_forces(model);
    lv_model_free(model);

    /* From a file, or as here one that comes with livens. */
    must(lv_model_read(&model, "heavy-top", NULL, 0, &err), &err);
    printf("%s has %d coordinates, all of a body\n", lv_model_title(model),
           lv_model_coordinate_count(model));
    lv_model_free(model);
    return 0;
}
