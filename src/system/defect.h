/* What spoils a symmetry, kernel by kernel: how its formulas change along a generator xi,
 *
 *     L_q . xi + L_v . (d/dt xi)    of energies,    f . xi    of forces,
 *     G xi                          of holonomic,   Phi_v xi  of nonholonomic constraints. */
#ifndef LV_SYSTEM_DEFECT_H
#define LV_SYSTEM_DEFECT_H

#include "expr/analyse.h"
#include "expr/lie.h"
#include "model/model.h"
#include "system/symmetry.h"

/* A sum over many instances that keeps terms of different sizes apart, so that strong
 * ones that cancel do not hide weak ones. */
typedef struct lv_tally {
    LV_ARRAY(long long) sizes; /* exponents of the terms in one sum */
    LV_ARRAY(lv_change) sums;
} lv_tally;

lv_change lv_tally_sum(lv_tally *tally); /* and clears it */
void lv_tally_done(lv_tally *tally);

/* A motion of the coordinates that may be a symmetry: one of the usual ones, or any whose
 * xi and d/dt xi at the current point are given. */
typedef struct lv_candidate {
    lv_symmetry is;
    const lv_change *dq, *dv; /* NULL: `is` tells */
    bool broken;
    bool has_momentum; /* p . xi is not zero for all p = L_v */
    lv_tally total;    /* of energies and forces so far */
    /* of what has to be invariant by itself and is not, if it is broken */
    lv_change worst;
} lv_candidate;

typedef struct lv_candidates {
    lv_candidate *list;
    int count;
    int *cyclic;  /* candidate of a group, or -1 */
    int together; /* from here on candidates move all vectors of a length */
} lv_candidates;

/* Is this the change of something that should not change, at a point that satisfies
 * constraints up to the end of an iteration? */
bool lv_change_is_proof(lv_change change);

/* The tests of one kernel. */
typedef struct lv_defects {
    const lv_model *model;
    const lv_kernel *kernel;
    const lv_candidates *candidates;
    lv_lie *lie;           /* of the rows, then of the guards */
    int guards;            /* number of these */
    bool alone;            /* every instance has to be invariant by itself */
    lv_node_list tests;    /* candidates that the kernel may spoil */
    unsigned char *failed; /* ways in which vectors of rows are not invariant */
    double *point;         /* q, v, the numbers of an instance, time and inputs */
    lv_change *move;       /* xi and d/dt xi of an instance, and terms of a force */
} lv_defects;

/* Builds the tests of all candidates that the kernel may spoil, and notes which of them
 * have momentum. Candidates along which the derivatives are zero for all inputs need no
 * test. Formulas with kinks are tested on all their pieces at once (expr/kink.h) and have
 * to be invariant by themselves, as constraints do. Holonomic rows that may be read as
 * vectors, as many as these have components, may turn with the coordinates. Call
 * lv_defects_done in any case. */
lv_status lv_defects_init(lv_defects *defects, const lv_candidates *candidates,
                          const lv_model *model, const lv_kernel *kernel, lv_error *err);

/* The same for candidates with dq and dv: formulas are taken as they are, where they
 * are. */
lv_status lv_defects_init_given(lv_defects *defects, const lv_candidates *candidates,
                                const lv_model *model, const lv_kernel *kernel,
                                lv_error *err);
void lv_defects_done(lv_defects *defects);

/* Forgets what points before have shown. */
void lv_defects_begin(lv_defects *defects);

/* Is a candidate left that the kernel may still spoil? */
bool lv_defects_open(const lv_defects *defects);

/* Adds the defects of all instances at a point. LV_ERR_DOMAIN where one is not finite. */
lv_status lv_defects_add(lv_defects *defects, const double *q, const double *v, double t,
                         lv_error *err);

#endif
