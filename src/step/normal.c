#include "step/normal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    lv_form *form;
    const lv_step_facts *facts;
    unsigned char *state; /* of each field: NEW, OPEN, DONE */
    int *same;            /* the field that stands for it */
    int capacity;
    lv_chains known; /* definitions that are done, by their terms */
    LV_ARRAY(int) defined;
    bool circular;
} work;

enum { NEW, OPEN, DONE };

static lv_field *field_at(const work *w, int k)
{
    return &w->form->fields.data[k];
}

/* ---- sums ------------------------------------------------------------------------------------------ */

static void add_atom(work *w, lv_sum *to, lv_term term, lv_atom atom);
static void canonical(work *w, int field);

/* Adds term.c h^power [M^-1] times a field, inlined if it is defined. M^-1 p is v. */
static void add_field(work *w, lv_sum *to, lv_term term)
{
    const int field = term.field;
    if (field_at(w, field)->role != LV_FIELD_DEFINED) {
        if (term.inverse && field == w->facts->p && w->facts->v >= 0) {
            term.field = w->facts->v;
            term.inverse = false;
        }
        lv_form_add(w->form, to, term);
        return;
    }
    canonical(w, field);
    const lv_sum *sum = &field_at(w, field)->sum;
    for (int k = 0; k < sum->count; k++) {
        lv_term t = sum->data[k];
        t.c *= term.c;
        t.power += term.power;
        t.inverse |= term.inverse;
        if (t.atom < 0)
            add_field(w, to, t);
        else
            lv_form_add(w->form, to, t);
    }
}

/* M x for a field x: M is distributed over definitions, M M^-1 is 1, M v is p. */
static void add_mass_times(work *w, lv_sum *to, lv_term term, int x)
{
    lv_atom atom = {.op = lv_operator_find("M", 1)};
    if (field_at(w, x)->role == LV_FIELD_DEFINED) {
        canonical(w, x);
        const lv_sum *sum = &field_at(w, x)->sum;
        for (int k = 0; k < sum->count; k++) {
            lv_term t = sum->data[k];
            t.c *= term.c;
            t.power += term.power;
            if (t.inverse) {
                t.inverse = term.inverse;
                lv_form_add(w->form, to, t);
            } else if (t.field >= 0) {
                add_mass_times(w, to, (lv_term){t.c, t.power, -1, -1, term.inverse},
                               t.field);
            } else {
                w->circular = true; /* a momentum where a velocity is expected */
            }
        }
        return;
    }
    if (term.inverse || (x == w->facts->v && w->facts->p >= 0)) {
        term.field = term.inverse ? x : w->facts->p;
        term.atom = -1;
        term.inverse = false;
        lv_form_add(w->form, to, term);
        return;
    }
    for (int s = 0; s < LV_ARGUMENTS; s++)
        atom.arg[s] = -1;
    atom.arg[LV_ARG_W] = x;
    term.field = -1;
    term.atom = lv_form_atom(w->form, &atom);
    lv_form_add(w->form, to, term);
}

static void flatten(work *w, lv_sum *sum)
{
    lv_sum result = {0};
    for (int k = 0; k < sum->count; k++) {
        const lv_term t = sum->data[k];
        if (t.atom >= 0)
            add_atom(w, &result, t, w->form->atoms.data[t.atom]);
        else
            add_field(w, &result, t);
    }
    lv_form_sort(w->form, &result);
    LV_ARRAY_FREE(*sum);
    *sum = result;
}

static bool is_same_sum(const lv_sum *a, const lv_sum *b)
{
    const double rounding = 1e-15;
    if (a->count != b->count)
        return false;
    for (int k = a->count - 1; k >= 0; k--) { /* the first ones are often the same */
        const lv_term *x = &a->data[k], *y = &b->data[k];
        if (fabs(x->c - y->c) > rounding * (fabs(x->c) + fabs(y->c)) ||
            lv_form_compare(x, y) != 0)
            return false;
    }
    return true;
}

