/* Steps in lanes. Loops over lanes have a fixed length, so that compilers use vector
 * instructions for them. */
#include "step/lanes.h"

#include "base/inline.h"
#include "base/wide.h"
#include "expr/lanes.h"
#include "step/lanes_private.h"

#include <stdint.h>
#include <string.h>

/* The state of a lane during a step; the first two values are those of lv_lanes.going. */
enum { IDLE, GOING, DONE, FAILED };

/* A step of all lanes. Flags have the size of a double, so that both fit into the same
 * vectors. */
typedef struct making {
    lv_lanes *x;
    int64_t lane[LV_LANES];
    int64_t slow[LV_LANES]; /* more than one pass was needed */
    int64_t passes[LV_LANES];
    bool any_slow;
} making;

LV_INLINE bool has_any(const making *m, int64_t what)
{
    lv_flags any = {0};
    LV_BOTH(o)
    any |= LV_FLAGS_OF(m->lane + o) == what;
    int64_t all = 0;
    for (int l = 0; l < LV_ROW; l++)
        all |= any[l];
    return all != 0;
}

/* ---- steps of all lanes ------------------------------------------------------------ */

/* Pending steps never include the last one of a round, so numbers need not start
 * again. */
void lv_lanes_count(lv_lanes *x)
{
    for (int l = 0; x->pending > 0 && l < LV_LANES; l++) {
        if (!x->stepper[l])
            continue;
        x->number[l] += x->pending;
        x->made[l] += x->pending;
        for (int k = 0; k < x->map.phases; k++) {
            int *known = &x->past[k].known[l];
            *known = *known + x->pending < LV_PREDICTOR_DEPTH ? *known + x->pending
                                                              : LV_PREDICTOR_DEPTH;
        }
    }
    x->pending = 0;
}

/* The number of usual steps that follow: up to the end of the round of a lane; 0 if a
 * lane is probing, or must because its contraction is unknown. */
static int count_usual(const lv_lanes *x)
{
    int usual = LV_STEP_ROUND;
    for (int l = 0; l < LV_LANES; l++) {
        if (!x->stepper[l])
            continue;
        usual =
            LV_STEP_ROUND - x->number[l] < usual ? LV_STEP_ROUND - x->number[l] : usual;
        for (int k = 0; k < x->map.phases; k++)
            if (x->past[k].curve[l] == 0 || x->past[k].probing[l])
                usual = 0;
    }
    return usual;
}

/* ---- initial guesses --------------------------------------------------------------- */

/* Sets the weights of the next initial guess. A probing step, which measures the
 * contraction of its matrix, starts farther from the solution: with two past values. */
static void choose_weights(lv_lane_past *past, int lane, bool probing, int turns)
{
    double weight[LV_PREDICTOR_DEPTH] = {0};
    past->probing[lane] = probing;
    past->curvature[lane] = lv_step_curvature(probing, past->curve[lane]);
    if (probing)
        lv_predictor_weights(weight, 2, turns);
    for (int k = 0; k < LV_PREDICTOR_DEPTH; k++)
        past->weight[k][lane] = probing ? weight[k] : past->usual[k][lane];
    past->far[lane] = lv_lane_is_far(past->used[lane], probing);
}

/* A number of the predictor in the memory of the stepper; only for those that do not
 * change while the stepper is in its lane. */
static double past_number(const lv_lanes *x, int phase, int lane, int which)
{
    const double *memory = x->stepper[lane]->memory + x->map.phase[phase].memory;
    return memory[LV_NOTES + which];
}

static void begin_phase(const making *m, int phase)
{
    const lv_lanes *x = m->x;
    lv_lane_past *past = &x->past[phase];
    for (int l = 0; l < LV_LANES; l++) {
        if (m->lane[l] != GOING)
            continue;
        const bool probing = lv_step_probes(x->number[l], past->known[l], past->curve[l]);
        if (probing != past->probing[l])
            choose_weights(past, l, probing,
                           (int)past_number(x, phase, l, LV_PAST_TURNS));
    }
}

static void begin_unusual(const making *m)
{
    lv_lanes_count(m->x);
    for (int k = 0; k < m->x->map.phases; k++)
        begin_phase(m, k);
}

enum { HALF = LV_PREDICTOR_DEPTH / 2 };

