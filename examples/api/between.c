/* Between the ends of a step, and at states that are not those of a simulation. */
#include "must.h"

static lv_sim *dense(const lv_model *model)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = "lobatto";
    options.options = (lv_scheme_options){0};
    options.step = 0.05;
    options.dense = true; /* keeps what samples need */
    must(lv_sim_create(&sim, model, &options, &err), &err);
    return sim;
}

int main(void)
{
    lv_error err;
    double q[3], v[3], p[3], rate[3], value = 0;
    lv_model *model = shipped("pendulum3d");
    lv_sim *sim = dense(model);
    must(lv_sim_step(sim, &err), &err);
    must(lv_sim_sample(sim, 0.02, LV_SAMPLE_INTEGRATED, q, v, p, &err), &err);
    printf("at t = 0.02 the bob is at (%g, %g, %g)\n", q[0], q[1], q[2]);
    must(lv_sim_indicator(sim, &value, &err), &err);
    lv_step_point point = {.q = q, .q_rate = rate};
    must(lv_sim_step_point(sim, &point, 0.5, LV_SAMPLE_RAW, &err), &err);
    printf("the polynomial's velocity in the middle is %g, what it misses %.1e\n",
           rate[0] / lv_sim_step_size(sim), value);

    /* The system at any state. */
    lv_energies e;
    double g = 0, dg = 0, force[3], lambda = 1;
    must(lv_sim_momentum_at(sim, p, 0, q, v, &err), &err);
    must(lv_sim_velocity_at(sim, v, 0, q, p, &err), &err);
    must(lv_sim_energies_at(sim, &e, 0, q, v, p, &err), &err);
    must(lv_sim_constraints_at(sim, &g, &dg, 0, q, v, &err), &err);
    must(lv_sim_constraint_force_at(sim, force, 0, q, v, &lambda, &err), &err);
    printf("E = %g, g = %.1e, dg/dt = %.1e, a unit of the multiplier pushes with %g\n",
           e.total, g, dg, force[0]);
    lv_sim_free(sim);
    lv_model_free(model);
    return 0;
}
