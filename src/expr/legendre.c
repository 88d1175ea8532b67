#include "expr/legendre.h"

#include "expr/analyse.h"
#include "expr/diff.h"
#include "expr/discrete.h"

/* Half the sum of z^2 / d over all pivots that are the same node d. */
typedef struct squares {
    lv_node pivot, sum;
} squares;

typedef struct transform {
    lv_graph *g;
    lv_arena *arena;
    lv_legendre *result;
    const lv_node *p, *v;
    int n;
    lv_node *gradient; /* derivatives of h by p */
    lv_node *rest;     /* p0 */
    squares *squares;
    int square_count, pivot_count;
    lv_node products; /* kinetic energy of the 2 x 2 pivots, see pick_pair */
} transform;

/* One block during its elimination. A step eliminates one variable, or two with the pivot
 * [0 e; e 0]. */
typedef struct block {
    int n;
    int member[LV_LEGENDRE_BLOCK];
    lv_node a[LV_LEGENDRE_BLOCK][LV_LEGENDRE_BLOCK];
    /* x[m][s]: entry of X in row m and the column of variable s */
    lv_node x[LV_LEGENDRE_BLOCK][LV_LEGENDRE_BLOCK];
    lv_node diagonal[LV_LEGENDRE_BLOCK];
    bool gone[LV_LEGENDRE_BLOCK];
    int order[LV_LEGENDRE_BLOCK]; /* variables in the order of elimination */
    /* the other variable of the step, or the variable itself */
    int partner[LV_LEGENDRE_BLOCK];
    lv_node pivot[LV_LEGENDRE_BLOCK];
    int taken;
} block;

/* a m without division, if a is a multiple of 1/m; otherwise LV_NODE_NONE. */
static lv_node cancelled(lv_graph *g, lv_node a, lv_node m, int depth)
{
    const lv_node_data d = *lv_graph_node(g, a);
    if (d.op == LV_OP_DIV && d.b == m)
        return d.a;
    if ((d.op != LV_OP_MUL && d.op != LV_OP_NEG) || depth > 8)
        return LV_NODE_NONE;
    lv_node first = cancelled(g, d.a, m, depth + 1);
    if (d.op == LV_OP_NEG)
        return first < 0 ? first : lv_graph_neg(g, first);
    if (first >= 0)
        return lv_graph_mul(g, first, d.b);
    lv_node second = cancelled(g, d.b, m, depth + 1);
    return second < 0 ? second : lv_graph_mul(g, d.a, second);
}

/* a m */
static lv_node multiply(lv_graph *g, lv_node a, lv_node m)
{
    lv_node left = cancelled(g, a, m, 0);
    return left >= 0 ? left : lv_graph_mul(g, a, m);
}

/* a / d. If d is a quotient, or has a factor 1/m, the result is a product. */
static lv_node divide(lv_graph *g, lv_node a, lv_node d)
{
    if (a < 0 || d < 0 || lv_graph_status(g) != LV_OK)
        return LV_NODE_NONE;
    const lv_node_data data = *lv_graph_node(g, d);
    if (data.op == LV_OP_DIV) {
        lv_node product = multiply(g, a, data.b);
        return divide(g, product, data.a);
    }
    if (data.op == LV_OP_MUL && lv_graph_node(g, data.a)->op == LV_OP_CONST) {
        lv_node quotient = divide(g, a, data.b);
        return lv_graph_div(g, quotient, data.a);
    }
    return lv_graph_div(g, a, d);
}

static bool is_zero(const lv_graph *g, lv_node node)
{
    return node < 0 || lv_graph_is_const(g, node, 0);
}

/* ---- pivots ------------------------------------------------------------------------------ */

/* Cost of a pivot: 0 for a constant, 1 if it depends on parameters and indices only, 2 if
 * it varies with the state */
static int cost_of_pivot(const transform *t, lv_node node)
{
    static const lv_input moving[] = {LV_INPUT_Q, LV_INPUT_T};
    lv_node_list found = {0};
    bool ok = true;
    if (lv_graph_node(t->g, node)->op == LV_OP_CONST)
        return 0;
    for (int k = 0; k < 2 && ok; k++)
        ok = lv_analyse_inputs(t->g, &found, &node, 1, moving[k], NULL) == LV_OK;
    if (!ok)
        lv_graph_give_up(t->g, LV_ERR_MEMORY);
    int cost = found.count > 0 ? 2 : 1;
    LV_ARRAY_FREE(found);
    return cost;
}

/* The remaining variable with the cheapest pivot, or -1 if all are zero. */
static int pick_one(const transform *t, const block *b)
{
    int best = -1, least = 3;
    for (int k = 0; k < b->n; k++) {
        if (b->gone[k] || is_zero(t->g, b->a[k][k]))
            continue;
        int cost = b->n == 1 ? 0 : cost_of_pivot(t, b->a[k][k]);
        if (cost < least) {
            best = k;
            least = cost;
        }
    }
    return best;
}

/* Finds two remaining variables that are coupled, if the diagonal is zero; false: there
 * are none. */
