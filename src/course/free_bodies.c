#include "course/free_bodies.h"

#include "base/memory.h"
#include "model/moving.h"
#include "num/sparse.h"

/* Copies the inertia of a body; returns whether its lines of the mass matrix have other
 * entries. */
static bool take_inertia(double inertia[9], const lv_pattern *mass, const double *values,
                         int first)
{
    bool coupled = false;
    for (int i = 0; i < 9; i++)
        inertia[i] = 0;
    for (int i = 0; i < 3; i++)
        for (int e = mass->start[first + i]; e < mass->start[first + i + 1]; e++) {
            const int k = mass->column[e] - first;
            if (k >= 0 && k < 3)
                inertia[3 * i + k] = values[e];
            else
                coupled = coupled || values[e] != 0;
        }
    return coupled;
}

lv_status lv_free_bodies_find(lv_free_body *bodies, int *coupled, const lv_system *system,
                              lv_error *err)
{
    const lv_motion *motion = system->model->motion;
    const lv_pattern *mass = lv_plan_pattern(system->legendre, LV_Q_MASS);
    double *values =
        lv_memory_zeroed((size_t)lv_pattern_entries(mass) + 1, sizeof *values);
    *coupled = -1;
    if (!values)
        return lv_fail_memory(err);
    lv_plan_base(system->legendre, LV_Q_MASS, values);
    for (int k = 0; k < motion->pose_count; k++) {
        double inertia[9];
        const int first = motion->poses[k].tangent[0];
        if (take_inertia(inertia, mass, values, first) && *coupled < 0)
            *coupled = first;
        if (bodies)
            lv_free_body_init(&bodies[k], inertia);
    }
    lv_memory_free(values);
    return LV_OK;
}
