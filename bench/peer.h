/* Peers that are found when the benchmarks are configured. */
#ifndef LV_BENCH_PEER_H
#define LV_BENCH_PEER_H

#include "particles.h"

/* Integrates to p->until with the tolerance; q receives the positions. false: it failed. */
typedef struct peer {
    const char *name;
    bool (*run)(const bench_particles *p, double tolerance, double *q);
} peer;

/* Ends with a name that is NULL; the first is the one to compare with. */
extern const peer peers[];

#endif
