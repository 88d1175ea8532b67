/* Between steps: inputs, forces, parameters, and back to where it was. */
#include "must.h"

static void show_work(const lv_sim *sim)
{
    for (int k = 0; k < lv_sim_work_count(sim); k++)
        printf("  work of %s: %g J\n", lv_sim_work_name(sim, k), lv_sim_work(sim)[k]);
    printf("  balance: %.1e J\n", lv_sim_balance(sim));
}

static void push(void)
{
    lv_error err;
    const double force = 2, all[] = {-1};
    lv_model *model = shipped("cart-pole");
    lv_sim *sim = begin(model, "rattle", 0.01);
    must(lv_sim_set_input(sim, "force", &force, 1, &err), &err);
    must(lv_sim_step_many(sim, 10, &err), &err);
    must(lv_sim_set_inputs(sim, all, lv_model_input_count(model), &err), &err);
    must(lv_sim_step_many(sim, 10, &err), &err);
    printf("the force is %g now, one of %d numbers beginning with %g\n",
           lv_sim_input(sim, "force")[0], lv_model_input_count(model),
           lv_sim_inputs(sim)[0]);
    show_work(sim);
    lv_change_info change;
    for (int k = 0; k < lv_sim_change_count(sim); k++) {
        must(lv_sim_change(sim, k, &change, &err), &err);
        printf("  %s %s changed %lld times, last at t = %g\n", change.kind, change.name,
               change.count, change.last);
    }
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Forces on all coordinates, as an array. */
static void push_all(void)
{
    lv_error err;
    const double forces[] = {0.5, 0, -0.5, 0};
    lv_model *plain = shipped("double-pendulum"), *model = NULL;
    must(lv_model_with_forces(&model, plain, &err), &err);
    lv_sim *sim = begin(model, "em", 0.01);
    must(lv_sim_set_force(sim, forces, lv_model_force_count(model), &err), &err);
    must(lv_sim_step_many(sim, 10, &err), &err);
    printf("the first force is %g\n", lv_sim_force(sim)[0]);
    show_work(sim);
    lv_sim_free(sim);
    lv_model_free(model);
    lv_model_free(plain);
}

/* A look ahead with another parameter, and back. */
static void look_ahead(void)
{
    lv_error err;
    lv_model *model = shipped("pendulum-polar");
    lv_sim *sim = begin(model, "gauss", 0.01), *other = begin(model, "gauss", 0.01);
    const int count = lv_sim_save_count(sim);
    double *numbers = malloc((size_t)count * sizeof *numbers);
    const double heavy = 20, q = 0.1, v = 0;
    must(lv_sim_step_many(sim, 50, &err), &err);
    must(lv_sim_save(sim, numbers, count, &err), &err);
    must(lv_sim_copy(other, sim, &err), &err); /* the same state, at once */
    must(lv_sim_step_many(sim, 50, &err), &err);
    must(lv_sim_restore(sim, numbers, count, &err), &err); /* back */
    must(lv_sim_set_parameter(other, "g", &heavy, 1, &err), &err);
    must(lv_sim_step_many(other, 50, &err), &err);
    printf("now at t = %g; with g = %g the angle would be %g\n", lv_sim_time(sim),
           lv_sim_parameter(other, "g")[0], lv_sim_position(other)[0]);
    must(lv_sim_set_state(sim, 0, &q, &v, &err), &err); /* somewhere else */
    free(numbers);
    lv_sim_free(other);
    lv_sim_free(sim);
    lv_model_free(model);
}

int main(void)
{
    push();
    push_all();
    look_ahead();
    return 0;
}
