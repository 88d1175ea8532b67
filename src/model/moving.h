/* A model whose bodies move on groups.
 *
 * Formulas of a model read the axes e1, e2, e3 of a body as nine coordinates, which six constraints keep orthonormal.
 * In a moving model the axes are the columns of a rotation R, the six constraints are gone, and the velocity of a
 * body is its angular velocity w in body axes, R' = R hat(w):
 *
 *     e1' = w3 e2 - w2 e3,   e2' = w1 e3 - w3 e1,   e3' = w2 e1 - w1 e2
 *
 * stand in all formulas in place of the velocities of the axes. What does not know how R has turned, as the kinetic
 * energy of a body, is taken for R = 1: its mass matrix is then constant. Kernels still read nine numbers; what
 * changes is what a derivative by the coordinates is (system/plan_nodes.c).
 *
 * Where poses are coupled, the velocity of the centre of mass, too, is along the axes of the body, x' = R v: body and
 * axes move on the group of poses, in space or in the plane.
 *
 * Velocities, momenta and forces have fewer numbers than positions: tangents. */
#ifndef LV_MODEL_MOVING_H
#define LV_MODEL_MOVING_H

#include "model/motion.h"

/* The model with bodies on groups. It reads the first one, which must live longer, and has its references of angles
 * that count turns. Symmetries, outputs and what is shown are left out. Free with lv_moving_free. */
lv_status lv_moving_create(lv_model **moving, const lv_model *model, bool coupled,
                           lv_error *err);
void lv_moving_free(lv_model *moving);

/* along[k] = the velocity of local coordinate k, for those of a frame, as formulas of its tangents, which are inputs V of
 * its first axis and of its centre. */
void lv_frame_velocities(lv_graph *graph, lv_node *along, const lv_frame *frame);

/* Derivatives by the coordinates of a frame become those along its tangents: turning about axis c moves axis a along b
 * and b against a, and the centre moves along the axes. They stand in place of those by the first axis and by the
 * centre; those by the other axes are 0. */
void lv_frame_turn(lv_graph *graph, lv_node *gradient, const lv_frame *frame);

#endif
