/* Guesses the view of a model that declares none. Points are vectors of two or three
 * coordinates, and scalars x, y, z; if there are none, all scalars are drawn side by
 * side. Lines are distances in constraints and potentials: a formula depends on two
 * points a and b through a quadratic node f whose mixed second derivatives by a and b are
 * -c 1, c > 0, as those of c/2 |a - b|^2 are; or on one point alone, if r 1 is the rest
 * of its second derivatives. Then f contains r/2 |a - p|^2 with p = -f_a(0)/r. */
#include "expr/diff.h"
#include "model/view_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- points ---------------------------------------------------------------------------------- */

/* A point: a group of vectors, or two or three groups of scalars. */
typedef struct spot {
    int groups[3];
    int count;     /* number of groups */
    int dimension; /* 2 or 3 */
} spot;

typedef LV_ARRAY(spot) spot_list;

static const lv_group *group_at(const lv_model *m, int k)
{
    return &m->groups.data[k];
}

/* Whether a group is drawn here; members of parts are drawn by their parts. */
static bool is_own(const lv_group *g)
{
    return !g->item->origin || !strchr(g->item->name, '.');
}

/* The scalar group of this name with as many members as `like`; -1: there is none. Long
 * names are not searched for. */
static int find_scalar(const lv_model *m, char letter, const char *rest,
                       const lv_group *like)
{
    char text[64];
    const int length = snprintf(text, sizeof text, "%c%s", letter, rest);
    if (length < 0 || (size_t)length >= sizeof text)
        return -1;
    const lv_name *name = lv_names_find(&m->names, text, length);
    if (!name || name->kind != LV_NAME_COORDINATE)
        return -1;
    const lv_group *g = group_at(m, name->index);
    return g->length == 0 && g->is_family == like->is_family && g->count == like->count
               ? name->index
               : -1;
}

/* Determines the point that begins with this group; false: none does. */
static bool spot_at(const lv_model *m, int k, spot *s)
{
    const lv_group *g = group_at(m, k);
    *s = (spot){.groups = {k}, .count = 1, .dimension = g->length};
    if (g->length == 2 || g->length == 3)
        return is_own(g);
    if (g->length != 0 || g->item->name[0] != 'x')
        return false;
    const char *rest = g->item->name + 1;
    s->groups[1] = find_scalar(m, 'y', rest, g);
    s->groups[2] = find_scalar(m, 'z', rest, g);
    if (s->groups[1] < 0) { /* x and z span a plane, too */
        s->groups[1] = s->groups[2];
        s->groups[2] = -1;
    }
    s->count = s->dimension = s->groups[2] < 0 ? 2 : 3;
    return s->groups[1] >= 0;
}

static lv_status formula_of(lv_model *m, lv_formula *formula, const char *text,
                            lv_place place, lv_error *err)
{
    const size_t length = strlen(text);
    lv_snippet *snippet = lv_arena_alloc(&m->arena, 1, sizeof *snippet);
    size_t *offsets = lv_arena_alloc(&m->arena, length + 1, sizeof *offsets);
    const char *copy = lv_arena_text(&m->arena, text, length);
    if (!snippet || !offsets || !copy)
        return lv_fail_memory(err);
    for (size_t k = 0; k <= length; k++)
        offsets[k] = place.offset + (k == length ? place.length : 0);
    *snippet = (lv_snippet){copy, (int)length, place.source, place.offset, offsets};
    return lv_formula_parse(formula, &m->arena, snippet, err);
}

/* Makes the range i = 1..count of a family. */
static lv_status family_of(lv_model *m, const lv_entry **family, const lv_group *g,
                           lv_error *err)
{
    lv_entry *entry = lv_arena_alloc(&m->arena, 1, sizeof *entry);
    lv_range *range = lv_arena_alloc(&m->arena, 1, sizeof *range);
    char count[40];
    if (!entry || !range)
        return lv_fail_memory(err);
    snprintf(count, sizeof count, "%d", g->count);
    *range = (lv_range){.name = "i", .place = g->item->place};
    *entry = (lv_entry){.place = g->item->place, .count = 1, .ranges = range};
    *family = entry;
    LV_TRY(formula_of(m, &range->from, "1", g->item->place, err));
    return formula_of(m, &range->to, count, g->item->place, err);
}

