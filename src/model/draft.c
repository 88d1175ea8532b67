/* Builds the kernels of a model: elaborates a term's formula over local coordinates. */
#include "model/draft.h"

#include "expr/analyse.h"
#include "expr/function.h"

#include <stdio.h>
#include <string.h>

void lv_draft_done(lv_draft *d)
{
    LV_ARRAY_FREE(d->slots);
    LV_ARRAY_FREE(d->previous);
    LV_ARRAY_FREE(d->demands);
    LV_ARRAY_FREE(d->picks);
    LV_ARRAY_FREE(d->data);
    LV_ARRAY_FREE(d->turns);
    LV_ARRAY_FREE(d->multipliers);
    lv_graph_free(d->kernel.graph);
    lv_arena_done(&d->scratch);
}

/* ---- slots -------------------------------------------------------------------------- */

/* The slot of a group that was added last, or -1. */
static int last_slot(const lv_draft *d, int group)
{
    const lv_group *g = &d->model->groups.data[group];
    return g->slot_scope == d->scope.number ? g->slot : -1;
}

static lv_status add_slot(lv_draft *d, int group, lv_node member, const lv_syntax *name)
{
    int width = lv_group_width(&d->model->groups.data[group]);
    lv_slot slot = {group, d->local, width, member, lv_formula_place(d->e.snippet, name)};
    if (width > LV_MODEL_LOCAL - d->local) {
        lv_status status =
            lv_fail_at(d->err, LV_ERR_LIMIT, LV_AT(slot.place),
                       "this formula contains more than %d coordinates", LV_MODEL_LOCAL);
        lv_error_hint(d->err, "write it as a family: for = \"i = 1..N\"");
        return status;
    }
    if (!LV_PUSH(d->slots, slot) || !LV_PUSH(d->previous, last_slot(d, group)))
        return lv_fail_memory(d->err);
    d->model->groups.data[group].slot = d->slots.count - 1;
    d->model->groups.data[group].slot_scope = d->scope.number;
    d->local += width;
    return LV_OK;
}

