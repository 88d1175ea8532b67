/* Internal to views: the list of items under construction. */
#ifndef LV_MODEL_VIEW_PRIVATE_H
#define LV_MODEL_VIEW_PRIVATE_H

#include "model/view.h"

/* The items of all pictures. */
typedef struct lv_view_list {
    LV_ARRAY(lv_view_item) items;
    bool is_flat;   /* everything lies in the plane z = 0, as far as formulas show */
    double numbers; /* total number of values of all items */
} lv_view_list;

/* Adds the items of a picture, and its kernel if it moves (view_draw.c). */
lv_status lv_view_draw(lv_model *model, lv_picture *picture, lv_view_list *all,
                       lv_error *err);

/* Adds pictures of the coordinates of a model without pictures (view_guess.c). */
lv_status lv_view_guess(lv_model *model, lv_error *err);

/* Adds lines between them: kernels that share everything with those of the model except
 * graph and rows. */
lv_status lv_view_guess_lines(lv_model *model, lv_view_list *all, lv_error *err);

/* Adds a moving kernel of the role VIEW and its items. If this succeeds, the model owns
 * its graph; if there are too many items, the graph is freed. */
lv_status lv_view_add_kernel(lv_model *model, lv_view_list *all, lv_kernel *kernel,
                             lv_error *err);

/* Appends the pictures of [view] to those of parts (view_read.c). */
lv_status lv_view_read(lv_model *model, lv_error *err);

#endif
