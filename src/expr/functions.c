/* The table of functions, and most of their implementations. */
#include "expr/function.h"

#include "expr/space.h"

#include <string.h>

/* Argument k of a call, for the place of an error. */
static const lv_syntax *argument(const lv_syntax *call, int k)
{
    const lv_syntax *part = call->first;
    while (k-- > 0)
        part = part->next;
    return part;
}

static lv_status want_scalar(const lv_function *self, lv_elaboration *e,
                             const lv_value *v, const lv_syntax *call, int k,
                             lv_error *err)
{
    char buffer[48];
    if (v[k].length == 0)
        return LV_OK;
    lv_status status =
        lv_elaborate_fail(e, argument(call, k), err, "%s takes scalars, this is %s",
                          self->name, lv_value_describe(&v[k], buffer));
    lv_error_hint(err, "norm, dot, sum or an index [k] make a scalar of a vector");
    return status;
}

static lv_status want_vector(const lv_function *self, lv_elaboration *e,
                             const lv_value *v, const lv_syntax *call, int k,
                             lv_error *err)
{
    if (v[k].length > 0)
        return LV_OK;
    lv_status status = lv_elaborate_fail(
        e, argument(call, k), err, "%s takes vectors, this is a scalar", self->name);
    if (strcmp(self->name, "sum") != 0)
        lv_error_hint(err,
                      "of scalars write x*y for dot, x^2 for norm2, abs(x) for norm");
    return status;
}

static lv_status scalar_result(lv_elaboration *e, lv_value *value, lv_node node,
                               lv_error *err)
{
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = node;
    return LV_OK;
}

/* A function that is one operation on scalars. */
static lv_status apply_op(const lv_function *self, lv_elaboration *e, lv_value *value,
                          const lv_value *v, const lv_syntax *call, lv_error *err)
{
    for (int k = 0; k < call->count; k++)
        LV_TRY(want_scalar(self, e, v, call, k, err));
    lv_node second = call->count > 1 ? v[1].items[0] : 0;
    return scalar_result(e, value,
                         lv_graph_op(e->graph, self->op, v[0].items[0], second, 0), err);
}

/* Combines the arguments in halves, so that the depth, also of derivatives, is
 * logarithmic in their number. The order is kept, so that the first of equal arguments
 * counts. */
static lv_node fold(const lv_function *self, lv_graph *g, const lv_value *v, int count)
{
    if (count == 1)
        return v[0].items[0];
    const int half = (count + 1) / 2;
    lv_node first = fold(self, g, v, half);
    lv_node second = fold(self, g, v + half, count - half);
    return lv_graph_op(g, self->op, first, second, 0);
}

/* min and max of any number of scalars */
static lv_status apply_fold(const lv_function *self, lv_elaboration *e, lv_value *value,
                            const lv_value *v, const lv_syntax *call, lv_error *err)
{
    for (int k = 0; k < call->count; k++)
        LV_TRY(want_scalar(self, e, v, call, k, err));
    return scalar_result(e, value, fold(self, e->graph, v, call->count), err);
}

static lv_status want_same_length(const lv_function *self, lv_elaboration *e,
                                  const lv_value *v, const lv_syntax *call, lv_error *err)
{
    char first[48], second[48];
    if (v[0].length == v[1].length)
        return LV_OK;
    return lv_elaborate_fail(e, call, err, "%s of %s and %s: the lengths differ",
                             self->name, lv_value_describe(&v[0], first),
                             lv_value_describe(&v[1], second));
}

static lv_node dot_nodes(lv_graph *g, const lv_value *x, const lv_value *y)
{
    lv_node sum = lv_graph_const(g, 0);
    for (int k = 0; k < x->length; k++) {
        lv_node product = lv_graph_mul(g, x->items[k], y->items[k]);
        sum = lv_graph_add(g, sum, product);
    }
    return sum;
}

static lv_status apply_dot(const lv_function *self, lv_elaboration *e, lv_value *value,
                           const lv_value *v, const lv_syntax *call, lv_error *err)
{
    LV_TRY(want_vector(self, e, v, call, 0, err));
    LV_TRY(want_vector(self, e, v, call, 1, err));
    LV_TRY(want_same_length(self, e, v, call, err));
    return scalar_result(e, value, dot_nodes(e->graph, &v[0], &v[1]), err);
}

static lv_status apply_norm2(const lv_function *self, lv_elaboration *e, lv_value *value,
                             const lv_value *v, const lv_syntax *call, lv_error *err)
{
    LV_TRY(want_vector(self, e, v, call, 0, err));
    return scalar_result(e, value, dot_nodes(e->graph, &v[0], &v[0]), err);
}

