#include "step/stepper.h"

#include "base/memory.h"
#include "num/extent.h"
#include "solve/newton.h"
#include "step/failure.h"
#include "step/held.h"
#include "step/history.h"
#include "step/matrix.h"
#include "step/settled.h"
#include "step/tangent.h"
#include "system/agreement.h"
#include "system/sparse.h"

#include <math.h>
#include <string.h>

/* Places in the memory, and in the notes of a phase. */
enum { STEPS, CARRIED };
enum {
    RETRY, /* for how many steps the full matrix is taken */
    RATE,  /* of the cheap one: RATE x is left of a correction x; 0: not known */
    CURVE, /* of the full one, or one that is exact: CURVE x^2 is left; 0: not known */
    SIZE,  /* of the step to which both belong */
    NOTES
};

/* A phase while it is solved. */
typedef struct solver {
    lv_stepper *s;
    lv_phase *p;
    lv_step_matrix *matrix;
    lv_newton newton;
    lv_history history;
    double *
        x; /* numbers of all columns: minus residuals, then corrections; unknowns first */
    double *last, *expected;
    double *notes;      /* in the memory: what was learned of its matrices */
    double kept[NOTES]; /* of these, before the step */
    bool first_squares; /* the first matrix of the step is the derivative */
    bool probing;       /* this step shows how fast the cheap one contracts */
    lv_level level;
    int since;             /* the pass from which on */
    bool solved;           /* x is a correction */
    double per_multiplier; /* size of a correction, per size of its multipliers */
} solver;

struct lv_stepper {
    lv_system *system;
    lv_course *course;
    lv_stepper_options options;
    lv_arena arena;
    solver *solvers;   /* of phases 1 .. */
    lv_plan *gradient; /* of the constraints, at the start of a step and at its end, */
    double *g0;        /* and what it was at the start */
    lv_held held;
    int q, p, v; /* carried fields that are the state */
    double *memory;
    int memory_size;
    bool asks_rates; /* the rates of holonomic constraints are among its equations, */
    bool asked;      /* and were asked in this step */
    const lv_state *from;
    double h;
    bool project;        /* as in the last step */
    lv_tangent *tangent; /* NULL until it is asked for */
};

/* Steps of a round, in which some things are done once. */
enum { ROUND = 64, OFTEN = 8 };

static const lv_newton_equations equations;

static lv_step_way forced = LV_WAY_USUAL;

void lv_stepper_force(lv_step_way way)
{
    forced = way;
}

/* ---- creation ---------------------------------------------------------------------------------------- */

static bool is_state(const lv_stepper *s, int field)
{
    return field == s->q || field == s->p || field == s->v;
}

static int carried_size(const lv_stepper *s)
{
    int size = 0;
    const lv_course *c = s->course;
    for (int k = 0; k < c->form.fields.count; k++)
        if (c->form.fields.data[k].role == LV_FIELD_CARRIED && !is_state(s, k))
            size += c->sizes[c->form.fields.data[k].space];
    return size;
}

static int unknown_numbers(const lv_phase *p)
{
    int size = 0;
    for (int k = 0; k < p->unknowns; k++)
        size += p->columns.data[k].size;
    return size;
}

static lv_status make_solver(lv_stepper *s, int phase, lv_error *err)
{
    solver *w = &s->solvers[phase - 1];
    w->s = s;
    w->p = &s->course->phase[phase];
    LV_TRY(
        lv_step_matrix_create(&w->matrix, s->course, phase, forced == LV_WAY_USUAL, err));
    const size_t all = (size_t)lv_step_matrix_size(w->matrix);
    const int size = unknown_numbers(w->p);
    w->x = lv_arena_alloc(&s->arena, 3 * all + 3, sizeof *w->x);
    if (!w->x)
        return lv_fail_memory(err);
    w->last = w->x + all + 1;
    w->expected = w->last + all + 1;
    w->newton = (lv_newton){.equations = &equations,
                            .work = w,
                            .size = size,
                            .update = w->x,
                            .last = w->last,
                            .slow = s->options.checks_solution ? 0.02 : 0.1,
                            .beginnings = s->options.beginnings,
                            .aim = s->options.checks_solution,
                            .remembers = true,
                            .adds_up = s->options.adds_up};
    w->level = lv_step_matrix_has_cheap(w->matrix) ? LV_LEVEL_CHEAP : LV_LEVEL_FULL;
    return LV_OK;
}

