/* Evaluates the kernels of a model at its start: values and derivatives of each formula,
 * summed over all instances. */
#include "system/inspect_private.h"

#include "expr/analyse.h"
#include "expr/diff.h"
#include "expr/kink.h"
#include "system/kernel_samples.h"

#include <math.h>
#include <stdio.h>

/* One kernel with the nodes that are evaluated for it. */
typedef struct subject {
    lv_inspecting *i;
    const lv_kernel *kernel;
    lv_graph *graph; /* the kernel's, extended by derivatives */
    lv_node_list nodes;
    const lv_node *q, *v; /* input nodes of all local coordinates */
    int local;
    /* Rows and columns of the matrix entries, which are the last ones of `nodes` */
    lv_node_list rows, columns;
    int entries_at; /* where these entries begin */
} subject;

static lv_status input_nodes(subject *s, lv_error *err)
{
    s->local = s->kernel->layout.size[LV_INPUT_Q];
    lv_node *q = lv_arena_alloc(&s->i->arena, 2 * (size_t)s->local, sizeof *q);
    if (!q)
        return lv_fail_memory(err);
    for (int k = 0; k < s->local; k++) {
        q[k] = lv_graph_input(s->graph, LV_INPUT_Q, k);
        q[s->local + k] = lv_graph_input(s->graph, LV_INPUT_V, k);
    }
    s->q = q;
    s->v = q + s->local;
    return lv_graph_check(s->graph, err);
}

/* Remembers entry (row, column) of the kernel's matrix if it is not zero. */
static bool add_entry(subject *s, int row, int column, lv_node entry)
{
    if (lv_graph_is_const(s->graph, entry, 0))
        return true;
    return LV_PUSH(s->nodes, entry) && LV_PUSH(s->rows, row) &&
           LV_PUSH(s->columns, column);
}

/* v . dL/dv of the first row */
static lv_node velocity_part(subject *s)
{
    lv_node result = LV_NODE_NONE;
    lv_diff_forward(s->graph, &result, s->kernel->rows, 1, s->v, s->v, s->local);
    return result;
}

/* Energies: the value, v . dL/dv, dL/dv, and the lower half of d2L/dv2. */
static lv_status energy_nodes(subject *s, lv_error *err)
{
    int n = s->local;
    lv_node energy = velocity_part(s);
    lv_node *gradient =
        lv_memory_zeroed((size_t)n * ((size_t)n + 1) + 1, sizeof *gradient);
    if (!gradient)
        return lv_fail_memory(err);
    lv_node *hessian = gradient + n;
    lv_diff_gradient(s->graph, gradient, s->kernel->rows[0], s->v, n);
    lv_diff_hessian(s->graph, hessian, s->kernel->rows[0], s->v, n, s->v, n);
    lv_status status = lv_graph_check(s->graph, err);
    bool ok = status != LV_OK || LV_PUSH(s->nodes, energy);
    for (int k = 0; status == LV_OK && ok && k < n; k++)
        ok = LV_PUSH(s->nodes, gradient[k]);
    s->entries_at = s->nodes.count;
    for (int r = 0; status == LV_OK && ok && r < n; r++)
        for (int c = 0; ok && c <= r; c++)
            ok = add_entry(s, r, c, hessian[r * n + c]);
    lv_memory_free(gradient);
    return status != LV_OK ? status : ok ? LV_OK : lv_fail_memory(err);
}

/* Constraints: the values, d/dt of holonomic ones, and the Jacobian in q or v. */
static lv_status constraint_nodes(subject *s, lv_error *err)
{
    int n = s->local, m = s->kernel->row_count;
    bool holonomic = s->kernel->role == LV_ROLE_HOLONOMIC;
    lv_node *rates = lv_memory_zeroed((size_t)m * ((size_t)n + 1) + 1, sizeof *rates);
    if (!rates)
        return lv_fail_memory(err);
    lv_node *jacobian = rates + m;
    if (holonomic)
        lv_diff_time(s->graph, rates, s->kernel->rows, m);
    lv_diff_jacobian(s->graph, jacobian, s->kernel->rows, m, holonomic ? s->q : s->v, n);
    lv_status status = lv_graph_check(s->graph, err);
    bool ok = true;
    for (int k = 0; holonomic && status == LV_OK && ok && k < m; k++)
        ok = LV_PUSH(s->nodes, rates[k]);
    s->entries_at = s->nodes.count;
    for (int r = 0; status == LV_OK && ok && r < m; r++)
        for (int c = 0; ok && c < n; c++)
            ok = add_entry(s, r, c, jacobian[r * n + c]);
    lv_memory_free(rates);
    return status != LV_OK ? status : ok ? LV_OK : lv_fail_memory(err);
}

/* ---- what is done with the values of one instance ---------------------------------- */

static lv_status add_to_blocks(subject *s, lv_blocks *blocks, int instance, int row_base,
                               const double *values, lv_error *err)
{
    for (int k = 0; k < s->rows.count; k++) {
        int column = lv_kernel_global(s->kernel, instance, s->columns.data[k]);
        int row = row_base < 0 ? lv_kernel_global(s->kernel, instance, s->rows.data[k])
                               : row_base + s->rows.data[k];
        double value = values[s->entries_at + k];
        LV_TRY(lv_blocks_add(blocks, row, column, value, err));
        if (row_base < 0 && s->rows.data[k] != s->columns.data[k])
            LV_TRY(lv_blocks_add(blocks, column, row, value, err));
    }
    return LV_OK;
}

