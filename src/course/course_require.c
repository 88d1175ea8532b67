#include "course/course_make.h"

#include "base/memory.h"

#include <string.h>

lv_actions *lv_maker_list(lv_course *c, int place)
{
    lv_phase *p = &c->phase[place / LV_LISTS];
    lv_actions *lists[LV_LISTS] = {&p->before, &p->pass, &p->cheap, &p->full};
    return lists[place % LV_LISTS];
}

double *lv_maker_room(lv_course_maker *m, int count)
{
    double *numbers = lv_arena_alloc(&m->c->arena, (size_t)count + 1, sizeof *numbers);
    m->failed |= !numbers;
    return numbers;
}

double *lv_maker_value_room(lv_course_maker *m, int field)
{
    if (!m->c->value[field])
        m->c->value[field] = lv_maker_room(m, lv_maker_field_size(m->c, field));
    return m->c->value[field];
}

/* ---- sites ------------------------------------------------------------------------- */

static int argument_phase(const lv_course *c, int field)
{
    return field < 0 ? 0 : c->phases.of_field[field];
}

/* Is the velocity known when the position is? A velocity defined in the same phase does
 * not count: its definition may need what is evaluated at this position. */
static bool is_known_as_early(const lv_course *c, int v, int q)
{
    const int early = argument_phase(c, v), late = argument_phase(c, q);
    return v < 0 || early < late ||
           (early == late && c->form.fields.data[v].role != LV_FIELD_DEFINED);
}

/* May operators with these arguments be evaluated at the site? Operators without a
 * velocity may use a site that has one, if the velocity is known as early as the
 * position. */
static bool is_suitable(const lv_course *c, const lv_site *s, const int arg[LV_ARGUMENTS])
{
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const bool any = a == LV_ARG_V && arg[a] < 0 && arg[LV_ARG_Q0] < 0 &&
                         is_known_as_early(c, s->arg[a], arg[LV_ARG_Q]);
        if (s->arg[a] != arg[a] && !any)
            return false;
    }
    return true;
}

/* Quantities of a pair of points are evaluated at the time between them. */
static lv_site new_site(const lv_course *c, const int arg[LV_ARGUMENTS])
{
    const lv_field *fields = c->form.fields.data;
    lv_site site = {.phase = 0, .at = fields[arg[LV_ARG_Q]].at};
    memcpy(site.arg, arg, sizeof site.arg);
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const int phase = argument_phase(c, arg[a]);
        site.phase = phase > site.phase ? phase : site.phase;
    }
    if (arg[LV_ARG_Q0] >= 0)
        site.at = 0.5 * (site.at + fields[arg[LV_ARG_Q0]].at);
    return site;
}

/* Grows quantity_at for one more site. */
static bool make_site_room(lv_course_maker *m)
{
    if (m->c->sites.count < m->site_room)
        return true;
    const int count = 2 * m->site_room + 64;
    int *grown =
        lv_memory_resize(m->quantity_at, (size_t)count * LV_QUANTITIES * sizeof *grown);
    if (!grown)
        return false;
    m->quantity_at = grown;
    for (int k = m->site_room * LV_QUANTITIES; k < count * LV_QUANTITIES; k++)
        grown[k] = LV_NOWHERE;
    m->site_room = count;
    return true;
}

int lv_maker_site(lv_course_maker *m, const int arg[LV_ARGUMENTS])
{
    lv_course *c = m->c;
    for (int k = 0; k < c->sites.count; k++)
        if (is_suitable(c, &c->sites.data[k], arg))
            return k;
    if (!make_site_room(m) || !LV_PUSH(c->sites, new_site(c, arg))) {
        m->failed = true;
        return 0;
    }
    return c->sites.count - 1;
}

/* The site at which the value of an atom is evaluated; -1: it needs none. */
static int value_site(lv_course_maker *m, int number)
{
    lv_course *c = m->c;
    const lv_atom *atom = &c->form.atoms.data[number];
    int arg[LV_ARGUMENTS];
    if (c->site_of[number] != -2)
        return c->site_of[number];
    if (atom->arg[LV_ARG_Q] < 0 || atom->op->turn != LV_TURN_NONE) {
        c->site_of[number] = -1;
        return -1;
    }
    memcpy(arg, atom->arg, sizeof arg);
    if (atom->op->vector >= 0)
        arg[atom->op->vector] = -1;
    const int site = lv_maker_site(m, arg);
    c->site_of[number] = site;
    return site;
}

