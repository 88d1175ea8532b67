#include "course/solver.h"

#include "course/failure.h"
#include "course/fitted.h"
#include "num/extent.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- initial guesses --------------------------------------------------------------- */

/* Begins with given unknowns. */
static void take_given(const lv_solver *w)
{
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        lv_copy(column->value, w->given + column->offset, column->size);
        if (column->space == LV_SPACE_HOLONOMIC)
            lv_frozen_set_zero(w->frozen, w->now->from, column->value);
    }
}

/* Sets the initial guess. The predictor stores multipliers as they are, and of a tangent
 * its difference from the velocity at the start of the step, divided by h. */
static void solver_begin(void *work, lv_initial_guess guess)
{
    lv_solver *w = work;
    const double h = w->now->h, *v = w->now->from->v;
    const int most = guess.last_values ? 1 : w->probing ? 2 : 0;
    if (guess.given) {
        take_given(w);
        return;
    }
    if (guess.no_history)
        memset(w->expected, 0, (size_t)w->newton.size * sizeof *w->expected);
    else
        lv_predictor_expect(&w->predictor, w->expected, most);
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        const double *from = w->expected + column->offset;
        double *x = column->value;
        for (int i = 0; i < column->size; i++)
            x[i] = column->vector
                       ? guess.extrapolation * column->start * v[i] + h * from[i]
                       : from[i];
        if (column->space == LV_SPACE_HOLONOMIC)
            lv_frozen_set_zero(w->frozen, w->now->from, x);
    }
}

void lv_solver_remember(lv_solver *w)
{
    const double h = w->now->h, *v = w->now->from->v;
    if (w->phase->linear)
        return;
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        double *to = w->expected + column->offset;
        const double *x = column->value;
        for (int i = 0; i < column->size; i++)
            to[i] = column->vector ? (x[i] - column->start * v[i]) / h : x[i];
    }
    const bool missed = lv_step_missed(w->now->number, w->probing, w->newton.iterations);
    lv_predictor_add(&w->predictor, w->expected, missed, w->newton.first_size);
    lv_solver_note_history(w);
    lv_solver_learn_noise(w);
    /* Single rounding errors may be larger than those that were measured. */
    lv_solver_learn(w, fmax(w->notes[LV_NOTE_NOISE], 0.25 * LV_NEWTON_STILL));
}

/* ---- memory ------------------------------------------------------------------------ */

int lv_solver_memory_size(const lv_solver *w, int substeps)
{
    return LV_MEMORY_SOLVER + substeps * w->substep_size;
}

double *lv_solver_place_memory(lv_solver *w, double *memory, int substeps)
{
    w->memory = memory;
    w->predictor.substeps = substeps;
    w->predictor.apart = w->substep_size;
    return memory + lv_solver_memory_size(w, substeps);
}

static double *past_of(const lv_solver *w, int substep)
{
    return w->memory + LV_MEMORY_SOLVER + (ptrdiff_t)substep * w->substep_size + LV_NOTES;
}

void lv_solver_check_memory(lv_solver *w, int substep, double h)
{
    w->predictor.numbers = past_of(w, substep);
    w->predictor.substep = substep;
    lv_predictor_begin(&w->predictor, h);
}

void lv_solver_sort_memory(const lv_solver *w, int substeps)
{
    for (int k = 0; !w->phase->linear && k < substeps; k++)
        if (lv_predictor_is_sound(past_of(w, k), w->predictor.m))
            lv_predictor_sort(past_of(w, k), w->predictor.m);
}

void lv_solver_forget_past(lv_solver *w, int substeps)
{
    for (int k = 0; !w->phase->linear && k < substeps; k++) {
        w->predictor.numbers = past_of(w, k);
        lv_predictor_clear(&w->predictor);
    }
}

void lv_solver_begin_step(lv_solver *w)
{
    lv_solver_find_notes(w);
    memcpy(w->kept_start, w->memory, sizeof w->kept_start);
    memcpy(w->kept, w->notes, sizeof w->kept);
}

void lv_solver_restore_notes(lv_solver *w)
{
    memcpy(w->notes, w->kept, sizeof w->kept);
    memcpy(w->memory, w->kept_start, sizeof w->kept_start);
}

/* ---- nearly dependent constraints -------------------------------------------------- */

/* The best pivot is shared by both levels: the full matrix may be used near singular
 * configurations only, where none of its pivots is good. */