/* The inputs Q of a coordinate, in an existing slot or a new one. */
static lv_status slot_value(lv_scope *scope, lv_value *value, int group, lv_node member,
                            const lv_syntax *name, lv_error *err)
{
    lv_draft *d = scope->user;
    int s = last_slot(d, group);
    while (s >= 0 && d->slots.data[s].index != member)
        s = d->previous.data[s];
    if (s < 0) {
        LV_TRY(add_slot(d, group, member, name));
        s = d->slots.count - 1;
    }
    lv_node *items =
        lv_value_room(&d->e, value, d->model->groups.data[group].length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = lv_graph_input(d->e.graph, LV_INPUT_Q, d->slots.data[s].first + k);
    return LV_OK;
}

/* ---- formulas ------------------------------------------------------------------------- */

static bool is_energy_role(lv_role role)
{
    return role <= LV_ROLE_LAGRANGIAN || role == LV_ROLE_HAMILTONIAN;
}

static lv_status elaborate_rows(lv_draft *d)
{
    lv_value value;
    const lv_entry *entry = d->kernel.entry;
    LV_TRY(lv_scope_entry(&d->scope, &value, entry, d->err));
    bool is_energy = is_energy_role(d->kernel.role);
    if ((is_energy || lv_kernel_is_dissipation(&d->kernel)) && value.length > 0) {
        char buffer[48];
        return lv_fail_at(
            d->err, LV_ERR_MODEL, LV_AT(entry->place), "%s must be a scalar, this is %s",
            is_energy ? "an energy" : "a dissipation", lv_value_describe(&value, buffer));
    }
    if (value.length > LV_MODEL_LOCAL) {
        lv_status status =
            lv_fail_at(d->err, LV_ERR_LIMIT, LV_AT(entry->place),
                       "this formula has more than %d components", LV_MODEL_LOCAL);
        lv_error_hint(d->err, "write it as a family: for = \"i = 1..N\"");
        return status;
    }
    d->kernel.is_vector = value.length > 0;
    d->kernel.row_count = lv_value_count(&value);
    d->kernel.rows = lv_arena_copy(&d->model->arena, value.items,
                                   (size_t)d->kernel.row_count, sizeof *value.items);
    return d->kernel.rows ? LV_OK : lv_fail_memory(d->err);
}

/* The message if momenta may not occur in this kernel, else NULL. Momenta exist in models
 * with a Hamiltonian only. */
static const char *refuse_momenta(const lv_draft *d, const char **hint)
{
    if (lv_kernel_is_dissipation(&d->kernel)) {
        *hint = "Rayleigh's function depends on velocities: x' is the velocity of x";
        return "the dissipation contains momenta";
    }
    switch ((int)d->kernel.role) {
    case LV_ROLE_POTENTIAL:
        return "the potential energy contains momenta";
    case LV_ROLE_HOLONOMIC:
        *hint = "a constraint on momenta is 'nonholonomic'";
        return "a holonomic constraint contains momenta";
    case LV_ROLE_SYMMETRY:
        return "the generator of a symmetry may depend on coordinates and parameters "
               "only";
    default:
        return NULL;
    }
}

/* Fails if a row depends on something that its role does not allow. */
static lv_status check_row(lv_draft *d, int number, const lv_kinds *kinds)
{
    lv_role role = d->kernel.role;
    lv_node row = d->kernel.rows[number];
    bool q = kinds[row] & LV_KIND(Q), v = kinds[row] & LV_KIND(V);
    bool m = kinds[row] & LV_KIND(M);
    const char *hint = NULL, *text = m ? refuse_momenta(d, &hint) : NULL;
    if (text) {
        ; /* the text is set */
    } else if (role == LV_ROLE_HAMILTONIAN && v) {
        text = "the Hamiltonian contains velocities";
        hint = "it is a formula of coordinates and momenta: p_x is the momentum of x";
    } else if (role == LV_ROLE_KINETIC && !v) {
        text = "the kinetic energy contains no velocity";
        hint = "x' is the velocity of x";
    } else if (role == LV_ROLE_POTENTIAL && v) {
        text = "the potential energy contains velocities";
        hint = "velocity-dependent terms go into 'lagrangian', friction into [forces]";
    } else if (role == LV_ROLE_HOLONOMIC && v) {
        text = "a holonomic constraint contains velocities";
        hint = "a constraint on velocities is 'nonholonomic'";
    } else if (role == LV_ROLE_HOLONOMIC && !q) {
        text = "this constraint contains no coordinate";
    } else if (role == LV_ROLE_NONHOLONOMIC && !v && !m) {
        text = "a nonholonomic constraint contains no velocity";
        hint = "a constraint on coordinates alone is 'holonomic'";
    } else if (role == LV_ROLE_SYMMETRY && (v || (kinds[row] & LV_KIND(T)))) {
        text =
            "the generator of a symmetry may depend on coordinates and parameters only";
    }
    if (!text)
        return LV_OK;
    lv_status status =
        lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(d->kernel.entry->place), "%s", text);
    if (hint)
        lv_error_hint(d->err, "%s", hint);
    if (d->kernel.is_vector)
        lv_error_note(d->err, "component %d", number + 1);
    return status;
}

static lv_status check_rows(lv_draft *d)
{
    size_t count = (size_t)lv_graph_count(d->e.graph);
    lv_kinds *kinds = lv_arena_alloc(&d->scratch, count, sizeof *kinds);
    if (!kinds)
        return lv_fail_memory(d->err);
    lv_analyse_kinds(d->e.graph, kinds);
    for (int k = 0; k < d->kernel.row_count; k++)
        LV_TRY(check_row(d, k, kinds));
    return LV_OK;
}

lv_status lv_draft_start(lv_draft *d)
{
    d->kernel.graph = lv_graph_create(0);
    d->e.graph = d->kernel.graph;
    d->e.arena = &d->scratch;
    d->scope.user = d;
    lv_scope_init(&d->scope, d->model, &d->e);
    lv_draft_demand(d);
    lv_draft_pick(d);
    return d->kernel.graph ? LV_OK : lv_fail_memory(d->err);
}

lv_status lv_draft_open(lv_draft *d, const lv_entry *family)
{
    LV_TRY(lv_draft_start(d));
    LV_TRY(lv_draft_ranges(d, family));
    d->scope.coordinate = slot_value; /* ranges cannot use coordinates */
    d->e.turns = &d->turns;
    return LV_OK;
}

static lv_status keep_turns(lv_draft *d)
{
    lv_kernel *k = &d->kernel;
    const size_t count = (size_t)d->turns.count;
    k->turn_count = d->turns.count / 2;
    k->layout.size[LV_INPUT_R] = LV_TURN_NUMBERS * k->turn_count;
    k->turns = lv_arena_copy(d->arena, d->turns.data, count, sizeof *k->turns);
    return k->turns ? LV_OK : lv_fail_memory(d->err);
}

