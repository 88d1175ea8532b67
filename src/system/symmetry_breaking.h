/* Which kernels break a symmetry: how their formulas change along a generator xi,
 *
 *     L_q . xi + L_v . (d/dt xi)    energies
 *     f . xi                        forces
 *     G xi                          holonomic constraints
 *     Phi_v xi                      nonholonomic constraints */
#ifndef LV_SYSTEM_SYMMETRY_BREAKING_H
#define LV_SYSTEM_SYMMETRY_BREAKING_H

#include "expr/analyse.h"
#include "expr/lie.h"
#include "model/model.h"
#include "system/symmetry.h"

/* A sum over many instances that keeps terms of different magnitudes apart, so that large
 * terms that cancel do not hide small ones. */
typedef struct lv_tally {
    /* Magnitude of the terms of each sum, as a range of exponents */
    LV_ARRAY(long long) sizes;
    LV_ARRAY(lv_change) sums;
} lv_tally;

lv_change lv_tally_sum(lv_tally *tally); /* returns the sum and clears the tally */
void lv_tally_done(lv_tally *tally);

/* A motion of the coordinates that may be a symmetry: one of the usual ones, or any
 * motion whose xi and d/dt xi at the current point are given. */
typedef struct lv_candidate {
    lv_symmetry is;
    const lv_change *dq, *dv; /* xi and d/dt xi; NULL: the motion is `is` */
    bool broken;
    bool has_momentum; /* p . xi is not zero for all p = L_v */
    lv_tally total;    /* change of energies and forces so far */
    /* If something that has to be invariant by itself broke it: the change of that */
    lv_change worst;
} lv_candidate;

typedef struct lv_candidates {
    lv_candidate *list;
    int count;
    int *cyclic; /* by group: the candidate that moves this coordinate alone, or -1 */
    /* The first candidate that moves all vectors of a length; the others follow */
    int together;
} lv_candidates;

/* Does this change prove that something is not invariant, at a point that satisfies the
 * constraints only up to the tolerance of an iteration? */
bool lv_change_is_proof(lv_change change);

/* The tests of one kernel. */
typedef struct lv_defects {
    const lv_model *model;
    const lv_kernel *kernel;
    const lv_candidates *candidates;
    lv_lie *lie;        /* derivatives of the rows, then of the guards */
    int guards;         /* number of guards */
    bool alone;         /* every instance has to be invariant by itself */
    lv_node_list tests; /* candidates that the kernel may break */
    /* By candidate and row: bit 0: a vector of rows is not invariant, bit 1: it does not
     * turn with the coordinates either */
    unsigned char *failed;
    double *point;   /* q, v, the numbers of an instance, time and inputs */
    lv_change *move; /* xi and d/dt xi of an instance, and the terms of a force */
} lv_defects;

/* Builds the tests of all candidates that the kernel may break, and notes which of them
 * have momentum. Candidates along which the derivatives are zero for all inputs need no
 * test. Formulas with kinks are tested on all their pieces at once (expr/kink.h) and must
 * be invariant by themselves, as constraints must. Holonomic rows whose number fits may
 * be read as vectors that turn with the coordinates. Call lv_defects_done in any case. */
lv_status lv_defects_init(lv_defects *defects, const lv_candidates *candidates,
                          const lv_model *model, const lv_kernel *kernel, lv_error *err);

/* The same for candidates with dq and dv: formulas are tested as they are, at the current
 * point only. */
lv_status lv_defects_init_given(lv_defects *defects, const lv_candidates *candidates,
                                const lv_model *model, const lv_kernel *kernel,
                                lv_error *err);
void lv_defects_done(lv_defects *defects);

/* Forgets the results of earlier points. */
void lv_defects_begin(lv_defects *defects);

/* Is there a candidate that is not broken and that the kernel may break? */
bool lv_defects_open(const lv_defects *defects);

/* Adds the changes of all instances at a point. Returns LV_ERR_DOMAIN if one is not
 * finite. */
lv_status lv_defects_add(lv_defects *defects, const double *q, const double *v, double t,
                         lv_error *err);

#endif
