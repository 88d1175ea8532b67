#include "base/usage.h"

#include <math.h>

lv_status lv_fail_null(lv_error *err, const char *function, const char *argument)
{
    return lv_fail(err, LV_ERR_USAGE, "%s: %s is NULL", function, argument);
}

lv_status lv_need_enumerator(lv_error *err, const char *function, const char *argument,
                             int number, int count)
{
    return number >= 0 && number < count
               ? LV_OK
               : lv_fail(err, LV_ERR_USAGE,
                         "%s: %s is %d, which is none of its values 0 to %d", function,
                         argument, number, count - 1);
}

lv_status lv_need_count(lv_error *err, const char *function, const char *argument,
                        int number)
{
    return number >= 0
               ? LV_OK
               : lv_fail(err, LV_ERR_USAGE, "%s: %s is %d, but cannot be negative",
                         function, argument, number);
}

lv_status lv_need_finite(lv_error *err, const char *function, const char *argument,
                         double number)
{
    return isfinite(number)
               ? LV_OK
               : lv_fail(err, LV_ERR_USAGE, "%s: %s is %g, which is not finite", function,
                         argument, number);
}
