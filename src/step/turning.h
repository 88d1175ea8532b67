/* Operators of groups on the vectors of a step, and their derivatives: a block for each
 * body that moves on one, and one number for all plain coordinates. */
#ifndef LV_STEP_TURNING_H
#define LV_STEP_TURNING_H

#include "group/free.h"
#include "group/group.h"
#include "model/moving.h"
#include "step/operator.h"

/* What turns, and in which chart. */
typedef struct lv_turning {
    const lv_motion *motion; /* NULL: nothing */
    int coordinates;         /* of a position; its quaternions stand behind them */
    lv_chart chart;
    /* one for each pose, all on so3, where they turn freely; NULL elsewhere */
    const lv_free_body *bodies;
} lv_turning;

/* Vectors that an operator is applied to, by argument; those that it does not have are
 * NULL. */
typedef const double *lv_turn_arguments[LV_ARGUMENTS];

/* out = the operator at its arguments */
void lv_turning_apply(const lv_turning *turning, lv_turn_of op, double *out,
                      lv_turn_arguments x);

/* Room for a block of a body. */
#define LV_POSE_BLOCK 36
_Static_assert(LV_POSE_BLOCK == LV_LIE_TANGENT * LV_LIE_TANGENT, "a block of a pose");

/* The derivative by an argument: blocks[LV_POSE_BLOCK k ...] of body k, row by row. */
void lv_turning_slope(const lv_turning *turning, lv_turn_of op, lv_argument by,
                      double *blocks, lv_turn_arguments x);

/* For plain coordinates: is it 1, or 0? */
bool lv_turning_is_plain(lv_turn_of op, lv_argument by);

/* A position of coordinates alone: finds its quaternions, the sign of which is that of
 * the ones that are there, and rounds its axes to them. */
void lv_turning_complete(const lv_turning *turning, double *q);

/* The rate at which a body turns, and the angle between two positions of it, in space at
 * most half a turn. */
double lv_turning_rate(const lv_turning *turning, int pose, const double *v);
double lv_turning_angle(const lv_turning *turning, int pose, const double *from,
                        const double *to);

/* Is this angle below 1 for certain? */
bool lv_turning_is_small(const lv_turning *turning, int pose, const double *from,
                         const double *to);

#endif
