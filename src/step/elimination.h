/* The numbers of the cheap Newton matrix (step/cheap.h): N^-1, N^-1 B and C as sums of gradients at sites, for a step
 * size.
 *
 * The columns of a phase are vectors (velocities) and groups (of multipliers of holonomic constraints). Only masses
 * join vectors; only gradients join vectors and groups. On groups gradients by vectors may be multiplied by derivatives of
 * operators from the right, body by body, if that leaves their pattern as it is. */
#ifndef LV_STEP_ELIMINATION_H
#define LV_STEP_ELIMINATION_H

#include "base/arena.h"
#include "base/chains.h"
#include "step/course.h"

enum { LV_ELIMINATED_MOST = 64 }; /* columns */

/* A vector and a group in N^-1 B or in C: the sum of factors times G at sites. All G have one pattern; where there are
 * several sites, `values` is their sum. */
typedef struct lv_coupling {
    int vector, group;
    int site;              /* of the first part, */
    lv_dressing *dressing; /* and, on groups, of G times derivatives; NULL: G itself */
    bool several;
    double factor;          /* of the sum, or of the only part */
    const double *values;   /* G, */
    double *sum, *weighted; /* room for a sum of several, G M^-1; the caller's */
} lv_coupling;

typedef struct lv_coupling_part {
    int coupling, site;
    lv_dressing *dressing;
    double factor;
} lv_coupling_part;

typedef struct lv_couplings {
    LV_ARRAY(lv_coupling) list;
    int *number; /* of a coupling plus 1, vectors x groups */
    LV_ARRAY(lv_coupling_part) parts;
    lv_chains known; /* parts by coupling and site */
    bool several;    /* some coupling has several sites */
} lv_couplings;

typedef struct lv_elimination {
    lv_course *course;
    const lv_phase *phase;
    int vectors, groups; /* columns of both kinds */
    int *vector, *group; /* their columns */
    int *number;         /* of each column, among its kind */
    double *inverse;     /* N^-1, vectors x vectors */
    double *lu;
    int *pivot;
    double h;                /* that all numbers are for; 0: none */
    lv_couplings push, pull; /* N^-1 B, C */
    double *principal;       /* groups x groups: the matrix for G = M = 1 */
    bool complete;           /* all couplings are known */
} lv_elimination;

/* Does the phase have the form that the elimination needs? */
bool lv_elimination_fits(const lv_course *course, const lv_phase *phase);

/* For a phase that fits. *determined: the masses alone determine the velocities. Call lv_elimination_done after
 * failures, too. */
lv_status lv_elimination_init(lv_elimination *e, bool *determined, lv_course *course,
                              const lv_phase *phase, lv_arena *arena, lv_error *err);
void lv_elimination_done(lv_elimination *e);

/* Computes all numbers for the step size of the course, if it has changed. false: N is singular. */
bool lv_elimination_use_step(lv_elimination *e);

/* Can groups be solved for one after the other? */
bool lv_elimination_is_triangular(const lv_elimination *e);

/* Is this a block of C: G at a site, of a group by a vector? */
bool lv_elimination_is_row(const lv_elimination *e, const lv_block *block);

#endif
