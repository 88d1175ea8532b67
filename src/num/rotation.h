/* Rotations as axes and as unit quaternions (w, x, y, z). Axes are e1, e2, e3, one after the other. */
#ifndef LV_NUM_ROTATION_H
#define LV_NUM_ROTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The quaternion of orthonormal axes. */
void lv_quaternion_of_axes(double quaternion[4], const double axes[9]);

/* Makes axes of any length orthonormal: the third one keeps its direction, then the first; those that are not given
 * follow. One axis alone is turned into by the shortest rotation, none are the axes of space. Axes without a direction are
 * not numbers afterwards. */
void lv_axes_complete(double axes[9], const bool given[3]);

#endif
