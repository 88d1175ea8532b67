#include "expr/analyse.h"

#include <string.h>

void lv_analyse_kinds(const lv_graph *g, lv_kinds *kinds)
{
    int count = lv_graph_count(g);
    for (lv_node i = 0; i < count; i++) {
        const lv_node_data *d = lv_graph_node(g, i);
        int arity = lv_op_arity(d->op);
        kinds[i] = d->op == LV_OP_INPUT ? 1U << (unsigned)d->a : 0;
        if (arity > 0)
            kinds[i] |= kinds[d->a];
        if (arity > 1)
            kinds[i] |= kinds[d->b];
        if (arity > 2)
            kinds[i] |= kinds[d->c];
    }
}

static unsigned char capped(int degree)
{
    return (unsigned char)(degree < LV_DEGREE_NONE ? degree : LV_DEGREE_NONE);
}

static unsigned char larger(unsigned char a, unsigned char b)
{
    return a > b ? a : b;
}

/* Degree of an operation from the degrees of its operands (0 beyond its arity). */
static unsigned char degree_of(lv_op op, unsigned char a, unsigned char b,
                               unsigned char c)
{
    switch ((int)op) {
    case LV_OP_ADD:
    case LV_OP_SUB:
        return larger(a, b);
    case LV_OP_NEG:
        return a;
    case LV_OP_MUL:
        return capped(a + b);
    case LV_OP_SQUARE:
        return capped(2 * a);
    case LV_OP_DIV:
        return b == 0 ? a : LV_DEGREE_NONE;
    case LV_OP_SELECT:
        return a == 0 ? larger(b, c) : LV_DEGREE_NONE;
    default:
        return larger(a, larger(b, c)) == 0 ? 0 : LV_DEGREE_NONE;
    }
}

void lv_analyse_degrees(const lv_graph *g, unsigned char *degrees, lv_kinds in)
{
    int count = lv_graph_count(g);
    for (lv_node i = 0; i < count; i++) {
        const lv_node_data *d = lv_graph_node(g, i);
        int arity = lv_op_arity(d->op);
        if (d->op == LV_OP_INPUT)
            degrees[i] = (in >> (unsigned)d->a) & 1;
        else
            degrees[i] =
                degree_of(d->op, arity > 0 ? degrees[d->a] : 0,
                          arity > 1 ? degrees[d->b] : 0, arity > 2 ? degrees[d->c] : 0);
    }
}

/* Whether the operands of a node are visited, too. */
typedef bool (*enter_node)(const void *user, lv_node node);

static lv_node last_of(const lv_node *f, int m)
{
    lv_node last = -1;
    for (int i = 0; i < m; i++)
        last = f[i] > last ? f[i] : last;
    return last;
}

/* Marks f and the nodes below it, but nothing below nodes that `enter` rejects. enter may be
 * NULL. The caller frees the marks; NULL if there is no memory. */
static unsigned char *mark_below(const lv_graph *g, const lv_node *f, int m,
                                 enter_node enter, const void *user)
{
    lv_node last = last_of(f, m);
    unsigned char *seen = lv_memory_zeroed((size_t)last + 1, 1);
    for (int i = 0; seen && i < m; i++)
        seen[f[i]] = 1;
    for (lv_node i = last; seen && i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(g, i);
        int arity = seen[i] && (!enter || enter(user, i)) ? lv_op_arity(d->op) : 0;
        if (arity > 0)
            seen[d->a] = 1;
        if (arity > 1)
            seen[d->b] = 1;
        if (arity > 2)
            seen[d->c] = 1;
    }
    return seen;
}

lv_status lv_analyse_reach(const lv_graph *g, lv_kinds *kinds, const lv_node *f, int m,
                           lv_error *err)
{
    unsigned char *seen = mark_below(g, f, m, NULL, NULL);
    *kinds = 0;
    for (lv_node i = last_of(f, m); seen && i >= 0; i--)
        if (seen[i] && lv_graph_node(g, i)->op == LV_OP_INPUT)
            *kinds |= 1U << (unsigned)lv_graph_node(g, i)->a;
    lv_memory_free(seen);
    return seen ? LV_OK : lv_fail_memory(err);
}

lv_status lv_analyse_inputs(const lv_graph *g, lv_node_list *inputs, const lv_node *f,
                            int m, lv_input kind, lv_error *err)
{
    unsigned char *seen = mark_below(g, f, m, NULL, NULL);
    bool ok = seen != NULL;
    lv_node last = last_of(f, m);
    for (lv_node i = 0; ok && i <= last; i++) {
        if (!seen[i] || !lv_graph_is_input(g, i, kind))
            continue;
        ok = LV_PUSH(*inputs, i);
        /* Insert by index; inputs are few and mostly in order already. */
        for (int k = inputs->count - 1;
             ok && k > 0 &&
             lv_graph_node(g, inputs->data[k - 1])->b > lv_graph_node(g, i)->b;
             k--) {
            inputs->data[k] = inputs->data[k - 1];
            inputs->data[k - 1] = i;
        }
    }
    lv_memory_free(seen);
    return ok ? LV_OK : lv_fail_memory(err);
}

static bool above_quadratic(const void *degrees, lv_node node)
{
    return ((const unsigned char *)degrees)[node] > 2;
}

lv_status lv_analyse_frontier(const lv_graph *g, lv_node_list *frontier, lv_node f,
                              const unsigned char *degrees, lv_error *err)
{
    unsigned char *seen = mark_below(g, &f, 1, above_quadratic, degrees);
    bool ok = seen != NULL;
    for (lv_node i = 0; ok && i <= f; i++)
        if (seen[i] && degrees[i] > 0 && degrees[i] <= 2)
            ok = LV_PUSH(*frontier, i);
    lv_memory_free(seen);
    return ok ? LV_OK : lv_fail_memory(err);
}

lv_node lv_analyse_at_zero(lv_graph *g, lv_node f, lv_kinds kinds)
{
    unsigned char *seen = f < 0 ? NULL : mark_below(g, &f, 1, NULL, NULL);
    lv_node *image = f < 0 ? NULL : lv_memory_zeroed((size_t)f + 1, sizeof *image);
    lv_node result = LV_NODE_NONE;
    if (f >= 0 && (!seen || !image))
        lv_graph_give_up(g, LV_ERR_MEMORY);
    for (lv_node i = 0; i <= f && lv_graph_status(g) == LV_OK; i++) {
        if (!seen[i])
            continue;
        const lv_node_data d = *lv_graph_node(g, i);
        int arity = lv_op_arity(d.op);
        if (d.op == LV_OP_INPUT && (kinds >> (unsigned)d.a) & 1)
            image[i] = lv_graph_const(g, 0);
        else if (arity == 0)
            image[i] = i;
        else
            image[i] = lv_graph_op(g, d.op, image[d.a], arity > 1 ? image[d.b] : 0,
                                   arity > 2 ? image[d.c] : 0);
        result = image[i];
    }
    lv_memory_free(seen);
    lv_memory_free(image);
    return lv_graph_status(g) == LV_OK ? result : LV_NODE_NONE;
}
