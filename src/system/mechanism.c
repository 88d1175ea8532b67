/* The bodies of a model and what joins them. Degrees of freedom by counting are n - rows:
 * a body in space has twelve coordinates and six rows that keep it rigid. */
#include "system/elements.h"

#include <stdio.h>
#include <string.h>

/* ---- bodies and joints as declared ------------------------------------------------- */

typedef struct part_sizes {
    int coordinates; /* per member */
    int inner_rows;  /* per member */
    int rows;        /* per member */
    int count;       /* number of members */
    bool is_family;
} part_sizes;

static void add_group(part_sizes *p, const lv_group *group)
{
    p->coordinates += lv_group_width(group);
    p->count = group->count;
    p->is_family = group->is_family;
}

static void add_constraint(part_sizes *p, const lv_kernel *kernel, bool is_body)
{
    if (kernel->item->is_inner)
        p->inner_rows += kernel->row_count;
    else
        p->rows += kernel->row_count;
    if (!is_body) {
        p->count = kernel->instance_count;
        p->is_family = kernel->index_count > 0;
    }
}

/* A motor that acts with a torque has no constraint, but a force. */
static void add_force(part_sizes *p, const lv_kernel *kernel)
{
    p->count = kernel->instance_count;
    p->is_family = kernel->index_count > 0;
}

static bool is_constraint(const lv_kernel *kernel)
{
    return kernel->role == LV_ROLE_HOLONOMIC || kernel->role == LV_ROLE_NONHOLONOMIC;
}

static part_sizes measure(const lv_model *m, const lv_shown *shown)
{
    part_sizes p = {.count = 0};
    const bool is_body = shown->kind == LV_SHOWN_BODY;
    for (int k = 0; k < m->groups.count && is_body; k++)
        if (m->groups.data[k].item->origin == shown->part)
            add_group(&p, &m->groups.data[k]);
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->item->origin != shown->part)
            continue;
        if (is_constraint(kernel))
            add_constraint(&p, kernel, is_body);
        else if (kernel->role == LV_ROLE_FORCE && !is_body)
            add_force(&p, kernel);
    }
    return p;
}

static lv_element_info describe(const lv_model *m, const lv_shown *shown)
{
    static const char *const kinds[] = {"body", "joint", "motor", "contact"};
    const part_sizes p = measure(m, shown);
    lv_element_info info = {.kind = kinds[shown->kind],
                            .name = shown->part->name,
                            .is_family = p.is_family,
                            .count = p.count,
                            .freedom = p.coordinates - p.inner_rows,
                            .rows = p.rows};
    if (shown->kind == LV_SHOWN_BODY)
        info.type = shown->is_planar ? "plane" : "space";
    if (shown->kind != LV_SHOWN_JOINT)
        return info;
    const lv_entry *between = lv_item_entry(shown->part, "between");
    info.type = lv_item_entry(shown->part, "type")->text;
    for (int k = 0; k < 2; k++)
        info.between[k] = between->formulas[k].snippet->text;
    return info;
}

static lv_status list_elements(lv_mechanism_info *info, const lv_model *m,
                               lv_arena *arena, lv_error *err)
{
    const int count = m->declarations.shown.count;
    int *const counts[] = {&info->bodies, &info->joints, &info->motors, &info->contacts};
    lv_element_info *list = lv_arena_alloc(arena, (size_t)count + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int kind = LV_SHOWN_BODY; kind <= LV_SHOWN_ROLLING; kind++)
        for (int k = 0; k < count; k++) {
            const lv_shown *shown = &m->declarations.shown.data[k];
            if ((int)shown->kind != kind)
                continue;
            list[info->element_count] = describe(m, shown);
            *counts[kind] += list[info->element_count++].count;
        }
    info->elements = list;
    return LV_OK;
}