static lv_status make_memory(lv_stepper *s, lv_error *err)
{
    const int phases = s->course->phases.count;
    s->memory_size = CARRIED + carried_size(s);
    for (int k = 0; k < phases; k++)
        s->memory_size +=
            NOTES +
            (s->solvers[k].p->linear ? 0 : lv_history_size(s->solvers[k].newton.size));
    s->memory = lv_arena_alloc(&s->arena, (size_t)s->memory_size + 1, sizeof *s->memory);
    if (!s->memory)
        return lv_fail_memory(err);
    double *at = s->memory + CARRIED + carried_size(s);
    for (int k = 0; k < phases; k++) {
        solver *w = &s->solvers[k];
        w->notes = at;
        at += NOTES;
        if (w->p->linear)
            continue;
        w->history = (lv_history){w->newton.size, at};
        at += lv_history_size(w->newton.size);
    }
    return LV_OK;
}

/* Is this what a carried field becomes? */
static bool is_end_of(const lv_stepper *s, int carried, int field)
{
    const lv_form *form = &s->course->form;
    for (int k = 0; k < form->assignments.count; k++) {
        const lv_sum *a = &form->assignments.data[k].sum,
                     *b = &form->fields.data[field].sum;
        if (form->assignments.data[k].field != carried || form->assignments.data[k].first)
            continue;
        if (a->count == 1 && a->data[0].field == field)
            return true;
        if (form->fields.data[field].role != LV_FIELD_DEFINED)
            return false;
        bool same = a->count == b->count;
        for (int t = 0; same && t < a->count; t++)
            same = a->data[t].field == b->data[t].field &&
                   a->data[t].atom == b->data[t].atom && a->data[t].c == b->data[t].c &&
                   a->data[t].power == b->data[t].power;
        return same;
    }
    return false;
}

/* Are the rates of the holonomic constraints at the end of the step among its equations? */
static bool asks_end_rates(const lv_stepper *s)
{
    const lv_form *form = &s->course->form;
    for (int k = 0; k < form->fields.count; k++) {
        const lv_field *f = &form->fields.data[k];
        for (int t = 0; f->role == LV_FIELD_UNKNOWN && t < f->sum.count; t++) {
            const int atom = f->sum.data[t].atom;
            if (atom >= 0 && strcmp(form->atoms.data[atom].op->name, "rate") == 0 &&
                is_end_of(s, s->q, form->atoms.data[atom].arg[LV_ARG_Q]) &&
                is_end_of(s, s->v, form->atoms.data[atom].arg[LV_ARG_V]))
                return true;
        }
    }
    return false;
}

static lv_status fill(lv_stepper *s, const char *text, const lv_step_table *table,
                      lv_error *err)
{
    lv_form form = {0};
    lv_system *system = s->system;
    const int sizes[LV_SPACES] = {system->n, system->n, system->n, system->m,
                                  system->rates - system->m};
    lv_status status = lv_form_read(&form, text, table, sizes, err);
    if (status != LV_OK) {
        lv_form_done(&form);
        return status;
    }
    LV_TRY(lv_course_create(&s->course, system, &form, forced != LV_WAY_UNREDUCED, err));
    const lv_form *f = &s->course->form;
    s->q = lv_form_find(f, "q", 0);
    s->p = lv_form_find(f, "p", 0);
    s->v = lv_form_find(f, "v", 0);
    s->solvers = lv_arena_alloc(&s->arena, (size_t)s->course->phases.count + 1,
                                sizeof *s->solvers);
    if (!s->solvers)
        return lv_fail_memory(err);
    for (int k = 1; k <= s->course->phases.count; k++)
        LV_TRY(make_solver(s, k, err));
    s->asks_rates = asks_end_rates(s);
    if (system->m > 0)
        LV_TRY(lv_plan_create(&s->gradient, system->model,
                              LV_WANT(JACOBIAN) | LV_WANT(CONSTRAINT), err));
    const int entries =
        s->gradient ? lv_pattern_entries(lv_plan_pattern(s->gradient, LV_Q_JACOBIAN)) : 0;
    s->g0 = lv_arena_alloc(&s->arena, (size_t)entries + 1, sizeof *s->g0);
    if (!s->g0)
        return lv_fail_memory(err);
    LV_TRY(lv_held_init(&s->held, system, &s->arena, err));
    return make_memory(s, err);
}

lv_status lv_stepper_create(lv_stepper **result, lv_system *system, const char *text,
                            const lv_step_table *table, lv_stepper_options options,
                            lv_error *err)
{
    lv_stepper *s = lv_memory_zeroed(1, sizeof *s);
    *result = NULL;
    if (!s)
        return lv_fail_memory(err);
    s->system = system;
    s->options = options;
    lv_status status = fill(s, text, table, err);
    if (status == LV_OK)
        *result = s;
    else
        lv_stepper_free(s);
    return status;
}

void lv_stepper_free(lv_stepper *s)
{
    if (!s)
        return;
    for (int k = 0; s->solvers && s->course && k < s->course->phases.count; k++)
        lv_step_matrix_free(s->solvers[k].matrix);
    lv_plan_free(s->gradient);
    lv_tangent_free(s->tangent);
    lv_course_free(s->course);
    lv_arena_done(&s->arena);
    lv_memory_free(s);
}

