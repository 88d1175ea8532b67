/* The heavy top with a fixed tip, by hand: kicks by gravity and the exact motion of the free symmetric top, composed. With
 * the angular momentum l in space, moments of inertia A across and C along the axis a,
 *   kick:  l += h a x (-m g e3)
 *   drift: everything turns by h l / A in space, and by h (1/C - 1/A) (l . a) about its own axis,
 * where l . a never changes: the turns about the axis are one turn at the end. Two axes are carried along. */
#include "peer_motion.h"

#include <math.h>
#include <string.h>

enum { SUBSTEPS = 17 };

static const double mass = 15, gravity = 9.81;
static const double across = 0.234375 + 15, along = 0.46875; /* about the tip */

/* Kahan, Li 1997; the second half mirrors the first. */
static const double half_weights[] = {
    0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
    0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
    0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};

static void cross(const double *x, const double *y, double *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

/* x turned about the unit vector n. */
static void turn(double *x, const double *n, double cosine, double sine)
{
    double y[3];
    cross(n, x, y);
    const double part = (n[0] * x[0] + n[1] * x[1] + n[2] * x[2]) * (1 - cosine);
    for (int k = 0; k < 3; k++)
        x[k] = cosine * x[k] + sine * y[k] + part * n[k];
}

static void kick(double *l, const double *a, double h)
{
    l[0] -= h * mass * gravity * a[1];
    l[1] += h * mass * gravity * a[0];
}

static void drift(const double *l, double *a, double *b, double h)
{
    const double size = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    const double n[] = {l[0] / size, l[1] / size, l[2] / size};
    const double cosine = cos(h * size / across), sine = sin(h * size / across);
    turn(a, n, cosine, sine);
    turn(b, n, cosine, sine);
}

/* Axes 0, 1, 2 of the body; the second is that of symmetry. */
bool bound_top(double steps, double until, int links, double *axes)
{
    const double h = until / steps;
    const long count = (long)steps;
    double a[] = {0, 1, 0}, b[] = {0, 0, 1}, c[3];
    double l[] = {0, along * 150, across * -4.61538};
    const double spin = (1 / along - 1 / across) * l[1];
    (void)links;
    for (long n = 0; n < count; n++) {
        for (int k = 0; k < SUBSTEPS; k++) {
            const double part = h * half_weights[k < SUBSTEPS - k ? k : SUBSTEPS - 1 - k];
            kick(l, a, part / 2);
            drift(l, a, b, part);
            kick(l, a, part / 2);
        }
    }
    turn(b, a, cos(spin * until), sin(spin * until));
    cross(a, b, c);
    memcpy(axes, c, sizeof c);
    memcpy(axes + 3, a, sizeof a);
    memcpy(axes + 6, b, sizeof b);
    return true;
}
