/* Answers questions about a simulation that its steps do not need: outputs, parts,
 * momentum maps, accelerations, matrices. */
#include "base/usage.h"
#include "expr/analyse.h"
#include "run/asker.h"
#include "run/sim.h"

#include <math.h>
#include <string.h>

/* ---- outputs and parts ------------------------------------------------------------------------------ */

/* Allocates space for multipliers and accelerations. */
static lv_status asker_begin(lv_asker *a, const lv_sim *sim, lv_error *err)
{
    const size_t rates = (size_t)sim->system->constraint_count,
                 n = (size_t)sim->system->n;
    if (!a->lambda)
        a->lambda = lv_arena_alloc(&a->arena, rates + n + 1, sizeof *a->lambda);
    a->a = a->lambda ? a->lambda + rates : NULL;
    return a->lambda ? LV_OK : lv_fail_memory(err);
}

/* The values of the outputs stay in the results of the plan. */
static lv_status list_outputs(lv_asker *a, const lv_model *m, lv_error *err)
{
    const double *values = lv_plan_result(a->plan, LV_Q_OUTPUT);
    a->outputs =
        lv_arena_alloc(&a->arena, (size_t)m->kernels.count + 1, sizeof *a->outputs);
    if (!a->outputs)
        return lv_fail_memory(err);
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->role != LV_ROLE_OUTPUT)
            continue;
        a->outputs[a->output_count++] = (lv_output){
            kernel->item->name, kernel->is_vector ? kernel->row_count : 0, values};
        values += kernel->row_count;
    }
    return LV_OK;
}

static lv_status make_outputs(lv_asker *a, const lv_sim *sim, lv_error *err)
{
    if (a->plan)
        return LV_OK;
    LV_TRY(asker_begin(a, sim, err));
    LV_TRY(lv_plan_create(&a->plan, sim->system->model, LV_WANT(OUTPUT), err));
    a->needs = lv_plan_depends(a->plan, LV_Q_OUTPUT);
    return list_outputs(a, sim->model, err);
}

/* The current state as a point, with the inputs that formulas of these kinds need
 * besides. */
static lv_status point_of(lv_asker *a, lv_point *point, const lv_sim *sim, unsigned needs,
                          lv_error *err)
{
    const lv_state *x = &sim->state;
    const lv_energies e = lv_sim_energies(sim);
    const double energies[LV_RESULT_ENERGIES] = {e.total, e.kinetic, e.potential};
    memcpy(a->energies, energies, sizeof energies);
    *point = (lv_point){.q = x->q,
                        .v = x->v,
                        .t = x->t,
                        .y = a->lambda,
                        .w = x->p,
                        .a = a->a,
                        .e = a->energies};
    if (needs & LV_KIND(Y))
        LV_TRY(lv_sim_multipliers(sim, a->lambda, err));
    return needs & LV_KIND(A) ? lv_sim_accelerations(sim, a->a, err) : LV_OK;
}

lv_status lv_sim_outputs(const lv_sim *sim, const lv_output **outputs, int *count,
                         lv_error *err)
{
    lv_point point;
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, outputs);
    LV_NEED(err, count);
    lv_asker *a = sim->asker;
    LV_TRY(make_outputs(a, sim, err));
    LV_TRY(point_of(a, &point, sim, a->needs, err));
    lv_plan_run(a->plan, &point);
    *outputs = a->outputs;
    *count = a->output_count;
    return LV_OK;
}

lv_status lv_sim_parts(const lv_sim *sim, const lv_part_result **parts, int *count,
                       lv_error *err)
{
    lv_point point;
    lv_part_result *results = NULL;
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, parts);
    LV_NEED(err, count);
    lv_asker *a = sim->asker;
    LV_TRY(asker_begin(a, sim, err));
    if (!a->shows) {
        LV_TRY(lv_showcase_init(&a->showcase, sim->system->model, &a->arena, err));
        a->shows = true;
    }
    LV_TRY(point_of(a, &point, sim, a->showcase.needs, err));
    lv_showcase_run(&a->showcase, &point);
    lv_arena_done(&a->parts);
    LV_TRY(lv_showcase_results(&a->showcase, &results, count, &a->parts, err));
    *parts = results;
    return LV_OK;
}

/* ---- momentum maps, accelerations ------------------------------------------------------------------- */

int lv_sim_momentum_map_count(const lv_sim *sim)
{
    return sim ? lv_system_map_count(sim->system) : 0;
}

const char *lv_sim_momentum_map_name(const lv_sim *sim, int k)
{
    return sim && k >= 0 && k < lv_system_map_count(sim->system)
               ? lv_system_map_name(sim->system, k)
               : NULL;
}

lv_status lv_sim_momentum_maps(const lv_sim *sim, double *values, int count,
                               lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, values);
    LV_TRY(lv_need_count(err, __func__, "count", count));
    const int maps = lv_system_map_count(sim->system);
    if (count != maps)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_momentum_maps: count is %d, but there are %d momentum "
                       "maps",
                       count, maps);
    if (maps > 0)
        lv_system_momentum_maps(sim->system, values, sim->state.t, sim->state.q,
                                sim->state.p);
    return LV_OK;
}

lv_status lv_sim_accelerations(const lv_sim *sim, double *a, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, a);
    return lv_system_accelerations(sim->system, a, NULL, sim->state.t, sim->state.q,
                                   sim->state.v, err);
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

static lv_status ask_matrix(const lv_sim *sim, lv_sparse *matrix, lv_plan *plan,
                            lv_quantity quantity, int rows)
{
    const lv_point point = {.q = sim->state.q, .v = sim->state.v, .t = sim->state.t};
    const lv_pattern *pattern = lv_plan_pattern(plan, quantity);
    lv_plan_run(plan, &point);
    *matrix = (lv_sparse){.rows = rows,
                          .columns = sim->system->n,
                          .start = pattern->start,
                          .column = pattern->column,
                          .values = lv_plan_result(plan, quantity)};
    return LV_OK;
}

lv_status lv_sim_mass_matrix(const lv_sim *sim, lv_sparse *matrix, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, matrix);
    return ask_matrix(sim, matrix, sim->system->legendre, LV_Q_MASS, sim->system->n);
}

lv_status lv_sim_constraint_matrix(const lv_sim *sim, lv_sparse *matrix, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, matrix);
    return ask_matrix(sim, matrix, sim->system->velocity_plan, LV_Q_RATE_V,
                      sim->system->constraint_count);
}
