/* VTK XML files: polygonal data with arrays, inline and in base64, and collections of them over time (vtk.org, "VTK XML
 * file formats"). */
#ifndef LV_FORMAT_VTK_FILE_H
#define LV_FORMAT_VTK_FILE_H

#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef LV_ARRAY(double) lv_numbers;
typedef LV_ARRAY(int64_t) lv_indices;

/* Cells of one kind: the points of all cells one after the other, the end of each cell,
 * and the item that it shows. */
typedef struct lv_vtk_cells {
    lv_indices points, ends, items;
} lv_vtk_cells;

/* An array of doubles, for points or for the data as a whole. */
typedef struct lv_vtk_array {
    const char *name;
    int components;
    const double *values;
} lv_vtk_array;

/* Polygonal data; it owns only points and cells. */
typedef struct lv_vtk_data {
    lv_numbers points; /* x y z of each */
    lv_vtk_cells lines, polygons;
    bool vertices; /* every point is a cell of its own, and there are no others */
    const char *const *names; /* names of the points; NULL: they have none */
    int point_array_count, field_count;
    const lv_vtk_array *point_arrays;
    const lv_vtk_array *fields; /* one tuple each */
    double time;
} lv_vtk_data;

/* Writes the file's text. */
void lv_vtk_write(lv_text *text, const lv_vtk_data *data);
/* removes points and cells, keeps their memory */
void lv_vtk_data_clear(lv_vtk_data *data);
void lv_vtk_data_done(lv_vtk_data *data);

/* Appends a text as the value of an XML attribute. */
void lv_xml_escape(lv_text *text, const char *value);

/* Writes a text to a file; fails with "cannot write 'path': reason". */
lv_status lv_text_save(const lv_text *text, const char *path, lv_error *err);

#endif
