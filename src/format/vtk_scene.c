#include "format/vtk_scene.h"

#include "format/vtk_mesh.h"
#include "group/quaternion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 512 };

/* ---- members of the sets ---------------------------------------------------------------------- */

/* The address of the values of a column; NULL: there is none. */
static const double *column(const lv_channels *channels, const char *name,
                            const char *what, int component)
{
    char label[LABEL];
    (void)snprintf(label, sizeof label, component > 0 ? "%s%s[%d]" : "%s%s", name, what,
                   component);
    for (int c = 0; c < channels->count; c++) {
        const int k = lv_channel_column(&channels->list[c], label);
        if (k >= 0)
            return channels->list[c].values + k;
    }
    return NULL;
}

static lv_vtk_vector vector(const lv_channels *channels, const char *name,
                            const char *what)
{
    lv_vtk_vector v = {.planar = false};
    for (int k = 0; k < 3; k++)
        v.component[k] = column(channels, name, what, k + 1);
    if (!v.component[0]) {
        v.component[2] = column(channels, name, what, 0);
        v.planar = v.component[2] != NULL;
    }
    return v;
}

/* The components of a vector; NaN if it was not recorded. */
static void read_vector(const lv_vtk_vector *v, double to[3])
{
    const bool known = v->planar || v->component[0];
    for (int k = 0; k < 3; k++)
        to[k] = v->component[k] ? *v->component[k] : known ? 0 : (double)NAN;
}

static lv_status add_body(lv_vtk_scene *s, const lv_channels *channels, const char *label,
                          lv_error *err)
{
    const size_t length = strlen(label) - strlen("[1]");
    char *name = lv_arena_text(&s->arena, label, length);
    if (!name)
        return lv_fail_memory(err);
    const lv_vtk_member body = {.name = name,
                                .position = column(channels, name, "", 1),
                                .angle = column(channels, name, ".angle", 0),
                                .quaternion = column(channels, name, ".quaternion", 1),
                                .first = vector(channels, name, "'"),
                                .second = vector(channels, name, ".omega")};
    if (!body.angle && !body.quaternion)
        return LV_OK;
    return LV_PUSH(s->members[LV_VTK_BODIES], body) ? LV_OK : lv_fail_memory(err);
}

/* Finds the bodies by their columns NAME[1]. */
static lv_status find_bodies(lv_vtk_scene *s, const lv_channels *channels, lv_error *err)
{
    const lv_channel *bodies = lv_channel_find(channels, "bodies");
    for (int k = 0; bodies && k < bodies->width; k++) {
        char buffer[LABEL];
        const char *label = bodies->label(bodies->user, k, buffer, sizeof buffer);
        const char *bracket = strchr(label, '[');
        if (bracket && strcmp(bracket, "[1]") == 0 && !strchr(label, '.') &&
            !strchr(label, '\''))
            LV_TRY(add_body(s, channels, label, err));
    }
    return LV_OK;
}

