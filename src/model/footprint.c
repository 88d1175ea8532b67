#include "model/footprint.h"

#include "base/budget.h"
#include "expr/analyse.h"

#include <stdio.h>

/* Lower bounds of the bytes that reading and inspecting a model takes. Measured are 220
 * per coordinate, 100 per instance of a term of a single coordinate, including indices,
 * and 490 to 670 per coordinate in each row of a constraint. Simulations need more. */
static const double coordinate_bytes = 180, instance_bytes = 70, index_bytes = 8,
                    gradient_bytes = 400;

static lv_status expect_bytes(lv_model *m, double bytes, lv_place place, const char *what,
                              lv_error *err)
{
    m->expected += bytes;
    if (lv_budget_fits(m->expected))
        return LV_OK;
    lv_status status = lv_fail_budget(err, what, bytes);
    if (bytes < m->expected) {
        char all[LV_BYTES_SIZE];
        lv_error_note(err, "with all that stands before them the model needs at least %s",
                      lv_bytes_format(m->expected, all));
    }
    lv_error_locate(err, LV_AT(place));
    return status;
}

static lv_place place_of_count(const lv_group *group)
{
    const lv_entry *count = group->is_family ? lv_item_entry(group->item, "count") : NULL;
    return count && count->place.source ? count->place : group->item->place;
}

lv_status lv_model_expect_coordinates(lv_model *m, const lv_group *group, double count,
                                      lv_error *err)
{
    char what[160];
    (void)snprintf(what, sizeof what, "the %.0f coordinates of '%.80s'", count,
                   group->item->name);
    return expect_bytes(m, count * coordinate_bytes, place_of_count(group), what, err);
}

/* The number of coordinates (or velocities) in all rows of a constraint together. */
static lv_status count_gradients(const lv_kernel *kernel, double *count, lv_error *err)
{
    const lv_input kind = kernel->role == LV_ROLE_NONHOLONOMIC ? LV_INPUT_V : LV_INPUT_Q;
    *count = 0;
    if (kernel->role != LV_ROLE_HOLONOMIC && kernel->role != LV_ROLE_NONHOLONOMIC)
        return LV_OK;
    lv_node_list found = {0};
    lv_status status = LV_OK;
    for (int r = 0; r < kernel->row_count && status == LV_OK; r++) {
        found.count = 0;
        status = lv_analyse_inputs(kernel->graph, &found, &kernel->rows[r], 1, kind, err);
        *count += found.count;
    }
    LV_ARRAY_FREE(found);
    return status;
}

lv_status lv_model_expect_instances(lv_model *m, const lv_kernel *kernel,
                                    const lv_entry *family, lv_error *err)
{
    const double count = kernel->instance_count;
    double gradients;
    char what[80];
    LV_TRY(count_gradients(kernel, &gradients, err));
    (void)snprintf(what, sizeof what, "the %.0f instances of this family", count);
    return expect_bytes(m,
                        count * (instance_bytes + index_bytes * kernel->index_count +
                                 gradient_bytes * gradients),
                        family->place, what, err);
}

/* ---- what is largest ------------------------------------------------------------------------ */

static void blame_kernel(const lv_kernel *kernel, lv_error *err)
{
    const lv_entry *family = lv_item_entry(kernel->item, "for");
    lv_error_note(err, "largest in the model: %d instances of '%s'",
                  kernel->instance_count, kernel->item->name);
    lv_error_locate(err, LV_AT((family ? family->place : kernel->item->place)));
}

static void blame_group(const lv_group *group, int size, lv_error *err)
{
    lv_error_note(err, "largest in the model: %d coordinates of '%s'", size,
                  group->item->name);
    lv_error_locate(err, LV_AT(place_of_count(group)));
}

static void blame_largest(const lv_model *m, lv_error *err)
{
    const lv_group *group = NULL;
    const lv_kernel *kernel = NULL;
    int coordinates = 1;
    for (int k = 0; k < m->groups.count; k++) {
        int size = 0;
        if (lv_int_mul(m->groups.data[k].count, lv_group_width(&m->groups.data[k]),
                       &size) &&
            size > coordinates) {
            group = &m->groups.data[k];
            coordinates = size;
        }
    }
    for (int k = 0; k < m->kernels.count; k++)
        if (m->kernels.data[k].instance_count > (kernel ? kernel->instance_count : 1))
            kernel = &m->kernels.data[k];
    if (kernel && kernel->instance_count > coordinates)
        blame_kernel(kernel, err);
    else if (group)
        blame_group(group, coordinates, err);
}

lv_status lv_model_settle(const lv_model *m, lv_status status, lv_error *err)
{
    if (lv_budget_settle(&status, err))
        blame_largest(m, err);
    return status;
}
