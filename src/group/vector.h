/* Vectors of three numbers and 3 x 3 matrices, row by row. Results must not overlap
 * arguments unless a comment allows it. */
#ifndef LV_GROUP_VECTOR_H
#define LV_GROUP_VECTOR_H

#include <stddef.h>

static inline double lv_v3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void lv_v3_copy(double y[3], const double a[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = a[i];
}

static inline void lv_v3_cross(double y[3], const double a[3], const double b[3])
{
    y[0] = a[1] * b[2] - a[2] * b[1];
    y[1] = a[2] * b[0] - a[0] * b[2];
    y[2] = a[0] * b[1] - a[1] * b[0];
}

/* y += f a; y may be a. */
static inline void lv_v3_add(double y[3], const double a[3], double f)
{
    for (int i = 0; i < 3; i++)
        y[i] += f * a[i];
}

/* m = f hat(a), with hat(a) b = a x b. */
static inline void lv_m3_hat(double m[9], const double a[3], double f)
{
    const double x = f * a[0], y = f * a[1], z = f * a[2];
    m[0] = 0, m[1] = -z, m[2] = y;
    m[3] = z, m[4] = 0, m[5] = -x;
    m[6] = -y, m[7] = x, m[8] = 0;
}

/* m = f times the unit matrix. */
static inline void lv_m3_unit(double m[9], double f)
{
    for (int i = 0; i < 9; i++)
        m[i] = i % 4 == 0 ? f : 0;
}

static inline void lv_m3_add_unit(double m[9], double f)
{
    m[0] += f;
    m[4] += f;
    m[8] += f;
}

/* m += f a b^T */
static inline void lv_m3_add_outer(double m[9], const double a[3], const double b[3],
                                   double f)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[3 * i + j] += f * a[i] * b[j];
}

/* m += f (a b^T + b a^T) */
static inline void lv_m3_add_both(double m[9], const double a[3], const double b[3],
                                  double f)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[3 * i + j] += f * (a[i] * b[j] + a[j] * b[i]);
}

/* y = m a, and y = m^T a. */
static inline void lv_m3_apply(double y[3], const double m[9], const double a[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = lv_v3_dot(m + (ptrdiff_t)3 * i, a);
}

static inline void lv_m3_apply_transposed(double y[3], const double m[9],
                                          const double a[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = m[i] * a[0] + m[3 + i] * a[1] + m[6 + i] * a[2];
}

/* c = a b, and c = a^T b. */
static inline void lv_m3_product(double c[9], const double a[9], const double b[9])
{
    for (ptrdiff_t i = 0; i < 3; i++)
        for (ptrdiff_t j = 0; j < 3; j++)
            c[3 * i + j] =
                a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static inline void lv_m3_transposed_product(double c[9], const double a[9],
                                            const double b[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

/* Stores f times a 3 x 3 block in the 6 x 6 matrix m; the block begins at `row`,
 * `column`. */
static inline void lv_m3_place(double m[36], int row, int column, const double block[9],
                               double f)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[6 * (row + i) + column + j] = f * block[3 * i + j];
}

#endif
