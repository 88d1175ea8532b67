/* What is drawn of a model that says nothing about it. */
#include "model/view.h"

lv_status lv_view_guess(lv_model *m, lv_error *err)
{
    (void)m, (void)err;
    return LV_OK;
}
