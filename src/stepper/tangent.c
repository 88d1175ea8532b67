#include "stepper/tangent.h"

#include "base/memory.h"
#include "course/blocks.h"
#include "course/ending.h"
#include "num/sparse.h"
#include "stepper/embedding.h"
#include "system/assembly.h"

#include <math.h>
#include <string.h>

/* A vector of the step that changes: the value of an unknown or defined field, or the
 * value assigned to a carried field. It has as many equations as numbers. The matrix sees
 * h^scale times the vector and h^power times the equations. */
typedef struct vector {
    int field;
    const lv_sum *sum; /* residual of its equation, or its definition */
    bool assigned;
    int size, first; /* number of its lines in the matrix, and the first of them */
    int scale, power;
} vector;

/* c h^power times a matrix, the identity, or the derivative of a group operator, in the
 * equations of a vector. */
typedef struct piece {
    int row;
    int column; /* a vector; -1: a carried field */
    int carried;
    double c;
    int power;
    bool one;
    /* It is the derivative `factor` of a group operator, with the matrix `dressing` */
    bool turns;
    int factor;
    lv_dressing *dressing;
    lv_matrix_of matrix;
    int site;
} piece;

struct lv_tangent {
    lv_course *c;
    lv_arena arena;
    LV_ARRAY(vector) vectors;
    int *vector_of; /* by field that is not carried: its vector; -1: none */
    LV_ARRAY(piece) pieces;
    LV_ARRAY(lv_evaluation) evaluations;
    int first_site; /* first site that is evaluated here and not by the course */
    int size;
    lv_pattern *ones; /* patterns of identity matrices, one per vector */
    double *unit;     /* values of an identity matrix */
    lv_assembly *matrix;
    double *x, *right; /* size numbers */
    bool *lines;
    const lv_atom *without; /* an operator that has no derivative; NULL: none was found */
    bool calls;             /* the step calls a function, which has no derivative */
    bool failed;
    lv_embedding *embedding; /* for bodies on groups; NULL: there are none */
};

static const lv_matrix_of mass_matrix = {LV_Q_MASS, LV_ROWS_ALL, false};

/* ---- vectors ----------------------------------------------------------------------- */

static int scale_of(lv_space space)
{
    return space == LV_SPACE_POINT ? 0 : space < LV_SPACE_HOLONOMIC ? 1 : 2;
}

static void add_vector(lv_tangent *w, vector v)
{
    const lv_space space = w->c->form.fields.data[v.field].space;
    /* changes of positions are tangents */
    v.size = space == LV_SPACE_POINT ? w->c->system->n : w->c->sizes[space];
    v.first = w->size;
    v.scale = v.power = scale_of(space);
    w->size += v.size;
    if (!LV_PUSH(w->vectors, v))
        w->failed = true;
}

static void meet_field(lv_tangent *w, int field);

static void meet_sum(lv_tangent *w, const lv_sum *sum)
{
    for (int k = 0; k < sum->count; k++) {
        if (sum->data[k].field >= 0)
            meet_field(w, sum->data[k].field);
        for (int a = 0; sum->data[k].atom >= 0 && a < LV_ARGUMENTS; a++) {
            const int field = w->c->form.atoms.data[sum->data[k].atom].arg[a];
            if (field >= 0)
                meet_field(w, field);
        }
    }
}

/* Takes the scales of unknowns and equations from the phases. */
static void use_scales(const lv_course *c, vector *v)
{
    for (int p = 1; p <= c->phases.count; p++)
        for (int k = 0; k < c->phase[p].unknowns; k++)
            if (c->phase[p].columns.data[k].field == v->field) {
                v->scale = c->phase[p].columns.data[k].scale;
                v->power = c->phase[p].columns.data[k].row_power;
            }
}

