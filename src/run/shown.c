#include "run/shown.h"

#include "expr/analyse.h"
#include "num/rotation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is shown ----------------------------------------------------------------------- */

enum { QUATERNION = 4, ROTATION = 9 };

static bool is_in_space(const lv_kernel *kernel)
{
    return lv_kernel_shows(kernel, LV_SHOWN_BODY) && !kernel->shown->is_planar;
}

static int columns_of(const lv_kernel *kernel)
{
    lv_shown_field fields[LV_SHOWN_FIELDS_MOST];
    return lv_shown_columns(fields, lv_shown_fields(kernel, fields));
}

const char *lv_showcase_label(const lv_model *m, lv_shown_kind kind, int k, char *buffer,
                              size_t size)
{
    for (int i = 0; i < m->kernels.count; i++) {
        const lv_kernel *kernel = &m->kernels.data[i];
        lv_shown_field fields[LV_SHOWN_FIELDS_MOST];
        char name[200];
        if (!lv_kernel_shows(kernel, kind))
            continue;
        const int columns = columns_of(kernel), all = columns * kernel->instance_count;
        if (k >= all) {
            k -= all;
            continue;
        }
        lv_shown_name(kernel, k / columns, name, sizeof name);
        lv_shown_fields(kernel, fields);
        const lv_shown_field *f = fields;
        for (k %= columns; k >= (f->length > 0 ? f->length : 1); f++)
            k -= f->length > 0 ? f->length : 1;
        snprintf(buffer, size, f->length > 0 ? "%s%s[%d]" : "%s%s", name, f->suffix,
                 k + 1);
        break;
    }
    return buffer;
}

/* ---- rotations --------------------------------------------------------------------------- */

/* The rotation matrix of a quaternion, row by row. */
static void rotation_of(double *r, const double *q)
{
    double axes[ROTATION];
    lv_axes_of_quaternion(axes, q);
    for (int k = 0; k < ROTATION; k++)
        r[k] = axes[3 * (k % 3) + k / 3];
}

/* Gives a quaternion the sign that is closer to `before`, and copies it there. The first
 * one gets a w that is not negative. */
static void choose_sign(double *q, double *before)
{
    double along = 0, size = 0;
    for (int k = 0; k < QUATERNION; k++) {
        along += q[k] * before[k];
        size += before[k] * before[k];
    }
    along = size > 0 ? along : q[0];
    for (int k = 0; k < QUATERNION; k++)
        before[k] = q[k] = along < 0 ? -q[k] : q[k];
}

/* ---- columns ----------------------------------------------------------------------------- */

lv_status lv_showcase_init(lv_showcase *s, const lv_model *model, lv_arena *arena,
                           lv_error *err)
{
    bool any = false;
    *s = (lv_showcase){.model = model};
    for (int k = 0; k < model->kernels.count; k++) {
        const lv_kernel *kernel = &model->kernels.data[k];
        if (kernel->role != LV_ROLE_SHOWN)
            continue;
        any = true;
        s->width[kernel->shown->kind] += columns_of(kernel) * kernel->instance_count;
        if (is_in_space(kernel))
            s->quaternion_numbers += QUATERNION * kernel->instance_count;
    }
    for (int k = 0; k < LV_SHOWN_KINDS; k++) {
        s->columns[k] = lv_arena_alloc(arena, (size_t)s->width[k], sizeof *s->columns[k]);
        if (!s->columns[k])
            return lv_fail_memory(err);
    }
    s->quaternions =
        lv_arena_alloc(arena, (size_t)s->quaternion_numbers, sizeof *s->quaternions);
    if (!s->quaternions)
        return lv_fail_memory(err);
    if (!any)
        return LV_OK;
    LV_TRY(lv_plan_create(&s->plan, model, LV_WANT(SHOWN), err));
    s->needs = lv_plan_depends(s->plan, LV_Q_SHOWN);
    return LV_OK;
}

void lv_showcase_done(lv_showcase *s)
{
    lv_plan_free(s->plan);
    s->plan = NULL;
}

/* Converts position, axes, velocity and angular velocity of a body to columns. */
static void put_body(double *to, const double *rows, double *before)
{
    memcpy(to, rows, 3 * sizeof *to);
    lv_quaternion_of_axes(to + 3, rows + 3);
    choose_sign(to + 3, before);
    memcpy(to + 3 + QUATERNION, rows + 3 + ROTATION, 6 * sizeof *to);
}

