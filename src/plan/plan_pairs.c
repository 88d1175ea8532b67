/* Quantities of pairs of states, (q0, v0) -> (q1, v1), are discrete gradients (theory 5):
 * of -V and g in the positions, of T (theory 5.6) and of the hidden constraints G v + g_t
 * (theory 6.4) in positions and velocities.
 *
 * Positions and velocities are discretised together, in the space of the nodes that are at
 * most quadratic in both: q . v is an invariant of rotations as q . q and v . v are. So
 * neither a mass matrix that turns with the system nor a hidden constraint on distances
 * disturbs the momenta. The hidden constraints are linear in the velocities. Hence their
 * discrete gradients in v do not contain velocities, and have no derivative in v1. */
#include "expr/diff.h"
#include "expr/discrete.h"
#include "plan/plan_private.h"

/* What a discrete gradient is taken of. */
typedef enum discretised { STATIC_PART, KINETIC_PART, ROWS, HIDDEN } discretised;

enum { NOTHING = LV_INPUT_KINDS };

/* How a quantity is made of discrete gradients in q or in v: it is these themselves, or
 * the derivative in q1 or v1 of their sum times y. */
typedef struct demand {
    lv_quantity quantity;
    discretised f;
    lv_input in;
    int by; /* an lv_input, or NOTHING */
} demand;

static const demand demands[] = {
    {LV_Q_PAIR_FORCE, STATIC_PART, LV_INPUT_Q, NOTHING},
    {LV_Q_PAIR_FORCE_Q, STATIC_PART, LV_INPUT_Q, LV_INPUT_Q},
    {LV_Q_PAIR_MOMENTUM, KINETIC_PART, LV_INPUT_V, NOTHING},
    {LV_Q_PAIR_MOMENTUM_Q, KINETIC_PART, LV_INPUT_V, LV_INPUT_Q},
    {LV_Q_PAIR_MOMENTUM_V, KINETIC_PART, LV_INPUT_V, LV_INPUT_V},
    {LV_Q_PAIR_KINETIC, KINETIC_PART, LV_INPUT_Q, NOTHING},
    {LV_Q_PAIR_KINETIC_Q, KINETIC_PART, LV_INPUT_Q, LV_INPUT_Q},
    {LV_Q_PAIR_KINETIC_V, KINETIC_PART, LV_INPUT_Q, LV_INPUT_V},
    {LV_Q_PAIR_JACOBIAN, ROWS, LV_INPUT_Q, NOTHING},
    {LV_Q_PAIR_CURVATURE, ROWS, LV_INPUT_Q, LV_INPUT_Q},
    {LV_Q_PAIR_RATE_Q, HIDDEN, LV_INPUT_Q, NOTHING},
    {LV_Q_PAIR_RATE_V, HIDDEN, LV_INPUT_V, NOTHING},
    {LV_Q_PAIR_RATE_QQ, HIDDEN, LV_INPUT_Q, LV_INPUT_Q},
    {LV_Q_PAIR_RATE_QV, HIDDEN, LV_INPUT_Q, LV_INPUT_V},
    {LV_Q_PAIR_RATE_VQ, HIDDEN, LV_INPUT_V, LV_INPUT_Q},
};

static bool is_energy(lv_role role)
{
    return role == LV_ROLE_KINETIC || role == LV_ROLE_POTENTIAL ||
           role == LV_ROLE_LAGRANGIAN;
}

/* NULL: kernels of this role do not contribute. */
static const demand *demand_of(lv_quantity quantity, lv_role role)
{
    for (size_t k = 0; k < sizeof demands / sizeof *demands; k++) {
        const bool of_energy =
            demands[k].f == STATIC_PART || demands[k].f == KINETIC_PART;
        if (demands[k].quantity == quantity &&
            (of_energy ? is_energy(role) : role == LV_ROLE_HOLONOMIC))
            return &demands[k];
    }
    return NULL;
}

/* A quantity being derived. Arrays of nodes are those of coordinates, then those of
 * velocities. */
typedef struct pair {
    lv_graph *g;
    const lv_kernel *kernel;
    const demand *d;
    int local;
    lv_node *at;                      /* inputs */
    lv_node *before, *after, *middle; /* at the start, at the end, and between */
    lv_node *gradient;
    lv_node *sum;    /* local */
    lv_node *matrix; /* local x local */
    lv_node *f;      /* what is discretised: one per row */
} pair;

static bool make_room(pair *p, lv_arena *scratch)
{
    const size_t n = (size_t)p->local, m = (size_t)p->kernel->row_count;
    p->at = lv_arena_alloc(scratch, (11 + n) * n + m + 1, sizeof *p->at);
    if (!p->at)
        return false;
    p->before = p->at + 2 * n;
    p->after = p->before + 2 * n;
    p->middle = p->after + 2 * n;
    p->gradient = p->middle + 2 * n;
    p->sum = p->gradient + 2 * n;
    p->matrix = p->sum + n;
    p->f = p->matrix + n * n;
    return true;
}

/* Of kinetic energies the mean velocity is an input, so that for a quadratic T the
 * discrete gradient D2 T is the gradient there, to the last bit. Otherwise v1 is. */