lv_memory_view lv_stepper_memory(lv_stepper *s)
{
    return (lv_memory_view){s->memory, s->memory_size};
}

void lv_stepper_forget(lv_stepper *s)
{
    memset(s->memory, 0, (size_t)s->memory_size * sizeof *s->memory);
    lv_held_forget(&s->held);
    s->course->finished = false;
}

void lv_stepper_show(lv_stepper *s)
{
    lv_course_run(s->course, &s->course->phase[LV_PLACE_SHOWN(s->course)].before);
}

const double *lv_stepper_value(const lv_stepper *s, const char *name, int index)
{
    return lv_course_value(s->course, name, index);
}

int lv_stepper_phases(const lv_stepper *s)
{
    return s->course->phases.count;
}

int lv_stepper_unknowns(const lv_stepper *s, int phase)
{
    return unknown_numbers(&s->course->phase[phase]);
}

lv_course *lv_stepper_course(lv_stepper *s)
{
    return s->course;
}

/* ---- unknowns ------------------------------------------------------------------------------------------ */

static double *value_of(const solver *w, int column)
{
    return w->s->course->value[w->p->columns.data[column].field];
}

/* What the history keeps of a tangent is how it differs from the velocity at the start, divided by h. */
static void begin(void *work, lv_beginning beginning)
{
    solver *w = work;
    const double h = w->s->h, *v = w->s->from->v;
    if (beginning.plain)
        memset(w->expected, 0, (size_t)w->newton.size * sizeof *w->expected);
    else
        lv_history_expect(&w->history, w->expected, 1,
                          beginning.cautious ? 1
                          : w->probing       ? 2
                                             : 0);
    const double *from = w->expected;
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *column = &w->p->columns.data[k];
        double *x = value_of(w, k);
        for (int i = 0; i < column->size; i++)
            x[i] = column->vector ? beginning.reach * column->start * v[i] + h * from[i]
                                  : from[i];
        if (!column->vector &&
            w->s->course->form.fields.data[column->field].space == LV_SPACE_HOLONOMIC)
            lv_held_hand_over(&w->s->held, x);
        from += column->size;
    }
}

/* Was the beginning far off? Asked of good ones now and then: looking for a better one takes its time. */
static bool missed(const solver *w)
{
    const bool now = (int)w->s->memory[STEPS] % OFTEN == 1;
    return !w->probing && (w->newton.iterations > 2 || (now && w->newton.iterations > 1));
}

/* Is the matrix the derivative, up to functions that are called? */
static bool is_exact(const solver *w)
{
    return w->level == LV_LEVEL_FULL || lv_step_matrix_is_exact(w->matrix);
}

/* Does it leave squares of corrections? */
static bool squares(const solver *w)
{
    return is_exact(w) && !w->p->inexact;
}

/* One pass is enough where what it leaves is below rounding: a part of the first correction with the cheap matrix, as
 * much of its square with one that is the derivative. Both are seen in steps that begin farther off: when they are not
 * known, and once in a round. They belong to one size of step. */
static void begin_learning(solver *w)
{
    double *x = w->notes;
    if (x[SIZE] != w->s->h)
        x[RATE] = x[CURVE] = 0;
    x[SIZE] = w->s->h;
    const int step = (int)w->s->memory[STEPS];
    const bool unknown = x[squares(w) ? CURVE : RATE] == 0;
    w->probing = lv_history_count(&w->history) > 1 &&
                 (step == ROUND || (unknown && step % OFTEN == 2));
    w->newton.close = w->probing && !squares(w) ? 1 : 0;
}

/* What is known of the matrix that is built now. What was seen may not be the worst; still less may be left where it adds
 * up, and squares change faster. */
static void use_what_is_known(solver *w)
{
    const double caution = squares(w) ? 100 : 8;
    const double known = w->probing ? 0 : caution, unknown = 0.1;
    const double part = known * w->notes[RATE];
    w->newton.contraction = squares(w) ? 0 : part > 0 ? part : unknown;
    w->newton.curvature = squares(w) ? known * w->notes[CURVE] : 0;
    if (w->newton.converge.count == 0)
        w->first_squares = squares(w);
}

/* From the first two corrections, if the second one is more than rounding. What is seen depends on the direction of the
 * first one: the worst that was seen counts, less from round to round. */
static void learn(solver *w)
{
    const double rounding = 2e-16, enough = 2e-14;
    const lv_newton *n = &w->newton;
    const double second = n->first_rate * n->first_size;
    if (n->converge.count < 2 || n->iterations > n->converge.count ||
        lv_history_count(&w->history) < 3 || !(w->probing || second > enough))
        return;
    const double fading = second > enough ? 0.25 : 1.0 / 64;
    double left = (second > enough ? second : rounding) / n->first_size;
    if (w->first_squares)
        left /= n->first_size;
    double *known = &w->notes[w->first_squares ? CURVE : RATE];
    *known = fmax(left, (w->probing ? fading : 1) * *known);
}

