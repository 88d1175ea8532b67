#include "solve/newton.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- when an iteration is done ------------------------------------------------------------------------ */

void lv_converge_start(lv_converge *c, double tolerance, int most)
{
    *c = (lv_converge){.tolerance = tolerance,
                       .most = most,
                       .smallest = INFINITY,
                       .rate = 1,
                       .mark = INFINITY};
}

lv_verdict lv_converge_test(lv_converge *c, double size)
{
    const double rounding = 1e4 * DBL_EPSILON;
    const double before = c->size;
    c->count++;
    c->size = size;
    if (!isfinite(size))
        return LV_DIVERGED;
    if (c->count > 1)
        c->rate = before > 0 ? size / before : 0;
    bool shrinking = size < c->smallest;
    c->smallest = fmin(c->smallest, size);
    c->idle++;
    if (size < 0.5 * c->mark) {
        c->mark = size;
        c->idle = 0;
    }

    if (size <= c->tolerance)
        return LV_CONVERGED;
    if (c->count > 1 && c->rate < 0.5 && size * c->rate <= c->tolerance * (1 - c->rate))
        return LV_CONVERGED;
    if ((!shrinking || c->count >= c->most) && size < rounding)
        return LV_CONVERGED; /* corrections are at the level of rounding */
    if (c->count >= c->most ||
        (c->count > 2 && size > 1e3 * c->smallest && size > rounding))
        return LV_DIVERGED;
    return c->count > 2 && c->rate > 0.3 ? LV_SLOW : LV_GO_ON;
}

bool lv_converge_stagnates(const lv_converge *c)
{
    enum { PATIENCE = 6 };
    const double most = 1e-6;
    return c->idle >= PATIENCE && c->size <= most;
}

lv_reason lv_converge_reason(const lv_converge *c)
{
    return isfinite(c->size) && c->size <= 1e3 * c->smallest ? LV_WHY_STALLED
                                                             : LV_WHY_DIVERGED;
}

/* ---- Newton's method ------------------------------------------------------------------------------------ */

/* Fractional parts of multiples of the golden ratio spread evenly between 0 and 1. */
static double golden_spread(int k)
{
    const double spread = 0.6180339887498949 * k;
    return spread - floor(spread);
}

lv_initial_guess lv_newton_initial_guess(int k)
{
    static const double reach[] = {1, 1, 0, 0.5, 0.25, 0.75, -0.5, 1.5};
    enum { LISTED = sizeof reach / sizeof *reach };
    if (k < LISTED)
        return (lv_initial_guess){.extrapolation = reach[k], .no_history = k > 0};
    return (lv_initial_guess){.extrapolation = -1 + 3 * golden_spread(k - LISTED + 1),
                              .no_history = k % 2 == 1};
}

enum { MOST = 60 };

/* Systems of up to this size try LV_INITIAL_GUESSES guesses, larger ones
 * LV_INITIAL_GUESSES_LARGE. */
enum { SMALL = 200 };

/* The smallest fraction of a correction that is tried. */
static const double least = 1.0 / 64;

/* Computes the correction at the current unknowns; false: there is none. */
static bool find_correction(lv_newton *n, bool build)
{
    n->equations->evaluate(n->work);
    if (n->ask && (n->answered = n->ask(n->work, n->answer)) != LV_OK)
        return false;
    if (build) {
        n->singular = !n->equations->build(n->work);
        n->built++;
        if (n->singular)
            return false;
    }
    n->fresh = build;
    n->equations->solve(n->work);
    return true;
}

/* Whether the matrix contracts slowly. */
static bool is_slow(const lv_newton *n, lv_verdict verdict)
{
    const lv_converge *c = &n->converge;
    if (verdict == LV_SLOW)
        return true;
    const double close = fmax(n->matrix_suffices, LV_NEWTON_CLOSE);
    return c->count == 1 ? c->size > close : c->rate > n->slow;
}

/* The number of passes after a correction of this size that contract by this rate. */
static int passes_left(double size, double rate)
{
    int passes = 0;
    for (; size > LV_NEWTON_TOLERANCE && passes < MOST; passes++)
        size *= rate;
    return passes;
}

/* The rate by which the next correction is expected to be smaller. That of a matrix is
 * proportional to the distance from where it was built, which is the size of its first
 * correction; before any rate is measured, a usual factor is assumed. */
static double expected_rate(const lv_newton *n)
{
    const double usual = 10;
    const lv_converge *c = &n->converge;
    if (c->count == 1)
        return usual * c->size;
    return n->fresh ? c->rate * fmin(1, c->size / n->built_size) : c->rate;
}