static void name_inputs(const pair *p)
{
    lv_graph *g = p->g;
    const int n = p->local;
    const bool mean = p->d->f == KINETIC_PART;
    for (int k = 0; k < n; k++) {
        p->at[k] = p->after[k] = lv_graph_input(g, LV_INPUT_Q, k);
        p->at[n + k] = p->after[n + k] = lv_graph_input(g, LV_INPUT_V, k);
        p->before[k] = lv_graph_input(g, LV_INPUT_W, k);
        p->before[n + k] = lv_graph_input(g, LV_INPUT_W, n + k);
        if (mean) {
            lv_node two = lv_graph_const(g, 2);
            lv_node twice = lv_graph_mul(g, two, p->at[n + k]);
            p->middle[n + k] = p->at[n + k];
            p->after[n + k] = lv_graph_sub(g, twice, p->before[n + k]);
        }
    }
    lv_discrete_middle(g, p->middle, p->before, p->after, mean ? n : 2 * n);
}

/* Splits L into the part without velocities, -V, and the rest, T. */
static lv_node part_of_energy(const pair *p)
{
    const lv_role role = p->kernel->role;
    lv_node l = p->kernel->rows[0];
    if (role == LV_ROLE_POTENTIAL)
        l = lv_graph_neg(p->g, l);
    lv_node rest = role == LV_ROLE_KINETIC ? lv_graph_const(p->g, 0)
                                           : lv_analyse_at_zero(p->g, l, LV_KIND(V));
    return p->d->f == STATIC_PART ? rest : lv_graph_sub(p->g, l, rest);
}

static lv_status find_functions(const pair *p, lv_error *err)
{
    const int m = p->kernel->row_count;
    if (is_energy(p->kernel->role))
        p->f[0] = part_of_energy(p);
    else if (p->d->f == HIDDEN)
        lv_diff_time(p->g, p->f, p->kernel->rows, m);
    else
        for (int r = 0; r < m; r++)
            p->f[r] = p->kernel->rows[r];
    return lv_graph_check(p->g, err);
}

/* The half of `both` that belongs to a kind of input. */
static lv_node *half(const pair *p, lv_node *both, lv_input kind)
{
    return kind == LV_INPUT_V ? both + p->local : both;
}

/* The factor of a discrete gradient: 2 D2 T; multipliers where gradients of constraints
 * are summed up. This is not the discrete gradient of the sum: multipliers are not
 * discretised. */
static lv_node factor_of(const pair *p, int row)
{
    if (is_energy(p->kernel->role))
        return lv_graph_const(p->g, p->d->in == LV_INPUT_V ? 2 : 1);
    return p->d->by == NOTHING ? lv_graph_const(p->g, 1)
                               : lv_graph_input(p->g, LV_INPUT_Y, row);
}

/* Adds the discrete gradient of a row, times its factor, to the sum. */
static lv_status add_gradient(const pair *p, int row, lv_error *err)
{
    const lv_way way = {2 * p->local, p->at, p->before, p->after, p->middle};
    const lv_node factor = factor_of(p, row), *gradient = half(p, p->gradient, p->d->in);
    LV_TRY(lv_discrete_gradient(p->g, p->gradient, p->f[row], &way, way.n, err));
    for (int k = 0; k < p->local; k++) {
        lv_node product = lv_graph_mul(p->g, factor, gradient[k]);
        p->sum[k] = lv_graph_add(p->g, p->sum[k], product);
    }
    return lv_graph_check(p->g, err);
}

static void clear_sum(const pair *p)
{
    for (int k = 0; k < p->local; k++)
        p->sum[k] = lv_graph_const(p->g, 0);
}

static lv_status put_row(const pair *p, lv_contribution_list *list, const lv_node *nodes,
                         int row, lv_error *err)
{
    const bool is_vector = lv_quantity_shape(p->d->quantity) == LV_SHAPE_VECTOR;
    for (int k = 0; k < p->local; k++) {
        const lv_contribution c = {nodes[k], p->d->quantity, is_vector ? k : row,
                                   is_vector ? 0 : k};
        if (!lv_graph_is_const(p->g, c.node, 0) && !LV_PUSH(*list, c))
            return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status derive(const pair *p, lv_contribution_list *list, lv_error *err)
{
    const int n = p->local;
    name_inputs(p);
    LV_TRY(find_functions(p, err));
    clear_sum(p);
    for (int r = 0; r < p->kernel->row_count; r++) {
        LV_TRY(add_gradient(p, r, err));
        if (p->d->by != NOTHING)
            continue;
        LV_TRY(put_row(p, list, p->sum, r, err));
        clear_sum(p);
    }
    if (p->d->by == NOTHING)
        return LV_OK;
    lv_diff_jacobian(p->g, p->matrix, p->sum, n, half(p, p->at, (lv_input)p->d->by), n);
    LV_TRY(lv_graph_check(p->g, err));
    for (int r = 0; r < n; r++)
        LV_TRY(put_row(p, list, p->matrix + (ptrdiff_t)r * n, r, err));
    return LV_OK;
}

lv_status lv_plan_pair(lv_contribution_list *list, lv_graph *g, const lv_kernel *kernel,
                       lv_quantity quantity, lv_error *err)
{
    lv_arena scratch = {0};
    pair p = {.g = g,
              .kernel = kernel,
              .d = demand_of(quantity, kernel->role),
              .local = kernel->layout.size[LV_INPUT_Q]};
    if (!p.d)
        return LV_OK;
    lv_status status =
        make_room(&p, &scratch) ? derive(&p, list, err) : lv_fail_memory(err);
    lv_arena_done(&scratch);
    return status;
}
