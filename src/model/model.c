#include "model/model.h"

#include <livens/livens.h>

#include "base/usage.h"

#include <stdio.h>
#include <string.h>

const char *lv_version(void)
{
    return LIVENS_VERSION;
}

int lv_version_number(void)
{
    return LV_VERSION_NUMBER;
}

lv_status lv_model_fail(const lv_model *m, lv_error *err, const char *text)
{
    lv_status status = lv_fail(err, LV_ERR_MODEL, "%s", text);
    if (err)
        (void)snprintf(err->file, sizeof err->file, "%s", m->source.name);
    return status;
}

void lv_model_locate_run(const lv_model *m, const char *key, lv_error *err)
{
    for (int k = 0; k < m->declarations.items.count; k++) {
        const lv_item *item = &m->declarations.items.data[k];
        const lv_entry *entry =
            item->section == LV_SECTION_RUN ? lv_item_entry(item, key) : NULL;
        if (entry)
            lv_error_locate(err, LV_AT(entry->place));
    }
}

bool lv_model_is_family(const lv_model *m, const lv_name *name)
{
    if (name->kind == LV_NAME_DEFINITION)
        return m->definitions.data[name->index].is_family;
    return name->kind != LV_NAME_PARAMETER && name->kind != LV_NAME_INPUT &&
           m->groups.data[name->index].is_family;
}

void lv_model_free(lv_model *m)
{
    if (!m)
        return;
    for (int k = 0; k < m->kernels.count; k++)
        lv_graph_free(m->kernels.data[k].graph);
    LV_ARRAY_FREE(m->kernels);
    for (int k = 0; k < m->pictures.count; k++)
        lv_graph_free(m->pictures.data[k].graph);
    LV_ARRAY_FREE(m->pictures);
    LV_ARRAY_FREE(m->parameters);
    LV_ARRAY_FREE(m->parameter_values);
    LV_ARRAY_FREE(m->inputs);
    LV_ARRAY_FREE(m->groups);
    for (int k = 0; k < m->definitions.count; k++)
        LV_ARRAY_FREE(m->definitions.data[k].meanings);
    LV_ARRAY_FREE(m->definitions);
    LV_ARRAY_FREE(m->events);
    lv_evaluations_free(m->evaluations);
    LV_ARRAY_FREE(m->sweep.list);
    lv_names_done(&m->names);
    lv_declarations_done(&m->declarations);
    lv_arena_done(&m->arena);
    lv_memory_free(m);
}

/* ---- questions --------------------------------------------------------------------------- */

const char *lv_model_title(const lv_model *m)
{
    return m ? m->title : "";
}

const char *lv_model_description(const lv_model *m)
{
    return m ? m->description : NULL;
}

const lv_run_options *lv_model_run_options(const lv_model *m)
{
    static const lv_run_options none = {0};
    return m ? &m->run : &none;
}

int lv_model_coordinate_count(const lv_model *m)
{
    return m ? m->coordinate_count : 0;
}

const double *lv_model_start_position(const lv_model *m)
{
    return m ? m->start_q : NULL;
}

const double *lv_model_start_velocity(const lv_model *m)
{
    return m ? m->start_v : NULL;
}

const char *lv_model_constraint_member(const lv_kernel *kernel, int instance,
                                       char *buffer, size_t size)
{
    const double *indices =
        kernel->indices ? kernel->indices + (ptrdiff_t)instance * kernel->index_count
                        : NULL;
    lv_member_text(buffer, size, kernel->item->name, indices, kernel->index_count);
    return buffer;
}

int lv_model_constraint_find(const lv_model *m, const char *name, int *rows)
{
    char text[200];
    int first = -1, count = 0;
    const size_t length = name ? strlen(name) : 0;
    const int all =
        m ? m->row_count[LV_ROLE_HOLONOMIC] + m->row_count[LV_ROLE_NONHOLONOMIC] : 0;
    for (int k = 0; name && k < all; k++) {
        lv_model_constraint_name(m, k, text, sizeof text);
        const bool same = strncmp(text, name, length) == 0 &&
                          (text[length] == '\0' || text[length] == '[');
        first = same && first < 0 ? k : first;
        count += same;
    }
    if (rows)
        *rows = count;
    return first;
}

const char *lv_model_constraint_name(const lv_model *m, int row, char *buffer,
                                     size_t size)
{
    if (!buffer)
        return "";
    if (size > 0)
        buffer[0] = '\0';
    if (!m || row < 0)
        return buffer;
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        bool rolls = kernel->role == LV_ROLE_NONHOLONOMIC;
        int before = rolls ? m->row_count[LV_ROLE_HOLONOMIC] : 0;
        int inside = row - before - kernel->first_row, rows = kernel->row_count;
        if ((!rolls && kernel->role != LV_ROLE_HOLONOMIC) || inside < 0 ||
            inside >= rows * kernel->instance_count)
            continue;
        lv_model_constraint_member(kernel, inside / rows, buffer, size);
        const size_t used = size > 0 ? strlen(buffer) : 0;
        if (kernel->is_vector && used < size)
            snprintf(buffer + used, size - used, "[%d]", inside % rows + 1);
        break;
    }
    return buffer;
}

const char *lv_model_coordinate_name(const lv_model *m, int k, char *buffer, size_t size)
{
    if (!buffer)
        return "";
    if (size > 0)
        buffer[0] = '\0';
    return !m || k < 0 || k >= m->coordinate_count
               ? buffer
               : lv_model_coordinate_text(m, k, buffer, size);
}
