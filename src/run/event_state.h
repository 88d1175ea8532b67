/* What a simulation has of its events (events.h). */
#ifndef LV_RUN_EVENT_STATE_H
#define LV_RUN_EVENT_STATE_H

#include <livens/sim.h>

#include "model/event.h"
#include "scheme/scheme.h"

/* Who wants to know: the state right before the event changes something, and right after it. */
typedef struct lv_event_watch {
    void *user;
    lv_status (*before)(void *user, lv_error *err);
    lv_status (*after)(void *user, const lv_event *event, lv_error *err);
} lv_event_watch;

/* Numbers of an event: how often it has happened, when first, when last, on which side its formula is. In front of
 * those of all events stands which one has ended the simulation, counted from 1; 0: none has. */
enum { LV_EVENT_COUNT, LV_EVENT_FIRST, LV_EVENT_LAST, LV_EVENT_SIDE, LV_EVENT_NUMBERS };

typedef struct lv_events {
    const lv_event *list;
    int count;
    bool off;        /* they do not happen: for those who look at single steps */
    bool endless;    /* none ends the simulation */
    lv_plan *plan;   /* NULL: the model has no events */
    double *numbers; /* part of the simulation's state */
    int number_count;
    double *values;      /* of all rows, where they were evaluated last */
    double *start;       /* values at the beginning of a piece */
    double *a;           /* accelerations; NULL: no event needs them */
    double *begin, *try; /* saved simulations: of a step, of a piece */
    double *room;        /* 4 n numbers */
    lv_event_call *call; /* of users; NULL: none */
    void *user;
    lv_event_watch watch;
} lv_events;

#endif
