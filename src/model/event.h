/* Events: what happens when a formula passes through zero.
 *
 * An event has up to three kernels of the role LV_ROLE_EVENT: `when` and its rate; its
 * restitution, or the velocities that it sets; the value of an input. Their rows are
 * consecutive in LV_Q_EVENT, in the order of the kernels. */
#ifndef LV_MODEL_EVENT_H
#define LV_MODEL_EVENT_H

#include "model/model.h"

typedef struct lv_event {
    const lv_item *item;
    int direction; /* 1: rising, -1: falling, 0: both */
    bool record;   /* a row of results is written at the event */
    /* how many times it must happen to end the simulation; 0: it never does */
    long long stops;
    int when;        /* row of the formula; the next row is its rate */
    int restitution; /* row of the restitution; -1: none */
    int velocity;    /* first row of the velocities it sets, -1: none */
    int velocity_count;
    const int *coordinates; /* coordinates of these velocities */
    int input;              /* number of the input that it sets, -1: none */
    int value;              /* first row of the value of that input */
} lv_event;

/* Whether an event changes velocities; whether it changes velocities or an input. */
bool lv_event_jumps(const lv_event *event);
bool lv_event_acts(const lv_event *event);

/* Whether any event of the model changes velocities. */
bool lv_model_has_jumps(const lv_model *model);

/* Fills the model's list of events, when its kernels exist. */
lv_status lv_model_read_events(lv_model *model, lv_error *err);

#endif
