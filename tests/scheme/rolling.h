/* What the tests of nonholonomic systems share. */
#ifndef LV_TESTS_ROLLING_H
#define LV_TESTS_ROLLING_H

#include "printed.h"
#include "rolling_rows.h"
#include "run/sim.h"

static inline lv_sim *start_problem(const lv_model *model, int stages, double step)
{
    return start(model, &(method){"lobatto", stages, 0}, step);
}

/* The first nonholonomic multiplier that is carried; after the first step. */
static inline double carried_lambda(lv_sim *sim)
{
    const double *carried = sim->scheme->nonholonomic_multipliers(sim->work);
    assert_non_null(carried);
    return carried[0];
}

/* The same from the accelerations. */
static inline double motion_lambda(lv_sim *sim)
{
    double lambda[ROLLING_MOST];
    lv_error err;
    if (lv_sim_multipliers(sim, lambda, &err) != LV_OK)
        fail_with(&err);
    return lambda[sim->system->m];
}

static inline double energy_now(lv_sim *sim)
{
    return lv_sim_energies(sim).total;
}

#endif
