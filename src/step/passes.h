/* Passes that a program makes (step/fused.h), with the exact matrix, as the solver of a phase sees them. Most steps take
 * one pass, and each function begins with what that takes.
 *
 * Nothing is noted before the end: a step that is given up leaves no trace. */
#ifndef LV_STEP_PASSES_H
#define LV_STEP_PASSES_H

#include "base/inline.h"
#include "step/solver.h"

#include <math.h>
#include <string.h>

/* Before the first pass: what is expected of the unknowns, as predictors have it. */
LV_INLINE void lv_passes_begin(lv_solver *w, double *expected)
{
    const lv_step_now *now = w->now;
    lv_newton *n = &w->newton;
    lv_solver_find_notes(w);
    const double *notes = w->notes,
                 curve = notes[LV_NOTE_SIZE] == now->h ? notes[LV_NOTE_CURVE] : 0;
    w->predictor.numbers[LV_PAST_STEP] = now->h;
    w->probing = (curve == 0 || now->number == LV_STEP_ROUND) &&
                 lv_step_probes(now->number, lv_predictor_count(&w->predictor), curve);
    n->contraction = 0;
    n->curvature = lv_step_curvature(w->probing, curve);
    n->approximate = false;
    n->converge.count = 0;
    w->first_squares = true;
    w->expects_nothing = false;
    lv_predictor_expect(&w->predictor, expected, w->probing ? 2 : 0);
}

/* Passes begin again, from the state alone. */
static inline void lv_passes_begin_anew(lv_solver *w, double *expected)
{
    w->newton.converge.count = 0;
    w->expects_nothing = true;
    memset(expected, 0, (size_t)w->newton.size * sizeof *expected);
}

/* After a pass with corrections of this relative size, those of multipliers being by `excess` above a part of these.
 * LV_DIVERGED: the phase is to be solved by lv_solver_run, unless newton.worthless says that expectations were wrong:
 * then passes may begin again from the state alone. */
LV_INLINE lv_verdict lv_passes_judge(lv_solver *w, double size, double excess)
{
    lv_newton *n = &w->newton;
    if (n->converge.count == 0 && size <= LV_STEP_DOUBTFUL &&
        lv_step_one_is_enough(n, size))
        return LV_CONVERGED;
    n->misled = w->expects_nothing ? HUGE_VAL
                : excess <= 0      ? LV_STEP_MISLED
                                   : LV_STEP_DOUBTFUL;
    return lv_solver_verdict(n, size);
}

/* After a step: what was found. */
LV_INLINE void lv_passes_end(lv_solver *w, const double *found)
{
    const lv_step_now *now = w->now;
    const int passes = w->newton.iterations;
    const double size = w->newton.first_size;
    const bool missed =
        passes > 1 &&
        lv_step_program_missed(now->number, lv_predictor_count(&w->predictor), w->probing,
                               passes, size, w->predictor.numbers[LV_PAST_MISS]);
    if (w->notes[LV_NOTE_SIZE] != now->h)
        lv_solver_note_size(w);
    lv_predictor_add(&w->predictor, found, missed, size);
    if (passes > 1)
        lv_solver_learn(w);
}

#endif
