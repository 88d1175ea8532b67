/* The events of a simulation (events.h): their state and what is needed to find them. */
#ifndef LV_RUN_EVENT_STATE_H
#define LV_RUN_EVENT_STATE_H

#include <livens/sim.h>

#include "model/event.h"
#include "scheme/scheme.h"

/* Called with the simulation right before an event changes something, and right after
 * it. */
typedef struct lv_event_watch {
    void *user;
    lv_status (*before)(void *user, lv_error *err);
    lv_status (*after)(void *user, const lv_event *event, lv_error *err);
} lv_event_watch;

/* Numbers of an event: how often it has happened, when first, when last, and the sign of
 * its formula. The first number of all is that of the event which has ended the
 * simulation, counted from 1; 0: none has. */
enum { LV_EVENT_COUNT, LV_EVENT_FIRST, LV_EVENT_LAST, LV_EVENT_SIDE, LV_EVENT_NUMBERS };

typedef struct lv_events {
    const lv_event *list;
    int count;
    bool off;        /* events are ignored, for callers that examine single steps */
    bool endless;    /* no event ends the simulation */
    lv_plan *plan;   /* evaluates the formulas; NULL: the model has no events */
    double *numbers; /* part of the simulation's state */
    int number_count;
    double *values; /* values of all rows at the point that was evaluated last */
    double *start;  /* values at the beginning of a piece of a step */
    double *a;      /* accelerations; NULL: no event needs them */
    /* saved simulations: at the beginning of the step, and of the piece */
    double *begin, *try;
    double *room;        /* scratch, 4 n numbers */
    lv_event_call *call; /* set by lv_sim_on_event; NULL: none */
    void *user;
    lv_event_watch watch;
} lv_events;

#endif