lv_status lv_draft_close(lv_draft *d)
{
    lv_model *m = d->model;
    d->kernel.layout.size[LV_INPUT_Q] = d->local;
    d->kernel.layout.size[LV_INPUT_V] = d->local;
    d->kernel.layout.size[LV_INPUT_T] = 1 + m->input_count;
    d->kernel.layout.size[LV_INPUT_P] = m->parameter_values.count;
    LV_TRY(lv_draft_check_demands(d));
    if (lv_role_is_result(d->kernel.role)) {
        d->kernel.layout.size[LV_INPUT_A] = d->local;
        d->kernel.layout.size[LV_INPUT_W] = d->local;
        d->kernel.layout.size[LV_INPUT_Y] = d->multiplier_rows;
        d->kernel.layout.size[LV_INPUT_E] = LV_RESULT_ENERGIES;
        LV_TRY(lv_draft_multipliers(d));
    }
    LV_TRY(lv_draft_locate(d));
    LV_TRY(lv_draft_data(d));
    d->kernel.layout.size[LV_INPUT_I] = d->kernel.index_count + d->kernel.data_count;
    LV_TRY(keep_turns(d));

    d->kernel.slot_count = d->slots.count;
    d->kernel.slots = lv_arena_copy(&m->arena, d->slots.data, (size_t)d->slots.count,
                                    sizeof *d->slots.data);
    return d->kernel.slots ? LV_OK : lv_fail_memory(d->err);
}

static lv_status fill_kernel(lv_draft *d)
{
    const lv_entry *family =
        d->kernel.shown ? d->kernel.shown->family
        : d->kernel.role == LV_ROLE_OUTPUT || d->kernel.role == LV_ROLE_EVENT
            ? NULL
            : lv_item_entry(d->kernel.item, "for");
    LV_TRY(lv_draft_open(d, family));
    lv_draft_settle(d);
    if (lv_role_is_result(d->kernel.role)) {
        d->scope.outputs = true;
        d->e.accelerations = true;
    }
    LV_TRY(d->kernel.shown ? lv_draft_shown(d) : elaborate_rows(d));
    if (lv_kernel_is_dissipation(&d->kernel)) {
        /* the derived forces do not contain everything that was written */
        LV_TRY(check_rows(d));
        LV_TRY(lv_draft_dissipation(d));
    } else if (d->kernel.role == LV_ROLE_EVENT)
        LV_TRY(lv_draft_event(d));
    else if (d->kernel.role == LV_ROLE_FORCE || d->kernel.role == LV_ROLE_SYMMETRY)
        LV_TRY(lv_draft_targets(d));
    LV_TRY(check_rows(d));
    LV_TRY(lv_draft_instances(d, family));
    return lv_draft_close(d);
}

lv_status lv_model_add_kernel(lv_model *m, lv_kernel *kernel, lv_error *err)
{
    int nodes = lv_graph_count(kernel->graph), rows = 0;
    int *all = &m->row_count[kernel->role];
    if (nodes > LV_MODEL_NODES - m->nodes)
        return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(kernel->entry->place),
                          "with this formula the model needs more than %d operations",
                          LV_MODEL_NODES);
    kernel->first_row = *all;
    if (!lv_int_mul(kernel->row_count, kernel->instance_count, &rows) ||
        !lv_int_add(*all, rows, all))
        return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(kernel->item->place), "too many rows");
    m->nodes += nodes;
    return LV_PUSH(m->kernels, *kernel) ? LV_OK : lv_fail_memory(err);
}

static lv_status add_draft(lv_draft *d)
{
    lv_status status = fill_kernel(d);
    if (status == LV_OK)
        status = lv_model_add_kernel(d->model, &d->kernel, d->err);
    if (status == LV_OK)
        d->kernel.graph = NULL; /* the model owns it now */
    lv_draft_done(d);
    return status;
}

static lv_status build_kernel(lv_model *m, const lv_item *item, const char *key,
                              lv_role role, lv_error *err)
{
    lv_draft d = {.model = m, .arena = &m->arena, .err = err};
    d.kernel.role = role;
    d.kernel.item = item;
    d.kernel.entry = lv_item_entry(item, key);
    return add_draft(&d);
}

static lv_status build_shown(lv_model *m, const lv_shown *shown, lv_error *err)
{
    lv_draft d = {.model = m, .arena = &m->arena, .err = err};
    lv_entry *entry = lv_arena_alloc(&m->arena, 1, sizeof *entry);
    if (!entry)
        return lv_fail_memory(err);
    *entry = (lv_entry){.place = shown->part->place};
    d.kernel.role = LV_ROLE_SHOWN;
    d.kernel.item = shown->part;
    d.kernel.entry = entry;
    d.kernel.shown = shown;
    return add_draft(&d);
}

/* ---- all kernels ------------------------------------------------------------------- */

