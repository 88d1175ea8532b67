/* Describes a model at its start: sums over all instances of its kernels, and ranks. */
#include "system/inspect_private.h"

#include "base/usage.h"
#include "model/footprint.h"
#include "system/agreement.h"
#include "system/consistent.h"
#include "system/declared.h"
#include "system/dissipation.h"
#include "system/mass_definite.h"
#include "system/symmetries.h"

#include <stdio.h>
#include <string.h>

const char *lv_mass_kind_name(lv_mass_kind kind)
{
    static const char *const names[] = {"constant", "varying", "singular"};
    return (int)kind >= 0 && (int)kind <= LV_MASS_SINGULAR ? names[kind] : "unknown";
}

/* Creates the system on the first call. If that fails, the reason is kept. */
lv_status lv_inspection_system(lv_inspection *view, lv_system **system, lv_error *err)
{
    lv_inspecting *i = (lv_inspecting *)view;
    if (!i->system && i->unprepared == LV_OK)
        i->unprepared = lv_system_create(&i->system, i->model, &i->reason);
    *system = i->system;
    if (i->unprepared != LV_OK && err)
        *err = i->reason;
    return i->unprepared;
}

const lv_model *lv_inspection_model(const lv_inspection *view)
{
    return ((const lv_inspecting *)view)->model;
}

const lv_elements *lv_inspection_elements(const lv_inspection *view)
{
    return &((const lv_inspecting *)view)->elements;
}

/* The same for callers for which a missing system is no error: *system is NULL then. */
static lv_status try_system(lv_inspecting *i, lv_system **system, lv_error *err)
{
    const lv_status status = lv_inspection_system(&i->view, system, err);
    if (status == LV_OK || status == LV_ERR_MEMORY)
        return status;
    lv_error_clear(err);
    return LV_OK;
}

/* Finds symmetries that are not declared: taken from the system if there is one, as
 * models with constraints need it anyway. */
static lv_status ask_symmetries(lv_inspecting *i, lv_symmetries *found, lv_error *err)
{
    lv_system *system = NULL;
    if (i->view.holonomic + i->view.nonholonomic > 0)
        LV_TRY(try_system(i, &system, err));
    if (!system)
        return lv_symmetries_find(found, &i->arena, i->model, false, err);
    *found = system->found;
    return LV_OK;
}

/* Records which declared symmetries are none. */
static lv_status judge_declared(lv_inspecting *i, const lv_symmetries *found, int count,
                                lv_error *err)
{
    lv_system *system = NULL;
    int open = 0;
    for (int k = 0; k < count; k++)
        open += !found->proven || !found->proven[k];
    if (open > 0)
        LV_TRY(try_system(i, &system, err));
    if (!system)
        return LV_OK;
    LV_TRY(lv_declared_judge(system, err));
    for (int k = 0; k < count; k++)
        i->momenta[k].spoilt = system->spoilt[k];
    return LV_OK;
}

