/* Exchange with other programs: results as CSV files and as VTK files for ParaView,
 * robots from URDF files. */
#ifndef LIVENS_FORMAT_H
#define LIVENS_FORMAT_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ------------------------------------------------------------------------------------------- */

/* {0} exports everything. */
typedef struct lv_export_request {
    int every; /* write every so many rows, and the last one; 0: all */
    /* number of columns besides the first; 0: all (for VTK: the energies) */
    int channel_count;
    /* their names; the name of a vector means all its components */
    const char *const *channels;
    size_t reserved[8]; /* zeros, for later versions */
} lv_export_request;

/* What was written. */
typedef struct lv_export_info {
    long long rows;
    /* columns of the CSV file, or fields of the VTK files besides the time */
    int columns;
    int bodies, points, joints, shapes; /* numbers of items in the VTK files */
    int files;
    size_t reserved[4]; /* for later versions */
} lv_export_info;

/* Writes the rows of an HDF5 file, of a run or an ensemble, as CSV with 17 digits. The
 * bytes are the same as if the run itself had written the file. "-" is standard output.
 * info and request may be NULL. */
LV_API LV_NODISCARD lv_status lv_export_csv(lv_export_info *info, const char *file,
                                            const char *csv,
                                            const lv_export_request *request,
                                            lv_error *err);

/* Writes the motion of a run as VTK files: OUT.pvd, the collection with the times, and a
 * directory OUT with a file of polygonal data per recorded time for each of
 *
 *     bodies    points with name, quaternion (w x y z), axes e1 e2 e3, velocity, angular_velocity (space axes)
 *     points    particles and other points with name, radius, velocity
 *     joints    points with name, axis, and force and torque if they were recorded
 *     shapes    bodies, rods, springs and surfaces as triangles and lines with the number of the item
 *
 * that the model has. The selected columns are fields of each file. Velocities that were
 * not recorded are nan. info and request may be NULL. */
LV_API LV_NODISCARD lv_status lv_export_vtk(lv_export_info *info, const char *file,
                                            const char *pvd,
                                            const lv_export_request *request,
                                            lv_error *err);

/* ---- robots -------------------------------------------------------------------------------------------- */

/* Position of a joint at the start: an angle in radians, or a shift in metres. */
typedef struct lv_joint_position {
    const char *joint;
    double value;
} lv_joint_position;

/* {0}: the root is fixed, and all joints are at 0. */
typedef struct lv_import_request {
    bool floating; /* the root can move freely; false: it is the ground */
    int position_count;
    const lv_joint_position *positions;
    size_t reserved[8]; /* zeros, for later versions */
} lv_import_request;

/* A remark about something that was left out of a file, or that may differ from what the
 * reader expects. */
typedef struct lv_import_note {
    int line;
    const char *text;
} lv_import_note;

typedef struct lv_import {
    const char *text;   /* the model file as text */
    int bodies, joints; /* numbers of bodies and joints in it */
    int note_count;
    const lv_import_note *notes; /* in the order of lines */
} lv_import;

/* Converts a robot of a URDF file into a model file. Links that are fixed to each other
 * become one body, and joints become joints; everything that is left out is noted.
 * LV_ERR_SYNTAX if the file is not XML, LV_ERR_MODEL if it is not a tree of links with
 * masses; errors have line and column. request may be NULL. Free with lv_import_free. */
LV_API LV_NODISCARD lv_status lv_import_urdf(lv_import **result, const char *path,
                                             const lv_import_request *request,
                                             lv_error *err);

/* Does the same from memory; messages use `name` as the name of the file. */
LV_API LV_NODISCARD lv_status lv_import_urdf_text(lv_import **result, const char *name,
                                                  const char *text, size_t size,
                                                  const lv_import_request *request,
                                                  lv_error *err);
LV_API void lv_import_free(lv_import *result);

#ifdef __cplusplus
}
#endif
#endif