/* Key, section and role of every formula that becomes a kernel. */
static const struct {
    const char *key;
    int section;
    lv_role role;
} kernel_keys[] = {
    {"kinetic", LV_SECTION_ENERGY, LV_ROLE_KINETIC},
    {"potential", LV_SECTION_ENERGY, LV_ROLE_POTENTIAL},
    {"lagrangian", LV_SECTION_ENERGY, LV_ROLE_LAGRANGIAN},
    {"hamiltonian", LV_SECTION_ENERGY, LV_ROLE_HAMILTONIAN},
    {"holonomic", LV_SECTION_CONSTRAINTS, LV_ROLE_HOLONOMIC},
    {"nonholonomic", LV_SECTION_CONSTRAINTS, LV_ROLE_NONHOLONOMIC},
    {"force", LV_SECTION_FORCES, LV_ROLE_FORCE},
    {"dissipation", LV_SECTION_FORCES, LV_ROLE_FORCE},
    {"generator", LV_SECTION_SYMMETRIES, LV_ROLE_SYMMETRY},
    {"value", LV_SECTION_OUTPUTS, LV_ROLE_OUTPUT},
    {"when", LV_SECTION_EVENTS, LV_ROLE_EVENT},
    {"restitution", LV_SECTION_EVENTS, LV_ROLE_EVENT},
    {"velocity", LV_SECTION_EVENTS, LV_ROLE_EVENT},
    {"value", LV_SECTION_EVENTS, LV_ROLE_EVENT},
};

enum { KERNEL_KEYS = sizeof kernel_keys / sizeof *kernel_keys };

static lv_status check_item(const lv_item *item, int found, lv_error *err)
{
    char buffer[160];
    lv_status status = LV_OK;
    if (item->section == LV_SECTION_CONSTRAINTS && found > 1)
        return lv_fail_at(
            err, LV_ERR_MODEL, LV_AT(item->place),
            "%s is both holonomic and nonholonomic; make it two constraints",
            lv_item_describe(item, buffer));
    if (item->section == LV_SECTION_CONSTRAINTS && found == 0)
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                            "%s has no formula: neither 'holonomic' nor 'nonholonomic'",
                            lv_item_describe(item, buffer));
    if (item->section == LV_SECTION_ENERGY && found == 0)
        status = lv_fail_at(
            err, LV_ERR_MODEL, LV_AT(item->place),
            "%s has no formula: 'kinetic', 'potential', 'lagrangian' or 'hamiltonian' is "
            "needed",
            lv_item_describe(item, buffer));
    return status;
}

/* A force is given by 'on' and 'force', or by its dissipation, or both. */
static lv_status check_force(const lv_item *item, lv_error *err)
{
    char buffer[160];
    const lv_section *section = lv_section_at(item->section);
    bool on = lv_item_entry(item, "on"), force = lv_item_entry(item, "force");
    const char *lacks = on ? "force" : "on";
    if ((on && force) || (!on && !force && lv_item_entry(item, "dissipation")))
        return LV_OK;
    lv_status status =
        lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place), "%s lacks the key '%s'",
                   lv_item_describe(item, buffer), lacks);
    lv_error_hint(err, "%s: %s", lacks,
                  section->keys[lv_section_key(section, lacks)].doc);
    return status;
}

static lv_status build_kernels(lv_model *m, const lv_item *item, lv_error *err)
{
    int found = 0;
    if (item->section == LV_SECTION_FORCES)
        LV_TRY(check_force(item, err));
    if (item->section == LV_SECTION_EVENTS)
        LV_TRY(lv_event_check(item, err));
    for (int k = 0; k < KERNEL_KEYS; k++) {
        if (kernel_keys[k].section != item->section ||
            !lv_item_entry(item, kernel_keys[k].key))
            continue;
        LV_TRY(build_kernel(m, item, kernel_keys[k].key, kernel_keys[k].role, err));
        found++;
    }
    return check_item(item, found, err);
}

/* Outputs and events come last: they may use the multipliers of all constraints. */
static bool comes_last(const lv_item *item)
{
    return item->section == LV_SECTION_OUTPUTS || item->section == LV_SECTION_EVENTS;
}

lv_status lv_model_build_kernels(lv_model *m, lv_error *err)
{
    const int items = m->declarations.items.count;
    for (int k = 0; k < 2 * items; k++) {
        const lv_item *item = &m->declarations.items.data[k % items];
        if (comes_last(item) == (k >= items))
            LV_TRY(build_kernels(m, item, err));
    }
    for (int k = 0; k < m->declarations.shown.count; k++)
        LV_TRY(build_shown(m, &m->declarations.shown.data[k], err));
    return LV_OK;
}
