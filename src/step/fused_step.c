#include "step/fused_step.h"

#include "base/memory.h"
#include "step/passes.h"

#include <stddef.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------- */

/* Adds one slot to the links; slots that follow each other on both sides become one
 * link. */
static bool add_slot(lv_program_links *links, size_t in_state, int from, int to)
{
    lv_program_link *last = links->count > 0 ? &links->data[links->count - 1] : NULL;
    if (last && last->in_state == in_state && last->from + last->count == from &&
        last->to + last->count == to) {
        last->count++;
        return true;
    }
    return LV_PUSH(*links, ((lv_program_link){in_state, from, to, 1}));
}

/* Whether this is the slot of an input, which copies for the next step may overwrite. */
static bool is_input(const lv_fused *f, int slot)
{
    const int first = f->program->input[LV_INPUT_Q];
    return slot >= first && slot < first + f->program->input_size[LV_INPUT_Q];
}

static bool add_link(lv_program_way *way, const lv_carried_field *carried,
                     const double *to, const double *from)
{
    const lv_fused_range *begin = lv_fused_input_range(way->fused, to),
                         *end = from ? lv_fused_output_range(way->fused, from) : NULL;
    const bool of_state = carried && carried->of_state;
    const size_t in_state = of_state ? carried->in_state : 0;
    bool fits = true;
    for (int i = 0; begin && i < begin->count && fits; i++) {
        const int first = begin->first + i, last = !end         ? first
                                                   : end->slots ? end->slots[i]
                                                                : end->first + i;
        const bool fixed = begin->fixed && begin->fixed[i];
        if (of_state)
            fits = add_slot(&way->before, in_state, i, first) &&
                   (!end || add_slot(&way->outside, in_state, last, i));
        if (end && last != first)
            fits = fits && add_slot(fixed ? &way->fixed : &way->inside, 0, last, first);
        way->stuck = way->stuck || (last != first && is_input(way->fused, last));
    }
    return fits;
}

/* Adds the links from the end of a step of the other way to the start of a step of this
 * way. Returns false if memory is short. */
static bool add_link_across(lv_program_way *way, const lv_program_way *other,
                            const double *to, const double *from)
{
    const lv_fused_range *begin = lv_fused_input_range(way->fused, to),
                         *end = from ? lv_fused_output_range(other->fused, from)
                                     : lv_fused_input_range(other->fused, to);
    bool fits = true;
    way->crosses = way->crosses && (!begin || end);
    for (int i = 0; begin && end && i < begin->count && fits; i++)
        if (!begin->fixed || !begin->fixed[i])
            fits = add_slot(&way->across, 0, end->slots ? end->slots[i] : end->first + i,
                            begin->first + i);
    return fits;
}

static bool find_links_across(const lv_program_steps *steps, lv_program_way *way,
                              const lv_program_way *other)
{
    const lv_course *c = steps->course;
    bool fits = true;
    way->crosses = true;
    for (int k = 0; k < steps->carried_count && fits; k++)
        fits = add_link_across(way, other, c->value[steps->carried[k].field],
                               steps->carried[k].becomes);
    for (int k = 0; k < c->handovers.count; k++)
        for (int i = 0; i < c->handovers.data[k].parts && fits; i++) {
            const lv_handed *part = &c->handovers.data[k].part[i];
            fits = add_link_across(way, other, part->to, part->from);
        }
    /* Both ways leave out the same constraints. */
    for (int k = 0; k < way->fused->input_count && fits; k++)
        if (way->fused->inputs[k].given)
            fits = add_link_across(way, other, way->fused->inputs[k].numbers, NULL);
    return fits;
}

/* Finds what a step must check before it uses quantities of the step before: the same q,
 * and the same v and t if these quantities depend on them. */