static unsigned sum_key(const lv_field *f)
{
    unsigned key = lv_chains_mix(1, (int)f->space);
    key = lv_chains_mix(key, (int)(f->at * 1e6));
    for (int k = 0; k < f->sum.count; k += 1 + f->sum.count / 4) {
        key = lv_chains_mix(key, f->sum.data[k].field);
        key = lv_chains_mix(key, f->sum.data[k].atom);
    }
    return lv_chains_mix(key, f->sum.count);
}

/* The first field with the same definition. */
static void find_same(work *w, int field)
{
    const lv_field *f = field_at(w, field);
    const lv_term *t = f->sum.data;
    w->same[field] = field;
    if (f->sum.count == 1 && t->field >= 0 && !t->inverse && t->c == 1 && t->power == 0 &&
        field_at(w, t->field)->space == f->space && field_at(w, t->field)->at == f->at) {
        w->same[field] = t->field;
        return;
    }
    const unsigned key = sum_key(f);
    int first = field;
    for (int i = lv_chains_last(&w->known, key); i >= 0;
         i = lv_chains_before(&w->known, i)) {
        const int k = w->defined.data[i];
        const lv_field *other = field_at(w, k);
        if (k < first && other->space == f->space && other->at == f->at &&
            is_same_sum(&other->sum, &f->sum))
            first = k;
    }
    w->same[field] = first < field ? w->same[first] : field;
    if (!LV_PUSH(w->defined, field) || !lv_chains_add(&w->known, key))
        w->form->failed = true;
}

static bool make_room(work *w)
{
    const int count = w->form->fields.count + 64;
    if (count <= w->capacity)
        return true;
    unsigned char *state =
        lv_memory_resize(w->state, (size_t)(2 * count) * sizeof *state);
    if (state)
        w->state = state;
    int *same = lv_memory_resize(w->same, (size_t)(2 * count) * sizeof *same);
    if (same)
        w->same = same;
    if (!state || !same) {
        w->form->failed = true;
        return false;
    }
    for (int k = w->capacity; k < 2 * count; k++) {
        w->state[k] = NEW;
        w->same[k] = k;
    }
    w->capacity = 2 * count;
    return true;
}

static void canonical(work *w, int field)
{
    if (w->state[field] == DONE || w->form->failed)
        return;
    if (w->state[field] == OPEN) {
        w->circular = true;
        return;
    }
    w->state[field] = OPEN;
    /* The array of fields may move while operators make new ones. */
    lv_sum sum = field_at(w, field)->sum;
    field_at(w, field)->sum = (lv_sum){0};
    flatten(w, &sum);
    field_at(w, field)->sum = sum;
    w->state[field] = DONE;
    find_same(w, field);
}

/* ---- operators --------------------------------------------------------------------------------------- */

/* (a + b) / 2 as a field. */
static int mean_of(work *w, int a, int b, lv_space space)
{
    char name[80];
    const lv_field *fa = field_at(w, a), *fb = field_at(w, b);
    snprintf(name, sizeof name, "mean_%.20s%d_%.20s%d", fa->name, fa->index, fb->name,
             fb->index);
    const double at = 0.5 * (fa->at + fb->at);
    int mean = lv_form_find(w->form, name, 0);
    if (mean >= 0)
        return mean;
    mean = lv_form_field(w->form, name, 0, space, LV_FIELD_DEFINED);
    if (mean < 0 || !make_room(w))
        return a;
    lv_sum sum = {0};
    lv_form_add(w->form, &sum, lv_term_field(a, 0.5, 0));
    lv_form_add(w->form, &sum, lv_term_field(b, 0.5, 0));
    field_at(w, mean)->sum = sum;
    field_at(w, mean)->at = at;
    w->state[mean] = NEW;
    w->same[mean] = mean;
    return mean;
}

static bool is_op(const lv_atom *atom, const char *name)
{
    return strcmp(atom->op->name, name) == 0;
}

