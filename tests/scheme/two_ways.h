/* The same step of a Galerkin scheme in two ways, without a scheme around them: by the series of its velocities and by
 * its stages (scheme/partitioned_text.h). */
#ifndef LV_TESTS_TWO_WAYS_H
#define LV_TESTS_TWO_WAYS_H

#include "../claims/moving.h"
#include "run/sim.h"
#include "scheme/dense.h"
#include "scheme/partitioned_text.h"

enum { WAYS_MOST = 16, WAYS_ROOM = 400 };

typedef enum way { BY_SERIES, BY_STAGES, WAYS } way;

typedef struct ways {
    lv_sim *sim; /* for the system and the state */
    lv_tableau *tableau;
    lv_stepper *stepper[WAYS];
    int n, m, coefficients;
    double v[WAYS_ROOM], w[WAYS_ROOM], slopes[WAYS_ROOM], lambda[WAYS_ROOM],
        start[WAYS_MOST];
} ways;

static inline void ways_init(ways *w, const lv_model *model, const lv_ansatz *ansatz,
                             int coefficients)
{
    lv_error err;
    *w = (ways){.sim = start(model, &(method){"lobatto", 3, 0}, 0.01)};
    if (lv_tableau_ansatz(&w->tableau, ansatz, &err) != LV_OK)
        fail_with(&err);
    const lv_tableau *t = w->tableau;
    const lv_galerkin galerkin = {ansatz->closure, ansatz->degree, t->stages, t->c, t->b,
                                  coefficients};
    lv_system *system = w->sim->system;
    w->n = system->n;
    w->m = system->m;
    w->coefficients = system->m > 0 ? coefficients : 0;
    if (lv_series_stepper(&w->stepper[BY_SERIES], system, &galerkin, &err) != LV_OK ||
        lv_partitioned_stepper(&w->stepper[BY_STAGES], system, t, coefficients,
                               LV_ROTATIONS_DIRECTORS, &err) != LV_OK)
        fail_with(&err);
}

static inline void ways_done(ways *w)
{
    lv_stepper_free(w->stepper[BY_SERIES]);
    lv_stepper_free(w->stepper[BY_STAGES]);
    lv_tableau_free(w->tableau);
    lv_sim_free(w->sim);
}

/* A state with room of its own. */
typedef struct own_state {
    lv_state state;
    double q[WAYS_MOST], v[WAYS_MOST], p[WAYS_MOST];
} own_state;

static inline void own_copy(own_state *to, const lv_state *from, int n)
{
    assert_true(n <= WAYS_MOST);
    memset(to, 0, sizeof *to);
    to->state = (lv_state){from->t, to->q, to->v, to->p};
    memcpy(to->q, from->q, (size_t)n * sizeof(double));
    memcpy(to->v, from->v, (size_t)n * sizeof(double));
    memcpy(to->p, from->p, (size_t)n * sizeof(double));
}

/* Steps move the time on their own here. */
static inline lv_status take_step(ways *w, way by, lv_state *state, double h,
                                  lv_error *err)
{
    lv_step_report report = {0};
    lv_status status = lv_stepper_step(w->stepper[by], state, h, true, &report, err);
    state->t += status == LV_OK ? h : 0;
    return status;
}

/* Members 1 .. count of a family of fields. */
static inline void gather(const ways *w, way by, const char *name, int count, int size,
                          double *to)
{
    assert_true(count * size <= WAYS_ROOM);
    for (int k = 0; k < count; k++) {
        const double *x = lv_stepper_value(w->stepper[by], name, k + 1);
        assert_non_null(x);
        memcpy(to + k * size, x, (size_t)size * sizeof *to);
    }
}

/* Of the last step. */
static inline lv_slopes slopes_of(ways *w, way by, const lv_state *before, double h)
{
    const lv_tableau *t = w->tableau;
    lv_stepper_show(w->stepper[by]);
    const double *p0 = lv_stepper_value(w->stepper[by], "p0", 0);
    memcpy(w->start, p0 ? p0 : before->p, (size_t)w->n * sizeof(double));
    gather(w, by, "y", w->coefficients, w->m, w->lambda);
    const lv_slopes slopes = {.closure = t->closure,
                              .degree = t->degree,
                              .v = w->v,
                              .w = w->w,
                              .q = before->q,
                              .p = w->start,
                              .h = h,
                              .lambda = w->lambda,
                              .lambda_terms = w->coefficients};
    if (by == BY_SERIES) {
        gather(w, by, "V", lv_dense_velocity_terms(t->closure, t->degree), w->n, w->v);
        gather(w, by, "S", lv_dense_force_terms(t->closure, t->degree), w->n, w->w);
        return slopes;
    }
    gather(w, by, "V", t->stages, w->n, w->v);
    gather(w, by, "W", t->stages, w->n, w->w);
    return lv_slopes_of_stages(t, w->n, w->v, w->w, w->slopes, slopes);
}

#endif
