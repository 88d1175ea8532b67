#include "step/course.h"

#include "base/memory.h"
#include "step/blocks.h"
#include "system/sparse.h"

#include <string.h>

/* While a course is made: what each thing is computed by. A place is the phase, and the list of it. */
enum { NOWHERE = -1, BEFORE = 0, PASS = 1, CHEAP = 2, FULL = 3, LISTS = 4 };

/* Where an action is: in which list, and which of it. */
typedef struct address {
    int place, number;
} address;

typedef struct maker {
    lv_course *c;
    int *field_at, *atom_at; /* places, or NOWHERE */
    int *quantity_at;        /* [site][quantity] */
    int site_room;
    lv_chains known; /* actions by place, kind and subject */
    LV_ARRAY(address) addresses;
    bool failed;
} maker;

static lv_actions *list_of(lv_course *c, int place)
{
    lv_phase *p = &c->phase[place / LISTS];
    lv_actions *lists[LISTS] = {&p->before, &p->pass, &p->cheap, &p->full};
    return lists[place % LISTS];
}

static double *room(maker *m, int count)
{
    double *numbers = lv_arena_alloc(&m->c->arena, (size_t)count + 1, sizeof *numbers);
    m->failed |= !numbers;
    return numbers;
}

static int field_size(const lv_course *c, int field)
{
    return c->sizes[c->form.fields.data[field].space];
}

static double *value_room(maker *m, int field)
{
    if (!m->c->value[field])
        m->c->value[field] = room(m, field_size(m->c, field));
    return m->c->value[field];
}

/* ---- sites -------------------------------------------------------------------------------------------- */

static int argument_phase(const lv_course *c, int field)
{
    return field < 0 ? 0 : c->phases.of_field[field];
}

/* Is the velocity known when the position is? One that is defined in the same phase may be defined by what is evaluated
 * there. */
static bool is_known_as_early(const lv_course *c, int v, int q)
{
    const int early = argument_phase(c, v), late = argument_phase(c, q);
    return v < 0 || early < late ||
           (early == late && c->form.fields.data[v].role != LV_FIELD_DEFINED);
}

/* The site at these fields; v-less operators share one that has a velocity which is known as early. */
static int find_site(maker *m, const int arg[LV_ARGUMENTS])
{
    lv_course *c = m->c;
    for (int k = 0; k < c->sites.count; k++) {
        const lv_site *s = &c->sites.data[k];
        bool same = true;
        for (int a = 0; a < LV_ARGUMENTS; a++)
            same = same && (s->arg[a] == arg[a] ||
                            (a == LV_ARG_V && arg[a] < 0 && arg[LV_ARG_Q0] < 0 &&
                             is_known_as_early(c, s->arg[a], arg[LV_ARG_Q])));
        if (same)
            return k;
    }
    lv_site site = {.phase = 0};
    memcpy(site.arg, arg, sizeof site.arg);
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        const int phase = argument_phase(c, arg[a]);
        site.phase = phase > site.phase ? phase : site.phase;
    }
    const lv_field *fields = c->form.fields.data;
    site.at = fields[arg[LV_ARG_Q]].at;
    if (arg[LV_ARG_Q0] >= 0)
        site.at = 0.5 * (site.at + fields[arg[LV_ARG_Q0]].at);
    if (c->sites.count >= m->site_room) {
        const int count = 2 * m->site_room + 64;
        int *grown = lv_memory_resize(m->quantity_at,
                                      (size_t)count * LV_QUANTITIES * sizeof *grown);
        if (!grown) {
            m->failed = true;
            return 0;
        }
        m->quantity_at = grown;
        for (int k = m->site_room * LV_QUANTITIES; k < count * LV_QUANTITIES; k++)
            grown[k] = NOWHERE;
        m->site_room = count;
    }
    if (!LV_PUSH(c->sites, site))
        m->failed = true;
    return c->sites.count - 1;
}

/* The site of the value of an atom; -1: it needs none. */
static int value_site(maker *m, int number)
{
    lv_course *c = m->c;
    const lv_atom *atom = &c->form.atoms.data[number];
    int arg[LV_ARGUMENTS];
    if (c->site_of[number] != -2)
        return c->site_of[number];
    if (atom->arg[LV_ARG_Q] < 0) {
        c->site_of[number] = -1;
        return -1;
    }
    memcpy(arg, atom->arg, sizeof arg);
    if (atom->op->vector >= 0)
        arg[atom->op->vector] = -1;
    const int site = find_site(m, arg);
    c->site_of[number] = site;
    return site;
}

