#include "expr/space.h"

#include <string.h>

/* ---- bodies ------------------------------------------------------------------------------ */

/* The first argument of a call: the name of a body, and the text that contains it. */
typedef struct body {
    const lv_syntax *name;
    const lv_snippet *snippet;
    int axes; /* 0: the ground, whose axes are those of space */
} body;

static bool is_ground(const lv_syntax *name)
{
    return name->count == 0 && !name->member && strcmp(name->name, "ground") == 0;
}

static lv_status no_body(const lv_function *self, lv_elaboration *e, const body *b,
                         const lv_syntax *call, lv_error *err)
{
    char text[LV_SYNTAX_NAME_SIZE];
    lv_status status =
        b->name->kind == LV_SYNTAX_NAME
            ? lv_elaborate_fail(e, call->first, err, "'%s' is not a body",
                                lv_syntax_name(b->name, text))
            : lv_elaborate_fail(e, call->first, err, "%s takes the name of a body first",
                                self->name);
    lv_error_hint(err, "%s: B is a body of [bodies], or ground", self->signature);
    return status;
}

/* Finds the body in the first argument; if this is a hole of a template, in the formula
 * that fills it. */
static lv_status find_body(body *b, const lv_function *self, lv_elaboration *e,
                           const lv_syntax *call, lv_error *err)
{
    const lv_syntax *part = call->first;
    *b = (body){.snippet = e->snippet};
    while (part->formula) {
        b->snippet = part->formula->snippet;
        part = part->formula->root;
    }
    b->name = part;
    const bool is_name = part->kind == LV_SYNTAX_NAME;
    if (is_name && is_ground(part))
        return LV_OK;
    b->axes = is_name && !part->member && e->axes ? e->axes(e->user, part) : 0;
    return b->axes > 0 ? LV_OK : no_body(self, e, b, call, err);
}

/* Resolves the position of a body (member NULL) or one of its axes. */
static lv_status resolve_member(const body *b, lv_elaboration *e, lv_value *value,
                                const char *member, lv_error *err)
{
    lv_syntax name = *b->name;
    const lv_snippet *snippet = e->snippet;
    const bool in_hole = e->in_hole;
    name.member = member;
    e->snippet = b->snippet;
    e->in_hole = true; /* a subscript is part of the name */
    lv_status status = lv_elaborate_part(e, value, &name, err);
    e->snippet = snippet;
    e->in_hole = in_hole;
    return status;
}

/* Resolves all axes of a body; fails if their length is not their number. */
static lv_status resolve_axes(const body *b, lv_elaboration *e, lv_value axes[3],
                              lv_error *err)
{
    static const char *const names[] = {"e1", "e2", "e3"};
    for (int k = 0; k < b->axes; k++) {
        LV_TRY(resolve_member(b, e, &axes[k], names[k], err));
        if (axes[k].length != b->axes)
            return lv_elaborate_fail(e, b->name, err, "'%s' is not a body",
                                     b->name->name);
    }
    return LV_OK;
}

/* Fails unless v has as many components as the body has axes. */
static lv_status want_components(const lv_function *self, lv_elaboration *e,
                                 const body *b, const lv_value *v, const lv_syntax *call,
                                 lv_error *err)
{
    char buffer[48], text[LV_SYNTAX_NAME_SIZE];
    if (b->axes == 0 ? v->length > 0 : v->length == b->axes)
        return LV_OK;
    if (b->axes == 0)
        return lv_elaborate_fail(e, call->first->next, err,
                                 "%s takes a vector here, this is a scalar", self->name);
    return lv_elaborate_fail(
        e, call->first->next, err, "%s of '%s' takes a vector of length %d, this is %s",
        self->name, lv_syntax_name(b->name, text), b->axes, lv_value_describe(v, buffer));
}

/* start + s1 e1 + s2 e2 + ...; start may be NULL */
static lv_status combine(const body *b, lv_elaboration *e, lv_value *value,
                         const lv_value *start, const lv_value *s, lv_error *err)
{
    lv_value axes[3];
    LV_TRY(resolve_axes(b, e, axes, err));
    lv_node *items = lv_value_room(e, value, b->axes, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int j = 0; j < b->axes; j++) {
        items[j] = start ? start->items[j] : lv_graph_const(e->graph, 0);
        for (int k = 0; k < b->axes; k++) {
            lv_node part = lv_graph_mul(e->graph, s->items[k], axes[k].items[j]);
            items[j] = lv_graph_add(e->graph, items[j], part);
        }
    }
    return LV_OK;
}