/* Adds the symmetries that are not declared. */
static lv_status find_symmetries(lv_inspecting *i, lv_error *err)
{
    const lv_model *m = i->model;
    lv_symmetries found;
    LV_TRY(ask_symmetries(i, &found, err));
    size_t declared = (size_t)i->view.momentum_count,
           count = declared + (size_t)found.count;
    lv_momentum_info *all = lv_arena_alloc(&i->arena, count, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    memcpy(all, i->momenta, declared * sizeof *all);
    for (int k = 0; k < found.count; k++) {
        double value = lv_symmetry_momentum(&found.list[k], m, m->start_q, i->momentum);
        all[i->view.momentum_count++] =
            (lv_momentum_info){found.list[k].name, value, true, NULL};
    }
    i->view.momenta = i->momenta = all;
    return judge_declared(i, &found, (int)declared, err);
}

/* Names the constraint that prescribes the motion where no freedom is left. */
static void name_prescribed(lv_inspection *v)
{
    for (int k = 0; v->freedom <= 0 && k < v->term_count; k++) {
        const lv_term_info *term = &v->terms[k];
        const bool holonomic = strcmp(term->role, "holonomic") == 0;
        const bool allows_rest =
            term->velocities && strcmp(term->velocities, "linear") == 0;
        if ((holonomic && term->time) || (term->velocities && !allows_rest)) {
            snprintf(v->prescribed, sizeof v->prescribed, "%s", term->name);
            v->prescribed_in_time = term->time;
            return;
        }
    }
}

/* Finds the rank of gradients that do not fall into small blocks, if sparse factors can
 * decide it. */
static lv_status count_independent(lv_inspecting *i, lv_error *err)
{
    lv_inspection *v = &i->view;
    lv_system *system = NULL;
    LV_TRY(try_system(i, &system, err));
    const int count = system ? lv_system_count_dependent(system, 0, i->model->start_q,
                                                         i->model->start_v)
                             : -1;
    if (count >= 0)
        v->constraint_rank = v->holonomic + v->nonholonomic - count;
    return LV_OK;
}

static lv_status find_ranks(lv_inspecting *i, lv_error *err)
{
    lv_inspection *v = &i->view;
    int n = i->model->coordinate_count, m = v->holonomic + v->nonholonomic;
    LV_TRY(lv_blocks_rank(&i->mass, &v->mass_rank, n, n, err));
    LV_TRY(lv_blocks_rank(&i->jacobian, &v->constraint_rank, m, n, err));
    if (v->constraint_rank < 0)
        LV_TRY(count_independent(i, err));
    v->mass = i->mass_varies ? LV_MASS_VARYING : LV_MASS_CONSTANT;
    if (v->mass_rank >= 0 && v->mass_rank < n)
        v->mass = LV_MASS_SINGULAR;
    v->freedom = n - (v->constraint_rank >= 0 ? v->constraint_rank : m);
    name_prescribed(v);
    return LV_OK;
}

/* Names a coordinate with negative kinetic energy, and a negative dissipation. */
static lv_status test_sign(lv_inspecting *i, lv_error *err)
{
    int coordinate = -1;
    LV_TRY(lv_mass_definite_test(i->model, &coordinate, err));
    if (coordinate >= 0)
        lv_model_coordinate_text(i->model, coordinate, i->view.mass_negative,
                                 sizeof i->view.mass_negative);
    return lv_dissipation_test(i->model, i->view.driven, sizeof i->view.driven, err);
}

/* Names constraints that follow from others at the start. */
static void name_redundant(lv_inspecting *i, lv_system *system)
{
    lv_inspection *v = &i->view;
    char name[160];
    size_t used = 0;
    const int count =
        lv_system_count_dependent(system, 0, i->model->start_q, i->model->start_v);
    for (int k = 0; k < count && used < sizeof v->redundant; k++) {
        int row = lv_dependence_row(system->dependence, k);
        int n =
            snprintf(v->redundant + used, sizeof v->redundant - used, "%s%s",
                     k ? ", " : "", lv_system_row_name(system, row, name, sizeof name));
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Finds the violations because of which a run would refuse to start. */
static void find_violations(lv_inspection *v, lv_system *system, const lv_model *m)
{
    int row = lv_system_violated_position(system, 0, m->start_q, &v->position_violation);
    if (row >= 0)
        lv_system_row_name(system, row, v->position_violated,
                           sizeof v->position_violated);
    row = lv_system_violated_velocity(system, 0, m->start_q, m->start_v,
                                      &v->velocity_violation);
    if (row >= 0)
        lv_system_row_name(system, row, v->velocity_violated,
                           sizeof v->velocity_violated);
}

/* Describes the constraints at the start: which are redundant, where their rank is not
 * full, whether a gradient vanishes, and whether they are satisfied. */
static lv_status look_at_constraints(lv_inspecting *i, lv_error *err)
{
    lv_inspection *v = &i->view;
    lv_system *system = NULL;
    const int rows = v->holonomic + v->nonholonomic;
    if (rows == 0)
        return LV_OK;
    LV_TRY(lv_inspection_system(v, &system, err));
    if (v->holonomic > 0 && v->constraint_rank >= 0 && v->constraint_rank < rows) {
        name_redundant(i, system);
        LV_TRY(lv_elements_dependence(&i->elements, system, &i->arena,
                                      &v->mechanism.dependence, 0, i->model->start_q,
                                      i->model->start_v, err));
    }
    const lv_near near =
        lv_system_nearly_dependent(system, 0, i->model->start_q, i->model->start_v);
    v->nearly_remainder = near.value < 1 ? near.value : 0;
    if (near.value < 1)
        (void)lv_near_says(&near, system, v->nearly_dependent,
                           sizeof v->nearly_dependent);
    const int flat = lv_system_flat_constraint(system, 0, i->model->start_q);
    if (flat >= 0)
        lv_system_row_name(system, flat, v->flat, sizeof v->flat);
    find_violations(v, system, i->model);
    return LV_OK;
}

static lv_status describe_declarations(lv_inspecting *i, lv_error *err)
{
    const lv_model *m = i->model;
    lv_parameter_info *parameters =
        lv_arena_alloc(&i->arena, (size_t)m->parameters.count, sizeof *parameters);
    lv_group_info *groups =
        lv_arena_alloc(&i->arena, (size_t)m->groups.count, sizeof *groups);
    if (!parameters || !groups)
        return lv_fail_memory(err);
    for (int k = 0; k < m->parameters.count; k++) {
        const lv_parameter *p = &m->parameters.data[k];
        parameters[k] = (lv_parameter_info){
            p->item->name, p->length, m->parameter_values.data + p->first, p->structural};
    }
    for (int k = 0; k < m->groups.count; k++) {
        (void)lv_group_describe(m, k, &groups[k]);
        i->view.has_hamiltonian |= groups[k].momentum != NULL;
    }
    i->view.parameter_count = m->parameters.count;
    i->view.parameters = parameters;
    i->view.group_count = m->groups.count;
    i->view.groups = groups;
    return LV_OK;
}

static lv_status inspecting_fill(lv_inspecting *i, lv_error *err)
{
    const lv_model *m = i->model;
    size_t kernels = (size_t)m->kernels.count;
    i->momentum =
        lv_arena_alloc(&i->arena, (size_t)m->coordinate_count, sizeof *i->momentum);
    i->terms = lv_arena_alloc(&i->arena, kernels, sizeof *i->terms);
    i->momenta = lv_arena_alloc(&i->arena, kernels + 1, sizeof *i->momenta);
    if (!i->momentum || !i->terms || !i->momenta)
        return lv_fail_memory(err);
    i->view.coordinates = m->coordinate_count;
    i->view.holonomic = m->row_count[LV_ROLE_HOLONOMIC];
    i->view.nonholonomic = m->row_count[LV_ROLE_NONHOLONOMIC];
    for (int k = 0; k < m->kernels.count; k++) /* kernels of shown quantities come last */
        i->view.term_count += m->kernels.data[k].role != LV_ROLE_SHOWN;
    i->view.kernels = i->view.term_count;
    i->view.terms = i->terms;
    i->view.momenta = i->momenta;
    LV_TRY(describe_declarations(i, err));
    LV_TRY(lv_elements_init(&i->elements, &i->arena, m, err));
    LV_TRY(lv_mechanism_find(&i->view.mechanism, &i->elements, &i->arena, err));
    LV_TRY(lv_inspect_kernels(i, err));
    LV_TRY(find_symmetries(i, err));
    LV_TRY(find_ranks(i, err));
    LV_TRY(test_sign(i, err));
    return look_at_constraints(i, err);
}

lv_status lv_model_inspect(lv_inspection **result, const lv_model *model, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED_AS(err, result, "inspection");
    *result = NULL;
    LV_NEED(err, model);
    lv_inspecting *i = lv_memory_zeroed(1, sizeof *i);
    if (!i)
        return lv_fail_memory(err);
    i->model = model;
    lv_status status = lv_model_settle(model, inspecting_fill(i, err), err);
    lv_blocks_done(&i->mass);
    lv_blocks_done(&i->jacobian);
    if (status == LV_OK)
        *result = &i->view;
    else
        lv_inspection_free(&i->view);
    return status;
}

void lv_inspection_free(lv_inspection *view)
{
    lv_inspecting *i = (lv_inspecting *)view;
    if (!i)
        return;
    lv_system_free(i->system);
    lv_arena_done(&i->arena);
    lv_memory_free(i);
}
