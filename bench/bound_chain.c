/* Chain of n masses 1/n and rods 1/n. The state is kept as vectors d_c along the rods and
 * velocities v_c of the masses, one array per component. With k = n h^2 and scaled multipliers
 * y_c the new rods are
 *   e_c = d_c + h (v_c - v_{c-1}) - k (2 y_c d_c - y_{c-1} d_{c-1} - y_{c+1} d_{c+1})
 * (1 instead of 2 for the first, which hangs on a fixed point), and |e_c| = 1/n is solved by
 * Newton's method. Its matrix is tridiagonal and is eliminated from both ends at once, so that
 * two chains of divisions run side by side. */
#include "bound.h"
#include "contest.h"

#include <math.h>
#include <stdlib.h>

static const double gravity = -9.81;

/* Arrays reach from -1 to n; what lies outside of the chain is zero. */
typedef struct vectors {
    double *x, *y, *z;
} vectors;

typedef struct chain {
    int n;
    vectors d, e, v; /* rods, new rods, velocities */
    double *y;       /* multipliers, the guess for the next step */
    double *lower, *diagonal, *upper, *inverse, *r; /* tridiagonal system */
    double *room;
} chain;

static void *create(int n)
{
    enum { ARRAYS = 15, APART = 16 };
    chain *s = bench_memory(1, sizeof *s);
    double *p = s->room = bench_memory(ARRAYS * (n + APART), sizeof *p);
    double **arrays[ARRAYS] = {&s->d.x,   &s->d.y,      &s->d.z,   &s->e.x,     &s->e.y,
                               &s->e.z,   &s->v.x,      &s->v.y,   &s->v.z,     &s->y,
                               &s->lower, &s->diagonal, &s->upper, &s->inverse, &s->r};
    s->n = n;
    for (int k = 0; k < ARRAYS; k++, p += n + APART)
        *arrays[k] = p + 8;
    for (int c = 0; c < n; c++)
        s->d.x[c] = 1.0 / n;
    return s;
}

static void destroy(void *state)
{
    chain *s = state;
    free(s->room);
    free(s);
}

/* Residuals and matrix rows of the rods [from, to); share: 1 for the first, 2 for others. */
static void rods(const chain *s, double h, int from, int to, double share)
{
    const double *restrict dx = s->d.x, *restrict dy = s->d.y, *restrict dz = s->d.z;
    const double *restrict vx = s->v.x, *restrict vy = s->v.y, *restrict vz = s->v.z;
    double *restrict ex = s->e.x, *restrict ey = s->e.y, *restrict ez = s->e.z;
    const double *restrict y = s->y;
    double *restrict lower = s->lower, *restrict diagonal = s->diagonal;
    double *restrict upper = s->upper, *restrict r = s->r;
    const double k = s->n * h * h, length2 = 1.0 / s->n / s->n;
    for (int c = from; c < to; c++) {
        const double mid = share * y[c], next = y[c + 1], last = y[c - 1];
        const double ax = dx[c] + h * (vx[c] - vx[c - 1]) -
                          k * (mid * dx[c] - next * dx[c + 1] - last * dx[c - 1]);
        const double ay = dy[c] + h * (vy[c] - vy[c - 1]) -
                          k * (mid * dy[c] - next * dy[c + 1] - last * dy[c - 1]);
        const double az = dz[c] + h * (vz[c] - vz[c - 1]) -
                          k * (mid * dz[c] - next * dz[c + 1] - last * dz[c - 1]);
        ex[c] = ax;
        ey[c] = ay;
        ez[c] = az;
        r[c] = 0.5 * (ax * ax + ay * ay + az * az - length2);
        diagonal[c] = share * k * (ax * dx[c] + ay * dy[c] + az * dz[c]);
        lower[c] = -k * (ax * dx[c - 1] + ay * dy[c - 1] + az * dz[c - 1]);
        upper[c] = -k * (ax * dx[c + 1] + ay * dy[c + 1] + az * dz[c + 1]);
    }
}

/* max |r|, in four lanes. */
static double largest(const double *r, int n)
{
    double m[4] = {0};
    int c = 0;
    for (; c + 4 <= n; c += 4)
        for (int l = 0; l < 4; l++)
            m[l] = fabs(r[c + l]) > m[l] ? fabs(r[c + l]) : m[l];
    for (; c < n; c++)
        m[0] = fabs(r[c]) > m[0] ? fabs(r[c]) : m[0];
    return fmax(fmax(m[0], m[1]), fmax(m[2], m[3]));
}

