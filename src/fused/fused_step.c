#include "fused/fused_step.h"

#include "fused/passes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- from step to step ------------------------------------------------------------- */

LV_INLINE double *part_of(const lv_state *state, const lv_program_link *x)
{
    double *part;
    memcpy(&part, (const char *)state + x->in_state, sizeof part);
    return part + x->at;
}

/* Copies the end of the last step, which may be one of the other way, to the start of
 * this one. */
LV_INLINE void take_last(const lv_program_way *way, const lv_program_way *last)
{
    lv_number_copies_run(way == last ? &way->inside : &way->across);
}

static void bind_anew(lv_program_way *way, const lv_state *state)
{
    way->bound = *state;
    way->outside.count = 0;
    for (int k = 0; k < way->after.count; k++) {
        const lv_program_link *x = &way->after.data[k];
        /* There is room for all of them. */
        (void)lv_number_copies_add(&way->outside, part_of(state, x),
                                   way->fused->workspace + x->slot, x->count);
    }
}

/* Finds the copies to a state. Its addresses hardly ever change. */
LV_INLINE const lv_number_copies *bind(lv_program_way *way, const lv_state *state)
{
    if (!lv_program_way_is_bound(way, state))
        bind_anew(way, state);
    return &way->outside;
}

/* Whether the state is the end of the step in the workspace, bit for bit. */
LV_INLINE bool is_state_of(lv_program_way *way, const lv_state *state)
{
    return lv_number_copies_agree(bind(way, state));
}

/* Sets the state to the end of the step in the workspace. */
LV_INLINE void put_state(lv_program_way *way, const lv_state *state)
{
    lv_number_copies_run(bind(way, state));
}

static bool is_same(const lv_fused *f, const lv_fused_range *r, const double *x)
{
    for (int i = 0; i < r->count; i++)
        if (f->workspace[r->slots ? r->slots[i] : r->first + i] != x[i])
            return false;
    return true;
}

/* Puts a state that was changed from outside into the workspace. Returns false if
 * quantities that the last step handed over depend on what was changed. */
static bool take_state(const lv_program_way *way, const lv_program_way *last,
                       const lv_state *state)
{
    if ((last->q && !is_same(last->fused, last->q, state->q)) ||
        (last->v && !is_same(last->fused, last->v, state->v)))
        return false;
    take_last(way, last);
    for (int k = 0; k < way->before.count; k++) {
        const lv_program_link *x = &way->before.data[k];
        lv_copy(way->fused->workspace + x->slot, part_of(state, x), x->count);
    }
    return true;
}

/* Prepares a step that continues the last one, whose workspace may be that of the other
 * way. Returns false if it cannot. */
LV_INLINE bool carry_on(const lv_program_steps *steps, lv_program_way *way,
                        const lv_state *state)
{
    lv_program_way *last = steps->last;
    const lv_fused *f = last->fused;
    if ((way == last ? way->stuck : !way->crosses) ||
        (last->of_time && f->t + f->h != state->t))
        return false;
    if (steps->behind || is_state_of(last, state))
        take_last(way, last);
    else if (!take_state(way, last, state))
        return false;
    return true;
}

/* Sets a state to the start of the step in the workspace. */
static void put_start(const lv_program_way *way, const lv_state *state)
{
    for (int k = 0; k < way->before.count; k++) {
        const lv_program_link *x = &way->before.data[k];
        lv_copy(part_of(state, x), way->fused->workspace + x->slot, x->count);
    }
}

/* Sets a state that is behind to the end of the step in the workspace, or to its
 * start. */
static void catch_up(lv_program_steps *steps, lv_program_way *way, bool complete)
{
    const lv_state *state = steps->behind;
    steps->behind = NULL;
    if (state && complete)
        put_state(way, state);
    else if (state)
        put_start(way, state);
}

/* Copies the last step to the course and the memory: its end if it is complete,
 * otherwise its start. */
static void settle(lv_program_steps *steps, bool complete)
{
    lv_program_way *way = steps->last;
    lv_course *c = steps->course;
    if (!way)
        return;
    complete = complete && !steps->steady.begun;
    steps->last = NULL;
    steps->steady.left = 0;
    steps->steady.begun = false;
    catch_up(steps, way, complete);
    lv_fused_deliver(way->fused, complete);
    for (int k = 0; k < steps->carried_count; k++) {
        const lv_carried_field *x = &steps->carried[k];
        if (x->memory)
            lv_copy(x->memory, complete && x->becomes ? x->becomes : c->value[x->field],
                    x->size);
    }
    lv_course_keep(c, !complete);
    c->finished = complete;
}

void lv_program_steps_settle(lv_program_steps *steps)
{
    settle(steps, true);
}

void lv_program_steps_forget(lv_program_steps *steps)
{
    steps->last = NULL;
    steps->behind = NULL;
    steps->steady.left = 0;
    steps->steady.begun = false;
}

