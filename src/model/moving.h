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
 * Velocities, momenta and forces have fewer numbers than positions: tangents. */
#ifndef LV_MODEL_MOVING_H
#define LV_MODEL_MOVING_H

#include "model/model.h"

/* A body that turns. */
typedef struct lv_rotation {
    int axis[3]; /* first coordinates of its axes */
    int tangent; /* first number of its angular velocity */
} lv_rotation;

typedef struct lv_motion {
    int tangents;
    int *
        tangent; /* of every coordinate; -1: it has none, being of a second or third axis */
    int *place; /* of every tangent: its coordinate; -1: it turns a body */
    int rotation_count;
    lv_rotation *rotations;
    int *row; /* of every holonomic constraint: its number in the model that was */
} lv_motion;

/* Does a model have bodies that could move on groups? */
bool lv_model_has_rotations(const lv_model *model);

/* The model with bodies on groups. It reads the first one, which must live longer, and has its references of angles
 * that count turns. Symmetries, outputs and what is shown are left out. Free with lv_moving_free. */
lv_status lv_moving_create(lv_model **moving, const lv_model *model, lv_error *err);
void lv_moving_free(lv_model *moving);

/* Velocities of coordinates, of axes among them, to tangents and back. */
void lv_motion_tangents(const lv_motion *motion, double *tangents, const double *q,
                        const double *v);
void lv_motion_velocities(const lv_motion *motion, double *v, int coordinates,
                          const double *q, const double *tangents);

#endif
