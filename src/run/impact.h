/* What an event does to velocities. */
#ifndef LV_RUN_IMPACT_H
#define LV_RUN_IMPACT_H

#include "model/event.h"

struct lv_sim;

/* Sets the velocities of the event, whose rows have these values, and moves all of them onto the constraints; or makes
 * an impact of it. The difference of energies counts as work of the event. */
lv_status lv_impact(struct lv_sim *sim, const lv_event *event, const double *values,
                    lv_error *err);

#endif
