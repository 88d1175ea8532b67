/* Two motions by Taylor series, symmetric multistep methods in their classical form, and
 * polynomials to test coefficients with. None shares code or formulas with the library.
 *
 *   the spherical pendulum:  q'' = -g e3 + lambda q,  |q| = 1,  lambda = g q3 - |v|^2
 *   Kepler's problem:        q'' = -q / |q|^3
 *
 * A step of the methods: sum_j alpha_j q_{n+j} = h^2 sum_j beta_j a_{n+j}, j = 0 .. k. */
#ifndef LV_TESTS_MULTISTEP_REFERENCE_H
#define LV_TESTS_MULTISTEP_REFERENCE_H

#include "check.h"
#include "scheme/multistep_tableau.h"

#include <complex.h>
#include <stdbool.h>

typedef long double real;

/* ---- motions -------------------------------------------------------------------- */

#define GRAVITY 9.81L
#define ECCENTRICITY 0.2L

enum { TERMS = 26 };

typedef enum orbit_kind { PENDULUM, KEPLER } orbit_kind;

typedef struct orbit {
    orbit_kind kind;
    real q[3], v[3];
} orbit;

static inline orbit orbit_start(orbit_kind kind)
{
    if (kind == PENDULUM)
        return (orbit){kind, {1, 0, 0}, {0, 1, 0}};
    const real e = ECCENTRICITY;
    return (orbit){kind, {1 - e, 0, 0}, {0, sqrtl((1 + e) / (1 - e)), 0}};
}

/* Taylor coefficients of a motion and of functions of it. */
typedef struct series {
    real q[3][TERMS];
    real square[TERMS]; /* |q|^2 */
    real factor[TERMS]; /* lambda, or -|q|^-3: the acceleration is factor q - g e3 */
} series;

static inline real product(const real *a, const real *b, int n)
{
    real sum = 0;
    for (int m = 0; m <= n; m++)
        sum += a[m] * b[n - m];
    return sum;
}

/* Coefficient n of lambda = g q3 - |v|^2. */
static inline real multiplier_term(const series *s, int n)
{
    real sum = GRAVITY * s->q[2][n];
    for (int i = 0; i < 3; i++)
        for (int m = 0; m <= n; m++)
            sum -= (m + 1) * s->q[i][m + 1] * (n - m + 1) * s->q[i][n - m + 1];
    return sum;
}

/* Coefficient n of -(|q|^2)^(-3/2), from f' |q|^2 = -3/2 f (|q|^2)'. */
static inline real attraction_term(series *s, int n)
{
    s->square[n] = 0;
    for (int i = 0; i < 3; i++)
        s->square[n] += product(s->q[i], s->q[i], n);
    if (n == 0)
        return -powl(s->square[0], -1.5L);
    real sum = 0;
    for (int m = 1; m <= n; m++)
        sum += (-1.5L * m - (n - m)) * s->square[m] * s->factor[n - m];
    return sum / (n * s->square[0]);
}

static inline void orbit_step(orbit *o, real dt)
{
    series s = {0};
    for (int i = 0; i < 3; i++) {
        s.q[i][0] = o->q[i];
        s.q[i][1] = o->v[i];
    }
    for (int n = 0; n + 2 < TERMS; n++) {
        s.factor[n] =
            o->kind == PENDULUM ? multiplier_term(&s, n) : attraction_term(&s, n);
        for (int i = 0; i < 3; i++) {
            real a = product(s.factor, s.q[i], n);
            if (o->kind == PENDULUM && n == 0 && i == 2)
                a -= GRAVITY;
            s.q[i][n + 2] = a / ((n + 1) * (n + 2));
        }
    }
    for (int i = 0; i < 3; i++) {
        o->q[i] = o->v[i] = 0;
        for (int n = TERMS - 1; n >= 0; n--)
            o->q[i] = o->q[i] * dt + s.q[i][n];
        for (int n = TERMS - 1; n >= 1; n--)
            o->v[i] = o->v[i] * dt + n * s.q[i][n];
    }
}

/* Good to about 1e-17 over a time of 10. */
static inline void orbit_move(orbit *o, real time)
{
    const int steps = (int)ceill(fabsl(time) * 24);
    for (int k = 0; k < steps; k++)
        orbit_step(o, time / steps);
}

static inline orbit orbit_at(orbit_kind kind, real time)
{
    orbit o = orbit_start(kind);
    orbit_move(&o, time);
    return o;
}

static inline void orbit_acceleration(const orbit *o, real a[3])
{
    real qq = 0, vv = 0;
    for (int i = 0; i < 3; i++) {
        qq += o->q[i] * o->q[i];
        vv += o->v[i] * o->v[i];
    }
    const real factor =
        o->kind == PENDULUM ? GRAVITY * o->q[2] - vv : -1 / (qq * sqrtl(qq));
    for (int i = 0; i < 3; i++)
        a[i] = factor * o->q[i];
    if (o->kind == PENDULUM)
        a[2] -= GRAVITY;
}

/* ---- the classical form --------------------------------------------------------- */

/* alpha and beta of a tableau, each with order + 1 numbers. */
static inline void classical_form(const lv_multistep *t, real *alpha, real *beta)
{
    const int k = t->order;
    real p[LV_MULTISTEP_NODES] = {0}; /* coefficients of the product, highest first */
    p[0] = 1;
    for (int i = 1; i <= k - 2; i++)
        p[i] = t->c[i - 1];
    for (int j = 0; j <= k; j++) { /* of z^j in (z^2 - 2 z + 1) p(z) */
        const int i = k - j;
        alpha[j] = (i <= k - 2 ? p[i] : 0) + (i >= 2 ? p[i - 2] : 0) -
                   (i >= 1 && i <= k - 1 ? 2 * p[i - 1] : 0);
        beta[j] = j == 0 || j == k ? 0 : j == k - 1 ? t->b0 : t->b[k - 2 - j];
    }
}

