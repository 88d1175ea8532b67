/* Derivatives (theory 2). Both modes use one table of partial derivatives. A conditional
 * (also min and max) passes on the derivatives of its taken branch only, so the other
 * branch may be undefined where it is not taken: sqrt(x) in if(x > 0, ...) never leads to
 * 0 * inf. */
#include "expr/diff.h"

#include "base/memory.h"
#include "expr/analyse.h"

static lv_node constant(lv_graph *g, double value)
{
    return lv_graph_const(g, value);
}

/* 1 / x */
static lv_node inverse_of(lv_graph *g, lv_node x)
{
    lv_node one = constant(g, 1);
    return lv_graph_div(g, one, x);
}

/* 1 - x^2 or 1 + x^2 */
static lv_node one_and_square(lv_graph *g, lv_node x, double sign)
{
    lv_node one = constant(g, 1), square = lv_graph_square(g, x);
    return sign < 0 ? lv_graph_sub(g, one, square) : lv_graph_add(g, one, square);
}

/* 1 - x^2 without cancellation near |x| = 1 */
static lv_node one_minus_square(lv_graph *g, lv_node x)
{
    lv_node one = constant(g, 1);
    lv_node minus = lv_graph_sub(g, one, x), plus = lv_graph_add(g, one, x);
    return lv_graph_mul(g, minus, plus);
}

/* b * a^(b - 1) */
static lv_node power_partial(lv_graph *g, lv_node a, lv_node b)
{
    lv_node one = constant(g, 1);
    lv_node less = lv_graph_sub(g, b, one);
    lv_node power = lv_graph_pow(g, a, less);
    return lv_graph_mul(g, b, power);
}

/* Partial derivative of a node with one operand. */
static lv_node unary_partial(lv_graph *g, lv_node n)
{
    const lv_node_data d = *lv_graph_node(g, n);
    lv_node r = LV_NODE_NONE;
    switch ((int)d.op) {
    case LV_OP_NEG:
        return constant(g, -1);
    case LV_OP_SQUARE:
        r = constant(g, 2);
        return lv_graph_mul(g, r, d.a);
    case LV_OP_SQRT:
        r = constant(g, 0.5);
        return lv_graph_div(g, r, n);
    case LV_OP_SIN:
        return lv_graph_op(g, LV_OP_COS, d.a, 0, 0);
    case LV_OP_COS:
        r = lv_graph_op(g, LV_OP_SIN, d.a, 0, 0);
        return lv_graph_neg(g, r);
    case LV_OP_TAN:
        return one_and_square(g, n, 1);
    case LV_OP_ASIN:
    case LV_OP_ACOS:
        r = one_minus_square(g, d.a);
        r = lv_graph_op(g, LV_OP_SQRT, r, 0, 0);
        r = inverse_of(g, r);
        return d.op == LV_OP_ASIN ? r : lv_graph_neg(g, r);
    case LV_OP_ATAN:
        r = one_and_square(g, d.a, 1);
        return inverse_of(g, r);
    case LV_OP_SINH:
        return lv_graph_op(g, LV_OP_COSH, d.a, 0, 0);
    case LV_OP_COSH:
        return lv_graph_op(g, LV_OP_SINH, d.a, 0, 0);
    case LV_OP_TANH:
        return one_and_square(g, n, -1);
    case LV_OP_EXP:
        return n;
    case LV_OP_LOG:
        return inverse_of(g, d.a);
    case LV_OP_ABS:
        return lv_graph_op(g, LV_OP_SIGN, d.a, 0, 0);
    default: /* sign is constant where it has a derivative */
        return constant(g, 0);
    }
}