static void find_ends(const lv_program_steps *steps, lv_program_way *way)
{
    const lv_course *c = steps->course;
    bool of_velocity = false;
    for (int k = 0; k < c->handovers.count; k++) {
        of_velocity = of_velocity || c->handovers.data[k].of_velocity;
        way->of_time = way->of_time || c->handovers.data[k].of_time;
    }
    for (int k = 0; k < steps->carried_count && c->handovers.count > 0; k++) {
        const lv_carried_field *x = &steps->carried[k];
        const lv_fused_range *end =
            x->becomes ? lv_fused_output_range(way->fused, x->becomes) : NULL;
        if (x->field == lv_form_find(&c->form, "q", 0))
            way->q = end;
        if (x->field == lv_form_find(&c->form, "v", 0))
            way->v = of_velocity ? end : NULL;
    }
}

/* The number of coordinates if q, v and p follow each other in the workspace at the end
 * of a step, otherwise 0. */
static int find_row(const lv_program_way *way)
{
    static const size_t parts[] = {offsetof(lv_state, q), offsetof(lv_state, v),
                                   offsetof(lv_state, p)};
    const lv_program_link *x = way->outside.data;
    bool one = way->outside.count == LV_STATE_PARTS;
    for (int k = 0; one && k < LV_STATE_PARTS; k++)
        one = x[k].in_state == parts[k] && x[k].to == 0 && x[k].count == x[0].count &&
              x[k].from == x[0].from + k * x[0].count;
    return one ? x[0].count : 0;
}

static bool find_links(const lv_program_steps *steps, lv_program_way *way)
{
    const lv_course *c = steps->course;
    bool fits = true;
    for (int part = 0; part <= LV_STATE_PARTS; part++)
        for (int k = 0; k < steps->carried_count && fits; k++) {
            const lv_carried_field *x = &steps->carried[k];
            const bool now = part < LV_STATE_PARTS
                                 ? x->field == lv_carried_of_state(&c->form, part)
                                 : !x->of_state;
            if (now)
                fits = add_link(way, x, c->value[x->field], x->becomes);
        }
    way->row = find_row(way);
    for (int k = 0; k < c->handovers.count; k++)
        for (int i = 0; i < c->handovers.data[k].parts && fits; i++) {
            const lv_handed *part = &c->handovers.data[k].part[i];
            fits = add_link(way, NULL, part->to, part->from);
        }
    find_ends(steps, way);
    return fits;
}

static void free_way(lv_program_way *way)
{
    if (!way)
        return;
    LV_ARRAY_FREE(way->inside);
    LV_ARRAY_FREE(way->fixed);
    LV_ARRAY_FREE(way->across);
    LV_ARRAY_FREE(way->outside);
    LV_ARRAY_FREE(way->before);
    lv_fused_free(way->fused);
    lv_memory_free(way);
}

/* Whether there are equations that hold only at the end of a composed step. */
static bool ends_apart(const lv_course *c)
{
    for (int p = 1; p <= c->phases.count; p++)
        if (c->phase[p].asked == LV_ASKED_ONCE)
            return true;
    return false;
}

lv_status lv_program_steps_make(lv_program_steps *steps, bool project,
                                const lv_rows_left_out *left_out, lv_error *err)
{
    lv_fused *fused = NULL;
    if (steps->way[!project] && !ends_apart(steps->course)) {
        steps->way[project] = steps->way[!project];
        return LV_OK;
    }
    LV_TRY(lv_fused_create(&fused, steps->course, project, left_out, err));
    if (!fused)
        return LV_OK;
    lv_program_way *way = lv_memory_zeroed(1, sizeof *way);
    if (!way) {
        lv_fused_free(fused);
        return lv_fail_memory(err);
    }
    way->fused = fused;
    steps->way[project] = way;
    bool fits = find_links(steps, way);
    lv_program_way *other = steps->way[!project];
    if (other && fits)
        fits =
            find_links_across(steps, way, other) && find_links_across(steps, other, way);
    return fits ? LV_OK : lv_fail_memory(err);
}

