/* Rotations as axes and as unit quaternions (w, x, y, z). Axes are e1, e2, e3, one after
 * the other. */
#ifndef LV_NUM_ROTATION_H
#define LV_NUM_ROTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The quaternion of orthonormal axes. */
void lv_quaternion_of_axes(double quaternion[4], const double axes[9]);

/* And back, for a unit quaternion. */
void lv_axes_of_quaternion(double axes[9], const double quaternion[4]);

/* a becomes a b: b, then a. */
void lv_quaternion_multiply(double a[4], const double b[4]);

/* Eigenvalues of the symmetric matrix xx yy zz xy xz yz, and the axes that belong to
 * them, right-handed. */
void lv_symmetric_axes(double values[3], double axes[9], const double matrix[6]);

/* Makes axes of any length orthonormal: the third one keeps its direction, then the
 * first; those that are not given follow. One axis alone is turned into by the shortest
 * rotation, none are the axes of space. Axes without a direction are not numbers
 * afterwards. */
void lv_axes_complete(double axes[9], const bool given[3]);

#endif
