/* The motion of a run as four sets of polygonal data: bodies, points, joints, shapes. */
#ifndef LV_FORMAT_VTK_SCENE_H
#define LV_FORMAT_VTK_SCENE_H

#include "format/vtk_file.h"
#include "out/channels.h"
#include "report/frames.h"

typedef enum lv_vtk_part {
    LV_VTK_BODIES,
    LV_VTK_POINTS,
    LV_VTK_JOINTS,
    LV_VTK_SHAPES,
    LV_VTK_PARTS
} lv_vtk_part;

enum { LV_VTK_ARRAYS = 6 };

/* A vector whose components are columns; NULL: not recorded, or the third component of a
 * plane vector, which is 0. */
typedef struct lv_vtk_vector {
    const double *component[3];
    bool planar; /* has only the third component */
} lv_vtk_vector;

/* One point of a set. */
typedef struct lv_vtk_member {
    const char *name;
    const lv_view_item *item; /* for points and joints */
    /* for bodies: columns; two of them and the angle in the plane */
    const double *position;
    const double *angle, *quaternion;
    lv_vtk_vector first,
        /* bodies: velocity, angular velocity in body axes; joints: force, torque */
        second;
} lv_vtk_member;

typedef LV_ARRAY(lv_vtk_member) lv_vtk_members;

typedef struct lv_vtk_scene {
    lv_arena arena;
    const lv_view *view;
    lv_frames frames;
    double *frame;
    double size;               /* size of the picture at the first row */
    lv_vtk_members members[3]; /* bodies, points, joints */
    int shapes;                /* number of items that are drawn */
    lv_vtk_data data[LV_VTK_PARTS];
    lv_vtk_array arrays[3][LV_VTK_ARRAYS];
    lv_numbers numbers[3][LV_VTK_ARRAYS];
} lv_vtk_scene;

/* For rows with these channels, which must outlive the scene. `scene` must be zero
 * before; after a failure lv_vtk_scene_done frees everything. LV_ERR_MODEL: the rows lack
 * coordinates, or there is no picture. */
lv_status lv_vtk_scene_init(lv_vtk_scene *scene, const lv_model *model,
                            const lv_channels *channels, const char *path, lv_error *err);
void lv_vtk_scene_done(lv_vtk_scene *scene);

/* Fills the data of all parts from the current row of the channels. */
lv_status lv_vtk_scene_row(lv_vtk_scene *scene, lv_error *err);

/* Whether the part has any data. */
bool lv_vtk_scene_has(const lv_vtk_scene *scene, lv_vtk_part part);

#endif
