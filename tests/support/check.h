/* cmocka with the headers it wants, and comparisons of floating-point numbers. */
#ifndef LV_TESTS_CHECK_H
#define LV_TESTS_CHECK_H

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* |a - b| <= tolerance * max(1, |b|) */
#define assert_close(a, b, tolerance)                                                    \
    do {                                                                                 \
        double lv_a = (a), lv_b = (b), lv_scale = fabs(lv_b) > 1 ? fabs(lv_b) : 1;       \
        if (!(fabs(lv_a - lv_b) <= (tolerance)*lv_scale))                                \
            fail_msg("%s = %.17g, expected %.17g (difference %.3g)", #a, lv_a, lv_b,     \
                     lv_a - lv_b);                                                       \
    } while (0)

/* Bounds on numbers. Failures print both sides; a NaN fails. */
#define assert_at_most(value, bound) assert_bound(value, <=, bound)
#define assert_at_least(value, bound) assert_bound(value, >=, bound)
#define assert_below(value, bound) assert_bound(value, <, bound)
#define assert_above(value, bound) assert_bound(value, >, bound)

/* A text has a part. */
#define assert_says(text, part)                                                          \
    do {                                                                                 \
        const char *text_ = (text), *part_ = (part);                                     \
        if (!strstr(text_, part_))                                                       \
            fail_msg("'%s' does not say '%s'", text_, part_);                            \
    } while (0)

#define assert_bound(value, relation, bound)                                             \
    do {                                                                                 \
        double lv_x = (value), lv_most = (bound);                                        \
        if (!(lv_x relation lv_most))                                                    \
            fail_msg("%s = %.17g, expected " #relation " %s = %.17g", #value, lv_x,      \
                     #bound, lv_most);                                                   \
    } while (0)

/* Do sanitizers make everything slow? Long tests then do a part of their work. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

/* Test functions are named as sentences; RUN(name) lists one. */
#define RUN(test) cmocka_unit_test(test)

#endif
