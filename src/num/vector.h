/* One loop, compiled for the machine at hand.
 *
 * LV_VECTORISED(type, name, parameters, body, arguments) defines the static function `name`,
 * which calls the inline function `body` compiled for AVX2 where the processor has it, else for
 * the baseline. Without contraction and without reordered sums the bits are the same. */
#ifndef LV_NUM_VECTOR_H
#define LV_NUM_VECTOR_H

#if defined(__GNUC__)
#define LV_INLINE static inline __attribute__((always_inline))
#else
#define LV_INLINE static inline
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define LV_VECTORISED(type, name, parameters, body, arguments)                                \
    __attribute__((target("avx2"))) static type name##_avx2 parameters                        \
    {                                                                                         \
        return body arguments;                                                                \
    }                                                                                         \
    static type name parameters                                                               \
    {                                                                                         \
        return __builtin_cpu_supports("avx2") ? name##_avx2 arguments : body arguments;       \
    }
#else
#define LV_VECTORISED(type, name, parameters, body, arguments)                                \
    static type name parameters { return body arguments; }
#endif

#endif
