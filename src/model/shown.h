/* What results show of bodies, joints, motors and rolling contacts. The rows of a kernel
 * of role LV_ROLE_SHOWN are, for each of its instances,
 *
 *     body in space    position (3), axes e1, e2, e3 (9), velocity (3), angular velocity in body axes (3)
 *     in the plane     position (2), angle, velocity (2), angular velocity
 *     joint            force, torque, and its angle or shift if it has one
 *     motor            torque or force along the axis of its joint
 *     rolling contact  force
 *
 * A force or torque is what the constraints of the part exert on a body. It is computed
 * by virtual displacements: if the body is translated by x and rotated by theta about its
 * centre of mass, force and torque are the derivatives of lambda . g by x and theta, and
 * those of lambda . Phi by their rates. This needs no coordinates of the body: one that
 * turns about a pivot has none for its position. */
#ifndef LV_MODEL_SHOWN_H
#define LV_MODEL_SHOWN_H

#include "model/model.h"

/* Whether the kernel is of this role and shows a part of this kind. */
bool lv_kernel_shows(const lv_kernel *kernel, lv_shown_kind kind);

/* The section of the model and the key in results: "bodies", "joints", "motors",
 * "rolling". */
const char *lv_shown_section(lv_shown_kind kind);

/* A quantity of an instance: its key in results, the suffix of its columns, its length
 * (0: a scalar). */
typedef struct lv_shown_field {
    const char *key, *suffix;
    int length;
} lv_shown_field;

enum { LV_SHOWN_FIELDS_MOST = 4 };

/* Lists the quantities of every instance in the order of columns, with a quaternion
 * instead of axes for a body in space. Returns their number. */
int lv_shown_fields(const lv_kernel *kernel, lv_shown_field fields[LV_SHOWN_FIELDS_MOST]);

/* The number of columns of these quantities. */
int lv_shown_columns(const lv_shown_field *fields, int count);

/* Whether a name is NAME.force or NAME.torque of a joint, motor or rolling contact, and
 * its value: only outputs may use it. */
bool lv_shown_is_member(const lv_scope *scope, const lv_syntax *name);
lv_status lv_shown_member(lv_scope *scope, lv_value *value, const lv_syntax *name,
                          lv_error *err);

/* Lists the members "force" and "torque" of the part text[0..length) that the scope may
 * use and that are no definitions. Returns their number. */
enum { LV_SHOWN_MEMBERS_MOST = 2 };
int lv_shown_members(const lv_scope *scope, const char *text, int length,
                     const char *members[LV_SHOWN_MEMBERS_MOST]);

/* Writes the name of an instance: "hinge_2". */
const char *lv_shown_name(const lv_kernel *kernel, int instance, char *buffer,
                          size_t size);

#endif
