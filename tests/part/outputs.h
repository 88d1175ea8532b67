/* A simulation of a text whose outputs can be read at any node. */
#ifndef LV_TESTS_OUTPUTS_H
#define LV_TESTS_OUTPUTS_H

#include "../claims/moving.h"
#include "run/sim.h"

typedef struct driven {
    lv_model *model;
    lv_sim *sim;
    lv_plan *outputs;
} driven;

static inline driven drive_model(lv_model *model, const method *m, double step)
{
    driven x = {.model = model};
    x.sim = start(x.model, m, step);
    assert_int_equal(
        lv_plan_create(&x.outputs, x.sim->system->model, LV_WANT(OUTPUT), NULL), LV_OK);
    return x;
}

static inline driven drive(const char *text, const char *scheme, double step)
{
    return drive_model(read_text(text), &(method){.scheme = scheme}, step);
}

static inline void driven_free(driven *x)
{
    lv_plan_free(x->outputs);
    lv_sim_free(x->sim);
    lv_model_free(x->model);
}

/* All outputs of the model, one after the other. */
static inline const double *outputs_of(const driven *x)
{
    const lv_state *s = &x->sim->state;
    lv_plan_run(x->outputs, &(lv_point){.q = s->q, .v = s->v, .t = s->t});
    return lv_plan_result(x->outputs, LV_Q_OUTPUT);
}

/* The outputs at a time that is a multiple of the step. */
static inline const double *outputs_at(const driven *x, double t, double step)
{
    step_times(x->sim, lround((t - x->sim->state.t) / step));
    return outputs_of(x);
}

/* The schemes that take a model, with their default options. */
static inline int fitting_methods(const lv_model *model, method list[MOST_METHODS])
{
    bool fits[MOST_METHODS] = {false};
    lv_scheme_info info;
    int count = 0;
    assert_int_equal(lv_model_fitting_schemes(model, fits, MOST_METHODS, NULL), LV_OK);
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (fits[k])
            list[count++] = (method){.scheme = info.name};
    return count;
}

#endif