/* Discrete gradients of what is at most quadratic are gradients at the middle. */
static void use_middle(work *w, lv_atom *atom)
{
    static const struct {
        const char *pair, *plain;
        bool velocity;
    } names[] = {{"DgT", "GT", false}, {"DwRT", "GT", false}, {"DqRT", "RqT", true}};
    for (size_t k = 0; w->facts->bilinear && k < sizeof names / sizeof *names; k++) {
        if (!is_op(atom, names[k].pair))
            continue;
        atom->op = lv_operator_find(names[k].plain, strlen(names[k].plain));
        atom->arg[LV_ARG_Q] =
            mean_of(w, atom->arg[LV_ARG_Q0], atom->arg[LV_ARG_Q], LV_SPACE_POINT);
        if (names[k].velocity)
            atom->arg[LV_ARG_V] =
                mean_of(w, atom->arg[LV_ARG_V0], atom->arg[LV_ARG_V], LV_SPACE_TANGENT);
        else
            atom->arg[LV_ARG_V] = -1;
        atom->arg[LV_ARG_Q0] = atom->arg[LV_ARG_V0] = -1;
    }
}

/* Is the operator 0 for this system? */
static bool vanishes(const work *w, const lv_atom *atom)
{
    return (is_op(atom, "f") && !w->facts->forced) ||
           ((is_op(atom, "D1T") || is_op(atom, "MqT")) && w->facts->mass_constant);
}

/* Is a defined vector argument an empty sum? */
static bool is_empty(const work *w, int field)
{
    return field >= 0 && field_at(w, field)->role == LV_FIELD_DEFINED &&
           field_at(w, field)->sum.count == 0;
}

static void add_atom(work *w, lv_sum *to, lv_term term, lv_atom atom)
{
    if (vanishes(w, &atom))
        return;
    if (is_op(&atom, "M")) {
        add_mass_times(w, to, term, atom.arg[LV_ARG_W]);
        return;
    }
    if (w->facts->mass_constant && (is_op(&atom, "p") || is_op(&atom, "D2T"))) {
        add_mass_times(w, to, term, atom.arg[LV_ARG_V]);
        return;
    }
    use_middle(w, &atom);
    if ((is_op(&atom, "F") && !w->facts->force_of_velocity) ||
        (is_op(&atom, "f") && !w->facts->applied_of_velocity))
        atom.arg[LV_ARG_V] = -1;
    for (int s = 0; s < LV_ARGUMENTS; s++) {
        if (atom.arg[s] < 0)
            continue;
        if (field_at(w, atom.arg[s])->role == LV_FIELD_DEFINED) {
            canonical(w, atom.arg[s]);
            atom.arg[s] = w->same[atom.arg[s]];
        }
    }
    if (atom.op->vector >= LV_ARG_Y && is_empty(w, atom.arg[atom.op->vector]))
        return;
    term.field = -1;
    term.atom = lv_form_atom(w->form, &atom);
    lv_form_add(w->form, to, term);
}

/* Inlines everything. false: definitions depend on each other in a circle. */
static bool inline_all(work *w)
{
    if (!make_room(w))
        return true;
    for (int k = 0; k < w->capacity; k++) {
        w->state[k] = NEW;
        w->same[k] = k;
    }
    w->circular = false;
    w->defined.count = 0;
    lv_chains_clear(&w->known);
    for (int k = 0; k < w->form->fields.count && !w->form->failed; k++)
        if (field_at(w, k)->role == LV_FIELD_DEFINED)
            canonical(w, k);
    for (int k = 0; k < w->form->fields.count && !w->form->failed; k++)
        if (field_at(w, k)->role == LV_FIELD_UNKNOWN) {
            lv_sum sum = field_at(w, k)->sum;
            field_at(w, k)->sum = (lv_sum){0};
            flatten(w, &sum);
            field_at(w, k)->sum = sum;
        }
    for (int k = 0; k < w->form->assignments.count && !w->form->failed; k++)
        flatten(w, &w->form->assignments.data[k].sum);
    return !w->circular;
}

/* ---- reduction -------------------------------------------------------------------------------------- */

