/* SLOW is 1 where sanitizers make programs ten times as slow: tests that run long do less there. */
#ifndef LV_TESTS_SLOW_H
#define LV_TESTS_SLOW_H

#if defined(__SANITIZE_ADDRESS__)
#define SLOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW 1
#endif
#endif
#ifndef SLOW
#define SLOW 0
#endif

#endif