static void note_pivot(lv_solver *w)
{
    double *best = &w->memory[LV_MEMORY_PIVOT];
    *best = fmax(*best, lv_step_matrix_worst_pivot(w->matrix));
}

void lv_solver_restart_pivots(lv_solver *w)
{
    if (w->phase->linear)
        return;
    w->memory[LV_MEMORY_PIVOT] = 0;
    note_pivot(w);
}

double lv_solver_pivot_share(const lv_solver *w)
{
    const double best = w->memory[LV_MEMORY_PIVOT];
    return best > 0 ? lv_step_matrix_worst_pivot(w->matrix) / best : 1;
}

/* ---- equations --------------------------------------------------------------------- */

static void find_residual(lv_solver *w, const lv_phase_column *column,
                          const lv_combination *residual)
{
    const double factor = -lv_step_power(w->now->h, column->row_power);
    double *to = w->x + column->offset;
    lv_combine(w->course, residual);
    for (int i = 0; i < column->size; i++)
        to[i] = factor * residual->out[i];
}

void lv_solver_evaluate(void *work)
{
    lv_solver *w = work;
    lv_course_run(w->course, &w->phase->pass);
    for (int k = 0; k < w->phase->unknowns; k++)
        find_residual(w, &w->phase->columns.data[k], &w->phase->columns.data[k].residual);
    w->solved = false;
}

static void evaluate_at_zero(lv_solver *w)
{
    lv_course_run(w->course, &w->phase->pass_at_zero);
    for (int k = 0; k < w->phase->unknowns; k++)
        find_residual(w, &w->phase->columns.data[k],
                      &w->phase->columns.data[k].residual_at_zero);
}

/* Linear phases make the velocities at the end of a step consistent. Their matrices find
 * dependent rows there, unless they are too large for that. */
bool lv_solver_finds_dependent(const lv_solver *w)
{
    return w->phase->linear && (lv_step_matrix_has_cheap(w->matrix) ||
                                w->phase->size <= LV_LINEAR_REDUNDANT_MOST);
}

/* Builds the matrix without the rows of frozen multipliers, which depend on others where
 * the step begins. If the solver can find dependent rows itself, these rows are left out
 * only if they were chosen in an earlier step and the pivots of the rest are good;
 * otherwise all rows take part. */
static bool build(void *work)
{
    lv_solver *w = work;
    const bool *frozen = w->frozen->count > 0 ? w->frozen->rows : NULL;
    lv_solver_choose_level(w);
    if (!w->now->asks[w->phase->asked])
        return lv_step_matrix_build(w->matrix, w->level, w->frozen->all);
    if (!frozen || !lv_solver_finds_dependent(w))
        return lv_step_matrix_build(w->matrix, w->level, frozen);
    return (!w->frozen->fresh && lv_step_matrix_build(w->matrix, w->level, frozen) &&
            lv_step_matrix_worst_pivot(w->matrix) > LV_LINEAR_DEPENDENT) ||
           lv_step_matrix_build(w->matrix, w->level, NULL);
}

/* Whether the correction changes multipliers by a large part of their predicted
 * values. */
static bool is_worthless(const lv_solver *w)
{
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (column->vector)
            continue;
        const double scale = lv_step_power(fabs(w->now->h), column->scale);
        const double change = lv_extent(w->x + column->offset, column->size);
        if (!(change <=
              LV_STEP_WORTHLESS * scale * lv_extent(column->value, column->size)))
            return true;
    }
    return false;
}

/* Sets the largest first correction for which the prediction is trusted. */
static void set_misled(lv_solver *w)
{
    if (w->newton.converge.count == 0)
        w->newton.misled = is_worthless(w) ? LV_STEP_DOUBTFUL : LV_STEP_MISLED;
}

static void solve(void *work)
{
    lv_solver *w = work;
    lv_step_matrix_solve(w->matrix, w->x);
    w->solved = true;
    w->newton.build_passes = lv_step_matrix_build_passes(w->matrix);
    set_misled(w);
}

static void move(void *work, double fraction)
{
    lv_solver *w = work;
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        const double factor = fraction / lv_step_power(w->now->h, column->scale);
        const double *from = w->x + column->offset;
        for (int i = 0; i < column->size; i++)
            column->value[i] += factor * from[i];
    }
}

static const lv_newton_equations equations = {.begin = solver_begin,
                                              .evaluate = lv_solver_evaluate,
                                              .build = build,
                                              .solve = solve,
                                              .measure = lv_solver_measure,
                                              .move = move,
                                              .settled = lv_solver_is_settled,
                                              .curved_size = lv_solver_curved_size};

