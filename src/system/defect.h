/* What spoils a symmetry, kernel by kernel: the defect and the size of its terms,
 *
 *     d = sum_j c_j xi_j + b_j (A v)_j,    s = sum of the absolute values of the terms,
 *
 * where xi = A q + b is a candidate's generator, c = L_q and b = L_v for energies, c = f for
 * forces, c = a row of G or of Phi_v for constraints. */
#ifndef LV_SYSTEM_DEFECT_H
#define LV_SYSTEM_DEFECT_H

#include "expr/analyse.h"
#include "system/survey.h"
#include "system/symmetry.h"

typedef struct lv_candidate {
    lv_symmetry is;
    bool broken;
    bool has_momentum;   /* p . xi is not zero for all p = L_v */
    double defect, size; /* sums over instances */
} lv_candidate;

typedef struct lv_candidates {
    lv_candidate *list;
    int count;
    int *cyclic;  /* candidate of a group, or -1 */
    int together; /* from here on candidates move all vectors of a length */
} lv_candidates;

typedef struct lv_defect_test {
    int candidate;
    bool alone; /* every instance has to be invariant by itself */
    int choice; /* it is enough to pass all tests of this choice in one way; -1: no choice */
    int way;    /* 1 or 2 */
} lv_defect_test;

/* The tests of one kernel. */
typedef struct lv_defects {
    const lv_candidates *candidates;
    lv_graph *graph; /* the kernel's, extended */
    lv_node_list nodes;
    LV_ARRAY(lv_defect_test) tests;
    unsigned char *failed; /* ways that failed, by choice */
    lv_survey survey;      /* d and s of one test after the other */
    bool has_survey;
} lv_defects;

/* Builds the tests of all candidates that the kernel could spoil, and notes which of them have
 * momentum. Formulas with kinks are tested on all their pieces at once (expr/kink.h) and have to
 * be invariant by themselves, as constraints do. Holonomic rows that may be read as vectors, as
 * many as these have components, may turn with the coordinates. Call lv_defects_done in any case. */
lv_status lv_defects_init(lv_defects *defects, const lv_candidates *candidates,
                          const lv_model *model, const lv_kernel *kernel, lv_error *err);
void lv_defects_done(lv_defects *defects);

/* Adds the defects of all instances at a point. One with |d| <= tolerance * s is invariant by
 * itself and does not count, so that weak terms are never compared with strong ones. */
lv_status lv_defects_add(lv_defects *defects, const double *q, const double *v, double t,
                         double tolerance, lv_error *err);

#endif
