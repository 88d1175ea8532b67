#include "run/sim.h"

#include "base/inline.h"
#include "system/agreement.h"
#include "system/determined.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void keep_state(lv_sim *sim)
{
    size_t bytes = 3 * (size_t)sim->system->n * sizeof *sim->saved;
    memcpy(sim->saved, sim->state.q, bytes); /* q, v, p are contiguous */
}

static void restore_state(lv_sim *sim, double t)
{
    size_t bytes = 3 * (size_t)sim->system->n * sizeof *sim->saved;
    memcpy(sim->state.q, sim->saved, bytes);
    sim->state.t = t;
    lv_balance_restore(&sim->balance);
    sim->scheme->forget(sim->work);
}

/* Keeps the start of a step for dense output and for the work of the step. */
static void keep_start(lv_sim *sim)
{
    if (!sim->dense && sim->balance.count == 0)
        return;
    size_t bytes = 3 * (size_t)sim->system->n * sizeof *sim->saved;
    memcpy(sim->before.q, sim->state.q, bytes); /* q, v, p are contiguous */
    sim->before.t = sim->state.t;
}

/* Takes a composed step: substeps of weighted sizes; velocities are made consistent only
 * at the end. */
LV_APART lv_status take_composed_step(lv_sim *sim, double h, lv_error *err)
{
    double t = sim->state.t, offset = 0;
    sim->iterations = 0;
    sim->stagnated = false;
    sim->turned = (lv_turned){0};
    keep_state(sim);
    sim->saved_t = t;
    sim->saved_h = 0;
    for (int k = 0; k < sim->weight_count; k++) {
        lv_step_report report = {0};
        bool last = k == sim->weight_count - 1;
        keep_start(sim);
        lv_status status = sim->scheme->step(sim->work, &sim->state, sim->weights[k] * h,
                                             last, &report, err);
        if (status != LV_OK) {
            restore_state(sim, t);
            return status;
        }
        if (sim->balance.count > 0)
            lv_balance_step(&sim->balance, sim->scheme, sim->work, &sim->before,
                            &sim->state, sim->weights[k] * h);
        sim->iterations += report.iterations;
        sim->stagnated |= report.stagnated;
        if (report.turned.angle >= sim->turned.angle)
            sim->turned = report.turned;
        offset += sim->weights[k];
        sim->state.t = t + offset * h;
    }
    sim->saved_h = h;
    return LV_OK;
}

static lv_status take_single_step(lv_sim *sim, double h, lv_error *err)
{
    lv_step_report report = {0};
    keep_start(sim);
    lv_status status = sim->scheme->step(sim->work, &sim->state, h, true, &report, err);
    sim->iterations = report.iterations;
    sim->stagnated = report.stagnated;
    sim->turned = report.turned;
    sim->last_h = status == LV_OK ? h : 0;
    if (status == LV_OK && sim->balance.count > 0)
        lv_balance_step(&sim->balance, sim->scheme, sim->work, &sim->before, &sim->state,
                        h);
    return status;
}

/* A failed step may have met a configuration with dependent constraints at its start, in
 * its middle or at its end, as extrapolated with the velocities. Constraints that depend
 * on each other from the start are not meant. */
static void blame_singular(lv_sim *sim, double h, lv_error *err)
{
    static const char *const where[] = {"start", "middle", "end"};
    const double close = 1e-2, changes = 0.3;
    const lv_state *x = &sim->state;
    lv_near near[3];
    int least = 0, most = 0;
    char says[500];
    if (lv_system_nearest(sim->system, 0, sim->model->start_q, sim->model->start_v)
            .redundant > 0)
        return;
    for (int k = 0; k < 3; k++) {
        const double part = 0.5 * k * h;
        for (int i = 0; i < sim->system->n; i++)
            sim->saved[i] = x->q[i] + part * x->v[i];
        near[k] = lv_system_nearest(sim->system, x->t + part, sim->saved, x->v);
        least = near[k].value < near[least].value ? k : least;
        most = near[k].value > near[most].value ? k : most;
    }
    if (!(near[least].value < close) || !(near[least].value < changes * near[most].value))
        return;
    (void)lv_fail(
        err, LV_ERR_NUMERIC, "a singular configuration: %s at the %s of the step",
        lv_near_says(&near[least], sim->system, says, sizeof says), where[least]);
    lv_system_blame_row(sim->system, near[least].rows[0], err);
    lv_error_because(err, LV_WHY_SINGULAR);
    lv_error_note(err,
                  "the smallest singular value of their gradients is %.1e there, "
                  "relative, and %.1e at the %s",
                  near[least].value, near[most].value, where[most]);
    lv_error_hint(err, "a different step size avoids it");
}

/* Looks for the reason of a failed step: equations that cannot be solved, or dependent
 * constraints. */
LV_APART void blame(lv_sim *sim, double h, lv_error *err)
{
    lv_error why;
    if (lv_system_contradiction(sim->system, sim->state.t + h, sim->state.q, &why) !=
            LV_OK &&
        err)
        *err = why;
    if (err)
        blame_singular(sim, h, err);
}

/* Velocities between substeps need not be known: those of the end count for the largest
 * substep. */
void lv_sim_note_turns(lv_sim *sim, double h)
{
    double largest = 0;
    if (sim->axes.count == 0 || sim->turned.angle > 0)
        return;
    for (int k = 0; k < sim->weight_count; k++)
        largest = fmax(largest, fabs(sim->weights[k]));
    sim->turned = lv_body_axes_turned(&sim->axes, sim->state.v, 1, largest * h);
}

lv_status lv_sim_step_by(lv_sim *sim, double h, lv_error *err)
{
    assert(isfinite(h) && h != 0);
    if (sim->system->turns)
        lv_system_follow_turns(sim->system, sim->state.t, sim->state.q, sim->state.v);
    if (sim->balance.count > 0)
        lv_balance_keep(&sim->balance);
    lv_status status = sim->weight_count > 1 ? take_composed_step(sim, h, err)
                                             : take_single_step(sim, h, err);
    if (status == LV_ERR_NUMERIC)
        blame(sim, h, err);
    if (status == LV_OK)
        lv_sim_note_turns(sim, h);
    return status;
}

long long lv_sim_plan_steps(double t, double until, double h, double *last)
{
    assert(h > 0);
    double exact = (until - t) / h, whole = floor(exact + 1e-9);
    *last = h;
    if (!(exact > 0))
        return 0;
    if (exact > (double)LV_SIM_STEPS)
        return LV_SIM_STEPS;
    if (exact - whole <= 1e-9)
        return (long long)whole;
    *last = until - (t + whole * h);
    return (long long)whole + 1;
}
