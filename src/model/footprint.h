/* Estimates how much memory a model needs before it is built, and what takes the most. */
#ifndef LV_MODEL_FOOTPRINT_H
#define LV_MODEL_FOOTPRINT_H

#include "model/model.h"

/* Account for `count` more coordinates of a group, or for the instances of a kernel whose
 * rows are known. They fail at the key that causes the size if the model cannot fit into
 * the budget (base/budget.h). */
lv_status lv_model_expect_coordinates(lv_model *m, const lv_group *group, double count,
                                      lv_error *err);
lv_status lv_model_expect_instances(lv_model *m, const lv_kernel *kernel,
                                    const lv_entry *family, lv_error *err);

/* lv_budget_settle for calls that have a model: the error then also says what takes the
 * most memory in the model and where it is declared. Returns the status. */
lv_status lv_model_settle(const lv_model *m, lv_status status, lv_error *err);

#endif
