/* A simulation: steps, and the state after them. */
#include "must.h"

static void show(const lv_sim *sim)
{
    double position = 0, velocity = 0;
    const lv_energies e = lv_sim_energies(sim);
    lv_sim_residuals(sim, &position, &velocity);
    printf("t = %g after %lld steps: x = %g, v = %g, p = %g; E = %g = %g + %g; "
           "constraints hold to %.0e, their rates to %.0e; %d iterations\n",
           lv_sim_time(sim), lv_sim_steps(sim), lv_sim_position(sim)[0],
           lv_sim_velocity(sim)[0], lv_sim_momentum(sim)[0], e.total, e.kinetic,
           e.potential, position, velocity, lv_sim_iterations(sim));
}

int main(void)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_native_enable(true); /* machine code for formulas, as is usual */
    lv_model *model = shipped("pendulum3d");
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "rattle";
    options.options = (lv_scheme_options){0};
    options.step = 0.01;
    must(lv_sim_create(&sim, model, &options, &err), &err);

    must(lv_sim_step(sim, &err), &err);
    show(sim);
    must(lv_sim_step_many(sim, 99, &err), &err);
    show(sim);
    must(lv_sim_set_step(sim, lv_sim_step_size(sim) / 2, &err), &err);
    must(lv_sim_advance(sim, 1.5025, &err), &err); /* the last step is shorter */
    show(sim);
    lv_sim_forget(sim); /* the next step begins as the first one does */
    must(lv_sim_step(sim, &err), &err);
    lv_sim_free(sim);
    lv_model_free(model);
    return 0;
}
