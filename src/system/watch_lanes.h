/* What is watched at nodes (lv_system_watch) of several systems at once that differ in numbers
 * only: the same operations in the same order for every lane, so that the bits are those of each system alone. */
#ifndef LV_SYSTEM_WATCH_LANES_H
#define LV_SYSTEM_WATCH_LANES_H

#include "expr/program.h"
#include "system/system.h"

typedef double lv_lane_numbers[LV_LANES];

typedef struct lv_watch_lanes lv_watch_lanes;

/* Of one node in every lane. */
typedef struct lv_watched {
    lv_lane_numbers energy, size, position, velocity, rolling, lever;
    lv_lane_numbers check; /* not 0 where something is not finite */
} lv_watched;

/* *watch stays NULL where the system is not watched by a program. */
lv_status lv_watch_lanes_create(lv_watch_lanes **watch, const lv_system *like,
                                lv_error *err);
void lv_watch_lanes_free(lv_watch_lanes *watch);
bool lv_watch_lanes_fit(const lv_watch_lanes *watch, const lv_system *system);

/* The numbers of a system that fits go to a lane. */
void lv_watch_lanes_enter(lv_watch_lanes *watch, int lane, const lv_system *system);

/* Positions, velocities and momenta: number k of lane l at [k * LV_LANES + l]. maps: one of each momentum map. */
void lv_watch_lanes_look(lv_watch_lanes *watch, lv_watched *now, lv_lane_numbers *maps,
                         const double *t, const double *q, const double *v,
                         const double *p);

#endif