/* The sum of one half of the weighted past values, in the order of step/predictor.c. */
LV_INLINE void add_half(const lv_lanes *x, int phase, int r, int first,
                        double sum[LV_LANES])
{
    const lv_lane_past *past = &x->past[phase];
    const double(*w)[LV_LANES] = past->weight + first;
    const double *v[HALF];
    for (int k = 0; k < HALF; k++)
        v[k] = lv_lane_values(x, phase, first + k) + (ptrdiff_t)r * LV_LANES;
#define TERM(k) (LV_OF(w[k] + o) * LV_OF(v[k] + o))
    LV_BOTH(o)
    LV_PUT(sum + o) =
        (TERM(0) + TERM(1)) + (TERM(2) + TERM(3)) + (TERM(4) + TERM(5)) + TERM(6);
#undef TERM
}

LV_INLINE void expect(const lv_lanes *x, int phase)
{
    const lv_lane_past *past = &x->past[phase];
    const lv_lane_phase *p = &x->map.phase[phase];
    int64_t any = 0;
    for (int l = 0; l < LV_LANES; l++)
        any |= past->far[l];
    for (int r = 0; r < p->count; r++) {
        double *to = lv_lane_slot(x, p->guess + r), more[LV_LANES];
        add_half(x, phase, r, 0, to);
        if (!any)
            continue;
        add_half(x, phase, r, HALF, more);
        LV_BOTH(o)
        LV_PUT(to + o) = LV_CHOOSE(LV_FLAGS_OF(past->far + o),
                                   LV_OF(to + o) + LV_OF(more + o), LV_OF(to + o));
    }
}

/* ---- a pass ------------------------------------------------------------------------ */

/* Marks lanes as failed whose results are not finite or whose pivots are small
 * (step/fused.h). */
LV_INLINE void check_results(making *m)
{
    const lv_lanes *x = m->x;
    const double *growth = lv_lane_slot(x, x->map.growth),
                 *sum = lv_lane_slot(x, x->map.sum);
    LV_BOTH(o)
    {
        const lv_flags good = LV_OF(growth + o) + 0 * LV_OF(sum + o) <= LV_FUSED_GROWTH,
                       lane = LV_FLAGS_OF(m->lane + o), bad = ~good & (lane == GOING);
        LV_FLAGS_AT(m->lane + o) = (lane & ~bad) | (FAILED & bad);
    }
}

LV_INLINE void run_program(making *m)
{
    const lv_lanes *x = m->x;
    if (x->code)
        lv_code_run(x->code, x->workspace);
    else
        lv_program_run(x->program, LV_SEGMENT_MAIN, x->workspace, LV_LANES);
    check_results(m);
}

/* ---- has a lane converged? --------------------------------------------------------- */

/* The verdict of a phase in a lane in which one pass is not enough. */
static lv_verdict judge_slow(making *m, int phase, int lane)
{
    const lv_lanes *x = m->x;
    const lv_lane_phase *p = &x->map.phase[phase];
    lv_newton *n = &x->past[phase].newton[lane];
    if (m->passes[lane] == 1) {
        n->converge.count = 0;
        n->curvature = x->past[phase].curvature[lane];
    }
    n->misled = lv_lane_slot(x, p->excess)[lane] <= 0 ? LV_STEP_MISLED : LV_STEP_DOUBTFUL;
    return lv_solver_verdict(n, lv_lane_slot(x, p->size)[lane]);
}

/* The usual case, for all lanes: is the error that remains after the first correction
 * below rounding? */
LV_INLINE void test_first(const making *m, int phase, int64_t enough[LV_LANES])
{
    const lv_lanes *x = m->x;
    const lv_lane_past *past = &x->past[phase];
    const double slow = x->map.phase[phase].slow,
                 *size = lv_lane_slot(x, x->map.phase[phase].size);
    LV_BOTH(o)
    {
        /* The remaining error is estimated as in lv_newton_left. */
        const lv_row zero = {0}, change = LV_OF(size + o),
                     square = LV_OF(past->curvature + o) * change,
                     known = LV_LARGER(square, zero),
                     left = change * LV_CHOOSE(known > 0, known, zero + slow);
        LV_FLAGS_AT(enough + o) &=
            (change <= LV_STEP_DOUBTFUL) & (left <= LV_NEWTON_TOLERANCE);
    }
}

static void judge_slow_lanes(making *m)
{
    lv_verdict verdict[LV_LANES];
    lv_lanes_count(m->x);
    m->any_slow = true;
    for (int l = 0; l < LV_LANES; l++)
        verdict[l] = LV_CONVERGED;
    for (int k = 0; k < m->x->map.phases; k++)
        for (int l = 0; l < LV_LANES; l++) {
            if (m->lane[l] != GOING || verdict[l] == LV_DIVERGED)
                continue;
            const lv_verdict found = judge_slow(m, k, l);
            verdict[l] = found == LV_CONVERGED ? verdict[l] : found;
        }
    for (int l = 0; l < LV_LANES; l++)
        if (m->lane[l] == GOING && verdict[l] != LV_GO_ON) {
            m->lane[l] = verdict[l] == LV_CONVERGED ? DONE : FAILED;
            m->slow[l] = true;
        }
}