static bool pick_pair(const transform *t, const block *b, int *one, int *other)
{
    for (*one = 0; *one < b->n; (*one)++)
        for (*other = *one + 1; *other < b->n; (*other)++)
            if (!b->gone[*one] && !b->gone[*other] && !is_zero(t->g, b->a[*one][*other]))
                return true;
    return false;
}

static void take_variable(block *b, int variable, int partner, lv_node pivot)
{
    b->gone[variable] = true;
    b->order[b->taken] = variable;
    b->partner[b->taken] = partner;
    b->pivot[b->taken++] = pivot;
}

/* ---- elimination ------------------------------------------------------------------------- */

/* Eliminates the variables that were taken from `first` on from the remaining rows. */
static void eliminate(transform *t, block *b, int first)
{
    lv_graph *g = t->g;
    for (int m = 0; m < b->n; m++)
        for (int s = first; !b->gone[m] && s < b->taken; s++)
            b->x[m][b->order[s]] = divide(g, b->a[m][b->partner[s]], b->pivot[s]);
    for (int m = 0; m < b->n; m++)
        for (int k = 0; k <= m; k++)
            for (int s = first; !b->gone[m] && !b->gone[k] && s < b->taken; s++) {
                lv_node change =
                    lv_graph_mul(g, b->x[m][b->order[s]], b->a[b->order[s]][k]);
                b->a[m][k] = lv_graph_sub(g, b->a[m][k], change);
                b->a[k][m] = b->a[m][k];
            }
}

/* Factors A = X D X^T; false: A is singular, and *singular is a variable with a zero
 * pivot. */
static bool factor_block(transform *t, block *b, int *singular)
{
    while (b->taken < b->n && lv_graph_status(t->g) == LV_OK) {
        int one = pick_one(t, b), other = one, first = b->taken;
        if (one < 0 && !pick_pair(t, b, &one, &other)) {
            for (one = 0; b->gone[one]; one++)
                continue;
            *singular = b->member[one];
            return false;
        }
        lv_node pivot = b->a[one][other];
        take_variable(b, one, other, pivot);
        if (other != one)
            take_variable(b, other, one, pivot);
        eliminate(t, b, first);
    }
    return true;
}

/* z = X^-1 r, in place */
static void solve_forward(transform *t, const block *b, lv_node *r)
{
    for (int s = 0; s < b->taken; s++)
        for (int later = s + 1; later < b->taken; later++) {
            int m = b->order[later];
            if (b->partner[s] == m)
                continue;
            lv_node change = lv_graph_mul(t->g, b->x[m][b->order[s]], r[b->order[s]]);
            r[m] = lv_graph_sub(t->g, r[m], change);
        }
}

/* u = X^-T D^-1 z */
static void solve_backward(transform *t, const block *b, lv_node *u, const lv_node *z)
{
    for (int s = b->taken - 1; s >= 0; s--) {
        int variable = b->order[s];
        lv_node value = divide(t->g, z[b->partner[s]], b->pivot[s]);
        for (int later = s + 1; later < b->taken; later++) {
            int m = b->order[later];
            if (b->partner[s] == m)
                continue;
            lv_node change = lv_graph_mul(t->g, b->x[m][variable], u[m]);
            value = lv_graph_sub(t->g, value, change);
        }
        u[variable] = value;
    }
}

/* ---- results ----------------------------------------------------------------------- */

static void add_square(transform *t, lv_node pivot, lv_node z)
{
    int k = 0;
    lv_node square = lv_graph_square(t->g, z);
    while (k < t->square_count && t->squares[k].pivot != pivot)
        k++;
    if (k == t->square_count)
        t->squares[t->square_count++] = (squares){pivot, lv_graph_const(t->g, 0)};
    t->squares[k].sum = lv_graph_add(t->g, t->squares[k].sum, square);
}

/* 1/2 v.M v = sum z^2 / (2 d), z = X^-1 v; a 2 x 2 pivot contributes z1 z2 / e */
static void add_kinetic(transform *t, const block *b, const lv_node *z)
{
    for (int s = 0; s < b->taken; s++) {
        int one = b->order[s], other = b->partner[s];
        if (one == other) {
            add_square(t, b->pivot[s], z[one]);
        } else if (one < other) {
            lv_node product = lv_graph_mul(t->g, z[one], z[other]);
            lv_node energy = divide(t->g, product, b->pivot[s]);
            t->products = lv_graph_add(t->g, t->products, energy);
        }
    }
}

static void solve(transform *t, const block *b)
{
    lv_node z[LV_LEGENDRE_BLOCK], moving[LV_LEGENDRE_BLOCK], rest[LV_LEGENDRE_BLOCK];
    for (int k = 0; k < b->n; k++)
        z[k] = t->v[b->member[k]];
    solve_forward(t, b, z);
    add_kinetic(t, b, z);
    solve_backward(t, b, moving, z);
    for (int k = 0; k < b->n; k++) {
        lv_node linear = lv_analyse_at_zero(t->g, t->gradient[b->member[k]], LV_KIND(M));
        z[k] = lv_graph_neg(t->g, linear);
    }
    solve_forward(t, b, z);
    solve_backward(t, b, rest, z);
    for (int k = 0; k < b->n; k++) {
        int member = b->member[k];
        t->rest[member] = rest[k];
        t->result->momenta[member] = lv_graph_add(t->g, moving[k], rest[k]);
        t->result->pivots[t->pivot_count] = b->pivot[k];
        t->result->diagonal[t->pivot_count++] = b->diagonal[b->order[k]];
    }
}

