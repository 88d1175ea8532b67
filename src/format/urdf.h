/* Robots as URDF describes them (wiki.ros.org/urdf/XML): a tree of links, with joints
 * between them.
 *
 * A link has a frame. Its inertia is given in another frame, relative to it. A joint has
 * an origin, the pose of the child's frame in the parent's while the joint is at 0, and
 * an axis in the child's frame. A joint at q turns the child by q about the axis, or
 * shifts it along the axis.
 *
 * Links that are fixed to each other are one body, with the axes of the first of them. */
#ifndef LV_FORMAT_URDF_H
#define LV_FORMAT_URDF_H

#include <livens/format.h>

#include "base/memory.h"
#include "base/text.h"
#include "format/xml.h"

enum { LV_URDF_MOST = 5000 }; /* links, and joints */

/* A point x of the frame is r + R(c) x in space. */
typedef struct lv_pose {
    double r[3], c[4]; /* quaternion, w first */
} lv_pose;

typedef enum lv_urdf_type {
    LV_URDF_REVOLUTE,
    LV_URDF_CONTINUOUS,
    LV_URDF_PRISMATIC,
    LV_URDF_FIXED,
    LV_URDF_FLOATING,
    LV_URDF_PLANAR,
    LV_URDF_TYPES
} lv_urdf_type;

/* A box, a cylinder or a sphere that is drawn. */
typedef struct lv_urdf_visual {
    int link;
    const char *shape;
    double sizes[3];
    int size_count;
    lv_pose pose; /* in the link */
} lv_urdf_visual;

/* Mass, centre of mass and inertia about it, in the axes of a frame. */
typedef struct lv_inertial {
    double mass, centre[3], tensor[9];
} lv_inertial;

typedef struct lv_urdf_link {
    const char *name; /* in the file */
    const char *id;   /* in the model */
    lv_place place;
    bool has_inertial;
    lv_inertial inertial; /* in the link's axes */
    int joint;            /* joint to its parent; -1: it is the root */
    lv_pose start;        /* pose in space at the start */
    int body;             /* the first of the links that are fixed to it */
    lv_pose local;        /* pose in the frame of that link */
    lv_inertial whole; /* inertia of the whole body in its axes; set for its first link */
    bool left_out;
} lv_urdf_link;

typedef struct lv_urdf_joint {
    const char *name, *id;
    lv_place place;
    lv_urdf_type type;
    int parent, child;
    lv_pose origin;
    double axis[3];
    bool has_limits;
    double lower, upper, effort, velocity;
    double damping, friction;
    const char *mimics; /* NULL: none */
    lv_place mimics_place;
    int mimic; /* index of the joint that it follows; -1: none */
    double multiplier, offset;
    bool driven;     /* has a transmission */
    double position; /* at the start */
    bool is_set;
    bool left_out;
} lv_urdf_joint;

typedef struct lv_urdf {
    lv_arena *arena;
    const lv_source *source;
    lv_error *err;
    const char *name;
    LV_ARRAY(lv_urdf_link) links;
    LV_ARRAY(lv_urdf_joint) joints;
    LV_ARRAY(lv_urdf_visual) visuals;
    LV_ARRAY(lv_import_note) notes;
    int root;
    bool floating;  /* the root is free */
    int *order;     /* links, parents before children */
    size_t counted; /* bytes of the source in which `lines` lines were counted */
    int lines;
} lv_urdf;

/* Reads links, joints and transmissions, and notes what is left out. */
lv_status lv_urdf_read(lv_urdf *robot, lv_xml *root);

/* Joins links that are fixed to each other, and finds all poses at the start. */
lv_status lv_urdf_place(lv_urdf *robot, const lv_import_request *request);

/* Gives links and joints names that are valid in models. */
lv_status lv_urdf_name(lv_urdf *robot);

/* Writes the model file. */
void lv_urdf_write(lv_text *text, const lv_urdf *robot);

void lv_urdf_done(lv_urdf *robot);

/* Adds a note, at a place, about something that is left out or treated in an unexpected
 * way. */
lv_status lv_urdf_say(lv_urdf *robot, lv_place place, const char *format, ...)
    LV_PRINTF(3, 4);

/* Whether a body of the robot moves: whether it is not the ground. `link`: the first of
 * its links. */
bool lv_urdf_moves(const lv_urdf *robot, int link);

/* Poses. */
lv_pose lv_pose_of(const double xyz[3], const double rpy[3]);
lv_pose lv_pose_product(const lv_pose *a, const lv_pose *b);
void lv_pose_turn(const lv_pose *a, const double v[3], double to[3]);
void lv_pose_turn_tensor(const lv_pose *a, const double from[9], double to[9]);

#endif