static lv_status apply_norm(const lv_function *self, lv_elaboration *e, lv_value *value,
                            const lv_value *v, const lv_syntax *call, lv_error *err)
{
    LV_TRY(want_vector(self, e, v, call, 0, err));
    lv_node squared = dot_nodes(e->graph, &v[0], &v[0]);
    return scalar_result(e, value, lv_graph_op(e->graph, LV_OP_SQRT, squared, 0, 0), err);
}

static lv_status apply_sum(const lv_function *self, lv_elaboration *e, lv_value *value,
                           const lv_value *v, const lv_syntax *call, lv_error *err)
{
    LV_TRY(want_vector(self, e, v, call, 0, err));
    lv_node sum = v[0].items[0];
    for (int k = 1; k < v[0].length; k++)
        sum = lv_graph_add(e->graph, sum, v[0].items[k]);
    return scalar_result(e, value, sum, err);
}

static lv_status apply_cross(const lv_function *self, lv_elaboration *e, lv_value *value,
                             const lv_value *v, const lv_syntax *call, lv_error *err)
{
    char buffer[48];
    for (int k = 0; k < 2; k++)
        if (v[k].length != 3)
            return lv_elaborate_fail(e, argument(call, k), err,
                                     "%s takes vectors of length 3, this is %s",
                                     self->name, lv_value_describe(&v[k], buffer));
    lv_node *items = lv_value_room(e, value, 3, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        lv_node plus = lv_graph_mul(e->graph, v[0].items[i], v[1].items[j]);
        lv_node minus = lv_graph_mul(e->graph, v[0].items[j], v[1].items[i]);
        items[k] = lv_graph_sub(e->graph, plus, minus);
    }
    return LV_OK;
}

/* Finds the number of the pair (c, s) among the angles that count turns, and adds it if
 * it is new. */
static lv_status number_turn(lv_node_list *turns, int *number, lv_node c, lv_node s,
                             lv_error *err)
{
    int k = 0;
    while (k < turns->count && (turns->data[k] != c || turns->data[k + 1] != s))
        k += 2;
    *number = k / 2;
    return k < turns->count || (LV_PUSH(*turns, c) && LV_PUSH(*turns, s))
               ? LV_OK
               : lv_fail_memory(err);
}

/* r + atan2(s cos r - c sin r, c cos r + s sin r). The reference r, a multiple of a right
 * angle near the angle, its cosine and its sine are inputs R. */
static lv_node turn_node(lv_graph *g, lv_node c, lv_node s, int number)
{
    lv_node r = lv_graph_input(g, LV_INPUT_R, LV_TURN_NUMBERS * number);
    lv_node cosine = lv_graph_input(g, LV_INPUT_R, LV_TURN_NUMBERS * number + 1);
    lv_node sine = lv_graph_input(g, LV_INPUT_R, LV_TURN_NUMBERS * number + 2);
    lv_node plus = lv_graph_mul(g, s, cosine), minus = lv_graph_mul(g, c, sine);
    lv_node along = lv_graph_mul(g, c, cosine), rest = lv_graph_mul(g, s, sine);
    lv_node y = lv_graph_sub(g, plus, minus);
    lv_node x = lv_graph_add(g, along, rest);
    lv_node angle = lv_graph_op(g, LV_OP_ATAN2, y, x, 0);
    return lv_graph_add(g, r, angle);
}

/* winding(x, y). If the point does not move, this is atan2(y, x). */
static lv_status apply_turn(const lv_function *self, lv_elaboration *e, lv_value *value,
                            const lv_value *v, const lv_syntax *call, lv_error *err)
{
    const lv_kinds moving = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(R);
    const lv_kinds known = moving | LV_KIND(P) | LV_KIND(I);
    lv_kinds kinds = 0;
    int number = 0;
    for (int k = 0; k < 2; k++)
        LV_TRY(want_scalar(self, e, v, call, k, err));
    const lv_node pair[2] = {v[0].items[0], v[1].items[0]};
    LV_TRY(lv_graph_check(e->graph, err));
    LV_TRY(lv_analyse_reach(e->graph, &kinds, pair, 2, err));
    if (kinds & ~known)
        return lv_elaborate_fail(
            e, call, err,
            "the arguments of %s may contain coordinates, velocities and time only",
            self->name);
    if (!e->turns || e->at_start || !(kinds & moving))
        return scalar_result(
            e, value, lv_graph_op(e->graph, LV_OP_ATAN2, pair[1], pair[0], 0), err);
    LV_TRY(number_turn(e->turns, &number, pair[0], pair[1], err));
    return scalar_result(e, value, turn_node(e->graph, pair[0], pair[1], number), err);
}

