/* The view of a model: pictures, declared by [view] and parts or guessed, become items
 * with numbers (livens/view.h). A picture is one formula for all members of its family;
 * the variables of curves and surfaces are additional indices. Formulas that depend on
 * parameters and indices only are evaluated at once. The others become kernels of the
 * role VIEW, whose rows are, for each instance,
 *
 *     point, point of a line or surface   x y z
 *     line                                x y z of every point
 *     frame                               x y z, axes e1, e2, e3; zeros for those that are not given
 *     joint                               x y z, axis
 *
 * They do not belong to the kernels of the model, so that a view affects nothing else. */
#ifndef LV_MODEL_VIEW_H
#define LV_MODEL_VIEW_H

#include "model/model.h"

/* Families of parts with more members are not drawn; views with more numbers are
 * refused. */
enum { LV_VIEW_PART_ITEMS = 5000, LV_VIEW_NUMBERS = 3000000 };

/* Declares a point of [view] as a definition that other formulas there may use. */
lv_status lv_view_define_point(lv_model *model, const lv_item *item, lv_error *err);

/* Builds the items and kernels of all pictures. */
lv_status lv_model_build_view(lv_model *model, lv_error *err);

/* The number of rows of an instance, the number of values of its item, and the conversion
 * from rows to values. */
int lv_picture_rows(const lv_picture *picture);
int lv_picture_numbers(const lv_picture *picture);
void lv_picture_place(const lv_picture *picture, int instance, double *numbers,
                      const double *rows);

#endif