void lv_showcase_run(lv_showcase *s, const lv_point *point)
{
    double *to[LV_SHOWN_KINDS], *before = s->quaternions;
    if (!s->plan)
        return;
    lv_plan_run(s->plan, point);
    const double *rows = lv_plan_result(s->plan, LV_Q_SHOWN);
    memcpy(to, s->columns, sizeof to);
    for (int k = 0; k < s->model->kernels.count; k++) {
        const lv_kernel *kernel = &s->model->kernels.data[k];
        if (kernel->role != LV_ROLE_SHOWN)
            continue;
        const int columns = columns_of(kernel);
        double **at = &to[kernel->shown->kind];
        for (int i = 0; i < kernel->instance_count; i++, rows += kernel->row_count) {
            if (is_in_space(kernel)) {
                put_body(*at, rows, before);
                before += QUATERNION;
            } else if (columns > 0) {
                memcpy(*at, rows, (size_t)columns * sizeof *rows);
            }
            *at += columns;
        }
    }
}

void lv_showcase_visit_bodies(const lv_showcase *s, lv_body_visit visit, void *user)
{
    const double *columns = s->columns[LV_SHOWN_BODY];
    for (int k = 0; k < s->model->kernels.count; k++) {
        const lv_kernel *kernel = &s->model->kernels.data[k];
        char name[200];
        if (!lv_kernel_shows(kernel, LV_SHOWN_BODY))
            continue;
        for (int i = 0; i < kernel->instance_count; i++, columns += columns_of(kernel))
            visit(user, lv_shown_name(kernel, i, name, sizeof name),
                  kernel->shown->is_planar, columns);
    }
}

/* ---- results ----------------------------------------------------------------------------- */

/* Describes the quantities of one instance, whose columns begin at `from`. */
static lv_status describe(lv_part_result *part, const lv_kernel *kernel, int instance,
                          const double *from, lv_arena *arena, lv_error *err)
{
    lv_shown_field fields[LV_SHOWN_FIELDS_MOST];
    char name[200];
    const int count = lv_shown_fields(kernel, fields), columns = columns_of(kernel);
    const size_t room = (size_t)columns + ROTATION;
    lv_output *values = lv_arena_alloc(arena, LV_SHOWN_FIELDS_MOST + 1, sizeof *values);
    double *numbers = lv_arena_alloc(arena, room, sizeof *numbers);
    if (!values || !numbers)
        return lv_fail_memory(err);
    lv_shown_name(kernel, instance, name, sizeof name);
    *part = (lv_part_result){.section = lv_shown_section(kernel->shown->kind),
                             .name = lv_arena_text(arena, name, strlen(name)),
                             .values = values};
    memcpy(numbers, from, (size_t)columns * sizeof *numbers);
    for (int k = 0; k < count; k++) {
        values[part->count++] = (lv_output){fields[k].key, fields[k].length, numbers};
        if (is_in_space(kernel) && strcmp(fields[k].key, "quaternion") == 0) {
            double *rotation = numbers + columns - 3; /* after all columns */
            rotation_of(rotation, numbers);
            values[part->count++] = (lv_output){"rotation", ROTATION, rotation};
        }
        numbers += fields[k].length > 0 ? fields[k].length : 1;
    }
    return part->name ? LV_OK : lv_fail_memory(err);
}

static lv_status describe_kind(const lv_showcase *s, lv_shown_kind kind,
                               lv_part_result *parts, int *count, lv_arena *arena,
                               lv_error *err)
{
    const double *from = s->columns[kind];
    for (int k = 0; k < s->model->kernels.count; k++) {
        const lv_kernel *kernel = &s->model->kernels.data[k];
        if (!lv_kernel_shows(kernel, kind))
            continue;
        for (int i = 0; i < kernel->instance_count; i++, from += columns_of(kernel))
            LV_TRY(describe(&parts[(*count)++], kernel, i, from, arena, err));
    }
    return LV_OK;
}

lv_status lv_showcase_results(const lv_showcase *s, lv_part_result **result, int *count,
                              lv_arena *arena, lv_error *err)
{
    size_t most = 0;
    for (int k = 0; k < s->model->kernels.count; k++)
        if (s->model->kernels.data[k].role == LV_ROLE_SHOWN)
            most += (size_t)s->model->kernels.data[k].instance_count;
    lv_part_result *parts = lv_arena_alloc(arena, most, sizeof *parts);
    *count = 0;
    *result = parts;
    if (!parts)
        return lv_fail_memory(err);
    for (int k = 0; k < LV_SHOWN_KINDS; k++)
        LV_TRY(describe_kind(s, (lv_shown_kind)k, parts, count, arena, err));
    return LV_OK;
}
