/* Fits a straight line to a series of oscillating numbers, with a confidence interval.
 *
 * Neighbouring numbers are not independent, but means over blocks nearly are if a block
 * is longer than an oscillation. The line is fitted to these means, and the interval of
 * 99 % follows from their distances from it (Student's t). */
#ifndef LV_STUDY_DRIFT_H
#define LV_STUDY_DRIFT_H

typedef struct lv_drift {
    double largest; /* largest |x| */
    /* slope per time and its interval; NAN: there are too few numbers */
    double rate, interval;
    double growth; /* largest |x| of the second half divided by that of the first half */
    int turns;     /* number of crossings of the line: 2 for every oscillation */
} lv_drift;

/* x are the values at the times dt, 2 dt, ... */
lv_drift lv_drift_of(const double *x, int count, double dt);

#endif
