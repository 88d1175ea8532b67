/* Steps in lanes. Loops over lanes have a fixed length, which compilers turn into instructions for vectors. */
#include "step/lanes.h"

#include "base/inline.h"
#include "base/wide.h"
#include "expr/lanes.h"
#include "step/lanes_private.h"

#include <stdint.h>
#include <string.h>

/* What is going on in a lane during a step. */
enum { IDLE, GOING, DONE, FAILED };

/* Flags have the size of numbers, so that both go together in vectors. */
typedef struct making {
    lv_lanes *x;
    int64_t lane[LV_LANES];
    int64_t slow[LV_LANES]; /* one pass was not enough */
    int passes[LV_LANES];
} making;

LV_INLINE bool has_any(const making *m, int64_t what)
{
    int64_t any = 0;
    for (int l = 0; l < LV_LANES; l++)
        any |= m->lane[l] == what;
    return any != 0;
}

/* ---- initial guesses ------------------------------------------------------------------------------------------ */

/* Where a step shows how its matrix contracts it begins farther off, with two past values. */
static void choose_weights(lv_lane_past *past, int lane, bool probing, int turns)
{
    double weight[LV_PREDICTOR_DEPTH] = {0};
    past->probing[lane] = probing;
    past->curvature[lane] = lv_step_curvature(probing, past->curve[lane]);
    if (probing)
        lv_predictor_weights(weight, 2, turns);
    for (int k = 0; k < LV_PREDICTOR_DEPTH; k++)
        past->weight[k][lane] = probing ? weight[k] : past->usual[k][lane];
}

/* What is known of the guess, which does not change while the stepper is in its lane. */
static double past_number(const lv_lanes *x, int phase, int lane, int which)
{
    const double *memory = x->stepper[lane]->memory + x->map.phase[phase].memory;
    return memory[LV_NOTES + which];
}

/* Does no lane probe, nor any that did? */
LV_INLINE bool is_usual(const lv_lanes *x, const lv_lane_past *past)
{
    int64_t unusual = 0;
    for (int l = 0; l < LV_LANES; l++)
        unusual |=
            (past->curve[l] == 0) | past->probing[l] | (x->number[l] == LV_STEP_ROUND);
    return unusual == 0;
}

LV_INLINE void begin_phase(const making *m, int phase)
{
    const lv_lanes *x = m->x;
    lv_lane_past *past = &x->past[phase];
    if (is_usual(x, past))
        return;
    for (int l = 0; l < LV_LANES; l++) {
        if (m->lane[l] != GOING)
            continue;
        const bool probing = lv_step_probes(x->number[l], past->known[l], past->curve[l]);
        if (probing != past->probing[l])
            choose_weights(past, l, probing,
                           (int)past_number(x, phase, l, LV_PAST_TURNS));
    }
}

enum { HALF = LV_PREDICTOR_DEPTH / 2 };

/* As in step/predictor.c. */
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
    bool far[LV_LANES], any = false;
    for (int l = 0; l < LV_LANES; l++) {
        far[l] = past->used[l] > HALF && !past->probing[l];
        any = any || far[l];
    }
    for (int r = 0; r < p->count; r++) {
        double *to = lv_lane_slot(x, p->guess + r), more[LV_LANES];
        add_half(x, phase, r, 0, to);
        if (!any)
            continue;
        add_half(x, phase, r, HALF, more);
        for (int l = 0; l < LV_LANES; l++)
            to[l] = far[l] ? to[l] + more[l] : to[l];
    }
}

/* ---- a pass --------------------------------------------------------------------------------------------------- */

/* Lanes whose results are not finite, or whose pivots are small, are given up (step/fused.h). */
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

/* ---- has a lane converged? -------------------------------------------------------------------------------------- */

/* A lane in which one pass is not enough. */
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

/* The usual case, for all lanes: is what the first correction leaves below rounding? */
LV_INLINE void test_first(const making *m, int phase, int64_t enough[LV_LANES])
{
    const lv_lanes *x = m->x;
    const lv_lane_past *past = &x->past[phase];
    const double slow = x->map.phase[phase].slow,
                 *size = lv_lane_slot(x, x->map.phase[phase].size);
    LV_BOTH(o)
    {
        const lv_row zero = {0}, change = LV_OF(size + o),
                     square = LV_OF(past->curvature + o) * change,
                     known = LV_LARGER(square, zero), /* as lv_newton_left has it */
            left = change * LV_CHOOSE(known > 0, known, zero + slow);
        LV_FLAGS_AT(enough + o) &=
            (change <= LV_STEP_DOUBTFUL) & (left <= LV_NEWTON_TOLERANCE);
    }
}

