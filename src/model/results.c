/* Names that only outputs can use: lambda.NAME, the multipliers of a constraint; p.NAME,
 * the momenta of a coordinate; and the energies E, T, V. In formulas they are inputs Y, W
 * and E. */
#include "base/text.h"
#include "model/draft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- energies ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *what;
} energies[] = {{"E", "total"}, {"T", "kinetic"}, {"V", "potential"}};

const char *lv_result_energy(const char *name, int *number)
{
    for (int k = 0; k < LV_RESULT_ENERGIES; k++)
        if (strcmp(name, energies[k].name) == 0) {
            *number = k;
            return energies[k].what;
        }
    return NULL;
}

lv_status lv_result_energy_value(lv_scope *scope, lv_value *value, int number,
                                 lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = lv_graph_input(e->graph, LV_INPUT_E, number);
    return LV_OK;
}

/* ---- momenta ----------------------------------------------------------------------------- */

static lv_status no_such_momentum(lv_draft *d, const lv_syntax *name, lv_error *err)
{
    lv_nearest nearest;
    lv_listing all = {0};
    lv_nearest_start(&nearest, name->member);
    for (int k = 0; k < d->model->groups.count; k++) {
        const lv_group *group = &d->model->groups.data[k];
        lv_nearest_offer(&nearest, group->item->name);
        lv_listing_add(&all, group->item->name);
    }
    lv_status status = lv_elaborate_fail(
        &d->e, name, err, "'%s' is not a coordinate; momenta belong to coordinates",
        name->member);
    if (lv_nearest_result(&nearest))
        lv_error_hint(err, "did you mean 'p.%s'?", lv_nearest_result(&nearest));
    else
        lv_error_hint(err, "the coordinates are %s", lv_listing_text(&all));
    return status;
}

/* Whether a text is a coordinate, a family of coordinates, or a member of one. */
static bool is_coordinate(const lv_model *m, const char *text)
{
    const lv_name *name = lv_names_find(&m->names, text, (int)strlen(text));
    const char *underscore = strrchr(text, '_');
    if (!name && underscore)
        name = lv_names_find(&m->names, text, (int)(underscore - text));
    return name && name->kind == LV_NAME_COORDINATE;
}

static lv_status momentum_value(lv_scope *scope, lv_value *value, const lv_syntax *name,
                                lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    lv_syntax of = *name;
    lv_value coordinate;
    of.name = name->member;
    of.member = NULL;
    of.of_member = false;
    if (!is_coordinate(scope->model, of.name))
        return no_such_momentum(scope->user, name, err);
    LV_TRY(lv_scope_resolve(scope, e, &coordinate, &of, err));
    LV_TRY(lv_graph_check(e->graph, err));
    lv_node *items = lv_value_room(e, value, coordinate.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(&coordinate); k++)
        items[k] = lv_graph_input(e->graph, LV_INPUT_W,
                                  lv_graph_node(e->graph, coordinate.items[k])->b);
    return LV_OK;
}

/* ---- multipliers ------------------------------------------------------------------------- */

static bool is_constraint(const lv_kernel *kernel)
{
    return kernel->role == LV_ROLE_HOLONOMIC || kernel->role == LV_ROLE_NONHOLONOMIC;
}

/* The next constraint from kernel *k on; NULL: there is none. */
static const lv_kernel *next_constraint(const lv_model *m, int *k)
{
    while (*k < m->kernels.count)
        if (is_constraint(&m->kernels.data[(*k)++]))
            return &m->kernels.data[*k - 1];
    return NULL;
}

static lv_status no_such_constraint(lv_draft *d, const lv_syntax *name, lv_error *err)
{
    lv_nearest nearest;
    lv_listing all = {0};
    int k = 0;
    lv_nearest_start(&nearest, name->member);
    for (const lv_kernel *c; (c = next_constraint(d->model, &k)) != NULL;) {
        lv_nearest_offer(&nearest, c->item->name);
        lv_listing_add(&all, c->item->name);
    }
    lv_status status =
        lv_elaborate_fail(&d->e, name, err, "there is no constraint '%s'", name->member);
    if (all.count == 0)
        lv_error_hint(err, "the model has no constraints, so it has no multipliers");
    else if (lv_nearest_result(&nearest))
        lv_error_hint(err, "did you mean 'lambda.%s'?", lv_nearest_result(&nearest));
    else
        lv_error_hint(err, "the constraints are %s", lv_listing_text(&all));
    return status;
}

/* The part of the text after the name of a family: "2_3" of link_2_3. NULL: the text is
 * no member of the family. */
static const char *indices_after(const lv_kernel *family, const char *text)
{
    const size_t length = strlen(family->item->name);
    const bool begins = family->index_count > 0 &&
                        strncmp(text, family->item->name, length) == 0 &&
                        text[length] == '_';
    return begins ? text + length + 1 : NULL;
}

