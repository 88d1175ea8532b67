/* Steps of several simulations at once: members of an ensemble whose steps are equal
 * programs and which differ in numbers only.
 *
 * Every simulation has a lane. While it is there, its state and its memory are in the
 * lane, interleaved with those of the others, and steps are computed for all lanes
 * together: initial guesses, passes of the program and the convergence test, by the same
 * operations in the same order as for one simulation. If anything in a lane is unusual
 * (a small pivot, a number that is not finite, an initial guess that is far off), the
 * lane stays as it was before the step. The simulation must then leave its lane and take
 * the step by itself; afterwards it may enter again. So the results have the bits of a
 * simulation that runs alone. */
#ifndef LV_STEPPER_LANES_H
#define LV_STEPPER_LANES_H

#include "expr/program.h"
#include "stepper/stepper.h"

typedef struct lv_lanes lv_lanes;

/* Creates lanes for steppers like this one, which is used during the call only. *lanes
 * is NULL if its steps cannot be taken in lanes. */
lv_status lv_lanes_create(lv_lanes **lanes, const lv_stepper *like, lv_error *err);
void lv_lanes_free(lv_lanes *lanes);

/* Whether the steps of this stepper can be taken in these lanes. */
bool lv_lanes_fit(const lv_lanes *lanes, const lv_stepper *stepper);

/* Puts a stepper that fits into a free lane, with the state from which it would take its
 * next step, of size h. Returns false if it must take some steps by itself first. */
bool lv_lanes_enter(lv_lanes *lanes, int lane, lv_stepper *stepper, const lv_state *state,
                    double h);

/* Frees the lane: copies its numbers to the stepper and to the state, except the time. */
void lv_lanes_leave(lv_lanes *lanes, int lane, lv_state *state);

/* Takes a step in every lane in use, from t[lane]. made[lane]: it was taken; otherwise the
 * stepper must leave before the next step. Returns whether it was taken in all of them. */
bool lv_lanes_step(lv_lanes *lanes, const double t[LV_LANES], bool made[LV_LANES]);

/* Steps that were taken in a lane since its stepper entered, or since they were counted
 * last, and their passes (the sum over all phases). */
typedef struct lv_lane_count {
    long long steps, passes;
    int most, last; /* passes of the step with the most, and of the last one */
} lv_lane_count;

lv_lane_count lv_lanes_take_count(lv_lanes *lanes, int lane);

/* Present q, v and p: a copy for one lane; pointers to those of all lanes, with number k
 * of lane l at [k * LV_LANES + l]. */
void lv_lanes_state(const lv_lanes *lanes, int lane, lv_state *state);
lv_state lv_lanes_states(const lv_lanes *lanes);

#endif