/* Whether a new matrix saves more passes than it costs. */
static bool does_building_pay(const lv_newton *n)
{
    const double none = 0.9, size = n->converge.size, rate = expected_rate(n),
                 next = rate * size, distance = n->fresh ? size : n->built_size;
    if (n->build_passes < 1 || !(rate < none))
        return true;
    const double new_rate = rate * fmin(1, next / distance);
    return n->build_passes + 1 + passes_left(next, new_rate) < passes_left(size, rate);
}

/* Whether the next pass needs a new matrix. */
static bool needs_matrix(const lv_newton *n, lv_verdict verdict)
{
    return is_slow(n, verdict) && does_building_pay(n);
}

/* The part of a correction that was just measured in which the equations bend. */
static double curved_size(const lv_newton *n, double size)
{
    return n->equations->curved_size && isfinite(size)
               ? n->equations->curved_size(n->work)
               : size;
}

/* Whether the last correction must be shortened, because the next one is larger. Near the
 * solution rounding may cause that, and nothing is shortened; nor if the unknowns in which
 * the equations bend converge clearly, which the others follow. */
static bool grows(const lv_newton *n, double size, double curved)
{
    const double clearly = 0.25;
    return n->converge.count > 0 && !(size < n->converge.size) &&
           !(curved < clearly * n->curved_size || curved <= LV_NEWTON_NEAR);
}

/* Takes back a fraction of the last correction. */
static void retreat(lv_newton *n, double fraction)
{
    memcpy(n->update, n->last, (size_t)n->size * sizeof *n->update);
    n->equations->move(n->work, -fraction);
}

/* The error that is left after a correction of this size. */
static double error_left(const lv_newton *n, double size)
{
    return lv_newton_left(n->contraction, n->curvature, n->slow, size);
}

/* Whether corrections have stopped shrinking at the level of rounding: errors would go on
 * contracting at the earlier rate. */
static bool stands_still(const lv_newton *n, double rate_before)
{
    const lv_converge *c = &n->converge;
    return c->count > 1 && c->size < LV_NEWTON_STILL &&
           c->rate > fmax(fmax(0.1, 2 * n->slow), 5 * rate_before);
}

/* Whether this correction, or what is left after it, is no more than the rounding errors
 * that earlier steps have measured. Of an approximate matrix the rate is known, and measured;
 * of an exact one that was just built the curvature, of an older one the measured rate. */
static bool is_below_noise(const lv_newton *n, double size)
{
    const double caution = 8,
                 measured = n->converge.count > 1 ? caution * n->converge.rate : 0;
    const double rate = n->approximate ? fmax(n->contraction, measured)
                        : n->fresh     ? n->curvature * size
                                       : measured;
    return n->noise > 0 &&
           (size <= 2 * n->noise || (rate > 0 && rate * size <= n->noise));
}

/* Notes the size of the last correction if the next one is not well below it. Unknowns in
 * which the equations are affine follow the others to where these lead. */
static void note_astray(lv_newton *n, double curved)
{
    const double enough = n->careful ? LV_NEWTON_STEADY : LV_NEWTON_CERTAIN;
    if (n->converge.count > 0 && !(curved <= enough * n->curved_size))
        n->astray = fmax(n->astray, n->curved_size);
    n->curved_size = curved;
}

lv_verdict lv_newton_judge(lv_newton *n, double size, double curved)
{
    const double before = n->converge.count > 1 ? n->converge.rate : 0;
    note_astray(n, curved);
    lv_verdict verdict = lv_converge_test(&n->converge, size);
    if (n->converge.count == 1)
        n->first_size = size;
    if (n->converge.count == 2)
        n->first_rate = n->converge.rate;
    if (n->converge.count == 1 && lv_newton_is_enough(n, size))
        return LV_CONVERGED;
    if (is_below_noise(n, size))
        return LV_CONVERGED;
    if (stands_still(n, before))
        return LV_CONVERGED;
    const bool stopped = n->converge.rate >= 0.5 || n->converge.count >= MOST;
    const bool wary = n->approximate || n->adds_up;
    if (verdict == LV_CONVERGED && wary && !stopped &&
        error_left(n, size) > LV_NEWTON_TOLERANCE)
        return LV_GO_ON;
    return verdict;
}

/* Signs without a pattern, equal in every run (the mixing function of C. Wellons'
 * lowbias32). */
static double any_sign(int i, int sample)
{
    uint32_t x = (uint32_t)i * 16u + (uint32_t)sample;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (x ^ x >> 16) >> 31 ? 1 : -1;
}

