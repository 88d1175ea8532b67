#include "step/fused_step.h"

#include "base/memory.h"

/* ---- creation ----------------------------------------------------------------------------------------------- */

static void add_link(lv_program_way *way, const lv_carried_field *carried,
                     const double *to, const double *from)
{
    const lv_program_link x = {carried, lv_fused_input_range(way->fused, to),
                               from ? lv_fused_output_range(way->fused, from) : NULL};
    if (x.to)
        way->links[way->link_count++] = x;
}

/* A step goes on from the evaluations of the one before if that ended with the same q, v and t, where these matter. */
static void find_links(const lv_program_steps *steps, lv_program_way *way)
{
    const lv_course *c = steps->course;
    bool of_velocity = false;
    for (int k = 0; k < steps->carried_count; k++) {
        const lv_carried_field *x = &steps->carried[k];
        add_link(way, x, c->value[x->field], x->becomes);
    }
    for (int k = 0; k < c->handovers.count; k++) {
        const lv_handover *h = &c->handovers.data[k];
        for (int i = 0; i < h->parts; i++)
            add_link(way, NULL, h->part[i].to, h->part[i].from);
        of_velocity = of_velocity || h->of_velocity;
        way->of_time = way->of_time || h->of_time;
    }
    for (int k = 0; k < way->link_count && c->handovers.count > 0; k++) {
        const lv_program_link *x = &way->links[k];
        if (x->carried && x->carried->field == lv_form_find(&c->form, "q", 0))
            way->q = x->from;
        if (x->carried && x->carried->field == lv_form_find(&c->form, "v", 0))
            way->v = of_velocity ? x->from : NULL;
    }
}

static int count_links(const lv_program_steps *steps)
{
    int count = steps->carried_count;
    for (int k = 0; k < steps->course->handovers.count; k++)
        count += steps->course->handovers.data[k].parts;
    return count;
}

/* Are there equations that are asked at the end of a composed step only? */
static bool ends_apart(const lv_course *c)
{
    for (int p = 1; p <= c->phases.count; p++)
        if (c->phase[p].asked == LV_ASKED_ONCE)
            return true;
    return false;
}

lv_status lv_program_steps_make(lv_program_steps *steps, bool project, lv_error *err)
{
    lv_fused *fused = NULL;
    if (steps->way[!project] && !ends_apart(steps->course)) {
        steps->way[project] = steps->way[!project];
        return LV_OK;
    }
    LV_TRY(lv_fused_create(&fused, steps->course, project, err));
    if (!fused)
        return LV_OK;
    lv_program_way *way = lv_arena_alloc(&fused->arena, 1, sizeof *way);
    lv_program_link *links =
        lv_arena_alloc(&fused->arena, (size_t)count_links(steps) + 1, sizeof *links);
    if (!way || !links) {
        lv_fused_free(fused);
        return lv_fail_memory(err);
    }
    *way = (lv_program_way){.fused = fused, .links = links};
    find_links(steps, way);
    steps->way[project] = way;
    return LV_OK;
}

void lv_program_steps_done(lv_program_steps *steps)
{
    for (int k = 0; k < 2; k++)
        if (steps->way[k] && (k == 0 || steps->way[k] != steps->way[0]))
            lv_fused_free(steps->way[k]->fused);
}

/* ---- from step to step -------------------------------------------------------------------------------------- */

static bool is_same(const lv_fused *f, const lv_fused_range *r, const double *x)
{
    bool same = true;
    for (int i = 0; i < r->count; i++)
        same = same && f->workspace[r->slots ? r->slots[i] : r->first + i] == x[i];
    return same;
}

bool lv_program_steps_can_go_on(const lv_program_steps *steps, const lv_step_now *now)
{
    const lv_program_way *way = steps->last;
    if (!way || way != steps->way[now->project])
        return false;
    const lv_fused *f = way->fused;
    return (!way->q || is_same(f, way->q, now->from->q)) &&
           (!way->v || is_same(f, way->v, now->from->v)) &&
           (!way->of_time || f->t + f->h == now->from->t);
}

static bool is_in_state(const lv_program_link *x)
{
    return x->carried && x->carried->of_state;
}

static void carry_on(const lv_program_way *way, const lv_state *state)
{
    lv_fused *f = way->fused;
    for (int k = 0; k < way->link_count; k++) {
        const lv_program_link *x = &way->links[k];
        double *to = f->workspace + x->to->first;
        if (is_in_state(x))
            lv_fused_copy(to, lv_carried_place(x->carried, state), x->to->count);
        else if (x->from)
            lv_fused_take(f, x->from, to);
    }
}

