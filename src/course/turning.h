/* Group operators on the vectors of a step, and their derivatives: a block for each body
 * that moves on a group, and the identity or 0 for all plain coordinates. */
#ifndef LV_COURSE_TURNING_H
#define LV_COURSE_TURNING_H

#include "group/free.h"
#include "group/group.h"
#include "model/moving.h"
#include "step/operator.h"

/* The bodies that move on groups, and their chart. */
typedef struct lv_turning {
    const lv_motion *motion; /* NULL: no body moves on a group */
    /* Coordinates of a position, behind which its quaternions are stored */
    int coordinates;
    lv_chart chart;
    /* Where bodies rotate freely: one for each pose, all on so3; otherwise NULL */
    const lv_free_body *bodies;
} lv_turning;

/* The arguments of an operator; those that it does not have are NULL. */
typedef const double *lv_turn_arguments[LV_ARGUMENTS];

/* out = the operator at its arguments */
void lv_turning_apply(const lv_turning *turning, lv_turn_of op, double *out,
                      lv_turn_arguments x);

/* Size of the block of a body. */
#define LV_POSE_BLOCK 36
_Static_assert(LV_POSE_BLOCK == LV_LIE_TANGENT * LV_LIE_TANGENT, "a block of a pose");

/* The derivative by an argument: blocks[LV_POSE_BLOCK k ...] of body k, row by row. */
void lv_turning_slope(const lv_turning *turning, lv_turn_of op, lv_argument by,
                      double *blocks, lv_turn_arguments x);

/* Is the derivative the identity for plain coordinates? Otherwise it is 0. */
bool lv_turning_is_plain(lv_turn_of op, lv_argument by);

/* Completes a position of which only the coordinates are given: computes its quaternions,
 * with the sign closest to the quaternions already stored, and rounds the axes to
 * them. */
void lv_turning_complete(const lv_turning *turning, double *q);

/* The angular speed of a body, and the angle between two positions of it (in space at
 * most half a turn). */
double lv_turning_rate(const lv_turning *turning, int pose, const double *v);
double lv_turning_angle(const lv_turning *turning, int pose, const double *from,
                        const double *to);

/* Is this angle certainly below 1? */
bool lv_turning_is_small(const lv_turning *turning, int pose, const double *from,
                         const double *to);

#endif
