/* Wall time. */
#ifndef LV_BASE_CLOCK_H
#define LV_BASE_CLOCK_H

/* Seconds since some moment in the past, on a clock that nobody sets. */
double lv_clock_seconds(void);

#endif
