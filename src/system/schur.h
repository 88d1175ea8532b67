/* Computes Z = G_a M^-1 G_b^T, constraints x constraints, for two Jacobians of the same
 * pattern, which may be taken at different points, and a mass matrix of small blocks.
 * `weighted` always stands for G_b M^-1. */
#ifndef LV_SYSTEM_SCHUR_H
#define LV_SYSTEM_SCHUR_H

#include "num/columns.h"
#include "system/mass.h"

#include <stddef.h>

typedef struct lv_schur lv_schur;

/* g is the pattern of G, which must outlive the result. Only the blocks of the mass
 * matrix are used, not its values. */
lv_status lv_schur_create(lv_schur **schur, const lv_pattern *g, const lv_mass *mass,
                          lv_error *err);
void lv_schur_free(lv_schur *schur);

/* The pattern of Z, and the number of values of `weighted`. */
const lv_pattern *lv_schur_pattern(const lv_schur *schur);
int lv_schur_weighted_size(const lv_schur *schur);

/* Promises that the mass matrix will not change. Returns true if it consists of point
 * masses, so that all coordinates of a group (columns.h) have the same mass. The masses
 * are then applied where they are needed, and G itself serves as `weighted`. */
bool lv_schur_fix_mass(lv_schur *schur, const lv_mass *mass);

/* weighted = G M^-1: the rows of G, completed to whole blocks of the mass matrix. Does
 * nothing if `weighted` is G itself. */
void lv_schur_weigh(const lv_schur *schur, double *weighted, const lv_mass *mass,
                    const double *g);

/* Sets storage[slot[e]], or adds to it, c * (G weighted^T)[e] for all entries e of Z. */
void lv_schur_store(const lv_schur *schur, double *storage, const int *slot, double c,
                    const double *g, const double *weighted);
void lv_schur_add(const lv_schur *schur, double *storage, const int *slot, double c,
                  const double *g, const double *weighted);

/* y = weighted x, which is G M^-1 x. */
void lv_schur_apply(const lv_schur *schur, double *y, const double *weighted,
                    const double *x);

/* Adds c * weighted^T x, which is c M^-1 G^T x, to `count` vectors y, or sets them to
 * it. */
void lv_schur_spread(const lv_schur *schur, const lv_column_target *to, int count,
                     const double *weighted, const double *x);

#endif
