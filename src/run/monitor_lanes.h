/* What monitors do after every step, for several simulations at once whose steps are made in lanes (step/lanes.h). The
 * numbers of a monitor are in its lane as long as its simulation is; whatever takes a closer look is left to the monitor
 * itself. */
#ifndef LV_RUN_MONITOR_LANES_H
#define LV_RUN_MONITOR_LANES_H

#include "run/monitor.h"
#include "system/watch_lanes.h"

typedef struct lv_monitor_lanes lv_monitor_lanes;

/* *lanes stays NULL where monitors like this one look for themselves at every step. */
lv_status lv_monitor_lanes_create(lv_monitor_lanes **lanes, const lv_monitor *like,
                                  lv_error *err);
void lv_monitor_lanes_free(lv_monitor_lanes *lanes);
bool lv_monitor_lanes_fit(const lv_monitor_lanes *lanes, const lv_monitor *monitor);

/* A monitor that fits comes to a lane; its numbers go back to it. */
void lv_monitor_lanes_enter(lv_monitor_lanes *lanes, int lane, const lv_monitor *monitor);
void lv_monitor_lanes_leave(lv_monitor_lanes *lanes, int lane, lv_monitor *monitor);

/* Looks at the states of those lanes in which a step was made with so many passes, as they stand side by side.
 * alone[lane]: nothing was noted, the monitor has to look for itself, between leaving and entering again. Returns whether none has to. */
bool lv_monitor_lanes_look(lv_monitor_lanes *lanes, const double t[LV_LANES],
                           const lv_state *at, const bool made[LV_LANES],
                           const int passes[LV_LANES], bool alone[LV_LANES]);

#endif
