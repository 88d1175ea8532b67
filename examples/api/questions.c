/* What a simulation knows at its current state. */
#include "must.h"

static void show_constraints(const lv_model *model, const lv_sim *sim)
{
    const int count = lv_sim_constraint_count(sim);
    double *lambda = calloc((size_t)count * 3 + 1, sizeof *lambda);
    char name[80];
    lv_error err;
    must(lv_sim_multipliers(sim, lambda, &err), &err);
    for (int k = 0; k < count; k++)
        printf("  %s: multiplier %g%s\n",
               lv_model_constraint_name(model, k, name, sizeof name), lambda[k],
               k < lv_sim_holonomic_count(sim) ? "" : ", nonholonomic");
    if (lv_sim_step_multipliers(sim, lambda + count, lambda + (ptrdiff_t)2 * count))
        printf("  in the last step the first one was %g\n", lambda[count]);
    if (lv_sim_carried_multipliers(sim))
        printf("  the scheme carries %g\n", lv_sim_carried_multipliers(sim)[0]);
    free(lambda);
}

static void show_results(const lv_sim *sim)
{
    const lv_output *outputs = NULL;
    const lv_part_result *parts = NULL;
    double maps[16];
    int count = 0;
    lv_error err;
    must(lv_sim_outputs(sim, &outputs, &count, &err), &err);
    for (int k = 0; k < count; k++)
        printf("  output %s: %g\n", outputs[k].name, outputs[k].values[0]);
    must(lv_sim_parts(sim, &parts, &count, &err), &err);
    for (int k = 0; k < count; k++)
        printf("  %s %s: %s begins with %g\n", parts[k].section, parts[k].name,
               parts[k].values[0].name, parts[k].values[0].values[0]);
    const int found = lv_sim_momentum_map_count(sim);
    must(lv_sim_momentum_maps(sim, maps, found, &err), &err);
    for (int k = 0; k < found; k++)
        printf("  %s = %g\n", lv_sim_momentum_map_name(sim, k), maps[k]);
}

static void show_matrices(const lv_model *model, lv_sim *sim)
{
    const size_t n = (size_t)lv_model_coordinate_count(model);
    double *room = calloc(n + 4 * n * n, sizeof *room);
    char *equations = NULL;
    lv_sparse mass, gradients;
    lv_error err;
    must(lv_sim_accelerations(sim, room, &err), &err);
    must(lv_sim_mass_matrix(sim, &mass, &err), &err);
    must(lv_sim_constraint_matrix(sim, &gradients, &err), &err);
    printf("  a = %g, M has %d entries, G %d\n", room[0], mass.start[mass.rows],
           gradients.start[gradients.rows]);
    must(lv_sim_tangent(sim, room + n, &err), &err);
    printf("  the derivative of the last step begins with %g\n", room[n]);
    must(lv_sim_equations(&equations, sim, &err), &err);
    fputs(equations, stdout);
    lv_equations_free(equations);
    free(room);
}

int main(void)
{
    lv_error err;
    static const char *const names[] = {"heavy-top", "rolling-penny"};
    for (int k = 0; k < 2; k++) {
        lv_model *model = shipped(names[k]);
        lv_sim *sim = begin(model, "rattle", 0.001);
        must(lv_sim_step(sim, &err), &err);
        printf("%s\n", names[k]);
        show_constraints(model, sim);
        show_results(sim);
        show_matrices(model, sim);
        lv_sim_free(sim);
        lv_model_free(model);
    }
    return 0;
}
