/* Saddle-point systems with a mass matrix and a constraint Jacobian:
 *
 *     M x - G^T y = a,   G x = b
 *
 * They are solved through Z = G M^-1 G^T if M has small blocks, otherwise as one
 * symmetric system of x and -y. If constraints are redundant, Z is singular: the
 * multipliers of least norm are then computed, provided that the equations are
 * consistent. */
#ifndef LV_SYSTEM_SADDLE_H
#define LV_SYSTEM_SADDLE_H

#include "num/linear.h"
#include "system/dependence.h"
#include "system/mass.h"
#include "system/schur.h"

typedef struct lv_saddle lv_saddle;

/* Takes the patterns of M (n x n) and G (m x n); both must outlive the saddle. `mass` is
 * NULL if M is singular; the constraints must then act on every direction without mass.
 * `dependence` is borrowed, and must have been created for gradients like G. */
lv_status lv_saddle_create(lv_saddle **saddle, const lv_pattern *mass_pattern,
                           const lv_pattern *g_pattern, const lv_mass *mass,
                           lv_dependence *dependence, lv_error *err);
void lv_saddle_free(lv_saddle *saddle);

/* Factors the values of M (which `mass` has already factored if M has blocks) and G.
 * Returns false if the system is singular for another reason than redundant
 * constraints. */
bool lv_saddle_factor(lv_saddle *saddle, const double *mass_values,
                      const double *g_values);

/* x and y hold a and b on entry, the solution on exit. Call after the factorisation,
 * while the values of G are unchanged and `dependence` has not examined other
 * gradients. */
void lv_saddle_solve(lv_saddle *saddle, double *x, double *y);

/* Factors the same values again without the constraints that are combinations of others
 * up to a relative remainder of `tolerance`, or whose gradient is at most `tolerance`
 * times row_size, whether the matrix is singular or not. Gradients are multiplied by
 * `unit` of each coordinate; row_size is the usual size of each gradient. Solutions then
 * have the multipliers of least norm; with `in_units`, of the multipliers times row_size.
 * Returns the number of constraints left out, or a negative number if the factorisation
 * failed. */
int lv_saddle_reduce(lv_saddle *saddle, const double *unit, const double *row_size,
                     bool in_units, double tolerance);

/* Number of redundant constraints found by the last factorisation. */
int lv_saddle_redundant(const lv_saddle *saddle);

/* Returns the smallest pivot; *row is its constraint, or -1 if it belongs to no
 * constraint. */
double lv_saddle_worst(const lv_saddle *saddle, int *row);

/* The solver of Z, for schemes that use it directly; NULL if M has no small blocks. */
const lv_schur *lv_saddle_schur(const lv_saddle *saddle);

#endif