/* ---- plans ------------------------------------------------------------------------------------------------ */

static lv_status find_plan(lv_course *c, lv_evaluation *e, lv_error *err)
{
    for (int k = 0; k < c->plans.count; k++)
        if (c->plans.data[k].wanted == e->wanted) {
            e->plan = c->plans.data[k].plan;
            return LV_OK;
        }
    LV_TRY(lv_plan_create(&e->plan, c->system->model, e->wanted, err));
    if (!LV_PUSH(c->plans, *e)) {
        lv_plan_free(e->plan);
        return lv_fail_memory(err);
    }
    for (int q = 0; q < LV_QUANTITIES; q++)
        if (e->wanted >> q & 1 && !c->pattern[q] &&
            lv_quantity_shape((lv_quantity)q) >= LV_IS_SQUARE)
            c->pattern[q] = lv_plan_pattern(e->plan, (lv_quantity)q);
    return LV_OK;
}

int lv_course_quantity_size(const lv_course *c, lv_quantity q)
{
    switch (lv_quantity_shape(q)) {
    case LV_IS_VECTOR:
        return c->system->n;
    case LV_IS_ROWS:
        return c->system->m;
    case LV_IS_RATES:
        return c->system->rates;
    case LV_IS_SQUARE:
    case LV_IS_WIDE:
    case LV_IS_BROAD:
        return lv_pattern_entries(c->pattern[q]);
    case LV_IS_SCALAR:
    case LV_IS_LIST:
        break;
    }
    return 1;
}

/* Plans of all evaluations, and room for their results. */
static lv_status settle_evaluation(maker *m, lv_evaluation *e, lv_error *err)
{
    lv_course *c = m->c;
    LV_TRY(find_plan(c, e, err));
    lv_site *site = &c->sites.data[e->site];
    for (int q = 0; q < LV_QUANTITIES; q++) {
        if (!(e->wanted >> q & 1) || site->storage[q])
            continue;
        site->storage[q] = room(m, lv_course_quantity_size(c, (lv_quantity)q));
        if (m->failed)
            return lv_fail_memory(err);
    }
    for (int q = 0; q < LV_QUANTITIES; q++)
        if (e->wanted >> q & 1)
            lv_plan_base(e->plan, (lv_quantity)q, site->storage[q]);
    return LV_OK;
}

/* ---- requirements ------------------------------------------------------------------------------------------- */

static void require_field(maker *m, int phase, int field);
static void require_atom(maker *m, int phase, int atom);

/* Where something is done that is known in `known` and needed in `phase`. */
static int place_for(int known, int phase)
{
    return phase * LISTS + (known == phase ? PASS : BEFORE);
}

static unsigned action_key(int place, lv_action_kind kind, int subject)
{
    return lv_chains_mix(lv_chains_mix(lv_chains_mix(1, place), (int)kind), subject);
}

static void push(maker *m, int place, lv_action action)
{
    lv_actions *list = list_of(m->c, place);
    const address here = {place, list->count};
    if (!LV_PUSH(*list, action) || !LV_PUSH(m->addresses, here) ||
        !lv_chains_add(&m->known, action_key(place, action.kind, action.subject)))
        m->failed = true;
}

/* NULL: there is none. */
static lv_action *find_action(maker *m, int place, lv_action_kind kind, int subject)
{
    for (int k = lv_chains_last(&m->known, action_key(place, kind, subject)); k >= 0;
         k = lv_chains_before(&m->known, k)) {
        if (m->addresses.data[k].place != place)
            continue;
        lv_action *a = &list_of(m->c, place)->data[m->addresses.data[k].number];
        if (a->kind == kind && a->subject == subject)
            return a;
    }
    return NULL;
}

static void mark_field(maker *m, int field);