/* Moves every unknown by the same amount, which makes a correction of relative size
 * `displacement`, with the signs of a sample. */
static void displace(lv_newton *n, double displacement, int sample)
{
    for (int i = 0; i < n->size; i++)
        n->update[i] = any_sign(i, sample);
    n->equations->move(n->work, displacement / n->equations->measure(n->work));
}

/* Estimates the size of the correction that rounding alone causes: J^-1 of the fourth
 * difference of the residuals, in which rounding errors of size 1 add up to sqrt(70).
 * Terms up to degree three cancel in it, so that neither corrections that shrink slowly
 * because the matrix is approximate nor equations without a nearby solution are mistaken
 * for rounding. The points are about as far apart as the last correction is large, so
 * that terms of any size are rounded differently. They lie on one side of the unknowns,
 * which are restored at the end. */
static double amplified_rounding(lv_newton *n, int sample, int side)
{
    static const double weights[] = {1, -4, 6, -4, 1};
    enum { POINTS = sizeof weights / sizeof *weights, FIRST = 2 };
    const double errors = 8.4;
    const double apart = side * (0.5 + golden_spread(sample)) * n->converge.size;
    memset(n->last, 0, (size_t)n->size * sizeof *n->last);
    n->equations->evaluate(n->work); /* measure must not take signs for a correction */
    displace(n, FIRST * apart, sample);
    for (int k = 0; k < POINTS; k++) {
        n->equations->evaluate(n->work);
        for (int i = 0; i < n->size; i++)
            n->last[i] += weights[k] / errors * n->update[i];
        displace(n, k + 1 < POINTS ? apart : -(FIRST + k) * apart, sample);
    }
    memcpy(n->update, n->last, (size_t)n->size * sizeof *n->update);
    n->equations->solve(n->work);
    return n->equations->measure(n->work);
}

/* Whether corrections that have stopped shrinking are rounding errors, amplified by a
 * nearly singular matrix or caused by terms larger than the unknowns. Rounding is found
 * on both sides of the unknowns, a kink or a jump of the equations on one side only.
 * Residuals are multiples of the last digit of their terms, and their differences may
 * vanish by chance; therefore several samples are taken. */
static bool is_rounding(lv_newton *n)
{
    enum { SAMPLES = 8 };
    const double enough = 0.1 * n->converge.size;
    bool found = false;
    for (int k = 0; k < SAMPLES && !found; k++)
        found = amplified_rounding(n, k, 1) >= enough &&
                amplified_rounding(n, k, -1) >= enough;
    return found;
}

/* Applies the correction in `update`. */
static void apply_correction(lv_newton *n)
{
    memcpy(n->last, n->update, (size_t)n->size * sizeof *n->update);
    n->equations->move(n->work, 1);
}

/* A last pass with the current matrix, at the level of rounding, so that everything is
 * evaluated where the step ends, not at the points that is_rounding has used. */
static lv_verdict finish(lv_newton *n)
{
    (void)find_correction(n, false);
    n->converge.size = n->equations->measure(n->work);
    apply_correction(n);
    n->stagnated = true;
    return isfinite(n->converge.size) ? LV_CONVERGED : LV_DIVERGED;
}

/* At the solution a correction is rounding errors alone. It is measured and not
 * applied. */
static void measure_rounding(lv_newton *n)
{
    (void)find_correction(n, false);
    const double size = n->equations->measure(n->work);
    n->rounding = size < LV_NEWTON_STILL ? size : 0;
}

void lv_newton_begin(lv_newton *n)
{
    lv_converge_start(&n->converge, LV_NEWTON_TOLERANCE, MOST);
    n->built = 0;
    n->rounding = n->astray = 0;
    n->singular = n->far = n->stagnated = n->worthless = false;
}

