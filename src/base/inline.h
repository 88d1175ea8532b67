/* LV_INLINE marks functions that are always inlined, so that constant arguments tell the
 * compiler the lengths of loops. LV_APART marks functions that are never inlined, so that
 * callers in which they are the unusual case need few registers. */
#ifndef LV_BASE_INLINE_H
#define LV_BASE_INLINE_H

#if defined(__GNUC__)
#define LV_INLINE static inline __attribute__((always_inline))
#define LV_APART static __attribute__((noinline))
#else
#define LV_INLINE static inline
#define LV_APART static
#endif

#endif
