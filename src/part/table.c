#include "model/part.h"

#include <stddef.h>

#define LV_X(id) extern const lv_part id;
#include "part/list.h"
#undef LV_X

const lv_part *const lv_part_table[] = {
#define LV_X(id) &id,
#include "part/list.h"
#undef LV_X
    NULL,
};
