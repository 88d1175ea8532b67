#include "step/reduce.h"

#include "base/status.h"
#include "step/circles.h"

#include <stdio.h>
#include <string.h>

/* ---- velocities as definitions ----------------------------------------------------- */

/* The index of the term M U in the equation of U; -1: there is none, or U also occurs
 * elsewhere as a term. */
static int mass_term(const lv_inlining *w, int unknown)
{
    const lv_field *f = lv_inline_field(w, unknown);
    int found = -1;
    for (int k = 0; k < f->sum.count; k++) {
        const lv_term *t = &f->sum.data[k];
        if (t->field == unknown)
            return -1;
        if (t->atom < 0 || !lv_atom_is(&w->form->atoms.data[t->atom], "M") ||
            w->form->atoms.data[t->atom].arg[LV_ARG_W] != unknown)
            continue;
        if (found >= 0)
            return -1;
        found = k;
    }
    return found;
}

/* U = -(1/c) M^-1 (the other terms), where M^-1 M x becomes x. */
static lv_sum solve_for(lv_inlining *w, int unknown, int at)
{
    const lv_sum *sum = &lv_inline_field(w, unknown)->sum;
    const lv_term lead = sum->data[at];
    lv_sum result = {0};
    for (int k = 0; k < sum->count; k++) {
        lv_term t = sum->data[k];
        if (k == at)
            continue;
        t.c = -t.c / lead.c;
        t.power -= lead.power;
        t.inverse = true;
        if (t.atom >= 0 && lv_atom_is(&w->form->atoms.data[t.atom], "M")) {
            t.field = w->form->atoms.data[t.atom].arg[LV_ARG_W];
            t.atom = -1;
            t.inverse = false;
        }
        if (t.inverse && t.field == w->facts->p && w->facts->p >= 0) {
            t.field = w->facts->v;
            t.inverse = false;
        }
        lv_form_add(w->form, &result, t);
    }
    lv_form_sort(w->form, &result);
    return result;
}

/* ---- cutting cycles ---------------------------------------------------------------- */

/* Cuts a cycle at a point Q: its definition becomes q + h U. The new unknown U has the
 * equation M U = M (Q - q) / h, with the former definition of Q. */
static void cut_point(lv_inlining *w, int point, lv_sum *definition)
{
    char name[64];
    const lv_field f = *lv_inline_field(w, point);
    snprintf(name, sizeof name, "%.20s_mean", f.name);
    const int unknown =
        lv_form_field(w->form, name, f.index, LV_SPACE_TANGENT, LV_FIELD_UNKNOWN);
    if (unknown < 0 || !lv_inline_make_room(w))
        return;
    lv_sum equation = {0}, value = {0};
    lv_inline_mass_times(w, &equation, (lv_term){1, 0, -1, -1, false}, unknown);
    for (int k = 0; k < definition->count; k++) {
        lv_term t = definition->data[k];
        if (t.field >= 0 && lv_inline_field(w, t.field)->space == LV_SPACE_POINT) {
            lv_form_add(w->form, &value, t);
            continue;
        }
        t.c = -t.c;
        t.power -= 1;
        if (t.inverse) {
            t.inverse = false;
            lv_form_add(w->form, &equation, t);
        } else {
            lv_inline_mass_times(w, &equation, (lv_term){t.c, t.power, -1, -1, false},
                                 t.field);
        }
    }
    lv_form_add(w->form, &value, lv_term_field(unknown, 1, 1));
    lv_inline_field(w, unknown)->sum = equation;
    lv_inline_field(w, unknown)->scale = 1;
    LV_ARRAY_FREE(lv_inline_field(w, point)->sum);
    lv_inline_field(w, point)->sum = value;
}

/* What the reduction stores, with `count` entries each, one per field. */
typedef struct reduction {
    lv_sum *equation; /* equations of velocities that became definitions */
    bool *reduced, *any, *points, *tangents;
    int count;
} reduction;