static void count_inner(lv_mechanism_info *info, const lv_model *m)
{
    for (int k = 0; k < m->groups.count; k++)
        if (m->groups.data[k].item->is_inner)
            info->inner_coordinates +=
                m->groups.data[k].count * lv_group_width(&m->groups.data[k]);
    for (int k = 0; k < m->kernels.count; k++)
        if (is_constraint(&m->kernels.data[k]) && m->kernels.data[k].item->is_inner)
            info->inner_rows +=
                m->kernels.data[k].row_count * m->kernels.data[k].instance_count;
}

/* ---- bodies that nothing holds ----------------------------------------------------- */

/* Does the kernel restrain the coordinates that it depends on? Loads only push, and the
 * energy and the rows of a body itself do not restrain it. */
static bool holds(const lv_kernel *kernel)
{
    const char *section = lv_item_section(kernel->item);
    if (kernel->role == LV_ROLE_SYMMETRY || lv_role_is_result(kernel->role))
        return false;
    return strcmp(section, "bodies") != 0 && strcmp(section, "loads") != 0;
}

static void mark_held(const lv_model *m, unsigned char *held)
{
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (!holds(kernel))
            continue;
        for (int i = 0; i < kernel->instance_count; i++)
            for (int s = 0; s < kernel->slot_count; s++)
                memset(
                    held +
                        kernel->where[(size_t)i * (size_t)kernel->slot_count + (size_t)s],
                    1, (size_t)kernel->slots[s].length);
    }
}

/* Is a coordinate of the member restrained, in any of the groups of a body? */
static bool is_held(const lv_model *m, const lv_item *part, int member,
                    const unsigned char *held)
{
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        const int width = lv_group_width(group);
        if (group->item->origin != part)
            continue;
        for (int j = 0; j < width; j++)
            if (held[group->first + member * width + j])
                return true;
    }
    return false;
}

enum { LOOSE_MOST = 20 };

static lv_status note_loose(lv_mechanism_info *info, const char **names,
                            const lv_element_info *body, int member, lv_arena *arena,
                            lv_error *err)
{
    char name[200];
    info->loose_count++;
    if (info->loose_named == LOOSE_MOST)
        return LV_OK;
    if (body->is_family)
        snprintf(name, sizeof name, "%.150s_%d", body->name, member + 1);
    else
        snprintf(name, sizeof name, "%.150s", body->name);
    names[info->loose_named] = lv_arena_text(arena, name, strlen(name));
    return names[info->loose_named++] ? LV_OK : lv_fail_memory(err);
}

static lv_status find_loose(lv_mechanism_info *info, const lv_model *m, lv_arena *arena,
                            lv_error *err)
{
    const char **names = lv_arena_alloc(arena, LOOSE_MOST, sizeof *names);
    unsigned char *held = lv_arena_alloc(arena, (size_t)m->coordinate_count + 1, 1);
    int at = 0;
    if (!names || !held)
        return lv_fail_memory(err);
    mark_held(m, held);
    for (int k = 0; k < m->declarations.shown.count; k++) {
        const lv_shown *shown = &m->declarations.shown.data[k];
        if (shown->kind != LV_SHOWN_BODY)
            continue;
        const lv_element_info *body = &info->elements[at++];
        const bool pivots = lv_item_entry(shown->part, "pivot") != NULL;
        for (int i = 0; i < body->count && !pivots; i++)
            if (!is_held(m, shown->part, i, held))
                LV_TRY(note_loose(info, names, body, i, arena, err));
    }
    info->loose = names;
    return LV_OK;
}

lv_status lv_mechanism_find(lv_mechanism_info *info, const lv_elements *elements,
                            lv_arena *arena, lv_error *err)
{
    const lv_model *m = elements->model;
    *info = (lv_mechanism_info){.mobility = m->coordinate_count -
                                            m->row_count[LV_ROLE_HOLONOMIC] -
                                            m->row_count[LV_ROLE_NONHOLONOMIC]};
    LV_TRY(list_elements(info, m, arena, err));
    count_inner(info, m);
    return find_loose(info, m, arena, err);
}
