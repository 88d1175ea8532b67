/* Formats that other programs read and write: results as CSV and as VTK files for ParaView, robots from URDF files. */
#ifndef LIVENS_FORMAT_H
#define LIVENS_FORMAT_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results ------------------------------------------------------------------------------------------- */

/* {0}: everything. */
typedef struct lv_export_request {
    int every;         /* every so many rows, and the last one; 0: all */
    int channel_count; /* columns besides the first; 0: all, for VTK the energies */
    const char *const *channels; /* their names; of a vector also the name alone */
    size_t reserved[8];          /* zeros, for later versions */
} lv_export_request;

/* What was written. */
typedef struct lv_export_info {
    long long rows;
    int columns;                        /* of CSV; of VTK fields beside the time */
    int bodies, points, joints, shapes; /* of VTK */
    int files;
    size_t reserved[4]; /* for later versions */
} lv_export_info;

/* Writes rows of an HDF5 file, of a run or an ensemble, as CSV with 17 digits: the bytes that the run itself would have
 * written; "-" is standard output. info and request may be NULL. */
LV_API LV_NODISCARD lv_status lv_export_csv(lv_export_info *info, const char *file,
                                            const char *csv,
                                            const lv_export_request *request,
                                            lv_error *err);

/* Writes the motion of a run as VTK files: OUT.pvd, the collection with the times, and a directory OUT with a file of
 * polygonal data for each recorded time of each of
 *
 *     bodies    points with name, quaternion (w x y z), axes e1 e2 e3, velocity, angular_velocity (space axes)
 *     points    particles and other points with name, radius, velocity
 *     joints    points with name, axis, and force and torque where they were recorded
 *     shapes    what is drawn of bodies, rods, springs and surfaces, as triangles and lines with the number of the item
 *
 * as far as the model has any; selected columns are fields of each file. Velocities that were not recorded are nan.
 * info and request may be NULL. */
LV_API LV_NODISCARD lv_status lv_export_vtk(lv_export_info *info, const char *file,
                                            const char *pvd,
                                            const lv_export_request *request,
                                            lv_error *err);

/* ---- robots -------------------------------------------------------------------------------------------- */

/* Where a joint is at the start: an angle in radians, or a shift in metres. */
typedef struct lv_joint_position {
    const char *joint;
    double value;
} lv_joint_position;

/* {0}: the root does not move, and all joints are at 0. */
typedef struct lv_import_request {
    bool floating; /* the root is free to move; false: it is the ground */
    int position_count;
    const lv_joint_position *positions;
    size_t reserved[8]; /* zeros, for later versions */
} lv_import_request;

/* What was left out of a file, or is otherwise than one might think. */
typedef struct lv_import_note {
    int line;
    const char *text;
} lv_import_note;

typedef struct lv_import {
    const char *text;   /* the model file */
    int bodies, joints; /* in it */
    int note_count;
    const lv_import_note *notes; /* by lines */
} lv_import;

/* Turns a robot of a URDF file into a model file: links that are fixed to each other are one body, joints are joints,
 * everything that is left out is noted. LV_ERR_SYNTAX for what is not XML, LV_ERR_MODEL for what is no tree of links with
 * masses; errors have line and column. request may be NULL. Free with lv_import_free. */
LV_API LV_NODISCARD lv_status lv_import_urdf(lv_import **result, const char *path,
                                             const lv_import_request *request,
                                             lv_error *err);

/* The same from memory; `name` is what messages call the text. */
LV_API LV_NODISCARD lv_status lv_import_urdf_text(lv_import **result, const char *name,
                                                  const char *text, size_t size,
                                                  const lv_import_request *request,
                                                  lv_error *err);
LV_API void lv_import_free(lv_import *result);

#ifdef __cplusplus
}
#endif
#endif
