/* Warnings about a run: about its start, and from its monitor. */
#ifndef LV_RUN_NOTES_H
#define LV_RUN_NOTES_H

#include "base/text.h"
#include "run/verdict.h"
#include "system/elements.h"

enum { LV_NOTES = LV_VERDICTS + 8 };

/* Texts live in the arena; texts beyond LV_NOTES are dropped. */
typedef struct lv_notes {
    lv_arena *arena;
    const char *texts[LV_NOTES];
    int count;
} lv_notes;

void lv_notes_add(lv_notes *notes, const char *text);

/* Adds a copy of the text and frees the text. */
lv_status lv_notes_take(lv_notes *notes, lv_text *text, lv_error *err);

/* Warns of constraints that are redundant at the current state, with their names. */
lv_status lv_notes_redundancy(lv_notes *notes, lv_sim *sim, lv_error *err);

/* Warns of constraints that are nearly dependent at the current state, with their names and
 * how nearly. */
lv_status lv_notes_nearly(lv_notes *notes, lv_sim *sim, lv_error *err);

/* Warns of events that certificates leave out. */
lv_status lv_notes_events(lv_notes *notes, const lv_sim *sim, lv_error *err);

/* Warns of options that have no effect on the model. options: as the caller gave them. */
lv_status lv_notes_options(lv_notes *notes, const lv_sim *sim,
                           const lv_scheme_options *options, lv_error *err);

/* Warns of momentum maps that the scheme keeps in other systems, but not in this one.
 * options: as the caller gave them. */
lv_status lv_notes_momenta(lv_notes *notes, const lv_sim *sim,
                           const lv_scheme_options *options, lv_error *err);

/* Adds the warnings of the monitor after so many steps. */
lv_status lv_notes_monitor(lv_notes *notes, const lv_monitor *monitor, long long steps,
                           lv_error *err);

/* Finds joints, motors, contacts and constraints that depend on each other at the current
 * state. */
lv_status lv_notes_dependent(lv_arena *arena, lv_sim *sim, lv_dependence_info *found,
                             lv_error *err);

#endif
