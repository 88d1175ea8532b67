#include "course/course_make.h"

#include "base/budget.h"
#include "num/sparse.h"

#include <stdio.h>
#include <string.h>

/* ---- plans and storage ------------------------------------------------------------- */

static lv_status list_quantities(lv_course *c, lv_evaluation *e, lv_error *err)
{
    lv_quantity *list = lv_arena_alloc(&c->arena, LV_QUANTITIES, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    e->quantity = list;
    e->quantities = 0;
    for (int q = 0; q < LV_QUANTITIES; q++)
        if (e->wanted >> q & 1)
            list[e->quantities++] = (lv_quantity)q;
    return LV_OK;
}

static void keep_patterns(lv_course *c, const lv_evaluation *e)
{
    for (int k = 0; k < e->quantities; k++) {
        const lv_quantity q = e->quantity[k];
        if (!c->pattern[q] && lv_quantity_shape(q) >= LV_SHAPE_SQUARE)
            c->pattern[q] = lv_plan_pattern(e->plan, q);
    }
}

/* Evaluations of the same quantities share a plan. */
static lv_status find_plan(lv_course *c, lv_evaluation *e, lv_error *err)
{
    for (int k = 0; k < c->plans.count; k++)
        if (c->plans.data[k].wanted == e->wanted) {
            const int site = e->site;
            *e = c->plans.data[k];
            e->site = site;
            return LV_OK;
        }
    LV_TRY(list_quantities(c, e, err));
    LV_TRY(lv_plan_create(&e->plan, c->system->model, e->wanted, err));
    if (!LV_PUSH(c->plans, *e)) {
        lv_plan_free(e->plan);
        return lv_fail_memory(err);
    }
    keep_patterns(c, e);
    return LV_OK;
}

int lv_course_quantity_size(const lv_course *c, lv_quantity q)
{
    switch (lv_quantity_shape(q)) {
    case LV_SHAPE_VECTOR:
        return c->system->n;
    case LV_SHAPE_ROWS:
        return c->system->m;
    case LV_SHAPE_RATES:
        return c->system->constraint_count;
    case LV_SHAPE_SQUARE:
    case LV_SHAPE_HOLONOMIC:
    case LV_SHAPE_CONSTRAINTS:
        return lv_pattern_entries(c->pattern[q]);
    case LV_SHAPE_SCALAR:
    case LV_SHAPE_LIST:
        break;
    }
    return 1;
}

/* Gives an evaluation its plan, and memory for its results. */
static lv_status settle_evaluation(lv_course_maker *m, lv_evaluation *e, lv_error *err)
{
    lv_course *c = m->c;
    LV_TRY(find_plan(c, e, err));
    lv_site *site = &c->sites.data[e->site];
    for (int k = 0; k < e->quantities; k++) {
        const lv_quantity q = e->quantity[k];
        if (!site->storage[q])
            site->storage[q] = lv_maker_room(m, lv_course_quantity_size(c, q));
        if (m->failed)
            return lv_fail_memory(err);
        lv_plan_base(e->plan, q, site->storage[q]);
    }
    return LV_OK;
}

/* Makes the patterns of the rows of holonomic and of nonholonomic constraints, for
 * quantities that have rows for both. */
static lv_status make_row_patterns(lv_course *c, lv_error *err)
{
    for (int q = 0; q < LV_QUANTITIES; q++) {
        const lv_pattern *whole = c->pattern[q];
        if (!whole || c->rolling[q].start ||
            lv_quantity_shape((lv_quantity)q) != LV_SHAPE_CONSTRAINTS)
            continue;
        const int m = c->system->m, rows = c->system->constraint_count - m;
        int *start = lv_arena_alloc(&c->arena, (size_t)rows + 1, sizeof *start);
        if (!start)
            return lv_fail_memory(err);
        for (int r = 0; r <= rows; r++)
            start[r] = whole->start[m + r] - whole->start[m];
        c->holonomic[q] = *whole;
        c->holonomic[q].rows = m;
        c->rolling[q] = (lv_pattern){.rows = rows,
                                     .columns = whole->columns,
                                     .start = start,
                                     .column = whole->column + whole->start[m]};
    }
    return LV_OK;
}

/* Makes the columns of a matrix whose transpose is multiplied with. */
static lv_status make_columns(lv_course *c, const lv_actions *actions, lv_error *err)
{
    for (int k = 0; k < actions->count; k++) {
        if (actions->data[k].kind != LV_DO_MULTIPLY)
            continue;
        const lv_operator *op = c->form.atoms.data[actions->data[k].subject].op;
        const lv_pattern *pattern = c->pattern[op->value.quantity];
        if (op->turn != LV_TURN_NONE || !op->value.transposed || !pattern ||
            c->columns[op->value.quantity])
            continue;
        lv_columns *columns = lv_arena_alloc(&c->arena, 1, sizeof *columns);
        if (!columns)
            return lv_fail_memory(err);
        LV_TRY(
            lv_columns_find(columns, &c->arena, pattern, lv_columns_width(pattern), err));
        c->columns[op->value.quantity] = columns;
    }
    return LV_OK;
}

lv_status lv_course_prepare(lv_course *c, lv_evaluation *e, lv_error *err)
{
    lv_course_maker m = {.c = c};
    LV_TRY(settle_evaluation(&m, e, err));
    return make_row_patterns(c, err);
}

/* ---- renewal ----------------------------------------------------------------------- */

static void clear_values(lv_course *c)
{
    for (int k = 0; k < c->form.fields.count; k++) {
        const int size = lv_maker_field_size(c, k);
        if (c->value[k] && size > 0)
            memset(c->value[k], 0, (size_t)size * sizeof(double));
    }
}

static void renew_evaluation(lv_course *c, const lv_evaluation *e)
{
    const lv_site *site = &c->sites.data[e->site];
    for (int k = 0; k < e->quantities; k++)
        lv_plan_base(e->plan, e->quantity[k], site->storage[e->quantity[k]]);
}

static void renew_handover(lv_course *c, lv_handover *h)
{
    for (int q = 0; h->what >> q; q++)
        if (h->what >> q & 1)
            lv_plan_base(h->from.plan, (lv_quantity)q, c->sites.data[h->to].storage[q]);
    h->same = false;
}

void lv_course_renew(lv_course *c)
{
    if (c->mass_values)
        lv_plan_base(c->system->legendre, LV_Q_MASS, c->mass_values);
    for (int k = 0; k < c->plans.count; k++)
        lv_plan_renew(c->plans.data[k].plan);
    clear_values(c);
    for (int k = 0; k < c->handovers.count; k++)
        renew_handover(c, &c->handovers.data[k]);
    for (int place = 0; place < LV_PLACES(c) * LV_LISTS; place++) {
        const lv_actions *actions = lv_maker_list(c, place);
        for (int k = 0; k < actions->count; k++)
            if (actions->data[k].kind == LV_DO_EVALUATE)
                renew_evaluation(c, &actions->data[k].evaluate);
    }
    c->finished = false;
}

/* ---- what the last step has evaluated ---------------------------------------------- */

/* The field whose value a carried field gets unchanged at the end of a step; -1: none. */
static int becomes(const lv_course *c, int field)
{
    for (int k = 0; k < c->form.assignments.count; k++) {
        const lv_assignment *a = &c->form.assignments.data[k];
        const lv_term *t = a->sum.data;
        if (a->field == field && !a->first && a->sum.count == 1 && t->field >= 0 &&
            t->c == 1 && t->power == 0 && !t->inverse)
            return t->field;
    }
    return -1;
}

static lv_status add_handover(lv_course_maker *m, int to, const lv_evaluation *from,
                              lv_quantity q, lv_error *err)
{
    lv_course *c = m->c;
    lv_handover *h = NULL;
    for (int k = 0; k < c->handovers.count && !h; k++)
        if (c->handovers.data[k].to == to &&
            c->handovers.data[k].from.site == from->site &&
            c->handovers.data[k].from.wanted == from->wanted)
            h = &c->handovers.data[k];
    if (!h) {
        if (!LV_PUSH(c->handovers, ((lv_handover){.to = to, .from = *from})))
            return lv_fail_memory(err);
        h = &c->handovers.data[c->handovers.count - 1];
    }
    double **storage = c->sites.data[to].storage;
    if (!storage[q])
        storage[q] = lv_maker_room(m, lv_course_quantity_size(c, q));
    if (m->failed)
        return lv_fail_memory(err);
    lv_plan_base(from->plan, q, storage[q]);
    const unsigned on = lv_plan_depends(from->plan, q);
    h->what |= (lv_wanted)1 << (unsigned)q;
    h->of_velocity = h->of_velocity || (on & LV_KIND(V)) != 0;
    h->of_time = h->of_time || (on & LV_KIND(T)) != 0;
    return LV_OK;
}

/* Whether the site `end` of a step is the same point as the site `start` of the next
 * step. Velocities are compared only if `of_velocity`. */
static bool is_taken_up(const lv_course *c, const lv_site *start, const lv_site *end,
                        bool of_velocity)
{
    bool same = becomes(c, start->arg[LV_ARG_Q]) == end->arg[LV_ARG_Q] &&
                end->arg[LV_ARG_Q] >= 0 && start->phase == 0;
    for (int a = 0; a < LV_ARGUMENTS; a++)
        same = same &&
               (a == LV_ARG_Q || a == LV_ARG_V || (start->arg[a] < 0 && end->arg[a] < 0));
    const int v = start->arg[LV_ARG_V];
    return same && (!of_velocity || (v >= 0 && becomes(c, v) == end->arg[LV_ARG_V] &&
                                     end->arg[LV_ARG_V] >= 0));
}

/* Hands a quantity over if the step evaluates it at its end; *done tells whether it
 * does. */
static lv_status hand_over(lv_course_maker *m, int to, lv_quantity q, bool *done,
                           lv_error *err)
{
    lv_course *c = m->c;
    *done = false;
    for (int place = LV_LISTS; place < (c->phases.count + 2) * LV_LISTS && !*done;
         place++) {
        lv_actions *list = lv_maker_list(c, place);
        for (int k = 0; k < list->count && place % LV_LISTS <= LV_LIST_PASS && !*done;
             k++) {
            lv_action *a = &list->data[k];
            if (a->kind != LV_DO_EVALUATE || !(a->evaluate.wanted >> (int)q & 1) ||
                (place % LV_LISTS == LV_LIST_PASS && !a->later))
                continue;
            if (!is_taken_up(c, &c->sites.data[to], &c->sites.data[a->subject], false))
                continue;
            LV_TRY(find_plan(c, &a->evaluate, err));
            const unsigned on = lv_plan_depends(a->evaluate.plan, q);
            if (on & LV_KIND(R) ||
                !is_taken_up(c, &c->sites.data[to], &c->sites.data[a->subject],
                             (on & LV_KIND(V)) != 0))
                continue;
            *done = true;
            LV_TRY(add_handover(m, to, &a->evaluate, q, err));
        }
    }
    return LV_OK;
}

static lv_status hand_over_action(lv_course_maker *m, lv_action *a, lv_error *err)
{
    for (int q = 0; q < LV_QUANTITIES && a->kind == LV_DO_EVALUATE; q++) {
        bool done = false;
        if (a->evaluate.wanted >> q & 1)
            LV_TRY(hand_over(m, a->subject, (lv_quantity)q, &done, err));
        if (done)
            a->evaluate.wanted &= ~((lv_wanted)1 << (unsigned)q);
    }
    return LV_OK;
}

static lv_status find_handovers(lv_course_maker *m, lv_error *err)
{
    lv_course *c = m->c;
    for (int p = 1; p <= c->phases.count + 1; p++) {
        lv_actions *list = &c->phase[p].before;
        int kept = 0;
        for (int k = 0; k < list->count; k++) {
            LV_TRY(hand_over_action(m, &list->data[k], err));
            if (list->data[k].kind != LV_DO_EVALUATE || list->data[k].evaluate.wanted)
                list->data[kept++] = list->data[k];
        }
        list->count = kept;
    }
    return LV_OK;
}

static void list_handed(const lv_course *c, lv_handover *h)
{
    for (int q = 0; h->what >> q; q++)
        if (h->what >> q & 1)
            h->part[h->parts++] = (lv_handed){
                .from = c->sites.data[h->from.site].storage[q],
                .to = c->sites.data[h->to].storage[q],
                .count = lv_course_quantity_size(c, (lv_quantity)q),
                .constant = lv_plan_depends(h->from.plan, (lv_quantity)q) == 0};
}

/* ---- all actions ------------------------------------------------------------------- */

static lv_status settle_actions(lv_course_maker *m, lv_actions *actions, lv_error *err)
{
    for (int k = 0; k < actions->count; k++)
        if (actions->data[k].kind == LV_DO_EVALUATE)
            LV_TRY(settle_evaluation(m, &actions->data[k].evaluate, err));
    return LV_OK;
}

/* Collects the sets of quantities of all evaluations, each set once and at most `most`.
 * *count is the number of sets in the list. */
static void collect_wanted(lv_course *c, lv_wanted *list, int most, int *count)
{
    for (int place = 0; place < LV_PLACES(c) * LV_LISTS; place++) {
        const lv_actions *actions = lv_maker_list(c, place);
        for (int k = 0; k < actions->count; k++) {
            const lv_wanted wanted = actions->data[k].evaluate.wanted;
            bool known = actions->data[k].kind != LV_DO_EVALUATE;
            for (int j = 0; j < *count && !known; j++)
                known = list[j] == wanted;
            if (!known && *count < most)
                list[(*count)++] = wanted;
        }
    }
}

static lv_status fail_expected(const lv_kernel *kernel, double bytes, lv_error *err)
{
    const lv_entry *family = lv_item_entry(kernel->item, "for");
    char what[200], now[LV_BYTES_SIZE];
    (void)snprintf(what, sizeof what,
                   "the matrices of steps, with derivatives of %d instances of '%.80s',",
                   kernel->instance_count, kernel->item->name);
    lv_status status = lv_fail_budget(err, what, bytes);
    lv_error_note(err, "model and system already use %s",
                  lv_bytes_format((double)lv_memory_used(), now));
    lv_error_locate(err, LV_AT((family ? family->place : kernel->item->place)));
    return status;
}

/* Whether a model is so small that its matrices need not be counted, which would slow
 * down the creation of many small simulations. */
static bool is_small(const lv_model *model)
{
    const double most = 2e4;
    double pairs = 0;
    for (int k = 0; k < model->kernels.count; k++) {
        const lv_kernel *kernel = &model->kernels.data[k];
        const double local = kernel->layout.size[LV_INPUT_Q];
        pairs += kernel->instance_count * local * local;
    }
    return pairs < most;
}

/* Matrices take most of the memory of a simulation. A lower bound of what they need is
 * checked before any of them is made. Measured were at least 28 bytes for each number of
 * each plan, and at least 240 for those of constraints, whose matrices fill up. */
static lv_status expect_matrices(lv_course *c, lv_error *err)
{
    enum { MOST_PLANS = 16 };
    const double constraint_bytes = 240, other_bytes = 25;
    lv_wanted wanted[MOST_PLANS];
    lv_plan_numbers all = {0};
    double bytes = 0;
    int count = 0;
    if (is_small(c->system->model))
        return LV_OK;
    collect_wanted(c, wanted, MOST_PLANS, &count);
    for (int k = 0; k < count; k++) {
        lv_plan_numbers found;
        LV_TRY(lv_plan_count(&found, c->system->model, wanted[k], err));
        bytes += constraint_bytes * found.of_constraints + other_bytes * found.of_others;
        if (found.most > all.most)
            all = found;
    }
    return !all.largest || lv_budget_fits(bytes) ? LV_OK
                                                 : fail_expected(all.largest, bytes, err);
}

/* Sets the vectors of sources that are in the storage of sites. */
static void fill_in(lv_course_maker *m, lv_combination *s)
{
    lv_course *c = m->c;
    for (int k = 0; k < s->plain + s->inverse; k++) {
        lv_summand *source = &s->sources[k];
        if (source->x)
            continue;
        const lv_matrix_of value = c->form.atoms.data[source->atom].op->value;
        source->x = c->sites.data[c->site_of[source->atom]].storage[value.quantity];
        if (value.rows == LV_ROWS_ROLLING)
            source->x += c->system->m;
    }
}

static void fill_in_actions(lv_course_maker *m, lv_actions *actions)
{
    for (int k = 0; k < actions->count; k++)
        if (actions->data[k].kind == LV_DO_COMBINE)
            fill_in(m, &actions->data[k].combine);
}

lv_status lv_maker_settle(lv_course_maker *m, lv_error *err)
{
    lv_course *c = m->c;
    const int places = LV_PLACES(c) * LV_LISTS;
    LV_TRY(expect_matrices(c, err));
    LV_TRY(find_handovers(m, err));
    for (int k = 0; k < places; k++)
        LV_TRY(settle_actions(m, lv_maker_list(c, k), err));
    for (int k = 0; k < places; k++)
        fill_in_actions(m, lv_maker_list(c, k));
    for (int k = 0; k < places; k++)
        LV_TRY(make_columns(c, lv_maker_list(c, k), err));
    for (int p = 0; p <= c->phases.count; p++)
        for (int k = 0; k < c->phase[p].unknowns; k++)
            fill_in(m, &c->phase[p].columns.data[k].residual);
    for (int k = 0; k < c->form.assignments.count; k++)
        fill_in(m, &c->assignments[k]);
    for (int k = 0; k < c->handovers.count; k++)
        list_handed(c, &c->handovers.data[k]);
    for (int p = 1; p <= c->phases.count; p++)
        if (c->phase[p].linear)
            LV_TRY(lv_maker_find_zero(c, &c->phase[p], err));
    return make_row_patterns(c, err);
}
