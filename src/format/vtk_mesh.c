#include "format/vtk_mesh.h"

#include "group/quaternion.h"

#include <math.h>
#include <string.h>

enum { AROUND = 24, ALONG = 12, COIL_TURNS = 8, COIL_POINTS = 16 };

static const double pi = 3.14159265358979323846;

/* A pose with its axes as columns of a matrix, and a scale along each of them. */
typedef struct pose {
    double origin[3], axes[9], scale[3];
} pose;

/* ---- points and cells --------------------------------------------------------------------------------- */

static int64_t add_point(lv_mesh *m, const double p[3])
{
    lv_numbers *points = &m->data->points;
    if (!LV_RESERVE(*points, 3)) {
        m->failed = true;
        return 0;
    }
    memcpy(points->data + points->count, p, 3 * sizeof *p);
    points->count += 3;
    return points->count / 3 - 1;
}

static int64_t add_local(lv_mesh *m, const pose *at, double x, double y, double z)
{
    const double local[3] = {at->scale[0] * x, at->scale[1] * y, at->scale[2] * z};
    double p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = at->origin[i];
        for (int k = 0; k < 3; k++)
            p[i] += at->axes[3 * i + k] * local[k];
    }
    return add_point(m, p);
}

static void add_to_cell(lv_mesh *m, lv_vtk_cells *cells, int64_t point)
{
    m->failed = !LV_PUSH(cells->points, point) || m->failed;
}

static void end_cell(lv_mesh *m, lv_vtk_cells *cells, int item)
{
    m->failed = !LV_PUSH(cells->ends, cells->points.count) || m->failed;
    m->failed = !LV_PUSH(cells->items, item) || m->failed;
}

static void add_polygon(lv_mesh *m, int item, const int64_t *corners, int count)
{
    for (int k = 0; k < count; k++)
        add_to_cell(m, &m->data->polygons, corners[k]);
    end_cell(m, &m->data->polygons, item);
}

/* ---- solids of revolution ----------------------------------------------------------------------------- */

/* A ring about the third axis, or a single point on it. */
typedef struct ring {
    int64_t first;
    bool is_point;
} ring;

static ring add_ring(lv_mesh *m, const pose *at, double radius, double z)
{
    ring r = {m->data->points.count / 3, radius == 0};
    for (int k = 0; k < (r.is_point ? 1 : AROUND); k++) {
        const double angle = 2 * pi * k / AROUND;
        (void)add_local(m, at, radius * cos(angle), radius * sin(angle), z);
    }
    return r;
}

static void join_rings(lv_mesh *m, int item, ring low, ring high)
{
    for (int k = 0; k < AROUND; k++) {
        const int next = (k + 1) % AROUND;
        if (low.is_point && high.is_point)
            continue;
        if (low.is_point)
            add_polygon(m, item,
                        (int64_t[]){low.first, high.first + next, high.first + k}, 3);
        else if (high.is_point)
            add_polygon(m, item, (int64_t[]){low.first + k, low.first + next, high.first},
                        3);
        else
            add_polygon(m, item,
                        (int64_t[]){low.first + k, low.first + next, high.first + next,
                                    high.first + k},
                        4);
    }
}

/* Adds the surface of revolution of a profile of radii and heights, about the third
 * axis. */
static void revolve(lv_mesh *m, int item, const pose *at, const double (*profile)[2],
                    int count)
{
    ring low = {0};
    for (int k = 0; k < count; k++) {
        const ring high = add_ring(m, at, profile[k][0], profile[k][1]);
        if (k > 0)
            join_rings(m, item, low, high);
        low = high;
    }
}

