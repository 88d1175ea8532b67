/* Changes of a state of bodies on groups: in the coordinates that callers see, and as a
 * step has them.
 *
 * Inside a change of a position is a tangent along rotations, and momenta are spatial;
 * for callers the axes of a body are coordinates with momenta of their own. A change of
 * axes that is no rotation is taken as the one next to it. */
#ifndef LV_STEP_EMBEDDING_H
#define LV_STEP_EMBEDDING_H

#include "step/turning.h"
#include "system/system.h"

typedef struct lv_embedding lv_embedding;

/* A position, velocities as tangents, a time. */
typedef struct lv_turned_state {
    double t;
    const double *q, *v;
} lv_turned_state;

/* system: the one with bodies on groups. Free with lv_embedding_free. */
lv_status lv_embedding_create(lv_embedding **embedding, lv_system *system,
                              const lv_turning *turning, lv_error *err);
void lv_embedding_free(lv_embedding *embedding);

/* The states at which changes are taken in, and given out; they must stay. */
void lv_embedding_begin(lv_embedding *embedding, const lv_turned_state *from,
                        const lv_turned_state *to);

/* Changes dq, dp of coordinates become a tangent, the body momenta of its velocities, and
 * spatial momenta. */
void lv_embedding_take_in(lv_embedding *embedding, const double *dq, const double *dp,
                          double *tangent, double *body, double *space);

/* A tangent and changes of the velocities become changes of coordinates. */
void lv_embedding_give_out(lv_embedding *embedding, const double *tangent,
                           const double *velocity, double *dq, double *dp);

#endif
