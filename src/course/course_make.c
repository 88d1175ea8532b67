#include "course/course_make.h"

#include "base/memory.h"
#include "course/blocks.h"
#include "course/free_bodies.h"
#include "num/sparse.h"

#include <string.h>

/* ---- phases ------------------------------------------------------------------------ */

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

/* The power of h by which an equation is multiplied: 1 for momenta, rates and
 * nonholonomic constraints, 0 for holonomic constraints. */
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

/* The part of p, the momentum where the step begins, in a sum for h = 0, where charts are
 * the identity: space(q, w), body(q, w), D(x)^T w and D(-x)^T w all have that of w. */
static double share_of_momentum(const lv_course *c, const lv_sum *sum, int p)
{
    double share = 0;
    for (int k = 0; k < sum->count; k++) {
        const lv_term *t = &sum->data[k];
        const lv_atom *atom = t->atom >= 0 ? &c->form.atoms.data[t->atom] : NULL;
        const bool turns =
            atom && atom->op->turn != LV_TURN_NONE && atom->op->vector == LV_ARG_W;
        const int field = turns ? atom->arg[LV_ARG_W] : t->field;
        if (field < 0 || t->power != 0 || t->inverse)
            continue;
        const lv_field *f = &c->form.fields.data[field];
        if (field == p)
            share += t->c;
        else if (f->role == LV_FIELD_DEFINED)
            share += t->c * share_of_momentum(c, &f->sum, p);
    }
    return share;
}

/* lv_phase_column.start: for h = 0 an unknown U is c times the velocity if its equation is
 * M U - c p + O(h) = 0, as for the mean velocity from the start to a stage at c. It is 0
 * if that is M U + O(h) = 0. It is the velocity in all other cases. If masses vary, other
 * momenta may take the place of p, and it is 0 or the velocity. */
static double start_of(const lv_course *c, const lv_field *f, int unknown)
{
    const int p = lv_form_find(&c->form, "p", 0);
    double mass = 0, momentum = share_of_momentum(c, &f->sum, p);
    bool constant = true;
    for (int k = 0; k < f->sum.count; k++) {
        const lv_term *t = &f->sum.data[k];
        const lv_atom *atom = t->atom >= 0 ? &c->form.atoms.data[t->atom] : NULL;
        const bool varying = atom && (strcmp(atom->op->name, "p") == 0 ||
                                      strcmp(atom->op->name, "D2T") == 0);
        constant = constant && !varying;
        if (atom && strcmp(atom->op->name, "M") == 0 && atom->arg[LV_ARG_W] == unknown)
            mass += t->c;
        if (varying && atom->arg[LV_ARG_V] == unknown)
            mass += t->c;
        else if (varying)
            momentum += t->c;
    }
    if (f->role != LV_FIELD_UNKNOWN || mass == 0)
        return 1;
    return momentum == 0 ? 0 : constant ? -momentum / mass : 1;
}

/* Whether a tangent is the argument of a chart or of free motion, which is a displacement
 * of bodies and not a velocity. */
static bool is_displacement(const lv_course *c, int field)
{
    for (int k = 0; k < c->form.atoms.count; k++)
        if (c->form.atoms.data[k].op->turn != LV_TURN_NONE &&
            c->form.atoms.data[k].arg[LV_ARG_V0] == field)
            return true;
    return false;
}

static void add_column(lv_course_maker *m, lv_phase *p, int field, bool unknown)
{
    const lv_field *f = &m->c->form.fields.data[field];
    const bool displacement = is_displacement(m->c, field);
    const int power = f->space == LV_SPACE_TANGENT && !displacement ? 1 : 0;
    const lv_phase_column column = {.field = field,
                                    .space = f->space,
                                    .value = lv_maker_value_room(m, field),
                                    .size = m->c->sizes[f->space],
                                    .scale = unknown ? f->scale : power,
                                    .unknown = unknown,
                                    .vector = is_vector(f->space),
                                    .displacement = displacement,
                                    .curved = m->c->phases.curved[field],
                                    .start = start_of(m->c, f, field),
                                    .row_power = unknown ? row_power(m->c, f) : power};
    if (!LV_PUSH(p->columns, column))
        m->failed = true;
}

