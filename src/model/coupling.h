/* Determines which momenta a Hamiltonian couples.
 *
 * Coordinates belong to one block if H contains a product of their momenta, directly or
 * through others. The momenta of a block occur in certain instances of certain terms, its
 * sources. Blocks with the same sources form a cluster, which is transformed as a
 * whole. */
#ifndef LV_MODEL_COUPLING_H
#define LV_MODEL_COUPLING_H

#include "model/model.h"

typedef struct lv_hamiltonian_term {
    const lv_kernel *kernel;
    int first_source;        /* number of its instance 0 among all sources */
    const lv_node *gradient; /* dH/dp for every local coordinate */
    const unsigned char
        *moves;     /* for every local coordinate: whether H contains its momentum */
    bool linear;    /* whether it contains momenta to the first power */
    int pair_count; /* number of pairs of local coordinates with nonzero d2H/dp dp' */
    const int (*pairs)[2];
} lv_hamiltonian_term;

typedef struct lv_coupling {
    const lv_model *model;
    int term_count;
    lv_hamiltonian_term *terms;
    int source_count;
    int block_count;
    /* block of each coordinate; blocks are numbered in the order of their first
     * coordinates */
    int *block;
    int cluster_count;
    int *cluster; /* cluster of each block */
    /* sources of cluster c: sources[first_source[c]] up to sources[first_source[c +
     * 1]] */
    int *first_source, *sources;
} lv_coupling;

/* Returns the term of a source and sets its instance. */
int lv_coupling_term(const lv_coupling *coupling, int source, int *instance);

/* Analyses the given kernels, which must be at most quadratic in the momenta; derivatives
 * are added to their graphs. Fails if a block is too large or a momentum does not
 * occur. */
lv_status lv_coupling_find(lv_coupling *coupling, const lv_model *model, lv_arena *arena,
                           const lv_kernel *const *kernels, int count, lv_error *err);

#endif
