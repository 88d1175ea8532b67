/* A node as its momenta see it: schemes may have velocities of their own. */
#ifndef LV_TESTS_MOMENTA_H
#define LV_TESTS_MOMENTA_H

#include "moving.h"
#include "run/sim.h"

/* With the velocities that belong to the momenta. */
static inline lv_watch watch_momenta(lv_sim *sim)
{
    enum { COORDINATES = 24 };
    double v[COORDINATES];
    lv_watch w;
    lv_error err;
    const lv_state *s = &sim->state;
    assert_in_range(sim->system->n, 0, COORDINATES);
    memcpy(v, s->v, (size_t)sim->system->n * sizeof *v);
    if (lv_system_velocity(sim->system, v, s->t, s->q, s->p, &err) != LV_OK)
        fail_with(&err);
    lv_system_watch(sim->system, &w, s->t, s->q, v, s->p);
    return w;
}

#endif
