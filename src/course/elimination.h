/* The numbers of the cheap Newton matrix (course/cheap.h) for a step size: N^-1, and N^-1 B
 * and C as sums of gradients at sites.
 *
 * The columns of a phase are vectors (velocities) and groups (of multipliers of holonomic
 * constraints). Only masses couple vectors with vectors, and only gradients couple
 * vectors with groups. If bodies move on groups, gradients by vectors may be multiplied
 * from the right by derivatives of group operators, body by body, provided that their
 * pattern stays the same. */
#ifndef LV_COURSE_ELIMINATION_H
#define LV_COURSE_ELIMINATION_H

#include "base/arena.h"
#include "base/chains.h"
#include "course/course.h"

enum { LV_ELIMINATED_MOST = 64 }; /* the largest number of columns of a phase */

/* The entry of N^-1 B or of C for a vector and a group: a sum of factors times G at
 * sites. All G have the same pattern. If the sum has several parts, `values` is the
 * sum. */
typedef struct lv_coupling {
    int vector, group;
    int site; /* site of the first part */
    /* product of G with derivatives of group operators; NULL: G itself */
    lv_dressing *dressing;
    bool several;
    double factor;        /* factor of the only part; 1 for a sum of several */
    const double *values; /* values of G, or of the sum */
    /* Memory of the caller for the sum of several parts, and for G M^-1. */
    double *sum, *weighted;
} lv_coupling;

typedef struct lv_coupling_part {
    int coupling, site;
    lv_dressing *dressing;
    double factor;
} lv_coupling_part;

typedef struct lv_couplings {
    LV_ARRAY(lv_coupling) list;
    int *number; /* [vector][group]: index in `list` plus 1; 0: no coupling */
    LV_ARRAY(lv_coupling_part) parts;
    lv_chains known; /* finds parts by coupling and site */
    bool several;    /* some coupling has several parts */
} lv_couplings;

typedef struct lv_elimination {
    lv_course *course;
    const lv_phase *phase;
    int vectors, groups; /* number of columns of either kind */
    int *vector, *group; /* the indices of these columns in the phase */
    int *number;         /* by column: its index among the columns of its kind */
    double *inverse;     /* N^-1, vectors x vectors */
    double *lu;
    int *pivot;
    double h;                /* step size for which all numbers were computed; 0: none */
    lv_couplings push, pull; /* N^-1 B, C */
    double *principal;       /* groups x groups: the eliminated matrix for G = M = 1 */
    bool complete;           /* all couplings have been found; no more may be added */
} lv_elimination;

/* Whether the phase has the form that the elimination needs. */
bool lv_elimination_fits(const lv_course *course, const lv_phase *phase);

/* Call only if lv_elimination_fits. *determined receives whether the masses alone
 * determine the velocities. All memory but that of the lists is taken from the arena.
 * Call lv_elimination_done also after failures. */
lv_status lv_elimination_init(lv_elimination *e, bool *determined, lv_course *course,
                              const lv_phase *phase, lv_arena *arena, lv_error *err);
void lv_elimination_done(lv_elimination *e);

/* Computes all numbers for the step size of the course if it has changed. Returns false
 * if they cannot be computed, in particular if N is singular. */
bool lv_elimination_use_step(lv_elimination *e);

/* Whether groups can be solved for one after the other. */
bool lv_elimination_is_triangular(const lv_elimination *e);

/* Whether the block belongs to C, the derivatives of the equations of groups by
 * vectors. */
bool lv_elimination_is_row(const lv_elimination *e, const lv_block *block);

#endif