/* The term M U of an equation; -1: there is none, or U enters directly otherwise. */
static int mass_term(const work *w, int unknown)
{
    const lv_field *f = field_at(w, unknown);
    int found = -1;
    for (int k = 0; k < f->sum.count; k++) {
        const lv_term *t = &f->sum.data[k];
        if (t->field == unknown)
            return -1;
        if (t->atom < 0 || !is_op(&w->form->atoms.data[t->atom], "M") ||
            w->form->atoms.data[t->atom].arg[LV_ARG_W] != unknown)
            continue;
        if (found >= 0)
            return -1;
        found = k;
    }
    return found;
}

/* U = -(1/c) M^-1 (the other terms); M^-1 M x is x. */
static lv_sum solve_for(work *w, int unknown, int at)
{
    const lv_sum *sum = &field_at(w, unknown)->sum;
    const lv_term lead = sum->data[at];
    lv_sum result = {0};
    for (int k = 0; k < sum->count; k++) {
        lv_term t = sum->data[k];
        if (k == at)
            continue;
        t.c = -t.c / lead.c;
        t.power -= lead.power;
        t.inverse = true;
        if (t.atom >= 0 && is_op(&w->form->atoms.data[t.atom], "M")) {
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

/* ---- circles ------------------------------------------------------------------------------------------ */

/* Depth first search for a circle of definitions that avoids fields that are cut. */
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

/* Is the field defined by itself? */
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

/* Cuts fields of a space until there are no circles; returns how many, or `most` if that is not enough. */
static int cut_circles(search *s, bool *cut, lv_space space, const bool *may, int most)
{
    const int count = s->form->fields.count;
    int cuts = 0;
    s->cut = cut;
    memset(cut, 0, (size_t)count * sizeof *cut);
    for (int k = 0; k < count && cuts < most && has_circle(s); k++)
        if (may[k] && s->form->fields.data[k].space == space &&
            s->form->fields.data[k].role == LV_FIELD_DEFINED && is_in_circle(s, k)) {
            cut[k] = true;
            cuts++;
        }
    if (has_circle(s))
        return most;
    for (int k = 0; k < count; k++) /* some may have become needless */
        if (cut[k]) {
            cut[k] = false;
            if (has_circle(s))
                cut[k] = true;
            else
                cuts--;
        }
    return cuts;
}

/* ---- unknowns again ------------------------------------------------------------------------------------ */

/* A point Q that is cut becomes q + h U; the equation of U is M U = M (Q - q) / h as it was defined. */
static void cut_point(work *w, int point, lv_sum *definition)
{
    char name[64];
    const lv_field f = *field_at(w, point);
    snprintf(name, sizeof name, "%.20s_mean", f.name);
    const int unknown =
        lv_form_field(w->form, name, f.index, LV_SPACE_TANGENT, LV_FIELD_UNKNOWN);
    if (unknown < 0 || !make_room(w))
        return;
    lv_sum equation = {0}, value = {0};
    add_mass_times(w, &equation, (lv_term){1, 0, -1, -1, false}, unknown);
    for (int k = 0; k < definition->count; k++) {
        lv_term t = definition->data[k];
        if (t.field >= 0 && field_at(w, t.field)->space == LV_SPACE_POINT) {
            lv_form_add(w->form, &value, t);
            continue;
        }
        t.c = -t.c;
        t.power -= 1;
        if (t.inverse) {
            t.inverse = false;
            lv_form_add(w->form, &equation, t);
        } else {
            add_mass_times(w, &equation, (lv_term){t.c, t.power, -1, -1, false}, t.field);
        }
    }
    lv_form_add(w->form, &value, lv_term_field(unknown, 1, 1));
    field_at(w, unknown)->sum = equation;
    field_at(w, unknown)->scale = 1;
    LV_ARRAY_FREE(field_at(w, point)->sum);
    field_at(w, point)->sum = value;
}

/* Everything that the reduction remembers of each field. */
typedef struct reduction {
    lv_sum *equation; /* of velocities that became definitions */
    bool *reduced, *any, *points, *tangents;
    int count;
} reduction;

static void restore_tangents(work *w, reduction *r, const bool *cut)
{
    for (int k = 0; k < r->count; k++)
        if (cut[k]) {
            LV_ARRAY_FREE(field_at(w, k)->sum);
            field_at(w, k)->sum = r->equation[k];
            r->equation[k] = (lv_sum){0};
            field_at(w, k)->role = LV_FIELD_UNKNOWN;
            r->reduced[k] = false;
        }
}

/* Definitions of points that are cut are needed with everything inlined: circles are broken at the points while
 * this is done. */
static bool cut_points(work *w, const bool *cut, int count)
{
    lv_sum *definition = lv_memory_zeroed((size_t)count + 1, sizeof *definition);
    if (!definition) {
        w->form->failed = true;
        return true;
    }
    for (int k = 0; k < count; k++)
        if (cut[k]) {
            definition[k] = field_at(w, k)->sum;
            field_at(w, k)->sum = (lv_sum){0};
            field_at(w, k)->role = LV_FIELD_CARRIED; /* for the time being */
        }
    const bool sound = inline_all(w);
    for (int k = 0; sound && k < count; k++)
        if (cut[k])
            flatten(w, &definition[k]);
    for (int k = 0; k < count; k++)
        if (cut[k]) {
            field_at(w, k)->role = LV_FIELD_DEFINED;
            cut_point(w, k, &definition[k]);
            LV_ARRAY_FREE(definition[k]);
        }
    lv_memory_free(definition);
    return sound;
}

static bool choose_cuts(work *w, reduction *r)
{
    search s = {.form = w->form, .state = lv_memory_zeroed((size_t)r->count + 1, 1)};
    if (!s.state) {
        w->form->failed = true;
        return true;
    }
    memset(r->any, true, (size_t)r->count * sizeof *r->any);
    const int most = r->count + 1;
    const int tangents = cut_circles(&s, r->tangents, LV_SPACE_TANGENT, r->reduced, most);
    const int points = tangents == 0
                           ? most
                           : cut_circles(&s, r->points, LV_SPACE_POINT, r->any, tangents);
    lv_memory_free(s.state);
    if (tangents == most && points == tangents)
        return false;
    if (points < tangents)
        return cut_points(w, r->points, r->count);
    restore_tangents(w, r, r->tangents);
    return true;
}

static void reduce_all(work *w, reduction *r)
{
    for (int k = 0; k < r->count; k++) {
        lv_field *f = field_at(w, k);
        if (f->role != LV_FIELD_UNKNOWN || f->space != LV_SPACE_TANGENT)
            continue;
        const int at = mass_term(w, k);
        if (at < 0)
            continue;
        const lv_sum value = solve_for(w, k, at);
        r->equation[k] = f->sum;
        r->reduced[k] = true;
        field_at(w, k)->sum = value;
        field_at(w, k)->role = LV_FIELD_DEFINED;
    }
}

static lv_status reduce(work *w, lv_error *err)
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
    return sound && inline_all(w)
               ? LV_OK
               : lv_fail(err, LV_ERR_USAGE, "definitions of a step form a circle");
}

lv_status lv_form_normalise(lv_form *form, lv_step_facts *facts, lv_error *err)
{
    work w = {.form = form, .facts = facts};
    facts->q = lv_form_find(form, "q", 0);
    facts->p = facts->mass_constant ? lv_form_find(form, "p", 0) : -1;
    facts->v = facts->mass_constant ? lv_form_find(form, "v", 0) : -1;
    if (facts->p < 0 || facts->v < 0)
        facts->p = facts->v = -1;
    lv_status status = LV_OK;
    if (!inline_all(&w))
        status = lv_fail(err, LV_ERR_USAGE, "definitions of a step form a circle");
    else if (form->failed)
        status = lv_fail_memory(err);
    else if (facts->mass_constant && facts->mass_solvable)
        status = reduce(&w, err);
    lv_memory_free(w.state);
    lv_memory_free(w.same);
    LV_ARRAY_FREE(w.defined);
    LV_ARRAY_FREE(w.known.before);
    return form->failed ? lv_fail_memory(err) : status;
}
