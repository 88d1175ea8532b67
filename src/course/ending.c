#include "course/ending.h"

#include "course/failure.h"
#include "num/extent.h"
#include "num/sparse.h"
#include "system/agreement.h"

#include <math.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------- */

/* The number of the assignment at the end of a step; -1: the field stays as it is. */
static int assignment_of(const lv_form *form, int field)
{
    int number = -1;
    for (int k = 0; k < form->assignments.count; k++)
        if (form->assignments.data[k].field == field && !form->assignments.data[k].first)
            number = k;
    return number;
}

const double *lv_course_end_value(const lv_course *c, int field)
{
    const int number = assignment_of(&c->form, field);
    return number >= 0 ? c->assignments[number].out : c->value[field];
}

static bool is_equal_sum(const lv_sum *a, const lv_sum *b)
{
    bool same = a->count == b->count;
    for (int t = 0; same && t < a->count; t++)
        same = a->data[t].field == b->data[t].field &&
               a->data[t].atom == b->data[t].atom && a->data[t].c == b->data[t].c &&
               a->data[t].power == b->data[t].power;
    return same;
}

/* Whether a field is the new value of a carried field. */
static bool is_end_of(const lv_form *form, int carried, int field)
{
    const int number = assignment_of(form, carried);
    if (number < 0)
        return false;
    const lv_field *f = &form->fields.data[field];
    const lv_sum *sum = &form->assignments.data[number].sum;
    return (sum->count == 1 && sum->data[0].field == field) ||
           (f->role == LV_FIELD_DEFINED && is_equal_sum(sum, &f->sum));
}

/* The operator of a term of an equation if it has this name, otherwise NULL. */
static const lv_atom *named_atom(const lv_form *form, const lv_term *term,
                                 const char *name)
{
    const lv_atom *atom = term->atom >= 0 ? &form->atoms.data[term->atom] : NULL;
    return atom && strcmp(atom->op->name, name) == 0 ? atom : NULL;
}

/* The last point at which the step requires the holonomic constraints; -1: there is
 * none. */
static int last_constrained(const lv_form *form)
{
    int last = -1;
    for (int k = 0; k < form->fields.count; k++) {
        const lv_field *f = &form->fields.data[k];
        for (int t = 0; f->role == LV_FIELD_UNKNOWN && t < f->sum.count; t++) {
            const lv_atom *g = named_atom(form, &f->sum.data[t], "g");
            const int at = g ? g->arg[LV_ARG_Q] : -1;
            if (at >= 0 &&
                (last < 0 || form->fields.data[at].at > form->fields.data[last].at))
                last = at;
        }
    }
    return last;
}

/* The field whose equation requires the rates of the holonomic constraints at the end of
 * the step to vanish; NULL: there is none. */
static const lv_field *find_end_rates(const lv_form *form, int q, int v)
{
    for (int k = 0; k < form->fields.count; k++) {
        const lv_field *f = &form->fields.data[k];
        for (int t = 0; f->role == LV_FIELD_UNKNOWN && t < f->sum.count; t++) {
            const lv_atom *rate = named_atom(form, &f->sum.data[t], "rate");
            if (rate && is_end_of(form, q, rate->arg[LV_ARG_Q]) &&
                is_end_of(form, v, rate->arg[LV_ARG_V]))
                return f;
        }
    }
    return NULL;
}

void lv_ending_init(lv_ending *e, lv_course *c, int q, int v, lv_plan *constraints)
{
    const int last = last_constrained(&c->form);
    const lv_field *rates = find_end_rates(&c->form, q, v);
    *e = (lv_ending){.course = c,
                     .constraints = constraints,
                     .q = lv_course_end_value(c, q),
                     .v = v >= 0 ? lv_course_end_value(c, v) : NULL,
                     .last = last >= 0 ? c->value[last] : NULL,
                     .at = last >= 0 ? c->form.fields.data[last].at : 1,
                     .asks_rates = rates != NULL,
                     .rates_asked = rates ? rates->asked : LV_ASKED_ALWAYS};
}

/* ---- constraints ------------------------------------------------------------------- */

bool lv_ending_checks_rates(const lv_ending *e, const bool asks[LV_ASKED_WHEN])
{
    return e->course->system->has_nonholonomic || (e->asks_rates && asks[e->rates_asked]);
}