static void remember(solver *w, bool project)
{
    const double h = w->s->h, *v = w->s->from->v;
    double *to = w->expected;
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *column = &w->p->columns.data[k];
        double *x = value_of(w, k);
        if (!column->vector &&
            w->s->course->form.fields.data[column->field].space == LV_SPACE_HOLONOMIC)
            lv_held_release(&w->s->held, x);
        for (int i = 0; i < column->size; i++)
            to[i] = column->vector ? (x[i] - column->start * v[i]) / h : x[i];
        to += column->size;
    }
    lv_history_add(&w->history, w->expected, 1, project, missed(w));
}

static void move(void *work, double fraction)
{
    solver *w = work;
    const double *from = w->x;
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *column = &w->p->columns.data[k];
        const double factor = fraction / lv_step_power(w->s->h, column->scale);
        double *x = value_of(w, k);
        for (int i = 0; i < column->size; i++)
            x[i] += factor * from[i];
        from += column->size;
    }
}

/* ---- equations ------------------------------------------------------------------------------------------- */

static void evaluate(void *work)
{
    solver *w = work;
    lv_course *c = w->s->course;
    double *to = w->x;
    lv_course_run(c, &w->p->pass);
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *column = &w->p->columns.data[k];
        const double factor = -lv_step_power(w->s->h, column->row_power);
        lv_combine(c, &column->residual);
        for (int i = 0; i < column->size; i++)
            to[i] = factor * column->residual.out[i];
        to += column->size;
    }
    w->solved = false;
}

/* The full matrix takes over for a while where the cheap one is seen to contract slowly. */
static void choose_level(solver *w)
{
    enum { STEPS_FULL = 200, STEPS_FEW = 10 };
    lv_newton *n = &w->newton;
    const int count = n->converge.count;
    if (count == 0)
        w->since = 0;
    const bool creeps = count > w->since + 1 && n->converge.rate > n->slow &&
                        n->converge.size > LV_NEWTON_ROUNDING;
    if (w->level == LV_LEVEL_CHEAP && !lv_step_matrix_is_exact(w->matrix) &&
        (creeps || n->far)) {
        w->notes[RETRY] = n->far ? STEPS_FEW : STEPS_FULL;
        w->level = LV_LEVEL_FULL;
        w->since = count;
    }
    n->rough = !is_exact(w);
    use_what_is_known(w);
}

/* Rows that are left out since they depend on others where the step begins. Velocities at its end, in linear phases, are
 * made consistent where it ends: dependent rows are found there, unless the matrix is too large for that. */
static const bool *rows_left_out(const solver *w)
{
    const bool elsewhere =
        w->p->linear && (lv_step_matrix_has_cheap(w->matrix) ||
                         lv_step_matrix_size(w->matrix) <= LV_LINEAR_REDUNDANT_MOST);
    return w->s->held.count > 0 && !elsewhere ? w->s->held.rows : NULL;
}

static bool build(void *work)
{
    solver *w = work;
    choose_level(w);
    return lv_step_matrix_build(w->matrix, w->level, rows_left_out(w));
}

/* Are multipliers corrected by a large part of what was expected of them? */
static bool is_worthless(const solver *w)
{
    const double part = 0.3;
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *column = &w->p->columns.data[k];
        if (column->vector)
            continue;
        const double scale = lv_step_power(fabs(w->s->h), column->scale);
        const double change =
            lv_extent(w->x + lv_step_matrix_offset(w->matrix, k), column->size);
        if (!(change <= part * scale * lv_extent(value_of(w, k), column->size)))
            return true;
    }
    return false;
}

static void solve(void *work)
{
    const double misled = 1e-2, doubtful = 1e-4; /* first corrections */
    solver *w = work;
    const int all = lv_step_matrix_size(w->matrix);
    memset(w->x + w->newton.size, 0, (size_t)(all - w->newton.size) * sizeof *w->x);
    lv_step_matrix_solve(w->matrix, w->x);
    w->solved = true;
    if (w->newton.converge.count == 0)
        w->newton.misled = is_worthless(w) ? doubtful : misled;
}

/* What a tangent is measured by: itself if it is a velocity, the first one that is if it is a difference of some. */
static const double *pace_of(const solver *w, int column)
{
    const lv_column *columns = w->p->columns.data;
    for (int k = 0; columns[column].start == 0 && k < w->p->columns.count; k++)
        if (columns[k].vector && columns[k].start != 0)
            return value_of(w, k);
    return value_of(w, column);
}

/* Of velocities times the step, and of positions that are defined, relative to positions and how far they move. Where
 * multipliers alone are unknown, of positions relative to a tenth of the largest one. */
