/* How the entries of Z = G weighted^T (system/schur.h) are computed: which coordinates
 * the two rows of an entry share. */
#ifndef LV_SYSTEM_SCHUR_RUNS_H
#define LV_SYSTEM_SCHUR_RUNS_H

#include "num/columns.h"

/* A run is a cell: coordinates that a row of g and a row of weighted share, as far as
 * they are adjacent in both. They are groups of columns from LV_RUN_GROUP on, whose
 * values begin at the entries LV_RUN_G and LV_RUN_WEIGHTED. An entry of Z is a sum over
 * runs. The kind of a run is its number of groups, negative for the last run of an
 * entry. */
enum { LV_RUN_G, LV_RUN_WEIGHTED, LV_RUN_GROUP };

/* Finds the runs of all entries, with the rows of Z as lines. `columns` are those of
 * weighted. */
lv_status lv_schur_runs_find(lv_repeats *runs, lv_arena *arena, const lv_pattern *g,
                             const lv_pattern *z, const lv_columns *columns,
                             lv_error *err);

#endif
