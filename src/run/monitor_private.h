/* What the files of the monitor share: monitor.c examines a state, monitor_compare.c lets
 * a program do so where nothing is unusual. */
#ifndef LV_RUN_MONITOR_PRIVATE_H
#define LV_RUN_MONITOR_PRIVATE_H

#include "run/monitor.h"

/* The larger one; `kept` if x is NaN. Like fmax, without a call. */
static inline double lv_monitor_larger(double kept, double x)
{
    return x > kept ? x : kept;
}

/* Examines the state of the simulation without the program; `first` sets the initial
 * values. */
void lv_monitor_look_closely(lv_monitor *monitor, bool first);

/* Residuals of a level up to this size need no comparison with their limits, except at
 * steps that are due. */
double lv_monitor_bound(const lv_monitor *monitor, int level);

/* Deviations of the energy up to this one are no leaps. */
double lv_monitor_leapt(const lv_monitor *monitor);

/* Sizes of energies up to this one are no runaways. */
double lv_monitor_outgrown(const lv_monitor *monitor);

#endif