lv_status lv_apply_point(const lv_function *self, lv_elaboration *e, lv_value *value,
                         const lv_value *v, const lv_syntax *call, lv_error *err)
{
    body b;
    lv_value position;
    LV_TRY(find_body(&b, self, e, call, err));
    LV_TRY(want_components(self, e, &b, &v[1], call, err));
    *value = v[1];
    if (b.axes == 0)
        return LV_OK;
    LV_TRY(resolve_member(&b, e, &position, NULL, err));
    if (position.length != b.axes)
        return no_body(self, e, &b, call, err);
    return combine(&b, e, value, &position, &v[1], err);
}

lv_status lv_apply_direction(const lv_function *self, lv_elaboration *e, lv_value *value,
                             const lv_value *v, const lv_syntax *call, lv_error *err)
{
    body b;
    LV_TRY(find_body(&b, self, e, call, err));
    LV_TRY(want_components(self, e, &b, &v[1], call, err));
    *value = v[1];
    return b.axes == 0 ? LV_OK : combine(&b, e, value, NULL, &v[1], err);
}

lv_status lv_apply_local(const lv_function *self, lv_elaboration *e, lv_value *value,
                         const lv_value *v, const lv_syntax *call, lv_error *err)
{
    body b;
    lv_value axes[3];
    LV_TRY(find_body(&b, self, e, call, err));
    LV_TRY(want_components(self, e, &b, &v[1], call, err));
    *value = v[1];
    if (b.axes == 0)
        return LV_OK;
    LV_TRY(resolve_axes(&b, e, axes, err));
    lv_node *items = lv_value_room(e, value, b.axes, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < b.axes; k++) {
        items[k] = lv_graph_const(e->graph, 0);
        for (int j = 0; j < b.axes; j++) {
            lv_node part = lv_graph_mul(e->graph, v[1].items[j], axes[k].items[j]);
            items[k] = lv_graph_add(e->graph, items[k], part);
        }
    }
    return LV_OK;
}

/* ---- directions -------------------------------------------------------------------------- */

/* u x w */
static void cross(lv_graph *g, lv_node out[3], const lv_node u[3], const lv_node w[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        lv_node plus = lv_graph_mul(g, u[i], w[j]);
        lv_node minus = lv_graph_mul(g, u[j], w[i]);
        out[k] = lv_graph_sub(g, plus, minus);
    }
}

static lv_node norm2(lv_graph *g, const lv_node u[3])
{
    lv_node sum = lv_graph_const(g, 0);
    for (int k = 0; k < 3; k++) {
        lv_node square = lv_graph_mul(g, u[k], u[k]);
        sum = lv_graph_add(g, sum, square);
    }
    return sum;
}

/* v x e_k divided by its length, where k is the axis along which |v| is smallest; the
 * length is then at least sqrt(2/3) of that of v */
lv_status lv_apply_normal(const lv_function *self, lv_elaboration *e, lv_value *value,
                          const lv_value *v, const lv_syntax *call, lv_error *err)
{
    char buffer[48];
    lv_graph *g = e->graph;
    if (v[0].length != 3)
        return lv_elaborate_fail(e, call->first, err,
                                 "%s takes a vector of length 3, this is %s", self->name,
                                 lv_value_describe(&v[0], buffer));
    lv_node *items = lv_value_room(e, value, 3, err);
    if (!items)
        return LV_ERR_MEMORY;
    lv_node size[3], zero = lv_graph_const(g, 0), one = lv_graph_const(g, 1), turned[3];
    for (int k = 0; k < 3; k++)
        size[k] = lv_graph_op(g, LV_OP_ABS, v[0].items[k], 0, 0);
    lv_node xy = lv_graph_op(g, LV_OP_LESS_EQUAL, size[0], size[1], 0);
    lv_node xz = lv_graph_op(g, LV_OP_LESS_EQUAL, size[0], size[2], 0);
    lv_node yz = lv_graph_op(g, LV_OP_LESS_EQUAL, size[1], size[2], 0);
    lv_node is_x = lv_graph_select(g, xy, xz, zero);
    lv_node not_z = lv_graph_select(g, xy, zero, yz);
    lv_node rest = lv_graph_sub(g, one, is_x);
    lv_node axis[3] = {is_x, not_z, lv_graph_sub(g, rest, not_z)};
    cross(g, turned, v[0].items, axis);
    lv_node squared = norm2(g, turned);
    lv_node length = lv_graph_op(g, LV_OP_SQRT, squared, 0, 0);
    for (int k = 0; k < 3; k++)
        items[k] = lv_graph_div(g, turned[k], length);
    return LV_OK;
}