/* ---- creation ---------------------------------------------------------------------- */

/* The first unknown that is the same quantity at another stage; k itself if there is
 * none. */
static int kind_of(const lv_solver *w, int k)
{
    const lv_phase_column *columns = w->phase->columns.data;
    const lv_field *fields = w->course->form.fields.data;
    int first = 0;
    while (columns[first].size != columns[k].size ||
           strcmp(fields[columns[first].field].name, fields[columns[k].field].name) != 0)
        first++;
    return first;
}

/* Passes of small systems cost less than weights that are fitted. */
static lv_status init_predictor(lv_solver *w, lv_arena *arena, lv_error *err)
{
    lv_predictor *p = &w->predictor;
    const int count = w->phase->unknowns;
    p->m = w->newton.size;
    if (p->m <= LV_PAST_FEW)
        return LV_OK;
    lv_past_column *columns = lv_arena_alloc(arena, (size_t)count, sizeof *columns);
    p->work = lv_arena_alloc(arena, LV_FITTED_WORK, sizeof *p->work);
    if (!columns || !p->work)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        columns[k] = (lv_past_column){.offset = w->phase->columns.data[k].offset,
                                      .size = w->phase->columns.data[k].size,
                                      .kind = kind_of(w, k)};
    p->columns = columns;
    p->column_count = count;
    return LV_OK;
}

lv_status lv_solver_init(lv_solver *w, lv_course *course, int phase, bool cheap,
                         lv_stepper_options options, lv_arena *arena, lv_error *err)
{
    *w = (lv_solver){.course = course,
                     .phase = &course->phase[phase],
                     .checks_solution = options.checks_solution};
    LV_TRY(lv_step_matrix_create(&w->matrix, course, phase, cheap, err));
    const size_t all = (size_t)w->phase->size;
    w->x = lv_arena_alloc(arena, 3 * all + 3, sizeof *w->x);
    if (!w->x)
        return lv_fail_memory(err);
    w->last = w->x + all + 1;
    w->expected = w->last + all + 1;
    w->newton = (lv_newton){.equations = &equations,
                            .work = w,
                            .size = w->phase->unknown_size,
                            .update = w->x,
                            .last = w->last,
                            .slow = options.checks_solution ? 0.02 : 0.1,
                            .beginnings = options.beginnings,
                            .full_steps_first = options.checks_solution,
                            .remembers = true,
                            .adds_up = options.adds_up};
    if (!w->phase->linear) /* linear phases need no predictor */
        LV_TRY(init_predictor(w, arena, err));
    w->substep_size =
        LV_NOTES + (w->phase->linear
                        ? 0
                        : lv_predictor_size(w->newton.size, w->predictor.column_count));
    w->level = lv_step_matrix_has_cheap(w->matrix) ? LV_LEVEL_CHEAP : LV_LEVEL_FULL;
    return LV_OK;
}

void lv_solver_done(lv_solver *w)
{
    lv_step_matrix_free(w->matrix);
}

/* ---- failures ---------------------------------------------------------------------- */

static lv_status diagnose(void *work, lv_error *err)
{
    const lv_solver *w = work;
    return lv_course_diagnose(w->course, err);
}

/* Whether the equation of this field consists of one operator of this name alone. */
static bool is_operator(const lv_form *form, int field, const char *name)
{
    const lv_sum *sum = &form->fields.data[field].sum;
    return sum->count == 1 && sum->data[0].atom >= 0 &&
           strcmp(form->atoms.data[sum->data[0].atom].op->name, name) == 0;
}

/* The residuals of the first equation in a space that consists of the operator `name`;
 * any equation if `name` is NULL. Returns NULL if there is none. */
static const double *residual_of(const lv_solver *w, lv_space space, const char *name)
{
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (column->space == space &&
            (!name || is_operator(&w->course->form, column->field, name)))
            return column->residual.out;
    }
    return NULL;
}

static lv_status failed(lv_solver *w, lv_error *err)
{
    lv_newton_look look = {&w->newton, diagnose};
    lv_step_failure failure = lv_newton_failure(w->course->system, &look);
    failure.constraints = residual_of(w, LV_SPACE_HOLONOMIC, "g");
    failure.balance = residual_of(w, LV_SPACE_TANGENT, NULL);
    const double pivot = lv_step_matrix_worst_pivot(w->matrix);
    lv_status status = lv_step_failed(&failure, err);
    if (status == LV_ERR_NUMERIC && pivot < 1e-12)
        lv_error_note(err, "its matrix is nearly singular (pivot ratio %.1e)", pivot);
    return status;
}

