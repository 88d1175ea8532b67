/* Joints that the start violates: by how much, in words, and how nearly a loop closes that cannot. */
#ifndef LV_RUN_GAP_H
#define LV_RUN_GAP_H

#include "system/system.h"

/* "joint 'pin' between 'crank' and 'rod': its points are 0.1 apart", for a constraint row of a joint that q violates;
 * false: the row is no joint's. */
bool lv_gap_describe(lv_system *system, const double *q, int row, char *text,
                     size_t size);

/* "joint 'pin'" where a row is that of a joint, motor or contact; else "constraint 'rod[2]'". */
const char *lv_gap_owner(const lv_system *system, int row, char *text, size_t size);

/* Where no configuration near the start closes all joints: how near the points of the joint come that it violates most,
 * while all else holds. "": nothing can be said. */
lv_status lv_gap_remaining(lv_system *system, char *text, size_t size, lv_error *err);

#endif