static lv_status visit_energy(void *user, const lv_kernel *kernel, int instance,
                              const double *values, lv_error *err)
{
    subject *s = user;
    lv_inspection *view = &s->i->view;
    if (kernel->role == LV_ROLE_POTENTIAL) {
        view->potential += values[0];
        view->energy += values[0];
        return LV_OK;
    }
    if (kernel->role == LV_ROLE_KINETIC)
        view->kinetic += values[0];
    view->energy += values[1] - values[0];
    for (int k = 0; k < s->local; k++)
        s->i->momentum[lv_kernel_global(kernel, instance, k)] += values[2 + k];
    return add_to_blocks(s, &s->i->mass, instance, -1, values, err);
}

static void keep_worst(double *worst, char *name, size_t size, const lv_kernel *kernel,
                       int instance, int row, double value)
{
    if (fabs(value) < *worst || (fabs(value) == *worst && name[0]))
        return;
    *worst = fabs(value);
    lv_kernel_row_text(kernel, instance, row, name, size);
}

static lv_status visit_constraint(void *user, const lv_kernel *kernel, int instance,
                                  const double *values, lv_error *err)
{
    subject *s = user;
    lv_inspection *v = &s->i->view;
    bool holonomic = kernel->role == LV_ROLE_HOLONOMIC;
    int m = kernel->row_count, row = kernel->first_row + instance * m;
    for (int k = 0; k < m; k++) {
        if (!holonomic) {
            keep_worst(&v->nonholonomic_residual, v->nonholonomic_worst,
                       sizeof v->nonholonomic_worst, kernel, instance, k, values[k]);
            continue;
        }
        keep_worst(&v->position_residual, v->position_worst, sizeof v->position_worst,
                   kernel, instance, k, values[k]);
        keep_worst(&v->velocity_residual, v->velocity_worst, sizeof v->velocity_worst,
                   kernel, instance, k, values[m + k]);
    }
    if (!holonomic)
        row += s->i->model->row_count[LV_ROLE_HOLONOMIC];
    return add_to_blocks(s, &s->i->jacobian, instance, row, values, err);
}

static lv_status visit_symmetry(void *user, const lv_kernel *kernel, int instance,
                                const double *values, lv_error *err)
{
    subject *s = user;
    (void)err;
    lv_momentum_info *momentum = &s->i->momenta[s->i->view.momentum_count];
    for (int k = 0; k < kernel->row_count; k++) {
        int local = lv_graph_node(kernel->graph, kernel->targets[k])->b;
        momentum->value +=
            s->i->momentum[lv_kernel_global(kernel, instance, local)] * values[k];
    }
    return LV_OK;
}

