/* Warnings about a run: of how it begins, and of what its monitor has seen. */
#ifndef LV_RUN_NOTES_H
#define LV_RUN_NOTES_H

#include "base/text.h"
#include "run/verdict.h"
#include "system/elements.h"

enum { LV_NOTES = LV_VERDICTS + 8 };

/* Texts live in the arena; those beyond LV_NOTES are left out. */
typedef struct lv_notes {
    lv_arena *arena;
    const char *texts[LV_NOTES];
    int count;
} lv_notes;

void lv_notes_add(lv_notes *notes, const char *text);

/* Adds a text and frees it. */
lv_status lv_notes_take(lv_notes *notes, lv_text *text, lv_error *err);

/* Constraints that are redundant where the simulation stands, with their names. */
lv_status lv_notes_redundancy(lv_notes *notes, lv_sim *sim, lv_error *err);

/* Events that certificates leave out. */
lv_status lv_notes_events(lv_notes *notes, const lv_sim *sim, lv_error *err);

/* Options that have no effect on the model. options: as they were asked for. */
lv_status lv_notes_options(lv_notes *notes, const lv_sim *sim,
                           const lv_scheme_options *options, lv_error *err);

/* Momentum maps that the scheme keeps in other systems, but not in this one. options: as they were asked for. */
lv_status lv_notes_momenta(lv_notes *notes, const lv_sim *sim,
                           const lv_scheme_options *options, lv_error *err);

/* What the monitor has to warn of after so many steps. */
lv_status lv_notes_monitor(lv_notes *notes, const lv_monitor *monitor, long long steps,
                           lv_error *err);

/* Which joints, motors, contacts and constraints depend on each other now. */
lv_status lv_notes_dependent(lv_arena *arena, lv_sim *sim, lv_dependence_info *found,
                             lv_error *err);

#endif