static lv_status find_items(lv_vtk_scene *s, const lv_channels *channels, lv_error *err)
{
    for (int k = 0; k < s->view->item_count; k++) {
        const lv_view_item *item = &s->view->items[k];
        const bool joint = item->kind == LV_VIEW_JOINT;
        s->shapes += lv_mesh_shows(item);
        if (!joint && item->kind != LV_VIEW_POINT)
            continue;
        const lv_vtk_member member = {
            .name = item->name,
            .item = item,
            .first = vector(channels, item->name, joint ? ".force" : "'"),
            .second = vector(channels, item->name, ".torque")};
        if (!LV_PUSH(s->members[joint ? LV_VTK_JOINTS : LV_VTK_POINTS], member))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

/* ---- arrays ---------------------------------------------------------------------------------------------- */

/* The arrays of each set, in the order in which they are filled. */
static const struct {
    const char *name;
    int components;
} arrays[3][LV_VTK_ARRAYS] = {
    [LV_VTK_BODIES] = {{"quaternion", 4},
                       {"e1", 3},
                       {"e2", 3},
                       {"e3", 3},
                       {"velocity", 3},
                       {"angular_velocity", 3}},
    [LV_VTK_POINTS] = {{"radius", 1}, {"velocity", 3}},
    [LV_VTK_JOINTS] = {{"axis", 3}, {"force", 3}, {"torque", 3}},
};

static lv_status make_arrays(lv_vtk_scene *s, int set, lv_error *err)
{
    const int count = s->members[set].count;
    lv_vtk_data *d = &s->data[set];
    const char **names = lv_arena_alloc(&s->arena, (size_t)count, sizeof *names);
    bool room = names && LV_RESERVE(d->points, 3 * count);
    for (int k = 0; room && k < count; k++)
        names[k] = s->members[set].data[k].name;
    for (int a = 0; room && a < LV_VTK_ARRAYS && arrays[set][a].name; a++) {
        lv_numbers *numbers = &s->numbers[set][a];
        room = LV_RESERVE(*numbers, arrays[set][a].components * count);
        s->arrays[set][a] =
            (lv_vtk_array){arrays[set][a].name, arrays[set][a].components, numbers->data};
        d->point_array_count++;
    }
    d->vertices = true;
    d->names = names;
    d->point_arrays = s->arrays[set];
    return room ? LV_OK : lv_fail_memory(err);
}

static void append_numbers(lv_numbers *to, const double *values, int count)
{
    memcpy(to->data + to->count, values, (size_t)count * sizeof *values);
    to->count += count;
}

static void put_body(lv_vtk_scene *s, const lv_vtk_member *m)
{
    lv_numbers *n = s->numbers[LV_VTK_BODIES];
    double c[4] = {1, 0, 0, 0}, axes[9], v[3], local[3], spin[3];
    const double position[3] = {m->position[0], m->position[1],
                                m->angle ? 0 : m->position[2]};
    if (m->quaternion) {
        memcpy(c, m->quaternion, sizeof c);
    } else {
        c[0] = cos(*m->angle / 2);
        c[3] = sin(*m->angle / 2);
    }
    lv_quaternion_matrix(axes, c);
    append_numbers(&s->data[LV_VTK_BODIES].points, position, 3);
    append_numbers(&n[0], c, 4);
    for (int k = 0; k < 3; k++)
        append_numbers(&n[1 + k], (double[]){axes[k], axes[3 + k], axes[6 + k]}, 3);
    read_vector(&m->first, v);
    read_vector(&m->second, local);
    lv_m3_apply(spin, axes, local);
    append_numbers(&n[4], v, 3);
    append_numbers(&n[5], spin, 3);
}

/* The numbers of an item. */
static const double *numbers_of(const lv_vtk_scene *s, const lv_view_item *item)
{
    return item->still ? item->still : s->frame + item->first;
}

static void put_point(lv_vtk_scene *s, const lv_vtk_member *m)
{
    lv_numbers *n = s->numbers[LV_VTK_POINTS];
    const double radius = m->item->size_count > 0 ? m->item->sizes[0] : 0.02 * s->size;
    double v[3];
    read_vector(&m->first, v);
    append_numbers(&s->data[LV_VTK_POINTS].points, numbers_of(s, m->item), 3);
    append_numbers(&n[0], &radius, 1);
    append_numbers(&n[1], v, 3);
}

static void put_joint(lv_vtk_scene *s, const lv_vtk_member *m)
{
    lv_numbers *n = s->numbers[LV_VTK_JOINTS];
    const double *numbers = numbers_of(s, m->item);
    double force[3], torque[3];
    read_vector(&m->first, force);
    read_vector(&m->second, torque);
    append_numbers(&s->data[LV_VTK_JOINTS].points, numbers, 3);
    append_numbers(&n[0], numbers + 3, 3);
    append_numbers(&n[1], force, 3);
    append_numbers(&n[2], torque, 3);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

/* The longest side of the box around all points of the picture; 1 if there is none. */
static double extent(const lv_vtk_scene *s)
{
    double least[3] = {0}, most[3] = {0}, size = 0;
    bool any = false;
    for (int i = 0; i < s->view->item_count; i++) {
        const lv_view_item *item = &s->view->items[i];
        const bool posed = item->kind == LV_VIEW_FRAME || item->kind == LV_VIEW_JOINT;
        for (int p = 0; p < (posed ? 3 : item->count); p++) {
            const double x = numbers_of(s, item)[p];
            if (!isfinite(x))
                continue;
            least[p % 3] = any ? fmin(least[p % 3], x) : x;
            most[p % 3] = any ? fmax(most[p % 3], x) : x;
            any = any || p % 3 == 2;
        }
    }
    for (int k = 0; k < 3; k++)
        size = fmax(size, most[k] - least[k]);
    return size > 0 ? size : 1;
}

static lv_status fill_shapes(lv_vtk_scene *s, lv_error *err)
{
    lv_mesh mesh = {.data = &s->data[LV_VTK_SHAPES], .size = s->size};
    for (int k = 0; k < s->view->item_count; k++)
        if (lv_mesh_shows(&s->view->items[k]))
            lv_mesh_item(&mesh, &s->view->items[k], numbers_of(s, &s->view->items[k]), k);
    return mesh.failed ? lv_fail_memory(err) : LV_OK;
}

lv_status lv_vtk_scene_row(lv_vtk_scene *s, lv_error *err)
{
    static void (*const puts[])(lv_vtk_scene *,
                                const lv_vtk_member *) = {put_body, put_point, put_joint};
    LV_TRY(lv_frames_row(&s->frames, s->frame, err));
    if (s->size == 0)
        s->size = extent(s);
    for (int part = 0; part < LV_VTK_PARTS; part++) {
        lv_vtk_data_clear(&s->data[part]);
        s->data[part].time = *s->frames.time;
    }
    for (int set = 0; set < 3; set++) {
        for (int a = 0; a < LV_VTK_ARRAYS; a++)
            s->numbers[set][a].count = 0;
        for (int k = 0; k < s->members[set].count; k++)
            puts[set](s, &s->members[set].data[k]);
    }
    return fill_shapes(s, err);
}

bool lv_vtk_scene_has(const lv_vtk_scene *s, lv_vtk_part part)
{
    return part == LV_VTK_SHAPES ? s->shapes > 0 : s->members[part].count > 0;
}

lv_status lv_vtk_scene_init(lv_vtk_scene *s, const lv_model *model,
                            const lv_channels *channels, const char *path, lv_error *err)
{
    s->view = lv_model_view(model);
    LV_TRY(lv_frames_init(&s->frames, model, channels, err));
    if (s->frames.size == 0) {
        const bool pictures = s->view && s->view->number_count > 0;
        const lv_status status = lv_fail(
            err, LV_ERR_MODEL,
            pictures ? "'%s' lacks coordinates that the positions of all follow from"
                     : "nothing that moves is drawn of the model of '%s'",
            path);
        lv_error_hint(err, pictures ? "record the run without --channels"
                                    : "add [view.points] to the model");
        return status;
    }
    s->frame = lv_arena_alloc(&s->arena, (size_t)s->frames.size, sizeof *s->frame);
    if (!s->frame)
        return lv_fail_memory(err);
    LV_TRY(find_bodies(s, channels, err));
    LV_TRY(find_items(s, channels, err));
    for (int set = 0; set < 3; set++)
        LV_TRY(make_arrays(s, set, err));
    return LV_OK;
}

void lv_vtk_scene_done(lv_vtk_scene *s)
{
    for (int part = 0; part < LV_VTK_PARTS; part++)
        lv_vtk_data_done(&s->data[part]);
    for (int set = 0; set < 3; set++) {
        for (int a = 0; a < LV_VTK_ARRAYS; a++)
            LV_ARRAY_FREE(s->numbers[set][a]);
        LV_ARRAY_FREE(s->members[set]);
    }
    lv_frames_done(&s->frames);
    lv_arena_done(&s->arena);
}