static void make_residuals(lv_course_maker *m, int phase)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < p->unknowns && !m->failed; k++) {
        lv_phase_column *column = &p->columns.data[k];
        const lv_sum *sum = &c->form.fields.data[column->field].sum;
        lv_maker_require_sum(m, phase, sum);
        double *out = lv_maker_room(m, column->size);
        const double *base = lv_maker_hoist(m, phase, sum, column->field, column->size);
        const lv_term_choice rest = {sum, base ? phase : 0, phase};
        column->residual = lv_maker_combination(m, rest, out, column->size, base);
    }
}

/* Adds columns for defined fields of this phase whose definition contains M^-1. */
static void add_defined_columns(lv_course_maker *m, int phase)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < p->pass.count && !m->failed; k++) {
        const lv_action *a = &p->pass.data[k];
        if (a->kind == LV_DO_COMBINE && a->combine.inverse > 0)
            add_column(m, p, a->subject, false);
    }
}

/* Requires the quantities that matrices need in addition to those of a pass. */
static void require_blocks(lv_course_maker *m, int phase)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < p->blocks.count && !m->failed; k++) {
        lv_block *b = &p->blocks.data[k];
        if (b->site < 0)
            continue;
        const int known = c->sites.data[b->site].phase;
        const int list = !b->cheap       ? LV_LIST_FULL
                         : known < phase ? LV_LIST_BEFORE
                                         : LV_LIST_CHEAP;
        lv_maker_require_quantity(m, phase * LV_LISTS + list, b->site,
                                  b->matrix.quantity);
    }
}

/* The column whose velocity a tangent is measured by: itself if it is a velocity; the
 * first velocity if it is a difference of velocities. */
static int find_pace(const lv_phase *p, int column)
{
    const lv_phase_column *columns = p->columns.data;
    for (int k = 0; columns[column].start == 0 && k < p->columns.count; k++)
        if (columns[k].vector && columns[k].start != 0)
            return k;
    return column;
}

static void place_columns(lv_phase *p)
{
    p->size = 0;
    p->multipliers_only = true;
    for (int k = 0; k < p->columns.count; k++) {
        lv_phase_column *column = &p->columns.data[k];
        column->offset = p->size;
        column->pace = find_pace(p, k);
        p->size += column->size;
        if (k < p->unknowns) {
            p->unknown_size = p->size;
            p->multipliers_only = p->multipliers_only && !column->vector;
        }
    }
}

static int slope_site(void *user, const int arg[LV_ARGUMENTS])
{
    return lv_maker_site(user, arg);
}

/* In which steps the equations of a phase hold. Equations that are solved together hold
 * together: always, unless all multipliers agree on something else. LV_ASKED_ONCE becomes
 * LV_ASKED_ALWAYS if the phase also finds vectors that forces depend on, since the next
 * substep begins with them. */
static lv_asked asked_when(const lv_course *c, const lv_phase *p)
{
    const lv_phase_column *first = NULL;
    bool vectors = false;
    for (int k = 0; k < p->unknowns; k++) {
        const lv_phase_column *column = &p->columns.data[k];
        vectors = vectors || column->vector;
        if (column->vector)
            continue;
        if (first && c->form.fields.data[column->field].asked !=
                         c->form.fields.data[first->field].asked)
            return LV_ASKED_ALWAYS;
        first = column;
    }
    const lv_asked asked =
        first ? c->form.fields.data[first->field].asked : LV_ASKED_ALWAYS;
    const bool free = p->linear && !c->facts.force_of_velocity;
    return vectors && !free && asked == LV_ASKED_ONCE ? LV_ASKED_ALWAYS : asked;
}

