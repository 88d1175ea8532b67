/* Syntax trees to graph nodes. */
#ifndef LV_EXPR_ELABORATE_H
#define LV_EXPR_ELABORATE_H

#include "expr/elaboration.h"

/* The value of a formula; used again from within lv_resolve for definitions. */
lv_status lv_elaborate(lv_elaboration *e, lv_value *value, const lv_formula *formula,
                       lv_error *err);

#endif