static lv_status failed_singular(lv_solver *w, lv_error *err)
{
    const lv_step_failure failure = {.system = w->course->system,
                                     .why = LV_WHY_SINGULAR,
                                     .change = (double)NAN,
                                     .iterations = 1};
    LV_TRY(lv_course_diagnose(w->course, err));
    return lv_step_failed(&failure, err);
}

/* ---- passes by a program ----------------------------------------------------------- */

/* Of the first two passes little is recorded, since usually no others follow. If others
 * do, or if other phases need more passes, these two are now judged as Newton's method
 * judges them, without the records of earlier steps. */
static void catch_up(lv_newton *n)
{
    const double first = n->first_size, second = n->first_rate * first;
    const bool twice = n->converge.count == 2;
    lv_newton_begin(n);
    (void)lv_newton_judge(n, first, first);
    if (twice)
        (void)lv_newton_judge(n, second, second);
}

static lv_verdict judge_first(lv_newton *n, double size)
{
    n->worthless = !(size <= n->misled);
    if (n->worthless || !isfinite(size) || (n->approximate && size > LV_STEP_MISLED))
        return LV_DIVERGED;
    if (lv_step_one_is_enough(n, size))
        return LV_CONVERGED;
    n->first_size = size;
    n->iterations = n->converge.count = 1;
    n->converge.most = 0; /* lv_newton_begin has not been called */
    return LV_GO_ON;
}

/* Each pass of a program has its own matrix, or all have one that is approximate anyway,
 * so that what is known about the first pass holds for all. Many passes are a sign of
 * trouble, for which lv_solver_run is better equipped. */
lv_verdict lv_solver_verdict(lv_newton *n, double size)
{
    enum { MANY = 6, MANY_APPROXIMATE = 12 };
    const int many = n->approximate ? MANY_APPROXIMATE : MANY;
    if (n->converge.count == 0)
        return judge_first(n, size);
    const bool enough = lv_newton_is_enough(n, size);
    if (enough && n->converge.count == 1) {
        n->first_rate = size / n->first_size;
        n->iterations = n->converge.count = 2;
        return LV_CONVERGED;
    }
    if (n->converge.most == 0)
        catch_up(n);
    const lv_verdict verdict = lv_newton_judge(n, size, size);
    n->iterations = n->converge.count;
    if (n->astray > LV_NEWTON_NOISE)
        return LV_DIVERGED;
    if (enough)
        return LV_CONVERGED;
    return verdict == LV_SLOW || n->iterations > many ? LV_DIVERGED : verdict;
}

/* ---- phases ------------------------------------------------------------------------ */

static void clear_unknowns(const lv_solver *w)
{
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        memset(column->value, 0, (size_t)column->size * sizeof *column->value);
    }
}

/* Makes one pass and does not test for convergence. */
static lv_status solve_linear(lv_solver *w, lv_error *err)
{
    clear_unknowns(w);
    w->newton.converge.count = 0;
    evaluate_at_zero(w);
    if (!build(w)) {
        w->newton.shown_singular = true;
        return failed_singular(w, err);
    }
    solve(w);
    move(w, 1);
    return LV_OK;
}

static lv_status solve_nonlinear(lv_solver *w, lv_step_report *report, lv_error *err)
{
    lv_predictor_begin(&w->predictor, w->now->h);
    lv_solver_begin_learning(w);
    lv_solver_note_extent(w);
    const bool found = w->follows
                           ? lv_newton_continue(&w->newton, w->guess, w->most_astray)
                           : lv_newton_solve(&w->newton);
    report->iterations += w->newton.iterations;
    report->stagnated |= w->newton.stagnated;
    if (!found)
        return w->follows ? LV_ERR_NUMERIC : failed(w, err);
    note_pivot(w);
    return LV_OK;
}

lv_status lv_solver_run(lv_solver *w, lv_step_report *report, lv_error *err)
{
    lv_course_run(w->course, &w->phase->before);
    if (!w->now->asks[w->phase->asked] && w->phase->multipliers_only)
        clear_unknowns(w);
    else if (w->phase->linear)
        LV_TRY(solve_linear(w, err));
    else
        LV_TRY(solve_nonlinear(w, report, err));
    lv_course_rerun(w->course, &w->phase->pass);
    return LV_OK;
}