/* Adds a point with this formula, one for each member of the group. */
static lv_status add_point(lv_model *m, const lv_group *g, const char *text, bool trail,
                           lv_error *err)
{
    lv_formula *formula = lv_arena_alloc(&m->arena, 1, sizeof *formula);
    lv_picture p = {.kind = LV_VIEW_POINT,
                    .item = g->item,
                    .name = g->item->name,
                    .section = "coordinates",
                    .shape = "ball",
                    .formulas = formula,
                    .count = 1,
                    .trail = trail};
    if (!formula)
        return lv_fail_memory(err);
    if (g->is_family)
        LV_TRY(family_of(m, &p.family, g, err));
    LV_TRY(formula_of(m, formula, text, g->item->place, err));
    return LV_PUSH(m->declarations.pictures, p) ? LV_OK : lv_fail_memory(err);
}

static lv_status guess_point(lv_model *m, const spot *s, lv_error *err)
{
    const lv_group *g = group_at(m, s->groups[0]);
    const char *index = g->is_family ? "_{i}" : "";
    char text[400];
    size_t used = 0;
    for (int k = 0; k < s->count; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s",
                                 k > 0          ? ", "
                                 : s->count > 1 ? "["
                                                : "",
                                 group_at(m, s->groups[k])->item->name, index,
                                 s->count > 1 && k + 1 == s->count ? "]" : "");
    return add_point(m, g, text, true, err);
}

/* Draws scalars side by side, each at the height of its value. */
static lv_status guess_heights(lv_model *m, lv_error *err)
{
    int at = 0;
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *g = group_at(m, k);
        char text[200];
        if (g->length > 0 || !is_own(g))
            continue;
        snprintf(text, sizeof text, g->is_family ? "[%d + i, %s_{i}]" : "[%d, %s]",
                 g->is_family ? at : at + 1, g->item->name);
        at += g->count;
        LV_TRY(add_point(m, g, text, false, err));
    }
    return LV_OK;
}

lv_status lv_view_guess(lv_model *m, lv_error *err)
{
    bool any = false;
    spot s;
    for (int k = 0; k < m->groups.count; k++)
        if (spot_at(m, k, &s)) {
            LV_TRY(guess_point(m, &s, err));
            any = true;
        }
    return any ? LV_OK : guess_heights(m, err);
}

/* ---- points in a kernel ----------------------------------------------------------------------- */

/* Larger formulas are not examined. */
enum { LOCAL_MOST = 60, FRONTIER_MOST = 400 };

typedef struct place {
    int local[3];
    int dimension;
} place;

typedef struct study {
    lv_model *model;
    lv_view_list *all;
    const lv_kernel *kernel;
    lv_graph *graph; /* a copy of the kernel's graph, in which derivatives are built */
    place places[LOCAL_MOST];
    int place_count;
    int local; /* number of local coordinates */
    lv_node variables[LOCAL_MOST];
    double hessian[LOCAL_MOST * LOCAL_MOST];
    lv_error *err;
} study;

static int find_slot(const lv_kernel *k, int group, lv_node index)
{
    for (int s = 0; s < k->slot_count; s++)
        if (k->slots[s].group == group && k->slots[s].index == index)
            return s;
    return -1;
}

static void find_places(study *y)
{
    const lv_kernel *k = y->kernel;
    for (int s = 0; s < k->slot_count; s++) {
        spot it;
        place p = {.dimension = 0};
        if (!spot_at(y->model, k->slots[s].group, &it))
            continue;
        p.dimension = it.dimension;
        bool whole = true;
        for (int j = 0; j < it.dimension; j++) {
            const int slot =
                it.count == 1 ? s : find_slot(k, it.groups[j], k->slots[s].index);
            whole = whole && slot >= 0;
            p.local[j] = slot < 0 ? 0 : k->slots[slot].first + (it.count == 1 ? j : 0);
        }
        if (whole)
            y->places[y->place_count++] = p;
    }
}

/* Evaluates nodes with the numbers of the first instance: second derivatives of quadratic
 * nodes do not depend on the coordinates. */
