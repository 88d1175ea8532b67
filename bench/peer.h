/* Peers that are found when the benchmarks are configured. */
#ifndef LV_BENCH_PEER_H
#define LV_BENCH_PEER_H

#include "particles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Integrates to p->until with the tolerance; q receives the positions. false: it failed, or cannot. */
typedef struct peer {
    const char *name;
    bool (*run)(const bench_particles *p, double tolerance, double *q);
} peer;

/* Ends with a name that is NULL. */
extern const peer peers[];

/* Those that make up the list. MuJoCo and Simbody take joint angles, of the pendulum and of chains; springs between points
 * they do not have. */
bool peer_sundials_ida(const bench_particles *p, double tolerance, double *q);
bool peer_sundials_erk(const bench_particles *p, double tolerance, double *q);
bool peer_mujoco_points(const bench_particles *p, double tolerance, double *q);
bool peer_simbody_points(const bench_particles *p, double tolerance, double *q);

#ifdef __cplusplus
}
#endif

#endif
