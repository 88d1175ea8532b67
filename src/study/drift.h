/* A straight line through a series of numbers that oscillate, and how sure it is.
 *
 * Neighbours are not independent: means over blocks are, nearly, if a block is longer than an oscillation. The line goes
 * through these, and the interval is that of 99 % for their distances from it (Student's t). */
#ifndef LV_STUDY_DRIFT_H
#define LV_STUDY_DRIFT_H

typedef struct lv_drift {
    double largest;        /* |x| */
    double rate, interval; /* per time; NAN: there are too few numbers */
    double growth;         /* largest |x| of the second half to that of the first one */
    int turns; /* how often the series crosses the line: 2 for every oscillation */
} lv_drift;

/* x at the times dt, 2 dt, ... */
lv_drift lv_drift_of(const double *x, int count, double dt);

#endif
