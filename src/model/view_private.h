/* Inside views: the list of items while it is made. */
#ifndef LV_MODEL_VIEW_PRIVATE_H
#define LV_MODEL_VIEW_PRIVATE_H

#include "model/view.h"

/* What all pictures together make of it. */
typedef struct lv_view_list {
    LV_ARRAY(lv_view_item) items;
    bool is_flat;   /* everything lies in the plane z = 0, as far as formulas show */
    double numbers; /* of all items */
} lv_view_list;

/* Adds the items of a picture, and its kernel if it moves (view_draw.c). */
lv_status lv_view_draw(lv_model *model, lv_picture *picture, lv_view_list *all,
                       lv_error *err);

/* Pictures of the coordinates of a model that has no pictures (view_guess.c). */
lv_status lv_view_guess(lv_model *model, lv_error *err);

/* The lines between them: kernels that share all with those of the model but graph and rows. */
lv_status lv_view_guess_lines(lv_model *model, lv_view_list *all, lv_error *err);

/* Adds a kernel of the role VIEW that moves, and its items. If this succeeds its graph is the model's; if there are too
 * many items, it is freed. */
lv_status lv_view_add_kernel(lv_model *model, lv_view_list *all, lv_kernel *kernel,
                             lv_error *err);

/* The pictures of [view], appended to those of parts (view_read.c). */
lv_status lv_view_read(lv_model *model, lv_error *err);

#endif
