#include "format/vtk_file.h"

#include "out/hdf5_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- base64 ------------------------------------------------------------------------------------------- */

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(lv_text *text, const unsigned char *bytes, size_t count)
{
    unsigned char b[3] = {0};
    memcpy(b, bytes, count);
    const char group[4] = {digits[b[0] >> 2], digits[(b[0] & 3) << 4 | b[1] >> 4],
                           count > 1 ? digits[(b[1] & 15) << 2 | b[2] >> 6] : '=',
                           count > 2 ? digits[b[2] & 63] : '='};
    lv_text_bytes(text, group, 4);
}

/* Writes an array as VTK needs it: its size in bytes as eight bytes, then its bytes,
 * encoded together. */
static void put_base64(lv_text *text, const void *data, size_t size)
{
    const uint64_t head = size;
    const unsigned char *bytes = data;
    unsigned char group[3];
    size_t used = 0;
    for (size_t k = 0; k < sizeof head + size; k++) {
        group[used++] =
            k < sizeof head ? ((const unsigned char *)&head)[k] : bytes[k - sizeof head];
        if (used == 3) {
            put_group(text, group, 3);
            used = 0;
        }
    }
    if (used > 0)
        put_group(text, group, used);
}

/* ---- arrays ------------------------------------------------------------------------------------------- */

void lv_xml_escape(lv_text *text, const char *value)
{
    for (const char *c = value; *c; c++)
        switch (*c) {
        case '&':
            lv_text_bytes(text, "&amp;", 5);
            break;
        case '<':
            lv_text_bytes(text, "&lt;", 4);
            break;
        case '>':
            lv_text_bytes(text, "&gt;", 4);
            break;
        case '"':
            lv_text_bytes(text, "&quot;", 6);
            break;
        default:
            lv_text_bytes(text, c, 1);
        }
}

static void open_array(lv_text *text, const char *type, const char *name)
{
    lv_text_append(text, "<DataArray type=\"%s\" Name=\"", type);
    lv_xml_escape(text, name);
    lv_text_append(text, "\"");
}

static void put_numbers(lv_text *text, const char *name, int components,
                        const double *values, int count)
{
    open_array(text, "Float64", name);
    lv_text_append(text, " NumberOfComponents=\"%d\" format=\"binary\">", components);
    put_base64(text, values, (size_t)components * (size_t)count * sizeof *values);
    lv_text_append(text, "</DataArray>\n");
}

static void put_indices(lv_text *text, const char *name, const lv_indices *values)
{
    open_array(text, "Int64", name);
    lv_text_append(text, " format=\"binary\">");
    put_base64(text, values->data, (size_t)values->count * sizeof *values->data);
    lv_text_append(text, "</DataArray>\n");
}

/* Texts are written as numbers of characters, each text with a zero at its end. */
static void put_names(lv_text *text, const char *const *names, int count)
{
    open_array(text, "String", "name");
    lv_text_append(
        text, " NumberOfComponents=\"1\" NumberOfTuples=\"%d\" format=\"ascii\">", count);
    for (int k = 0; k < count; k++) {
        for (const char *c = names[k]; *c; c++)
            lv_text_append(text, "%d ", (unsigned char)*c);
        lv_text_append(text, "0 ");
    }
    lv_text_append(text, "</DataArray>\n");
}

/* ---- polygonal data ----------------------------------------------------------------------------------- */

static void put_fields(lv_text *text, const lv_vtk_data *d)
{
    lv_text_append(text, "<FieldData>\n");
    open_array(text, "Float64", "TimeValue");
    lv_text_append(text, " NumberOfTuples=\"1\" format=\"binary\">");
    put_base64(text, &d->time, sizeof d->time);
    lv_text_append(text, "</DataArray>\n");
    for (int k = 0; k < d->field_count; k++) {
        open_array(text, "Float64", d->fields[k].name);
        lv_text_append(text, " NumberOfTuples=\"1\" format=\"binary\">");
        put_base64(text, d->fields[k].values, sizeof *d->fields[k].values);
        lv_text_append(text, "</DataArray>\n");
    }
    lv_text_append(text, "</FieldData>\n");
}

