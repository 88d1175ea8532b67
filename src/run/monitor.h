/* Watches what should be kept during a run. Its numbers are part of a checkpoint. */
#ifndef LV_RUN_MONITOR_H
#define LV_RUN_MONITOR_H

#include <livens/run.h>

#include "run/sim.h"

typedef struct lv_monitor {
    lv_sim *sim;
    int maps;
    /* Everything below lies in `numbers`, in this order. */
    double *numbers;
    int count;
    double *energy;    /* initial, final, largest deviation */
    double *residual;  /* largest |g|, |dg/dt|, |Phi| */
    double *lag;       /* of carried multipliers: largest, and the largest multiplier */
    double *newton;    /* sum and largest of the iterations */
    double *invariant; /* of the scheme, likewise; NULL: it has none */
    double *momentum;  /* initial, final, largest deviation of each map */
    lv_watch now;      /* the last node */
    double *lambda;    /* multipliers, where a scheme carries some */
} lv_monitor;

lv_status lv_monitor_init(lv_monitor *monitor, lv_sim *sim, lv_arena *arena,
                          lv_error *err);

/* Looks at the current state; `first` sets the initial values. */
void lv_monitor_look(lv_monitor *monitor, bool first);

#endif
