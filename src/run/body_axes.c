#include "run/body_axes.h"

#include "model/motion.h"

#include <math.h>

static bool is_first_axis(const lv_model *m, int group)
{
    const lv_part_of_pose part = lv_part_of(m, group, false);
    return part.role == LV_IS_AXIS && part.body == group;
}

lv_status lv_body_axes_init(lv_body_axes *axes, const lv_model *m, int order,
                            lv_arena *arena, lv_error *err)
{
    *axes = (lv_body_axes){.doubtful = order <= 4 ? 0.8 : 1.5};
    axes->first =
        lv_arena_alloc(arena, (size_t)m->coordinate_count / 9 + 1, sizeof *axes->first);
    if (!axes->first)
        return lv_fail_memory(err);
    for (int g = 0; g < m->groups.count; g++)
        for (int i = 0; is_first_axis(m, g) && i < m->groups.data[g].count; i++) {
            for (int k = 0; k < 3; k++)
                axes->first[axes->count][k] = lv_member_first(m, g + k, i);
            axes->count++;
        }
    return LV_OK;
}

/* |e1'|^2 + |e2'|^2 + |e3'|^2 */
static double squared_rates(const int first[3], const double *v, int stride)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const double rate = v[(ptrdiff_t)stride * (first[k] + i)];
            sum += rate * rate;
        }
    return sum;
}

lv_turned lv_body_axes_turned(const lv_body_axes *axes, const double *v, int stride,
                              double h)
{
    int fastest = 0;
    double most = 0;
    for (int k = 0; k < axes->count; k++) {
        const double its = squared_rates(axes->first[k], v, stride);
        fastest = its > most ? k : fastest;
        most = its > most ? its : most;
    }
    const double angle = fabs(h) * sqrt(0.5 * most);
    if (!(angle > axes->doubtful))
        return (lv_turned){0};
    return (lv_turned){.coordinate = axes->first[fastest][0],
                       .angle = angle,
                       .doubtful = axes->doubtful,
                       .advice = LV_TURN_IN_COORDINATES};
}