LV_INLINE void judge(making *m, int pass)
{
    int64_t enough[LV_LANES];
    LV_BOTH(o)
    {
        const lv_flags none = {0}, going = LV_FLAGS_OF(m->lane + o) == GOING;
        LV_FLAGS_AT(enough + o) = pass == 1 ? going : none;
        LV_FLAGS_AT(m->passes + o) -= going;
    }
    for (int k = 0; pass == 1 && k < m->x->map.phases; k++)
        test_first(m, k, enough);
    LV_BOTH(o)
    {
        const lv_flags is = LV_FLAGS_OF(enough + o), lane = LV_FLAGS_OF(m->lane + o);
        LV_FLAGS_AT(m->lane + o) = (lane & ~is) | (DONE & is);
    }
    if (has_any(m, GOING))
        judge_slow_lanes(m);
}

/* Makes the unknowns of this pass the initial guess of the next one. Lanes that are done
 * repeat their pass, with the same result. */
static void go_on(const making *m)
{
    const lv_lanes *x = m->x;
    for (int k = 0; k < x->map.phases; k++) {
        const lv_lane_phase *p = &x->map.phase[k];
        for (int i = 0; i < p->count; i++) {
            const double *from = lv_lane_output(x, p->found + i);
            double *to = lv_lane_slot(x, p->guess + i);
            for (int l = 0; l < LV_LANES; l++)
                to[l] = m->lane[l] == GOING ? from[l] : to[l];
        }
    }
}

/* Marks lanes as failed that need more than lanes do: a better initial guess, or a check
 * whether the equations are really solved. The simulation takes the step by itself. */
static void refuse_unusual(making *m)
{
    enum { EASY = 2 };
    const lv_lanes *x = m->x;
    for (int l = 0; l < LV_LANES; l++)
        for (int k = 0; m->lane[l] == DONE && m->slow[l] && k < x->map.phases; k++) {
            const lv_newton *n = &x->past[k].newton[l];
            const int passes = n->iterations;
            if (lv_step_program_missed(x->number[l], x->past[k].known[l],
                                       x->past[k].probing[l], passes, n->first_size,
                                       past_number(x, k, l, LV_PAST_MISS)) ||
                (x->map.phase[k].checks && passes > EASY))
                m->lane[l] = FAILED;
        }
    if (x->map.left_over < 0)
        return;
    const double *left_over = lv_lane_slot(x, x->map.left_over);
    for (int l = 0; l < LV_LANES; l++)
        if (m->lane[l] == DONE && !(left_over[l] <= 0))
            m->lane[l] = FAILED;
}

/* ---- the end of a step ------------------------------------------------------------- */

/* Lanes that stay as they are; whole: there are none. */
typedef struct kept_lanes {
    bool whole;
    bool lane[LV_LANES];
} kept_lanes;

/* to = from, except in lanes that are kept. */
LV_INLINE void take(double *to, const double *from, const kept_lanes *kept)
{
    if (kept->whole) {
        LV_BOTH(o)
        LV_PUT(to + o) = LV_OF(from + o);
        return;
    }
    for (int l = 0; l < LV_LANES; l++)
        to[l] = kept->lane[l] ? to[l] : from[l];
}

LV_INLINE void move_past(const lv_lanes *x, int phase)
{
    const lv_lane_phase *p = &x->map.phase[phase];
    double *last = lv_lane_values(x, phase, 0);
    for (int i = 0; i < p->count; i++, last += LV_LANES) {
        const double *from = lv_lane_output(x, p->found + i);
        LV_BOTH(o)
        LV_PUT(last + o) = LV_OF(from + o);
    }
}

static void learn(const making *m, int phase, int lane)
{
    lv_lane_past *past = &m->x->past[phase];
    past->curve[lane] = lv_step_learned(&past->newton[lane], past->curve[lane],
                                        past->known[lane], past->probing[lane], true);
    past->curvature[lane] = lv_step_curvature(past->probing[lane], past->curve[lane]);
}