/* Marks what an action of a pass needs for itself, so that both are done again after the phase. */
static void mark(maker *m, int place, lv_action_kind kind, int subject)
{
    lv_course *c = m->c;
    lv_action *a = place % LISTS == PASS ? find_action(m, place, kind, subject) : NULL;
    if (!a || a->later)
        return;
    a->later = true;
    if (kind == LV_DO_EVALUATE) {
        for (int s = 0; s < LV_ARGUMENTS; s++)
            if (c->sites.data[subject].arg[s] >= 0)
                mark_field(m, c->sites.data[subject].arg[s]);
    } else if (kind == LV_DO_MULTIPLY) {
        const lv_atom *atom = &c->form.atoms.data[subject];
        for (int s = 0; s < LV_ARGUMENTS; s++)
            if (atom->arg[s] >= 0)
                mark_field(m, atom->arg[s]);
        if (c->site_of[subject] >= 0)
            mark(m, place, LV_DO_EVALUATE, c->site_of[subject]);
    } else if (kind == LV_DO_CALL) {
        const lv_call *call = &c->form.calls.data[subject];
        for (int s = 0; s < call->arguments; s++)
            mark_field(m, call->argument[s]);
    } else {
        const lv_sum *sum = &c->form.fields.data[subject].sum;
        for (int t = 0; t < sum->count; t++) {
            const int atom = sum->data[t].atom;
            if (sum->data[t].field >= 0)
                mark_field(m, sum->data[t].field);
            if (atom < 0)
                continue;
            mark(m, place, LV_DO_MULTIPLY, atom);
            if (c->site_of[atom] >= 0)
                mark(m, place, LV_DO_EVALUATE, c->site_of[atom]);
        }
    }
}

static void mark_field(maker *m, int field)
{
    const lv_field *f = &m->c->form.fields.data[field];
    if (m->field_at[field] != NOWHERE && f->role == LV_FIELD_CALLED)
        mark(m, m->field_at[field], LV_DO_CALL, f->call);
    else if (m->field_at[field] != NOWHERE)
        mark(m, m->field_at[field], LV_DO_COMBINE, field);
}

