/* Spherical pendulum, m = l = 1: the multiplier of RATTLE in closed form. With r = q + h v',
 * v' = v + h g / 2, the new position r - mu q has length 1 where
 *   mu^2 |q|^2 - 2 mu b + c = 0,   b = r . q,   c = |r|^2 - 1,
 * and the small root without cancellation is mu = c / (b + sqrt(b^2 - |q|^2 c)). */
#include "bound.h"
#include "contest.h"

#include <math.h>
#include <stdlib.h>

static const double gravity = -9.81;

typedef struct pendulum {
    double x, y, z, u, v, w; /* position, velocity */
} pendulum;

static inline pendulum substep(pendulum s, double h)
{
    const double w = s.w + 0.5 * h * gravity;
    const double x = s.x + h * s.u, y = s.y + h * s.v, z = s.z + h * w;
    const double a = s.x * s.x + s.y * s.y + s.z * s.z;
    const double b = x * s.x + y * s.y + z * s.z;
    const double c = x * x + y * y + z * z - 1;
    const double mu = c / (b + sqrt(b * b - a * c)), k = mu / h;
    return (pendulum){.x = x - mu * s.x,
                      .y = y - mu * s.y,
                      .z = z - mu * s.z,
                      .u = s.u - k * s.x,
                      .v = s.v - k * s.y,
                      .w = w - k * s.z + 0.5 * h * gravity};
}

static inline pendulum tangent(pendulum s)
{
    const double k =
        (s.x * s.u + s.y * s.v + s.z * s.w) / (s.x * s.x + s.y * s.y + s.z * s.z);
    s.u -= k * s.x;
    s.v -= k * s.y;
    s.w -= k * s.z;
    return s;
}

static void *create(int size)
{
    pendulum *s = bench_memory(1, sizeof *s);
    (void)size;
    *s = (pendulum){.x = 1, .v = 1};
    return s;
}

static void run(void *state, double h, const double *weights, int count, long steps)
{
    pendulum s = *(pendulum *)state;
    for (long i = 0; i < steps; i++) {
        for (int k = 0; k < count; k++)
            s = substep(s, weights[k] * h);
        s = tangent(s);
    }
    *(pendulum *)state = s;
}

static void position(const void *state, double *q)
{
    const pendulum *s = state;
    q[0] = s->x;
    q[1] = s->y;
    q[2] = s->z;
}

const bound bound_pendulum = {create, free, run, position};

/* ---- many of them, one array per number so that the compiler uses vectors ------------- */

typedef struct ensemble {
    int size;
    double *x, *y, *z, *u, *v, *w;
} ensemble;

static void *ensemble_create(int size)
{
    ensemble *e = bench_memory(1, sizeof *e);
    double *all = bench_memory(6 * size, sizeof *all);
    *e = (ensemble){
        size,           all,           all + size, all + 2 * size, all + 3 * size,
        all + 4 * size, all + 5 * size};
    for (int i = 0; i < size; i++) {
        e->x[i] = 1;
        e->v[i] = 1 + 1e-3 * i;
    }
    return e;
}

static void ensemble_free(void *state)
{
    ensemble *e = state;
    free(e->x);
    free(e);
}

static void ensemble_step(const ensemble *e, double h)
{
    double *restrict x = e->x, *restrict y = e->y, *restrict z = e->z;
    double *restrict u = e->u, *restrict v = e->v, *restrict w = e->w;
    for (int i = 0; i < e->size; i++) {
        const pendulum s = {x[i], y[i], z[i], u[i], v[i], w[i]};
        const pendulum r = tangent(substep(s, h));
        x[i] = r.x;
        y[i] = r.y;
        z[i] = r.z;
        u[i] = r.u;
        v[i] = r.v;
        w[i] = r.w;
    }
}

static void ensemble_run(void *state, double h, const double *weights, int count,
                         long steps)
{
    for (long i = 0; i < steps; i++)
        for (int k = 0; k < count; k++)
            ensemble_step(state, weights[k] * h);
}

static void ensemble_position(const void *state, double *q)
{
    const ensemble *e = state;
    q[0] = e->x[0];
    q[1] = e->y[0];
    q[2] = e->z[0];
}

const bound bound_ensemble = {ensemble_create, ensemble_free, ensemble_run,
                              ensemble_position};