static void meet_field(lv_tangent *w, int field)
{
    const lv_field *f = &w->c->form.fields.data[field];
    w->calls = w->calls || f->role == LV_FIELD_CALLED;
    if (f->role == LV_FIELD_CARRIED || w->vector_of[field] >= 0 || w->failed ||
        w->c->sizes[f->space] == 0)
        return;
    w->vector_of[field] = w->vectors.count;
    add_vector(w, (vector){.field = field, .sum = &f->sum});
    if (!w->failed && f->role == LV_FIELD_UNKNOWN)
        use_scales(w->c, &w->vectors.data[w->vector_of[field]]);
    meet_sum(w, &f->sum);
}

static void find_vectors(lv_tangent *w)
{
    const lv_form *form = &w->c->form;
    for (int k = 0; k < form->fields.count; k++)
        w->vector_of[k] = -1;
    for (int k = 0; k < form->fields.count; k++)
        if (form->fields.data[k].role == LV_FIELD_UNKNOWN)
            meet_field(w, k);
    for (int k = 0; k < form->assignments.count; k++) {
        const lv_assignment *a = &form->assignments.data[k];
        if (a->first)
            continue;
        meet_sum(w, &a->sum);
        add_vector(w, (vector){.field = a->field, .sum = &a->sum, .assigned = true});
    }
}

/* ---- pieces ------------------------------------------------------------------------ */

static void add_piece(lv_tangent *w, piece p, int field)
{
    const bool carried = w->c->form.fields.data[field].role == LV_FIELD_CARRIED;
    p.column = carried ? -1 : w->vector_of[field];
    p.carried = carried ? field : -1;
    if (!LV_PUSH(w->pieces, p))
        w->failed = true;
}

/* Finds or adds a site for the tangent alone, so that results of the step at its own
 * sites are kept. */
static int find_site(lv_tangent *w, const int arg[LV_ARGUMENTS])
{
    lv_course *c = w->c;
    lv_site site = {.phase = 0};
    for (int k = w->first_site; k < c->sites.count; k++)
        if (memcmp(c->sites.data[k].arg, arg, sizeof site.arg) == 0)
            return k;
    memcpy(site.arg, arg, sizeof site.arg);
    site.at = c->form.fields.data[arg[LV_ARG_Q]].at;
    if (arg[LV_ARG_Q0] >= 0)
        site.at = 0.5 * (site.at + c->form.fields.data[arg[LV_ARG_Q0]].at);
    const lv_evaluation evaluation = {.site = c->sites.count};
    if (!LV_PUSH(c->sites, site) || !LV_PUSH(w->evaluations, evaluation))
        w->failed = true;
    return w->failed ? w->first_site : c->sites.count - 1;
}

static void want(lv_tangent *w, int site, lv_quantity quantity)
{
    if (!w->failed)
        w->evaluations.data[site - w->first_site].wanted |= (lv_wanted)1
                                                            << (unsigned)quantity;
}

static void derive_turn(lv_tangent *w, int number, piece p)
{
    const lv_atom *atom = &w->c->form.atoms.data[number];
    for (int a = 0; a < LV_ARGUMENTS && !w->failed; a++) {
        if (atom->arg[a] < 0)
            continue;
        piece next = p;
        next.turns = true;
        next.factor = lv_factor_find(w->c, number, (lv_argument)a);
        w->failed = next.factor < 0;
        add_piece(w, next, atom->arg[a]);
    }
}

static void derive_atom(lv_tangent *w, int number, piece p)
{
    const lv_atom *atom = &w->c->form.atoms.data[number];
    if (atom->op->turn != LV_TURN_NONE) {
        derive_turn(w, number, p);
        return;
    }
    for (int a = 0; a < LV_ARGUMENTS && !w->failed; a++) {
        const lv_slope *slope = &atom->op->slope[a];
        int arg[LV_ARGUMENTS];
        if (atom->arg[a] < 0)
            continue;
        if (slope->factor == 0 && !slope->vanishes)
            w->without = atom;
        piece next = p;
        next.c *= slope->factor;
        next.matrix = slope->matrix;
        next.site = -1;
        if (slope->factor != 0 && lv_slope_site(w->c, atom, slope, arg)) {
            next.site = find_site(w, arg);
            want(w, next.site, slope->matrix.quantity);
        }
        if (slope->factor != 0)
            add_piece(w, next, atom->arg[a]);
    }
}

