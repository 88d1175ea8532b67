/* Where a multistep method begins (theory 11.3): the motion through a state at as many
 * nodes before it as the method looks back. Positions and velocities there are integrals
 * of a polynomial through the accelerations, which are those of the motion; repeated
 * substitution finds both. */
#ifndef LV_SCHEME_MULTISTEP_START_H
#define LV_SCHEME_MULTISTEP_START_H

#include "course/state.h"
#include "scheme/multistep_tableau.h"

typedef struct lv_multistep_start {
    double *accelerations; /* at the nodes 0, -1, ..., n numbers each; owns the block */
    double *q, *v, *next;  /* n numbers each */
} lv_multistep_start;

lv_status lv_multistep_start_init(lv_multistep_start *start, int n, lv_error *err);
void lv_multistep_start_done(lv_multistep_start *start);

/* Finds the accelerations. Returns LV_ERR_NUMERIC if the step h is too large for that. */
lv_status lv_multistep_start_find(lv_multistep_start *start, const lv_multistep *tableau,
                                  lv_system *system, const lv_state *state, double h,
                                  lv_error *err);

/* to += scale sum_j weights[j] a_j, n numbers */
void lv_multistep_start_add(const lv_multistep_start *start, const lv_multistep *tableau,
                            int n, double scale, const double *weights, double *to);

#endif
