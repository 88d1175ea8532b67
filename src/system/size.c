/* How large an update of coordinates is. */
#include "model/moving.h"
#include "system/system.h"

#include <math.h>

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* How far a coordinate is, and gets in a step. Rotations are of size 1. */
static inline double reach(const int *place, const double *q, const double *v, double h,
                           int i)
{
    const double size = !place ? fabs(q[i]) : place[i] < 0 ? 1 : fabs(q[place[i]]);
    return size + h * fabs(v[i]);
}

double lv_system_relative_size(const lv_system *s, const double *update, const double *q,
                               const double *v, double h)
{
    const int groups = s->model->groups.count;
    const int *place = s->model->motion ? s->model->motion->place : NULL;
    double result = 0, whole = 0, check = 0; /* not 0 if something is not finite */
    h = fabs(h);
    for (int k = 0, i = 0; k < groups; k++) {
        const int end = s->group_end[k];
        double size = 0, change = 0, sum = 0;
        for (; i < end; i++) {
            size = larger(reach(place, q, v, h, i), size);
            change = larger(fabs(update[i]), change);
            sum += update[i];
        }
        s->group_size[k] = size;
        s->group_change[k] = change;
        whole = larger(size, whole);
        check += 0 * sum;
    }
    /* Coordinates are coupled: rounding in the large ones is felt by the small ones, so a group
     * is never measured against less than a hundredth of the largest coordinate. */
    for (int k = 0; k < groups; k++) {
        const double change = s->group_change[k];
        const double size = larger(s->group_size[k], 0.01 * whole);
        result = larger(change > 0 ? change / size : 0, result);
    }
    return result + check;
}
