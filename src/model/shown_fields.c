#include "model/shown.h"

#include <string.h>

static const lv_shown_field in_space[] = {{"position", "", 3},
                                          {"quaternion", ".quaternion", 4},
                                          {"velocity", "'", 3},
                                          {"angular_velocity", ".omega", 3}};
static const lv_shown_field in_plane[] = {{"position", "", 2},
                                          {"angle", ".angle", 0},
                                          {"velocity", "'", 2},
                                          {"angular_velocity", ".omega", 0}};

int lv_shown_columns(const lv_shown_field *fields, int count)
{
    int columns = 0;
    for (int k = 0; k < count; k++)
        columns += fields[k].length > 0 ? fields[k].length : 1;
    return columns;
}

/* Lists the quantities of a part that is no body; returns how many its rows have. */
static int fields_of_rows(const lv_kernel *kernel, lv_shown_field *fields)
{
    const lv_shown *s = kernel->shown;
    const bool plane = s->is_planar;
    const bool is_torque = s->effort && strcmp(s->effort, "torque") == 0;
    const bool is_angle = s->amount && strcmp(s->amount, "angle") == 0;
    int count = 0;
    if (s->kind == LV_SHOWN_MOTOR) {
        fields[count++] = is_torque ? (lv_shown_field){"torque", ".torque", 0}
                                    : (lv_shown_field){"force", ".force", 0};
    } else {
        fields[count++] = (lv_shown_field){"force", ".force", plane ? 2 : 3};
        if (s->kind == LV_SHOWN_JOINT)
            fields[count++] = (lv_shown_field){"torque", ".torque", plane ? 0 : 3};
    }
    if (lv_shown_columns(fields, count) < kernel->row_count)
        fields[count++] = is_angle ? (lv_shown_field){"angle", ".angle", 0}
                                   : (lv_shown_field){"shift", ".shift", 0};
    return kernel->row_count == 0 ? 0 : count;
}

int lv_shown_fields(const lv_kernel *kernel, lv_shown_field fields[LV_SHOWN_FIELDS_MOST])
{
    if (kernel->shown->kind != LV_SHOWN_BODY)
        return fields_of_rows(kernel, fields);
    memcpy(fields, kernel->shown->is_planar ? in_plane : in_space, sizeof in_space);
    return LV_SHOWN_FIELDS_MOST;
}
