/* Joints as motors and springs refer to them. */
#ifndef LV_PART_JOINT_H
#define LV_PART_JOINT_H

#include "part/body.h"

/* The joint that a motor or a spring acts on, through its angle or its shift. */
typedef struct lv_joint_link {
    /* name of the joint, for templates: `h.angle`, `h.rate`, `h.cos`, `h.sin`,
     * `h.shift` */
    lv_hole hole;
    bool has_angle; /* revolute, cylindrical */
    bool has_shift; /* prismatic, cylindrical */
    bool is_planar;
    lv_end ends[2];
    const lv_item *item;
} lv_joint_link;

/* Reads the key "joint" of a part. */
lv_status lv_joint_link_read(lv_expansion *x, lv_joint_link *link, lv_error *err);

#endif
