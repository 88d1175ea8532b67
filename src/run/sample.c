/* States between the nodes, and an indicator of their error. */
#include "base/usage.h"
#include "num/legendre.h"
#include "run/sim.h"
#include "scheme/dense.h"
#include "scheme/indicator.h"

#include <math.h>
#include <string.h>

static lv_status check_step(const lv_sim *sim, lv_error *err)
{
    if (!sim->dense)
        return lv_fail(err, LV_ERR_USAGE,
                       "this simulation keeps nothing to sample from: it was created "
                       "without options.dense");
    if (sim->last_h == 0)
        return lv_fail(err, LV_ERR_USAGE, "there is no step yet to sample from");
    return LV_OK;
}

static lv_status check(const lv_sim *sim, double t, lv_error *err)
{
    double slack = 1e-9 * fabs(sim->last_h);
    LV_TRY(check_step(sim, err));
    if (t < fmin(sim->before.t, sim->state.t) - slack ||
        t > fmax(sim->before.t, sim->state.t) + slack || !isfinite(t))
        return lv_fail(err, LV_ERR_USAGE,
                       "t = %.17g is not within the last step, from %.17g to %.17g", t,
                       sim->before.t, sim->state.t);
    return LV_OK;
}

static void give(double *to, const double *from, int n)
{
    if (to)
        memcpy(to, from, (size_t)n * sizeof *to);
}

lv_slopes lv_sim_slopes(const lv_sim *sim)
{
    return sim->scheme->slopes(sim->work, &sim->before, &sim->state, sim->last_h);
}

static bool is_on_groups(const lv_sim *sim)
{
    return sim->scheme->on_groups && sim->scheme->on_groups(sim->work);
}

static lv_status refuse_groups(lv_error *err)
{
    return lv_fail(err, LV_ERR_MODEL,
                   "where bodies move on groups no polynomials in coordinates are behind "
                   "a step; only integrated samples can be taken");
}

lv_status lv_sim_sample(const lv_sim *sim, double t, lv_sample kind, double *q, double *v,
                        double *p, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_TRY(lv_need_enumerator(err, __func__, "kind", (int)kind, LV_SAMPLE_RAW + 1));
    const int n = sim->system->n;
    double *at_q = sim->sample, *at_v = at_q + n, *at_p = at_v + n;
    LV_TRY(check(sim, t, err));
    if (t == sim->state.t && kind == LV_SAMPLE_INTEGRATED) {
        give(at_q, sim->state.q, 3 * n); /* q, v, p are contiguous */
    } else if (is_on_groups(sim)) {
        if (kind == LV_SAMPLE_RAW)
            return refuse_groups(err);
        const double x = fmin(fmax((t - sim->before.t) / sim->last_h, 0), 1);
        lv_state at = {.q = at_q, .v = at_v, .p = at_p};
        LV_TRY(sim->scheme->inside(sim->work, &sim->before, sim->last_h, x, &at, err));
    } else {
        lv_slopes slopes = lv_sim_slopes(sim);
        double x = fmin(fmax((t - sim->before.t) / sim->last_h, 0), 1);
        lv_dense dense = kind == LV_SAMPLE_RAW ? LV_DENSE_RAW : LV_DENSE_INTEGRATED;
        lv_dense_position(&slopes, dense, n, x, at_q);
        lv_dense_momentum(&slopes, dense, n, x, at_p);
        memcpy(at_v, sim->state.v, (size_t)n * sizeof *at_v);
        LV_TRY(lv_system_velocity(sim->system, at_v, t, at_q, at_p, err));
    }
    give(q, at_q, n);
    give(v, at_v, n);
    give(p, at_p, n);
    return LV_OK;
}

static void give_multipliers(const lv_slopes *slopes, int m, double x, double *lambda)
{
    for (int k = 0; k < m; k++)
        lambda[k] = (double)NAN;
    if (slopes->lambda_terms > 0)
        lv_dense_multipliers(slopes, m, x, lambda);
}

lv_status lv_sim_step_point(const lv_sim *sim, lv_step_point *point, double x,
                            lv_sample kind, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, point);
    LV_NEED_ROOM(err, point);
    LV_TRY(lv_need_enumerator(err, __func__, "kind", (int)kind, LV_SAMPLE_RAW + 1));
    LV_TRY(check_step(sim, err));
    if (is_on_groups(sim))
        return refuse_groups(err);
    if (!(x >= 0 && x <= 1))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_step_point: x = %.17g is not between 0 and 1", x);
    const int n = sim->system->n;
    const lv_slopes slopes = lv_sim_slopes(sim);
    const lv_dense dense = kind == LV_SAMPLE_RAW ? LV_DENSE_RAW : LV_DENSE_INTEGRATED;
    double *dq = sim->sample, *dp = dq + n;
    if (point->q)
        lv_dense_position(&slopes, dense, n, x, point->q);
    if (point->p)
        lv_dense_momentum(&slopes, dense, n, x, point->p);
    if (point->lambda)
        give_multipliers(&slopes, sim->system->m, x, point->lambda);
    if (!point->q_rate && !point->p_rate)
        return LV_OK;
    lv_dense_rates(&slopes, n, x, dq, dp);
    give(point->q_rate, dq, n);
    give(point->p_rate, dp, n);
    return LV_OK;
}

lv_status lv_sim_sample_work(lv_sim *sim, double t, double *work, lv_error *err)
{
    enum { POINTS = 4 };
    lv_balance *b = &sim->balance;
    const int n = sim->system->n;
    const double from = sim->before.t, time = t - from;
    double c[POINTS], weight[POINTS];
    LV_TRY(check(sim, t, err));
    lv_rule_nodes(c, weight, LV_RULE_GAUSS, POINTS);
    give(work, b->saved + (b->work - b->numbers), b->count);
    for (int i = 0; i < POINTS; i++) {
        const double at = from + c[i] * time;
        LV_TRY(lv_sim_sample(sim, at, LV_SAMPLE_INTEGRATED, NULL, NULL, NULL, err));
        const double *power = lv_balance_power(b, at, sim->sample, sim->sample + n);
        for (int k = 0; k < b->count; k++)
            work[k] += weight[i] * time * power[k];
    }
    return LV_OK;
}

lv_status lv_sim_indicator(const lv_sim *sim, double *value, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, value);
    LV_TRY(check_step(sim, err));
    if (is_on_groups(sim))
        return refuse_groups(err);
    lv_slopes slopes = lv_sim_slopes(sim);
    return lv_indicator(value, sim->system, &slopes, sim->before.t, sim->state.v,
                        sim->sample, err);
}
