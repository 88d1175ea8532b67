/* Describes the kernels of a model, and evaluates them at its start: energies, residuals,
 * momentum maps, and the matrices whose ranks are asked for. */
#include "system/inspect_private.h"

#include "expr/analyse.h"
#include "expr/kink.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one kernel -------------------------------------------------------------------- */

/* The largest degree of the rows; -1 if one is no polynomial. */
static int row_degree(const lv_kernel *kernel, unsigned char *degrees, lv_kinds kinds)
{
    int degree = 0;
    lv_analyse_degrees(kernel->graph, degrees, kinds);
    for (int k = 0; k < kernel->row_count; k++)
        if (degrees[kernel->rows[k]] > degree)
            degree = degrees[kernel->rows[k]];
    return degree == LV_DEGREE_NONE ? -1 : degree;
}

/* How the rows depend on velocities. */
static const char *velocity_dependence(const lv_kernel *kernel, lv_graph *graph,
                                       int degree)
{
    if (degree != 1)
        return "nonlinear";
    for (int k = 0; k < kernel->row_count; k++) {
        lv_node rest = lv_analyse_at_zero(graph, kernel->rows[k], LV_KIND(V));
        if (rest >= 0 && !lv_graph_is_const(graph, rest, 0))
            return "affine";
    }
    return "linear";
}

/* Records whether the rows depend on time and on inputs. */
static lv_status note_time(const lv_kernel *k, lv_term_info *term, lv_error *err)
{
    lv_node_list found = {0};
    const lv_status status =
        lv_analyse_inputs(k->graph, &found, k->rows, k->row_count, LV_INPUT_T, err);
    for (int j = 0; j < found.count; j++) {
        const bool time = lv_graph_node(k->graph, found.data[j])->b == 0;
        term->time = term->time || time;
        term->inputs = term->inputs || !time;
    }
    LV_ARRAY_FREE(found);
    return status;
}

static lv_status analyse(const lv_kernel *k, lv_graph *graph, lv_term_info *term,
                         lv_error *err)
{
    unsigned char *degrees = lv_memory_zeroed((size_t)lv_graph_count(graph) + 1, 1);
    lv_node_list frontier = {0};
    lv_status status = degrees ? note_time(k, term, err) : lv_fail_memory(err);
    if (status == LV_OK) {
        term->degree_v = row_degree(k, degrees, LV_KIND(V));
        term->degree_q = row_degree(k, degrees, LV_KIND(Q));
        status = lv_analyse_frontier(k->graph, &frontier, k->rows[0], degrees, err);
        term->invariants = frontier.count;
    }
    if (status == LV_OK && k->role == LV_ROLE_FORCE)
        status =
            lv_kink_jumps(graph, &term->jumps, k->rows, k->row_count, LV_KIND(V), err);
    if (status == LV_OK && k->role == LV_ROLE_NONHOLONOMIC)
        term->velocities = velocity_dependence(k, graph, term->degree_v);
    LV_ARRAY_FREE(frontier);
    lv_memory_free(degrees);
    return status;
}

/* Operations of one evaluation of the rows alone. */
static lv_status count_operations(const lv_kernel *kernel, lv_term_info *term,
                                  lv_error *err)
{
    lv_program *program = NULL;
    LV_TRY(lv_program_compile(&program, kernel->graph, kernel->rows, kernel->row_count,
                              &kernel->layout, err));
    term->operations = program->operations;
    lv_program_free(program);
    return LV_OK;
}

static lv_status describe(const lv_kernel *kernel, lv_term_info *term, lv_error *err)
{
    lv_graph *graph = lv_graph_copy(kernel->graph);
    *term = (lv_term_info){.section = lv_item_section(kernel->item),
                           .name = kernel->item->name,
                           .role = lv_role_name(kernel->role),
                           .instances = kernel->instance_count,
                           .rows = kernel->row_count,
                           .coordinates = kernel->layout.size[LV_INPUT_Q],
                           .is_inner = kernel->item->is_inner};
    lv_status status = graph ? analyse(kernel, graph, term, err) : lv_fail_memory(err);
    lv_graph_free(graph);
    return status == LV_OK ? count_operations(kernel, term, err) : status;
}

/* ---- values ------------------------------------------------------------------------ */

/* The total, the kinetic and the potential energy. */
static void find_energies(lv_inspecting *i, const lv_plan *plan, double energies[3])
{
    energies[0] = -lv_plan_result(plan, LV_Q_LAGRANGIAN)[0];
    energies[1] = lv_plan_result(plan, LV_Q_KINETIC)[0];
    energies[2] = lv_plan_result(plan, LV_Q_POTENTIAL)[0];
    for (int k = 0; k < i->model->coordinate_count; k++)
        energies[0] += i->momentum[k] * i->model->start_v[k];
    i->view.energy = energies[0];
    i->view.kinetic = energies[1];
    i->view.potential = energies[2];
}

static void keep_worst(double *worst, char *name, size_t size, const lv_kernel *kernel,
                       int row, double value)
{
    if (fabs(value) < *worst || (fabs(value) == *worst && name[0]))
        return;
    *worst = fabs(value);
    lv_kernel_row_text(kernel, row / kernel->row_count, row % kernel->row_count, name,
                       size);
}

