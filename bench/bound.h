/* The least that RATTLE costs: programs written by hand for one problem each, with everything
 * known beforehand built in. Compiled with the flags of the library, so that ratios compare
 * programs and not compilers' options. */
#ifndef LV_BENCH_BOUND_H
#define LV_BENCH_BOUND_H

typedef struct bound {
    /* The problem at its start; size: links or members where there are many. */
    void *(*create)(int size);
    void (*free)(void *state);
    /* Steps of h, each composed of substeps weights[k] h; velocities are made tangent at the
     * end of a step. */
    void (*run)(void *state, double h, const double *weights, int count, long steps);
    /* Coordinates in the order of the model. */
    void (*position)(const void *state, double *q);
} bound;

extern const bound bound_pendulum;  /* models/pendulum3d.toml */
extern const bound bound_ensemble;  /* many of it, with other velocities each */
extern const bound bound_particles; /* models/four-particles.toml */
extern const bound bound_chain;     /* models/chain.toml */
extern const bound bound_linkages;  /* models/n-four-bar.toml */

#endif
