/* Wall time, and the time of processors. */
#ifndef LV_BASE_CLOCK_H
#define LV_BASE_CLOCK_H

/* Seconds since some moment in the past, on a clock that nobody sets. */
double lv_clock_seconds(void);

/* Seconds that the calling thread has used of a processor; wall time where there is no such clock. */
double lv_clock_thread_seconds(void);

#endif