static lv_status evaluate_first_instance(study *y, double *values, const lv_node *nodes,
                                         int count)
{
    static const double nothing[LOCAL_MOST + 1];
    const lv_kernel *k = y->kernel;
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    double *numbers = lv_memory_zeroed((size_t)k->index_count + (size_t)k->data_count + 1,
                                       sizeof *numbers);
    if (!numbers)
        return lv_fail_memory(y->err);
    lv_kernel_numbers(k, numbers, 0);
    inputs[LV_INPUT_Q] = inputs[LV_INPUT_V] = inputs[LV_INPUT_T] = nothing;
    inputs[LV_INPUT_P] = y->model->parameter_values.data;
    inputs[LV_INPUT_I] = numbers;
    const lv_status status =
        lv_graph_evaluate(y->graph, values, nodes, count, inputs, y->err);
    lv_memory_free(numbers);
    return status;
}

/* ---- lines ------------------------------------------------------------------------------------- */

static double second_derivative(const study *y, const place *a, int i, const place *b,
                                int j)
{
    return y->hessian[a->local[i] * y->local + b->local[j]];
}

/* The factor c if the second derivatives by two points are c times the unit matrix; NAN:
 * they are not. */
static double unit_matrix_factor(const study *y, const place *a, const place *b)
{
    const double c = second_derivative(y, a, 0, b, 0), small = 1e-12 * fabs(c);
    if (a->dimension != b->dimension)
        return (double)NAN;
    for (int i = 0; i < a->dimension; i++)
        for (int j = 0; j < a->dimension; j++)
            if (!(fabs(second_derivative(y, a, i, b, j) - (i == j ? c : 0)) <= small))
                return (double)NAN;
    return c;
}

/* Adds a line between two ends of up to three nodes each, in all instances of the
 * kernel. */
static lv_status add_line(study *y, lv_node ends[2][3], int dimension)
{
    lv_kernel line = *y->kernel;
    lv_picture *p = lv_arena_alloc(&y->model->arena, 1, sizeof *p);
    lv_graph *graph = lv_graph_copy(y->graph);
    lv_node rows[6];
    if (!p || !graph) {
        lv_graph_free(graph);
        return lv_fail_memory(y->err);
    }
    *p = (lv_picture){.kind = LV_VIEW_LINE,
                      .item = line.item,
                      .name = line.item->name[0] ? line.item->name : "energy",
                      .section = lv_item_section(line.item),
                      .shape = line.role == LV_ROLE_HOLONOMIC ? "rod" : "spring",
                      .family = lv_item_entry(line.item, "for"),
                      .count = 2};
    for (int k = 0; k < 6; k++)
        rows[k] = k % 3 < dimension ? ends[k / 3][k % 3] : lv_graph_const(graph, 0);
    line.role = LV_ROLE_VIEW;
    line.graph = graph;
    line.picture = p;
    line.row_count = 6;
    line.rows = lv_arena_copy(&y->model->arena, rows, 6, sizeof *rows);
    lv_status status = lv_graph_check(graph, y->err);
    if (status == LV_OK)
        status = line.rows ? lv_view_add_kernel(y->model, y->all, &line, y->err)
                           : lv_fail_memory(y->err);
    if (status != LV_OK)
        lv_graph_free(graph);
    return status;
}

static void put_place(const study *y, lv_node *nodes, const place *p)
{
    for (int k = 0; k < p->dimension; k++)
        nodes[k] = y->variables[p->local[k]];
}

/* Adds a line to the fixed point -f_a(0)/r. In a potential, linear terms usually come
 * from gravity, so that only the point 0 is accepted. */
static lv_status add_anchor(study *y, lv_node f, const place *a, double r)
{
    lv_node ends[2][3], gradient[3];
    double values[3];
    put_place(y, ends[1], a);
    lv_diff_gradient(y->graph, gradient, f, ends[1], a->dimension);
    const lv_node size = lv_graph_const(y->graph, -r);
    for (int k = 0; k < a->dimension; k++) {
        const lv_node at_zero = lv_analyse_at_zero(y->graph, gradient[k], LV_KIND(Q));
        ends[0][k] = lv_graph_div(y->graph, at_zero, size);
    }
    LV_TRY(lv_graph_check(y->graph, y->err));
    LV_TRY(evaluate_first_instance(y, values, ends[0], a->dimension));
    for (int k = 0; k < a->dimension; k++)
        if (!isfinite(values[k]) ||
            (y->kernel->role != LV_ROLE_HOLONOMIC && values[k] != 0))
            return LV_OK;
    return add_line(y, ends, a->dimension);
}

