/* LV_INLINE: functions that are worth a copy at every place of use, where constants among their arguments tell the
 * compiler how long loops are. */
#ifndef LV_BASE_INLINE_H
#define LV_BASE_INLINE_H

#if defined(__GNUC__)
#define LV_INLINE static inline __attribute__((always_inline))
#else
#define LV_INLINE static inline
#endif

#endif
