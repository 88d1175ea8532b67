#include "system/elements.h"

#include "base/disjoint.h"
#include "num/rank.h"
#include "system/agreement.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- which rows belong to what ----------------------------------------------------- */

static bool is_constraint(const lv_kernel *kernel)
{
    return kernel->role == LV_ROLE_HOLONOMIC || kernel->role == LV_ROLE_NONHOLONOMIC;
}

static const lv_item *owner(const lv_kernel *kernel)
{
    return kernel->item->origin ? kernel->item->origin : kernel->item;
}

/* The number of the first constraint kernel of the same part with as many members.
 * Kernels of a part follow each other. */
static int first_of_part(const lv_model *m, int k)
{
    const lv_kernel *kernel = &m->kernels.data[k];
    int first = k;
    for (int j = k - 1; j >= 0 && kernel->item->origin; j--) {
        const lv_kernel *other = &m->kernels.data[j];
        if (other->item->origin != kernel->item->origin)
            break;
        if (is_constraint(other) && !other->item->is_inner &&
            other->instance_count == kernel->instance_count)
            first = j;
    }
    return first;
}

static int global_row(const lv_model *m, const lv_kernel *kernel, int instance)
{
    const int before =
        kernel->role == LV_ROLE_NONHOLONOMIC ? m->row_count[LV_ROLE_HOLONOMIC] : 0;
    return before + kernel->first_row + instance * kernel->row_count;
}

static const lv_shown *find_shown(const lv_model *m, const lv_item *part)
{
    for (int k = 0; k < m->declarations.shown.count; k++)
        if (m->declarations.shown.data[k].part == part)
            return &m->declarations.shown.data[k];
    return NULL;
}

static void add_kernel(lv_elements *e, int number, int first)
{
    const lv_kernel *kernel = &e->model->kernels.data[number];
    const lv_shown *shown = find_shown(e->model, owner(kernel));
    for (int i = 0; i < kernel->instance_count; i++) {
        const int row = global_row(e->model, kernel, i);
        for (int r = 0; r < kernel->row_count; r++)
            e->of_row[row + r] = kernel->item->is_inner ? -1 : first + i;
        if (!kernel->item->is_inner && first + i == e->count)
            e->list[e->count++] = (lv_element){owner(kernel), kernel, shown, i};
    }
}

lv_status lv_elements_init(lv_elements *e, lv_arena *arena, const lv_model *m,
                           lv_error *err)
{
    const size_t rows = (size_t)m->row_count[LV_ROLE_HOLONOMIC] +
                        (size_t)m->row_count[LV_ROLE_NONHOLONOMIC];
    *e = (lv_elements){.model = m};
    e->of_row = lv_arena_alloc(arena, rows + 1, sizeof *e->of_row);
    e->list = lv_arena_alloc(arena, rows + 1, sizeof *e->list);
    int *first = lv_arena_alloc(arena, (size_t)m->kernels.count + 1, sizeof *first);
    if (!e->of_row || !e->list || !first)
        return lv_fail_memory(err);
    for (int k = 0; k < m->kernels.count; k++) {
        if (!is_constraint(&m->kernels.data[k]))
            continue;
        const int j = first_of_part(m, k);
        first[k] = j < k ? first[j] : e->count;
        add_kernel(e, k, first[k]);
    }
    return LV_OK;
}

/* ---- names ------------------------------------------------------------------------- */

const char *lv_element_name(const lv_element *e, char *buffer, size_t size)
{
    const lv_kernel *k = e->kernel;
    const double *indices =
        k->indices ? k->indices + (size_t)e->instance * (size_t)k->index_count : NULL;
    const char *name = e->item->name[0] ? e->item->name : lv_item_section(e->item);
    if (k->index_count == 0)
        snprintf(buffer, size, "%s", name);
    else if (k->index_count == 1 && e->shown)
        snprintf(buffer, size, "%s_%.0f", name, indices[0]);
    else {
        int used = snprintf(buffer, size, "%s", name);
        for (int j = 0; j < k->index_count && used >= 0 && (size_t)used < size; j++)
            used += snprintf(buffer + used, size - (size_t)used, "%s%s = %.0f",
                             j == 0 ? " (" : ", ", k->index_names[j], indices[j]);
        if (used >= 0 && (size_t)used < size)
            snprintf(buffer + used, size - (size_t)used, ")");
    }
    return buffer;
}

const char *lv_element_kind(const lv_element *e)
{
    return lv_section_at(e->item->section)->one;
}