/* ---- passes ------------------------------------------------------------------------ */

/* After more passes than usual: are the equations really solved (course/settled.h)? The
 * sizes of their terms are those where the step begins. */
static bool is_settled(const lv_program_steps *steps, const lv_program_way *way)
{
    const lv_fused *f = way->fused;
    bool settled = true, replayed = false;
    for (int k = 0; k < f->pass_count && settled; k++) {
        lv_solver *w = way->passes[k].solver;
        if (!lv_solver_asks_settled(w))
            continue;
        if (!replayed && steps->behind)
            put_start(way, steps->behind);
        if (!replayed) {
            lv_fused_deliver(way->fused, true);
            lv_course_replay(f->c);
        }
        replayed = true;
        settled = lv_solver_is_settled(w);
    }
    return settled;
}

/* Runs a part of the step with passes in all phases, and returns their verdict: converged
 * if every phase has converged. */
LV_INLINE lv_verdict make_pass(const lv_program_way *way, lv_fused_part part)
{
    const lv_fused *f = way->fused;
    lv_fused_run(f, part);
    lv_verdict verdict =
        f->workspace[f->growth_passes] <= LV_FUSED_GROWTH ? LV_CONVERGED : LV_DIVERGED;
    const lv_program_pass *x = way->passes, *end = x + f->pass_count;
    for (; x < end && verdict != LV_DIVERGED; x++) {
        const lv_verdict found = lv_passes_judge(x->solver, *x->size, *x->excess);
        verdict = found == LV_CONVERGED ? verdict : found;
    }
    return verdict;
}

/* Makes the first pass from an initial guess. whole: the rest of the step as well, unless
 * factors are kept, which are computed first. *done: the part that was run last. */
LV_INLINE lv_verdict make_first_pass(const lv_program_way *way, bool whole,
                                     lv_fused_part *done)
{
    const lv_fused *f = way->fused;
    *done = whole ? LV_RUN_WHOLE_STEP : LV_RUN_FIRST_PASS;
    /* The matrices of a phase depend on what those of the phases before it find. */
    for (int k = 0; k < f->pass_count && f->factors.count > 0; k++) {
        lv_fused_run(f, LV_RUN_FACTORS);
        lv_fused_take(f, &f->factors, f->workspace + f->kept);
        *done = LV_RUN_NEXT_PASS;
    }
    return make_pass(way, *done);
}

/* Copies the unknowns after a pass of a phase. */
LV_INLINE void take_found(const lv_program_way *way, int k, double *to)
{
    lv_fused_take(way->fused, &way->fused->passes[k].found, to);
}

/* Makes passes until they converge or diverge, each with the unknowns of the last one as
 * its initial guess. *done: the part that was run last. */
static lv_verdict make_more_passes(const lv_program_way *way, lv_fused_part *done)
{
    lv_verdict verdict = LV_GO_ON;
    while (verdict == LV_GO_ON) {
        for (int k = 0; k < way->fused->pass_count; k++)
            take_found(way, k, way->passes[k].guess);
        *done = *done == LV_RUN_WHOLE_STEP ? LV_RUN_FIRST_PASS : LV_RUN_NEXT_PASS;
        verdict = make_pass(way, *done);
    }
    return verdict;
}

/* Whether the first pass has shown that the initial guess was worthless. */
static bool was_misled(const lv_program_way *way)
{
    for (int k = 0; k < way->fused->pass_count; k++) {
        const lv_newton *n = &way->passes[k].solver->newton;
        if (n->converge.count == 0 && n->worthless)
            return true;
    }
    return false;
}

/* Makes passes from an initial guess without past steps, from the state alone. */
static lv_verdict make_passes_anew(const lv_program_way *way, lv_fused_part *done)
{
    const int count = way->fused->pass_count;
    for (int k = 0; k < count; k++)
        lv_passes_begin_anew(way->passes[k].solver, way->passes[k].guess);
    lv_verdict verdict = make_first_pass(way, false, done);
    if (verdict == LV_GO_ON)
        verdict = make_more_passes(way, done);
    for (int k = 0; k < count; k++)
        way->passes[k].solver->newton.iterations++;
    return verdict;
}

/* Completes the step after the first pass: further passes if this one was not enough,
 * then the rest of the step if it has not been run. */
static bool solve_otherwise(const lv_program_steps *steps, const lv_program_way *way,
                            lv_verdict verdict, lv_fused_part done)
{
    if (verdict == LV_GO_ON)
        verdict = make_more_passes(way, &done);
    if (verdict == LV_DIVERGED && was_misled(way))
        verdict = make_passes_anew(way, &done);
    if (verdict != LV_CONVERGED)
        return false;
    if (done != LV_RUN_WHOLE_STEP)
        lv_fused_run(way->fused, LV_RUN_REST);
    return lv_fused_is_regular(way->fused) && is_settled(steps, way);
}

