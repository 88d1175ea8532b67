/* A reference of another kind (study/extrapolation.h), inside of tests. */
#ifndef LV_TESTS_REFERENCE_MOTION_H
#define LV_TESTS_REFERENCE_MOTION_H

#include "moving.h"
#include "run/sim.h"
#include "study/extrapolation.h"

enum { REFERENCE_MOST = 16 };

typedef struct reference_motion {
    lv_system *system;
    lv_extrapolation motion;
} reference_motion;

/* From the start of a simulation (which may have been projected) to `until`. */
static inline void reference_run(reference_motion *r, const lv_model *model,
                                 const lv_sim *sim, double until, int steps)
{
    lv_error err;
    *r = (reference_motion){.system = NULL};
    assert_in_range(lv_model_coordinate_count(model), 1, REFERENCE_MOST);
    if (lv_system_create(&r->system, model, &err) != LV_OK ||
        lv_extrapolation_init(&r->motion, r->system, &sim->state, &err) != LV_OK ||
        lv_extrapolation_run(&r->motion, until, steps, &err) != LV_OK)
        fail_with(&err);
}

static inline void reference_done(reference_motion *r)
{
    lv_extrapolation_done(&r->motion);
    lv_system_free(r->system);
}

/* q and p, and the largest residual of the constraints and their rates, from a simulation of the
 * same model that is put there. */
static inline double reference_state(reference_motion *r, lv_sim *sim, double *q,
                                     double *p)
{
    double v[REFERENCE_MOST], position = 0, velocity = 0;
    lv_extrapolation_state(&r->motion, q, v, NULL);
    move_to(sim, (double)r->motion.t, q, v);
    memcpy(p, lv_sim_momentum(sim), (size_t)r->motion.n * sizeof *p);
    lv_sim_residuals(sim, &position, &velocity);
    return worst_of(position, velocity);
}

#endif
