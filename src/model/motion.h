/* Which coordinates and velocities belong to bodies that move on groups. moving.c derives
 * the model of such bodies. */
#ifndef LV_MODEL_MOTION_H
#define LV_MODEL_MOTION_H

#include "group/group.h"
#include "model/model.h"

/* A body whose rotation, or whose rotation and position, move on a group. */
typedef struct lv_pose {
    const lv_lie_group *group; /* so3, se3 or se2 */
    int axis[3];               /* first coordinates of its axes; -1 in the plane */
    int angle;                 /* coordinate of its angle in the plane; -1 in space */
    /* first coordinate of its centre of mass; -1: it does not move on the group */
    int centre;
    /* number of its quaternion; positions contain one for each body in space */
    int quaternion;
    int tangent[LV_LIE_TANGENT]; /* indices of its velocity among the tangents */
} lv_pose;

/* The first coordinate of its rotation, which identifies the body. */
static inline int lv_pose_coordinate(const lv_pose *pose)
{
    return pose->angle >= 0 ? pose->angle : pose->axis[0];
}

typedef struct lv_motion {
    bool coupled; /* rotation and position move together on the group of poses */
    int tangents;
    int *tangent; /* tangent of every coordinate; -1: none, for a second or third axis */
    int *place;   /* coordinate of every tangent; -1: it rotates a body */
    int *pose_of; /* body that every tangent moves; -1: none */
    int *within;  /* index of every tangent among those of its body */
    int pose_count, quaternions;
    lv_pose *poses;
    int *row; /* for every holonomic constraint: its number in the original model */
} lv_motion;

/* Whether a model has bodies that can move on groups, with coupled or separate poses. */
bool lv_model_has_poses(const lv_model *model, bool coupled);

/* Convert velocities of coordinates, including axes, to tangents and back. */
void lv_motion_tangents(const lv_motion *motion, double *tangents, const double *q,
                        const double *v);
void lv_motion_velocities(const lv_motion *motion, double *v, int coordinates,
                          const double *q, const double *tangents);

/* The role of a group of coordinates in the body that it belongs to. */
typedef enum lv_role_in_pose {
    LV_NO_PART,
    LV_IS_AXIS,
    LV_IS_ANGLE,
    LV_IS_CENTRE
} lv_role_in_pose;

typedef struct lv_part_of_pose {
    lv_role_in_pose role;
    int body; /* the group that identifies the body: its first axis, or its angle */
    int axis; /* number of the axis */
} lv_part_of_pose;

/* The role of a group if poses are coupled or not. */
lv_part_of_pose lv_part_of(const lv_model *model, int group, bool coupled);

/* Whether the group is an axis of a body. */
bool lv_group_is_axis(const lv_model *model, int group);

/* The first coordinate of a member of a group. */
int lv_member_first(const lv_model *model, int group, int member);

/* Numbers tangents and bodies, and stores the motion in the model that is being
 * derived. */
lv_status lv_motion_make(lv_model *model, bool coupled, lv_error *err);

#endif
