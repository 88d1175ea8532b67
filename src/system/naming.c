/* Names of constraints and velocities of a system, for messages. */
#include "model/moving.h"
#include "system/system.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The component of its rotation that a velocity number is; -1: it is no component of a
 * rotation. */
static int turning_number(const lv_motion *motion, int tangent)
{
    int k = 0;
    if (!motion || motion->place[tangent] >= 0)
        return -1;
    while (motion->poses[motion->pose_of[tangent]].tangent[k] != tangent)
        k++;
    return k;
}

int lv_system_coordinate(const lv_system *s, int tangent)
{
    const lv_motion *motion = s->model->motion;
    const int k = turning_number(motion, tangent);
    if (k < 0)
        return motion ? motion->place[tangent] : tangent;
    return motion->poses[motion->pose_of[tangent]].axis[0] + k;
}

/* The name of the body is the prefix of its axes, "body.e1[1]", or of its angle,
 * "body.angle". */
const char *lv_system_pose_text(const lv_system *s, int pose, char *buffer, size_t size)
{
    return lv_system_body_text(s, lv_pose_coordinate(&s->model->motion->poses[pose]),
                               buffer, size);
}

const char *lv_system_body_text(const lv_system *s, int coordinate, char *buffer,
                                size_t size)
{
    lv_model_coordinate_text(s->model, coordinate, buffer, size);
    char *dot = strrchr(buffer, '.');
    if (dot)
        *dot = '\0';
    return buffer;
}

const char *lv_system_tangent_text(const lv_system *s, int tangent, char *buffer,
                                   size_t size)
{
    const int k = turning_number(s->model->motion, tangent);
    if (k < 0)
        return lv_model_coordinate_text(s->model, lv_system_coordinate(s, tangent),
                                        buffer, size);
    lv_system_pose_text(s, s->model->motion->pose_of[tangent], buffer, size);
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, ".omega[%d]", k + 1);
    return buffer;
}

void lv_system_blame_row(const lv_system *s, int row, lv_error *err)
{
    char name[160];
    if (row < 0)
        return;
    lv_error_about(err, LV_ABOUT_CONSTRAINT, row);
    lv_error_name(err, lv_system_row_name(s, row, name, sizeof name));
}

const char *lv_system_row_name(const lv_system *s, int row, char *buffer, size_t size)
{
    assert(row >= 0 && row < s->constraint_count);
    assert(buffer && size > 0);
    for (int k = 0; k < s->model->kernels.count; k++) {
        const lv_kernel *kernel = &s->model->kernels.data[k];
        bool rolls = kernel->role == LV_ROLE_NONHOLONOMIC;
        int inside = row - kernel->first_row - (rolls ? s->m : 0);
        if ((rolls || kernel->role == LV_ROLE_HOLONOMIC) && inside >= 0 &&
            inside < kernel->row_count * kernel->instance_count)
            return lv_kernel_row_text(kernel, inside / kernel->row_count,
                                      inside % kernel->row_count, buffer, size);
    }
    if (size > 0)
        buffer[0] = '\0';
    return buffer;
}
