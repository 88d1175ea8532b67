/* What forces and symmetries act on.
 *
 * 'on' of a force lists coordinates, functions u(q, t) and rates r = A(q, t) v + b(q, t).
 * A force f does the virtual work f . du or f . r, hence its generalised force is
 *
 *     (du/dq)^T f  or  (dr/dv)^T f.
 *
 * If all of 'on' are coordinates, the rows of the formula are the generalised forces
 * already. */
#include "expr/analyse.h"
#include "expr/diff.h"
#include "model/draft.h"

/* A component of 'on', and the formula that it belongs to. */
typedef struct component {
    lv_node node;
    const lv_formula *part;
} component;

typedef struct components {
    component *items;
    int count;
} components;

static lv_status fail_at_part(lv_draft *d, const component *c, const char *text,
                              const char *hint)
{
    lv_status status = lv_formula_fail(d->err, LV_ERR_MODEL, c->part->snippet,
                                       c->part->root, "%s", text);
    if (hint)
        lv_error_hint(d->err, "%s", hint);
    return status;
}

/* Lists all components of 'on', formula by formula. */
static lv_status list_components(lv_draft *d, components *all)
{
    const lv_entry *on = lv_item_entry(d->kernel.item, "on");
    lv_value value;
    LV_TRY(lv_scope_entry(&d->scope, &value, on, d->err));
    *all = (components){0};
    all->items = lv_arena_alloc(&d->scratch, (size_t)lv_value_count(&value) + 1,
                                sizeof *all->items);
    if (!all->items)
        return lv_fail_memory(d->err);
    for (int k = 0; k < on->count; k++) {
        LV_TRY(lv_elaborate(&d->e, &value, &on->formulas[k], d->err));
        for (int j = 0; j < lv_value_count(&value); j++)
            all->items[all->count++] = (component){value.items[j], &on->formulas[k]};
    }
    return LV_OK;
}

/* Determines whether each component is a coordinate; fails if one occurs twice. */
static lv_status find_coordinates(lv_draft *d, const components *all, bool *plain)
{
    bool *seen = lv_arena_alloc(&d->scratch, (size_t)d->local + 1, sizeof *seen);
    if (!seen)
        return lv_fail_memory(d->err);
    *plain = true;
    for (int k = 0; k < all->count; k++) {
        const component *c = &all->items[k];
        if (!lv_graph_is_input(d->e.graph, c->node, LV_INPUT_Q)) {
            *plain = false;
            continue;
        }
        int local = lv_graph_node(d->e.graph, c->node)->b;
        if (seen[local])
            return fail_at_part(d, c, "'on' already contains this coordinate", NULL);
        seen[local] = true;
    }
    return LV_OK;
}

static lv_status check_count(lv_draft *d, const components *all, bool plain)
{
    int rows = d->kernel.row_count, count = all->count;
    if (rows == count)
        return LV_OK;
    lv_status status =
        lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(d->kernel.entry->place),
                   "%d component%s for %d %s%s%s", rows, rows == 1 ? "" : "s", count,
                   plain ? "coordinate" : "component", count == 1 ? "" : "s",
                   plain ? "" : " of 'on'");
    lv_error_hint(d->err, plain ? "one component for each coordinate that 'on' lists; a "
                                  "vector coordinate counts with its length"
                                : "one component for each that 'on' lists; a vector "
                                  "counts with its length");
    return status;
}

/* ---- virtual work ----------------------------------------------------------------------- */

static const char rule[] =
    "'on' takes coordinates, formulas of coordinates and time, and "
    "formulas linear in velocities";

/* A formula in 'on' with its components. Either all of these are functions of
 * coordinates, or all are rates. Some components may be constant, such as the height of a
 * point in a plane, but not all of them. */
typedef struct part {
    const component *items;
    int count;
    bool is_rate;
} part;

/* The formula whose components begin at this index. */
static part part_at(const components *all, int first)
{
    part p = {all->items + first, 0, false};
    while (first + p.count < all->count && p.items[p.count].part == p.items[0].part)
        p.count++;
    return p;
}

