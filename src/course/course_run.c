#include "course/course.h"

#include "num/extent.h"
#include "num/sparse.h"

#include <math.h>
#include <string.h>

static void weigh_actions(const lv_actions *actions, double h)
{
    for (int k = 0; k < actions->count; k++)
        if (actions->data[k].kind == LV_DO_COMBINE)
            lv_combination_weigh(&actions->data[k].combine, h);
}

static void weigh_phase(const lv_phase *phase, double h)
{
    weigh_actions(&phase->before, h);
    weigh_actions(&phase->pass, h);
    weigh_actions(&phase->cheap, h);
    weigh_actions(&phase->full, h);
    weigh_actions(&phase->pass_at_zero, h);
    for (int k = 0; k < phase->columns.count; k++) {
        lv_combination_weigh(&phase->columns.data[k].residual, h);
        lv_combination_weigh(&phase->columns.data[k].residual_at_zero, h);
    }
}

static void weigh_all(lv_course *c, double h)
{
    c->h = h;
    for (int p = 0; p < LV_PLACES(c); p++)
        weigh_phase(&c->phase[p], h);
    for (int k = 0; k < c->form.assignments.count; k++)
        lv_combination_weigh(&c->assignments[k], h);
}

void lv_combine(lv_course *c, const lv_combination *s)
{
    lv_combination_run(s, c->mass, c->work);
}

/* ---- sites ------------------------------------------------------------------------- */

static const double *value_of(const lv_course *c, int field)
{
    return field < 0 ? NULL : c->value[field];
}

/* The multipliers of all constraints; those of a kind that the site lacks are zero. */
static const double *all_multipliers(lv_course *c, const lv_site *site)
{
    const double *y = value_of(c, site->arg[LV_ARG_Y]),
                 *l = value_of(c, site->arg[LV_ARG_L]);
    const int m = c->system->m, rates = c->system->constraint_count;
    if (!l && rates == m)
        return y;
    memset(c->multipliers, 0, (size_t)rates * sizeof *c->multipliers);
    if (y)
        memcpy(c->multipliers, y, (size_t)m * sizeof *y);
    if (l)
        memcpy(c->multipliers + m, l, (size_t)(rates - m) * sizeof *l);
    return c->multipliers;
}

/* The point at which the quantities of a site are evaluated. */
static lv_point point_of(lv_course *c, const lv_site *site)
{
    const bool pair = site->arg[LV_ARG_Q0] >= 0;
    lv_point point = {.q = value_of(c, site->arg[LV_ARG_Q]),
                      .v = value_of(c, site->arg[LV_ARG_V]),
                      .t = c->t + site->at * c->h,
                      .w = value_of(c, site->arg[pair ? LV_ARG_Q0 : LV_ARG_W]),
                      .x = value_of(c, site->arg[LV_ARG_V0])};
    if (site->arg[LV_ARG_Y] >= 0 || site->arg[LV_ARG_L] >= 0)
        point.y = all_multipliers(c, site);
    if (!point.v)
        point.v = c->value[c->facts.v >= 0 ? c->facts.v : site->arg[LV_ARG_Q]];
    return point;
}

/* Evaluates at the site `number`, which need not be e->site. */
static void evaluate_at(lv_course *c, const lv_evaluation *e, int number)
{
    const lv_site *site = &c->sites.data[number];
    const lv_point point = point_of(c, site);
    for (int k = 0; k < e->quantities; k++) {
        const lv_quantity q = e->quantity[k];
        lv_plan_redirect(e->plan, q, site->storage[q]);
        c->evaluations[q]++;
    }
    lv_plan_run(e->plan, &point);
}

void lv_course_evaluate(lv_course *c, const lv_evaluation *e)
{
    evaluate_at(c, e, e->site);
}

/* ---- the beginning of a step ------------------------------------------------------- */

static bool has_same_value(const lv_course *c, int field, int other)
{
    const size_t size = (size_t)c->sizes[c->form.fields.data[field].space];
    return memcmp(c->value[field], c->value[other], size * sizeof(double)) == 0;
}