/* Finds the lines of one quadratic node whose second derivatives are known. */
static lv_status find_lines(study *y, lv_node f)
{
    for (int i = 0; i < y->place_count; i++) {
        const place *a = &y->places[i];
        double left = unit_matrix_factor(y, a, a);
        for (int j = 0; j < y->place_count; j++) {
            const place *b = &y->places[j];
            const double c = i == j ? 0 : -unit_matrix_factor(y, a, b);
            left -= c; /* NAN: the point is coupled in another way */
            if (!(c > 0) || j > i || !(unit_matrix_factor(y, a, a) > 0) ||
                !(unit_matrix_factor(y, b, b) > 0))
                continue;
            lv_node ends[2][3];
            put_place(y, ends[0], b);
            put_place(y, ends[1], a);
            LV_TRY(add_line(y, ends, a->dimension));
        }
        const double all = unit_matrix_factor(y, a, a);
        if (left > 1e-9 * all && left < (1 + 1e-9) * all)
            LV_TRY(add_anchor(y, f, a, left));
    }
    return LV_OK;
}

static lv_status study_node(study *y, lv_node f)
{
    const int n = y->local;
    lv_node *nodes = lv_memory_zeroed((size_t)n * (size_t)n, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(y->err);
    lv_diff_hessian(y->graph, nodes, f, y->variables, n, y->variables, n);
    lv_status status = lv_graph_check(y->graph, y->err);
    if (status == LV_OK)
        status = evaluate_first_instance(y, y->hessian, nodes, n * n);
    lv_memory_free(nodes);
    return status == LV_OK ? find_lines(y, f) : status;
}

static lv_status study_rows(study *y)
{
    const size_t count = (size_t)lv_graph_count(y->graph);
    unsigned char *degrees = lv_memory_zeroed(count, 1);
    lv_status status = degrees ? LV_OK : lv_fail_memory(y->err);
    if (degrees)
        lv_analyse_degrees(y->graph, degrees, LV_KIND(Q));
    for (int r = 0; r < y->kernel->row_count && status == LV_OK; r++) {
        lv_node_list frontier = {0};
        status =
            lv_analyse_frontier(y->graph, &frontier, y->kernel->rows[r], degrees, y->err);
        for (int k = 0; k < frontier.count && k < FRONTIER_MOST && status == LV_OK; k++)
            if (degrees[frontier.data[k]] == 2)
                status = study_node(y, frontier.data[k]);
        LV_ARRAY_FREE(frontier);
    }
    lv_memory_free(degrees);
    return status;
}

/* Whether a kernel is a constraint or potential of coordinates and parameters only. */
static lv_status is_plain(const lv_kernel *k, bool *plain, lv_error *err)
{
    const bool role = k->role == LV_ROLE_HOLONOMIC || k->role == LV_ROLE_POTENTIAL;
    lv_kinds kinds = 0;
    *plain = false;
    if (!role || k->layout.size[LV_INPUT_Q] > LOCAL_MOST || k->turn_count > 0 ||
        k->instance_count == 0)
        return LV_OK;
    LV_TRY(lv_analyse_reach(k->graph, &kinds, k->rows, k->row_count, err));
    *plain = !(kinds & ~(LV_KIND(Q) | LV_KIND(P) | LV_KIND(I)));
    return LV_OK;
}

lv_status lv_view_guess_lines(lv_model *m, lv_view_list *all, lv_error *err)
{
    for (int k = 0; k < m->kernels.count; k++) {
        study y = {.model = m, .all = all, .kernel = &m->kernels.data[k], .err = err};
        bool plain = false;
        LV_TRY(is_plain(y.kernel, &plain, err));
        if (!plain)
            continue;
        y.local = y.kernel->layout.size[LV_INPUT_Q];
        y.graph = lv_graph_copy(y.kernel->graph);
        if (!y.graph)
            return lv_fail_memory(err);
        for (int j = 0; j < y.local; j++)
            y.variables[j] = lv_graph_input(y.graph, LV_INPUT_Q, j);
        find_places(&y);
        lv_status status = lv_graph_check(y.graph, err);
        if (status == LV_OK && y.place_count > 0)
            status = study_rows(&y);
        lv_graph_free(y.graph);
        LV_TRY(status);
    }
    return LV_OK;
}
