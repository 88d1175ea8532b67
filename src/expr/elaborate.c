#include "expr/elaborate.h"

#include "base/text.h"
#include "expr/analyse.h"
#include "expr/diff.h"
#include "expr/function.h"
#include "expr/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fails if two parts of a sum differ in their shapes. */
static lv_status want_same_shape(lv_elaboration *e, const lv_value *a, const lv_value *b,
                                 const lv_syntax *part, lv_error *err)
{
    char first[48], second[48];
    if (a->length == b->length)
        return LV_OK;
    return lv_elaborate_fail(e, part, err,
                             part->sign == '-' ? "cannot subtract %s from %s"
                                               : "cannot add %s to %s",
                             lv_value_describe(b, second), lv_value_describe(a, first));
}

static lv_status want_scalar(lv_elaboration *e, const lv_value *value,
                             const lv_syntax *part, const char *what, lv_error *err)
{
    char buffer[48];
    if (value->length == 0)
        return LV_OK;
    return lv_elaborate_fail(e, part, err, "%s must be a scalar, this is %s", what,
                             lv_value_describe(value, buffer));
}

static lv_status number(lv_elaboration *e, lv_value *value, double x, lv_error *err)
{
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = lv_graph_const(e->graph, x);
    return LV_OK;
}

static lv_status elaborate_name(lv_elaboration *e, lv_value *value, const lv_syntax *name,
                                lv_error *err)
{
    const bool is_plain = name->count == 0 && !name->member;
    const lv_summed *summed = is_plain ? lv_summed_find(e, name->name) : NULL;
    if (summed) {
        lv_node *index = lv_value_room(e, value, 0, err);
        if (!index)
            return LV_ERR_MEMORY;
        index[0] = summed->node;
        return LV_OK;
    }
    if (is_plain && strcmp(name->name, "pi") == 0)
        return number(e, value, 3.14159265358979323846, err);
    if (!is_plain || strcmp(name->name, "t") != 0)
        return e->resolve(e->user, e, value, name, err);
    if (e->timeless)
        return lv_elaborate_fail(e, name, err, "%s cannot depend on time", e->timeless);
    if (e->at_start)
        return number(e, value, 0, err);
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = lv_graph_input(e->graph, LV_INPUT_T, 0);
    return LV_OK;
}

static lv_status elaborate_negate(lv_elaboration *e, lv_value *value,
                                  const lv_syntax *part, lv_error *err)
{
    lv_value inner;
    LV_TRY(lv_elaborate_part(e, &inner, part->first, err));
    lv_node *items = lv_value_room(e, value, inner.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(&inner); k++)
        items[k] = lv_graph_neg(e->graph, inner.items[k]);
    return LV_OK;
}

