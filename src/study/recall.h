/* Members of an earlier sweep that was interrupted, from its HDF5 file: they need not run again.
 * Those that failed are not among them, since the file has no messages. */
#ifndef LV_STUDY_RECALL_H
#define LV_STUDY_RECALL_H

#include "study/table.h"

typedef struct lv_recall {
    int count;
    int members, width;
    double *rows; /* by member; the status of those that are not known is nan */
    int status;   /* its column */
} lv_recall;

/* Reads a file of the same sweep: its texts must be those of the header. Without a file nothing
 * is known. Call lv_recall_done in any case. */
lv_status lv_recall_init(lv_recall *recall, const char *path, const lv_table *table,
                         int members, const lv_header *header, lv_error *err);
void lv_recall_done(lv_recall *recall);

/* The row of a member, or NULL. */
const double *lv_recall_row(const lv_recall *recall, int member);

#endif
