/* Events: what happens when a formula passes through zero.
 *
 * An event is made of up to three kernels of the role LV_ROLE_EVENT: `when` and its rate; its restitution, or the
 * velocities that it sets; the value of an input. Their rows follow each other in LV_Q_EVENT, in the order of the kernels. */
#ifndef LV_MODEL_EVENT_H
#define LV_MODEL_EVENT_H

#include "model/model.h"

typedef struct lv_event {
    const lv_item *item;
    int direction;   /* 1: rising, -1: falling, 0: both */
    bool record;     /* a row of results is written then */
    long long stops; /* which time ends the simulation; 0: none does */
    int when;        /* row of the formula; that of its rate is the next one */
    int restitution; /* row, -1: none */
    int velocity;    /* first row of the velocities it sets, -1: none */
    int velocity_count;
    const int *coordinates; /* whose velocities these are */
    int input;              /* number of the input that it sets, -1: none */
    int value;              /* first row of what that becomes */
} lv_event;

/* Does it change velocities? Or these, or an input? */
bool lv_event_jumps(const lv_event *event);
bool lv_event_acts(const lv_event *event);

/* Does an event of the model do so? */
bool lv_model_has_jumps(const lv_model *model);

/* Fills the model's list of events, once it has its kernels. */
lv_status lv_model_read_events(lv_model *model, lv_error *err);

#endif
