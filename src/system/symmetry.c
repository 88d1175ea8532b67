#include "system/symmetry.h"

#include <string.h>

lv_moves lv_symmetry_moves(const lv_symmetry *s, const lv_group *group)
{
    const lv_nature nature = group->item->nature;
    if (nature == LV_NATURE_ANGLE)
        return s->length == 2 && s->b >= 0 ? LV_MOVES_SHIFT : LV_MOVES_NOT;
    if (group->length != s->length || (nature == LV_NATURE_DIRECTION && s->b < 0))
        return LV_MOVES_NOT;
    return LV_MOVES_VECTOR;
}

double lv_symmetry_momentum(const lv_symmetry *s, const lv_model *m, const double *q,
                            const double *p)
{
    double sum = 0;
    if (s->group >= 0)
        return p[m->groups.data[s->group].first];
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const lv_moves how = lv_symmetry_moves(s, group);
        const int width = lv_group_width(group),
                  end = group->first + group->count * width;
        for (int i = group->first; how != LV_MOVES_NOT && i < end; i += width)
            sum += how == LV_MOVES_SHIFT ? p[i]
                   : s->b < 0            ? p[i + s->a]
                              : q[i + s->a] * p[i + s->b] - q[i + s->b] * p[i + s->a];
    }
    return sum;
}

static void move_vector(const lv_symmetry *s, const double *q, const double *p,
                        double *dq, double *dp)
{
    if (s->b < 0) {
        dq[s->a] = 1;
        return;
    }
    dq[s->a] = -q[s->b];
    dq[s->b] = q[s->a];
    dp[s->a] = -p[s->b];
    dp[s->b] = p[s->a];
}

void lv_symmetry_motion(const lv_symmetry *s, const lv_model *m, const double *q,
                        const double *p, double *dq, double *dp)
{
    memset(dq, 0, (size_t)m->coordinate_count * sizeof *dq);
    memset(dp, 0, (size_t)m->coordinate_count * sizeof *dp);
    if (s->group >= 0) {
        dq[m->groups.data[s->group].first] = 1;
        return;
    }
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const lv_moves how = lv_symmetry_moves(s, group);
        const int width = lv_group_width(group),
                  end = group->first + group->count * width;
        for (int i = group->first; how != LV_MOVES_NOT && i < end; i += width)
            if (how == LV_MOVES_SHIFT)
                dq[i] = 1;
            else
                move_vector(s, q + i, p + i, dq + i, dp + i);
    }
}
