#include "course/branch.h"

#include "num/copy.h"

#include <string.h>

lv_status lv_branch_init(lv_branch *b, lv_solver *w, lv_arena *arena, lv_error *err)
{
    const size_t size = (size_t)w->newton.size + 1;
    *b = (lv_branch){.solver = w};
    for (int k = 0; k < LV_BRANCH_POINTS; k++)
        b->unknowns[k] = lv_arena_alloc(arena, size, sizeof(double));
    b->other = lv_arena_alloc(arena, size, sizeof(double));
    w->given = lv_arena_alloc(arena, size, sizeof(double));
    return b->unknowns[0] && b->unknowns[1] && b->other && w->given ? LV_OK
                                                                    : lv_fail_memory(err);
}

static void copy_unknowns(const lv_branch *b, double *to)
{
    const lv_phase *phase = b->solver->phase;
    for (int k = 0; k < phase->unknowns; k++) {
        const lv_phase_column *column = &phase->columns.data[k];
        lv_copy(to + column->offset, column->value, column->size);
    }
}

void lv_branch_begin(lv_branch *b)
{
    b->before = *b->solver;
    memcpy(b->notes, b->solver->notes, sizeof b->notes);
    memcpy(b->start, b->solver->memory, sizeof b->start);
    copy_unknowns(b, b->other);
    b->points = 0;
}

void lv_branch_restore(const lv_branch *b)
{
    lv_solver *w = b->solver;
    *w = b->before;
    memcpy(w->notes, b->notes, sizeof b->notes);
    memcpy(w->memory, b->start, sizeof b->start);
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        lv_copy(column->value, b->other + column->offset, column->size);
    }
}

void lv_branch_end(const lv_branch *b)
{
    lv_solver *w = b->solver;
    w->follows = false;
    if (!w->phase->linear)
        lv_predictor_begin(&w->predictor, w->now->h);
}

void lv_branch_add(lv_branch *b, double h)
{
    double *oldest = b->unknowns[1];
    b->unknowns[1] = b->unknowns[0];
    b->unknowns[0] = oldest;
    b->size[1] = b->size[0];
    b->size[0] = h;
    b->points += b->points < LV_BRANCH_POINTS;
    copy_unknowns(b, b->unknowns[0]);
}

/* Extrapolates the unknowns of a column linearly in the size of the step: multipliers of
 * forces as impulses, which stay finite for h = 0 even where they remove velocities
 * across the constraints. */
static void extrapolate(const lv_branch *b, const lv_phase_column *column, double h)
{
    double *to = b->solver->given + column->offset;
    const double *newer = b->unknowns[0] + column->offset,
                 *older = b->unknowns[1] + column->offset;
    const bool of_force = column->scale > 1;
    const double ahead = (h - b->size[0]) / (b->size[0] - b->size[1]);
    const double of_newer = (1 + ahead) * (of_force ? b->size[0] / h : 1),
                 of_older = ahead * (of_force ? b->size[1] / h : 1);
    for (int i = 0; i < column->size; i++)
        to[i] = of_newer * newer[i] - of_older * older[i];
}

void lv_branch_expect(lv_branch *b, double h, double most)
{
    lv_solver *w = b->solver;
    w->follows = true;
    w->most_astray = most;
    w->guess = (lv_initial_guess){
        .extrapolation = 1, .no_history = true, .given = b->points > 0};
    if (b->points == 1)
        lv_copy(w->given, b->unknowns[0], w->newton.size);
    for (int k = 0; b->points > 1 && k < w->phase->unknowns; k++)
        extrapolate(b, &w->phase->columns.data[k], h);
}

bool lv_branch_agrees(const lv_branch *b)
{
    lv_solver *w = b->solver;
    for (int k = 0; k < w->phase->unknowns; k++) {
        const lv_phase_column *column = &w->phase->columns.data[k];
        const double factor = lv_step_power(w->now->h, column->scale);
        for (int i = 0; i < column->size; i++)
            w->x[column->offset + i] =
                factor * (column->value[i] - b->other[column->offset + i]);
    }
    w->solved = false;
    return lv_solver_measure(w) <= LV_NEWTON_CLOSE;
}