/* ---- actions ----------------------------------------------------------------------- */

/* The list of actions for something that becomes known in phase `known` and is needed in
 * `phase`. */
static int place_for(int known, int phase)
{
    return phase * LV_LISTS + (known == phase ? LV_LIST_PASS : LV_LIST_BEFORE);
}

static unsigned action_key(int place, lv_action_kind kind, int subject)
{
    return lv_chains_mix(lv_chains_mix(lv_chains_mix(1, place), (int)kind), subject);
}

static void push(lv_course_maker *m, int place, lv_action action)
{
    lv_actions *list = lv_maker_list(m->c, place);
    const lv_action_address here = {place, list->count};
    if (!LV_PUSH(*list, action) || !LV_PUSH(m->addresses, here) ||
        !lv_chains_add(&m->known, action_key(place, action.kind, action.subject)))
        m->failed = true;
}

/* Returns NULL if there is no such action. */
static lv_action *find_action(lv_course_maker *m, int place, lv_action_kind kind,
                              int subject)
{
    for (int k = lv_chains_last(&m->known, action_key(place, kind, subject)); k >= 0;
         k = lv_chains_before(&m->known, k)) {
        if (m->addresses.data[k].place != place)
            continue;
        lv_action *a = &lv_maker_list(m->c, place)->data[m->addresses.data[k].number];
        if (a->kind == kind && a->subject == subject)
            return a;
    }
    return NULL;
}

/* ---- what later phases need -------------------------------------------------------- */

static void mark_field(lv_course_maker *m, int field);

static void mark(lv_course_maker *m, int place, lv_action_kind kind, int subject);

static void mark_fields(lv_course_maker *m, const int *fields, int count)
{
    for (int k = 0; k < count; k++)
        if (fields[k] >= 0)
            mark_field(m, fields[k]);
}

static void mark_site(lv_course_maker *m, int place, int atom)
{
    if (m->c->site_of[atom] >= 0)
        mark(m, place, LV_DO_EVALUATE, m->c->site_of[atom]);
}

static void mark_terms(lv_course_maker *m, int place, const lv_sum *sum)
{
    for (int t = 0; t < sum->count; t++) {
        const int atom = sum->data[t].atom;
        mark_fields(m, &sum->data[t].field, 1);
        if (atom < 0)
            continue;
        mark(m, place, LV_DO_MULTIPLY, atom);
        mark_site(m, place, atom);
    }
}

/* Marks an action of a Newton pass, and the actions that it needs itself, to be done
 * again after the phase, since later phases need their results. */
static void mark(lv_course_maker *m, int place, lv_action_kind kind, int subject)
{
    const lv_course *c = m->c;
    const lv_form *form = &c->form;
    lv_action *a =
        place % LV_LISTS == LV_LIST_PASS ? find_action(m, place, kind, subject) : NULL;
    if (!a || a->later)
        return;
    a->later = true;
    switch (kind) {
    case LV_DO_EVALUATE:
        mark_fields(m, c->sites.data[subject].arg, LV_ARGUMENTS);
        break;
    case LV_DO_MULTIPLY:
        mark_fields(m, form->atoms.data[subject].arg, LV_ARGUMENTS);
        mark_site(m, place, subject);
        break;
    case LV_DO_CALL:
        mark_fields(m, form->calls.data[subject].argument,
                    form->calls.data[subject].arguments);
        break;
    case LV_DO_COMBINE:
        mark_terms(m, place, &form->fields.data[subject].sum);
        break;
    }
}

static void mark_field(lv_course_maker *m, int field)
{
    const lv_field *f = &m->c->form.fields.data[field];
    if (m->field_at[field] != LV_NOWHERE && f->role == LV_FIELD_CALLED)
        mark(m, m->field_at[field], LV_DO_CALL, f->call);
    else if (m->field_at[field] != LV_NOWHERE)
        mark(m, m->field_at[field], LV_DO_COMBINE, field);
}

/* ---- sums -------------------------------------------------------------------------- */

static const double *term_vector(lv_course_maker *m, const lv_term *t)
{
    lv_course *c = m->c;
    if (t->field >= 0)
        return lv_maker_value_room(m, t->field);
    const lv_operator *op = c->form.atoms.data[t->atom].op;
    if (op->vector >= 0 || op->turn != LV_TURN_NONE)
        return c->product[t->atom];
    return NULL; /* it will be in the storage of a site, which does not exist yet */
}

