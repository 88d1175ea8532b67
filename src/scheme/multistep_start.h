/* Where a multistep method begins (theory 11.4): the motion through a state at as many
 * nodes before it as the method looks back. Positions and velocities there are integrals
 * of a polynomial through the accelerations, which are those of the motion; repeated
 * substitution finds both. */
#ifndef LV_SCHEME_MULTISTEP_START_H
#define LV_SCHEME_MULTISTEP_START_H

#include "course/state.h"
#include "scheme/multistep_tableau.h"

typedef struct lv_multistep_start {
    lv_system *system;
    const lv_multistep *tableau;
    double *accelerations; /* at the nodes 0, -1, ..., n numbers each; owns the block */
    double *q, *v, *next;  /* n numbers each */
    double *change;        /* n numbers: the largest change of each acceleration */
    double *references;    /* the references of the system at node 0 */
} lv_multistep_start;

/* The tableau and the system must outlive the start. */
lv_status lv_multistep_start_init(lv_multistep_start *start, const lv_multistep *tableau,
                                  lv_system *system, lv_error *err);
void lv_multistep_start_done(lv_multistep_start *start);

/* Finds the accelerations before this state. Returns LV_ERR_NUMERIC if the step h is too
 * large for that. */
lv_status lv_multistep_start_find(lv_multistep_start *start, const lv_state *state,
                                  double h, lv_error *err);

/* to += scale sum_j weights[j] a_j, n numbers */
void lv_multistep_start_add(const lv_multistep_start *start, double scale,
                            const double *weights, double *to);

#endif
