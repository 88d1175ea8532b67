/* How much memory a model needs, before it is made, and what of it takes the most. */
#ifndef LV_MODEL_FOOTPRINT_H
#define LV_MODEL_FOOTPRINT_H

#include "model/model.h"

/* So many more coordinates of a group, or the instances of a kernel whose rows are known: they fail at the key that
 * makes them if the model then cannot fit into the budget (base/budget.h). */
lv_status lv_model_expect_coordinates(lv_model *m, const lv_group *group, double count,
                                      lv_error *err);
lv_status lv_model_expect_instances(lv_model *m, const lv_kernel *kernel,
                                    const lv_entry *family, lv_error *err);

/* lv_budget_settle for calls that have a model: a failure of the budget then says what of the model is
 * largest, and where it stands. Returns the status. */
lv_status lv_model_settle(const lv_model *m, lv_status status, lv_error *err);

#endif
