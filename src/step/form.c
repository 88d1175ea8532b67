#include "step/form.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

void lv_form_done(lv_form *form)
{
    for (int k = 0; k < form->fields.count; k++)
        LV_ARRAY_FREE(form->fields.data[k].sum);
    for (int k = 0; k < form->assignments.count; k++)
        LV_ARRAY_FREE(form->assignments.data[k].sum);
    LV_ARRAY_FREE(form->fields);
    LV_ARRAY_FREE(form->atoms);
    LV_ARRAY_FREE(form->assignments);
    LV_ARRAY_FREE(form->calls);
    lv_arena_done(&form->arena);
}

int lv_form_field(lv_form *form, const char *name, int index, lv_space space,
                  lv_role_of role)
{
    const lv_field field = {.name = lv_arena_text(&form->arena, name, strlen(name)),
                            .index = index,
                            .space = space,
                            .role = role};
    if (!field.name || !LV_PUSH(form->fields, field)) {
        form->failed = true;
        return -1;
    }
    return form->fields.count - 1;
}

int lv_form_find(const lv_form *form, const char *name, int index)
{
    for (int k = 0; k < form->fields.count; k++)
        if (form->fields.data[k].index == index &&
            strcmp(form->fields.data[k].name, name) == 0)
            return k;
    return -1;
}

int lv_form_atom(lv_form *form, const lv_atom *atom)
{
    for (int k = 0; k < form->atoms.count; k++)
        if (form->atoms.data[k].op == atom->op &&
            memcmp(form->atoms.data[k].arg, atom->arg, sizeof atom->arg) == 0)
            return k;
    if (LV_PUSH(form->atoms, *atom))
        return form->atoms.count - 1;
    form->failed = true;
    return -1;
}

static bool is_alike(const lv_term *a, const lv_term *b)
{
    return a->power == b->power && a->field == b->field && a->atom == b->atom &&
           a->inverse == b->inverse;
}

void lv_form_add(lv_form *form, lv_sum *sum, lv_term term)
{
    const double rounding = 1e-15; /* coefficients that cancel up to it are 0 */
    if (term.c == 0 || form->failed)
        return;
    for (int k = 0; k < sum->count; k++) {
        lv_term *old = &sum->data[k];
        if (!is_alike(old, &term))
            continue;
        const double size = fmax(fabs(old->c), fabs(term.c));
        old->c += term.c;
        if (fabs(old->c) <= 4 * rounding * size)
            sum->data[k] = sum->data[--sum->count];
        return;
    }
    if (!LV_PUSH(*sum, term))
        form->failed = true;
}

void lv_form_add_sum(lv_form *form, lv_sum *sum, const lv_sum *other, double factor,
                     int power)
{
    for (int k = 0; k < other->count; k++) {
        lv_term term = other->data[k];
        term.c *= factor;
        term.power += power;
        lv_form_add(form, sum, term);
    }
}

/* ---- text ---------------------------------------------------------------------------------------- */

static void write_name(lv_text *out, const lv_form *form, int field)
{
    const lv_field *f = &form->fields.data[field];
    if (f->index > 0)
        lv_text_append(out, "%s[%d]", f->name, f->index);
    else
        lv_text_append(out, "%s", f->name);
}

static void write_atom(lv_text *out, const lv_form *form, int number)
{
    const lv_atom *atom = &form->atoms.data[number];
    lv_text_append(out, "%s(", atom->op->name);
    const char *separator = "";
    for (const char *letter = atom->op->slots; *letter; letter++) {
        const int field = atom->arg[lv_argument_of(*letter)];
        if (field < 0)
            continue;
        lv_text_append(out, "%s", separator);
        write_name(out, form, field);
        separator = ", ";
    }
    lv_text_append(out, ")");
}

static void write_sum(lv_text *out, const lv_form *form, const lv_sum *sum)
{
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        lv_text_append(out, "%s%.6g", t->c < 0 ? " - " : k > 0 ? " + " : " ", fabs(t->c));
        if (t->power != 0)
            lv_text_append(out, " h^%d", t->power);
        lv_text_append(out, "%s", t->inverse ? " Minv " : " ");
        if (t->atom >= 0)
            write_atom(out, form, t->atom);
        else
            write_name(out, form, t->field);
    }
    lv_text_append(out, "\n");
}

void lv_form_write(const lv_form *form, lv_text *out)
{
    static const char *const roles[] = {"carried", "unknown", "let", "call"};
    for (int k = 0; k < form->fields.count; k++) {
        lv_text_append(out, "%s ", roles[form->fields.data[k].role]);
        write_name(out, form, k);
        lv_text_append(out, "%s",
                       form->fields.data[k].role == LV_FIELD_UNKNOWN ? ": 0 =" : " =");
        write_sum(out, form, &form->fields.data[k].sum);
    }
    for (int k = 0; k < form->assignments.count; k++) {
        write_name(out, form, form->assignments.data[k].field);
        lv_text_append(out, " <-");
        write_sum(out, form, &form->assignments.data[k].sum);
    }
}
