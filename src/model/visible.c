/* Determines which coordinates and constraint rows results show: all except those that a
 * formulation of bodies adds, such as axes and the constraints that keep them
 * orthonormal. */
#include "model/model.h"

#include <string.h>

static lv_status list_visible(lv_model *m, const unsigned char *hidden, int count,
                              const int **visible, int *visible_count, lv_error *err)
{
    int *list = lv_arena_alloc(&m->arena, (size_t)count, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    *visible_count = 0;
    for (int k = 0; k < count; k++)
        if (!hidden[k])
            list[(*visible_count)++] = k;
    *visible = *visible_count < count ? list : NULL;
    return LV_OK;
}

static void hide_coordinates(const lv_model *m, unsigned char *hidden)
{
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const size_t width = (size_t)lv_group_width(group) * (size_t)group->count;
        if (group->item->is_inner)
            memset(hidden + group->first, 1, width);
    }
}

static void hide_rows(const lv_model *m, unsigned char *hidden)
{
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        const bool rolls = kernel->role == LV_ROLE_NONHOLONOMIC;
        if ((!rolls && kernel->role != LV_ROLE_HOLONOMIC) || !kernel->item->is_inner)
            continue;
        memset(hidden + kernel->first_row + (rolls ? m->row_count[LV_ROLE_HOLONOMIC] : 0),
               1, (size_t)kernel->row_count * (size_t)kernel->instance_count);
    }
}

lv_status lv_model_find_visible(lv_model *m, lv_error *err)
{
    const int n = m->coordinate_count;
    const int rows = m->row_count[LV_ROLE_HOLONOMIC] + m->row_count[LV_ROLE_NONHOLONOMIC];
    unsigned char *hidden = lv_memory_zeroed((size_t)n + (size_t)rows + 1, 1);
    if (!hidden)
        return lv_fail_memory(err);
    hide_coordinates(m, hidden);
    hide_rows(m, hidden + n);
    lv_status status = list_visible(m, hidden, n, &m->visible_coordinates,
                                    &m->visible_coordinate_count, err);
    if (status == LV_OK)
        status = list_visible(m, hidden + n, rows, &m->visible_rows,
                              &m->visible_row_count, err);
    lv_memory_free(hidden);
    return status;
}

/* Whether an increasing list contains k. */
static bool is_listed(const int *list, int count, int k)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == k;
}

bool lv_model_coordinate_is_inner(const lv_model *m, int k)
{
    return m && m->visible_coordinates &&
           !is_listed(m->visible_coordinates, m->visible_coordinate_count, k);
}

bool lv_model_constraint_is_inner(const lv_model *m, int k)
{
    return m && m->visible_rows && !is_listed(m->visible_rows, m->visible_row_count, k);
}
