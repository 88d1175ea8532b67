#include "step/form.h"

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
    LV_ARRAY_FREE(form->named.before);
    LV_ARRAY_FREE(form->alike.before);
    lv_arena_done(&form->arena);
}

static unsigned name_key(const char *name, int index)
{
    return lv_chains_mix(lv_chains_text(1, name), index);
}

int lv_form_field(lv_form *form, const char *name, int index, lv_space space,
                  lv_role_of role)
{
    const lv_field field = {.name = lv_arena_text(&form->arena, name, strlen(name)),
                            .index = index,
                            .space = space,
                            .role = role};
    if (!field.name || !LV_PUSH(form->fields, field) ||
        !lv_chains_add(&form->named, name_key(name, index))) {
        form->failed = true;
        return -1;
    }
    return form->fields.count - 1;
}

int lv_form_find(const lv_form *form, const char *name, int index)
{
    int found = -1; /* the first field that matches */
    for (int k = lv_chains_last(&form->named, name_key(name, index)); k >= 0;
         k = lv_chains_before(&form->named, k))
        if (form->fields.data[k].index == index &&
            strcmp(form->fields.data[k].name, name) == 0)
            found = k;
    return found;
}

int lv_form_atom(lv_form *form, const lv_atom *atom)
{
    unsigned key = lv_chains_text(1, atom->op->name);
    for (int s = 0; s < LV_ARGUMENTS; s++)
        key = lv_chains_mix(key, atom->arg[s]);
    for (int k = lv_chains_last(&form->alike, key); k >= 0;
         k = lv_chains_before(&form->alike, k))
        if (form->atoms.data[k].op == atom->op &&
            memcmp(form->atoms.data[k].arg, atom->arg, sizeof atom->arg) == 0)
            return k;
    if (LV_PUSH(form->atoms, *atom) && lv_chains_add(&form->alike, key))
        return form->atoms.count - 1;
    form->failed = true;
    return -1;
}

static bool is_alike(const lv_term *a, const lv_term *b)
{
    return a->power == b->power && a->field == b->field && a->atom == b->atom &&
           a->inverse == b->inverse;
}

/* Adds a term of the same kind; returns false if both cancel. */
static bool merge(lv_term *to, const lv_term *term)
{
    const double rounding = 1e-15; /* smaller relative sums count as 0 */
    const double size = fmax(fabs(to->c), fabs(term->c));
    to->c += term->c;
    return fabs(to->c) > 4 * rounding * size;
}

bool lv_atom_is(const lv_atom *atom, const char *name)
{
    return strcmp(atom->op->name, name) == 0;
}

void lv_form_add(lv_form *form, lv_sum *sum, lv_term term)
{
    enum { LONG = 100 };
    if (term.c == 0 || form->failed)
        return;
    for (int k = 0; k < sum->count && sum->count < LONG; k++) {
        if (!is_alike(&sum->data[k], &term))
            continue;
        if (!merge(&sum->data[k], &term))
            sum->data[k] = sum->data[--sum->count];
        return;
    }
    if (!LV_PUSH(*sum, term))
        form->failed = true;
}

int lv_form_compare(const lv_term *a, const lv_term *b)
{
    if (a->field != b->field)
        return a->field < b->field ? -1 : 1;
    if (a->atom != b->atom)
        return a->atom < b->atom ? -1 : 1;
    if (a->inverse != b->inverse)
        return a->inverse ? 1 : -1;
    return (a->power > b->power) - (a->power < b->power);
}

/* Merges two sorted runs; of equal terms those of the first come first. */
static void join_runs(lv_term *to, const lv_term *a, int a_count, const lv_term *b,
                      int b_count)
{
    while (a_count > 0 || b_count > 0) {
        const bool first = b_count == 0 || (a_count > 0 && lv_form_compare(a, b) <= 0);
        *to++ = first ? *a++ : *b++;
        a_count -= first;
        b_count -= !first;
    }
}

/* Merge sort with runs of 1, 2, 4 .. terms: equal terms keep their order. */
static void sort_terms(lv_term *terms, lv_term *other, int count)
{
    lv_term *from = terms, *to = other;
    for (int run = 1; run < count; run *= 2) {
        for (int k = 0; k < count; k += 2 * run) {
            const int rest = count - k, a = rest < run ? rest : run,
                      b = rest - a < run ? rest - a : run;
            join_runs(to + k, from + k, a, from + k + a, b);
        }
        lv_term *old = from;
        from = to;
        to = old;
    }
    if (from != terms)
        memcpy(terms, from, (size_t)count * sizeof *terms);
}

void lv_form_sort(lv_form *form, lv_sum *sum)
{
    if (sum->count < 2)
        return;
    lv_term *other = lv_memory_zeroed((size_t)sum->count, sizeof *other);
    if (!other) {
        form->failed = true;
        return;
    }
    sort_terms(sum->data, other, sum->count);
    lv_memory_free(other);
    int kept = 0;
    for (int k = 0; k < sum->count;) {
        lv_term term = sum->data[k++];
        bool stays = true;
        for (; k < sum->count && is_alike(&term, &sum->data[k]); k++)
            stays = merge(&term, &sum->data[k]);
        if (stays)
            sum->data[kept++] = term;
    }
    sum->count = kept;
}