/* Solves the step. After a step of one pass the program is run as a whole. The choice of
 * the parts affects only the speed. */
LV_INLINE bool solve(const lv_program_steps *steps, const lv_program_way *way,
                     const lv_step_now *now)
{
    lv_fused *f = way->fused;
    lv_fused_part first;
    for (const lv_program_pass *x = way->passes, *end = x + f->pass_count; x < end; x++)
        lv_passes_begin(x->solver, now, x->guess, f->keeps);
    lv_fused_begin(f, now->from->t, now->h, now->substep);
    const lv_verdict verdict = make_first_pass(way, way->easy, &first);
    const bool solved = verdict == LV_CONVERGED && first == LV_RUN_WHOLE_STEP
                            ? lv_fused_is_regular(f)
                            : solve_otherwise(steps, way, verdict, first);
    return solved && lv_fused_is_whole(f);
}

LV_INLINE void accept(lv_program_steps *steps, lv_program_way *way,
                      const lv_step_now *now, const lv_state *state,
                      lv_step_report *report)
{
    const int count = way->fused->pass_count;
    int passes = 0;
    for (int k = 0; k < count; k++) {
        const lv_program_pass *x = &way->passes[k];
        if (!x->found)
            take_found(way, k, x->solver->expected);
        lv_passes_end(x->solver, now, x->found ? x->found : x->solver->expected);
        passes += x->solver->newton.iterations;
    }
    way->easy = passes == count;
    report->iterations += passes;
    steps->behind = now->hidden ? state : NULL;
    if (!now->hidden)
        put_state(way, state);
    if (way->easy && steps->repeats)
        lv_steady_begin(&steps->steady, way, now, state);
}

/* Whether approximate matrices have converged too slowly, so that the course takes the
 * step with an exact one. Now and then the program is tried all the same: its passes cost
 * little. */
static bool is_slow(const lv_program_way *way)
{
    bool slow = false;
    for (int k = 0; k < way->fused->pass_count && way->fused->keeps; k++) {
        const lv_solver *w = way->passes[k].solver;
        slow = slow || fmod(w->memory[LV_MEMORY_RETRY], LV_STEP_OFTEN) != 0;
    }
    return slow;
}

/* ---- steps ------------------------------------------------------------------------- */

lv_program_end lv_program_steps_go_on(lv_program_steps *steps, const lv_step_now *now,
                                      const lv_state *state, lv_step_report *report)
{
    lv_program_way *way = steps->way[now->project];
    if (!steps->last || is_slow(way) ||
        (!steps->steady.begun && !carry_on(steps, way, now->from)))
        return LV_PROGRAM_ELSEWHERE;
    steps->last = way;
    steps->steady.begun = false;
    if (!solve(steps, way, now)) {
        settle(steps, false);
        return LV_PROGRAM_FAILED;
    }
    if (!steps->waits)
        accept(steps, way, now, state, report);
    return LV_PROGRAM_SOLVED;
}

/* Checks the memory of the solvers, which may come from a file. */
static void check_memory(const lv_program_steps *steps, const lv_program_way *way,
                         double h)
{
    for (int k = 0; k < way->fused->pass_count; k++)
        for (int i = 0; i < steps->substeps; i++)
            lv_solver_check_memory(way->passes[k].solver, i, h);
}

lv_program_end lv_program_steps_begin(lv_program_steps *steps, const lv_step_now *now,
                                      const lv_state *state, lv_step_report *report)
{
    lv_program_way *way = steps->way[now->project];
    if (is_slow(way))
        return LV_PROGRAM_FAILED;
    lv_fused_load(way->fused);
    for (int k = 0; k < 2; k++)
        if (steps->way[k])
            check_memory(steps, steps->way[k], now->h);
    if (!solve(steps, way, now))
        return LV_PROGRAM_FAILED;
    steps->last = way;
    if (!steps->waits)
        accept(steps, way, now, state, report);
    return LV_PROGRAM_SOLVED;
}

void lv_program_steps_accept(lv_program_steps *steps, const lv_step_now *now,
                             const lv_state *state, lv_step_report *report)
{
    accept(steps, steps->last, now, state, report);
}

void lv_program_steps_refuse(lv_program_steps *steps)
{
    settle(steps, false);
}

void lv_program_steps_deliver(const lv_program_steps *steps)
{
    lv_fused_deliver(steps->last->fused, true);
}

void lv_program_steps_deliver_some(const lv_program_steps *steps, const double *numbers)
{
    const lv_fused *f = steps->last->fused;
    const lv_fused_range *r = lv_fused_output_range(f, numbers);
    if (r)
        lv_fused_take(f, r, r->numbers);
}
