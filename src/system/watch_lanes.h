/* Evaluates what lv_system_watch does for several systems at once that differ in numbers
 * only. Every lane does the same operations in the same order as the program of its
 * system, so the results have the same bits. */
#ifndef LV_SYSTEM_WATCH_LANES_H
#define LV_SYSTEM_WATCH_LANES_H

#include "expr/program.h"
#include "system/system.h"

typedef double lv_lane_numbers[LV_LANES];

typedef struct lv_watch_lanes lv_watch_lanes;

/* Values at one node for every lane, named as in lv_watch. */
typedef struct lv_watched {
    lv_lane_numbers energy, size, position, velocity, rolling, lever;
    /* 0 if everything in the lane is finite, otherwise NaN */
    lv_lane_numbers check;
} lv_watched;

/* Creates lanes for systems like this one. *watch is NULL if it has no watch program. */
lv_status lv_watch_lanes_create(lv_watch_lanes **watch, const lv_system *like,
                                lv_error *err);
void lv_watch_lanes_free(lv_watch_lanes *watch);
bool lv_watch_lanes_fit(const lv_watch_lanes *watch, const lv_system *system);

/* Copies the numbers of a system that fits to a lane. */
void lv_watch_lanes_enter(lv_watch_lanes *watch, int lane, const lv_system *system);

/* Evaluates all lanes. t has one number per lane; q, v and p have number k of lane l at
 * [k * LV_LANES + l]. maps receives the momentum maps, one lv_lane_numbers each. */
void lv_watch_lanes_look(lv_watch_lanes *watch, lv_watched *now, lv_lane_numbers *maps,
                         const double *t, const double *q, const double *v,
                         const double *p);

#endif
