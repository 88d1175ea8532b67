/* Functions for options of schemes that are internal to the library. */
#ifndef LV_MODEL_OPTION_H
#define LV_MODEL_OPTION_H

#include <livens/option.h>

/* Fails with LV_ERR_MODEL for a value that the option cannot have. */
lv_status lv_option_check(lv_option option, double value, lv_error *err);

/* Sets this option as the subject of an error. */
void lv_option_blame(lv_option option, lv_error *err);

#endif