static void put_point_data(lv_text *text, const lv_vtk_data *d, int count)
{
    lv_text_append(text, "<PointData>\n");
    if (d->names)
        put_names(text, d->names, count);
    for (int k = 0; k < d->point_array_count; k++) {
        const lv_vtk_array *a = &d->point_arrays[k];
        put_numbers(text, a->name, a->components, a->values, count);
    }
    lv_text_append(text, "</PointData>\n");
}

static void put_cells(lv_text *text, const char *kind, const lv_vtk_cells *cells)
{
    lv_text_append(text, "<%s>\n", kind);
    put_indices(text, "connectivity", &cells->points);
    put_indices(text, "offsets", &cells->ends);
    lv_text_append(text, "</%s>\n", kind);
}

/* The item of every cell, lines first. */
static void put_cell_data(lv_text *text, const lv_vtk_data *d)
{
    lv_indices items = {0};
    bool room = LV_RESERVE(items, d->lines.items.count + d->polygons.items.count);
    for (int k = 0; room && k < d->lines.items.count; k++)
        items.data[items.count++] = d->lines.items.data[k];
    for (int k = 0; room && k < d->polygons.items.count; k++)
        items.data[items.count++] = d->polygons.items.data[k];
    lv_text_append(text, "<CellData>\n");
    put_indices(text, "item", &items);
    lv_text_append(text, "</CellData>\n");
    text->failed = text->failed || !room;
    LV_ARRAY_FREE(items);
}

static bool number_vertices(lv_vtk_cells *vertices, int count)
{
    bool room = LV_RESERVE(vertices->points, count) && LV_RESERVE(vertices->ends, count);
    for (int k = 0; room && k < count; k++) {
        vertices->points.data[vertices->points.count++] = k;
        vertices->ends.data[vertices->ends.count++] = k + 1;
    }
    return room;
}

static void cells_done(lv_vtk_cells *cells)
{
    LV_ARRAY_FREE(cells->points);
    LV_ARRAY_FREE(cells->ends);
    LV_ARRAY_FREE(cells->items);
}

static void put_piece(lv_text *text, const lv_vtk_data *d)
{
    const int count = d->points.count / 3;
    lv_vtk_cells vertices = {0};
    if (d->vertices && !number_vertices(&vertices, count))
        text->failed = true;
    lv_text_append(text,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" "
                   "NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
                   count, vertices.ends.count, d->lines.ends.count,
                   d->polygons.ends.count);
    put_point_data(text, d, count);
    if (!d->vertices)
        put_cell_data(text, d);
    lv_text_append(text, "<Points>\n");
    put_numbers(text, "Points", 3, d->points.data, count);
    lv_text_append(text, "</Points>\n");
    put_cells(text, "Verts", &vertices);
    put_cells(text, "Lines", &d->lines);
    put_cells(text, "Polys", &d->polygons);
    lv_text_append(text, "</Piece>\n");
    cells_done(&vertices);
}

static const char *byte_order(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1 ? "LittleEndian" : "BigEndian";
}

void lv_vtk_write(lv_text *text, const lv_vtk_data *data)
{
    lv_text_append(text,
                   "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
                   "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n",
                   byte_order());
    put_fields(text, data);
    put_piece(text, data);
    lv_text_append(text, "</PolyData>\n</VTKFile>\n");
}

void lv_vtk_data_clear(lv_vtk_data *d)
{
    lv_vtk_cells *const cells[] = {&d->lines, &d->polygons};
    d->points.count = 0;
    for (int k = 0; k < 2; k++)
        cells[k]->points.count = cells[k]->ends.count = cells[k]->items.count = 0;
}

void lv_vtk_data_done(lv_vtk_data *d)
{
    LV_ARRAY_FREE(d->points);
    cells_done(&d->lines);
    cells_done(&d->polygons);
}

lv_status lv_text_save(const lv_text *text, const char *path, lv_error *err)
{
    if (text->failed)
        return lv_fail_memory(err);
    FILE *file = fopen(path, "wb");
    if (!file)
        return lv_io_fail(err, "write", path, errno);
    const size_t size = (size_t)text->count;
    const bool written = fwrite(text->data, 1, size, file) == size;
    int reason = errno;
    if (fclose(file) != 0 && written)
        return lv_io_fail(err, "write", path, errno);
    return written ? LV_OK : lv_io_fail(err, "write", path, reason);
}