/* Partial derivative of a node with two operands with respect to operand `which`. */
static lv_node binary_partial(lv_graph *g, lv_node n, int which)
{
    const lv_node_data d = *lv_graph_node(g, n);
    lv_node r = LV_NODE_NONE, s = LV_NODE_NONE;
    switch ((int)d.op) {
    case LV_OP_ADD:
        return constant(g, 1);
    case LV_OP_SUB:
        return constant(g, which == 0 ? 1 : -1);
    case LV_OP_MUL:
        return which == 0 ? d.b : d.a;
    case LV_OP_DIV:
        if (which == 0)
            return inverse_of(g, d.b);
        r = lv_graph_div(g, n, d.b);
        return lv_graph_neg(g, r);
    case LV_OP_POW:
        if (which == 0)
            return power_partial(g, d.a, d.b);
        r = lv_graph_op(g, LV_OP_LOG, d.a, 0, 0);
        return lv_graph_mul(g, n, r);
    case LV_OP_ATAN2:
        r = lv_graph_square(g, d.a);
        s = lv_graph_square(g, d.b);
        r = lv_graph_add(g, r, s);
        s = lv_graph_div(g, which == 0 ? d.b : d.a, r);
        return which == 0 ? s : lv_graph_neg(g, s);
    default: /* comparisons */
        return constant(g, 0);
    }
}

static lv_node partial(lv_graph *g, lv_node n, int which)
{
    return lv_op_arity(lv_graph_node(g, n)->op) == 1 ? unary_partial(g, n)
                                                     : binary_partial(g, n, which);
}

/* A conditional: condition != 0 ? yes : no; min and max are brought to this form. */
typedef struct choice {
    lv_node condition, yes, no;
} choice;

static bool is_choice(lv_op op)
{
    return op == LV_OP_SELECT || op == LV_OP_MIN || op == LV_OP_MAX;
}

static choice choice_of(lv_graph *g, lv_node n)
{
    const lv_node_data d = *lv_graph_node(g, n);
    if (d.op == LV_OP_SELECT)
        return (choice){d.a, d.b, d.c};
    /* min: b < a ? b : a, max: a < b ? b : a */
    lv_node less = d.op == LV_OP_MIN ? lv_graph_op(g, LV_OP_LESS, d.b, d.a, 0)
                                     : lv_graph_op(g, LV_OP_LESS, d.a, d.b, 0);
    return (choice){less, d.b, d.a};
}

static void set_all_nodes(lv_node *nodes, int count, lv_node value)
{
    for (int i = 0; i < count; i++)
        nodes[i] = value;
}

/* Returns a table of `count` nodes, all LV_NODE_NONE. NULL if there is no memory; the
 * graph has then failed. */
static lv_node *node_table(lv_graph *g, int count)
{
    lv_node *table = lv_memory_zeroed((size_t)count, sizeof *table);
    if (table)
        set_all_nodes(table, count, LV_NODE_NONE);
    else
        lv_graph_give_up(g, LV_ERR_MEMORY);
    return table;
}

/* ---- forward ---------------------------------------------------------------------- */

enum { NEEDED = -2 }; /* mark in a table: to be differentiated, not done yet */

/* Marks the operands of needed nodes as needed. */
static void mark_needed(const lv_graph *g, lv_node *table, lv_node last)
{
    for (lv_node i = last; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(g, i);
        int arity = table[i] == NEEDED ? lv_op_arity(d->op) : 0;
        if (arity > 0)
            table[d->a] = NEEDED;
        if (arity > 1)
            table[d->b] = NEEDED;
        if (arity > 2)
            table[d->c] = NEEDED;
    }
}

/* The tangent of node n from the tangents of its operands. */
static lv_node tangent_of(lv_graph *g, lv_node n, const lv_node *tangent)
{
    const lv_node_data d = *lv_graph_node(g, n);
    lv_node result = constant(g, 0);
    if (d.op == LV_OP_CONST || d.op == LV_OP_INPUT)
        return result;
    if (is_choice(d.op)) {
        choice c = choice_of(g, n);
        return lv_graph_select(g, c.condition, tangent[c.yes], tangent[c.no]);
    }

    for (int which = 0; which < lv_op_arity(d.op); which++) {
        lv_node inner = tangent[which == 0 ? d.a : d.b];
        if (lv_graph_is_const(g, inner, 0))
            continue;
        lv_node outer = partial(g, n, which);
        lv_node product = lv_graph_mul(g, outer, inner);
        result = lv_graph_add(g, result, product);
    }
    return result;
}