static double measure_vectors(const solver *w)
{
    const lv_course *c = w->s->course;
    const lv_state *from = w->s->from;
    double largest = 0;
    bool alone = true;
    for (int k = 0; k < w->p->unknowns; k++)
        alone = alone && !w->p->columns.data[k].vector;
    for (int k = 0; k < w->p->columns.count; k++) {
        const lv_column *column = &w->p->columns.data[k];
        if (!column->vector || (!column->unknown && !w->solved))
            continue;
        const double *value = c->value[column->field];
        const bool point = c->form.fields.data[column->field].space == LV_SPACE_POINT;
        const double *update = w->x + lv_step_matrix_offset(w->matrix, k);
        double size =
            point && alone
                ? lv_extent(update, column->size) /
                      (0.1 * fmax(lv_extent(value, column->size),
                                  lv_extent(from->q, column->size)))
                : lv_system_relative_size(w->s->system, update, point ? value : from->q,
                                          point ? from->v : pace_of(w, k), w->s->h);
        if (!isfinite(size) && isfinite(lv_extent(update, column->size)))
            size = 1; /* a motion begins where everything was 0 */
        largest = size <= largest ? largest : size;
    }
    return largest;
}

/* The largest part of x that belongs to multipliers. */
static double multiplier_extent(const solver *w)
{
    double largest = 0;
    for (int k = 0; k < w->p->unknowns; k++)
        if (!w->p->columns.data[k].vector) {
            const double size = lv_extent(w->x + lv_step_matrix_offset(w->matrix, k),
                                          w->p->columns.data[k].size);
            largest = size <= largest ? largest : size;
        }
    return largest;
}

/* Multipliers that are changed without a solution of the equations move as much as those of the last correction. */
static double measure(void *work)
{
    solver *w = work;
    const double size = measure_vectors(w), multipliers = multiplier_extent(w);
    if (w->solved)
        w->per_multiplier = multipliers > 0 ? size / multipliers : 0;
    return w->solved || size > 0 ? size : w->per_multiplier * multipliers;
}

/* The size of what stands in an equation, constraint forces left out. */
static double size_of_terms(const lv_course *c, const lv_combination *s)
{
    double size = 0;
    for (int k = 0; k < s->plain; k++) {
        const int atom = s->sources[k].atom;
        if (atom < 0 || c->form.atoms.data[atom].op->vector < LV_ARG_Y)
            size += fabs(s->sources[k].weight) * lv_extent(s->sources[k].x, s->size);
    }
    return size;
}

static lv_settling settling_of(const solver *w)
{
    const lv_stepper *s = w->s;
    const int n = s->system->n;
    lv_settling all = {.momentum = lv_extent(s->from->p, n)};
    double speed = lv_extent(s->from->v, n);
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *column = &w->p->columns.data[k];
        if (!column->vector)
            continue;
        all.momentum = fmax(all.momentum, size_of_terms(s->course, &column->residual));
        speed = fmax(speed, lv_extent(value_of(w, k), n));
    }
    all.momentum *= fabs(s->h);
    all.moved = fabs(s->h) * speed;
    all.size = lv_extent(s->from->q, n) + all.moved;
    return all;
}

/* A step that is solved at once needs no second look. */
static bool settled(void *work)
{
    enum { EASY = 2 };
    solver *w = work;
    if (!w->s->options.checks_solution || w->newton.iterations <= EASY)
        return true;
    evaluate(w);
    const lv_settling s = settling_of(w);
    lv_settling work_of_forces = s; /* of multipliers that are not scaled */
    work_of_forces.momentum /= w->s->h * w->s->h;
    const double *residual = w->x;
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_column *row = &w->p->columns.data[k];
        if (row->vector && !lv_settled_balance(&s, residual, row->size))
            return false;
        for (int j = 0; j < w->p->unknowns && !row->vector; j++) {
            const lv_column *column = &w->p->columns.data[j];
            if (!column->vector && column->scale == 2 &&
                !lv_settled_work(&work_of_forces, value_of(w, j), residual, row->size))
                return false;
        }
        residual += row->size;
    }
    return true;
}

static const lv_newton_equations equations = {.begin = begin,
                                              .evaluate = evaluate,
                                              .build = build,
                                              .solve = solve,
                                              .measure = measure,
                                              .move = move,
                                              .settled = settled};

/* ---- phases ------------------------------------------------------------------------------------------------ */

static void clear_unknowns(solver *w)
{
    for (int k = 0; k < w->p->unknowns; k++)
        memset(value_of(w, k), 0, (size_t)w->p->columns.data[k].size * sizeof(double));
}

static lv_status diagnose(void *work, lv_error *err)
{
    const solver *w = work;
    return lv_course_diagnose(w->s->course, err);
}

