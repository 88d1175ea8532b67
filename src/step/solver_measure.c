#include "num/extent.h"
#include "step/settled.h"
#include "step/solver.h"

#include <math.h>

/* ---- sizes of corrections ----------------------------------------------------------------------------------- */

void lv_solver_note_extent(lv_solver *w)
{
    const lv_state *from = w->now->from;
    const int n = w->course->system->n;
    double *largest = &w->memory[LV_MEMORY_LARGEST];
    w->start_extent = lv_extent(from->q, n);
    const double now = fmax(w->start_extent, fabs(w->now->h) * lv_extent(from->v, n));
    if (now > *largest && isfinite(now))
        *largest = now;
}

/* A motion that comes to rest does not become ever more exact: terms of the equations are rounded as they are, however
 * small the state is. Corrections are measured by no less than a part of what the motion has been, far below its digits. */
static double least_scale(const lv_solver *w)
{
    const double digits = 1e-8;
    return digits * w->memory[LV_MEMORY_LARGEST];
}

/* The largest coordinate where the step begins; that of all numbers of positions, which may be more of them. */
static double start_extent(const lv_solver *w, int size)
{
    return size == w->course->system->n ? w->start_extent
                                        : lv_extent(w->now->from->q, size);
}

/* Of velocities times the step, and of positions that are defined, relative to positions and how far they move. Where
 * multipliers alone are unknown, of positions relative to a tenth of the largest one. */
static double measure_vector(const lv_solver *w, const lv_phase_column *column)
{
    const lv_state *from = w->now->from;
    const double *update = w->x + column->offset;
    const bool point = column->space == LV_SPACE_POINT;
    const double least = least_scale(w);
    double size, change;
    if (point && w->phase->multipliers_only) {
        change = lv_extent(update, column->size);
        size = change / (0.1 * fmax(lv_extent(column->value, column->size),
                                    start_extent(w, column->size)));
    } else {
        size = lv_system_relative_size(
            w->course->system, update, point ? column->value : from->q,
            point || column->displacement ? from->v
                                          : w->phase->columns.data[column->pace].value,
            w->now->h, &change);
    }
    if (least > 0 && change <= size * least)
        return change / least;
    if (!isfinite(size) && isfinite(change))
        size = 1; /* a motion begins where everything was 0 */
    return size;
}

/* Sizes that are no numbers count as largest. */
static double measure_vectors(const lv_solver *w)
{
    double largest = 0;
    for (int k = 0; k < w->phase->columns.count; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (!column->vector || (!column->unknown && !w->solved))
            continue;
        const double size = measure_vector(w, column);
        largest = size <= largest ? largest : size;
    }
    return largest;
}

/* The largest part of x that belongs to multipliers. */
static double multiplier_extent(const lv_solver *w)
{
    double largest = 0;
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (column->vector)
            continue;
        const double size = lv_extent(w->x + column->offset, column->size);
        largest = size <= largest ? largest : size;
    }
    return largest;
}

/* Multipliers that are changed without a solution of the equations move as much as those of the last correction. */
double lv_solver_measure(void *work)
{
    lv_solver *w = work;
    const double size = measure_vectors(w), multipliers = multiplier_extent(w);
    if (w->solved)
        w->per_multiplier = multipliers > 0 ? size / multipliers : 0;
    return w->solved || size > 0 ? size : w->per_multiplier * multipliers;
}

/* ---- is it a solution? ---------------------------------------------------------------------------------------- */

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

static lv_settling settling_of(const lv_solver *w)
{
    const lv_state *from = w->now->from;
    const int n = w->course->system->n;
    lv_settling all = {.momentum = lv_extent(from->p, n)};
    double speed = lv_extent(from->v, n);
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (!column->vector)
            continue;
        all.momentum = fmax(all.momentum, size_of_terms(w->course, &column->residual));
        speed = fmax(speed, lv_extent(column->value, n));
    }
    all.momentum *= fabs(w->now->h);
    all.moved = fabs(w->now->h) * speed;
    all.size = lv_extent(from->q, n) + all.moved;
    return all;
}

/* The work of the multipliers of forces on the residuals of constraints of their kind. */
static bool is_work_settled(const lv_solver *w, const lv_settling *s,
                            const lv_phase_column *row)
{
    const double *residual = w->x + row->offset;
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (column->space == row->space && column->scale == 2 &&
            !lv_settled_work(s, column->value, residual, row->size))
            return false;
    }
    return true;
}

bool lv_solver_is_settled(void *work)
{
    lv_solver *w = work;
    if (!lv_solver_asks_settled(w))
        return true;
    lv_solver_evaluate(w);
    const lv_settling s = settling_of(w);
    lv_settling unscaled = s; /* for multipliers without the factor h^2 */
    unscaled.momentum /= w->now->h * w->now->h;
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *row = &w->phase->columns.data[k];
        if (row->vector ? !lv_settled_balance(&s, w->x + row->offset, row->size)
                        : !is_work_settled(w, &unscaled, row))
            return false;
    }
    return true;
}
