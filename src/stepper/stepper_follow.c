/* Does the solution of a step belong to the motion?
 *
 * The equations of a step have a branch of solutions that begins with the state at h = 0:
 * the step of the motion is on it. Other solutions are other assemblies of a mechanism,
 * other turns of a body, or mere numbers. An iteration that did not contract well may have
 * ended at one of them. The branch is then followed to the size of the step: the solution
 * there is the step, and if the branch ends before, there is none (theory 1.9). */
#include "stepper/stepper_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Corrections by this part of the way of a step do not lead to other solutions, and
 * solutions that are this close need not be told apart. Where no branch can be followed,
 * the larger part has to do. */
static const double little = 0.01, half = 0.5;

static bool is_iterated(const lv_stepper *s, int phase)
{
    const lv_solver *w = &s->solvers[phase];
    return !w->phase->linear &&
           (s->now.asks[w->phase->asked] || !w->phase->multipliers_only);
}

/* How far velocities and accelerations lead in a step: the largest number, and measured as
 * corrections are. */
typedef struct step_way {
    double largest, size;
} step_way;

static step_way way_of_motion(const lv_stepper *s, const lv_state *state)
{
    const double h = fabs(s->now.h);
    double *x = s->place;
    step_way found = {0, 0};
    if (lv_system_accelerations(s->system, x, NULL, state->t, state->q, state->v, NULL) !=
        LV_OK)
        return found;
    for (int i = 0; i < s->system->n; i++)
        x[i] = h * (fabs(state->v[i]) + h / 2 * fabs(x[i]));
    found.size =
        lv_system_relative_size(s->system, x, state->q, state->v, h, &found.largest);
    return found;
}

/* The largest correction that may have led to another solution. */
static double largest_astray(const lv_stepper *s)
{
    double largest = 0;
    for (int k = 0; k < s->course->phases.count; k++)
        if (is_iterated(s, k))
            largest = fmax(largest, s->solvers[k].newton.astray);
    return largest;
}

/* ---- the branch -------------------------------------------------------------------- */

static lv_status make_branches(lv_stepper *s, lv_error *err)
{
    const int phases = s->course->phases.count;
    if (s->branches)
        return LV_OK;
    lv_branch *list = lv_arena_alloc(&s->arena, (size_t)phases + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < phases; k++)
        LV_TRY(lv_branch_init(&list[k], &s->solvers[k], &s->arena, err));
    for (int k = 0; k < LV_FOLLOWED_ENDS; k++)
        if (!(s->ends[k] = lv_arena_alloc(&s->arena, (size_t)s->system->points + 1,
                                          sizeof *s->ends[k])))
            return lv_fail_memory(err);
    s->branches = list;
    return LV_OK;
}

static void copy_end(const lv_stepper *s, lv_followed_end which)
{
    memcpy(s->ends[which], s->ending.q, (size_t)s->system->points * sizeof(double));
}

/* Adds the step of size h that was just solved to the branch. */
static void add_part(lv_stepper *s, double h)
{
    double *oldest = s->ends[LV_END_OLDER];
    for (int k = 0; k < s->course->phases.count; k++)
        lv_branch_add(&s->branches[k], h);
    lv_stepper_assign(s);
    s->ends[LV_END_OLDER] = s->ends[LV_END_NEWER];
    s->ends[LV_END_NEWER] = oldest;
    copy_end(s, LV_END_NEWER);
}

/* Solves a step of size h from the same state, as the continuation of the branch. */
static bool solve_part(lv_stepper *s, const lv_state *state, double h, double most,
                       lv_step_report *report)
{
    const int phases = s->course->phases.count;
    s->now.h = h;
    lv_course_place(s->course, state->t, h);
    for (int k = 0; k < phases; k++)
        lv_branch_expect(&s->branches[k], h, most);
    report->stagnated = false;
    if (lv_stepper_run_phases(s, state, report, NULL) != LV_OK)
        return false;
    add_part(s, h);
    return true;
}

static void begin(lv_stepper *s)
{
    for (int k = 0; k < s->course->phases.count; k++) {
        lv_branch_begin(&s->branches[k]);
        lv_solver_restore_notes(&s->solvers[k]);
    }
}

static void end(lv_stepper *s, const lv_state *state, double h)
{
    s->now.h = h;
    lv_course_place(s->course, state->t, h);
    for (int k = 0; k < s->course->phases.count; k++)
        lv_branch_end(&s->branches[k]);
}

/* Follows the branch to the size of the step, by strides that double as long as iterations
 * contract well. Returns the part of the step that was reached: 1 if it is solved. */