void lv_diff_forward(lv_graph *g, lv_node *result, const lv_node *f, int m,
                     const lv_node *variables, const lv_node *tangents, int n)
{
    lv_node last = -1;
    for (int i = 0; i < m; i++)
        last = f[i] > last ? f[i] : last;
    lv_node *tangent = node_table(g, last + 1);
    set_all_nodes(result, m, LV_NODE_NONE);
    if (lv_graph_status(g) == LV_OK) {
        for (int i = 0; i < m; i++)
            tangent[f[i]] = NEEDED;
        mark_needed(g, tangent, last);
        for (int k = 0; k < n; k++)
            if (variables[k] <= last && tangent[variables[k]] == NEEDED)
                tangent[variables[k]] = tangents[k];
    }
    for (lv_node i = 0; i <= last && lv_graph_status(g) == LV_OK; i++) {
        if (tangent[i] != NEEDED)
            continue;
        int mark = lv_graph_enter_node(g, i);
        tangent[i] = tangent_of(g, i, tangent);
        lv_graph_leave(g, mark);
    }
    for (int i = 0; i < m && lv_graph_status(g) == LV_OK; i++)
        result[i] = tangent[f[i]];
    lv_memory_free(tangent);
}

/* ---- reverse ---------------------------------------------------------------------- */

/* The computation of one gradient: the variables, and for every conditional below f the
 * gradient through it. A conditional passes on the gradient of its taken branch: its
 * branches are differentiated separately, selected per variable, and only then multiplied
 * by the adjoint. Inner conditionals come first, so each is differentiated once however
 * often it is used. */
typedef struct reverse {
    lv_graph *graph;
    const lv_node *variables;
    int n;
    /* row of each conditional in `through`; -1: its derivative is zero, or it is no
     * conditional */
    int *row;
    lv_node *through; /* rows of n nodes: gradients of the conditionals */
} reverse;

/* adjoint[n] += value */
static void accumulate(lv_graph *g, lv_node *adjoint, lv_node n, lv_node value)
{
    adjoint[n] = adjoint[n] < 0 ? value : lv_graph_add(g, adjoint[n], value);
}

/* Passes the adjoint of node n on to its operands. */
static void pass_on(lv_graph *g, lv_node *adjoint, lv_node n)
{
    const lv_node_data d = *lv_graph_node(g, n);
    for (int which = 0; which < lv_op_arity(d.op); which++) {
        lv_node operand = which == 0 ? d.a : d.b;
        if (lv_graph_node(g, operand)->op == LV_OP_CONST)
            continue;
        lv_node outer = partial(g, n, which);
        lv_node product = lv_graph_mul(g, adjoint[n], outer);
        if (!lv_graph_is_const(g, product, 0))
            accumulate(g, adjoint, operand, product);
    }
}

/* gradient += adjoint * (gradient through the conditional n) */
static void pass_through(const reverse *r, lv_node *gradient, lv_node n, lv_node adjoint)
{
    if (r->row[n] < 0)
        return;
    const lv_node *through = r->through + (size_t)r->row[n] * (size_t)r->n;
    for (int k = 0; k < r->n; k++) {
        if (lv_graph_is_const(r->graph, through[k], 0))
            continue;
        lv_node product = lv_graph_mul(r->graph, adjoint, through[k]);
        gradient[k] = lv_graph_add(r->graph, gradient[k], product);
    }
}

static void sweep_adjoints(const reverse *r, lv_node *gradient, lv_node f)
{
    lv_graph *g = r->graph;
    set_all_nodes(gradient, r->n, constant(g, 0));
    lv_node *adjoint = node_table(g, f + 1);
    if (adjoint)
        adjoint[f] = constant(g, 1);
    for (lv_node i = f; i >= 0 && lv_graph_status(g) == LV_OK; i--) {
        if (adjoint[i] < 0)
            continue;
        int mark = lv_graph_enter_node(g, i);
        if (is_choice(lv_graph_node(g, i)->op))
            pass_through(r, gradient, i, adjoint[i]);
        else
            pass_on(g, adjoint, i);
        lv_graph_leave(g, mark);
    }
    for (int k = 0; k < r->n && lv_graph_status(g) == LV_OK; k++)
        if (r->variables[k] <= f && adjoint[r->variables[k]] >= 0)
            gradient[k] = lv_graph_add(g, gradient[k], adjoint[r->variables[k]]);
    lv_memory_free(adjoint);
}