static int term_phase(const lv_course *c, const lv_term *t)
{
    return t->field >= 0 ? c->phases.of_field[t->field] : c->phases.of_atom[t->atom];
}

static int count_terms(const lv_course *c, lv_term_choice w, bool inverse)
{
    int count = 0;
    for (int k = 0; k < w.sum->count; k++) {
        const int phase = term_phase(c, &w.sum->data[k]);
        count += phase >= w.from && phase <= w.to && w.sum->data[k].inverse == inverse;
    }
    return count;
}

lv_combination lv_maker_combination(lv_course_maker *m, lv_term_choice w, double *out,
                                    int size, const double *base)
{
    lv_course *c = m->c;
    lv_combination s = {.size = size, .out = out};
    const int plain = count_terms(c, w, false), inverse = count_terms(c, w, true);
    s.sources =
        lv_arena_alloc(&c->arena, (size_t)plain + (size_t)inverse + 1, sizeof *s.sources);
    if (!s.sources) {
        m->failed = true;
        return s;
    }
    if (base)
        s.sources[s.plain++] = (lv_summand){.c = 1, .weight = 1, .x = base, .atom = -1};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < w.sum->count; k++) {
            const lv_term *t = &w.sum->data[k];
            const int phase = term_phase(c, t);
            if (phase < w.from || phase > w.to || t->inverse != (side == 1))
                continue;
            const double factor =
                t->atom >= 0 ? c->form.atoms.data[t->atom].op->factor : 1;
            const lv_summand source = {.c = t->c * factor,
                                       .power = t->power,
                                       .x = term_vector(m, t),
                                       .atom = t->atom};
            s.sources[side == 0 ? s.plain++ : s.plain + s.inverse++] = source;
        }
    return s;
}

/* Makes an action that adds up, before a phase, the part of a sum that does not change in
 * its Newton passes. */
const double *lv_maker_hoist(lv_course_maker *m, int phase, const lv_sum *sum, int field,
                             int size)
{
    lv_course *c = m->c;
    const lv_term_choice fixed = {sum, 0, phase - 1};
    const int plain = count_terms(c, fixed, false), inverse = count_terms(c, fixed, true);
    if (plain + inverse < 2 && inverse == 0)
        return NULL;
    double *base = lv_maker_room(m, size);
    if (!m->failed)
        push(m, phase * LV_LISTS + LV_LIST_BEFORE,
             (lv_action){.kind = LV_DO_COMBINE,
                         .subject = -1 - field,
                         .combine = lv_maker_combination(m, fixed, base, size, NULL)});
    return base;
}

/* ---- requirements ------------------------------------------------------------------ */

static void require_atom(lv_course_maker *m, int phase, int atom);

/* Requires that a quantity is evaluated at a site, in a list of actions of a phase. */
void lv_maker_require_quantity(lv_course_maker *m, int place, int site,
                               lv_quantity quantity)
{
    lv_course *c = m->c;
    int *at = &m->quantity_at[site * LV_QUANTITIES + (int)quantity];
    const int phase = place / LV_LISTS;
    if (*at != LV_NOWHERE) {
        const int there = *at;
        if (there / LV_LISTS < phase && there % LV_LISTS <= LV_LIST_PASS) {
            mark(m, there, LV_DO_EVALUATE, site);
            return;
        }
        if (there == place ||
            (there / LV_LISTS == phase && there % LV_LISTS <= LV_LIST_PASS))
            return;
    }
    for (int s = 0; s < LV_ARGUMENTS; s++)
        if (c->sites.data[site].arg[s] >= 0)
            lv_maker_require_field(m, phase, c->sites.data[site].arg[s]);
    if (*at == LV_NOWHERE || *at % LV_LISTS > LV_LIST_PASS)
        *at = place;
    lv_action *same = find_action(m, place, LV_DO_EVALUATE, site);
    if (same) {
        same->evaluate.wanted |= (lv_wanted)1 << (unsigned)quantity;
        return;
    }
    push(m, place,
         (lv_action){
             .kind = LV_DO_EVALUATE,
             .subject = site,
             .evaluate = {.site = site, .wanted = (lv_wanted)1 << (unsigned)quantity}});
}

static void require_term(lv_course_maker *m, int phase, const lv_term *t)
{
    if (t->field >= 0)
        lv_maker_require_field(m, phase, t->field);
    else
        require_atom(m, phase, t->atom);
}

