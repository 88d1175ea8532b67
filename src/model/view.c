#include "model/view_private.h"

#include "model/turns.h"

#include <math.h>
#include <string.h>

/* ---- points of [view] as definitions -------------------------------------------------------- */

lv_status lv_view_define_point(lv_model *m, const lv_item *item, lv_error *err)
{
    const lv_entry *family = lv_item_entry(item, "for");
    lv_item *copy = lv_arena_alloc(&m->arena, 1, sizeof *copy);
    if (!copy)
        return lv_fail_memory(err);
    if (family && family->count > 1)
        return LV_OK; /* members of definitions have one index only */
    LV_TRY(lv_item_init(copy, &m->arena, LV_SECTION_DEFINITIONS, item->name, item->place,
                        err));
    copy->entries[lv_section_key(lv_section_at(LV_SECTION_DEFINITIONS), "value")] =
        lv_item_entry(item, "at");
    copy->entries[lv_section_key(lv_section_at(LV_SECTION_DEFINITIONS), "for")] = family;
    return LV_PUSH(m->definitions, ((lv_definition){.item = copy, .is_point = true}))
               ? LV_OK
               : lv_fail_memory(err);
}

/* ---- the direction up -------------------------------------------------------------- */

/* Evaluates a vector of parameters and pads it with zeros; z is 0 in the plane. */
static lv_status evaluate_vector(lv_model *m, double vector[3], const lv_formula *formula,
                                 const lv_item *item, lv_error *err)
{
    lv_picture p = {.kind = LV_VIEW_POINT,
                    .item = item,
                    .name = "",
                    .is_given = item->section == LV_SECTION_VIEW,
                    .formulas = formula,
                    .count = 1};
    lv_view_list one = {0};
    const lv_view before = m->view;
    const int pictures = m->pictures.count;
    lv_status status = lv_view_draw(m, &p, &one, err);
    m->view = before;
    while (m->pictures.count > pictures) /* it moves: its kernel is discarded */
        lv_graph_free(m->pictures.data[--m->pictures.count].graph);
    if (status == LV_OK && one.items.count == 1 && one.items.data[0].still)
        memcpy(vector, one.items.data[0].still, 3 * sizeof *vector);
    LV_ARRAY_FREE(one.items);
    return status;
}

static const lv_item *view_item(const lv_model *m)
{
    for (int k = 0; k < m->declarations.items.count; k++)
        if (m->declarations.items.data[k].section == LV_SECTION_VIEW)
            return &m->declarations.items.data[k];
    return NULL;
}

static lv_status find_up(lv_model *m, lv_error *err)
{
    lv_view *view = &m->view;
    const lv_item *item = view_item(m);
    const lv_entry *up = item ? lv_item_entry(item, "up") : NULL;
    lv_formula formula;
    double size = 0;
    view->up[view->planar ? 1 : 2] = 1;
    if (up) {
        LV_TRY(lv_entry_formula(&formula, up, &m->arena, err));
        memset(view->up, 0, sizeof view->up);
        LV_TRY(evaluate_vector(m, view->up, &formula, item, err));
        size = hypot(hypot(view->up[0], view->up[1]), view->up[2]);
        if (!(size > 0) || !isfinite(size))
            return lv_fail_at(err, LV_ERR_MODEL, LV_AT(up->place),
                              "'up' is a direction: a vector of parameters that is not "
                              "zero");
    } else {
        size = hypot(hypot(view->gravity[0], view->gravity[1]), view->gravity[2]);
        for (int k = 0; k < 3 && size > 0 && isfinite(size); k++)
            view->up[k] = 0 - view->gravity[k];
    }
    for (int k = 0; k < 3 && size > 0 && isfinite(size); k++)
        view->up[k] /= size;
    return LV_OK;
}

static lv_status place_turns(lv_model *m, lv_error *err)
{
    /* a copy of the model with the kernels of pictures instead of its own */
    lv_model head = *m;
    head.kernels.data = m->pictures.data;
    head.kernels.count = m->pictures.count;
    head.turn_count = 0;
    head.references = NULL;
    const lv_status status = lv_model_place_turns(&head, err);
    m->arena = head.arena;
    m->picture_references = head.references;
    return status;
}

static lv_status draw_all(lv_model *m, lv_view_list *all, lv_error *err)
{
    const lv_declarations *d = &m->declarations;
    const lv_item *item = view_item(m);
    const lv_entry *parts = item ? lv_item_entry(item, "parts") : NULL;
    LV_TRY(lv_view_read(m, err));
    if (d->pictures.count == 0) {
        m->view.guessed = true;
        LV_TRY(lv_view_guess(m, err));
    }
    all->is_flat = true;
    for (int k = 0; k < d->pictures.count; k++)
        if (d->pictures.data[k].is_given || !parts || parts->is_true)
            LV_TRY(lv_view_draw(m, &d->pictures.data[k], all, err));
    if (m->view.guessed)
        LV_TRY(lv_view_guess_lines(m, all, err));
    m->view.item_count = all->items.count;
    m->view.items = lv_arena_copy(&m->arena, all->items.data, (size_t)all->items.count,
                                  sizeof *all->items.data);
    m->view.planar = all->is_flat && all->items.count > 0;
    m->view.ground = d->has_floor;
    if (d->gravity.root)
        LV_TRY(evaluate_vector(m, m->view.gravity, &d->gravity, &d->items.data[0], err));
    LV_TRY(find_up(m, err));
    return m->view.items ? place_turns(m, err) : lv_fail_memory(err);
}

lv_status lv_model_build_view(lv_model *m, lv_error *err)
{
    lv_view_list all = {0};
    const int instances = m->instances, places = m->places;
    const lv_status status = draw_all(m, &all, err);
    LV_ARRAY_FREE(all.items);
    m->instances = instances; /* the limits apply to the kernels of the motion only */
    m->places = places;
    return status;
}

const lv_view *lv_model_view(const lv_model *model)
{
    return model ? &model->view : NULL;
}

const char *lv_view_kind_name(lv_view_kind kind)
{
    static const char *const names[] = {"point", "line", "frame", "joint", "surface"};
    return (int)kind < 0 || kind > LV_VIEW_SURFACE ? "" : names[kind];
}