bool lv_result_indices(lv_scope *scope, lv_node *nodes, int count, const char *text)
{
    char part[100];
    for (int k = 0; k < count; k++) {
        const char *end = k + 1 < count ? strchr(text, '_') : text + strlen(text);
        const size_t length = end ? (size_t)(end - text) : sizeof part;
        if (length >= sizeof part)
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        nodes[k] = lv_scope_suffix(scope, part);
        if (nodes[k] < 0)
            return false;
        text = end + 1;
    }
    return true;
}

/* The inputs Y of a constraint: those that the output uses already, or new ones. */
lv_status lv_draft_multiplier(lv_draft *d, lv_value *value, const lv_kernel *c,
                              const lv_node *index, lv_place place, lv_error *err)
{
    const size_t bytes = (size_t)c->index_count * sizeof *index;
    const lv_multiplier *known = NULL;
    for (int k = 0; k < d->multipliers.count && !known; k++) {
        const lv_multiplier *other = &d->multipliers.data[k];
        if (other->constraint == c->item &&
            (bytes == 0 || memcmp(other->index, index, bytes) == 0))
            known = other;
    }
    int first = known ? known->first : d->multiplier_rows;
    lv_node *items = lv_value_room(&d->e, value, c->is_vector ? c->row_count : 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < c->row_count; k++)
        items[k] = lv_graph_input(d->e.graph, LV_INPUT_Y, first + k);
    if (known)
        return LV_OK;
    lv_multiplier used = {
        .constraint = c->item,
        .first = first,
        .length = c->row_count,
        .index_count = c->index_count,
        .index = lv_arena_copy(d->arena, index, (size_t)c->index_count, sizeof *index),
        .place = place};
    d->multiplier_rows += c->row_count;
    return used.index && LV_PUSH(d->multipliers, used) ? LV_OK : lv_fail_memory(err);
}

static lv_status whole_family(lv_draft *d, const lv_kernel *c, const lv_syntax *name,
                              lv_error *err)
{
    lv_status status = lv_elaborate_fail(
        &d->e, name, err, "'%s' is a family of constraints; say which member is meant",
        name->member);
    if (c->instance_count > 0) {
        char first[160];
        lv_model_constraint_member(c, 0, first, sizeof first);
        lv_error_hint(err, "lambda.%s is the first", first);
    }
    return status;
}

/* The value of a member whose only index is a formula: link_{i-1}. */
static lv_status subscript_value(lv_scope *scope, lv_value *value, const lv_kernel *c,
                                 const lv_syntax *name, lv_error *err)
{
    lv_value index;
    if (c->index_count != 1)
        return lv_elaborate_fail(scope->elaboration, name, err,
                                 "the members of '%s' have %d indices, not one",
                                 name->member, c->index_count);
    LV_TRY(lv_scope_subscript(scope, &index, name->first, err));
    return lv_draft_multiplier(scope->user, value, c, index.items,
                               lv_formula_place(scope->elaboration->snippet, name), err);
}

static lv_status multiplier_value(lv_scope *scope, lv_value *value, const lv_syntax *name,
                                  lv_error *err)
{
    lv_draft *d = scope->user;
    lv_node index[LV_RANGES_MOST] = {0};
    int k = 0;
    for (const lv_kernel *c; (c = next_constraint(d->model, &k)) != NULL;) {
        if (strcmp(c->item->name, name->member) != 0)
            continue;
        if (name->count > 0)
            return subscript_value(scope, value, c, name, err);
        return c->index_count > 0
                   ? whole_family(d, c, name, err)
                   : lv_draft_multiplier(d, value, c, index,
                                         lv_formula_place(d->e.snippet, name), err);
    }
    k = 0;
    for (const lv_kernel *c; (c = next_constraint(d->model, &k)) != NULL;) {
        const char *text = indices_after(c, name->member);
        if (text && name->count == 0 &&
            lv_result_indices(scope, index, c->index_count, text))
            return lv_draft_multiplier(d, value, c, index,
                                       lv_formula_place(d->e.snippet, name), err);
    }
    return no_such_constraint(d, name, err);
}

/* ---- members ----------------------------------------------------------------------- */

bool lv_result_is_member(const lv_scope *scope, const lv_syntax *name)
{
    if (!name->member || (name->count > 0 && !name->of_member) ||
        (strcmp(name->name, "lambda") != 0 && strcmp(name->name, "p") != 0))
        return false;
    const int length = (int)strlen(name->name); /* a body may have the name p */
    return !lv_names_find_member(&scope->model->names, name->name, length, name->member);
}

static lv_status refuse_member(lv_scope *scope, const lv_syntax *name, lv_error *err)
{
    lv_status status = lv_elaborate_fail(scope->elaboration, name, err,
                                         "%s.%s can be used in [outputs] only",
                                         name->name, name->member);
    lv_error_hint(err, strcmp(name->name, "p") == 0
                           ? "momenta are computed from the motion: use velocities, or "
                             "a Hamiltonian, in which p_x is the momentum of x"
                           : "multipliers are computed from the motion");
    return status;
}

lv_status lv_result_member(lv_scope *scope, lv_value *value, const lv_syntax *name,
                           lv_error *err)
{
    if (!scope->outputs)
        return refuse_member(scope, name, err);
    return strcmp(name->name, "p") == 0 ? momentum_value(scope, value, name, err)
                                        : multiplier_value(scope, value, name, err);
}

