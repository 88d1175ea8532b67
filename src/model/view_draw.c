/* Items and kernels of one picture. */
#include "model/view_private.h"

#include "base/text.h"
#include "expr/analyse.h"
#include "model/revalue.h"
#include "num/rotation.h"

#include <math.h>
#include <string.h>

/* ---- rows and numbers ----------------------------------------------------------------------- */

int lv_picture_rows(const lv_picture *p)
{
    switch (p->kind) {
    case LV_VIEW_POINT:
    case LV_VIEW_SURFACE:
        return 3;
    case LV_VIEW_LINE:
        return 3 * p->count;
    case LV_VIEW_FRAME:
        return 12;
    case LV_VIEW_JOINT:
        return 6;
    }
    return 0;
}

int lv_picture_numbers(const lv_picture *p)
{
    return p->kind == LV_VIEW_FRAME ? 7 : lv_picture_rows(p);
}

static void normalise(double *axis)
{
    const double size = hypot(hypot(axis[0], axis[1]), axis[2]);
    for (int k = 0; k < 3 && size > 0; k++)
        axis[k] /= size;
}

static bool is_there(const lv_picture *p, int k)
{
    return k < p->count && p->formulas[k].root;
}

void lv_picture_place(const lv_picture *p, int instance, double *numbers,
                      const double *rows)
{
    memcpy(numbers, rows,
           (size_t)(p->kind == LV_VIEW_FRAME ? 3 : lv_picture_rows(p)) * sizeof *rows);
    if (p->kind == LV_VIEW_JOINT)
        normalise(numbers + 3);
    if (p->kind != LV_VIEW_FRAME)
        return;
    double axes[9];
    const bool angle = is_there(p, LV_PICTURE_ANGLE);
    const bool given[3] = {angle || is_there(p, LV_PICTURE_E1),
                           is_there(p, LV_PICTURE_E1 + 1),
                           angle || is_there(p, LV_PICTURE_E1 + 2)};
    memcpy(axes, rows + 3, sizeof axes);
    lv_axes_complete(axes, given);
    lv_quaternion_of_axes(numbers + 3, axes);
    if (p->turns)
        lv_quaternion_multiply(numbers + 3, p->turns + 4 * (ptrdiff_t)instance);
}

/* ---- formulas of a picture ------------------------------------------------------------------- */

typedef struct drawing {
    lv_model *model;
    const lv_picture *picture;
    double **turns; /* where the quaternions of the picture are stored */
    lv_draft draft;
    lv_node *rows;
    int grid;          /* number of instances of one item */
    bool is_flat;      /* it lies in the plane z = 0, as far as formulas show */
    bool is_still;     /* it depends on parameters and indices only */
    bool is_empty;     /* nothing can be drawn */
    lv_node extras[8]; /* sizes, then the weight */
    int size_count, extra_count;
    double *numbers; /* values of all instances of an item that does not move */
    double *sizes;   /* for all instances, extra_count each */
} drawing;

static lv_place place_of(const lv_formula *f)
{
    return lv_formula_place(f->snippet, f->root);
}

/* Stores the value of a formula as three rows. */
static lv_status put_vector(drawing *w, int at, const lv_formula *formula)
{
    lv_draft *d = &w->draft;
    lv_value value;
    char buffer[48];
    LV_TRY(lv_elaborate(&d->e, &value, formula, d->err));
    const int length = lv_value_count(&value);
    const bool fits = value.length == 2 || value.length == 3;
    if (!fits && w->picture->is_given)
        return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(place_of(formula)),
                          "what is drawn has 2 or 3 components, this is %s",
                          lv_value_describe(&value, buffer));
    w->is_empty = w->is_empty || length > 3;
    w->is_flat = w->is_flat && length < 3;
    for (int k = 0; k < 3; k++)
        w->rows[at + k] = k < length ? value.items[k] : lv_graph_const(d->e.graph, 0);
    return lv_graph_check(d->e.graph, d->err);
}