/* Forces and outputs: it is enough that they have finite values. */
static lv_status visit_nothing(void *user, const lv_kernel *kernel, int instance,
                               const double *values, lv_error *err)
{
    (void)user, (void)kernel, (void)instance, (void)values, (void)err;
    return LV_OK;
}

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
static const char *velocity_dependence(subject *s, int degree)
{
    if (degree != 1)
        return "nonlinear";
    for (int k = 0; k < s->kernel->row_count; k++) {
        lv_node rest = lv_analyse_at_zero(s->graph, s->kernel->rows[k], LV_KIND(V));
        if (rest >= 0 && !lv_graph_is_const(s->graph, rest, 0))
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

static lv_status analyse(subject *s, lv_term_info *term, lv_error *err)
{
    const lv_kernel *k = s->kernel;
    unsigned char *degrees = lv_memory_zeroed((size_t)lv_graph_count(s->graph) + 1, 1);
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
            lv_kink_jumps(s->graph, &term->jumps, k->rows, k->row_count, LV_KIND(V), err);
    if (status == LV_OK && k->role == LV_ROLE_NONHOLONOMIC)
        term->velocities = velocity_dependence(s, term->degree_v);
    LV_ARRAY_FREE(frontier);
    lv_memory_free(degrees);
    return status;
}

/* Does a mass entry depend on anything but parameters? */
static lv_status note_mass(subject *s, lv_error *err)
{
    lv_kinds *kinds =
        lv_memory_zeroed((size_t)lv_graph_count(s->graph) + 1, sizeof *kinds);
    if (!kinds)
        return lv_fail_memory(err);
    lv_analyse_kinds(s->graph, kinds);
    for (int k = s->entries_at; k < s->nodes.count; k++)
        if (kinds[s->nodes.data[k]] & (LV_KIND(Q) | LV_KIND(V) | LV_KIND(T)))
            s->i->mass_varies = true;
    lv_memory_free(kinds);
    return LV_OK;
}

/* Chooses the rows to evaluate: all but those of outputs that need the motion
 * (multipliers, accelerations, ...). */
static lv_status choose_rows(subject *s, lv_error *err)
{
    const lv_kinds motion = LV_KIND(Y) | LV_KIND(W) | LV_KIND(A) | LV_KIND(E);
    const lv_kernel *kernel = s->kernel;
    for (int k = 0; k < kernel->row_count; k++) {
        lv_kinds kinds = 0;
        if (lv_role_is_result(kernel->role))
            LV_TRY(lv_analyse_reach(kernel->graph, &kinds, &kernel->rows[k], 1, err));
        if (!(kinds & motion) && !LV_PUSH(s->nodes, kernel->rows[k]))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status choose_nodes(subject *s, lv_visit *visit, lv_error *err)
{
    LV_TRY(choose_rows(s, err));
    switch (s->kernel->role) {
    case LV_ROLE_KINETIC:
    case LV_ROLE_LAGRANGIAN:
        *visit = visit_energy;
        LV_TRY(energy_nodes(s, err));
        return note_mass(s, err);
    case LV_ROLE_POTENTIAL:
        *visit = visit_energy;
        return LV_OK;
    case LV_ROLE_HOLONOMIC:
    case LV_ROLE_NONHOLONOMIC:
        *visit = visit_constraint;
        return constraint_nodes(s, err);
    case LV_ROLE_SYMMETRY:
        *visit = visit_symmetry;
        return LV_OK;
    case LV_ROLE_FORCE:
    case LV_ROLE_OUTPUT:
    case LV_ROLE_EVENT:
    case LV_ROLE_SHOWN:
    case LV_ROLE_VIEW:
    case LV_ROLE_HAMILTONIAN:
    case LV_ROLES:
        break;
    }
    *visit = visit_nothing;
    return LV_OK;
}

/* Operations of one evaluation of the rows alone. */
static lv_status count_operations(subject *s, lv_term_info *term, lv_error *err)
{
    lv_program *program = NULL;
    LV_TRY(lv_program_compile(&program, s->kernel->graph, s->kernel->rows,
                              s->kernel->row_count, &s->kernel->layout, err));
    term->operations = program->operations;
    lv_program_free(program);
    return LV_OK;
}

static lv_status evaluate(subject *s, lv_visit visit, lv_error *err)
{
    const lv_model *m = s->i->model;
    lv_kernel_samples samples;
    lv_status status = lv_kernel_samples_init(&samples, m, s->kernel, s->graph,
                                              s->nodes.data, s->nodes.count, err);
    if (status == LV_OK)
        status =
            lv_kernel_samples_run(&samples, m->start_q, m->start_v, 0, visit, s, err);
    lv_kernel_samples_done(&samples);
    return status;
}

static lv_status inspect_kernel(lv_inspecting *i, const lv_kernel *kernel,
                                lv_term_info *term, lv_error *err)
{
    subject s = {.i = i, .kernel = kernel, .graph = lv_graph_copy(kernel->graph)};
    lv_visit visit = NULL;
    *term = (lv_term_info){.section = lv_item_section(kernel->item),
                           .name = kernel->item->name,
                           .role = lv_role_name(kernel->role),
                           .instances = kernel->instance_count,
                           .rows = kernel->row_count,
                           .coordinates = kernel->layout.size[LV_INPUT_Q],
                           .is_inner = kernel->item->is_inner};
    lv_status status = s.graph ? input_nodes(&s, err) : lv_fail_memory(err);
    if (status == LV_OK)
        status = analyse(&s, term, err);
    if (status == LV_OK)
        status = count_operations(&s, term, err);
    if (status == LV_OK)
        status = choose_nodes(&s, &visit, err);
    if (status == LV_OK)
        status = evaluate(&s, visit, err);
    LV_ARRAY_FREE(s.nodes);
    LV_ARRAY_FREE(s.rows);
    LV_ARRAY_FREE(s.columns);
    lv_graph_free(s.graph);
    return status;
}

/* ---- all of them ------------------------------------------------------------------- */

/* A failure of an output is noted only: nothing else depends on it, and it may have a
 * value later. */
static lv_status inspect_or_note(lv_inspecting *i, const lv_kernel *kernel,
                                 lv_term_info *term, lv_error *err)
{
    char *said = i->view.output_undefined;
    lv_error why;
    lv_error_clear(&why);
    const lv_status status = inspect_kernel(i, kernel, term, &why);
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

/* Energies first: momentum maps need the momenta. */
lv_status lv_inspect_kernels(lv_inspecting *i, lv_error *err)
{
    const lv_model *m = i->model;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < m->kernels.count; k++) {
            const lv_kernel *kernel = &m->kernels.data[k];
            bool is_symmetry = kernel->role == LV_ROLE_SYMMETRY;
            if (is_symmetry != (pass == 1) || kernel->role == LV_ROLE_SHOWN)
                continue;
            if (is_symmetry)
                i->momenta[i->view.momentum_count].name = kernel->item->name;
            LV_TRY(inspect_or_note(i, kernel, &i->terms[k], err));
            i->view.momentum_count += is_symmetry;
            i->view.instances += kernel->instance_count;
            i->view.has_lagrangian |= kernel->role == LV_ROLE_LAGRANGIAN;
        }
    }
    return LV_OK;
}
