/* What a run has shown about the claims of its scheme, with the bounds of certificates,
 * so that pages of runs and `verify` agree. */
#ifndef LV_RUN_FINDINGS_H
#define LV_RUN_FINDINGS_H

#include <livens/verify.h>

#include "base/arena.h"
#include "base/memory.h"
#include "run/monitor.h"

/* Texts live in the arena. The caller frees list.data. */
typedef struct lv_findings {
    lv_arena *arena;
    LV_ARRAY(lv_finding) list;
    bool failed; /* out of memory */
} lv_findings;

/* Adds a finding; the formatted text becomes its note. */
void lv_findings_add(lv_findings *findings, lv_finding finding, const char *format, ...)
    LV_PRINTF(3, 4);

/* The verdict: a promise is kept if measured <= bound (NaN is not); without a promise the
 * value is only measured. */
lv_finding_verdict lv_finding_judge(const lv_finding *finding);

/* The rounding error that energies and momentum maps may have after so many steps,
 * relative to the terms that are added. */
double lv_finding_rounding(long long steps);

/* The largest size of the terms of the energy; 1 if it is 0. */
double lv_finding_energy_size(const lv_monitor *monitor);

/* The finding about the energy. It is left open if the error is claimed to be bounded,
 * because that takes the energies at all nodes. */
lv_finding lv_finding_of_energy(const lv_monitor *monitor, long long steps);

/* All findings but the energy: invariants of schemes, momentum maps, constraints, the
 * balance of energy and work. */
lv_status lv_findings_of_monitor(lv_findings *findings, const lv_monitor *monitor,
                                 long long steps, lv_error *err);

/* Adds to promises that they hold while inputs are constant, if the motion depends on
 * inputs of the model. */
void lv_findings_condition(lv_findings *findings, const lv_model *model);

/* All findings that a single run can show; none before the first step. */
lv_status lv_findings_of_run(lv_findings *findings, const lv_monitor *monitor,
                             long long steps, lv_error *err);

#endif
