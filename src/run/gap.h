/* Messages about joints that the start violates: by how much, and how nearly a loop
 * closes that cannot close. */
#ifndef LV_RUN_GAP_H
#define LV_RUN_GAP_H

#include "system/system.h"

/* Writes "joint 'pin' between 'crank' and 'rod': its points are 0.1 apart" for a
 * constraint row of a joint that q violates; false: the row does not belong to a
 * joint. */
bool lv_gap_describe(lv_system *system, const double *q, int row, char *text,
                     size_t size);

/* "joint 'pin'" if the row belongs to a joint, motor or contact; otherwise "constraint
 * 'rod[2]'". */
const char *lv_gap_owner(const lv_system *system, int row, char *text, size_t size);

/* If no configuration near the start closes all joints: describes how near the points of
 * the most violated joint can come while all other constraints hold. "": unknown. */
lv_status lv_gap_remaining(lv_system *system, char *text, size_t size, lv_error *err);

#endif
