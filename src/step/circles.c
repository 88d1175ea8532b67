#include "step/circles.h"

#include <string.h>

enum { NEW, OPEN, DONE };

/* A depth-first search for a cycle of definitions that avoids the fields at which cycles
 * are cut. */
typedef struct search {
    const lv_form *form;
    const bool *cut;
    unsigned char *state;
} search;

static bool has_circle_from(search *s, int field)
{
    const lv_field *f = &s->form->fields.data[field];
    if (f->role != LV_FIELD_DEFINED || s->cut[field] || s->state[field] == DONE)
        return false;
    if (s->state[field] == OPEN)
        return true;
    s->state[field] = OPEN;
    for (int k = 0; k < f->sum.count; k++) {
        const lv_term *t = &f->sum.data[k];
        if (t->field >= 0 && has_circle_from(s, t->field))
            return true;
        for (int a = 0; t->atom >= 0 && a < LV_ARGUMENTS; a++) {
            const int arg = s->form->atoms.data[t->atom].arg[a];
            if (arg >= 0 && has_circle_from(s, arg))
                return true;
        }
    }
    s->state[field] = DONE;
    return false;
}

static bool has_circle(search *s)
{
    const int count = s->form->fields.count;
    memset(s->state, NEW, (size_t)count);
    for (int k = 0; k < count; k++)
        if (has_circle_from(s, k))
            return true;
    return false;
}

/* Does the definition of the field depend on the field itself, directly or through
 * others? */
static bool is_in_circle(search *s, int field)
{
    memset(s->state, NEW, (size_t)s->form->fields.count);
    const lv_field *f = &s->form->fields.data[field];
    s->state[field] = OPEN;
    for (int k = 0; k < f->sum.count; k++) {
        const lv_term *t = &f->sum.data[k];
        if (t->field >= 0 && has_circle_from(s, t->field) && s->state[field] == OPEN)
            return true;
        for (int a = 0; t->atom >= 0 && a < LV_ARGUMENTS; a++) {
            const int arg = s->form->atoms.data[t->atom].arg[a];
            if (arg >= 0 && has_circle_from(s, arg))
                return true;
        }
    }
    return false;
}

int lv_circles_cut(const lv_form *form, unsigned char *room, bool *cut, lv_space space,
                   const bool *may, int most)
{
    search s = {form, cut, room};
    const int count = form->fields.count;
    int cuts = 0;
    memset(cut, 0, (size_t)count * sizeof *cut);
    for (int k = 0; k < count && cuts < most && has_circle(&s); k++)
        if (may[k] && form->fields.data[k].space == space &&
            form->fields.data[k].role == LV_FIELD_DEFINED && is_in_circle(&s, k)) {
            cut[k] = true;
            cuts++;
        }
    if (has_circle(&s))
        return most;
    for (int k = 0; k < count; k++) /* later cuts may have made earlier ones needless */
        if (cut[k]) {
            cut[k] = false;
            if (has_circle(&s))
                cut[k] = true;
            else
                cuts--;
        }
    return cuts;
}