static bool has_inverse(const lv_sum *sum)
{
    bool found = false;
    for (int k = 0; k < sum->count; k++)
        found = found || sum->data[k].inverse;
    return found;
}

/* Derives sign times a sum. If M^-1 occurs in it, the whole equation is multiplied by
 * M. */
static void derive_sum(lv_tangent *w, int row, const lv_sum *sum, double sign)
{
    const bool times_mass = has_inverse(sum);
    for (int k = 0; k < sum->count && !w->failed; k++) {
        const lv_term *t = &sum->data[k];
        piece p = {.row = row, .c = sign * t->c, .power = t->power, .site = -1};
        if (t->atom >= 0) {
            derive_atom(w, t->atom, p);
            continue;
        }
        p.one = !times_mass || t->inverse;
        p.matrix = mass_matrix;
        add_piece(w, p, t->field);
    }
}

/* Equations of unknowns are sum = 0, those of definitions and assignments x - sum = 0. */
static void derive_vector(lv_tangent *w, int row)
{
    const vector *v = &w->vectors.data[row];
    const bool unknown =
        !v->assigned && w->c->form.fields.data[v->field].role == LV_FIELD_UNKNOWN;
    piece own = {.row = row,
                 .column = row,
                 .carried = -1,
                 .c = 1,
                 .one = !has_inverse(v->sum),
                 .matrix = mass_matrix,
                 .site = -1};
    if (!unknown && !LV_PUSH(w->pieces, own))
        w->failed = true;
    derive_sum(w, row, v->sum, unknown ? 1 : -1);
}

/* ---- the matrix -------------------------------------------------------------------- */

static lv_status make_ones(lv_tangent *w, lv_error *err)
{
    int most = 1;
    for (int k = 0; k < w->vectors.count; k++)
        most = w->vectors.data[k].size > most ? w->vectors.data[k].size : most;
    int *numbers = lv_arena_alloc(&w->arena, (size_t)most + 1, sizeof *numbers);
    w->unit = lv_arena_alloc(&w->arena, (size_t)most, sizeof *w->unit);
    w->ones = lv_arena_alloc(&w->arena, (size_t)w->vectors.count + 1, sizeof *w->ones);
    if (!numbers || !w->unit || !w->ones)
        return lv_fail_memory(err);
    for (int k = 0; k <= most; k++)
        numbers[k] = k;
    for (int k = 0; k < most; k++)
        w->unit[k] = 1;
    for (int k = 0; k < w->vectors.count; k++)
        w->ones[k] = (lv_pattern){.rows = w->vectors.data[k].size,
                                  .columns = w->vectors.data[k].size,
                                  .start = numbers,
                                  .column = numbers};
    return LV_OK;
}

static lv_status make_dressings(lv_tangent *w, lv_error *err)
{
    lv_course *c = w->c;
    for (int k = 0; k < w->pieces.count; k++) {
        piece *p = &w->pieces.data[k];
        const lv_factors left = {1, {p->factor}}, none = {0};
        if (p->turns)
            LV_TRY(lv_dressing_create(&p->dressing, c->turning.motion, NULL, false, &left,
                                      &none, c->factors.data, &w->arena, err));
    }
    return LV_OK;
}

static const lv_pattern *pattern_of(const lv_tangent *w, const piece *p)
{
    return p->turns ? lv_dressing_pattern(p->dressing)
           : p->one ? &w->ones[p->row]
                    : lv_course_pattern(w->c, p->matrix);
}

static const double *values_of(const lv_tangent *w, const piece *p)
{
    return p->turns ? lv_dressing_values(p->dressing, w->c->factors.data, NULL)
           : p->one ? w->unit
                    : lv_course_values(w->c, p->matrix, p->site);
}

static bool is_transposed(const piece *p)
{
    return !p->one && !p->turns && p->matrix.transposed;
}