lv_row_meaning lv_element_row(const lv_element *e, int row)
{
    if (!e->shown || e->shown->kind != LV_SHOWN_JOINT)
        return LV_ROW_PLAIN;
    return row < e->shown->point_rows                          ? LV_ROW_POINT
           : row < e->shown->point_rows + e->shown->angle_rows ? LV_ROW_ANGLE
                                                               : LV_ROW_LENGTH;
}

int lv_element_inside(const lv_elements *e, int row)
{
    const lv_element *element = &e->list[e->of_row[row]];
    return row - global_row(e->model, element->kernel, element->instance);
}

/* The body or particle of a slot, "rod_2". */
static void slot_name(const lv_model *m, const lv_kernel *k, int instance, int slot,
                      char *buffer, size_t size)
{
    const lv_group *group = &m->groups.data[k->slots[slot].group];
    const lv_item *item = group->item->origin ? group->item->origin : group->item;
    const int where = k->where[(size_t)instance * (size_t)k->slot_count + (size_t)slot];
    if (group->is_family)
        snprintf(buffer, size, "%s_%d", item->name,
                 (where - group->first) / lv_group_width(group) + 1);
    else
        snprintf(buffer, size, "%s", item->name);
}

const char *lv_element_ends(const lv_elements *e, int element, char *buffer, size_t size)
{
    const lv_element *x = &e->list[element];
    char names[2][120] = {"", ""}, name[120];
    int count = 0;
    for (int s = 0; s < x->kernel->slot_count && count < 2; s++) {
        slot_name(e->model, x->kernel, x->instance, s, name, sizeof name);
        if (count == 0 || strcmp(name, names[0]) != 0)
            memcpy(names[count++], name, sizeof name);
    }
    buffer[0] = '\0';
    if (count == 2)
        snprintf(buffer, size, "'%s' and '%s'", names[0], names[1]);
    else if (count == 1)
        snprintf(buffer, size, "'%s' and the ground", names[0]);
    return buffer;
}

/* ---- dependence -------------------------------------------------------------------- */

/* Combinations of gradients that are zero, as rows of a matrix over the constraint rows
 * that take part. */
typedef struct nullspace {
    const lv_elements *elements;
    int rows;        /* combinations */
    int columns;     /* constraint rows that take part, by element */
    int *row;        /* numbers of these constraint rows */
    double *entries; /* rows x columns */
    int *set;        /* disjoint sets of elements */
    double *scratch;
} nullspace;

/* Larger null spaces are counted, not described. */
enum { COMBINATIONS_MOST = 200, NUMBERS_MOST = 4000000 };

/* |gradient| of each constraint row */
static void row_sizes(const lv_system *s, double *size)
{
    const lv_pattern *g = lv_plan_pattern(s->velocity_plan, LV_Q_RATE_V);
    const double *values = lv_plan_result(s->velocity_plan, LV_Q_RATE_V);
    for (int r = 0; r < s->constraint_count; r++) {
        double sum = 0;
        for (int e = g->start[r]; e < g->start[r + 1]; e++)
            sum += values[e] * values[e];
        size[r] = sqrt(sum);
    }
}

/* Weights of combination k, cleared of rounding. */
static void clean_weights(lv_system *s, int k, const double *size, double *weights)
{
    const double negligible = 1e-6;
    double most = 0;
    memcpy(weights, lv_dependence_weights(s->dependence, k),
           (size_t)s->constraint_count * sizeof *weights);
    for (int r = 0; r < s->constraint_count; r++)
        most = fmax(most, fabs(weights[r]) * size[r]);
    for (int r = 0; r < s->constraint_count; r++)
        if (!(fabs(weights[r]) * size[r] > negligible * most) && weights[r] != 1)
            weights[r] = 0;
}

/* Sorts the constraint rows by element, so that the rows of a joint stay together. */
static void choose_columns(nullspace *z, const bool *used, int rates)
{
    z->columns = 0;
    for (int r = 0; r < rates; r++)
        if (used[r] && z->elements->of_row[r] >= 0)
            z->row[z->columns++] = r;
    /* Insertion sort by element, which keeps the order within an element; the order is
     * nearly right. */
    for (int i = 1; i < z->columns; i++)
        for (int j = i;
             j > 0 && z->elements->of_row[z->row[j]] < z->elements->of_row[z->row[j - 1]];
             j--) {
            const int swap = z->row[j];
            z->row[j] = z->row[j - 1];
            z->row[j - 1] = swap;
        }
}

