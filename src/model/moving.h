/* Models whose bodies move on groups.
 *
 * Formulas of a model read the axes e1, e2, e3 of a body as nine coordinates, which six
 * constraints keep orthonormal. In a moving model the axes are the columns of a rotation
 * R, the six constraints are removed, and the velocity of a body is its angular velocity
 * w in body axes, R' = R hat(w). In all formulas
 *
 *     e1' = w3 e2 - w2 e3,   e2' = w1 e3 - w3 e1,   e3' = w2 e1 - w1 e2
 *
 * replace the velocities of the axes. A formula that does not depend on R, such as the
 * kinetic energy of a body, is evaluated at R = 1: its mass matrix is then constant.
 * Kernels still read nine numbers; what changes is the meaning of a derivative by the
 * coordinates (plan/plan_nodes.c).
 *
 * If poses are coupled, the velocity of the centre of mass is also along the axes of the
 * body, x' = R v: the body moves on the group of poses, in space or in the plane.
 *
 * Velocities, momenta and forces then have fewer components than positions: they are
 * tangents. */
#ifndef LV_MODEL_MOVING_H
#define LV_MODEL_MOVING_H

#include "model/motion.h"

/* Creates the model with bodies on groups. It refers to the original model, which must
 * outlive it, and shares its references of angles that count turns. Symmetries, outputs
 * and what is shown are left out. Free with lv_moving_free. */
lv_status lv_moving_create(lv_model **moving, const lv_model *model, bool coupled,
                           lv_error *err);
void lv_moving_free(lv_model *moving);

/* Sets along[k] to the velocity of local coordinate k, for the coordinates of a frame, as
 * formulas of its tangents. These are the inputs V of its first axis and of its
 * centre. */
void lv_frame_velocities(lv_graph *graph, lv_node *along, const lv_frame *frame);

/* Converts derivatives by the coordinates of a frame to those along its tangents: a
 * rotation about axis c moves axis a along b and b against a, and the centre moves along
 * the axes. The results replace the derivatives by the first axis and by the centre;
 * those by the other axes become 0. */
void lv_frame_turn(lv_graph *graph, lv_node *gradient, const lv_frame *frame);

#endif
