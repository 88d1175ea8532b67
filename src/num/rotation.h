/* Rotations as orthonormal axes e1, e2, e3, one after the other, and as unit quaternions
 * (w, x, y, z). */
#ifndef LV_NUM_ROTATION_H
#define LV_NUM_ROTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The quaternion of orthonormal axes. */
void lv_quaternion_of_axes(double quaternion[4], const double axes[9]);

/* The axes of a unit quaternion. */
void lv_axes_of_quaternion(double axes[9], const double quaternion[4]);

/* a = a b, which rotates by b first. */
void lv_quaternion_multiply(double a[4], const double b[4]);

/* Eigenvalues of the symmetric matrix with entries xx yy zz xy xz yz, and their
 * eigenvectors as right-handed axes. */
void lv_symmetric_axes(double values[3], double axes[9], const double matrix[6]);

/* Makes axes of any length orthonormal. The first given one of e3, e1, e2 keeps its
 * direction, the next is made normal to it, and the others follow. If only one axis is
 * given, the others are turned with it by the shortest rotation from the axes of space;
 * without any the result is the axes of space. Axes without a direction give results that
 * are not finite. */
void lv_axes_complete(double axes[9], const bool given[3]);

#endif
