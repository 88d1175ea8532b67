/* The same step of a Galerkin scheme by its two solvers, without a scheme around them: by the series
 * of accelerations (nystroem.h) and by stages (stages.h). */
#ifndef LV_TESTS_TWO_WAYS_H
#define LV_TESTS_TWO_WAYS_H

#include "../claims/moving.h"
#include "run/sim.h"
#include "scheme/nystroem.h"
#include "scheme/stages.h"

enum { WAYS_MOST = 16 };

typedef struct ways {
    lv_sim *sim; /* for the system and the state */
    lv_tableau *tableau;
    lv_multipliers *space;
    lv_nystroem *series;
    lv_stages *stages;
    double series_memory[600], stages_memory[600];
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
    if ((system->m > 0 &&
         lv_multipliers_smooth(&w->space, t, coefficients, &err) != LV_OK) ||
        lv_nystroem_create(&w->series, system, &galerkin, &err) != LV_OK ||
        lv_stages_create(&w->stages, system, t, w->space, &err) != LV_OK)
        fail_with(&err);
    assert_true(lv_nystroem_memory_size(w->series) <= 600);
    assert_true(lv_stages_memory_size(w->stages) <= 600);
    lv_nystroem_use_memory(w->series, w->series_memory);
    lv_stages_use_memory(w->stages, w->stages_memory);
}

static inline void ways_done(ways *w)
{
    lv_stages_free(w->stages);
    lv_nystroem_free(w->series);
    lv_multipliers_free(w->space);
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
static inline lv_status series_step(ways *w, lv_state *state, double h, lv_error *err)
{
    lv_step_report report = {0};
    lv_status status = lv_nystroem_step(w->series, state, h, true, &report, err);
    state->t += status == LV_OK ? h : 0;
    return status;
}

static inline lv_status stages_step(ways *w, lv_state *state, double h, lv_error *err)
{
    lv_step_report report = {0};
    lv_status status = lv_stages_step(w->stages, state, h, true, &report, err);
    state->t += status == LV_OK ? h : 0;
    return status;
}

#endif
