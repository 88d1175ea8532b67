/* Linear phases are evaluated once, where their unknowns are 0. Products with unknowns
 * are 0 there and are left out. */
#include "course/course_make.h"

#include <string.h>

/* Whether this vector is an unknown of the phase. */
static bool is_unknown_value(const lv_phase *p, const double *x)
{
    for (int k = 0; k < p->unknowns; k++)
        if (p->columns.data[k].value == x)
            return true;
    return false;
}

static bool is_zero_product(const lv_course *c, const lv_phase *p, const lv_action *a)
{
    if (a->kind != LV_DO_MULTIPLY)
        return false;
    const lv_atom *atom = &c->form.atoms.data[a->multiply.atom];
    const lv_operator *op = atom->op;
    return op->turn == LV_TURN_NONE && op->constant < 0 &&
           is_unknown_value(p, c->value[atom->arg[op->vector]]);
}

static bool is_zero(const lv_course *c, const lv_phase *p, const double *x)
{
    bool zero = is_unknown_value(p, x);
    for (int k = 0; k < p->pass.count && !zero; k++)
        zero =
            p->pass.data[k].multiply.out == x && is_zero_product(c, p, &p->pass.data[k]);
    return zero;
}

/* Leaves out the sources that are 0 where all unknowns are 0. */
static bool reduce(lv_course *c, const lv_phase *p, lv_combination *s)
{
    const lv_combination whole = *s;
    const int count = whole.plain + whole.inverse;
    s->sources = lv_arena_alloc(&c->arena, (size_t)count + 1, sizeof *s->sources);
    s->plain = s->inverse = 0;
    for (int k = 0; s->sources && k < count; k++) {
        if (is_zero(c, p, whole.sources[k].x))
            continue;
        s->sources[s->plain + s->inverse] = whole.sources[k];
        *(k < whole.plain ? &s->plain : &s->inverse) += 1;
    }
    return s->sources != NULL;
}

static bool add_action(lv_course *c, lv_phase *p, const lv_action *from)
{
    lv_action a = *from;
    if (is_zero_product(c, p, from))
        return true;
    return (a.kind != LV_DO_COMBINE || reduce(c, p, &a.combine)) &&
           LV_PUSH(p->pass_at_zero, a);
}

lv_status lv_maker_find_zero(lv_course *c, lv_phase *p, lv_error *err)
{
    for (int k = 0; k < p->pass.count; k++)
        if (!add_action(c, p, &p->pass.data[k]))
            return lv_fail_memory(err);
    for (int k = 0; k < p->unknowns; k++) {
        lv_phase_column *column = &p->columns.data[k];
        column->residual_at_zero = column->residual;
        if (!reduce(c, p, &column->residual_at_zero))
            return lv_fail_memory(err);
    }
    return LV_OK;
}
