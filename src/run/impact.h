/* The change of velocities by an event. */
#ifndef LV_RUN_IMPACT_H
#define LV_RUN_IMPACT_H

#include "model/event.h"

struct lv_sim;

/* Either sets the velocities that the event gives and moves all velocities onto the
 * constraints, or computes an impact. `values`: the values of the event's rows. The
 * change of energy counts as work of the event. */
lv_status lv_impact(struct lv_sim *sim, const lv_event *event, const double *values,
                    lv_error *err);

#endif