static lv_status elaborate_sum(lv_elaboration *e, lv_value *value, const lv_syntax *part,
                               lv_error *err)
{
    lv_value total;
    LV_TRY(lv_elaborate_part(e, &total, part->first, err));
    lv_node *items = lv_value_room(e, value, total.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    memcpy(items, total.items, (size_t)lv_value_count(&total) * sizeof *items);
    for (const lv_syntax *next = part->first->next; next; next = next->next) {
        lv_value term;
        bool minus = next->sign == '-';
        LV_TRY(lv_elaborate_part(e, &term, next, err));
        LV_TRY(want_same_shape(e, value, &term, next, err));
        for (int k = 0; k < lv_value_count(&term); k++)
            items[k] = minus ? lv_graph_sub(e->graph, items[k], term.items[k])
                             : lv_graph_add(e->graph, items[k], term.items[k]);
    }
    return LV_OK;
}

/* total *= factor or total /= factor */
static lv_status multiply(lv_elaboration *e, lv_value *total, const lv_value *factor,
                          const lv_syntax *part, lv_error *err)
{
    bool divide = part->sign == '/';
    if (divide)
        LV_TRY(want_scalar(e, factor, part, "a divisor", err));
    if (total->length > 0 && factor->length > 0) {
        lv_status status =
            lv_elaborate_fail(e, part, err, "the product of two vectors is ambiguous");
        lv_error_hint(err, "write dot(u, v) or cross(u, v)");
        return status;
    }
    lv_value old = *total;
    int length = old.length > 0 ? old.length : factor->length;
    lv_node *items = lv_value_room(e, total, length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(total); k++) {
        lv_node a = old.items[old.length > 0 ? k : 0];
        lv_node b = factor->items[factor->length > 0 ? k : 0];
        items[k] = divide ? lv_graph_div(e->graph, a, b) : lv_graph_mul(e->graph, a, b);
    }
    return LV_OK;
}

static lv_status elaborate_product(lv_elaboration *e, lv_value *value,
                                   const lv_syntax *part, lv_error *err)
{
    LV_TRY(lv_elaborate_part(e, value, part->first, err));
    for (const lv_syntax *next = part->first->next; next; next = next->next) {
        lv_value factor;
        LV_TRY(lv_elaborate_part(e, &factor, next, err));
        LV_TRY(multiply(e, value, &factor, next, err));
    }
    return LV_OK;
}

static lv_status elaborate_power(lv_elaboration *e, lv_value *value,
                                 const lv_syntax *part, lv_error *err)
{
    lv_value base, exponent;
    LV_TRY(lv_elaborate_part(e, &base, part->first, err));
    LV_TRY(lv_elaborate_part(e, &exponent, part->first->next, err));
    if (base.length > 0) {
        lv_status status =
            lv_elaborate_fail(e, part->first, err, "a vector has no powers");
        lv_error_hint(err, "the squared length is norm2(v) or dot(v, v)");
        return status;
    }
    LV_TRY(want_scalar(e, &exponent, part->first->next, "an exponent", err));
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = lv_graph_pow(e->graph, base.items[0], exponent.items[0]);
    return LV_OK;
}

/* 1 where the comparison holds, else 0 */
static lv_node compare(lv_graph *g, char sign, lv_node a, lv_node b)
{
    lv_node equal = LV_NODE_NONE, one = LV_NODE_NONE;
    switch (sign) {
    case '<':
        return lv_graph_op(g, LV_OP_LESS, a, b, 0);
    case '>':
        return lv_graph_op(g, LV_OP_LESS, b, a, 0);
    case 'l':
        return lv_graph_op(g, LV_OP_LESS_EQUAL, a, b, 0);
    case 'g':
        return lv_graph_op(g, LV_OP_LESS_EQUAL, b, a, 0);
    case '=':
        return lv_graph_op(g, LV_OP_EQUAL, a, b, 0);
    default:
        equal = lv_graph_op(g, LV_OP_EQUAL, a, b, 0);
        one = lv_graph_const(g, 1);
        return lv_graph_sub(g, one, equal);
    }
}

static lv_status elaborate_compare(lv_elaboration *e, lv_value *value,
                                   const lv_syntax *part, lv_error *err)
{
    lv_value a, b;
    LV_TRY(lv_elaborate_part(e, &a, part->first, err));
    LV_TRY(lv_elaborate_part(e, &b, part->first->next, err));
    LV_TRY(want_scalar(e, &a, part->first, "the side of a comparison", err));
    LV_TRY(want_scalar(e, &b, part->first->next, "the side of a comparison", err));
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = compare(e->graph, part->sign, a.items[0], b.items[0]);
    return LV_OK;
}

/* A kind of input that has no time derivative: its name in messages, and the reason. */
typedef struct underivable {
    lv_input kind;
    const char *name, *why, *hint;
} underivable;

static const underivable no_derivative[] = {
    {LV_INPUT_V, "velocities", "its time derivative would need accelerations",
     "' may follow whatever depends on coordinates and time only; in [outputs] x'' is "
     "the "
     "acceleration of x"},
    {LV_INPUT_M, "momenta", "its time derivative would need accelerations",
     "' may follow whatever depends on coordinates and time only"},
    {LV_INPUT_A, "accelerations", "its time derivative is not known",
     "x'' is the highest derivative that there is"},
    {LV_INPUT_Y, "multipliers", "its time derivative is not known",
     "' may follow whatever depends on coordinates, velocities and time only"},
    {LV_INPUT_W, "momenta", "its time derivative is not known",
     "' may follow whatever depends on coordinates, velocities and time only"},
    {LV_INPUT_E, "energies", "its time derivative is not known",
     "' may follow whatever depends on coordinates, velocities and time only"},
};

/* Fails if a value whose time derivative is needed contains inputs that have none. */
static lv_status refuse_inputs(lv_elaboration *e, const lv_value *value,
                               const underivable *what, const lv_syntax *part,
                               lv_error *err)
{
    lv_node_list found = {0};
    lv_status status = lv_analyse_inputs(e->graph, &found, value->items,
                                         lv_value_count(value), what->kind, err);
    if (status == LV_OK && found.count > 0) {
        status = lv_elaborate_fail(e, part, err, "this contains %s; %s", what->name,
                                   what->why);
        lv_error_hint(err, "%s", what->hint);
    }
    LV_ARRAY_FREE(found);
    return status;
}

/* Fails for the time derivative of a formula that depends on inputs of the model only:
 * these are constant in every step, so it would always be zero. In other formulas inputs
 * count as constants. */
static lv_status refuse_held(lv_elaboration *e, const lv_value *value,
                             const lv_syntax *part, lv_error *err)
{
    lv_node_list found = {0};
    lv_kinds kinds = 0;
    const int count = lv_value_count(value);
    LV_TRY(lv_analyse_reach(e->graph, &kinds, value->items, count, err));
    if (!(kinds & LV_KIND(T)) || (kinds & (LV_KIND(Q) | LV_KIND(V))))
        return LV_OK;
    lv_status status =
        lv_analyse_inputs(e->graph, &found, value->items, count, LV_INPUT_T, err);
    const bool held = status == LV_OK && found.count > 0 &&
                      lv_graph_node(e->graph, found.data[0])->b > 0;
    LV_ARRAY_FREE(found);
    if (!held)
        return status;
    status = lv_elaborate_fail(e, part, err,
                               "inputs are constant in every step: they have no rate");
    lv_error_hint(err, "make the rate an input of its own");
    return status;
}

static lv_status elaborate_prime(lv_elaboration *e, lv_value *value,
                                 const lv_syntax *part, lv_error *err)
{
    enum { COUNT = sizeof no_derivative / sizeof *no_derivative };
    lv_value inner;
    if (e->timeless)
        return lv_elaborate_fail(e, part, err, "%s cannot contain a time derivative",
                                 e->timeless);
    if (e->at_start)
        return lv_elaborate_fail(e, part, err, "velocities cannot be used here");
    LV_TRY(lv_elaborate_part(e, &inner, part->first, err));
    LV_TRY(lv_graph_check(e->graph, err));
    for (int k = e->accelerations ? 1 : 0; k < COUNT; k++)
        LV_TRY(refuse_inputs(e, &inner, &no_derivative[k], part->first, err));
    LV_TRY(refuse_held(e, &inner, part->first, err));
    lv_node *items = lv_value_room(e, value, inner.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    lv_diff_motion(e->graph, items, inner.items, lv_value_count(&inner));
    return LV_OK;
}

static lv_status elaborate_index(lv_elaboration *e, lv_value *value,
                                 const lv_syntax *part, lv_error *err)
{
    lv_value vector, index;
    char number_text[LV_NUMBER_SIZE];
    const lv_syntax *which = part->first->next;
    LV_TRY(lv_elaborate_part(e, &vector, part->first, err));
    LV_TRY(lv_elaborate_part(e, &index, which, err));
    LV_TRY(lv_graph_check(e->graph, err));
    if (vector.length == 0)
        return lv_elaborate_fail(e, part->first, err, "a scalar has no components");
    LV_TRY(want_scalar(e, &index, which, "an index", err));

    const lv_node_data *d = lv_graph_node(e->graph, index.items[0]);
    if (d->op != LV_OP_CONST && e->pick)
        return e->pick(e->user, e, value, &vector, index.items[0], which, err);
    if (d->op != LV_OP_CONST)
        return lv_elaborate_fail(e, which, err,
                                 "the index of a component must be a number, such as 1");
    if (d->value != floor(d->value))
        return lv_elaborate_fail(e, which, err, "an index must be a whole number");
    if (d->value < 1 || d->value > vector.length)
        return lv_elaborate_fail(e, which, err, "index %s is outside 1..%d",
                                 lv_number_format(d->value, number_text), vector.length);
    lv_node *items = lv_value_room(e, value, 0, err);
    if (!items)
        return LV_ERR_MEMORY;
    items[0] = vector.items[(int)d->value - 1];
    return LV_OK;
}

static lv_status elaborate_vector(lv_elaboration *e, lv_value *value,
                                  const lv_syntax *part, lv_error *err)
{
    if (part->count == 0)
        return lv_elaborate_fail(e, part, err, "a vector needs at least one component");
    lv_node *items = lv_value_room(e, value, part->count, err);
    int k = 0;
    if (!items)
        return LV_ERR_MEMORY;
    for (const lv_syntax *next = part->first; next; next = next->next) {
        lv_value component;
        LV_TRY(lv_elaborate_part(e, &component, next, err));
        LV_TRY(want_scalar(e, &component, next, "a component", err));
        items[k++] = component.items[0];
    }
    return LV_OK;
}

/* The name of a function here that another language calls `name`; NULL: there is none. */
static const char *known_elsewhere(const char *name)
{
    static const char *const names[][2] = {
        {"normsq", "norm2"},
        {"norm_sq", "norm2"},
        {"sqnorm", "norm2"},
        {"squared_norm", "norm2"},
        {"norm_squared", "norm2"},
        {"normsquared", "norm2"},
        {"abs2", "norm2"},
        {"length", "norm"},
        {"magnitude", "norm"},
        {"inner", "dot"},
        {"ln", "log"},
        {"sgn", "sign"},
        {"signum", "sign"},
        {"fabs", "abs"},
        {"arcsin", "asin"},
        {"arccos", "acos"},
        {"arctan", "atan"},
        {"arctan2", "atan2"},
        {"power", "pow"},
        {"where", "if"},
        {"ifelse", "if"},
        {"minimum", "min"},
        {"maximum", "max"},
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k][0], name) == 0)
            return names[k][1];
    return NULL;
}

