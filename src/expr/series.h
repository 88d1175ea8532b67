/* sum(i = first..last, term): elaborates the terms one after the other, with the index as
 * a constant. */
#ifndef LV_EXPR_SERIES_H
#define LV_EXPR_SERIES_H

#include "expr/elaboration.h"

lv_status lv_elaborate_series(lv_elaboration *e, lv_value *value, const lv_syntax *series,
                              lv_error *err);

#endif
