/* Projects positions and velocities onto the constraints. */
#include "system/system.h"

#include "num/extent.h"
#include "system/agreement.h"

#include <math.h>
#include <string.h>

static double largest_of(const double *x, int count, int *at)
{
    double largest = 0;
    *at = 0;
    for (int r = 0; r < count; r++)
        if (!(fabs(x[r]) <= largest)) {
            largest = fabs(x[r]);
            *at = r;
        }
    return largest;
}

/* The largest residual relative to the gradients times numbers of this size: it is
 * rounding where this is small. */
static double largest_part(const lv_pattern *p, const double *gradients,
                           const double *residuals, double size)
{
    double largest = 0;
    for (int r = 0; r < p->rows; r++) {
        double sum = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            sum += fabs(gradients[e]);
        const double part = residuals[r] == 0 ? 0 : fabs(residuals[r]) / (sum * size);
        if (!(part <= largest))
            largest = part;
    }
    return largest;
}

static lv_status not_reached(lv_system *s, const char *what, const double *residuals,
                             int count, lv_error *err)
{
    char name[160];
    int row;
    double left = largest_of(residuals, count, &row);
    lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the %s could not be moved onto the constraints: %.2g is left of '%s'",
                what, left, lv_system_row_name(s, row, name, sizeof name));
    lv_error_because(err, LV_WHY_STALLED);
    lv_system_blame_row(s, row, err);
    return status;
}

lv_status lv_system_project_position(lv_system *s, double *q, double t, lv_error *err)
{
    enum { MOST = 50 };
    double *x = s->work, *y = s->work + s->n;
    const lv_point point = {.q = q, .v = s->model->start_v, .t = t};
    double before = INFINITY;
    for (int k = 0; k < MOST && s->m > 0; k++) {
        lv_plan_run(s->position_plan, &point);
        const double *g = lv_plan_result(s->position_plan, LV_Q_CONSTRAINT);
        if (!isfinite(lv_extent(g, s->m)))
            return lv_plan_diagnose(s->position_plan, &point, err);
        const double size = lv_extent(q, s->n);
        const double worst = largest_part(
            lv_plan_pattern(s->position_plan, LV_Q_JACOBIAN),
            lv_plan_result(s->position_plan, LV_Q_JACOBIAN), g, size > 0 ? size : 1);
        if (worst == 0 || (worst < 1e-13 && worst >= 0.5 * before))
            return LV_OK;
        if (k > 5 && worst > before)
            break;
        before = worst;
        LV_TRY(lv_system_factor(s, s->position_plan, t, err));
        memset(x, 0, (size_t)s->n * sizeof *x);
        for (int r = 0; r < s->m; r++)
            y[r] = -g[r];
        lv_saddle_solve(s->position, x, y);
        for (int i = 0; i < s->n; i++)
            q[i] += x[i];
    }
    if (s->m == 0 || before < 1e-12)
        return LV_OK;
    LV_TRY(lv_system_contradiction(s, t, q, err));
    return not_reached(s, "positions", lv_plan_result(s->position_plan, LV_Q_CONSTRAINT),
                       s->m, err);
}

/* One correction of the velocities. *worst is the largest rate before it, relative to the
 * velocities. */
static lv_status correct_velocity(lv_system *s, double *v, double t, const double *q,
                                  double *worst, lv_error *err)
{
    double *x = s->work, *y = s->work + s->n;
    const lv_point point = {.q = q, .v = v, .t = t};
    lv_plan_run(s->velocity_plan, &point);
    const double *rate = lv_plan_result(s->velocity_plan, LV_Q_RATE);
    if (!isfinite(lv_extent(rate, s->constraint_count)))
        return lv_plan_diagnose(s->velocity_plan, &point, err);
    *worst = largest_part(lv_plan_pattern(s->velocity_plan, LV_Q_RATE_V),
                          lv_plan_result(s->velocity_plan, LV_Q_RATE_V), rate,
                          lv_extent(v, s->n));
    LV_TRY(lv_system_factor(s, s->velocity_plan, t, err));
    memset(x, 0, (size_t)s->n * sizeof *x);
    for (int r = 0; r < s->constraint_count; r++)
        y[r] = -rate[r];
    lv_saddle_solve(s->saddle, x, y);
    for (int i = 0; i < s->n; i++)
        v[i] += x[i];
    return LV_OK;
}

lv_status lv_system_project_velocity(lv_system *s, double *v, double t, const double *q,
                                     lv_error *err)
{
    enum { MOST = 50 };
    double worst = INFINITY, before = INFINITY;
    int most = s->affine ? 2 : MOST; /* the second pass removes rounding */
    for (int k = 0; k < most && s->constraint_count > 0; k++) {
        LV_TRY(correct_velocity(s, v, t, q, &worst, err));
        if (!s->affine && worst < 1e-13 && worst >= 0.5 * before)
            return LV_OK;
        before = worst;
    }
    if (s->constraint_count > 0 && lv_saddle_redundant(s->saddle) > 0)
        return lv_system_agree_velocity(s, t, q, v, err);
    if (s->affine || worst < 1e-12)
        return LV_OK;
    return not_reached(s, "velocities", lv_plan_result(s->velocity_plan, LV_Q_RATE),
                       s->constraint_count, err);
}
