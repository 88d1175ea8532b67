/* The charts of SO(3) as quaternions; SE(3) uses them for its rotations. */
#ifndef LV_GROUP_SO3_H
#define LV_GROUP_SO3_H

void lv_so3_exp(double q[4], const double x[3]);
void lv_so3_exp_inverse(double x[3], const double q[4]);
void lv_so3_cay(double q[4], const double x[3]);
void lv_so3_cay_inverse(double x[3], const double q[4]);

#endif