static void restore_tangents(lv_inlining *w, reduction *r, const bool *cut)
{
    for (int k = 0; k < r->count; k++)
        if (cut[k]) {
            LV_ARRAY_FREE(lv_inline_field(w, k)->sum);
            lv_inline_field(w, k)->sum = r->equation[k];
            r->equation[k] = (lv_sum){0};
            lv_inline_field(w, k)->role = LV_FIELD_UNKNOWN;
            r->reduced[k] = false;
        }
}

/* Cuts cycles at points. Their definitions must be inlined completely, for which the
 * points count as carried fields meanwhile, so that there are no cycles. */
static bool cut_points(lv_inlining *w, const bool *cut, int count)
{
    lv_sum *definition = lv_memory_zeroed((size_t)count + 1, sizeof *definition);
    if (!definition) {
        w->form->failed = true;
        return true;
    }
    for (int k = 0; k < count; k++)
        if (cut[k]) {
            definition[k] = lv_inline_field(w, k)->sum;
            lv_inline_field(w, k)->sum = (lv_sum){0};
            lv_inline_field(w, k)->role = LV_FIELD_CARRIED; /* until they are inlined */
        }
    const bool sound = lv_inline_all(w);
    for (int k = 0; sound && k < count; k++)
        if (cut[k])
            lv_inline_sum(w, &definition[k]);
    for (int k = 0; k < count; k++)
        if (cut[k]) {
            lv_inline_field(w, k)->role = LV_FIELD_DEFINED;
            cut_point(w, k, &definition[k]);
            LV_ARRAY_FREE(definition[k]);
        }
    lv_memory_free(definition);
    return sound;
}

static bool choose_cuts(lv_inlining *w, reduction *r)
{
    unsigned char *room = lv_memory_zeroed((size_t)r->count + 1, sizeof *room);
    if (!room) {
        w->form->failed = true;
        return true;
    }
    memset(r->any, true, (size_t)r->count * sizeof *r->any);
    const int most = r->count + 1;
    const int tangents =
        lv_circles_cut(w->form, room, r->tangents, LV_SPACE_TANGENT, r->reduced, most);
    const int points =
        tangents == 0 || w->facts->on_groups
            ? most
            : lv_circles_cut(w->form, room, r->points, LV_SPACE_POINT, r->any, tangents);
    lv_memory_free(room);
    if (tangents == most && points == tangents)
        return false;
    if (points < tangents)
        return cut_points(w, r->points, r->count);
    restore_tangents(w, r, r->tangents);
    return true;
}

static void reduce_all(lv_inlining *w, reduction *r)
{
    for (int k = 0; k < r->count; k++) {
        lv_field *f = lv_inline_field(w, k);
        if (f->role != LV_FIELD_UNKNOWN || f->space != LV_SPACE_TANGENT)
            continue;
        const int at = mass_term(w, k);
        if (at < 0)
            continue;
        const lv_sum value = solve_for(w, k, at);
        r->equation[k] = f->sum;
        r->reduced[k] = true;
        lv_inline_field(w, k)->sum = value;
        lv_inline_field(w, k)->role = LV_FIELD_DEFINED;
    }
}

lv_status lv_fail_circle(lv_error *err)
{
    return lv_fail(err, LV_ERR_USAGE, "definitions of a step form a circle");
}

lv_status lv_form_reduce(lv_inlining *w, lv_error *err)
{
    const size_t count = (size_t)w->form->fields.count;
    reduction r = {.equation = lv_memory_zeroed(count + 1, sizeof *r.equation),
                   .reduced = lv_memory_zeroed(4 * count + 4, sizeof *r.reduced),
                   .count = (int)count};
    bool sound = r.equation && r.reduced;
    if (sound) {
        r.any = r.reduced + count;
        r.points = r.any + count;
        r.tangents = r.points + count;
        reduce_all(w, &r);
        sound = choose_cuts(w, &r);
    } else {
        w->form->failed = true;
    }
    for (size_t k = 0; r.equation && k < count; k++)
        LV_ARRAY_FREE(r.equation[k]);
    lv_memory_free(r.equation);
    lv_memory_free(r.reduced);
    if (w->form->failed)
        return lv_fail_memory(err);
    return sound && lv_inline_all(w) ? LV_OK : lv_fail_circle(err);
}