/* Determines whether the formula is a function of coordinates or a rate; fails if it is
 * neither. */
static lv_status classify(lv_draft *d, part *p, const lv_kinds *kinds,
                          const unsigned char *degrees)
{
    lv_kinds any = 0;
    bool linear = true;
    for (int k = 0; k < p->count; k++) {
        any |= kinds[p->items[k].node];
        linear = linear && degrees[p->items[k].node] <= 1;
    }
    p->is_rate = any & LV_KIND(V);
    if (any & LV_KIND(M))
        return fail_at_part(d, p->items, "'on' contains momenta", rule);
    if (!linear)
        return fail_at_part(d, p->items, "'on' is not linear in the velocities", rule);
    if (!p->is_rate && !(any & LV_KIND(Q)))
        return fail_at_part(d, p->items, "'on' contains neither coordinate nor velocity",
                            rule);
    return LV_OK;
}

/* The derivatives of a formula's components by `inputs`, which are coordinates or
 * velocities. */
static lv_status derive_part(lv_draft *d, const part *p, const lv_node *inputs,
                             lv_node *jacobian)
{
    lv_graph *g = d->e.graph;
    bool moves = false;
    for (int k = 0; k < p->count; k++) {
        lv_node *row = jacobian + (size_t)k * (size_t)d->local;
        lv_diff_gradient(g, row, p->items[k].node, inputs, d->local);
        LV_TRY(lv_graph_check(g, d->err));
        for (int l = 0; l < d->local; l++)
            moves = moves || !lv_graph_is_const(g, row[l], 0);
    }
    return moves ? LV_OK
                 : fail_at_part(d, p->items, "no motion changes this part of 'on'", rule);
}

/* jacobian[k * local + l]: derivative of component k by coordinate l or its velocity. */
static lv_status derive_motion(lv_draft *d, const components *all, lv_node *jacobian)
{
    lv_graph *g = d->e.graph;
    size_t nodes = (size_t)lv_graph_count(g), n = (size_t)d->local;
    lv_kinds *kinds = lv_arena_alloc(&d->scratch, nodes, sizeof *kinds);
    unsigned char *degrees = lv_arena_alloc(&d->scratch, nodes, sizeof *degrees);
    lv_node *inputs = lv_arena_alloc(&d->scratch, 2 * n + 1, sizeof *inputs);
    if (!kinds || !degrees || !inputs)
        return lv_fail_memory(d->err);
    lv_analyse_kinds(g, kinds);
    lv_analyse_degrees(g, degrees, LV_KIND(V));
    for (int l = 0; l < d->local; l++) {
        inputs[l] = lv_graph_input(g, LV_INPUT_Q, l);
        inputs[d->local + l] = lv_graph_input(g, LV_INPUT_V, l);
    }
    for (int k = 0; k < all->count;) {
        part p = part_at(all, k);
        LV_TRY(classify(d, &p, kinds, degrees));
        LV_TRY(derive_part(d, &p, inputs + (p.is_rate ? d->local : 0),
                           jacobian + (size_t)k * n));
        k += p.count;
    }
    return LV_OK;
}

/* sum_k f_k jacobian[k * local + l] over the components that depend on coordinate l;
 * returns whether there are any. */
static bool pull_back(lv_draft *d, lv_node *sum, const lv_node *jacobian, int l)
{
    lv_graph *g = d->e.graph;
    bool moves = false;
    *sum = lv_graph_const(g, 0);
    for (int k = 0; k < d->kernel.row_count; k++) {
        lv_node factor = jacobian[(size_t)k * (size_t)d->local + (size_t)l];
        if (lv_graph_is_const(g, factor, 0))
            continue;
        int mark = lv_graph_enter_node(g, d->kernel.rows[k]);
        lv_node term = lv_graph_mul(g, d->kernel.rows[k], factor);
        *sum = lv_graph_add(g, *sum, term);
        lv_graph_leave(g, mark);
        moves = true;
    }
    return moves;
}

