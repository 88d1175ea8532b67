/* Steps of several simulations at once: of members of an ensemble whose steps are programs that are alike, and which
 * differ in numbers only.
 *
 * Every simulation that takes part has a lane. While it is there its state and its memory are in the lane, number beside
 * number with those of the others, and steps are made for all of them together: initial guesses, passes of the program,
 * and the test whether they have converged, the same operations in the same order as for one. Whatever is not quite
 * usual in a lane, a small pivot, numbers that are not finite, a guess that was far off, leaves it as it was before the
 * step: the simulation has to leave its lane then, to take the step by itself, and may enter again. So the bits are those
 * of a simulation that is alone. */
#ifndef LV_STEP_LANES_H
#define LV_STEP_LANES_H

#include "expr/program.h"
#include "step/stepper.h"

typedef struct lv_lanes lv_lanes;

/* Lanes for steppers like this one, which is not needed any more afterwards. *lanes stays NULL where its steps are not
 * made for them. */
lv_status lv_lanes_create(lv_lanes **lanes, const lv_stepper *like, lv_error *err);
void lv_lanes_free(lv_lanes *lanes);

/* May the steps of this one be made here? */
bool lv_lanes_fit(const lv_lanes *lanes, const lv_stepper *stepper);

/* The stepper, which fits, enters a lane that is free, with the state from which it would make a step of size h next.
 * false: it has to take some steps by itself first. */
bool lv_lanes_enter(lv_lanes *lanes, int lane, lv_stepper *stepper, const lv_state *state,
                    double h);

/* It leaves, with all but the time of its state. */
void lv_lanes_leave(lv_lanes *lanes, int lane, lv_state *state);

/* A step in every lane that is not free, from t[lane]. made[lane]: whether there was one, with so many passes; otherwise
 * the stepper has to leave before the next step. Returns whether there was one in all of them. */
bool lv_lanes_step(lv_lanes *lanes, const double t[LV_LANES], bool made[LV_LANES],
                   int passes[LV_LANES]);

/* q, v and p as they are now: of a lane; of all of them, number k of lane l at [k * LV_LANES + l]. */
void lv_lanes_state(const lv_lanes *lanes, int lane, lv_state *state);
lv_state lv_lanes_states(const lv_lanes *lanes);

#endif
