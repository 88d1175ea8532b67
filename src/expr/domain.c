/* All nodes are evaluated first, which is harmless in IEEE arithmetic. Then values that
 * are not finite are traced down from the outputs: through the taken branch of a
 * conditional, and through the operands of other operations that are not finite. The
 * lowest node whose operands are finite is the cause.
 *
 * A condition itself is always finite, but may have compared a NaN and so have taken the
 * wrong branch: conditions are searched for NaN operands of their comparisons. Infinities
 * compare correctly. */
#include "expr/domain.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>

typedef struct diagnosis {
    const lv_graph *graph;
    int nodes;     /* number of nodes up to the last output */
    double *value; /* value of each node */
    bool *suspect; /* nodes to examine */
} diagnosis;

static void evaluate_all(diagnosis *d, const double *const inputs[LV_INPUT_KINDS])
{
    double *w = d->value;
    for (lv_node i = 0; i < d->nodes; i++) {
        const lv_node_data *n = lv_graph_node(d->graph, i);
        int arity = lv_op_arity(n->op);
        if (n->op == LV_OP_CONST)
            w[i] = n->value;
        else if (n->op == LV_OP_INPUT)
            w[i] = inputs[n->a] ? inputs[n->a][n->b] : (double)NAN;
        else
            w[i] = lv_op_value(n->op, w[n->a], arity > 1 ? w[n->b] : 0,
                               arity > 2 ? w[n->c] : 0);
    }
}

/* Whether an operand of a node must be examined. */
static bool is_suspect(lv_op op, double value, double operand)
{
    if (op == LV_OP_LESS || op == LV_OP_LESS_EQUAL || op == LV_OP_EQUAL)
        return isnan(operand);
    return isfinite(value) || !isfinite(operand);
}

static void mark_suspects(diagnosis *d)
{
    for (lv_node i = d->nodes - 1; i >= 0; i--) {
        const lv_node_data *n = lv_graph_node(d->graph, i);
        const lv_node operand[3] = {n->a, n->b, n->c};
        if (!d->suspect[i])
            continue;
        if (n->op == LV_OP_SELECT) {
            d->suspect[n->a] = true;
            d->suspect[d->value[n->a] != 0 ? n->b : n->c] = true;
            continue;
        }
        for (int j = 0; j < lv_op_arity(n->op); j++)
            if (is_suspect(n->op, d->value[i], d->value[operand[j]]))
                d->suspect[operand[j]] = true;
    }
}

/* Whether a node is not finite although all its operands are. */
static bool is_culprit(const diagnosis *d, lv_node node)
{
    const lv_node_data *n = lv_graph_node(d->graph, node);
    int arity = lv_op_arity(n->op);
    return d->suspect[node] && !isfinite(d->value[node]) &&
           (arity < 1 || isfinite(d->value[n->a])) &&
           (arity < 2 || isfinite(d->value[n->b])) &&
           (arity < 3 || isfinite(d->value[n->c]));
}

/* ---- words ---------------------------------------------------------------------- */

static const char *reason(lv_op op, double a, double b)
{
    switch ((int)op) {
    case LV_OP_LOG:
        return a == 0 ? "logarithm of zero" : "logarithm of a negative number";
    case LV_OP_SQRT:
        return "square root of a negative number";
    case LV_OP_DIV:
        return b == 0 ? "division by zero" : "overflow";
    case LV_OP_ASIN:
        return "asin of a number outside [-1, 1]";
    case LV_OP_ACOS:
        return "acos of a number outside [-1, 1]";
    case LV_OP_POW:
        if (a == 0 && b < 0)
            return "zero to a negative power";
        return a < 0 && b != floor(b) ? "a negative number to a fractional power"
                                      : "overflow";
    default:
        return "overflow";
    }
}

/* Formats a number, in parentheses if its sign would follow an operator. */
enum { SHOWN_SIZE = LV_NUMBER_SIZE + 2 };

