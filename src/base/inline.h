/* LV_INLINE marks functions that are always inlined, so that constant arguments tell the
 * compiler the lengths of loops. */
#ifndef LV_BASE_INLINE_H
#define LV_BASE_INLINE_H

#if defined(__GNUC__)
#define LV_INLINE static inline __attribute__((always_inline))
#else
#define LV_INLINE static inline
#endif

#endif