/* Indices in lv_handover.kept; the position begins at KEPT_POINT. */
enum { KEPT_ANY, KEPT_TIME, KEPT_POINT };

static int kept_size(const lv_course *c, const lv_handover *h)
{
    int size = KEPT_POINT + c->system->points + c->system->n;
    for (int k = 0; k < h->parts; k++)
        size += h->part[k].count;
    return size;
}

int lv_course_kept_size(const lv_course *c)
{
    int size = 0;
    for (int k = 0; k < c->handovers.count; k++)
        size += kept_size(c, &c->handovers.data[k]);
    return size;
}

void lv_course_place_kept(lv_course *c, double *memory)
{
    for (int k = 0; k < c->handovers.count; k++) {
        c->handovers.data[k].kept = memory;
        memory += kept_size(c, &c->handovers.data[k]);
    }
}

static void keep(const lv_course *c, const lv_handover *h, bool start)
{
    const lv_site *at = &c->sites.data[start ? h->to : h->from.site];
    double *to = h->kept + KEPT_POINT;
    h->kept[KEPT_ANY] = 1;
    h->kept[KEPT_TIME] = start ? c->t : c->t + at->at * c->h;
    memcpy(to, c->value[at->arg[LV_ARG_Q]], (size_t)c->system->points * sizeof *to);
    to += c->system->points;
    if (h->of_velocity)
        memcpy(to, c->value[at->arg[LV_ARG_V]], (size_t)c->system->n * sizeof *to);
    to += c->system->n;
    for (int k = 0; k < h->parts; k++) {
        memcpy(to, start ? h->part[k].to : h->part[k].from,
               (size_t)h->part[k].count * sizeof *to);
        to += h->part[k].count;
    }
}

void lv_course_keep(lv_course *c, bool start)
{
    for (int k = 0; k < c->handovers.count; k++)
        if (c->handovers.data[k].kept)
            keep(c, &c->handovers.data[k], start);
}

bool lv_course_hands_over_inputs(const lv_course *c)
{
    for (int k = 0; k < c->handovers.count; k++)
        if (c->handovers.data[k].of_time)
            return true;
    return false;
}

void lv_course_change_inputs(lv_course *c)
{
    c->finished = false;
    for (int k = 0; k < c->handovers.count; k++)
        if (c->handovers.data[k].kept && c->handovers.data[k].of_time)
            c->handovers.data[k].kept[KEPT_ANY] = 0;
}

static bool is_kept(const lv_course *c, const lv_handover *h, double t)
{
    const lv_site *to = &c->sites.data[h->to];
    const size_t points = (size_t)c->system->points, n = (size_t)c->system->n;
    const double *q = h->kept + KEPT_POINT, *v = q + points;
    return h->kept[KEPT_ANY] == 1 && (!h->of_time || h->kept[KEPT_TIME] == t) &&
           memcmp(q, c->value[to->arg[LV_ARG_Q]], points * sizeof *q) == 0 &&
           (!h->of_velocity ||
            memcmp(v, c->value[to->arg[LV_ARG_V]], n * sizeof *v) == 0);
}

static void take_kept(const lv_course *c, const lv_handover *h)
{
    const double *from = h->kept + KEPT_POINT + c->system->points + c->system->n;
    for (int k = 0; k < h->parts; k++) {
        memcpy(h->part[k].to, from, (size_t)h->part[k].count * sizeof *from);
        from += h->part[k].count;
    }
}

/* Whether the last step ended at the point where this step begins, at time t. */
static bool is_same_point(const lv_course *c, const lv_handover *h, double t)
{
    if (h->kept)
        return is_kept(c, h, t);
    const lv_site *from = &c->sites.data[h->from.site], *to = &c->sites.data[h->to];
    return c->finished && has_same_value(c, to->arg[LV_ARG_Q], from->arg[LV_ARG_Q]) &&
           (!h->of_velocity ||
            has_same_value(c, to->arg[LV_ARG_V], from->arg[LV_ARG_V])) &&
           (!h->of_time || c->t + from->at * c->h == t);
}