static const char *shown(double value, bool enclosed, char buffer[SHOWN_SIZE])
{
    char number[LV_NUMBER_SIZE];
    bool both = enclosed && value < 0;
    lv_number_format(value == 0 ? 0 : value, number);
    (void)snprintf(buffer, SHOWN_SIZE, "%s%s%s", both ? "(" : "", number,
                   both ? ")" : "");
    return buffer;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Writes the operation with its values as a formula. */
static void describe(lv_op op, double a, double b, char *text, size_t size)
{
    static const char infix[LV_OP_COUNT] = {[LV_OP_ADD] = '+',
                                            [LV_OP_SUB] = '-',
                                            [LV_OP_MUL] = '*',
                                            [LV_OP_DIV] = '/',
                                            [LV_OP_POW] = '^'};
    char x[SHOWN_SIZE], y[SHOWN_SIZE], name[16] = "";
    if (op == LV_OP_SQUARE) {
        (void)snprintf(text, size, "%s^2", shown(a, true, x));
    } else if (infix[op]) {
        const char *space = op == LV_OP_ADD || op == LV_OP_SUB ? " " : "";
        (void)snprintf(text, size, "%s%s%c%s%s", shown(a, op == LV_OP_POW, x), space,
                       infix[op], space, shown(b, true, y));
    } else {
        for (size_t i = 0; lv_op_name(op)[i] && i + 1 < sizeof name; i++)
            name[i] = lower(lv_op_name(op)[i]);
        (void)snprintf(text, size, "%s(%s)", name, shown(a, false, x));
    }
}

/* Describes a leaf by its kind. If its place is shown as well, that identifies it. */
static void describe_leaf(const lv_node_data *n, bool has_place, char *text, size_t size)
{
    static const char *const names[LV_INPUT_KINDS] = {
        [LV_INPUT_Q] = "coordinate",   [LV_INPUT_V] = "velocity",
        [LV_INPUT_T] = "time",         [LV_INPUT_P] = "parameter",
        [LV_INPUT_I] = "index",        [LV_INPUT_Y] = "multiplier",
        [LV_INPUT_W] = "direction",    [LV_INPUT_M] = "momentum",
        [LV_INPUT_A] = "acceleration", [LV_INPUT_E] = "energy",
        [LV_INPUT_R] = "reference",
    };
    if (n->op == LV_OP_CONST)
        (void)snprintf(text, size, "%s number", has_place ? "this" : "a");
    else if (n->a == LV_INPUT_T && n->b > 0)
        (void)snprintf(text, size, "the value of %s input", has_place ? "this" : "an");
    else if (n->a == LV_INPUT_T)
        (void)snprintf(text, size, "the time");
    else if (has_place && !n->derived)
        (void)snprintf(text, size, "the value of this %s", names[n->a]);
    else
        (void)snprintf(text, size, "the value of %s %d", names[n->a], n->b + 1);
}

static lv_status report(const diagnosis *d, lv_node node, lv_error *err)
{
    const lv_node_data *n = lv_graph_node(d->graph, node);
    lv_span span = lv_graph_span(d->graph, node);
    char what[4 * SHOWN_SIZE], number[SHOWN_SIZE];
    if (n->op == LV_OP_CONST || n->op == LV_OP_INPUT) {
        describe_leaf(n, span.snippet != NULL, what, sizeof what);
        (void)lv_fail(err, LV_ERR_DOMAIN, "%s is not finite: %s", what,
                      shown(d->value[node], false, number));
    } else {
        double a = d->value[n->a], b = lv_op_arity(n->op) > 1 ? d->value[n->b] : 0;
        describe(n->op, a, b, what, sizeof what);
        (void)lv_fail(err, LV_ERR_DOMAIN, "%s: %s%s%s", reason(n->op, a, b), what,
                      n->derived ? ", in a derivative" : "",
                      n->derived && span.snippet ? " of this expression" : "");
    }
    if (span.snippet) {
        size_t start = lv_snippet_offset(span.snippet, span.start);
        size_t end = lv_snippet_offset(span.snippet, span.start + span.length);
        lv_error_locate(err, span.snippet->source, start, end - start);
    }
    return LV_ERR_DOMAIN;
}

static lv_status diagnose(diagnosis *d, const double *const inputs[LV_INPUT_KINDS],
                          const lv_node *nodes, int count, lv_error *err)
{
    evaluate_all(d, inputs);
    for (int i = 0; i < count; i++)
        d->suspect[nodes[i]] = d->suspect[nodes[i]] || !isfinite(d->value[nodes[i]]);
    mark_suspects(d);
    lv_node culprit = 0;
    while (culprit < d->nodes && !is_culprit(d, culprit))
        culprit++;
    if (culprit == d->nodes)
        return LV_OK;
    lv_status status = report(d, culprit, err);
    lv_error_about(err, LV_ABOUT_FORMULA, 0);
    lv_error_because(err, LV_WHY_DOMAIN);
    return status;
}

lv_status lv_domain_diagnose(const lv_graph *graph, const lv_node *nodes, int count,
                             const double *const inputs[LV_INPUT_KINDS], lv_error *err)
{
    diagnosis d = {.graph = graph};
    for (int i = 0; i < count; i++)
        d.nodes = nodes[i] >= d.nodes ? nodes[i] + 1 : d.nodes;
    d.value = lv_memory_zeroed((size_t)d.nodes + 1, sizeof *d.value);
    d.suspect = lv_memory_zeroed((size_t)d.nodes + 1, sizeof *d.suspect);
    lv_status status = d.value && d.suspect ? diagnose(&d, inputs, nodes, count, err)
                                            : lv_fail_memory(err);
    lv_memory_free(d.value);
    lv_memory_free(d.suspect);
    return status;
}

/* One more than the largest index of an input of this kind in the program. */
static int input_end(const lv_program *p, int kind)
{
    const int *chosen = p->chosen[kind];
    int end = chosen ? 0 : p->input_size[kind];
    for (int k = 0; chosen && k < p->input_size[kind]; k++)
        end = chosen[k] >= end ? chosen[k] + 1 : end;
    return end;
}

lv_status lv_domain_diagnose_lane(const lv_graph *g, const lv_program *p, const double *w,
                                  int lanes, int lane, lv_error *err)
{
    lv_arena scratch = {0};
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    bool ok = true;
    for (int kind = 0; ok && kind < LV_INPUT_KINDS; kind++) {
        const int *chosen = p->chosen[kind];
        const double *from = w + (size_t)p->input[kind] * (size_t)lanes + lane;
        size_t end = (size_t)input_end(p, kind);
        double *block = lv_arena_alloc(&scratch, end, sizeof *block);
        ok = block != NULL;
        for (int k = 0; ok && k < p->input_size[kind]; k++, from += lanes)
            block[chosen ? chosen[k] : k] = *from;
        inputs[kind] = block;
    }
    lv_status status = ok ? lv_domain_diagnose(g, p->nodes, p->output_count, inputs, err)
                          : lv_fail_memory(err);
    lv_arena_done(&scratch);
    return status;
}
