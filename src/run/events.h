/* Events of a simulation: found at the ends of steps, located within them, carried out.
 *
 * The formula of an event has a side, the sign that it has had last. Where a step ends on the other one, steps of
 * other sizes from the same beginning find the time at which it changes: the event lies on the motion that the scheme
 * computes, whose order its time has. Steps end there; the rest of the step that was asked for follows. */
#ifndef LV_RUN_EVENTS_H
#define LV_RUN_EVENTS_H

#include <livens/sim.h>

#include "run/event_state.h"

/* Once the simulation is complete but for its events. */
lv_status lv_events_init(lv_sim *sim, lv_error *err);
void lv_events_done(lv_events *events);

/* The numbers of the k-th event. */
double *lv_events_of(const lv_events *events, int k);

/* Sides follow from the state; nothing has ended the simulation. */
lv_status lv_events_begin(lv_sim *sim, lv_error *err);

/* A step of this size, to this time, with the events in it, or up to the one that ends the simulation. On failure the
 * state is what it was. */
lv_status lv_events_step(lv_sim *sim, double h, double end, lv_error *err);

/* Number of the event that has ended the simulation; -1: none has. */
static inline int lv_events_stopped(const lv_events *events)
{
    return events->count > 0 ? (int)events->numbers[0] - 1 : -1;
}

/* Can these numbers be those of events? */
bool lv_events_are_sound(const lv_events *events, const double *numbers);

#endif