/* Copies or evaluates all quantities that are handed over. They are evaluated with the
 * plan of the end of a step, so that a resumed run gets the same bits. */
static void hand_over(lv_course *c, double t)
{
    for (int k = 0; k < c->handovers.count; k++)
        c->handovers.data[k].same = is_same_point(c, &c->handovers.data[k], t);
    c->t = t;
    for (int k = 0; k < c->handovers.count; k++) {
        const lv_handover *h = &c->handovers.data[k];
        if (!h->same)
            evaluate_at(c, &h->from, h->to);
        else if (h->kept)
            take_kept(c, h);
        for (int i = 0; h->same && !h->kept && i < h->parts; i++)
            if (!h->part[i].constant)
                memcpy(h->part[i].to, h->part[i].from,
                       (size_t)h->part[i].count * sizeof *h->part[i].to);
    }
}

void lv_course_begin(lv_course *c, double t, double h)
{
    hand_over(c, t);
    c->finished = false;
    if (h != c->h)
        weigh_all(c, h);
}

void lv_course_place(lv_course *c, double t, double h)
{
    c->t = t;
    if (h != c->h)
        weigh_all(c, h);
}

/* ---- operators of groups ----------------------------------------------------------- */

static void turn_arguments(const lv_course *c, const lv_atom *atom, lv_turn_arguments x)
{
    for (int a = 0; a < LV_ARGUMENTS; a++)
        x[a] = value_of(c, atom->arg[a]);
}

static void turn(lv_course *c, int number)
{
    lv_turn_arguments x;
    const lv_atom *atom = &c->form.atoms.data[number];
    turn_arguments(c, atom, x);
    lv_turning_apply(&c->turning, atom->op->turn, c->product[number], x);
}

void lv_course_factor(lv_course *c, int number)
{
    lv_turn_arguments x;
    const lv_factor *f = &c->factors.data[number];
    const lv_atom *atom = &c->form.atoms.data[f->atom];
    turn_arguments(c, atom, x);
    lv_turning_slope(&c->turning, atom->op->turn, f->by, f->blocks, x);
}

/* ---- products ---------------------------------------------------------------------- */

const lv_pattern *lv_course_pattern(const lv_course *c, lv_matrix_of m)
{
    if (m.quantity == LV_Q_MASS && c->mass_values)
        return c->mass_pattern;
    return m.rows == LV_ROWS_ROLLING     ? &c->rolling[m.quantity]
           : m.rows == LV_ROWS_HOLONOMIC ? &c->holonomic[m.quantity]
                                         : c->pattern[m.quantity];
}

const double *lv_course_values(const lv_course *c, lv_matrix_of m, int site)
{
    if (site < 0)
        return c->mass_values;
    const double *values = c->sites.data[site].storage[m.quantity];
    return m.rows == LV_ROWS_ROLLING
               ? values + c->pattern[m.quantity]->start[c->system->m]
               : values;
}

static void multiply(lv_course *c, const lv_product *p)
{
    const lv_atom *atom = &c->form.atoms.data[p->atom];
    const lv_operator *op = atom->op;
    if (op->turn != LV_TURN_NONE) {
        turn(c, p->atom);
        return;
    }
    const lv_pattern *pattern = lv_course_pattern(c, op->value);
    const double *values = lv_course_values(c, op->value, p->site);
    const double *x = c->value[atom->arg[op->vector]];
    const int size = op->value.transposed ? pattern->columns : pattern->rows;
    if (p->site < 0 && lv_mass_inverse_diagonal(c->mass)) {
        for (int i = 0; i < size; i++)
            p->out[i] = values[i] * x[i];
        return;
    }
    const lv_columns *columns =
        op->value.transposed ? c->columns[op->value.quantity] : NULL;
    const bool whole = columns && pattern->rows == c->pattern[op->value.quantity]->rows;
    if (op->constant >= 0)
        memcpy(p->out, c->sites.data[p->site].storage[op->constant],
               (size_t)size * sizeof *p->out);
    else if (!whole)
        memset(p->out, 0, (size_t)size * sizeof *p->out);
    const lv_column_target to = {p->out, 1, op->constant >= 0};
    if (whole)
        lv_columns_spread(columns, &to, 1, values, x, NULL);
    else if (op->value.transposed)
        lv_sparse_multiply_transposed(pattern, values, 1, x, p->out);
    else
        lv_sparse_multiply(pattern, values, 1, x, p->out);
}