/* A quantity at a site is needed in a list of a phase. */
static void require_quantity(maker *m, int place, int site, lv_quantity quantity)
{
    lv_course *c = m->c;
    int *at = &m->quantity_at[site * LV_QUANTITIES + (int)quantity];
    const int phase = place / LISTS;
    if (*at != NOWHERE) {
        const int there = *at;
        if (there / LISTS < phase && there % LISTS <= PASS) {
            mark(m, there, LV_DO_EVALUATE, site);
            return;
        }
        if (there == place || (there / LISTS == phase && there % LISTS <= PASS))
            return;
    }
    for (int s = 0; s < LV_ARGUMENTS; s++)
        if (c->sites.data[site].arg[s] >= 0)
            require_field(m, phase, c->sites.data[site].arg[s]);
    if (*at == NOWHERE || *at % LISTS > PASS)
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

static void require_term(maker *m, int phase, const lv_term *t)
{
    if (t->field >= 0)
        require_field(m, phase, t->field);
    else
        require_atom(m, phase, t->atom);
}

static const double *term_vector(maker *m, const lv_term *t)
{
    lv_course *c = m->c;
    if (t->field >= 0)
        return value_room(m, t->field);
    const lv_operator *op = c->form.atoms.data[t->atom].op;
    if (op->vector >= 0)
        return c->product[t->atom];
    return NULL; /* in the storage of a site, which comes to be later */
}

static int term_phase(const lv_course *c, const lv_term *t)
{
    return t->field >= 0 ? c->phases.of_field[t->field] : c->phases.of_atom[t->atom];
}

/* Makes a combination of the terms of a sum that are known in the phases given. Vectors in the storage of sites are
 * filled in when that exists (fill_in). */
typedef struct choice {
    const lv_sum *sum;
    int from, to; /* phases of terms */
} choice;

static int count_terms(const lv_course *c, choice w, bool inverse)
{
    int count = 0;
    for (int k = 0; k < w.sum->count; k++) {
        const int phase = term_phase(c, &w.sum->data[k]);
        count += phase >= w.from && phase <= w.to && w.sum->data[k].inverse == inverse;
    }
    return count;
}

static lv_combination combination_of(maker *m, choice w, double *out, int size,
                                     const double *base)
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

/* Values of atoms in the storage of their sites. */
static void fill_in(maker *m, lv_combination *s)
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

/* The part of a sum that does not change in the passes of its phase is summed up before. */
static const double *hoist(maker *m, int phase, const lv_sum *sum, int field, int size)
{
    lv_course *c = m->c;
    const choice fixed = {sum, 0, phase - 1};
    const int plain = count_terms(c, fixed, false), inverse = count_terms(c, fixed, true);
    if (plain + inverse < 2 && inverse == 0)
        return NULL;
    double *base = room(m, size);
    if (!m->failed)
        push(m, phase * LISTS + BEFORE,
             (lv_action){.kind = LV_DO_COMBINE,
                         .subject = -1 - field,
                         .combine = combination_of(m, fixed, base, size, NULL)});
    return base;
}

static void require_call(maker *m, int phase, int number)
{
    lv_course *c = m->c;
    const lv_call *call = &c->form.calls.data[number];
    const int first = call->result[0], known = c->phases.of_field[first];
    if (m->field_at[first] != NOWHERE) {
        if (m->field_at[first] / LISTS < phase)
            mark(m, m->field_at[first], LV_DO_CALL, number);
        return;
    }
    for (int k = 0; k < call->results; k++) {
        value_room(m, call->result[k]);
        m->field_at[call->result[k]] = place_for(known, phase);
    }
    for (int k = 0; k < call->arguments; k++)
        require_field(m, phase, call->argument[k]);
    push(m, m->field_at[first], (lv_action){.kind = LV_DO_CALL, .subject = number});
}

static void require_field(maker *m, int phase, int field)
{
    lv_course *c = m->c;
    const lv_field *f = &c->form.fields.data[field];
    value_room(m, field);
    if (f->role == LV_FIELD_CALLED && !m->failed) {
        require_call(m, phase, f->call);
        return;
    }
    if (f->role != LV_FIELD_DEFINED || m->failed)
        return;
    if (m->field_at[field] != NOWHERE) {
        if (m->field_at[field] / LISTS < phase)
            mark_field(m, field);
        return;
    }
    const int known = c->phases.of_field[field], place = place_for(known, phase);
    m->field_at[field] = place;
    for (int k = 0; k < f->sum.count; k++)
        require_term(m, phase, &f->sum.data[k]);
    const int size = field_size(c, field);
    const double *base = known == phase ? hoist(m, phase, &f->sum, field, size) : NULL;
    const choice rest = {&f->sum, base ? phase : 0, phase};
    if (m->failed)
        return;
    push(m, place,
         (lv_action){.kind = LV_DO_COMBINE,
                     .subject = field,
                     .combine = combination_of(m, rest, c->value[field], size, base)});
}

static void require_atom(maker *m, int phase, int number)
{
    lv_course *c = m->c;
    const lv_atom *atom = &c->form.atoms.data[number];
    const int known = c->phases.of_atom[number], site = value_site(m, number);
    if (m->failed)
        return;
    if (site >= 0) {
        const int site_known = c->sites.data[site].phase;
        require_quantity(m, place_for(site_known, phase), site, atom->op->value.quantity);
        if (atom->op->constant >= 0)
            require_quantity(m, place_for(site_known, phase), site,
                             (lv_quantity)atom->op->constant);
    }
    if (atom->op->vector < 0)
        return;
    if (m->atom_at[number] != NOWHERE) {
        if (m->atom_at[number] / LISTS < phase)
            mark(m, m->atom_at[number], LV_DO_MULTIPLY, number);
        return;
    }
    require_field(m, phase, atom->arg[atom->op->vector]);
    static const lv_space results[] = {[LV_RESULT_VECTOR] = LV_SPACE_MOMENTUM,
                                       [LV_RESULT_HOLONOMIC] = LV_SPACE_HOLONOMIC,
                                       [LV_RESULT_ROLLING] = LV_SPACE_ROLLING};
    c->product[number] = room(m, c->sizes[results[atom->op->result]]);
    m->atom_at[number] = place_for(known, phase);
    push(m, m->atom_at[number],
         (lv_action){.kind = LV_DO_MULTIPLY,
                     .subject = number,
                     .multiply = {number, site, c->product[number]}});
}

static void require_sum(maker *m, int phase, const lv_sum *sum)
{
    for (int k = 0; k < sum->count && !m->failed; k++)
        require_term(m, phase, &sum->data[k]);
}

/* ---- phases -------------------------------------------------------------------------------------------------- */

static bool is_unknown_of(const lv_course *c, int field, int phase)
{
    const lv_field *f = &c->form.fields.data[field];
    return f->role == LV_FIELD_UNKNOWN && c->sizes[f->space] > 0 &&
           c->phases.of_field[field] == phase;
}

static bool is_vector(lv_space space)
{
    return space < LV_SPACE_HOLONOMIC;
}

/* Momenta, rates and nonholonomic constraints are multiplied by h, holonomic constraints are not. */
static int row_power(const lv_course *c, const lv_field *f)
{
    if (is_vector(f->space) || f->space == LV_SPACE_ROLLING)
        return 1;
    for (int k = 0; k < f->sum.count; k++)
        if (f->sum.data[k].atom >= 0 &&
            strcmp(c->form.atoms.data[f->sum.data[k].atom].op->name, "rate") == 0)
            return 1;
    return 0;
}

/* Equations M U - c p + O(h) say what U is for h = 0; U is near the velocity elsewhere. Where masses vary other momenta
 * may stand for p. */
static double start_of(const lv_course *c, const lv_field *f, int unknown)
{
    const int p = lv_form_find(&c->form, "p", 0);
    double mass = 0, momentum = 0;
    for (int k = 0; k < f->sum.count; k++) {
        const lv_term *t = &f->sum.data[k];
        const lv_atom *atom = t->atom >= 0 ? &c->form.atoms.data[t->atom] : NULL;
        const bool varying = atom && (strcmp(atom->op->name, "p") == 0 ||
                                      strcmp(atom->op->name, "D2T") == 0);
        if (atom && strcmp(atom->op->name, "M") == 0 && atom->arg[LV_ARG_W] == unknown)
            mass += t->c;
        if (varying && atom->arg[LV_ARG_V] == unknown)
            mass += t->c;
        else if (varying || (t->field >= 0 && t->field == p))
            momentum += t->c;
    }
    return f->role == LV_FIELD_UNKNOWN && mass != 0 && momentum == 0 ? 0 : 1;
}

static void add_column(maker *m, lv_phase *p, int field, bool unknown)
{
    const lv_field *f = &m->c->form.fields.data[field];
    const lv_column column = {.field = field,
                              .size = m->c->sizes[f->space],
                              .scale = unknown                        ? f->scale
                                       : f->space == LV_SPACE_TANGENT ? 1
                                                                      : 0,
                              .unknown = unknown,
                              .vector = is_vector(f->space),
                              .start = start_of(m->c, f, field),
                              .row_power = unknown ? row_power(m->c, f)
                                           : f->space == LV_SPACE_TANGENT ? 1
                                                                          : 0};
    if (!LV_PUSH(p->columns, column))
        m->failed = true;
}

static void make_residuals(maker *m, int phase)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < p->unknowns && !m->failed; k++) {
        lv_column *column = &p->columns.data[k];
        const lv_sum *sum = &c->form.fields.data[column->field].sum;
        require_sum(m, phase, sum);
        double *out = room(m, column->size);
        const double *base = hoist(m, phase, sum, column->field, column->size);
        const choice rest = {sum, base ? phase : 0, phase};
        column->residual = combination_of(m, rest, out, column->size, base);
    }
}

