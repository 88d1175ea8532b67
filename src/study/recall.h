/* Members that need not run again: those in the HDF5 file of an earlier sweep that was
 * interrupted, except failed ones, or all members, from the files of the parts of a
 * sweep. */
#ifndef LV_STUDY_RECALL_H
#define LV_STUDY_RECALL_H

#include "study/parts.h"
#include "study/table.h"

typedef struct lv_recall {
    int count;
    int members, width;
    /* one row per member; the status of members that are not known is NaN */
    double *rows;
    int status, warnings;  /* columns */
    lv_hdf5_run file;      /* file of the interrupted sweep */
    const char **messages; /* messages of each member (messages.h); NULL: it has none */
    bool whole;            /* all members are known, and nothing runs */
} lv_recall;

/* Reads a file of the same sweep: its texts must be those of the header. If there is no
 * file, no member is known. Call lv_recall_done in any case. */
lv_status lv_recall_init(lv_recall *recall, const char *path, const lv_table *table,
                         int members, const lv_header *header, lv_error *err);

/* Reads all members from the files of all parts. */
lv_status lv_recall_join(lv_recall *recall, const lv_sweep_parts *parts,
                         const lv_table *table, int members, lv_error *err);
void lv_recall_done(lv_recall *recall); /* afterwards no member is known */

/* Writes the rows of all known members to a sink of the table, in the order of their
 * numbers. The table's row is overwritten. */
lv_status lv_recall_write(const lv_recall *recall, const lv_table *table, lv_sink *sink,
                          lv_error *err);

/* Rewrites a file of this table with another header, and with the rows in the order of
 * the members. At every moment, also if the process is killed, the path leads to a file
 * with all rows. The table's row is overwritten. */
lv_status lv_recall_rewrite(const char *path, const lv_table *table,
                            const lv_header *header, lv_error *err);

/* The row of a member, or NULL. */
const double *lv_recall_row(const lv_recall *recall, int member);

#endif