static double follow(lv_stepper *s, const lv_state *state, const step_way *way,
                     lv_step_report *report)
{
    enum { MOST = 64 };
    const double h = s->now.h, least = 1.0 / 1024;
    double reached = 0, stride = 0.5;
    begin(s);
    for (int k = 0; k < MOST && reached < 1 && stride >= least; k++) {
        const double to = fmin(reached + stride, 1),
                     most = fmax(little * to * way->size, LV_NEWTON_NOISE);
        const bool solved = solve_part(s, state, to * h, most, report);
        reached = solved ? to : reached;
        stride *= solved ? 2 : 0.5;
    }
    end(s, state, h);
    return reached;
}

static bool agree(const lv_stepper *s)
{
    for (int k = 0; k < s->course->phases.count; k++)
        if (is_iterated(s, k) && !lv_branch_agrees(&s->branches[k]))
            return false;
    return true;
}

/* Whether the branch leads on to where the step ended that was found otherwise, as far as
 * its last points let expect: positions are q + h V, with V linear in h. */
static bool leads_there(const lv_stepper *s, const lv_state *state, const step_way *way)
{
    const lv_branch *b = &s->branches[0];
    const double h = s->now.h, newer = b->size[0],
                 older = b->points > 1 ? b->size[1] : newer,
                 ahead = b->points > 1 ? (h - newer) / (newer - older) : 0;
    double off = 0;
    for (int i = 0; i < s->system->points; i++) {
        const double q = state->q[i], last = (s->ends[LV_END_NEWER][i] - q) / newer,
                     before =
                         b->points > 1 ? (s->ends[LV_END_OLDER][i] - q) / older : last,
                     expected = q + h * (last + ahead * (last - before));
        off = fmax(off, fabs(s->ends[LV_END_FOUND][i] - expected));
    }
    return off <= little * way->largest;
}

/* Makes everything what it was before the branch was followed. */
static lv_status restore(lv_stepper *s, const lv_step_now *now, lv_error *err)
{
    lv_course *c = s->course;
    s->now = *now;
    for (int k = 0; k < c->phases.count; k++) {
        lv_course_run(c, &c->phase[k + 1].before);
        lv_branch_restore(&s->branches[k]);
        lv_course_rerun(c, &c->phase[k + 1].pass);
    }
    return lv_stepper_end_course(s, err);
}

/* ---- judgement --------------------------------------------------------------------- */

static lv_status refuse(double reached, lv_error *err)
{
    const lv_status status =
        lv_fail(err, LV_ERR_NUMERIC,
                "the iteration ended at a solution that does not belong to the motion");
    if (reached > 0)
        lv_error_note(err, "that of the motion ends at %.3g of the step", reached);
    else
        lv_error_note(err, "corrections were larger than half of the way that velocities "
                           "and forces lead in the step");
    lv_error_about(err, LV_ABOUT_STEP, 0);
    lv_error_because(err, LV_WHY_DIVERGED);
    return status;
}

/* Adds to the error of a step without a solution how far there is one. */
static void explain(double reached, lv_error *err)
{
    char known[sizeof err->note];
    if (!err || reached == 0)
        return;
    snprintf(known, sizeof known, "%s", err->note);
    lv_error_note(err,
                  "the solution that belongs to the motion ends at %.3g of the step%s%s",
                  reached, known[0] ? "; " : "", known);
}

static lv_status follow_and_judge(lv_stepper *s, const lv_state *state, lv_status found,
                                  const step_way *way, lv_step_report *report,
                                  lv_error *err)
{
    const double astray = largest_astray(s);
    const lv_step_now now = s->now;
    lv_step_report own = {0};
    LV_TRY(make_branches(s, err));
    copy_end(s, LV_END_FOUND);
    const double reached = follow(s, state, way, &own);
    report->iterations += own.iterations;
    if (reached == 1 && (found != LV_OK || !agree(s))) {
        report->stagnated |= own.stagnated;
        return lv_stepper_end_course(s, err);
    }
    if (found != LV_OK) {
        explain(reached, err);
        return found;
    }
    const bool belongs = reached == 1  ? true
                         : reached > 0 ? leads_there(s, state, way)
                                       : astray <= half * way->size;
    return belongs ? restore(s, &now, err) : refuse(reached, err);
}

lv_status lv_stepper_judge(lv_stepper *s, const lv_state *state, lv_status found,
                           lv_step_report *report, lv_error *err)
{
    const bool failed = found == LV_ERR_NUMERIC || found == LV_ERR_DOMAIN;
    const double astray = found == LV_OK ? largest_astray(s) : 0;
    if (!failed && !(astray > LV_NEWTON_NOISE))
        return found;
    const step_way way = way_of_motion(s, state);
    return failed || astray > little * way.size
               ? follow_and_judge(s, state, found, &way, report, err)
               : found;
}
