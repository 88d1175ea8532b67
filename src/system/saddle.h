/* Saddle-point systems with a mass matrix and a constraint Jacobian:
 *
 *     M x - G^T y = a,   G x = b
 *
 * solved through Z = G M^-1 G^T where M has small blocks, as one symmetric system of x
 * and -y otherwise. Redundant constraints: where Z is singular, the multipliers of least
 * norm are taken if the equations are consistent. */
#ifndef LV_SYSTEM_SADDLE_H
#define LV_SYSTEM_SADDLE_H

#include "num/linear.h"
#include "system/dependence.h"
#include "system/mass.h"
#include "system/schur.h"

typedef struct lv_saddle lv_saddle;

/* Patterns of M (n x n) and G (m x n); both must outlive the saddle. mass: NULL where M
 * is singular, and the constraints hold what has no mass. dependence: borrowed, for
 * gradients like G. */
lv_status lv_saddle_create(lv_saddle **saddle, const lv_pattern *mass_pattern,
                           const lv_pattern *g_pattern, const lv_mass *mass,
                           lv_dependence *dependence, lv_error *err);
void lv_saddle_free(lv_saddle *saddle);

/* Takes the values of M (already factored in `mass` if it has blocks) and G. false if
 * singular beyond what redundancy explains. */
bool lv_saddle_factor(lv_saddle *saddle, const double *mass_values,
                      const double *g_values);

/* x and y hold a and b on entry, the solution on exit. After the factorisation, with the
 * same values of G still there and nobody having looked for dependence since. */
void lv_saddle_solve(lv_saddle *saddle, double *x, double *y);

/* Factors again at the same values without the constraints that are combinations of
 * others but for a part of `tolerance`, or whose gradient is not larger than this part of
 * its size, whether the matrix is singular or not. unit: of each coordinate, by which
 * gradients are weighed; row_size: what they usually are. Of all multipliers solutions
 * then have those of least norm, in_units: each times the size of its row. Returns how
 * many constraints these are; below 0: nothing could be found, and the factors are
 * gone. */
int lv_saddle_reduce(lv_saddle *saddle, const double *unit, const double *row_size,
                     bool in_units, double tolerance);

/* Number of redundant constraints found by the last factorisation. */
int lv_saddle_redundant(const lv_saddle *saddle);

/* The constraint whose pivot was smallest, -1 if it was not that of a constraint, and
 * that pivot. */
double lv_saddle_worst(const lv_saddle *saddle, int *row);

/* Z's machinery, for schemes that build on it; NULL where M has no small blocks. */
const lv_schur *lv_saddle_schur(const lv_saddle *saddle);

#endif
