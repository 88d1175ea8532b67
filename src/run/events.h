/* Events of a simulation: they are detected at the ends of steps, located inside of them
 * and carried out.
 *
 * The side of an event is the last sign of its formula. If a step ends on the other side,
 * steps of other sizes from the same beginning find the time at which the sign changes.
 * The event is thus a point of the motion that the scheme computes, and its time has the
 * order of the scheme. A step ends there, and another one covers the rest of the step
 * that was asked for. */
#ifndef LV_RUN_EVENTS_H
#define LV_RUN_EVENTS_H

#include <livens/sim.h>

#include "run/event_state.h"

/* Call it when the rest of the simulation is complete. */
lv_status lv_events_init(lv_sim *sim, lv_error *err);
void lv_events_done(lv_events *events);

/* The LV_EVENT_NUMBERS numbers of the k-th event. */
double *lv_events_of(const lv_events *events, int k);

/* Sets the sides from the current state; no event has ended the simulation. */
lv_status lv_events_begin(lv_sim *sim, lv_error *err);

/* Takes a step of size h to the time `end` with the events in it, or up to the event that
 * ends the simulation. A failed step leaves the state unchanged. */
lv_status lv_events_step(lv_sim *sim, double h, double end, lv_error *err);

/* Number of the event that has ended the simulation; -1: none has. */
static inline int lv_events_stopped(const lv_events *events)
{
    return events->count > 0 ? (int)events->numbers[0] - 1 : -1;
}

/* Whether numbers from a file can be those of events. */
bool lv_events_are_sound(const lv_events *events, const double *numbers);

#endif
