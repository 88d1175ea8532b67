/* Solves with the mass matrix M. M falls into blocks of coordinates that share kinetic
 * energy. Small blocks are factored densely (LU or L D L^T), a diagonal matrix is
 * inverted entry by entry, and a large block, or a sparse one that is not small, goes to
 * the general solver. */
#ifndef LV_SYSTEM_MASS_H
#define LV_SYSTEM_MASS_H

#include "base/status.h"
#include "num/pattern.h"

#include <stdbool.h>

typedef struct lv_mass lv_mass;

/* g is the pattern of the constraint gradients, NULL if there are none. If they join so
 * many coordinates that G M^-1 G^T is full, M goes to the general solver, too. */
lv_status lv_mass_create(lv_mass **mass, const lv_pattern *pattern, const lv_pattern *g,
                         lv_error *err);
void lv_mass_free(lv_mass *mass);

/* Factors the values, which are in the order of the pattern. Returns false if the matrix
 * is singular to working precision. */
bool lv_mass_factor(lv_mass *mass, const double *values);

/* x = M^-1 x */
void lv_mass_solve(const lv_mass *mass, double *x);

/* Number of blocks; 0 if the matrix went to the general solver. */
int lv_mass_block_count(const lv_mass *mass);

/* Coordinates of block k, increasing; *size is their number. */
const int *lv_mass_block(const lv_mass *mass, int k, int *size);
int lv_mass_block_of(const lv_mass *mass, int coordinate);

/* x = M_k^-1 x for block k; x has as many numbers as the block has coordinates. */
void lv_mass_block_solve(const lv_mass *mass, int k, double *x);

/* The inverse diagonal, or NULL if M is not diagonal. */
const double *lv_mass_inverse_diagonal(const lv_mass *mass);

#endif
