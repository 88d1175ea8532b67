#include "run/advice.h"

#include "system/schur_change.h"

#include <stdio.h>

void lv_advise_start(lv_error *err)
{
    if (!err || err->hint[0])
        return;
    if (err->why == LV_WHY_STALLED || err->why == LV_WHY_DIVERGED)
        lv_error_hint(err, "begin nearer to where the constraints hold");
}

/* Whether the scheme is unstable with its options, which the caller has allowed. */
static bool is_hopeless(const lv_sim *sim, lv_error *err)
{
    char reason[300];
    if (!lv_scheme_unstable(sim->scheme, &sim->options, reason, sizeof reason))
        return false;
    lv_error_hint(err, "no step is small enough: these parameters of '%s' are unstable",
                  sim->scheme->info.name);
    return true;
}

/* For schemes that limit how much G M^-1 G^T may shrink in a step: whether the step has
 * exceeded the limit. */
static bool is_shrinking(const lv_sim *sim, lv_error *err)
{
    const double most = sim->scheme->most_shrinking;
    const lv_point at = {.q = sim->state.q, .v = sim->state.v, .t = sim->state.t};
    char name[160], known[sizeof err->note];
    double rate;
    int row;
    if (most == 0 ||
        lv_system_schur_shrinking(sim->system, &at, &rate, &row, NULL) != LV_OK ||
        !(sim->h * rate > most) || row < 0)
        return false;
    snprintf(known, sizeof known, "%s", err->note);
    lv_error_note(
        err,
        "G M^-1 G^T shrinks by %.2g of itself in this step, most for constraint "
        "'%s': '%s' may have no solution from %.2g on%s%s",
        sim->h * rate, lv_system_row_name(sim->system, row, name, sizeof name),
        sim->scheme->info.name, most, known[0] ? "; " : "", known);
    lv_error_hint(err,
                  "use rattle, em or vi-b2, which have no such limit, or a step below "
                  "%.2g, unless constraints become dependent ahead",
                  most / rate);
    return true;
}

/* Suggests a smaller step. Multipliers of nonholonomic constraints that are carried from
 * step to step may leave those of the motion with any step. */
static void advise_smaller(const lv_sim *sim, lv_error *err)
{
    const bool carried = sim->system->has_nonholonomic &&
                         lv_scheme_option(&sim->options, LV_OPTION_MULTIPLIERS, 0) == 0;
    lv_error_hint(err, carried ? "try multipliers = motion: those that are carried from "
                                 "step to step can leave the motion; or a smaller step"
                               : "try a smaller step");
}

/* The matrix of a step may be singular because the step is long; the matrices of the
 * system do not depend on the step. */
static void advise_singular(const lv_sim *sim, lv_error *err)
{
    if (err->about == LV_ABOUT_STEP && is_shrinking(sim, err))
        return;
    if (err->about == LV_ABOUT_STEP)
        lv_error_hint(err, "try a smaller step");
    else if (err->about == LV_ABOUT_CONSTRAINT && sim->system->constraint_count == 1)
        lv_error_hint(err, "a smaller step does not help: forces of the constraint act "
                           "along its gradient, and there is none");
    else if (err->about == LV_ABOUT_CONSTRAINT)
        lv_error_hint(err, "a smaller step does not help: leave a constraint out that "
                           "follows from the others");
    else
        lv_error_hint(err, "a smaller step does not help: velocities do not follow from "
                           "momenta there");
}

void lv_advise_step(const lv_sim *sim, lv_error *err)
{
    if (!err || err->hint[0])
        return;
    switch (err->why) {
    case LV_WHY_DIVERGED:
    case LV_WHY_STALLED:
        if (!is_hopeless(sim, err) && !is_shrinking(sim, err))
            advise_smaller(sim, err);
        break;
    case LV_WHY_SINGULAR:
        advise_singular(sim, err);
        break;
    case LV_WHY_DOMAIN:
        if (!is_hopeless(sim, err))
            lv_error_hint(err, "try a smaller step; if the motion itself leads there, "
                               "end the run before");
        break;
    case LV_WHY_OTHER:
        if (err->about == LV_ABOUT_STEP)
            lv_error_hint(err, "try a smaller step");
        break;
    case LV_WHY_CONTRADICTION:
    case LV_WHY_BUDGET:
        break;
    }
}

void lv_advise_runaway(const lv_sim *sim, lv_error *err)
{
    if (err && !err->hint[0] && !is_hopeless(sim, err))
        lv_error_hint(err, "try a smaller step; if the motion itself leaves to infinity "
                           "in finite time, end the run before");
}