void lv_program_steps_done(lv_program_steps *steps)
{
    free_way(steps->way[0]);
    if (steps->way[1] != steps->way[0])
        free_way(steps->way[1]);
}

/* ---- from step to step ------------------------------------------------------------- */

LV_INLINE double *part_of(const lv_state *state, const lv_program_link *x)
{
    double *part;
    memcpy(&part, (const char *)state + x->in_state, sizeof part);
    return part;
}

static void copy_links(const lv_program_links *links, double *to, const double *from)
{
    for (const lv_program_link *x = links->data, *end = x + links->count; x < end; x++)
        memcpy(to + x->to, from + x->from, (size_t)x->count * sizeof *to);
}

/* Copies the end of the last step, which may be one of the other way, to the start of
 * this one. */
LV_INLINE void take_last(const lv_program_way *way, const lv_program_way *last)
{
    copy_links(way == last ? &way->inside : &way->across, way->fused->workspace,
               last->fused->workspace);
}

/* Whether q, v and p follow each other both in the workspace and in the state. */
LV_INLINE bool is_row(const lv_program_way *way, const lv_state *state)
{
    return way->row > 0 && state->v == state->q + way->row &&
           state->p == state->v + way->row;
}

/* Whether the state is the end of the step in the workspace, bit for bit. */
LV_INLINE bool is_state_of(const lv_program_way *way, const lv_state *state)
{
    const double *w = way->fused->workspace;
    if (is_row(way, state))
        return memcmp(state->q, w + way->outside.data[0].from,
                      LV_STATE_PARTS * (size_t)way->row * sizeof *w) == 0;
    for (const lv_program_link *x = way->outside.data, *end = x + way->outside.count;
         x < end; x++)
        if (memcmp(part_of(state, x) + x->to, w + x->from,
                   (size_t)x->count * sizeof *w) != 0)
            return false;
    return true;
}

LV_INLINE void put_state(const lv_program_way *way, const lv_state *state)
{
    const double *w = way->fused->workspace;
    if (is_row(way, state)) {
        memcpy(state->q, w + way->outside.data[0].from,
               LV_STATE_PARTS * (size_t)way->row * sizeof *w);
        return;
    }
    for (const lv_program_link *x = way->outside.data, *end = x + way->outside.count;
         x < end; x++)
        memcpy(part_of(state, x) + x->to, w + x->from, (size_t)x->count * sizeof *w);
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
        lv_copy(way->fused->workspace + x->to, part_of(state, x) + x->from, x->count);
    }
    return true;
}

/* Prepares a step that continues the last one, whose workspace may be that of the other
 * way. Returns false if it cannot. */
LV_INLINE bool carry_on(lv_program_way *way, const lv_program_way *last,
                        const lv_state *state)
{
    const lv_fused *f = last->fused;
    if ((way == last ? way->stuck : !way->crosses) ||
        (last->of_time && f->t + f->h != state->t))
        return false;
    if (is_state_of(last, state))
        take_last(way, last);
    else if (!take_state(way, last, state))
        return false;
    way->went_on = true;
    return true;
}

/* Copies the numbers of the step to the course. Inputs that no step reads are first
 * taken from the step before. */
static void deliver(const lv_program_way *way, bool complete)
{
    if (way->went_on)
        copy_links(&way->fixed, way->fused->workspace, way->fused->workspace);
    lv_fused_deliver(way->fused, complete);
}

/* Copies the last step to the course and the memory: its end if it is complete,
 * otherwise its start. */