/* Fills b->a with the entries of A between the variables of a block. */
static void fill_block(transform *t, block *b)
{
    lv_node rows[LV_LEGENDRE_BLOCK], column[LV_LEGENDRE_BLOCK];
    lv_node one = lv_graph_const(t->g, 1);
    for (int k = 0; k < b->n; k++)
        rows[k] = t->gradient[b->member[k]];
    for (int c = 0; c < b->n && lv_graph_status(t->g) == LV_OK; c++) {
        lv_diff_forward(t->g, column + c, rows + c, b->n - c, &t->p[b->member[c]], &one,
                        1);
        for (int r = c; r < b->n; r++) {
            b->a[r][c] = lv_analyse_at_zero(t->g, column[r], LV_KIND(M));
            b->a[c][r] = b->a[r][c];
        }
        b->diagonal[c] = b->a[c][c];
    }
}

static lv_status allocate(transform *t, lv_error *err)
{
    size_t n = (size_t)t->n;
    t->gradient = lv_arena_alloc(t->arena, n, sizeof *t->gradient);
    t->rest = lv_arena_alloc(t->arena, n, sizeof *t->rest);
    t->squares = lv_arena_alloc(t->arena, n, sizeof *t->squares);
    t->result->momenta = lv_arena_alloc(t->arena, n, sizeof *t->result->momenta);
    t->result->pivots = lv_arena_alloc(t->arena, n, sizeof *t->result->pivots);
    t->result->diagonal = lv_arena_alloc(t->arena, n, sizeof *t->result->diagonal);
    return t->gradient && t->rest && t->squares && t->result->momenta &&
                   t->result->pivots && t->result->diagonal
               ? LV_OK
               : lv_fail_memory(err);
}

/* Lists the blocks by their numbers, each with its members in order. */
static lv_status list_blocks(transform *t, block **blocks, int *count, const int *of,
                             lv_error *err)
{
    *count = 0;
    for (int k = 0; k < t->n; k++)
        *count = of[k] >= *count ? of[k] + 1 : *count;
    *blocks = lv_arena_alloc(t->arena, (size_t)*count, sizeof **blocks);
    if (!*blocks)
        return lv_fail_memory(err);
    for (int k = 0; k < t->n; k++) {
        block *b = &(*blocks)[of[k]];
        if (b->n == LV_LEGENDRE_BLOCK)
            return lv_fail(err, LV_ERR_LIMIT, "more than %d momenta are coupled",
                           LV_LEGENDRE_BLOCK);
        b->member[b->n++] = k;
    }
    return LV_OK;
}

static void sum_up(transform *t, lv_node h)
{
    lv_graph *g = t->g;
    lv_node half = lv_graph_const(g, 0.5), kinetic = t->products;
    for (int k = 0; k < t->square_count; k++) {
        lv_node quotient = divide(g, t->squares[k].sum, t->squares[k].pivot);
        lv_node energy = lv_graph_mul(g, half, quotient);
        kinetic = lv_graph_add(g, kinetic, energy);
    }
    t->result->kinetic = kinetic;
    t->result->gyroscopic = lv_diff_contract(g, t->rest, t->v, t->n);
    t->result->potential = lv_graph_replace(g, h, t->p, t->rest, t->n);
}

/* Factors and solves all blocks; false: one of them is singular. */
static bool invert(transform *t, block *blocks, int count)
{
    for (int k = 0; k < count && lv_graph_status(t->g) == LV_OK; k++) {
        fill_block(t, &blocks[k]);
        if (!factor_block(t, &blocks[k], &t->result->singular))
            return false;
        if (lv_graph_status(t->g) == LV_OK)
            solve(t, &blocks[k]);
    }
    return true;
}

lv_status lv_legendre_transform(lv_legendre *result, lv_graph *g, lv_arena *arena,
                                lv_node h, const lv_node *p, const lv_node *v,
                                const int *of, int n, lv_error *err)
{
    transform t = {.g = g, .arena = arena, .result = result, .p = p, .v = v, .n = n};
    block *blocks = NULL;
    int count = 0;
    *result = (lv_legendre){.singular = -1};
    LV_TRY(lv_graph_check(g, err));
    LV_TRY(allocate(&t, err));
    LV_TRY(list_blocks(&t, &blocks, &count, of, err));
    int mark = lv_graph_enter_node(g, h); /* every new node is derived from h */
    t.products = lv_graph_const(g, 0);
    lv_diff_gradient(g, t.gradient, h, p, n);
    if (invert(&t, blocks, count))
        sum_up(&t, h);
    lv_graph_leave(g, mark);
    return lv_graph_check(g, err);
}
