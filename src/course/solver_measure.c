#include "course/settled.h"
#include "course/solver.h"
#include "num/extent.h"

#include <math.h>

/* ---- sizes of corrections ---------------------------------------------------------- */

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

/* The smallest size of positions by which corrections are measured: a small part of the
 * largest size so far. A motion that comes to rest cannot be computed ever more
 * precisely, because terms of the equations have rounding errors however small the state
 * is. */
static double least_scale(const lv_solver *w)
{
    const double digits = 1e-8;
    return digits * w->memory[LV_MEMORY_LARGEST];
}

/* The largest |q| where the step begins, over the first `size` numbers of the position.
 * These may be more than n on groups. */
static double start_extent(const lv_solver *w, int size)
{
    return size == w->course->system->n ? w->start_extent
                                        : lv_extent(w->now->from->q, size);
}

/* The relative size of the correction of a vector. Corrections of velocities times the
 * step and of defined positions are measured by the positions and their displacement in a
 * step. If all unknowns are multipliers, corrections of positions are measured by a tenth
 * of the largest position. */
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
    /* a motion begins where all positions and velocities are 0 */
    if (!isfinite(size) && isfinite(change))
        size = 1;
    return size;
}

/* The largest relative size of the corrections of vectors, and the largest one of those in
 * which the equations are not affine; NaN counts as largest. */
static double measure_vectors(lv_solver *w)
{
    double largest = 0;
    w->curved_size = 0;
    for (int k = 0; k < w->phase->columns.count; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        if (!column->vector || (!column->unknown && !w->solved))
            continue;
        const double size = measure_vector(w, column);
        largest = size <= largest ? largest : size;
        if (column->curved)
            w->curved_size = size <= w->curved_size ? w->curved_size : size;
    }
    return largest;
}

/* The largest absolute value of x in the columns of multipliers. */
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

/* The relative size of the correction in x. If x was changed without solving the
 * equations, its multipliers are taken to move the vectors as much as those of the last
 * correction did. */
double lv_solver_measure(void *work)
{
    lv_solver *w = work;
    const double size = measure_vectors(w), multipliers = multiplier_extent(w);
    if (w->solved)
        w->per_multiplier = multipliers > 0 ? size / multipliers : 0;
    return w->solved || size > 0 ? size : w->per_multiplier * multipliers;
}

double lv_solver_curved_size(void *work)
{
    const lv_solver *w = work;
    return w->curved_size;
}

/* ---- is it a solution? ------------------------------------------------------------- */

/* The size of the terms of an equation, without constraint forces. */
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

/* Checks the work of the multipliers of forces on the residuals of the constraints of the
 * same kind. */
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
