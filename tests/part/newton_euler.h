/* Rotation of a rigid body by Newton and Euler's equations, without the library:
 *
 *     J w' = (J w) x w + s x R^T f,    q' = q (0, w)/2,
 *
 * w in body axes, q the unit quaternion of R, J about the point that is at rest (or the centre of mass, s = 0),
 * s from there to the centre of mass, f the weight. Kutta's method in long double, extrapolated once. */
#ifndef LV_TESTS_NEWTON_EULER_H
#define LV_TESTS_NEWTON_EULER_H

#include "frames.h"

typedef long double real;

typedef struct spinning_body {
    double J[3][3];
    vec lever, weight;
} spinning_body;

typedef struct spinning {
    real q[4], w[3];
} spinning;

static inline void real_cross(const real *a, const real *b, real *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* R, row by row, of a quaternion of any length. */
static inline void real_rotation(const real *q, real R[3][3])
{
    const real n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int l = 3 - i - k;
            const real sign = (k - i + 3) % 3 == 1 ? -1 : 1;
            R[i][k] = i == k ? (2 * (q[0] * q[0] + q[i + 1] * q[i + 1]) - n) / n
                             : 2 * (q[i + 1] * q[k + 1] + sign * q[0] * q[l + 1]) / n;
        }
}

/* J x = b by Cramer's rule. */
static inline void real_solve(double J[3][3], const real *b, real *x)
{
    real rows[3][3], c[3][3], det = 0;
    for (int k = 0; k < 9; k++)
        rows[k / 3][k % 3] = J[k / 3][k % 3];
    for (int k = 0; k < 3; k++) /* J is symmetric: its rows are its columns */
        real_cross(rows[(k + 1) % 3], rows[(k + 2) % 3], c[k]);
    for (int k = 0; k < 3; k++)
        det += rows[0][k] * c[0][k];
    for (int k = 0; k < 3; k++)
        x[k] = (c[k][0] * b[0] + c[k][1] * b[1] + c[k][2] * b[2]) / det;
}

static inline void spinning_rate(spinning_body *b, const spinning *y, spinning *rate)
{
    real R[3][3], f[3] = {0}, s[3], L[3], torque[3], gyro[3];
    const real *q = y->q, *w = y->w;
    real_rotation(q, R);
    for (int k = 0; k < 3; k++) {
        s[k] = b->lever.x[k];
        L[k] = b->J[k][0] * w[0] + b->J[k][1] * w[1] + b->J[k][2] * w[2];
        for (int i = 0; i < 3; i++)
            f[k] += R[i][k] * b->weight.x[i];
    }
    real_cross(s, f, torque);
    real_cross(L, w, gyro);
    for (int k = 0; k < 3; k++)
        torque[k] += gyro[k];
    real_solve(b->J, torque, rate->w);
    rate->q[0] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
    rate->q[1] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    rate->q[2] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    rate->q[3] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
}

static inline void spinning_add(spinning *y, real factor, const spinning *rate)
{
    for (int k = 0; k < 4; k++)
        y->q[k] += factor * rate->q[k];
    for (int k = 0; k < 3; k++)
        y->w[k] += factor * rate->w[k];
}

static inline spinning spinning_kutta(spinning_body *b, spinning y, real until, int steps)
{
    const real h = until / steps;
    for (int n = 0; n < steps; n++) {
        spinning k1, k2, k3, k4, at = y;
        spinning_rate(b, &at, &k1);
        at = y;
        spinning_add(&at, h / 2, &k1);
        spinning_rate(b, &at, &k2);
        at = y;
        spinning_add(&at, h / 2, &k2);
        spinning_rate(b, &at, &k3);
        at = y;
        spinning_add(&at, h, &k3);
        spinning_rate(b, &at, &k4);
        spinning_add(&y, h / 6, &k1);
        spinning_add(&y, h / 3, &k2);
        spinning_add(&y, h / 3, &k3);
        spinning_add(&y, h / 6, &k4);
    }
    return y;
}

static inline spinning spinning_until(spinning_body *b, spinning y, real until, int steps)
{
    const spinning coarse = spinning_kutta(b, y, until, steps);
    spinning fine = spinning_kutta(b, y, until, 2 * steps), result = fine;
    spinning_add(&result, 1 / 15.0L, &fine);
    spinning_add(&result, -1 / 15.0L, &coarse);
    return result;
}

/* The axes of the body in space. */
static inline frame spinning_frame(const spinning *y)
{
    real R[3][3];
    frame f = {{{0}}, {{{0}}}};
    real_rotation(y->q, R);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            f.e[k].x[i] = (double)R[i][k];
    return f;
}

/* The unit quaternion of a frame, by the largest of its components. */
static inline void frame_quaternion(const frame *f, real *q)
{
    const vec *e = f->e;
    const double trace = e[0].x[0] + e[1].x[1] + e[2].x[2];
    int best = 0;
    double squares[4] = {1 + trace};
    for (int k = 1; k < 4; k++) {
        squares[k] = 1 + 2 * e[k - 1].x[k - 1] - trace;
        best = squares[k] > squares[best] ? k : best;
    }
    const real w = sqrtl(squares[best]) / 2;
    q[0] = best == 0 ? w : 0;
    if (best == 0)
        for (int k = 0; k < 3; k++) /* R_32 - R_23, ... */
            q[k + 1] =
                (e[(k + 1) % 3].x[(k + 2) % 3] - e[(k + 2) % 3].x[(k + 1) % 3]) / (4 * w);
    else {
        const int i = best - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        q[best] = w;
        q[0] = (e[j].x[k] - e[k].x[j]) / (4 * w);
        q[j + 1] = (e[i].x[j] + e[j].x[i]) / (4 * w);
        q[k + 1] = (e[i].x[k] + e[k].x[i]) / (4 * w);
    }
}

/* The inertia about a point that is -s away from the centre of mass. */
static inline spinning_body about_point(double J[6], double mass, vec s, vec gravity)
{
    spinning_body b = {.lever = s, .weight = times(mass, gravity)};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b.J[i][k] = (i == k ? J[i] + mass * dot(s, s) : J[2 + i + k]) -
                        mass * s.x[i] * s.x[k];
    return b;
}

#endif
