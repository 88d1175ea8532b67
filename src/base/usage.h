/* Checks of the arguments of public functions: NULL pointers, enumerators out of range,
 * negative counts and numbers that are not finite.
 *
 * A function that returns a status uses these to report which argument of which function
 * is wrong (LV_ERR_USAGE); others return a neutral value: 0, NULL, NAN, false. Arguments
 * have the names of the public header. Internal functions use assert instead. */
#ifndef LV_BASE_USAGE_H
#define LV_BASE_USAGE_H

#include "base/status.h"

/* Returns from the calling function if a pointer is NULL. The second form is for parameters that have
 * another name in the header. */
#define LV_NEED(err, pointer) LV_NEED_AS(err, pointer, #pointer)
#define LV_NEED_AS(err, pointer, name)                                                   \
    do {                                                                                 \
        if (!(pointer))                                                                  \
            return lv_fail_null(err, __func__, name);                                    \
    } while (0)

lv_status lv_fail_null(lv_error *err, const char *function, const char *argument);

/* LV_OK if the number is that of one of `count` enumerators. */
lv_status lv_need_enumerator(lv_error *err, const char *function, const char *argument,
                             int number, int count);

/* LV_OK if the number is a count, that is, not negative. */
lv_status lv_need_count(lv_error *err, const char *function, const char *argument,
                        int number);

/* LV_OK if the number is finite. */
lv_status lv_need_finite(lv_error *err, const char *function, const char *argument,
                         double number);

/* Returns from the calling function if the `reserved` member of a struct is not zero: the
 * caller was compiled for a later version with more members, or has not initialised the
 * struct. */
#define LV_NEED_ROOM(err, request)                                                       \
    LV_TRY(                                                                              \
        lv_need_zeros(err, __func__, #request, (request)->reserved,                      \
                      (int)(sizeof(request)->reserved / sizeof(request)->reserved[0])))

lv_status lv_need_zeros(lv_error *err, const char *function, const char *argument,
                        const size_t *reserved, int count);

#endif