/* ---- calls ------------------------------------------------------------------------- */

static void call(lv_course *c, const lv_call *x)
{
    const double *arguments[LV_CALL_ARGUMENTS];
    double *results[LV_CALL_RESULTS];
    for (int k = 0; k < x->arguments; k++)
        arguments[k] = c->value[x->argument[k]];
    for (int k = 0; k < x->results; k++)
        results[k] = c->value[x->result[k]];
    const double at = c->form.fields.data[x->argument[0]].at;
    const lv_opaque_values values = {c->t + at * c->h, c->h, arguments, results};
    x->function.apply(x->function.work, &values);
}

/* ---- actions ----------------------------------------------------------------------- */

static void act(lv_course *c, const lv_action *a)
{
    if (a->kind == LV_DO_COMBINE)
        lv_combine(c, &a->combine);
    else if (a->kind == LV_DO_EVALUATE)
        lv_course_evaluate(c, &a->evaluate);
    else if (a->kind == LV_DO_CALL)
        call(c, &c->form.calls.data[a->subject]);
    else
        multiply(c, &a->multiply);
}

void lv_course_run(lv_course *c, const lv_actions *actions)
{
    for (int k = 0; k < actions->count; k++)
        act(c, &actions->data[k]);
}

void lv_course_rerun(lv_course *c, const lv_actions *actions)
{
    for (int k = 0; k < actions->count; k++)
        if (actions->data[k].later)
            act(c, &actions->data[k]);
}

void lv_course_replay(lv_course *c)
{
    for (int p = 1; p <= c->phases.count; p++) {
        lv_course_run(c, &c->phase[p].before);
        lv_course_run(c, &c->phase[p].pass);
        lv_course_run(c, &c->phase[p].cheap);
    }
    lv_course_run(c, &c->phase[LV_PLACE_END(c)].before);
}

/* ---- formulas without a value ------------------------------------------------------ */

static bool is_finite(const lv_course *c, const lv_site *site)
{
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const int field = site->arg[a];
        if (field >= 0 &&
            !isfinite(
                lv_extent(c->value[field], c->sizes[c->form.fields.data[field].space])))
            return false;
    }
    return true;
}

static lv_status diagnose(lv_course *c, const lv_actions *actions, lv_error *err)
{
    for (int k = 0; k < actions->count; k++) {
        const lv_action *a = &actions->data[k];
        if (a->kind != LV_DO_EVALUATE)
            continue;
        const lv_site *site = &c->sites.data[a->evaluate.site];
        const lv_point point = point_of(c, site);
        if (is_finite(c, site))
            LV_TRY(lv_plan_diagnose(a->evaluate.plan, &point, err));
    }
    return LV_OK;
}

lv_status lv_course_diagnose(lv_course *c, lv_error *err)
{
    for (int k = 0; k < c->handovers.count; k++) {
        const lv_handover *h = &c->handovers.data[k];
        const lv_point point = point_of(c, &c->sites.data[h->to]);
        LV_TRY(lv_plan_diagnose(h->from.plan, &point, err));
    }
    for (int p = 0; p < LV_PLACES(c); p++) {
        if (p == LV_PLACE_SHOWN(c))
            continue;
        LV_TRY(diagnose(c, &c->phase[p].before, err));
        LV_TRY(diagnose(c, &c->phase[p].pass, err));
        LV_TRY(diagnose(c, &c->phase[p].cheap, err));
        LV_TRY(diagnose(c, &c->phase[p].full, err));
    }
    return LV_OK;
}

double *lv_course_value(const lv_course *c, const char *name, int index)
{
    const int field = lv_form_find(&c->form, name, index);
    return field < 0 ? NULL : c->value[field];
}