/* Residuals of an equation among the first `count` columns, by space; NULL: there is none. */
static const double *residual_of(const solver *w, lv_space space, const char *operator)
{
    const lv_form *form = &w->s->course->form;
    for (int k = 0; k < w->p->unknowns; k++) {
        const lv_field *f = &form->fields.data[w->p->columns.data[k].field];
        if (f->space != space)
            continue;
        if (!operator||(
                f->sum.count == 1 && f->sum.data[0].atom >= 0 &&
                strcmp(form->atoms.data[f->sum.data[0].atom].op->name, operator) == 0))
            return w->p->columns.data[k].residual.out;
    }
    return NULL;
}

static lv_status failed(solver *w, lv_error *err)
{
    lv_newton_look look = {&w->newton, diagnose};
    lv_step_failure failure = lv_newton_failure(w->s->system, &look);
    failure.constraints = residual_of(w, LV_SPACE_HOLONOMIC, "g");
    failure.balance = residual_of(w, LV_SPACE_TANGENT, NULL);
    const double pivot = lv_step_matrix_worst_pivot(w->matrix);
    lv_status status = lv_step_failed(&failure, err);
    if (status == LV_ERR_NUMERIC && pivot < 1e-12)
        lv_error_note(err, "its matrix is nearly singular (pivot ratio %.1e)", pivot);
    return status;
}

/* One pass without a test. */
static lv_status solve_linear(solver *w, lv_error *err)
{
    clear_unknowns(w);
    w->newton.converge.count = 0;
    evaluate(w);
    if (!build(w)) {
        w->newton.shown_singular = true;
        lv_step_failure failure = {.system = w->s->system,
                                   .why = LV_WHY_SINGULAR,
                                   .change = (double)NAN,
                                   .iterations = 1};
        LV_TRY(lv_course_diagnose(w->s->course, err));
        return lv_step_failed(&failure, err);
    }
    solve(w);
    move(w, 1);
    return LV_OK;
}

static lv_status solve_phase(solver *w, bool project, lv_step_report *report,
                             lv_error *err)
{
    lv_course_run(w->s->course, &w->p->before);
    if (w->p->once && !project) {
        clear_unknowns(w);
    } else if (w->p->linear) {
        LV_TRY(solve_linear(w, err));
    } else {
        w->level = lv_step_matrix_has_cheap(w->matrix) && w->notes[RETRY] == 0
                       ? LV_LEVEL_CHEAP
                       : LV_LEVEL_FULL;
        w->notes[RETRY] -= w->notes[RETRY] > 0;
        lv_history_begin(&w->history, w->s->h);
        begin_learning(w);
        const bool found = lv_newton_solve(&w->newton);
        report->iterations += w->newton.iterations;
        report->stagnated |= w->newton.stagnated;
        if (!found)
            return failed(w, err);
    }
    lv_course_rerun(w->s->course, &w->p->pass);
    return LV_OK;
}

/* ---- the step ---------------------------------------------------------------------------------------------- */

/* Which multipliers are held in this step: those of constraints that depend on others where it begins. */
static void hold(lv_stepper *s)
{
    const lv_point at = {.q = s->from->q, .v = s->from->v, .t = s->from->t};
    if (s->system->m == 0 || lv_held_none(&s->held))
        return;
    const lv_pattern *g = lv_plan_pattern(s->gradient, LV_Q_JACOBIAN);
    lv_plan_run(s->gradient, &at);
    memcpy(s->g0, lv_plan_result(s->gradient, LV_Q_JACOBIAN),
           (size_t)lv_pattern_entries(g) * sizeof *s->g0);
    lv_held_find(&s->held, s->from, g, s->g0);
}

static void load(lv_stepper *s, const lv_state *state)
{
    const lv_course *c = s->course;
    const size_t bytes = (size_t)s->system->n * sizeof(double);
    const double *from = s->memory + CARRIED;
    memcpy(c->value[s->q], state->q, bytes);
    memcpy(c->value[s->p], state->p, bytes);
    if (s->v >= 0)
        memcpy(c->value[s->v], state->v, bytes);
    for (int k = 0; k < c->form.fields.count; k++)
        if (c->form.fields.data[k].role == LV_FIELD_CARRIED && !is_state(s, k)) {
            const int size = c->sizes[c->form.fields.data[k].space];
            memcpy(c->value[k], from, (size_t)size * sizeof *from);
            from += size;
        }
}

/* Carried fields begin at 0 with the first step; multipliers of nonholonomic constraints are those at the node. */
static lv_status start(lv_stepper *s, const lv_state *state, lv_error *err)
{
    const lv_course *c = s->course;
    double *to = s->memory + CARRIED, *lambda = c->multipliers;
    bool known = false;
    if (s->memory[STEPS] > 0)
        return LV_OK;
    for (int k = 0; k < c->form.fields.count; k++) {
        const lv_field *f = &c->form.fields.data[k];
        if (f->role != LV_FIELD_CARRIED || is_state(s, k))
            continue;
        const int size = c->sizes[f->space];
        if (f->space == LV_SPACE_ROLLING && size > 0) {
            if (!known)
                LV_TRY(lv_system_accelerations(s->system, NULL, lambda, state->t,
                                               state->q, state->v, err));
            known = true;
            memcpy(to, lambda + s->system->m, (size_t)size * sizeof *to);
        }
        to += size;
    }
    return LV_OK;
}

