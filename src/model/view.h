/* What is drawn of a model: pictures, as [view] and parts declare them or as they are guessed, become items with numbers
 * (livens/view.h). A picture is one formula for all members of its family, as everywhere; the variables of curves and
 * surfaces are further indices of it. What depends on parameters and indices alone is evaluated at once. The
 * rest becomes kernels of the role VIEW, whose rows are, for each instance,
 *
 *     point, point of a line or surface   x y z
 *     line                                x y z of every point
 *     frame                               x y z, axes e1, e2, e3; zeros for those that are not given
 *     joint                               x y z, axis
 *
 * They are no kernels of the model, so that a view changes nothing but the view. */
#ifndef LV_MODEL_VIEW_H
#define LV_MODEL_VIEW_H

#include "model/model.h"

/* Families of parts with more members are not drawn; nor views with more numbers. */
enum { LV_VIEW_PART_ITEMS = 5000, LV_VIEW_NUMBERS = 3000000 };

/* A point of [view] as a definition that other formulas there may use. */
lv_status lv_view_define_point(lv_model *model, const lv_item *item, lv_error *err);

/* Items and kernels of all pictures. */
lv_status lv_model_build_view(lv_model *model, lv_error *err);

/* Rows of an instance as numbers of its item: so many. */
int lv_picture_rows(const lv_picture *picture);
int lv_picture_numbers(const lv_picture *picture);
void lv_picture_place(const lv_picture *picture, int instance, double *numbers,
                      const double *rows);

#endif
