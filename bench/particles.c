#include "particles.h"
#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bench_particles make(int n, int rods, int springs)
{
    bench_particles p = {.n = n, .rod_count = rods, .spring_count = springs};
    p.mass = bench_memory(n, sizeof *p.mass);
    p.q = bench_memory(3 * n, sizeof *p.q);
    p.v = bench_memory(3 * n, sizeof *p.v);
    p.rods = bench_memory(rods, sizeof *p.rods);
    p.springs = bench_memory(springs + 1, sizeof *p.springs);
    return p;
}

/* Directions of rods, right-hand side, matrix: a dense one unless it is tridiagonal. */
static void make_work(bench_particles *p)
{
    const int m = p->rod_count;
    p->work = bench_memory(4 * m + (p->chain ? 2 * m : m * m), sizeof *p->work);
}

bench_particles bench_pendulum(void)
{
    bench_particles p = make(1, 1, 0);
    p.gravity = 9.81;
    p.until = 10;
    p.mass[0] = 1;
    p.q[0] = 1;
    p.v[1] = 1;
    p.rods[0] = (bench_link){-1, 0, 1};
    p.chain = true;
    make_work(&p);
    return p;
}

bench_particles bench_four(void)
{
    const double mass[] = {1, 3, 2.3, 1.7}, q[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    bench_particles p = make(4, 2, 2);
    p.until = 10;
    memcpy(p.mass, mass, sizeof mass);
    memcpy(p.q, q, sizeof q);
    p.v[11] = 2 / 1.7;
    p.rods[0] = (bench_link){0, 1, 1};
    p.rods[1] = (bench_link){2, 3, 1};
    p.springs[0] = (bench_link){0, 2, 50};
    p.springs[1] = (bench_link){1, 3, 500};
    make_work(&p);
    return p;
}

bench_particles bench_chain(int n, double until)
{
    bench_particles p = make(n, n, 0);
    p.gravity = 9.81;
    p.until = until;
    p.chain = true;
    for (int i = 0; i < n; i++) {
        p.mass[i] = 1.0 / n;
        p.q[3 * i] = (double)(i + 1) / n;
        p.rods[i] = (bench_link){i - 1, i, 1.0 / n / n};
    }
    make_work(&p);
    return p;
}

void bench_particles_free(bench_particles *p)
{
    free(p->mass);
    free(p->q);
    free(p->v);
    free(p->rods);
    free(p->springs);
    free(p->work);
}

static void along(const bench_link *link, const double *x, double d[3])
{
    for (int k = 0; k < 3; k++)
        d[k] = x[3 * link->j + k] - (link->i < 0 ? 0 : x[3 * link->i + k]);
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

void bench_along(const bench_particles *p, int c, const double *x, double d[3])
{
    along(&p->rods[c], x, d);
}

void bench_forces(const bench_particles *p, const double *q, double *f)
{
    memset(f, 0, 3 * (size_t)p->n * sizeof *f);
    for (int i = 0; i < p->n; i++)
        f[3 * i + 2] = -p->mass[i] * p->gravity;
    for (int s = 0; s < p->spring_count; s++) {
        const bench_link *link = &p->springs[s];
        double d[3];
        along(link, q, d);
        const double pull = 2 * link->size * (dot(d, d) - 1);
        for (int k = 0; k < 3; k++) {
            f[3 * link->i + k] += pull * d[k];
            f[3 * link->j + k] -= pull * d[k];
        }
    }
}

/* ---- G M^-1 G^T ---------------------------------------------------------------------------- */

static double inverse(const bench_particles *p, int i)
{
    return i < 0 ? 0 : 1 / p->mass[i];
}

static void solve_tridiagonal(const bench_particles *p, const double *d, double *x)
{
    const int m = p->rod_count;
    double *diagonal = p->work + 4 * m, *upper = diagonal + m;
    for (int c = 0; c < m; c++) {
        diagonal[c] = dot(d + 3 * c, d + 3 * c) * (inverse(p, c) + inverse(p, c - 1));
        if (c + 1 < m)
            upper[c] = -dot(d + 3 * c, d + 3 * c + 3) * inverse(p, c);
    }
    for (int c = 1; c < m; c++) {
        const double w = upper[c - 1] / diagonal[c - 1];
        diagonal[c] -= w * upper[c - 1];
        x[c] -= w * x[c - 1];
    }
    x[m - 1] /= diagonal[m - 1];
    for (int c = m - 2; c >= 0; c--)
        x[c] = (x[c] - upper[c] * x[c + 1]) / diagonal[c];
}

/* Entry (c, e), by the particles that the rods share. */
static double coupling(const bench_particles *p, const double *d, int c, int e)
{
    const bench_link *a = &p->rods[c], *b = &p->rods[e];
    double sum = 0;
    sum += a->i == b->i ? inverse(p, a->i) : 0;
    sum += a->j == b->j ? inverse(p, a->j) : 0;
    sum -= a->i == b->j ? inverse(p, a->i) : 0;
    sum -= a->j == b->i ? inverse(p, a->j) : 0;
    return sum * dot(d + 3 * c, d + 3 * e);
}

/* By Cholesky factors. */
static void solve_dense(const bench_particles *p, const double *d, double *x)
{
    const int m = p->rod_count;
    double *a = p->work + 4 * m;
    for (int c = 0; c < m; c++)
        for (int e = 0; e <= c; e++) {
            double sum = coupling(p, d, c, e);
            for (int k = 0; k < e; k++)
                sum -= a[c * m + k] * a[e * m + k];
            a[c * m + e] = e == c ? sqrt(sum) : sum / a[e * m + e];
        }
    for (int c = 0; c < m; c++) {
        for (int k = 0; k < c; k++)
            x[c] -= a[c * m + k] * x[k];
        x[c] /= a[c * m + c];
    }
    for (int c = m - 1; c >= 0; c--) {
        for (int k = c + 1; k < m; k++)
            x[c] -= a[k * m + c] * x[k];
        x[c] /= a[c * m + c];
    }
}

static void solve(const bench_particles *p, const double *d, double *x)
{
    (p->chain ? solve_tridiagonal : solve_dense)(p, d, x);
}

/* ---- what peers are given -------------------------------------------------------------------- */

/* x -= M^-1 G^T y */
static void take_away(const bench_particles *p, const double *d, const double *y,
                      double *x)
{
    for (int c = 0; c < p->rod_count; c++) {
        const bench_link *rod = &p->rods[c];
        for (int k = 0; k < 3; k++) {
            x[3 * rod->j + k] -= y[c] * d[3 * c + k] * inverse(p, rod->j);
            if (rod->i >= 0)
                x[3 * rod->i + k] += y[c] * d[3 * c + k] * inverse(p, rod->i);
        }
    }
}

void bench_accelerations(const bench_particles *p, const double *q, const double *v,
                         double *a, double *multipliers)
{
    double *d = p->work, *y = d + 3 * p->rod_count;
    bench_forces(p, q, a);
    for (int i = 0; i < 3 * p->n; i++)
        a[i] /= p->mass[i / 3];
    for (int c = 0; c < p->rod_count; c++) {
        double turn[3], pull[3];
        bench_along(p, c, q, d + 3 * c);
        bench_along(p, c, v, turn);
        bench_along(p, c, a, pull);
        y[c] = dot(turn, turn) + dot(d + 3 * c, pull);
    }
    solve(p, d, y);
    take_away(p, d, y, a);
    if (multipliers)
        memcpy(multipliers, y, (size_t)p->rod_count * sizeof *y);
}

void bench_project(const bench_particles *p, double *q, double *v)
{
    enum { MOST = 8 };
    double *d = p->work, *y = d + 3 * p->rod_count;
    for (int k = 0; k < MOST; k++) {
        double largest = 0;
        for (int c = 0; c < p->rod_count; c++) {
            bench_along(p, c, q, d + 3 * c);
            y[c] = (dot(d + 3 * c, d + 3 * c) - p->rods[c].size) / 2;
            largest = fmax(largest, fabs(y[c]));
        }
        if (largest < 1e-14)
            break;
        solve(p, d, y);
        take_away(p, d, y, q);
    }
    for (int c = 0; c < p->rod_count; c++) {
        double rate[3];
        bench_along(p, c, v, rate);
        y[c] = dot(d + 3 * c, rate);
    }
    solve(p, d, y);
    take_away(p, d, y, v);
}