/* Whether other languages use this name for the time derivative. */
static bool is_derivative_elsewhere(const char *name)
{
    static const char *const names[] = {"d", "der", "diff", "derivative", "ddt", "D"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

static lv_status unknown_function(lv_elaboration *e, const lv_syntax *call, lv_error *err)
{
    lv_nearest nearest;
    lv_nearest_start(&nearest, call->name);
    for (const lv_function *f = lv_function_table; f->name; f++)
        lv_nearest_offer(&nearest, f->name);
    const char *best = known_elsewhere(call->name);
    const bool rate = is_derivative_elsewhere(call->name);
    if (!best)
        best = lv_nearest_result(&nearest);
    lv_status status =
        lv_elaborate_fail(e, call, err, "there is no function '%s'", call->name);
    if (rate)
        lv_error_hint(err, "derivatives by time are written with an apostrophe: x'");
    else if (best)
        lv_error_hint(err, "did you mean '%s'?", lv_function_find(best)->signature);
    else
        lv_error_hint(err,
                      "products need a sign: write %s*(...); 'livens list functions' "
                      "shows the functions",
                      call->name);
    return status;
}

static lv_status wrong_count(lv_elaboration *e, const lv_function *f,
                             const lv_syntax *call, lv_error *err)
{
    lv_status status = lv_elaborate_fail(e, call, err, "%s takes %s%d argument%s, not %d",
                                         f->name, f->most < 0 ? "at least " : "",
                                         f->least, f->least == 1 ? "" : "s", call->count);
    lv_error_hint(err, "%s: %s", f->signature, f->doc);
    return status;
}

static lv_status elaborate_call(lv_elaboration *e, lv_value *value, const lv_syntax *call,
                                lv_error *err)
{
    const lv_function *f = lv_function_find(call->name);
    if (!f)
        return unknown_function(e, call, err);
    if (call->count < f->least || (f->most >= 0 && call->count > f->most))
        return wrong_count(e, f, call, err);

    lv_value *arguments =
        lv_arena_alloc(e->arena, (size_t)call->count, sizeof *arguments);
    int k = 0;
    if (!arguments)
        return lv_fail_memory(err);
    for (const lv_syntax *part = call->first; part; part = part->next, k++) {
        bool condition = k == 0 && f->op == LV_OP_SELECT;
        if (k == 0 && f->of_body)
            continue;
        if (part->kind == LV_SYNTAX_COMPARE && condition)
            LV_TRY(elaborate_compare(e, &arguments[k], part, err));
        else
            LV_TRY(lv_elaborate_part(e, &arguments[k], part, err));
    }
    return f->apply(f, e, value, arguments, call, err);
}

static lv_status misplaced_comparison(lv_elaboration *e, const lv_syntax *part,
                                      lv_error *err)
{
    lv_status status = lv_elaborate_fail(
        e, part, err, "a comparison may stand only as the first argument of if");
    if (part->sign == '=')
        lv_error_hint(err,
                      "a constraint is written as one side: \"x - y\" means x - y = 0");
    else
        lv_error_hint(err, "for example if(x > 0, a, b)");
    return status;
}

static lv_status elaborate_start(lv_elaboration *e, lv_value *value,
                                 const lv_syntax *part, lv_error *err)
{
    bool outer = e->at_start;
    e->at_start = true;
    lv_status status = lv_elaborate_part(e, value, part->first, err);
    e->at_start = outer;
    return status;
}

/* Elaborates a formula that the user wrote into a template, or a value at the start. */
static lv_status elaborate_hole(lv_elaboration *e, lv_value *value, const lv_syntax *part,
                                lv_error *err)
{
    bool outer = e->in_hole;
    e->in_hole = true;
    lv_status status = part->kind == LV_SYNTAX_START
                           ? elaborate_start(e, value, part, err)
                           : lv_elaborate(e, value, part->formula, err);
    e->in_hole = outer;
    LV_TRY(status);
    if (part->kind == LV_SYNTAX_POINT)
        value->length = lv_value_count(value);
    return e->settle && !outer ? e->settle(e->user, e, value, err) : LV_OK;
}

static lv_status elaborate_kind(lv_elaboration *e, lv_value *value, const lv_syntax *part,
                                lv_error *err)
{
    switch (part->kind) {
    case LV_SYNTAX_NUMBER:
        return number(e, value, part->number, err);
    case LV_SYNTAX_NAME:
        return elaborate_name(e, value, part, err);
    case LV_SYNTAX_NEGATE:
        return elaborate_negate(e, value, part, err);
    case LV_SYNTAX_SUM:
        return elaborate_sum(e, value, part, err);
    case LV_SYNTAX_PRODUCT:
        return elaborate_product(e, value, part, err);
    case LV_SYNTAX_POWER:
        return elaborate_power(e, value, part, err);
    case LV_SYNTAX_COMPARE:
        return misplaced_comparison(e, part, err);
    case LV_SYNTAX_PRIME:
        return elaborate_prime(e, value, part, err);
    case LV_SYNTAX_INDEX:
        return elaborate_index(e, value, part, err);
    case LV_SYNTAX_CALL:
        return elaborate_call(e, value, part, err);
    case LV_SYNTAX_SERIES:
        return lv_elaborate_series(e, value, part, err);
    case LV_SYNTAX_VECTOR:
        return elaborate_vector(e, value, part, err);
    case LV_SYNTAX_FORMULA:
    case LV_SYNTAX_POINT:
    case LV_SYNTAX_START:
        return elaborate_hole(e, value, part, err);
    }
    return lv_elaborate_fail(e, part, err, "this part of the formula is not understood");
}

lv_status lv_elaborate_part(lv_elaboration *e, lv_value *value, const lv_syntax *part,
                            lv_error *err)
{
    if (e->depth >= LV_ELABORATION_DEPTH)
        return lv_formula_fail(err, LV_ERR_LIMIT, e->snippet, part,
                               "formulas and definitions are nested more than %d levels "
                               "deep",
                               LV_ELABORATION_DEPTH);
    e->depth++;
    int mark = lv_graph_enter(e->graph, e->snippet, part->start, part->length);
    lv_status status = elaborate_kind(e, value, part, err);
    lv_graph_leave(e->graph, mark);
    e->depth--;
    return status == LV_OK ? lv_graph_check(e->graph, err) : status;
}

lv_status lv_elaborate(lv_elaboration *e, lv_value *value, const lv_formula *formula,
                       lv_error *err)
{
    const lv_snippet *outer = e->snippet;
    e->snippet = formula->snippet;
    lv_status status = lv_elaborate_part(e, value, formula->root, err);
    e->snippet = outer;
    return status;
}