/* c0 + x (c1 + x (c2 + x c3)) */
static lv_node cubic(lv_graph *g, lv_node x, const double c[4])
{
    lv_node sum = lv_graph_const(g, c[3]);
    for (int k = 2; k >= 0; k--) {
        lv_node constant = lv_graph_const(g, c[k]);
        lv_node product = lv_graph_mul(g, x, sum);
        sum = lv_graph_add(g, constant, product);
    }
    return sum;
}

/* sin(a)/a and (1 - cos(a))/a^2 for x = a^2, below 1e-4 by their series, whose next term
 * is less than 1e-16/9! */
static void turning(lv_graph *g, lv_node out[2], lv_node x)
{
    static const double first[] = {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040};
    static const double second[] = {1.0 / 2, -1.0 / 24, 1.0 / 720, -1.0 / 40320};
    lv_node least = lv_graph_const(g, 1e-4), one = lv_graph_const(g, 1);
    lv_node half = lv_graph_const(g, 0.5), two = lv_graph_const(g, 2);
    lv_node small = lv_graph_op(g, LV_OP_LESS, x, least, 0);
    lv_node large = lv_graph_select(g, small, one, x); /* finite everywhere */
    lv_node angle = lv_graph_op(g, LV_OP_SQRT, large, 0, 0);
    lv_node sine = lv_graph_op(g, LV_OP_SIN, angle, 0, 0);
    lv_node quotient = lv_graph_div(g, sine, angle);
    lv_node half_angle = lv_graph_mul(g, half, angle);
    lv_node half_sine = lv_graph_op(g, LV_OP_SIN, half_angle, 0, 0);
    lv_node square = lv_graph_mul(g, half_sine, half_sine);
    lv_node twice = lv_graph_mul(g, two, square);
    lv_node versed = lv_graph_div(g, twice, large);
    lv_node near_first = cubic(g, x, first), near_second = cubic(g, x, second);
    out[0] = lv_graph_select(g, small, near_first, quotient);
    out[1] = lv_graph_select(g, small, near_second, versed);
}

/* u + sin(a)/a r x u + (1 - cos(a))/a^2 r x (r x u), a = |r| */
static void rotate_space(lv_graph *g, lv_node *out, const lv_node *r, const lv_node *u)
{
    lv_node once[3], twice[3], factor[2];
    lv_node squared = norm2(g, r);
    turning(g, factor, squared);
    cross(g, once, r, u);
    cross(g, twice, r, once);
    for (int k = 0; k < 3; k++) {
        lv_node first = lv_graph_mul(g, factor[0], once[k]);
        lv_node second = lv_graph_mul(g, factor[1], twice[k]);
        lv_node sum = lv_graph_add(g, u[k], first);
        out[k] = lv_graph_add(g, sum, second);
    }
}

static void rotate_plane(lv_graph *g, lv_node *out, lv_node angle, const lv_node *u)
{
    lv_node c = lv_graph_op(g, LV_OP_COS, angle, 0, 0);
    lv_node s = lv_graph_op(g, LV_OP_SIN, angle, 0, 0);
    lv_node products[2][2];
    for (int k = 0; k < 2; k++) {
        products[k][0] = lv_graph_mul(g, c, u[k]);
        products[k][1] = lv_graph_mul(g, s, u[k]);
    }
    out[0] = lv_graph_sub(g, products[0][0], products[1][1]);
    out[1] = lv_graph_add(g, products[0][1], products[1][0]);
}

lv_status lv_apply_rotate(const lv_function *self, lv_elaboration *e, lv_value *value,
                          const lv_value *v, const lv_syntax *call, lv_error *err)
{
    char first[48], second[48];
    const bool in_space = v[0].length == 3 && v[1].length == 3;
    if (!in_space && !(v[0].length == 0 && v[1].length == 2)) {
        lv_status status = lv_elaborate_fail(e, call, err, "%s does not take %s and %s",
                                             self->name, lv_value_describe(&v[0], first),
                                             lv_value_describe(&v[1], second));
        lv_error_hint(err,
                      "in space two vectors of length 3, in the plane an angle and a "
                      "vector of length 2");
        return status;
    }
    lv_node *items = lv_value_room(e, value, v[1].length, err);
    if (!items)
        return LV_ERR_MEMORY;
    if (in_space)
        rotate_space(e->graph, items, v[0].items, v[1].items);
    else
        rotate_plane(e->graph, items, v[0].items[0], v[1].items);
    return LV_OK;
}
