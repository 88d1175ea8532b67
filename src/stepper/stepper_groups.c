/* Bodies on groups: converts the state between the variables of a step and those of
 * callers. */
#include "stepper/stepper_private.h"

#include <string.h>

void lv_stepper_take_in(lv_stepper *s, const lv_state *state)
{
    const lv_turning *t = &s->course->turning;
    lv_state *x = &s->inside;
    double *body = s->course->work;
    const size_t bytes = (size_t)t->coordinates * sizeof *x->q;
    x->t = state->t;
    if (s->now.number > 0 && memcmp(x->q, state->q, bytes) == 0)
        return;
    memcpy(x->q, state->q, bytes);
    lv_turning_complete(t, x->q);
    lv_motion_tangents(t->motion, x->v, x->q, state->v);
    lv_system_momentum(s->system, body, x->t, x->q, x->v);
    lv_turn_arguments arguments = {[LV_ARG_Q] = x->q, [LV_ARG_W] = body};
    lv_turning_apply(t, LV_TURN_SPACE, x->p, arguments);
}

void lv_stepper_put_position(const lv_stepper *s, lv_state *state)
{
    memcpy(state->q, s->inside.q,
           (size_t)s->course->turning.coordinates * sizeof *state->q);
}

void lv_stepper_put_out(const lv_stepper *s, lv_state *state, double t, const double *q,
                        const double *v)
{
    const lv_turning *turning = &s->course->turning;
    memcpy(state->q, q, (size_t)turning->coordinates * sizeof *state->q);
    lv_motion_velocities(turning->motion, state->v, turning->coordinates, state->q, v);
    lv_system_momentum(s->system->still, state->p, t, state->q, state->v);
}

lv_status lv_stepper_place(lv_stepper *s, const double *x, const double *momenta,
                           lv_state *state, lv_error *err)
{
    lv_program_steps_settle(&s->programs);
    const lv_course *c = s->course;
    const lv_turning *t = &c->turning;
    double *q = s->place, *v = q + s->system->points, *body = v + s->system->n;
    lv_turn_arguments moved = {
        [LV_ARG_Q] = c->value[lv_form_find(&c->form, "q", 0)], [LV_ARG_V0] = x};
    lv_turn_arguments turned = {[LV_ARG_Q] = q, [LV_ARG_W] = momenta};
    lv_turning_apply(t, t->bodies ? LV_TURN_DRIFT : LV_TURN_MOVE, q, moved);
    lv_turning_apply(t, LV_TURN_BODY, body, turned);
    memcpy(v, s->inside.v, (size_t)s->system->n * sizeof *v);
    LV_TRY(lv_system_velocity(s->system, v, state->t, q, body, err));
    lv_stepper_put_out(s, state, state->t, q, v);
    return LV_OK;
}
