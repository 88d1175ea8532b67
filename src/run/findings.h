/* What a run has shown of the promises of its scheme, with the bounds of certificates: the pages of runs and `verify` say
 * the same. */
#ifndef LV_RUN_FINDINGS_H
#define LV_RUN_FINDINGS_H

#include <livens/verify.h>

#include "base/arena.h"
#include "base/memory.h"
#include "run/monitor.h"

/* Texts live in the arena. Free list.data. */
typedef struct lv_findings {
    lv_arena *arena;
    LV_ARRAY(lv_finding) list;
    bool failed; /* out of memory */
} lv_findings;

/* Adds a finding; its note is the text that is formatted. */
void lv_findings_add(lv_findings *findings, lv_finding finding, const char *format, ...)
    LV_PRINTF(3, 4);

/* Kept if measured <= bound, a NaN is not; without a promise it is only measured. */
lv_finding_verdict lv_finding_judge(const lv_finding *finding);

/* What of energies and momentum maps is rounding after so many steps, relative to the terms that are added. */
double lv_finding_rounding(long long steps);

/* The size of these terms. */
double lv_finding_energy_size(const lv_monitor *monitor);

/* The energy, not judged where its error is promised to be bounded: that takes a look at all nodes. */
lv_finding lv_finding_of_energy(const lv_monitor *monitor, long long steps);

/* Everything but the energy: invariants of schemes, momentum maps, constraints, the balance of energy and work. */
lv_status lv_findings_of_monitor(lv_findings *findings, const lv_monitor *monitor,
                                 long long steps, lv_error *err);

/* Says of what is promised that it holds while inputs are constant, where a model has inputs that the motion depends on. */
void lv_findings_condition(lv_findings *findings, const lv_model *model);

/* All of it, as far as one run alone shows it; nothing before the first step. */
lv_status lv_findings_of_run(lv_findings *findings, const lv_monitor *monitor,
                             long long steps, lv_error *err);

#endif
