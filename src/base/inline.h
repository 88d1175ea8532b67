/* LV_INLINE: functions that are worth a copy at every place of use, where constants among their arguments tell the
 * compiler how long loops are.
 *
 * LV_HOT: functions that every step of the GGL schemes runs. They come to stand together: such a step runs about 28 kB
 * of machine code, nearly all that the nearest cache holds. That takes 2 % off a step of vi-b2 on four particles. */
#ifndef LV_BASE_INLINE_H
#define LV_BASE_INLINE_H

#if defined(__GNUC__)
#define LV_INLINE static inline __attribute__((always_inline))
#define LV_HOT __attribute__((hot))
#else
#define LV_INLINE static inline
#define LV_HOT
#endif

#endif
