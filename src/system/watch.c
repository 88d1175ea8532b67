/* What is watched at a node: energies, residuals, momentum maps. */
#include "system/system.h"

#include "num/extent.h"
#include "system/watch_lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------------- */

static lv_status list_maps(lv_system *s, lv_error *err)
{
    const lv_model *m = s->model;
    for (int k = 0; k < m->kernels.count; k++)
        s->declared += m->kernels.data[k].role == LV_ROLE_SYMMETRY;
    LV_TRY(s->renewable
               ? lv_symmetry_finder_create(&s->finder, &s->found, &s->arena, m, err)
               : lv_symmetries_find(&s->found, &s->arena, m, false, err));
    LV_TRY(lv_maps_init(&s->forms, m, &s->found, err));
    if (s->forms.count == s->declared + s->found.count)
        return LV_OK;
    return lv_plan_create(&s->maps, m, LV_WANT(MOMENTUM_MAP), err);
}

lv_status lv_system_prepare_watch(lv_system *s, lv_error *err)
{
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    LV_TRY(lv_plan_create(&s->monitor_plan, s->model,
                          LV_WANT(KINETIC) | LV_WANT(POTENTIAL) | LV_WANT(LAGRANGIAN) |
                              LV_WANT(CONSTRAINT) | LV_WANT(RATE),
                          err));
    LV_TRY(lv_plan_diagnose(s->monitor_plan, &start, err));
    LV_TRY(list_maps(s, err));
    s->map_values =
        lv_arena_alloc(&s->arena, (size_t)lv_system_map_count(s) + 1, sizeof(double));
    return s->map_values ? LV_OK : lv_fail_memory(err);
}

void lv_system_free_watch(lv_system *s)
{
    lv_plan_free(s->monitor_plan);
    lv_watch_program_free(s->watcher);
    lv_watch_lanes_free(s->compare_lanes);
    lv_watch_program_free(s->comparer);
    lv_symmetry_finder_free(s->finder);
}

lv_status lv_system_watch_often(lv_system *s, lv_error *err)
{
    return s->watcher ? LV_OK : lv_watch_program_create(&s->watcher, s, false, err);
}

lv_status lv_system_compare_often(lv_system *s, lv_error *err)
{
    return s->comparer ? LV_OK : lv_watch_program_create(&s->comparer, s, true, err);
}

lv_status lv_system_compare_in_lanes(lv_system *s, lv_error *err)
{
    return s->compare_lanes ? LV_OK
                            : lv_watch_lanes_create(&s->compare_lanes, s->comparer, err);
}

/* ---- energies and residuals ------------------------------------------------------------------ */

/* start + x . y. Four independent lanes keep the pipeline full. */
static double add_product(double start, const double *x, const double *y, int n)
{
    double sum[4] = {start, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++)
            sum[l] += x[i + l] * y[i + l];
    for (; i < n; i++)
        sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* sum of |x_i|, likewise. */
static double sum_of_sizes(const double *x, int n)
{
    double sum[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++)
            sum[l] += fabs(x[i + l]);
    for (; i < n; i++)
        sum[0] += fabs(x[i]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* max |x_i|, infinite or NaN if an entry is. */
static double largest_of(const double *x, int count)
{
    const double largest = lv_extent(x, count);
    return isfinite(largest) ? largest : lv_largest(x, count);
}

void lv_system_watch(lv_system *s, lv_watch *w, double t, const double *q,
                     const double *v, const double *p)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    if (s->watcher) {
        lv_watch_program_run(s->watcher, w, t, q, v, p);
        return;
    }
    lv_plan_run(s->monitor_plan, &point);
    const double lagrangian = lv_plan_result(s->monitor_plan, LV_Q_LAGRANGIAN)[0];
    w->kinetic = lv_plan_result(s->monitor_plan, LV_Q_KINETIC)[0];
    w->potential = lv_plan_result(s->monitor_plan, LV_Q_POTENTIAL)[0];
    w->energy = add_product(-lagrangian, p, v, s->n);
    w->size = fabs(w->energy + lagrangian) + fabs(lagrangian);
    const double *rate = lv_plan_result(s->monitor_plan, LV_Q_RATE);
    w->position = largest_of(lv_plan_result(s->monitor_plan, LV_Q_CONSTRAINT), s->m);
    w->velocity = largest_of(rate, s->m);
    w->rolling = largest_of(rate + s->m, s->constraint_count - s->m);
    const double reach = lv_extent(q, s->n);
    w->lever = sum_of_sizes(p, s->n) * (reach > 1 ? reach : 1);
    w->constraints = lv_plan_result(s->monitor_plan, LV_Q_CONSTRAINT);
    w->rates = rate;
    w->maps = s->map_values;
    if (lv_system_map_count(s) > 0)
        lv_system_momentum_maps(s, s->map_values, t, q, p);
}

int lv_system_fastest_row(lv_system *s, double t, const double *q, const double *v)
{
    const lv_point point = {.q = q, .v = v, .t = t};
    int row = 0;
    lv_plan_run(s->monitor_plan, &point);
    const double *rate = lv_plan_result(s->monitor_plan, LV_Q_RATE);
    for (int r = 1; r < s->m; r++)
        if (!(fabs(rate[r]) <= fabs(rate[row])))
            row = r;
    return row;
}

/* ---- momentum maps ------------------------------------------------------------------------------ */

int lv_system_map_count(const lv_system *s)
{
    return s->declared + s->found.count;
}

const char *lv_system_map_name(const lv_system *s, int k)
{
    assert(k >= 0);
    if (k >= s->declared)
        return k < lv_system_map_count(s) ? s->found.list[k - s->declared].name : "";
    for (int i = 0; i < s->model->kernels.count; i++)
        if (s->model->kernels.data[i].role == LV_ROLE_SYMMETRY && k-- == 0)
            return s->model->kernels.data[i].item->name;
    return "";
}

void lv_system_momentum_maps(lv_system *s, double *maps, double t, const double *q,
                             const double *p)
{
    const lv_point point = {.q = q, .v = p, .t = t, .w = p};
    if (s->maps) {
        lv_plan_run(s->maps, &point);
        memcpy(maps, lv_plan_result(s->maps, LV_Q_MOMENTUM_MAP),
               (size_t)s->declared * sizeof *maps);
        maps += s->declared;
    }
    lv_maps_evaluate(&s->forms, maps, q, p);
}
