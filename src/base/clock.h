/* Wall time and processor time. */
#ifndef LV_BASE_CLOCK_H
#define LV_BASE_CLOCK_H

/* Seconds since an arbitrary moment, on a monotonic clock. */
double lv_clock_seconds(void);

/* Processor time of the calling thread in seconds; wall time if there is no such
 * clock. */
double lv_clock_thread_seconds(void);

#endif
