/* Converts changes of a state of bodies on groups between the coordinates that callers
 * see and the variables of a step.
 *
 * In a step, a change of position is a tangent along rotations, and momenta are spatial.
 * For callers, the axes of a body are coordinates with momenta of their own. A change of
 * axes that is no rotation is replaced by the closest one. */
#ifndef LV_STEPPER_EMBEDDING_H
#define LV_STEPPER_EMBEDDING_H

#include "course/turning.h"
#include "system/system.h"

typedef struct lv_embedding lv_embedding;

/* A position (with quaternions), velocities as tangents, and a time. */
typedef struct lv_turned_state {
    double t;
    const double *q, *v;
} lv_turned_state;

/* `system` is the one with bodies on groups. Free with lv_embedding_free. */
lv_status lv_embedding_create(lv_embedding **embedding, lv_system *system,
                              const lv_turning *turning, lv_error *err);
void lv_embedding_free(lv_embedding *embedding);

/* Sets the states at which changes are converted to those of a step (`from`) and back
 * (`to`). The structs are copied; their arrays must stay valid. */
void lv_embedding_begin(lv_embedding *embedding, const lv_turned_state *from,
                        const lv_turned_state *to);

/* Converts changes dq, dp of coordinates and momenta to a tangent, the body momenta of
 * its velocities, and spatial momenta. */
void lv_embedding_take_in(lv_embedding *embedding, const double *dq, const double *dp,
                          double *tangent, double *body, double *space);

/* Converts a tangent and changes of the velocities to changes of coordinates and
 * momenta. */
void lv_embedding_give_out(lv_embedding *embedding, const double *tangent,
                           const double *velocity, double *dq, double *dp);

#endif
