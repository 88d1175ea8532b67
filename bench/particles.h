/* Point masses with rods and springs, gravity along -e3: the benchmarks' problems as a peer's user
 * would write them. */
#ifndef LV_BENCH_PARTICLES_H
#define LV_BENCH_PARTICLES_H

#ifndef __cplusplus
#include <stdbool.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_link {
    int i, j;    /* particles; i = -1: the origin */
    double size; /* rods: squared length; springs: stiffness k of V = k/2 (|d|^2 - 1)^2 */
} bench_link;

typedef struct bench_particles {
    int n, rod_count, spring_count;
    bool
        chain; /* rod c joins particles c - 1 and c: what is solved for them is tridiagonal */
    double gravity, until;
    double *mass, *q, *v; /* q and v at the start */
    bench_link *rods, *springs;
    double *work; /* of accelerations and projections */
} bench_particles;

bench_particles bench_pendulum(void);
bench_particles bench_four(void);
bench_particles bench_chain(int n, double until);
void bench_particles_free(bench_particles *p);

/* Forces without those of the rods. */
void bench_forces(const bench_particles *p, const double *q, double *f);

/* d = vector along rod c: x_j - x_i. */
void bench_along(const bench_particles *p, int c, const double *x, double d[3]);

/* Accelerations; multipliers if not NULL: M a + G^T multipliers = f with g = (|d|^2 - l^2) / 2. */
void bench_accelerations(const bench_particles *p, const double *q, const double *v,
                         double *a, double *multipliers);

/* Onto the constraints of positions, then velocities. */
void bench_project(const bench_particles *p, double *q, double *v);

#ifdef __cplusplus
}
#endif

#endif