static lv_status make_matrix(lv_tangent *w, lv_error *err)
{
    const size_t size = (size_t)w->size + 1;
    LV_TRY(make_ones(w, err));
    LV_TRY(make_dressings(w, err));
    w->x = lv_arena_alloc(&w->arena, size, sizeof *w->x);
    w->right = lv_arena_alloc(&w->arena, size, sizeof *w->right);
    w->lines = lv_arena_alloc(&w->arena, size, sizeof *w->lines);
    w->matrix = lv_assembly_create(w->size, w->pieces.count);
    if (!w->x || !w->right || !w->lines || !w->matrix)
        return lv_fail_memory(err);
    for (int k = 0; k < w->pieces.count; k++) {
        const piece *p = &w->pieces.data[k];
        if (p->column >= 0)
            (void)lv_assembly_block(w->matrix, pattern_of(w, p),
                                    (lv_range_of){w->vectors.data[p->row].first, 1},
                                    (lv_range_of){w->vectors.data[p->column].first, 1},
                                    is_transposed(p));
    }
    return lv_assembly_finish(w->matrix, err);
}

static lv_status tangent_fill(lv_tangent *w, lv_error *err)
{
    lv_course *c = w->c;
    w->first_site = c->sites.count;
    w->vector_of =
        lv_arena_alloc(&w->arena, (size_t)c->form.fields.count + 1, sizeof *w->vector_of);
    if (!w->vector_of)
        return lv_fail_memory(err);
    find_vectors(w);
    for (int k = 0; k < w->vectors.count && !w->failed; k++)
        derive_vector(w, k);
    if (w->failed)
        return lv_fail_memory(err);
    if (w->calls)
        return lv_fail(err, LV_ERR_MODEL,
                       "a function that a step calls has no derivative");
    if (w->without)
        return lv_fail(err, LV_ERR_MODEL,
                       "the operator %s of a step has no derivative by all of its "
                       "arguments",
                       w->without->op->name);
    for (int k = 0; k < w->evaluations.count; k++)
        LV_TRY(lv_course_prepare(c, &w->evaluations.data[k], err));
    if (c->turning.motion)
        LV_TRY(lv_embedding_create(&w->embedding, c->system, &c->turning, err));
    return make_matrix(w, err);
}

lv_status lv_tangent_create(lv_tangent **result, lv_course *course, lv_error *err)
{
    lv_tangent *w = *result = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->c = course;
    return tangent_fill(w, err);
}

