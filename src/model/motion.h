/* Which coordinates of a model are those of bodies that move on groups, for those who derive a moving model (moving.c). */
#ifndef LV_MODEL_MOTION_H
#define LV_MODEL_MOTION_H

#include "model/moving.h"

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