static void settle(lv_program_steps *steps, bool complete)
{
    const lv_program_way *way = steps->last;
    lv_course *c = steps->course;
    if (!way)
        return;
    steps->last = NULL;
    deliver(way, complete);
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

/* ---- passes ------------------------------------------------------------------------ */

/* After more passes than usual: are the equations really solved (step/settled.h)? */
static bool is_settled(const lv_program_steps *steps, const lv_program_way *way)
{
    const lv_fused *f = way->fused;
    bool settled = true, replayed = false;
    for (int k = 0; k < f->pass_count && settled; k++) {
        lv_solver *w = &steps->solvers[f->passes[k].phase];
        if (!lv_solver_asks_settled(w))
            continue;
        if (!replayed) {
            deliver(way, true);
            lv_course_replay(f->c);
        }
        replayed = true;
        settled = lv_solver_is_settled(w);
    }
    return settled;
}

/* The verdict after a pass in all phases: converged if every phase has converged. */
LV_INLINE lv_verdict judge(const lv_program_steps *steps, const lv_fused *f)
{
    lv_verdict verdict =
        f->workspace[f->growth_passes] <= LV_FUSED_GROWTH ? LV_CONVERGED : LV_DIVERGED;
    for (int k = 0; k < f->pass_count && verdict != LV_DIVERGED; k++) {
        const lv_fused_pass *pass = &f->passes[k];
        const lv_verdict found =
            lv_passes_judge(&steps->solvers[pass->phase], f->workspace[pass->size],
                            f->workspace[pass->excess]);
        verdict = found == LV_CONVERGED ? verdict : found;
    }
    return verdict;
}

/* Makes the unknowns of the last pass the initial guess of the next one. */
static void begin_again(lv_fused *f)
{
    for (int k = 0; k < f->pass_count; k++)
        lv_fused_take(f, &f->passes[k].found, f->workspace + f->passes[k].guess);
}

/* Makes passes until they converge or diverge, after a first one that was not enough.
 * *done: the part that was run last. */
static lv_verdict make_more_passes(const lv_program_steps *steps, lv_fused *f,
                                   lv_fused_part *done)
{
    lv_verdict verdict = LV_GO_ON;
    while (verdict == LV_GO_ON) {
        begin_again(f);
        *done = *done == LV_RUN_WHOLE_STEP ? LV_RUN_FIRST_PASS : LV_RUN_NEXT_PASS;
        lv_fused_run(f, *done);
        verdict = judge(steps, f);
    }
    return verdict;
}

/* Whether the first pass has shown that the initial guess was worthless. */
static bool was_misled(const lv_program_steps *steps, const lv_fused *f)
{
    for (int k = 0; k < f->pass_count; k++) {
        const lv_newton *n = &steps->solvers[f->passes[k].phase].newton;
        if (n->converge.count == 0 && n->worthless)
            return true;
    }
    return false;
}

/* Makes passes from an initial guess without past steps, from the state alone. */
static lv_verdict make_passes_anew(const lv_program_steps *steps, lv_fused *f,
                                   lv_fused_part *done)
{
    for (int k = 0; k < f->pass_count; k++)
        lv_passes_begin_anew(&steps->solvers[f->passes[k].phase],
                             f->workspace + f->passes[k].guess);
    *done = *done == LV_RUN_WHOLE_STEP ? LV_RUN_FIRST_PASS : LV_RUN_NEXT_PASS;
    lv_fused_run(f, *done);
    lv_verdict verdict = judge(steps, f);
    if (verdict == LV_GO_ON)
        verdict = make_more_passes(steps, f, done);
    for (int k = 0; k < f->pass_count; k++)
        steps->solvers[f->passes[k].phase].newton.iterations++;
    return verdict;
}

/* Completes the step after the first pass: further passes if this one was not enough,
 * then the rest of the step if it has not been run. */
static bool solve_otherwise(const lv_program_steps *steps, const lv_program_way *way,
                            lv_verdict verdict, lv_fused_part done)
{
    lv_fused *f = way->fused;
    if (verdict == LV_GO_ON)
        verdict = make_more_passes(steps, f, &done);
    if (verdict == LV_DIVERGED && was_misled(steps, f))
        verdict = make_passes_anew(steps, f, &done);
    if (verdict != LV_CONVERGED)
        return false;
    if (done != LV_RUN_WHOLE_STEP)
        lv_fused_run(f, LV_RUN_REST);
    return lv_fused_is_regular(f) && is_settled(steps, way);
}

/* Solves the step. After a step of one pass the program is run as a whole. The choice of
 * the parts affects only the speed. */
LV_INLINE bool solve(const lv_program_steps *steps, const lv_program_way *way,
                     const lv_step_now *now)
{
    lv_fused *f = way->fused;
    const lv_fused_part first = way->easy ? LV_RUN_WHOLE_STEP : LV_RUN_FIRST_PASS;
    for (int k = 0; k < f->pass_count; k++)
        lv_passes_begin(&steps->solvers[f->passes[k].phase],
                        f->workspace + f->passes[k].guess);
    lv_fused_begin(f, now->from->t, now->h, now->substep);
    lv_fused_run(f, first);
    const lv_verdict verdict = judge(steps, f);
    const bool solved = verdict == LV_CONVERGED && way->easy
                            ? lv_fused_is_regular(f)
                            : solve_otherwise(steps, way, verdict, first);
    return solved && lv_fused_is_whole(f);
}

LV_INLINE void remember(const lv_program_steps *steps, lv_program_way *way,
                        lv_step_report *report)
{
    const lv_fused *f = way->fused;
    way->easy = true;
    for (int k = 0; k < f->pass_count; k++) {
        const lv_fused_pass *pass = &f->passes[k];
        lv_solver *w = &steps->solvers[pass->phase];
        if (pass->found.slots)
            lv_fused_take(f, &pass->found, w->expected);
        lv_passes_end(w,
                      pass->found.slots ? w->expected : f->workspace + pass->found.first);
        report->iterations += w->newton.iterations;
        way->easy = way->easy && w->newton.iterations == 1;
    }
}

/* ---- steps ------------------------------------------------------------------------- */

lv_program_end lv_program_steps_go_on(lv_program_steps *steps, const lv_step_now *now)
{
    lv_program_way *way = steps->way[now->project];
    if (!steps->last || !carry_on(way, steps->last, now->from))
        return LV_PROGRAM_ELSEWHERE;
    steps->last = way;
    if (solve(steps, way, now))
        return LV_PROGRAM_SOLVED;
    settle(steps, false);
    return LV_PROGRAM_FAILED;
}

/* Checks the memory of the solvers, which may come from a file. */
static void check_memory(const lv_program_steps *steps, const lv_fused *f, double h)
{
    for (int k = 0; k < f->pass_count; k++)
        for (int i = 0; i < steps->substeps; i++)
            lv_solver_check_memory(&steps->solvers[f->passes[k].phase], i, h);
}

lv_program_end lv_program_steps_begin(lv_program_steps *steps, const lv_step_now *now)
{
    lv_program_way *way = steps->way[now->project];
    lv_fused_load(way->fused);
    for (int k = 0; k < 2; k++)
        if (steps->way[k])
            check_memory(steps, steps->way[k]->fused, now->h);
    way->went_on = false;
    const bool solved = solve(steps, way, now);
    steps->last = solved ? way : NULL;
    return solved ? LV_PROGRAM_SOLVED : LV_PROGRAM_FAILED;
}

void lv_program_steps_accept(lv_program_steps *steps, const lv_state *state,
                             lv_step_report *report)
{
    remember(steps, steps->last, report);
    put_state(steps->last, state);
}

void lv_program_steps_refuse(lv_program_steps *steps)
{
    settle(steps, false);
}

void lv_program_steps_deliver(const lv_program_steps *steps)
{
    deliver(steps->last, true);
}

void lv_program_steps_deliver_some(const lv_program_steps *steps, const double *numbers)
{
    const lv_fused *f = steps->last->fused;
    const lv_fused_range *r = lv_fused_output_range(f, numbers);
    if (r)
        lv_fused_take(f, r, r->numbers);
}