/* Defined fields of this phase that are arguments and that M^-1 enters get columns of their own. */
static void add_defined_columns(maker *m, int phase)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < p->pass.count && !m->failed; k++) {
        const lv_action *a = &p->pass.data[k];
        if (a->kind == LV_DO_COMBINE && a->combine.inverse > 0)
            add_column(m, p, a->subject, false);
    }
}

/* What matrices need besides what a pass evaluates. */
static void require_blocks(maker *m, int phase)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < p->blocks.count && !m->failed; k++) {
        lv_block *b = &p->blocks.data[k];
        if (b->site < 0)
            continue;
        const int known = c->sites.data[b->site].phase;
        const int list = !b->cheap ? FULL : known < phase ? BEFORE : CHEAP;
        require_quantity(m, phase * LISTS + list, b->site, b->matrix.quantity);
    }
}

static int slope_site(void *user, const int arg[LV_ARGUMENTS])
{
    return find_site(user, arg);
}

static lv_status make_phase(maker *m, int phase, lv_error *err)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < c->form.fields.count; k++)
        if (is_unknown_of(c, k, phase)) {
            value_room(m, k);
            add_column(m, p, k, true);
        }
    p->unknowns = p->columns.count;
    p->linear = c->phases.linear[phase];
    p->once = p->unknowns > 0;
    for (int k = 0; k < p->unknowns; k++)
        p->once = p->once && c->form.fields.data[p->columns.data[k].field].once;
    make_residuals(m, phase);
    add_defined_columns(m, phase);
    for (int k = 0; k < p->pass.count; k++)
        p->inexact |= p->pass.data[k].kind == LV_DO_CALL;
    if (m->failed)
        return lv_fail_memory(err);
    LV_TRY(lv_blocks_derive(c, phase, slope_site, m, err));
    require_blocks(m, phase);
    return m->failed ? lv_fail_memory(err) : LV_OK;
}

