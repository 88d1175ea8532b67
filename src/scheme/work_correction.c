#include "scheme/work_correction.h"

#include <math.h>
#include <string.h>

lv_status lv_work_correction_init(lv_work_correction *x, const lv_system *system,
                                  lv_arena *arena, lv_error *err)
{
    *x = (lv_work_correction){.system = system};
    LV_TRY(lv_plan_create(&x->inertia, system->model, LV_WANT(MASS), err));
    x->room = lv_arena_alloc(arena, 4 * (size_t)system->n + 1, sizeof *x->room);
    if (!x->room)
        return lv_fail_memory(err);
    return lv_transverse_init(&x->transverse, arena, system->model, err);
}

void lv_work_correction_done(lv_work_correction *x)
{
    lv_plan_free(x->inertia);
}

/* Absolute row sums of the mass matrix at (t, q). */
static void weigh(lv_work_correction *x, double t, const double *q, double *weight)
{
    const lv_pattern *pattern = lv_plan_pattern(x->inertia, LV_Q_MASS);
    /* mass matrices do not depend on velocities */
    const lv_point at = {.q = q, .v = q, .t = t};
    lv_plan_run(x->inertia, &at);
    const double *mass = lv_plan_result(x->inertia, LV_Q_MASS);
    for (int r = 0; r < pattern->rows; r++) {
        weight[r] = 0;
        for (int k = pattern->start[r]; k < pattern->start[r + 1]; k++)
            weight[r] += fabs(mass[k]);
    }
}

/* Positions are compared with h times momenta. There is nothing to correct if the step
 * is, up to rounding, a motion along the orbits; and moving constraints do work
 * anyway. */
void lv_work_correction_apply(void *work, const lv_opaque_values *values)
{
    const double rounding = 1e-20, h = values->h;
    lv_work_correction *x = work;
    const int n = x->system->n;
    double *weight = x->room, *dq = weight + n, *dp = dq + n, *p = dp + n;
    const double *z = values->arguments[0], *a = values->arguments[4],
                 *c = values->arguments[5];
    double work_done = 0, size = 0;
    memset(values->results[0], 0, (size_t)n * sizeof *dq);
    memset(values->results[1], 0, (size_t)n * sizeof *dq);
    weigh(x, values->t, z, weight);
    for (int k = 0; k < n; k++) {
        p[k] = h * values->arguments[1][k];
        dq[k] = h * values->arguments[2][k];
        dp[k] = h * values->arguments[3][k];
        work_done += a[k] * dp[k] / h + c[k] * dq[k];
        size += weight[k] * dq[k] * dq[k] + dp[k] * dp[k] / weight[k];
    }
    const double along = lv_transverse_direction(&x->transverse, z, p, dq, dp, weight);
    if (!(along > rounding * size) || x->system->rheonomic)
        return;
    for (int k = 0; k < n; k++) {
        values->results[0][k] = -h * work_done / along * x->transverse.u[n + k];
        values->results[1][k] = -work_done / along * x->transverse.u[k];
    }
}