void lv_tangent_free(lv_tangent *w)
{
    if (!w)
        return;
    LV_ARRAY_FREE(w->vectors);
    LV_ARRAY_FREE(w->pieces);
    LV_ARRAY_FREE(w->evaluations);
    lv_assembly_free(w->matrix);
    lv_embedding_free(w->embedding);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

/* ---- a step ------------------------------------------------------------------------ */

/* Evaluates everything at the end of the step. Definitions may still have values of the
 * Newton pass before the last. */
static void evaluate_all(lv_tangent *w)
{
    lv_course *c = w->c;
    for (int p = 1; p <= c->phases.count + 1; p++) {
        lv_course_run(c, &c->phase[p].before);
        lv_course_run(c, &c->phase[p].pass);
    }
    for (int k = 0; k < w->evaluations.count; k++)
        lv_course_evaluate(c, &w->evaluations.data[k]);
    for (int k = 0; k < w->pieces.count; k++)
        if (w->pieces.data[k].turns) {
            lv_course_factor(c, w->pieces.data[k].factor);
            lv_dressing_forget(w->pieces.data[k].dressing);
        }
}

static double factor_of(const lv_tangent *w, const piece *p)
{
    const int scale = p->column >= 0 ? w->vectors.data[p->column].scale : 0;
    return p->c * pow(w->c->h, p->power + w->vectors.data[p->row].power - scale);
}

/* Finds the lines of multipliers that were frozen, or whose equations did not hold in the
 * step. */
static bool find_lines(lv_tangent *w, const bool *gone, const bool *asks)
{
    bool any = false;
    for (int k = 0; k < w->vectors.count; k++) {
        const vector *v = &w->vectors.data[k];
        const lv_field *f = &w->c->form.fields.data[v->field];
        for (int r = 0; r < v->size; r++) {
            const lv_asked asked = w->c->phase[w->c->phases.of_field[v->field]].asked;
            const bool holonomic = f->space == LV_SPACE_HOLONOMIC,
                       multiplier = holonomic || f->space == LV_SPACE_ROLLING,
                       out = !v->assigned && f->role == LV_FIELD_UNKNOWN &&
                             ((multiplier && !asks[asked]) ||
                              (holonomic && gone && gone[r]));
            w->lines[v->first + r] = out;
            any = any || out;
        }
    }
    return any;
}

lv_status lv_tangent_build(lv_tangent *w, const bool *gone, const bool *asks,
                           lv_error *err)
{
    int block = 0;
    evaluate_all(w);
    lv_assembly_clear(w->matrix);
    for (int k = 0; k < w->pieces.count; k++)
        if (w->pieces.data[k].column >= 0)
            lv_assembly_add(w->matrix, block++, values_of(w, &w->pieces.data[k]),
                            factor_of(w, &w->pieces.data[k]));
    lv_linear *linear = lv_assembly_linear(w->matrix);
    lv_linear_leave_out(linear, find_lines(w, gone, asks) ? w->lines : NULL);
    if (lv_linear_factor(linear))
        return LV_OK;
    const lv_status status =
        lv_fail(err, LV_ERR_NUMERIC, "the derivative of the step is singular");
    lv_error_because(err, LV_WHY_SINGULAR);
    return status;
}

/* Solves for given changes of the carried fields: change[field], NULL: no change. */
static void tangent_solve(lv_tangent *w, const double *const *change)
{
    const size_t bytes = (size_t)w->size * sizeof *w->x;
    memset(w->right, 0, bytes);
    for (int k = 0; k < w->pieces.count; k++) {
        const piece *p = &w->pieces.data[k];
        if (p->carried < 0 || !change[p->carried])
            continue;
        (is_transposed(p) ? lv_sparse_multiply_transposed : lv_sparse_multiply)(
            pattern_of(w, p), values_of(w, p), -factor_of(w, p), change[p->carried],
            w->right + w->vectors.data[p->row].first);
    }
    for (int k = 0; k < w->size; k++)
        if (w->lines[k])
            w->right[k] = 0;
    lv_linear *linear = lv_assembly_linear(w->matrix);
    memcpy(w->x, w->right, bytes);
    lv_linear_solve(linear, w->x);
    lv_linear_refine(linear, w->x, w->right);
    for (int k = 0; k < w->vectors.count; k++) {
        const vector *v = &w->vectors.data[k];
        for (int i = 0; i < v->size; i++)
            w->x[v->first + i] *= pow(w->c->h, -v->scale);
    }
}

/* The change of the value assigned to a field; NULL: nothing is assigned to it. */
static const double *tangent_change(const lv_tangent *w, int field)
{
    for (int k = 0; k < w->vectors.count; k++)
        if (w->vectors.data[k].assigned && w->vectors.data[k].field == field)
            return w->x + w->vectors.data[k].first;
    return NULL;
}

/* ---- the state --------------------------------------------------------------------- */

/* The carried fields of the state; v is -1 if the step does not depend on it. */
typedef struct state_fields {
    int q, p, v;
} state_fields;

static state_fields find_state(const lv_tangent *w)
{
    const lv_form *form = &w->c->form;
    state_fields s = {lv_form_find(form, "q", 0), lv_form_find(form, "p", 0), -1};
    const int v = lv_form_find(form, "v", 0);
    for (int k = 0; k < w->pieces.count; k++)
        if (v >= 0 && w->pieces.data[k].carried == v)
            s.v = v;
    return s;
}

/* Work space for the change of a state, in numbers of callers and of the step. */
typedef struct state_change {
    double *q, *p;              /* numbers of callers */
    double *tangent, *momentum; /* numbers of the step; without groups the same arrays */
    double *body, *velocity;    /* momenta of the velocities in body axes; velocities */
    double *numbers;
    const double **fields; /* changes by carried field, as tangent_solve takes them */
} state_change;

static bool make_change(state_change *x, const lv_tangent *w, int n)
{
    x->fields = lv_memory_zeroed((size_t)w->c->form.fields.count + 1, sizeof *x->fields);
    x->numbers = lv_memory_zeroed(6 * (size_t)n + 1, sizeof *x->numbers);
    x->q = x->numbers;
    x->p = x->q + n;
    x->velocity = x->p + n;
    x->tangent = w->embedding ? x->velocity + n : x->q;
    x->momentum = w->embedding ? x->tangent + n : x->p;
    x->body = w->embedding ? x->momentum + n : x->p;
    return x->fields && x->numbers;
}

/* Sets the change of column k. Velocities follow from momenta, v = M^-1 p. */
static void set_change(const lv_tangent *w, const state_fields *s, int k, int n,
                       state_change *x)
{
    memset(x->q, 0, 2 * (size_t)n * sizeof *x->q);
    x->q[k] = 1; /* the array p follows q */
    if (w->embedding)
        lv_embedding_take_in(w->embedding, x->q, x->p, x->tangent, x->body, x->momentum);
    x->fields[s->q] = x->tangent;
    x->fields[s->p] = x->momentum;
    if (s->v < 0)
        return;
    memcpy(x->velocity, x->body, (size_t)w->c->system->n * sizeof *x->velocity);
    lv_mass_solve(w->c->mass, x->velocity);
    x->fields[s->v] = x->velocity;
}

/* Converts the change at the end of the step to numbers of callers. */
static void get_change(const lv_tangent *w, const state_fields *s, int n, state_change *x)
{
    const size_t bytes = (size_t)n * sizeof *x->q;
    const double *q = tangent_change(w, s->q);
    if (w->embedding) {
        const int v = lv_form_find(&w->c->form, "v", 0);
        lv_embedding_give_out(w->embedding, q, tangent_change(w, v), x->q, x->p);
        return;
    }
    memcpy(x->q, q, bytes);
    memcpy(x->p, tangent_change(w, s->p), bytes);
}

/* Tells the embedding the states at both ends of the step. */
static void begin_embedding(const lv_tangent *w, const state_fields *s)
{
    const lv_course *c = w->c;
    const int v = lv_form_find(&c->form, "v", 0);
    if (w->embedding)
        lv_embedding_begin(w->embedding,
                           &(lv_turned_state){c->t, c->value[s->q], c->value[v]},
                           &(lv_turned_state){c->t + c->h, lv_course_end_value(c, s->q),
                                              lv_course_end_value(c, v)});
}

lv_status lv_tangent_of_state(lv_tangent *w, double *matrix, lv_error *err)
{
    const state_fields s = find_state(w);
    const int n = w->embedding ? w->c->turning.coordinates : w->c->system->n;
    state_change x = {0};
    if (s.v >= 0 && !(w->c->facts.v >= 0 && w->c->system->mass_regular))
        return lv_fail(err, LV_ERR_MODEL,
                       "the scheme carries velocities that do not follow from momenta: "
                       "its step is no map of positions and momenta alone");
    const bool made = make_change(&x, w, n);
    if (made)
        begin_embedding(w, &s);
    for (int k = 0; made && k < 2 * n; k++) {
        set_change(w, &s, k, n, &x);
        tangent_solve(w, x.fields);
        get_change(w, &s, n, &x);
        for (int i = 0; i < 2 * n; i++)
            matrix[(ptrdiff_t)i * 2 * n + k] = x.q[i];
    }
    lv_memory_free(x.fields);
    lv_memory_free(x.numbers);
    return made ? LV_OK : lv_fail_memory(err);
}