static bool is_equal_sum(const lv_sum *a, const lv_sum *b)
{
    bool same = a->count == b->count;
    for (int k = 0; same && k < a->count; k++) {
        const lv_term *x = &a->data[k], *y = &b->data[k];
        same = x->c == y->c && x->power == y->power && x->field == y->field &&
               x->atom == y->atom && x->inverse == y->inverse;
    }
    return same;
}

/* What is the value of a field that the step has anyway is taken from there. */
static void take_from_field(maker *m, lv_sum *sum)
{
    const lv_course *c = m->c;
    for (int k = 0; k < c->form.fields.count && sum->count > 1; k++) {
        const lv_field *f = &c->form.fields.data[k];
        if (f->role != LV_FIELD_DEFINED || !c->value[k] || !is_equal_sum(&f->sum, sum))
            continue;
        sum->data[0] = lv_term_field(k, 1, 0);
        sum->count = 1;
    }
}

static void make_assignments(maker *m, int place, bool first)
{
    lv_course *c = m->c;
    for (int k = 0; k < c->form.assignments.count && !m->failed; k++)
        if (c->form.assignments.data[k].first == first)
            require_sum(m, place, &c->form.assignments.data[k].sum);
    for (int k = 0; k < c->form.assignments.count && !m->failed; k++) {
        lv_assignment *a = &c->form.assignments.data[k];
        const int size = field_size(c, a->field);
        if (a->first != first)
            continue;
        if (!first)
            take_from_field(m, &a->sum);
        require_sum(m, place, &a->sum);
        value_room(m, a->field);
        c->assignments[k] =
            combination_of(m, (choice){&a->sum, 0, place}, room(m, size), size, NULL);
    }
}

/* Nothing has been evaluated yet. */
static void begin_anew(maker *m)
{
    for (int k = 0; k < m->c->form.fields.count; k++)
        m->field_at[k] = NOWHERE;
    for (int k = 0; k < m->c->form.atoms.count; k++)
        m->atom_at[k] = NOWHERE;
    for (int k = 0; k < m->site_room * LV_QUANTITIES; k++)
        m->quantity_at[k] = NOWHERE;
}

/* What is done before the first step only is no part of what steps evaluate. */
static lv_status make_first(maker *m, lv_error *err)
{
    lv_course *c = m->c;
    c->assignments = lv_arena_alloc(&c->arena, (size_t)c->form.assignments.count + 1,
                                    sizeof *c->assignments);
    if (!c->assignments)
        return lv_fail_memory(err);
    begin_anew(m);
    make_assignments(m, LV_PLACE_FIRST(c), true);
    begin_anew(m);
    return m->failed ? lv_fail_memory(err) : LV_OK;
}

