/* Warnings at the end of a run, from the numbers of its monitor. */
#ifndef LV_RUN_VERDICT_H
#define LV_RUN_VERDICT_H

#include "run/monitor.h"

/* Warnings live in the arena; at most LV_VERDICTS. */
enum { LV_VERDICTS = 24 };

typedef struct lv_verdicts {
    const char *texts[LV_VERDICTS];
    int count;
} lv_verdicts;

/* Finds the warnings after so many steps. */
lv_status lv_verdicts_find(lv_verdicts *verdicts, const lv_monitor *monitor,
                           long long steps, lv_arena *arena, lv_error *err);

/* What the run has shown, as bits of lv_run_summary.shown. */
lv_status lv_verdicts_shown(unsigned *shown, const lv_monitor *monitor, long long steps,
                            lv_arena *arena, lv_error *err);

/* Fails with LV_ERR_NUMERIC because the energy at the last node is not finite; the
 * message gives the cause and a hint. */
lv_status lv_verdict_not_finite(const lv_monitor *monitor, lv_error *err);

#endif