/* Adds a capsule: two halves of a sphere at a distance `length`. */
static void add_capsule(lv_mesh *m, int item, const pose *at, double radius,
                        double length)
{
    double profile[ALONG + 2][2];
    int count = 0;
    for (int k = 0; k <= ALONG; k++) {
        const double angle = pi * k / ALONG - pi / 2;
        const bool ends = k == 0 || k == ALONG;
        profile[count][0] = ends ? 0 : radius * cos(angle);
        profile[count++][1] =
            radius * sin(angle) + (2 * k < ALONG ? -length / 2 : length / 2);
        /* the equator is there twice, the lower one first */
        if (2 * k == ALONG && length > 0) {
            profile[count][0] = radius;
            profile[count][1] = length / 2;
            profile[count++ - 1][1] = -length / 2;
        }
    }
    revolve(m, item, at, (const double(*)[2])profile, count);
}

static void add_cylinder(lv_mesh *m, int item, const pose *at, double radius,
                         double length)
{
    const double profile[4][2] = {
        {0, -length / 2}, {radius, -length / 2}, {radius, length / 2}, {0, length / 2}};
    revolve(m, item, at, profile, 4);
}

/* The origin is the centre of mass, three quarters of the way from the tip to the
 * base. */
static void add_cone(lv_mesh *m, int item, const pose *at, double radius, double length)
{
    const double profile[3][2] = {
        {0, -0.75 * length}, {radius, length / 4}, {0, length / 4}};
    revolve(m, item, at, profile, 3);
}

static void add_box(lv_mesh *m, int item, const pose *at, const double sides[3])
{
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const int64_t first = m->data->points.count / 3;
    for (int k = 0; k < 8; k++)
        (void)add_local(m, at, k & 1 ? sides[0] / 2 : -sides[0] / 2,
                        k & 2 ? sides[1] / 2 : -sides[1] / 2,
                        k & 4 ? sides[2] / 2 : -sides[2] / 2);
    for (int f = 0; f < 6; f++) {
        int64_t corners[4];
        for (int k = 0; k < 4; k++)
            corners[k] = first + faces[f][k];
        add_polygon(m, item, corners, 4);
    }
}

static void add_axes(lv_mesh *m, int item, const pose *at, double length)
{
    for (int k = 0; k < 3; k++) {
        const int64_t from = add_local(m, at, 0, 0, 0);
        const int64_t to = add_local(m, at, k == 0 ? length : 0, k == 1 ? length : 0,
                                     k == 2 ? length : 0);
        add_to_cell(m, &m->data->lines, from);
        add_to_cell(m, &m->data->lines, to);
        end_cell(m, &m->data->lines, item);
    }
}

/* ---- items -------------------------------------------------------------------------------------------- */

/* Size k of an item, or a fraction of the scene's size if the item has none. */
static double size_of(const lv_mesh *m, const lv_view_item *item, int k, double share)
{
    return k < item->size_count ? item->sizes[k] : share * m->size;
}

static void add_frame(lv_mesh *m, const lv_view_item *item, const double *numbers,
                      int number)
{
    const char *shape = item->shape;
    const double first = size_of(m, item, 0, 0.03), second = size_of(m, item, 1, 0.06);
    pose at = {.scale = {1, 1, 1}};
    memcpy(at.origin, numbers, sizeof at.origin);
    lv_quaternion_matrix(at.axes, numbers + 3);
    if (strcmp(shape, "axes") == 0) {
        add_axes(m, number, &at, size_of(m, item, 0, 0.1));
    } else if (strcmp(shape, "sphere") == 0) {
        add_capsule(m, number, &at, first, 0);
    } else if (strcmp(shape, "ellipsoid") == 0) {
        for (int k = 0; k < 3; k++)
            at.scale[k] = size_of(m, item, k, 0.03);
        add_capsule(m, number, &at, 1, 0);
    } else if (strcmp(shape, "box") == 0) {
        add_box(m, number, &at,
                (double[]){first, size_of(m, item, 1, 0.03), size_of(m, item, 2, 0.03)});
    } else if (strcmp(shape, "cylinder") == 0) {
        add_cylinder(m, number, &at, first, second);
    } else if (strcmp(shape, "capsule") == 0) {
        add_capsule(m, number, &at, first, second);
    } else if (strcmp(shape, "cone") == 0) {
        add_cone(m, number, &at, first, second);
    }
}

