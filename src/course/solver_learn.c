#include "course/solver.h"

#include <math.h>

/* Whether the matrix is the exact derivative, apart from derivatives of called
 * functions. */
static bool is_exact(const lv_solver *w)
{
    return w->level == LV_LEVEL_FULL || lv_step_matrix_is_exact(w->matrix);
}

/* Whether the error that a correction leaves is proportional to its square. */
static bool squares(const lv_solver *w)
{
    return is_exact(w) && !w->phase->inexact;
}

/* Rates are valid for one step size only. */
void lv_solver_note_size(lv_solver *w)
{
    double *notes = w->notes;
    if (notes[LV_NOTE_SIZE] != w->now->h)
        notes[LV_NOTE_RATE] = notes[LV_NOTE_CURVE] = notes[LV_NOTE_NOISE] = 0;
    notes[LV_NOTE_SIZE] = w->now->h;
}

/* The largest first correction s after which the exact matrix at the initial guess serves
 * for the next passes: a new one would leave curve (curve s^2)^2 after the third pass, the
 * old one (2 curve s)^2 curve s^2, which must be no more than rounding errors. */
static double old_matrix_suffices(double curve, double noise)
{
    const double error = fmax(noise, LV_NEWTON_TOLERANCE);
    return curve > 0 ? sqrt(sqrt(error / (4 * curve * curve * curve))) : 0;
}

/* One pass is enough if the error that it leaves is below rounding: a fraction of the
 * first correction with an approximate matrix, a multiple of its square with an exact
 * one. Both factors are measured in steps that begin with a worse guess: as long as they
 * are unknown, and once in a round. */
void lv_solver_begin_learning(lv_solver *w)
{
    double *notes = w->notes;
    const bool cheap =
        lv_step_matrix_has_cheap(w->matrix) && w->memory[LV_MEMORY_RETRY] == 0;
    w->level = cheap ? LV_LEVEL_CHEAP : LV_LEVEL_FULL;
    w->memory[LV_MEMORY_RETRY] -= w->memory[LV_MEMORY_RETRY] > 0;
    lv_solver_note_size(w);
    w->probing = lv_step_probes(w->now->number, lv_predictor_count(&w->predictor),
                                notes[squares(w) ? LV_NOTE_CURVE : LV_NOTE_RATE]);
    /* An approximate matrix that was built at the initial guess is good enough as long as
     * what it leaves out matters more than the distance from there. */
    w->newton.matrix_suffices =
        squares(w)   ? old_matrix_suffices(notes[LV_NOTE_CURVE], notes[LV_NOTE_NOISE])
        : w->probing ? 1
                     : notes[LV_NOTE_RATE];
    w->newton.doubts_history = notes[LV_NOTE_DOUBT] > 0 && !w->probing;
    w->newton.noise = w->probing || w->newton.adds_up ? 0 : notes[LV_NOTE_NOISE];
    w->newton.measures_rounding = !w->newton.adds_up &&
                                  lv_predictor_count(&w->predictor) > 1 &&
                                  (w->probing || notes[LV_NOTE_NOISE] == 0);
}

/* If predictions from past steps were wrong twice in a row they are not used for some
 * steps, and for twice as many the next time. */
void lv_solver_note_history(lv_solver *w)
{
    const double longest = 32;
    double *left = &w->notes[LV_NOTE_DOUBT], *last = &w->notes[LV_NOTE_DOUBTS];
    if (w->newton.doubts_history) {
        *left -= 1;
    } else if (w->newton.without_history) {
        *left = *last;
        *last = fmin(longest, *last > 0 ? 2 * *last : 2);
    } else {
        *last = 0;
    }
}

/* Tells Newton's method what is known about the matrix that is built now. */
static void use_notes(lv_solver *w)
{
    const bool square = squares(w);
    w->newton.contraction =
        square ? 0 : lv_step_contraction(w->probing, w->notes[LV_NOTE_RATE]);
    w->newton.curvature =
        square ? lv_step_curvature(w->probing, w->notes[LV_NOTE_CURVE]) : 0;
    if (w->newton.converge.count == 0)
        w->first_squares = square;
}

/* Chooses the level of the next matrix. If the cheap matrix contracts too slowly, the
 * full one replaces it for a number of steps. */
void lv_solver_choose_level(lv_solver *w)
{
    enum { STEPS_FULL = 200, STEPS_FEW = 10 };
    lv_newton *n = &w->newton;
    const int count = n->converge.count;
    if (count == 0)
        w->since = 0;
    const bool creeps = count > w->since + 1 && n->converge.rate > n->slow &&
                        n->converge.size > LV_NEWTON_ROUNDING;
    if (!is_exact(w) && (creeps || n->far)) {
        w->memory[LV_MEMORY_RETRY] = n->far ? STEPS_FEW : STEPS_FULL;
        w->level = LV_LEVEL_FULL;
        w->since = count;
    }
    n->approximate = !is_exact(w);
    use_notes(w);
}

/* The rate follows from the first two corrections, if the second one is more than
 * rounding. It depends on the direction of the first one: therefore the largest rate so
 * far is kept, and reduced whenever a step measures it. Where even the first correction is
 * so small that it may be rounding, the square of it would pretend an enormous curvature:
 * then the smallest correction that tells something stands for it. */
double lv_step_learned(const lv_newton *n, double known, int past, bool probing,
                       bool squares, double noise)
{
    const double rounding = 2e-16, enough = fmax(2e-14, 16 * noise);
    const double second = n->first_rate * n->first_size;
    if (n->converge.count < 2 || n->iterations > n->converge.count || past < 3 ||
        !(probing || second > enough))
        return known;
    const bool measured = second > enough;
    const double fading = measured ? 0.25 : 1.0 / 64;
    const double first =
        squares && !measured ? fmax(n->first_size, LV_NEWTON_ROUNDING) : n->first_size;
    double left = (measured ? second : rounding) / first;
    if (squares)
        left /= first;
    return fmax(left, (probing ? fading : 1) * known);
}

void lv_solver_learn(lv_solver *w, double noise)
{
    double *known = &w->notes[w->first_squares ? LV_NOTE_CURVE : LV_NOTE_RATE];
    *known = lv_step_learned(&w->newton, *known, lv_predictor_count(&w->predictor),
                             w->probing, w->first_squares, noise);
}

/* Single measurements are larger or smaller by chance: the geometric mean with those
 * before. */
void lv_solver_learn_noise(lv_solver *w)
{
    const double now = w->newton.rounding;
    double *noise = &w->notes[LV_NOTE_NOISE];
    if (now > 0)
        *noise = *noise > 0 ? sqrt(*noise * now) : now;
}

void lv_solver_distrust(lv_solver *w)
{
    w->notes[LV_NOTE_RATE] = w->notes[LV_NOTE_CURVE] = w->notes[LV_NOTE_NOISE] = 0;
}
