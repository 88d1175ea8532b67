#include "step/inline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEW, OPEN, DONE };

/* ---- sums -------------------------------------------------------------------------- */

static void add_atom(lv_inlining *w, lv_sum *to, lv_term term, lv_atom atom);
static void canonical(lv_inlining *w, int field);

/* Adds term.c h^power times a field, or times M^-1 and the field, inlined if it is
 * defined. M^-1 p becomes v. */
static void add_field(lv_inlining *w, lv_sum *to, lv_term term)
{
    const int field = term.field;
    if (lv_inline_field(w, field)->role != LV_FIELD_DEFINED) {
        if (term.inverse && field == w->facts->p && w->facts->v >= 0) {
            term.field = w->facts->v;
            term.inverse = false;
        }
        lv_form_add(w->form, to, term);
        return;
    }
    canonical(w, field);
    const lv_sum *sum = &lv_inline_field(w, field)->sum;
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

/* Whether a term of the definition is a velocity that an operator yields, as D(x) v
 * is. */
static bool has_operator(const lv_inlining *w, int field)
{
    const lv_sum *sum = &lv_inline_field(w, field)->sum;
    for (int k = 0; k < sum->count; k++)
        if (sum->data[k].atom >= 0 && !sum->data[k].inverse &&
            w->form->atoms.data[sum->data[k].atom].op->result == LV_RESULT_TANGENT)
            return true;
    return false;
}

/* Whether the value of a definition is computed anyway, since an operator takes it as an
 * argument. */
static bool is_argument(const lv_inlining *w, int field)
{
    for (int k = 0; k < w->form->atoms.count; k++) {
        const lv_atom *atom = &w->form->atoms.data[k];
        for (int s = 0; s < LV_ARGUMENTS && !lv_atom_is(atom, "M"); s++)
            if (atom->arg[s] == field)
                return true;
    }
    return false;
}

/* Adds M x for a field x: M is distributed over definitions, M M^-1 becomes 1, M v
 * becomes p. Assignments, of which no derivative is needed, use values that are computed
 * anyway. */
void lv_inline_mass_times(lv_inlining *w, lv_sum *to, lv_term term, int x)
{
    lv_atom atom = {.op = lv_operator_find("M", 1)};
    const bool defined = lv_inline_field(w, x)->role == LV_FIELD_DEFINED;
    if (defined)
        canonical(w, x);
    if (defined && (has_operator(w, x) || (w->assigning && is_argument(w, x)))) {
        x = w->same[x];
    } else if (defined) {
        const lv_sum *sum = &lv_inline_field(w, x)->sum;
        for (int k = 0; k < sum->count; k++) {
            lv_term t = sum->data[k];
            t.c *= term.c;
            t.power += term.power;
            if (t.inverse) {
                t.inverse = term.inverse;
                lv_form_add(w->form, to, t);
            } else if (t.field >= 0) {
                lv_inline_mass_times(w, to, (lv_term){t.c, t.power, -1, -1, term.inverse},
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
        add_field(w, to, term);
        return;
    }
    for (int s = 0; s < LV_ARGUMENTS; s++)
        atom.arg[s] = -1;
    atom.arg[LV_ARG_W] = x;
    term.field = -1;
    term.atom = lv_form_atom(w->form, &atom);
    lv_form_add(w->form, to, term);
}

void lv_inline_sum(lv_inlining *w, lv_sum *sum)
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
    for (int k = a->count - 1; k >= 0; k--) { /* the first terms are often equal */
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

/* Sets same[field] to the first field with the same definition. */
static void find_same(lv_inlining *w, int field)
{
    const lv_field *f = lv_inline_field(w, field);
    const lv_term *t = f->sum.data;
    w->same[field] = field;
    if (f->sum.count == 1 && t->field >= 0 && !t->inverse && t->c == 1 && t->power == 0 &&
        lv_inline_field(w, t->field)->space == f->space &&
        lv_inline_field(w, t->field)->at == f->at) {
        w->same[field] = t->field;
        return;
    }
    const unsigned key = sum_key(f);
    int first = field;
    for (int i = lv_chains_last(&w->known, key); i >= 0;
         i = lv_chains_before(&w->known, i)) {
        const int k = w->defined.data[i];
        const lv_field *other = lv_inline_field(w, k);
        if (k < first && other->space == f->space && other->at == f->at &&
            is_same_sum(&other->sum, &f->sum))
            first = k;
    }
    w->same[field] = first < field ? w->same[first] : field;
    if (!LV_PUSH(w->defined, field) || !lv_chains_add(&w->known, key))
        w->form->failed = true;
}

bool lv_inline_make_room(lv_inlining *w)
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

static void canonical(lv_inlining *w, int field)
{
    if (w->state[field] == DONE || w->form->failed)
        return;
    if (w->state[field] == OPEN) {
        w->circular = true;
        return;
    }
    w->state[field] = OPEN;
    /* The array of fields may move while operators make new ones. */
    lv_sum sum = lv_inline_field(w, field)->sum;
    lv_inline_field(w, field)->sum = (lv_sum){0};
    lv_inline_sum(w, &sum);
    lv_inline_field(w, field)->sum = sum;
    w->state[field] = DONE;
    find_same(w, field);
}

/* ---- operators --------------------------------------------------------------------- */

/* Adds a field that is defined as this sum and takes it over; -1: there is no memory. */
static int define(lv_inlining *w, const char *name, lv_space space, lv_sum *sum)
{
    const int field = lv_form_field(w->form, name, 0, space, LV_FIELD_DEFINED);
    if (field < 0 || !lv_inline_make_room(w)) {
        LV_ARRAY_FREE(*sum);
        return -1;
    }
    lv_inline_field(w, field)->sum = *sum;
    w->state[field] = NEW;
    w->same[field] = field;
    return field;
}

/* (a + b) / 2 as a field. */
static int mean_of(lv_inlining *w, int a, int b, lv_space space)
{
    char name[80];
    const lv_field *fa = lv_inline_field(w, a), *fb = lv_inline_field(w, b);
    snprintf(name, sizeof name, "mean_%.20s%d_%.20s%d", fa->name, fa->index, fb->name,
             fb->index);
    const double at = 0.5 * (fa->at + fb->at);
    int mean = lv_form_find(w->form, name, 0);
    if (mean >= 0)
        return mean;
    lv_sum sum = {0};
    lv_form_add(w->form, &sum, lv_term_field(a, 0.5, 0));
    lv_form_add(w->form, &sum, lv_term_field(b, 0.5, 0));
    mean = define(w, name, space, &sum);
    if (mean < 0)
        return a;
    lv_inline_field(w, mean)->at = at;
    return mean;
}

/* Replaces discrete gradients of constraints that are at most quadratic by gradients at
 * the midpoint. */
static void use_middle(lv_inlining *w, lv_atom *atom)
{
    static const struct {
        const char *pair, *plain;
        bool velocity;
    } names[] = {{"DgT", "GT", false}, {"DwRT", "GT", false}, {"DqRT", "RqT", true}};
    for (size_t k = 0; w->facts->bilinear && k < sizeof names / sizeof *names; k++) {
        if (!lv_atom_is(atom, names[k].pair))
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

/* Whether the operator is 0 for this system. */
static bool vanishes(const lv_inlining *w, const lv_atom *atom)
{
    return (lv_atom_is(atom, "f") && !w->facts->forced) ||
           ((lv_atom_is(atom, "D1T") || lv_atom_is(atom, "MqT")) &&
            w->facts->mass_constant);
}

/* Whether an argument is defined as an empty sum, which is 0. */
static bool is_empty(const lv_inlining *w, int field)
{
    return field >= 0 && lv_inline_field(w, field)->role == LV_FIELD_DEFINED &&
           lv_inline_field(w, field)->sum.count == 0;
}

/* The argument that a group operator is equal to for x = 0; -1: none. */
static int without_chart(const lv_atom *atom)
{
    switch (atom->op->turn) {
    case LV_TURN_MOVE:
    case LV_TURN_DRIFT:
        return atom->arg[LV_ARG_Q];
    case LV_TURN_D:
        return atom->arg[LV_ARG_V];
    case LV_TURN_DT:
    case LV_TURN_DTM:
        return atom->arg[LV_ARG_W];
    case LV_TURN_B:
    case LV_TURN_SPACE:
    case LV_TURN_BODY:
    case LV_TURN_NONE:
        break;
    }
    return -1;
}

/* Whether the term is space(q, w) at this position q. */
static bool is_space_at(const lv_inlining *w, const lv_term *t, int q)
{
    const lv_atom *atom = t->atom >= 0 ? &w->form->atoms.data[t->atom] : NULL;
    return atom && atom->op->turn == LV_TURN_SPACE && atom->arg[LV_ARG_Q] == q;
}

/* A field that is equal to a defined momentum without its terms space(q, w); LV_NO_REST
 * if no term is left, or without memory. */
enum { LV_NO_REST = -1 };

static int rest_beside_space(lv_inlining *w, int momentum, int q)
{
    char name[80];
    lv_sum rest = {0};
    const lv_field *f = lv_inline_field(w, momentum), *at = lv_inline_field(w, q);
    snprintf(name, sizeof name, "%.20s%d_before_%.20s%d", f->name, f->index, at->name,
             at->index);
    for (int k = 0; k < f->sum.count; k++)
        if (!is_space_at(w, &f->sum.data[k], q))
            lv_form_add(w->form, &rest, f->sum.data[k]);
    if (rest.count == 0)
        return LV_NO_REST;
    const lv_term only = rest.data[0];
    if (rest.count == 1 && only.field >= 0 && only.c == 1 && only.power == 0) {
        LV_ARRAY_FREE(rest);
        return only.field;
    }
    const int field = define(w, name, LV_SPACE_MOMENTUM, &rest);
    if (field < 0)
        return LV_NO_REST;
    canonical(w, field);
    return w->same[field];
}

/* Adds body(q, x + c space(q, w)) as body(q, x) + c w. Returns false if the argument has
 * no term space(q, w). */
static bool add_body(lv_inlining *w, lv_sum *to, lv_term term, lv_atom atom)
{
    const int momentum = atom.arg[LV_ARG_W], q = atom.arg[LV_ARG_Q];
    bool found = false;
    if (atom.op->turn != LV_TURN_BODY ||
        lv_inline_field(w, momentum)->role != LV_FIELD_DEFINED)
        return false;
    for (int k = 0; k < lv_inline_field(w, momentum)->sum.count; k++) {
        const lv_term t = lv_inline_field(w, momentum)->sum.data[k];
        if (!is_space_at(w, &t, q))
            continue;
        found = true;
        add_field(w, to,
                  (lv_term){term.c * t.c, term.power + t.power,
                            w->form->atoms.data[t.atom].arg[LV_ARG_W], -1, term.inverse});
    }
    atom.arg[LV_ARG_W] = found ? rest_beside_space(w, momentum, q) : momentum;
    if (!found || atom.arg[LV_ARG_W] == LV_NO_REST)
        return found;
    term.field = -1;
    term.atom = lv_form_atom(w->form, &atom);
    lv_form_add(w->form, to, term);
    return true;
}

static void add_atom(lv_inlining *w, lv_sum *to, lv_term term, lv_atom atom)
{
    if (vanishes(w, &atom))
        return;
    if (lv_atom_is(&atom, "M")) {
        lv_inline_mass_times(w, to, term, atom.arg[LV_ARG_W]);
        return;
    }
    if (w->facts->mass_constant && (lv_atom_is(&atom, "p") || lv_atom_is(&atom, "D2T"))) {
        lv_inline_mass_times(w, to, term, atom.arg[LV_ARG_V]);
        return;
    }
    use_middle(w, &atom);
    if ((lv_atom_is(&atom, "F") && !w->facts->force_of_velocity) ||
        (lv_atom_is(&atom, "f") && !w->facts->applied_of_velocity))
        atom.arg[LV_ARG_V] = -1;
    for (int s = 0; s < LV_ARGUMENTS; s++) {
        if (atom.arg[s] < 0)
            continue;
        if (lv_inline_field(w, atom.arg[s])->role == LV_FIELD_DEFINED) {
            canonical(w, atom.arg[s]);
            atom.arg[s] = w->same[atom.arg[s]];
        }
    }
    if (atom.op->vector >= LV_ARG_Y && is_empty(w, atom.arg[atom.op->vector]))
        return;
    if (without_chart(&atom) >= 0 && is_empty(w, atom.arg[LV_ARG_V0])) {
        term.atom = -1;
        term.field = without_chart(&atom);
        add_field(w, to, term);
        return;
    }
    if (add_body(w, to, term, atom))
        return;
    term.field = -1;
    term.atom = lv_form_atom(w->form, &atom);
    lv_form_add(w->form, to, term);
}

bool lv_inline_all(lv_inlining *w)
{
    if (!lv_inline_make_room(w))
        return true;
    for (int k = 0; k < w->capacity; k++) {
        w->state[k] = NEW;
        w->same[k] = k;
    }
    w->circular = false;
    w->defined.count = 0;
    lv_chains_clear(&w->known);
    for (int k = 0; k < w->form->fields.count && !w->form->failed; k++)
        if (lv_inline_field(w, k)->role == LV_FIELD_DEFINED)
            canonical(w, k);
    for (int k = 0; k < w->form->fields.count && !w->form->failed; k++)
        if (lv_inline_field(w, k)->role == LV_FIELD_UNKNOWN) {
            lv_sum sum = lv_inline_field(w, k)->sum;
            lv_inline_field(w, k)->sum = (lv_sum){0};
            lv_inline_sum(w, &sum);
            lv_inline_field(w, k)->sum = sum;
        }
    w->assigning = true;
    for (int k = 0; k < w->form->assignments.count && !w->form->failed; k++)
        lv_inline_sum(w, &w->form->assignments.data[k].sum);
    w->assigning = false;
    return !w->circular;
}

void lv_inlining_done(lv_inlining *w)
{
    lv_memory_free(w->state);
    lv_memory_free(w->same);
    LV_ARRAY_FREE(w->defined);
    LV_ARRAY_FREE(w->known.before);
}
