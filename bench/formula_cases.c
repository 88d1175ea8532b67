#include "formula_cases.h"

#include "expr/diff.h"

#include <stdio.h>
#include <string.h>

static void add_input(formula_case *c, const char *name, int length, lv_input kind)
{
    formula_name *n = &c->names[c->name_count++];
    *n = (formula_name){.length = length, .kind = kind, .first = c->layout.size[kind]};
    (void)snprintf(n->name, sizeof n->name, "%s", name);
    c->layout.size[kind] += length == 0 ? 1 : length;
}

/* ---- the cases ------------------------------------------------------------------- */

/* Kinon, Betsch, Schneider, Nonlinear Dynamics (2023), equation (116): two stiff springs
 * that act on squared lengths, as in models/four-particles.toml. */
static void init_four_particles(formula_case *c)
{
    static const char *const points[] = {"q1", "q2", "q3", "q4"};
    static const char *const parameters[] = {"k13", "k24", "l13", "l24"};
    c->name = "four particles";
    for (int i = 0; i < 4; i++) {
        add_input(c, points[i], 3, LV_INPUT_Q);
        add_input(c, parameters[i], 0, LV_INPUT_P);
    }
    c->variables = 12;
    lv_text_append(&c->text, "k13/2*(norm2(q3 - q1) - l13^2)^2 + "
                             "k24/2*(norm2(q4 - q2) - l24^2)^2");
}

static void add_definition(formula_case *c, char axis, int k, const char *function)
{
    formula_name *n = &c->names[c->name_count++];
    *n = (formula_name){.length = 0};
    (void)snprintf(n->name, sizeof n->name, "%c%d", axis, k);
    if (k == 1)
        (void)snprintf(n->definition, sizeof n->definition, "l*%s(q1)", function);
    else
        (void)snprintf(n->definition, sizeof n->definition, "%c%d + l*%s(q%d)", axis,
                       k - 1, function, k);
}

/* A plane pendulum of 16 equal links with the absolute angles q1 .. q16, the positions of
 * the masses being definitions that build on each other. */
static void init_pendulum(formula_case *c)
{
    enum { LINKS = 16 };
    char angle[8];
    c->name = "16-link pendulum";
    c->variables = 2 * LINKS;
    add_input(c, "m", 0, LV_INPUT_P);
    add_input(c, "l", 0, LV_INPUT_P);
    add_input(c, "g", 0, LV_INPUT_P);
    for (int k = 1; k <= LINKS; k++) {
        (void)snprintf(angle, sizeof angle, "q%d", k);
        add_input(c, angle, 0, LV_INPUT_Q);
        add_definition(c, 'x', k, "sin");
        add_definition(c, 'y', k, "cos");
        lv_text_append(&c->text, "%sm/2*(x%d'^2 + y%d'^2) + m*g*y%d", k > 1 ? " + " : "",
                       k, k, k);
    }
    c->layout.size[LV_INPUT_V] = LINKS;
}

void formula_case_init(formula_case *c, int number)
{
    *c = (formula_case){0};
    if (number == 0)
        init_four_particles(c);
    else
        init_pendulum(c);
}

void formula_case_done(formula_case *c)
{
    lv_text_done(&c->text);
}

/* ---- text to programs ------------------------------------------------------------- */

/* A text outside of any file, kept in the arena as long as its tree. */
static lv_status parse(lv_formula *formula, lv_arena *arena, const char *text,
                       lv_error *err)
{
    const lv_snippet snippet = {.text = text, .length = (int)strlen(text)};
    lv_snippet *copy = lv_arena_copy(arena, &snippet, 1, sizeof snippet);
    return copy ? lv_formula_parse(formula, arena, copy, err) : lv_fail_memory(err);
}

static lv_status resolve_definition(lv_elaboration *e, formula_name *n, lv_value *value,
                                    lv_error *err)
{
    if (!n->value.items) {
        LV_TRY(parse(&n->formula, e->arena, n->definition, err));
        LV_TRY(lv_elaborate(e, &n->value, &n->formula, err));
    }
    *value = n->value;
    return LV_OK;
}

static lv_status resolve(void *user, lv_elaboration *e, lv_value *value,
                         const lv_syntax *name, lv_error *err)
{
    formula_case *c = user;
    formula_name *n = c->names, *end = n + c->name_count;
    while (n < end && strcmp(n->name, name->name) != 0)
        n++;
    if (n == end)
        return lv_elaborate_fail(e, name, err, "nothing is called '%s'", name->name);
    if (n->definition[0])
        return resolve_definition(e, n, value, err);
    lv_node *items = lv_value_room(e, value, n->length, err);
    if (!items)
        return LV_ERR_MEMORY;
    for (int k = 0; k < lv_value_count(value); k++)
        items[k] = lv_graph_input(e->graph, n->kind, n->first + k);
    return LV_OK;
}

static lv_status elaborate(formula_case *c, lv_graph *graph, lv_node *f, lv_error *err)
{
    lv_arena arena = {0};
    lv_formula formula;
    lv_value value;
    lv_elaboration e = {.graph = graph, .arena = &arena, .resolve = resolve, .user = c};
    for (int i = 0; i < c->name_count; i++)
        c->names[i].value = (lv_value){0, NULL};
    lv_status status = parse(&formula, &arena, c->text.data, err);
    if (status == LV_OK)
        status = lv_elaborate(&e, &value, &formula, err);
    if (status == LV_OK)
        *f = value.items[0];
    lv_arena_done(&arena);
    return status;
}

static void list_variables(const formula_case *c, lv_graph *graph, lv_node *variables)
{
    int count = c->layout.size[LV_INPUT_Q];
    for (int k = 0; k < c->variables; k++)
        variables[k] = k < count ? lv_graph_input(graph, LV_INPUT_Q, k)
                                 : lv_graph_input(graph, LV_INPUT_V, k - count);
}

static lv_status compile(formula_case *c, lv_graph *graph, lv_program **program,
                         formula_wanted wanted, lv_error *err)
{
    lv_node variables[FORMULA_VARIABLES], f = LV_NODE_NONE;
    lv_node outputs[FORMULA_VARIABLES + FORMULA_VARIABLES * FORMULA_VARIABLES];
    int n = c->variables, count = 0;
    LV_TRY(elaborate(c, graph, &f, err));
    list_variables(c, graph, variables);
    if (wanted & FORMULA_GRADIENT) {
        lv_diff_gradient(graph, outputs, f, variables, n);
        count += n;
    }
    if (wanted & FORMULA_HESSIAN) {
        lv_diff_hessian(graph, outputs + count, f, variables, n, variables, n);
        count += n * n;
    }
    return lv_program_compile(program, graph, outputs, count, &c->layout, err);
}

lv_status formula_case_compile(formula_case *c, lv_program **program,
                               formula_wanted wanted, lv_error *err)
{
    *program = NULL;
    lv_graph *graph = lv_graph_create(0);
    lv_status status = graph && !c->text.failed ? compile(c, graph, program, wanted, err)
                                                : lv_fail_memory(err);
    lv_graph_free(graph);
    return status;
}
