/* Four particles: the rods 1-2 and 3-4 share no particle, so that each multiplier comes from a
 * quadratic equation of its own; forces of the springs 1-3 and 2-4 are kept from step to step. */
#include "bound.h"
#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct particles {
    double q[12], v[12], a[12]; /* position, velocity, acceleration */
} particles;

static const double inverse[4] = {1, 1 / 3.0, 1 / 2.3, 1 / 1.7};

/* V = k/2 (|d|^2 - 1)^2, d from particle i to j */
static inline void spring(particles *s, int i, int j, double k)
{
    const double *qi = s->q + 3 * i, *qj = s->q + 3 * j;
    const double x = qj[0] - qi[0], y = qj[1] - qi[1], z = qj[2] - qi[2];
    const double f = 2 * k * (x * x + y * y + z * z - 1);
    const double fi = f * inverse[i], fj = f * inverse[j];
    double *ai = s->a + 3 * i, *aj = s->a + 3 * j;
    ai[0] = fi * x;
    ai[1] = fi * y;
    ai[2] = fi * z;
    aj[0] = -fj * x;
    aj[1] = -fj * y;
    aj[2] = -fj * z;
}

static inline void forces(particles *s)
{
    spring(s, 0, 2, 50);
    spring(s, 1, 3, 500);
}

/* Gives rod i-j its length by impulses along where it was, `old`. */
static inline void rod(particles *s, const double *old, int i, int j, double h)
{
    double *qi = s->q + 3 * i, *qj = s->q + 3 * j, *vi = s->v + 3 * i, *vj = s->v + 3 * j;
    const double *oi = old + 3 * i, *oj = old + 3 * j;
    const double x = qj[0] - qi[0], y = qj[1] - qi[1], z = qj[2] - qi[2];
    const double ox = oj[0] - oi[0], oy = oj[1] - oi[1], oz = oj[2] - oi[2];
    const double a = ox * ox + oy * oy + oz * oz, b = x * ox + y * oy + z * oz;
    const double c = x * x + y * y + z * z - 1;
    const double mu = c / ((b + sqrt(b * b - a * c)) * (inverse[i] + inverse[j]));
    const double mi = mu * inverse[i], mj = mu * inverse[j], ki = mi / h, kj = mj / h;
    qi[0] += mi * ox;
    qi[1] += mi * oy;
    qi[2] += mi * oz;
    qj[0] -= mj * ox;
    qj[1] -= mj * oy;
    qj[2] -= mj * oz;
    vi[0] += ki * ox;
    vi[1] += ki * oy;
    vi[2] += ki * oz;
    vj[0] -= kj * ox;
    vj[1] -= kj * oy;
    vj[2] -= kj * oz;
}

static inline void tangent(particles *s, int i, int j)
{
    const double *qi = s->q + 3 * i, *qj = s->q + 3 * j;
    double *vi = s->v + 3 * i, *vj = s->v + 3 * j;
    const double x = qj[0] - qi[0], y = qj[1] - qi[1], z = qj[2] - qi[2];
    const double rate = x * (vj[0] - vi[0]) + y * (vj[1] - vi[1]) + z * (vj[2] - vi[2]);
    const double k = rate / ((x * x + y * y + z * z) * (inverse[i] + inverse[j]));
    const double ki = k * inverse[i], kj = k * inverse[j];
    vi[0] += ki * x;
    vi[1] += ki * y;
    vi[2] += ki * z;
    vj[0] -= kj * x;
    vj[1] -= kj * y;
    vj[2] -= kj * z;
}

static inline void substep(particles *s, double h)
{
    double old[12];
    memcpy(old, s->q, sizeof old);
    for (int i = 0; i < 12; i++) {
        s->v[i] += 0.5 * h * s->a[i];
        s->q[i] += h * s->v[i];
    }
    rod(s, old, 0, 1, h);
    rod(s, old, 2, 3, h);
    forces(s);
    for (int i = 0; i < 12; i++)
        s->v[i] += 0.5 * h * s->a[i];
}

static void *create(int size)
{
    particles *s = bench_memory(1, sizeof *s);
    (void)size;
    *s = (particles){.q = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, .v = {[11] = 2 / 1.7}};
    forces(s);
    return s;
}

static void run(void *state, double h, const double *weights, int count, long steps)
{
    particles *s = state;
    for (long i = 0; i < steps; i++) {
        for (int k = 0; k < count; k++)
            substep(s, weights[k] * h);
        tangent(s, 0, 1);
        tangent(s, 2, 3);
    }
}

static void position(const void *state, double *q)
{
    memcpy(q, ((const particles *)state)->q, 12 * sizeof *q);
}

const bound bound_particles = {create, free, run, position};
