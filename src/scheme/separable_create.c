/* Creation of the stage equations: plans, room for what is known at the stages, and the matrices
 * of the multipliers. */
#include "scheme/separable_private.h"

#include "base/memory.h"
#include "expr/analyse.h"
#include "system/sparse.h"

static double *take(double **room, int count)
{
    double *p = *room;
    *room += count;
    return p;
}

static lv_status make_room(lv_separable *w, lv_error *err)
{
    int s = w->s, n = w->n, m = w->m;
    size_t stage_size =
        2 * (size_t)n + 2 * (size_t)m + (size_t)(w->jac_size + w->weigh_size);
    size_t total = (size_t)s * stage_size + 4 * (size_t)n + 2 * (size_t)(s * m) +
                   2 * (size_t)((2 * s + 1) * n) + (size_t)lv_history_size(m);
    double *room = lv_arena_alloc(&w->arena, total, sizeof *room);
    w->stages = lv_arena_alloc(&w->arena, (size_t)s, sizeof *w->stages);
    if (!room || !w->stages)
        return lv_fail_memory(err);
    for (int i = 0; i < s; i++) {
        lv_stage *st = &w->stages[i];
        *st = (lv_stage){take(&room, n), take(&room, n),           take(&room, m),
                         take(&room, m), take(&room, w->jac_size), NULL,
                         {NULL, 0}};
        st->gone.rows = lv_arena_alloc(&w->arena, (size_t)m + 1, sizeof *st->gone.rows);
        if (!st->gone.rows)
            return lv_fail_memory(err);
        st->weigh = w->weigh_size > 0 ? take(&room, w->weigh_size) : st->jac;
    }
    w->lines = lv_arena_alloc(&w->arena, (size_t)(s * m) + 1, sizeof *w->lines);
    if (!w->lines)
        return lv_fail_memory(err);
    w->push = take(&room, n);
    w->trial = take(&room, n);
    w->update = take(&room, n);
    w->v = take(&room, n);
    w->rhs = take(&room, 2 * s * m);
    w->slopes = take(&room, 2 * (2 * s + 1) * n);
    w->history = (lv_history){m, take(&room, lv_history_size(m))};
    return LV_OK;
}

/* Of y_1 .. y_{s-1}: Z once per pair of stages. Unknowns are numbered by constraint, then stage:
 * chains stay narrow. */
static lv_status make_stage_matrix(lv_separable *w, const lv_pattern *z, lv_error *err)
{
    const int k = w->s - 1;
    w->matrix = lv_assembly_create(k * w->m, k * k);
    if (!w->matrix)
        return lv_fail_memory(err);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            const lv_range_of rows = {i, k}, columns = {j, k};
            lv_assembly_block(w->matrix, z, rows, columns, false);
        }
    LV_TRY(lv_assembly_finish(w->matrix, err));
    w->linear = lv_assembly_linear(w->matrix);
    return LV_OK;
}

static lv_status make_linear(lv_separable *w, lv_error *err)
{
    const lv_pattern *z = lv_schur_pattern(w->schur);
    LV_TRY(make_stage_matrix(w, z, err));
    LV_TRY(lv_held_init(&w->held, w->system, (w->s - 1) * w->m, &w->arena, err));
    LV_TRY(lv_vanishing_init(&w->vanishing, w->system,
                             lv_plan_pattern(w->constraint, LV_Q_JACOBIAN), &w->arena,
                             err));
    return lv_linear_create_symmetric(&w->tangency, z, LV_BACK_END_AUTO, NULL, err);
}

/* What is the same at every point: constant entries of Jacobians, constant forces. */
static void fill_stages(lv_separable *w)
{
    for (int i = 0; i < w->s; i++) {
        lv_plan_base(w->constraint, LV_Q_CONSTRAINT, w->stages[i].g);
        lv_plan_base(w->constraint, LV_Q_JACOBIAN, w->stages[i].jac);
        lv_plan_base(w->force, LV_Q_FORCE, w->stages[i].a);
        if (w->steady)
            lv_mass_solve(w->system->mass, w->stages[i].a);
    }
}

static lv_status make_schur(lv_separable *w, lv_error *err)
{
    LV_TRY(lv_schur_create(&w->schur, lv_plan_pattern(w->constraint, LV_Q_JACOBIAN),
                           w->system->mass, err));
    bool points = lv_schur_fix_mass(w->schur, w->system->mass);
    w->weigh_size = points ? 0 : lv_schur_weighted_size(w->schur);
    w->columns = lv_schur_columns(w->schur);
    return LV_OK;
}

static lv_status fill(lv_separable *w, lv_error *err)
{
    const lv_model *model = w->system->model;
    w->n = w->system->n;
    w->m = w->system->m;
    w->s = w->tableau->stages;
    LV_TRY(lv_plan_create(&w->force, model, LV_WANT(FORCE), err));
    LV_TRY(lv_plan_create(&w->constraint, model,
                          LV_WANT(CONSTRAINT) | LV_WANT(JACOBIAN) | LV_WANT(CONSTRAINT_T),
                          err));
    w->rheonomic = (lv_plan_depends(w->constraint, LV_Q_CONSTRAINT) & LV_KIND(T)) != 0;
    w->jac_size = lv_pattern_entries(lv_plan_pattern(w->constraint, LV_Q_JACOBIAN));
    if (w->m > 0)
        LV_TRY(make_schur(w, err));
    w->steady = lv_plan_depends(w->force, LV_Q_FORCE) == 0;
    LV_TRY(make_room(w, err));
    fill_stages(w);
    return w->m > 0 ? make_linear(w, err) : LV_OK;
}

lv_status lv_separable_create(lv_separable **result, lv_system *system,
                              const lv_tableau *tableau, bool general, lv_error *err)
{
    *result = NULL;
    lv_separable *w = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->system = system;
    w->tableau = tableau;
    w->rattle = tableau->stages == 2 && !general;
    lv_status status = fill(w, err);
    if (status == LV_OK)
        *result = w;
    else
        lv_separable_free(w);
    return status;
}

void lv_separable_free(lv_separable *w)
{
    if (!w)
        return;
    lv_plan_free(w->force);
    lv_plan_free(w->constraint);
    lv_schur_free(w->schur);
    lv_assembly_free(w->matrix);
    lv_linear_free(w->tangency);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}
