/* A formula as a test writes it: a text in, values or a complaint out. Names:
 *   x y z      scalar coordinates 0, 1, 2
 *   a b        coordinates of length 3, from 3 and 6
 *   c          a coordinate of length 2, from 9
 *   q_1 .. q_5 a family of scalar coordinates from 11; also q_{...} with a constant inside
 *   k l        scalar parameters 0, 1
 *   w          a parameter of length 3, from 2
 *   i          a number of the instance
 *   twice      the definition 2*x
 *   endless    the definition -endless, which has no end */
#ifndef LV_TESTS_FORMULA_H
#define LV_TESTS_FORMULA_H

#include "check.h"
#include "deny.h"
#include "expr/elaborate.h"

#include <string.h>

enum { FORMULA_Q = 16, FORMULA_P = 5, FORMULA_LENGTH = 8 };

static const struct formula_name {
    const char *name;
    int length;
    lv_input kind;
    int first;
} formula_names[] = {
    {"x", 0, LV_INPUT_Q, 0},    {"y", 0, LV_INPUT_Q, 1},    {"z", 0, LV_INPUT_Q, 2},
    {"a", 3, LV_INPUT_Q, 3},    {"b", 3, LV_INPUT_Q, 6},    {"c", 2, LV_INPUT_Q, 9},
    {"q_1", 0, LV_INPUT_Q, 11}, {"q_2", 0, LV_INPUT_Q, 12}, {"q_3", 0, LV_INPUT_Q, 13},
    {"q_4", 0, LV_INPUT_Q, 14}, {"q_5", 0, LV_INPUT_Q, 15}, {"k", 0, LV_INPUT_P, 0},
    {"l", 0, LV_INPUT_P, 1},    {"w", 3, LV_INPUT_P, 2},    {"i", 0, LV_INPUT_I, 0},
};

/* A point at which formulas are evaluated. */
typedef struct formula_point {
    double q[FORMULA_Q], v[FORMULA_Q], t, p[FORMULA_P], i;
} formula_point;

static const formula_point formula_origin = {.t = 0};

/* One formula; zero-initialise, formula_done at the end. */
typedef struct formula_test {
    int padding; /* bytes of the arena in use before anything else */
    lv_source source;
    lv_snippet snippet;
    lv_arena arena;
    lv_graph *graph;
    lv_formula formula;
    lv_value value;
} formula_test;

static inline lv_status formula_resolve(void *user, lv_elaboration *e, lv_value *value,
                                        const lv_syntax *name, lv_error *err);

static inline lv_status formula_define(lv_elaboration *e, lv_value *value,
                                       const char *text, lv_error *err)
{
    const lv_snippet snippet = {.text = text, .length = (int)strlen(text)};
    lv_formula formula;
    lv_snippet *copy = lv_arena_copy(e->arena, &snippet, 1, sizeof snippet);
    if (!copy)
        return lv_fail_memory(err);
    LV_TRY(lv_formula_parse(&formula, e->arena, copy, err));
    return lv_elaborate(e, value, &formula, err);
}

/* The number of a member of q; 0 fails. */
static inline lv_status formula_member(lv_elaboration *e, int *member,
                                       const lv_syntax *name, lv_error *err)
{
    lv_value index;
    LV_TRY(lv_elaborate_part(e, &index, name->first, err));
    const lv_node_data *d = lv_graph_node(e->graph, index.items[0]);
    *member = d->op == LV_OP_CONST ? (int)d->value : 0;
    return LV_OK;
}