static void require_call(lv_course_maker *m, int phase, int number)
{
    lv_course *c = m->c;
    const lv_call *call = &c->form.calls.data[number];
    const int first = call->result[0], known = c->phases.of_field[first];
    if (m->field_at[first] != LV_NOWHERE) {
        if (m->field_at[first] / LV_LISTS < phase)
            mark(m, m->field_at[first], LV_DO_CALL, number);
        return;
    }
    for (int k = 0; k < call->results; k++) {
        lv_maker_value_room(m, call->result[k]);
        m->field_at[call->result[k]] = place_for(known, phase);
    }
    for (int k = 0; k < call->arguments; k++)
        lv_maker_require_field(m, phase, call->argument[k]);
    push(m, m->field_at[first], (lv_action){.kind = LV_DO_CALL, .subject = number});
}

void lv_maker_require_field(lv_course_maker *m, int phase, int field)
{
    lv_course *c = m->c;
    const lv_field *f = &c->form.fields.data[field];
    lv_maker_value_room(m, field);
    if (f->role == LV_FIELD_CALLED && !m->failed) {
        require_call(m, phase, f->call);
        return;
    }
    if (f->role != LV_FIELD_DEFINED || m->failed)
        return;
    if (m->field_at[field] != LV_NOWHERE) {
        if (m->field_at[field] / LV_LISTS < phase)
            mark_field(m, field);
        return;
    }
    const int known = c->phases.of_field[field], place = place_for(known, phase);
    m->field_at[field] = place;
    for (int k = 0; k < f->sum.count; k++)
        require_term(m, phase, &f->sum.data[k]);
    const int size = lv_maker_field_size(c, field);
    const double *base =
        known == phase ? lv_maker_hoist(m, phase, &f->sum, field, size) : NULL;
    const lv_term_choice rest = {&f->sum, base ? phase : 0, phase};
    if (m->failed)
        return;
    push(m, place,
         (lv_action){.kind = LV_DO_COMBINE,
                     .subject = field,
                     .combine =
                         lv_maker_combination(m, rest, c->value[field], size, base)});
}

static void require_atom(lv_course_maker *m, int phase, int number)
{
    lv_course *c = m->c;
    const lv_atom *atom = &c->form.atoms.data[number];
    const int known = c->phases.of_atom[number], site = value_site(m, number);
    if (m->failed)
        return;
    if (site >= 0) {
        const int site_known = c->sites.data[site].phase;
        lv_maker_require_quantity(m, place_for(site_known, phase), site,
                                  atom->op->value.quantity);
        if (atom->op->constant >= 0)
            lv_maker_require_quantity(m, place_for(site_known, phase), site,
                                      (lv_quantity)atom->op->constant);
    }
    const bool turns = atom->op->turn != LV_TURN_NONE;
    if (atom->op->vector < 0 && !turns)
        return;
    if (m->atom_at[number] != LV_NOWHERE) {
        if (m->atom_at[number] / LV_LISTS < phase)
            mark(m, m->atom_at[number], LV_DO_MULTIPLY, number);
        return;
    }
    for (int a = 0; a < LV_ARGUMENTS; a++)
        if (atom->arg[a] >= 0 && (turns || a == atom->op->vector))
            lv_maker_require_field(m, phase, atom->arg[a]);
    static const lv_space results[] = {[LV_RESULT_POINT] = LV_SPACE_POINT,
                                       [LV_RESULT_TANGENT] = LV_SPACE_TANGENT,
                                       [LV_RESULT_VECTOR] = LV_SPACE_MOMENTUM,
                                       [LV_RESULT_HOLONOMIC] = LV_SPACE_HOLONOMIC,
                                       [LV_RESULT_ROLLING] = LV_SPACE_ROLLING};
    c->product[number] = lv_maker_room(m, c->sizes[results[atom->op->result]]);
    m->atom_at[number] = place_for(known, phase);
    push(m, m->atom_at[number],
         (lv_action){.kind = LV_DO_MULTIPLY,
                     .subject = number,
                     .multiply = {number, site, c->product[number]}});
}

void lv_maker_require_sum(lv_course_maker *m, int phase, const lv_sum *sum)
{
    for (int k = 0; k < sum->count && !m->failed; k++)
        require_term(m, phase, &sum->data[k]);
}
