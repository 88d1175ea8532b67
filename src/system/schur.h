/* Z = G_a M^-1 G_b^T, constraints x constraints, for Jacobians of one pattern and a mass matrix
 * of small blocks. Both factors may be taken at different points. */
#ifndef LV_SYSTEM_SCHUR_H
#define LV_SYSTEM_SCHUR_H

#include "system/mass.h"

#include <stddef.h>

typedef struct lv_schur lv_schur;

/* The pattern of G, and the mass matrix (whose blocks matter, not its values). */
lv_status lv_schur_create(lv_schur **schur, const lv_pattern *g, const lv_mass *mass,
                          lv_error *err);
void lv_schur_free(lv_schur *schur);

const lv_pattern *lv_schur_pattern(const lv_schur *schur); /* of Z */
int lv_schur_weighted_size(const lv_schur *schur);

/* From now on the mass matrix stays what it is. true if it is made of point masses, so that every
 * group of coordinates (see below) has one mass: these are then taken into account where they are
 * needed, and G itself serves as `weighted`. */
bool lv_schur_fix_mass(lv_schur *schur, const lv_mass *mass);

/* weighted = G M^-1: rows of G with every block of the mass matrix they touch. Nothing is to be
 * done where `weighted` is G. */
void lv_schur_weigh(const lv_schur *schur, double *weighted, const lv_mass *mass,
                    const double *g);

/* storage[slot[e]] = c * (G weighted^T)[e] for all entries e of Z; or added to what is there. */
void lv_schur_store(const lv_schur *schur, double *storage, const int *slot, double c,
                    const double *g, const double *weighted);
void lv_schur_add(const lv_schur *schur, double *storage, const int *slot, double c,
                  const double *g, const double *weighted);

/* y = weighted x: that is G M^-1 x. */
void lv_schur_apply(const lv_schur *schur, double *y, const double *weighted,
                    const double *x);

/* A vector to which c times something is added, or which becomes that. */
typedef struct lv_schur_target {
    double *y;
    double c;
    bool add;
} lv_schur_target;

/* y += c * weighted^T x for several y: that is M^-1 G^T x. */
void lv_schur_spread(const lv_schur *schur, const lv_schur_target *to, int count,
                     const double *weighted, const double *x);

#endif