/* What the text does before the first step. Velocities are those of the momenta where the normal form says so. */
static void do_first(lv_stepper *s)
{
    lv_course *c = s->course;
    bool kicked = false;
    if (s->memory[STEPS] > 0)
        return;
    lv_course_run(c, &c->phase[LV_PLACE_FIRST(c)].before);
    for (int k = 0; k < c->form.assignments.count; k++)
        if (c->form.assignments.data[k].first)
            lv_combine(c, &c->assignments[k]);
    for (int k = 0; k < c->form.assignments.count; k++) {
        const lv_assignment *a = &c->form.assignments.data[k];
        if (!a->first)
            continue;
        memcpy(c->value[a->field], c->assignments[k].out,
               (size_t)c->assignments[k].size * sizeof(double));
        kicked = kicked || a->field == c->facts.p;
    }
    if (!kicked)
        return;
    memcpy(c->value[c->facts.v], c->value[c->facts.p],
           (size_t)s->system->n * sizeof(double));
    lv_mass_solve(c->mass, c->value[c->facts.v]);
}

/* The last point at which the step asks for the holonomic constraints; -1: there is none. */
static int last_constrained(const lv_stepper *s)
{
    const lv_form *form = &s->course->form;
    int last = -1;
    for (int k = 0; k < form->fields.count; k++) {
        const lv_field *f = &form->fields.data[k];
        for (int t = 0; f->role == LV_FIELD_UNKNOWN && t < f->sum.count; t++) {
            const int atom = f->sum.data[t].atom;
            if (atom < 0 || strcmp(form->atoms.data[atom].op->name, "g") != 0)
                continue;
            const int at = form->atoms.data[atom].arg[LV_ARG_Q];
            if (last < 0 || form->fields.data[at].at > form->fields.data[last].at)
                last = at;
        }
    }
    return last;
}

/* What a carried field becomes. */
static const double *end_value(const lv_stepper *s, int field)
{
    const lv_course *c = s->course;
    const double *value = c->value[field];
    for (int k = 0; k < c->form.assignments.count; k++)
        if (c->form.assignments.data[k].field == field &&
            !c->form.assignments.data[k].first)
            value = c->assignments[k].out;
    return value;
}

/* Do holonomic constraints hold to rounding; or, with room for them, their rates, where they do not move? */
static bool holds(lv_stepper *s, double t, const double *q, const double *v, double *rate)
{
    const int n = s->system->n, m = s->system->m;
    const lv_pattern *g = lv_plan_pattern(s->gradient, LV_Q_JACOBIAN);
    const double *gradients = lv_plan_result(s->gradient, LV_Q_JACOBIAN);
    lv_plan_run(s->gradient, &(lv_point){.q = q, .v = v, .t = t});
    if (!rate)
        return lv_system_residuals_vanish(
            g, gradients, lv_plan_result(s->gradient, LV_Q_CONSTRAINT), lv_extent(q, n));
    memset(rate, 0, (size_t)m * sizeof *rate);
    lv_sparse_multiply(g, gradients, 1, v, rate);
    return lv_system_residuals_vanish(g, gradients, rate, lv_extent(v, n));
}

/* Dependent constraints, solved in the least-norm sense, have to agree. */
static lv_status check_agreement(lv_stepper *s, double t, const double *q,
                                 const double *v, lv_error *err)
{
    lv_system *system = s->system;
    if (system->m > 0 && !holds(s, t, q, v, NULL))
        LV_TRY(lv_system_agree_position(system, t, q, err));
    if (!system->has_nonholonomic && !s->asked)
        return LV_OK;
    if (!system->has_nonholonomic && !system->rheonomic &&
        holds(s, t, q, v, s->course->multipliers))
        return LV_OK;
    return lv_system_agree_velocity(system, t, q, v, err);
}

static lv_status check_end(lv_stepper *s, lv_error *err)
{
    const lv_course *c = s->course;
    bool finite = true, redundant = s->held.count > 0;
    for (int k = 0; k < c->form.assignments.count; k++)
        finite =
            finite && isfinite(lv_extent(c->assignments[k].out, c->assignments[k].size));
    for (int k = 0; k < c->phases.count; k++)
        redundant = redundant || lv_step_matrix_redundant(s->solvers[k].matrix) > 0;
    const double *q = end_value(s, s->q), *v = end_value(s, s->v);
    if (!finite) {
        LV_TRY(lv_course_diagnose(s->course, err));
        const lv_step_failure failure = {.system = s->system,
                                         .why = LV_WHY_DIVERGED,
                                         .change = (double)NAN,
                                         .iterations = 1};
        return lv_step_failed(&failure, err);
    }
    if (!redundant)
        return LV_OK;
    const int last = last_constrained(s);
    const double at = last < 0 ? 1 : c->form.fields.data[last].at, t = s->from->t;
    if (at < 1)
        LV_TRY(lv_system_agree_position(s->system, t + at * s->h, c->value[last], err));
    return at < 1 ? LV_OK : check_agreement(s, t + s->h, q, v, err);
}