static lv_status fill_nullspace(nullspace *z, lv_system *s, int count, lv_arena *arena,
                                lv_error *err)
{
    const size_t rates = (size_t)s->constraint_count;
    double *size = lv_arena_alloc(arena, rates + 1, sizeof *size);
    double *all = lv_arena_alloc(arena, rates * (size_t)count + 1, sizeof *all);
    bool *used = lv_arena_alloc(arena, rates + 1, sizeof *used);
    z->row = lv_arena_alloc(arena, rates + 1, sizeof *z->row);
    if (!size || !all || !used || !z->row)
        return lv_fail_memory(err);
    row_sizes(s, size);
    for (int k = 0; k < count; k++) {
        clean_weights(s, k, size, all + rates * (size_t)k);
        for (size_t r = 0; r < rates; r++)
            used[r] = used[r] || all[rates * (size_t)k + r] != 0;
    }
    z->rows = count;
    choose_columns(z, used, s->constraint_count);
    const size_t numbers = (size_t)count * (size_t)z->columns + 1;
    z->entries = lv_arena_alloc(arena, numbers, sizeof *z->entries);
    z->scratch = lv_arena_alloc(arena, numbers, sizeof *z->scratch);
    if (!z->entries || !z->scratch)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++)
        for (int c = 0; c < z->columns; c++)
            z->entries[k * z->columns + c] = all[rates * (size_t)k + (size_t)z->row[c]];
    return LV_OK;
}

/* Elements in one combination belong to one set. */
static lv_status join_sets(nullspace *z, lv_arena *arena, lv_error *err)
{
    z->set = lv_arena_alloc(arena, (size_t)z->elements->count + 1, sizeof *z->set);
    if (!z->set)
        return lv_fail_memory(err);
    for (int k = 0; k < z->elements->count; k++)
        z->set[k] = k;
    for (int k = 0; k < z->rows; k++) {
        int first = -1;
        for (int c = 0; c < z->columns; c++) {
            if (z->entries[k * z->columns + c] == 0)
                continue;
            const int element = z->elements->of_row[z->row[c]];
            if (first < 0)
                first = element;
            else
                lv_disjoint_join(z->set, first, element);
        }
    }
    return LV_OK;
}

/* Rank of the combinations restricted to columns [from, to). */
static int restricted_rank(nullspace *z, int from, int to)
{
    const int width = to - from;
    for (int k = 0; k < z->rows; k++)
        memcpy(z->scratch + (size_t)k * (size_t)width,
               z->entries + (size_t)k * (size_t)z->columns + from,
               (size_t)width * sizeof *z->scratch);
    return width == 0 || z->rows == 0 ? 0 : lv_rank(z->scratch, z->rows, width, 1e-7);
}

/* Combinations restricted to the point rows in columns [from, to): 3 numbers each, 2 in
 * the plane. */
static void point_entries(const nullspace *z, int k, int from, int to, double *x)
{
    x[0] = x[1] = x[2] = 0;
    for (int c = from; c < to; c++)
        x[lv_element_inside(z->elements, z->row[c])] = z->entries[k * z->columns + c];
}

static void unit_cross(double *x, const double *a, const double *b)
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    const double size = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    for (int i = 0; i < 3; i++)
        x[i] = size > 0 ? c[i] / size : 0;
}

/* Makes the largest component positive and the length 1; rounding becomes 0. */
static void tidy_axis(double *x)
{
    double size = 0, most = 0;
    for (int i = 0; i < 3; i++) {
        size += x[i] * x[i];
        if (fabs(x[i]) > fabs(most) * (1 + 1e-9))
            most = x[i];
    }
    for (int i = 0; i < 3 && size > 0; i++) {
        x[i] *= (most < 0 ? -1 : 1) / sqrt(size);
        if (fabs(x[i]) < 1e-9)
            x[i] = 0;
    }
}

/* Sets the axis: the direction of the undetermined force or, if there are two, the normal
 * to both. */
static void find_axis(const nullspace *z, lv_dependent_info *d, int from, int to,
                      bool is_planar)
{
    double first[3] = {0}, x[3], best = 0;
    if (d->forces != 1 && (d->forces != 2 || is_planar))
        return;
    for (int k = 0; k < z->rows; k++) {
        point_entries(z, k, from, to, x);
        const double size = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (size > best) {
            best = size;
            memcpy(first, x, sizeof first);
        }
    }
    memcpy(d->axis, first, sizeof d->axis);
    best = 0;
    for (int k = 0; k < z->rows && d->forces == 2; k++) {
        double normal[3];
        point_entries(z, k, from, to, x);
        const double size = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        unit_cross(normal, first, x);
        const double off = fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]);
        if (size * off > best) {
            best = size * off;
            memcpy(d->axis, normal, sizeof d->axis);
        }
    }
    tidy_axis(d->axis);
}

