/* What was asked for beside the model decides how members end, too: it stands as a text in the files of sweeps,
 * "scheme=gauss stages=3 step=0.1 until=0 initial=-1". */
#ifndef LV_STUDY_CHANGES_H
#define LV_STUDY_CHANGES_H

#include "base/arena.h"

#include <livens/run.h>

/* NULL: there is no memory. */
const char *lv_changes_write(const lv_run_changes *changes, lv_arena *arena);

/* The same changes from their text; *initial is what changes->initial points to if it was given. LV_ERR_IO for a text
 * that livens did not write. */
lv_status lv_changes_read(lv_run_changes *changes, lv_initial *initial, const char *text,
                          lv_arena *arena, lv_error *err);

#endif