static void put_state(const lv_program_way *way, const lv_state *state)
{
    for (int k = 0; k < way->link_count; k++) {
        const lv_program_link *x = &way->links[k];
        if (is_in_state(x) && x->from)
            lv_fused_take(way->fused, x->from, lv_carried_place(x->carried, state));
    }
}

/* complete: with the end of the step; otherwise with its start. */
static void settle(lv_program_steps *steps, bool complete)
{
    const lv_program_way *way = steps->last;
    lv_course *c = steps->course;
    if (!way)
        return;
    steps->last = NULL;
    lv_fused_deliver(way->fused, complete);
    for (int k = 0; k < way->link_count; k++) {
        const lv_carried_field *x = way->links[k].carried;
        if (x && x->memory)
            lv_fused_copy(x->memory,
                          complete && x->becomes ? x->becomes : c->value[x->field],
                          x->size);
    }
    lv_course_keep(c, !complete);
    c->finished = complete;
}

void lv_program_steps_settle(lv_program_steps *steps)
{
    settle(steps, true);
}

/* ---- passes --------------------------------------------------------------------------------------------------- */

/* After more passes than usual: are the equations solved, or do they only seem to be? */
static bool is_settled(const lv_program_steps *steps, const lv_fused *f)
{
    bool settled = true, replayed = false;
    for (int k = 0; k < f->pass_count && settled; k++) {
        lv_solver *w = &steps->solvers[f->passes[k].phase];
        if (!lv_solver_asks_settled(w))
            continue;
        if (!replayed) {
            lv_fused_deliver(f, true);
            lv_course_replay(f->c);
        }
        replayed = true;
        settled = lv_solver_is_settled(w);
    }
    return settled;
}

/* One pass in all phases; they have converged when each of them has. */
static lv_verdict make_pass(const lv_program_steps *steps, lv_fused *f,
                            const lv_step_now *now)
{
    lv_verdict verdict = LV_CONVERGED;
    if (!(lv_fused_run(f, now->from->t, now->h) <= LV_FUSED_GROWTH))
        return LV_DIVERGED;
    for (int k = 0; k < f->pass_count && verdict != LV_DIVERGED; k++) {
        const lv_fused_pass *pass = &f->passes[k];
        const lv_verdict found =
            lv_solver_judge(&steps->solvers[pass->phase], f->workspace[pass->size],
                            f->workspace[pass->excess]);
        verdict = found == LV_CONVERGED ? verdict : found;
    }
    return verdict;
}

/* The next pass begins where this one has ended. */
static void begin_again(lv_fused *f)
{
    for (int k = 0; k < f->pass_count; k++)
        lv_fused_take(f, &f->passes[k].found, f->workspace + f->passes[k].guess);
}

static bool solve(const lv_program_steps *steps, lv_fused *f, const lv_step_now *now)
{
    for (int k = 0; k < f->pass_count; k++)
        lv_solver_begin_passes(&steps->solvers[f->passes[k].phase],
                               f->workspace + f->passes[k].guess);
    lv_verdict verdict = make_pass(steps, f, now);
    while (verdict == LV_GO_ON) {
        begin_again(f);
        verdict = make_pass(steps, f, now);
    }
    return verdict == LV_CONVERGED && is_settled(steps, f);
}

static void remember(const lv_program_steps *steps, const lv_fused *f,
                     lv_step_report *report)
{
    for (int k = 0; k < f->pass_count; k++) {
        const lv_fused_pass *pass = &f->passes[k];
        lv_solver *w = &steps->solvers[pass->phase];
        if (pass->found.slots)
            lv_fused_take(f, &pass->found, w->expected);
        lv_solver_end_passes(w, pass->found.slots ? w->expected
                                                  : f->workspace + pass->found.first);
        report->iterations += w->newton.iterations;
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

bool lv_program_steps_go_on(lv_program_steps *steps, const lv_step_now *now)
{
    carry_on(steps->last, now->from);
    const bool solved = solve(steps, steps->last->fused, now);
    if (!solved)
        settle(steps, false);
    return solved;
}

bool lv_program_steps_begin(lv_program_steps *steps, const lv_step_now *now)
{
    lv_program_way *way = steps->way[now->project];
    lv_fused_load(way->fused);
    const bool solved = solve(steps, way->fused, now);
    steps->last = solved ? way : NULL;
    return solved;
}

void lv_program_steps_accept(lv_program_steps *steps, const lv_state *state,
                             lv_step_report *report)
{
    remember(steps, steps->last->fused, report);
    put_state(steps->last, state);
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
