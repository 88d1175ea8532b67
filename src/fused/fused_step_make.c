/* Makes the ways in which programs take steps: where the numbers of a step come from, and where
 * those of its end go. */
#include "fused/fused_step.h"

#include "base/memory.h"

#include <stddef.h>

bool lv_number_copies_add(lv_number_copies *copies, double *to, const double *from,
                          int count)
{
    lv_number_copy *last = copies->count > 0 ? &copies->data[copies->count - 1] : NULL;
    if (last && last->to + last->count == to && last->from + last->count == from) {
        last->count += count;
        return true;
    }
    return LV_PUSH(*copies, ((lv_number_copy){to, from, count}));
}

/* As lv_number_copies_add, for one number of the state. */
static bool add_slot(lv_program_links *links, size_t in_state, int slot, int at)
{
    lv_program_link *last = links->count > 0 ? &links->data[links->count - 1] : NULL;
    if (last && last->in_state == in_state && last->slot + last->count == slot &&
        last->at + last->count == at) {
        last->count++;
        return true;
    }
    return LV_PUSH(*links, ((lv_program_link){in_state, slot, at, 1}));
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
    double *w = way->fused->workspace;
    bool fits = true;
    for (int i = 0; begin && i < begin->count && fits; i++) {
        const int first = begin->first + i, last = !end         ? first
                                                   : end->slots ? end->slots[i]
                                                                : end->first + i;
        if (of_state)
            fits = add_slot(&way->before, in_state, first, i) &&
                   (!end || add_slot(&way->after, in_state, last, i));
        if (end && last != first && !(begin->fixed && begin->fixed[i]))
            fits = fits && lv_number_copies_add(&way->inside, w + first, w + last, 1);
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
            fits = lv_number_copies_add(
                &way->across, way->fused->workspace + begin->first + i,
                other->fused->workspace + (end->slots ? end->slots[i] : end->first + i),
                1);
    return fits;
}

/* Whether a carried field is this part of the state (q, v or p); part LV_STATE_PARTS: none
 * of them. In this order the fields follow each other in workspaces. */
static bool is_part(const lv_form *form, const lv_carried_field *x, int part)
{
    return part < LV_STATE_PARTS ? x->field == lv_carried_of_state(form, part)
                                 : !x->of_state;
}

static bool find_links_across(const lv_program_steps *steps, lv_program_way *way,
                              const lv_program_way *other)
{
    const lv_course *c = steps->course;
    bool fits = true;
    way->crosses = true;
    for (int part = 0; part <= LV_STATE_PARTS; part++)
        for (int k = 0; k < steps->carried_count && fits; k++) {
            const lv_carried_field *x = &steps->carried[k];
            if (is_part(&c->form, x, part))
                fits = add_link_across(way, other, c->value[x->field], x->becomes);
        }
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

static bool find_links(const lv_program_steps *steps, lv_program_way *way)
{
    const lv_course *c = steps->course;
    bool fits = true;
    for (int part = 0; part <= LV_STATE_PARTS; part++)
        for (int k = 0; k < steps->carried_count && fits; k++) {
            const lv_carried_field *x = &steps->carried[k];
            if (is_part(&c->form, x, part))
                fits = add_link(way, x, c->value[x->field], x->becomes);
        }
    for (int k = 0; k < c->handovers.count; k++)
        for (int i = 0; i < c->handovers.data[k].parts && fits; i++) {
            const lv_handed *part = &c->handovers.data[k].part[i];
            fits = add_link(way, NULL, part->to, part->from);
        }
    find_ends(steps, way);
    return fits && LV_RESERVE(way->outside, way->after.count);
}

static bool find_passes(const lv_program_steps *steps, lv_program_way *way)
{
    const lv_fused *f = way->fused;
    way->passes = lv_memory_zeroed((size_t)f->pass_count + 1, sizeof *way->passes);
    for (int k = 0; way->passes && k < f->pass_count; k++) {
        const lv_fused_pass *x = &f->passes[k];
        way->passes[k] = (lv_program_pass){
            .solver = &steps->solvers[x->phase],
            .guess = f->workspace + x->guess,
            .found = x->found.slots ? NULL : f->workspace + x->found.first,
            .size = f->workspace + x->size,
            .excess = f->workspace + x->excess};
    }
    return way->passes != NULL;
}

static void free_way(lv_program_way *way)
{
    if (!way)
        return;
    LV_ARRAY_FREE(way->inside);
    LV_ARRAY_FREE(way->across);
    LV_ARRAY_FREE(way->outside);
    LV_ARRAY_FREE(way->before);
    LV_ARRAY_FREE(way->after);
    lv_memory_free(way->passes);
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
    bool fits = find_links(steps, way) && find_passes(steps, way);
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