static inline lv_status formula_resolve(void *user, lv_elaboration *e, lv_value *value,
                                        const lv_syntax *name, lv_error *err)
{
    const int count = (int)(sizeof formula_names / sizeof *formula_names);
    int found = 0, member = 0;
    (void)user;
    if (name->count > 0 && strcmp(name->name, "q") == 0)
        LV_TRY(formula_member(e, &member, name, err));
    if (strcmp(name->name, "twice") == 0)
        return formula_define(e, value, "2*x", err);
    if (strcmp(name->name, "endless") == 0)
        return formula_define(e, value, "-endless", err);
    while (found < count && strcmp(formula_names[found].name, name->name) != 0)
        found++;
    if (member >= 1 && member <= 5)
        found = 5 + member;
    if (found == count)
        return lv_elaborate_fail(e, name, err, "nothing is called '%s'", name->name);

    lv_node *items = lv_value_room(e, value, formula_names[found].length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = lv_graph_input(e->graph, formula_names[found].kind,
                                  formula_names[found].first + k);
    return LV_OK;
}

static inline void formula_done(formula_test *f)
{
    lv_arena_done(&f->arena);
    lv_graph_free(f->graph);
    *f = (formula_test){.graph = NULL};
}

/* Parses; the source is a file "f" that holds the formula and nothing else. */
static inline lv_status formula_parse(formula_test *f, const char *text, lv_error *err)
{
    f->source = (lv_source){"f", text, strlen(text)};
    f->snippet =
        (lv_snippet){.text = text, .length = (int)strlen(text), .source = &f->source};
    return lv_formula_parse(&f->formula, &f->arena, &f->snippet, err);
}

/* Parses and elaborates, `timeless` as in lv_elaboration. */
static inline lv_status formula_make(formula_test *f, const char *text,
                                     const char *timeless, lv_error *err)
{
    lv_elaboration e = {.arena = &f->arena, .resolve = formula_resolve};
    e.timeless = timeless;
    if (f->padding > 0 && !lv_arena_alloc(&f->arena, (size_t)f->padding, 1))
        return lv_fail_memory(err);
    LV_TRY(formula_parse(f, text, err));
    f->graph = lv_graph_create(0);
    e.graph = f->graph;
    return f->graph ? lv_elaborate(&e, &f->value, &f->formula, err) : lv_fail_memory(err);
}

/* The values of a formula that must be correct; returns its length (0: a scalar). */
static inline int formula_values(const char *text, const formula_point *point,
                                 double values[FORMULA_LENGTH])
{
    formula_test f = {.graph = NULL};
    lv_error err;
    const double *in[LV_INPUT_KINDS] = {point->q, point->v, &point->t, point->p,
                                        &point->i};
    if (formula_make(&f, text, NULL, &err) != LV_OK)
        fail_msg("\"%s\": %s", text, err.text);
    assert_in_range(lv_value_count(&f.value), 1, FORMULA_LENGTH);
    assert_int_equal(lv_graph_evaluate(f.graph, values, f.value.items,
                                       lv_value_count(&f.value), in, &err),
                     LV_OK);
    int length = f.value.length;
    formula_done(&f);
    return length;
}

static inline double formula_value(const char *text, const formula_point *point)
{
    double values[FORMULA_LENGTH];
    if (formula_values(text, point, values) != 0)
        fail_msg("\"%s\" is a vector", text);
    return values[0];
}

typedef struct formula_denial {
    const char *text;
    int padding;
} formula_denial;

static inline lv_status formula_deny_job(void *user, lv_error *err)
{
    const formula_denial *d = user;
    formula_test f = {.padding = d->padding};
    lv_status status = formula_make(&f, d->text, NULL, err);
    formula_done(&f);
    return status;
}

/* Denies every allocation. An arena asks for memory where a block ends; the padding moves
 * that point through all requests for memory that the formula makes. */
static inline void formula_deny(const char *text)
{
    enum { BLOCK = 1024, STEP = 16 };
    for (int padding = 0; padding < BLOCK; padding += STEP)
        lv_deny_sweep(formula_deny_job, &(formula_denial){text, padding});
}

/* What a wrong formula must get. */
typedef struct complaint {
    const char *text;
    lv_status code;
    int column, length;
    const char *message;
    const char *hint; /* NULL: none */
} complaint;

static inline void expect_error(const complaint *c, lv_status status, const lv_error *err)
{
    const char *hint = c->hint ? c->hint : "";
    if (status == LV_OK)
        fail_msg("\"%s\" is accepted", c->text);
    if (status != c->code || err->code != status || err->line != 1 ||
        err->column != c->column || err->length != c->length ||
        strcmp(err->text, c->message) != 0 || strcmp(err->hint, hint) != 0)
        fail_msg(
            "\"%s\": %s at %d:%d, length %d: %s; %s\nexpected %s at 1:%d, length %d: "
            "%s; %s",
            c->text, lv_status_name(status), err->line, err->column, err->length,
            err->text, err->hint, lv_status_name(c->code), c->column, c->length,
            c->message, hint);
}

static inline void expect_complaints(const complaint *c, int count)
{
    for (; count > 0; count--, c++) {
        formula_test f = {.graph = NULL};
        lv_error err;
        lv_error_clear(&err);
        lv_status status = formula_make(&f, c->text, NULL, &err);
        expect_error(c, status, &err);
        formula_done(&f);
    }
}

#endif
