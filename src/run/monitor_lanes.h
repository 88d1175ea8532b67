/* The work of monitors after every step, for several simulations at once whose steps are
 * taken in lanes (step/lanes.h). The numbers of a monitor are in its lane as long as its
 * simulation is; everything that needs a closer look is left to the monitor itself. */
#ifndef LV_RUN_MONITOR_LANES_H
#define LV_RUN_MONITOR_LANES_H

#include "run/monitor.h"
#include "system/watch_lanes.h"

typedef struct lv_monitor_lanes lv_monitor_lanes;

/* *lanes stays NULL if monitors like this one must look for themselves at every step. */
lv_status lv_monitor_lanes_create(lv_monitor_lanes **lanes, const lv_monitor *like,
                                  lv_error *err);
void lv_monitor_lanes_free(lv_monitor_lanes *lanes);
bool lv_monitor_lanes_fit(const lv_monitor_lanes *lanes, const lv_monitor *monitor);

/* Enter: copies the numbers of a monitor that fits to a lane. Leave: copies them back. */
void lv_monitor_lanes_enter(lv_monitor_lanes *lanes, int lane, const lv_monitor *monitor);
void lv_monitor_lanes_leave(lv_monitor_lanes *lanes, int lane, lv_monitor *monitor);

/* Examines the states of the lanes in which a step was made with so many passes.
 * alone[lane]: nothing was noted, and the monitor must look for itself, between leaving
 * and entering again. Returns true if no monitor must. */
bool lv_monitor_lanes_look(lv_monitor_lanes *lanes, const double t[LV_LANES],
                           const lv_state *at, const bool made[LV_LANES],
                           const int passes[LV_LANES], bool alone[LV_LANES]);

#endif