static lv_status make_end(maker *m, lv_error *err)
{
    lv_course *c = m->c;
    const int end = LV_PLACE_END(c);
    make_assignments(m, end, false);
    for (int k = 0; k < c->form.fields.count && !m->failed; k++)
        if (c->form.fields.data[k].shown && field_size(c, k) > 0)
            require_field(m, LV_PLACE_SHOWN(c), k);
    return m->failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- the end of making --------------------------------------------------------------------------------------- */

static lv_status make_row_patterns(lv_course *c, lv_error *err);

lv_status lv_course_prepare(lv_course *c, lv_evaluation *e, lv_error *err)
{
    maker m = {.c = c};
    LV_TRY(settle_evaluation(&m, e, err));
    return make_row_patterns(c, err);
}

static lv_status settle_actions(maker *m, lv_actions *actions, lv_error *err)
{
    for (int k = 0; k < actions->count; k++)
        if (actions->data[k].kind == LV_DO_EVALUATE)
            LV_TRY(settle_evaluation(m, &actions->data[k].evaluate, err));
    return LV_OK;
}

static void fill_in_actions(maker *m, lv_actions *actions)
{
    for (int k = 0; k < actions->count; k++)
        if (actions->data[k].kind == LV_DO_COMBINE)
            fill_in(m, &actions->data[k].combine);
}

/* The first and the last rows of patterns that have rows for constraints of both kinds. */
static lv_status make_row_patterns(lv_course *c, lv_error *err)
{
    for (int q = 0; q < LV_QUANTITIES; q++) {
        const lv_pattern *whole = c->pattern[q];
        if (!whole || c->rolling[q].start ||
            lv_quantity_shape((lv_quantity)q) != LV_IS_BROAD)
            continue;
        const int m = c->system->m, rows = c->system->rates - m;
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

/* ---- what the step before has evaluated ------------------------------------------------------------------------ */

/* The field that a carried one becomes; -1: none. */
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

static lv_status add_handover(maker *m, int to, const lv_evaluation *from, lv_quantity q,
                              lv_error *err)
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
        storage[q] = room(m, lv_course_quantity_size(c, q));
    if (m->failed)
        return lv_fail_memory(err);
    lv_plan_base(from->plan, q, storage[q]);
    const unsigned on = lv_plan_depends(from->plan, q);
    h->what |= (lv_wanted)1 << (unsigned)q;
    h->of_velocity = h->of_velocity || (on & LV_KIND(V)) != 0;
    h->of_time = h->of_time || (on & LV_KIND(T)) != 0;
    return LV_OK;
}

/* Is `end` where the next step finds `start`? Velocities are compared where they matter. */
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

/* Hands a quantity over if the end of the step evaluates it. */
static lv_status hand_over(maker *m, int to, lv_quantity q, bool *done, lv_error *err)
{
    lv_course *c = m->c;
    *done = false;
    for (int place = LISTS; place < (c->phases.count + 2) * LISTS && !*done; place++) {
        lv_actions *list = list_of(c, place);
        for (int k = 0; k < list->count && place % LISTS <= PASS && !*done; k++) {
            lv_action *a = &list->data[k];
            if (a->kind != LV_DO_EVALUATE || !(a->evaluate.wanted >> (int)q & 1) ||
                (place % LISTS == PASS && !a->later))
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

static lv_status hand_over_action(maker *m, lv_action *a, lv_error *err)
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

static lv_status find_handovers(maker *m, lv_error *err)
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

static lv_status settle(maker *m, lv_error *err)
{
    lv_course *c = m->c;
    const int places = LV_PLACES(c) * LISTS;
    LV_TRY(find_handovers(m, err));
    for (int k = 0; k < places; k++)
        LV_TRY(settle_actions(m, list_of(c, k), err));
    for (int k = 0; k < places; k++)
        fill_in_actions(m, list_of(c, k));
    for (int p = 0; p <= c->phases.count; p++)
        for (int k = 0; k < c->phase[p].unknowns; k++)
            fill_in(m, &c->phase[p].columns.data[k].residual);
    for (int k = 0; k < c->form.assignments.count; k++)
        fill_in(m, &c->assignments[k]);
    return make_row_patterns(c, err);
}

static lv_status make(maker *m, lv_error *err)
{
    lv_course *c = m->c;
    const size_t fields = (size_t)c->form.fields.count + 1,
                 atoms = (size_t)c->form.atoms.count + 1;
    LV_TRY(lv_phases_find(&c->phases, &c->form, &c->facts, c->sizes, &c->arena, err));
    c->value = lv_arena_alloc(&c->arena, fields, sizeof *c->value);
    c->product = lv_arena_alloc(&c->arena, atoms, sizeof *c->product);
    c->site_of = lv_arena_alloc(&c->arena, atoms, sizeof *c->site_of);
    m->field_at = lv_arena_alloc(&c->arena, fields, sizeof *m->field_at);
    m->atom_at = lv_arena_alloc(&c->arena, atoms, sizeof *m->atom_at);
    c->phase = lv_arena_alloc(&c->arena, (size_t)LV_PLACES(c), sizeof *c->phase);
    c->work = room(m, c->system->n);
    c->multipliers = room(m, c->system->rates);
    if (!c->value || !c->product || !c->site_of || !m->field_at || !m->atom_at ||
        !c->phase || m->failed)
        return lv_fail_memory(err);
    for (size_t k = 0; k < atoms; k++)
        c->site_of[k] = -2;
    for (int k = 0; k < c->form.fields.count; k++)
        if (c->form.fields.data[k].role == LV_FIELD_CARRIED)
            value_room(m, k);
    LV_TRY(make_first(m, err));
    for (int p = 1; p <= c->phases.count; p++)
        LV_TRY(make_phase(m, p, err));
    LV_TRY(make_end(m, err));
    return settle(m, err);
}

static lv_status make_mass(maker *m, lv_error *err)
{
    lv_course *c = m->c;
    lv_system *s = c->system;
    if (!c->facts.mass_constant)
        return LV_OK;
    c->mass = s->mass;
    c->mass_pattern = lv_plan_pattern(s->legendre, LV_Q_MASS);
    c->mass_values = room(m, lv_pattern_entries(c->mass_pattern));
    if (m->failed)
        return lv_fail_memory(err);
    lv_plan_base(s->legendre, LV_Q_MASS, c->mass_values);
    return LV_OK;
}

/* ---- facts ---------------------------------------------------------------------------------------------------- */

static lv_status find_facts(lv_step_facts *facts, lv_system *s, lv_error *err)
{
    lv_plan *plan = NULL;
    LV_TRY(lv_plan_create(&plan, s->model,
                          LV_WANT(FORCE) | LV_WANT(APPLIED) | LV_WANT(MASS), err));
    const bool blocks = s->mass && lv_mass_block_count(s->mass) > 0;
    *facts = (lv_step_facts){
        .mass_constant = s->mass_constant && s->quadratic,
        .mass_solvable = s->mass_regular && (blocks || s->rates == 0),
        .momentum_affine = (lv_plan_depends(plan, LV_Q_MASS) & LV_KIND(V)) == 0,
        .rolling_affine = s->affine,
        .force_of_velocity = (lv_plan_depends(plan, LV_Q_FORCE) & LV_KIND(V)) != 0,
        .forced = s->forced,
        .applied_of_velocity = (lv_plan_depends(plan, LV_Q_APPLIED) & LV_KIND(V)) != 0,
        .bilinear =
            s->constraint_degree >= 0 && s->constraint_degree <= 2 && !s->rheonomic};
    lv_plan_free(plan);
    return LV_OK;
}

lv_status lv_course_create(lv_course **result, lv_system *system, lv_form *form,
                           bool reduce, lv_error *err)
{
    lv_course *c = *result = lv_memory_zeroed(1, sizeof *c);
    if (!c) {
        lv_form_done(form);
        return lv_fail_memory(err);
    }
    c->form = *form;
    *form = (lv_form){0};
    c->system = system;
    const int sizes[LV_SPACES] = {system->n, system->n, system->n, system->m,
                                  system->rates - system->m};
    memcpy(c->sizes, sizes, sizeof sizes);
    maker m = {.c = c};
    lv_status status = find_facts(&c->facts, system, err);
    c->facts.mass_solvable = c->facts.mass_solvable && reduce;
    if (status == LV_OK)
        status = lv_form_normalise(&c->form, &c->facts, err);
    if (status == LV_OK)
        status = make_mass(&m, err);
    if (status == LV_OK)
        status = make(&m, err);
    lv_memory_free(m.quantity_at);
    LV_ARRAY_FREE(m.known.before);
    LV_ARRAY_FREE(m.addresses);
    return status;
}

static void free_actions(lv_actions *actions)
{
    LV_ARRAY_FREE(*actions);
}

void lv_course_free(lv_course *c)
{
    if (!c)
        return;
    for (int p = 0; c->phase && p < LV_PLACES(c); p++) {
        free_actions(&c->phase[p].before);
        free_actions(&c->phase[p].pass);
        free_actions(&c->phase[p].cheap);
        free_actions(&c->phase[p].full);
        LV_ARRAY_FREE(c->phase[p].columns);
        LV_ARRAY_FREE(c->phase[p].blocks);
    }
    for (int k = 0; k < c->plans.count; k++)
        lv_plan_free(c->plans.data[k].plan);
    LV_ARRAY_FREE(c->plans);
    LV_ARRAY_FREE(c->handovers);
    LV_ARRAY_FREE(c->sites);
    lv_form_done(&c->form);
    lv_arena_done(&c->arena);
    lv_memory_free(c);
}