/* ---- rows of multipliers ----------------------------------------------------------- */

/* Stores the indices of the constraints in one instance. */
static lv_status note_members(void *user, const lv_draft *d, int instance,
                              const double *values)
{
    double *members = user;
    const size_t count = (size_t)d->kernel.member_count;
    memcpy(members + (size_t)instance * count, values, count * sizeof *members);
    return LV_OK;
}

lv_status lv_draft_multipliers(lv_draft *d)
{
    lv_kernel *k = &d->kernel;
    const size_t multipliers = (size_t)d->multipliers.count;
    for (size_t j = 0; j < multipliers; j++)
        k->member_count += d->multipliers.data[j].index_count;
    const size_t members = (size_t)k->member_count, instances = (size_t)k->instance_count;
    lv_node *nodes = lv_arena_alloc(&d->scratch, members, sizeof *nodes), *to = nodes;
    double *values = lv_arena_alloc(d->arena, members * instances, sizeof *values);
    k->multiplier_count = d->multipliers.count;
    k->multipliers =
        lv_arena_copy(d->arena, d->multipliers.data, multipliers, sizeof *k->multipliers);
    k->members = values;
    if (!nodes || !values || !k->multipliers)
        return lv_fail_memory(d->err);
    for (size_t j = 0; j < multipliers; j++)
        for (int i = 0; i < k->multipliers[j].index_count; i++) {
            *to++ = k->multipliers[j].index[i];
            LV_TRY(lv_model_mark_structural(d->model, d->e.graph, to[-1], d->err));
        }
    return members == 0
               ? LV_OK
               : lv_draft_evaluate(d, nodes, k->member_count, note_members, values);
}

/* Compares two lists of indices in the order of instances, in which the last index runs
 * fastest. Negative: a comes first. */
static int compare_indices(const double *a, const double *b, int count)
{
    int k = 0;
    while (k < count && a[k] == b[k])
        k++;
    return k == count ? 0 : a[k] < b[k] ? -1 : 1;
}

/* The instance of a family with these indices; -1: there is none. */
static int find_instance(const lv_kernel *c, const double *members)
{
    const int count = c->index_count;
    int low = 0, high = c->instance_count;
    if (count == 0)
        return high > 0 ? 0 : -1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const double *indices = c->indices + (ptrdiff_t)middle * count;
        const int order = compare_indices(indices, members, count);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static lv_status no_such_member(const lv_kernel *c, const lv_multiplier *used,
                                const double *members, lv_error *err)
{
    char wanted[160], first[160] = "", last[160] = "";
    int at = snprintf(wanted, sizeof wanted, "%.60s", c->item->name);
    for (int k = 0; k < used->index_count && at < 140; k++)
        at += snprintf(wanted + at, sizeof wanted - (size_t)at, "_%.6g", members[k]);
    if (c->instance_count == 0)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(used->place),
                          "there is no lambda.%s: the family '%s' has no members", wanted,
                          c->item->name);
    lv_model_constraint_member(c, 0, first, sizeof first);
    lv_model_constraint_member(c, c->instance_count - 1, last, sizeof last);
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(used->place),
                      "there is no lambda.%s: the members are %s to %s", wanted, first,
                      last);
}

/* Finds the first row of a multiplier among the constraints of its kind. A family may
 * consist of several kernels (hamiltonian.h). */
static lv_status find_row(const lv_model *m, int *row, const lv_multiplier *used,
                          const double *members, lv_error *err)
{
    const lv_kernel *any = NULL;
    int k = 0;
    for (const lv_kernel *c; (c = next_constraint(m, &k)) != NULL;) {
        if (c->item != used->constraint)
            continue;
        const int instance = find_instance(c, members);
        any = c;
        if (instance < 0)
            continue;
        *row = c->first_row + instance * c->row_count;
        if (c->role == LV_ROLE_NONHOLONOMIC)
            *row += m->row_count[LV_ROLE_HOLONOMIC];
        return LV_OK;
    }
    return no_such_member(any, used, members, err);
}

static lv_status place_kernel(lv_model *m, lv_kernel *kernel, lv_error *err)
{
    const size_t count = (size_t)kernel->multiplier_count;
    const double *members = kernel->members;
    int *to =
        lv_arena_alloc(&m->arena, count * (size_t)kernel->instance_count, sizeof *to);
    if (!to)
        return lv_fail_memory(err);
    kernel->multiplier_rows = to;
    for (int i = 0; i < kernel->instance_count; i++)
        for (size_t j = 0; j < count; j++) {
            LV_TRY(find_row(m, to++, &kernel->multipliers[j], members, err));
            if (members) /* NULL if there are no families */
                members += kernel->multipliers[j].index_count;
        }
    return LV_OK;
}

lv_status lv_model_place_multipliers(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->kernels.count; k++)
        if (m->kernels.data[k].multiplier_count > 0)
            LV_TRY(place_kernel(m, &m->kernels.data[k], err));
    return LV_OK;
}