static lv_status alloc_rows(lv_draft *d, lv_node **rows, lv_node **targets)
{
    *rows = lv_arena_alloc(d->arena, (size_t)d->local + 1, sizeof **rows);
    *targets = lv_arena_alloc(d->arena, (size_t)d->local + 1, sizeof **targets);
    return *rows && *targets ? LV_OK : lv_fail_memory(d->err);
}

static void set_rows(lv_draft *d, int count, const lv_node *rows, const lv_node *targets)
{
    d->kernel.is_vector = true;
    d->kernel.row_count = count;
    d->kernel.rows = rows;
    d->kernel.targets = targets;
}

/* Replaces the rows by the generalised forces that do their virtual work. */
static lv_status derive_work(lv_draft *d, const components *all)
{
    lv_node *rows = NULL, *targets = NULL;
    int count = 0;
    lv_node *jacobian = lv_arena_alloc(
        &d->scratch, (size_t)all->count * (size_t)d->local + 1, sizeof *jacobian);
    if (!jacobian)
        return lv_fail_memory(d->err);
    LV_TRY(derive_motion(d, all, jacobian));
    LV_TRY(alloc_rows(d, &rows, &targets));
    for (int l = 0; l < d->local; l++) {
        if (!pull_back(d, &rows[count], jacobian, l))
            continue;
        targets[count++] = lv_graph_input(d->e.graph, LV_INPUT_Q, l);
    }
    set_rows(d, count, rows, targets);
    return lv_graph_check(d->e.graph, d->err);
}

static lv_status keep_targets(lv_draft *d, const components *all)
{
    lv_node *targets =
        lv_arena_alloc(&d->model->arena, (size_t)all->count + 1, sizeof *targets);
    if (!targets)
        return lv_fail_memory(d->err);
    for (int k = 0; k < all->count; k++)
        targets[k] = all->items[k].node;
    d->kernel.targets = targets;
    return LV_OK;
}

static lv_status refuse_formulas(lv_draft *d, const components *all)
{
    int k = 0;
    while (lv_graph_is_input(d->e.graph, all->items[k].node, LV_INPUT_Q))
        k++;
    return fail_at_part(d, &all->items[k], "'on' lists coordinates; this is none", NULL);
}

lv_status lv_draft_targets(lv_draft *d)
{
    components all;
    bool plain = true;
    LV_TRY(list_components(d, &all));
    LV_TRY(find_coordinates(d, &all, &plain));
    if (!plain && (d->kernel.role == LV_ROLE_SYMMETRY || d->kernel.role == LV_ROLE_EVENT))
        return refuse_formulas(d, &all);
    LV_TRY(check_count(d, &all, plain));
    return plain ? keep_targets(d, &all) : derive_work(d, &all);
}

/* The forces of Rayleigh's function R are -dR/dv, on each coordinate whose velocity R
 * contains. */
lv_status lv_draft_dissipation(lv_draft *d)
{
    lv_node *rows = NULL, *targets = NULL, dissipation = d->kernel.rows[0];
    int count = 0;
    lv_node *velocities =
        lv_arena_alloc(&d->scratch, (size_t)d->local + 1, sizeof *velocities);
    if (!velocities)
        return lv_fail_memory(d->err);
    LV_TRY(alloc_rows(d, &rows, &targets));
    for (int k = 0; k < d->local; k++)
        velocities[k] = lv_graph_input(d->e.graph, LV_INPUT_V, k);
    lv_diff_gradient(d->e.graph, rows, dissipation, velocities, d->local);
    LV_TRY(lv_graph_check(d->e.graph, d->err));
    for (int k = 0; k < d->local; k++) {
        if (lv_graph_is_const(d->e.graph, rows[k], 0))
            continue;
        targets[count] = lv_graph_input(d->e.graph, LV_INPUT_Q, k);
        rows[count++] = lv_graph_neg(d->e.graph, rows[k]);
    }
    set_rows(d, count, rows, targets);
    if (count > 0)
        return lv_graph_check(d->e.graph, d->err);
    lv_status status = lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(d->kernel.entry->place),
                                  "the dissipation contains no velocity");
    lv_error_hint(d->err, "x' is the velocity of x");
    return status;
}
