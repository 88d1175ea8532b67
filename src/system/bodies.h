/* Bodies at a state, read from coordinates as the part declares them: centre, axes, velocities. */
#ifndef LV_SYSTEM_BODIES_H
#define LV_SYSTEM_BODIES_H

#include "model/model.h"

/* Where the coordinates of a body, or of a family of bodies, are. */
typedef struct lv_body_groups {
    const char *name;
    bool is_planar;
    const lv_group *centre;  /* NULL: the body turns about a pivot */
    const lv_group *axes[3]; /* in space */
    const lv_group *angle;   /* in the plane */
    int count;
    bool is_family;
} lv_body_groups;

/* The k-th of the model; false: there are no more. */
bool lv_bodies_at(const lv_model *model, int k, lv_body_groups *body);

/* "rod_2" */
const char *lv_body_name(const lv_body_groups *body, int member, char *buffer,
                         size_t size);

typedef struct lv_body_state {
    double centre[3], velocity[3]; /* 0 with a pivot */
    double axes[3][3];             /* e1, e2, e3, in the plane the angle is axes[0][0] */
    double spin[3]; /* angular velocity in space axes, in the plane spin[2] */
} lv_body_state;

void lv_body_read(const lv_body_groups *body, int member, const double *q,
                  const double *v, lv_body_state *state);

/* The angle by which a body has turned from one state to the other. */
double lv_body_turn(const lv_body_groups *body, const lv_body_state *from,
                    const lv_body_state *to);

#endif