enum { CLASSICAL_MOST = 1000 };

/* The nodes of a run: q[k - 1 + n] is the position after n steps. */
typedef struct classical {
    real q[CLASSICAL_MOST][3], a[CLASSICAL_MOST][3];
} classical;

/* The multiplier of the pendulum for which |free + h^2 beta q lambda| = 1, by Newton's
 * method from the guess *lambda. */
static inline void solve_rod(const real free[3], const real q[3], real factor,
                             real *lambda)
{
    for (int pass = 0; pass < 20; pass++) {
        real g = -0.5L, slope = 0;
        for (int i = 0; i < 3; i++) {
            const real x = free[i] + factor * q[i] * *lambda;
            g += x * x / 2;
            slope += x * factor * q[i];
        }
        *lambda -= g / slope;
    }
}

/* Makes `steps` steps from the exact positions and accelerations at the times 0, -h, ... */
static inline void classical_run(classical *run, const lv_multistep *t, orbit_kind kind,
                                 real h, int steps)
{
    const int k = t->order, now = k - 1;
    real alpha[LV_MULTISTEP_NODES], beta[LV_MULTISTEP_NODES], lambda = 0;
    assert_in_range(k + steps, 1, CLASSICAL_MOST);
    classical_form(t, alpha, beta);
    for (int j = 0; j < k; j++) {
        const orbit o = orbit_at(kind, (j - now) * h);
        memcpy(run->q[j], o.q, sizeof o.q);
        orbit_acceleration(&o, run->a[j]);
        lambda = GRAVITY * o.q[2] - 1;
    }
    for (int n = 0; n < steps; n++) {
        const real *q = run->q[n + now];
        real *a = run->a[n + now], *next = run->q[n + k];
        orbit here = {kind, {q[0], q[1], q[2]}, {0, 0, 0}};
        orbit_acceleration(&here, a); /* of Kepler's problem; replaced for the other */
        if (kind == PENDULUM)
            memcpy(a, (real[3]){0, 0, -GRAVITY}, 3 * sizeof(real));
        for (int i = 0; i < 3; i++) {
            next[i] = 0;
            for (int j = 0; j < k; j++)
                next[i] +=
                    h * h * beta[j] * run->a[n + j][i] - alpha[j] * run->q[n + j][i];
        }
        if (kind == PENDULUM) {
            solve_rod(next, q, h * h * beta[now], &lambda);
            for (int i = 0; i < 3; i++) {
                a[i] += lambda * q[i];
                next[i] += h * h * beta[now] * lambda * q[i];
            }
        }
    }
}

/* ---- polynomials ---------------------------------------------------------------- */

/* t^degree, and its second derivative */
static inline real power(real t, int degree)
{
    return powl(t, degree);
}

static inline real bend(real t, int degree)
{
    return degree < 2 ? 0 : degree * (degree - 1) * powl(t, degree - 2);
}

/* The polynomial t^degree at nodes with the distance h, the node 0 at the time `at`. */
typedef struct sampled {
    int degree;
    real h, at;
} sampled;

static inline real position_of(const sampled *y, int node)
{
    return power(y->at + node * y->h, y->degree);
}

static inline real velocity_of(const sampled *y, int node)
{
    return y->degree == 0 ? 0 : y->degree * power(y->at + node * y->h, y->degree - 1);
}

static inline real acceleration_of(const sampled *y, int node)
{
    return bend(y->at + node * y->h, y->degree);
}

/* u at a node: the mean velocity of the step that ends there */
static inline real mean_of(const sampled *y, int node)
{
    return (position_of(y, node) - position_of(y, node - 1)) / y->h;
}

/* S_i at a node: what is left of b_i a - c_i w of past steps, shifted to S_i. */
static inline real sum_of(const lv_multistep *t, const sampled *y, int node, int i)
{
    real sum = 0;
    for (int m = 1; i + m - 1 <= t->sums; m++) {
        const real w = (mean_of(y, node - m + 1) - mean_of(y, node - m)) / y->h;
        sum += t->b[i + m - 2] * acceleration_of(y, node - m) - t->c[i + m - 2] * w;
    }
    return sum;
}

static inline sampled sampled_power(int degree)
{
    return (sampled){degree, 0.125L, 0.3L};
}

static inline real legendre(int l, real x)
{
    real before = 1, p = 2 * x - 1;
    if (l == 0)
        return 1;
    for (int k = 1; k < l; k++) {
        const real next = ((2 * k + 1) * (2 * x - 1) * p - k * before) / (k + 1);
        before = p;
        p = next;
    }
    return p;
}

/* All roots of a polynomial, highest coefficient first, by the method of Durand and
 * Kerner. */
static inline void find_roots(const double *p, int degree, double complex *z)
{
    for (int i = 0; i < degree; i++)
        z[i] = cpow(0.4 + 0.9 * (double complex)I, i);
    for (int pass = 0; pass < 300; pass++)
        for (int i = 0; i < degree; i++) {
            double complex value = p[0], others = p[0];
            for (int j = 1; j <= degree; j++)
                value = value * z[i] + p[j];
            for (int j = 0; j < degree; j++)
                if (j != i)
                    others *= z[i] - z[j];
            z[i] -= value / others;
        }
}

#endif
