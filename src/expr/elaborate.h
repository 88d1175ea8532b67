/* Elaboration: turns syntax trees into graph nodes. */
#ifndef LV_EXPR_ELABORATE_H
#define LV_EXPR_ELABORATE_H

#include "expr/elaboration.h"

/* Computes the value of a formula. lv_resolve may call it again for definitions. */
lv_status lv_elaborate(lv_elaboration *e, lv_value *value, const lv_formula *formula,
                       lv_error *err);

#endif
