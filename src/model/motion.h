/* How bodies move on groups: which coordinates and velocities are theirs. A model that moves so is derived in moving.c. */
#ifndef LV_MODEL_MOTION_H
#define LV_MODEL_MOTION_H

#include "group/group.h"
#include "model/model.h"

/* A body that turns, or moves along its axes. */
typedef struct lv_pose {
    const lv_lie_group *group; /* so3, se3 or se2 */
    int axis[3];               /* first coordinates of its axes; in the plane -1 */
    int angle;                 /* in the plane; in space -1 */
    int centre;                /* its centre of mass; -1: that is not coupled */
    int quaternion; /* number of its quaternion, of which positions have one for each body in space */
    int tangent[LV_LIE_TANGENT]; /* numbers of its velocity */
} lv_pose;

/* The first coordinate of its rotation, which stands for the body. */
static inline int lv_pose_coordinate(const lv_pose *pose)
{
    return pose->angle >= 0 ? pose->angle : pose->axis[0];
}

typedef struct lv_motion {
    bool coupled; /* poses are */
    int tangents;
    int *
        tangent; /* of every coordinate; -1: it has none, being of a second or third axis */
    int *place;   /* of every tangent: its coordinate; -1: it turns a body */
    int *pose_of; /* of every tangent: the body that it moves; -1: it is plain */
    int *within;  /* and which of the tangents of this body it is */
    int pose_count, quaternions;
    lv_pose *poses;
    int *row; /* of every holonomic constraint: its number in the model that was */
} lv_motion;

/* Does a model have bodies that could move on groups, with their poses coupled or not? */
bool lv_model_has_poses(const lv_model *model, bool coupled);

/* Velocities of coordinates, of axes among them, to tangents and back. */
void lv_motion_tangents(const lv_motion *motion, double *tangents, const double *q,
                        const double *v);
void lv_motion_velocities(const lv_motion *motion, double *v, int coordinates,
                          const double *q, const double *tangents);

/* What a group of coordinates is to the body that it belongs to. */
typedef enum lv_role_in_pose {
    LV_NO_PART,
    LV_IS_AXIS,
    LV_IS_ANGLE,
    LV_IS_CENTRE
} lv_role_in_pose;

typedef struct lv_part_of_pose {
    lv_role_in_pose role;
    int body; /* the first axis, or the angle: a group that stands for the body */
    int axis; /* which axis it is */
} lv_part_of_pose;

/* coupled: poses are. */
lv_part_of_pose lv_part_of(const lv_model *model, int group, bool coupled);

/* Is the group an axis of a body? */
bool lv_group_is_axis(const lv_model *model, int group);

/* The first coordinate of a member of a group. */
int lv_member_first(const lv_model *model, int group, int member);

/* Numbers tangents and bodies: the motion of a model that is being derived, in its arena. */
lv_status lv_motion_make(lv_model *model, bool coupled, lv_error *err);

#endif
