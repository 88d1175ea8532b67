/* Shapes of a picture as triangles and lines: solids with a pose, rods, springs,
 * surfaces. */
#ifndef LV_FORMAT_VTK_MESH_H
#define LV_FORMAT_VTK_MESH_H

#include <livens/view.h>

#include "format/vtk_file.h"

/* The data that cells are added to, and a size for things that have none. */
typedef struct lv_mesh {
    lv_vtk_data *data;
    double size; /* size of the scene */
    bool failed; /* memory was short */
} lv_mesh;

/* Whether a mesh shows the item. Points and joints are not shown here: they are points
 * with arrays. */
bool lv_mesh_shows(const lv_view_item *item);

/* Adds an item, whose numbers are those of a frame, as cells of item `number`. Items with
 * numbers that are not finite keep their cells, so that all times have the same cells. */
void lv_mesh_item(lv_mesh *mesh, const lv_view_item *item, const double *numbers,
                  int number);

#endif