/* Computes the gradient through one conditional and stores it in its row. */
static void sweep_choice(const reverse *r, lv_node n)
{
    lv_graph *g = r->graph;
    lv_node *yes = node_table(g, 2 * r->n + 1), *no = yes ? yes + r->n : NULL;
    lv_node *through = r->through + (size_t)r->row[n] * (size_t)r->n;
    int mark = lv_graph_enter_node(g, n);
    choice c = choice_of(g, n);
    if (lv_graph_status(g) == LV_OK) {
        sweep_adjoints(r, yes, c.yes);
        sweep_adjoints(r, no, c.no);
    }
    for (int k = 0; k < r->n && lv_graph_status(g) == LV_OK; k++)
        through[k] =
            yes[k] == no[k] ? yes[k] : lv_graph_select(g, c.condition, yes[k], no[k]);
    lv_graph_leave(g, mark);
    lv_memory_free(yes);
}

/* Marks the nodes below f that depend on the variables with a derivative; conditions have
 * none and do not count. */
static bool *find_varying(const reverse *r, lv_node f)
{
    lv_graph *g = r->graph;
    bool *varies = lv_memory_zeroed((size_t)f + 1, sizeof *varies);
    for (int k = 0; k < r->n && varies; k++)
        if (r->variables[k] <= f)
            varies[r->variables[k]] = true;
    for (lv_node i = 0; i <= f && varies; i++) {
        const lv_node_data *d = lv_graph_node(g, i);
        const int arity = lv_op_arity(d->op);
        varies[i] = varies[i] || (arity > 0 && d->op != LV_OP_SELECT && varies[d->a]) ||
                    (arity > 1 && varies[d->b]) || (arity > 2 && varies[d->c]);
    }
    if (!varies)
        lv_graph_give_up(g, LV_ERR_MEMORY);
    return varies;
}

/* Numbers the conditionals below f that have a nonzero derivative; returns how many. */
static int number_choices(reverse *r, lv_node f)
{
    lv_graph *g = r->graph;
    bool *varies = find_varying(r, f);
    int choices = 0;
    for (lv_node i = 0; i <= f; i++) {
        bool passed = varies && r->row[i] == NEEDED && varies[i] &&
                      is_choice(lv_graph_node(g, i)->op);
        r->row[i] = passed ? choices++ : -1;
    }
    lv_memory_free(varies);
    return choices;
}

/* Finds the conditionals below f and differentiates through them, inner ones first. */
static void prepare_choices(reverse *r, lv_node f)
{
    lv_graph *g = r->graph;
    r->row = node_table(g, f + 1);
    if (!r->row)
        return;
    r->row[f] = NEEDED;
    mark_needed(g, r->row, f);
    const int choices = number_choices(r, f);
    if (choices == 0)
        return;
    size_t size = 0;
    if (lv_size_mul((size_t)choices, (size_t)r->n + 1, &size) && size < (1U << 28))
        r->through = node_table(g, (int)size);
    else
        lv_graph_give_up(g, LV_ERR_LIMIT);
    for (lv_node i = 0; i <= f && lv_graph_status(g) == LV_OK; i++)
        if (r->row[i] >= 0)
            sweep_choice(r, i);
}

void lv_diff_gradient(lv_graph *g, lv_node *gradient, lv_node f, const lv_node *variables,
                      int n)
{
    reverse r = {g, variables, n, NULL, NULL};
    if (f >= 0 && lv_graph_status(g) == LV_OK)
        prepare_choices(&r, f);
    if (lv_graph_status(g) == LV_OK)
        sweep_adjoints(&r, gradient, f);
    if (lv_graph_status(g) != LV_OK)
        set_all_nodes(gradient, n, LV_NODE_NONE);
    lv_memory_free(r.row);
    lv_memory_free(r.through);
}

/* ---- functions that use both modes ------------------------------------------------- */

void lv_diff_jacobian(lv_graph *g, lv_node *jacobian, const lv_node *f, int m,
                      const lv_node *variables, int n)
{
    for (int i = 0; i < m; i++)
        lv_diff_gradient(g, jacobian + (size_t)i * (size_t)n, f[i], variables, n);
    if (lv_graph_status(g) != LV_OK)
        set_all_nodes(jacobian, m * n, LV_NODE_NONE);
}

