/* The options of a sweep that change its runs, as a text in the files of sweeps, because
 * the results of members depend on them: "scheme=gauss stages=3 step=0.1 until=0
 * initial=-1". */
#ifndef LV_STUDY_CHANGES_H
#define LV_STUDY_CHANGES_H

#include "base/arena.h"

#include <livens/run.h>

/* NULL: memory is short. */
const char *lv_changes_write(const lv_run_changes *changes, lv_arena *arena);

/* Reads the changes from such a text. *initial is the storage that changes->initial
 * points to if it was given. A text that livens did not write is LV_ERR_IO. */
lv_status lv_changes_read(lv_run_changes *changes, lv_initial *initial, const char *text,
                          lv_arena *arena, lv_error *err);

#endif