static lv_status make_phase(lv_course_maker *m, int phase, lv_error *err)
{
    lv_course *c = m->c;
    lv_phase *p = &c->phase[phase];
    for (int k = 0; k < c->form.fields.count; k++)
        if (is_unknown_of(c, k, phase))
            add_column(m, p, k, true);
    p->unknowns = p->columns.count;
    p->linear = c->phases.linear[phase];
    p->asked = asked_when(c, p);
    make_residuals(m, phase);
    add_defined_columns(m, phase);
    place_columns(p);
    for (int k = 0; k < p->pass.count; k++)
        p->inexact |= p->pass.data[k].kind == LV_DO_CALL;
    if (m->failed)
        return lv_fail_memory(err);
    LV_TRY(lv_blocks_derive(c, phase, slope_site, m, err));
    require_blocks(m, phase);
    return m->failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- assignments ------------------------------------------------------------------- */

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

/* If a sum equals the definition of a field that the step computes anyway, replaces it by
 * that field. */
static void take_from_field(lv_course_maker *m, lv_sum *sum)
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

/* Where the result of an assignment is stored. A field of this step that is assigned
 * unchanged need not be copied. */
static double *assigned_room(lv_course_maker *m, const lv_assignment *a, int size)
{
    const lv_term *t = a->sum.data;
    const lv_form *form = &m->c->form;
    const bool plain = !a->first && a->sum.count == 1 && t->field >= 0 && t->c == 1 &&
                       t->power == 0 && !t->inverse;
    if (plain && form->fields.data[t->field].role != LV_FIELD_CARRIED)
        return lv_maker_value_room(m, t->field);
    return lv_maker_room(m, size);
}

static void make_assignments(lv_course_maker *m, int place, bool first)
{
    lv_course *c = m->c;
    for (int k = 0; k < c->form.assignments.count && !m->failed; k++)
        if (c->form.assignments.data[k].first == first)
            lv_maker_require_sum(m, place, &c->form.assignments.data[k].sum);
    for (int k = 0; k < c->form.assignments.count && !m->failed; k++) {
        lv_assignment *a = &c->form.assignments.data[k];
        const int size = lv_maker_field_size(c, a->field);
        if (a->first != first)
            continue;
        if (!first)
            take_from_field(m, &a->sum);
        lv_maker_require_sum(m, place, &a->sum);
        lv_maker_value_room(m, a->field);
        c->assignments[k] = lv_maker_combination(m, (lv_term_choice){&a->sum, 0, place},
                                                 assigned_room(m, a, size), size, NULL);
    }
}

/* Records that nothing has been evaluated yet. */
static void begin_anew(lv_course_maker *m)
{
    for (int k = 0; k < m->c->form.fields.count; k++)
        m->field_at[k] = LV_NOWHERE;
    for (int k = 0; k < m->c->form.atoms.count; k++)
        m->atom_at[k] = LV_NOWHERE;
    for (int k = 0; k < m->site_room * LV_QUANTITIES; k++)
        m->quantity_at[k] = LV_NOWHERE;
}

/* Makes the assignments before the first step. Steps cannot use what these evaluate. */
static lv_status make_first(lv_course_maker *m, lv_error *err)
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

static lv_status make_end(lv_course_maker *m, lv_error *err)
{
    lv_course *c = m->c;
    const int end = LV_PLACE_END(c);
    make_assignments(m, end, false);
    for (int k = 0; k < c->form.fields.count && !m->failed; k++)
        if (c->form.fields.data[k].shown && lv_maker_field_size(c, k) > 0)
            lv_maker_require_field(m, LV_PLACE_SHOWN(c), k);
    return m->failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- creation ---------------------------------------------------------------------- */

static lv_status make(lv_course_maker *m, lv_error *err)
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
    c->work = lv_maker_room(m, c->system->n);
    c->multipliers = lv_maker_room(m, c->system->constraint_count);
    if (!c->value || !c->product || !c->site_of || !m->field_at || !m->atom_at ||
        !c->phase || m->failed)
        return lv_fail_memory(err);
    for (size_t k = 0; k < atoms; k++)
        c->site_of[k] = -2;
    for (int k = 0; k < c->form.fields.count; k++)
        if (c->form.fields.data[k].role == LV_FIELD_CARRIED)
            lv_maker_value_room(m, k);
    LV_TRY(make_first(m, err));
    for (int p = 1; p <= c->phases.count; p++)
        LV_TRY(make_phase(m, p, err));
    LV_TRY(make_end(m, err));
    return lv_maker_settle(m, err);
}

static lv_status make_mass(lv_course_maker *m, lv_error *err)
{
    lv_course *c = m->c;
    lv_system *s = c->system;
    if (!c->facts.mass_constant)
        return LV_OK;
    c->mass = s->mass;
    c->mass_pattern = lv_plan_pattern(s->legendre, LV_Q_MASS);
    c->mass_values = lv_maker_room(m, lv_pattern_entries(c->mass_pattern));
    if (m->failed)
        return lv_fail_memory(err);
    lv_plan_base(s->legendre, LV_Q_MASS, c->mass_values);
    return LV_OK;
}

/* Finds the bodies that can turn freely, if the text of the step contains free
 * rotation. */
static lv_status make_bodies(lv_course *c, lv_error *err)
{
    bool free = false;
    int coupled = -1;
    for (int k = 0; k < c->form.atoms.count; k++)
        free = free || c->form.atoms.data[k].op->turn == LV_TURN_DRIFT;
    if (!free)
        return LV_OK;
    lv_free_body *bodies = lv_arena_alloc(
        &c->arena, (size_t)c->turning.motion->pose_count + 1, sizeof *bodies);
    c->turning.bodies = bodies;
    return bodies ? lv_free_bodies_find(bodies, &coupled, c->system, err)
                  : lv_fail_memory(err);
}

static lv_status find_facts(lv_step_facts *facts, lv_system *s, lv_error *err)
{
    lv_plan *plan = NULL;
    LV_TRY(lv_plan_create(&plan, s->model,
                          LV_WANT(FORCE) | LV_WANT(APPLIED) | LV_WANT(MASS), err));
    const bool blocks = s->mass && lv_mass_block_count(s->mass) > 0;
    *facts = (lv_step_facts){
        .on_groups = s->still != NULL,
        .mass_constant = s->mass_constant && s->quadratic,
        .mass_solvable = s->mass_regular && (blocks || s->constraint_count == 0),
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

void lv_course_sizes(int sizes[LV_SPACES], const lv_system *system)
{
    sizes[LV_SPACE_POINT] = system->points;
    sizes[LV_SPACE_TANGENT] = sizes[LV_SPACE_MOMENTUM] = system->n;
    sizes[LV_SPACE_HOLONOMIC] = system->m;
    sizes[LV_SPACE_ROLLING] = system->constraint_count - system->m;
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
    lv_course_sizes(c->sizes, system);
    c->turning = (lv_turning){.motion = system->model->motion,
                              .coordinates = system->model->coordinate_count};
    lv_course_maker m = {.c = c};
    lv_status status = find_facts(&c->facts, system, err);
    c->facts.mass_solvable = c->facts.mass_solvable && reduce;
    if (status == LV_OK)
        status = lv_form_normalise(&c->form, &c->facts, err);
    if (status == LV_OK)
        status = make_mass(&m, err);
    if (status == LV_OK)
        status = make_bodies(c, err);
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
        free_actions(&c->phase[p].pass_at_zero);
        LV_ARRAY_FREE(c->phase[p].columns);
        LV_ARRAY_FREE(c->phase[p].blocks);
    }
    for (int k = 0; k < c->plans.count; k++)
        lv_plan_free(c->plans.data[k].plan);
    LV_ARRAY_FREE(c->plans);
    LV_ARRAY_FREE(c->handovers);
    LV_ARRAY_FREE(c->factors);
    LV_ARRAY_FREE(c->sites);
    lv_form_done(&c->form);
    lv_arena_done(&c->arena);
    lv_memory_free(c);
}