/* Stores the axes e1 and e3 of a frame that is rotated about the z axis. */
static lv_status put_angle(drawing *w)
{
    lv_draft *d = &w->draft;
    lv_graph *g = d->e.graph;
    const lv_formula *formula = &w->picture->formulas[LV_PICTURE_ANGLE];
    lv_value angle;
    char buffer[48];
    LV_TRY(lv_elaborate(&d->e, &angle, formula, d->err));
    if (angle.length > 0)
        return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(place_of(formula)),
                          "an angle is a scalar, this is %s",
                          lv_value_describe(&angle, buffer));
    w->rows[3] = lv_graph_op(g, LV_OP_COS, angle.items[0], LV_NODE_NONE, LV_NODE_NONE);
    w->rows[4] = lv_graph_op(g, LV_OP_SIN, angle.items[0], LV_NODE_NONE, LV_NODE_NONE);
    w->rows[11] = lv_graph_const(g, 1);
    return lv_graph_check(g, d->err);
}

static lv_status put_rows(drawing *w)
{
    const lv_picture *p = w->picture;
    const lv_node zero = lv_graph_const(w->draft.e.graph, 0);
    const int count = p->kind == LV_VIEW_FRAME ? 4 : p->count;
    for (int k = 0; k < lv_picture_rows(p); k++)
        w->rows[k] = zero;
    for (int k = 0; k < count; k++)
        if (is_there(p, k))
            LV_TRY(put_vector(w, 3 * k, &p->formulas[k]));
    return p->kind == LV_VIEW_FRAME && is_there(p, LV_PICTURE_ANGLE) ? put_angle(w)
                                                                     : LV_OK;
}

/* Fails if a picture depends on momenta; determines whether it moves. */
static lv_status check_rows(drawing *w)
{
    const lv_draft *d = &w->draft;
    const lv_picture *p = w->picture;
    lv_kinds kinds = 0;
    LV_TRY(lv_analyse_reach(d->e.graph, &kinds, w->rows, lv_picture_rows(p), d->err));
    w->is_still = !(kinds & ~(LV_KIND(P) | LV_KIND(I)));
    if (!(kinds & LV_KIND(M)))
        return LV_OK;
    lv_status status = lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(p->item->place),
                                  "a picture cannot depend on momenta");
    lv_error_hint(d->err, "velocities are written x'");
    return status;
}

/* ---- variables of curves and surfaces --------------------------------------------------------- */

static lv_status number_formula(lv_arena *arena, lv_formula *formula,
                                const lv_formula *place, int number, lv_error *err)
{
    lv_syntax *root = lv_arena_copy(arena, place->root, 1, sizeof *root);
    if (!root)
        return lv_fail_memory(err);
    *root = (lv_syntax){.kind = LV_SYNTAX_NUMBER,
                        .start = place->root->start,
                        .length = place->root->length,
                        .number = number};
    *formula = (lv_formula){place->snippet, root};
    return LV_OK;
}

/* The family of a picture with the cells of its variables, 0 to `cells`, as additional
 * indices. */
static lv_status all_ranges(drawing *w, const lv_entry **family)
{
    const lv_picture *p = w->picture;
    lv_draft *d = &w->draft;
    const int own = p->family ? p->family->count : 0;
    *family = p->family;
    if (!p->over)
        return LV_OK;
    if (own + p->over->count > LV_RANGES_MOST)
        return lv_fail_at(d->err, LV_ERR_LIMIT, LV_AT(p->over->place),
                          "a picture has at most %d indices and variables",
                          LV_RANGES_MOST);
    lv_entry *all = lv_arena_alloc(&w->model->arena, 1, sizeof *all);
    lv_range *ranges = lv_arena_alloc(&w->model->arena, LV_RANGES_MOST, sizeof *ranges);
    if (!all || !ranges)
        return lv_fail_memory(d->err);
    if (own > 0)
        memcpy(ranges, p->family->ranges, (size_t)own * sizeof *ranges);
    for (int k = 0; k < p->over->count; k++) {
        const lv_range *range = &p->over->ranges[k];
        lv_range *cells = &ranges[own + k];
        *cells = (lv_range){.name = range->name, .place = range->place};
        LV_TRY(number_formula(&w->model->arena, &cells->from, &range->from, 0, d->err));
        LV_TRY(
            number_formula(&w->model->arena, &cells->to, &range->to, p->cells, d->err));
        w->grid *= p->cells + 1;
    }
    *all = (lv_entry){
        .place = p->over->place, .count = own + p->over->count, .ranges = ranges};
    *family = all;
    return LV_OK;
}

