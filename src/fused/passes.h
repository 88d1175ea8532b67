/* Passes of a program (fused/fused.h) from the point of view of the solver of a phase. They
 * have the exact matrix, or an approximate one that is kept for all passes of a step.
 * Most steps with an exact one take one pass, so each function handles that case
 * first.
 *
 * Nothing is stored in the memory before the end of the step, so a step that is given up
 * has no effect. */
#ifndef LV_FUSED_PASSES_H
#define LV_FUSED_PASSES_H

#include "base/inline.h"
#include "course/solver.h"

#include <math.h>
#include <string.h>

/* Call before the first pass of the step `now`. `expected` receives the initial guess, in
 * the form of course/predictor.h. keeps: passes have an approximate matrix. */
LV_INLINE void lv_passes_begin(lv_solver *w, const lv_step_now *now, double *expected,
                               bool keeps)
{
    lv_newton *n = &w->newton;
    lv_solver_find_notes(w);
    const double *notes = w->notes, known = notes[keeps ? LV_NOTE_RATE : LV_NOTE_CURVE],
                 curve = notes[LV_NOTE_SIZE] == now->h ? known : 0;
    w->predictor.numbers[LV_PAST_STEP] = now->h;
    w->probing = (curve == 0 || now->number == LV_STEP_ROUND) &&
                 lv_step_probes(now->number, lv_predictor_count(&w->predictor), curve);
    n->contraction = keeps ? lv_step_contraction(w->probing, curve) : 0;
    n->curvature = keeps ? 0 : lv_step_curvature(w->probing, curve);
    n->approximate = keeps;
    n->noise = 0; /* programs do not measure rounding errors */
    n->converge.count = 0;
    n->worthless = false; /* lv_passes_judge may not set it */
    w->first_squares = !keeps;
    w->expects_nothing = false;
    lv_predictor_expect(&w->predictor, expected, w->probing ? 2 : 0);
}

/* Starts the passes again, with an initial guess from the state alone. */
static inline void lv_passes_begin_anew(lv_solver *w, double *expected)
{
    w->newton.converge.count = 0;
    w->expects_nothing = true;
    memset(expected, 0, (size_t)w->newton.size * sizeof *expected);
}

/* Call after a pass. size: relative size of its corrections; excess: above 0 if the
 * corrections of multipliers are large relative to these. LV_DIVERGED: the phase must be
 * solved by lv_solver_run, unless newton.worthless says that the initial guess was
 * wrong; then the passes may start again from the state alone. */
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

/* Call after a solved step. found: the unknowns, in the form of initial guesses. */
LV_INLINE void lv_passes_end(lv_solver *w, const lv_step_now *now, const double *found)
{
    const int passes = w->newton.iterations;
    const double size = w->newton.first_size;
    const bool missed =
        passes > 1 &&
        lv_step_program_missed(now->number, lv_predictor_count(&w->predictor), w->probing,
                               passes, size, w->predictor.numbers[LV_PAST_MISS]);
    if (!w->first_squares)
        w->memory[LV_MEMORY_RETRY] = 0;
    if (w->notes[LV_NOTE_SIZE] != now->h)
        lv_solver_note_size(w);
    lv_predictor_add(&w->predictor, found, missed, size);
    if (passes > 1)
        lv_solver_learn(w, 0);
}

#endif