static void count_step(lv_stepper *s)
{
    double *steps = &s->memory[STEPS];
    *steps = *steps >= 1 && *steps < ROUND ? *steps + 1 : 1;
}

static double *find_carried(lv_stepper *s, const char *name)
{
    const lv_course *c = s->course;
    double *at = s->memory + CARRIED;
    for (int k = 0; k < c->form.fields.count; k++)
        if (c->form.fields.data[k].role == LV_FIELD_CARRIED && !is_state(s, k)) {
            const int size = c->sizes[c->form.fields.data[k].space];
            if (strcmp(c->form.fields.data[k].name, name) == 0)
                return size > 0 ? at : NULL;
            at += size;
        }
    return NULL;
}

double *lv_stepper_carried(lv_stepper *s, const char *name)
{
    return s->memory[STEPS] > 0 ? find_carried(s, name) : NULL;
}

/* Assigned values go to the state, and to the memory: the course keeps those of the step that is over, for whatever is
 * shown of it. */
static void store(lv_stepper *s, lv_state *state)
{
    const lv_course *c = s->course;
    for (int k = 0; k < c->form.assignments.count; k++) {
        const int field = c->form.assignments.data[k].field;
        double *to = field == s->q   ? state->q
                     : field == s->p ? state->p
                     : field == s->v ? state->v
                                     : find_carried(s, c->form.fields.data[field].name);
        if (c->form.assignments.data[k].first || !to)
            continue;
        memcpy(to, c->assignments[k].out, (size_t)c->assignments[k].size * sizeof *to);
        if (c->form.fields.data[field].space == LV_SPACE_HOLONOMIC)
            lv_held_release(&s->held, to);
    }
}

static lv_status try_step(lv_stepper *s, const lv_state *state, bool project,
                          lv_step_report *report, lv_error *err)
{
    lv_course *c = s->course;
    LV_TRY(start(s, state, err));
    load(s, state);
    lv_course_begin(c, state->t, s->h);
    do_first(s);
    hold(s);
    for (int k = 0; k < c->phases.count; k++)
        LV_TRY(solve_phase(&s->solvers[k], project, report, err));
    lv_course_run(c, &c->phase[LV_PLACE_END(c)].before);
    for (int k = 0; k < c->form.assignments.count; k++)
        if (!c->form.assignments.data[k].first)
            lv_combine(c, &c->assignments[k]);
    return check_end(s, err);
}

/* What was learned in a step that failed is forgotten. */
static void keep_notes(lv_stepper *s, bool back)
{
    for (int k = 0; k < s->course->phases.count; k++) {
        solver *w = &s->solvers[k];
        memcpy(back ? w->notes : w->kept, back ? w->kept : w->notes, sizeof w->kept);
    }
}

lv_status lv_stepper_step(lv_stepper *s, lv_state *state, double h, bool project,
                          lv_step_report *report, lv_error *err)
{
    s->from = state;
    s->h = h;
    s->project = project;
    s->asked = s->asks_rates && project;
    keep_notes(s, false);
    lv_status status = try_step(s, state, project, report, err);
    if (status != LV_OK) {
        keep_notes(s, true);
        return status;
    }
    for (int k = 0; k < s->course->phases.count; k++)
        if (!s->solvers[k].p->linear) {
            remember(&s->solvers[k], project);
            learn(&s->solvers[k]);
        }
    store(s, state);
    count_step(s);
    s->course->finished = true;
    return LV_OK;
}

/* ---- the derivative of a step ------------------------------------------------------------------------------ */

static lv_status make_tangent(lv_stepper *s, lv_error *err)
{
    if (s->tangent)
        return LV_OK;
    lv_status status = lv_tangent_create(&s->tangent, s->course, err);
    if (status != LV_OK) {
        lv_tangent_free(s->tangent);
        s->tangent = NULL;
    }
    return status;
}

lv_status lv_stepper_tangent(lv_stepper *s, double *matrix, lv_error *err)
{
    if (!s->course->finished)
        return lv_fail(err, LV_ERR_USAGE, "there was no step whose derivative is known");
    LV_TRY(make_tangent(s, err));
    LV_TRY(lv_tangent_build(s->tangent, s->held.count > 0 ? s->held.rows : NULL,
                            s->project, err));
    return lv_tangent_of_state(s->tangent, matrix, err);
}
