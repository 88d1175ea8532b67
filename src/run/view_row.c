/* Finds the state that a row of results shows; rows have bodies instead of the
 * coordinates of their formulation. */
#include <livens/view.h>

#include "base/usage.h"
#include "model/shown.h"
#include "num/rotation.h"

#include <string.h>

typedef struct row {
    const lv_model *model;
    double *q, *v; /* v may be NULL */
    const double *bodies;
    const lv_kernel *body;
    int instance;
} row;

/* The index of the coordinates of a member of the body, NAME or NAME.e1; -1: it has
 * none. */
static int find_place(const row *r, const char *member)
{
    const lv_kernel *k = r->body;
    const char *name = k->item->name;
    const lv_name *found =
        lv_names_find_member(&r->model->names, name, (int)strlen(name), member);
    if (!found || found->kind != LV_NAME_COORDINATE)
        return -1;
    const lv_group *group = &r->model->groups.data[found->index];
    const int at =
        group->is_family ? (int)k->indices[(ptrdiff_t)r->instance * k->index_count] : 1;
    return group->first + (at - 1) * lv_group_width(group);
}

static void put_member(const row *r, const char *member, const double *q, const double *v,
                       int count)
{
    const int place = find_place(r, member);
    if (place < 0)
        return;
    memcpy(r->q + place, q, (size_t)count * sizeof *q);
    if (r->v)
        memcpy(r->v + place, v, (size_t)count * sizeof *v);
}

/* e_j' = omega_{j+2} e_{j+1} - omega_{j+1} e_{j+2}, omega in body axes. */
static void put_axes(const row *r, const double *quaternion, const double *omega)
{
    static const char *const members[] = {"e1", "e2", "e3"};
    double axes[9], rate[3];
    lv_axes_of_quaternion(axes, quaternion);
    for (int j = 0; j < 3; j++) {
        const int next = (j + 1) % 3, last = (j + 2) % 3;
        for (int k = 0; k < 3; k++)
            rate[k] = omega[last] * axes[3 * next + k] - omega[next] * axes[3 * last + k];
        put_member(r, members[j], axes + 3 * (ptrdiff_t)j, rate, 3);
    }
}

static void put_bodies(row *r)
{
    for (int k = 0; k < r->model->kernels.count; k++) {
        r->body = &r->model->kernels.data[k];
        if (!lv_kernel_shows(r->body, LV_SHOWN_BODY))
            continue;
        for (int i = 0; i < r->body->instance_count; i++) {
            const double *b = r->bodies;
            r->instance = i;
            if (r->body->shown->is_planar) {
                put_member(r, NULL, b, b + 3, 2);
                put_member(r, "angle", b + 2, b + 5, 1);
                r->bodies += 6;
            } else {
                put_member(r, NULL, b, b + 7, 3);
                put_axes(r, b + 3, b + 10);
                r->bodies += 13;
            }
        }
    }
}

static bool has_bodies(const lv_model *m)
{
    for (int k = 0; k < m->kernels.count; k++)
        if (lv_kernel_shows(&m->kernels.data[k], LV_SHOWN_BODY) &&
            m->kernels.data[k].instance_count > 0)
            return true;
    return false;
}

lv_status lv_model_row_state(const lv_model *model, double *q, double *v,
                             const double *row_q, const double *row_v,
                             const double *bodies, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_NEED(err, q);
    const int *shown = model->visible_coordinates;
    const int count = shown ? model->visible_coordinate_count : model->coordinate_count;
    const size_t all = (size_t)model->coordinate_count;
    if (count > 0)
        LV_NEED(err, row_q);
    if (has_bodies(model))
        LV_NEED(err, bodies);
    memset(q, 0, all * sizeof *q);
    if (v)
        memset(v, 0, all * sizeof *v);
    for (int k = 0; k < count; k++) {
        q[shown ? shown[k] : k] = row_q[k];
        if (v && row_v)
            v[shown ? shown[k] : k] = row_v[k];
    }
    if (bodies)
        put_bodies(&(row){.model = model, .q = q, .v = v, .bodies = bodies});
    return LV_OK;
}
