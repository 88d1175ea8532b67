/* Scalar functions of a rotation by the angle t, as functions of s = t^2 (theory 10.2):
 *   c0 = sin t / t,    c1 = (1 - cos t)/t^2,    c2 = (t - sin t)/t^3
 * and their derivatives by the operator (1/t) d/dt = 2 d/ds, applied up to three times. All are
 * entire functions of s, so they need no distinction of cases at t = 0. */
#ifndef LV_GROUP_ANGLE_H
#define LV_GROUP_ANGLE_H

/* The square of the angle above which closed forms are used; the power series is used
 * below. */
#define LV_ANGLE_SWITCH 9.0

#define LV_ANGLE_ORDERS 4
#define LV_ANGLE_TERMS 14

/* Row k: coefficients of 1, s, s^2, ... in the power series of (1/t d/dt)^k of c2, as
 * many as are needed below the switch. */
extern const double lv_angle_series[LV_ANGLE_ORDERS + 1][LV_ANGLE_TERMS];

/* Index k: (1/t d/dt)^k of the function. */
typedef struct lv_angle {
    double c0[LV_ANGLE_ORDERS], c1[LV_ANGLE_ORDERS], c2[LV_ANGLE_ORDERS];
} lv_angle;

/* The functions and their first `order` derivatives at s >= 0; order is 0..3. */
void lv_angle_at(lv_angle *a, double s, int order);

#endif