/* The midpoint of two points, axes whose third one leads from one to the other, and their
 * distance. */
static double between(pose *at, const double *a, const double *b)
{
    double d[3], length = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = b[k] - a[k];
        at->origin[k] = (a[k] + b[k]) / 2;
        at->scale[k] = 1;
        length += d[k] * d[k];
    }
    length = sqrt(length);
    const double e3[3] = {length > 0 ? d[0] / length : 0, length > 0 ? d[1] / length : 0,
                          length > 0 ? d[2] / length : 1};
    const double h[3] = {fabs(e3[0]) < 0.9, fabs(e3[0]) >= 0.9, 0};
    double e1[3], e2[3];
    lv_v3_cross(e1, h, e3);
    const double n = sqrt(lv_v3_dot(e1, e1));
    for (int k = 0; k < 3; k++)
        e1[k] /= n;
    lv_v3_cross(e2, e3, e1);
    for (size_t i = 0; i < 3; i++) {
        at->axes[3 * i] = e1[i];
        at->axes[3 * i + 1] = e2[i];
        at->axes[3 * i + 2] = e3[i];
    }
    return length;
}

static void add_coil(lv_mesh *m, int item, const double *a, const double *b,
                     double radius)
{
    pose at;
    const double length = between(&at, a, b);
    add_to_cell(m, &m->data->lines, add_point(m, a));
    for (int k = 1; k < COIL_TURNS * COIL_POINTS; k++) {
        const double share = (double)k / (COIL_TURNS * COIL_POINTS);
        const double angle = 2 * pi * COIL_TURNS * share;
        add_to_cell(m, &m->data->lines,
                    add_local(m, &at, radius * cos(angle), radius * sin(angle),
                              length * (share - 0.5)));
    }
    add_to_cell(m, &m->data->lines, add_point(m, b));
    end_cell(m, &m->data->lines, item);
}

static void add_line(lv_mesh *m, const lv_view_item *item, const double *numbers,
                     int number)
{
    const int count = item->columns;
    if (strcmp(item->shape, "rod") == 0) {
        for (int k = 0; k + 1 < count; k++) {
            pose at;
            const double length =
                between(&at, numbers + 3 * (size_t)k, numbers + 3 * ((size_t)k + 1));
            add_cylinder(m, number, &at, size_of(m, item, 0, 0.01), length);
        }
    } else if (strcmp(item->shape, "spring") == 0 && count == 2) {
        add_coil(m, number, numbers, numbers + 3, size_of(m, item, 0, 0.02));
    } else if (count > 1) {
        for (int k = 0; k < count; k++)
            add_to_cell(m, &m->data->lines, add_point(m, numbers + 3 * (size_t)k));
        end_cell(m, &m->data->lines, number);
    }
}

static void add_surface(lv_mesh *m, const lv_view_item *item, const double *numbers,
                        int number)
{
    const int64_t first = m->data->points.count / 3;
    const int columns = item->columns;
    for (int k = 0; k < item->rows * columns; k++)
        (void)add_point(m, numbers + 3 * (size_t)k);
    for (int i = 0; i + 1 < item->rows; i++)
        for (int k = 0; k + 1 < columns; k++) {
            const int64_t at = first + (int64_t)i * columns + k;
            add_polygon(m, number,
                        (int64_t[]){at, at + 1, at + columns + 1, at + columns}, 4);
        }
}

bool lv_mesh_shows(const lv_view_item *item)
{
    return item->kind == LV_VIEW_LINE || item->kind == LV_VIEW_SURFACE ||
           (item->kind == LV_VIEW_FRAME && strcmp(item->shape, "centre") != 0);
}

void lv_mesh_item(lv_mesh *m, const lv_view_item *item, const double *numbers, int number)
{
    if (item->kind == LV_VIEW_FRAME)
        add_frame(m, item, numbers, number);
    else if (item->kind == LV_VIEW_LINE)
        add_line(m, item, numbers, number);
    else if (item->kind == LV_VIEW_SURFACE)
        add_surface(m, item, numbers, number);
}