/* r <- A^-1 r: elimination down to the middle row and up to it, then outwards. */
static void solve(const chain *s)
{
    const double *restrict a = s->lower, *restrict d = s->diagonal,
                           *restrict b = s->upper;
    double *restrict r = s->r, *restrict p = s->inverse;
    const int n = s->n, middle = n / 2;
    double top = 0, under = 0, rt = 0, ru = 0; /* reciprocal pivots, right-hand sides */
    for (int i = 0, j = n - 1; i < middle; i++, j--) {
        const double w = a[i] * top;
        p[i] = top = 1 / (i > 0 ? d[i] - w * b[i - 1] : d[i]);
        r[i] = rt = r[i] - w * rt;
        if (j > middle) {
            const double o = b[j] * under;
            p[j] = under = 1 / (j < n - 1 ? d[j] - o * a[j + 1] : d[j]);
            r[j] = ru = r[j] - o * ru;
        }
    }
    double pivot = d[middle], rest = r[middle];
    if (middle > 0) {
        pivot -= a[middle] * top * b[middle - 1];
        rest -= a[middle] * top * rt;
    }
    if (middle < n - 1) {
        pivot -= b[middle] * under * a[middle + 1];
        rest -= b[middle] * under * ru;
    }
    double x = rest / pivot, z = x;
    r[middle] = x;
    for (int i = middle - 1, j = middle + 1; i >= 0; i--, j++) {
        r[i] = x = (r[i] - b[i] * x) * p[i];
        if (j < n)
            r[j] = z = (r[j] - a[j] * z) * p[j];
    }
}

/* v -= scale (y_c d_c - y_{c+1} d_{c+1}), and the second half of gravity. */
static void push(const chain *s, const double *y, double scale, double lift)
{
    const double *restrict dx = s->d.x, *restrict dy = s->d.y, *restrict dz = s->d.z;
    double *restrict vx = s->v.x, *restrict vy = s->v.y, *restrict vz = s->v.z;
    for (int c = 0; c < s->n; c++) {
        const double here = scale * y[c], next = scale * y[c + 1];
        vx[c] -= here * dx[c] - next * dx[c + 1];
        vy[c] -= here * dy[c] - next * dy[c + 1];
        vz[c] += lift - (here * dz[c] - next * dz[c + 1]);
    }
}

static void substep(chain *s, double h)
{
    enum { MOST = 20 };
    const double enough = 1e-12 / s->n / s->n, lift = 0.5 * h * gravity;
    for (int c = 0; c < s->n; c++)
        s->v.z[c] += lift;
    for (int k = 0; k < MOST; k++) {
        rods(s, h, 0, 1, 1);
        rods(s, h, 1, s->n, 2);
        if (largest(s->r, s->n) < enough)
            break;
        solve(s);
        for (int c = 0; c < s->n; c++)
            s->y[c] += s->r[c];
    }
    push(s, s->y, s->n * h, lift);
    const vectors old = s->d;
    s->d = s->e;
    s->e = old;
}

static void tangent(chain *s)
{
    const double *restrict dx = s->d.x, *restrict dy = s->d.y, *restrict dz = s->d.z;
    const double *restrict vx = s->v.x, *restrict vy = s->v.y, *restrict vz = s->v.z;
    double *restrict lower = s->lower, *restrict diagonal = s->diagonal;
    double *restrict upper = s->upper, *restrict r = s->r;
    for (int c = 0; c < s->n; c++) {
        diagonal[c] = 2 * (dx[c] * dx[c] + dy[c] * dy[c] + dz[c] * dz[c]);
        lower[c] = -(dx[c] * dx[c - 1] + dy[c] * dy[c - 1] + dz[c] * dz[c - 1]);
        upper[c] = -(dx[c] * dx[c + 1] + dy[c] * dy[c + 1] + dz[c] * dz[c + 1]);
        r[c] = dx[c] * (vx[c] - vx[c - 1]) + dy[c] * (vy[c] - vy[c - 1]) +
               dz[c] * (vz[c] - vz[c - 1]);
    }
    diagonal[0] *= 0.5;
    solve(s);
    push(s, s->r, 1, 0);
}

static void run(void *state, double h, const double *weights, int count, long steps)
{
    for (long i = 0; i < steps; i++) {
        for (int k = 0; k < count; k++)
            substep(state, weights[k] * h);
        tangent(state);
    }
}

static void position(const void *state, double *q)
{
    const chain *s = state;
    for (int c = 0; c < s->n; c++) {
        q[3 * c] = s->d.x[c] + (c > 0 ? q[3 * c - 3] : 0);
        q[3 * c + 1] = s->d.y[c] + (c > 0 ? q[3 * c - 2] : 0);
        q[3 * c + 2] = s->d.z[c] + (c > 0 ? q[3 * c - 1] : 0);
    }
}

const bound bound_chain = {create, destroy, run, position};
