/* Measures how far the polynomials of a step are from a motion (theory 8): the impulses
 * at its ends, where they jump, and the residual of the equations of motion inside,
 *
 *   I = |q~(0) - q0| + |q1 - q~(1)| + |p~(0) - p0| + |p1 - p~(1)|
 *       + h |q~' - v|_2 + h |p~' - w|_2,        v and w of the motion through (q~, p~).
 *
 * |.|_2 is the root mean square over the step, computed by a Gauss rule. Raw polynomials
 * of degree m are of order m + 1 with jumps (LR, RL, RR), so I = O(h^(m+1)); with
 * continuity C, where p~ has the degree m - 1, I = O(h^m). The indicator measures the
 * polynomials, not the nodes, whose errors are of the order of I^2. */
#ifndef LV_SCHEME_INDICATOR_H
#define LV_SCHEME_INDICATOR_H

#include "scheme/scheme.h"

/* The size of `room` for n coordinates. */
int lv_indicator_room(int n);

/* The indicator of a step that began at t. guess: a velocity from which p = L_v(q, v) is
 * solved for v. */
lv_status lv_indicator(double *value, lv_system *system, const lv_slopes *slopes,
                       double t, const double *guess, double *room, lv_error *err);

#endif
