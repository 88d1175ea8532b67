/* Unit quaternions, scalar part first, as rotations from body to space. */
#ifndef LV_GROUP_QUATERNION_H
#define LV_GROUP_QUATERNION_H

#include "group/vector.h"

/* The product a b. Its length is brought back towards 1 by a factor without division: an
 * error d of the squared length becomes 3 d^2/4. */
static inline void lv_quaternion_product(double q[4], const double a[4],
                                         const double b[4])
{
    q[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    q[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    q[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    q[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    const double factor =
        0.5 * (3 - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]));
    for (int i = 0; i < 4; i++)
        q[i] *= factor;
}

static inline void lv_quaternion_inverse(double q[4], const double a[4])
{
    q[0] = a[0];
    for (int i = 1; i < 4; i++)
        q[i] = -a[i];
}

static inline void lv_quaternion_matrix(double r[9], const double q[4])
{
    const double x = q[1], y = q[2], z = q[3];
    const double wx = q[0] * x, wy = q[0] * y, wz = q[0] * z;
    r[0] = 1 - 2 * (y * y + z * z), r[1] = 2 * (x * y - wz), r[2] = 2 * (x * z + wy);
    r[3] = 2 * (x * y + wz), r[4] = 1 - 2 * (x * x + z * z), r[5] = 2 * (y * z - wx);
    r[6] = 2 * (x * z - wy), r[7] = 2 * (y * z + wx), r[8] = 1 - 2 * (x * x + y * y);
}

#endif