/* Describes what is undetermined in the element whose rows are columns [from, to). */
static lv_status describe_element(nullspace *z, lv_dependent_info *d, int from, int to,
                                  lv_arena *arena, lv_error *err)
{
    const int number = z->elements->of_row[z->row[from]];
    const lv_element *element = &z->elements->list[number];
    char name[200];
    int points = from, angles;
    lv_element_name(element, name, sizeof name);
    *d = (lv_dependent_info){.kind = lv_element_kind(element),
                             .name = lv_arena_text(arena, name, strlen(name)),
                             .set = lv_disjoint_find(z->set, number),
                             .open = restricted_rank(z, from, to)};
    if (!d->name)
        return lv_fail_memory(err);
    while (points < to &&
           lv_element_row(element, lv_element_inside(z->elements, z->row[points])) ==
               LV_ROW_POINT)
        points++;
    for (angles = points;
         angles < to &&
         lv_element_row(element, lv_element_inside(z->elements, z->row[angles])) ==
             LV_ROW_ANGLE;)
        angles++;
    if (!element->shown || element->shown->kind != LV_SHOWN_JOINT)
        return LV_OK;
    d->forces = restricted_rank(z, from, points);
    d->torques = restricted_rank(z, points, angles);
    find_axis(z, d, from, points, element->shown->is_planar);
    if (angles < to)
        d->forces += restricted_rank(z, angles, to);
    return LV_OK;
}

/* Sets get the numbers 0, 1, ... in the order of their first members. */
static int number_sets(lv_dependent_info *list, int count)
{
    int sets = 0;
    for (int k = 0; k < count; k++) {
        const int root = list[k].set;
        if (root < 0)
            continue;
        for (int j = k; j < count; j++)
            if (list[j].set == root)
                list[j].set = -1 - sets;
        sets++;
    }
    for (int k = 0; k < count; k++)
        list[k].set = -1 - list[k].set;
    return sets;
}

static lv_status list_elements(nullspace *z, lv_dependence_info *result, lv_arena *arena,
                               lv_error *err)
{
    lv_dependent_info *list = lv_arena_alloc(arena, (size_t)z->columns + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int from = 0, to; from < z->columns; from = to) {
        const int element = z->elements->of_row[z->row[from]];
        for (to = from; to < z->columns && z->elements->of_row[z->row[to]] == element;)
            to++;
        LV_TRY(describe_element(z, &list[result->count++], from, to, arena, err));
    }
    result->sets = number_sets(list, result->count);
    result->list = list;
    return LV_OK;
}

/* The number of the set to which the element of a row belongs: elements are listed in the
 * order of their columns. */
static int set_of(const nullspace *z, const lv_dependence_info *result, int row)
{
    int listed = -1, before = -1;
    for (int c = 0; c < z->columns; c++) {
        const int element = z->elements->of_row[z->row[c]];
        listed += element != before;
        before = element;
        if (z->row[c] == row)
            return result->list[listed].set;
    }
    return -1;
}

static lv_status list_weights(const nullspace *z, const lv_system *s,
                              lv_dependence_info *result, lv_arena *arena, lv_error *err)
{
    char name[200];
    lv_weight_info *list =
        lv_arena_alloc(arena, (size_t)z->rows * (size_t)z->columns + 1, sizeof *list);
    if (!list)
        return lv_fail_memory(err);
    for (int k = 0; k < z->rows; k++)
        for (int c = 0; c < z->columns; c++) {
            const double weight = z->entries[k * z->columns + c];
            if (weight == 0)
                continue;
            lv_system_row_name(s, z->row[c], name, sizeof name);
            lv_weight_info *w = &list[result->weight_count++];
            *w = (lv_weight_info){.row = lv_arena_text(arena, name, strlen(name)),
                                  .combination = k,
                                  .set = set_of(z, result, z->row[c]),
                                  .weight = weight};
            if (!w->row)
                return lv_fail_memory(err);
        }
    result->weights = list;
    return LV_OK;
}

lv_status lv_elements_dependence(const lv_elements *e, lv_system *s, lv_arena *arena,
                                 lv_dependence_info *result, double t, const double *q,
                                 const double *v, lv_error *err)
{
    nullspace z = {.elements = e};
    *result = (lv_dependence_info){.combinations = lv_system_count_dependent(s, t, q, v)};
    if (result->combinations <= 0 || result->combinations > COMBINATIONS_MOST ||
        (size_t)result->combinations * (size_t)s->constraint_count > NUMBERS_MOST)
        return LV_OK;
    LV_TRY(fill_nullspace(&z, s, result->combinations, arena, err));
    LV_TRY(join_sets(&z, arena, err));
    LV_TRY(list_elements(&z, result, arena, err));
    return list_weights(&z, s, result, arena, err);
}
