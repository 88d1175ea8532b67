#include "model/kernel.h"

#include <stdio.h>
#include <string.h>

const char *lv_role_name(lv_role role)
{
    static const char *const names[LV_ROLES] = {
        "kinetic",      "potential", "lagrangian", "holonomic",
        "nonholonomic", "force",     "symmetry",   "output",
        "event",        "shown",     "view",       "hamiltonian"};
    return names[role];
}

bool lv_role_is_result(lv_role role)
{
    return role == LV_ROLE_OUTPUT || role == LV_ROLE_EVENT || role == LV_ROLE_SHOWN ||
           role == LV_ROLE_VIEW;
}

bool lv_kernel_is_dissipation(const lv_kernel *kernel)
{
    return kernel->role == LV_ROLE_FORCE &&
           kernel->entry == lv_item_entry(kernel->item, "dissipation");
}

int lv_kernel_global(const lv_kernel *kernel, int instance, int local)
{
    /* Find the last slot that begins at or before the local number. */
    int low = 0, high = kernel->slot_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (kernel->slots[middle].first <= local)
            low = middle;
        else
            high = middle - 1;
    }
    size_t at = (size_t)instance * (size_t)kernel->slot_count + (size_t)low;
    return kernel->where[at] + local - kernel->slots[low].first;
}

const char *lv_kernel_row_text(const lv_kernel *kernel, int instance, int row,
                               char *buffer, size_t size)
{
    const char *name = kernel->item->name;
    if (name[0] == '\0')
        name = lv_item_section(kernel->item);
    int used = snprintf(buffer, size, "%s", name);
    if (kernel->is_vector && used >= 0 && (size_t)used < size)
        used += snprintf(buffer + used, size - (size_t)used, "[%d]", row + 1);
    for (int k = 0; k < kernel->index_count && used >= 0 && (size_t)used < size; k++)
        used += snprintf(
            buffer + used, size - (size_t)used, "%s%s = %.0f", k == 0 ? " (" : ", ",
            kernel->index_names[k],
            kernel->indices[(size_t)instance * (size_t)kernel->index_count + (size_t)k]);
    if (kernel->index_count > 0 && used >= 0 && (size_t)used < size)
        snprintf(buffer + used, size - (size_t)used, ")");
    return buffer;
}
