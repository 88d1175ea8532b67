/* Steps in lanes. Loops over lanes have a fixed length, so that compilers use vector
 * instructions for them. */
#include "stepper/lanes.h"

#include "base/inline.h"
#include "base/wide.h"
#include "expr/lanes.h"
#include "stepper/lanes_private.h"

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

/* Adds steps of so many passes each. */
static void count_steps(lv_lane_count *count, int steps, int passes)
{
    count->steps += steps;
    count->passes += (long long)steps * passes;
    count->most = passes > count->most ? passes : count->most;
    count->last = passes;
}

/* Pending steps never include the last one of a round, so numbers need not start
 * again. */
void lv_lanes_count(lv_lanes *x)
{
    for (int l = 0; x->pending > 0 && l < LV_LANES; l++) {
        if (!x->stepper[l])
            continue;
        x->number[l] += x->pending;
        x->made[l] += x->pending;
        count_steps(&x->count[l], x->pending, x->map.phases);
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

static void begin_phase(const lv_lanes *x, int phase)
{
    lv_lane_past *past = &x->past[phase];
    for (int l = 0; l < LV_LANES; l++) {
        if (!x->there[l])
            continue;
        const bool probing = lv_step_probes(x->number[l], past->known[l], past->curve[l]);
        if (probing != past->probing[l])
            choose_weights(past, l, probing,
                           (int)past_number(x, phase, l, LV_PAST_TURNS));
    }
}

static void begin_unusual(lv_lanes *x)
{
    lv_lanes_count(x);
    for (int k = 0; k < x->map.phases; k++)
        begin_phase(x, k);
}

enum { HALF = LV_PREDICTOR_DEPTH / 2 };

/* The sum of one half of the weighted past values, in the order of course/predictor.c. */
LV_INLINE void add_half(const lv_lane_past *past, const double *newest, int first, int o,
                        lv_row *sum)
{
#define TERM(k)                                                                          \
    (LV_OF(past->weight[first + (k)] + o) *                                              \
     LV_OF(newest - (ptrdiff_t)(first + (k)) * LV_LANES + o))
    *sum = (TERM(0) + TERM(1)) + (TERM(2) + TERM(3)) + (TERM(4) + TERM(5)) + TERM(6);
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
        double *to = lv_lane_slot(x, p->guess + r);
        const double *newest = lv_lane_value(x, phase, r);
        LV_BOTH(o)
        {
            lv_row near, more;
            add_half(past, newest, 0, o, &near);
            LV_PUT(to + o) = near;
            if (!any)
                continue;
            add_half(past, newest, HALF, o, &more);
            LV_PUT(to + o) = LV_CHOOSE(LV_FLAGS_OF(past->far + o), near + more, near);
        }
    }
}

/* ---- a pass ------------------------------------------------------------------------ */

/* good: flags of lanes whose results are finite and whose pivots are not small
 * (fused/fused.h). */
LV_INLINE void find_good(const lv_lanes *x, int o, lv_flags *good)
{
    const double *growth = lv_lane_slot(x, x->map.growth) + o,
                 *sum = lv_lane_slot(x, x->map.sum) + o;
    *good = LV_OF(growth) + 0 * LV_OF(sum) <= LV_FUSED_GROWTH;
}

/* Marks lanes as failed whose results are not good. */
LV_INLINE void check_results(making *m)
{
    LV_BOTH(o)
    {
        lv_flags good;
        find_good(m->x, o, &good);
        const lv_flags lane = LV_FLAGS_OF(m->lane + o), bad = ~good & (lane == GOING);
        LV_FLAGS_AT(m->lane + o) = (lane & ~bad) | (FAILED & bad);
    }
}

LV_INLINE void run_program(const lv_lanes *x)
{
    if (x->code)
        lv_code_run(x->code, x->workspace);
    else
        lv_program_run(x->program, LV_SEGMENT_MAIN, x->workspace, LV_LANES);
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

/* The usual case: keeps the flags of lanes in which the error that remains after the first
 * correction is below rounding. */
LV_INLINE void keep_solved(const lv_lanes *x, int phase, int o, lv_flags *solved)
{
    const lv_lane_past *past = &x->past[phase];
    const double slow = x->map.phase[phase].slow,
                 *size = lv_lane_slot(x, x->map.phase[phase].size) + o;
    /* The remaining error is estimated as in lv_newton_left. */
    const lv_row zero = {0}, change = LV_OF(size),
                 square = LV_OF(past->curvature + o) * change,
                 known = LV_LARGER(square, zero),
                 left = change * LV_CHOOSE(known > 0, known, zero + slow);
    *solved &= (change <= LV_STEP_DOUBTFUL) & (left <= LV_NEWTON_TOLERANCE);
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
    const lv_lanes *x = m->x;
    LV_BOTH(o)
    {
        const lv_flags lane = LV_FLAGS_OF(m->lane + o), going = lane == GOING;
        lv_flags enough = going & (pass == 1 ? -1 : 0);
        for (int k = 0; pass == 1 && k < x->map.phases; k++)
            keep_solved(x, k, o, &enough);
        LV_FLAGS_AT(m->passes + o) -= going;
        LV_FLAGS_AT(m->lane + o) = (lane & ~enough) | (DONE & enough);
    }
    if (has_any(m, GOING))
        judge_slow_lanes(m);
}

/* Makes the unknowns of this pass the initial guess of the next one. Lanes that are done
 * repeat their pass, with the same result. */
LV_INLINE void go_on(const making *m)
{
    const lv_lanes *x = m->x;
    for (int k = 0; k < x->map.phases; k++) {
        const lv_lane_phase *p = &x->map.phase[k];
        for (int i = 0; i < p->count; i++) {
            const double *from = lv_lane_output(x, p->found + i);
            double *to = lv_lane_slot(x, p->guess + i);
            LV_BOTH(o)
            LV_PUT(to + o) = LV_CHOOSE(LV_FLAGS_OF(m->lane + o) == GOING, LV_OF(from + o),
                                       LV_OF(to + o));
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

LV_INLINE void copy(double *to, const double *from)
{
    LV_BOTH(o)
    LV_PUT(to + o) = LV_OF(from + o);
}

/* to = from, except in lanes that have failed. */
static void copy_made(const making *m, double *to, const double *from)
{
    for (int l = 0; l < LV_LANES; l++)
        to[l] = m->lane[l] == FAILED ? to[l] : from[l];
}

/* The time for which the quantities of a handover are, after a step from t. */
LV_INLINE void find_time(const lv_lanes *x, int handover, const double *t, double *time)
{
    const double at = x->map.handover[handover].at;
    LV_BOTH(o)
    LV_PUT(time + o) = LV_OF(t + o) + at * LV_OF(x->h + o);
}

/* Adds the unknowns of a step to the past; lanes that have failed are behind then. */
LV_INLINE void move_past(lv_lanes *x)
{
    enum { APART = LV_LANE_DEPTH * LV_LANES };
    x->newest = x->newest + 1 < 2 * LV_LANE_DEPTH ? x->newest + 1 : LV_LANE_DEPTH;
    for (int k = 0; k < x->map.phases; k++)
        for (int r = 0; r < x->map.phase[k].count; r++) {
            const double *from = lv_lane_output(x, x->map.phase[k].found + r);
            double *to = lv_lane_value(x, k, r);
            copy(to, from);
            copy(to - APART, from);
        }
}

static void learn(const making *m, int phase, int lane)
{
    lv_lane_past *past = &m->x->past[phase];
    past->curve[lane] = lv_step_learned(&past->newton[lane], past->curve[lane],
                                        past->known[lane], past->probing[lane], true, 0);
    past->curvature[lane] = lv_step_curvature(past->probing[lane], past->curve[lane]);
}

/* Counts a step, and stores what lanes have learned in it. */
static void count_unusual(const making *m)
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
        if (m->lane[l] == DONE)
            count_steps(&x->count[l], 1, x->map.phases * (int)m->passes[l]);
    }
    x->usual = count_usual(x);
}

/* Stores a step that all lanes have taken. */
LV_INLINE void store(lv_lanes *x, const double t[LV_LANES])
{
    move_past(x);
    for (const lv_lane_move *m = x->move, *end = m + x->moves; m < end; m++)
        copy(m->to, m->from);
    for (int k = 0; k < x->map.handovers; k++)
        find_time(x, k, t, x->time + (ptrdiff_t)k * LV_LANES);
}

/* Stores a step that some lanes have not taken. */
static void store_made(const making *m, const double t[LV_LANES])
{
    lv_lanes *x = m->x;
    move_past(x);
    for (int k = 0; k < x->moves; k++)
        copy_made(m, x->move[k].to, x->move[k].from);
    for (int k = 0; k < x->map.handovers; k++) {
        double time[LV_LANES];
        find_time(x, k, t, time);
        copy_made(m, x->time + (ptrdiff_t)k * LV_LANES, time);
    }
}

/* ---- steps ------------------------------------------------------------------------- */

/* Marks lanes as failed whose handed-over quantities are for another time. */
static void check_times(making *m, const double t[LV_LANES])
{
    const lv_lanes *x = m->x;
    for (int k = 0; k < x->map.handovers; k++) {
        const double *time = x->time + (ptrdiff_t)k * LV_LANES;
        for (int l = 0; x->map.handover[k].of_time && l < LV_LANES; l++)
            if (m->lane[l] == GOING && time[l] != t[l])
                m->lane[l] = FAILED;
    }
}

/* The rest of a step after the first pass, whatever has happened in it. */
LV_INLINE bool complete(lv_lanes *x, const double t[LV_LANES], bool made[LV_LANES])
{
    making m = {.x = x};
    memcpy(m.lane, x->going, sizeof m.lane);
    check_times(&m, t);
    for (int pass = 1; has_any(&m, GOING); pass++) {
        if (pass > 1) {
            go_on(&m);
            run_program(x);
        }
        check_results(&m);
        judge(&m, pass);
    }
    if (m.any_slow || x->map.left_over >= 0)
        refuse_unusual(&m);
    const bool whole = !has_any(&m, FAILED);
    if (whole)
        store(x, t);
    else
        store_made(&m, t);
    count_unusual(&m);
    for (int l = 0; l < LV_LANES; l++)
        made[l] = m.lane[l] == DONE;
    return whole;
}

/* Counts a step of one pass in all lanes. */
static void count_easy(lv_lanes *x)
{
    making m = {.x = x};
    for (int l = 0; l < LV_LANES; l++) {
        m.lane[l] = x->there[l] ? DONE : IDLE;
        m.passes[l] = 1;
    }
    count_unusual(&m);
}

/* Whether one pass was enough in all lanes, and nothing is unusual. */
LV_INLINE bool is_easy(const lv_lanes *x, const double t[LV_LANES])
{
    lv_flags all = {0};
    LV_BOTH(o)
    {
        lv_flags good;
        find_good(x, o, &good);
        for (int k = 0; k < x->map.phases; k++)
            keep_solved(x, k, o, &good);
        if (x->map.left_over >= 0)
            good &= LV_OF(lv_lane_slot(x, x->map.left_over) + o) <= 0;
        for (int k = 0; k < x->map.handovers; k++)
            if (x->map.handover[k].of_time)
                good &= LV_OF(x->time + (ptrdiff_t)k * LV_LANES + o) == LV_OF(t + o);
        all |= ~good & (LV_FLAGS_OF(x->going + o) == GOING);
    }
    int64_t any = 0;
    for (int l = 0; l < LV_ROW; l++)
        any |= all[l];
    return any == 0;
}

LV_INLINE bool make_step(lv_lanes *x, const double *t, bool *made)
{
    copy(lv_lane_slot(x, x->program->input[LV_INPUT_T]), t);
    if (x->usual == 0)
        begin_unusual(x);
    for (int k = 0; k < x->map.phases; k++)
        expect(x, k);
    run_program(x);
    if (!is_easy(x, t))
        return complete(x, t, made);
    store(x, t);
    if (x->usual > 0) {
        x->usual--;
        x->pending++;
    } else {
        count_easy(x);
    }
    memcpy(made, x->there, sizeof x->there);
    return true;
}

static bool step_plain(lv_lanes *x, const double *t, bool *made)
{
    return make_step(x, t, made);
}

LV_WIDE static bool step_wide(lv_lanes *x, const double *t, bool *made)
{
    return make_step(x, t, made);
}

bool lv_lanes_step(lv_lanes *x, const double t[LV_LANES], bool made[LV_LANES])
{
    return (lv_is_wide() ? step_wide : step_plain)(x, t, made);
}