/* if(condition, a, b). The condition is a scalar that is 1 or 0. */
static lv_status apply_if(const lv_function *self, lv_elaboration *e, lv_value *value,
                          const lv_value *v, const lv_syntax *call, lv_error *err)
{
    char first[48], second[48];
    if (call->first->kind != LV_SYNTAX_COMPARE) {
        lv_status status =
            lv_elaborate_fail(e, call->first, err,
                              "%s needs a comparison as its first argument", self->name);
        lv_error_hint(err, "for example if(x > 0, a, b)");
        return status;
    }
    if (v[1].length != v[2].length)
        return lv_elaborate_fail(e, call, err, "the branches of %s differ: %s and %s",
                                 self->name, lv_value_describe(&v[1], first),
                                 lv_value_describe(&v[2], second));
    lv_node *items = lv_value_room(e, value, v[1].length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(&v[1]); k++)
        items[k] = lv_graph_select(e->graph, v[0].items[0], v[1].items[k], v[2].items[k]);
    return LV_OK;
}

#define ONE(name, op, doc)                                                               \
    {                                                                                    \
        name, name "(x)", doc, 1, 1, LV_OP_##op, apply_op, false                         \
    }

const lv_function lv_function_table[] = {
    ONE("sin", SIN, "sine of an angle in radians"),
    ONE("cos", COS, "cosine of an angle in radians"),
    ONE("tan", TAN, "tangent of an angle in radians"),
    ONE("asin", ASIN, "angle whose sine is x, from -pi/2 to pi/2"),
    ONE("acos", ACOS, "angle whose cosine is x, from 0 to pi"),
    ONE("atan", ATAN, "angle whose tangent is x, from -pi/2 to pi/2"),
    {"atan2", "atan2(y, x)", "angle of the point (x, y), from -pi to pi", 2, 2,
     LV_OP_ATAN2, apply_op, false},
    {"winding", "winding(x, y)",
     "angle of the point (x, y), which counts turns: atan2(y, x) at the start, and "
     "smooth "
     "from there on",
     2, 2, LV_OP_CONST, apply_turn, false},
    ONE("sinh", SINH, "hyperbolic sine"),
    ONE("cosh", COSH, "hyperbolic cosine"),
    ONE("tanh", TANH, "hyperbolic tangent"),
    ONE("exp", EXP, "exponential function"),
    ONE("log", LOG, "natural logarithm"),
    ONE("sqrt", SQRT, "square root"),
    ONE("abs", ABS, "absolute value; its derivative at 0 is taken as 0"),
    {"min", "min(x, y, ...)", "the smallest of its arguments", 2, -1, LV_OP_MIN,
     apply_fold, false},
    {"max", "max(x, y, ...)", "the largest of its arguments", 2, -1, LV_OP_MAX,
     apply_fold, false},
    ONE("sign", SIGN, "-1, 0 or 1"),
    {"pow", "pow(x, y)", "x to the power y, the same as x^y", 2, 2, LV_OP_POW, apply_op,
     false},
    {"dot", "dot(u, v)", "scalar product of two vectors", 2, 2, LV_OP_CONST, apply_dot,
     false},
    {"cross", "cross(u, v)", "vector product in three dimensions", 2, 2, LV_OP_CONST,
     apply_cross, false},
    {"norm", "norm(v)", "length of a vector", 1, 1, LV_OP_CONST, apply_norm, false},
    {"norm2", "norm2(v)", "squared length of a vector: dot(v, v)", 1, 1, LV_OP_CONST,
     apply_norm2, false},
    {"sum", "sum(v)", "sum of the components of a vector", 1, 1, LV_OP_CONST, apply_sum,
     false},
    {"point", "point(B, s)", "point of the body B at s, components along its axes", 2, 2,
     LV_OP_CONST, lv_apply_point, true},
    {"direction", "direction(B, s)",
     "direction that is fixed in the body B, components along its axes", 2, 2,
     LV_OP_CONST, lv_apply_direction, true},
    {"local", "local(B, v)", "components of a vector along the axes of the body B", 2, 2,
     LV_OP_CONST, lv_apply_local, true},
    {"normal", "normal(v)", "a unit vector perpendicular to v, in three dimensions", 1, 1,
     LV_OP_CONST, lv_apply_normal, false},
    {"rotate", "rotate(r, u)",
     "u turned by the rotation vector r; in the plane by the angle r", 2, 2, LV_OP_CONST,
     lv_apply_rotate, false},
    {"if", "if(x < y, a, b)",
     "a where the comparison (< <= > >= == !=) holds, else b; scalars or vectors", 3, 3,
     LV_OP_SELECT, apply_if, false},
    {NULL, NULL, NULL, 0, 0, LV_OP_CONST, NULL, false},
};

const char *const lv_reserved_names[] = {"t", "pi", "ground", NULL};

const lv_function *lv_function_find(const char *name)
{
    for (const lv_function *f = lv_function_table; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}