static lv_status elaborate_end(drawing *w, lv_node *end, const lv_formula *formula)
{
    lv_draft *d = &w->draft;
    lv_value value;
    lv_kinds kinds = 0;
    LV_TRY(lv_elaborate(&d->e, &value, formula, d->err));
    LV_TRY(lv_analyse_reach(d->e.graph, &kinds, value.items, 1, d->err));
    if (value.length > 0 || (kinds & ~(LV_KIND(P) | LV_KIND(I))))
        return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(place_of(formula)),
                          "the end of a range is a scalar of parameters and indices");
    *end = value.items[0];
    return LV_OK;
}

/* From now on the value of a variable is from + (to - from) cell/cells. */
static lv_status set_variables(drawing *w)
{
    lv_draft *d = &w->draft;
    lv_graph *g = d->e.graph;
    const lv_entry *over = w->picture->over;
    const int all = d->kernel.index_count, own = over ? all - over->count : all;
    lv_node *nodes = lv_arena_alloc(&d->scratch, (size_t)all, sizeof *nodes);
    if (!nodes)
        return lv_fail_memory(d->err);
    for (int k = 0; k < all; k++)
        nodes[k] = lv_graph_input(g, LV_INPUT_I, k);
    d->scope.index_nodes = nodes;
    for (int k = own; k < all; k++) {
        lv_node from, to;
        d->scope.index_count = k; /* a range may use the variables before it */
        LV_TRY(elaborate_end(w, &from, &over->ranges[k - own].from));
        LV_TRY(elaborate_end(w, &to, &over->ranges[k - own].to));
        const lv_node cells = lv_graph_const(g, w->picture->cells);
        const lv_node part = lv_graph_div(g, nodes[k], cells);
        const lv_node length = lv_graph_sub(g, to, from);
        const lv_node shift = lv_graph_mul(g, length, part);
        nodes[k] = lv_graph_add(g, from, shift);
    }
    d->scope.index_count = all;
    return lv_graph_check(g, d->err);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

enum { SIZES_MOST = 3, INERTIA = 7 };

static lv_status put_extra(drawing *w, const lv_formula *formula, int most)
{
    lv_draft *d = &w->draft;
    lv_value value;
    lv_kinds kinds = 0;
    if (!formula->root)
        return LV_OK;
    LV_TRY(lv_elaborate(&d->e, &value, formula, d->err));
    const int count = lv_value_count(&value);
    LV_TRY(lv_analyse_reach(d->e.graph, &kinds, value.items, count, d->err));
    if (kinds & ~(LV_KIND(P) | LV_KIND(I)))
        return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(place_of(formula)),
                          "sizes of pictures may depend on parameters and indices only");
    if (count > most)
        return lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(place_of(formula)),
                          "here %s needed", most == 1 ? "one number is" : "three are");
    for (int k = 0; k < count; k++)
        w->extras[w->extra_count++] = value.items[k];
    return LV_OK;
}

static lv_status keep_sizes(void *user, const lv_draft *d, int instance,
                            const double *values)
{
    drawing *w = user;
    for (int k = 0; k < w->size_count; k++)
        if (w->picture->is_given && !(values[k] > 0 && isfinite(values[k])))
            return lv_draft_in_instance(
                d, instance,
                lv_fail_at(d->err, LV_ERR_MODEL, LV_AT(place_of(&w->picture->sizes)),
                           "the sizes of a picture must be positive, this is %g",
                           values[k]));
    memcpy(w->sizes + (size_t)instance * (size_t)w->extra_count, values,
           (size_t)w->extra_count * sizeof *values);
    return LV_OK;
}

static lv_status keep_numbers(void *user, const lv_draft *d, int instance,
                              const double *values)
{
    const drawing *w = user;
    const size_t count = (size_t)lv_picture_numbers(w->picture);
    (void)d;
    lv_picture_place(w->picture, instance, w->numbers + (size_t)instance * count, values);
    return LV_OK;
}

/* Computes the half axes a_k of the ellipsoid with this mass and inertia, J_1 = m (a_2^2
 * + a_3^2)/5, and the rotation to its axes. */
