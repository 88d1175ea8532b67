/* Access to the system, the model and the elements that an inspection was made with. */
#ifndef LV_SYSTEM_INSPECT_H
#define LV_SYSTEM_INSPECT_H

#include <livens/inspect.h>

#include "system/system.h"

/* The system is owned by the inspection. Fails as lv_system_create did. */
lv_status lv_inspection_system(lv_inspection *inspection, lv_system **system,
                               lv_error *err);
const lv_model *lv_inspection_model(const lv_inspection *inspection);
const struct lv_elements *lv_inspection_elements(const lv_inspection *inspection);

#endif