static void judge_slow_lanes(making *m)
{
    lv_verdict verdict[LV_LANES];
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
    for (int l = 0; l < LV_LANES; l++) {
        enough[l] = pass == 1 && m->lane[l] == GOING ? -1 : 0;
        m->passes[l] += m->lane[l] == GOING;
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

/* The next pass begins where this one has led; the others do theirs once more, with the same result. */
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

/* What takes a closer look at the past, or at the equations, is for the simulation itself. */
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
}

/* ---- the end of a step ------------------------------------------------------------------------------------------ */

/* Lanes that are kept as they are; whole: there are none. */
typedef struct kept_lanes {
    bool whole;
    bool lane[LV_LANES];
} kept_lanes;

/* to = from, but in lanes that are kept. */
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
    int *known = x->past[phase].known;
    for (int i = 0; i < p->count; i++, last += LV_LANES) {
        const double *from = lv_lane_output(x, p->found + i);
        LV_BOTH(o)
        LV_PUT(last + o) = LV_OF(from + o);
    }
    for (int l = 0; l < LV_LANES; l++)
        known[l] += !x->behind[l] & (known[l] < LV_PREDICTOR_DEPTH);
}

static void learn(const making *m, int phase, int lane)
{
    lv_lane_past *past = &m->x->past[phase];
    double count = past->known[lane], notes[LV_NOTES] = {0};
    notes[LV_NOTE_CURVE] = past->curve[lane];
    lv_solver w = {.newton = past->newton[lane],
                   .predictor = {.numbers = &count},
                   .probing = past->probing[lane],
                   .first_squares = true,
                   .notes = notes};
    lv_solver_learn(&w);
    past->curve[lane] = notes[LV_NOTE_CURVE];
    past->curvature[lane] = lv_step_curvature(past->probing[lane], past->curve[lane]);
}

LV_INLINE void take_outputs(const lv_lanes *x, int input, int output, int count,
                            const kept_lanes *kept)
{
    for (int i = 0; i < count; i++) {
        const double *from = lv_lane_output(x, output + i);
        double *to = lv_lane_input(x, input + i);
        if (from != to)
            take(to, from, kept);
    }
}

LV_INLINE void take_state(const lv_lanes *x, const double t[LV_LANES],
                          const kept_lanes *kept)
{
    for (int k = 0; k < x->map.fields; k++) {
        const lv_lane_field *f = &x->map.field[k];
        if (f->output >= 0)
            take_outputs(x, f->input, f->output, f->size, kept);
    }
    for (int k = 0; k < x->map.handovers; k++) {
        const lv_lane_handover *h = &x->map.handover[k];
        double *time = x->time + (ptrdiff_t)k * LV_LANES;
        for (int i = 0; i < h->parts; i++)
            take_outputs(x, h->part[i].input, h->part[i].output, h->part[i].count, kept);
        for (int l = 0; l < LV_LANES; l++)
            time[l] = kept->lane[l] ? time[l] : t[l] + h->at * x->h[l];
    }
}

LV_INLINE void finish(const making *m, const double t[LV_LANES])
{
    lv_lanes *x = m->x;
    kept_lanes kept = {.whole = !has_any(m, FAILED)};
    int64_t slow = 0;
    for (int l = 0; l < LV_LANES; l++) {
        kept.lane[l] = m->lane[l] == FAILED;
        x->behind[l] = m->lane[l] == FAILED;
        slow |= m->slow[l];
    }
    x->newest = x->newest + 1 < LV_LANE_DEPTH ? x->newest + 1 : 0;
    for (int k = 0; k < x->map.phases; k++) {
        move_past(x, k);
        for (int l = 0; slow && l < LV_LANES; l++)
            if (m->lane[l] == DONE && m->slow[l])
                learn(m, k, l);
    }
    take_state(x, t, &kept);
    for (int l = 0; l < LV_LANES; l++) {
        const int next = x->number[l] < LV_STEP_ROUND ? x->number[l] + 1 : 1;
        x->number[l] = x->behind[l] ? x->number[l] : next;
        x->made[l] += !x->behind[l];
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

/* Is there what the last step has handed over? */
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
    for (int l = 0; l < LV_LANES; l++)
        m->lane[l] = x->stepper[l] ? GOING : IDLE;
    check_times(m, t);
    memcpy(lv_lane_slot(x, x->program->input[LV_INPUT_T]), t, LV_LANES * sizeof *t);
}

LV_INLINE bool make_step(lv_lanes *x, const double *t, bool *made, int *passes)
{
    making m = {.x = x};
    begin(&m, t);
    for (int k = 0; k < x->map.phases; k++) {
        begin_phase(&m, k);
        expect(x, k);
    }
    for (int pass = 1; has_any(&m, GOING); pass++) {
        if (pass > 1)
            go_on(&m);
        run_program(&m);
        judge(&m, pass);
    }
    refuse_unusual(&m);
    finish(&m, t);
    for (int l = 0; l < LV_LANES; l++) {
        made[l] = m.lane[l] == DONE;
        passes[l] = x->map.phases * m.passes[l];
    }
    return !has_any(&m, FAILED);
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
