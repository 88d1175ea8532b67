/* Members that need not run again: those of an earlier sweep that was interrupted, from its HDF5 file, or all, from the
 * files of the parts of a sweep. Members that failed in a sweep that was interrupted are not among them. */
#ifndef LV_STUDY_RECALL_H
#define LV_STUDY_RECALL_H

#include "study/parts.h"
#include "study/table.h"

typedef struct lv_recall {
    int count;
    int members, width;
    double *rows;          /* by member; the status of those that are not known is nan */
    int status, warnings;  /* columns */
    lv_hdf5_run file;      /* of the sweep that was interrupted, */
    const char **messages; /* by member, what it had to say (messages.h); NULL: nothing */
    bool whole;            /* all members are known, and nothing runs */
} lv_recall;

/* Reads a file of the same sweep: its texts must be those of the header. Without a file nothing
 * is known. Call lv_recall_done in any case. */
lv_status lv_recall_init(lv_recall *recall, const char *path, const lv_table *table,
                         int members, const lv_header *header, lv_error *err);

/* All members, from the files of all parts. */
lv_status lv_recall_join(lv_recall *recall, const lv_sweep_parts *parts,
                         const lv_table *table, int members, lv_error *err);
void lv_recall_done(lv_recall *recall);

/* Writes a file of this table once more, with another header. The table's row is overwritten. */
lv_status lv_recall_rewrite(const char *path, const lv_table *table,
                            const lv_header *header, lv_error *err);

/* The row of a member, or NULL. */
const double *lv_recall_row(const lv_recall *recall, int member);

#endif