lv_verdict lv_newton_iterate(lv_newton *n, lv_initial_guess guess)
{
    lv_verdict verdict = LV_GO_ON;
    double gone = 1; /* fraction of the last correction that is applied */
    bool build = true, asked = false;
    lv_newton_begin(n);
    n->equations->begin(n->work, guess);
    for (int pass = 0; verdict == LV_GO_ON || verdict == LV_SLOW; pass++) {
        if (!find_correction(n, build))
            return LV_DIVERGED;
        const double size = n->equations->measure(n->work);
        const double curved = curved_size(n, size);
        if (n->misled > 0 && pass == 0 && !guess.no_history && !guess.given &&
            !(curved <= n->misled)) {
            n->worthless = true;
            return LV_DIVERGED;
        }
        if (n->approximate && pass == 0 && !(size <= LV_NEWTON_NEAR)) {
            n->far = true; /* the next pass builds a better matrix */
            n->equations->begin(n->work, guess);
            continue;
        }
        if (!n->whole && pass < MOST && gone > least && grows(n, size, curved)) {
            if (build) {
                gone *= 0.5;
                retreat(n, gone);
                n->astray = fmax(n->astray, n->curved_size);
            }
            build = true; /* the old matrix may be the reason: a new one is tried first */
            continue;
        }
        apply_correction(n);
        gone = 1;
        verdict = lv_newton_judge(n, size, curved);
        if (n->most_astray > 0 && n->astray > n->most_astray)
            return LV_DIVERGED;
        build = needs_matrix(n, verdict);
        if (n->fresh)
            n->built_size = size;
        if (verdict == LV_SLOW && !asked && lv_converge_stagnates(&n->converge)) {
            asked = true;
            if (is_rounding(n))
                return finish(n);
        }
    }
    if (verdict == LV_CONVERGED && n->measures_rounding)
        measure_rounding(n);
    return verdict;
}

/* One attempt. Without unknowns the initial guess is the solution. */
static lv_verdict attempt(lv_newton *n, lv_initial_guess guess)
{
    if (n->size > 0)
        return lv_newton_iterate(n, guess);
    lv_converge_start(&n->converge, LV_NEWTON_TOLERANCE, MOST);
    n->equations->begin(n->work, guess);
    return LV_CONVERGED;
}

/* Keeps the attempt that a message describes: the first one that is not lost, or the
 * first one. */
static void keep_shown(lv_newton *n, int number, bool first)
{
    const bool lost = n->singular || !isfinite(n->converge.size);
    if (first || (!lost && (n->shown_singular || !isfinite(n->shown.size)))) {
        n->shown = n->converge;
        n->shown_singular = n->singular;
        n->shown_number = number;
    }
    n->lost = (!first && n->lost) || lost;
}

static bool succeeds(lv_newton *n, lv_initial_guess guess)
{
    const lv_verdict verdict = attempt(n, guess);
    n->without_history = guess.no_history;
    if (guess.extrapolation != 1) /* nothing of the motion suggests it */
        n->astray = INFINITY;
    n->iterations += n->converge.count;
    return verdict == LV_CONVERGED &&
           (!n->equations->settled || n->equations->settled(n->work));
}

bool lv_newton_continue(lv_newton *n, lv_initial_guess guess, double most)
{
    n->iterations = 0;
    n->whole = true;
    n->careful = guess.given;
    n->most_astray = most;
    const bool found = succeeds(n, guess);
    n->careful = false;
    n->most_astray = 0;
    return found && n->astray <= most;
}

bool lv_newton_solve(lv_newton *n)
{
    const int usual = n->size <= SMALL ? LV_INITIAL_GUESSES : LV_INITIAL_GUESSES_LARGE;
    const int most = n->beginnings > 0 ? n->beginnings : usual;
    bool first = true;
    n->iterations = 0;
    n->whole = n->full_steps_first;
    if (n->doubts_history && succeeds(n, lv_newton_initial_guess(1)))
        return true;
    for (int k = n->full_steps_first ? -1 : 0; k < most;
         k++) { /* -1: the usual guess with full steps */
        /* the same guess was just given up after its first correction */
        const bool again = k == 0 && n->full_steps_first && n->worthless;
        n->whole = k < 0;
        if (!again && succeeds(n, lv_newton_initial_guess(k < 0 ? 0 : k)))
            return true;
        if (!n->worthless || k == most - 1) {
            keep_shown(n, k, first);
            first = false;
        }
        if (k == 0 && n->remembers &&
            succeeds(n, (lv_initial_guess){.extrapolation = 1, .last_values = true}))
            return true;
    }
    return false;
}

lv_status lv_newton_retrace(lv_newton *n, lv_status (*ask)(void *work, lv_error *err),
                            lv_error *err)
{
    const int first = n->full_steps_first ? -1 : 0;
    n->ask = ask;
    n->answer = err;
    n->answered = ask(n->work, err);
    for (int pass = 0; pass < 2 && n->answered == LV_OK; pass++) {
        const int k = pass == 0 ? first : n->shown_number;
        n->whole = k < 0;
        if (pass == 0 || k != first)
            (void)attempt(n, lv_newton_initial_guess(k < 0 ? 0 : k));
    }
    n->ask = NULL;
    return n->answered;
}