/* Column k of the Hessian: the tangent of the gradient along one variable. */
static void hessian_column(lv_graph *g, lv_node *column, const lv_node *gradient,
                           int count, lv_node variable)
{
    lv_node one = constant(g, 1);
    lv_diff_forward(g, column, gradient, count, &variable, &one, 1);
}

void lv_diff_hessian(lv_graph *g, lv_node *hessian, lv_node f, const lv_node *rows,
                     int nr, const lv_node *columns, int nc)
{
    bool symmetric = rows == columns && nr == nc;
    lv_node *gradient = node_table(g, 2 * nr), *column = gradient ? gradient + nr : NULL;
    if (gradient)
        lv_diff_gradient(g, gradient, f, rows, nr);
    for (int k = 0; k < nc; k++) {
        int first = symmetric ? k : 0;
        if (lv_graph_status(g) == LV_OK)
            hessian_column(g, column, gradient + first, nr - first, columns[k]);
        for (int i = first; i < nr; i++) {
            lv_node entry =
                lv_graph_status(g) == LV_OK ? column[i - first] : LV_NODE_NONE;
            hessian[i * nc + k] = entry;
            if (symmetric)
                hessian[k * nc + i] = entry;
        }
    }
    if (lv_graph_status(g) != LV_OK)
        set_all_nodes(hessian, nr * nc, LV_NODE_NONE);
    lv_memory_free(gradient);
}

lv_node lv_diff_contract(lv_graph *g, const lv_node *f, const lv_node *multipliers, int m)
{
    lv_node sum = constant(g, 0);
    for (int k = 0; k < m; k++) {
        lv_node product = lv_graph_mul(g, multipliers[k], f[k]);
        sum = lv_graph_add(g, sum, product);
    }
    return sum;
}

void lv_diff_third(lv_graph *g, lv_node *result, lv_node f, const lv_node *along,
                   const lv_node *direction, int n, const lv_node *rows, int nr,
                   const lv_node *columns, int nc)
{
    lv_node derivative = LV_NODE_NONE;
    if (f >= 0)
        lv_diff_forward(g, &derivative, &f, 1, along, direction, n);
    lv_diff_hessian(g, result, derivative, rows, nr, columns, nc);
}

/* The time derivative of an input. */
static lv_node rate_of(lv_graph *g, lv_node variable)
{
    const lv_node_data *input = lv_graph_node(g, variable);
    if (input->a == LV_INPUT_T)
        return constant(g, input->b == 0 ? 1 : 0);
    return lv_graph_input(g, input->a == LV_INPUT_Q ? LV_INPUT_V : LV_INPUT_A, input->b);
}

/* The total time derivative of f by its inputs of the first `count` of these kinds. */
static void time_derivative(lv_graph *g, lv_node *result, const lv_node *f, int m,
                            int count)
{
    static const lv_input kinds[] = {LV_INPUT_Q, LV_INPUT_T, LV_INPUT_V};
    lv_node_list variables = {0}, rates = {0};
    bool ok = true;
    set_all_nodes(result, m, LV_NODE_NONE);
    if (lv_graph_status(g) != LV_OK)
        return;
    for (int k = 0; ok && k < count; k++)
        ok = lv_analyse_inputs(g, &variables, f, m, kinds[k], NULL) == LV_OK;
    for (int k = 0; ok && k < variables.count; k++)
        ok = LV_PUSH(rates, rate_of(g, variables.data[k]));
    if (ok)
        lv_diff_forward(g, result, f, m, variables.data, rates.data, variables.count);
    else
        lv_graph_give_up(g, LV_ERR_MEMORY);
    LV_ARRAY_FREE(variables);
    LV_ARRAY_FREE(rates);
}

void lv_diff_time(lv_graph *g, lv_node *result, const lv_node *f, int m)
{
    time_derivative(g, result, f, m, 2);
}

void lv_diff_motion(lv_graph *g, lv_node *result, const lv_node *f, int m)
{
    time_derivative(g, result, f, m, 3);
}
