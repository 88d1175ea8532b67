/* Wrong arguments of public functions: NULL where something must be, enumerators out of range, counts
 * below zero, numbers that are not finite.
 *
 * A function that returns a status says with these which argument of which function is wrong
 * (LV_ERR_USAGE); others return a neutral value: 0, NULL, NAN, false. Arguments are called as in the
 * public header. Functions inside of the library assert instead. */
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

/* LV_OK if the number counts something: if it is not below zero. */
lv_status lv_need_count(lv_error *err, const char *function, const char *argument,
                        int number);

/* LV_OK if the number is finite. */
lv_status lv_need_finite(lv_error *err, const char *function, const char *argument,
                         double number);

/* Returns from the calling function if room that a struct reserves for later versions is not zero: the caller knows
 * members that this library does not know, or has not filled the struct. */
#define LV_NEED_ROOM(err, request)                                                       \
    LV_TRY(                                                                              \
        lv_need_zeros(err, __func__, #request, (request)->reserved,                      \
                      (int)(sizeof(request)->reserved / sizeof(request)->reserved[0])))

lv_status lv_need_zeros(lv_error *err, const char *function, const char *argument,
                        const size_t *reserved, int count);

#endif