LV_INLINE void take_state(const lv_lanes *x, const double t[LV_LANES],
                          const kept_lanes *kept)
{
    for (int k = 0; k < x->moves; k++)
        take(lv_lane_slot(x, x->move[k].to), lv_lane_slot(x, x->move[k].from), kept);
    for (int k = 0; k < x->map.handovers; k++) {
        const double at = x->map.handover[k].at;
        double now[LV_LANES];
        LV_BOTH(o)
        LV_PUT(now + o) = LV_OF(t + o) + at * LV_OF(x->h + o);
        take(x->time + (ptrdiff_t)k * LV_LANES, now, kept);
    }
}

/* Ends a step after which a lane has something to store. */
static void finish_unusual(const making *m)
{
    lv_lanes *x = m->x;
    lv_lanes_count(x);
    for (int l = 0; l < LV_LANES; l++) {
        x->behind[l] = m->lane[l] == FAILED;
        for (int k = 0; k < x->map.phases; k++)
            x->past[k].known[l] +=
                !x->behind[l] & (x->past[k].known[l] < LV_PREDICTOR_DEPTH);
        for (int k = 0; m->lane[l] == DONE && m->slow[l] && k < x->map.phases; k++)
            learn(m, k, l);
        const int next = x->number[l] < LV_STEP_ROUND ? x->number[l] + 1 : 1;
        x->number[l] = x->behind[l] ? x->number[l] : next;
        x->made[l] += !x->behind[l];
    }
    x->usual = count_usual(x);
}

LV_INLINE void finish(const making *m, bool whole, const double t[LV_LANES])
{
    lv_lanes *x = m->x;
    kept_lanes kept = {.whole = whole};
    for (int l = 0; !whole && l < LV_LANES; l++)
        kept.lane[l] = m->lane[l] == FAILED;
    x->newest = x->newest + 1 < LV_LANE_DEPTH ? x->newest + 1 : 0;
    for (int k = 0; k < x->map.phases; k++)
        move_past(x, k);
    take_state(x, t, &kept);
    if (whole && !m->any_slow && x->usual > 0) {
        x->usual--;
        x->pending++;
    } else {
        finish_unusual(m);
    }
}

/* ---- steps ------------------------------------------------------------------------- */

/* Marks lanes as failed whose handed-over quantities are for another time. */
LV_INLINE void check_times(making *m, const double t[LV_LANES])
{
    const lv_lanes *x = m->x;
    for (int k = 0; k < x->map.handovers; k++) {
        const double *time = x->time + (ptrdiff_t)k * LV_LANES;
        for (int l = 0; x->map.handover[k].of_time && l < LV_LANES; l++)
            if (m->lane[l] == GOING && time[l] != t[l])
                m->lane[l] = FAILED;
    }
}

LV_INLINE void begin(making *m, const double t[LV_LANES])
{
    const lv_lanes *x = m->x;
    memcpy(m->lane, x->going, sizeof m->lane);
    check_times(m, t);
    memcpy(lv_lane_slot(x, x->program->input[LV_INPUT_T]), t, LV_LANES * sizeof *t);
}

LV_INLINE void tell(const making *m, bool whole, bool *made, int *passes)
{
    const lv_lanes *x = m->x;
    memcpy(made, x->there, sizeof x->there);
    memcpy(passes, x->passes, sizeof x->passes);
    if (whole && !m->any_slow)
        return;
    for (int l = 0; l < LV_LANES; l++) {
        made[l] = m->lane[l] == DONE;
        passes[l] = x->map.phases * (int)m->passes[l];
    }
}

LV_INLINE bool make_step(lv_lanes *x, const double *t, bool *made, int *passes)
{
    making m = {.x = x};
    begin(&m, t);
    if (x->usual == 0)
        begin_unusual(&m);
    for (int k = 0; k < x->map.phases; k++)
        expect(x, k);
    for (int pass = 1; has_any(&m, GOING); pass++) {
        if (pass > 1)
            go_on(&m);
        run_program(&m);
        judge(&m, pass);
    }
    if (m.any_slow || x->map.left_over >= 0)
        refuse_unusual(&m);
    const bool whole = !has_any(&m, FAILED);
    finish(&m, whole, t);
    tell(&m, whole, made, passes);
    return whole;
}

static bool step_plain(lv_lanes *x, const double *t, bool *made, int *passes)
{
    return make_step(x, t, made, passes);
}

LV_WIDE static bool step_wide(lv_lanes *x, const double *t, bool *made, int *passes)
{
    return make_step(x, t, made, passes);
}

bool lv_lanes_step(lv_lanes *x, const double t[LV_LANES], bool made[LV_LANES],
                   int passes[LV_LANES])
{
    return (lv_is_wide() ? step_wide : step_plain)(x, t, made, passes);
}
