/* What callers ask of a stepper about its last step: fields, multipliers, its derivative;
 * and what they set before the first one. */
#include "stepper/stepper_private.h"

#include <string.h>

/* Evaluates in the course what it would have evaluated in the last step, for callers. */
static void replay(lv_stepper *s)
{
    lv_program_steps_settle(&s->programs);
    if (s->by_program && !s->replayed)
        lv_course_replay(s->course);
    s->replayed = true;
}

void lv_stepper_show(lv_stepper *s)
{
    replay(s);
    lv_course_run(s->course, &s->course->phase[LV_PLACE_SHOWN(s->course)].before);
}

const double *lv_stepper_value(lv_stepper *s, const char *name, int index)
{
    lv_program_steps_settle(&s->programs);
    return lv_course_value(s->course, name, index);
}

double *lv_stepper_carried(lv_stepper *s, const char *name)
{
    lv_program_steps_settle(&s->programs);
    for (int k = 0; k < s->carried_count && s->memory[LV_MEMORY_STEPS] > 0; k++) {
        const lv_carried_field *x = &s->carried[k];
        if (x->memory && x->size > 0 &&
            strcmp(s->course->form.fields.data[x->field].name, name) == 0)
            return x->memory;
    }
    return NULL;
}

void lv_stepper_release(lv_stepper *s, const lv_state *at, double *multipliers)
{
    lv_frozen_release(&s->frozen, s->system->still ? &s->inside : at, multipliers);
}

int lv_stepper_phases(const lv_stepper *s)
{
    return s->course->phases.count;
}

int lv_stepper_unknowns(const lv_stepper *s, int phase)
{
    return s->course->phase[phase].unknown_size;
}

lv_course *lv_stepper_course(lv_stepper *s)
{
    lv_program_steps_settle(&s->programs);
    return s->course;
}

bool lv_stepper_by_program(const lv_stepper *s)
{
    return s->by_program;
}

/* ---- remembered steps --------------------------------------------------------------- */

bool lv_stepper_continues(const lv_stepper *s, double h)
{
    return s->memory[LV_MEMORY_STEPS] > 0 && s->memory[LV_MEMORY_SIZE] == h;
}

void lv_stepper_start(lv_stepper *s, double h)
{
    lv_stepper_forget(s);
    s->memory[LV_MEMORY_SIZE] = h;
}

void lv_stepper_set_carried(lv_stepper *s, const char *name, int index,
                            const double *numbers)
{
    for (int k = 0; k < s->carried_count; k++) {
        const lv_carried_field *x = &s->carried[k];
        const lv_field *f = &s->course->form.fields.data[x->field];
        if (x->memory && f->index == index && strcmp(f->name, name) == 0)
            memcpy(x->memory, numbers, (size_t)x->size * sizeof *numbers);
    }
}

bool lv_stepper_multipliers_jump(const lv_stepper *s)
{
    return !s->by_program && ((s->frozen.fresh && s->frozen.count > 0) ||
                              lv_stepper_has_small_pivots(s, s->course->phases.count));
}

void lv_stepper_clear_carried(lv_stepper *s, const char *name)
{
    (void)lv_stepper_memory(s); /* the last step may still be in a workspace */
    for (int k = 0; k < s->carried_count; k++) {
        const lv_carried_field *x = &s->carried[k];
        if (x->memory && strcmp(s->course->form.fields.data[x->field].name, name) == 0)
            memset(x->memory, 0, (size_t)x->size * sizeof *x->memory);
    }
    for (int k = 0; k < s->course->phases.count; k++)
        lv_solver_forget_past(&s->solvers[k], s->substeps);
}

/* ---- the derivative of a step ------------------------------------------------------ */

static lv_status make_tangent(lv_stepper *s, lv_error *err)
{
    if (s->tangent)
        return LV_OK;
    lv_status status = lv_tangent_create(&s->tangent, s->course, err);
    if (status != LV_OK) {
        lv_tangent_free(s->tangent);
        s->tangent = NULL;
    }
    return status;
}

lv_status lv_stepper_tangent(lv_stepper *s, double *matrix, lv_error *err)
{
    lv_program_steps_settle(&s->programs);
    if (!s->course->finished)
        return lv_fail(err, LV_ERR_USAGE, "there was no step whose derivative is known");
    if (s->restarts)
        return lv_fail(err, LV_ERR_MODEL,
                       "steps that begin with the multipliers of the motion have no "
                       "derivative that is known");
    LV_TRY(make_tangent(s, err));
    replay(s);
    LV_TRY(lv_tangent_build(s->tangent, s->frozen.count > 0 ? s->frozen.rows : NULL,
                            s->now.asks, err));
    return lv_tangent_of_state(s->tangent, matrix, err);
}
