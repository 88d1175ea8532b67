/* The relative size of an update of coordinates. */
#include "model/moving.h"
#include "num/extent.h"
#include "system/system.h"

#include <math.h>

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* Measures coordinates on groups. place[i] is the coordinate that velocity i belongs to;
 * negative for rotations, which count as having size 1. */
static lv_extents measure_placed(const int *place, const double *update, const double *q,
                                 const double *v, double h, int count)
{
    lv_extents all = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const double size = place[i] < 0 ? 1 : fabs(q[place[i]]);
        all.size = larger(size + h * fabs(v[i]), all.size);
        all.change = larger(fabs(update[i]), all.change);
        all.sum += update[i] * 0;
    }
    return all;
}

double lv_system_relative_size(const lv_system *s, const double *update, const double *q,
                               const double *v, double h, double *largest)
{
    const int groups = s->model->groups.count;
    const int *place = s->model->motion ? s->model->motion->place : NULL;
    /* `check` is NaN if a number of the update is not finite, else 0. */
    double result = 0, whole = 0, most = 0, check = 0;
    h = fabs(h);
    for (int k = 0, i = 0; k < groups; k++) {
        const int count = s->group_end[k] - i;
        const lv_extents of =
            place ? measure_placed(place + i, update + i, q, v + i, h, count)
                  : lv_extents_of(update + i, q + i, v + i, h, count);
        s->group_size[k] = of.size;
        s->group_change[k] = of.change;
        whole = larger(of.size, whole);
        most = larger(of.change, most);
        check += of.sum;
        i += count;
    }
    /* Coordinates are coupled, so that rounding of the large ones affects the small ones:
     * no group is measured by less than a hundredth of the largest coordinate. */
    for (int k = 0; k < groups; k++) {
        const double change = s->group_change[k];
        const double size = larger(s->group_size[k], 0.01 * whole);
        result = larger(change > 0 ? change / size : 0, result);
    }
    *largest = most + check;
    return result + check;
}
