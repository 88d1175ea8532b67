/* What the numbers of a monitor mean, in words: warnings at the end of a run. */
#ifndef LV_RUN_VERDICT_H
#define LV_RUN_VERDICT_H

#include "run/monitor.h"

/* Warnings live in the arena; at most LV_VERDICTS. */
enum { LV_VERDICTS = 24 };

typedef struct lv_verdicts {
    const char *texts[LV_VERDICTS];
    int count;
} lv_verdicts;

/* What there is to warn of after so many steps. */
lv_status lv_verdicts_find(lv_verdicts *verdicts, const lv_monitor *monitor,
                           long long steps, lv_arena *arena, lv_error *err);

/* What the run has shown, bits of lv_run_summary.shown. */
lv_status lv_verdicts_shown(unsigned *shown, const lv_monitor *monitor, long long steps,
                            lv_arena *arena, lv_error *err);

/* The energy of the last node is not finite: LV_ERR_NUMERIC, with what led to it and what to do. */
lv_status lv_verdict_not_finite(const lv_monitor *monitor, lv_error *err);

#endif