static void make_ellipsoid(double sizes[3], double turn[4], const double *given)
{
    double axes[9], j[3];
    lv_symmetric_axes(j, axes, given + 1);
    lv_quaternion_of_axes(turn, axes);
    for (int k = 0; k < 3; k++)
        sizes[k] = sqrt(fmax(5 * (j[0] + j[1] + j[2] - 2 * j[k]) / (2 * given[0]), 0));
}

static lv_status keep_ellipsoid(void *user, const lv_draft *d, int instance,
                                const double *values)
{
    const drawing *w = user;
    double *sizes = w->sizes + (ptrdiff_t)instance * w->extra_count;
    (void)d;
    make_ellipsoid(sizes, w->picture->turns + 4 * (ptrdiff_t)instance, values);
    sizes[3] = values[7]; /* the weight */
    return LV_OK;
}

static lv_status evaluate_fixed_values(drawing *w)
{
    lv_draft *d = &w->draft;
    const lv_picture *p = w->picture;
    const size_t instances = (size_t)d->kernel.instance_count;
    w->sizes = lv_arena_alloc(&w->model->arena, instances * (size_t)w->extra_count,
                              sizeof *w->sizes);
    if (!w->sizes)
        return lv_fail_memory(d->err);
    if (p->of_inertia)
        *w->turns = lv_arena_alloc(&w->model->arena, 4 * instances, sizeof(double));
    if (p->of_inertia && !p->turns)
        return lv_fail_memory(d->err);
    if (w->extra_count > 0) {
        LV_TRY(lv_draft_evaluate(d, w->extras, w->extra_count,
                                 p->of_inertia ? keep_ellipsoid : keep_sizes, w));
        lv_evaluations_draw(w->model, p->is_given && !p->of_inertia ? w->size_count : 0);
    }
    if (!w->is_still)
        return LV_OK;
    w->numbers = lv_arena_alloc(
        &w->model->arena, instances * (size_t)lv_picture_numbers(p), sizeof *w->numbers);
    if (!w->numbers)
        return lv_fail_memory(d->err);
    LV_TRY(lv_draft_evaluate(d, w->rows, lv_picture_rows(p), keep_numbers, w));
    lv_evaluations_draw(w->model, 0);
    return LV_OK;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* Leaves out a part with too many items; fails if [view] has too many numbers. */
static lv_status check_item_limits(drawing *w, lv_view_list *all)
{
    const lv_picture *p = w->picture;
    const lv_kernel *k = &w->draft.kernel;
    const double numbers = (double)k->instance_count * lv_picture_rows(p);
    w->is_empty = k->instance_count == 0;
    if (!p->is_given && all->items.count + k->instance_count > LV_VIEW_PART_ITEMS) {
        w->model->view.left_out += k->instance_count;
        w->is_empty = true;
        return LV_OK;
    }
    all->numbers += numbers;
    if (all->numbers > LV_VIEW_NUMBERS)
        return lv_fail_at(w->draft.err, LV_ERR_LIMIT, LV_AT(p->item->place),
                          "with this picture the view has more than %d numbers",
                          LV_VIEW_NUMBERS);
    return LV_OK;
}

static lv_status name_item(drawing *w, lv_view_item *item, int instance)
{
    const lv_kernel *k = &w->draft.kernel;
    const int own = w->picture->family ? w->picture->family->count : 0;
    char name[300];
    const double *indices =
        k->indices ? k->indices + (ptrdiff_t)instance * k->index_count : NULL;
    lv_member_text(name, sizeof name, w->picture->name, indices, own);
    item->name = lv_arena_text(&w->model->arena, name, strlen(name));
    return item->name ? LV_OK : lv_fail_memory(w->draft.err);
}

static lv_status add_items(drawing *w, lv_view_list *all)
{
    const lv_picture *p = w->picture;
    lv_view *view = &w->model->view;
    const int numbers = lv_picture_numbers(p) * w->grid;
    lv_view_item item = {.kind = p->kind,
                         .section = p->section,
                         .shape = p->shape,
                         .size_count = w->size_count,
                         .trail = p->trail,
                         .colour = p->colour,
                         .rows = p->over && p->over->count == 2 ? p->cells + 1 : 1,
                         .count = numbers,
                         .first = -1};
    item.columns = p->over ? p->cells + 1 : p->kind == LV_VIEW_LINE ? p->count : 1;
    for (int k = 0; k < w->draft.kernel.instance_count; k += w->grid) {
        LV_TRY(name_item(w, &item, k));
        item.sizes = w->sizes ? w->sizes + (ptrdiff_t)k * w->extra_count : NULL;
        item.weight = w->extra_count > w->size_count ? item.sizes[w->size_count] : 0;
        if (w->is_still) {
            item.still = w->numbers + (ptrdiff_t)k * lv_picture_numbers(p);
        } else {
            item.first = view->number_count;
            view->number_count += numbers;
        }
        if (!LV_PUSH(all->items, item))
            return lv_fail_memory(w->draft.err);
    }
    return LV_OK;
}

static lv_status keep_kernel(drawing *w)
{
    lv_model *m = w->model;
    lv_kernel *k = &w->draft.kernel;
    if (w->is_still)
        return LV_OK;
    k->is_vector = true;
    k->row_count = lv_picture_rows(w->picture);
    k->rows = lv_arena_copy(&m->arena, w->rows, (size_t)k->row_count, sizeof *k->rows);
    if (!k->rows || !LV_PUSH(m->pictures, *k))
        return lv_fail_memory(w->draft.err);
    k->graph = NULL; /* the model owns it now */
    return LV_OK;
}

lv_status lv_view_add_kernel(lv_model *m, lv_view_list *all, lv_kernel *kernel,
                             lv_error *err)
{
    drawing w = {.model = m,
                 .picture = kernel->picture,
                 .draft = {.model = m, .kernel = *kernel, .err = err},
                 .grid = 1};
    LV_TRY(check_item_limits(&w, all));
    if (w.is_empty) {
        lv_graph_free(kernel->graph);
        return LV_OK;
    }
    LV_TRY(add_items(&w, all));
    return LV_PUSH(m->pictures, *kernel) ? LV_OK : lv_fail_memory(err);
}

static lv_status draw_picture(drawing *w, lv_view_list *all)
{
    lv_draft *d = &w->draft;
    const lv_entry *family = NULL;
    LV_TRY(all_ranges(w, &family));
    w->rows =
        lv_arena_alloc(&d->scratch, (size_t)lv_picture_rows(w->picture), sizeof *w->rows);
    if (!w->rows)
        return lv_fail_memory(d->err);
    LV_TRY(lv_draft_open(d, family));
    d->most = w->picture->is_given ? LV_VIEW_NUMBERS : LV_VIEW_PART_ITEMS;
    LV_TRY(lv_draft_instances(d, family));
    LV_TRY(check_item_limits(w, all));
    if (w->is_empty)
        return LV_OK;
    d->scope.view = true;
    LV_TRY(set_variables(w));
    LV_TRY(put_rows(w));
    if (w->is_empty)
        return LV_OK;
    LV_TRY(
        put_extra(w, &w->picture->sizes, w->picture->of_inertia ? INERTIA : SIZES_MOST));
    w->size_count = w->picture->of_inertia ? SIZES_MOST : w->extra_count;
    LV_TRY(put_extra(w, &w->picture->weight, 1));
    LV_TRY(check_rows(w));
    LV_TRY(lv_draft_close(d));
    LV_TRY(evaluate_fixed_values(w));
    LV_TRY(add_items(w, all));
    all->is_flat = all->is_flat && w->is_flat;
    return keep_kernel(w);
}

lv_status lv_view_draw(lv_model *m, lv_picture *p, lv_view_list *all, lv_error *err)
{
    drawing w = {.model = m,
                 .picture = p,
                 .turns = &p->turns,
                 .draft = {.model = m, .arena = &m->arena, .err = err},
                 .grid = 1,
                 .is_flat = true};
    lv_entry *entry = lv_arena_alloc(&m->arena, 1, sizeof *entry);
    if (!entry)
        return lv_fail_memory(err);
    *entry = (lv_entry){.place = p->item->place};
    w.draft.kernel.role = LV_ROLE_VIEW;
    w.draft.kernel.item = p->item;
    w.draft.kernel.entry = entry;
    w.draft.kernel.picture = p;
    const lv_status status = draw_picture(&w, all);
    lv_draft_done(&w.draft);
    return status;
}
