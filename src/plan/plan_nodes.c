/* Derives what each kernel contributes to each quantity, as derivatives of its
 * formula. */
#include "expr/diff.h"
#include "model/moving.h"
#include "plan/plan_private.h"

typedef struct subject {
    lv_contribution_list *list;
    lv_graph *g;
    const lv_kernel *kernel;
    lv_arena scratch;
    int local;
    lv_node *q, *v, *w; /* inputs of the local coordinates */
    lv_node *y;         /* inputs of the kernel's rows */
} subject;

static lv_status prepare(subject *s, lv_error *err)
{
    size_t local = (size_t)s->local, rows = (size_t)s->kernel->row_count;
    lv_node *all = lv_arena_alloc(&s->scratch, 3 * local + rows, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    s->q = all;
    s->v = all + local;
    s->w = all + 2 * local;
    s->y = all + 3 * local;
    for (int k = 0; k < s->local; k++) {
        s->q[k] = lv_graph_input(s->g, LV_INPUT_Q, k);
        s->v[k] = lv_graph_input(s->g, LV_INPUT_V, k);
        s->w[k] = lv_graph_input(s->g, LV_INPUT_W, k);
    }
    for (int k = 0; k < s->kernel->row_count; k++)
        s->y[k] = lv_graph_input(s->g, LV_INPUT_Y, k);
    return lv_graph_check(s->g, err);
}

static lv_node *room(subject *s, int rows, int columns)
{
    lv_node *nodes =
        lv_arena_alloc(&s->scratch, (size_t)rows * (size_t)columns + 1, sizeof *nodes);
    if (!nodes)
        lv_graph_give_up(s->g, LV_ERR_MEMORY);
    return nodes;
}

static void put(subject *s, lv_quantity quantity, lv_node node, int a, int b)
{
    if (lv_graph_status(s->g) != LV_OK || lv_graph_is_const(s->g, node, 0))
        return;
    lv_contribution c = {node, quantity, a, b};
    if (!LV_PUSH(*s->list, c))
        lv_graph_give_up(s->g, LV_ERR_MEMORY);
}

static void put_vector(subject *s, lv_quantity quantity, const lv_node *nodes, int count)
{
    for (int k = 0; nodes && k < count; k++)
        put(s, quantity, nodes[k], k, 0);
}

static void put_matrix(subject *s, lv_quantity quantity, const lv_node *nodes, int rows,
                       int columns)
{
    for (int r = 0; nodes && r < rows; r++)
        for (int c = 0; c < columns; c++)
            put(s, quantity, nodes[r * columns + c], r, c);
}

/* ---- derivatives by coordinates ---------------------------------------------------- */

/* Turns derivatives by coordinates into derivatives along the poses of bodies that move
 * on groups. */
static void turn(subject *s, lv_node *gradient)
{
    for (int f = 0; f < s->kernel->frame_count; f++)
        lv_frame_turn(s->g, gradient, &s->kernel->frames[f]);
}

/* Derivatives of f[0..m), row by row, by s->q (along rotations where bodies move on
 * groups) or by other variables. */
static void derive(subject *s, lv_node *nodes, const lv_node *f, int m,
                   const lv_node *variables)
{
    lv_diff_jacobian(s->g, nodes, f, m, variables, s->local);
    for (int r = 0; variables == s->q && r < m && lv_graph_status(s->g) == LV_OK; r++)
        turn(s, nodes + (size_t)r * (size_t)s->local);
}

/* The derivative of f[0..m) along the motion, velocities being held. */
static void derive_time(subject *s, lv_node *nodes, const lv_node *f, int m)
{
    const size_t count = (size_t)s->local + 1;
    lv_node *along = s->kernel->frame_count > 0 ? room(s, 2, (int)count) : NULL;
    if (!along) {
        if (lv_graph_status(s->g) == LV_OK)
            lv_diff_time(s->g, nodes, f, m);
        return;
    }
    lv_node *variables = along + count;
    for (int k = 0; k < s->local; k++) {
        along[k] = s->v[k];
        variables[k] = s->q[k];
    }
    for (int k = 0; k < s->kernel->frame_count; k++)
        lv_frame_velocities(s->g, along, &s->kernel->frames[k]);
    along[s->local] = lv_graph_const(s->g, 1);
    variables[s->local] = lv_graph_input(s->g, LV_INPUT_T, 0);
    if (lv_graph_status(s->g) == LV_OK)
        lv_diff_forward(s->g, nodes, f, m, variables, along, s->local + 1);
}

/* ---- energies: L is the term itself, or minus it for a potential ------------------- */

static void second_derivatives(subject *s, lv_quantity quantity, lv_node l,
                               const lv_node *rows, const lv_node *columns)
{
    lv_node *nodes = room(s, s->local, s->local);
    lv_node *first = s->kernel->frame_count > 0 ? room(s, s->local, 1) : NULL;
    /* derivatives along rotations do not commute: the second is the column */
    if (first) {
        derive(s, first, &l, 1, rows);
        if (nodes && lv_graph_status(s->g) == LV_OK)
            derive(s, nodes, first, s->local, columns);
    } else if (nodes) {
        lv_diff_hessian(s->g, nodes, l, rows, s->local, columns, s->local);
    }
    put_matrix(s, quantity, nodes, s->local, s->local);
}

static void first_derivatives(subject *s, lv_quantity quantity, lv_node l,
                              const lv_node *variables)
{
    lv_node *nodes = room(s, s->local, 1);
    if (nodes)
        lv_diff_gradient(s->g, nodes, l, variables, s->local);
    if (nodes && variables == s->q && lv_graph_status(s->g) == LV_OK)
        turn(s, nodes);
    put_vector(s, quantity, nodes, s->local);
}

/* d/dt L_v with velocities held */
static void momentum_rate(subject *s, lv_node l)
{
    lv_node *momentum = room(s, s->local, 2),
            *rate = momentum ? momentum + s->local : NULL;
    if (!momentum)
        return;
    lv_diff_gradient(s->g, momentum, l, s->v, s->local);
    if (lv_graph_status(s->g) == LV_OK)
        derive_time(s, rate, momentum, s->local);
    put_vector(s, LV_Q_MOMENTUM_RATE, rate, s->local);
}

/* (w . L_v)_qq */
static void inertia_curvature(subject *s, lv_node l)
{
    lv_node *momentum = room(s, s->local, 1);
    if (!momentum)
        return;
    lv_diff_gradient(s->g, momentum, l, s->v, s->local);
    if (lv_graph_status(s->g) != LV_OK)
        return;
    lv_node sum = lv_diff_contract(s->g, momentum, s->w, s->local);
    second_derivatives(s, LV_Q_INERTIA_CURVATURE, sum, s->q, s->q);
}

static void energy_quantity(subject *s, lv_quantity quantity)
{
    lv_role role = s->kernel->role;
    lv_node term = s->kernel->rows[0];
    lv_node l = role == LV_ROLE_POTENTIAL ? lv_graph_neg(s->g, term) : term;
    switch ((int)quantity) {
    case LV_Q_KINETIC:
        if (role == LV_ROLE_KINETIC)
            put(s, quantity, term, 0, 0);
        break;
    case LV_Q_POTENTIAL:
        if (role == LV_ROLE_POTENTIAL)
            put(s, quantity, term, 0, 0);
        break;
    case LV_Q_LAGRANGIAN:
        put(s, quantity, l, 0, 0);
        break;
    case LV_Q_MOMENTUM:
        first_derivatives(s, quantity, l, s->v);
        break;
    case LV_Q_FORCE:
        first_derivatives(s, quantity, l, s->q);
        break;
    case LV_Q_MOMENTUM_RATE:
        momentum_rate(s, l);
        break;
    case LV_Q_MASS:
        second_derivatives(s, quantity, l, s->v, s->v);
        break;
    case LV_Q_MOMENTUM_Q:
        second_derivatives(s, quantity, l, s->v, s->q);
        break;
    case LV_Q_INERTIA_CURVATURE:
        inertia_curvature(s, l);
        break;
    case LV_Q_FORCE_Q:
        second_derivatives(s, quantity, l, s->q, s->q);
        break;
    case LV_Q_FORCE_V:
        second_derivatives(s, quantity, l, s->q, s->v);
        break;
    default:
        break;
    }
}

/* ---- forces, constraints, symmetries, outputs -------------------------------------- */

/* The local coordinate that a row of a force acts on; targets are Q inputs. */
static int target(const subject *s, int row)
{
    return lv_graph_node(s->g, s->kernel->targets[row])->b;
}

static void force_quantity(subject *s, lv_quantity quantity)
{
    int m = s->kernel->row_count;
    bool by_q = quantity == LV_Q_FORCE_Q || quantity == LV_Q_APPLIED_Q;
    if (quantity == LV_Q_FORCE || quantity == LV_Q_APPLIED)
        for (int r = 0; r < m; r++)
            put(s, quantity, s->kernel->rows[r], target(s, r), 0);
    if (!by_q && quantity != LV_Q_FORCE_V && quantity != LV_Q_APPLIED_V)
        return;
    lv_node *nodes = room(s, m, s->local);
    if (!nodes)
        return;
    derive(s, nodes, s->kernel->rows, m, by_q ? s->q : s->v);
    for (int r = 0; r < m; r++)
        for (int c = 0; c < s->local; c++)
            put(s, quantity, nodes[r * s->local + c], target(s, r), c);
}

/* g_t */
static void time_partial(subject *s, lv_node *nodes)
{
    lv_node t = lv_graph_input(s->g, LV_INPUT_T, 0), one = lv_graph_const(s->g, 1);
    lv_diff_forward(s->g, nodes, s->kernel->rows, s->kernel->row_count, &t, &one, 1);
}

/* The rates of the kernel's constraints: G v + g_t, or Phi itself. */
static const lv_node *rates(subject *s)
{
    int m = s->kernel->row_count;
    lv_node *nodes = NULL;
    if (s->kernel->role == LV_ROLE_NONHOLONOMIC)
        return s->kernel->rows;
    nodes = room(s, m, 1);
    if (nodes)
        derive_time(s, nodes, s->kernel->rows, m);
    return lv_graph_status(s->g) == LV_OK ? nodes : NULL;
}

static void put_row_derivatives(subject *s, lv_quantity quantity, const lv_node *rows,
                                const lv_node *variables)
{
    int m = s->kernel->row_count;
    lv_node *matrix = room(s, m, s->local);
    if (matrix && rows)
        derive(s, matrix, rows, m, variables);
    put_matrix(s, quantity, rows ? matrix : NULL, m, s->local);
}

/* Derivative of the constraint forces, which act along G = g_q or Phi_v. */
static void put_curvature(subject *s, lv_quantity quantity, const lv_node *by)
{
    lv_node sum = lv_diff_contract(s->g, s->kernel->rows, s->y, s->kernel->row_count);
    bool velocities = s->kernel->role == LV_ROLE_NONHOLONOMIC;
    second_derivatives(s, quantity, sum, velocities ? s->v : s->q, by);
}

/* The second derivative in q of y . (G v + g_t) */
static void put_rate_curvature(subject *s)
{
    const lv_node *rate = rates(s);
    lv_node sum = LV_NODE_NONE;
    if (rate)
        sum = lv_diff_contract(s->g, rate, s->y, s->kernel->row_count);
    if (lv_graph_status(s->g) == LV_OK)
        second_derivatives(s, LV_Q_RATE_CURVATURE, sum, s->q, s->q);
}

static void position_quantity(subject *s, lv_quantity quantity)
{
    int m = s->kernel->row_count;
    lv_node *nodes = NULL;
    switch ((int)quantity) {
    case LV_Q_CONSTRAINT:
        put_vector(s, quantity, s->kernel->rows, m);
        break;
    case LV_Q_CONSTRAINT_T:
        nodes = room(s, m, 1);
        if (nodes)
            time_partial(s, nodes);
        put_vector(s, quantity, nodes, m);
        break;
    case LV_Q_JACOBIAN:
        put_row_derivatives(s, quantity, s->kernel->rows, s->q);
        break;
    case LV_Q_RATE_CURVATURE:
        put_rate_curvature(s);
        break;
    default:
        break;
    }
}

static void rate_quantity(subject *s, lv_quantity quantity)
{
    int m = s->kernel->row_count;
    lv_node *nodes = NULL;
    const lv_node *rate = NULL;
    switch ((int)quantity) {
    case LV_Q_RATE:
        put_vector(s, quantity, rates(s), m);
        break;
    case LV_Q_RATE_CURVE:
        rate = rates(s);
        nodes = room(s, m, 1);
        if (rate && nodes)
            derive_time(s, nodes, rate, m);
        put_vector(s, quantity, rate ? nodes : NULL, m);
        break;
    case LV_Q_RATE_V: /* of G v + g_t: G */
        if (s->kernel->role == LV_ROLE_NONHOLONOMIC)
            put_row_derivatives(s, quantity, s->kernel->rows, s->v);
        else
            put_row_derivatives(s, quantity, s->kernel->rows, s->q);
        break;
    case LV_Q_RATE_Q:
        put_row_derivatives(s, quantity, rates(s), s->q);
        break;
    case LV_Q_CURVATURE:
        put_curvature(s, quantity, s->q);
        break;
    case LV_Q_CURVATURE_V:
        put_curvature(s, quantity, s->v);
        break;
    default:
        break;
    }
}

static void symmetry_quantity(subject *s, lv_quantity quantity)
{
    lv_node sum = lv_graph_const(s->g, 0);
    if (quantity != LV_Q_MOMENTUM_MAP)
        return;
    for (int r = 0; r < s->kernel->row_count; r++) {
        lv_node product = lv_graph_mul(s->g, s->w[target(s, r)], s->kernel->rows[r]);
        sum = lv_graph_add(s->g, sum, product);
    }
    put(s, quantity, sum, 0, 0);
}

static void add_quantity(subject *s, lv_quantity quantity)
{
    switch (s->kernel->role) {
    case LV_ROLE_KINETIC:
    case LV_ROLE_POTENTIAL:
    case LV_ROLE_LAGRANGIAN:
        energy_quantity(s, quantity);
        break;
    case LV_ROLE_FORCE:
        force_quantity(s, quantity);
        break;
    case LV_ROLE_HOLONOMIC:
        position_quantity(s, quantity);
        rate_quantity(s, quantity);
        break;
    case LV_ROLE_NONHOLONOMIC:
        rate_quantity(s, quantity);
        break;
    case LV_ROLE_SYMMETRY:
        symmetry_quantity(s, quantity);
        break;
    case LV_ROLE_OUTPUT:
        if (quantity == LV_Q_OUTPUT)
            put_vector(s, quantity, s->kernel->rows, s->kernel->row_count);
        break;
    case LV_ROLE_EVENT:
        if (quantity == LV_Q_EVENT)
            put_vector(s, quantity, s->kernel->rows, s->kernel->row_count);
        break;
    case LV_ROLE_SHOWN:
    case LV_ROLE_VIEW: /* no model has both this role and the one above */
        if (quantity == LV_Q_SHOWN)
            put_vector(s, quantity, s->kernel->rows, s->kernel->row_count);
        break;
    case LV_ROLE_HAMILTONIAN: /* replaced by its Lagrangian when the model was built */
    case LV_ROLES:
        break;
    }
}

lv_status lv_plan_contributions(lv_contribution_list *list, lv_graph *graph,
                                const lv_kernel *kernel, lv_wanted wanted, lv_error *err)
{
    subject s = {.list = list,
                 .g = graph,
                 .kernel = kernel,
                 .local = kernel->layout.size[LV_INPUT_Q]};
    lv_status status = prepare(&s, err);
    for (int q = 0; status == LV_OK && q < LV_QUANTITIES; q++)
        if ((wanted >> q) & 1) {
            add_quantity(&s, (lv_quantity)q);
            status = lv_plan_pair(list, graph, kernel, (lv_quantity)q, err);
            if (status == LV_OK)
                status = lv_plan_power(list, graph, kernel, (lv_quantity)q, err);
            if (status == LV_OK)
                status = lv_graph_check(graph, err);
        }
    lv_arena_done(&s.scratch);
    return status;
}