static void find_residuals(lv_inspecting *i, const lv_plan *plan, const lv_kernel *kernel)
{
    lv_inspection *v = &i->view;
    const bool holonomic = kernel->role == LV_ROLE_HOLONOMIC;
    const double *g = lv_plan_result(plan, LV_Q_CONSTRAINT) + kernel->first_row,
                 *rate = lv_plan_result(plan, LV_Q_RATE) + kernel->first_row +
                         (holonomic ? 0 : v->holonomic);
    for (int r = 0; r < kernel->row_count * kernel->instance_count; r++) {
        if (!holonomic) {
            keep_worst(&v->nonholonomic_residual, v->nonholonomic_worst,
                       sizeof v->nonholonomic_worst, kernel, r, rate[r]);
            continue;
        }
        keep_worst(&v->position_residual, v->position_worst, sizeof v->position_worst,
                   kernel, r, g[r]);
        keep_worst(&v->velocity_residual, v->velocity_worst, sizeof v->velocity_worst,
                   kernel, r, rate[r]);
    }
}

/* ---- all of them ------------------------------------------------------------------- */

/* Explains why a formula of a kernel has no finite value. A failure of an output is noted
 * only: nothing else depends on it, and it may have a value later. */
static lv_status diagnose(lv_inspecting *i, lv_plan *plan, const lv_kernel *kernel,
                          const lv_point *start, lv_error *err)
{
    char *said = i->view.output_undefined;
    lv_error why;
    lv_error_clear(&why);
    const lv_status status = lv_plan_diagnose_kernel(plan, kernel, start, &why);
    if (status == LV_ERR_DOMAIN && kernel->role == LV_ROLE_OUTPUT) {
        if (!said[0])
            snprintf(said, sizeof i->view.output_undefined,
                     "'%.40s' (%.80s:%d:%d): %.120s", kernel->item->name, why.file,
                     why.line, why.column, why.text);
        return LV_OK;
    }
    if (status != LV_OK && err)
        *err = why;
    return status;
}

/* Evaluates twice: momentum maps, and some outputs, need momenta and energies. What else
 * outputs take from the motion is not known at the start; they are not blamed for that. */
static lv_status evaluate(lv_inspecting *i, lv_plan *plan, lv_error *err)
{
    const lv_model *m = i->model;
    const size_t n = (size_t)m->coordinate_count,
                 rows = (size_t)i->view.holonomic + (size_t)i->view.nonholonomic,
                 most = n > rows ? n : rows;
    double *unknown = lv_arena_alloc(&i->arena, most, sizeof *unknown), energies[3] = {0};
    if (!unknown)
        return lv_fail_memory(err);
    for (size_t k = 0; k < most; k++)
        unknown[k] = (double)NAN;
    const lv_point start = {.q = m->start_q,
                            .v = m->start_v,
                            .w = i->momentum,
                            .y = unknown,
                            .a = unknown,
                            .e = energies};
    lv_plan_run(plan, &start);
    memcpy(i->momentum, lv_plan_result(plan, LV_Q_MOMENTUM), n * sizeof *i->momentum);
    find_energies(i, plan, energies);
    for (int k = 0; k < m->kernels.count; k++)
        LV_TRY(diagnose(i, plan, &m->kernels.data[k], &start, err));
    lv_plan_run(plan, &start);
    return LV_OK;
}

static lv_status use_values(lv_inspecting *i, const lv_plan *plan, lv_error *err)
{
    const lv_model *m = i->model;
    const lv_kinds motion = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T);
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->role == LV_ROLE_HOLONOMIC || kernel->role == LV_ROLE_NONHOLONOMIC)
            find_residuals(i, plan, kernel);
        if (kernel->role == LV_ROLE_SYMMETRY) {
            const int next = i->view.momentum_count++;
            i->momenta[next].name = kernel->item->name;
            i->momenta[next].value = lv_plan_result(plan, LV_Q_MOMENTUM_MAP)[next];
        }
    }
    i->mass_varies = lv_plan_depends(plan, LV_Q_MASS) & motion;
    LV_TRY(lv_blocks_add_result(&i->mass, plan, LV_Q_MASS, 0, err));
    return lv_blocks_add_result(&i->jacobian, plan, LV_Q_RATE_V, 0, err);
}

lv_status lv_inspect_kernels(lv_inspecting *i, lv_error *err)
{
    const lv_model *m = i->model;
    const lv_wanted wanted = LV_WANT(KINETIC) | LV_WANT(POTENTIAL) | LV_WANT(LAGRANGIAN) |
                             LV_WANT(MOMENTUM) | LV_WANT(MASS) | LV_WANT(APPLIED) |
                             LV_WANT(CONSTRAINT) | LV_WANT(RATE) | LV_WANT(RATE_V) |
                             LV_WANT(MOMENTUM_MAP) | LV_WANT(OUTPUT) | LV_WANT(EVENT);
    lv_plan *plan = NULL;
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (kernel->role == LV_ROLE_SHOWN)
            continue;
        LV_TRY(describe(kernel, &i->terms[k], err));
        i->view.instances += kernel->instance_count;
        i->view.has_lagrangian |= kernel->role == LV_ROLE_LAGRANGIAN;
    }
    lv_status status = lv_plan_create(&plan, m, wanted, err);
    if (status == LV_OK)
        status = evaluate(i, plan, err);
    if (status == LV_OK)
        status = use_values(i, plan, err);
    lv_plan_free(plan);
    return status;
}
