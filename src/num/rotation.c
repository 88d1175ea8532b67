#include "num/rotation.h"

#include <math.h>
#include <string.h>

void lv_quaternion_of_axes(double q[4], const double e[9])
{
    /* From the largest of its components. */
    const double a = e[0], b = e[4], c = e[8]; /* the diagonal */
    const double squares[4] = {1 + a + b + c, 1 + a - b - c, 1 - a + b - c,
                               1 - a - b + c}; /* 4 w^2, 4 x^2, ... */
    const double wx = e[5] - e[7], wy = e[6] - e[2], wz = e[1] - e[3]; /* 4 w x, ... */
    const double xy = e[1] + e[3], xz = e[2] + e[6], yz = e[5] + e[7]; /* 4 x y, ... */
    const double rows[4][4] = {{squares[0], wx, wy, wz},
                               {wx, squares[1], xy, xz},
                               {wy, xy, squares[2], yz},
                               {wz, xz, yz, squares[3]}};
    int largest = 0;
    double size = 0;
    for (int k = 1; k < 4; k++)
        largest = squares[k] > squares[largest] ? k : largest;
    for (int k = 0; k < 4; k++)
        size += rows[largest][k] * rows[largest][k];
    size = sqrt(size);
    for (int k = 0; k < 4; k++)
        q[k] = rows[largest][k] / size;
}

void lv_axes_of_quaternion(double axes[9], const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double all[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
        2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
        2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    memcpy(axes, all, sizeof all);
}

void lv_quaternion_multiply(double a[4], const double b[4])
{
    const double w = a[0], x = a[1], y = a[2], z = a[3];
    a[0] = w * b[0] - x * b[1] - y * b[2] - z * b[3];
    a[1] = w * b[1] + x * b[0] + y * b[3] - z * b[2];
    a[2] = w * b[2] - x * b[3] + y * b[0] + z * b[1];
    a[3] = w * b[3] + x * b[2] - y * b[1] + z * b[0];
}

/* Jacobi's method: rotates entry (p, q) of m to zero, and the columns of the rotation r
 * with it. */
static void rotate(double m[3][3], double r[3][3], int p, int q)
{
    if (m[p][q] == 0)
        return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        const double a = m[p][k], b = m[q][k], x = r[k][p], y = r[k][q];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
        r[k][p] = c * x - s * y;
        r[k][q] = s * x + c * y;
    }
}

void lv_symmetric_axes(double values[3], double axes[9], const double e[6])
{
    enum { SWEEPS = 20 }; /* converges quadratically: a handful would do */
    double m[3][3] = {{e[0], e[3], e[4]}, {e[3], e[1], e[5]}, {e[4], e[5], e[2]}};
    double r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < SWEEPS; k++) {
        rotate(m, r, 0, 1);
        rotate(m, r, 0, 2);
        rotate(m, r, 1, 2);
    }
    for (int k = 0; k < 3; k++) {
        values[k] = m[k][k];
        for (int j = 0; j < 3; j++)
            axes[3 * k + j] = r[j][k];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double *to, const double *a, const double *b)
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
    to[0] = x;
    to[1] = y;
}

static void normalise(double *a)
{
    const double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    for (int k = 0; k < 3; k++)
        a[k] /= largest;
    const double size = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= size;
}

/* The shortest rotation of unit vector number k, e, into u, applied to the other two: x
 * becomes x - (x . u)/(1 + u . e) (u + e) for x normal to e. */
static void turn_others(double *axes, int k)
{
    const double *u = axes + 3 * (ptrdiff_t)k;
    const double along = 1 + u[k];
    for (int j = 0; j < 3; j++) {
        double *x = axes + 3 * (ptrdiff_t)j;
        if (j == k)
            continue;
        for (int i = 0; i < 3; i++)
            x[i] = (i == j) - (along > 1e-12 ? u[j] / along * (u[i] + (i == k)) : 0);
        if (!(along > 1e-12) && j == (k + 1) % 3) /* half a turn about the other one */
            x[j] = -1;
    }
}

void lv_axes_complete(double axes[9], const bool given[3])
{
    static const int order[] = {2, 0, 1};
    int first = -1, second = -1;
    for (int k = 0; k < 3; k++) {
        const int axis = order[k];
        if (!given[axis])
            continue;
        if (first < 0)
            first = axis;
        else if (second < 0)
            second = axis;
    }
    if (first < 0) {
        memset(axes, 0, 9 * sizeof *axes);
        axes[0] = axes[4] = axes[8] = 1;
        return;
    }
    double *a = axes + 3 * (ptrdiff_t)first;
    normalise(a);
    if (second < 0) {
        turn_others(axes, first);
        return;
    }
    double *b = axes + 3 * (ptrdiff_t)second;
    const int third = 3 - first - second;
    normalise(b);
    const double along = dot(a, b);
    for (int k = 0; k < 3; k++)
        b[k] -= along * a[k];
    normalise(b);
    if ((first + 1) % 3 == second)
        cross(axes + 3 * (ptrdiff_t)third, a, b);
    else
        cross(axes + 3 * (ptrdiff_t)third, b, a);
}