/* Whether residuals are within their limits. Sets `doubtful` if they are larger than
 * rounding, which is far below the limits. */
static bool are_small(lv_ending *e, const double *residuals, double size)
{
    const double share = lv_system_residual_share(
        lv_plan_pattern(e->constraints, LV_Q_JACOBIAN),
        lv_plan_result(e->constraints, LV_Q_JACOBIAN), residuals, size);
    e->doubtful |= !(share <= LV_ENDING_ROUNDING);
    return share <= 1;
}

static bool hold(lv_ending *e, const lv_point *at)
{
    lv_plan_run(e->constraints, at);
    return are_small(e, lv_plan_result(e->constraints, LV_Q_CONSTRAINT),
                     lv_extent(at->q, e->course->system->n));
}

/* The scale of velocities: |v| + sqrt(|a| |q|). The second term is the speed that the
 * accelerations reach within the extent of the coordinates; rounding of velocities at
 * rest is small compared with it. */
static double speed(const lv_ending *e, const lv_step_now *now, const lv_point *at)
{
    const int n = e->course->system->n;
    double change = 0;
    for (int i = 0; i < n; i++)
        change = fmax(change, fabs(at->v[i] - now->from->v[i]));
    return lv_extent(at->v, n) + sqrt(change / fabs(now->h) * lv_extent(at->q, n));
}

/* Whether the rates G v vanish, for constraints that do not depend on time. Call after
 * hold(), which evaluates the gradients. */
static bool rates_hold(lv_ending *e, const lv_step_now *now, const lv_point *at)
{
    double *rate = e->course->multipliers;
    memset(rate, 0, (size_t)e->course->system->m * sizeof *rate);
    lv_sparse_multiply(lv_plan_pattern(e->constraints, LV_Q_JACOBIAN),
                       lv_plan_result(e->constraints, LV_Q_JACOBIAN), 1, at->v, rate);
    return are_small(e, rate, speed(e, now, at));
}

/* Checks dependent constraints at the end of the step. If residuals exceed their limits,
 * or rates cannot be judged by these, lv_system_agree_* decides. */
static lv_status check_agreement(lv_ending *e, const lv_step_now *now, lv_error *err)
{
    lv_system *system = e->course->system;
    const lv_point at = {
        .q = e->q, .v = e->v ? e->v : now->from->v, .t = now->from->t + now->h};
    const bool rolling = system->has_nonholonomic;
    if (system->m > 0 && !hold(e, &at))
        LV_TRY(lv_system_agree_position(system->still ? system->still : system, at.t,
                                        at.q, err));
    if (!lv_ending_checks_rates(e, now->asks))
        return LV_OK;
    if (!rolling && !system->rheonomic && rates_hold(e, now, &at))
        return LV_OK;
    return lv_system_agree_velocity(system, at.t, at.q, at.v, err);
}

/* ---- the check --------------------------------------------------------------------- */

static bool is_finite(const lv_course *c)
{
    for (int k = 0; k < c->form.assignments.count; k++)
        if (!isfinite(lv_extent(c->assignments[k].out, c->assignments[k].size)))
            return false;
    return true;
}

static lv_status failed(const lv_ending *e, lv_error *err)
{
    const lv_step_failure failure = {.system = e->course->system,
                                     .why = LV_WHY_DIVERGED,
                                     .change = (double)NAN,
                                     .iterations = 1};
    LV_TRY(lv_course_diagnose(e->course, err));
    return lv_step_failed(&failure, err);
}

lv_status lv_ending_check(lv_ending *e, const lv_step_now *now, bool redundant,
                          lv_error *err)
{
    e->doubtful = false;
    if (!is_finite(e->course))
        return failed(e, err);
    if (!redundant)
        return LV_OK;
    lv_system *system = e->course->system;
    if (e->at >= 1)
        return check_agreement(e, now, err);
    const lv_point at = {
        .q = e->last, .v = now->from->v, .t = now->from->t + e->at * now->h};
    return hold(e, &at) ? LV_OK
                        : lv_system_agree_position(system->still ? system->still : system,
                                                   at.t, at.q, err);
}
