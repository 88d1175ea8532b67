/* Which momenta a Hamiltonian couples.
 *
 * Coordinates belong to one block if H contains a product of their momenta, directly or through
 * others. The momenta of a block come from certain instances of certain terms, its sources: blocks
 * with the same sources form a cluster, which is transformed as a whole. */
#ifndef LV_MODEL_COUPLING_H
#define LV_MODEL_COUPLING_H

#include "model/model.h"

typedef struct lv_hamiltonian_term {
    const lv_kernel *kernel;
    int first_source;        /* number of its instance 0 among all sources */
    const lv_node *gradient; /* dH/dp of every local coordinate */
    const unsigned char
        *moves;     /* of every local coordinate: does H contain its momentum? */
    bool linear;    /* does it contain momenta to the first power? */
    int pair_count; /* local coordinates with d2H/dp dp' not zero */
    const int (*pairs)[2];
} lv_hamiltonian_term;

typedef struct lv_coupling {
    const lv_model *model;
    int term_count;
    lv_hamiltonian_term *terms;
    int source_count;
    int block_count;
    int *block; /* of each coordinate; blocks are numbered by their first coordinates */
    int cluster_count;
    int *cluster; /* of each block */
    int *first_source,
        *sources; /* of cluster c: sources[first_source[c]] up to that of c + 1 */
} lv_coupling;

/* The term and the instance of a source. */
int lv_coupling_term(const lv_coupling *coupling, int source, int *instance);

/* Terms are the kernels given, which must be at most quadratic in the momenta; derivatives are
 * added to their graphs. Fails if a block is too large or a momentum does not occur. */
lv_status lv_coupling_find(lv_coupling *coupling, const lv_model *model, lv_arena *arena,
                           const lv_kernel *const *kernels, int count, lv_error *err);

#endif
