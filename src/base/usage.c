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

lv_status lv_need_zeros(lv_error *err, const char *function, const char *argument,
                        const size_t *reserved, int count)
{
    for (int k = 0; k < count; k++)
        if (reserved[k] != 0) {
            const lv_status status =
                lv_fail(err, LV_ERR_USAGE,
                        "%s: %s uses room that version " LIVENS_VERSION " reserves",
                        function, argument);
            lv_error_hint(err, "fill it with its default function, or with zeros where "
                               "it has none; what was compiled "
                               "for a later version of livens needs that library");
            return status;
        }
    return LV_OK;
}
